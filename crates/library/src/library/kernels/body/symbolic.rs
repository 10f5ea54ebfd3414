//! Finds what Meta kernels do with sizes, which are symbols when a compiler calls them.
//!
//! Invariant: only words of the function's own body count.

use std::ops::Range;

use super::name;
use crate::library::int_sizes::{SIZED, takes_size};
use torchgen_base::lang::cpp::{Definition, TokenKind, tokens};

/// The methods and functions that make a number of a symbol.
const GUARDS: [&str; 5] =
    ["as_int_unchecked", "expect_int", "guard_int", "C10_AS_INTARRAYREF_SLOW", "asIntArrayRefSlow"];

/// What a function does with sizes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Symbolic {
    /// Where it makes a number of a symbol, and by what.
    pub(crate) guard: Option<(String, Range<usize>)>,
    /// The parameters of which it makes sizes of new tensors.
    pub(crate) sizes: Vec<Size>,
}

/// A parameter that is a size of a new tensor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Size {
    /// The index of the parameter.
    pub(crate) parameter: usize,
    /// It is one of several sizes, not the list of them.
    pub(crate) is_element: bool,
    /// Its place.
    pub(crate) range: Range<usize>,
}

/// What the body of a definition shows.
pub(crate) fn symbolic_sizes(text: &str, definition: &Definition) -> Symbolic {
    let body = text.get(definition.body.clone()).unwrap_or_default();
    let sized = SIZED.iter().map(|(called, _)| called);
    if !GUARDS.iter().chain(sized).any(|word| body.contains(word)) {
        return Symbolic::default();
    }
    let tokens = tokens(body);
    let word = |at: usize| tokens.get(at).map_or("", |token| &body[token.range.clone()]);
    let start = definition.body.start;
    let parameters: Vec<&str> = definition.parameters.iter().map(|declared| name(declared)).collect();
    let mut found = Symbolic::default();
    // The function whose arguments each open bracket has, and whether they are in braces.
    let mut open: Vec<(&str, bool)> = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        let before = at.checked_sub(1).map_or("", word);
        match word(at) {
            "(" => open.push((before, false)),
            "{" => {
                let called = open.last().filter(|(_, in_braces)| !in_braces && matches!(before, "(" | ","));
                open.push((called.map_or("", |(called, _)| called), true));
            }
            ")" | "}" => {
                open.pop();
            }
            own if token.kind == TokenKind::Word => {
                let range = start + token.range.start..start + token.range.end;
                if GUARDS.contains(&own) && word(at + 1) == "(" && found.guard.is_none() {
                    found.guard = Some((own.to_owned(), range.clone()));
                }
                let is_whole = matches!(before, "(" | "," | "{") && matches!(word(at + 1), ")" | "," | "}");
                let is_size = |(called, _): &&(&str, bool)| is_whole && takes_size(called).is_some();
                let parameter = parameters.iter().position(|name| *name == own);
                if let Some((parameter, (_, is_element))) = parameter.zip(open.last().filter(is_size)) {
                    found.sizes.push(Size { parameter, is_element: *is_element, range });
                }
            }
            _ => {}
        }
    }
    found
}
