//! The identity of a run: the subcommand, its inputs, and the flags that its output depends on.
//!
//! Invariant: it follows from the command's definition. A flag counts unless `args::UNCOUNTED`
//! names it, so that a new flag cannot be forgotten, and the type of a value says whether it is a
//! path. The contents of inputs are in the record.

use std::any::TypeId;
use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Path, PathBuf};

use clap::{Arg, ArgMatches, Args};

use crate::driver::Host;
use crate::driver::args::UNCOUNTED;
use crate::driver::job::{Job, JobArgs, Remembered};
use torchgen_base::diag::CodeInfo;
use torchgen_base::write::manifest::NAME;
use torchgen_base::write::{Hash, without_dots};

/// The identity of a run, for finding an earlier one that can replace it.
pub struct Invocation {
    /// The manifest of the run.
    pub(crate) manifest: PathBuf,
    /// The same for all command lines with the same meaning.
    pub key: Hash,
    /// The command line as typed and its directory: diagnostics, lists and comments show paths as
    /// typed.
    pub typed: Hash,
    /// The same without the flags that select operators, and with what else distinguishes the files
    /// that no selection changes.
    pub(crate) kin: Hash,
    /// Whether nothing but lists is written.
    pub(crate) dry_run: bool,
    /// The file for lists of outputs.
    pub(crate) lists: Option<PathBuf>,
    /// The diagnostics of its family.
    pub(crate) codes: &'static [&'static CodeInfo],
}

impl Invocation {
    /// The identity of a run with parsed arguments, on a host. `None` if it is not remembered, or
    /// if there is no working directory.
    pub(crate) fn from_arguments<J: Job>(args: &J::Args, matches: &ArgMatches, host: &Host) -> Option<Invocation> {
        let Remembered { dir, dry_run, lists } = args.remembered()?;
        let here = std::env::current_dir().ok()?;
        let (environment, code) = (host.environment(), host.fingerprint());
        let (mut key, mut typed) = (J::NAME.to_owned(), format!("{} {here:?} {environment:?}{code}", J::NAME));
        let mut kin = typed.clone();
        let definition = J::Args::augment_args(clap::Command::new(J::NAME));
        for arg in definition.get_arguments() {
            let id = arg.get_id().as_str();
            let Some(values) = matches.get_raw(id).filter(|_| !UNCOUNTED.contains(&id)) else { continue };
            let mut values: Vec<OsString> = values.map(|value| under_its_name(arg, value)).collect();
            let written = format!(" {id}{values:?}");
            typed.push_str(&written);
            if !J::Args::SELECTION.contains(&id) {
                kin.push_str(&written);
            }
            if arg.get_value_parser().type_id() == TypeId::of::<PathBuf>() {
                // An empty path means none.
                for path in values.iter_mut().filter(|path| !path.is_empty()) {
                    *path = absolute(Path::new(path)).ok()?.into();
                }
            }
            if J::Args::SETS.contains(&id) {
                values.sort();
                values.dedup();
            }
            key.push_str(&format!(" {id}{values:?}"));
        }
        let hash = |text: String| Hash::of_bytes(text.as_bytes());
        Some(Invocation {
            manifest: dir.join(NAME),
            key: hash(key),
            typed: hash(typed),
            kin: hash(kin),
            dry_run,
            lists,
            codes: J::CODES,
        })
    }
}

/// A value under its name, if it is the alias of one.
fn under_its_name(arg: &Arg, value: &OsStr) -> OsString {
    let possible = arg.get_possible_values();
    let meant = value.to_str().and_then(|value| possible.iter().find(|known| known.matches(value, false)));
    meant.map_or_else(|| value.to_owned(), |known| known.get_name().into())
}

/// The absolute path, without `.` and `..`; links are not followed.
///
/// # Errors
/// There is no working directory, or the path is empty.
pub fn absolute(path: &Path) -> io::Result<PathBuf> {
    Ok(without_dots(&std::path::absolute(path)?))
}
