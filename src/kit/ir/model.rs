//! Records as data that no language appears in: what tools read, and what versions are compared by.

use serde::Serialize;

/// All records of a family.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Model {
    /// The family.
    pub family: String,
    /// The namespace of the generated code.
    pub namespace: String,
    /// The records, in the order of the files.
    pub records: Vec<Record>,
}

/// One record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Record {
    /// What it is: `node`.
    pub kind: String,
    /// Its name.
    pub name: String,
    /// What it is for, in a sentence or a few.
    pub doc: String,
    /// Its parts, in order.
    pub fields: Vec<Field>,
    /// What else is true of it: `data_parallel`, `from_node: Add`.
    pub facts: Vec<String>,
}

/// One part of a record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Field {
    /// What it is in the record: `input`.
    pub role: String,
    /// Its name.
    pub name: String,
    /// Its type, as the schema writes it.
    #[serde(rename = "type")]
    pub ty: String,
    /// Its default, as the schema writes it.
    pub default: Option<String>,
}
