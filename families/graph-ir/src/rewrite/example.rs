//! Examples of rules: the values that are given, and graphs before and after.
//!
//! Invariant: graphs are terms over the given values, whose types are known.

use super::bindings::{Binding, BindingKind, Bindings};
use super::pattern::NodeNames;
use super::term::{Reader, Term};
use super::vocabulary::RuleWords;
use super::{report, wrong};
use crate::records::ExampleRecord;
use crate::verify::ELEMENTS;
use torchgen_base::diag::{Diagnostics, TextError, did_you_mean};
use torchgen_base::lang::is_identifier;
use torchgen_base::yaml::Text;

/// An example.
#[derive(Debug)]
pub(crate) struct Example {
    pub(crate) given: Vec<(String, GivenType)>,
    pub(crate) before: Term,
    /// What it becomes; nothing if the rule does not match.
    pub(crate) after: Option<Term>,
    pub(crate) before_text: String,
}

/// The type of a given value.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct GivenType {
    pub(crate) is_constant: bool,
    /// The element kind.
    pub(crate) element: String,
    /// The scale and the offset of a quantized type.
    pub(crate) quantized: Option<(f32, i32)>,
    pub(crate) dims: Vec<u64>,
}

/// Reads an example.
pub(super) fn read(
    record: &ExampleRecord,
    nodes: &NodeNames<'_>,
    words: &RuleWords,
    diagnostics: &mut Diagnostics,
) -> Option<Example> {
    let mut bindings = Bindings::default();
    let mut given = Vec::new();
    for (name, text) in &record.given {
        let found = match is_identifier(name) {
            true => given_type(text).map_err(|error| (text, error)),
            false => Err((name, wrong(0..name.as_str().len(), format!("`{name}` is not a name")))),
        };
        match found {
            Ok(ty) => {
                given.push((name.as_str().to_owned(), ty));
                let (name, kind) = (name.as_str().to_owned(), BindingKind::Value);
                bindings.list.push(Binding { name, kind, range: 0..0, repeated: false });
            }
            Err((text, error)) => {
                report(text, error, diagnostics);
                return None;
            }
        }
    }
    let mut used = Vec::new();
    let mut graph = |text: &Text, is_typed: bool| {
        let mut reader =
            Reader { family: nodes.family, nodes, words, bindings: &bindings, used: &mut used, made: Vec::new() };
        let read = if is_typed { reader.root(text) } else { reader.graph(text) };
        read.map_err(|error| report(text, error, diagnostics)).ok()
    };
    let before = graph(&record.before, false)?;
    let after = match &record.after {
        Some(text) => Some(graph(text, true)?),
        None => None,
    };
    Some(Example { given, before, after, before_text: record.before.as_str().to_owned() })
}

/// `float<2 x 3>`, `constant float<2 x 3>`, or `int8q[0.5, 10]<2 x 3>`.
fn given_type(text: &Text) -> Result<GivenType, TextError> {
    let whole = 0..text.as_str().len();
    let malformed = || {
        wrong(whole.clone(), format!("`{text}` is not the type of a value"))
            .help("write an element kind and dimensions: `float<2 x 3>`, `constant int64<4>`")
    };
    let (is_constant, rest) = match text.as_str().strip_prefix("constant ") {
        Some(rest) => (true, rest.trim()),
        None => (false, text.as_str().trim()),
    };
    let (kind, dims) = rest.split_once('<').ok_or_else(malformed)?;
    let dims = dims.strip_suffix('>').ok_or_else(malformed)?;
    let dims: Result<Vec<u64>, _> =
        dims.split('x').map(str::trim).filter(|dim| !dim.is_empty()).map(str::parse).collect();
    let dims = dims.map_err(|_| malformed())?;
    let (kind, quantized) = match kind.trim().split_once('[') {
        Some((kind, rest)) => {
            let rest = rest.strip_suffix(']').ok_or_else(malformed)?;
            let (scale, offset) = rest.split_once(',').ok_or_else(malformed)?;
            let scale = scale.trim().parse().ok().filter(|scale: &f32| scale.is_finite()).ok_or_else(malformed)?;
            (kind, Some((scale, offset.trim().parse().map_err(|_| malformed())?)))
        }
        None => (kind.trim(), None),
    };
    let names = |element: &'static str| {
        let short = element.trim_end_matches("Ty");
        [element.to_owned(), short.to_lowercase(), short.trim_end_matches('I').to_lowercase()]
    };
    let element = ELEMENTS.into_iter().find(|element| names(element).iter().any(|name| name == kind));
    match element {
        Some(element) if element.contains("Fused") || element.contains('Q') != quantized.is_some() => {
            Err(wrong(whole.clone(), "a quantized type has a scale and an offset, and others have none")
                .help("write it as `int8q[0.5, 10]<2 x 3>`"))
        }
        Some(element) => Ok(GivenType { is_constant, element: element.to_owned(), quantized, dims }),
        None => {
            let error = wrong(whole.clone(), format!("`{kind}` is not an element kind"));
            Err(
                match did_you_mean(kind, ELEMENTS.map(|element| names(element)[2].clone()).iter().map(String::as_str)) {
                    Some(help) => error.help(help),
                    None => error,
                },
            )
        }
    }
}
