//! The names of several results: a function returns a named tuple if the schema names one of them.
//!
//! A result without a name beside one with a name is `result0` and so on, as in formulas. If none
//! has a name, the function returns a plain tuple.
//!
//! Invariant: the parts of a tuple have different names, which named tuples and type checkers
//! accept.

use serde::Serialize;

use torchgen_api::python::annotation::TYPES;
use torchgen_base::lang::python::is_keyword;

/// Results with names.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(transparent)]
pub(crate) struct Results {
    parts: Vec<Part>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
struct Part {
    name: String,
    ty: String,
}

impl Results {
    /// Those of a schema: names and types; `None` for a single one, and if none has a name.
    pub(super) fn new<'n>(results: impl Iterator<Item = (Option<&'n str>, String)>) -> Option<Results> {
        let results: Vec<(Option<&str>, String)> = results.collect();
        if results.len() < 2 || results.iter().all(|(name, _)| name.is_none()) {
            return None;
        }
        let mut parts: Vec<Part> = Vec::new();
        for (i, (name, ty)) in results.into_iter().enumerate() {
            let mut name = name.and_then(part_name).unwrap_or_else(|| format!("result{i}"));
            while parts.iter().any(|other| other.name == name) {
                name.push('_');
            }
            parts.push(Part { name, ty });
        }
        Some(Results { parts })
    }

    /// The annotations of the parts.
    pub(super) fn types(&mut self) -> impl Iterator<Item = &mut String> {
        self.parts.iter_mut().map(|part| &mut part.ty)
    }
}

/// The annotation of a function that returns a named tuple.
pub(super) fn annotation(function: &str) -> String {
    format!("_return_types.{function}")
}

/// The name of a part: named tuples refuse underscores in front, tuples have methods, and a type
/// checker takes the name of a type for the part before it.
fn part_name(name: &str) -> Option<String> {
    let bare = name.trim_start_matches('_');
    let is_taken =
        is_keyword(bare) || matches!(bare, "count" | "index" | "__debug__") || TYPES.iter().any(|(ty, _)| *ty == bare);
    let starts = bare.starts_with(|c: char| c.is_ascii_digit());
    (!bare.is_empty() && !starts).then(|| if is_taken { format!("{bare}_") } else { bare.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(results: &[Option<&str>], expected: Option<&[&str]>) {
        let found = Results::new(results.iter().map(|name| (*name, "Tensor".to_owned())));
        let names = found.map(|found| found.parts.into_iter().map(|part| part.name).collect::<Vec<_>>());
        assert_eq!(
            names.as_deref(),
            expected.map(|names| names.iter().map(|n| (*n).to_owned()).collect::<Vec<_>>()).as_deref()
        );
    }

    #[test]
    fn names_of_parts() {
        check(&[Some("values")], None);
        check(&[None, None], None);
        check(&[Some("paths"), Some("scores")], Some(&["paths", "scores"]));
        check(&[None, Some("lse"), None], Some(&["result0", "lse", "result2"]));
        check(&[Some("count"), Some("from"), Some("Tensor")], Some(&["count_", "from_", "Tensor_"]));
        check(&[Some("_x"), Some("x"), Some("_0"), Some("_")], Some(&["x", "x_", "result2", "result3"]));
    }
}
