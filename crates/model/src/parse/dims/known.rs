//! What the tensors of a line give: which sizes and which ranks of groups a call always gives.
//!
//! Invariant: the order is that in which the checks of a call find them, so what is known here is
//! known there. Checks may use a size that only an optional argument gives, since a call without it
//! does not check it; results may not.

use std::collections::BTreeSet;

use crate::model::dims::{Dim, DimBase, DimsLine, SizeExpr};
use crate::model::operator_dims::{is_list_of_numbers, is_number};
use crate::model::{Argument, FunctionSchema, Type};
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
        Known::of_arguments(line, func, |_| true)
    }

    /// What those give that no call of the line lacks. An optional tensor that another line of the
    /// operator does not name is given where this line counts.
    pub(super) fn of_every_call(line: &'l DimsLine, others: &[DimsLine], func: &'l FunctionSchema) -> Known<'l> {
        Known::of_arguments(line, func, |argument| is_in_every_call(argument, others))
    }

    fn of_arguments(line: &'l DimsLine, func: &'l FunctionSchema, counts: impl Fn(&Argument) -> bool) -> Known<'l> {
        let mut known = Known::default();
        let own = || func.schema_order_arguments().filter(|argument| counts(argument));
        for argument in own() {
            if is_number(&argument.ty) {
                known.sizes.insert(argument.schema_name());
            } else if is_list_of_numbers(&argument.ty) {
                known.groups.insert(argument.schema_name());
            }
        }
        let is_own = |name: &str| own().any(|argument| argument.schema_name() == name);
        let tensors: Vec<&'l [Spanned<Dim>]> =
            line.tensors.iter().filter(|(name, _)| is_own(name)).map(|(_, dims)| dims.as_slice()).collect();
        let all = || tensors.iter().copied().flatten().map(|dim| &dim.value.base);
        for base in all() {
            known.named.extend(base.names());
            match base {
                DimBase::Name(name) | DimBase::Packed(name, _) => {
                    known.sizes.insert(name);
                }
                _ => {}
            }
        }
        known.ranks(&tensors);
        while all().any(|base| known.solves(base)) {}
        known
    }

    /// The first name of a count to which a line gives no size.
    pub(super) fn unknown_in<'s>(&self, count: &'s SizeExpr) -> Option<&'s str> {
        count.names().into_iter().find(|name| !self.has(name))
    }

    /// Whether it is a size, or a group whose rank is known.
    pub(super) fn has(&self, name: &str) -> bool {
        self.sizes.contains(name) || self.groups.contains(name)
    }

    /// Finds the ranks of groups: of the only one in a tensor, then of the last unknown one. One
    /// that can have fewer dimensions shows its rank only alone.
    fn ranks(&mut self, tensors: &[&'l [Spanned<Dim>]]) {
        let groups =
            |dims: &'l [Spanned<Dim>]| -> Vec<&'l str> { dims.iter().filter_map(|dim| group(&dim.value)).collect() };
        let alone = tensors.iter().map(|dims| groups(dims)).filter(|groups| groups.len() == 1);
        self.groups.extend(alone.flatten());
        for dims in tensors {
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

/// Whether an argument is given wherever a line counts, beside which an operator has these.
fn is_in_every_call(argument: &Argument, others: &[DimsLine]) -> bool {
    let decides = |line: &DimsLine| line.tensor(argument.schema_name()).is_none();
    !argument.ty.is_nullable() || argument.ty.is_tensor_like() && others.iter().any(decides)
}

/// Why calls of a line lack a size, and what its author can do: an argument that gives it can be
/// None.
pub(super) fn why_lacking(
    line: &DimsLine,
    others: &[DimsLine],
    func: &FunctionSchema,
    size: &str,
) -> Option<(String, String)> {
    let gives = |argument: &&Argument| {
        let dims = line.tensor(argument.schema_name()).unwrap_or_default();
        argument.schema_name() == size || dims.iter().any(|dim| dim.value.base.names().contains(&size))
    };
    let mut optional = func.schema_order_arguments().filter(|argument| !is_in_every_call(argument, others));
    let argument = optional.find(gives)?;
    let name = argument.schema_name();
    Some(match &argument.ty {
        Type::Optional(number) if is_number(number) => {
            (format!("the size `{name}` can be None"), format!("make it `{number} {name}`"))
        }
        _ => (
            format!("only `{name}` gives the size of `{size}`, and that can be None"),
            format!("write a list of lines, one without `{name}`"),
        ),
    })
}

/// The group of a dimension.
pub(super) fn group(dim: &Dim) -> Option<&str> {
    match &dim.base {
        DimBase::Group(name) => Some(name),
        _ => None,
    }
}
