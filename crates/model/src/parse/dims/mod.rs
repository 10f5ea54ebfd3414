//! Reads `dims:` and `flops:`: the named dimensions of an operator, and what follows from them.
//!
//! Invariant: a line that is returned without a diagnostic is sound, see `sound`. `derived` has the
//! lines that follow from others, when all operators of a namespace are known.

mod derived;
mod grammar;
mod known;
mod sound;
#[cfg(test)]
mod tests;

use crate::codes;
use crate::model::FunctionSchema;
use crate::model::dims::{Dims, DimsLine, DimsSource, Flops};
use known::{Known, why_lacking};
use torchgen_base::diag::{Diagnostic, Diagnostics, TextError, did_you_mean};
use torchgen_base::yaml::Text;
use torchgen_base::yaml::fields::Spanned;

pub use derived::derive;

/// The value of `dims:`: lines, of which the first that fits a call counts, or `backward(f)`.
pub(super) fn dims(texts: &Spanned<Vec<Text>>, func: &FunctionSchema, diagnostics: &mut Diagnostics) -> Option<Dims> {
    if let [text] = texts.value.as_slice()
        && let Some(named) = grammar::backward(text.as_str())
    {
        let named = named.map_err(|error| diagnostics.push(error.at_text(text))).ok()?;
        return Some(Dims { lines: Vec::new(), source: DimsSource::BackwardOf(named.value) });
    }
    let read: Vec<_> = texts.value.iter().map(|text| grammar::line(text.as_str())).collect();
    let all: Vec<DimsLine> = read.iter().filter_map(|line| line.as_ref().ok()).cloned().collect();
    let lines = texts.value.iter().zip(read).filter_map(|(text, line)| sound_line(text, line, &all, func, diagnostics));
    let lines: Vec<DimsLine> = lines.collect();
    if texts.value.is_empty() {
        let error = Diagnostic::new(&codes::BAD_DIMS, "`dims:` has no line").at(texts.span);
        diagnostics.push(error.help("write `(x[*b, n]) -> [*b, n]`, or delete `dims:`"));
    }
    (lines.len() == texts.value.len() && !lines.is_empty()).then_some(Dims { lines, source: DimsSource::Written })
}

/// One of all lines, if it is sound.
fn sound_line(
    text: &Text,
    read: Result<DimsLine, TextError>,
    all: &[DimsLine],
    func: &FunctionSchema,
    diagnostics: &mut Diagnostics,
) -> Option<DimsLine> {
    let errors = match read {
        Ok(line) => match sound::errors(&line, all, func) {
            errors if errors.is_empty() => return Some(line),
            errors => errors,
        },
        Err(error) => vec![error],
    };
    diagnostics.extend(errors.into_iter().map(|error| error.at_text(text)));
    None
}

/// The value of `flops:`, whose names are sizes of the lines or arguments that are numbers.
pub(super) fn flops(
    text: &Text,
    dims: Option<&Dims>,
    func: &FunctionSchema,
    diagnostics: &mut Diagnostics,
) -> Option<Flops> {
    let flops = grammar::flops(text.as_str()).map_err(|error| diagnostics.push(error.at_text(text))).ok()?;
    // The names of a line that follows from another operator's are checked when it is known.
    let lines = match dims {
        Some(Dims { source: DimsSource::BackwardOf(_), .. }) => return Some(flops),
        Some(dims) => dims.lines.as_slice(),
        None => &[],
    };
    let without_line = [DimsLine::default()];
    let lines = if lines.is_empty() { &without_line[..] } else { lines };
    for line in lines {
        let known = Known::of_every_call(line, lines, func);
        let Some(name) = known.unknown_in(&flops.count) else { continue };
        let all: Vec<&str> = known.sizes.iter().chain(&known.groups).copied().collect();
        let at = text.as_str().find(name).unwrap_or_default();
        let error = |message| TextError::new(&codes::BAD_FLOPS, at..at + name.len(), message);
        if let Some((message, help)) = why_lacking(line, lines, func, name) {
            diagnostics.push(error(message).help(help).at_text(text));
            return None;
        }
        let error = error(format!("nothing gives the size of `{name}`"));
        let help = did_you_mean(name, all).unwrap_or_else(|| match dims {
            Some(_) => "name it in a tensor's brackets in `dims:`".into(),
            None => "add `dims:`, which names the sizes of tensors".into(),
        });
        diagnostics.push(error.help(help).at_text(text));
        return None;
    }
    Some(flops)
}
