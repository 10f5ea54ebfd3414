//! The functions of libtorch's C shim, by version.
//!
//! Invariant: the table is made from the headers of every version; a test compares it with the
//! libraries.

use std::collections::BTreeMap;

use serde::Deserialize;

use torchgen_kit::driver::data::constant;
use torchgen_model::model::version::Version;

#[derive(Deserialize)]
struct ShimTable {
    /// New functions of each version, by header.
    since: BTreeMap<Version, BTreeMap<String, Vec<String>>>,
    /// The last version of functions that later ones lack.
    until: BTreeMap<String, Version>,
}

/// A function of the shim.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShimFunction {
    /// The first version that has it.
    pub since: Version,
    /// The last version that has it; `None` if the newest does.
    pub until: Option<Version>,
    /// Its header, below `torch/csrc`.
    pub header: String,
}

/// All functions, by name.
pub struct Shim(BTreeMap<String, ShimFunction>);

impl Shim {
    /// Reads the table.
    pub fn read_table() -> Shim {
        let ShimTable { since, until } = constant("torch/versions/shim.yaml");
        let mut functions = BTreeMap::new();
        for (version, headers) in since {
            for (header, names) in headers {
                for name in names {
                    let until = until.get(&name).copied();
                    functions.insert(name, ShimFunction { since: version, until, header: header.clone() });
                }
            }
        }
        Shim(functions)
    }

    /// The functions of a version, by name.
    pub fn functions_of(&self, torch: Version) -> impl Iterator<Item = (&str, &ShimFunction)> {
        let has =
            move |function: &ShimFunction| function.since <= torch && function.until.is_none_or(|until| torch <= until);
        self.0.iter().filter(move |(_, function)| has(function)).map(|(name, function)| (name.as_str(), function))
    }

    /// The function of that name, in any version.
    pub fn get(&self, name: &str) -> Option<&ShimFunction> {
        self.0.get(name)
    }

    /// Whether every torch version from one on has a function.
    pub(crate) fn has(&self, name: &str, min: Version) -> bool {
        self.get(name).is_some_and(|function| function.since <= min && function.until.is_none())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use torchgen_model::model::rules::Since;

    #[test]
    fn the_table_reads() {
        let shim = Shim::read_table();
        let thirteen = "2.13".parse().unwrap();
        assert!(shim.has("torch_call_dispatcher", Version::OLDEST));
        assert!(!shim.has("torch_exception_get_what", Version::OLDEST));
        assert!(shim.has("torch_exception_get_what", thirteen));
        let function = shim.get("torch_tensor_from_pyobject").unwrap();
        assert_eq!((function.since.to_string().as_str(), function.header.as_str()), ("2.14", "stable/c/shim.h"));
        let texts = shim.get("torch_exception_get_what_without_backtrace").unwrap();
        assert_eq!(texts.since, Since::read_table().errors_on_stable_abi);
        assert!(shim.0.values().all(|function| function.since <= Version::NEWEST));
    }

    /// A version that is none does not become the oldest one.
    #[test]
    fn a_table_with_an_error_does_not_read() {
        let reads = |version: &str| {
            let text = format!("since:\n  '{version}':\n    shim.h: [f]\nuntil: {{}}\n");
            serde_yaml::from_str::<ShimTable>(&text).is_ok()
        };
        assert!(reads("2.10"));
        assert!(!reads("two") && !reads("2"));
    }
}
