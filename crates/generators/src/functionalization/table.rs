//! The operators that `data/torch/functionalization.yaml` treats specially.
//!
//! Invariant: names only; the callers decide what to do about them.

use std::collections::{HashMap, HashSet};

use serde::{Deserialize, Serialize};

use torchgen_kit::driver::data::{Table, Tables};
use torchgen_model::group::variants::is_kept_out_of_groups;
use torchgen_model::model::NativeFunction;

/// The meaning of one output of a view with several, in terms of the base.
#[derive(Debug, Clone, Copy, Deserialize, Serialize, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Replay {
    /// One of several slices of one length.
    Chunk,
    /// One of several slices of given lengths.
    Section,
    /// One index of a dimension.
    Element,
}

#[derive(Deserialize)]
struct ByHand {
    views: HashSet<String>,
    members: HashSet<String>,
    inplace_members: HashSet<String>,
}

#[derive(Deserialize)]
struct Special {
    left_alone: HashSet<String>,
    registered_by_hand: ByHand,
    computed_in_type_of_out: HashSet<String>,
    single_output_replay: HashMap<String, Replay>,
}

impl Table for Special {
    const PATH: &'static str = "torch/functionalization.yaml";
}

/// How a view's single output is replayed, if the table has an entry for it.
pub(crate) fn replay(f: &NativeFunction, tables: &Tables) -> Option<Replay> {
    tables.get::<Special>().single_output_replay.get(&f.func.name.to_string()).copied()
}

/// The kernels of the view group are registered by hand.
pub(crate) fn view_by_hand(f: &NativeFunction, tables: &Tables) -> bool {
    tables.get::<Special>().registered_by_hand.views.contains(&f.func.name.to_string())
}

/// The kernels of the group that the operator belongs to are registered by hand.
pub(crate) fn member_by_hand(f: &NativeFunction, tables: &Tables) -> bool {
    tables.get::<Special>().registered_by_hand.members.contains(&f.func.name.to_string())
}

/// The same for an inplace operator.
pub(crate) fn inplace_by_hand(f: &NativeFunction, tables: &Tables) -> bool {
    tables.get::<Special>().registered_by_hand.inplace_members.contains(&f.func.name.to_string())
}

/// The out variant computes in the type of its out argument.
pub(crate) fn computed_in_type_of_out(f: &NativeFunction, tables: &Tables) -> bool {
    tables.get::<Special>().computed_in_type_of_out.contains(&f.func.name.to_string())
}

/// No kernel is registered for the operator although it may mutate.
pub(crate) fn left_alone(f: &NativeFunction, tables: &Tables) -> bool {
    covers(&f.func.name.to_string(), tables)
}

/// The operator needs no functional counterpart although it may mutate. Names without their
/// overloads count too.
pub(crate) fn needs_no_counterpart(f: &NativeFunction, tables: &Tables) -> bool {
    left_alone(f, tables) || covers(&f.func.name.name.to_string(), tables)
}

fn covers(name: &str, tables: &Tables) -> bool {
    tables.get::<Special>().left_alone.contains(name) || is_kept_out_of_groups(name, tables)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn embedded_table() {
        let tables = Tables::embedded();
        let covers = |name| covers(name, tables);
        assert_eq!(tables.get::<Special>().single_output_replay["unbind.int"], Replay::Element);
        assert!(covers("polygamma_") && covers("record_stream") && !covers("add"));
    }
}
