//! Base classes of the user's, instead of the support library.
//!
//! Invariant: what the user's headers declare is not declared again.

use serde::Serialize;

/// Base classes of the user's.
#[derive(Debug)]
pub(crate) struct Support {
    /// What is included for each kind of file, with quotes or angle brackets.
    pub(crate) nodes: String,
    pub(crate) instructions: String,
    pub(crate) builder: String,
    pub(crate) declared: Declared,
    /// Whether nodes have a visit that is const.
    pub(crate) const_visits: bool,
}

impl Support {
    /// All base classes are in one header, which declares nothing that IRKit.h has.
    pub(crate) fn of_header(path: &str) -> Support {
        let [nodes, instructions, builder] = [(); 3].map(|()| quoted(path));
        Support { nodes, instructions, builder, declared: Declared::default(), const_visits: true }
    }

    /// The same base classes, in another header.
    pub(crate) fn in_header(self, path: &str) -> Support {
        Support { declared: self.declared, const_visits: self.const_visits, ..Support::of_header(path) }
    }
}

fn quoted(path: &str) -> String {
    format!("\"{path}\"")
}

/// What the headers declare.
#[derive(Debug, Default, Clone, Serialize)]
pub(crate) struct Declared {
    /// `StringRef` and `ArrayRef`.
    pub(crate) views: bool,
    /// `isa`, `cast` and `dyn_cast`.
    pub(crate) casting: bool,
    /// `OperandKind` and `getOperandKindStr`.
    pub(crate) operand_kinds: bool,
    /// Names in other namespaces.
    pub(crate) elsewhere: Vec<String>,
}
