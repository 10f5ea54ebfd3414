//! Operator names: `add`, `add_.Tensor`, `__iand__`, `native_batch_norm_functional`.
//!
//! Invariant: an accepted name is a C++ identifier, and so is its `unambiguous_name`. Rule:
//! torchgen/model.py, `BaseOperatorName.parse` and `OperatorName.parse`.

use nom::Parser;
use nom::bytes::complete::{tag, take_while1};
use nom::combinator::cut;

use super::error::{PResult, into_error, token_len};
use super::types::{Grammar, identifier};
use crate::codes;
use crate::model::{BaseOperatorName, OperatorName};
use torchgen_base::diag::{Help, TextError};
use torchgen_base::lang::is_ascii_word;
use torchgen_kit::schema::syntax::{Expected, expect, refuse};

/// Python's augmented assignments: `__iadd__` and so on mutate `self`; other dunder names with an
/// `i` are refused.
const AUGMENTED: [&str; 11] =
    ["iadd", "isub", "imul", "idiv", "imod", "ipow", "ilshift", "irshift", "iand", "ixor", "ior"];

/// The name before the arguments of a schema, as written.
pub fn written_name(schema: &str) -> &str {
    schema.split('(').next().unwrap_or_default().trim()
}

/// Reads an operator name, such as a value of `structured_delegate:` or `autogen:`.
///
/// # Errors
/// If the text is not an operator name of the ATen layout, or has a namespace.
pub fn operator_name(text: &str) -> Result<OperatorName, TextError> {
    let grammar = Grammar::new(text);
    let (rest, name) = grammar.operator_name(text).map_err(|error| into_error(error, text.len()))?;
    if rest.is_empty() {
        return Ok(name);
    }
    let expected = if name.overload_name.is_empty() { "`.` and an overload name or the end" } else { "the end" };
    let range = text.len() - rest.len()..text.len() - rest.len() + token_len(rest);
    let message = format!("expected {expected}, found `{}`", &text[range.clone()]);
    Err(TextError::new(&codes::BAD_NAME, range, message))
}

/// Reads an operator name without an overload: `__iadd__`.
///
/// # Errors
/// As [`operator_name`], and if there is an overload.
pub fn base_operator_name(text: &str) -> Result<BaseOperatorName, TextError> {
    let OperatorName { name, overload_name } = operator_name(text)?;
    match overload_name.is_empty() {
        true => Ok(name),
        false => {
            let range = text.len() - overload_name.len() - 1..text.len();
            Err(TextError::new(&codes::BAD_NAME, range, "an overload is not allowed here"))
        }
    }
}

impl Grammar {
    /// A name with its overload, without a namespace.
    pub(super) fn operator_name<'a>(&self, i: &'a str) -> PResult<'a, OperatorName> {
        let (rest, text) = cut(expect(Expected::OPERATOR, identifier)).parse(i)?;
        if rest.starts_with("::") {
            let len = text.len() + 2;
            let help = Some(Help::new("delete the namespace").instead(""));
            return refuse(i, len, &codes::BAD_NAME, "a namespace is not allowed here", help);
        }
        if text.ends_with("_out") {
            let help = text.strip_suffix("_out").map(|name| {
                let help = Help::new(format!("an out variant is an overload: `{name}.out`"));
                if rest.starts_with('.') { help } else { help.instead(format!("{name}.out")) }
            });
            return refuse(i, text.len(), &codes::BAD_NAME, "operator names cannot end in `_out`", help);
        }
        let name = match base_name(text) {
            Ok(name) => name,
            Err((message, help)) => {
                return refuse(i, text.len(), &codes::BAD_NAME, message, help.map(Help::from));
            }
        };
        let Some(overload_at) = rest.strip_prefix('.') else {
            return Ok((rest, OperatorName { name, overload_name: String::new() }));
        };
        let (rest, overload) = cut(expect(Expected::OVERLOAD, take_while1(is_ascii_word))).parse(overload_at)?;
        Ok((rest, OperatorName { name, overload_name: overload.to_owned() }))
    }

    /// The namespace in front of a name.
    pub(super) fn namespace<'a>(&self, i: &'a str) -> PResult<'a, Option<String>> {
        let mut rest = i;
        // The reference reads an empty namespace as the default one.
        if let Some(after) = i.strip_prefix("::") {
            return Ok((after, None));
        }
        while let Some(end) = rest.find(|c| !is_ascii_word(c))
            && let Ok((after, _)) = tag::<_, _, nom::error::Error<&str>>("::").parse(&rest[end..])
        {
            if rest.len() < i.len() {
                let len = i.len() - rest.len() + end;
                let help = Some("the ATen layout allows one namespace, as in `ns::op`".into());
                return refuse(i, len, &codes::BAD_NAME, "nested namespaces", help);
            }
            cut(expect(Expected::NAMESPACE, identifier)).parse(rest)?;
            rest = after;
        }
        let namespace = i[..i.len() - rest.len()].strip_suffix("::");
        Ok((rest, namespace.map(str::to_owned)))
    }
}

/// Splits a name. The error is a message and optional help.
pub(super) fn base_name(text: &str) -> Result<BaseOperatorName, (String, Option<&'static str>)> {
    let dunder = text
        .strip_prefix("__")
        .and_then(|rest| rest.strip_suffix("__"))
        .filter(|inner| !inner.is_empty() && !inner.contains('_'));
    let mut name = BaseOperatorName::plain("");
    let mut base = text;
    if let Some(inner) = dunder {
        name.dunder_method = true;
        name.inplace = AUGMENTED.contains(&inner);
        base = if name.inplace { &inner[1..] } else { inner };
        if !name.inplace && inner.starts_with('i') {
            let help = "inplace dunder names are those of Python's augmented assignments, such as `__iadd__`";
            return Err((format!("`{text}` is not an inplace operator of Python"), Some(help)));
        }
    } else if let Some(rest) = text.strip_suffix('_') {
        name.inplace = true;
        base = rest;
    }
    if let Some(rest) = base.strip_suffix("_functional") {
        name.functional_overload = true;
        base = rest;
        if name.inplace {
            return Err((format!("`{text}` cannot be both functional and inplace"), None));
        }
    }
    if base.is_empty() {
        return Err((format!("the name `{text}` is empty without its suffix"), None));
    }
    name.base = base.to_owned();
    Ok(name)
}
