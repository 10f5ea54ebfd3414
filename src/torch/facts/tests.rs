//! A traced run makes the files of any other run.

use std::path::Path;
use std::sync::Arc;

use super::input::{self, Input, Wanted};
use torchgen_base::render::trace::{Trace, Traceable, without_marks};
use torchgen_kit::driver::Session;
use torchgen_kit::driver::args::CommonArgs;
use torchgen_kit::driver::data::Tables;

/// Compares the files of a run with a trace of all operators with those of a run without a trace.
#[track_caller]
fn check(source_path: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(source_path);
    let wanted = Wanted {
        source: Some(&path),
        layout: None,
        autograd_dir: None,
        torch: None,
        backend: None,
        lazy: false,
        without_keys: &input::ALL_KEYS,
    };
    let files = |all: bool| {
        // Not one that only checks, whose files are not laid out.
        let mut session = Session::default();
        let layout = input::settle(&wanted, &mut session).expect("a layout");
        let input =
            Input::read_operators(&wanted, layout, Tables::embedded(), &mut session).expect("the input can be read");
        let names: Vec<String> = input.functions().map(Traceable::full_name).collect();
        let trace = all.then(|| Arc::new(Trace::new(names.iter().cloned())));
        let plan = input.outputs(&CommonArgs::default(), trace.as_ref(), &mut session);
        let plan = plan.expect("the files can be made");
        let plan = plan.expect("there are templates");
        let texts = plan.files().map(|(path, file)| (path.to_owned(), file.contents.to_string()));
        let texts: Vec<_> = texts.collect();
        let found = trace.map_or_else(Vec::new, |trace| {
            texts.iter().flat_map(|(_, text)| trace.read_marks([&**text].into_iter())).collect()
        });
        let missing = names.into_iter().filter(|name| !found.iter().any(|(_, note)| note.operator == *name));
        let missing: Vec<String> = if all { missing.collect() } else { Vec::new() };
        assert!(missing.is_empty(), "{source_path}: no text is about {missing:?}");
        texts
    };
    let (plain, traced) = (files(false), files(true));
    assert!(plain.len() == traced.len() && plain.len() > 1, "{source_path}");
    for ((path, plain), (traced_path, traced)) in plain.iter().zip(&traced) {
        assert_eq!(path, traced_path);
        let traced = without_marks(traced);
        let differs = plain.lines().zip(traced.lines()).find(|(plain, traced)| plain != traced);
        assert!(*plain == traced, "{source_path}: {} differs in a traced run: {differs:?}", path.display());
    }
}

#[test]
fn marks_change_no_text() {
    check("tests/mini/source");
    // Formulas of `stable/trained` are for that ABI only.
    for library in ["autograd", "conditions", "several", "structured", "stable/library"] {
        check(&format!("tests/{library}"));
    }
    for library in ["", "examples/privateuse1"] {
        check(library);
    }
}
