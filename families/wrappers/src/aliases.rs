//! Operators that return views: the graph API returns new tensors, so a call of it cannot serve
//! them.
//!
//! Invariant: an operator whose result shares memory with an argument gets no wrapper that calls
//! the graph API.

use std::collections::HashMap;

use super::codes;
use super::model::operators::Operator;
use super::records::EntryRecord;
use torchgen_base::diag::Diagnostic;
use torchgen_model::model::{Argument, SchemaKind};

/// The argument that a result is a view of.
fn viewed(operator: &Operator) -> Option<&str> {
    let shares = operator.schema.returns.iter().any(|result| result.annotation.is_some() && !result.is_write());
    let aliased = |argument: &&Argument| argument.annotation.is_some() && !argument.is_write();
    if !shares {
        return None;
    }
    operator.inputs().find(aliased).map(|argument| argument.name.as_str())
}

/// The error that an entry computes a view. `functional` is the functional operator with the same
/// inputs.
pub(super) fn refused(
    operator: &Operator,
    entry: &EntryRecord,
    functional: Option<&Operator>,
    named: &Named,
) -> Option<Diagnostic> {
    let op = &entry.op;
    let message = match operator.kind() {
        SchemaKind::Functional => {
            let argument = viewed(operator)?;
            format!("`{op}` returns a view of `{argument}`, and a function of the backend returns a new tensor")
        }
        SchemaKind::Inplace => {
            let argument = viewed(functional?)?;
            format!("`{}` turns `{argument}` into a view, and a function of the backend cannot", operator.full_name())
        }
        SchemaKind::Out | SchemaKind::Scratch | SchemaKind::Mutable => return None,
    };
    let (name, overload) = match op.as_str().split_once('.') {
        Some((name, overload)) => (name, format!(".{overload}")),
        None => (op.as_str(), String::new()),
    };
    let copy = match operator.overload() {
        "" => format!("{name}_copy"),
        own => format!("{name}_copy.{own}"),
    };
    let template = if operator.native.is_some() { "view" } else { "custom" };
    let help = match named.full.contains_key(&copy) {
        true => format!("write `template: {template}`, or serve `{name}_copy{overload}`, which returns a copy"),
        false => format!("write `template: {template}`"),
    };
    Some(Diagnostic::new(&codes::COPIED_VIEW, message).at(op.span()).help(help))
}

/// All operators, by their names.
pub(super) struct Named<'a> {
    /// By the name with the overload.
    full: HashMap<String, &'a Operator>,
    /// By the name without it, in the order of the file.
    overloads: HashMap<&'a str, Vec<&'a Operator>>,
}

impl<'a> Named<'a> {
    pub(super) fn from_operators(operators: &'a [Operator]) -> Named<'a> {
        let mut overloads: HashMap<&'a str, Vec<&'a Operator>> = HashMap::new();
        for operator in operators {
            overloads.entry(operator.name()).or_default().push(operator);
        }
        Named { full: operators.iter().map(|operator| (operator.full_name(), operator)).collect(), overloads }
    }

    /// The operators of a name; none if it is unknown.
    pub(super) fn overloads(&self, name: &str) -> &[&'a Operator] {
        self.overloads.get(name).map_or(&[], Vec::as_slice)
    }

    /// All names without overloads, sorted.
    pub(super) fn names(&self) -> Vec<String> {
        let mut names: Vec<String> = self.overloads.keys().map(|name| (*name).to_owned()).collect();
        names.sort();
        names
    }

    /// The functional operator with the same inputs.
    pub(super) fn functional_of(&self, operator: &Operator) -> Option<&'a Operator> {
        let base = match operator.kind() {
            SchemaKind::Inplace => operator.name().strip_suffix('_')?,
            _ => operator.name(),
        };
        let types = |operator: &Operator| -> Vec<_> {
            operator.inputs().map(|input| (input.name.clone(), input.ty.base())).collect()
        };
        let same = |other: &&&Operator| other.kind() == SchemaKind::Functional && types(other) == types(operator);
        let exact = match operator.overload() {
            "" => base.to_owned(),
            overload => format!("{base}.{overload}"),
        };
        let found = self.full.get(&exact).filter(|other| same(other));
        found.or_else(|| self.overloads(base).iter().find(same)).copied()
    }
}
