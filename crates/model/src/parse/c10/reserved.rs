//! Names that parameters cannot have, although arguments can.
//!
//! Invariant: a declaration with a parameter of any other name means the same. In bodies, no
//! argument has a name of ours: see [`cpp_names`](crate::model::cpp_names).

use crate::model::{ReservedNames, cpp_names};
use torchgen_base::lang::cpp::is_keyword;

impl ReservedNames {
    /// Whether C++ would mean something else by a parameter's name.
    pub(super) fn has(&self, name: &str) -> bool {
        let has = |list: &[String]| list.iter().any(|own| own == name);
        is_keyword(name)
            || cpp_names::is_made(name)
            || is_not_for_authors(name)
            || has(&self.macros)
            || has(&self.declarations)
    }
}

/// Macros are in uppercase, and names that begin with two underscores, or with one and a capital
/// letter, are the compiler's.
fn is_not_for_authors(name: &str) -> bool {
    let shouts = name.len() > 1 && !name.contains(|c: char| c.is_ascii_lowercase());
    let letters = name.contains(|c: char| c.is_ascii_uppercase());
    let hidden =
        name.strip_prefix('_').is_some_and(|rest| rest.starts_with(|c: char| c == '_' || c.is_ascii_uppercase()));
    (shouts && letters) || hidden
}

#[cfg(test)]
mod tests {
    use super::*;
    use torchgen_kit::driver::data::Tables;

    #[test]
    fn names_of_parameters() {
        let table: &ReservedNames = Tables::embedded().get();
        for name in ["xor", "NAN", "__FILE__", "_Complex", "int64_t", "linux", "x_arg", "x_arg2", "x_return"] {
            assert!(table.has(name), "{name}");
        }
        for name in ["x", "N", "op", "ks", "guard", "x_t", "x_", "_x", "self", "out", "grad", "result0", "at", "std"] {
            assert!(!table.has(name), "{name}");
        }
    }
}
