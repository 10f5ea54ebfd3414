//! The headers that the formulas of a part of a library need.
//!
//! Invariant: a name that is not certain is not known, and then all headers are included.

use std::collections::BTreeSet;

use indexmap::IndexSet;

use super::callables::operator_of;
use super::check::expressions;
use crate::library::Part;
use torchgen_api::autograd::is_usable_function;
use torchgen_formula::vocabulary::type_of;
use torchgen_formula::{Expr, Node, Path, called, is_constant, methods, open_names, parse};
use torchgen_model::records::DerivativeRecord;
use torchgen_model::versions::every_version_has;

/// What formulas call.
#[derive(Default)]
pub(crate) struct Includes {
    /// The base names of the library's own operators.
    pub(crate) own: IndexSet<String>,
    /// Those of torch's.
    pub(crate) torch: BTreeSet<String>,
    /// Nothing else needs a header of its own.
    pub(crate) are_known: bool,
}

/// What the formulas of the part's operators call.
pub(crate) fn of_formulas(part: &Part, records: &[DerivativeRecord]) -> Includes {
    let mut includes = Includes { are_known: true, ..Includes::default() };
    let own = records.iter().filter(|record| part.has(base_name(record.name.as_str())));
    for formula in own.flat_map(expressions) {
        match parse(formula.as_str()) {
            Ok(expr) if open_names(&expr).is_some() => includes.add(part, &expr),
            _ => includes.are_known = false,
        }
    }
    includes
}

/// The base name of a schema's operator, without the namespace.
fn base_name(schema: &str) -> &str {
    let name = schema.split(['(', '.']).next().unwrap_or_default().trim();
    name.rsplit("::").next().unwrap_or(name)
}

impl Includes {
    fn add(&mut self, part: &Part, expr: &Expr) {
        let calls = called(expr);
        let is_known = calls.iter().all(|path| self.add_call(part, path));
        // What saves its value has a header of its own.
        let mut are_known = is_known && methods(expr).iter().all(|method| method.name != "sym_blocksize");
        expr.walk(&mut |inner| {
            let other = inner.path().filter(|_| !matches!(inner.node, Node::Call(..)));
            are_known &= other.is_none_or(is_plain);
        });
        self.are_known &= are_known;
    }

    /// Adds the operator that is called, and returns whether the function is known.
    fn add_call(&mut self, part: &Part, path: &Path) -> bool {
        let api = &part.context.namespaces.api;
        let name = path.name();
        match path.parts.as_slice() {
            [_] if is_usable_function(name, part.context.target.tables) => true,
            [_] => self.add_own(part, name) || type_of(path).is_some() || self.add_torch(name),
            [at, _] if at == "at" => self.add_torch(name) || is_plain(path),
            [std, ..] if std == "std" => true,
            [scopes @ .., _] if scopes.join("::") == *api => self.add_own(part, name),
            _ => is_plain(path),
        }
    }

    fn add_own(&mut self, part: &Part, function: &str) -> bool {
        let Some(name) = operator_of(function) else { return false };
        let is_own = part.own_names.contains(name.as_str());
        if is_own {
            self.own.insert(name);
        }
        is_own
    }

    fn add_torch(&mut self, function: &str) -> bool {
        let Some(name) = operator_of(function).filter(|name| every_version_has(name)) else { return false };
        self.torch.insert(name);
        true
    }
}

/// Whether every source has the name.
fn is_plain(path: &Path) -> bool {
    path.single().is_some()
        || path.parts.first().is_some_and(|first| first == "std")
        || is_constant(path)
        || type_of(path).is_some()
}
