//! C++ names, and those that generated code and the language reserve.
//!
//! Invariant: [`cpp_name`] and [`class_name`] never return a reserved name, and give different
//! names to different ones. So no name of an author's is refused.

use torchgen_base::lang::cpp::{is_keyword, is_macro};

/// Names that generated code uses in scopes with names from signatures and bodies.
const OWN: [&str; 34] = [
    "add",
    "args",
    "arity",
    "at",
    "build",
    "builder",
    "check_arity",
    "check_modules",
    "check_options",
    "expr",
    "from_value",
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
    "options",
    "pack",
    "read_option",
    "reflect",
    "required",
    "run_builder",
    "shape",
    "std",
    "value",
];

/// Names of the support library in the namespaces around the classes of builders. A class of the
/// same name would hide them.
const AROUND: [&str; 56] = [
    "attribute_of",
    "bad_saved_module",
    "builder_func",
    "builder_map",
    "check_modules",
    "check_options",
    "common_shape",
    "compute_broadcasted_lens",
    "current_hook",
    "current_inserter",
    "detail",
    "did_you_mean",
    "exception",
    "from_value",
    "get_default_options",
    "get_op_builder_names",
    "get_op_builder_value",
    "get_type_name",
    "has_op",
    "has_op_builder",
    "helper",
    "insert_common_op",
    "instruction",
    "invoke_builder",
    "load_module",
    "loaded_modules",
    "location_of",
    "make_op",
    "module_upgrade",
    "module_version",
    "modules_in",
    "names_builder",
    "op_builder_if",
    "operation",
    "pack",
    "read_option",
    "refuse",
    "register_builder",
    "register_builder_action",
    "result_shape",
    "save_module",
    "save_module_as_bytes",
    "saved_instruction",
    "set_attribute",
    "set_location",
    "set_trace_hook",
    "source_location",
    "to_string",
    "to_value",
    "to_value_func",
    "trace_event",
    "trace_hook",
    "unchanged_on_error",
    "use",
    "use_table",
    "walk",
];

/// The C++ form of a name: with an underscore appended if it is reserved, or if it is a reserved
/// name with underscores. Where C++ reserves all names that begin so, another beginning.
pub(super) fn cpp_name(name: &str) -> String {
    if is_compilers(name) {
        // No other name begins so, since `given_` is put before those that begin with it.
        format!("given{name}")
    } else if name.starts_with("given_") {
        format!("given_{name}")
    } else if is_reserved(name.trim_end_matches('_')) || name.starts_with("made_") {
        format!("{name}_")
    } else {
        name.to_owned()
    }
}

/// Whether generated code or C++ reserves the name.
pub(super) fn is_reserved(name: &str) -> bool {
    is_keyword(name) || is_macro(name) || is_compilers(name) || OWN.contains(&name)
}

/// Whether C++ reserves the name for compilers, which define macros such as `_LP64`.
fn is_compilers(name: &str) -> bool {
    name.strip_prefix('_').is_some_and(|rest| rest.starts_with(|c: char| c == '_' || c.is_ascii_uppercase()))
}

/// The name of the class of a builder: with an underscore too if it would hide one around.
pub(super) fn class_name(name: &str) -> String {
    if AROUND.contains(&name.trim_end_matches('_')) { format!("{name}_") } else { cpp_name(name) }
}

#[cfg(test)]
mod tests {
    use super::{class_name, cpp_name, is_compilers};

    #[test]
    fn names_stay_different() {
        let names = [
            "m",
            "m_",
            "m__",
            "class",
            "class_",
            "x",
            "x_",
            "EOF",
            "EOF_",
            "_LP64",
            "_LP64_",
            "__x",
            "given_x",
            "given__LP64",
            "given_given_x",
            "made_1",
            "made_1_",
        ];
        let cpp: Vec<String> = names.iter().map(|name| cpp_name(name)).collect();
        assert!(!cpp.iter().any(|name| is_compilers(name)), "{cpp:?}");
        assert_eq!(cpp[..4], ["m_", "m__", "m___", "class_"]);
        assert!(cpp.iter().enumerate().all(|(at, name)| !cpp[..at].contains(name)), "{cpp:?}");
        assert_eq!(["helper", "helper_", "add", "gemm"].map(class_name), ["helper_", "helper__", "add_", "gemm"]);
    }
}
