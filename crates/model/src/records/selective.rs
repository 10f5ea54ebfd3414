//! Reads selective-build YAML: the operators, kernels and classes that a build selects.
//!
//! Invariant: of duplicate keys the last wins
//! ([`Options::SAFE_LOAD`](torchgen_base::yaml::Options::SAFE_LOAD)). Rule:
//! torchgen/selective_build/selector.py and operator.py.

use indexmap::IndexMap;
use serde::Serialize;

use crate::codes;
use torchgen_base::diag::{Diagnostic, Diagnostics};
use torchgen_base::yaml::fields::{self, Fields, KeySpec, KeyTable, Others, Shape, items};
use torchgen_base::yaml::{Node, NodeKind, Resolved, Text, resolve};

/// A selective-build file. Field names are those of the YAML keys.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[allow(missing_docs)]
pub struct SelectiveRecord {
    pub include_all_operators: bool,
    pub include_all_non_op_selectives: bool,
    pub debug_info: Option<Vec<String>>,
    pub operators: Vec<SelectedOperator>,
    pub kernel_metadata: IndexMap<String, Vec<String>>,
    pub et_kernel_metadata: IndexMap<String, Vec<String>>,
    pub custom_classes: Vec<String>,
    pub build_features: Vec<String>,
}

/// One selected operator.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SelectedOperator {
    /// `aten::add.Tensor`
    pub name: Text,
    /// Called by a model directly.
    pub is_root_operator: bool,
    /// Used in training on the device.
    pub is_used_for_training: bool,
    /// Selects all overloads, if the name has none.
    pub include_all_overloads: bool,
    /// Ignored.
    pub debug_info: Option<Vec<String>>,
}

const DEBUG_INFO: KeySpec = KeySpec::new("debug_info", Shape::Values, "The origin of the selection; ignored.");

/// The keys of the file.
pub(crate) static FILE_KEYS: KeyTable = KeyTable {
    what: "a selective-build file",
    keys: &[
        KeySpec::new(
            "include_all_non_op_selectives",
            Shape::Bool,
            "Whether all custom classes, build features and kernel dtypes are kept.",
        ),
        KeySpec::new("include_all_operators", Shape::Bool, "Whether all operators are kept."),
        DEBUG_INFO,
        KeySpec::new(
            "operators",
            Shape::Named(&OPERATOR_KEYS),
            "The operators that are kept, by full name: `aten::add.Tensor`.",
        ),
        KeySpec::new("kernel_metadata", Shape::ValueLists, "The dtypes that are kept of each kernel."),
        KeySpec::new(
            "et_kernel_metadata",
            Shape::ValueLists,
            "The dtypes that are kept of each kernel for ExecuTorch, by operator.",
        ),
        KeySpec::new("custom_classes", Shape::Scalars, "The custom classes that are kept."),
        KeySpec::new("build_features", Shape::Scalars, "The build features that are kept."),
    ],
    others: Others::Refused,
    misplaced: &[],
    unknown: &codes::UNKNOWN_KEY,
};

static OPERATOR_KEYS: KeyTable = KeyTable {
    what: "a selected operator",
    keys: &[
        KeySpec::new("name", Shape::Text, "The operator's name, repeated."),
        KeySpec::new("is_root_operator", Shape::Bool, "Whether a model calls it directly."),
        KeySpec::new("is_used_for_training", Shape::Bool, "Whether it is used in training on the device."),
        KeySpec::new("include_all_overloads", Shape::Bool, "Whether a name without an overload selects all of them."),
        DEBUG_INFO,
    ],
    others: Others::Refused,
    misplaced: &[],
    unknown: &codes::UNKNOWN_KEY,
};

/// The operators of a plain list of names, the older form. Names that are not strings are reported
/// and left out.
///
/// Rule: PyTorch's tools/setup_helpers/generate_code.py, `--selected-op-list-path`.
pub fn read_names(root: Node, diagnostics: &mut Diagnostics) -> Vec<Text> {
    let names = items(root, "the list of selected operators", &codes::NOT_A_LIST, diagnostics).unwrap_or_default();
    names.into_iter().filter_map(|name| fields::text(name, "the name of a selected operator", diagnostics)).collect()
}

/// Reads a file. Errors are reported; `None` if nothing is usable.
pub fn read_selective(root: Node, diagnostics: &mut Diagnostics) -> Option<SelectiveRecord> {
    let mut fields = Fields::new(root, &FILE_KEYS, diagnostics)?;
    let record = SelectiveRecord {
        include_all_operators: fields.take_bool("include_all_operators").is_some_and(|flag| flag.value),
        include_all_non_op_selectives: fields.take_bool("include_all_non_op_selectives").is_some_and(|flag| flag.value),
        debug_info: take_strings(&mut fields, "debug_info"),
        operators: take_operators(&mut fields),
        kernel_metadata: take_string_lists(&mut fields, "kernel_metadata"),
        et_kernel_metadata: take_string_lists(&mut fields, "et_kernel_metadata"),
        custom_classes: take_names(&mut fields, "custom_classes"),
        build_features: take_names(&mut fields, "build_features"),
    };
    fields.finish();
    Some(record)
}

fn take_operators(fields: &mut Fields<'_>) -> Vec<SelectedOperator> {
    let pairs = take_pairs(fields, "operators");
    let diagnostics = fields.diagnostics();
    pairs.into_iter().filter_map(|(name, node)| read_operator(name, node, diagnostics)).collect()
}

fn read_operator(name: Node, node: Node, diagnostics: &mut Diagnostics) -> Option<SelectedOperator> {
    let name = fields::text(name, "a key of `operators`", diagnostics)?;
    let mut fields = Fields::new(node, &OPERATOR_KEYS, diagnostics)?;
    if let Some(given) = fields.take_text("name")
        && given != name
    {
        let error =
            Diagnostic::new(&codes::OPERATOR_NAME_MISMATCH, format!("the key is `{name}`, but `name` is `{given}`"))
                .at(given.span())
                .also(name.span(), "the operator's key");
        fields.diagnostics().push(error);
    }
    let mut flag = |name| fields.take_bool(name).is_none_or(|flag| flag.value);
    let operator = SelectedOperator {
        is_root_operator: flag("is_root_operator"),
        is_used_for_training: flag("is_used_for_training"),
        include_all_overloads: flag("include_all_overloads"),
        debug_info: take_strings(&mut fields, "debug_info"),
        name,
    };
    fields.finish();
    Some(operator)
}

/// A mapping's pairs; anything else is reported.
fn take_pairs(fields: &mut Fields<'_>, name: &str) -> Vec<(Node, Node)> {
    let Some(node) = fields.take(name) else { return Vec::new() };
    match node.kind {
        NodeKind::Mapping(pairs) => pairs,
        _ => {
            let error = fields::wrong_type(&node, format_args!("`{name}`"), "a mapping");
            fields::refuse(&node, error, fields.diagnostics());
            Vec::new()
        }
    }
}

/// A list whose items are converted to strings.
pub(super) fn take_strings(fields: &mut Fields<'_>, name: &str) -> Option<Vec<String>> {
    let node = fields.take(name)?;
    strings(node, format_args!("`{name}`"), fields.diagnostics())
}

/// A list of which the reference makes a set, so that no list or mapping can be in it.
fn take_names(fields: &mut Fields<'_>, name: &str) -> Vec<String> {
    let Some(node) = fields.take(name) else { return Vec::new() };
    let diagnostics = fields.diagnostics();
    let items = items(node, format_args!("`{name}`"), &codes::WRONG_TYPE, diagnostics).unwrap_or_default();
    let mut names = Vec::with_capacity(items.len());
    for item in items {
        match item.kind {
            NodeKind::Scalar(_) => names.push(python_str(&item)),
            _ => {
                let error = fields::wrong_type(&item, format_args!("an item of `{name}`"), "a name");
                fields::refuse(&item, error, diagnostics);
            }
        }
    }
    names
}

pub(super) fn take_string_lists(fields: &mut Fields<'_>, name: &str) -> IndexMap<String, Vec<String>> {
    let pairs = take_pairs(fields, name);
    let diagnostics = fields.diagnostics();
    let mut lists = IndexMap::with_capacity(pairs.len());
    for (key, value) in pairs {
        let key = python_str(&key);
        if let Some(value) = strings(value, format_args!("the value of `{key}` in `{name}`"), diagnostics) {
            lists.insert(key, value);
        }
    }
    lists
}

pub(super) fn strings(node: Node, what: impl std::fmt::Display, diagnostics: &mut Diagnostics) -> Option<Vec<String>> {
    let items = items(node, what, &codes::WRONG_TYPE, diagnostics)?;
    Some(items.iter().map(python_str).collect())
}

/// A scalar as Python's `str` shows it; for anything else the exact text does not matter.
pub(super) fn python_str(node: &Node) -> String {
    match (&node.kind, resolve(node)) {
        (_, Resolved::Null) => "None".to_owned(),
        (_, Resolved::Bool(value)) => (if value { "True" } else { "False" }).to_owned(),
        (_, Resolved::Int(Some(value))) => value.to_string(),
        (_, Resolved::Float(value)) => format!("{value:?}"),
        (NodeKind::Scalar(text), _) => text.as_str().to_owned(),
        (NodeKind::Sequence(items), _) => {
            format!("[{}]", items.iter().map(python_str).collect::<Vec<_>>().join(", "))
        }
        (NodeKind::Mapping(_), _) => "{}".to_owned(),
    }
}
