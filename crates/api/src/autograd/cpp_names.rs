//! The names of inputs and outputs in formulas: those of the schema, replaced by those in C++.
//!
//! Invariant: the replaced text keeps the places of its parts, so that carets point into the file.

use std::borrow::Cow;
use std::ops::Range;

use torchgen_base::lang::cpp::{Kind, Token, tokens};
use torchgen_base::yaml::Text;
use torchgen_model::model::NativeFunction;
use torchgen_model::records::{DerivativeRecord, FormulaRecord, KeyedFormulas, OutputDifferentiability};

/// The entry with the names that C++ has.
pub(super) fn in_cpp<'r>(record: &'r DerivativeRecord, f: &NativeFunction) -> Cow<'r, DerivativeRecord> {
    let renamed = renamed(f);
    if renamed.is_empty() {
        return Cow::Borrowed(record);
    }
    let mut record = record.clone();
    for item in record.output_differentiability.iter_mut().flat_map(|list| &mut list.value) {
        if let OutputDifferentiability::Condition(condition) = item {
            *condition = in_formula(condition, &renamed);
        }
    }
    for KeyedFormulas { formulas, .. } in &mut record.formulas {
        for FormulaRecord { raw_names, names, formula } in formulas {
            // In forward formulas, `x_t` is the tangent of `x`, even if another input is called so.
            let is_input = |name: &Text| f.func.schema_order_arguments().any(|a| a.schema_name() == name.as_str());
            let forward = !names.first().is_some_and(is_input);
            let kept = |name: &str| {
                let of = name.strip_suffix("_t").or_else(|| name.strip_suffix("_p"));
                forward
                    && of.is_some_and(|of| {
                        f.func.schema_order_arguments().any(|a| a.schema_name() == of && a.name == of)
                    })
            };
            let renamed: Vec<(String, String)> = renamed.iter().filter(|(name, _)| !kept(name)).cloned().collect();
            *raw_names = in_formula(raw_names, &renamed);
            for name in names {
                *name = in_formula(name, &renamed);
            }
            *formula = in_formula(formula, &renamed);
        }
    }
    Cow::Owned(record)
}

/// The names that differ in C++, with what formulas make of them: tangents, primals and gradients.
fn renamed(f: &NativeFunction) -> Vec<(String, String)> {
    let arguments = f.func.schema_order_arguments().filter_map(|a| Some((a.schema_name.as_deref()?, a.name.as_str())));
    let repeated = |name: &str| f.func.schema_order_arguments().filter(|a| a.schema_name() == name).count() > 1;
    let mut renamed = Vec::new();
    // A repeated name is that of the first argument, which keeps it.
    for (name, cpp) in arguments.filter(|(name, _)| !repeated(name)) {
        renamed.extend(["", "_p", "_t"].map(|end| (format!("{name}{end}"), format!("{cpp}{end}"))));
    }
    for ret in &f.func.returns {
        if let (Some(name), Some(cpp)) = (&ret.name, &ret.cpp_name) {
            renamed.extend(["", "grad_"].map(|start| (format!("{start}{name}"), format!("{start}{cpp}"))));
        }
    }
    renamed
}

/// The text with these words replaced, except for members and qualified names.
fn in_formula(text: &Text, renamed: &[(String, String)]) -> Text {
    let formula = text.as_str();
    let tokens = tokens(formula);
    let word = |token: &Token| &formula[token.range.clone()];
    let is_member = |i: usize| i.checked_sub(1).is_some_and(|i| matches!(word(&tokens[i]), "." | "->" | "::"));
    let replaced = tokens.iter().enumerate().filter(|(i, token)| token.kind == Kind::Word && !is_member(*i));
    let replaced: Vec<(Range<usize>, &str)> = replaced
        .filter_map(|(_, token)| {
            let (_, cpp) = renamed.iter().find(|(name, _)| name == word(token))?;
            Some((token.range.clone(), cpp.as_str()))
        })
        .collect();
    text.with_replaced(&replaced)
}
