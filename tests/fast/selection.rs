//! The scripts around selective builds, on `tests/selection`: what they write and print, to the
//! byte.
//!
//! The expected YAML is what PyYAML dumps. `UPDATE_EXPECT=1` writes the expectations again.

use std::path::Path;
use std::process::Command;

use libtest_mimic::Trial;

use crate::expected::assert_is_text_of_file;
use crate::{reported, root};

/// The tests of this module.
pub(crate) fn trials() -> Vec<Trial> {
    trials![lists_for_a_model, lists_of_traced_models, operators_that_others_call, version_in_a_header, what_is_wrong]
}

/// Runs a command in the folder of the inputs, and returns whether it went well and what it
/// printed.
fn run(words: &str, out: &Path) -> (bool, String, String) {
    let words = words.split_whitespace().map(|word| word.replace("OUT", &out.to_string_lossy()));
    let output = Command::new(env!("CARGO_BIN_EXE_torchgen-rs"))
        .args(words)
        .current_dir(root().join("tests/selection"))
        .output()
        .expect("the program runs");
    let [said, errors] = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    reported::note(&errors);
    (output.status.success(), said, errors.replace(&*out.to_string_lossy(), "OUT"))
}

fn same(found: &str, expected: &str) {
    assert_is_text_of_file(&root().join("tests/selection/expected").join(expected), found);
}

fn written(out: &Path, name: &str, expected: &str) {
    same(&std::fs::read_to_string(out.join(name)).expect("a file was written"), expected);
}

/// The flags that every list of a model needs.
const MODEL: &str = "gen-operators-yaml --dep_graph_yaml_path graph.yaml --models_yaml_path models.yaml \
                     --rule_name rule --output_path OUT/model.yaml --model_name bird";

fn lists_for_a_model() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let out = directory.path();
    let (good, _, errors) = run(&format!("{MODEL} --model_versions 3,4 --training_root_ops aten::mul.Tensor"), out);
    assert!(good, "{errors}");
    written(out, "model.yaml", "bird.yaml");
    let (good, _, errors) =
        run("gen-oplist --output_dir OUT/all --model_file_list_path OUT/model.yaml --allow_include_all_overloads", out);
    assert!(good, "{errors}");
    for name in ["selected_operators.yaml", "selected_mobile_ops.h", "SupportedMobileModelsRegistration.cpp"] {
        written(out, &format!("all/{name}"), &format!("bird/{name}"));
    }
    let (good, _, errors) = run("gen-oplist --output_dir OUT/no --model_file_list_path OUT/model.yaml", out);
    assert!(!good && errors.contains("`aten::conv2d` includes all of its overloads"), "{errors}");
    assert!(!out.join("no").exists());
    assert!(run(&format!("{MODEL} --include_all_operators"), out).0);
    written(out, "model.yaml", "everything.yaml");
}

fn lists_of_traced_models() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let out = directory.path();
    assert!(run(&format!("{MODEL} --model_versions 3"), out).0);
    std::fs::rename(out.join("model.yaml"), out.join("first.yaml")).expect("it was written");
    assert!(run(&format!("{MODEL} --model_name fish --model_versions 1"), out).0);
    let list = format!("{0}/first.yaml\n{0}/model.yaml\n", out.display());
    std::fs::write(out.join("list"), list).expect("a new file");
    let (good, _, errors) = run("gen-oplist --output-dir OUT --model-file-list-path @OUT/list", out);
    assert!(good, "{errors}");
    for name in ["selected_operators.yaml", "selected_mobile_ops.h", "SupportedMobileModelsRegistration.cpp"] {
        written(out, name, &format!("traced/{name}"));
    }
}

fn operators_that_others_call() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let (good, said, _) =
        run("gen-op-registration-allowlist --op-dependency graph.yaml --root-ops roots.yaml", directory.path());
    assert!(good);
    assert_eq!(said, "aten::add aten::conv2d aten::convolution aten::empty aten::is_floating_point\n");
    let (good, said, _) = run("gen-op-registration-allowlist --root-ops roots.yaml", directory.path());
    assert!(good);
    assert_eq!(said, "aten::add aten::conv2d\n");
}

fn version_in_a_header() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let flags = "gen-version-header --template-path version.h.in --output-path OUT/new/version.h --version-path";
    assert!(run(&format!("{flags} version.txt"), directory.path()).0);
    written(directory.path(), "new/version.h", "version.h");
    let (good, _, errors) = run(&format!("{flags} roots.yaml"), directory.path());
    assert!(!good && errors.contains("this is not a version of three numbers"), "{errors}");
}

fn what_is_wrong() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let (good, _, errors) = run(&format!("{MODEL} --model_versions 3,5 --model_assets nest"), directory.path());
    assert!(!good);
    assert!(errors.contains("rule `rule`: no model `bird` has the version `5`"), "{errors}");
    assert!(errors.contains("no model `bird` has the asset `nest`"), "{errors}");
    let (good, _, errors) = run("gen-oplist --output-dir OUT --model-file-list-path graph.yml", directory.path());
    assert!(!good && errors.contains("write `@` before the path"), "{errors}");
}
