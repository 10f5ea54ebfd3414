//! The C++ types of fields: how a value is stored, passed, returned and compared.
//!
//! Invariant: for every type, equal values have equal hashes.

use indexmap::IndexMap;

use crate::schema::{DefaultForm, TypeRow};

/// The kind of number that a value is, for conversions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Numeric {
    /// A signed or unsigned integer.
    Integer,
    /// An enumerator or its number.
    Enumerator,
    /// A floating-point number.
    Float,
    /// A boolean.
    Bool,
    /// Something else.
    Not,
}

/// How two values are compared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Comparison {
    /// By the kit's `sameValue`: floating-point numbers by their bits.
    Same,
    /// By an operator.
    Operator(String),
    /// By a function of two values.
    Function(String),
    /// As types of tensors.
    TensorTypes,
}

/// A type of fields.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ValueType {
    /// The type in which a class stores it.
    pub storage: String,
    /// The type in which a constructor takes it.
    pub argument: String,
    /// The type in which a getter returns it.
    pub returns: String,
    /// How two values are compared.
    pub comparison: Comparison,
    /// The hash function; by default, the kit's `Hasher` hashes the value.
    pub hash: Option<String>,
    /// The kind of number.
    pub numeric: Numeric,
}

impl ValueType {
    /// A type with one spelling everywhere.
    pub fn plain(cpp: &str, numeric: Numeric) -> ValueType {
        ValueType {
            storage: cpp.to_owned(),
            argument: cpp.to_owned(),
            returns: cpp.to_owned(),
            comparison: Comparison::Same,
            hash: None,
            numeric,
        }
    }

    /// A list of it: a vector, returned as a view.
    pub fn list(&self) -> ValueType {
        let vector = format!("std::vector<{}>", self.storage);
        // A `vector<bool>` has no array to view.
        let returns = match self.storage.as_str() {
            "bool" => format!("const {vector} &"),
            element => format!("ArrayRef<{element}>"),
        };
        ValueType {
            storage: vector.clone(),
            argument: vector,
            returns,
            comparison: Comparison::Same,
            hash: None,
            numeric: Numeric::Not,
        }
    }

    /// The expression that is true if two values are equal.
    pub fn equal(&self, left: &str, right: &str) -> String {
        match &self.comparison {
            Comparison::Same => format!("sameValue({left}, {right})"),
            Comparison::Operator(operator) => format!("{left} {operator} {right}"),
            Comparison::Function(function) => format!("{function}({left}, {right})"),
            Comparison::TensorTypes => format!("equalTypes({left}, {right})"),
        }
    }

    /// The call that adds a value to the kit's `Hasher`.
    pub fn hash(&self, value: &str) -> String {
        match (&self.hash, &self.comparison) {
            (Some(function), _) => format!("mix({function}({value}))"),
            (None, Comparison::TensorTypes) => format!("mix(hashOfType({value}))"),
            (None, _) => format!("add({value})"),
        }
    }
}

/// All types of fields, by their names in schema strings.
#[derive(Debug, Clone, Default)]
pub struct ValueTypes {
    types: IndexMap<String, (ValueType, Vec<DefaultForm>)>,
}

impl ValueTypes {
    /// The types that every family has: `int`, `uint`, `sint`, `float`, `bool`, `str`, `size`,
    /// `dim`, `Type`, `enum`.
    pub fn built_in() -> ValueTypes {
        let mut types = ValueTypes::default();
        let integer = |cpp| ValueType::plain(cpp, Numeric::Integer);
        types.add("int", integer("int64_t"), vec![DefaultForm::INT64]);
        types.add("uint", integer("unsigned_t"), vec![DefaultForm::UINT32]);
        types.add("sint", integer("int"), vec![DefaultForm::INT32]);
        types.add("size", integer("size_t"), vec![DefaultForm::UINT64]);
        types.add("dim", integer("dim_t"), vec![DefaultForm::UINT64]);
        types.add("float", ValueType::plain("float", Numeric::Float), vec![DefaultForm::Float]);
        types.add("bool", ValueType::plain("bool", Numeric::Bool), vec![DefaultForm::Bool]);
        types.add("str", ValueType::plain("std::string", Numeric::Not), vec![DefaultForm::Str]);
        types.add("enum", ValueType::plain("unsigned_t", Numeric::Enumerator), vec![DefaultForm::UINT32]);
        let tensor_type =
            ValueType { comparison: Comparison::TensorTypes, ..ValueType::plain("TypeRef", Numeric::Not) };
        types.add("Type", tensor_type, Vec::new());
        types
    }

    /// Adds a type; returns the one that had this name.
    pub fn add(&mut self, name: &str, ty: ValueType, defaults: Vec<DefaultForm>) -> Option<ValueType> {
        self.types.insert(name.to_owned(), (ty, defaults)).map(|(old, _)| old)
    }

    /// The type of that name.
    #[cfg(test)]
    pub fn get(&self, name: &str) -> Option<&ValueType> {
        self.types.get(name).map(|(ty, _)| ty)
    }

    /// The rows for a schema's type table; `kind` describes each type.
    pub fn rows<K>(&self, kind: impl Fn(&ValueType) -> K) -> impl Iterator<Item = (&str, TypeRow<K>)> {
        self.types.iter().map(move |(name, (ty, defaults))| {
            let row = TypeRow::new(kind(ty)).suffixes(&["[]"]);
            (name.as_str(), defaults.iter().cloned().fold(row, TypeRow::default))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_vectors_and_views() {
        let types = ValueTypes::built_in();
        let list = types.get("uint").expect("built in").list();
        assert_eq!((list.storage.as_str(), list.returns.as_str()), ("std::vector<unsigned_t>", "ArrayRef<unsigned_t>"));
        assert_eq!(types.get("bool").expect("built in").list().returns, "const std::vector<bool> &");
        assert_eq!(types.get("Type").expect("built in").equal("a", "b"), "equalTypes(a, b)");
        assert_eq!(types.get("float").expect("built in").hash("x"), "add(x)");
    }
}
