//! `torchgen-rs check`: finds the errors in YAML files of any family, and writes nothing.

use crate::driver::family::{CheckSources, Command};
use crate::driver::{Counters, Status, head, with_session};
use crate::families;
use crate::families::torch::args::CheckArgs;
use crate::families::torch::check;

/// The command.
pub(super) const COMMAND: Command =
    Command::plain::<CheckArgs>("check", "Check all YAML files of a source path, and write nothing", |_, matches| {
        Command::with_args(matches, run)
    });

fn run(args: CheckArgs) -> (Status, Counters) {
    let family = head::family_of(args.source_path());
    let command = family.and_then(|family| families::commands().find(|command| command.name == family));
    match command.and_then(|command| command.documents.as_ref()) {
        Some(documents) => {
            (documents.check)(CheckSources { sources: args.source_paths.clone(), common: args.common() })
        }
        None => with_session(&args.common(), None, |session| check::check(&args, session)),
    }
}
