//! The operators of a library, to be found by those that they are variants of.
//!
//! Invariant: the time to find an operator's variants does not depend on the other operators, so
//! that a question about each operator of a library takes linear time.

use std::hash::{BuildHasher, BuildHasherDefault};

use rustc_hash::{FxHashMap, FxHasher};

use crate::model::NativeFunction;

/// Operators by a hash of what [`NativeFunction::is_variant_of`] compares.
pub struct Variants<'a> {
    by_hash: FxHashMap<u64, Vec<&'a NativeFunction>>,
}

impl<'a> Variants<'a> {
    /// The variants among these operators.
    pub fn new(functions: &'a [NativeFunction]) -> Variants<'a> {
        let mut by_hash: FxHashMap<u64, Vec<_>> = FxHashMap::default();
        for f in functions {
            by_hash.entry(hash(f)).or_default().push(f);
        }
        Variants { by_hash }
    }

    /// The variants of an operator, itself included if it is one of the operators, in their order.
    pub fn variants_of<'f>(&'f self, f: &'f NativeFunction) -> impl Iterator<Item = &'a NativeFunction> + 'f {
        let found = self.by_hash.get(&hash(f)).map_or(&[][..], Vec::as_slice);
        found.iter().copied().filter(|other| other.is_variant_of(f))
    }
}

fn hash(f: &NativeFunction) -> u64 {
    let key = (&f.namespace, f.root_name(), f.func.signature_key());
    BuildHasherDefault::<FxHasher>::default().hash_one(key)
}
