//! Reads a backend's YAML: its functions, and an entry for each operator that it serves.
//!
//! Invariant: all wrong keys and values of a file are reported. Schema strings, arguments and
//! expressions are checked later.

mod keys;

pub(crate) use keys::DOCUMENT;

use std::path::{Path, PathBuf};

use super::codes;
use keys::{ENTRY, FUNCTION, LEGACY};
use torchgen_base::diag::{Diagnostic, Diagnostics, Span, codes as shared};
use torchgen_base::lang::is_identifier;
use torchgen_base::yaml::fields::{self, Fields, Spanned};
use torchgen_base::yaml::{Node, NodeKind, Text};
use torchgen_kit::driver::request::{Document, Request};
use torchgen_kit::driver::{JobError, Session};
use torchgen_kit::header::included;

/// A path of the YAML, relative to it.
pub(crate) fn beside(yaml: &Path, text: &Text) -> PathBuf {
    yaml.parent().unwrap_or(Path::new("")).join(text.as_str())
}

/// A function as written.
#[derive(Debug)]
pub(crate) struct FunctionRecord {
    pub(crate) schema: Text,
    pub(crate) cpu: Option<Text>,
    pub(crate) doc: Option<Text>,
}

/// How the sizes of a result are found.
#[derive(Debug)]
pub(crate) struct ShapeRecord {
    /// A mode or an expression, or an expression for each size.
    pub(crate) texts: Vec<Text>,
    /// It is a list of sizes.
    pub(crate) is_list: bool,
}

/// An entry as written.
#[derive(Debug)]
pub(crate) struct EntryRecord {
    pub(crate) op: Text,
    pub(crate) call: Option<Text>,
    pub(crate) map: Vec<(Text, Text)>,
    /// Parameters and values: those of `extra`, and the expressions of `map`.
    pub(crate) extra: Vec<(Text, Node)>,
    /// Results of the function and of the operator.
    pub(crate) results: Vec<(Text, Text)>,
    pub(crate) default: Vec<(Text, Node)>,
    pub(crate) guard: Vec<(Text, Text)>,
    pub(crate) drop: Vec<Text>,
    /// One for all results, or one for each.
    pub(crate) shapes: Vec<ShapeRecord>,
    /// One for all results, or one for each.
    pub(crate) dtypes: Vec<Text>,
    /// `None` if the key is missing.
    pub(crate) dims: Option<Vec<Text>>,
    pub(crate) contiguous: Option<Vec<Text>>,
    pub(crate) template: Option<Text>,
    pub(crate) inplace: bool,
    pub(crate) composite: bool,
    pub(crate) reason: Option<Text>,
    pub(crate) examples: Vec<ExampleRecord>,
}

/// An example as written.
#[derive(Debug)]
pub(crate) struct ExampleRecord {
    /// The arguments in C++.
    pub(crate) arguments: Text,
    /// A part of the message that the call must raise.
    pub(crate) error: Option<Text>,
}

/// The inputs of the original generator.
#[derive(Debug)]
pub(crate) struct LegacyRecord {
    pub(crate) metadata: Text,
    pub(crate) functions: Text,
    pub(crate) declarations: Text,
    pub(crate) registration: Text,
    pub(crate) templates: Text,
    pub(crate) prefix: Option<Text>,
}

/// A backend as written.
#[derive(Debug)]
pub(crate) struct BackendRecord {
    pub(crate) path: PathBuf,
    pub(crate) name: Text,
    pub(crate) namespace: Option<Text>,
    pub(crate) api: Option<Text>,
    pub(crate) dispatch_key: Option<Text>,
    pub(crate) include: Vec<String>,
    pub(crate) native_functions: Option<Text>,
    pub(crate) declarations: Option<Text>,
    pub(crate) registration: Option<Text>,
    pub(crate) coverage_min: Option<(usize, Span)>,
    pub(crate) body: Option<Text>,
    pub(crate) contiguous: bool,
    pub(crate) functions: Vec<FunctionRecord>,
    pub(crate) entries: Vec<EntryRecord>,
    pub(crate) legacy: Option<LegacyRecord>,
    /// The first key.
    pub(crate) place: Span,
}

impl BackendRecord {
    /// The body file that the YAML names.
    pub(crate) fn body_path(&self) -> Option<PathBuf> {
        self.body.as_ref().map(|text| beside(&self.path, text))
    }
}

/// The only backend of the sources.
///
/// # Errors
/// A source cannot be read, has errors, or there are several backends.
pub(crate) fn only(request: &Request, session: &mut Session) -> Result<BackendRecord, JobError> {
    let documents = request.documents("wrappers", session)?;
    let mut records: Vec<BackendRecord> =
        documents.into_iter().filter_map(|document| read_document(document, &mut session.diagnostics)).collect();
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
fn read_document(document: Document, diagnostics: &mut Diagnostics) -> Option<BackendRecord> {
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
pub(crate) fn entry(node: Node, diagnostics: &mut Diagnostics) -> Option<EntryRecord> {
    let mut keys = Fields::new(node, &ENTRY, diagnostics)?;
    let op = keys.take_text("op");
    if op.is_none() {
        keys.missing("op", Some("name an operator, such as `op: add` or `op: add.Tensor`"));
    }
    let call = keys.take_text("call");
    let (mut map, mut extra) = (Vec::new(), values("extra", &mut keys));
    for (parameter, node) in values("map", &mut keys) {
        match node.as_text().filter(|text| is_identifier(text)) {
            Some(argument) => map.push((parameter, argument.clone())),
            None => extra.push((parameter, node)),
        }
    }
    let results = results(&mut keys);
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
        results,
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
    let wrong = wrong.help("a mapping is written `{key: value}`");
    let NodeKind::Mapping(pairs) = node.kind else {
        keys.diagnostics().push(wrong);
        return Vec::new();
    };
    let what = format!("a key of `{name}`");
    pairs.into_iter().filter_map(|(key, value)| Some((fields::text(key, &what, keys.diagnostics())?, value))).collect()
}

/// Results and those of the operator, by name or by number.
fn results(keys: &mut Fields) -> Vec<(Text, Text)> {
    let mut found = Vec::new();
    for (name, node) in values("results", keys) {
        match node.as_text() {
            Some(text) => found.push((name, text.clone())),
            None => keys.diagnostics().push(fields::wrong_type(&node, format_args!("`{name}`"), "a name or a number")),
        }
    }
    found
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
