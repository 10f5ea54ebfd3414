//! What the intermediate-representation families share: types of fields, reserved words, records as
//! data, and the changes between two versions of them.
//!
//! Invariant: nothing here knows what a record represents; C++ types are names, never statements.

mod diff;
mod enums;
mod model;
mod types;

pub use diff::{Change, Changes, Effect, diff};
pub use enums::{
    ENUM_KEYS, EnumForm, EnumRecord, NameCodes, TYPE_KEYS, TypeRecord, check_identifier, named, read_enums,
    read_enums_of, read_types, read_types_of,
};
pub use model::{Field, Model, Record};
pub use types::{Comparison, Numeric, ValueType, ValueTypes};
