//! The values of an operator's keys that are more than a text or a word.
//!
//! Invariant: as written; names are not looked up here.

use serde::Serialize;

use crate::codes;
use torchgen_base::diag::{Diagnostic, Span};
use torchgen_base::yaml::fields::{self, Fields, Spanned};
use torchgen_base::yaml::{NodeKind, Resolved, Text, resolve};

/// One line of `dispatch:`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DispatchEntry {
    /// The keys as written: `CPU, CUDA`.
    pub(crate) key: Text,
    /// The keys one by one.
    pub keys: Vec<Text>,
    /// The kernel, possibly with a namespace.
    pub(crate) kernel: Text,
}

/// `ufunc_inner_loop:`
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub(crate) enum UfuncRecord {
    /// One loop for everything.
    Generic(Text),
    /// A loop for every ufunc key.
    PerKey(Spanned<Vec<(Text, Text)>>),
}

impl UfuncRecord {
    /// Where the value is.
    pub(crate) fn span(&self) -> Span {
        match self {
            UfuncRecord::Generic(text) => text.span(),
            UfuncRecord::PerKey(map) => map.span,
        }
    }
}

/// Takes `dispatch:`.
pub(super) fn take_dispatch(fields: &mut Fields<'_>, name: &str) -> Option<Spanned<Vec<DispatchEntry>>> {
    if let Some(place) = fields.empty(name) {
        let message = "`dispatch` has no value, which is the same as no `dispatch`: all keys have one composite kernel";
        let help = "name the kernel of each key below it, such as `CPU: f_cpu`, or delete it";
        fields.diagnostics().push(Diagnostic::new(&codes::EMPTY_DISPATCH, message).at(place).help(help));
    }
    let map = fields.take_map(name)?;
    let entry = |(key, kernel): (Text, Text)| {
        let keys = if key.contains(',') { key.split(",").iter().map(Text::trim).collect() } else { vec![key.trim()] };
        DispatchEntry { keys, key, kernel }
    };
    Some(Spanned { value: map.value.into_iter().map(entry).collect(), span: map.span })
}

/// Takes `ufunc_inner_loop:`.
pub(super) fn take_ufunc(fields: &mut Fields<'_>, name: &str) -> Option<UfuncRecord> {
    let node = fields.take(name)?;
    match (&node.kind, resolve(&node)) {
        (NodeKind::Mapping(_), _) => fields::text_map(node, name, fields.diagnostics()).map(UfuncRecord::PerKey),
        (_, Resolved::Str) => fields::text(node, name, fields.diagnostics()).map(UfuncRecord::Generic),
        _ => {
            let error = fields::wrong_type(&node, format_args!("`{name}`"), "a string or a mapping");
            fields::refuse(&node, error, fields.diagnostics());
            None
        }
    }
}
