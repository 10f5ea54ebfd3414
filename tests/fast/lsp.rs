//! `torchgen-rs lsp` as an editor uses it: messages over standard input and output.

mod editor;
mod kernels;

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use libtest_mimic::Trial;
use serde_json::{Value, json};

use self::editor::{Editor, place, uri};
use crate::{copy, root};

/// The tests of this module.
pub(crate) fn trials() -> Vec<Trial> {
    let own = trials![
        a_library,
        names_across_files,
        keys_and_values,
        pytorchs_layout,
        each_family,
        columns_of_each_encoding,
        files_that_vanish,
        ranges_and_the_yaml_of_others,
        cancelled_requests,
        texts_that_leave_a_project,
        odd_clients,
        edits_end_where_a_fresh_check_is,
    ];
    own.into_iter().chain(kernels::trials()).collect()
}

const OPERATORS: &str = "\
- func: mine::scaled(Tensor x, float factor=2.0) -> Tensor
  variants: function
  fake: like(x)
  dispatch:
    CPU: scaled_cpu
  autogen: scaled.out

- func: mine::twice(Tensor x) -> Tensor
  dispatch:
    CompositeImplicitAutograd: twice
";

const DERIVATIVES: &str = "\
- name: scaled(Tensor x, float factor=2.0) -> Tensor
  x: scaled(grad, factor)
";

/// A library in a directory of its own.
fn library(operators: &str) -> (tempfile::TempDir, PathBuf) {
    let dir = tempfile::tempdir().expect("a directory");
    let real = dir.path().canonicalize().expect("a directory");
    fs::write(real.join("native_functions.yaml"), operators).expect("a file");
    fs::write(real.join("derivatives.yaml"), DERIVATIVES).expect("a file");
    (dir, real)
}

fn a_library() {
    let (_dir, real) = library(OPERATORS);
    let path = real.join("native_functions.yaml");
    let mut editor = Editor::start(json!(["utf-8"]));
    let watching = editor.wait(|message| message["method"] == "client/registerCapability");
    assert_eq!(watching["params"]["registrations"][0]["method"], "workspace/didChangeWatchedFiles");

    let wrong = OPERATORS.replace("variants:", "varaints:");
    editor.open(&path, &wrong);
    assert_eq!(editor.found(&path, 1), ["1 TG0303 1:2"]);
    let range = json!({ "start": { "line": 1, "character": 4 }, "end": { "line": 1, "character": 4 } });
    let params = json!({ "textDocument": { "uri": uri(&path) }, "range": range, "context": { "diagnostics": [] } });
    let actions = editor.ask("textDocument/codeAction", params);
    assert_eq!(actions[0]["title"], "Replace `varaints` by `variants`");
    let edit = &actions[0]["edit"]["changes"][uri(&path)][0];
    assert_eq!(edit["newText"], "variants");
    assert_eq!(edit["range"]["end"], json!({ "line": 1, "character": 10 }));
    // The edit of the action, as an editor sends it.
    let document = json!({ "uri": uri(&path), "version": 2 });
    let change = json!({ "range": edit["range"], "text": edit["newText"] });
    editor.notify("textDocument/didChange", json!({ "textDocument": document, "contentChanges": [change] }));
    assert_eq!(editor.found(&path, 2), Vec::<String>::new());

    editor.know(&path, OPERATORS, "scal|ed(");
    let hover = editor.at("textDocument/hover", &path, OPERATORS, "scal|ed(")["contents"]["value"].clone();
    let hover = hover.as_str().expect("a text");
    for said in [
        "scaled(Tensor x, float factor=2.0) -> Tensor",
        "| CPU | `mine::native::scaled_cpu`",
        "gradient of x: `scaled(grad, factor)`",
    ] {
        assert!(hover.contains(said), "{said}\n{hover}");
    }
    let hover = editor.at("textDocument/hover", &path, OPERATORS, "fac|tor")["contents"]["value"].clone();
    assert!(hover.as_str().is_some_and(|text| text.contains("float factor=2.0")), "{hover}");

    let all = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 99, "character": 0 } });
    let hints = editor.ask("textDocument/inlayHint", json!({ "textDocument": { "uri": uri(&path) }, "range": all }));
    assert_eq!(hints[0]["label"], "also mine::scaled.out", "{hints}");
    let of = json!({ "textDocument": { "uri": uri(&path) } });
    let symbols = editor.ask("textDocument/documentSymbol", of.clone());
    assert_eq!((&symbols[0]["name"], &symbols[1]["name"]), (&json!("mine::scaled"), &json!("mine::twice")));
    assert_eq!(symbols[0]["range"]["end"], json!({ "line": 5, "character": 21 }));
    let folds = editor.ask("textDocument/foldingRange", of.clone());
    assert_eq!(folds[1], json!({ "startLine": 7, "endLine": 9 }));
    let tokens = editor.ask("textDocument/semanticTokens/full", of)["data"].clone();
    assert_eq!(tokens.as_array().map(Vec::len), Some(5 * 11), "{tokens}");
    let code = editor.at("torchgen-rs/generatedCode", &path, OPERATORS, "CPU: |");
    assert!(code["text"].as_str().is_some_and(|text| text.contains("scaled")), "{code}");

    let loose = OPERATORS.replace("float factor", "float   factor");
    editor.change(&path, 3, &loose);
    let options = json!({ "textDocument": { "uri": uri(&path) }, "options": { "tabSize": 2, "insertSpaces": true } });
    let edits = editor.ask("textDocument/formatting", options.clone());
    assert_eq!(edits[0]["newText"].as_str(), OPERATORS.split_inclusive('\n').next());
    // A broken text stays as it is, and keeps the facts of before.
    editor.change(&path, 4, &format!("{OPERATORS}  x: [\n"));
    assert_eq!(editor.ask("textDocument/formatting", options), Value::Null);
    assert!(!editor.at("textDocument/hover", &path, OPERATORS, "scal|ed(").is_null());
    editor.end();
}

fn names_across_files() {
    let (_dir, real) = library(OPERATORS);
    let (operators, derivatives) = (real.join("native_functions.yaml"), real.join("derivatives.yaml"));
    let mut editor = Editor::start(json!(["utf-8"]));
    editor.open(&derivatives, DERIVATIVES);
    assert_eq!(editor.found(&derivatives, 1), Vec::<String>::new());
    editor.know(&derivatives, DERIVATIVES, "x: sc|aled");
    let shown = places;
    let definition = editor.at("textDocument/definition", &derivatives, DERIVATIVES, "x: sc|aled");
    assert_eq!(shown(&definition), ["native_functions.yaml 0:8"]);
    let argument = editor.at("textDocument/definition", &derivatives, DERIVATIVES, "grad, fac|tor");
    assert_eq!(shown(&argument), ["native_functions.yaml 0:37"]);
    let mut wanted = place(&derivatives, DERIVATIVES, "grad, fac|tor");
    wanted["context"] = json!({ "includeDeclaration": false });
    let references = editor.ask("textDocument/references", wanted.clone());
    assert_eq!(shown(&references), ["derivatives.yaml 0:31", "derivatives.yaml 1:18"]);

    let range = editor.ask("textDocument/prepareRename", wanted.clone());
    assert_eq!(range["start"], json!({ "line": 1, "character": 18 }));
    for (to, why) in [("x", "`scaled` already has `x`"), ("1", "`1` is not a name")] {
        wanted["newName"] = json!(to);
        let refused = editor.reply("textDocument/rename", wanted.clone());
        assert_eq!(refused["error"]["message"], why);
    }
    wanted["newName"] = json!("by");
    let changes = editor.ask("textDocument/rename", wanted.clone())["changes"].clone();
    let mut texts = [(&operators, OPERATORS.to_owned()), (&derivatives, DERIVATIVES.to_owned())];
    for (path, text) in &mut texts {
        let mut edits = changes[uri(path)].as_array().expect("edits").clone();
        edits.reverse();
        for edit in edits {
            let byte = |of: &Value| {
                let lines = text.split_inclusive('\n').take(of["line"].as_u64().unwrap_or_default() as usize);
                lines.map(str::len).sum::<usize>() + of["character"].as_u64().unwrap_or_default() as usize
            };
            let range = byte(&edit["range"]["start"])..byte(&edit["range"]["end"]);
            assert_eq!(&text[range.clone()], "factor");
            text.replace_range(range, edit["newText"].as_str().expect("a text"));
        }
        assert!(!text.contains("factor"), "{text}");
        editor.open(path, text);
    }
    assert_eq!(editor.found(&operators, 1), Vec::<String>::new());
    editor.end();
}

/// Places as file, line and column.
fn places(of: &Value) -> Vec<String> {
    let show = |at: &Value| {
        let file = at["uri"].as_str().and_then(|uri| uri.rsplit('/').next()).unwrap_or_default();
        format!("{file} {}:{}", at["range"]["start"]["line"], at["range"]["start"]["character"])
    };
    of.as_array().expect("places").iter().map(show).collect()
}

fn keys_and_values() {
    let (_dir, real) = library(OPERATORS);
    let path = real.join("native_functions.yaml");
    let mut editor = Editor::start(json!(["utf-8"]));
    editor.open(&path, OPERATORS);
    editor.know(&path, OPERATORS, "scal|ed(");
    let mut offered = |text: &str, needle: &str, version: i64| {
        editor.change(&path, version, text);
        let items = editor.at("textDocument/completion", &path, text, needle);
        let label = |item: &Value| item["label"].as_str().unwrap_or_default().to_owned();
        items.as_array().map(|items| items.iter().map(label).collect::<Vec<_>>()).unwrap_or_default()
    };
    let has = |labels: &[String], wanted: &[&str], not: &[&str]| {
        wanted.iter().all(|word| labels.iter().any(|label| label == word))
            && not.iter().all(|word| labels.iter().all(|label| label != word))
    };
    let labels = offered(&OPERATORS.replace("  autogen: scaled.out\n", "  au\n"), "  au|\n", 2);
    assert!(has(&labels, &["autogen", "tags", "structured"], &["func", "dispatch", "CPU"]), "{labels:?}");
    let labels = offered(&OPERATORS.replace("    CPU: scaled_cpu\n", "    CPU: scaled_cpu\n    CU\n"), "    CU|\n", 3);
    assert!(has(&labels, &["CUDA", "MPS"], &["CPU", "tags"]), "{labels:?}");
    let labels = offered(&OPERATORS.replace("variants: function", "variants: "), "variants: |", 4);
    assert!(has(&labels, &["function", "method"], &["tags"]), "{labels:?}");
    let labels =
        offered(&OPERATORS.replace("autogen: scaled.out", "structured_delegate: "), "structured_delegate: |", 5);
    assert!(has(&labels, &["scaled", "twice"], &["tags"]), "{labels:?}");
    let labels = offered(OPERATORS, "twice(|Tensor", 6);
    assert!(has(&labels, &["Tensor", "float"], &["tags"]), "{labels:?}");
    let hover = editor.at("textDocument/hover", &path, OPERATORS, "dispa|tch")["contents"]["value"].clone();
    assert!(hover.as_str().is_some_and(|text| text.contains("The kernel for each dispatch key")), "{hover}");
    let path = real.join("derivatives.yaml");
    editor.open(&path, DERIVATIVES);
    let items = editor.at("textDocument/completion", &path, DERIVATIVES, "x: |scaled").to_string();
    assert!(["\"factor\"", "\"grad\"", "\"twice\""].iter().all(|word| items.contains(word)), "{items}");
    editor.end();
}

fn pytorchs_layout() {
    let dir = tempfile::tempdir().expect("a directory");
    let real = dir.path().canonicalize().expect("a directory");
    copy(&root().join("tests/mini/source"), &real);
    let path = real.join("native/native_functions.yaml");
    let text = fs::read_to_string(&path).expect("a file");
    let mut editor = Editor::start(json!(["utf-8"]));
    editor.open(&path, &text);
    let before = editor.found(&path, 1);
    editor.change(&path, 2, &text.replacen("-> Tensor", "-> Tensr", 1));
    let after = editor.found(&path, 2);
    assert!(
        after.iter().any(|of| of.contains("TG0203")) && !before.iter().any(|of| of.contains("TG0203")),
        "{after:?}"
    );
    editor.end();
}

fn each_family() {
    for family in ["graph-ir", "tensor-ir", "op-builders"] {
        let dir = tempfile::tempdir().expect("a directory");
        let real = dir.path().canonicalize().expect("a directory");
        copy(&root().join("families").join(family).join("example"), &real);
        let files = fs::read_dir(&real).expect("a directory").flatten().map(|entry| entry.path());
        let is_yaml = |path: &PathBuf| path.extension().is_some_and(|ending| ending == "yaml");
        let mut files: Vec<PathBuf> = files.filter(is_yaml).collect();
        files.sort();
        let path = files.into_iter().find(|path| fs::read_to_string(path).is_ok_and(|text| text.contains("family: ")));
        let path = path.expect("a file of the family");
        let text = fs::read_to_string(&path).expect("a file");
        let mut editor = Editor::start(json!(["utf-8"]));
        editor.open(&path, &text);
        let errors = |found: &[String]| found.iter().filter(|of| of.starts_with('1')).count();
        assert_eq!(errors(&editor.found(&path, 1)), 0, "{family}");
        editor.change(&path, 2, &text.replacen("\n", "\nno_such_key: 1\n", 1));
        assert_eq!(errors(&editor.found(&path, 2)), 1, "{family}");
        let symbols = editor.ask("textDocument/documentSymbol", json!({ "textDocument": { "uri": uri(&path) } }));
        assert!(symbols.as_array().is_some_and(|symbols| symbols.len() > 2), "{family}: {symbols}");
        editor.end();
    }
}

fn columns_of_each_encoding() {
    // After `é𝛼`: 2 + 4 bytes, 1 + 2 units, 1 + 1 characters.
    let operators = "- func: f(Tensor x, str s='é𝛼', Tensr y=None) -> Tensor\r\n";
    for (encodings, column) in [(json!(["utf-8"]), 36), (json!(null), 33), (json!(["utf-32", "utf-8"]), 32)] {
        let (_dir, real) = library(operators);
        let path = real.join("native_functions.yaml");
        let mut editor = Editor::start(encodings);
        editor.open(&path, operators);
        let found = editor.found(&path, 1);
        assert!(found.contains(&format!("1 TG0203 0:{column}")), "{found:?}");
        editor.end();
    }
}

fn files_that_vanish() {
    let (_dir, real) = library(OPERATORS);
    let path = real.join("native_functions.yaml");
    let mut editor = Editor::start(json!(["utf-8"]));
    editor.open(&path, OPERATORS);
    assert_eq!(editor.found(&path, 1), Vec::<String>::new());
    // The diagnostics of a file that the client does not show.
    fs::write(real.join("derivatives.yaml"), "- name: nothing(Tensor x) -> Tensor\n  x: grad\n").expect("a file");
    editor.notify("workspace/didChangeWatchedFiles", json!({ "changes": [] }));
    let other = uri(&real.join("derivatives.yaml"));
    let about = |count: usize| {
        let other = other.clone();
        move |message: &Value| {
            let params = &message["params"];
            params["uri"] == other.as_str() && params["diagnostics"].as_array().is_some_and(|list| list.len() == count)
        }
    };
    editor.wait(about(1));
    fs::remove_file(real.join("derivatives.yaml")).expect("a file");
    editor.notify("workspace/didChangeWatchedFiles", json!({ "changes": [] }));
    editor.wait(about(0));
    editor.notify("textDocument/didClose", json!({ "textDocument": { "uri": uri(&path) } }));
    editor.end();
}

/// The formatter serves ranges, and only files that the program reads.
fn ranges_and_the_yaml_of_others() {
    let (_dir, real) = library(OPERATORS);
    let path = real.join("native_functions.yaml");
    let mut editor = Editor::start(json!(["utf-8"]));
    let loose = OPERATORS.replace("Tensor x", "Tensor   x");
    editor.open(&path, &loose);
    let options = json!({ "tabSize": 2, "insertSpaces": true });
    let lines = |first: u32, last: u32| {
        let range = json!({ "start": { "line": first, "character": 0 }, "end": { "line": last, "character": 0 } });
        json!({ "textDocument": { "uri": uri(&path) }, "range": range, "options": options })
    };
    let edits = editor.ask("textDocument/rangeFormatting", lines(7, 8));
    let line = "- func: mine::twice(Tensor x) -> Tensor\n";
    let range = json!({ "start": { "line": 7, "character": 0 }, "end": { "line": 8, "character": 0 } });
    assert_eq!(edits, json!([{ "range": range, "newText": line }]));
    assert_eq!(editor.ask("textDocument/rangeFormatting", lines(2, 4))[0]["range"]["start"]["line"], 0);

    fs::create_dir_all(real.join(".github")).expect("a folder");
    let other = real.join(".github/ci.yaml");
    editor.open(&other, "on:   [push ]\n");
    let document = json!({ "textDocument": { "uri": uri(&other) }, "options": options });
    assert_eq!(editor.ask("textDocument/formatting", document), Value::Null);
    editor.end();
}

/// A request that is cancelled before its turn gets an error, whether it is quick or runs a
/// command.
fn cancelled_requests() {
    let own =
        |at: usize| OPERATORS.replace("scaled", &format!("a{at}_scaled")).replace("twice", &format!("a{at}_twice"));
    let many: String = std::iter::once(OPERATORS.to_owned()).chain((0..100).map(own)).collect();
    let (_dir, real) = library(&many);
    let path = real.join("native_functions.yaml");
    let mut editor = Editor::start(json!(["utf-8"]));
    editor.open(&path, &many);
    editor.know(&path, &many, "mine::scal|ed(");
    for method in ["textDocument/hover", "torchgen-rs/generatedCode"] {
        // The server may be quicker than the next message.
        let cancelled = (0..20).any(|attempt| {
            let of = json!({ "textDocument": { "uri": uri(&path) } });
            for id in 0..20 {
                let id = format!("{method} {attempt} {id}");
                editor.send(
                    &json!({ "jsonrpc": "2.0", "id": id, "method": "textDocument/semanticTokens/full", "params": of }),
                );
            }
            let (id, params) = (format!("{method} {attempt}"), place(&path, &many, "mine::scal|ed("));
            editor.send(&json!({ "jsonrpc": "2.0", "id": format!("{id} before"), "method": method, "params": params }));
            editor.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
            editor.notify("$/cancelRequest", json!({ "id": id }));
            let reply = editor.wait(|message| message["id"] == id.as_str());
            reply["error"]["code"] == -32800
        });
        assert!(cancelled, "{method}");
    }
    editor.end();
}

/// A text that is emptied belongs to no project, and the diagnostics of before go away.
fn texts_that_leave_a_project() {
    let (_dir, real) = library(OPERATORS);
    fs::write(real.join("library.yaml"), "include: [more.yaml]\n").expect("a file");
    let more = real.join("more.yaml");
    let wrong = "- func: mine::more(Tenser x) -> Tensor\n";
    fs::write(&more, wrong).expect("a file");
    let mut editor = Editor::start(json!(["utf-8"]));
    editor.open(&more, wrong);
    assert_eq!(editor.found(&more, 1), ["1 TG0203 0:19"]);
    editor.change(&more, 2, "[]\n");
    assert_eq!(editor.found(&more, 2), Vec::<String>::new());
    editor.change(&more, 3, wrong);
    assert_eq!(editor.found(&more, 3), ["1 TG0203 0:19"]);
    editor.end();
}

fn odd_clients() {
    let mut editor = Editor::start(json!(["utf-8"]));
    let refused = editor.reply("textDocument/hover", json!({ "textDocument": 1 }));
    assert_eq!(refused["error"]["code"], -32602);
    let refused = editor.reply("textDocument/moniker", json!({}));
    assert_eq!(refused["error"]["code"], -32601);
    editor.notify("textDocument/didOpen", json!({ "textDocument": {} }));
    editor.notify(
        "textDocument/didChange",
        json!({ "textDocument": { "uri": "file:///nowhere.yaml", "version": 1 }, "contentChanges": [] }),
    );
    let far = json!({ "textDocument": { "uri": "untitled:1" }, "position": { "line": 9, "character": 9 } });
    for method in ["hover", "completion", "definition"] {
        assert_eq!(editor.ask(&format!("textDocument/{method}"), far.clone()), Value::Null);
    }
    editor.end();
    // A client that goes without a word.
    let mut editor = Editor::start(json!(["utf-8"]));
    drop(editor.input.take());
    assert!(editor.server.wait().is_ok());
}

/// Edits of any kind, after which the server says what a fresh `check` says.
fn edits_end_where_a_fresh_check_is() {
    const EDITS: u64 = 300;
    let (_dir, real) = library(OPERATORS);
    let path = real.join("native_functions.yaml");
    let mut editor = Editor::start(json!(["utf-8"]));
    let mut text = OPERATORS.to_owned();
    editor.open(&path, &text);
    editor.found(&path, 1);
    let mut state: u64 = 7;
    let mut random = |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below.max(1)
    };
    for edit in 0..EDITS {
        let version = i64::try_from(edit).unwrap_or_default() + 2;
        let pieces = ["\n", "  ", "x", ": ", "Tensor", "- func: ", "(", "é", "#", "'", "[", "\r\n"];
        let from = random(text.len() + 1);
        let to = (from + random(4)).min(text.len());
        let piece = pieces[random(pieces.len())];
        if !text.is_char_boundary(from) || !text.is_char_boundary(to) {
            editor.change(&path, version, &text);
        } else if random(8) == 0 {
            text = OPERATORS.to_owned();
            editor.change(&path, version, &text);
        } else {
            let position = |at: usize| {
                let before = &text[..at];
                let line = before.matches('\n').count() + before.replace("\r\n", "").matches('\r').count();
                let start = before.rfind(['\n', '\r']).map_or(0, |end| end + 1);
                json!({ "line": line, "character": at - start })
            };
            // Between `\r` and `\n` the protocol has no place.
            let splits = |at: usize| text[..at].ends_with('\r') && text[at..].starts_with('\n');
            if splits(from) || splits(to) {
                editor.change(&path, version, &text);
            } else {
                let range = json!({ "start": position(from), "end": position(to) });
                let document = json!({ "uri": uri(&path), "version": version });
                let change = json!({ "range": range, "text": piece });
                editor
                    .notify("textDocument/didChange", json!({ "textDocument": document, "contentChanges": [change] }));
                text.replace_range(from..to, piece);
            }
        }
        if edit % 10 != 9 {
            continue;
        }
        let mut served = editor.found(&path, version);
        fs::write(&path, &text).expect("a file");
        let fresh = Command::new(env!("CARGO_BIN_EXE_torchgen-rs"))
            .args(["check", "--message-format", "json", "-s"])
            .arg(&real)
            .output()
            .expect("the program runs");
        let said = String::from_utf8_lossy(&fresh.stderr).into_owned();
        let all = said.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
        let own = all.filter(|of| of["file"] == path.display().to_string() || of.get("file").is_none());
        let mut wanted: Vec<String> = own.map(|of| of["code"].as_str().unwrap_or("-").to_owned()).collect();
        served.iter_mut().for_each(|of| *of = of.split(' ').nth(1).unwrap_or_default().to_owned());
        served.sort();
        wanted.sort();
        assert_eq!(served, wanted, "after {edit}:\n{text}\n{said}");
    }
    editor.end();
}
