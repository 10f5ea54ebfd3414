//! The tables of facts: overloads of torch's operators by version, and the types that the stable
//! ABI carries.
//!
//! Invariant: the newest version of the table is [`Version::NEWEST`], and every schema in it is of
//! the ATen layout or has a type that no kernel can take; tests check both.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;

use torchgen_kit::driver::data::constant;
use torchgen_model::model::version::Version;
use torchgen_model::model::{BaseTy, FunctionSchema, Type};

/// The overloads of all versions.
#[derive(Deserialize)]
struct OverloadTable {
    versions: Versions,
    /// Those of native_functions.yaml.
    overloads: Vec<Entry>,
    /// Those that torchgen adds.
    generated: Vec<Entry>,
}

/// The first and the last version of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(try_from = "Vec<Version>")]
struct Versions {
    first: Version,
    last: Version,
}

impl TryFrom<Vec<Version>> for Versions {
    type Error = &'static str;

    fn try_from(versions: Vec<Version>) -> Result<Versions, Self::Error> {
        match versions.as_slice() {
            [only] => Ok(Versions { first: *only, last: *only }),
            [first, .., last] if versions.is_sorted() => Ok(Versions { first: *first, last: *last }),
            _ => Err("the versions are a sorted list that is not empty"),
        }
    }
}

/// A schema and the versions that have it. A schema that changed has an entry for each text.
#[derive(Debug, Clone, Deserialize)]
struct Entry {
    schema: String,
    since: Option<Version>,
    until: Option<Version>,
}

/// An overload in a range of versions.
#[derive(Debug, Clone)]
pub(crate) struct Overload {
    /// The schema as torch declares it, without a namespace.
    pub schema: String,
    /// The first version that has it.
    pub since: Version,
    /// The last version that has it; `None` if the newest does.
    pub(crate) until: Option<Version>,
}

impl Overload {
    /// Its name: `cumsum`, or `cumsum.out`.
    pub(crate) fn full_name(&self) -> &str {
        self.schema.split('(').next().unwrap_or_default()
    }

    /// The name of its operator: `cumsum`.
    pub(crate) fn operator(&self) -> &str {
        self.full_name().split('.').next().unwrap_or_default()
    }
}

/// All overloads, sorted by name, then by version. The table is large: it is read once, when it is
/// needed.
pub(crate) fn overloads() -> &'static [Overload] {
    static OVERLOADS: LazyLock<Vec<Overload>> = LazyLock::new(read_overloads);
    &OVERLOADS
}

fn read_overloads() -> Vec<Overload> {
    let table: OverloadTable = constant("torch/versions/overloads.yaml");
    let Versions { first, last } = table.versions;
    let of = |entry: Entry| Overload {
        since: entry.since.unwrap_or(first),
        until: entry.until.filter(|until| *until != last),
        schema: entry.schema,
    };
    let mut all: Vec<Overload> = table.overloads.into_iter().chain(table.generated).map(of).collect();
    all.sort_by(|a, b| (a.full_name(), a.since).cmp(&(b.full_name(), b.since)));
    all
}

/// The types that the stable ABI carries.
#[derive(Deserialize)]
pub(crate) struct CarriedTypes {
    /// The first version for each.
    carried: BTreeMap<String, Version>,
    /// What to write instead.
    refused: BTreeMap<String, String>,
}

/// A type that the stable ABI does not carry.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Refused {
    /// Its name.
    pub ty: String,
    /// What to write instead.
    pub(crate) instead: String,
}

impl CarriedTypes {
    /// Reads the table.
    pub(crate) fn read() -> CarriedTypes {
        constant("torch/stable_types.yaml")
    }

    /// The first version that carries a type.
    ///
    /// # Errors
    /// No version does.
    pub(crate) fn since(&self, ty: &Type) -> Result<Version, Refused> {
        match ty {
            Type::Base(base) => self.since_base(*base),
            Type::Optional(elem) | Type::List(elem, _) => self.since(elem),
            Type::CustomClass(_) => Err(self.refused("class")),
            Type::Dict(..) => Err(self.refused("Dict")),
        }
    }

    fn since_base(&self, base: BaseTy) -> Result<Version, Refused> {
        self.carried.get(base.as_str()).copied().ok_or_else(|| self.refused(base.as_str()))
    }

    /// The refusal of a type by its name.
    pub(crate) fn refused(&self, name: &str) -> Refused {
        let instead = self.refused.get(name).cloned().unwrap_or_else(|| "use another type".to_owned());
        Refused { ty: name.to_owned(), instead }
    }

    /// The first version that carries all types of a schema.
    ///
    /// # Errors
    /// The types that no version carries, each once.
    pub(crate) fn since_all(&self, schema: &FunctionSchema) -> Result<Version, Vec<Refused>> {
        let arguments = schema.schema_order_arguments().map(|argument| &argument.ty);
        let mut since = Version::OLDEST;
        let mut refused: Vec<Refused> = Vec::new();
        for ty in arguments.chain(schema.returns.iter().map(|ret| &ret.ty)) {
            match self.since(ty) {
                Ok(version) => since = since.max(version),
                Err(found) if refused.contains(&found) => {}
                Err(found) => refused.push(found),
            }
        }
        if refused.is_empty() { Ok(since) } else { Err(refused) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use torchgen_kit::driver::data::Tables;
    use torchgen_model::model::Language;
    use torchgen_model::parse::schema::parse;

    #[test]
    fn the_table_reads() {
        let table: OverloadTable = constant("torch/versions/overloads.yaml");
        assert_eq!(table.versions, Versions { first: Version::OLDEST, last: Version::NEWEST });
        let unread: Vec<String> = overloads()
            .iter()
            .filter(|overload| !overload.schema.contains("Dimname"))
            .filter_map(|overload| {
                parse(&overload.schema, Language::C10, Tables::embedded())
                    .err()
                    .map(|e| format!("{}: {}", overload.schema, e.message))
            })
            .collect();
        assert!(unread.is_empty(), "{unread:#?}");
    }

    /// A version that is none, or no version, does not become the oldest one.
    #[test]
    fn tables_with_errors_do_not_read() {
        let reads = |versions: &str| {
            let text = format!("versions: {versions}\noverloads: []\ngenerated: []\n");
            serde_yaml::from_str::<OverloadTable>(&text).is_ok()
        };
        assert!(reads("['2.10', '2.11']") && reads("['2.10']"));
        for wrong in ["[]", "[two]", "['2.11', '2.10']"] {
            assert!(!reads(wrong), "{wrong}");
        }
    }
}
