//! Tests of functionalization, and of the kernels of copies and generated variants. The cases are
//! in `texts.txt` and `errors.txt`: operators and the complete output. With `UPDATE_EXPECT=1` in
//! the environment the tests rewrite the latter; compare it with the reference's before you commit.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;

use super::{PYTHON_BINDING, python_binding, run};
use crate::diag::{Color, Diagnostics, Sources, human};
use crate::families::torch::generators::{Context, Model, Namespaces, Outcome, composite_kernels};
use crate::families::torch::group;
use crate::families::torch::model::BackendIndices;
use crate::families::torch::model::Target;
use crate::families::torch::model::selector::Selector;
use crate::families::torch::parse::entry;
use crate::families::torch::records;
use crate::families::torch::records::native;
use crate::render::Renderer;
use crate::yaml;

/// The separator between operators and their output.
const SHOWS: &str = "---- shows\n";

/// Our templates: the lists of a file.
const TEMPLATES: [(&str, &str); 6] = [
    ("RegisterFunctionalization.cpp", "${ops_headers}\n${func_definitions}\n${func_registrations}"),
    ("FunctionalInverses.h", "${view_inverse_declarations}"),
    ("ViewMetaClasses.h", "${view_meta_declarations}"),
    ("ViewMetaClasses.cpp", "${op_headers}\n${view_meta_implementations}"),
    (PYTHON_BINDING, "${view_meta_bindings}"),
    (
        "CompositeViewCopyKernels.cpp",
        "${ops_headers}\n${CompositeViewCopyKernel_Definitions}\n${GeneratedCompositeFunctional_Definitions}\n${GeneratedCompositeOut_Definitions}",
    ),
];

/// The texts of all files, or the errors.
fn check(input: &str, selector: &Selector) -> String {
    let mut sources = Sources::new();
    let mut diagnostics = Diagnostics::new();
    let file = sources.add("native_functions.yaml", input.to_owned());
    let tree = yaml::parse(&sources, file, yaml::Options::OPERATORS, &mut diagnostics).unwrap();
    let tags = BTreeSet::from(["core", "generated", "view_copy", "inplace_view"].map(str::to_owned));
    let options = entry::EntryOptions { target: Target::PYTORCH, valid_tags: &tags, ignore_keys: &BTreeSet::new() };
    let mut functions = Vec::new();
    let mut indices = BackendIndices::default();
    for record in records::read_native_functions(tree, &native::ATEN_KEYS, &mut diagnostics) {
        let entry = entry::entry(&record, options, &mut diagnostics).unwrap();
        for (key, kernel) in entry.kernels {
            indices.add(key, &entry.function.func.name, kernel);
        }
        functions.push(entry.function);
    }
    group::variants::add_generated(&mut functions, &mut indices, Target::PYTORCH, &mut diagnostics);
    let grouped = group::group(&functions, Target::PYTORCH, &mut diagnostics);
    let view_groups = group::view_groups(&functions, Target::PYTORCH, &mut diagnostics);
    let groups = group::groups(&grouped);
    let mut renderer = Renderer::new("torch").unwrap();
    for (name, text) in TEMPLATES {
        renderer.add_template(name, text).unwrap();
    }
    let namespaces = Namespaces::aten();
    let model = Model {
        functions: &functions,
        indices: &indices,
        grouped: &grouped,
        groups: &groups,
        view_groups: &view_groups,
    };
    let context = Context::new(Target::PYTORCH, &namespaces, model, &renderer).tags(&tags).selected(selector);
    let mut shown = String::new();
    let mut show = |outcome: Outcome| match outcome {
        // Shards contain nothing that is not in `Everything`.
        Ok(files) => files.iter().filter(|file| !file.path.contains("lization_")).for_each(|file| {
            let _ = writeln!(shown, "--- {}\n{}", file.path, file.contents);
        }),
        Err(errors) => errors.0.into_iter().for_each(|error| diagnostics.push(error)),
    };
    show(run(&context));
    show(composite_kernels::run(&context));
    if diagnostics.is_empty() {
        let binding = python_binding(&renderer, &view_groups, selector, context.namespaces).unwrap();
        let _ = writeln!(shown, "--- {PYTHON_BINDING}\n{binding}");
        return shown;
    }
    diagnostics.into_sorted().iter().map(|diagnostic| human(diagnostic, &sources, Color::Never)).collect()
}

fn check_all(file: &str) {
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("src/families/torch/generators/functionalization/tests").join(file);
    let cases = std::fs::read_to_string(&path).unwrap();
    let (mut updated, mut wrong) = (String::new(), String::new());
    for case in cases.split("=== ").skip(1) {
        let (name, rest) = case.split_once('\n').unwrap();
        let (input, expected) = rest.split_once(SHOWS).unwrap_or((rest, ""));
        let selector = match name {
            "a build for chosen operators" => Selector::from_names([("aten::zz", None)], true, true),
            _ => Selector::nop(),
        };
        let found = check(input, &selector);
        let case = format!("=== {name}\n{input}{SHOWS}{found}\n");
        if found.trim_end() != expected.trim_end() {
            wrong.push_str(&case);
        }
        updated.push_str(&case);
    }
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(&path, updated).unwrap();
    } else {
        assert!(wrong.is_empty(), "{wrong}");
    }
}

#[test]
fn texts() {
    check_all("texts.txt");
}

#[test]
fn errors() {
    check_all("errors.txt");
}
