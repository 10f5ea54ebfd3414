//! What the families of intermediate representations share: types of fields, reserved words, the
//! model of records as data, and what changed between two versions of it.
//!
//! Invariant: nothing here knows what a record stands for; C++ types are names, never statements.

mod diff;
mod enums;
mod model;
mod types;

pub use diff::{Change, Effect, diff};
pub use enums::{ENUM_KEYS, EnumRecord, NameCodes, TYPE_KEYS, TypeRecord, read_enums, read_types};
pub use model::{Field, Model, Record};
pub use types::{Comparison, Numeric, ValueType, ValueTypes};
