//! The formulas in C++: one file, with each formula in a line of its own.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;

use super::{Case, Plan};
use crate::support::cxx::{Program, compiler, errors_by_place, quick};
use crate::support::torch::{root, torch};

/// The file that has the formulas.
const FILE: &str = "formulas.h";

/// Compiles formulas, and links those that compile: the shared object, and the first error of each
/// of the others. What only Python accepts is checked first, since few of it compile.
pub(super) fn compiled(cases: &[&Case], only_python: &[&Case], plan: &Plan) -> (PathBuf, BTreeMap<usize, String>) {
    let mut errors = if only_python.is_empty() { BTreeMap::new() } else { errors(only_python, plan) };
    loop {
        let all = only_python.iter().chain(cases).copied();
        let left: Vec<&Case> = all.filter(|case| !errors.contains_key(&case.number)).collect();
        match with_program(&left, plan, Program::tried) {
            Ok(object) => return (object, errors),
            Err(said) => {
                let found = self::errors(&left, plan);
                assert!(!found.is_empty(), "no formula has the errors of\n{said}");
                errors.extend(found);
            }
        }
    }
}

/// The first error of each formula that does not compile.
fn errors(cases: &[&Case], plan: &Plan) -> BTreeMap<usize, String> {
    let said = with_program(cases, plan, Program::errors);
    let place = |line: &str| {
        let number = line.split_once(&format!("{FILE}:"))?.1.split(':').next()?.parse::<usize>().ok()?;
        Some(cases.get(number.checked_sub(1)?)?.number.to_string())
    };
    let found = errors_by_place(&said, &place).unwrap_or_else(|last| vec![last]);
    let mut errors = BTreeMap::new();
    for (number, error) in found {
        errors.entry(number.parse().expect("the number of a formula")).or_insert(error);
    }
    errors
}

/// Does something with the program of formulas.
fn with_program<T>(cases: &[&Case], plan: &Plan, act: impl Fn(&Program) -> T) -> T {
    let directory = tempfile::tempdir().expect("a temporary directory");
    std::fs::write(directory.path().join(FILE), text(cases)).expect("a new file");
    let program = program(plan).include(directory.path()).include(root().join("tests/formulas"));
    act(&program.text("formulas.cpp", &source(cases)))
}

/// The compiler and its flags. Warnings are about the style of formulas: what compiles is accepted.
fn program(plan: &Plan) -> Program {
    let program = torch().cxx("looked").shared();
    match plan.by_machine || quick() == compiler() {
        true => program.compiler(compiler()).warnings(&["-w"]),
        // The precompiled header of all tests has these.
        false => program,
    }
}

/// The formulas as they are in nodes, the first in the first line.
fn text(cases: &[&Case]) -> String {
    let mut text = String::new();
    for case in cases {
        let _ = writeln!(
            text,
            "Tensor f{}() {{ auto result_of_it = {}; return returned(result_of_it); }}",
            case.number, case.text
        );
    }
    text
}

/// The source that includes them.
fn source(cases: &[&Case]) -> String {
    let calls: String = cases.iter().map(|case| format!("case {0}: return all.f{0}();\n", case.number)).collect();
    format!(
        "#include \"node.h\"\n\
         #ifdef __clang__\n\
         #pragma clang diagnostic ignored \"-Weverything\"\n\
         #pragma clang diagnostic error \"-Wc++11-narrowing\"\n\
         #endif\n\
         namespace looked::autograd {{\nstruct Formulas : Node {{\n#include \"{FILE}\"\n}};\n\
         Tensor computed(Node& node, int64_t number) {{\nFormulas all;\nstatic_cast<Node&>(all) = std::move(node);\n\
         switch (number) {{\n{calls}}}\nTORCH_CHECK(false, \"no formula \", number);\n}}\n}}\n"
    )
}
