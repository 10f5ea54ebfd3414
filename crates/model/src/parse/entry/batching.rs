//! Reads `vmap:`: `loop`, or a kernel that takes a batch, with the dimension of the batch in
//! arguments and results: `(self=0, weight=0) -> 0`, `norm_batched(self=0) -> 0, 1`.
//!
//! Invariant: a rule names tensors of the schema, each once, and has one dimension for each result.
//! Whether the library has the operator in front is checked where all of them are known.

use std::ops::Range;

use crate::codes;
use crate::model::batching::{AtOnce, BatchingRule};
use crate::model::{FunctionSchema, NativeFunction};
use torchgen_base::diag::{Diagnostic, Diagnostics, TextError, did_you_mean, plural};
use torchgen_base::lang::is_word;
use torchgen_base::yaml::Text;

/// What a rule may be, for helps.
const FORMS: &str =
    "a rule is `loop`, or `(x=0) -> 0`: the kernel takes a batch in dimension 0 of `x`, and returns it in dimension 0";

fn error(range: Range<usize>, message: impl Into<String>) -> TextError {
    TextError::new(&codes::BAD_BATCHING_RULE, range, message.into())
}

/// The rule of an entry. Errors go to `diagnostics`.
pub(super) fn rule(text: &Text, func: &FunctionSchema, diagnostics: &mut Diagnostics) -> Option<BatchingRule> {
    match parse(text, func) {
        Ok(rule) => Some(rule),
        Err(error) => {
            diagnostics.push(error.at_text(text));
            None
        }
    }
}

fn parse(text: &Text, func: &FunctionSchema) -> Result<BatchingRule, TextError> {
    let source = text.as_str();
    let whole = trimmed(source, 0..source.len());
    let Some(open) = source.find('(') else {
        return match &source[whole.clone()] {
            "loop" => Ok(BatchingRule::Loop),
            "pointwise" => Err(error(whole, "`pointwise` is a tag, from which the batching rule follows")
                .help("write `tags: pointwise`, and delete `vmap:`")),
            other => {
                let help = did_you_mean(other, ["loop"]).unwrap_or_else(|| FORMS.into());
                Err(error(whole, format!("`{other}` is not a batching rule")).help(help))
            }
        };
    };
    let callee = trimmed(source, 0..open);
    let is_name = |name: &str| name.chars().all(|c| is_word(c) || c == '.');
    if !is_name(&source[callee.clone()]) {
        return Err(error(callee, "this is not the name of an operator").help(FORMS));
    }
    let Some(close) = source[open..].find(')').map(|length| open + length) else {
        return Err(error(open..open + 1, "this parenthesis is not closed").help(FORMS));
    };
    let arguments = arguments(source, open + 1..close, func)?;
    let results = results(source, close + 1, func)?;
    let callee = (!callee.is_empty()).then(|| (source[callee.clone()].to_owned(), text.sub_span(callee)));
    Ok(BatchingRule::AtOnce(AtOnce { callee, arguments, results }))
}

/// The range without blanks around it.
fn trimmed(text: &str, range: Range<usize>) -> Range<usize> {
    let part = &text[range.clone()];
    let start = range.start + (part.len() - part.trim_start().len());
    start..(start + part.trim().len())
}

/// The parts between commas.
fn parts(text: &str, range: Range<usize>) -> Vec<Range<usize>> {
    let mut start = range.start;
    let mut found = Vec::new();
    for part in text[range].split(',') {
        found.push(trimmed(text, start..start + part.len()));
        start += part.len() + 1;
    }
    found
}

fn dimension(text: &str, range: Range<usize>) -> Result<i64, TextError> {
    text[range.clone()].parse().map_err(|_| {
        let message = format!("`{}` is not a dimension", &text[range.clone()]);
        error(range, message).help("write a number such as `0`; negative ones count from the end")
    })
}

/// `self=0, weight=0`
fn arguments(text: &str, range: Range<usize>, func: &FunctionSchema) -> Result<Vec<(String, i64)>, TextError> {
    let tensors: Vec<&str> = func.tensor_arguments().map(|a| a.schema_name()).collect();
    if text[range.clone()].trim().is_empty() {
        let first = tensors.first().copied().unwrap_or("x");
        return Err(error(range.start - 1..range.end + 1, "no argument can have a batch")
            .help(format!("write the dimension of the batch in each tensor that can have one: `({first}=0) -> 0`")));
    }
    let mut found: Vec<(String, i64)> = Vec::new();
    for part in parts(text, range) {
        let name = part.start..part.start + text[part.clone()].split('=').next().unwrap_or_default().trim_end().len();
        let word = &text[name.clone()];
        let argument = func.schema_order_arguments().find(|a| a.schema_name() == word);
        if argument.is_none() || !tensors.contains(&word) {
            let message = match argument {
                Some(_) => format!("`{word}` is not a tensor, so it has no batch"),
                None => format!("`{}` has no argument `{word}`", func.name),
            };
            let help = did_you_mean(word, tensors.iter().copied())
                .unwrap_or_else(|| format!("its tensors are `{}`", tensors.join("`, `")).into());
            return Err(error(name, message).help(help));
        }
        if found.iter().any(|(other, _)| other == word) {
            return Err(error(name, format!("`{word}` has a dimension already")));
        }
        let Some(equals) = text[part.clone()].find('=') else {
            return Err(error(name, format!("the dimension of the batch in `{word}` is missing"))
                .help(format!("write `{word}=0`")));
        };
        found.push((word.to_owned(), dimension(text, trimmed(text, part.start + equals + 1..part.end))?));
    }
    Ok(found)
}

/// `-> 0, 1`
fn results(text: &str, start: usize, func: &FunctionSchema) -> Result<Vec<i64>, TextError> {
    let rest = trimmed(text, start..text.len());
    let Some(dims) = text[rest.clone()].strip_prefix("->") else {
        let range = if rest.is_empty() { start - 1..start } else { rest };
        return Err(error(range, "the dimension of the batch in the result is missing")
            .help("write `-> 0` after the arguments; several results have one each: `-> 0, 0`"));
    };
    if func.returns.iter().any(|ret| !ret.ty.is_tensor_like()) {
        return Err(error(rest, format!("`{}` returns values other than tensors, which have no batch", func.name))
            .help("write `vmap: loop`"));
    }
    let range = rest.end - dims.len()..rest.end;
    let found: Vec<i64> = match dims.trim() {
        "" => Vec::new(),
        _ => parts(text, range).into_iter().map(|part| dimension(text, part)).collect::<Result<_, _>>()?,
    };
    if found.len() != func.returns.len() {
        let (found, wanted) = (plural(found.len(), "dimension"), plural(func.returns.len(), "result"));
        return Err(error(rest, format!("this has {found}, but `{}` has {wanted}", func.name))
            .help("write the dimension of the batch in each result, separated by commas"));
    }
    Ok(found)
}

/// Reports rules that `torch.vmap` would not use, or that would not be right.
pub(super) fn check_batching(f: &NativeFunction, is_stock: bool, diagnostics: &mut Diagnostics) {
    let (Some(rule), Some(span)) = (&f.vmap, f.spans.vmap) else { return };
    let has_tensors = f.func.tensor_arguments().next().is_some();
    let (reason, help) = if is_stock {
        ("PyTorch has the rules of its own operators", "delete `vmap:`")
    } else if f.has_composite_implicit_autograd_kernel {
        ("`torch.vmap` sees the operators that a composite kernel calls", "delete `vmap:`")
    } else if !has_tensors {
        ("it has no tensors that could have a batch", "delete `vmap:`")
    } else if f.returns_alias() && *rule == BatchingRule::Loop {
        ("a loop returns copies, but the schema says that it returns a view", "write a rule such as `(self=0) -> 0`")
    } else {
        return;
    };
    let message = format!("`{}` cannot have this batching rule: {reason}", f.func.name);
    diagnostics.push(Diagnostic::new(&codes::BAD_BATCHING_RULE, message).at(span).help(help));
}
