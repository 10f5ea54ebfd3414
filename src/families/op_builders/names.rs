//! Names in C++: which ones generated code and the language keep for themselves.
//!
//! Invariant: what [`cpp_name`] gives is never one of them. Deliberately absent: where names come from.

/// Words of C++ that could be names in a signature or a body.
const KEYWORDS: [&str; 74] = [
    "alignas", "alignof", "and", "asm", "auto", "bitand", "bitor", "bool", "break", "case", "catch", "char", "class",
    "compl", "const", "constexpr", "continue", "decltype", "default", "delete", "do", "double", "dynamic_cast", "else",
    "enum", "explicit", "export", "extern", "false", "float", "for", "friend", "goto", "if", "inline", "int", "long",
    "mutable", "namespace", "new", "noexcept", "not", "nullptr", "operator", "or", "private", "protected", "public",
    "register", "reinterpret_cast", "return", "short", "signed", "sizeof", "static", "static_assert", "static_cast",
    "struct", "switch", "template", "this", "throw", "true", "try", "typedef", "typeid", "typename", "union",
    "unsigned", "using", "virtual", "void", "volatile", "while",
];

/// Names that generated code uses where names of signatures and bodies are in scope.
const OWN: [&str; 27] = [
    "add", "args", "arity", "at", "build", "check_arity", "expr", "inputs_of", "insert", "inserter", "instruction_ref",
    "ins", "literal", "m", "module", "module_args", "module_ref", "name", "names", "op_builder", "optional_input",
    "reflect", "required", "run_builder", "shape", "std", "value",
];

/// A name as C++ has it: with an underscore behind it if it is taken.
pub(super) fn cpp_name(name: &str) -> String {
    if is_reserved(name) || name.starts_with("made_") { format!("{name}_") } else { name.to_owned() }
}

/// Whether generated code or C++ uses the name itself.
pub(super) fn is_reserved(name: &str) -> bool {
    KEYWORDS.contains(&name) || OWN.contains(&name)
}
