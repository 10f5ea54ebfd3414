//! Entries of `ops:`: nodes and instructions.
//!
//! Invariant: an entry is read to its end, so that all its errors are reported.

use super::keys::{OP_KEYS, SKIPS};
use super::rules::{MethodRecord, VerifyRecord, read_methods, read_verify};
use super::{check_words, names_of_cpp};
use crate::codes;
use torchgen_base::diag::{Diagnostic, Diagnostics, Span, did_you_mean};
use torchgen_base::yaml::fields::{self, Fields};
use torchgen_base::yaml::{Node, NodeKind, Resolved, Text, resolve};

/// One entry of `ops:`.
#[derive(Debug)]
pub(crate) struct OpRecord {
    /// Whether it is a node.
    pub(crate) is_node: bool,
    pub schema: Text,
    pub(crate) doc: Option<Text>,
    pub(crate) gradient: Option<GradientRecord>,
    pub(crate) data_parallel: bool,
    pub(crate) side_effects: bool,
    pub(crate) extra_results: bool,
    pub(crate) fused_activation: bool,
    pub(crate) backend_specific: bool,
    pub(crate) memory: bool,
    pub(crate) modes: Vec<Text>,
    pub(crate) commutative: Vec<Text>,
    pub(crate) setters: Vec<Text>,
    pub(crate) overwrites: Vec<Text>,
    pub(crate) skip: Vec<Text>,
    pub(crate) same_type_as: Vec<(Text, Text)>,
    pub(crate) infer: Vec<InferRecord>,
    pub verify: VerifyRecord,
    pub(crate) methods: Vec<MethodRecord>,
    pub(crate) traits: Vec<Text>,
    pub(crate) operand_order: Option<(Vec<Text>, Span)>,
    pub(crate) scratch: Vec<Text>,
    pub(crate) scratch_size: Vec<(Text, Text)>,
    pub ty: Option<Text>,
    pub(crate) from_node: Option<Text>,
    pub(crate) fold: Option<Text>,
    pub(crate) rename: Vec<(Text, Text)>,
    pub(crate) drop: Vec<Text>,
    pub(crate) convert: Vec<Text>,
}

/// What `gradient:` says.
#[derive(Debug)]
pub(crate) enum GradientRecord {
    /// `true`
    Made(Span),
    /// `custom`
    ByHand(Span),
    /// `{original: [...], grad: [...]}`
    Of { original: Vec<Text>, grad: Vec<Text>, span: Span },
}

/// An entry of `infer:`.
#[derive(Debug)]
pub(crate) struct InferRecord {
    pub(crate) result: Text,
    pub(crate) like: Text,
    pub element: Option<Text>,
    /// The expression of the dimensions.
    pub(crate) shape: Option<Text>,
}

/// Reads an entry of `ops:`; `wanted` is whether the file is of nodes, if it says that.
pub(super) fn read_op(entry: Node, wanted: Option<bool>, diagnostics: &mut Diagnostics) -> Option<OpRecord> {
    let mut fields = Fields::new(entry, &OP_KEYS, diagnostics)?;
    let head = read_head(wanted, &mut fields);
    let mut texts = |key: &str| fields.take_texts(key).map(|texts| texts.value).unwrap_or_default();
    let [modes, setters, overwrites, skip, scratch, drop, convert, commutative, traits] =
        ["modes", "setters", "overwrites", "skip", "scratch", "drop", "convert", "commutative", "traits"]
            .map(&mut texts);
    names_of_cpp(&modes, fields.diagnostics());
    names_of_cpp(&scratch, fields.diagnostics());
    check_skips(&skip, fields.diagnostics());
    let mut flag = |key: &str| fields.take_bool(key).is_some_and(|flag| flag.value);
    let [data_parallel, side_effects, extra_results, fused_activation, backend_specific, memory] =
        ["data_parallel", "side_effects", "extra_results", "fused_activation", "backend_specific", "memory"]
            .map(&mut flag);
    let operand_order = fields.take_texts("operand_order").map(|texts| (texts.value, texts.span));
    let [doc, ty, from_node, fold] = ["doc", "type", "from_node", "fold"].map(|key| fields.take_text(key));
    let mut map = |key: &str| {
        let node = fields.take(key);
        let read = node.and_then(|node| fields::text_map(node, key, fields.diagnostics()));
        read.map(|map| map.value).unwrap_or_default()
    };
    let [same_type_as, scratch_size, rename] = ["same_type_as", "scratch_size", "rename"].map(&mut map);
    let infer = fields.take("infer").map(|node| read_infer(node, fields.diagnostics())).unwrap_or_default();
    let gradient = fields.take("gradient").and_then(|node| read_gradient(node, fields.diagnostics()));
    let verify = fields.take("verify").map(|node| read_verify(node, fields.diagnostics())).unwrap_or_default();
    let methods = fields.take("methods").map(|node| read_methods(node, fields.diagnostics())).unwrap_or_default();
    fields.finish();
    let (is_node, schema) = head?;
    Some(OpRecord {
        is_node,
        schema,
        doc,
        gradient,
        data_parallel,
        side_effects,
        extra_results,
        fused_activation,
        backend_specific,
        memory,
        modes,
        commutative,
        setters,
        overwrites,
        skip,
        same_type_as,
        infer,
        verify,
        methods,
        traits,
        operand_order,
        scratch,
        scratch_size,
        ty,
        from_node,
        fold,
        rename,
        drop,
        convert,
    })
}

/// Whether a key that does not exist has a schema.
fn is_misnamed((key, value): &(Node, Node)) -> bool {
    let known = |name: &str| OP_KEYS.keys.iter().any(|spec| spec.name == name);
    let has_schema = value.as_text().is_some_and(|text| text.as_str().contains("->"));
    has_schema && key.as_text().is_some_and(|name| !known(name.as_str()))
}

/// The schema of a record, and whether it is that of a node.
fn read_head(wanted: Option<bool>, fields: &mut Fields) -> Option<(bool, Text)> {
    let node_key = fields.key_span("node");
    let instr_key = fields.key_span("instr");
    let (node, instr) = (fields.take_text("node"), fields.take_text("instr"));
    let place = fields.first_key();
    let head = match (node_key, instr_key) {
        (Some(_), None) => node.map(|schema| (true, schema)),
        (None, Some(_)) => instr.map(|schema| (false, schema)),
        (Some(_), Some(span)) => {
            let error = Diagnostic::new(&codes::IR_RECORD, "a record is either a node or an instruction").at(span);
            fields.diagnostics().push(error.help("make two records of it"));
            None
        }
        // The key is an error by itself.
        (None, None) if fields.rest().any(is_misnamed) => None,
        (None, None) => {
            let error = Diagnostic::new(&codes::IR_RECORD, "a record begins with `node:` or `instr:`").at(place);
            fields.diagnostics().push(error.help("write `- node: Add(Tensor LHS, Tensor RHS) -> Tensor Result`"));
            None
        }
    };
    if let (Some((is_node, _)), Some(wanted)) = (&head, wanted)
        && *is_node != wanted
    {
        let (is, files) = if *is_node { ("a node", "instructions") } else { ("an instruction", "nodes") };
        let message = format!("{is} in a file of {files}");
        let error = Diagnostic::new(&codes::IR_RECORD, message).at(node_key.or(instr_key).unwrap_or(place));
        fields.diagnostics().push(error.help("move it to another file, or remove `kind:` at the top of the file"));
    }
    head
}

/// Reports what `skip:` cannot leave out.
fn check_skips(skip: &[Text], diagnostics: &mut Diagnostics) {
    let wrong = |word: &Text| Diagnostic::new(&codes::UNKNOWN_KEY, format!("`skip` cannot leave out `{word}`"));
    check_words(skip, &SKIPS, wrong, "`skip` can name", diagnostics);
}

/// What says how a type is inferred.
const INFER_KEYS: [&str; 3] = ["like", "element", "shape"];

fn read_infer(node: Node, diagnostics: &mut Diagnostics) -> Vec<InferRecord> {
    let NodeKind::Mapping(pairs) = node.kind else {
        diagnostics.push(Diagnostic::new(&codes::WRONG_TYPE, "`infer` must be a mapping from results").at(node.span));
        return Vec::new();
    };
    let mut records = Vec::new();
    for (key, value) in pairs {
        let Some(result) = fields::text(key, "a key of `infer`", diagnostics) else { continue };
        if !matches!(value.kind, NodeKind::Mapping(_)) {
            let like = fields::text(value, format_args!("`{result}`"), diagnostics);
            records.extend(like.map(|like| InferRecord { result, like, element: None, shape: None }));
            continue;
        }
        let span = value.span;
        let parts = fields::text_map(value, result.as_str(), diagnostics).map(|map| map.value).unwrap_or_default();
        for (key, _) in parts.iter().filter(|(key, _)| !INFER_KEYS.contains(&key.as_str())) {
            diagnostics.push(
                Diagnostic::new(&codes::UNKNOWN_KEY, format!("an inferred type has no key `{key}`"))
                    .at(key.span())
                    .maybe_help(did_you_mean(key.as_str(), INFER_KEYS)),
            );
        }
        let part = |name: &str| parts.iter().find(|(key, _)| key.as_str() == name).map(|(_, value)| value.clone());
        if let Some(empty) = part("shape").filter(|shape| shape.as_str().trim().is_empty()) {
            let error = Diagnostic::new(&codes::WRONG_TYPE, "`shape` is empty").at(empty.span());
            diagnostics.push(error.help("write a C++ expression for the dimensions"));
        }
        match part("like") {
            Some(like) => {
                records.push(InferRecord { result, like, element: part("element"), shape: part("shape") });
            }
            None => diagnostics.push(
                Diagnostic::new(&codes::MISSING_KEY, "an inferred type needs the key `like`")
                    .at(span)
                    .help("name an input: `{like: LHS, element: BoolTy}`"),
            ),
        }
    }
    records
}

fn read_gradient(node: Node, diagnostics: &mut Diagnostics) -> Option<GradientRecord> {
    let span = node.span;
    match resolve(&node) {
        Resolved::Bool(true) => return Some(GradientRecord::Made(span)),
        Resolved::Bool(false) => return None,
        Resolved::Str if node.as_text().is_some_and(|text| text.as_str() == "custom") => {
            return Some(GradientRecord::ByHand(span));
        }
        _ => {}
    }
    if let NodeKind::Mapping(pairs) = node.kind {
        let (mut original, mut grad) = (Vec::new(), Vec::new());
        for (key, value) in pairs {
            let Some(key) = fields::text(key, "a key of `gradient`", diagnostics) else { continue };
            let names = fields::texts(value, key.as_str(), diagnostics).map(|texts| texts.value).unwrap_or_default();
            match key.as_str() {
                "original" => original = names,
                "grad" => grad = names,
                other => diagnostics.push(
                    Diagnostic::new(&codes::UNKNOWN_KEY, format!("a gradient has no key `{other}`"))
                        .at(key.span())
                        .maybe_help(did_you_mean(other, ["original", "grad"])),
                ),
            }
        }
        return Some(GradientRecord::Of { original, grad, span });
    }
    let error = Diagnostic::new(&codes::WRONG_TYPE, "`gradient` must be `true`, `custom` or a mapping").at(span);
    diagnostics.push(error);
    None
}
