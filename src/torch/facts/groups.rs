//! The facts of groups: variants of one operator, and views with their copies.
//!
//! Invariant: a group has the name of its functional variant, and a view group that of its view.

use super::TorchThing;
use super::types::{GroupFacts, TorchFacts, ViewGroupFacts};
use torchgen_kit::facts::{Relation, Thing};
use torchgen_model::group::{Grouped, NativeFunctionsViewGroup};
use torchgen_model::model::NativeFunction;

fn member(kind: &'static str, f: Option<&NativeFunction>) -> Option<Relation> {
    f.map(|f| Relation::new(kind, f.full_name()))
}

/// The name of a group, unless it is an operator alone.
pub(super) fn name(grouped: &Grouped<'_>) -> Option<String> {
    match grouped {
        Grouped::Function(_) => None,
        Grouped::Group(g) => Some(g.functional.full_name()),
    }
}

/// The facts of a group, unless it is an operator alone.
pub(super) fn group(grouped: &Grouped<'_>) -> Option<TorchThing> {
    let Grouped::Group(g) = grouped else { return None };
    let facts = GroupFacts {
        root_name: g.root_name().to_owned(),
        structured: g.structured(),
        signature: g.functional.func.signature().to_string(),
    };
    let members =
        [("functional", Some(g.functional)), ("inplace", g.inplace), ("mutable", g.mutable), ("out", Some(g.out))];
    Some(Thing {
        relations: members.into_iter().filter_map(|(kind, f)| member(kind, f)).collect(),
        ..Thing::new("group", g.functional.full_name(), TorchFacts::Group(facts))
    })
}

/// The facts of a view group.
pub(super) fn view_group(g: &NativeFunctionsViewGroup<'_>) -> TorchThing {
    let facts = ViewGroupFacts { root_name: g.root_name().to_owned(), composite: g.composite() };
    let members = [("view", Some(g.view)), ("view_copy", g.view_copy), ("view_inplace", g.view_inplace)];
    Thing {
        relations: members.into_iter().filter_map(|(kind, f)| member(kind, f)).collect(),
        ..Thing::new("view_group", g.view.full_name(), TorchFacts::ViewGroup(facts))
    }
}
