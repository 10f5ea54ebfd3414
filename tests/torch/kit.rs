//! `torchgen-rs new --cuda` and `torchgen-rs cmake-module`: a new library becomes a wheel without
//! an edit, its tests pass, and its CUDA code compiles as far as possible without a toolkit.
//!
//! `walkthrough.rs` builds a new library without CUDA; `tests/ui` has the errors of `new`.

use std::path::{Path, PathBuf};
use std::process::Command;

use libtest_mimic::Trial;

use crate::support::torch::{cuda_toolkit, run, torch};
use crate::support::wheel;

/// The tests of this module.
pub(crate) fn trials() -> Vec<Trial> {
    trials![
        new_library_becomes_a_wheel_and_passes_its_tests,
        cuda_is_guarded_and_compiles_without_a_toolkit,
        module_is_found_where_it_was_written
    ]
}

fn tool() -> Command {
    Command::new(env!("CARGO_BIN_EXE_torchgen-rs"))
}

/// A new library for CUDA, below `work`.
fn gpu_ops(work: &Path) -> PathBuf {
    let library = work.join("gpu-ops");
    run(tool().arg("new").arg(&library).args(["--cuda", "--abi", "unstable"]));
    library
}

fn new_library_becomes_a_wheel_and_passes_its_tests() {
    let work = tempfile::tempdir().expect("a temporary directory");
    let library = gpu_ops(work.path());
    // Without an optimizer, and always without a toolkit.
    let options = ["cmake.build-type=None".to_owned(), "cmake.define.CMAKE_CUDA_COMPILER=NOTFOUND".to_owned()];
    let python = wheel::installed(&library, work.path(), &options);
    let said = run(Command::new(&python)
        .args(["-m", "pytest", "-q", "-p", "no:cacheprovider", "tests"])
        .env("OMP_NUM_THREADS", "2")
        .current_dir(&library));
    assert!(said.contains("28 passed"), "{said}");

    // All its kernels are defined, those for CUDA too.
    let said = run(tool().args(["kernels", "--strict", "--sources", "kernels"]).current_dir(&library));
    assert!(said.contains("5 kernels, all defined"), "{said}");
}

/// Compiles a C++ file to an object file.
#[track_caller]
fn check_syntax(file: &Path, include: &Path) {
    // The headers of CUDA, without its compiler.
    let cuda = cuda_toolkit().join("include");
    run(Command::new(std::env::var("CXX").unwrap_or_else(|_| "c++".into()))
        .args(["-std=c++20", "-fsyntax-only", "-Wall", "-Werror", "-Wno-attributes", "-isystem"])
        .arg(torch().headers())
        .arg("-isystem")
        .arg(&cuda)
        .args(["-include", "cuda_runtime.h", "-include", "device_launch_parameters.h", "-I"])
        .arg(include)
        .args(["-x", "c++"])
        .arg(file));
}

fn cuda_is_guarded_and_compiles_without_a_toolkit() {
    let work = tempfile::tempdir().expect("a temporary directory");
    let library = gpu_ops(work.path());
    let out = work.path().join("out");
    run(tool().args(["--per-operator-headers", "-s"]).arg(&library).arg("-d").arg(&out));
    let wrappers = out.join("src/RegisterCUDA.cpp");
    let text = std::fs::read_to_string(&wrappers).expect("CUDA is registered");
    for (line, count) in [
        // All arguments are on one device.
        ("c10::impl::check_and_update_common_device(common_device, self, \"wrapper_CUDA_squared_relu\", \"self\")", 1),
        ("c10::impl::check_and_update_common_device(common_device, value_arg, ", 1),
        // Kernels run on their tensors' device: both variants of the structured operator, and the
        // one that writes.
        ("c10::OptionalDeviceGuard guard_;", 2),
        ("const at::OptionalDeviceGuard device_guard(at::device_of(average_arg));", 1),
    ] {
        assert_eq!(text.matches(line).count(), count, "{line} in\n{text}");
    }
    check_syntax(&wrappers, &out.join("include"));

    // A kernel is C++ except for its launch: the text between the brackets becomes an object beside
    // an ordinary call.
    let kernel = std::fs::read_to_string(library.join("kernels/squared_relu.cu")).expect("a kernel for CUDA");
    let launch = regex::Regex::new(r"(\w+)<<<(.*)>>>\(").expect("a pattern");
    assert_eq!(launch.find_iter(&kernel).count(), 1, "{kernel}");
    let called = launch.replace_all(&kernel, "void(Launch{$2}), $1(");
    let host = work.path().join("host.cpp");
    std::fs::write(
        &host,
        format!("struct Launch {{ dim3 grid, block; size_t shared; cudaStream_t stream; }};\n{called}"),
    )
    .expect("a new file");
    check_syntax(&host, &out.join("include"));
}

/// Configures a project of one line that finds the module, and returns CMake's output.
#[track_caller]
fn find_module(prefix: &Path, version: &str) -> (bool, String) {
    let project = prefix.join("project");
    std::fs::create_dir_all(&project).expect("a new directory");
    let text = format!(
        "cmake_minimum_required(VERSION 3.26)\nproject(user NONE)\nfind_package(TorchgenRs {version} REQUIRED)\n\
         message(STATUS \"found ${{TorchgenRs_VERSION}} ${{TORCHGEN_RS}}\")\nif(NOT COMMAND torchgen_add_library)\n\
         message(FATAL_ERROR none)\nendif()\n"
    );
    std::fs::write(project.join("CMakeLists.txt"), text).expect("a new file");
    let output = torch()
        .tool("cmake")
        .arg("-S")
        .arg(&project)
        .arg("-B")
        .arg(prefix.join("build"))
        .arg("-G")
        .arg("Ninja")
        .arg(format!("-DCMAKE_PREFIX_PATH={}", prefix.display()))
        .arg(format!("-DTORCHGEN_RS={}", env!("CARGO_BIN_EXE_torchgen-rs")))
        .output()
        .expect("CMake runs");
    let said = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    (output.status.success(), said)
}

fn module_is_found_where_it_was_written() {
    let prefix = tempfile::tempdir().expect("a temporary directory");
    run(tool().arg("cmake-module").arg(prefix.path().join("share/cmake/TorchgenRs")));
    let version = env!("CARGO_PKG_VERSION");
    let (found, said) = find_module(prefix.path(), version);
    assert!(found && said.contains(&format!("found {version} {}", env!("CARGO_BIN_EXE_torchgen-rs"))), "{said}");
    let (found, said) = find_module(prefix.path(), "999");
    assert!(!found && said.contains("compatible with requested version \"999\""), "{said}");
}
