//! What the intermediate-representation families share: types of fields, reserved words, mix-ins,
//! and the version of what is written.
//!
//! Invariant: nothing here knows what a record represents; C++ types are names, never statements.

mod enums;
mod traits;
mod types;
mod version;

pub use enums::{
    ENUM_KEYS, EnumForm, EnumRecord, NameCodes, TYPE_KEYS, TypeRecord, check_identifier, named_pairs, read_enums,
    read_enums_of, read_types, read_types_of,
};
pub use traits::{TRAIT_KEYS, TRAITS_OF, Trait, TraitCodes, Traits};
pub use types::{Comparison, Numeric, ValueType, ValueTypes};
pub use version::written_version;
