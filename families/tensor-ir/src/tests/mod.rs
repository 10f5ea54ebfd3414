//! Tests of the family with texts in memory.

mod declared;

use super::files::{self, Wanted};
use super::records::{self, IrRecord};
use super::{check, model};
use torchgen_base::diag::{self, Color, Diagnostics, Sources};
use torchgen_base::render::Renderer;
use torchgen_base::write::{Manager, OutputFile};
use torchgen_base::yaml;
use torchgen_kit::driver::context::FileContext;

/// Reads files; their errors as text, or what is generated.
fn run(texts: &[String], wanted: Wanted) -> Result<Vec<OutputFile>, String> {
    let (mut sources, mut diagnostics) = (Sources::new(), Diagnostics::new());
    let mut record = IrRecord::default();
    for (at, text) in texts.iter().enumerate() {
        let file = sources.add(format!("{at}.yaml"), text.clone());
        if let Some(root) = yaml::parse(&sources, file, yaml::Options::LIBRARY, &mut diagnostics) {
            records::read_records(root, &mut record, &mut diagnostics);
        }
    }
    let ir = model::build(record, &mut diagnostics);
    check::check_ir(&ir, &mut diagnostics);
    if !diagnostics.is_empty() {
        let shown = diagnostics.into_sorted();
        let shown: Vec<String> = shown.iter().map(|one| diag::human(one, &sources, Color::Never)).collect();
        return Err(shown.join("\n"));
    }
    torchgen_embedded::serve((crate::FAMILY.files)());
    let renderer = Renderer::new("tensor_ir").expect("the embedded templates compile");
    let context = FileContext::new(&renderer, Manager::new("output", None));
    files::files(&ir, &wanted, None, context).map_err(|errors| format!("{errors:?}"))
}

fn example() -> Vec<String> {
    let dir = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("example");
    let mut paths: Vec<_> = std::fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|ending| ending == "yaml"));
    paths.sort();
    paths.iter().map(|path| std::fs::read_to_string(path).unwrap()).collect()
}

#[test]
fn flags_choose_the_files() {
    let paths = |wanted| -> Vec<String> {
        let files = run(&example(), wanted).unwrap_or_else(|errors| panic!("{errors}"));
        files.into_iter().map(|file| file.path).collect()
    };
    let few = paths(Wanted::default());
    let own = |path: &&str| !few.iter().any(|other| other == path);
    let all =
        paths(Wanted { easy_build: true, parser: true, self_test: true, model: Some(String::new()), skeletons: true });
    let more: Vec<&str> = all.iter().map(String::as_str).filter(own).collect();
    let easy_build = ["easy_build.h", "easy_build.cpp", "easy_build_undef.h"];
    let rest = ["parser.h", "parser.cpp", "selftest.cpp", "visitor_skeletons.h", "ir_model.jsonl"];
    assert_eq!(more, [&easy_build[..], &rest[..]].concat());
}

#[test]
fn what_nodes_say_together_is_checked() {
    let text = "family: tensor-ir
namespace: mine
exprs:
- {expr: 'add(expr l, expr r)', dtype: 'common(l, r)', print: '({l} + {r})', operator: +}
- {expr: 'plus(expr l, expr r)', dtype: 'common(l, r)', print: 'plus({l}, {r})', operator: +}
- {expr: neg(expr v), dtype: v, print: '-{v}', constraints: [{kind_in: {v: [ad]}}]}
";
    let errors = run(&[text.to_owned()], Wanted::default()).expect_err("two nodes with one operator");
    for message in ["the operator `+` makes two nodes", "there is no node `ad`"] {
        assert!(errors.contains(message), "{errors}");
    }
}
