//! C++ names, and those that generated code and the language reserve.
//!
//! Invariant: [`cpp_name`] never returns a reserved name.

use crate::lang::cpp::is_keyword;

/// Names that generated code uses in scopes with names from signatures and bodies.
const OWN: [&str; 27] = [
    "add",
    "args",
    "arity",
    "at",
    "build",
    "check_arity",
    "expr",
    "inputs_of",
    "insert",
    "inserter",
    "instruction_ref",
    "ins",
    "literal",
    "m",
    "module",
    "module_args",
    "module_ref",
    "name",
    "names",
    "op_builder",
    "optional_input",
    "reflect",
    "required",
    "run_builder",
    "shape",
    "std",
    "value",
];

/// The C++ form of a name: with an underscore appended if it is reserved.
pub(super) fn cpp_name(name: &str) -> String {
    if is_reserved(name) || name.starts_with("made_") { format!("{name}_") } else { name.to_owned() }
}

/// Whether generated code or C++ reserves the name.
pub(super) fn is_reserved(name: &str) -> bool {
    is_keyword(name) || OWN.contains(&name)
}
