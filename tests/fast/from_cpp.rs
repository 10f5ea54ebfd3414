//! `torchgen-rs from-cpp` on sources in the styles of real projects: the YAML is the expected one,
//! and `check` accepts it.
//!
//! `UPDATE_EXPECT=1` writes the expected YAML again.

use std::fs;
use std::process::Command;

use libtest_mimic::Trial;

use crate::expected::assert_is_text_of_file;
use crate::root;

/// The sources in `tests/stable/from_cpp`, and their flags.
const SOURCES: &[(&str, &[&str])] =
    &[("serving", &["--namespace", "serving"]), ("pictures", &[]), ("sounds", &[]), ("inferred", &[])];

/// The tests of this module.
pub(crate) fn trials() -> Vec<Trial> {
    trials![sources_become_yaml_that_check_accepts, files_are_not_lost]
}

fn sources_become_yaml_that_check_accepts() {
    for (name, flags) in SOURCES {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let yaml = directory.path().join("native_functions.yaml");
        let source = format!("tests/stable/from_cpp/{name}.cpp");
        let run = |command: &mut Command| {
            let output = command.current_dir(root()).output().expect("the program runs");
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            crate::reported::note(&said);
            assert!(output.status.success(), "{name}: {said}");
        };
        let program = env!("CARGO_BIN_EXE_torchgen-rs");
        run(Command::new(program).args(["from-cpp", &source, "--output"]).arg(&yaml).args(*flags));
        run(Command::new(program).args(["check", "-s"]).arg(directory.path()));
        let text = fs::read_to_string(&yaml).expect("the YAML");
        assert_is_text_of_file(&root().join(source.replace(".cpp", ".yaml")), &text);
    }
}

/// A source is not replaced by its YAML, and a file is not emptied. Directories are searched.
fn files_are_not_lost() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let path = |name: &str| directory.path().join(name);
    let run = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_torchgen-rs"));
        let output = command.arg("from-cpp").args(arguments).current_dir(directory.path()).output();
        let output = output.expect("the program runs");
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let source = "TORCH_LIBRARY(shop, m) {\n  m.def(\"sell(Tensor x) -> Tensor\");\n}\n";
    fs::create_dir(path("src")).expect("a new directory");
    fs::write(path("src/sell.cpp"), source).expect("a new file");
    fs::write(path("keep.yaml"), "- func: kept\n").expect("a new file");
    for (sources, output) in [("src/sell.cpp", "src/sell.cpp"), ("src", "src/../src/sell.cpp")] {
        let (status, said) = run(&[sources, "--output", output]);
        assert!(status == Some(2) && said.contains("it is an input of this run"), "{said}");
        assert_eq!(fs::read_to_string(path("src/sell.cpp")).ok().as_deref(), Some(source));
    }
    fs::write(path("impl.cpp"), "TORCH_LIBRARY_IMPL(shop, CPU, m) {\n}\n").expect("a new file");
    let (status, said) = run(&["impl.cpp", "--output", "keep.yaml"]);
    assert!(
        status == Some(1) && said.contains("error[TG6034]: the blocks of these sources declare no operators"),
        "{said}"
    );
    assert_eq!(fs::read_to_string(path("keep.yaml")).ok().as_deref(), Some("- func: kept\n"));
    let (status, said) = run(&["src", "impl.cpp", "--output", "keep.yaml"]);
    assert!(status == Some(0) && said.contains("1 operator in keep.yaml"), "{said}");
}
