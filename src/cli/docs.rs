//! `torchgen-rs docs`: writes a reference of what sources declare, for people.
//!
//! Invariant: the pages need no server and nothing from the network.

use std::path::{Path, PathBuf};

use clap::Args;

use super::explain::documents_of;
use super::heads::{self, Refusal};
use crate::families::{Fallback, FallbackDocsFlags};
use torchgen_base::diag::{Diagnostic, codes};
use torchgen_kit::driver::args::{CommonArgs, INPUT, OUTPUT};
use torchgen_kit::driver::family::{DefaultFamily, DocsFormat, DocsQuestion};
use torchgen_kit::driver::head::{self, ByFamily};
use torchgen_kit::driver::job::{Example, Job, JobArgs, Remembered, example};
use torchgen_kit::driver::pages;
use torchgen_kit::driver::report::Summary;
use torchgen_kit::driver::request::Request;
use torchgen_kit::driver::{JobError, Session};

/// The command.
pub(super) struct Docs;

/// The arguments of `docs`.
#[derive(Debug, Clone, Args)]
pub(super) struct DocsArgs {
    /// YAML files, or directories of them
    #[arg(long, short = 's', value_name = "PATH", help_heading = INPUT)]
    source_path: Option<PathBuf>,
    /// The old torch: a version, PyTorch's files, or a revision of git
    ///
    /// Pages of PyTorch's operators then show what changed since, as `diff --from` does, and one
    /// page lists all changes. Formulas are compared if both have files.
    #[arg(long, value_name = "TORCH", help_heading = INPUT)]
    from: Option<String>,
    /// Directory to write to
    // `out_dir` of a project is for generated code.
    #[arg(long, short = 'd', value_name = "DIR", default_value = "site", help_heading = OUTPUT)]
    site_dir: PathBuf,
    /// What to write
    #[arg(long, value_enum, value_name = "FORMAT", default_value = "html", help_heading = OUTPUT)]
    format: DocsFormat,
    /// Also list the generated files about each operator, with lines
    ///
    /// Everything is generated once, and only the site is written.
    #[arg(long, help_heading = OUTPUT)]
    outputs: bool,
    /// Those for sources that name no family.
    #[command(flatten)]
    own: FallbackDocsFlags,
    /// The flags beyond.
    #[command(flatten)]
    common: CommonArgs,
}

impl JobArgs for DocsArgs {
    fn common(&self) -> CommonArgs {
        self.common.clone()
    }

    fn remembered(&self) -> Option<Remembered> {
        Some(Remembered::at(&self.site_dir))
    }
}

impl Job for Docs {
    type Args = DocsArgs;
    const NAME: &'static str = "docs";
    const ABOUT: &'static str = "Write a site about what sources declare, or an explorer of PyTorch's operators";
    const EXAMPLES: &'static [Example] = &[
        example("Write a site about the operators of this directory, and open site/index.html", "docs"),
        example("Write an explorer of what torch 2.15 has, without its files", "docs --torch 2.15 -d explorer"),
        example("Show what torch 2.15 changed", "docs --torch 2.15 --from 2.14 -d explorer"),
        example("Write a site about the graph IR of a directory", "docs -s ir -d site"),
        example("Write pages for MkDocs or mdBook", "docs -s . -d docs/operators --format markdown"),
    ];

    fn run(args: &DocsArgs, session: &mut Session) -> Result<Summary, JobError> {
        let source = args.source_path.as_deref();
        if let Some(found) = source {
            let unknown = heads::unknown(&ByFamily::sort_sources(&[found.to_owned()], Fallback::SOURCES));
            if !unknown.is_empty() {
                return Err(Refusal::Unknown(unknown).report(session));
            }
        }
        let family = source.and_then(|source| head::family_of(source, Fallback::SOURCES));
        let from = args.from.as_deref();
        let question = DocsQuestion { source, from, dir: &args.site_dir, format: args.format, outputs: args.outputs };
        let Some(family) = family.filter(|family| !Fallback::NAMES.contains(&family.as_str())) else {
            return Fallback::docs(&question, &args.own.clone().into(), &args.common, session);
        };
        let of_operators = [("--outputs", args.outputs), ("--from", from.is_some())];
        if let Some((flag, _)) = of_operators.iter().find(|(_, given)| *given) {
            let message = format!("`{flag}` is for operators, not for the records of {family}");
            return Err(Diagnostic::new(&codes::USAGE, message).help(format!("leave out `{flag}`")).into());
        }
        session.checks_only = true;
        let sources = source.map(Path::to_owned).into_iter().collect();
        let site = (documents_of(&family)?.site)(&Request::to_check(sources, &args.common), session)?;
        session.check_errors()?;
        pages::write(&site, &question, &args.common, session)
    }
}
