//! An editor that talks to a server: messages over its standard input and output.
//!
//! Invariant: messages that nothing waits for are kept.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use serde_json::{Value, json};

/// How long an answer may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// An editor with a server.
pub(super) struct Editor {
    pub(super) server: Child,
    pub(super) input: Option<ChildStdin>,
    messages: Receiver<Value>,
    /// Messages that were not waited for.
    seen: Vec<Value>,
    number: i64,
}

impl Editor {
    /// One that can do what editors can.
    pub(super) fn start(encodings: Value) -> Editor {
        Editor::with(json!({
            "general": { "positionEncodings": encodings },
            "workspace": {
                "didChangeWatchedFiles": { "dynamicRegistration": true },
                "workspaceEdit": { "documentChanges": true, "resourceOperations": ["create"] },
            },
            "textDocument": { "codeAction": { "resolveSupport": { "properties": ["edit"] } } },
        }))
    }

    /// One that only has to understand the protocol.
    pub(super) fn plain() -> Editor {
        Editor::with(json!({ "general": { "positionEncodings": ["utf-8"] } }))
    }

    fn with(capabilities: Value) -> Editor {
        let mut editor = Editor::bare();
        let answer =
            editor.ask("initialize", json!({ "processId": null, "rootUri": null, "capabilities": capabilities }));
        assert_eq!(answer["serverInfo"]["name"], "torchgen-rs");
        editor.notify("initialized", json!({}));
        editor
    }

    pub(super) fn bare() -> Editor {
        let mut server = Command::new(env!("CARGO_BIN_EXE_torchgen-rs"))
            .arg("lsp")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program starts");
        let (sender, messages) = channel();
        let output = server.stdout.take().expect("a pipe");
        std::thread::spawn(move || {
            let mut output = BufReader::new(output);
            while let Some(message) = message(&mut output) {
                if sender.send(message).is_err() {
                    return;
                }
            }
        });
        Editor { input: server.stdin.take(), server, messages, seen: Vec::new(), number: 0 }
    }

    pub(super) fn send(&mut self, message: &Value) {
        let text = message.to_string();
        let input = self.input.as_mut().expect("an open stream");
        write!(input, "Content-Length: {}\r\n\r\n{text}", text.len()).expect("the server reads");
        input.flush().expect("the server reads");
    }

    pub(super) fn notify(&mut self, method: &str, params: Value) {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    /// The first message that fits; others are kept.
    pub(super) fn wait(&mut self, fits: impl Fn(&Value) -> bool) -> Value {
        if let Some(at) = self.seen.iter().position(&fits) {
            return self.seen.remove(at);
        }
        loop {
            let message = self.messages.recv_timeout(PATIENCE).expect("a message of the server");
            if fits(&message) {
                return message;
            }
            self.seen.push(message);
        }
    }

    /// The answer to a request, or its error.
    pub(super) fn reply(&mut self, method: &str, params: Value) -> Value {
        self.number += 1;
        let id = json!(self.number);
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        self.wait(|message| message["id"] == id && message.get("method").is_none())
    }

    pub(super) fn ask(&mut self, method: &str, params: Value) -> Value {
        let reply = self.reply(method, params);
        assert!(reply.get("error").is_none(), "{method}: {reply}");
        reply["result"].clone()
    }

    pub(super) fn open(&mut self, path: &Path, text: &str) {
        let document = json!({ "uri": uri(path), "languageId": "yaml", "version": 1, "text": text });
        self.notify("textDocument/didOpen", json!({ "textDocument": document }));
    }

    pub(super) fn change(&mut self, path: &Path, version: i64, text: &str) {
        let document = json!({ "uri": uri(path), "version": version });
        self.notify(
            "textDocument/didChange",
            json!({ "textDocument": document, "contentChanges": [{ "text": text }] }),
        );
    }

    /// The diagnostics of this version of a file, as severity, code, line and column.
    pub(super) fn found(&mut self, path: &Path, version: i64) -> Vec<String> {
        let uri = uri(path);
        let params = self.wait(|message| {
            message["params"]["uri"] == uri.as_str() && message["params"]["version"] == version
        })["params"]
            .clone();
        let list = params["diagnostics"].as_array().expect("a list").clone();
        let show = |of: &Value| {
            let start = &of["range"]["start"];
            format!(
                "{} {} {}:{}",
                of["severity"],
                of["code"].as_str().unwrap_or("-"),
                start["line"],
                start["character"]
            )
        };
        list.iter().map(show).collect()
    }

    pub(super) fn at(&mut self, method: &str, path: &Path, text: &str, needle: &str) -> Value {
        self.ask(method, place(path, text, needle))
    }

    /// Waits until a word is known: facts come after diagnostics.
    pub(super) fn know(&mut self, path: &Path, text: &str, needle: &str) {
        let wanted = place(path, text, needle);
        for _ in 0..600 {
            if !self.ask("textDocument/definition", wanted.clone()).is_null() {
                return;
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        panic!("`{needle}` is never known");
    }

    pub(super) fn end(mut self) {
        assert_eq!(self.ask("shutdown", Value::Null), Value::Null);
        self.notify("exit", Value::Null);
        assert!(self.server.wait().expect("the server ends").success());
    }
}

impl Drop for Editor {
    fn drop(&mut self) {
        drop(self.input.take());
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

fn message(output: &mut impl BufRead) -> Option<Value> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        if output.read_line(&mut line).ok()? == 0 {
            return None;
        }
        match line.trim_end() {
            "" => break,
            header => {
                if let Some(value) = header.strip_prefix("Content-Length: ") {
                    length = value.parse().ok()?;
                }
            }
        }
    }
    let mut body = vec![0; length];
    output.read_exact(&mut body).ok()?;
    serde_json::from_slice(&body).ok()
}

pub(super) fn uri(path: &Path) -> String {
    format!("file://{}", path.display())
}

/// The place in the middle of a text's first `needle`; `|` in the needle is the place itself.
pub(super) fn place(path: &Path, text: &str, needle: &str) -> Value {
    let (before, after) = needle.split_once('|').unwrap_or((needle, ""));
    let whole = format!("{before}{after}");
    let at = text.find(&whole).unwrap_or_else(|| panic!("the text has no `{whole}`")) + before.len();
    let line = text[..at].matches('\n').count();
    let column = at - text[..at].rfind('\n').map_or(0, |end| end + 1);
    json!({ "textDocument": { "uri": uri(path) }, "position": { "line": line, "character": column } })
}
