//! What the intermediate-representation families share: types of fields, and reserved words.
//!
//! Invariant: nothing here knows what a record represents; C++ types are names, never statements.

mod enums;
mod types;

pub use enums::{
    ENUM_KEYS, EnumForm, EnumRecord, NameCodes, TYPE_KEYS, TypeRecord, check_identifier, named_pairs, read_enums,
    read_enums_of, read_types, read_types_of,
};
pub use types::{Comparison, Numeric, ValueType, ValueTypes};
