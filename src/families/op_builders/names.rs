//! Names in C++: which ones generated code and the language keep for themselves.
//!
//! Invariant: what [`cpp_name`] gives is never one of them. Deliberately absent: where names come from.

use crate::lang::cpp::is_keyword;

/// Names that generated code uses where names of signatures and bodies are in scope.
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

/// A name as C++ has it: with an underscore behind it if it is taken.
pub(super) fn cpp_name(name: &str) -> String {
    if is_reserved(name) || name.starts_with("made_") { format!("{name}_") } else { name.to_owned() }
}

/// Whether generated code or C++ uses the name itself.
pub(super) fn is_reserved(name: &str) -> bool {
    is_keyword(name) || OWN.contains(&name)
}
