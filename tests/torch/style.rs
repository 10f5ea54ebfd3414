//! The C++ of libraries has the style of the project's `.clang-format`: clang-format finds nothing
//! to change. So that authors can debug in it, it has no comments that are left over from templates
//! of ATen, and each operator's schema is above its code.

use std::path::{Path, PathBuf};
use std::process::Command;

use libtest_mimic::Trial;

use crate::support::torch::{clang_format, root, run};

/// The tests of this module.
pub(crate) fn trials() -> Vec<Trial> {
    trials![
        clang_format_finds_nothing_to_change,
        clang_format_would_find_a_change,
        nothing_of_atens_is_left_over,
        schemas_are_above_their_code
    ]
}

/// Libraries with operators of all shapes, and the flags that change the text.
const LIBRARIES: &[(&str, &[&str])] = &[
    (".", &[]),
    (".", &["--per-operator-headers"]),
    ("tests/autograd", &[]),
    ("tests/structured", &[]),
    ("tests/dialect/library", &[]),
    ("tests/python_package/source", &[]),
    ("tests/names", &[]),
    ("examples/privateuse1", &[]),
];

/// Texts of ATen's templates that mean nothing in a library.
const LEFT_OVER: &[&str] = &[
    "No device check",
    "DeviceGuard omitted",
    "super must happen",
    "Suppress unused variable",
    "See Note [",
    "The hardcoded 0",
];

fn generated(source: &str, flags: &[&str]) -> (tempfile::TempDir, Vec<PathBuf>) {
    let out = tempfile::tempdir().expect("a temporary directory");
    run(Command::new(env!("CARGO_BIN_EXE_torchgen-rs"))
        .arg("-s")
        .arg(root().join(source))
        .arg("-d")
        .arg(out.path())
        .args(flags));
    let files = walkdir::WalkDir::new(out.path()).into_iter().map(|entry| entry.expect("a readable entry").into_path());
    let is_cpp = |path: &PathBuf| path.extension().is_some_and(|ext| ext == "h" || ext == "cpp");
    let files: Vec<PathBuf> = files.filter(is_cpp).collect();
    assert!(files.len() >= 3, "{source}: {files:?}");
    (out, files)
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).expect("a readable file")
}

fn clang_format_finds_nothing_to_change() {
    for (source, flags) in LIBRARIES {
        let (_out, files) = generated(source, flags);
        run(Command::new(clang_format())
            .arg(format!("--style=file:{}", root().join(".clang-format").display()))
            .args(["--dry-run", "-Werror"])
            .args(&files));
    }
}

/// The check above would not see a style that changes nothing.
fn clang_format_would_find_a_change() {
    let (_out, files) = generated(".", &[]);
    let source = files.iter().find(|path| path.ends_with("src/Library_0.cpp")).expect("a source");
    std::fs::write(source, read(source).replace("  static auto op", "static auto op")).expect("a written file");
    let output = Command::new(clang_format())
        .arg(format!("--style=file:{}", root().join(".clang-format").display()))
        .args(["--dry-run", "-Werror"])
        .arg(source)
        .output()
        .expect("clang-format runs");
    assert!(!output.status.success());
}

fn nothing_of_atens_is_left_over() {
    for (source, flags) in LIBRARIES {
        let (_out, files) = generated(source, flags);
        for file in files {
            let text = read(&file);
            for left_over in LEFT_OVER {
                assert!(!text.contains(left_over), "{}: {left_over}", file.display());
            }
            let mut void = false;
            for line in text.lines() {
                void = if line.contains('(') && line.ends_with('{') && !line.starts_with("  ") {
                    line.trim_start_matches("inline ").starts_with("void ")
                } else {
                    void
                };
                let returns = line.trim_start().strip_prefix("return ").is_some_and(|value| value.contains('('));
                assert!(!(void && returns && !line.contains("[&]")), "{}: {line}", file.display());
            }
        }
    }
}

/// Each definition at the beginning of a line has a comment with the schema above it.
fn schemas_are_above_their_code() {
    let (_out, files) = generated(".", &[]);
    for (name, expected) in [
        ("Library_0.cpp", "// opkit::box_iou(Tensor boxes1, Tensor boxes2) -> Tensor"),
        ("Library_0.cpp", "// opkit::split_heads(Tensor(a) self, SymInt num_heads) -> Tensor(a)"),
        ("Library_0.cpp", "// The derivative of opkit::box_iou(Tensor boxes1, Tensor boxes2) -> Tensor"),
        ("AutogradFunctions.h", "// The derivative of opkit::box_iou(Tensor boxes1, Tensor boxes2) -> Tensor"),
        ("NativeFunctions.h", "// opkit::box_iou\n"),
        ("NativeMetaFunctions.h", "// opkit::silu_and_mul\n"),
        ("Operators.h", "// opkit::box_iou(Tensor boxes1, Tensor boxes2) -> Tensor"),
        ("Library_0.cpp", "// opkit::gelu_tanh_and_mul.out(Tensor input, *, Tensor(a!) out) -> Tensor(a!)"),
        ("Library_0.cpp", "// opkit::split_gates(Tensor(a) self)"),
    ] {
        let file = files.iter().find(|path| path.ends_with(name)).expect("a generated file");
        let text = read(file);
        assert!(text.contains(expected), "{name}: {expected}");
    }
    // Wrappers and kernels: no definition without one.
    for name in ["Library_0.cpp"] {
        let file = files.iter().find(|path| path.ends_with(name)).expect("a generated file");
        let text = read(file);
        let mut operator = "";
        for line in text.lines() {
            if let Some(schema) = line.strip_prefix("// opkit::") {
                operator = schema.split(['.', '(']).next().expect("a first part");
            }
            let wrapper = line.contains(" wrapper_CPU_") && line.ends_with('{');
            let kernel = line.contains("(c10::DispatchKeySet ks") && line.ends_with('{') && !line.starts_with(' ');
            let known = !operator.is_empty() && line.contains(operator);
            assert!(known || !(wrapper || kernel), "{name}: {operator}: {line}");
        }
    }
}
