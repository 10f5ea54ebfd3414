//! Reads what models use, and what operators call: the inputs of lists for selective builds.
//!
//! Invariant: names of operators are as written, with their overloads. Keys that a reader does
//! not use are ignored: other programs read them. Rule: PyTorch's tools/code_analyzer,
//! `gen_operators_yaml.py` and `gen_op_registration_allowlist.py`.

use indexmap::IndexMap;

use super::selective::{python_str, strings, take_string_lists, take_strings};
use crate::codes;
use torchgen_base::diag::Diagnostics;
use torchgen_base::yaml::fields::{Fields, items};
use torchgen_base::yaml::keys::{KeySpec, KeyTable, Others, Shape};
use torchgen_base::yaml::{Node, NodeKind};

/// What a version of a model uses.
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct ModelRecord {
    pub name: String,
    pub version: String,
    pub asset: String,
    pub md5_hash: String,
    pub root_operators: Vec<String>,
    /// The operators that were seen in a run; none if nobody looked.
    pub traced_operators: Option<Vec<String>>,
    pub train: bool,
    pub kernel_metadata: IndexMap<String, Vec<String>>,
    pub custom_classes: Vec<String>,
    pub build_features: Vec<String>,
}

/// An operator, and those that it calls.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DependencyRecord {
    pub name: String,
    pub depends: Vec<String>,
}

static MODEL_KEYS: KeyTable = KeyTable {
    what: "what a model uses",
    keys: &[
        KeySpec::new("model", Shape::Any, "The model: `name`, `version`, `asset` and `md5_hash`.").required(),
        KeySpec::new("root_operators", Shape::Values, "The operators that it calls.").required(),
        KeySpec::new("traced_operators", Shape::Values, "All operators that ran when it was traced."),
        KeySpec::new("train", Shape::Bool, "Whether it is trained on the device."),
        KeySpec::new("kernel_metadata", Shape::ValueLists, "The dtypes of each kernel that it uses."),
        KeySpec::new("custom_classes", Shape::Values, "The custom classes that it uses."),
        KeySpec::new("build_features", Shape::Values, "The build features that it uses."),
    ],
    others: Others::Ignored,
    misplaced: &[],
    unknown: &codes::UNKNOWN_KEY,
};

static NAME_KEYS: KeyTable = KeyTable {
    what: "a model",
    keys: &[
        KeySpec::new("name", Shape::Any, "Its name.").required(),
        KeySpec::new("version", Shape::Any, "Its version.").required(),
        KeySpec::new("asset", Shape::Any, "The file that it is in.").required(),
        KeySpec::new("md5_hash", Shape::Any, "The hash of that file.").required(),
    ],
    others: Others::Ignored,
    misplaced: &[],
    unknown: &codes::UNKNOWN_KEY,
};

static DEPENDENCY_KEYS: KeyTable = KeyTable {
    what: "an operator of the graph",
    keys: &[
        KeySpec::new("name", Shape::Text, "Its name.").required(),
        KeySpec::new("depends", Shape::Any, "The operators that it calls."),
    ],
    others: Others::Ignored,
    misplaced: &[],
    unknown: &codes::UNKNOWN_KEY,
};

/// The models of a file: one, or a list of them.
pub fn read_models(root: Node, diagnostics: &mut Diagnostics) -> Vec<ModelRecord> {
    let nodes = match root.kind {
        NodeKind::Sequence(items) => items,
        _ if root.is_null() => Vec::new(),
        _ => vec![root],
    };
    nodes.into_iter().filter_map(|node| read_model(node, diagnostics)).collect()
}

fn read_model(node: Node, diagnostics: &mut Diagnostics) -> Option<ModelRecord> {
    let mut fields = Fields::new(node, &MODEL_KEYS, diagnostics)?;
    if !fields.has("root_operators") {
        fields.missing("root_operators", None);
    }
    let Some(model) = fields.take("model") else {
        fields.missing("model", None);
        return None;
    };
    let root_operators = take_strings(&mut fields, "root_operators").unwrap_or_default();
    let traced_operators = take_strings(&mut fields, "traced_operators");
    let train = fields.take_bool("train").is_some_and(|flag| flag.value);
    let kernel_metadata = take_string_lists(&mut fields, "kernel_metadata");
    let [custom_classes, build_features] =
        ["custom_classes", "build_features"].map(|key| take_strings(&mut fields, key).unwrap_or_default());
    let mut fields = Fields::new(model, &NAME_KEYS, diagnostics)?;
    let [name, version, asset, md5_hash] = ["name", "version", "asset", "md5_hash"].map(|key| {
        let value = fields.take(key);
        if value.is_none() {
            fields.missing(key, None);
        }
        value.as_ref().map(python_str)
    });
    Some(ModelRecord {
        name: name?,
        version: version?,
        asset: asset?,
        md5_hash: md5_hash?,
        root_operators,
        traced_operators,
        train,
        kernel_metadata,
        custom_classes,
        build_features,
    })
}

/// The operators of a graph, in order.
pub fn read_dependencies(root: Node, diagnostics: &mut Diagnostics) -> Vec<DependencyRecord> {
    if root.is_null() {
        return Vec::new();
    }
    let nodes = items(root, "the graph of operators", &codes::NOT_A_LIST, diagnostics).unwrap_or_default();
    let read = |node: Node| {
        let (name, depends) = read_dependency(node, diagnostics)?;
        let nodes = depends.and_then(|node| items(node, "`depends`", &codes::WRONG_TYPE, diagnostics));
        let nodes = nodes.unwrap_or_default().into_iter();
        let depends = nodes.filter_map(|node| Some(read_dependency(node, diagnostics)?.0)).collect();
        Some(DependencyRecord { name, depends })
    };
    nodes.into_iter().filter_map(read).collect()
}

fn read_dependency(node: Node, diagnostics: &mut Diagnostics) -> Option<(String, Option<Node>)> {
    let mut fields = Fields::new(node, &DEPENDENCY_KEYS, diagnostics)?;
    if !fields.has("name") {
        fields.missing("name", None);
    }
    let name = fields.take_text("name");
    let depends = fields.take("depends").filter(|node| !node.is_null());
    Some((name?.into_string(), depends))
}

/// The names of a list, made strings.
pub fn read_roots(root: Node, diagnostics: &mut Diagnostics) -> Vec<String> {
    strings(root, "the list of operators", diagnostics).unwrap_or_default()
}
