//! The table `data/torch/pyi.yaml`: the parts of the stubs that no schema gives.
//!
//! Invariant: the formals of a hint are split only at commas outside brackets. Rule:
//! tools/pyi/gen_pyi.py.

use std::collections::HashSet;

use indexmap::IndexMap;
use serde::Deserialize;

use torchgen_kit::driver::data::{self, Tables};

/// The table.
#[derive(Deserialize)]
pub(super) struct Table {
    /// Names whose schemas give no hint.
    pub(super) without_hint: HashSet<String>,
    /// Functions of `torch`.
    pub(super) functions: Hints,
    /// Methods of `Tensor`.
    pub(super) methods: Hints,
    /// Attributes of `Tensor`, with their types.
    pub(super) attributes: IndexMap<String, String>,
    /// Operators and conversions of `Tensor`.
    pub(super) operators: Hints,
    /// Functions of `torch._C._nn`.
    pub(super) nn: Hints,
    /// What `torch.nn.functional` imports from each module.
    pub(super) imports: IndexMap<String, Vec<Import>>,
    /// Functions of `torch.nn.functional` with a flag that adds indices to their results.
    pub(super) dispatched: IndexMap<String, HandWrittenHint>,
    /// The dtypes.
    pub(super) dtypes: Vec<String>,
    /// Classes of tensors of one dtype.
    pub(super) legacy_classes: Vec<String>,
    /// The members of `_TorchDispatchModeKey`.
    pub(super) mode_keys: Vec<String>,
    /// The type of an index of a tensor.
    pub(super) index: String,
}

/// The overloads of each name.
pub(super) type Hints = IndexMap<String, Vec<HandWrittenHint>>;

/// A hint that is written out.
#[derive(Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub(super) struct HandWrittenHint {
    pub(super) decorators: Vec<String>,
    /// If it is not that of the entry.
    pub(super) name: Option<String>,
    pub(super) formals: Vec<String>,
    pub(super) returns: Option<String>,
    pub(super) comment: Option<String>,
}

/// An imported name.
#[derive(Debug, Deserialize)]
#[serde(from = "String")]
pub(super) struct Import {
    pub(super) name: String,
    /// What it is called here.
    pub(super) alias: String,
}

impl data::Table for Table {
    const PATH: &'static str = "torch/pyi.yaml";
}

/// The table.
pub(super) fn table(tables: &Tables) -> &Table {
    tables.get()
}

impl TryFrom<String> for HandWrittenHint {
    type Error = String;

    fn try_from(text: String) -> Result<HandWrittenHint, String> {
        let error = || format!("`{text}` is not of the form `@decorator name(formals) -> type  # comment`");
        let mut rest = text.as_str();
        let mut decorators = Vec::new();
        while let Some(after) = rest.strip_prefix('@') {
            let (decorator, after) = after.split_once(' ').ok_or_else(error)?;
            decorators.push(decorator.to_owned());
            rest = after;
        }
        let (name, rest) = rest.split_once('(').ok_or_else(error)?;
        let close = outside_brackets(rest).find(|(_, c)| *c == ')').ok_or_else(error)?.0;
        let (formals, rest) = (&rest[..close], &rest[close + 1..]);
        let (returns, comment) = match rest.split_once("  # ") {
            Some((returns, comment)) => (returns, Some(comment.to_owned())),
            None => (rest, None),
        };
        let returns = match returns {
            "" => None,
            returns => Some(returns.strip_prefix(" -> ").ok_or_else(error)?.to_owned()),
        };
        let name = (!name.is_empty()).then(|| name.to_owned());
        Ok(HandWrittenHint { decorators, name, formals: split(formals), returns, comment })
    }
}

/// The characters that are not inside brackets. A bracket that closes none of the text's is
/// outside.
fn outside_brackets(text: &str) -> impl Iterator<Item = (usize, char)> {
    let mut depth = 0usize;
    text.char_indices().filter(move |(_, c)| match c {
        '(' | '[' => {
            depth += 1;
            false
        }
        ')' | ']' if depth > 0 => {
            depth -= 1;
            false
        }
        _ => depth == 0,
    })
}

/// The items of a list with commas.
fn split(text: &str) -> Vec<String> {
    let commas = outside_brackets(text).filter(|(_, c)| *c == ',').map(|(at, _)| at);
    let ends: Vec<usize> = commas.chain([text.len()]).collect();
    let starts = [0].into_iter().chain(ends.iter().map(|end| end + 1));
    starts.zip(&ends).map(|(start, end)| text[start..*end].trim().to_owned()).filter(|item| !item.is_empty()).collect()
}

impl From<String> for Import {
    fn from(text: String) -> Import {
        match text.split_once(" as ") {
            Some((name, alias)) => Import { name: name.to_owned(), alias: alias.to_owned() },
            None => Import { alias: text.clone(), name: text },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hints() {
        let read = |text: &str| HandWrittenHint::try_from(text.to_owned());
        let hint =
            read("@staticmethod new(cls: type[S], *, f: Callable[[int, int], int] = (1, 2)) -> S  # note").unwrap();
        let expected = HandWrittenHint {
            decorators: vec!["staticmethod".to_owned()],
            name: Some("new".to_owned()),
            formals: ["cls: type[S]", "*", "f: Callable[[int, int], int] = (1, 2)"].map(str::to_owned).to_vec(),
            returns: Some("S".to_owned()),
            comment: Some("note".to_owned()),
        };
        assert_eq!(hint, expected);
        let hint = read("()").unwrap();
        assert_eq!((hint.formals, hint.returns, hint.name), (Vec::new(), None, None));
        for wrong in ["", "f", "(", "@a(x)", "(a) => b"] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn the_embedded_table() {
        let table = table(Tables::embedded());
        assert_eq!(table.functions["arange"].len(), 3);
        assert_eq!(table.imports["torch._C._nn"][7].alias, "logsigmoid");
        let flag =
            |hint: &HandWrittenHint| hint.formals.iter().filter(|formal| *formal == super::super::hints::FLAG).count();
        assert!(table.dispatched.values().all(|hint| flag(hint) == 1));
    }
}
