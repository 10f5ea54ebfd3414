//! Kernels in C++ sources, and what code actions write.

use std::fs;
use std::path::Path;

use libtest_mimic::Trial;
use serde_json::{Value, json};

use super::editor::{Editor, place, uri};
use super::{OPERATORS, library, places};

/// The tests of this module.
pub(crate) fn trials() -> Vec<Trial> {
    trials![kernels_in_cpp, what_can_be_written, kernels_in_python]
}

const KERNELS: &str = "\
// scaled_cpu is not here
namespace mine::native {
at::Tensor scaled_cpu(const at::Tensor& x, double factor) {
  return x * factor;
}
at::Tensor again(const at::Tensor& x) {
  return scaled_cpu(x, 2);
}
}
";

/// Kernels are defined in C++, and named in YAML.
fn kernels_in_cpp() {
    let (_dir, real) = library(OPERATORS);
    let (yaml, source) = (real.join("native_functions.yaml"), real.join("csrc/kernels.cpp"));
    for (folder, text) in [("csrc", KERNELS), ("build", KERNELS), ("generated", KERNELS)] {
        fs::create_dir(real.join(folder)).expect("a directory");
        fs::write(real.join(folder).join("kernels.cpp"), text).expect("a file");
    }
    fs::write(real.join("generated/.torchgen-rs.manifest"), "").expect("a file");
    let mut editor = Editor::start(json!(["utf-8"]));
    editor.open(&yaml, OPERATORS);
    editor.know(&yaml, OPERATORS, "scal|ed(");
    let definition = editor.at("textDocument/definition", &yaml, OPERATORS, "CPU: scal|ed_cpu");
    assert_eq!(places(&definition), ["kernels.cpp 2:11"]);
    let mut wanted = place(&yaml, OPERATORS, "CPU: scal|ed_cpu");
    wanted["context"] = json!({ "includeDeclaration": true });
    let references = editor.ask("textDocument/references", wanted.clone());
    assert_eq!(places(&references), ["native_functions.yaml 4:9", "kernels.cpp 2:11", "kernels.cpp 6:9"]);

    // A text that is not saved.
    let longer = format!("\n{KERNELS}");
    editor.open(&source, &longer);
    assert_eq!(editor.found(&source, 1), Vec::<String>::new());
    let definition = editor.at("textDocument/definition", &source, &longer, "return sca|led_cpu");
    assert_eq!(places(&definition), ["native_functions.yaml 4:9"]);
    let hover = editor.at("textDocument/hover", &source, &longer, "Tensor scal|ed_cpu")["contents"]["value"].clone();
    assert!(hover.as_str().is_some_and(|text| text.contains("| CPU | `mine::native::scaled_cpu`")), "{hover}");
    assert!(editor.at("textDocument/hover", &source, &longer, "aga|in").is_null());
    let of = json!({ "textDocument": { "uri": uri(&source) } });
    assert!(editor.ask("textDocument/documentSymbol", of).is_null(), "what is not about kernels");

    // Without `dispatch:`, the operator's name is that of its kernel.
    let implicit = OPERATORS.replace("CompositeImplicitAutograd: twice", "CompositeImplicitAutograd: scaled_cpu");
    let implicit = format!("{implicit}\n- func: mine::again(Tensor x) -> Tensor\n");
    editor.change(&yaml, 2, &implicit);
    editor.know(&yaml, &implicit, "aga|in(");
    let definition = editor.at("textDocument/definition", &source, &longer, "aga|in");
    assert_eq!(places(&definition), ["native_functions.yaml 11:8"]);
    let mut rename = place(&source, &longer, "aga|in");
    rename["newName"] = json!("once_more");
    let refused = editor.reply("textDocument/rename", rename)["error"]["message"].clone();
    assert!(refused.as_str().is_some_and(|why| why.contains("is the kernel of `again` by its name")), "{refused}");
    let mut rename = place(&source, &longer, "Tensor scal|ed_cpu");
    rename["newName"] = json!("again");
    assert_eq!(editor.reply("textDocument/rename", rename.clone())["error"]["message"], "`again` is a kernel already");
    rename["newName"] = json!("scaled_host");
    let changes = editor.ask("textDocument/rename", rename)["changes"].clone();
    let lines = |path: &Path| {
        let edits = changes[uri(path)].as_array().expect("edits").clone();
        edits.iter().map(|edit| edit["range"]["start"]["line"].as_u64()).collect::<Vec<_>>()
    };
    assert_eq!((lines(&yaml), lines(&source)), (vec![Some(4), Some(9)], vec![Some(3), Some(7)]));

    // A signature that does not match.
    let wrong = longer.replace("double factor", "const std::string& factor");
    editor.change(&source, 2, &wrong);
    let found = editor.found(&source, 2);
    assert!(matches!(&found[..], [one] if one.starts_with("1 TG0582 3:")), "{found:?}");
    editor.end();
}

/// The actions at a place that are not fixes, by their titles.
fn actions(editor: &mut Editor, path: &Path, text: &str, needle: &str) -> Vec<Value> {
    let at = place(path, text, needle);
    let range = json!({ "start": at["position"], "end": at["position"] });
    let context = json!({ "diagnostics": [], "only": ["refactor"] });
    let params = json!({ "textDocument": at["textDocument"], "range": range, "context": context });
    editor.ask("textDocument/codeAction", params).as_array().expect("actions").clone()
}

/// The text after the only edit of an action.
fn applied(action: &Value, path: &Path, text: &str) -> String {
    let edits = action["edit"]["changes"][uri(path)].as_array().expect("edits");
    let [edit] = &edits[..] else { panic!("{edits:?}") };
    let start = &edit["range"]["start"];
    let lines = text.split_inclusive('\n').take(start["line"].as_u64().expect("a line") as usize);
    let at = lines.map(str::len).sum::<usize>() + start["character"].as_u64().expect("a column") as usize;
    format!("{}{}{}", &text[..at], edit["newText"].as_str().expect("a text"), &text[at..])
}

/// Kernels, derivatives and out variants, which `check` and `kernels` accept.
fn what_can_be_written() {
    const FEW: &str = "\
- func: mine::scaled.by(Tensor x, float factor=2.0) -> Tensor
  fake: like(x)
  dispatch:
    CPU: scaled_cpu
    CUDA: scaled_cuda

- func: mine::lone(Tensor x, int n, Tensor? y) -> Tensor
  fake: like(x)
  dispatch:
    CPU: lone
";
    let (_dir, real) = library(FEW);
    let (yaml, formulas, source) =
        (real.join("native_functions.yaml"), real.join("derivatives.yaml"), real.join("kernels.cpp"));
    fs::remove_file(&formulas).expect("a file");
    fs::write(&source, KERNELS).expect("a file");
    let mut editor = Editor::start(json!(["utf-8"]));
    editor.open(&yaml, FEW);
    editor.know(&yaml, FEW, "scal|ed.by");
    let titles =
        |all: &[Value]| all.iter().map(|of| of["title"].as_str().unwrap_or_default().to_owned()).collect::<Vec<_>>();
    let all = actions(&mut editor, &yaml, FEW, "CPU: scal|ed_cpu");
    assert_eq!(
        titles(&all),
        [
            "Generate an out variant, `scaled.by_out`",
            "Add a derivative of `scaled.by`, to be written",
            "Write the kernel of `mine::scaled.by`",
        ]
    );
    let out = applied(&all[0], &yaml, FEW);
    assert!(out.contains("    CUDA: scaled_cuda\n  autogen: scaled.by_out\n\n- func"), "{out}");
    // The file does not exist yet.
    let created = &all[1]["edit"]["documentChanges"];
    assert_eq!((&created[0]["kind"], &created[0]["uri"]), (&json!("create"), &json!(uri(&formulas))));
    let derivative = created[1]["edits"][0]["newText"].as_str().expect("a text").to_owned();
    assert_eq!(
        derivative,
        "- name: scaled.by(Tensor x, float factor=2.0) -> Tensor\n  x: not_implemented(\"scaled.by\")\n"
    );
    let written = editor.ask("codeAction/resolve", all[2].clone());
    let kernels = applied(&written, &source, KERNELS);
    assert!(
        kernels.starts_with(KERNELS) && kernels.contains("at::Tensor scaled_cuda(const at::Tensor & x"),
        "{kernels}"
    );
    assert!(!kernels.contains("lone"), "{kernels}");

    editor.change(&yaml, 2, &out);
    assert_eq!(editor.found(&yaml, 2), Vec::<String>::new());
    fs::write(&formulas, &derivative).expect("a file");
    fs::write(&source, &kernels).expect("a file");
    editor.notify("workspace/didChangeWatchedFiles", json!({ "changes": [] }));
    editor.change(&yaml, 3, &out);
    assert_eq!(editor.found(&yaml, 3), Vec::<String>::new());
    editor.know(&yaml, &out, "CPU: lo|ne");
    let deadline = std::time::Instant::now() + std::time::Duration::from_secs(60);
    while !actions(&mut editor, &yaml, &out, "CPU: scal|ed_cpu").is_empty() {
        assert!(std::time::Instant::now() < deadline, "all of it is there now");
    }
    // This one goes to the file that exists.
    let all = actions(&mut editor, &yaml, &out, "CPU: lo|ne");
    assert_eq!(titles(&all)[1..], ["Add a derivative of `lone`, to be written", "Write the kernel of `mine::lone`"]);
    let both = applied(&all[1], &formulas, &derivative);
    assert_eq!(
        both,
        format!(
            "{derivative}\n- name: lone(Tensor x, int n, Tensor? y) -> Tensor\n  x: not_implemented(\"lone\")\n  y: not_implemented(\"lone\")\n"
        )
    );
    editor.open(&formulas, &both);
    assert_eq!(editor.found(&formulas, 1), Vec::<String>::new());
    // An older client edits at once, and cannot ask later.
    let mut older = Editor::plain();
    older.open(&yaml, FEW);
    older.know(&yaml, FEW, "scal|ed.by");
    assert_eq!(
        titles(&actions(&mut older, &yaml, FEW, "CPU: lo|ne"))[1..],
        ["Add a derivative of `lone`, to be written"]
    );
    older.end();
    editor.end();
}

/// Those in C++ go to a source, and those in Python to the new modules that the YAML names.
fn kernels_in_python() {
    const MIXED: &str = "\
- func: mine::scaled(Tensor x, float factor=2.0) -> Tensor
  fake: like(x)
  tags: pt2_compliant_tag
  dispatch:
    CPU: scaled_cpu
    CUDA: .gates:scaled
    XPU: .more.gates:scaled
";
    const SOURCE: &str = "namespace mine::native {\n}\n";
    let (_dir, real) = library(MIXED);
    let (yaml, source) = (real.join("native_functions.yaml"), real.join("kernels.cpp"));
    let modules = ["python/gates.py", "python/more/gates.py"].map(|module| json!(uri(&real.join(module))));
    fs::remove_file(real.join("derivatives.yaml")).expect("a file");
    fs::write(&source, SOURCE).expect("a file");
    let mut editor = Editor::start(json!(["utf-8"]));
    editor.open(&yaml, MIXED);
    editor.know(&yaml, MIXED, "scal|ed(");
    let all = actions(&mut editor, &yaml, MIXED, "CPU: scal|ed_cpu");
    let action = all.last().expect("an action");
    assert_eq!(action["title"], "Write the 3 kernels of `mine::scaled`");
    let written = editor.ask("codeAction/resolve", action.clone());
    let changes = written["edit"]["documentChanges"].as_array().expect("changes").clone();
    let edited = |at: usize| {
        let edit = changes[at]["edits"][0].clone();
        (changes[at]["textDocument"]["uri"].clone(), edit["newText"].as_str().unwrap_or_default().to_owned())
    };
    let (place, in_cpp) = edited(0);
    assert_eq!(place, json!(uri(&source)));
    assert!(in_cpp.contains("at::Tensor scaled_cpu(") && !in_cpp.contains("def "), "{in_cpp}");
    for (at, module) in [(1, &modules[0]), (3, &modules[1])] {
        assert_eq!((&changes[at]["kind"], &changes[at]["uri"]), (&json!("create"), module));
        let (place, text) = edited(at + 1);
        let begins = "\"\"\"Kernels of mine in Python.\"\"\"\n\nfrom __future__ import annotations\n\nimport torch\n\n\ndef scaled(x: torch.Tensor, factor: float)";
        assert!(place == *module && text.starts_with(begins) && text.ends_with("not written yet\")\n"), "{text}");
    }

    // A library without sources in C++.
    let python = MIXED.replace("    CPU: scaled_cpu\n", "").replace("    XPU: .more.gates:scaled\n", "");
    fs::remove_file(&source).expect("a file");
    editor.change(&yaml, 2, &python);
    editor.know(&yaml, &python, "scal|ed(");
    assert_eq!(editor.found(&yaml, 2), Vec::<String>::new());
    let all = actions(&mut editor, &yaml, &python, "CUDA: .ga|tes");
    let action = all.last().expect("an action");
    assert_eq!(action["title"], "Write the kernel of `mine::scaled`");
    let written = editor.ask("codeAction/resolve", action.clone());
    assert_eq!(written["edit"]["documentChanges"][0]["uri"], modules[0]);
    editor.end();
}
