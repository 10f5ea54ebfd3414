//! The C++ test kit tested: what it compiles, keeps and refuses.

use std::fs;
use std::process::Command;

use libtest_mimic::Trial;

use crate::support::cxx::{Build, Program};

/// The tests of this module.
pub(crate) fn trials() -> Vec<Trial> {
    trials![
        what_is_the_same_is_compiled_and_run_once,
        a_change_compiles_again,
        sanitizers_end_what_they_find,
        release_is_without_assert,
        warnings_and_errors_are_reported,
        libraries_have_all_their_symbols,
        headers_are_compiled_once,
        programs_share_objects
    ]
}

const HEADER: &str = "inline int answer() { return 42; }\n";
const MAIN: &str = r##"
#include <cstdio>
#include <cstdlib>
#include "answer.h"
int main(int count, char** values) {
    const char* name = std::getenv("KIT_NAME");
    std::printf("%d %s %s\n", answer(), count > 1 ? values[1] : "-", name ? name : "-");
}
"##;

/// A program of one header in a new directory.
fn program(directory: &tempfile::TempDir, header: &str) -> Program {
    fs::write(directory.path().join("answer.h"), header).expect("a new file");
    Program::new("kit").text("main.cpp", MAIN).include(directory.path())
}

fn what_is_the_same_is_compiled_and_run_once() {
    const CLOCK: &str = r##"
#include <chrono>
#include <cstdio>
#include "answer.h"
int main() {
    auto now = std::chrono::steady_clock::now().time_since_epoch();
    std::printf("%d %lld\n", answer(), static_cast<long long>(now.count()));
}
"##;
    let (one, two) = (tempfile::tempdir().expect("a directory"), tempfile::tempdir().expect("a directory"));
    fs::write(one.path().join("answer.h"), HEADER).expect("a new file");
    fs::write(two.path().join("answer.h"), HEADER).expect("a new file");
    let first = Program::new("clock").text("main.cpp", CLOCK).include(one.path());
    let second = Program::new("clock").text("main.cpp", CLOCK).include(two.path());
    let said = first.run();
    assert!(said.starts_with("42 "), "{said}");
    let made = fs::metadata(first.built()).expect("a program").modified().expect("a time");
    assert_eq!(second.built(), first.built(), "the directory's name does not belong to the hash");
    assert_eq!(fs::metadata(second.built()).expect("a program").modified().expect("a time"), made);
    assert_eq!(second.run(), said);
    assert_ne!(second.run_with(&["again"], &[]), said);
}

fn a_change_compiles_again() {
    let directory = tempfile::tempdir().expect("a directory");
    let before = program(&directory, HEADER);
    let (path, plain) = (before.built(), before.run_with(&["x"], &[("KIT_NAME", "y")]));
    assert_eq!(plain, "42 x y\n");
    assert_eq!(before.run_with(&["z"], &[]), "42 z -\n");
    let after = program(&directory, "inline int answer() { return 43; }\n");
    assert_ne!(after.built(), path);
    assert_eq!(after.run(), "43 - -\n");
    assert_ne!(after.clone().flag("-DX").built(), after.built());
    assert_ne!(after.clone().build(Build::Release).built(), after.built());
}

fn sanitizers_end_what_they_find() {
    let wrong = r"
int main(int count, char**) {
    int* values = new int[2]();
    int value = values[count + 1];
    delete[] values;
    return value;
}";
    let said = Program::new("overflow").text("main.cpp", wrong).build(Build::Sanitized).fails(&[]);
    assert!(said.contains("heap-buffer-overflow"), "{said}");
    let leak = "int main() { new int; }";
    let said = Program::new("leak").text("main.cpp", leak).build(Build::Sanitized).fails(&[]);
    assert!(said.contains("detected memory leaks"), "{said}");
    let signed = "int main(int count, char**) { return 2147483647 + count; }";
    let said = Program::new("signed").text("main.cpp", signed).build(Build::Sanitized).fails(&[]);
    assert!(said.contains("signed integer overflow"), "{said}");
}

fn release_is_without_assert() {
    let text = "#include <cassert>\nint main() { assert(false); }\n";
    let program = Program::new("asserts").text("main.cpp", text);
    assert!(program.fails(&[]).contains("Assertion"));
    assert_eq!(program.build(Build::Release).run(), "");
}

fn warnings_and_errors_are_reported() {
    let unused = Program::new("unused").text("main.cpp", "int main() { int unused; }");
    assert!(unused.refused().contains("unused variable"));
    let panicked = std::panic::catch_unwind(|| unused.run()).expect_err("it does not compile");
    let message = panicked.downcast_ref::<String>().expect("a message");
    assert!(message.contains("unused does not compile as Plain"), "{message}");
    let fine = Program::new("fine").text("main.cpp", "int main() {}");
    assert!(std::panic::catch_unwind(|| fine.refused()).is_err());
    assert!(std::panic::catch_unwind(|| fine.fails(&[])).is_err());
}

fn libraries_have_all_their_symbols() {
    let text = "int other();\nint shown() { return other(); }\n";
    let program = Program::new("shown").text("shown.cpp", text).shared();
    assert!(std::panic::catch_unwind(|| program.built()).is_err(), "a symbol is missing");
    let library = program.text("other.cpp", "int other();\nint other() { return 1; }\n").built();
    assert!(library.ends_with("libshown.so"));
    let symbols = Command::new("nm").args(["-D", "-C"]).arg(&library).output().expect("nm of the compiler");
    assert!(String::from_utf8_lossy(&symbols.stdout).contains("T shown()"));
}

fn headers_are_compiled_once() {
    let program = |name: &str| {
        let text = "int main() { return static_cast<int>(std::vector<int>(3).size()) - 3; }";
        Program::new(name).text("main.cpp", text).precompiled("#include <vector>\n")
    };
    assert_eq!(program("vectors").run(), "");
    // The header that is there serves another program; without it nothing declares the vector.
    assert_eq!(program("others").run(), "");
    assert!(program("vectors").precompiled("#include <string>\n").refused().contains("vector"));
}

fn programs_share_objects() {
    // Each compilation has a time of its own, and programs have other names and directories.
    const TIMED: &str = "#include \"answer.h\"\nconst char *when() { return __TIME__; }\n";
    const MAIN: &str = "#include <cstdio>\nconst char *when();\nint main() { std::puts(when()); }\n";
    let unique = std::process::id();
    let said = |name: &str, header: &str, build: Build| {
        let directory = tempfile::tempdir().expect("a directory");
        fs::write(directory.path().join("answer.h"), header).expect("a header");
        fs::write(directory.path().join("other.h"), name).expect("a header that nothing includes");
        let timed = directory.path().join("timed.cpp");
        fs::write(&timed, format!("{TIMED}// {unique}\n")).expect("a source");
        let program = Program::new(name).source(timed).text("main.cpp", MAIN).include(directory.path());
        program.flag("-Wno-date-time").build(build).run()
    };
    let first = said("shares-first", HEADER, Build::Plain);
    std::thread::sleep(std::time::Duration::from_millis(1100));
    assert_eq!(said("shares-second", HEADER, Build::Plain), first);
    assert_ne!(said("shares-third", &HEADER.replace("42", "43"), Build::Plain), first);
    assert_eq!(said("shares-fourth", HEADER, Build::Plain), first);
    assert_ne!(said("shares-fifth", HEADER, Build::Release), first);
}
