//! Reads `derivatives.yaml` into one record per entry, with every formula as written.
//!
//! Invariant: a record has formulas by key and input, each with its place; an entry without
//! `dispatch:` has one set of them, for every key. `api::autograd` checks operators, inputs, keys
//! and formulas. Rule: torchgen/packaged/autograd/load_derivatives.py.

use serde::Serialize;

use super::vocabulary;
use crate::codes;
use torchgen_base::diag::{Diagnostic, Diagnostics, Span, meant, nearest};
use torchgen_base::yaml::fields::{self, Fields, KeySpec, KeyTable, Others, Shape, Spanned, items};
use torchgen_base::yaml::{Node, NodeKind, Resolved, Text, resolve};

/// One entry as written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DerivativeRecord {
    /// The first key of the entry, where messages about the whole entry point.
    #[serde(skip)]
    pub span: Span,
    /// The operator's schema.
    pub name: Text,
    /// Functions of Python that formulas call, as `module:function`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub python: Vec<Text>,
    /// Whether each output is differentiable.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output_differentiability: Option<Spanned<Vec<OutputDifferentiability>>>,
    /// Whether the formulas hold for complex tensors.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub complex_gradients: Option<bool>,
    /// The formulas for each key.
    pub formulas: Vec<KeyedFormulas>,
}

/// An item of `output_differentiability:`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum OutputDifferentiability {
    /// Always or never.
    Fixed(bool),
    /// When a C++ condition holds.
    Condition(Text),
}

/// The formulas for one key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct KeyedFormulas {
    /// The key of `dispatch:`; `None` for an entry without `dispatch:`, which is the same as
    /// `Default`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key: Option<Text>,
    /// The formulas, in the order of the file.
    pub formulas: Vec<FormulaRecord>,
}

/// One formula.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FormulaRecord {
    /// Its inputs or outputs, as written: `self, other`.
    pub raw_names: Text,
    /// The same, one by one.
    pub names: Vec<Text>,
    /// The formula.
    pub formula: Text,
}

impl DerivativeRecord {
    /// The condition under which the only output is differentiable.
    pub fn condition(&self) -> Option<&Text> {
        match self.output_differentiability.as_ref()?.value.as_slice() {
            [OutputDifferentiability::Condition(condition)] => Some(condition),
            _ => None,
        }
    }
}

/// The keys of an entry. Every other key is the name of an input or an output.
pub(crate) static KEYS: KeyTable = KeyTable {
    what: "a derivative",
    keys: &[
        KeySpec::new("name", Shape::Text, "The complete schema of the operator, with the names that the formulas use.")
            .required(),
        KeySpec::new(
            "output_differentiability",
            Shape::BoolsAndTexts,
            "Which outputs are differentiable: True, False, or a C++ condition.",
        )
        .nullable(),
        KeySpec::new(
            "complex_gradients",
            Shape::Bool,
            "In a library, whether the formulas hold for complex tensors too; without it, a complex tensor that requires a gradient raises an error.",
        ),
        KeySpec::new(
            "dispatch",
            Shape::MapOfMaps(vocabulary::autograd_keys),
            "Formulas that differ by dispatch key; `Default` applies to the other keys.",
        ),
        KeySpec::new(
            "python",
            Shape::TextOrTexts(Vec::new),
            "On the stable ABI, Python functions that formulas call by their names: `.formulas:helper` is `helper` of a module of the library's package.",
        ),
    ],
    others: Others::Texts {
        doc: "The formula of an input's gradient, or of an output's forward gradient.",
        examples: &["non_differentiable", "auto_element_wise", "auto_linear"],
    },
    misplaced: &[],
    unknown: &codes::UNKNOWN_KEY,
};

/// The entries of a file, in order. Bad entries are reported and left out; bad values are reported
/// and left out of their entries.
pub fn read_derivatives(root: Node, diagnostics: &mut Diagnostics) -> Vec<DerivativeRecord> {
    // An author may begin with an empty file.
    if root.is_null() {
        return Vec::new();
    }
    let entries = items(root, "the list of derivatives", &codes::NOT_A_LIST, diagnostics).unwrap_or_default();
    entries.into_iter().filter_map(|entry| read_entry(entry, diagnostics)).collect()
}

fn read_entry(entry: Node, diagnostics: &mut Diagnostics) -> Option<DerivativeRecord> {
    let mut fields = Fields::new(entry, &KEYS, diagnostics)?;
    let span = fields.first_key();
    if !fields.has("name") && flat(&mut fields) {
        return None;
    }
    if !fields.has("name") {
        let error = nameless(&fields);
        fields.diagnostics().push(error);
    }
    let name = fields.take_text("name");
    let output_differentiability = take_output_differentiability(&mut fields);
    let python = fields.take_text_or_texts("python").map(|texts| texts.value).unwrap_or_default();
    let complex_gradients = fields.take_bool("complex_gradients").map(|flag| flag.value);
    let has_dispatch = fields.has("dispatch");
    // Rule: torchgen/packaged/autograd/load_derivatives.py, `load_derivatives`: an empty list
    // counts as absent where there is no `dispatch:`.
    let output_differentiability = output_differentiability.filter(|list| has_dispatch || !list.value.is_empty());
    let dispatch = fields.take("dispatch");
    let rest = fields.take_rest();
    let formulas = if has_dispatch {
        for (name, _) in &rest {
            ignored(name, diagnostics);
        }
        by_key(dispatch, diagnostics)
    } else {
        vec![KeyedFormulas { key: None, formulas: read_formulas(rest, diagnostics) }]
    };
    Some(DerivativeRecord { span, name: name?, python, output_differentiability, complex_gradients, formulas })
}

/// Reports `- f(Tensor x) -> Tensor:` with the formulas below it.
fn flat(fields: &mut Fields<'_>) -> bool {
    let Some((first, value)) = fields.rest().next() else { return false };
    let Some(name) = first.as_text().filter(|name| name.as_str().contains("->")) else { return false };
    if !(value.is_null() || matches!(value.kind, NodeKind::Mapping(_))) {
        return false;
    }
    let message = format!("`{name}` is written as a key, but a derivative starts with `name:`");
    let error = Diagnostic::new(&codes::FLAT_ENTRY, message).at(first.span);
    let help = format!("write `- name: {name}`, and the formulas below it");
    fields.diagnostics().push(error.help(help));
    true
}

/// An entry without `name:`, which may be misspelt: any other key is the name of a formula.
fn nameless(fields: &Fields<'_>) -> Diagnostic {
    let keys = fields.rest().filter_map(|(key, _)| key.as_text());
    let near = |key: &&Text| nearest(key, ["name"]).is_some();
    let error = Diagnostic::new(&codes::MISSING_KEY, "a derivative needs the key `name`");
    let named = fields.rest().find(|(_, value)| value.as_text().is_some_and(|text| text.as_str().contains("->")));
    match keys.into_iter().find(near).or_else(|| named.and_then(|(key, _)| key.as_text())) {
        Some(key) => error.at(key.span()).help(meant(key, "name").certainly()),
        None => error.at(fields.first_key()).help("write `name:` with the operator's whole schema"),
    }
}

/// Reports a formula beside `dispatch:`, which the reference silently drops.
fn ignored(name: &Node, diagnostics: &mut Diagnostics) {
    let shown = name.as_text().map_or("", |text| text.as_str());
    diagnostics.push(
        Diagnostic::new(&codes::IGNORED_FORMULA, format!("the formula for `{shown}` is beside `dispatch:`"))
            .at(name.span)
            .help("move it below a key of `dispatch:`, such as `Default`"),
    );
}

fn take_output_differentiability(fields: &mut Fields<'_>) -> Option<Spanned<Vec<OutputDifferentiability>>> {
    let node = fields.take("output_differentiability")?;
    let span = node.span;
    if let (Resolved::Bool(_), Some(text)) = (resolve(&node), node.as_text()) {
        let error = fields::wrong_type(&node, "`output_differentiability`", "a list").help(format!("write `[{text}]`"));
        fields::refuse(&node, error, fields.diagnostics());
        return None;
    }
    let list = items(node, "`output_differentiability`", &codes::WRONG_TYPE, fields.diagnostics())?;
    let mut value = Vec::with_capacity(list.len());
    for item in list {
        match (resolve(&item), item.kind) {
            (Resolved::Bool(fixed), _) => value.push(OutputDifferentiability::Fixed(fixed)),
            (Resolved::Str, NodeKind::Scalar(text)) => value.push(OutputDifferentiability::Condition(text)),
            (_, kind) => {
                let item = Node { span: item.span, tag: item.tag, kind };
                let what = "an item of `output_differentiability`";
                let error = fields::wrong_type(&item, what, "`True`, `False` or a condition");
                fields::refuse(&item, error, fields.diagnostics());
            }
        }
    }
    Some(Spanned { value, span })
}

fn by_key(dispatch: Option<Node>, diagnostics: &mut Diagnostics) -> Vec<KeyedFormulas> {
    let mut keyed = Vec::new();
    for (key, node) in dispatch.and_then(|node| pairs(node, "`dispatch`", diagnostics)).unwrap_or_default() {
        let Some(key) = fields::text(key, "a key of `dispatch`", diagnostics) else { continue };
        let what = format!("the value of `{key}` in `dispatch`");
        let formulas = pairs(node, &what, diagnostics).map(|rest| read_formulas(rest, diagnostics));
        keyed.push(KeyedFormulas { key: Some(key), formulas: formulas.unwrap_or_default() });
    }
    keyed
}

fn pairs(node: Node, what: &str, diagnostics: &mut Diagnostics) -> Option<Vec<(Node, Node)>> {
    match node.kind {
        NodeKind::Mapping(pairs) => Some(pairs),
        kind => {
            let node = Node { kind, ..node };
            fields::refuse(&node, fields::wrong_type(&node, what, "a mapping"), diagnostics);
            None
        }
    }
}

fn read_formulas(pairs: Vec<(Node, Node)>, diagnostics: &mut Diagnostics) -> Vec<FormulaRecord> {
    let read = |(names, formula)| {
        let raw_names = fields::text(names, "the name of an input or output", diagnostics);
        let what = raw_names.as_ref().map_or("a formula".to_owned(), |names| format!("the formula for `{names}`"));
        let formula = fields::text(formula, &what, diagnostics);
        let (raw_names, formula) = raw_names.zip(formula)?;
        let names = raw_names.split(",").iter().map(Text::trim).collect();
        Some(FormulaRecord { raw_names, names, formula })
    };
    pairs.into_iter().filter_map(read).collect()
}
