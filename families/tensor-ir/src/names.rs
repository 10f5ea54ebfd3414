//! The names that a generated IR cannot use.
//!
//! Invariant: an accepted name is an identifier, is neither a keyword nor a macro of C++, and is
//! not declared by the library in the namespace of the IR. Nothing else of generated code counts:
//! it writes `::tir::loop` for the node `loop` of the namespace `tir`, which no member and no
//! variable hides.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::codes as own;
use torchgen_base::diag::{Diagnostic, Diagnostics, Span};
use torchgen_base::lang;
use torchgen_base::lang::cpp::{is_keyword, is_macro};

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

/// What the library declares in the namespace of the IR, each with what it is: one a line, sorted.
/// A test checks that the list is complete, and writes it.
fn declared() -> impl Iterator<Item = (&'static str, &'static str)> {
    let table = crate::TABLES.file_named("tensor_ir/declared.txt").expect("a table of this crate");
    table.text().lines().filter_map(|line| line.split_once(' '))
}

/// What the library uses of the headers of C++ without `std::`.
const OF_HEADERS: &[&str] =
    &["int16_t", "int32_t", "int64_t", "int8_t", "std", "uint16_t", "uint32_t", "uint64_t", "uint8_t"];

/// Reports what is wrong with the name of a node, an enumeration or a record.
pub(crate) fn check_name(name: &str, what: &str, span: Span, diagnostics: &mut Diagnostics) -> bool {
    spelled(name, what, span, diagnostics) && free(name, span, diagnostics)
}

/// Reports what cannot be a name anywhere in C++.
pub(crate) fn spelled(name: &str, what: &str, span: Span, diagnostics: &mut Diagnostics) -> bool {
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
    if is_macro(name) {
        diagnostics
            .push(error(format!("`{name}` is a macro of C++")).help(format!("call {what} `{name}_op`, for example")));
        return false;
    }
    true
}

/// Reports a name that the generated library declares beside the nodes.
pub(crate) fn free(name: &str, span: Span, diagnostics: &mut Diagnostics) -> bool {
    let Some(what) = taken(name) else { return true };
    let message = format!("`{name}` is {what}");
    let error = Diagnostic::new(&own::BAD_NODE_NAME, message).at(span);
    diagnostics.push(error.help(format!("call it `{name}_op`, for example")));
    false
}

/// What has the name beside the nodes already.
pub(crate) fn taken(name: &str) -> Option<String> {
    static NAMES: LazyLock<HashMap<&str, &str>> = LazyLock::new(|| declared().collect());
    let of_headers = OF_HEADERS.contains(&name).then(|| "a name of C++ that the generated library uses".to_owned());
    NAMES.get(name).map(|what| format!("a {what} of the generated library")).or(of_headers)
}

/// Whether a name is letters, digits and single underscores, and begins with a letter.
pub(crate) fn is_identifier(name: &str) -> bool {
    lang::is_identifier(name) && !name.starts_with('_') && !name.contains("__")
}
