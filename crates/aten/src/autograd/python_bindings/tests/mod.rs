//! Tests of bindings, and of annotated_fn_args.py. The cases are in `bindings.txt` and
//! `errors.txt`: operators, deprecated signatures, and the complete output. With `UPDATE_EXPECT=1`
//! in the environment the tests rewrite the latter; compare it with the reference's before you
//! commit.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;

use super::{Inputs, Outcome, run};
use crate::autograd::annotated_fn_args;
use torchgen_base::diag::{Color, Diagnostics, Sources, human};
use torchgen_base::render::Renderer;
use torchgen_base::yaml;
use torchgen_generators::managers;
use torchgen_kit::driver::context::FileContext;
use torchgen_kit::driver::data::Tables;
use torchgen_model::model::Target;
use torchgen_model::model::rules::Rules;
use torchgen_model::parse::{self, entry};
use torchgen_model::records;
use torchgen_model::records::native;

/// The separator between the input and the output.
const SHOWS: &str = "---- shows\n";
/// The separator between operators and deprecated signatures.
const DEPRECATED: &str = "---- deprecated\n";

/// The texts of all files that are not empty, or the errors.
fn check(input: &str) -> String {
    let (native, deprecated) = input.split_once(DEPRECATED).unwrap_or((input, ""));
    let mut sources = Sources::new();
    let mut diagnostics = Diagnostics::new();
    let mut tree = |name: &str, text: &str, diagnostics: &mut Diagnostics| {
        let file = sources.add(name, text.to_owned());
        yaml::parse(&sources, file, yaml::Options::OPERATORS, diagnostics).unwrap()
    };
    let native = tree("native_functions.yaml", native, &mut diagnostics);
    let deprecated = tree("deprecated.yaml", deprecated, &mut diagnostics);
    let tags = BTreeSet::from(["core", "generated", "view_copy"].map(str::to_owned));
    let options = entry::EntryOptions {
        target: Target::pytorch(Tables::embedded()),
        valid_tags: &tags,
        ignore_keys: &BTreeSet::new(),
    };
    let functions: Vec<_> = records::read_native_functions(native, &native::ATEN_KEYS, &mut diagnostics)
        .iter()
        .filter_map(|record| entry::entry(record, options, &mut diagnostics))
        .map(|entry| entry.function)
        .collect();
    let deprecated: Vec<_> = records::read_deprecated(deprecated, &mut diagnostics)
        .iter()
        .filter_map(|record| parse::deprecated::deprecated(record, Tables::embedded(), &mut diagnostics))
        .collect();
    let mut renderer = Renderer::new("torch").unwrap();
    Rules::serve(Tables::embedded(), &mut renderer);
    let code = "${ops_headers}\n${py_forwards}\n${py_method_defs}\n${py_methods}";
    for file in &super::table(Tables::embedded()).files {
        renderer.add_template(&file.file, code).unwrap();
    }
    let types = "${py_return_types}\n${py_return_types_registrations}";
    renderer.add_template("python_return_types.cpp", types).unwrap();
    renderer.add_template("python_return_types.h", "${py_return_types_declarations}").unwrap();
    renderer.add_template("python_enum_tag.cpp", "").unwrap();
    renderer.add_template("annotated_fn_args.py.in", "${annotated_args}").unwrap();
    let inputs = Inputs {
        functions: &functions,
        tags: &tags,
        deprecated: &deprecated,
        tables: Tables::embedded(),
        files: FileContext {
            renderer: &renderer,
            program: "gen_autograd.py",
            template_dir: "templates",
            manager: managers::CPU,
        },
    };
    let mut shown = String::new();
    let mut show = |outcome: Outcome| match outcome {
        // Shards contain nothing that is not in `Everything`.
        Ok(files) => files
            .iter()
            .filter(|file| file.path.contains("Everything") || !file.path.contains("torch"))
            .for_each(|file| {
                let text = file.contents.to_string();
                if !text.trim().is_empty() {
                    let _ = write!(shown, "{}:\n{}\n", file.path, text.trim_matches('\n'));
                }
            }),
        Err(errors) => diagnostics.extend(errors.0),
    };
    show(run(&inputs));
    show(annotated_fn_args::run(&inputs));
    for diagnostic in diagnostics.into_sorted() {
        shown.push_str(&human(&diagnostic, &sources, Color::Never));
    }
    shown
}

fn check_all(file: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/autograd/python_bindings/tests").join(file);
    let cases = std::fs::read_to_string(&path).unwrap();
    let (mut updated, mut wrong) = (String::new(), String::new());
    for case in cases.split("=== ").skip(1) {
        let (name, rest) = case.split_once('\n').unwrap();
        let (input, expected) = rest.split_once(SHOWS).unwrap();
        let found = check(input);
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
fn bindings() {
    check_all("bindings.txt");
}

#[test]
fn errors() {
    check_all("errors.txt");
}
