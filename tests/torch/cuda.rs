//! CUDA in libraries: kernels compiled by nvcc and registered, and what a project chooses where
//! they cannot be compiled.
//!
//! The compiler comes from its Python package, so no GPU and no installed toolkit are needed.
//! Nothing is run on a GPU.

use std::path::{Path, PathBuf};
use std::process::Command;

use libtest_mimic::Trial;

use crate::support::cxx::quick;
use crate::support::torch::{cuda_toolkit, root, run, torch};

/// The tests of this module.
pub(crate) fn trials() -> Vec<Trial> {
    trials![
        kernels_are_compiled_and_registered,
        a_project_chooses_what_happens_without_cuda,
        gpu_architectures_are_those_of_pytorchs_list
    ]
}

/// A new library with a CUDA kernel.
struct Project {
    work: tempfile::TempDir,
    source: PathBuf,
}

impl Project {
    fn new() -> Project {
        let work = tempfile::tempdir().expect("a temporary directory");
        let source = work.path().join("gpu-ops");
        run(Command::new(env!("CARGO_BIN_EXE_torchgen-rs"))
            .arg("new")
            .arg(&source)
            .args(["--cuda", "--abi", "unstable"]));
        Project { work, source }
    }

    /// Adds operators that only some builds have. All have one kernel, for CUDA.
    fn add_conditional(&self) {
        let yaml = self.source.join("native_functions.yaml");
        let mut text = std::fs::read_to_string(&yaml).expect("text");
        for (name, condition, _) in CONDITIONS {
            text.push_str(&format!("\n- func: gpu_ops::{name}(Tensor self) -> Tensor\n"));
            text.push_str(&format!("  when: {condition}\n  dispatch:\n    CUDA: copied\n"));
        }
        std::fs::write(&yaml, text).expect("it can be written");
        let kernel = "#include <gpu_ops/NativeFunctions.h>\n\
                      at::Tensor gpu_ops::native::copied(const at::Tensor& self) { return self.clone(); }\n";
        std::fs::write(self.source.join("kernels/copied.cpp"), kernel).expect("a new file");
    }

    fn build(&self) -> PathBuf {
        self.work.path().join("build")
    }

    /// CMake's command, with that CUDA compiler.
    fn cmake(&self, compiler: &str, options: &[&str]) -> Command {
        let env = torch();
        let mut command = env.tool("cmake");
        command
            .arg("-S")
            .arg(&self.source)
            .arg("-B")
            .arg(self.build())
            .args(["-G", "Ninja", "-DCMAKE_BUILD_TYPE=None"])
            .arg(format!("-DCMAKE_CUDA_COMPILER={compiler}"))
            .arg(format!("-DPython_EXECUTABLE={}", env.program("python").display()))
            .arg(format!("-DTORCHGEN_RS={}", env!("CARGO_BIN_EXE_torchgen-rs")))
            .arg(format!("-DCMAKE_MAKE_PROGRAM={}", env.program("ninja").display()))
            .args(options)
            // What nvcc leaves to a host compiler goes to the machine's.
            .env("CXX", quick())
            .env_remove("CUDACXX")
            .env_remove("TORCH_CUDA_ARCH_LIST");
        command
    }

    /// Configures without a toolkit. Returns whether it succeeds, and what CMake prints.
    fn configure(&self, options: &[&str]) -> (bool, String) {
        said(&mut self.cmake("NOTFOUND", options))
    }

    /// The sources that Ninja would compile.
    fn compiled(&self) -> String {
        std::fs::read_to_string(self.build().join("build.ninja")).expect("CMake wrote it")
    }
}

/// The status and the output, in single spaces: CMake breaks lines.
fn said(command: &mut Command) -> (bool, String) {
    let output = command.output().expect("CMake runs");
    let said = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    (output.status.success(), said.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// Operators of some builds: the name, the condition, and whether builds for 8.0 and 9.0a have it.
const CONDITIONS: [(&str, &str, bool); 7] = [
    ("any", "cuda", true),
    ("newer", "cuda_arch >= 9.0", true),
    ("older", "cuda_arch < 8.0", false),
    ("newest", "cuda_arch > 9.0", false),
    ("exact", "cuda_arch == \"9.0a\"", true),
    ("between", "cuda_arch == 8.9", false),
    ("amd", "rocm", false),
];

fn kernels_are_compiled_and_registered() {
    let toolkit = cuda_toolkit();
    let project = Project::new();
    project.add_conditional();
    let nvcc = toolkit.join("bin/nvcc");
    let mut cmake = project.cmake(nvcc.to_str().expect("a path that is text"), &["-DTORCHGEN_CUDA=REQUIRED"]);
    let (configured, said) = said(cmake.env("TORCH_CUDA_ARCH_LIST", "8.0;9.0a"));
    assert!(configured && said.contains("CUDA architectures: 80-real;90a-real"), "{said}");
    run(torch().tool("ninja").arg("-C").arg(project.build()).arg("-j2"));
    // Without a GPU, the dispatcher still has the kernels.
    let script = "
import gpu_ops, torch
names = ['squared_relu', 'squared_relu.out', 'update_average']
print([torch._C._dispatch_has_kernel_for_dispatch_key(f'gpu_ops::{name}', 'CUDA') for name in names])
print(*torch._C._dispatch_get_all_op_names())
";
    let python = project.build().join("generated/python");
    let said = run(torch().tool("python").args(["-c", script]).env("PYTHONPATH", python));
    let (kernels, operators) = said.trim().split_once('\n').expect("two lines");
    assert_eq!(kernels, "[True, True, True]");
    for (name, condition, expected) in CONDITIONS {
        let found = operators.split(' ').any(|operator| operator == format!("gpu_ops::{name}"));
        assert_eq!(found, expected, "the build has `{name}`, `when: {condition}`");
    }
    let library = project.build().join("generated/python/gpu_ops/libgpu_ops.so");
    let kernel = std::fs::read(&library).expect("the library");
    for architecture in [&b"sm_80"[..], b"sm_90a"] {
        let found = kernel.windows(architecture.len()).any(|bytes| bytes == architecture);
        assert!(found, "{} has no code for {}", library.display(), String::from_utf8_lossy(architecture));
    }
}

fn a_project_chooses_what_happens_without_cuda() {
    let project = Project::new();
    // The new project says OPTIONAL.
    let (configured, said) = project.configure(&[]);
    let warning = "Kernels for CUDA are left out: no CUDA toolkit is found";
    assert!(configured && said.contains("CMake Warning") && said.contains(warning), "{said}");
    assert!(!project.compiled().contains("RegisterCUDA.cpp.o") && !project.compiled().contains("squared_relu.cu.o"));

    let (configured, said) = project.configure(&["-DTORCHGEN_CUDA=REQUIRED"]);
    assert!(!configured && said.contains("Kernels for CUDA are required, but no CUDA toolkit is found"), "{said}");

    let (configured, said) = project.configure(&["-DTORCHGEN_CUDA=OFF"]);
    assert!(configured && !said.contains("CUDA"), "{said}");

    let (configured, said) = project.configure(&["-DTORCHGEN_CUDA=MAYBE"]);
    assert!(!configured && said.contains("CUDA must be REQUIRED, OPTIONAL or OFF, but it is \"MAYBE\""), "{said}");

    let lists = project.source.join("CMakeLists.txt");
    let text = std::fs::read_to_string(&lists).expect("text");
    std::fs::write(&lists, text.replace(" CUDA OPTIONAL)", ")")).expect("it can be written");
    let (configured, said) = project.configure(&["-UTORCHGEN_CUDA"]);
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
