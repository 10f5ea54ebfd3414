//! Overloads: which of them share a signature because they differ only in `out`, and the order in
//! which the parser tries them.
//!
//! Invariant: the parser takes the first signature that matches, so a signature that accepts
//! everything that another accepts comes after it. Rule: tools/autograd/gen_python_functions.py,
//! `group_overloads` and `sort_overloads`.

use std::collections::BTreeSet;

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

use torchgen_api::ApiError;
use torchgen_api::python::PythonSignature;
use torchgen_base::diag::Diagnostic;
use torchgen_model::codes;
use torchgen_model::model::{BaseTy, NativeFunction, SchemaSpans, Type};

/// A Python signature and the operator that it calls.
pub(crate) struct Pair<'a> {
    /// The signature.
    pub signature: PythonSignature<'a>,
    /// The operator.
    pub(crate) function: &'a NativeFunction,
    /// Where the signature is declared: the operator's schema or a deprecated one.
    pub(crate) spans: &'a SchemaSpans,
}

impl Pair<'_> {
    /// The error as a diagnostic at the signature.
    pub(crate) fn error(&self, error: ApiError) -> Diagnostic {
        error.into_diagnostic(self.spans)
    }

    fn shown(&self) -> String {
        match self.signature.deprecated {
            Some(deprecated) => deprecated.schema.to_string(),
            None => self.function.func.to_string(),
        }
    }
}

/// One signature of the parser and its calls.
pub(crate) struct Overload<'p, 'a> {
    /// The parsed signature.
    pub signature: PythonSignature<'a>,
    /// The same as a string for the parser.
    pub(crate) parser_string: String,
    /// The operator that is called without `out`.
    pub base: &'p Pair<'a>,
    /// The operator that is called with `out`.
    pub(crate) out: Option<&'p Pair<'a>>,
}

/// Groups the overloads of one name and puts them in order.
///
/// # Errors
/// An argument has no Python form, two overloads look the same, or an out variant has no matching
/// overload.
pub(crate) fn group_overloads<'p, 'a>(pairs: &[&'p Pair<'a>]) -> Result<Vec<Overload<'p, 'a>>, Vec<Diagnostic>> {
    let mut bases: IndexMap<String, &Pair, FxBuildHasher> = IndexMap::default();
    let mut outs: IndexMap<String, &Pair, FxBuildHasher> = IndexMap::default();
    let mut errors = Vec::new();
    for pair in pairs {
        let text = match pair.signature.parser_string_without_out() {
            Ok(text) => text,
            Err(error) => {
                errors.push(pair.error(error));
                continue;
            }
        };
        let same_kind = if pair.function.func.is_out_fn() { &mut outs } else { &mut bases };
        match same_kind.get(&text) {
            Some(earlier) => errors.push(look_the_same(pair, earlier, &text)),
            None => drop(same_kind.insert(text, pair)),
        }
    }
    if errors.is_empty() {
        let alone = outs.iter().filter(|(text, _)| !bases.contains_key(*text));
        errors.extend(alone.map(|(text, out)| has_no_base(out, text, bases.keys())));
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    let mut overloads = Vec::with_capacity(bases.len());
    for (text, base) in bases {
        let out = outs.get(&text).copied();
        // The signature with `out` parses for both.
        let (signature, pair) = match out {
            Some(out) => (PythonSignature::merge(&base.signature, &out.signature), out),
            None => (base.signature.clone(), base),
        };
        let parser_string = signature.parser_string().map_err(|error| vec![pair.error(error)])?;
        overloads.push(Overload { signature, parser_string, base, out });
    }
    Ok(sort(overloads))
}

fn look_the_same(pair: &Pair, earlier: &Pair, text: &str) -> Diagnostic {
    if pair.spans.whole == earlier.spans.whole {
        let message = "this deprecated signature matches two overloads";
        let overloads = [earlier, pair].map(|pair| &pair.function.func);
        let diagnostic = Diagnostic::new(&codes::SAME_PYTHON_SIGNATURE, message).at(pair.spans.whole);
        return overloads.iter().fold(diagnostic, |diagnostic, func| diagnostic.note(format!("one is `{func}`")));
    }
    let message = "two overloads look the same to Python's argument parser";
    Diagnostic::new(&codes::SAME_PYTHON_SIGNATURE, message)
        .at(pair.spans.whole)
        .also(earlier.spans.whole, format!("`{}` is declared here", earlier.shown()))
        .note(format!("both are `{text}`"))
}

fn has_no_base<'t>(out: &Pair, text: &str, bases: impl Iterator<Item = &'t String>) -> Diagnostic {
    let message = format!("no overload takes the arguments of `{}` without its outputs", out.shown());
    let diagnostic = Diagnostic::new(&codes::PYTHON_OUT_ALONE, message)
        .at(out.spans.whole)
        .note(format!("in Python it would be `{text}`"));
    bases.fold(diagnostic, |diagnostic, base| diagnostic.note(format!("an existing overload is `{base}`")))
}

/// By signature string, then so that no overload comes before one that it would hide. Names do not
/// count: the order is of all overloads, as in the reference.
pub(crate) fn sort<'p, 'a>(mut overloads: Vec<Overload<'p, 'a>>) -> Vec<Overload<'p, 'a>> {
    overloads.sort_by(|a, b| a.parser_string.cmp(&b.parser_string));
    let types: Vec<Vec<&Type>> =
        overloads.iter().map(|o| o.signature.without_out().map(|a| &*a.ty).collect()).collect();
    let mut by_count: IndexMap<usize, Vec<usize>> = IndexMap::new();
    for (i, types) in types.iter().enumerate() {
        by_count.entry(types.len()).or_default().push(i);
    }
    // For each overload, those that must come before it and do not yet.
    let before = |i: usize| -> BTreeSet<usize> {
        by_count[&types[i].len()].iter().copied().filter(|&j| is_wider(&types[i], &types[j])).collect()
    };
    let mut waits_for: IndexMap<usize, BTreeSet<usize>> = (0..types.len()).map(|i| (i, before(i))).collect();
    let mut order: Vec<usize> = waits_for.iter().filter(|(_, waits)| waits.is_empty()).map(|(i, _)| *i).collect();
    waits_for.retain(|_, waits| !waits.is_empty());
    let mut next = 0;
    // All are reached: the relation of wider types has no cycles.
    while let Some(&placed) = order.get(next) {
        next += 1;
        waits_for.retain(|i, waits| {
            waits.remove(&placed);
            if waits.is_empty() {
                order.push(*i);
            }
            !waits.is_empty()
        });
    }
    let mut slots: Vec<Option<Overload>> = overloads.into_iter().map(Some).collect();
    order.into_iter().filter_map(|i| slots[i].take()).collect()
}

/// Whether `wide` accepts everything that `narrow` accepts, and more. Names and keyword-only marks
/// are ignored.
fn is_wider(wide: &[&Type], narrow: &[&Type]) -> bool {
    let pairs = || wide.iter().zip(narrow);
    wide.len() == narrow.len() && wide != narrow && pairs().all(|(wide, narrow)| wide == narrow || hides(wide, narrow))
}

/// Whether a parameter of type `wide` accepts values that one of type `narrow` should get.
fn hides(wide: &Type, narrow: &Type) -> bool {
    let optional = |ty: &Type, base| matches!(ty, Type::Optional(elem) if elem.is(base));
    let named = |ty: &Type| ty.base() == Some(BaseTy::Dimname);
    match wide {
        _ if named(wide) && !named(narrow) => true,
        Type::Base(BaseTy::Scalar | BaseTy::Int | BaseTy::SymInt) => narrow.is(BaseTy::Tensor),
        Type::Optional(elem) => elem.is(BaseTy::Scalar) && optional(narrow, BaseTy::Tensor),
        Type::List(elem, None) => match **elem {
            Type::Base(BaseTy::Int) => narrow.is(BaseTy::Int) || optional(narrow, BaseTy::Int),
            // Parsing a list of tensors fails with an error, so anything else goes first.
            Type::Base(BaseTy::Tensor) => has_plain_list(narrow),
            Type::Base(BaseTy::SymInt) => *narrow == Type::INT.list(None),
            _ => false,
        },
        _ => false,
    }
}

/// Whether there is a list without a size anywhere in the type.
fn has_plain_list(ty: &Type) -> bool {
    match ty {
        Type::List(elem, size) => size.is_none() || has_plain_list(elem),
        Type::Optional(elem) => has_plain_list(elem),
        Type::Dict(key, value) => has_plain_list(key) || has_plain_list(value),
        Type::Base(_) | Type::CustomClass(_) => false,
    }
}
