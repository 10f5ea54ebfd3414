//! The operators that a word on the command line asks for.
//!
//! Invariant: a word asks for at least one operator, or is an error that names the nearest one.

use std::collections::BTreeSet;

use torchgen_base::diag::{Diagnostic, did_you_mean};
use torchgen_model::codes;
use torchgen_model::model::{ATEN, NativeFunction};
use torchgen_model::versions;

use crate::inputs::Operators;

/// The requested operators: those of one overload, or all overloads of a name.
#[derive(Debug, Clone, Copy)]
pub struct OperatorQuery<'a> {
    namespace: Option<&'a str>,
    name: &'a str,
    overload: Option<&'a str>,
}

impl<'a> OperatorQuery<'a> {
    /// The query of a word: `add`, `add.Tensor`, `aten::add.default`.
    pub fn new(text: &'a str) -> Self {
        let (namespace, rest) = match text.rsplit_once("::") {
            Some((namespace, rest)) => (Some(namespace), rest),
            None => (None, text),
        };
        let (name, overload) = match rest.split_once('.') {
            Some((name, overload)) => (name, Some(overload)),
            None => (rest, None),
        };
        // The name of the overload without a name in torch.ops.
        OperatorQuery { namespace, name, overload: overload.map(|text| if text == "default" { "" } else { text }) }
    }

    /// Whether the operator is one of them.
    pub fn is(&self, f: &NativeFunction) -> bool {
        self.namespace.is_none_or(|namespace| f.namespace == namespace)
            && f.func.name.name.to_string() == self.name
            && self.overload.is_none_or(|overload| f.func.name.overload_name == overload)
    }
}

/// The error if a word asks for no operator of these libraries.
pub fn unknown(what: &str, libraries: &[&Operators]) -> Option<Diagnostic> {
    let functions = || libraries.iter().flat_map(|operators| &operators.functions);
    let wanted = OperatorQuery::new(what);
    if functions().any(|f| wanted.is(f)) {
        return None;
    }
    let error = Diagnostic::new(&codes::USAGE, format!("there is no operator `{what}`"));
    let same = OperatorQuery { overload: None, ..wanted };
    let overloads: Vec<_> = functions().filter(|f| same.is(f)).map(|f| format!("`{}`", f.func.name)).collect();
    if !overloads.is_empty() {
        return Some(error.help(format!("its overloads are {}", overloads.join(", "))));
    }
    let elsewhere = OperatorQuery { namespace: None, ..wanted };
    if let Some(f) = functions().find(|f| elsewhere.is(f)) {
        let tail = what.rsplit_once("::").map_or(what, |(_, tail)| tail);
        return Some(error.help(format!("did you mean `{}::{tail}`?", f.namespace)));
    }
    let name = |f: &NativeFunction| match wanted.namespace {
        Some(_) => f.full_name(),
        None => f.func.name.to_string(),
    };
    let mut names: BTreeSet<String> = functions().map(name).collect();
    if wanted.overload.is_none() {
        names.extend(names.clone().iter().filter_map(|name| name.split_once('.')).map(|(name, _)| name.to_owned()));
    }
    let is_stock = wanted.namespace.is_none_or(|namespace| namespace == ATEN)
        && versions::overloads().iter().any(|overload| overload.operator() == wanted.name);
    if is_stock && !functions().any(|f| f.namespace == ATEN) {
        let help = "it is PyTorch's: `-s pytorch/aten/src/ATen` names the sources of PyTorch's operators";
        return Some(error.help(help));
    }
    Some(error.maybe_help(did_you_mean(what, names.iter().map(String::as_str))))
}
