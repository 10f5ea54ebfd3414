//! Rules: they rewrite graphs, and those that are wrong are found.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;

use libtest_mimic::Trial;
use regex::Regex;

use super::{generate, root, run, walk};
use crate::families::names::everyday;
use crate::support::cxx::{Build, Program};

/// The tests of this module.
pub(super) fn trials() -> Vec<Trial> {
    trials![
        rules_rewrite_graphs,
        rules_rewrite_graphs_of_somebody_else,
        random_rules_end_and_keep_graphs_valid,
        the_page_works,
        rules_have_everyday_names
    ]
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

/// Over base classes of somebody else, whose lists, tensors and verification are as Glow's.
fn rules_rewrite_graphs_of_somebody_else() {
    let directory = tempfile::tempdir().expect("a directory");
    let theirs = root().join("families/graph-ir/tests/theirs/graphs");
    let out = generate(directory.path(), &["-s", &theirs.join("ir.yaml").display().to_string()]);
    assert!(!out.join("IRGraph.h").exists(), "no support library");
    let mut program = Program::quick("their_rules").include(&out).include(&theirs);
    for name in ["AutoGenNodes.cpp", "IRRules.cpp"] {
        program = program.source(out.join(name));
    }
    let said = program.source(theirs.join("main.cpp")).run();
    assert_eq!(said, include_str!("../theirs/graphs/expected.txt"));
}

/// A source of random numbers, and the names that a pattern has bound.
struct Random {
    state: u64,
    values: Vec<&'static str>,
    counts: Vec<&'static str>,
}

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.state = self.state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.state >> 33).expect("31 bits") % end
    }

    fn one_of<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())]
    }

    /// A pattern of a value.
    fn pattern(&mut self, depth: usize, is_root: bool) -> String {
        if depth == 0 || !is_root && self.below(3) == 0 {
            let name = self.one_of(&["a", "b", "c", "_"]);
            if name != "_" {
                self.values.push(name);
            }
            return name.to_owned();
        }
        match self.below(if is_root { 5 } else { 8 }) {
            0 => format!("One({})", self.pattern(depth - 1, false)),
            1 => format!("Other({})", self.pattern(depth - 1, false)),
            2 => {
                let count = self.one_of(&["Many=0", "Many=1", "Many=m", "Many=n"]);
                self.counts.extend(count.strip_prefix("Many=").filter(|name| name.starts_with(['m', 'n'])));
                format!("Count({}, {count})", self.pattern(depth - 1, false))
            }
            3 => format!("Add({}, {})", self.pattern(depth - 1, false), self.pattern(depth - 1, false)),
            4 => format!("Sub({}, {})", self.pattern(depth - 1, false), self.pattern(depth - 1, false)),
            5 => format!("Split({}).{}", self.pattern(depth - 1, false), self.one_of(&["Even", "Odd"])),
            6 => "Splat(Value=0.0)".to_owned(),
            _ => "Placeholder()".to_owned(),
        }
    }

    /// A value in its place, of the names that were bound.
    fn value(&mut self, depth: usize) -> String {
        if depth == 0 || self.below(2) == 0 {
            return self.one_of(&self.values.clone()).to_owned();
        }
        match self.below(6) {
            0 => format!("One({})", self.value(depth - 1)),
            1 => format!("Other({})", self.value(depth - 1)),
            2 => {
                let counts = [&self.counts[..], &["0", "1", "2"]].concat();
                format!("Count({}, Many={})", self.value(depth - 1), self.one_of(&counts))
            }
            3 => format!("Add({}, {})", self.value(depth - 1), self.value(depth - 1)),
            4 => format!("Sub({}, {})", self.value(depth - 1), self.value(depth - 1)),
            _ => format!("Split({}).{}", self.value(depth - 1), self.one_of(&["Even", "Odd"])),
        }
    }

    /// A pattern, and what takes its place.
    fn rule(&mut self) -> (String, String) {
        loop {
            (self.values, self.counts) = (Vec::new(), Vec::new());
            let depth = 1 + self.below(3);
            let pattern = self.pattern(depth, true);
            if !self.values.is_empty() {
                return (pattern, self.value(2));
            }
        }
    }
}

/// 10,000 random choices among 300 random rules, on random graphs: each run ends, and the graph is
/// valid after each step. The program refuses rules that cannot be reached or undo each other.
fn random_rules_end_and_keep_graphs_valid() {
    let directory = tempfile::tempdir().expect("a directory");
    let own = root().join("families/graph-ir/tests/random");
    let nodes = std::fs::read_to_string(own.join("nodes.yaml")).expect("the nodes");
    let before = nodes.lines().count() + 1;
    let mut random = Random { state: 63, values: Vec::new(), counts: Vec::new() };
    let mut rules: Vec<(String, String)> = (0..300).map(|_| random.rule()).collect();
    // A pattern that says more comes first: others would hide it.
    rules.sort_by_key(|(pattern, _)| std::cmp::Reverse(pattern.len()));
    let place = Regex::new(r"(?m)^error\[TG\d+\].*\n +--> [^:\n]*:(\d+):").expect("a pattern");
    let drawn = rules.len();
    loop {
        let mut text = format!("{nodes}rules:\n");
        for (number, (pattern, replacement)) in rules.iter().enumerate() {
            writeln!(text, "- {{rule: r{number}, match: '{pattern}', replace: '{replacement}', priority: -{number}}}")
                .expect("a text");
        }
        std::fs::write(directory.path().join("ir.yaml"), text).expect("a file");
        let output = run(directory.path(), &["graph-ir", "-d", "out", "-s", "ir.yaml"]);
        if output.status.success() {
            break;
        }
        let said = String::from_utf8_lossy(&output.stderr);
        let lines: BTreeSet<usize> = place.captures_iter(&said).filter_map(|found| found[1].parse().ok()).collect();
        let wrong: Vec<usize> = lines.into_iter().filter_map(|line| line.checked_sub(before + 1)).collect();
        assert!(!wrong.is_empty(), "{said}");
        wrong.iter().rev().for_each(|at| drop(rules.remove(*at)));
    }
    assert!(rules.len() > drawn / 3, "{} of {drawn} rules are left", rules.len());
    let program = Program::quick("random_rules").generated(&directory.path().join("out"));
    let said = program.source(own.join("main.cpp")).run();
    assert!(said.starts_with("10000 sets of "), "{said}");
}

/// The walk-through of docs/graph-ir-rules.md.
fn the_page_works() {
    walk("graph-ir-rules.md");
}

/// Everyday names that are words of rules.
const WORDS: [&str; 2] = ["case", "in"];
/// Those of functions that rules have already.
const FUNCTIONS: [&str; 9] = ["max", "min", "offset", "range", "rank", "size", "sqrt", "sum", "type"];
/// Words of the generated code, as functions and values.
const USED: [&str; 7] = ["apply0", "before", "made0", "node_0", "rewrite", "rewriter", "root"];
/// The same as enumerations and as enumerators.
const ENUMERATIONS: [&str; 16] = [
    "Run",
    "asA",
    "cast",
    "chosen",
    "evaluate",
    "evaluated",
    "loop",
    "matchGroup0",
    "part0",
    "rewriteNode",
    "rewriting",
    "rules_test",
    "sample0",
    "step",
    "switched",
    "tries",
];

/// Rules whose functions, values, members, nodes and enumerations have the names that authors
/// choose every day, and those of generated code.
fn rules_have_everyday_names() {
    let names: Vec<String> = everyday()
        .into_iter()
        .filter(|name| name.starts_with(|c: char| c.is_ascii_lowercase()))
        .chain(USED.map(str::to_owned))
        .filter(|name| !WORDS.contains(&name.as_str()) && !ENUMERATIONS.contains(&name.as_str()))
        .collect();
    let all = |names: &[String], form: &str| -> String {
        names.iter().map(|name| form.replace('#', name)).collect::<Vec<_>>().join(", ")
    };
    let mut functions = names.clone();
    functions.retain(|name| !FUNCTIONS.contains(&name.as_str()));
    let enumerations =
        ENUMERATIONS.map(|name| format!("  {name}: {{values: [{name}_a, {name}_b], scoped: true}}\n")).concat();
    let mut ops = "- {node: 'make(Tensor a) -> Tensor r', infer: {r: a}}\n\
        - {node: 'makemake(Tensor a) -> Tensor r', infer: {r: a}, modes: [root, rewriter]}\n\
        - {node: 'lists(Tensor[] index, *, int[] value) -> Tensor r'}\n"
        .to_owned();
    let mut rules = "- {rule: modes, match: 'makemake(make(a), Mode=root)', replace: 'makemake(a, Mode=rewriter)'}\n\
        - {rule: lists, match: 'lists([lists(loop, value=[1, x]), *index], value=_)', \
        replace: 'lists([*loop, *index], value=[1, x, 2])'}\n"
        .to_owned();
    for (at, some) in names.chunks(16).enumerate() {
        // A function hides a node of its name.
        let (node, member) = (format!("Of{}", names[at]), ENUMERATIONS[at]);
        let turned = [&some[1..], &some[..1]].concat();
        let known: Vec<String> = some.iter().filter(|name| functions.contains(name)).cloned().collect();
        let graph = |names: &[String], letter: char, other: &str| {
            format!("{node}({}, Member={member}_{letter}, Other={other})", all(names, "#"))
        };
        ops += &format!(
            "- {{node: '{node}({}, *, {member} Member, Loose Other) -> Tensor Result', infer: {{Result: {}}}}}\n",
            all(some, "Tensor #"),
            some[0],
        );
        rules += &format!(
            "- {{rule: r{at}, match: '{}', where: ['{}'], replace: '{}', examples: [{{given: {{{}}}, before: '{}', after: '{}'}}]}}\n",
            graph(some, 'a', "_"),
            all(&known, "#(#)").replace(", ", "', '"),
            graph(&turned, 'b', member),
            all(some, "#: float<2>"),
            graph(some, 'a', "tries"),
            graph(&turned, 'b', member),
        );
    }
    let text = format!(
        "family: graph-ir\nnamespace: odd\nevaluator: evaluate.h\nrules_include: [functions.h]\nfunctions: [{}]\n\
        enums:\n{enumerations}  Loose: {{values: [{}]}}\nops:\n{ops}rules:\n{rules}",
        all(&functions, "'#(Tensor #) -> bool'"),
        ENUMERATIONS.join(", "),
    );
    let defined = all(&functions, "inline bool #(NodeValue) { return true; }\n").replace(", ", "");
    let header = format!("#pragma once\n#include \"IRSupport.h\"\nnamespace odd {{\n{defined}}}\n");
    let evaluator = "#pragma once\n#include \"AutoGenNodes.h\"\nnamespace odd {\n\
        inline void evaluate(const makeNode &node, Evaluation &values) {\n\
          values.set(node.getr(), values.of(node.geta()));\n}\n}\n";
    let directory = tempfile::tempdir().expect("a directory");
    for (file, text) in [("ir.yaml", text.as_str()), ("functions.h", &header), ("evaluate.h", evaluator)] {
        fs::write(directory.path().join(file), text).expect("a file");
    }
    let out = generate(directory.path(), &["-s", "ir.yaml", "--emit", "self-test"]);
    let mut program = Program::quick("everyday_rules").include(&out).include(directory.path());
    let nodes = ["AutoGenNodes", "AutoGenFactories", "IRTypes", "IRGraph", "IRDispatch"];
    for unit in [&nodes[..], &["IRRules", "ir_rules_test"]] {
        let text: String = unit.iter().map(|name| format!("#include \"{name}.cpp\"\n")).collect();
        program = program.text(&format!("{}_unit.cpp", unit[0]), &text);
    }
    let said = program.run();
    assert!(said.contains(&format!("{} examples, 0 failed\n", names.chunks(16).count())), "{said}");
}
