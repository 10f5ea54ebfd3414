//! The names that a pattern binds.
//!
//! Invariant: a name means the same in each alternative of a rule: a value, a list of values, or a
//! member of one type. A name that is bound again says that both are equal.

use std::ops::Range;

use super::literal::{MemberPattern, member_type};
use super::pattern::{Class, ListPattern, NodePattern, Pattern};
use super::wrong;
use crate::model::Family;
use torchgen_base::diag::TextError;
use torchgen_kit::expr::{Ident, Type};

/// What a name is bound to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum BindingKind {
    /// A value of the graph.
    Value,
    /// A list of values.
    Values,
    /// A member, or an item of one.
    Member(Type),
}

/// A name.
#[derive(Debug, Clone)]
pub(crate) struct Binding {
    pub(crate) name: String,
    pub(crate) kind: BindingKind,
    /// The first place in the text of the pattern.
    pub(crate) range: Range<usize>,
    /// Whether it is bound more than once, which is a use of it.
    pub(crate) repeated: bool,
}

/// All names of a rule.
#[derive(Debug, Clone, Default)]
pub(crate) struct Bindings {
    pub(crate) list: Vec<Binding>,
}

/// The type of values of a graph in conditions.
pub(super) fn tensor() -> Type {
    Type::with_name("Tensor")
}

impl BindingKind {
    /// The type in conditions.
    pub(crate) fn ty(&self) -> Type {
        match self {
            BindingKind::Value => tensor(),
            BindingKind::Values => tensor().list(),
            BindingKind::Member(ty) => ty.clone(),
        }
    }
}

impl Bindings {
    /// The binding of a name.
    pub(crate) fn get(&self, name: &str) -> Option<&Binding> {
        self.list.iter().find(|binding| binding.name == name)
    }

    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.list.iter().map(|binding| binding.name.as_str())
    }

    /// The names as variables of conditions.
    pub(super) fn variables(&self) -> Vec<(String, Type)> {
        self.list.iter().map(|binding| (binding.name.clone(), binding.kind.ty())).collect()
    }

    fn add(&mut self, name: &Ident, kind: BindingKind) -> Result<(), TextError> {
        if let Some(binding) = self.list.iter_mut().find(|binding| binding.name == name.name) {
            binding.repeated = true;
            if binding.kind == kind {
                return Ok(());
            }
            let (now, before) = (kind.ty(), binding.kind.ty());
            let message = format!("`{}` is a `{now}` here, and a `{before}` before", name.name);
            return Err(wrong(name.range.clone(), message).help("use another name"));
        }
        self.list.push(Binding { name: name.name.clone(), kind, range: name.range.clone(), repeated: false });
        Ok(())
    }

    fn value(&mut self, pattern: &Pattern, family: &Family) -> Result<(), TextError> {
        match pattern {
            Pattern::Any(name) => name.iter().try_for_each(|name| self.add(name, BindingKind::Value)),
            Pattern::Node(node) => self.node(node, family),
        }
    }

    fn node(&mut self, node: &NodePattern, family: &Family) -> Result<(), TextError> {
        node.name.iter().try_for_each(|name| self.add(name, BindingKind::Value))?;
        node.inputs.iter().try_for_each(|input| self.value(input, family))?;
        for list in &node.lists {
            match list {
                ListPattern::Any(name) => {
                    name.iter().try_for_each(|name| self.add(name, BindingKind::Values))?;
                }
                ListPattern::Items { items, rest } => {
                    items.iter().try_for_each(|item| self.value(item, family))?;
                    rest.iter().flatten().try_for_each(|rest| self.add(rest, BindingKind::Values))?;
                }
            }
        }
        let Class::Record(number) = node.class else { return Ok(()) };
        for (member, pattern) in &node.members {
            self.member(pattern, &member_type(&family.nodes[number], *member))?;
        }
        Ok(())
    }

    fn member(&mut self, pattern: &MemberPattern, ty: &Type) -> Result<(), TextError> {
        match (pattern, ty) {
            (MemberPattern::Bound(name), _) => self.add(name, BindingKind::Member(ty.clone())),
            (MemberPattern::Items(items), Type::List(item)) => items.iter().try_for_each(|own| self.member(own, item)),
            _ => Ok(()),
        }
    }
}

/// The names of all patterns of a rule, which must be the same.
pub(super) fn of_patterns(patterns: &[NodePattern], family: &Family) -> Result<Bindings, TextError> {
    let mut first: Option<Bindings> = None;
    for pattern in patterns {
        let mut bindings = Bindings::default();
        bindings.node(pattern, family)?;
        let Some(first) = &mut first else {
            first = Some(bindings);
            continue;
        };
        for (own, others) in [(&bindings, &*first), (&*first, &bindings)] {
            if let Some(lacking) = own.list.iter().find(|binding| others.get(&binding.name).is_none()) {
                let message = format!("another alternative does not bind `{}`", lacking.name);
                return Err(
                    wrong(lacking.range.clone(), message).help("bind the same names in each, or make two rules")
                );
            }
        }
        for binding in &bindings.list {
            let Some(known) = first.list.iter_mut().find(|known| known.name == binding.name) else { continue };
            if known.kind != binding.kind {
                let message = format!("`{}` has another type in another alternative", binding.name);
                return Err(wrong(binding.range.clone(), message).help("use another name"));
            }
            known.repeated |= binding.repeated;
        }
    }
    Ok(first.unwrap_or_default())
}
