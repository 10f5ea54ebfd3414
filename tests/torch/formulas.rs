//! Every formula of PyTorch's own derivatives.yaml compiles, so none of its calls is reported when
//! it is a library's: hundreds of formulas without a wrong error.

use std::collections::BTreeSet;
use std::process::Command;

use libtest_mimic::Trial;
use serde_yaml::{Mapping, Value};

use crate::support::torch::{root, torch};

/// The tests of this module.
pub(crate) fn trials() -> Vec<Trial> {
    trials![formulas_of_pytorch_are_right, functions_of_formulas_are_declared_as_in_torch]
}

/// Entries that a library cannot have: their names mean something of their own, or their formulas
/// are not C++.
fn is_ordinary(name: &str) -> bool {
    !["set_", "resize", "slice_inverse"].iter().any(|start| name.starts_with(start))
}

/// Generated sources declare the functions that formulas can call, in place of a header that
/// includes nearly all of torch. Slow tests build a library with them on the oldest torch, which
/// would be another environment here.
fn functions_of_formulas_are_declared_as_in_torch() {
    let own = std::fs::read_to_string(root().join("templates/torch/library/formula_functions.j2")).expect("a template");
    let (_, own) = own.split_once("using at::Tensor;\n").expect("the first line");
    let (own, _) = own.split_once("\n} // namespace").expect("the last line");
    let dense = |text: &str| text.split_whitespace().collect::<String>();
    // A class or a function in each paragraph, or declarations in lines of their own.
    let declared: Vec<String> = own
        .split("\n\n")
        .flat_map(|paragraph| match paragraph.contains('{') && !paragraph.contains("TORCH_API Tensor") {
            true => vec![paragraph],
            false => paragraph.lines().collect(),
        })
        .map(dense)
        .filter(|declaration| !declaration.is_empty())
        .collect();
    assert!(declared.len() >= 12, "{declared:?}");
    let header = torch().headers().join("torch/csrc/autograd/FunctionsManual.h");
    let header = dense(&std::fs::read_to_string(&header).expect("a header of torch"));
    for declaration in &declared {
        assert!(header.contains(declaration), "{declaration}");
    }
}

fn formulas_of_pytorch_are_right() {
    let packages = torch().package().parent().expect("torch is in a directory of packages");
    let text = std::fs::read_to_string(packages.join("torchgen/packaged/autograd/derivatives.yaml")).expect("a wheel");
    let entries: Vec<Mapping> = serde_yaml::from_str(&text).expect("YAML");
    let mut seen = BTreeSet::new();
    let (mut operators, mut derivatives) = (Vec::new(), Vec::new());
    for entry in &entries {
        let schema = entry.get("name").and_then(Value::as_str).expect("a name");
        let name = schema.split('(').next().expect("a name").to_owned();
        if !is_ordinary(&name) || !seen.insert(name) {
            continue;
        }
        let by_key = entry.get("dispatch").and_then(|keys| keys.get("Default")).and_then(Value::as_mapping);
        let is_formula = |(key, value): &(&Value, &Value)| {
            let text = value.as_str().unwrap_or("auto");
            !text.starts_with("auto") && key.as_str() != Some("name")
        };
        let formulas: Mapping = by_key
            .unwrap_or(entry)
            .iter()
            .filter(is_formula)
            .map(|(key, value)| (key.clone(), value.clone()))
            .collect();
        let number = operators.len();
        let tags = if schema.contains("Generator") { "[nondeterministic_seeded]" } else { "[]" };
        operators.push(format!("- func: my::{schema}\n  dispatch:\n    CPU: kernel_{number}_symint\n  tags: {tags}\n"));
        if !formulas.is_empty() {
            let mut whole = Mapping::from_iter([("name".into(), format!("my::{schema}").into())]);
            whole.extend(formulas);
            derivatives.push(whole);
        }
    }
    assert!(derivatives.len() > 600, "{}", derivatives.len());
    let directory = tempfile::tempdir().expect("a temporary directory");
    let write = |name: &str, text: String| std::fs::write(directory.path().join(name), text).expect("a new file");
    write("native_functions.yaml", operators.concat());
    write("derivatives.yaml", serde_yaml::to_string(&derivatives).expect("YAML"));
    let output = Command::new(env!("CARGO_BIN_EXE_torchgen-rs"))
        .args(["check", "--max-errors", "0", "-s"])
        .arg(directory.path())
        .arg("--torch-path")
        .arg(torch().package())
        .output()
        .expect("the program runs");
    let said = String::from_utf8_lossy(&output.stderr);
    // The functions that libtorch does not export show that the formulas were read.
    assert!(said.matches("error[TG0622]").count() > 300, "{said}");
    let wrong: Vec<&str> =
        ["TG0625", "TG0626", "TG0627"].into_iter().filter(|code| said.contains(&format!("[{code}]"))).collect();
    assert!(wrong.is_empty(), "{wrong:?}\n{said}");
    assert!(!said.contains("[TG0601]") && !said.contains("[TG0602]"), "{said}");
}
