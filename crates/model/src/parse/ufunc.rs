//! The values of `ufunc_inner_loop:` and the names of scalar types.
//!
//! Invariant: scalar types are in the order of the value and of the reference's classes. Rule:
//! torchgen/model.py, `UfuncInnerLoop.parse`, `ScalarType.parse_set`, `DTYPE_CLASSES`.

use indexmap::IndexSet;

use crate::codes;
use crate::model::native_function::{UfuncInnerLoop, UfuncKey};
use crate::model::scalar_types::ScalarType;
use torchgen_base::diag::{TextError, did_you_mean};
use torchgen_base::lang::is_ascii_word;

const CLASSES: [(&str, &[&str]); 6] = [
    ("Integral", &["Byte", "Char", "Int", "Long", "Short"]),
    ("Floating", &["Float", "Double"]),
    ("Complex", &["ComplexFloat", "ComplexDouble"]),
    ("All", &["Byte", "Char", "Int", "Long", "Short", "Float", "Double"]),
    ("AllAndComplex", &["Byte", "Char", "Int", "Long", "Short", "Float", "Double", "ComplexFloat", "ComplexDouble"]),
    ("FloatingAndComplex", &["Float", "Double", "ComplexFloat", "ComplexDouble"]),
];

/// Reads `add (AllAndComplex, BFloat16)`.
///
/// # Errors
/// If the text has another form or names an unknown scalar type.
pub fn ufunc_inner_loop(text: &str, ufunc_key: UfuncKey) -> Result<UfuncInnerLoop, TextError> {
    let form = |range, message: &str| {
        TextError::new(&codes::BAD_UFUNC, range, message).help("the form is `name (ScalarType, ScalarType)`")
    };
    let Some((name, list)) = text.split_once(' ') else {
        return Err(form(0..text.len(), "no scalar types"));
    };
    if name.is_empty() || !name.chars().all(is_ascii_word) {
        return Err(form(0..name.len(), "not the name of a function"));
    }
    let list_at = name.len() + 1;
    let Some(inner) = list.strip_prefix('(').and_then(|list| list.strip_suffix(')')) else {
        return Err(form(list_at..text.len(), "the scalar types are not in parentheses"));
    };
    let mut supported_dtypes = IndexSet::new();
    let mut at = list_at + 1;
    for word in inner.split(", ") {
        if let Some((_, class)) = CLASSES.iter().find(|(class, _)| *class == word) {
            supported_dtypes.extend(class.iter().map(|name| (*name).to_owned()));
        } else if ScalarType::of_torchgen().any(|ty| ty.cpp == word) {
            supported_dtypes.insert(word.to_owned());
        } else {
            let types = ScalarType::of_torchgen().map(|ty| ty.cpp);
            let known = CLASSES.iter().map(|(class, _)| *class).chain(types);
            let error = TextError::new(&codes::BAD_UFUNC, at..at + word.len(), format!("unknown scalar type `{word}`"));
            return Err(match did_you_mean(word, known) {
                Some(help) => error.help(help),
                None => error,
            });
        }
        at += word.len() + 2;
    }
    Ok(UfuncInnerLoop { name: name.to_owned(), supported_dtypes, ufunc_key })
}
