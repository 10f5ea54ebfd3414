//! Where the parts of an entry are in its file.
//!
//! Invariant: a place without a key of its own in the file is none, or that of what it follows
//! from.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{DispatchKey, cpp_names};
use torchgen_base::diag::{Help, Span};

/// The place of a schema string, and of each argument with its type and without its default.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SchemaSpans {
    /// The schema string.
    pub whole: Span,
    /// By the arguments' names in declarations.
    arguments: Arc<BTreeMap<String, Span>>,
}

impl SchemaSpans {
    /// The spans of a schema at `whole`.
    pub fn new(whole: Span, arguments: impl IntoIterator<Item = (String, Span)>) -> SchemaSpans {
        SchemaSpans { whole, arguments: Arc::new(arguments.into_iter().collect()) }
    }

    /// The argument that C++ calls so, or the schema if it has none.
    pub fn argument(&self, name: &str) -> Span {
        let find = |name: &str| self.arguments.get(name);
        find(name).or_else(|| find(cpp_names::written(name))).copied().unwrap_or(self.whole)
    }
}

impl EntrySpans {
    /// A help that adds a key with its value to the entry, below the schema.
    pub fn with_key(&self, text: impl Into<String>, line: impl Into<String>) -> Help {
        Help::new(text).key(self.entry.at_start(), self.func, line)
    }
}

/// The places of an entry's parts, for diagnostics of later stages. Generated operators have the
/// spans of their base.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EntrySpans {
    /// The whole entry's first key.
    pub entry: Span,
    /// The schema string.
    pub func: Span,
    /// The schema string with its arguments.
    pub schema: SchemaSpans,
    /// The operator name inside the schema string.
    pub name: Span,
    /// The value of `dispatch:`.
    pub dispatch: Option<Span>,
    /// The kernel for each key in it.
    pub kernels: Vec<(DispatchKey, Span)>,
    /// The value of `autogen:`.
    pub autogen: Option<Span>,
    /// The value of `structured:` or `structured_delegate:`.
    pub structured: Option<Span>,
    /// The value of `view_inverse:`.
    pub(crate) view_inverse: Option<Span>,
    /// The value of `fake:`.
    pub fake: Option<Span>,
    /// The value of `vmap:`.
    pub vmap: Option<Span>,
    /// The value of `aoti:`, if the entry itself asks for a C function.
    pub aoti: Option<Span>,
    /// The value of `onnx:`.
    pub onnx: Option<Span>,
    /// The value of `dims:`.
    pub dims: Option<Span>,
    /// The value of `flops:`.
    pub flops: Option<Span>,
}

impl EntrySpans {
    /// Where the entry names the kernel for a key.
    pub fn kernel(&self, key: DispatchKey) -> Span {
        let known = self.kernels.iter().find(|(own, _)| *own == key).map(|(_, span)| *span);
        known.or(self.dispatch).unwrap_or(self.name)
    }
}
