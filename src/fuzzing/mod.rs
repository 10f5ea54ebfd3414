//! Fuzz targets: functions over bytes that panic if a property that holds for every input is
//! violated.
//!
//! The properties: nothing panics, every reported place lies inside its text and on character
//! boundaries, parsed texts print back, and every error can be shown.
//!
//! Built only for tests and with the feature `fuzzing`. Invariant: a target depends on its bytes
//! only. The bytes come from [`mutate`], for the unit tests and for `examples/fuzz.rs`, or from
//! libFuzzer, in `tests/fuzz`.

mod layout;
pub mod mutate;
mod runs;
#[cfg(test)]
mod tests;

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::ops::Range;

use torchgen_api::autograd;
use torchgen_base::diag::{Color, Diagnostic, Diagnostics, Sources, Span, TextError, human, json};
use torchgen_base::lang::cpp as cpp_source;
use torchgen_base::lang::python::literals::{self, Value};
use torchgen_base::render::{Env, Fragment, Renderer};
use torchgen_base::yaml::{self, Node, NodeKind, Options};
use torchgen_kit::driver::data::Tables;
use torchgen_model::model::native_function::UfuncKey;
use torchgen_model::model::{BackendIndices, NativeFunction};
use torchgen_model::model::{Language, Target as Generated};
use torchgen_model::parse;
use torchgen_model::parse::entry::{EntryOptions, entry, schema_only};
use torchgen_model::{
    group,
    records::{self, native},
};
use torchgen_registrations::Texts;

#[cfg(test)]
pub(crate) use layout::assert_same;
pub use layout::format;
pub use runs::{family, run, several, stable};

/// The test of an input.
pub type Target = fn(&[u8]);

/// All targets by name; each has a folder in `tests/fuzz/corpus`.
pub const TARGETS: [(&str, Target); 13] = [
    ("schema", schema),
    ("yaml", yaml),
    ("format", format),
    ("entries", entries),
    ("formula", formula),
    ("cpp", cpp),
    ("registrations", registrations),
    ("python", python),
    ("template", template),
    ("run", run),
    ("stable", stable),
    ("several", several),
    ("family", family),
];

const LANGUAGES: [Language; 2] = [Language::Torchgen, Language::C10];

/// What operators are generated for.
fn generated() -> [Generated<'static>; 2] {
    let tables = Tables::embedded();
    [Generated::pytorch(tables), Generated::library(tables)]
}

/// The separator between two files in the input of `formula` and of whole runs.
const CUT: &str = "\n----\n";

/// Schemas in both dialects, and the other strings in operator files.
pub fn schema(data: &[u8]) {
    let text = &*String::from_utf8_lossy(data);
    for language in LANGUAGES {
        error_inside(text, parse::schema::namespaced(text, language, Tables::embedded()).err());
        error_inside(text, parse::schema::argument(text, language).err());
        match parse::schema::parse(text, language, Tables::embedded()) {
            Ok(schema) if language == Language::Torchgen => assert_eq!(schema.to_string(), text),
            Ok(schema) => {
                let printed = schema.to_string();
                assert_eq!(
                    parse::schema::parse(&printed, language, Tables::embedded()).as_ref(),
                    Ok(&schema),
                    "printed as {printed}"
                );
            }
            Err(error) => error_inside(text, Some(error)),
        }
    }
    match parse::c10::declared(text) {
        Ok(declared) => {
            let again = parse::c10::declared(&declared.text).expect("c10 accepts its own printed schema");
            assert_eq!((again.text, again.namespace), (declared.text, None));
        }
        Err(error) => error_inside(text, Some(error)),
    }
    match parse::operator_name(text) {
        Ok(name) => assert_eq!(name.to_string(), text),
        Err(error) => error_inside(text, Some(error)),
    }
    error_inside(text, parse::ufunc_inner_loop(text, UfuncKey::Generic).err());
    let lines: Vec<&str> = text.lines().collect();
    if let Err((line, error)) = parse::precompute(&lines) {
        assert!(line < lines.len().max(1), "error in line {line} of {}", lines.len());
        error_inside(lines.get(line).unwrap_or(&""), Some(error));
    }
}

/// YAML: decoding, trees and the types of scalars.
pub fn yaml(data: &[u8]) {
    let text = match yaml::decode("fuzz.yaml", data.to_vec()) {
        Ok(text) => text,
        Err(wrong) => {
            let (mut sources, mut diagnostics) = (Sources::new(), Diagnostics::new());
            wrong.report("fuzz.yaml", &mut sources, &mut diagnostics);
            return show_all(diagnostics, &sources);
        }
    };
    let mut sources = Sources::new();
    let file = sources.add("fuzz.yaml", text);
    for options in [Options::OPERATORS, Options::LIBRARY, Options::SAFE_LOAD] {
        let mut diagnostics = Diagnostics::new();
        match yaml::parse(&sources, file, options, &mut diagnostics) {
            Some(root) => node(&root, &sources),
            None => assert!(diagnostics.has_errors(), "no tree and no error"),
        }
        show_all(diagnostics, &sources);
    }
}

/// All readers of YAML files, and the operators.
pub fn entries(data: &[u8]) {
    let text = &*String::from_utf8_lossy(data);
    for target in generated() {
        let mut sources = Sources::new();
        let mut diagnostics = Diagnostics::new();
        let functions = operators(text, target, &mut sources, &mut diagnostics);
        if !diagnostics.has_errors() {
            group::group(&functions, target, &mut diagnostics);
            group::view_groups(&functions, target, &mut diagnostics);
        }
        show_all(diagnostics, &sources);
    }
    let mut sources = Sources::new();
    let mut diagnostics = Diagnostics::new();
    let file = sources.add("other.yaml", text.to_owned());
    let Some(root) = yaml::parse(&sources, file, Options::SAFE_LOAD, &mut diagnostics) else { return };
    records::read_tags(root.clone(), &mut diagnostics);
    records::read_names(root.clone(), &mut diagnostics);
    records::read_selective(root.clone(), &mut diagnostics);
    records::read_backend(root.clone(), &mut diagnostics);
    records::read_derivatives(root.clone(), &mut diagnostics);
    for record in records::read_deprecated(root, &mut diagnostics) {
        parse::deprecated::deprecated(&record, Tables::embedded(), &mut diagnostics);
    }
    show_all(diagnostics, &sources);
}

/// The operators for testing formulas.
const OPERATORS: &str = "
- func: NAMESPACEmix(Tensor self, Tensor[] others, Scalar weight=1, SymInt[] sizes=[], Tensor? bias=None, *, float p=0.5) -> (Tensor first, Tensor second)
  dispatch:
    CPU: mix_cpu
- func: NAMESPACEpart(Tensor(a) self, SymInt dim, SymInt? start=None) -> Tensor(a)
  dispatch:
    CPU: part_cpu
- func: NAMESPACEscale_(Tensor(a!) self, Tensor other) -> Tensor(a!)
  dispatch:
    CPU: scale_cpu_
";

/// Formulas of derivatives.yaml or, if the input starts with a dash, the whole file; after a
/// separator, the author's functions.
pub fn formula(data: &[u8]) {
    let text = &*String::from_utf8_lossy(data);
    let (text, manual) = text.split_once(CUT).unwrap_or((text, ""));
    let quoted = double_quoted(text);
    for target in generated() {
        let namespace = if target.language == Language::C10 { "fuzz::" } else { "" };
        let derivatives = if text.starts_with('-') {
            text.to_owned()
        } else {
            format!(
                "- name: {namespace}mix(Tensor self, Tensor[] others, Scalar weight=1, SymInt[] sizes=[], Tensor? bias=None, *, float p=0.5) -> (Tensor first, Tensor second)\n  \
                   self: {quoted}\n  others: {quoted}\n  bias: {quoted}\n  first: {quoted}\n  \
                   output_differentiability: [True, False]\n\
                 - name: {namespace}part(Tensor(a) self, SymInt dim, SymInt? start=None) -> Tensor(a)\n  self: {quoted}\n  result: {quoted}\n\
                 - name: {namespace}scale_(Tensor(a!) self, Tensor other) -> Tensor(a!)\n  self, other: {quoted}\n  result: {quoted}\n"
            )
        };
        let mut sources = Sources::new();
        let mut diagnostics = Diagnostics::new();
        let functions = operators(&OPERATORS.replace("NAMESPACE", namespace), target, &mut sources, &mut diagnostics);
        assert!(!diagnostics.has_errors() && !functions.is_empty(), "{diagnostics:?}");
        let file = sources.add("derivatives.yaml", derivatives);
        if let Some(root) = yaml::parse(&sources, file, Options::OPERATORS, &mut diagnostics) {
            let records = records::read_derivatives(root, &mut diagnostics);
            let view_groups = group::view_groups(&functions, target, &mut diagnostics);
            let (all, groups): (Vec<_>, Vec<_>) = (functions.iter().collect(), view_groups.iter().collect());
            let operators = autograd::Operators { functions: &all, view_groups: &groups, target, manual };
            let infos = autograd::load(&records, operators, &mut diagnostics);
            autograd::match_differentiability_info(&functions, &infos, target, &mut diagnostics);
        }
        show_all(diagnostics, &sources);
    }
    autograd::formula_uses(text, "self");
}

/// C++ sources, read for their definitions.
pub fn cpp(data: &[u8]) {
    let text = &*String::from_utf8_lossy(data);
    let source = cpp_source::scan_source(text);
    for definition in &source.definitions {
        inside(text, definition.range.clone());
        let signature = cpp_source::signature(&definition.returns, &definition.parameters);
        assert!(signature.parameters.len() <= definition.parameters.len());
    }
    cpp_source::signature(text, &[text.to_owned()]);
}

/// What a C++ source registers, in all builds: the preprocessor, and the calls in blocks. A header
/// that it can include follows.
pub fn registrations(data: &[u8]) {
    let text = &*String::from_utf8_lossy(data);
    let (source, header) = text.split_once(CUT).unwrap_or((text, ""));
    let mut texts = Texts::default();
    let paths = [texts.add("a.cpp", source), texts.add("a.h", header)];
    let found = torchgen_registrations::registrations(&paths, &[], &mut texts).expect("both are texts");
    for call in &found.calls {
        span_inside(call.place, &texts.sources);
        for argument in &call.arguments {
            span_inside(argument.place, &texts.sources);
            if let Some(literal) = &argument.literal {
                span_inside(literal.place(0..literal.text.len()), &texts.sources);
            }
        }
        let _ = torchgen_registrations::words(&found.conditions, call.condition);
    }
    for problem in &found.problems {
        span_inside(problem.place, &texts.sources);
    }
}

/// Python, read for its literals.
pub fn python(data: &[u8]) {
    let text = &*String::from_utf8_lossy(data);
    let scope = match literals::module(text) {
        Ok(scope) => scope,
        Err(error) => return error_inside(text, Some(error)),
    };
    // Names cannot be listed, so those in the seeds are looked up.
    for name in ["a", "b", "c", "f", "g", "C", "D", "kernels", "register", "__all__"] {
        let Some(found) = scope.names().get(name) else { continue };
        inside(text, found.range.clone());
        let _ = found.value.type_name();
        for item in found.value.items().unwrap_or_default() {
            inside(text, item.range.clone());
        }
        if let Value::Function(function) = &found.value {
            inside(text, function.range().clone());
            let _ = function.positional();
            if let Some(returned) = scope.returned(function) {
                inside(text, returned.range);
            }
        }
    }
}

thread_local! {
    /// Compiling the embedded templates takes longer than everything else.
    static RENDERER: RefCell<Option<Renderer>> = const { RefCell::new(None) };
}

/// Jinja without what lets a short text produce a long one: multiplied strings, and widths of more
/// than three digits. The engine does not limit them.
fn modest(text: &str) -> String {
    let mut digits = 0;
    let in_bounds = |c: &char| {
        digits = if c.is_ascii_digit() { digits + 1 } else { 0 };
        digits <= 3
    };
    text.replace('*', "+").chars().filter(in_bounds).collect()
}

/// Templates of a source path, in both syntaxes.
pub fn template(data: &[u8]) {
    let text = &*String::from_utf8_lossy(data);
    let env = Env::from([
        ("text", "one line".into()),
        ("lines", "int a;\n\n  int b;\n".into()),
        ("list", vec![Fragment::from("x".to_owned()), Fragment::from("y\nz".to_owned())].into()),
        ("empty", Vec::<Fragment>::new().into()),
    ]);
    let mut sources = Sources::new();
    RENDERER.with_borrow_mut(|slot| {
        let renderer = slot.get_or_insert_with(|| Renderer::new("torch").expect("embedded templates compile"));
        for (name, text) in [("Fuzz.cpp", text), ("fuzz/fuzz.j2", &modest(text))] {
            let file = sources.add("fuzz", text.to_owned());
            let rendered = renderer
                .add_template_of(name, text, file)
                .and_then(|()| renderer.render_file(name, &env, Some("the fuzzer")));
            match rendered {
                Ok(contents) if !text.contains(['$', '{', '\r', '\\', '"']) && name == "Fuzz.cpp" => {
                    assert_eq!(contents.pieces().collect::<String>(), text, "text without placeholders is unchanged");
                }
                Ok(contents) => {
                    assert_eq!(contents.pieces().map(str::len).sum::<usize>(), contents.len());
                }
                Err(error) => shows(&error.diagnostic(), &sources),
            }
        }
    });
}

/// The operators of a text, with generated ones if there are no errors.
fn operators(
    text: &str,
    target: Generated,
    sources: &mut Sources,
    diagnostics: &mut Diagnostics,
) -> Vec<NativeFunction> {
    let file = sources.add("native_functions.yaml", text.to_owned());
    let (options, keys) = match target.language {
        Language::Torchgen => (Options::OPERATORS, &native::ATEN_KEYS),
        Language::C10 => (Options::LIBRARY, &native::LIBRARY_KEYS),
    };
    let Some(root) = yaml::parse(sources, file, options, diagnostics) else { return Vec::new() };
    let records = records::read_native_functions(root, keys, diagnostics);
    let tags = ["generated", "view_copy", "inplace_view", "core", "pointwise", "nondeterministic_seeded"];
    let tags = tags.map(str::to_owned).into();
    let options = EntryOptions { target, valid_tags: &tags, ignore_keys: &BTreeSet::new() };
    let mut functions = Vec::new();
    let mut indices = BackendIndices::default();
    for record in &records {
        if schema_only(record, options, diagnostics).is_some() {
            continue;
        }
        let Some(entry) = entry(record, options, diagnostics) else { continue };
        let printed = entry.function.func.to_string();
        assert_eq!(
            parse::schema::parse(&printed, target.language, Tables::embedded()).as_ref(),
            Ok(&entry.function.func),
            "printed as {printed}"
        );
        for (key, kernel) in entry.kernels {
            indices.add(key, &entry.function.func.name, kernel);
        }
        functions.push(entry.function);
    }
    group::check_operators(&functions, &BTreeSet::new(), target, diagnostics);
    if !diagnostics.has_errors() {
        group::variants::add_generated(&mut functions, &mut indices, target, diagnostics);
    }
    functions
}

/// A YAML scalar with that value; characters that YAML forbids are escaped.
fn double_quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            ' '..='~' => out.push(c),
            _ => out.push_str(&format!("\\U{:08x}", c as u32)),
        }
    }
    out.push('"');
    out
}

fn node(node: &Node, sources: &Sources) {
    span_inside(node.span, sources);
    let _ = yaml::resolve(node);
    match &node.kind {
        NodeKind::Scalar(text) => {
            span_inside(text.span(), sources);
            let whole = text.span();
            let len = text.as_str().len();
            let mut before = whole.start;
            // Every character maps to a place inside the scalar, and later characters to later
            // places.
            for (at, c) in text.as_str().char_indices().take(200) {
                let span = text.sub_span(at..at + c.len_utf8());
                assert!(whole.start <= span.start && span.end <= whole.end, "{span:?} outside {whole:?}");
                assert!(before <= span.start, "{span:?} after {before}");
                before = span.start;
                span_inside(span, sources);
            }
            for part in text.split(",").iter().chain([&text.trim(), &text.slice(0..len)]) {
                span_inside(part.span(), sources);
                let first = part.as_str().chars().next().map_or(0, char::len_utf8);
                span_inside(part.sub_span(0..first), sources);
            }
        }
        NodeKind::Sequence(items) => items.iter().for_each(|item| self::node(item, sources)),
        NodeKind::Mapping(pairs) => {
            for (key, value) in pairs {
                self::node(key, sources);
                self::node(value, sources);
            }
        }
    }
}

#[track_caller]
fn error_inside(text: &str, error: Option<TextError>) {
    let Some(error) = error else { return };
    inside(text, error.range.clone());
    assert!(!error.message.is_empty() && !error.message.ends_with('.'), "{:?}", error.message);
}

#[track_caller]
fn inside(text: &str, range: Range<usize>) {
    assert!(text.get(range.clone()).is_some(), "{range:?} is not a range of characters of {text:?}");
}

#[track_caller]
fn span_inside(span: Span, sources: &Sources) {
    inside(sources.text(span.file), span.range());
}

fn show_all(diagnostics: Diagnostics, sources: &Sources) {
    // More diagnostics would show nothing new, and showing them is the slowest part.
    for diagnostic in diagnostics.into_sorted().iter().take(20) {
        shows(diagnostic, sources);
    }
}

#[track_caller]
fn shows(diagnostic: &Diagnostic, sources: &Sources) {
    for label in diagnostic.primary.iter().chain(&diagnostic.labels) {
        span_inside(label.span, sources);
    }
    assert!(!diagnostic.message.is_empty());
    assert!(human(diagnostic, sources, Color::Never).contains(diagnostic.code.id));
    assert!(!json(diagnostic, sources).contains('\n'));
}
