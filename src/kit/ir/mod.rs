//! What the families of intermediate representations share: types of fields, reserved words, the
//! model of records as data, and what changed between two versions of it.
//!
//! Invariant: nothing here knows what a record stands for; C++ types are names, never statements.

mod diff;
mod enums;
mod model;
mod types;

pub(crate) use diff::{Change, Effect, diff};
pub(crate) use enums::{ENUM_KEYS, EnumRecord, NameCodes, TYPE_KEYS, TypeRecord, read_enums, read_types};
pub(crate) use model::{Field, Model, Record};
pub(crate) use types::{Numeric, ValueType, ValueTypes};
