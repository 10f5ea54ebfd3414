//! The state of the server: the texts of its clients, and what is known about their projects.
//!
//! Invariant: a project is checked again after each change of a text that belongs to it, with all
//! texts as they are then.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crossbeam_channel::Sender;
use gen_lsp_types::{
    CancelParams, CodeAction, CodeActionKind, CodeActionOptions, CompletionOptions, DidChangeTextDocumentParams,
    DidCloseTextDocumentParams, DidOpenTextDocumentParams, DidSaveTextDocumentParams, Id, LspNotificationMethod,
    PublishDiagnosticsParams, RenameOptions, ResourceOperationKind, SemanticTokensLegend, SemanticTokensOptions,
    ServerCapabilities, TextDocumentContentChangeEvent, TextDocumentSyncKind, TextDocumentSyncOptions,
};
use lsp_server::{ErrorCode, Message, Notification, Request, RequestId, Response};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use torchgen_base::diag::Shown;
use torchgen_base::write::manifest::Texts;

use super::diagnostics::diagnostic;
use super::index::Index;
use super::marks::COLORED;
use super::project::Project;
use super::text::{Encoding, Text};
use super::uri::{path_of, uri_of};
use super::worker::{CheckResult, Done, Task, Worker};
use super::{edits, kernels};

/// The files that the client is asked to watch.
const WATCHED: [&str; 9] =
    ["**/*.yaml", "**/*.yml", "**/*.cpp", "**/*.cc", "**/*.cu", "**/*.mm", "**/*.h", "**/*.hpp", "**/*.cuh"];

/// What is known about a project.
#[derive(Default)]
pub(super) struct Known {
    pub(super) index: Index,
    pub(super) diagnostics: Vec<Shown>,
    /// Kernels that the sources do not define.
    pub(super) missing: Vec<Shown>,
    /// The files that the client shows diagnostics of.
    published: BTreeSet<PathBuf>,
    /// The texts of the last check that was asked for.
    asked: Texts,
}

/// The server.
pub(super) struct Server {
    sender: Sender<Message>,
    encoding: Encoding,
    /// Whether the client reports what changes on disk if it is asked to.
    watches: bool,
    /// Whether the client asks for the edit of an action when it is chosen.
    pub(super) resolves: bool,
    /// Whether edits of the client can create files.
    pub(super) creates: bool,
    /// Actions that were chosen, and whose texts the worker makes.
    pub(super) chosen: BTreeMap<RequestId, (Project, CodeAction)>,
    /// The texts that the client shows, by path, with their versions.
    texts: BTreeMap<PathBuf, (Text, i32)>,
    /// The project of each of these texts when it was last checked.
    belonged: BTreeMap<PathBuf, Project>,
    pub(super) projects: BTreeMap<Project, Known>,
    pub(super) worker: Worker,
}

impl Server {
    /// A server for a client with these parameters of `initialize`. Of its capabilities, those that
    /// are odd count as missing, and the others stay.
    pub(super) fn new(params: &Value, sender: Sender<Message>) -> Server {
        let operations: Vec<ResourceOperationKind> = capability(params, "workspace/workspaceEdit/resourceOperations");
        let resolved: Vec<String> = capability(params, "textDocument/codeAction/resolveSupport/properties");
        Server {
            sender,
            encoding: Encoding::chosen(&capability::<Vec<_>>(params, "general/positionEncodings")),
            watches: capability(params, "workspace/didChangeWatchedFiles/dynamicRegistration"),
            resolves: resolved.iter().any(|property| property == "edit"),
            creates: operations.contains(&ResourceOperationKind::Create),
            chosen: BTreeMap::new(),
            texts: BTreeMap::new(),
            belonged: BTreeMap::new(),
            projects: BTreeMap::new(),
            worker: Worker::start(),
        }
    }

    /// What the server can do, as the answer to `initialize`.
    pub(super) fn capabilities(&self) -> Value {
        let tokens = SemanticTokensOptions {
            legend: SemanticTokensLegend {
                token_types: COLORED.map(String::from).to_vec(),
                token_modifiers: Vec::new(),
            },
            full: Some(true.into()),
            ..SemanticTokensOptions::default()
        };
        let sync = TextDocumentSyncOptions {
            open_close: Some(true),
            change: Some(TextDocumentSyncKind::Incremental),
            save: Some(true.into()),
            ..TextDocumentSyncOptions::default()
        };
        let capabilities = ServerCapabilities {
            position_encoding: Some(self.encoding.kind()),
            text_document_sync: Some(sync.into()),
            hover_provider: Some(true.into()),
            completion_provider: Some(CompletionOptions {
                trigger_characters: Some([":", " ", "("].map(str::to_owned).to_vec()),
                ..CompletionOptions::default()
            }),
            definition_provider: Some(true.into()),
            references_provider: Some(true.into()),
            rename_provider: Some(RenameOptions { prepare_provider: Some(true), ..RenameOptions::default() }.into()),
            document_symbol_provider: Some(true.into()),
            document_formatting_provider: Some(true.into()),
            document_range_formatting_provider: Some(true.into()),
            folding_range_provider: Some(true.into()),
            semantic_tokens_provider: Some(tokens.into()),
            inlay_hint_provider: Some(true.into()),
            code_action_provider: Some(
                CodeActionOptions {
                    code_action_kinds: Some(vec![CodeActionKind::QuickFix, CodeActionKind::Refactor]),
                    resolve_provider: Some(true),
                    ..CodeActionOptions::default()
                }
                .into(),
            ),
            ..ServerCapabilities::default()
        };
        json!({
            "capabilities": capabilities,
            "serverInfo": { "name": "torchgen-rs", "version": env!("CARGO_PKG_VERSION") },
        })
    }

    /// What follows the handshake: asks the client to watch files.
    pub(super) fn begin(&self) {
        if self.watches {
            let watchers = WATCHED.map(|pattern| json!({ "globPattern": pattern }));
            let method = LspNotificationMethod::WorkspaceDidChangeWatchedFiles;
            let registration = json!({ "id": "files", "method": method, "registerOptions": { "watchers": watchers } });
            let params = json!({ "registrations": [registration] });
            self.send(Request::new(0.into(), "client/registerCapability".to_owned(), params).into());
        }
    }

    pub(super) fn send(&self, message: Message) {
        // The client is gone; the loop ends at its next message.
        let _ = self.sender.send(message);
    }

    /// Reads a notification.
    pub(super) fn notice(&mut self, notification: Notification) {
        let Notification { method, params } = notification;
        match LspNotificationMethod::from(method.as_str()) {
            LspNotificationMethod::TextDocumentDidOpen => {
                let Some(DidOpenTextDocumentParams { text_document: document }) = read_parameters(params) else {
                    return;
                };
                let Some(path) = path_of(&document.uri) else { return };
                self.texts.insert(path.clone(), (Text::new(document.text, self.encoding), document.version));
                self.check_project_of(&path);
            }
            LspNotificationMethod::TextDocumentDidChange => {
                let Some(DidChangeTextDocumentParams { text_document, content_changes }) = read_parameters(params)
                else {
                    return;
                };
                let Some(path) = path_of(&text_document.text_document_identifier.uri) else { return };
                let Some((text, version)) = self.texts.get_mut(&path) else { return };
                for change in content_changes {
                    let (range, new) = match change {
                        TextDocumentContentChangeEvent::TextDocumentContentChangePartial(part) => {
                            (Some(part.range), part.text)
                        }
                        TextDocumentContentChangeEvent::TextDocumentContentChangeWholeDocument(whole) => {
                            (None, whole.text)
                        }
                    };
                    *text = text.edited(range, &new);
                }
                *version = text_document.version;
                self.check_project_of(&path);
            }
            LspNotificationMethod::TextDocumentDidSave => {
                let Some(DidSaveTextDocumentParams { text_document, .. }) = read_parameters(params) else { return };
                path_of(&text_document.uri).into_iter().for_each(|path| self.check_project_of(&path));
            }
            LspNotificationMethod::TextDocumentDidClose => {
                let Some(DidCloseTextDocumentParams { text_document }) = read_parameters(params) else { return };
                let Some(path) = path_of(&text_document.uri) else { return };
                // The file counts again, as it was saved.
                let project = self.project_of(&path);
                self.belonged.remove(&path);
                self.texts.remove(&path);
                project.into_iter().for_each(|project| self.check_project(project));
            }
            LspNotificationMethod::CancelRequest => {
                let Some(CancelParams { id }) = read_parameters(params) else { return };
                self.worker.ask(Task::Cancel(request_id(id)));
            }
            LspNotificationMethod::WorkspaceDidChangeWatchedFiles => {
                let projects: Vec<Project> = self.projects.keys().cloned().collect();
                projects.into_iter().for_each(|project| self.check_project(project));
            }
            _ => {}
        }
    }

    /// The project of a file.
    pub(super) fn project_of(&self, path: &Path) -> Option<Project> {
        Project::containing(path, self.text(path).as_ref().map_or("", Text::as_str))
    }

    /// What is known about the project of a file.
    pub(super) fn known(&self, path: &Path) -> Option<(&Project, &Known)> {
        self.projects.get_key_value(&self.project_of(path)?)
    }

    /// A text as the client shows it, or as it is saved.
    pub(super) fn text(&self, path: &Path) -> Option<Text> {
        if let Some((text, _)) = self.texts.get(path) {
            return Some(text.clone());
        }
        let bytes = std::fs::read(path).ok()?;
        Some(Text::new(String::from_utf8(bytes).ok()?, self.encoding))
    }

    /// The texts of a project's files.
    pub(super) fn texts_of(&self, project: &Project, known: &Known) -> Vec<(PathBuf, Text)> {
        let mut paths: BTreeSet<PathBuf> = project.files().into_iter().collect();
        paths.extend(known.index.files().iter().cloned());
        paths.into_iter().filter_map(|path| Some((path.clone(), self.text(&path)?))).collect()
    }

    /// All texts that the client shows.
    pub(super) fn shown(&self) -> Texts {
        Arc::new(self.texts.iter().map(|(path, (text, _))| (path.clone(), text.shared())).collect())
    }

    /// Checks the project of a file, and the one that it belonged to before.
    fn check_project_of(&mut self, path: &Path) {
        let now = self.project_of(path);
        let before = match &now {
            Some(project) => self.belonged.insert(path.to_owned(), project.clone()),
            None => self.belonged.remove(path),
        };
        before.filter(|before| now.as_ref() != Some(before)).into_iter().for_each(|before| self.check_project(before));
        now.into_iter().for_each(|project| self.check_project(project));
    }

    fn check_project(&mut self, project: Project) {
        let texts = self.shown();
        self.projects.entry(project.clone()).or_default().asked = Arc::clone(&texts);
        self.worker.ask(Task::Check(project, texts));
    }

    /// Takes what the worker did.
    pub(super) fn finish(&mut self, done: Done) {
        match done {
            Done::Checked(project, texts, CheckResult { diagnostics, missing }) => {
                // What is true of earlier texts would be shown as true of these.
                if let Some(known) = self.projects.get_mut(&project).filter(|known| Arc::ptr_eq(&known.asked, &texts)) {
                    known.missing = missing;
                    self.publish(project, diagnostics);
                }
            }
            Done::Known(project, index) => self.projects.entry(project).or_default().index = index,
            Done::Cancelled(id) => {
                self.chosen.remove(&id);
                self.send(cancelled(id).into());
            }
            Done::Printed(id, text) => {
                let text = text.ok();
                let answer = match self.chosen.remove(&id) {
                    Some((project, action)) => json!(self.written(&project, action, &text.unwrap_or_default())),
                    // What is asked about may have no code.
                    None => text.map_or(Value::Null, printed),
                };
                self.send(Response::new_ok(id, answer).into());
            }
        }
    }

    /// An action that was chosen, with the edit that writes what its command printed.
    fn written(&self, project: &Project, action: CodeAction, printed: &str) -> CodeAction {
        let is_kernel = |name: &str| self.projects.get(project).is_some_and(|known| known.index.is_kernel(name));
        let (in_cpp, modules) = kernels::parts(printed);
        let home = || kernels::home(project, is_kernel, |path| self.text(path));
        let home = (!in_cpp.is_empty()).then(home).flatten();
        let in_cpp = home.and_then(|(path, text)| edits::appended(&path, &text, in_cpp));
        let in_module = |(path, added): &(PathBuf, &str)| match self.text(path) {
            Some(text) => edits::appended(path, &text, added),
            None => edits::created(path, (*added).to_owned()).filter(|_| self.creates),
        };
        CodeAction { edit: edits::joined(in_cpp.into_iter().chain(modules.iter().filter_map(in_module))), ..action }
    }

    /// Shows the diagnostics of a project, and removes those of before.
    fn publish(&mut self, project: Project, diagnostics: Vec<Shown>) {
        let mut by_file: BTreeMap<PathBuf, Vec<&Shown>> = BTreeMap::new();
        for of in &diagnostics {
            // Without a place, it is about the sources as a whole.
            let first = || self.texts.keys().find(|path| self.project_of(path).as_ref() == Some(&project)).cloned();
            let path = of.place.as_ref().map(|place| PathBuf::from(&place.file)).or_else(first);
            path.into_iter().for_each(|path| by_file.entry(path).or_default().push(of));
        }
        let before = self.projects.get(&project).map(|known| known.published.clone()).unwrap_or_default();
        let own = self.texts.keys().filter(|path| self.project_of(path).as_ref() == Some(&project));
        let clean: BTreeSet<&PathBuf> = before.iter().chain(own).filter(|path| !by_file.contains_key(*path)).collect();
        clean.into_iter().for_each(|path| self.publish_file(path, Vec::new()));
        let published = by_file.keys().cloned().collect();
        for (path, found) in by_file {
            let text = self.text(&path);
            let found = found.into_iter().map(|of| diagnostic(of, text.as_ref(), |path| self.text(path))).collect();
            self.publish_file(&path, found);
        }
        let known = self.projects.entry(project).or_default();
        (known.published, known.diagnostics) = (published, diagnostics);
    }

    fn publish_file(&self, path: &Path, diagnostics: Vec<gen_lsp_types::Diagnostic>) {
        let Some(uri) = uri_of(path) else { return };
        let version = self.texts.get(path).map(|(_, version)| *version);
        let params = PublishDiagnosticsParams { uri, diagnostics, version };
        self.send(Notification::new(LspNotificationMethod::TextDocumentPublishDiagnostics.into(), params).into());
    }
}

/// A capability of the client, by its path; the default if there is none, or one that is odd.
fn capability<T: DeserializeOwned + Default>(params: &Value, path: &str) -> T {
    params.pointer(&format!("/capabilities/{path}")).and_then(|found| T::deserialize(found).ok()).unwrap_or_default()
}

/// The answer to a request that its client no longer needs.
pub(super) fn cancelled(id: RequestId) -> Response {
    Response::new_err(id, ErrorCode::RequestCanceled as i32, "the request was cancelled".to_owned())
}

/// The number or the word of a request.
pub(super) fn request_id(id: Id) -> RequestId {
    match id {
        Id::Int(number) => number.into(),
        Id::String(word) => word.into(),
    }
}

/// Parameters; none if the client breaks the protocol, which leaves all as it is.
pub(super) fn read_parameters<T: DeserializeOwned>(params: Value) -> Option<T> {
    serde_json::from_value(params).ok()
}

/// The answer with what `explain` prints.
fn printed(text: String) -> Value {
    let title = text.lines().next().unwrap_or_default().to_owned();
    json!({ "title": title, "languageId": "cpp", "text": text })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_odd_capability_costs_no_other() {
        let client = json!({"capabilities": {
            "general": {"positionEncodings": "utf-8"},
            "textDocument": {"codeAction": {"resolveSupport": {"properties": ["edit"]}}},
            "workspace": {"didChangeWatchedFiles": {"dynamicRegistration": 1}, "workspaceEdit": {"resourceOperations": ["create", "fly"]}},
        }});
        let (sender, _) = crossbeam_channel::unbounded();
        let server = Server::new(&client, sender);
        assert_eq!(server.encoding, Encoding::Utf16);
        assert!(server.resolves && server.creates && !server.watches);
    }
}
