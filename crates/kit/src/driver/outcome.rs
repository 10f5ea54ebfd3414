//! What a run did, as data: its status, its cost, its files, its diagnostics, and what it printed.
//!
//! Invariant: the diagnostics are those that were printed, in the same order.

use super::host::{Host, Kept};
use super::summary::Summary;
use super::{Counters, Status};
use torchgen_base::diag::{self, Diagnostic, Shown, Sources, codes};

/// What a run did.
#[derive(Debug)]
pub struct Outcome {
    /// How it ended.
    pub status: Status,
    /// What it cost, if it succeeded.
    pub counters: Counters,
    /// What it did, if it succeeded.
    pub summary: Summary,
    /// What it printed, if the host keeps that.
    pub printed: Kept,
    diagnostics: Vec<Diagnostic>,
    sources: Sources,
}

impl Outcome {
    /// That of a run with these diagnostics.
    pub(crate) fn new(
        status: Status,
        summary: Summary,
        counters: Counters,
        diagnostics: Vec<Diagnostic>,
        sources: Sources,
        host: Host,
    ) -> Outcome {
        Outcome { status, counters, summary, printed: host.printed(), diagnostics, sources }
    }

    /// That of a command line that clap answers itself: with an error, or with the help or the
    /// version that the user asked for. Prints the answer.
    pub fn of_usage(error: &clap::Error, mut host: Host) -> Outcome {
        host.say_usage(error);
        let failed = error.use_stderr();
        let (status, summary) = (if failed { Status::Failed } else { Status::Done }, Summary::default());
        let text = error.render().to_string();
        // The sentence of the error; after an empty line, there are suggestions and the usage.
        let said = text.split("\n\n").next().unwrap_or_default();
        let said = said.strip_prefix("error: ").unwrap_or(said).trim_end();
        let diagnostics = failed.then(|| Diagnostic::new(&codes::USAGE, said)).into_iter().collect();
        Outcome::new(status, summary, Counters::default(), diagnostics, Sources::new(), host)
    }

    /// The diagnostics, with their places as lines and columns.
    pub fn diagnostics(&self) -> Vec<Shown> {
        self.diagnostics.iter().map(|diagnostic| diag::shown(diagnostic, &self.sources)).collect()
    }
}
