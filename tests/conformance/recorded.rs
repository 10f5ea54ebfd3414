//! Compares a tree with the record of a configuration, and asks the reference where a record
//! cannot answer: it is missing, was made for other inputs, or differs.
//!
//! Invariant: a comparison passes only if the tree has exactly the recorded files, and the record
//! was made for the inputs that the tree was made from.

use std::path::{Path, PathBuf};

use super::records::{self, Record};
use super::{MANIFEST, compare};

/// The number of paths that are shown; the rest is counted.
const SHOWN: usize = 10;

/// What a tree is compared with.
pub(crate) struct Expected<'a> {
    /// The configuration.
    pub(crate) name: &'a str,
    /// The hash of its inputs as they are now.
    pub(crate) inputs: String,
    pub(crate) record: Option<Record>,
    /// Whether the reference runs even if the record agrees.
    pub(crate) live: bool,
}

/// Compares our tree, made in this time, and prints the result under this title.
///
/// `reference` returns the directory of the reference's outputs; it is called at most once.
///
/// # Errors
/// The trees differ, or the record is not what the reference writes for these inputs. The message
/// shows the lines that differ, and the command that renews the record.
pub(crate) fn compare(
    title: &str,
    expected: &Expected<'_>,
    (ours, seconds): (&Path, f64),
    reference: impl FnOnce() -> Result<PathBuf, String>,
) -> Result<(), String> {
    let record = match &expected.record {
        None => Err("there is no record of what the reference writes".to_owned()),
        Some(record) if record.inputs != expected.inputs => Err("the record was made for other inputs".to_owned()),
        Some(record) => Ok(record),
    };
    if let Ok(record) = &record
        && !expected.live
    {
        let mine = records::files(ours, MANIFEST)?;
        if mine == record.files {
            println!("{title}: identical {0} of {0} (recorded; ours in {seconds:.2} s)", mine.len());
            return Ok(());
        }
    }
    let tree = reference()?;
    let mut comparison = compare::trees(&tree, ours)?;
    comparison.ignore_extra(MANIFEST);
    let compared = comparison.report(title, None, seconds, (&tree, ours));
    let recorded = record.and_then(|record| check(record, &tree));
    let renew = |why: String| format!("{why}; renew it, and read what changes:\n    {}", renewal(expected.name));
    match (compared, recorded.map_err(renew)) {
        (Ok(()), recorded) => recorded,
        (compared, Ok(())) => compared,
        (Err(compared), Err(recorded)) => Err(format!("{compared}\n{recorded}")),
    }
}

/// The command that records what the reference writes for a configuration.
pub(crate) fn renewal(configuration: &str) -> String {
    format!("cargo test --test integration -- --record --exact {}", super::title(configuration))
}

/// Compares a record with a tree of the reference.
fn check(record: &Record, tree: &Path) -> Result<(), String> {
    let different = records::different(&record.files, &records::files(tree, MANIFEST)?);
    if different.is_empty() {
        return Ok(());
    }
    let shown = different.iter().take(SHOWN).map(|path| format!("\n    {path}")).collect::<String>();
    Err(format!("the record differs from what the reference writes, in {} files:{shown}\n", different.len()))
}
