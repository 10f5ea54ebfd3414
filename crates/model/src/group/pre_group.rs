//! The operators that share a signature, by kind, in order of first appearance.
//!
//! Invariant: every operator is in exactly one slot; a second one of the same kind is an error.
//! Rule: torchgen/native_function_generation.py, `pre_group_native_functions`.

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

use crate::codes;
use crate::model::Target;
use crate::model::{NativeFunction, SchemaKind, SignatureKey};
use torchgen_base::diag::{Diagnostic, Diagnostics};

/// The operators of one signature, as indices, in order of appearance.
#[derive(Debug, Clone, Default)]
pub(crate) struct PreGroup {
    members: Vec<(SchemaKind, usize)>,
}

impl PreGroup {
    /// The operator of that kind.
    pub(crate) fn get(&self, kind: SchemaKind) -> Option<usize> {
        self.members.iter().find(|(k, _)| *k == kind).map(|&(_, f)| f)
    }

    /// All operators, in order of appearance.
    pub(crate) fn indices(&self) -> impl Iterator<Item = usize> + '_ {
        self.members.iter().map(|&(_, f)| f)
    }

    /// The number of operators.
    pub(crate) fn len(&self) -> usize {
        self.members.len()
    }
}

/// What operators must share to be grouped. In a library the namespace is part of an operator's
/// identity, in ATen it is not.
pub(crate) type GroupKey<'a> = (Option<&'a str>, SignatureKey<'a>);

/// The operators by their shared properties, in order of first appearance.
pub(crate) type PreGroups<'a> = IndexMap<GroupKey<'a>, PreGroup, FxBuildHasher>;

/// Sorts operators by signature and kind.
pub(crate) fn pre_group<'a>(
    functions: &'a [NativeFunction],
    target: Target,
    diagnostics: &mut Diagnostics,
) -> PreGroups<'a> {
    let mut groups = PreGroups::with_capacity_and_hasher(functions.len(), FxBuildHasher);
    for (index, f) in functions.iter().enumerate() {
        let namespace = target.identity(f);
        let group = groups.entry((namespace, f.func.signature_key())).or_default();
        let kind = f.func.kind();
        match group.get(kind) {
            None => group.members.push((kind, index)),
            Some(first) => diagnostics.push(duplicate_kind(&functions[first], f, kind)),
        }
    }
    groups
}

fn duplicate_kind(first: &NativeFunction, second: &NativeFunction, kind: SchemaKind) -> Diagnostic {
    let name = &second.func.name;
    Diagnostic::new(
        &codes::DUPLICATE_SCHEMA_KIND,
        format!("`{name}` and `{}` are both the {kind} variant of one signature", first.func.name),
    )
    .at_with(second.spans.name, "second variant of this kind")
    .also(first.spans.name, "first one")
    .note("variants of one operator differ in kind: functional, inplace, out or mutable")
    .help("give one of these another base name or other arguments")
}
