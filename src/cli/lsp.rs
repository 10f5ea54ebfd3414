//! `torchgen-rs lsp`: serves editors over standard input and output.
//!
//! Invariant: nothing but messages of the protocol goes to standard output.

use clap::Args;
use lsp_server::Connection;

use torchgen_base::diag::{Diagnostic, codes};
use torchgen_kit::driver::args::{Common, CommonArgs, INPUT};
use torchgen_kit::driver::job::{Example, Job, JobArgs, example};
use torchgen_kit::driver::report::Summary;
use torchgen_kit::driver::{JobError, Session};

/// The command.
pub(super) struct Lsp;

/// The arguments of `lsp`.
#[derive(Debug, Clone, Args)]
pub(super) struct LspArgs {
    /// Talk over standard input and output; there is no other way
    #[arg(long, help_heading = INPUT)]
    stdio: bool,
    /// The flags beyond.
    #[command(flatten)]
    common: Common<0>,
}

impl JobArgs for LspArgs {
    fn common(&self) -> CommonArgs {
        self.common.clone().into()
    }
}

impl Job for Lsp {
    type Args = LspArgs;
    const NAME: &'static str = "lsp";
    const ABOUT: &'static str = "Serve an editor: diagnostics while you type, hover, completion, renaming";
    const EXAMPLES: &'static [Example] = &[
        example("What an editor starts", "lsp"),
        example("The same for editors that say how they talk", "lsp --stdio"),
    ];

    fn run(_: &LspArgs, session: &mut Session) -> Result<Summary, JobError> {
        session.checks_only = true;
        let (connection, threads) = Connection::stdio();
        let served = crate::lsp::serve(&connection);
        // The threads end with their channels.
        drop(connection);
        let failed = |message: String| Diagnostic::new(&codes::USAGE, message).help("an editor starts this command");
        served.map_err(|error| failed(format!("the client breaks the protocol: {error}")))?;
        threads.join().map_err(|error| failed(format!("cannot talk to the client: {error}")))?;
        Ok(Summary { silent: true, ..Summary::default() })
    }
}
