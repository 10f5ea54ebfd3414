//! Which names a generated IR cannot use.
//!
//! Invariant: a name that passes is an identifier, no keyword of C++, and nothing that the support library declares.

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

/// What the support library declares in the namespace.
const TAKEN: &[&str] = &[
    "expr",
    "expr_c",
    "stmt",
    "stmt_c",
    "func_t",
    "func_c",
    "func_base",
    "expr_base",
    "stmt_base_t",
    "node_base",
    "node_ptr",
    "builder",
    "datatypes",
    "etypes",
    "std",
    "tir",
    "union_val",
    "any_t",
    "any_map_t",
    "span_t",
    "context_t",
    "static_data_t",
    "sc_data_type_t",
    "sc_data_etype",
    "sc_expr_type",
    "sc_stmt_type",
    "intrin_type",
    "intrin_attr",
    "undef",
    "attr",
    "equals",
    "remake",
    "type_code_",
    "make_expr",
    "make_stmt",
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
    if TAKEN.contains(&name) {
        diagnostics.push(error(format!("`{name}` is a name of the generated library's own")));
        return false;
    }
    if !is_identifier(name) {
        diagnostics.push(error(format!("`{name}` is not an identifier of C++")));
        return false;
    }
    true
}

/// Whether a name is letters, digits and single underscores, and begins with a letter.
pub(crate) fn is_identifier(name: &str) -> bool {
    lang::is_identifier(name) && !name.starts_with('_') && !name.contains("__")
}
