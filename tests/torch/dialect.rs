//! A library's YAML accepts what PyTorch accepts in `m.def("...")`: checked against
//! `torch._C.parse_schema` on some thousand schemas.
//!
//! `tests/dialect/odd.txt` has schemas written by hand; `tests/dialect/corpus.py` makes the others
//! and calls torch.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use crate::support::torch::{root, run, torch};
use libtest_mimic::Trial;
use serde::{Deserialize, Serialize};
use torchgen_rs::parse_schema;

/// The tests of this module.
pub(crate) fn trials() -> Vec<Trial> {
    trials![what_c10_accepts_is_accepted, what_libraries_write_compiles]
}

#[derive(Deserialize)]
struct Verdict {
    text: String,
    accepted: bool,
    printed: Option<String>,
}

#[derive(Serialize)]
struct Pair<'a> {
    text: &'a str,
    ours: String,
}

/// Intended differences; `docs/schemas.md` explains them.
fn differs_on_purpose(text: &str) -> bool {
    // Rejected later, with the likely fix.
    let nested_namespaces = text.starts_with("a::b::");
    let unregistered_class = text.split("__torch__.torch.classes.").skip(1).any(|rest| {
        let len = rest.find(|c: char| !c.is_ascii_alphanumeric() && !"._".contains(c)).unwrap_or(rest.len());
        &rest[..len] != "quantized.LinearPackedParamsBase"
    });
    let size_beyond_32_bits = text.contains("[99999999999]") || text.contains("[3000000000]");
    nested_namespaces || unregistered_class || size_beyond_32_bits
}

fn corpus(arguments: &[&Path], count: &str, out: &Path) -> String {
    let script = root().join("tests/dialect/corpus.py");
    run(torch().tool("python").arg(script).args(arguments).arg(count).arg(out))
}

fn what_c10_accepts_is_accepted() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let verdicts = directory.path().join("verdicts.jsonl");
    corpus(&[&root().join("tests/dialect/odd.txt")], "6000", &verdicts);
    let text = std::fs::read_to_string(&verdicts).expect("the verdicts");
    let verdicts: Vec<Verdict> = text.lines().map(|line| serde_json::from_str(line).expect("a verdict")).collect();
    let mut errors = Vec::new();
    let mut pairs = Vec::new();
    let mut generated = 0;
    let mut codes: BTreeMap<&str, usize> = BTreeMap::new();
    for verdict in verdicts.iter().filter(|verdict| !differs_on_purpose(&verdict.text)) {
        let ours = parse_schema(&verdict.text);
        match (&ours, verdict.accepted) {
            (Ok(_), false) => errors.push(format!("c10 refuses {:?}", verdict.text)),
            (Err(error), true) => errors.push(format!("c10 accepts {:?}, but: {}", verdict.text, error.message)),
            _ => {}
        }
        let Ok(ours) = ours else { continue };
        let namespaced = |schema: &str| match &ours.namespace {
            Some(namespace) => format!("{namespace}::{schema}"),
            None => schema.to_owned(),
        };
        pairs.push(Pair { text: &verdict.text, ours: namespaced(&ours.text) });
        match &ours.generated {
            Ok(schema) => {
                generated += 1;
                if *schema != ours.text {
                    errors.push(format!("{:?} is generated as {schema}", ours.text));
                }
            }
            Err(code) => *codes.entry(code.id).or_default() += 1,
        }
        // Texts in the usual form are printed back unchanged.
        if verdict.printed.as_ref() == Some(&verdict.text) && namespaced(&ours.text) != verdict.text {
            errors.push(format!("{:?} becomes {:?}", verdict.text, ours.text));
        }
    }
    let accepted = verdicts.iter().filter(|verdict| verdict.accepted).count();
    println!("{} schemas, {accepted} accepted by c10, {generated} with a model; others: {codes:?}", verdicts.len());
    let file = directory.path().join("pairs.jsonl");
    let lines: Vec<String> = pairs.iter().map(|pair| serde_json::to_string(pair).expect("plain text")).collect();
    std::fs::write(&file, lines.join("\n")).expect("a new file");
    let script = root().join("tests/dialect/same.py");
    errors.extend(run(torch().tool("python").arg(script).arg(&file)).lines().map(str::to_owned));
    assert!(errors.is_empty(), "{} differ:\n{}", errors.len(), errors.join("\n"));
    assert!(verdicts.len() > 6000 && accepted > 2000 && generated > 550, "{accepted} accepted, {generated} generated");
}

/// The generated code for realistic schemas compiles without warnings: every tree of
/// `tests/dialect/library`.
fn what_libraries_write_compiles() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let out = directory.path().join("out");
    run(Command::new(env!("CARGO_BIN_EXE_torchgen-rs"))
        .args(["-s", "tests/dialect/library", "--torch-path"])
        .arg(torch().package())
        .arg("-d")
        .arg(&out)
        .current_dir(root()));
    for namespace in ["vl", "vision", "xf", "aten"] {
        let tree = out.join(namespace);
        let mut program = torch().cxx(&format!("dialect_{namespace}")).include(tree.join("include")).include(&tree);
        let mut together = Vec::new();
        for entry in std::fs::read_dir(tree.join("src")).expect("sources") {
            let path = entry.expect("a readable entry").path();
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            // These can share one compilation, because no names conflict.
            if name.starts_with("Register") || name.starts_with("Operators") || name.starts_with("VariableType") {
                together.push(format!("#include \"src/{name}\"\n"));
            } else {
                program = program.source(path);
            }
        }
        together.sort();
        program.text("together.cpp", &together.concat()).compiles();
    }
}
