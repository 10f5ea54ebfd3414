//! The table of types that the stable ABI carries.
//!
//! Invariant: every schema of torch's operators is of the ATen layout or has a type that no kernel
//! can take; a test checks it.

use std::collections::BTreeMap;

use serde::Deserialize;

use torchgen_kit::driver::data::constant;
use torchgen_model::model::version::Version;
use torchgen_model::model::{BaseTy, FunctionSchema, Type};

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
    pub(crate) fn read_table() -> CarriedTypes {
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
    use torchgen_kit::driver::data::Tables;
    use torchgen_model::model::Language;
    use torchgen_model::parse::schema::parse;
    use torchgen_model::versions::overloads;

    #[test]
    fn every_schema_reads() {
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
}
