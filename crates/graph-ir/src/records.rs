//! A graph-ir file as written.
//!
//! Invariant: every value has its place. Only the form of single values is checked.

use crate::codes;
use crate::words::reserved;
use torchgen_base::diag::{Diagnostic, Diagnostics, Span, did_you_mean};
use torchgen_base::lang::cpp::is_keyword;
use torchgen_base::yaml::fields::{self, Fields};
use torchgen_base::yaml::keys::{KeySpec, KeyTable, Others, Shape};
use torchgen_base::yaml::{Node, NodeKind, Resolved, Text, resolve};
use torchgen_kit::ir::{
    ENUM_KEYS, EnumRecord, NameCodes, TYPE_KEYS, TypeRecord, check_identifier, read_enums, read_types,
};

mod rules;

use rules::{read_methods, read_verify};

/// The head of a file.
pub(crate) static FILE_KEYS: KeyTable = KeyTable {
    what: "a graph-ir file",
    keys: &[
        KeySpec::new("family", Shape::Word(&["graph-ir"]), "The family of the file: `graph-ir`.").required(),
        KeySpec::new(
            "kind",
            Shape::Word(&["nodes", "instructions"]),
            "The kind of all entries, if they are of one kind.",
        ),
        KeySpec::new("namespace", Shape::Text, "The C++ namespace. Set it in one of the files."),
        KeySpec::new("serial_prefix", Shape::Text, "The prefix of the names of nodes in files; `Glow_` by default."),
        KeySpec::new("include", Shape::Texts, "Headers that the generated headers include."),
        KeySpec::new("verification", Shape::Texts, "Files that the generated sources include at their end."),
        KeySpec::new(
            "declare",
            Shape::Any,
            "Classes that you write, and that need a kind: `nodes`, `instructions`, `values`.",
        ),
        KeySpec::new("enums", Shape::Named(&ENUM_KEYS), "Enumerations that members can have as types."),
        KeySpec::new("types", Shape::Named(&TYPE_KEYS), "C++ types that members can have."),
        KeySpec::new("ops", Shape::Entries(&OP_KEYS), "Nodes and instructions."),
    ],
    others: Others::Refused,
    misplaced: &[],
    unknown: &codes::UNKNOWN_KEY,
};

/// A node or an instruction.
pub(crate) static OP_KEYS: KeyTable = KeyTable {
    what: "a record",
    keys: &[
        KeySpec::new("node", Shape::Text, "The schema of a node."),
        KeySpec::new("instr", Shape::Text, "The schema of an instruction."),
        KeySpec::new("doc", Shape::Text, "What it computes."),
        KeySpec::new("gradient", Shape::Any, "`true`, `custom`, or for instructions `{original: [...], grad: [...]}`."),
        KeySpec::new("data_parallel", Shape::Bool, "Whether each element is computed independently of the others."),
        KeySpec::new("side_effects", Shape::Bool, "Whether it has effects other than its results."),
        KeySpec::new("extra_results", Shape::Bool, "Whether results can be added after construction."),
        KeySpec::new("fused_activation", Shape::Bool, "Whether it applies an activation to its result."),
        KeySpec::new("backend_specific", Shape::Bool, "Whether it belongs to a single backend."),
        KeySpec::new("memory", Shape::Bool, "Whether other instructions can take its value as an operand."),
        KeySpec::new("modes", Shape::Texts, "The values of its enumeration `Mode`."),
        KeySpec::new("setters", Shape::Texts, "Members, and operands of instructions, that get a setter."),
        KeySpec::new("overwrites", Shape::Texts, "Inputs that it writes."),
        KeySpec::new("skip", Shape::WordList(&SKIPS), "Parts that are not generated."),
        KeySpec::new("same_type_as", Shape::Any, "Results that have the type of an input."),
        KeySpec::new(
            "infer",
            Shape::Any,
            "Results whose type a factory method finds: an input, or `like`, `element` and `shape`.",
        ),
        KeySpec::new("verify", Shape::Any, "Rules, `none`, or `custom` for a method that you write."),
        KeySpec::new("methods", Shape::Entries(&METHOD_KEYS), "Methods that you add to the class."),
        KeySpec::new("operand_order", Shape::Texts, "The order of operands; by default results, then parameters."),
        KeySpec::new("scratch", Shape::Texts, "Operands that the builder allocates."),
        KeySpec::new("scratch_size", Shape::Any, "C++ expressions for the sizes of scratch operands in bytes."),
        KeySpec::new("type", Shape::Text, "The operand or member that determines the instruction's type."),
        KeySpec::new("from_node", Shape::Text, "The node that is lowered to this instruction."),
        KeySpec::new("rename", Shape::Any, "Parts of the instruction that have another name in the node."),
        KeySpec::new("drop", Shape::Texts, "Parts of the node that the instruction does not use."),
        KeySpec::new("convert", Shape::Texts, "Members that have another number type in the node."),
    ],
    others: Others::Refused,
    misplaced: &[
        ("func", "a record begins with `node:` or `instr:`"),
        ("members", "members are keyword-only parameters of the schema, after `*`"),
        ("inplace", "memory is reused by alias sets: `(Tensor(a) Src) -> Tensor(a) Dest`"),
    ],
    unknown: &codes::UNKNOWN_KEY,
};

static METHOD_KEYS: KeyTable = KeyTable {
    what: "a method",
    keys: &[
        KeySpec::new("decl", Shape::Text, "Its declaration, in the class.").required(),
        KeySpec::new("define", Shape::Text, "Its definition, in the source file."),
        KeySpec::new("gradient", Shape::Bool, "Whether the gradient class also has it."),
    ],
    others: Others::Refused,
    misplaced: &[],
    unknown: &codes::UNKNOWN_KEY,
};

const NAME_CODES: NameCodes = NameCodes { malformed: &codes::IR_NAME, reserved: &codes::IR_RESERVED_WORD };

/// One file.
#[derive(Debug, Default)]
pub(crate) struct FileRecord {
    pub namespace: Option<Text>,
    pub(crate) serial_prefix: Option<Text>,
    pub(crate) includes: Vec<Text>,
    pub(crate) verification: Vec<Text>,
    pub(crate) declared_nodes: Vec<Text>,
    pub(crate) declared_instructions: Vec<Text>,
    pub(crate) declared_values: Vec<Text>,
    pub(crate) enums: Vec<EnumRecord>,
    pub(crate) types: Vec<TypeRecord>,
    pub(crate) ops: Vec<OpRecord>,
}

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
    pub(crate) setters: Vec<Text>,
    pub(crate) overwrites: Vec<Text>,
    pub(crate) skip: Vec<Text>,
    pub(crate) same_type_as: Vec<(Text, Text)>,
    pub(crate) infer: Vec<InferRecord>,
    pub verify: VerifyRecord,
    pub(crate) methods: Vec<MethodRecord>,
    pub(crate) operand_order: Option<(Vec<Text>, Span)>,
    pub(crate) scratch: Vec<Text>,
    pub(crate) scratch_size: Vec<(Text, Text)>,
    pub ty: Option<Text>,
    pub(crate) from_node: Option<Text>,
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

/// What `verify:` says.
#[derive(Debug, Default)]
pub(crate) enum VerifyRecord {
    /// Nothing.
    #[default]
    Absent,
    /// `none`
    Nothing,
    /// `custom`
    ByHand,
    /// A list of rules.
    Rules(Vec<RuleRecord>),
}

/// A rule: a word, and what it is about.
#[derive(Debug)]
pub(crate) struct RuleRecord {
    pub(crate) word: Text,
    pub(crate) terms: Vec<Text>,
    pub message: Option<Text>,
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

/// An entry of `methods:`.
#[derive(Debug, Clone)]
pub(crate) struct MethodRecord {
    pub(crate) decl: Text,
    pub(crate) define: Option<Text>,
    pub(crate) gradient: Option<bool>,
}

/// Reads a file. What is wrong with it is reported.
pub(crate) fn read(root: Node, diagnostics: &mut Diagnostics) -> FileRecord {
    let mut record = FileRecord::default();
    let Some(mut fields) = Fields::new(root, &FILE_KEYS, diagnostics) else { return record };
    match fields.take_text("family") {
        Some(family) if family.as_str() == "graph-ir" => {}
        Some(family) => {
            let message = format!("`{family}` is not the family of this command");
            let error = Diagnostic::new(&codes::IR_HEAD, message).at(family.span());
            fields.diagnostics().push(error.help("write `family: graph-ir`"));
        }
        None => fields.missing("family", Some("write `family: graph-ir`")),
    }
    let kind = fields.take_text("kind");
    record.namespace = fields.take_text("namespace");
    record.serial_prefix = fields.take_text("serial_prefix");
    record.includes = fields.take_texts("include").map(|texts| texts.value).unwrap_or_default();
    record.verification = fields.take_texts("verification").map(|texts| texts.value).unwrap_or_default();
    if let Some(declare) = fields.take("declare") {
        read_declare(declare, &mut record, fields.diagnostics());
    }
    if let Some(enums) = fields.take("enums") {
        record.enums = read_enums(enums, NAME_CODES, fields.diagnostics());
    }
    if let Some(types) = fields.take("types") {
        record.types = read_types(types, NAME_CODES, fields.diagnostics());
    }
    if let Some(ops) = fields.take("ops") {
        let entries = fields::items(ops, "`ops`", &codes::IR_HEAD, fields.diagnostics()).unwrap_or_default();
        let wanted = kind.as_ref().map(|kind| kind.as_str() == "nodes");
        record.ops = entries.into_iter().filter_map(|entry| read_op(entry, wanted, fields.diagnostics())).collect();
    }
    if let Some(kind) = kind
        && !matches!(kind.as_str(), "nodes" | "instructions")
    {
        let error = Diagnostic::new(&codes::IR_HEAD, format!("`{kind}` is not a kind of records")).at(kind.span());
        fields.diagnostics().push(error.help("write `nodes` or `instructions`, or leave the key out"));
    }
    fields.finish();
    record
}

/// Reports what cannot be a name in C++, and what is listed twice.
fn names_of_cpp(names: &[Text], diagnostics: &mut Diagnostics) {
    for (at, name) in names.iter().enumerate() {
        check_identifier(name, NAME_CODES, diagnostics);
        if let Some(why) = reserved(name.as_str()).filter(|_| !is_keyword(name.as_str())) {
            let error = Diagnostic::new(&codes::IR_RESERVED_WORD, format!("`{name}` {why}")).at(name.span());
            diagnostics.push(error.help("choose another name"));
        }
        if let Some(first) = names[..at].iter().find(|other| other.as_str() == name.as_str()) {
            let error = Diagnostic::new(&codes::IR_DUPLICATE, format!("`{name}` is listed twice")).at(name.span());
            diagnostics.push(error.also(first.span(), "first here").help("delete one of them"));
        }
    }
}

fn read_declare(node: Node, record: &mut FileRecord, diagnostics: &mut Diagnostics) {
    let NodeKind::Mapping(pairs) = node.kind else {
        let error = Diagnostic::new(&codes::IR_HEAD, "`declare` must be a mapping").at(node.span);
        diagnostics.push(error.help("write `declare: {nodes: [...], instructions: [...], values: [...]}`"));
        return;
    };
    for (key, value) in pairs {
        let Some(key) = fields::text(key, "a key of `declare`", diagnostics) else { continue };
        let names = fields::texts(value, key.as_str(), diagnostics).map(|texts| texts.value).unwrap_or_default();
        names_of_cpp(&names, diagnostics);
        match key.as_str() {
            "nodes" => record.declared_nodes = names,
            "instructions" => record.declared_instructions = names,
            "values" => record.declared_values = names,
            other => diagnostics.push(
                Diagnostic::new(&codes::IR_HEAD, format!("`{other}` cannot be declared"))
                    .at(key.span())
                    .maybe_help(did_you_mean(other, ["nodes", "instructions", "values"])),
            ),
        }
    }
}

fn read_op(entry: Node, wanted: Option<bool>, diagnostics: &mut Diagnostics) -> Option<OpRecord> {
    let mut fields = Fields::new(entry, &OP_KEYS, diagnostics)?;
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
        fields.diagnostics().push(error.help("move it to another file, or remove `kind:` from the head"));
    }
    let mut texts = |key: &str| fields.take_texts(key).map(|texts| texts.value).unwrap_or_default();
    let [modes, setters, overwrites, skip, scratch, drop, convert] =
        ["modes", "setters", "overwrites", "skip", "scratch", "drop", "convert"].map(&mut texts);
    names_of_cpp(&modes, fields.diagnostics());
    names_of_cpp(&scratch, fields.diagnostics());
    for word in skip.iter().filter(|word| !SKIPS.contains(&word.as_str())) {
        let error = Diagnostic::new(&codes::UNKNOWN_KEY, format!("`skip` cannot leave out `{word}`")).at(word.span());
        let nearest = did_you_mean(word.as_str(), SKIPS);
        let help = nearest.unwrap_or_else(|| format!("`skip` can name `{}`", SKIPS.join("`, `")));
        fields.diagnostics().push(error.help(help));
    }
    let mut flag = |key: &str| fields.take_bool(key).is_some_and(|flag| flag.value);
    let [data_parallel, side_effects, extra_results, fused_activation, backend_specific, memory] =
        ["data_parallel", "side_effects", "extra_results", "fused_activation", "backend_specific", "memory"]
            .map(&mut flag);
    let operand_order = fields.take_texts("operand_order").map(|texts| (texts.value, texts.span));
    let [doc, ty, from_node] = ["doc", "type", "from_node"].map(|key| fields.take_text(key));
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
        setters,
        overwrites,
        skip,
        same_type_as,
        infer,
        verify,
        methods,
        operand_order,
        scratch,
        scratch_size,
        ty,
        from_node,
        rename,
        drop,
        convert,
    })
}

/// What `skip:` may leave out.
const SKIPS: [&str; 4] = ["serialization", "debug", "visitor", "hash"];

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
