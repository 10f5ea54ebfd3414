//! Tests of the smallest family, `families/units`, through the command line, and of what families
//! serve.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::path::Path;

use torchgen_base::render::Renderer;
use torchgen_kit::driver::{Host, Status};

use super::FAMILIES;
use crate::cli;

fn run(words: &[&str]) -> Status {
    cli::run(["torchgen-rs"].iter().chain(words).map(OsString::from), Host::keeping()).status
}

const UNITS: &str = "family: units
units:
- name: meter
- {name: kilometer, of: meter, times: '1000'}
";

/// Runs `test` with a directory and a source file that contains `text`.
fn with_source(text: &str, test: impl FnOnce(&str, &str, &Path)) {
    let dir = tempfile::tempdir().expect("a directory");
    let (source, out) = (dir.path().join("a.yaml"), dir.path().join("out"));
    fs::write(&source, text).expect("a file");
    test(&source.to_string_lossy(), &out.to_string_lossy(), dir.path());
}

#[test]
fn the_head_of_a_file_leads_to_the_family() {
    with_source(UNITS, |source, out, dir| {
        assert_eq!(run(&["-s", source, "-d", out, "--emit", "docs"]), Status::Done);
        let header = fs::read_to_string(dir.join("out/units.h")).expect("a header");
        assert_eq!(header, "#pragma once\nconstexpr double meter = 1.0;\nconstexpr double kilometer = 1000.0;\n");
        assert!(dir.join("out/docs/unit/kilometer.md").is_file());
        assert_eq!(run(&["docs", "-s", source, "-d", &dir.join("site").to_string_lossy()]), Status::Done);
        assert!(dir.join("site/unit/kilometer.html").is_file());
        assert_eq!(
            run(&["units", "-s", &dir.to_string_lossy(), "-d", out, "--emit", "docs", "--verify"]),
            Status::Done
        );
        assert_eq!(run(&["check", "-s", source]), Status::Done);
        assert_eq!(run(&["explain", "meter", "-s", source]), Status::Done);
        assert_eq!(run(&["explain", "mile", "-s", source]), Status::Failed);
        assert_eq!(run(&["model", "-s", source]), Status::Done);
        assert_eq!(run(&["model", "-s", source, "--only", "mile"]), Status::Failed);
        assert_eq!(run(&["explain", "TG9901"]), Status::Done);
    });
}

#[test]
fn verify_fails_where_an_output_would_change() {
    with_source(UNITS, |source, out, dir| {
        assert_eq!(run(&["units", "-s", source, "-d", out, "--verify"]), Status::Errors);
        assert!(!dir.join("out").exists());
    });
}

#[test]
fn templates_are_overlaid() {
    with_source(UNITS, |source, out, dir| {
        let overlay = dir.join("overlay/units");
        fs::create_dir_all(&overlay).expect("a directory");
        fs::write(overlay.join("units.h.j2"), "// {{ units | length }}\n").expect("a template");
        let overlay = dir.join("overlay");
        assert_eq!(run(&["-s", source, "-d", out, "--template-dir", &overlay.to_string_lossy()]), Status::Done);
        assert_eq!(fs::read_to_string(dir.join("out/units.h")).expect("a header"), "// 2\n");
    });
}

#[test]
fn bad_input_is_refused() {
    for (text, status) in [
        ("family: units\nunits:\n- {name: mile, of: metre}\n", Status::Errors),
        ("family: units\nunits:\n- {name: mile, factor: 2}\n", Status::Errors),
        ("family: units\n", Status::Errors),
        // WRONG_FAMILY, TG0006
        ("family: yards\n", Status::Errors),
        ("- a\n", Status::Errors),
        ("", Status::Failed),
    ] {
        with_source(text, |source, out, dir| {
            assert_eq!(run(&["units", "-s", source, "-d", out]), status, "{text}");
            assert!(!dir.join("out").exists(), "{text}");
        });
    }
    let error = cli::tests::parse("units -s a.yaml --emit pictures").map(|_| ()).map_err(|error| error.kind());
    assert_eq!(error, Err(clap::error::ErrorKind::InvalidValue));
}

#[test]
fn the_templates_of_every_family_compile() {
    super::serve_files();
    for files in FAMILIES.iter().flat_map(|family| (family.files)()) {
        let folders: BTreeSet<&str> = files.list().iter().filter_map(|file| file.name.split('/').next()).collect();
        assert_eq!(folders.len(), 1, "{folders:?}");
        let folder = folders.first().expect("a folder");
        let renderer = Renderer::compiled(folder).expect("embedded templates compile");
        assert!(files.list().iter().all(|file| !file.name.ends_with(".j2") || renderer.has_template(file.name)));
        let other = Renderer::compiled("torch").expect("embedded templates compile");
        assert!(
            files.list().iter().all(|file| other.has_template(file.name) || file.name.ends_with(".txt")),
            "overlays pass"
        );
        for (old, new) in files.renamed {
            assert!(files.file_named(old).is_none() && files.file_named(new).is_some(), "{old} is now {new}");
        }
    }
}
