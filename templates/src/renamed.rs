//! The former names of C++ sources that were templates, so that an overlay of an old name is
//! answered with the new one. Families have lists of their own.
//!
//! Invariant: no file has an old name, and each new name is a file; a test checks both.

/// The former name of each, and the name now.
pub(crate) const RENAMED: &[(&str, &str)] = &[
    ("kit/cpp/array_view.j2", "kit/cpp/array_view.h"),
    ("kit/cpp/casting.j2", "kit/cpp/casting.h"),
    ("kit/cpp/diagnostics.j2", "kit/cpp/diagnostics.h"),
    ("kit/cpp/expr.h.j2", "kit/cpp/expr.h"),
    ("kit/cpp/float_bits.j2", "kit/cpp/float_bits.h"),
    ("kit/cpp/hash.j2", "kit/cpp/hash.h"),
    ("kit/cpp/print.j2", "kit/cpp/print.h"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn old_names_are_gone_and_new_ones_exist() {
        for (old, new) in RENAMED {
            assert!(crate::template_named(old).is_none() && crate::template_named(new).is_some(), "{old} is now {new}");
        }
    }
}
