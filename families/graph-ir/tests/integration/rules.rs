//! Rules: they rewrite graphs, and those that are wrong are found.

use libtest_mimic::Trial;

use super::{generate, root, walk};
use crate::support::cxx::{Build, Program};

/// The tests of this module.
pub(super) fn trials() -> Vec<Trial> {
    trials![rules_rewrite_graphs, the_page_works]
}

/// The rules of `tests/rules`, of which ten are wrong, each for some graph.
fn rules_rewrite_graphs() {
    let directory = tempfile::tempdir().expect("a directory");
    let rules = root().join("families/graph-ir/tests/rules");
    let source = rules.join("ir.yaml").display().to_string();
    let out = generate(directory.path(), &["-s", &source, "--emit", "self-test"]);
    let mut program = Program::new("rules").include(&out).include(&rules).flag("-DRULES_TEST_WITHOUT_MAIN");
    let generated = std::fs::read_dir(&out).expect("a directory").map(|entry| entry.expect("an entry").path());
    let is_source = |path: &std::path::PathBuf| {
        path.extension().is_some_and(|extension| extension == "cpp") && !path.ends_with("ir_selftest.cpp")
    };
    for path in generated.filter(is_source) {
        program = program.source(path);
    }
    let said = program.source(rules.join("main.cpp")).build(Build::Sanitized).run();
    let found = |end: &str| {
        let lines = said.lines().filter_map(|line| line.strip_prefix("the rule `")?.split_once('`'));
        lines.filter(|(_, words)| words.trim_start().starts_with(end)).map(|(rule, _)| rule).collect::<Vec<_>>()
    };
    let wrong = [
        "wrong infinity",
        "wrong order",
        "wrong inverse",
        "wrong zero",
        "wrong sides",
        "wrong relu",
        "wrong mode",
        "wrong rest",
        "wrong result",
        "wrong sum",
    ];
    assert_eq!(found("is wrong"), wrong, "{said}");
    assert_eq!(found("is not compared"), ["opaque"], "{said}");
    assert!(said.contains("7 examples, 0 failed\n") && said.ends_with("rules: some are wrong\n"), "{said}");
}

/// The walk-through of docs/graph-ir-rules.md.
fn the_page_works() {
    walk("graph-ir-rules.md");
}
