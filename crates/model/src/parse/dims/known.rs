//! What the tensors of a line give: which sizes and which ranks of groups a call always gives.
//!
//! Invariant: the order is that in which the checks of a call find them, so what is known here is
//! known there. A size that only an optional tensor gives counts as known; a call without the
//! tensor does not check it.

use std::collections::BTreeSet;

use crate::model::FunctionSchema;
use crate::model::dims::{Dim, DimBase, DimsLine, SizeExpr};
use crate::model::operator_dims::{is_list_of_numbers, is_number};
use torchgen_kit::schema::Spanned;

/// What is known of a line.
#[derive(Debug, Default)]
pub(super) struct Known<'l> {
    /// Names whose sizes are known.
    pub(super) sizes: BTreeSet<&'l str>,
    /// Names that an input has.
    pub(super) named: BTreeSet<&'l str>,
    /// Groups whose ranks are known.
    pub(super) groups: BTreeSet<&'l str>,
}

impl<'l> Known<'l> {
    /// What the tensors and the arguments of a call give.
    pub(super) fn of_line(line: &'l DimsLine, func: &'l FunctionSchema) -> Known<'l> {
        let mut known = Known::default();
        for argument in func.schema_order_arguments() {
            if is_number(&argument.ty) {
                known.sizes.insert(argument.schema_name());
            } else if is_list_of_numbers(&argument.ty) {
                known.groups.insert(argument.schema_name());
            }
        }
        let all = || line.argument_dims().map(|dim| &dim.value.base);
        for base in all() {
            known.named.extend(base.names());
            match base {
                DimBase::Name(name) | DimBase::Packed(name, _) => {
                    known.sizes.insert(name);
                }
                _ => {}
            }
        }
        known.ranks(line);
        while all().any(|base| known.solves(base)) {}
        known
    }

    /// The first name of a count to which a line gives no size.
    pub(super) fn unknown_in<'s>(&self, count: &'s SizeExpr) -> Option<&'s str> {
        let is_known = |name: &&str| self.sizes.contains(name) || self.groups.contains(name);
        count.names().into_iter().find(|name| !is_known(name))
    }

    /// Finds the ranks of groups: of the only one in a tensor, then of the last unknown one. One
    /// that can have fewer dimensions shows its rank only alone.
    fn ranks(&mut self, line: &'l DimsLine) {
        let groups =
            |dims: &'l [Spanned<Dim>]| -> Vec<&'l str> { dims.iter().filter_map(|dim| group(&dim.value)).collect() };
        let alone = line.tensors.iter().map(|(_, dims)| groups(dims)).filter(|groups| groups.len() == 1);
        self.groups.extend(alone.flatten());
        for (_, dims) in &line.tensors {
            let unknown: Vec<&'l str> = groups(dims).into_iter().filter(|name| !self.groups.contains(name)).collect();
            if let [one] = unknown.as_slice() {
                self.groups.insert(one);
            }
        }
    }

    /// Whether the dimension gives the size of one more name.
    fn solves(&mut self, base: &'l DimBase) -> bool {
        let unknown: Vec<&'l str> = match base {
            DimBase::Product(factors) => factors.iter().flat_map(SizeExpr::names).collect(),
            DimBase::Computed(size) => match size.added_once() {
                Some(name) => vec![name],
                None => return false,
            },
            _ => return false,
        };
        let mut unknown = unknown.into_iter().filter(|name| !self.sizes.contains(name));
        match (unknown.next(), unknown.next()) {
            (Some(name), None) if base.names().iter().all(|other| *other == name || self.sizes.contains(other)) => {
                self.sizes.insert(name)
            }
            _ => false,
        }
    }
}

/// The group of a dimension.
pub(super) fn group(dim: &Dim) -> Option<&str> {
    match &dim.base {
        DimBase::Group(name) => Some(name),
        _ => None,
    }
}
