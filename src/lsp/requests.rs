//! The requests of the protocol, one function each.
//!
//! Invariant: none changes the state of the server.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::ops::{Range, RangeInclusive};
use std::path::PathBuf;

use gen_lsp_types::{
    CodeAction, CodeActionParams, CompletionParams, DefinitionParams, DocumentFormattingParams,
    DocumentRangeFormattingParams, DocumentSymbolParams, FoldingRangeParams, HoverParams, InlayHintParams, Location,
    LspRequestMethod as Method, ReferenceParams, RenameParams, SemanticTokens, SemanticTokensParams,
    TextDocumentIdentifier, TextDocumentPositionParams,
};
use lsp_server::{ErrorCode, Request};
use serde_json::{Value, json};

use super::entries::{entries, entry_at, path_at};
use super::hover::Shown;
use super::index::Thing;
use super::navigate::{self, Name};
use super::project::Project;
use super::server::{Known, Server, read_parameters};
use super::text::Text;
use super::uri::path_of;
use super::words::short;
use super::worker::Task;
use super::{actions, complete, diagnostics, kernels, marks, own_yaml, schema};
use crate::cli::format::{is_read, style};
use torchgen_base::yaml::format::format;

/// The request for the code that is generated from an operator.
pub(super) const GENERATED_CODE: &str = "torchgen-rs/generatedCode";

/// An answer, or a code of the protocol and why there is none.
type Answer = Result<Value, (ErrorCode, String)>;

/// Answers a request; `None` if the answer comes later.
pub(super) fn answer(server: &mut Server, request: Request) -> Option<Answer> {
    let Request { id, method, params } = request;
    let invalid = || (ErrorCode::InvalidParams, format!("the parameters of {method} do not fit the protocol"));
    macro_rules! with {
        ($answer:ident) => {
            Some(read_parameters(params).ok_or_else(invalid).and_then(|params| $answer(server, params)))
        };
    }
    match Method::from(method.as_str()) {
        Method::TextDocumentHover => with!(hover),
        Method::TextDocumentDefinition => with!(definition),
        Method::TextDocumentReferences => with!(references),
        Method::TextDocumentPrepareRename => with!(prepare_rename),
        Method::TextDocumentRename => with!(rename),
        Method::CodeActionResolve => {
            let Some(action) = read_parameters::<CodeAction>(params) else { return Some(Err(invalid())) };
            match actions::command(server, &action) {
                None => Some(value(action)),
                Some((project, command)) => {
                    server.chosen.insert(id.clone(), (project.clone(), action));
                    server.worker.ask(Task::Print(id, project, command, server.shown()));
                    None
                }
            }
        }
        Method::TextDocumentCompletion => with!(completion),
        Method::TextDocumentDocumentSymbol => with!(symbols),
        Method::TextDocumentFormatting => with!(formatting),
        Method::TextDocumentRangeFormatting => with!(range_formatting),
        Method::TextDocumentFoldingRange => with!(folds),
        Method::TextDocumentSemanticTokensFull => with!(colors),
        Method::TextDocumentInlayHint => with!(hints),
        Method::TextDocumentCodeAction => with!(code_actions),
        Method::Custom(GENERATED_CODE) => {
            let command = read_parameters(params).and_then(|at: TextDocumentPositionParams| explaining(server, &at));
            match command {
                None => Some(Ok(Value::Null)),
                Some((project, command)) => {
                    server.worker.ask(Task::Print(id, project, command, server.shown()));
                    None
                }
            }
        }
        _ => Some(Err((ErrorCode::MethodNotFound, format!("torchgen-rs does not serve {method}")))),
    }
}

/// A YAML file of the client, as it shows it.
fn file(server: &Server, document: &TextDocumentIdentifier) -> Option<(PathBuf, Text)> {
    yaml_or_cpp(server, document).filter(|(path, _)| !kernels::is_source(path))
}

/// A file of the client, as it shows it.
fn yaml_or_cpp(server: &Server, document: &TextDocumentIdentifier) -> Option<(PathBuf, Text)> {
    let path = path_of(&document.uri)?;
    let text = server.text(&path)?;
    Some((path, text))
}

/// What the word at a place is, and the project.
fn word_at<'s>(server: &'s Server, at: &TextDocumentPositionParams) -> Option<FoundWord<'s>> {
    let (path, text) = yaml_or_cpp(server, &at.text_document)?;
    let (project, known) = server.known(&path)?;
    let (line, column) = (at.position.line as usize, text.column(at.position));
    let is_kernel = |word: &str| known.index.is_kernel(word);
    let is_cpp = kernels::is_source(&path);
    if is_cpp {
        let (name, bytes) = navigate::kernel(&text, line, column, is_kernel)?;
        let texts = server.texts_of(project, known);
        return Some(FoundWord { name, range: text.range(line, bytes), project, known, texts, is_cpp });
    }
    let is_declared = |word: &str| known.index.things_named(word).next().is_some();
    let is_part = |of: &str, word: &str| {
        known.index.things_named(of).next().is_some_and(|thing| thing.list("/parts").any(|part| part["name"] == word))
    };
    let (name, bytes) = navigate::name(&text, line, column, is_declared, is_part, is_kernel)?;
    let texts = server.texts_of(project, known);
    let range = text.range(line, bytes);
    Some(FoundWord { name, range, project, known, texts, is_cpp })
}

struct FoundWord<'s> {
    name: Name,
    range: gen_lsp_types::Range,
    project: &'s Project,
    known: &'s Known,
    /// The texts of the project's YAML.
    texts: Vec<(PathBuf, Text)>,
    /// Whether it is in a C++ source.
    is_cpp: bool,
}

/// Where sources have a kernel, as `of` finds it in a text.
fn in_sources(texts: &[(PathBuf, Text)], kernel: &str, of: fn(&str, &str) -> Vec<Range<usize>>) -> Vec<Location> {
    let places: Places =
        texts.iter().flat_map(|(path, text)| navigate::lined(path, text, of(text.as_str(), kernel))).collect();
    navigate::locations(texts, &places)
}

/// Places in files.
type Places = Vec<(PathBuf, usize, Range<usize>)>;

impl FoundWord<'_> {
    /// The sources that have a kernel's name.
    fn sources(&self, server: &Server, kernel: &str) -> Vec<(PathBuf, Text)> {
        kernels::texts_with(self.project, kernel, |path| server.text(path))
    }

    /// Where YAML names a kernel, or declares the operators that have it by their names.
    fn in_yaml(&self, kernel: &str) -> Vec<Location> {
        let named = navigate::locations(&self.texts, &navigate::used(&self.texts, &self.name));
        if !named.is_empty() {
            return named;
        }
        let declared = |thing: Thing| navigate::declared(&self.texts, &Name::Declared(thing.name));
        self.known.index.with_kernel(kernel).flat_map(declared).collect()
    }
}

fn value(of: impl serde::Serialize) -> Answer {
    serde_json::to_value(of).map_err(|error| (ErrorCode::InternalError, error.to_string()))
}

fn hover(server: &Server, params: HoverParams) -> Answer {
    let at = params.text_document_position_params;
    let shown = word_at(server, &at).and_then(|found| {
        let shown = match &found.name {
            Name::Declared(name) => Shown::thing(&found.known.index.things_named(name).next()?),
            Name::Kernel(kernel) => Shown::thing(&found.known.index.with_kernel(kernel).next()?),
            Name::Part(part, of) => {
                let thing = found.known.index.things_named(of).next()?;
                Shown::part(thing.list("/parts").find(|known| known["name"] == part.as_str())?, &thing)
            }
        };
        Some((shown, Some(found.range)))
    });
    let shown = shown.or_else(|| {
        let (path, text) = file(server, &at.text_document)?;
        let column = text.column(at.position);
        let mut keys = path_at(&text, at.position.line as usize, column);
        let root = schema::schema_of(&path, text.as_str())?;
        let (key, _) =
            super::entries::key_and_value(text.line(at.position.line as usize).trim_start_matches(['-', ' ']))?;
        if !keys.in_key {
            keys.keys.pop();
        }
        let (_, means) = schema::keys(&schema::at(root, &keys.keys)).into_iter().find(|(known, _)| *known == key)?;
        Some((Shown::key(key, means), None))
    });
    let markdown = shown.and_then(|(shown, range)| Some((shown.markdown()?, range)));
    value(markdown.map(|(text, range)| json!({ "contents": { "kind": "markdown", "value": text }, "range": range })))
}

fn completion(server: &Server, params: CompletionParams) -> Answer {
    let TextDocumentPositionParams { text_document, position } = params.text_document_position_params;
    let Some((path, text)) = file(server, &text_document) else { return Ok(Value::Null) };
    let unknown = Default::default();
    let index = server.known(&path).map_or(&unknown, |(_, known)| &known.index);
    let own = own_yaml::manifest_of(&path, text.as_str());
    let schema = own.as_ref().map(|own| &own.schema).or(schema::schema_of(&path, text.as_str()));
    value(complete::items(&text, position, schema, index))
}

fn definition(server: &Server, params: DefinitionParams) -> Answer {
    let at = &params.text_document_position_params;
    let found = word_at(server, at);
    // An entry of own YAML leads to what is rendered for it.
    let templates = file(server, &at.text_document).and_then(|(path, text)| {
        let own = own_yaml::manifest_of(&path, text.as_str())?;
        Some(own.templates_at(text.as_str(), at.position.line as usize))
    });
    if let Some(templates) = templates.filter(|templates| !templates.is_empty()) {
        return value(templates);
    }
    value(found.map(|found| match &found.name {
        Name::Kernel(kernel) if found.is_cpp => found.in_yaml(kernel),
        Name::Kernel(kernel) => in_sources(&found.sources(server, kernel), kernel, kernels::definitions),
        name => navigate::declared(&found.texts, name),
    }))
}

fn references(server: &Server, params: ReferenceParams) -> Answer {
    let found = word_at(server, &params.text_document_position_params);
    value(found.map(|found| {
        if let Name::Kernel(kernel) = &found.name {
            let sources = found.sources(server, kernel);
            let mut all = [found.in_yaml(kernel), in_sources(&sources, kernel, kernels::occurrences)].concat();
            if !params.context.include_declaration {
                let declared = in_sources(&sources, kernel, kernels::definitions);
                all.retain(|at| !declared.contains(at));
            }
            return all;
        }
        let declared = navigate::declared(&found.texts, &found.name);
        let mut all = navigate::locations(&found.texts, &navigate::used(&found.texts, &found.name));
        all.retain(|at| params.context.include_declaration || !declared.contains(at));
        all
    }))
}

fn prepare_rename(server: &Server, params: TextDocumentPositionParams) -> Answer {
    value(word_at(server, &params).map(|found| found.range))
}

fn rename(server: &Server, params: RenameParams) -> Answer {
    let is_name = |name: &str| {
        let starts = |c: char| c.is_ascii_alphabetic() || c == '_';
        name.starts_with(starts) && name.chars().all(|c| starts(c) || c.is_ascii_digit() || c == '.')
    };
    let to = params.new_name.as_str();
    if !is_name(to) {
        return Err((ErrorCode::RequestFailed, format!("`{to}` is not a name")));
    }
    let Some(found) = word_at(server, &params.text_document_position_params) else { return Ok(Value::Null) };
    if let Name::Part(_, of) = &found.name
        && found.known.index.things_named(of).any(|thing| thing.list("/parts").any(|part| part["name"] == to))
    {
        return Err((ErrorCode::RequestFailed, format!("`{of}` already has `{to}`")));
    }
    if let Name::Declared(_) = &found.name
        && found.known.index.things_named(to).next().is_some()
    {
        return Err((ErrorCode::RequestFailed, format!("`{to}` is declared already")));
    }
    if let Name::Kernel(kernel) = &found.name {
        return renamed_kernel(server, &found, kernel, to);
    }
    let used = navigate::used(&found.texts, &found.name);
    if let Some(path) = read_only(&used) {
        return Err((ErrorCode::RequestFailed, format!("`{}` is read-only", path.display())));
    }
    value(navigate::renamed(&found.texts, &used, to))
}

/// The edits that rename a kernel in YAML and in its sources.
fn renamed_kernel(server: &Server, found: &FoundWord<'_>, kernel: &str, to: &str) -> Answer {
    let refused = |why: String| Err((ErrorCode::RequestFailed, why));
    if to.contains('.') {
        return refused(format!("`{to}` is not a name"));
    }
    if found.known.index.is_kernel(to) {
        return refused(format!("`{to}` is a kernel already"));
    }
    let mut texts = found.texts.clone();
    let mut used = navigate::used(&texts, &found.name);
    let mut named: BTreeSet<String> = Default::default();
    for (path, line, _) in &used {
        let text = texts.iter().find(|(known, _)| known == path).map(|(_, text)| entries(text));
        named.extend(text.and_then(|entries| Some(entry_at(&entries, *line)?.name.clone())));
    }
    // Others have it by their own name.
    if let Some(other) = found
        .known
        .index
        .with_kernel(kernel)
        .find(|thing| thing.fact("generated") != true && !named.iter().any(|name| short(name) == thing.short()))
    {
        let of = other.short();
        return refused(format!("`{kernel}` is the kernel of `{of}` by its name: write it below `dispatch:` first"));
    }
    for (path, text) in found.sources(server, kernel) {
        used.extend(navigate::lined(&path, &text, kernels::occurrences(text.as_str(), kernel)));
        texts.push((path, text));
    }
    if let Some(path) = read_only(&used) {
        return refused(format!("`{}` is read-only", path.display()));
    }
    value(navigate::renamed(&texts, &used, to))
}

/// The first file of these places that may not be written.
fn read_only(used: &Places) -> Option<&PathBuf> {
    let is_locked = |path: &PathBuf| std::fs::metadata(path).is_ok_and(|of| of.permissions().readonly());
    used.iter().map(|(path, ..)| path).find(|path| is_locked(path))
}

fn symbols(server: &Server, params: DocumentSymbolParams) -> Answer {
    value(file(server, &params.text_document).map(|(_, text)| marks::symbols(&text)))
}

fn folds(server: &Server, params: FoldingRangeParams) -> Answer {
    value(file(server, &params.text_document).map(|(_, text)| marks::folds(&text)))
}

fn colors(server: &Server, params: SemanticTokensParams) -> Answer {
    let tokens = file(server, &params.text_document).map(|(_, text)| marks::colors(&text));
    value(tokens.map(|data| SemanticTokens { result_id: None, data }))
}

fn hints(server: &Server, params: InlayHintParams) -> Answer {
    let Some((path, text)) = file(server, &params.text_document) else { return Ok(Value::Null) };
    value(server.known(&path).map(|(_, known)| marks::generated(&text, params.range, &known.index)))
}

/// The edits that lay a file out.
fn formatting(server: &Server, params: DocumentFormattingParams) -> Answer {
    laid_out(server, &params.text_document, None)
}

/// The edits that lay out the entries in a range.
fn range_formatting(server: &Server, params: DocumentRangeFormattingParams) -> Answer {
    let (start, end) = (params.range.start, params.range.end);
    // A selection of whole lines ends at the start of the next.
    let before = end.character == 0 && end.line > start.line;
    let last = if before { end.line } else { end.line.saturating_add(1) };
    laid_out(server, &params.text_document, Some(start.line as usize + 1..=last as usize))
}

/// The edits that lay lines out. A file with a syntax error stays as it is, and so does one that is
/// not the program's, such as the YAML of a CI.
fn laid_out(server: &Server, document: &TextDocumentIdentifier, lines: Option<RangeInclusive<usize>>) -> Answer {
    let Some((path, text)) = file(server, document) else { return Ok(Value::Null) };
    if !is_read(&path, text.as_str()) {
        return Ok(Value::Null);
    }
    let Ok(new) = format(text.as_str(), style(text.as_str()), lines) else { return Ok(Value::Null) };
    value(text.edits_to(&new))
}

fn code_actions(server: &Server, params: CodeActionParams) -> Answer {
    let Some((path, text)) = file(server, &params.text_document) else { return Ok(Value::Null) };
    let Some((_, known)) = server.known(&path) else { return Ok(Value::Null) };
    let is_here = |range: gen_lsp_types::Range| range.start <= params.range.end && params.range.start <= range.end;
    let places = known.diagnostics.iter().filter(|of| {
        let place = of.place.as_ref().filter(|place| path == std::path::Path::new(&place.file));
        place.is_some_and(|place| is_here(text.place(place)))
    });
    let fixes = places.flat_map(|of| diagnostics::fixes(of, |path| server.text(path)));
    let offered = actions::offered(server, &path, &text, params.range.start.line as usize);
    let mut all: Vec<CodeAction> = fixes.chain(offered).collect();
    if let Some(wanted) = &params.context.only {
        let is = |own: &str, wanted: &str| {
            own == wanted || own.strip_prefix(wanted).is_some_and(|rest| rest.starts_with('.'))
        };
        let own = |action: &CodeAction| action.kind.as_ref().map_or("", |kind| kind.as_str()).to_owned();
        all.retain(|action| wanted.iter().any(|wanted| is(&own(action), wanted.as_str())));
    }
    value(all)
}

/// The command that prints the code of the operator at a place.
fn explaining(server: &Server, at: &TextDocumentPositionParams) -> Option<(Project, Vec<OsString>)> {
    let (path, text) = file(server, &at.text_document)?;
    let (project, known) = server.known(&path)?;
    let entries = entries(&text);
    let entry = entry_at(&entries, at.position.line as usize)?;
    let thing = known.index.things_named(&entry.name).next()?;
    Some((project.clone(), project.command(["explain", thing.short()])))
}
