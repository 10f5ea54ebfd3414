//! Names for arguments and outputs: words of the templates of generated code, which generated code
//! could confuse with its own. `tests/gradients/names.txt` has them, so that the library of a seed
//! does not change with a template.

use std::sync::OnceLock;

/// Words of the formulas themselves. Nodes on libtorch's C++ API save by words, as the reference's
/// do: an output `at` is saved if a formula calls `at::exp`.
const OF_FORMULAS: &[&str] = &[
    "at",
    "cos",
    "defined",
    "exp",
    "expand_symint",
    "has_value",
    "sin",
    "size",
    "sum",
    "sum_to_size_symint",
    "sym_sizes",
    "Tensor",
    "to",
    "transpose",
];

/// Whether formulas have the name in another meaning.
pub(super) fn is_in_formulas(name: &str) -> bool {
    OF_FORMULAS.contains(&name)
}

/// All names, in order.
pub(super) fn all() -> &'static [String] {
    static ALL: OnceLock<Vec<String>> = OnceLock::new();
    ALL.get_or_init(|| {
        let lines = include_str!("../../gradients/names.txt").lines();
        lines.filter(|line| !line.starts_with('#')).map(str::to_owned).collect()
    })
}
