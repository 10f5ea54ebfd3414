//! The identity of a run: the subcommand, its inputs, and the flags that its output depends on.
//!
//! Invariant: a flag counts unless it is excluded here, so that a new flag cannot be forgotten. The
//! contents of inputs are in the record.

use std::fmt::Debug;
use std::io;
use std::path::{Component, Path, PathBuf};

use clap::Args;

use crate::driver::args::{CommonArgs, FamilyArgs, SharedArgs};
use torchgen_base::diag::CodeInfo;
use torchgen_base::write::Hash;
use torchgen_base::write::manifest::NAME;

/// The identity of a run, for finding an earlier one that can replace it.
pub struct Invocation {
    /// The manifest of the run.
    pub manifest: PathBuf,
    /// The same for all command lines with the same meaning.
    pub key: Hash,
    /// The command line as typed and its directory: diagnostics, lists and comments show paths as
    /// typed.
    pub typed: Hash,
    /// Whether nothing but lists is written.
    pub dry_run: bool,
    /// The file for lists of outputs.
    pub lists: Option<PathBuf>,
    /// The diagnostics of its family.
    pub codes: &'static [&'static CodeInfo],
}

impl Invocation {
    /// The identity of a run of a family's command.
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
        let invocation = Invocation::new(name, install_dir, &plain, &typed, codes)?;
        Some(Invocation { dry_run: *dry_run, lists: output_dependencies.clone(), ..invocation })
    }

    /// The identity of a run of any command: `plain` holds the flags that count, `typed` the same
    /// as typed, `codes` are those of its family. The run writes its files, and no lists. `None` if
    /// there is no working directory.
    pub fn new<A: Debug>(
        subcommand: &str,
        dir: &Path,
        plain: &A,
        typed: &A,
        codes: &'static [&'static CodeInfo],
    ) -> Option<Invocation> {
        let here = std::env::current_dir().ok()?;
        let hash = |text: String| Hash::of(text.as_bytes());
        Some(Invocation {
            manifest: dir.join(NAME),
            key: hash(format!("{subcommand} {plain:?}")),
            typed: hash(format!("{subcommand} {typed:?} {here:?}")),
            dry_run: false,
            lists: None,
            codes,
        })
    }
}

/// The shared flags that count.
pub fn plain_common(common: &CommonArgs) -> CommonArgs {
    let data_dir = common.data_dir.iter().map(|dir| absolute(dir).unwrap_or_else(|_| dir.clone())).collect();
    CommonArgs { template_dir: common.template_dir.clone(), data_dir, ..CommonArgs::default() }
}

/// Sorts the members of a set.
pub fn set<T: Ord>(list: &mut Option<Vec<T>>) {
    if let Some(list) = list {
        list.sort();
        list.dedup();
    }
}

/// Makes paths absolute.
///
/// # Errors
/// There is no working directory.
pub fn make_absolute<'a>(paths: impl IntoIterator<Item = &'a mut PathBuf>) -> io::Result<()> {
    for path in paths {
        *path = absolute(path)?;
    }
    Ok(())
}

/// The absolute path, without `.` and `..`; links are not followed.
///
/// # Errors
/// There is no working directory, or the path is empty.
pub fn absolute(path: &Path) -> io::Result<PathBuf> {
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
