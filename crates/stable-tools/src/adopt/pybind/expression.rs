//! The second argument of a module's `def`: which function it is.
//!
//! Invariant: an expression is a function with a name, perhaps with the types that pick an
//! overload, or it is not one, and the reason says what it is.

use torchgen_base::lang::cpp;
use torchgen_base::lang::is_qualified_identifier;

use crate::from_cpp::function;
use crate::from_cpp::infer::parts;

/// A function that is named.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Named {
    /// Its name as written.
    pub(super) name: String,
    /// The types of the parameters of the overload that is meant.
    pub(super) parameters: Option<Vec<String>>,
}

/// What an expression is.
///
/// # Errors
/// What it is if it names no function.
pub(super) fn named(text: &str) -> Result<Named, &'static str> {
    let text = text.trim();
    if text.starts_with('[') {
        return Err("a lambda, which has no name");
    }
    let (parameters, inside) = match cast(text) {
        Some((parameters, inside)) => (Some(parameters), inside),
        None => (None, text),
    };
    let name = function(inside);
    let bare = name.strip_prefix("::").unwrap_or(&name);
    if bare.split_once('<').is_some_and(|(name, _)| is_qualified_identifier(name.trim())) {
        return Err("a template, which other sources cannot call");
    }
    match is_qualified_identifier(bare) {
        true => Ok(Named { name, parameters }),
        false => Err("an expression, and not the name of a function"),
    }
}

/// `static_cast<R (*)(A, B)>(&f)`, `(R (*)(A, B))&f` or `py::overload_cast<A, B>(&f)`: the types in
/// normal form, and what is cast.
fn cast(text: &str) -> Option<(Vec<String>, &str)> {
    let of_types = |types: &str| {
        let types: Vec<String> = parts(types).filter(|part| !part.is_empty()).map(str::to_owned).collect();
        cpp::signature("", &types).parameters
    };
    let overload = ["py::overload_cast", "pybind11::overload_cast", "overload_cast"];
    if let Some(rest) = overload.iter().find_map(|name| text.strip_prefix(name)) {
        let (types, rest) = bracketed(rest.trim_start(), '<', '>')?;
        let (inside, _) = bracketed(rest.trim_start(), '(', ')')?;
        return Some((of_types(types), parts(inside).next()?));
    }
    let (pointer, inside) = match text.strip_prefix("static_cast") {
        Some(rest) => {
            let (pointer, rest) = bracketed(rest.trim_start(), '<', '>')?;
            (pointer, bracketed(rest.trim_start(), '(', ')')?.0)
        }
        None => bracketed(text, '(', ')')?,
    };
    let squeezed = pointer.find("(*)").map(|at| (at, 3)).or_else(|| pointer.find("( * )").map(|at| (at, 5)));
    let (at, length) = squeezed?;
    let (types, _) = bracketed(pointer[at + length..].trim_start(), '(', ')')?;
    Some((of_types(types), inside))
}

/// What is inside the bracket that a text begins with, and what is behind it.
fn bracketed(text: &str, open: char, close: char) -> Option<(&str, &str)> {
    let rest = text.strip_prefix(open)?;
    let mut depth = 1usize;
    let end = rest.char_indices().find(|(_, c)| {
        match *c {
            c if c == open => depth += 1,
            c if c == close => depth -= 1,
            _ => {}
        }
        depth == 0
    })?;
    Some((&rest[..end.0], &rest[end.0 + close.len_utf8()..]))
}
