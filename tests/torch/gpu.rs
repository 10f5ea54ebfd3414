//! The library and the checks of `tests/gpu`, which are for machines with a GPU, on the CPU: its
//! kernels are compiled as C++, with a stand-in for CUDA's headers, and run there. The slow test
//! `cuda::` compiles them with nvcc.

use std::fs;
use std::path::Path;

use libtest_mimic::Trial;
use regex::Regex;

use crate::support::cxx::{Program, quick};
use crate::support::torch::{Torch, oldest, root, run, torch};

/// The tests of this module.
pub(crate) fn trials() -> Vec<Trial> {
    trials![kernels_for_gpus_pass_their_checks_on_the_cpu]
}

/// What becomes of the sources: operators have kernels for the CPU, launches are objects, and a
/// block has few threads.
fn on_the_cpu(text: &str) -> String {
    let launch = Regex::new(r"(?s)(\w+)<<<(.*?)>>>\((.*?)\);").expect("a pattern");
    let text = launch.replace_all(text, "host::Launch{$2}.run([&] { $1($3); });");
    text.replace("    CUDA: ", "    CPU: ").replace("kThreads = 256;", "kThreads = 2;")
}

/// Copies the files of a directory.
fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a new directory");
    for entry in fs::read_dir(from).expect("a directory") {
        let path = entry.expect("an entry").path();
        let name = to.join(path.file_name().expect("a name"));
        match path.is_dir() {
            true => copy(&path, &name),
            false => fs::write(name, on_the_cpu(&fs::read_to_string(&path).expect("text"))).expect("a new file"),
        }
    }
}

fn kernels_for_gpus_pass_their_checks_on_the_cpu() {
    let gpu = root().join("tests/gpu");
    let work = tempfile::tempdir().expect("a temporary directory");
    let (library, out) = (work.path().join("library"), work.path().join("out"));
    copy(&gpu.join("library"), &library);
    let kernels = library.join("kernels");
    torch().generate(&library, &out);
    let text = |name: &str| fs::read_to_string(kernels.join(name)).expect("a kernel");
    let (elements, sums) = (text("elements.cu"), text("sums.cu"));
    assert!(elements.matches("host::Launch{").count() == 2 && sums.matches("host::Launch{").count() == 2);
    let program = |torch: &Torch| {
        Program::new("gpu_checks")
            .standard("c++20")
            .compiler(quick())
            .warnings(&["-Wall", "-Werror"])
            .system(torch.headers())
            .flag("-DTORCH_TARGET_VERSION=0x020a000000000000")
            .flag("-pthread")
            .include(gpu.join("host"))
            .include(&kernels)
            .include(out.join("include"))
            .generated(&out.join("src"))
            .text("elements.cpp", &elements)
            .text("sums.cpp", &sums)
    };
    // The headers of an older torch have fewer macros.
    program(oldest()).compiles();
    let libraries = torch().headers().join("../lib");
    let shared = program(torch()).link(format!("-L{}", libraries.display())).link("-ltorch_cpu").shared().built();
    fs::copy(shared, out.join("python/gpu_checks/libgpu_checks.so")).expect("the package's directory");
    let mut command = torch().tool("python");
    command.args(["-W", "ignore"]).arg(gpu.join("main.py")).arg("--package").arg(out.join("python"));
    let said = run(command.env("PYTHONDONTWRITEBYTECODE", "1"));
    // Each check that needs no GPU passes, and each other one has its row.
    let rows = |how: &str| said.lines().filter(|line| line.ends_with(how)).count();
    assert!(rows("| pass") >= 11 && rows("| not run: it needs a GPU") >= 11 && said.contains(" 0 failed, "), "{said}");
}
