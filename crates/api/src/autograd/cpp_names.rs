//! The names of inputs and outputs in formulas: those of the schema, replaced by those in C++.
//!
//! Invariant: the replaced text keeps the places of its parts, so that carets point into the file,
//! and [`InCpp::written`] gives each word back, so that messages and fixes have those of the file.

use std::borrow::Cow;
use std::collections::HashSet;
use std::ops::Range;

use torchgen_base::lang::cpp::{Token, TokenKind, tokens};
use torchgen_base::yaml::Text;
use torchgen_formula::{open_names, parse};
use torchgen_model::model::{NativeFunction, cpp_names};
use torchgen_model::records::{DerivativeRecord, FormulaRecord, KeyedFormulas, OutputDifferentiability};

/// Names of the schema, each with the one in C++, if they differ.
type Renamed = Vec<(String, String)>;

/// The names of an operator in formulas, by where they have a meaning.
#[derive(Default)]
pub(super) struct InCpp {
    /// Inputs and outputs.
    plain: Renamed,
    /// The same and gradients.
    backward: Renamed,
    /// The same and tangents and primals: `x_t` is the tangent of `x`, even if another input is
    /// called so.
    forward: Renamed,
}

impl InCpp {
    /// Nothing if all names are the same in C++, as those of most operators are.
    pub(super) fn of_operator(f: &NativeFunction) -> InCpp {
        let arguments = || f.func.schema_order_arguments().map(|a| (a.schema_name(), a.name.as_str()));
        // A repeated name is that of the first argument.
        let mut seen = HashSet::new();
        let first: Vec<(&str, &str)> = arguments().filter(|(name, _)| seen.insert(*name)).collect();
        let returns = || f.func.returns.iter().filter_map(|ret| Some((ret.name.as_deref()?, ret.cpp_name.as_deref()?)));
        let renamed = first.iter().copied().filter(|(name, cpp)| name != cpp).chain(returns());
        let plain: Renamed = renamed.map(|(name, cpp)| (name.to_owned(), cpp.to_owned())).collect();
        if plain.is_empty() {
            return InCpp::default();
        }
        let gradients = returns().map(|(name, cpp)| (format!("grad_{name}"), cpp_names::gradient(cpp)));
        let of = |end: &str| -> Renamed {
            first.iter().map(|(name, cpp)| (format!("{name}{end}"), format!("{cpp}{end}"))).collect()
        };
        let forward = [of("_p"), of("_t"), plain.clone()].concat();
        let backward = plain.iter().cloned().chain(gradients).collect();
        InCpp { plain: and_made(plain), backward: and_made(backward), forward: and_made(forward) }
    }

    /// The entry with the names that C++ has.
    pub(super) fn entry<'r>(&self, record: &'r DerivativeRecord, f: &NativeFunction) -> Cow<'r, DerivativeRecord> {
        if self.plain.is_empty() {
            return Cow::Borrowed(record);
        }
        let mut record = record.clone();
        for item in record.output_differentiability.iter_mut().flat_map(|list| &mut list.value) {
            if let OutputDifferentiability::Condition(condition) = item {
                *condition = in_formula(condition, &self.plain);
            }
        }
        for KeyedFormulas { formulas, .. } in &mut record.formulas {
            for FormulaRecord { raw_names, names: keys, formula } in formulas {
                let is_input = |name: &Text| f.func.schema_order_arguments().any(|a| a.schema_name() == name.as_str());
                let renamed = if keys.first().is_some_and(is_input) { &self.backward } else { &self.forward };
                *formula = in_formula(formula, renamed);
                *raw_names = words_replaced(raw_names, &self.plain);
                keys.iter_mut().for_each(|key| *key = words_replaced(key, &self.plain));
            }
        }
        Cow::Owned(record)
    }

    /// The word of the file that has become this one.
    pub(super) fn written<'n>(&'n self, cpp: &'n str) -> &'n str {
        let mut all = self.backward.iter().chain(&self.forward);
        all.find(|(name, own)| own == cpp && name != cpp).map_or(cpp, |(name, _)| name)
    }
}

/// The same, and names that only C++ has: a formula that has one does not mean the input.
fn and_made(mut renamed: Renamed) -> Renamed {
    let names: HashSet<&String> = renamed.iter().map(|(name, _)| name).collect();
    let made = renamed.iter().map(|(_, cpp)| cpp).filter(|cpp| !names.contains(cpp));
    let made: Renamed = made.map(|cpp| (cpp.clone(), cpp_names::argument(cpp, 1))).collect();
    renamed.extend(made);
    renamed
}

/// The formula with these names replaced; as it is if it is no expression, which is reported.
fn in_formula(text: &Text, renamed: &[(String, String)]) -> Text {
    if let Some(open) = parse(text.as_str()).ok().and_then(|expr| open_names(&expr)) {
        let open: HashSet<Range<usize>> = open.into_iter().collect();
        return replaced(text, renamed, |range| open.contains(range));
    }
    // Keywords, or statements that are not read.
    let words = words_replaced(text, renamed);
    if parse(words.as_str()).is_ok() { words } else { text.clone() }
}

/// The text with these words replaced, except for members, qualified names and functions.
fn words_replaced(text: &Text, renamed: &[(String, String)]) -> Text {
    let tokens = tokens(text.as_str());
    let word = |token: &Token| &text.as_str()[token.range.clone()];
    let is_member = |i: usize| i.checked_sub(1).is_some_and(|i| matches!(word(&tokens[i]), "." | "->" | "::"));
    let is_called = |i: usize| tokens.get(i + 1).is_some_and(|next| word(next) == "(");
    let names = (0..tokens.len()).filter(|i| !is_member(*i) && !is_called(*i));
    let names: HashSet<Range<usize>> = names.map(|i| tokens[i].range.clone()).collect();
    replaced(text, renamed, |range| names.contains(range))
}

/// The text with the words replaced that are names there.
fn replaced(text: &Text, renamed: &[(String, String)], is_name: impl Fn(&Range<usize>) -> bool) -> Text {
    let words =
        tokens(text.as_str()).into_iter().filter(|token| token.kind == TokenKind::Word && is_name(&token.range));
    let found = |range: Range<usize>| {
        let (_, cpp) = renamed.iter().find(|(name, _)| *name == text.as_str()[range.clone()])?;
        Some((range, cpp.as_str()))
    };
    text.with_replaced(&words.filter_map(|token| found(token.range)).collect::<Vec<_>>())
}
