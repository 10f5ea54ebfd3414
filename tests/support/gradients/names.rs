//! Names for arguments and outputs: words of the templates of generated code, which generated code
//! could confuse with its own. `tests/gradients/names.txt` has them, so that the library of a seed
//! does not change with a template.

use std::sync::OnceLock;

/// All names, in order.
pub(super) fn all() -> &'static [String] {
    static ALL: OnceLock<Vec<String>> = OnceLock::new();
    ALL.get_or_init(|| {
        let lines = include_str!("../../gradients/names.txt").lines();
        lines.filter(|line| !line.starts_with('#')).map(str::to_owned).collect()
    })
}
