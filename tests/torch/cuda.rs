//! What a project with kernels for CUDA chooses where they cannot be compiled. Slow tests compile
//! them.

use std::path::Path;

use libtest_mimic::Trial;

use crate::support::cuda::{Project, said};
use crate::support::torch::{root, torch};

/// The tests of this module.
pub(crate) fn trials() -> Vec<Trial> {
    trials![a_project_chooses_what_happens_without_cuda, gpu_architectures_are_those_of_pytorchs_list]
}

/// Configures without a toolkit. Returns whether it succeeds, and what CMake prints.
fn configure(project: &Project, options: &[&str]) -> (bool, String) {
    said(&mut project.cmake("NOTFOUND", options))
}

/// The sources that Ninja would compile.
fn compiled(project: &Project) -> String {
    std::fs::read_to_string(project.build().join("build.ninja")).expect("CMake wrote it")
}

fn a_project_chooses_what_happens_without_cuda() {
    let project = Project::new();
    // The new project says OPTIONAL.
    let (configured, said) = configure(&project, &[]);
    let warning = "Kernels for CUDA are left out: no CUDA toolkit is found";
    assert!(configured && said.contains("CMake Warning") && said.contains(warning), "{said}");
    assert!(!compiled(&project).contains("RegisterCUDA.cpp.o") && !compiled(&project).contains("squared_relu.cu.o"));

    let (configured, said) = configure(&project, &["-DTORCHGEN_CUDA=REQUIRED"]);
    assert!(!configured && said.contains("Kernels for CUDA are required, but no CUDA toolkit is found"), "{said}");

    let (configured, said) = configure(&project, &["-DTORCHGEN_CUDA=OFF"]);
    assert!(configured && !said.contains("CUDA"), "{said}");

    let (configured, said) = configure(&project, &["-DTORCHGEN_CUDA=MAYBE"]);
    assert!(!configured && said.contains("CUDA must be REQUIRED, OPTIONAL or OFF, but it is \"MAYBE\""), "{said}");

    let lists = project.source.join("CMakeLists.txt");
    let text = std::fs::read_to_string(&lists).expect("text");
    std::fs::write(&lists, text.replace(" CUDA OPTIONAL)", ")")).expect("it can be written");
    let (configured, said) = configure(&project, &["-UTORCHGEN_CUDA"]);
    let choice =
        "torchgen_add_library(gpu_ops) has kernels for CUDA: add CUDA REQUIRED, CUDA OPTIONAL or CUDA OFF to it";
    assert!(!configured && said.contains(choice), "{said}");
}

/// Converts a list of GPU architectures with the CMake module.
#[track_caller]
fn check_architectures(list: &str, expected: Result<&str, &str>) {
    let work = tempfile::tempdir().expect("a temporary directory");
    let script = work.path().join("script.cmake");
    let module = root().join("cmake/TorchgenRsConfig.cmake");
    let text = format!(
        "cmake_policy(VERSION 3.26)\ninclude({})\n_torchgen_cuda_architectures(result \"{list}\")\nmessage(STATUS \"= ${{result}} =\")\n",
        module.display()
    );
    std::fs::write(&script, text).expect("a new file");
    let program = format!("-DTORCHGEN_RS={}", env!("CARGO_BIN_EXE_torchgen-rs"));
    let (_, said) = said(torch().tool("cmake").arg(program).arg("-P").arg(Path::new(&script)));
    let expected = expected.map_or_else(str::to_owned, |list| format!("= {list} ="));
    assert!(said.contains(&expected), "{list}: {said}");
}

fn gpu_architectures_are_those_of_pytorchs_list() {
    check_architectures("8.0", Ok("80-real"));
    check_architectures("8.0;9.0a+PTX", Ok("80-real;90a-real;90a-virtual"));
    check_architectures("7.5 12.0", Ok("75-real;120-real"));
    check_architectures("Ampere Hopper", Ok("80-real;86-real;86-virtual;90-real;90-virtual"));
    check_architectures("Ampere+Tegra", Ok("87-real"));
    // Those that torch was built for.
    check_architectures("sm_75;sm_120;compute_120", Ok("75-real;120-real;120-virtual"));
    check_architectures("8.0;Amper", Err("TORCH_CUDA_ARCH_LIST has an unknown GPU architecture: Amper"));
}
