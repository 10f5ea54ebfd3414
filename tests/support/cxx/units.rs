//! Generated sources that are compiled as one: the headers that they share are read once.

use std::path::{Path, PathBuf};

use super::write;

/// Parts of the names of sources that remain apart: programs with and without them share the rest,
/// or their unnamed namespaces have the same names.
const APART: [&str; 4] = ["self", "parser", "skeleton", "builder_rules"];

/// Whether a source has a part of a library's operators, but not the first: parts have helpers of
/// the same names.
pub(crate) fn is_further_part(name: &str) -> bool {
    name.strip_prefix("Library_").is_some_and(|rest| !rest.starts_with("0."))
}

/// One source in `directory` for those of each directory, and those that remain apart.
///
/// Each of the sources must be below one of `includes`.
pub(super) fn together(sources: &[PathBuf], includes: &[PathBuf], directory: &Path) -> Vec<PathBuf> {
    let is_apart = |path: &PathBuf| {
        let name = path.file_name().expect("a source is a file").to_string_lossy();
        APART.iter().any(|part| name.contains(part)) || is_further_part(&name)
    };
    // A name that is found in one directory, not a path: an object serves other programs where the
    // texts are the same.
    let included = |path: &PathBuf| {
        let below = includes.iter().find_map(|include| path.strip_prefix(include).ok());
        let below = below.expect("its directory is included");
        let alone = includes.iter().filter(|include| include.join(below).is_file()).count() == 1;
        format!("#include \"{}\"\n", if alone { below } else { path }.display())
    };
    let (mut units, together): (Vec<_>, Vec<_>) = sources.iter().cloned().partition(is_apart);
    for (index, sources) in together.chunk_by(|a, b| a.parent() == b.parent()).enumerate() {
        let unit = directory.join(format!("together-{index}.cpp"));
        write(&unit, &sources.iter().map(included).collect::<String>());
        units.push(unit);
    }
    units
}
