//! What makes two runs the same: the subcommand, its inputs, and the flags that its output depends on.
//!
//! Invariant: a flag counts unless it is named here as one that does not, so a new one cannot be overlooked. Deliberately absent: the
//! contents of inputs, which a record has.

use std::fmt::Debug;
use std::io;
use std::path::{Component, Path, PathBuf};

use clap::Args;

use crate::diag::CodeInfo;
use crate::driver::args::{CommonArgs, FamilyArgs, SharedArgs};
use crate::write::Hash;
use crate::write::manifest::NAME;

/// A run, as far as an earlier one may stand for it.
pub(crate) struct Invocation {
    /// Where it is remembered.
    pub(crate) manifest: PathBuf,
    /// The same for every way to type the same.
    pub(crate) key: Hash,
    /// What was typed, and in which directory: diagnostics, lists and comments show paths as they were typed.
    pub(crate) typed: Hash,
    /// Nothing is to be written but lists.
    pub(crate) dry_run: bool,
    /// Where lists of outputs go.
    pub(crate) lists: Option<PathBuf>,
    /// The diagnostics that only its family reports.
    pub(crate) codes: &'static [&'static CodeInfo],
}

impl Invocation {
    /// Of a family's command.
    pub(crate) fn of_family<F: Args + Clone + Debug>(
        name: &str,
        args: &FamilyArgs<F>,
        codes: &'static [&'static CodeInfo],
    ) -> Option<Invocation> {
        let mut plain = args.clone();
        let shared = &mut plain.shared;
        shared.common = plain_common(&args.shared.common);
        shared.dry_run = false;
        shared.output_dependencies = None;
        let typed = plain.clone();
        let shared = &mut plain.shared;
        shared.emit.sort();
        shared.emit.dedup();
        let paths = shared.sources.iter_mut().chain([&mut shared.install_dir]).chain(&mut shared.common.template_dir);
        make_absolute(paths).ok()?;
        let SharedArgs { install_dir, dry_run, output_dependencies, .. } = &args.shared;
        let invocation = Invocation::new(name, install_dir, &plain, &typed, *dry_run, output_dependencies.clone())?;
        Some(Invocation { codes, ..invocation })
    }

    /// Of any command: `plain` is what counts of its flags, `typed` the same as typed. `None` if there is no working directory.
    pub(crate) fn new<A: Debug>(
        subcommand: &str,
        dir: &Path,
        plain: &A,
        typed: &A,
        dry_run: bool,
        lists: Option<PathBuf>,
    ) -> Option<Invocation> {
        let here = std::env::current_dir().ok()?;
        let hash = |text: String| Hash::of(text.as_bytes());
        Some(Invocation {
            manifest: dir.join(NAME),
            key: hash(format!("{subcommand} {plain:?}")),
            typed: hash(format!("{subcommand} {typed:?} {here:?}")),
            dry_run,
            lists,
            codes: &[],
        })
    }
}

/// The flags of every subcommand that count.
pub(crate) fn plain_common(common: &CommonArgs) -> CommonArgs {
    let data_dir = common.data_dir.iter().map(|dir| absolute(dir).unwrap_or_else(|_| dir.clone())).collect();
    CommonArgs { template_dir: common.template_dir.clone(), data_dir, ..CommonArgs::default() }
}

/// Puts the members of a set in order.
pub(crate) fn set<T: Ord>(list: &mut Option<Vec<T>>) {
    if let Some(list) = list {
        list.sort();
        list.dedup();
    }
}

pub(crate) fn make_absolute<'a>(paths: impl IntoIterator<Item = &'a mut PathBuf>) -> io::Result<()> {
    for path in paths {
        *path = absolute(path)?;
    }
    Ok(())
}

/// The path from the root, without `.` and `..`; links are not followed.
///
/// # Errors
/// There is no working directory, or the path is empty.
pub(crate) fn absolute(path: &Path) -> io::Result<PathBuf> {
    let path = std::path::absolute(path)?;
    let mut plain = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                plain.pop();
            }
            _ => plain.push(component),
        }
    }
    Ok(plain)
}
