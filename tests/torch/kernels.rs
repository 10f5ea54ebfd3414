//! `torchgen-rs kernels`: the skeletons it prints complete a library, and compile; and kernels with
//! signatures as authors write them, which `generate --kernels` adapts.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use libtest_mimic::Trial;

use crate::support::torch::{root, run, torch};

/// The tests of this module.
pub(crate) fn trials() -> Vec<Trial> {
    trials![skeletons_complete_a_library_and_compile, signatures_as_authors_write_them]
}

fn kernels(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_torchgen-rs"));
    command.arg("kernels").args(arguments).current_dir(root()).output().expect("the binary runs")
}

/// Writes the skeletons of a library: one file for each operator, and then all in one file.
fn written(library: &Path, directory: &Path) -> PathBuf {
    let library = library.to_string_lossy().into_owned();
    let sources = directory.join("sources").to_string_lossy().into_owned();
    std::fs::create_dir(&sources).expect("a new directory");
    let printed = kernels(&["-s", &library, "--sources", &sources]);
    assert_eq!(printed.status.code(), Some(1));
    let written = kernels(&["-s", &library, "--sources", &sources, "--write"]);
    assert!(written.status.success(), "{}", String::from_utf8_lossy(&written.stderr));
    let again = kernels(&["-s", &library, "--sources", &sources, "--write", "--strict"]);
    let said = String::from_utf8_lossy(&again.stderr);
    assert!(again.status.success() && said.contains("all defined"), "{said}");
    let unit = directory.join("unit.cpp").to_string_lossy().into_owned();
    let empty = directory.join("empty").to_string_lossy().into_owned();
    std::fs::create_dir(&empty).expect("a new directory");
    let once = kernels(&["-s", &library, "--sources", &empty, "--write-to", &unit]);
    assert!(once.status.success(), "{}", String::from_utf8_lossy(&once.stderr));
    PathBuf::from(unit)
}

/// Compiles sources that need nothing but generated headers and torch's.
fn compile(sources: &[PathBuf], include: &Path) {
    let compiler = std::env::var("CXX").unwrap_or_else(|_| "c++".into());
    run(Command::new(compiler)
        .args(["-std=c++20", "-fsyntax-only", "-Wall", "-Werror", "-isystem"])
        .arg(torch().headers())
        .arg("-I")
        .arg(include)
        .args(sources));
}

fn skeletons_complete_a_library_and_compile() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let unit = written(root(), directory.path());
    // A file for each operator, each with its includes.
    let files = std::fs::read_dir(directory.path().join("sources")).expect("written sources");
    let mut files: Vec<PathBuf> = files.map(|file| file.expect("a readable entry").path()).collect();
    files.sort();
    let named = |name: &str| files.iter().any(|path| path.file_name().is_some_and(|own| own == name));
    assert!(files.len() > 15 && named("soft_cap.cpp") && named("rms_norm.cpp"), "{files:?}");
    for file in &files {
        let text = std::fs::read_to_string(file).expect("a readable file");
        assert!(text.starts_with("#include <opkit/NativeFunctions.h>\n"), "{}", file.display());
    }

    // All of the bundled library and of the operators of tests/mini, in one translation unit.
    let mini = directory.path().join("mini");
    std::fs::create_dir(&mini).expect("a new directory");
    let yaml = std::fs::read_to_string(root().join("tests/mini/source/native/native_functions.yaml"));
    let yaml = yaml.expect("the YAML of tests/mini").replace("- func: ", "- func: mini::");
    // A library has no methods.
    let yaml = yaml.replace("  variants: function, method\n", "");
    std::fs::write(mini.join("native_functions.yaml"), yaml).expect("a new file");
    let out = directory.path().join("out");
    torch().generate(&mini, &out);
    let mini = written(&mini, &mini);
    let include = out.join("include");
    let both = directory.path().join("both.cpp");
    let text = |path: &Path| std::fs::read_to_string(path).expect("written skeletons");
    let (opkit, mini) = (text(&unit), text(&mini));
    for kernel in ["rms_norm", "soft_cap", "scale_out_cuda", "TORCH_META_FUNC(scale)", "fill_with"] {
        assert!(opkit.contains(kernel) || mini.contains(kernel), "there is no skeleton of {kernel}");
    }
    std::fs::write(&both, opkit + &mini).expect("a new file");
    std::os::unix::fs::symlink(root().join("generated/include/opkit"), include.join("opkit")).expect("a link");
    compile(&[both], &include);
    // Some alone; they differ in the headers that their types need.
    let alone = ["soft_cap.cpp", "rms_norm.cpp"].map(|name| directory.path().join("sources").join(name));
    compile(&alone, &include);
}

/// `tests/signatures`: kernels whose signatures differ from their declarations, where C++ converts.
fn signatures_as_authors_write_them() {
    let flags = ["--kernels", "tests/signatures/kernels.cpp"];
    let library = torch().library_with("signatures", "tests/signatures", &flags);
    let said = run(torch().tool("python").arg(root().join("tests/signatures/behaviour.py")).arg(&library));
    for behaviour in ["tensors", "strings", "lists", "numbers", "layouts"] {
        assert!(said.contains(&format!("{behaviour} ok")), "{behaviour} was not tried:\n{said}");
    }
    let compared = kernels(&["-s", "tests/signatures", "--sources", "tests/signatures/kernels.cpp", "--strict"]);
    let said = String::from_utf8_lossy(&compared.stderr);
    let expected = "17 kernels, all defined; 9 with other types, which `generate --kernels` converts";
    assert!(said.contains(expected), "{said}");
}
