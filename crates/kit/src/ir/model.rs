//! Records as language-independent data, for tools and for comparing versions.

use serde::Serialize;

/// All records of a family.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Model {
    /// The family.
    pub family: String,
    /// The namespace of the generated code.
    pub namespace: String,
    /// The records, in the order of the files.
    pub records: Vec<Record>,
}

/// One record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Record {
    /// Its kind, such as `node`.
    pub kind: String,
    /// Its name.
    pub name: String,
    /// Its description, one or more sentences.
    pub doc: String,
    /// Its parts, in order.
    pub fields: Vec<Field>,
    /// Further properties: `data_parallel`, `from_node: Add`.
    pub facts: Vec<String>,
}

/// A part of a record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Field {
    /// Its role in the record, such as `input`.
    pub role: String,
    /// Its name.
    pub name: String,
    /// Its type, as in the schema.
    #[serde(rename = "type")]
    pub ty: String,
    /// Its default, as in the schema.
    pub default: Option<String>,
}
