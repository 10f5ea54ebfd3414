//! The names that a generated IR cannot use.
//!
//! Invariant: an accepted name is an identifier, is not a keyword of C++, and is not declared by
//! the support library.

use super::codes as own;
use crate::diag::{Diagnostic, Diagnostics, Span};
use crate::lang;
use crate::lang::cpp::is_keyword;

/// What to call a node instead of a keyword.
const INSTEAD: &[(&str, &str)] = &[
    ("return", "returns"),
    ("for", "for_loop"),
    ("while", "while_loop"),
    ("if", "if_else"),
    ("do", "do_while"),
    ("switch", "switch_case"),
    ("and", "logic_and"),
    ("or", "logic_or"),
    ("not", "logic_not"),
    ("xor", "int_xor"),
    ("bitand", "int_and"),
    ("bitor", "int_or"),
    ("break", "break_loop"),
    ("continue", "continue_loop"),
    ("static_cast", "cast"),
];

/// What the support library declares in the namespace, and the methods of visitors, sorted.
const TAKEN: &[&str] = &[
    "CATE_FLOAT",
    "CATE_INT",
    "CATE_OTHER",
    "CATE_UINT",
    "any_map_t",
    "any_t",
    "argument",
    "attr",
    "attribute",
    "bad_node_cast",
    "builder",
    "category_name",
    "child_t",
    "children_of",
    "combine_hash",
    "common_dtype",
    "const_ir_module_ptr",
    "content_equals_t",
    "content_hash_map",
    "content_hash_t",
    "context_ptr",
    "context_t",
    "copy_attr",
    "copy_dtype",
    "datatypes",
    "deep_copy",
    "detail",
    "dispatch",
    "dispatch_impl",
    "dtype_of",
    "element_dtype",
    "enable_node_ptr_from_this_t",
    "equals",
    "etypes",
    "expr",
    "expr_base",
    "expr_c",
    "first_dtype",
    "func_base",
    "func_c",
    "func_t",
    "function_attrs",
    "get_const_as_int",
    "get_default_context",
    "get_etype_category",
    "get_etype_category_nothrow",
    "get_expr_as_int",
    "get_node_name",
    "get_sizeof_etype",
    "get_sizeof_type",
    "get_type_category",
    "get_type_category_nothrow",
    "has_identity",
    "hash_value",
    "intrin_attr",
    "intrin_type",
    "intrinsic_dtype",
    "ir_comparer",
    "ir_comparer_diff_t",
    "ir_consistent_visitor_t",
    "ir_copier_t",
    "ir_hasher",
    "ir_inplace_visitor_t",
    "ir_module_ptr",
    "ir_module_t",
    "ir_printer_t",
    "ir_viewer_t",
    "ir_visitor_t",
    "is_base_of_t",
    "kind_name",
    "lanes_of",
    "layout_dtype",
    "make_expr",
    "make_stmt",
    "match",
    "node_base",
    "node_ptr",
    "node_ptr_impl_t",
    "overloaded",
    "parse_dtype",
    "parse_error",
    "parse_expr",
    "parse_func",
    "parse_module",
    "parse_stmt",
    "parser_t",
    "pointer_dtype",
    "print_ir_and_annotate_position_in_source",
    "print_ir_and_annotate_source_pos",
    "print_text",
    "prototype_of",
    "put",
    "remake",
    "result_dtype",
    "sc_data_etype",
    "sc_data_traits_t",
    "sc_data_type_t",
    "sc_expr_type",
    "sc_stmt_type",
    "scalar_dtype",
    "source_pos",
    "span_t",
    "static_data_t",
    "std",
    "stmt",
    "stmt_base_t",
    "stmt_c",
    "to_string",
    "type_category",
    "type_code_",
    "undef",
    "union_val",
    "validate",
    "validation_error",
    "validator_t",
    "vector_dtype",
    "view",
    "violation_t",
    "visit",
    "visit_impl",
    "walk",
];

/// Reports what is wrong with the name of a node, an enumeration or a record.
pub(crate) fn check(name: &str, what: &str, span: Span, diagnostics: &mut Diagnostics) -> bool {
    let error = |message: String| Diagnostic::new(&own::BAD_NODE_NAME, message).at(span);
    if is_keyword(name) {
        let instead = INSTEAD.iter().find(|(keyword, _)| *keyword == name).map(|(_, instead)| *instead);
        let instead = instead.map_or_else(|| format!("{name}_node"), str::to_owned);
        diagnostics
            .push(error(format!("`{name}` is a keyword of C++")).help(format!("call {what} `{instead}`, for example")));
        return false;
    }
    if !is_identifier(name) {
        diagnostics.push(error(format!("`{name}` is not an identifier of C++")));
        return false;
    }
    free(name, span, diagnostics)
}

/// Reports a name that the generated library needs itself.
pub(crate) fn free(name: &str, span: Span, diagnostics: &mut Diagnostics) -> bool {
    if TAKEN.binary_search(&name).is_ok() {
        let message = format!("`{name}` is a name of the generated library's own");
        let error = Diagnostic::new(&own::BAD_NODE_NAME, message).at(span);
        diagnostics.push(error.help(format!("call it `{name}_op`, for example")));
        return false;
    }
    true
}

/// Whether a name is letters, digits and single underscores, and begins with a letter.
pub(crate) fn is_identifier(name: &str) -> bool {
    lang::is_identifier(name) && !name.starts_with('_') && !name.contains("__")
}

#[cfg(test)]
mod tests {
    use super::TAKEN;

    #[test]
    fn the_list_is_sorted() {
        assert!(TAKEN.is_sorted());
    }
}
