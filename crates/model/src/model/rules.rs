//! What PyTorch's code generator does differently from one version of torch to the next: switches,
//! and tables of facts.
//!
//! Invariant: versions are compared only here. A generator asks for the switch that it depends on;
//! `data/torch/versions/rules.yaml` says for each since when, and where the reference has it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_yaml::Value;

use super::version::Version;
use torchgen_base::render::Renderer;
use torchgen_kit::driver::changes::TableChange;
use torchgen_kit::driver::data::{Table, Tables, constant};

macro_rules! rules {
    ($($(#[$doc:meta])* $name:ident),* $(,)?) => {
        /// The switches of a version. `data/torch/versions/rules.yaml` describes them.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
        #[serde(from = "RuleTable")]
        pub struct Rules {
            /// The version of torch.
            pub torch: Version,
            $($(#[$doc])* pub $name: bool,)*
        }

        impl From<RuleTable> for Rules {
            fn from(table: RuleTable) -> Rules {
                $(let $name = table.holds(stringify!($name));)*
                Rules { torch: table.torch, $($name),* }
            }
        }

        #[cfg(test)]
        const NAMES: &[&str] = &[$(stringify!($name)),*];
    };
}

rules! {
    /// Kernels and functions of a device's key have the macro for export of its library.
    exports_by_device,
    /// Declarations that differ only in this macro are one.
    declarations_merge_exports,
    /// Structured kernels of XPU have their own macro.
    structured_exports_of_xpu,
    /// A view with several outputs makes the one that is needed.
    one_output_views_replay_alone,
    /// Vectors of saved storages reserve their size.
    storages_are_reserved,
    /// Loops over nodes of a list take each by reference.
    grad_fns_by_reference,
    /// `_philox_` in a name is no sign of random numbers.
    philox_is_deterministic,
    /// Stored arguments are values, also tensors.
    values_own_tensors,
    /// Without XPU, none of its keys is registered.
    all_xpu_keys_are_optional,
    /// Kernels call hooks for the creation of nodes.
    hooks_of_new_nodes,
    /// Schemas have the type `Dimname`, and structured kernels names of dimensions.
    named_tensors,
    /// Out and inplace variants have the tags `out` and `inplace`.
    variants_are_tagged,
    /// Methods with options leave devices to tensors that are dispatched.
    methods_skip_dispatched_tensors,
    /// Methods without arguments ask for overrides without a check.
    methods_ask_for_torch_function,
    /// Nodes are held by intrusive pointers.
    nodes_are_intrusive,
    /// Autograd has ten shards of a file, not five.
    autograd_has_ten_shards,
    /// Nodes of lazy backends move what they print.
    streams_are_moved,
    /// Guards of ROCm are those that take HIP for CUDA.
    hip_masquerades_as_cuda,
    /// `enum_tag.h` is a header without code of libraries.
    tags_are_header_only,
}

impl Table for Rules {
    const PATH: &'static str = "torch/versions/rules.yaml";
}

/// The table of rules.
#[derive(Debug, Deserialize)]
struct RuleTable {
    torch: Version,
    rules: BTreeMap<String, Rule>,
}

/// When a rule holds. The page of versions has the rest.
#[derive(Debug, Deserialize)]
#[cfg_attr(not(test), expect(dead_code, reason = "tests read what is for people"))]
#[serde(deny_unknown_fields)]
struct Rule {
    since: Option<Version>,
    until: Option<Version>,
    file: String,
    changed: String,
}

impl RuleTable {
    /// Whether the rule holds in the version.
    fn holds(&self, name: &str) -> bool {
        let rule = &self.rules[name];
        rule.since.is_none_or(|since| since <= self.torch) && rule.until.is_none_or(|until| self.torch <= until)
    }
}

impl Rules {
    /// The table of rules, which also has signs of versions.
    pub const TABLE: &'static str = <Rules as Table>::PATH;

    /// Shows the rules of a run to its templates, as `rules`.
    pub fn serve(tables: &Tables, renderer: &mut Renderer) {
        renderer.set_global("rules", Rules::of(tables));
    }

    /// The rules of a run.
    pub fn of(tables: &Tables) -> &Rules {
        tables.get()
    }
}

/// How the tables of the newest version become those of this one.
pub fn changes_to(torch: Version) -> Vec<TableChange> {
    if torch >= Version::NEWEST {
        return Vec::new();
    }
    let by_version: BTreeMap<Version, BTreeMap<String, Value>> = constant("torch/versions/tables.yaml");
    let older = by_version.into_iter().rev().filter(|(version, _)| torch <= *version);
    let tables = older.flat_map(|(_, tables)| tables).map(|(table, change)| TableChange { table, change });
    let version = serde_yaml::from_str(&format!("torch: \"{torch}\"")).expect("a version");
    let rules = TableChange { table: Rules::PATH.to_owned(), change: version };
    tables.chain([rules]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rule_is_a_switch() {
        let table: RuleTable = constant(Rules::PATH);
        let mut names = NAMES.to_vec();
        names.sort_unstable();
        assert_eq!(table.rules.keys().map(String::as_str).collect::<Vec<_>>(), names);
        assert_eq!(table.torch, Version::NEWEST);
        for (name, rule) in &table.rules {
            assert!(rule.since.is_some() != rule.until.is_some(), "{name}");
            assert!(rule.changed.ends_with('.') && rule.file.ends_with(".py"), "{name}");
        }
    }

    #[test]
    fn tables_of_all_versions() {
        for minor in Version::OLDEST.minor()..=Version::NEWEST.minor() {
            let torch = Version::new(2, minor);
            let tables = Tables::embedded().changed(&changes_to(torch));
            assert_eq!(Rules::of(&tables).torch, torch);
            assert_eq!(Rules::of(&tables).exports_by_device, torch == Version::NEWEST);
        }
    }
}
