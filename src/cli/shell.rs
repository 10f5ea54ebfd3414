//! `torchgen-rs completions`: prints the completions of a shell.
//! `torchgen-rs man`: prints the manual page, or writes the pages of all commands.
//!
//! Invariant: both follow from the definition of the command line.

use std::path::PathBuf;

use clap::Args;
use clap_complete::Shell;
use clap_mangen::Man;

use torchgen_base::diag::{Diagnostic, codes};
use torchgen_base::write::{Manager, OutputFile};
use torchgen_kit::driver::args::{Common, CommonArgs};
use torchgen_kit::driver::job::{Example, Job, JobArgs, example};
use torchgen_kit::driver::report::{Summary, print_data};
use torchgen_kit::driver::{JobError, Session, output};

/// The program.
const PROGRAM: &str = "torchgen-rs";

/// The manager of manual pages. No list names them.
const MANAGER: Manager = Manager::new("man", None);

/// The command that prints completions.
pub(super) struct Completions;

/// The command for manual pages.
pub(super) struct ManualPages;

/// The arguments of `completions`.
#[derive(Debug, Clone, Args)]
pub(super) struct CompletionsArgs {
    /// The shell
    #[arg(value_name = "SHELL", value_enum)]
    shell: Shell,
    /// The flags beyond.
    #[command(flatten)]
    common: Common<0>,
}

/// The arguments of `man`.
#[derive(Debug, Clone, Args)]
pub(super) struct ManualPagesArgs {
    /// Directory to write the pages of all commands to [default: print the program's own]
    #[arg(value_name = "DIR")]
    dir: Option<PathBuf>,
    /// The flags beyond.
    #[command(flatten)]
    common: Common<0>,
}

impl JobArgs for CompletionsArgs {
    fn common(&self) -> CommonArgs {
        self.common.clone().into()
    }
}

impl JobArgs for ManualPagesArgs {
    fn common(&self) -> CommonArgs {
        self.common.clone().into()
    }
}

impl Job for Completions {
    type Args = CompletionsArgs;
    const NAME: &'static str = "completions";
    const ABOUT: &'static str = "Print the completions for a shell";
    const EXAMPLES: &'static [Example] = &[
        example("Install them for bash", "completions bash > ~/.local/share/bash-completion/completions/torchgen-rs"),
        example("Install them for fish", "completions fish > ~/.config/fish/completions/torchgen-rs.fish"),
    ];

    fn run(args: &CompletionsArgs, session: &mut Session) -> Result<Summary, JobError> {
        let mut text = Vec::new();
        clap_complete::generate(args.shell, &mut super::definition(), PROGRAM, &mut text);
        print_data(&String::from_utf8_lossy(&text), session)
    }
}

impl Job for ManualPages {
    type Args = ManualPagesArgs;
    const NAME: &'static str = "man";
    const ABOUT: &'static str = "Print the manual page, or write those of all commands";
    const EXAMPLES: &'static [Example] = &[
        example("Install the pages of all commands", "man ~/.local/share/man/man1"),
        example("Write them for a package", "man build/man1"),
    ];

    fn run(args: &ManualPagesArgs, session: &mut Session) -> Result<Summary, JobError> {
        let mut all = super::definition();
        all.build();
        let Some(dir) = &args.dir else {
            return print_data(&page(&all)?, session);
        };
        let commands = || std::iter::once(&all).chain(all.get_subcommands());
        let file = |command: &clap::Command| {
            let name = command.get_display_name().unwrap_or(PROGRAM);
            Ok(OutputFile::new(MANAGER, format!("{name}.1"), page(command)?))
        };
        let files = commands().map(file).collect::<Result<_, Diagnostic>>()?;
        let renderer = session.renderer("", &[])?;
        output::write_below(&args.common, MANAGER, dir, files, renderer, session)
    }
}

/// The manual page of a command.
fn page(command: &clap::Command) -> Result<String, Diagnostic> {
    let mut text = Vec::new();
    let source = format!("{PROGRAM} {}", env!("CARGO_PKG_VERSION"));
    let page = Man::new(command.clone()).source(source).render(&mut text);
    page.map_err(|error| Diagnostic::new(&codes::WRITE_FAILED, error.to_string()))?;
    Ok(String::from_utf8_lossy(&text).into_owned())
}
