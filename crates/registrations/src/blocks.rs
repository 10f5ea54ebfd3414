//! The words that begin registrations.
//!
//! Invariant: nothing else knows their names.

/// The macros that open a block, and whether it is for one dispatch key.
const MACROS: &[(&str, bool)] = &[
    ("TORCH_LIBRARY", false),
    ("TORCH_LIBRARY_FRAGMENT", false),
    ("TORCH_LIBRARY_EXPAND", false),
    ("TORCH_LIBRARY_FRAGMENT_EXPAND", false),
    ("STABLE_TORCH_LIBRARY", false),
    ("STABLE_TORCH_LIBRARY_FRAGMENT", false),
    ("STABLE_TORCH_LIBRARY_EXPAND", false),
    ("STABLE_TORCH_LIBRARY_FRAGMENT_EXPAND", false),
    ("TORCH_LIBRARY_IMPL", true),
    ("TORCH_LIBRARY_IMPL_EXPAND", true),
    ("STABLE_TORCH_LIBRARY_IMPL", true),
    ("STABLE_TORCH_LIBRARY_IMPL_EXPAND", true),
];

/// Whether a word opens a block, and whether that is for one dispatch key.
pub(crate) fn block_macro(word: &str) -> Option<bool> {
    if !word.contains("TORCH_LIBRARY") {
        return None;
    }
    MACROS.iter().find(|(name, _)| *name == word).map(|(_, keyed)| *keyed)
}

/// The macro that opens the block of a Python module of pybind11.
pub(crate) const MODULE_MACRO: &str = "PYBIND11_MODULE";

/// Whether a word is the type of a library, which a block can give to functions.
pub(crate) fn is_library(word: &str) -> bool {
    matches!(word, "Library" | "StableLibrary")
}

/// Whether a word is the type of a Python module, which a block can give to functions. Other code
/// has the word too.
pub(crate) fn is_module(word: &str) -> bool {
    matches!(word, "module" | "module_")
}

/// Whether a word is the namespace of pybind11.
pub(crate) fn is_pybind(word: &str) -> bool {
    matches!(word, "py" | "pybind11")
}

/// Whether a word is the type of what the methods of an autograd function share.
pub(crate) fn is_autograd(word: &str) -> bool {
    word == "AutogradContext"
}

/// Whether a word begins a registration.
pub(crate) fn is_registration(word: &str) -> bool {
    word == "RegisterOperators" || word == MODULE_MACRO || block_macro(word).is_some()
}
