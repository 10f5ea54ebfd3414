//! `torchgen-rs from-cpp` on sources in the styles of real projects: the YAML is the expected one,
//! and `check` accepts it.
//!
//! `UPDATE_EXPECT=1` writes the expected YAML again.

use std::fs;
use std::process::Command;

use libtest_mimic::Trial;

use crate::root;

/// The sources in `tests/stable/from_cpp`, and their flags.
const SOURCES: &[(&str, &[&str])] = &[("serving", &["--namespace", "serving"]), ("pictures", &[]), ("sounds", &[])];

/// The tests of this module.
pub(crate) fn trials() -> Vec<Trial> {
    trials![sources_become_yaml_that_check_accepts]
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
        let expected = root().join(source.replace(".cpp", ".yaml"));
        if std::env::var_os("UPDATE_EXPECT").is_some() {
            fs::write(&expected, &text).expect("a writable file");
        }
        assert_eq!(text, fs::read_to_string(&expected).unwrap_or_default(), "{name}");
    }
}
