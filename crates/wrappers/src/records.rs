//! Reads a backend's YAML: its functions, and an entry for each operator that it serves.
//!
//! Invariant: all wrong keys and values of a file are reported. Schema strings, arguments and
//! expressions are checked later.

use std::path::{Path, PathBuf};

use super::codes;
use torchgen_base::diag::{Diagnostic, Diagnostics, Span, codes as shared};
use torchgen_base::yaml::fields::{self, Fields, KeySpec, KeyTable, Others, Shape, Spanned};
use torchgen_base::yaml::keys::MapKeys;
use torchgen_base::yaml::{Node, NodeKind, Text};
use torchgen_kit::driver::request::{Document, Request};
use torchgen_kit::driver::{JobError, Session};
use torchgen_kit::header::included;

/// A path of the YAML, relative to it.
pub(super) fn beside(yaml: &Path, text: &Text) -> PathBuf {
    yaml.parent().unwrap_or(Path::new("")).join(text.as_str())
}

/// Keys that are names of arguments or parameters.
const NAMES: MapKeys = MapKeys { words: Vec::new, offered: Vec::new };

/// The keys of a document.
pub(super) static DOCUMENT: KeyTable = KeyTable {
    what: "a file of wrappers",
    keys: &[
        KeySpec::new("family", Shape::Word(&["wrappers"]), "`wrappers`.").required(),
        KeySpec::new("name", Shape::Identifier, "The backend's name: the prefix of files and functions.").required(),
        KeySpec::new("namespace", Shape::Text, "The C++ namespace of generated code, if not the name."),
        KeySpec::new("api", Shape::Text, "The C++ namespace of the backend's graph API, if not `<namespace>::api`."),
        KeySpec::new("dispatch_key", Shape::Identifier, "The dispatch key; `PrivateUse1` by default."),
        KeySpec::new("include", Shape::Texts, "The headers of the backend's graph API."),
        KeySpec::new("native_functions", Shape::Text, "PyTorch's native_functions.yaml, relative to this file."),
        KeySpec::new("declarations", Shape::Text, "Declarations.yaml, in place of native_functions.yaml."),
        KeySpec::new("registration", Shape::Text, "RegistrationDeclarations.h, which belongs to Declarations.yaml."),
        KeySpec::new("coverage_min", Shape::Any, "How many operators must have code."),
        KeySpec::new("body", Shape::Text, "A C++ file that generated code is inserted into."),
        KeySpec::new(
            "contiguous",
            Shape::Word(&["all", "none"]),
            "Which inputs are made contiguous first; `all` by default.",
        ),
        KeySpec::new("functions", Shape::Entries(&FUNCTION), "The functions of the backend's graph API."),
        KeySpec::new("ops", Shape::Entries(&ENTRY), "The operators that the backend serves."),
        KeySpec::new(
            "legacy",
            Shape::Keys(&LEGACY),
            "Inputs of torch_spyre's generator, in place of `functions` and `ops`.",
        ),
    ],
    others: Others::Refused,
    misplaced: &[
        ("op", "operators are entries of the list `ops:`"),
        ("fn", "functions are entries of the list `functions:`"),
        ("backend", "the backend's name is the value of `name:`"),
    ],
    unknown: &shared::UNKNOWN_KEY,
};

/// The keys of a function.
pub(super) static FUNCTION: KeyTable = KeyTable {
    what: "a function of the backend",
    keys: &[
        KeySpec::new("fn", Shape::Text, "Its schema, such as `Clip(Tensor x, float min, float max) -> Tensor`.")
            .required(),
        KeySpec::new("cpu", Shape::Text, "A C++ expression that computes it on CPU tensors, for `--mock`."),
        KeySpec::new("doc", Shape::Text, "What it does."),
    ],
    others: Others::Refused,
    misplaced: &[],
    unknown: &shared::UNKNOWN_KEY,
};

/// The keys of an entry.
pub(super) static ENTRY: KeyTable = KeyTable {
    what: "an entry of `ops:`",
    keys: &[
        KeySpec::new(
            "op",
            Shape::Text,
            "`add` for all overloads, `add.Tensor` for one, `relu.default` for the one without a name.",
        )
        .required(),
        KeySpec::new("call", Shape::Text, "The function of the backend that computes it."),
        KeySpec::new("map", Shape::Map(NAMES), "Parameters and the arguments that they take."),
        KeySpec::new("extra", Shape::Any, "Parameters and the values that they always have."),
        KeySpec::new("default", Shape::Any, "Optional arguments and the values that `None` means."),
        KeySpec::new("guard", Shape::Any, "Arguments and conditions that are checked when the wrapper runs."),
        KeySpec::new("drop", Shape::Texts, "Arguments that are ignored on purpose."),
        KeySpec::new("shape", Shape::Any, "How the sizes of the result are found; `bypass` by default."),
        KeySpec::new(
            "shapes",
            Shape::Any,
            "The same for each result, if their sizes differ: a list of what `shape` may be.",
        ),
        KeySpec::new("dtype", Shape::Text, "How the type of the result is found; `first` by default."),
        KeySpec::new("dtypes", Shape::Texts, "The same for each result, if their types differ."),
        KeySpec::new(
            "dims",
            Shape::Texts,
            "Arguments that are dimensions: negative ones are counted from the end. By default, those named `dim`, `axis` and so on.",
        ),
        KeySpec::new("contiguous", Shape::Any, "`all`, `none`, or a list of inputs that are made contiguous first."),
        KeySpec::new(
            "template",
            Shape::Text,
            "`base`, `list_inp`, `factory`, `view`, `native`, `fallback`, `fallthrough` or `custom`.",
        ),
        KeySpec::new(
            "inplace",
            Shape::Bool,
            "The entry also serves the operators that write to `self`, such as `add_`.",
        ),
        KeySpec::new("composite", Shape::Bool, "Takes a composite operator, and so its derivative, from PyTorch."),
        KeySpec::new("reason", Shape::Text, "Why the template is `custom` or `fallback`, for the report."),
        KeySpec::new("examples", Shape::Values, "Arguments in C++ that `--mock` compares with PyTorch's results."),
    ],
    others: Others::Refused,
    misplaced: &[
        ("operator_name", "that is a key of torch_spyre's Metadata.yaml; write `op:`"),
        ("sendnn_func_name", "that is a key of torch_spyre's Metadata.yaml; write `call:`"),
    ],
    unknown: &shared::UNKNOWN_KEY,
};

/// The inputs of the original generator.
pub(super) static LEGACY: KeyTable = KeyTable {
    what: "`legacy`",
    keys: &[
        KeySpec::new("metadata", Shape::Text, "Metadata.yaml.").required(),
        KeySpec::new(
            "functions",
            Shape::Text,
            "The backend's functions: docstrings as text, YAML from names to docstrings, or a list of `fn:`.",
        )
        .required(),
        KeySpec::new("declarations", Shape::Text, "Declarations.yaml.").required(),
        KeySpec::new("registration", Shape::Text, "RegistrationDeclarations.h.").required(),
        KeySpec::new("templates", Shape::Text, "The directory of Jinja templates.").required(),
        KeySpec::new(
            "prefix",
            Shape::Text,
            "The prefix of the keys `<prefix>_func_name` and `<prefix>_type`; `sendnn` by default.",
        ),
    ],
    others: Others::Refused,
    misplaced: &[],
    unknown: &shared::UNKNOWN_KEY,
};

/// A function as written.
#[derive(Debug)]
pub(super) struct FunctionRecord {
    pub(super) schema: Text,
    pub(super) cpu: Option<Text>,
    pub(super) doc: Option<Text>,
}

/// How the sizes of a result are found.
#[derive(Debug)]
pub(super) struct ShapeRecord {
    /// A mode or an expression, or an expression for each size.
    pub(super) texts: Vec<Text>,
    /// It is a list of sizes.
    pub(super) is_list: bool,
}

/// An entry as written.
#[derive(Debug)]
pub(super) struct EntryRecord {
    pub(super) op: Text,
    pub(super) call: Option<Text>,
    pub(super) map: Vec<(Text, Text)>,
    pub(super) extra: Vec<(Text, Node)>,
    pub(super) default: Vec<(Text, Node)>,
    pub(super) guard: Vec<(Text, Text)>,
    pub(super) drop: Vec<Text>,
    /// One for all results, or one for each.
    pub(super) shapes: Vec<ShapeRecord>,
    /// One for all results, or one for each.
    pub(super) dtypes: Vec<Text>,
    /// `None` if the key is missing.
    pub(super) dims: Option<Vec<Text>>,
    pub(super) contiguous: Option<Vec<Text>>,
    pub(super) template: Option<Text>,
    pub(super) inplace: bool,
    pub(super) composite: bool,
    pub(super) reason: Option<Text>,
    pub(super) examples: Vec<ExampleRecord>,
}

/// An example as written.
#[derive(Debug)]
pub(super) struct ExampleRecord {
    /// The arguments in C++.
    pub(super) arguments: Text,
    /// A part of the message that the call must raise.
    pub(super) error: Option<Text>,
}

/// The inputs of the original generator.
#[derive(Debug)]
pub(super) struct LegacyRecord {
    pub(super) metadata: Text,
    pub(super) functions: Text,
    pub(super) declarations: Text,
    pub(super) registration: Text,
    pub(super) templates: Text,
    pub(super) prefix: Option<Text>,
}

/// A backend as written.
#[derive(Debug)]
pub(super) struct BackendRecord {
    pub(super) path: PathBuf,
    pub(super) name: Text,
    pub(super) namespace: Option<Text>,
    pub(super) api: Option<Text>,
    pub(super) dispatch_key: Option<Text>,
    pub(super) include: Vec<String>,
    pub(super) native_functions: Option<Text>,
    pub(super) declarations: Option<Text>,
    pub(super) registration: Option<Text>,
    pub(super) coverage_min: Option<(usize, Span)>,
    pub(super) body: Option<Text>,
    pub(super) contiguous: bool,
    pub(super) functions: Vec<FunctionRecord>,
    pub(super) entries: Vec<EntryRecord>,
    pub(super) legacy: Option<LegacyRecord>,
    /// The first key.
    pub(super) place: Span,
}

impl BackendRecord {
    /// The body file that the YAML names.
    pub(super) fn body_path(&self) -> Option<PathBuf> {
        self.body.as_ref().map(|text| beside(&self.path, text))
    }
}

/// The only backend of the sources.
///
/// # Errors
/// A source cannot be read, has errors, or there are several backends.
pub(super) fn only(request: &Request, session: &mut Session) -> Result<BackendRecord, JobError> {
    let documents = request.documents("wrappers", session)?;
    let mut records: Vec<BackendRecord> =
        documents.into_iter().filter_map(|document| read(document, &mut session.diagnostics)).collect();
    if let [first, second, ..] = records.as_slice() {
        let diagnostic = Diagnostic::new(&codes::WRAPPER_KEY, "a run is for one backend, and this is the second");
        session.diagnostics.push(diagnostic.at(second.place).also(first.place, "the first is here"));
    }
    session.check_errors()?;
    records.pop().ok_or(JobError::Input)
}

/// The keys that can be used beside `legacy`.
const BESIDE_LEGACY: [&str; 5] = ["family", "name", "body", "coverage_min", "legacy"];

/// Reports the keys that `legacy` takes the place of.
fn refuse_beside_legacy(root: &Node, diagnostics: &mut Diagnostics) {
    let NodeKind::Mapping(pairs) = &root.kind else { return };
    let keys = || pairs.iter().filter_map(|(key, _)| key.as_text());
    if !keys().any(|key| key.as_str() == "legacy") {
        return;
    }
    for key in keys().filter(|key| {
        let is_known = DOCUMENT.keys.iter().any(|known| known.name == key.as_str());
        is_known && !BESIDE_LEGACY.contains(&key.as_str())
    }) {
        let message = format!("`{key}` has no effect beside `legacy`, whose inputs take its place");
        let help = format!("remove it; beside `legacy` are {}", BESIDE_LEGACY[1..4].join(", "));
        diagnostics.push(Diagnostic::new(&codes::WRAPPER_KEY, message).at(key.span()).help(help));
    }
}

/// Reads a document.
fn read(document: Document, diagnostics: &mut Diagnostics) -> Option<BackendRecord> {
    refuse_beside_legacy(&document.root, diagnostics);
    let mut keys = Fields::new(document.root, &DOCUMENT, diagnostics)?;
    let place = keys.first_key();
    keys.take("family");
    let name = keys.take_text("name");
    if name.is_none() {
        keys.missing("name", Some("write the backend's name, such as `name: spyre`"));
    }
    let (namespace, api, dispatch_key) =
        (keys.take_text("namespace"), keys.take_text("api"), keys.take_text("dispatch_key"));
    let include = keys.take_texts("include").map(|list| list.value).unwrap_or_default();
    let include = include.iter().filter_map(|header| included(header, keys.diagnostics())).collect();
    let native_functions = keys.take_text("native_functions");
    let (declarations, registration) = (keys.take_text("declarations"), keys.take_text("registration"));
    let coverage_min = keys.take("coverage_min").and_then(|node| count(&node, keys.diagnostics()));
    let body = keys.take_text("body");
    let contiguous = keys.take_text("contiguous").is_none_or(|word| word.as_str() != "none");
    let (functions, entries, legacy) = (keys.take("functions"), keys.take("ops"), keys.take("legacy"));
    let (functions, entries) = (listed(functions, "`functions`", &mut keys), listed(entries, "`ops`", &mut keys));
    let functions = functions.into_iter().filter_map(|node| function(node, keys.diagnostics())).collect();
    let entries = entries.into_iter().filter_map(|node| entry(node, keys.diagnostics())).collect();
    let legacy = legacy.and_then(|node| legacy_inputs(node, keys.diagnostics()));
    keys.finish();
    Some(BackendRecord {
        path: document.path,
        name: name?,
        namespace,
        api,
        dispatch_key,
        include,
        native_functions,
        declarations,
        registration,
        coverage_min,
        body,
        contiguous,
        functions,
        entries,
        legacy,
        place,
    })
}

fn listed(node: Option<Node>, what: &str, keys: &mut Fields) -> Vec<Node> {
    node.and_then(|node| fields::items(node, what, &shared::WRONG_TYPE, keys.diagnostics())).unwrap_or_default()
}

fn function(node: Node, diagnostics: &mut Diagnostics) -> Option<FunctionRecord> {
    let mut keys = Fields::new(node, &FUNCTION, diagnostics)?;
    let schema = keys.take_text("fn");
    if schema.is_none() {
        keys.missing("fn", None);
    }
    let (cpu, doc) = (keys.take_text("cpu"), keys.take_text("doc"));
    keys.finish();
    Some(FunctionRecord { schema: schema?, cpu, doc })
}

/// Reads an entry of `ops:`.
pub(super) fn entry(node: Node, diagnostics: &mut Diagnostics) -> Option<EntryRecord> {
    let mut keys = Fields::new(node, &ENTRY, diagnostics)?;
    let op = keys.take_text("op");
    if op.is_none() {
        keys.missing("op", Some("name an operator, such as `op: add` or `op: add.Tensor`"));
    }
    let call = keys.take_text("call");
    let map = keys.take_map("map").map(|map| map.value).unwrap_or_default();
    let extra = values("extra", &mut keys);
    let default = values("default", &mut keys);
    let guard = keys.take("guard").and_then(|node| fields::text_map(node, "guard", keys.diagnostics()));
    let drop = keys.take_texts("drop").map(|list| list.value).unwrap_or_default();
    for (one, each) in [("shape", "shapes"), ("dtype", "dtypes")] {
        if let (Some(_), Some(span)) = (keys.key_span(one), keys.key_span(each)) {
            let message = format!("`{one}` is for all results, and `{each}` for each of them");
            keys.diagnostics().push(Diagnostic::new(&codes::WRAPPER_KEY, message).at(span).help("remove one of them"));
        }
    }
    let (all, each) = (keys.take("shape"), keys.take("shapes"));
    let each = listed(each, "`shapes`", &mut keys);
    let shapes: Vec<ShapeRecord> =
        all.into_iter().chain(each).filter_map(|node| shape(node, keys.diagnostics())).collect();
    let dtype = keys.take_text("dtype");
    let dtypes = keys.take_texts("dtypes").map(|list| list.value).unwrap_or_default();
    let dtypes = dtype.into_iter().chain(dtypes).collect();
    let dims = keys.take_texts("dims").map(|list| list.value);
    let contiguous = keys.take("contiguous").and_then(|node| texts(node, "contiguous", keys.diagnostics()));
    let template = keys.take_text("template");
    let is_true = |flag: Option<Spanned<bool>>| flag.is_some_and(|flag| flag.value);
    let (inplace, composite) = (is_true(keys.take_bool("inplace")), is_true(keys.take_bool("composite")));
    let reason = keys.take_text("reason");
    let examples = keys.take("examples");
    let examples = listed(examples, "`examples`", &mut keys);
    let examples = examples.into_iter().filter_map(|node| example(node, keys.diagnostics())).collect();
    keys.finish();
    Some(EntryRecord {
        op: op?,
        call,
        map,
        extra,
        default,
        guard: guard.map(|guard| guard.value).unwrap_or_default(),
        drop,
        shapes,
        dtypes,
        dims,
        contiguous,
        template,
        inplace,
        composite,
        reason,
        examples,
    })
}

/// A mapping from names to values.
fn values(name: &str, keys: &mut Fields) -> Vec<(Text, Node)> {
    let Some(node) = keys.take(name) else { return Vec::new() };
    let wrong = fields::wrong_type(&node, format_args!("`{name}`"), "a mapping");
    let NodeKind::Mapping(pairs) = node.kind else {
        keys.diagnostics().push(wrong);
        return Vec::new();
    };
    let what = format!("a key of `{name}`");
    pairs.into_iter().filter_map(|(key, value)| Some((fields::text(key, &what, keys.diagnostics())?, value))).collect()
}

/// A mode, an expression, or a list of expressions.
fn shape(node: Node, diagnostics: &mut Diagnostics) -> Option<ShapeRecord> {
    let is_list = matches!(node.kind, NodeKind::Sequence(_));
    texts(node, "shape", diagnostics).map(|texts| ShapeRecord { texts, is_list })
}

/// A string or a number, or a list of them.
fn texts(node: Node, name: &str, diagnostics: &mut Diagnostics) -> Option<Vec<Text>> {
    let wrong = fields::wrong_type(&node, format_args!("`{name}`"), "a string or a list of strings");
    let items = match node.kind {
        NodeKind::Sequence(items) => items,
        NodeKind::Scalar(text) => return Some(vec![text]),
        NodeKind::Mapping(_) => {
            diagnostics.push(wrong);
            return None;
        }
    };
    let scalar = |item: Node| match item.kind {
        NodeKind::Scalar(text) => Some(text),
        _ => {
            diagnostics.push(fields::wrong_type(&item, format_args!("an item of `{name}`"), "a string"));
            None
        }
    };
    Some(items.into_iter().filter_map(scalar).collect())
}

/// `"x, y"`, or `{args: "x, y", error: alpha}`.
fn example(node: Node, diagnostics: &mut Diagnostics) -> Option<ExampleRecord> {
    let wrong = fields::wrong_type(&node, "an example", "a string, or a mapping with `args` and `error`");
    match node.kind {
        NodeKind::Scalar(arguments) => Some(ExampleRecord { arguments, error: None }),
        NodeKind::Mapping(pairs) => {
            let (mut arguments, mut error) = (None, None);
            for (key, value) in pairs {
                let value = fields::text(value, "a part of an example", diagnostics)?;
                match key.as_text().map(Text::as_str) {
                    Some("args") => arguments = Some(value),
                    Some("error") => error = Some(value),
                    _ => diagnostics.push(wrong.clone()),
                }
            }
            if arguments.is_none() {
                diagnostics.push(wrong);
            }
            Some(ExampleRecord { arguments: arguments?, error })
        }
        NodeKind::Sequence(_) => {
            diagnostics.push(wrong);
            None
        }
    }
}

/// A number of operators.
fn count(node: &Node, diagnostics: &mut Diagnostics) -> Option<(usize, Span)> {
    let number = node.as_text().and_then(|text| text.as_str().parse().ok());
    if number.is_none() {
        diagnostics.push(fields::wrong_type(node, "`coverage_min`", "a number"));
    }
    Some((number?, node.span))
}

fn legacy_inputs(node: Node, diagnostics: &mut Diagnostics) -> Option<LegacyRecord> {
    let mut keys = Fields::new(node, &LEGACY, diagnostics)?;
    let mut needed = |name: &str| {
        let text = keys.take_text(name);
        if text.is_none() {
            keys.missing(name, None);
        }
        text
    };
    let (metadata, functions) = (needed("metadata"), needed("functions"));
    let (declarations, registration, templates) = (needed("declarations"), needed("registration"), needed("templates"));
    let prefix = keys.take_text("prefix");
    keys.finish();
    Some(LegacyRecord {
        metadata: metadata?,
        functions: functions?,
        declarations: declarations?,
        registration: registration?,
        templates: templates?,
        prefix,
    })
}
