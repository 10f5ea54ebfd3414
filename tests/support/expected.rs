//! Expected texts in files. Only this module reads `UPDATE_EXPECT`, which writes them again.

use std::fs;
use std::path::Path;

/// Whether expected texts are written instead of compared: `UPDATE_EXPECT=1`.
pub(crate) fn are_written() -> bool {
    std::env::var_os("UPDATE_EXPECT").is_some()
}

/// The lines that differ.
pub(crate) fn difference(expected: &str, found: &str) -> String {
    similar::TextDiff::from_lines(expected, found).unified_diff().to_string()
}

/// Compares a text with that of a file, or writes it there. A file that is missing is empty.
pub(crate) fn compare_with_file(path: &Path, found: &str) -> Result<(), String> {
    let expected = fs::read_to_string(path).unwrap_or_default();
    if expected == found {
        return Ok(());
    }
    let file = path.strip_prefix(env!("CARGO_MANIFEST_DIR")).unwrap_or(path).display();
    if !are_written() {
        return Err(format!("{file} differs; UPDATE_EXPECT=1 writes it again\n{}", difference(&expected, found)));
    }
    // Other tests read it at the same time, so it is replaced as a whole.
    let new = path.with_extension("new");
    fs::write(&new, found).and_then(|()| fs::rename(&new, path)).map_err(|error| format!("{file}: {error}"))
}

/// Fails if a text is not that of a file, or writes it there.
#[track_caller]
pub(crate) fn assert_is_text_of_file(path: &Path, found: &str) {
    if let Err(error) = compare_with_file(path, found) {
        panic!("{error}");
    }
}
