//! The names that a generated IR cannot use.
//!
//! Invariant: an accepted name is an identifier, is neither a keyword nor a macro of C++, and is
//! not used by the generated code where the name is visible.

use std::collections::HashSet;
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

/// Every name in the C++ of the templates, one a line, sorted: what the library declares, and its
/// variables. A test checks that the list is complete, and writes it.
fn reserved() -> impl Iterator<Item = &'static str> {
    crate::TABLES.file_named("tensor_ir/reserved.txt").expect("a table of this crate").text().lines()
}

/// The prefixes that generated code adds to names of nodes, builders and fields.
const PREFIXES: &[&str] = &[
    "make_",
    "push_",
    "form_of_",
    "form_after_",
    "declaration_of_",
    "read_",
    "new_",
    "changed_",
    "f_",
    "kind_of_",
    "some_",
];

/// The builders of the library: `make_` or `push_` and these. Nodes with the role of the name may
/// have them.
const BUILDERS: &[&str] =
    &["anchor", "call", "clip", "constant", "expr", "func", "indexing", "scope", "stensor", "stmt", "tensor"];

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

/// Reports a name that the generated library needs itself.
pub(crate) fn free(name: &str, span: Span, diagnostics: &mut Diagnostics) -> bool {
    if is_reserved(name) {
        let message = format!("`{name}` is a name of the generated library's own");
        let error = Diagnostic::new(&own::BAD_NODE_NAME, message).at(span);
        diagnostics.push(error.help(format!("call it `{name}_op`, for example")));
        return false;
    }
    true
}

/// Reports the name of a type of the author's for which the parser has a function already.
pub(crate) fn reader(name: &str, span: Span, diagnostics: &mut Diagnostics) {
    if is_reserved(&format!("read_{name}")) {
        let message = format!("the parser has a function `read_{name}` already");
        let error = Diagnostic::new(&own::BAD_NODE_NAME, message).at(span);
        diagnostics.push(error.help(format!("call the type `own_{name}`, for example")));
    }
}

fn is_reserved(name: &str) -> bool {
    static NAMES: LazyLock<Vec<&str>> = LazyLock::new(|| reserved().collect());
    NAMES.binary_search(&name).is_ok()
}

/// The name of a node, builder or field to which generated code adds a prefix to get this name.
pub(crate) fn prefixed<'n>(name: &'n str, known: &HashSet<&str>) -> Option<&'n str> {
    PREFIXES.iter().filter_map(|prefix| name.strip_prefix(prefix)).find(|rest| known.contains(rest))
}

/// Whether the library has a builder of the name, which only the node with that role may have.
pub(crate) fn is_builder(name: &str, role: Option<&str>) -> bool {
    BUILDERS.contains(&name) && role != Some(name)
}

/// Whether a name is letters, digits and single underscores, and begins with a letter.
pub(crate) fn is_identifier(name: &str) -> bool {
    lang::is_identifier(name) && !name.starts_with('_') && !name.contains("__")
}
