//! What PyTorch's code generator does differently from one version of torch to the next: switches,
//! and tables of facts.
//!
//! Invariant: versions are compared only here. A generator asks for the switch that it depends on;
//! `data/torch/versions/rules.yaml` says for each since when, and where the reference has it.

use std::collections::BTreeMap;

use serde::ser::SerializeStruct;
use serde::{Deserialize, Serialize, Serializer};
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
            /// What libraries and backends need of torch. It is the same for all versions.
            pub since: Since,
            $($(#[$doc])* pub $name: bool,)*
        }

        impl From<RuleTable> for Rules {
            fn from(table: RuleTable) -> Rules {
                $(let $name = table.holds(stringify!($name));)*
                Rules { torch: table.torch, since: table.since(), $($name),* }
            }
        }

        /// The versions that the tables know, from one on.
pub fn versions_since(oldest: Version) -> impl Iterator<Item = Version> {
    let all = (10..).map(|minor| Version::new(2, minor)).take_while(|version| *version <= Version::NEWEST);
    all.filter(move |version| *version >= oldest)
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
    /// The stubs of Python are those that `gen-pyi` makes.
    stubs_are_known,
    /// `enum_tag.h` is a header without code of libraries.
    tags_are_header_only,
}

impl Table for Rules {
    const PATH: &'static str = "torch/versions/rules.yaml";
}

/// The first version of torch with what the code of libraries and backends needs. Templates see
/// the numbers of each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Since {
    /// What libraries on libtorch's C++ API are built with.
    #[serde(serialize_with = "numbered")]
    pub libraries: Version,
    /// Tags that C++ registers over the stable ABI.
    #[serde(serialize_with = "numbered")]
    pub tags_on_stable_abi: Version,
    /// The text of an exception over the stable ABI.
    #[serde(serialize_with = "numbered")]
    pub errors_on_stable_abi: Version,
    /// [`Rules::hooks_of_new_nodes`]
    #[serde(serialize_with = "numbered")]
    pub hooks_of_new_nodes: Version,
}

impl Since {
    /// Reads the table.
    pub fn read_table() -> Since {
        Rules::of_tables(Tables::embedded()).since
    }
}

/// A version with its numbers.
fn numbered<S: Serializer>(version: &Version, serializer: S) -> Result<S::Ok, S::Error> {
    let mut fields = serializer.serialize_struct("Version", 3)?;
    fields.serialize_field("torch", version)?;
    fields.serialize_field("minor", &version.minor())?;
    fields.serialize_field("number", &version.number())?;
    fields.end()
}

/// The table of rules.
#[derive(Debug, Deserialize)]
struct RuleTable {
    torch: Version,
    rules: BTreeMap<String, Rule>,
    needed: Needed,
}

/// What libraries need beside rules.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
struct Needed {
    libraries: Version,
    tags_on_stable_abi: Version,
    errors_on_stable_abi: Version,
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
    /// What libraries and backends need.
    fn since(&self) -> Since {
        let Needed { libraries, tags_on_stable_abi, errors_on_stable_abi } = self.needed;
        let hooks_of_new_nodes = self.rules["hooks_of_new_nodes"].since.unwrap_or(Version::OLDEST);
        Since { libraries, tags_on_stable_abi, errors_on_stable_abi, hooks_of_new_nodes }
    }

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
        renderer.set_global("rules", Rules::of_tables(tables));
    }

    /// The rules of a run.
    pub fn of_tables(tables: &Tables) -> &Rules {
        tables.get()
    }
}

/// Whether the rules of a version are known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Known {
    /// It is older than all that are known.
    TooOld,
    /// They are.
    Yes,
    /// It is newer: the rules of the newest one apply.
    Newer,
}

impl Known {
    /// Whether those of this version are.
    pub fn of_version(torch: Version) -> Known {
        match torch {
            _ if torch < Version::OLDEST => Known::TooOld,
            _ if torch > Version::NEWEST => Known::Newer,
            _ => Known::Yes,
        }
    }
}

/// Reads the value of `--torch-min`.
///
/// # Errors
/// It is not a version, or the tables do not have it.
pub fn torch_min(text: &str) -> Result<Version, String> {
    let version: Version = text.parse()?;
    match Known::of_version(version) {
        Known::TooOld => Err(format!("the stable ABI is supported from torch {} on", Version::OLDEST)),
        Known::Yes => Ok(version),
        Known::Newer => Err(format!("the newest torch that this tool knows is {}", Version::NEWEST)),
    }
}

/// How the tables of the newest version become those of this one.
pub fn changes_to(torch: Version) -> Vec<TableChange> {
    if torch == Version::NEWEST || Known::of_version(torch) == Known::Newer {
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
    fn the_oldest_torch_to_work_with() {
        assert!(torch_min("2.9").is_err() && torch_min("2.16").is_err() && torch_min("two").is_err());
        assert_eq!(torch_min("2.13").map(|version| version.to_string()), Ok("2.13".to_owned()));
    }

    #[test]
    fn tables_of_all_versions() {
        for minor in Version::OLDEST.minor()..=Version::NEWEST.minor() {
            let torch = Version::new(2, minor);
            let tables = Tables::embedded().changed(&changes_to(torch));
            assert_eq!(Rules::of_tables(&tables).torch, torch);
            assert_eq!(Rules::of_tables(&tables).exports_by_device, torch == Version::NEWEST);
        }
    }
}
