//! Kernels for CUDA: nvcc compiles them and they are registered, and their wrappers compile without
//! it.
//!
//! The compiler comes from its Python package, so no GPU and no installed toolkit are needed.
//! Nothing is run on a GPU.

use std::path::Path;
use std::process::Command;

use libtest_mimic::Trial;

use crate::support::cuda::{Project, said};
use crate::support::torch::{cuda_toolkit, root, run, torch};

/// The tests of this module.
pub(crate) fn trials() -> Vec<Trial> {
    trials![
        kernels_are_compiled_and_registered,
        cuda_is_guarded_and_compiles_without_a_toolkit,
        the_library_for_gpus_is_built,
        a_new_library_on_the_stable_abi_is_compiled
    ]
}

/// Adds operators that only some builds have. All have one kernel, for CUDA.
fn add_conditional(project: &Project) {
    let yaml = project.source.join("native_functions.yaml");
    let mut text = std::fs::read_to_string(&yaml).expect("text");
    for (name, condition, _) in CONDITIONS {
        text.push_str(&format!("\n- func: gpu_ops::{name}(Tensor self) -> Tensor\n"));
        text.push_str(&format!("  when: {condition}\n  dispatch:\n    CUDA: copied\n"));
    }
    std::fs::write(&yaml, text).expect("it can be written");
    let kernel = "#include <gpu_ops/NativeFunctions.h>\n\
                  at::Tensor gpu_ops::native::copied(const at::Tensor& self) { return self.clone(); }\n";
    std::fs::write(project.source.join("kernels/copied.cpp"), kernel).expect("a new file");
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
    add_conditional(&project);
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
    let project = Project::new();
    let (library, out) = (&project.source, project.work.path().join("out"));
    run(Command::new(env!("CARGO_BIN_EXE_torchgen-rs"))
        .args(["--per-operator-headers", "-s"])
        .arg(library)
        .arg("-d")
        .arg(&out));
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
    let host = project.work.path().join("host.cpp");
    std::fs::write(
        &host,
        format!("struct Launch {{ dim3 grid, block; size_t shared; cudaStream_t stream; }};\n{called}"),
    )
    .expect("a new file");
    check_syntax(&host, &out.join("include"));
}

/// What `tests/gpu/run.sh` does where there is a compiler and no GPU.
fn the_library_for_gpus_is_built() {
    let mut command = Command::new(root().join("tests/gpu/run.sh"));
    let environment = torch().program("python");
    let tools = environment.parent().expect("the directory of tools").display().to_string();
    command
        .env("PYTHON", &environment)
        .env("TORCHGEN_RS", env!("CARGO_BIN_EXE_torchgen-rs"))
        .env("CUDACXX", cuda_toolkit().join("bin/nvcc"))
        .env("PATH", format!("{tools}:{}", std::env::var("PATH").unwrap_or_default()));
    let output = command.output().expect("a script that can be run");
    let said = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    let row = |name: &str, how: &str| said.lines().any(|line| line.contains(name) && line.ends_with(how));
    for name in ["the program generates it", "nvcc compiles it", "CMake builds it"] {
        assert!(row(name, "| pass"), "{said}");
    }
    if row("a GPU, and torch for it", "| not run: torch finds no GPU") {
        assert_eq!(output.status.code(), Some(77), "{said}");
    } else {
        assert!(output.status.success(), "{said}");
    }
}

/// The kernel for CUDA that `torchgen-rs new --cuda` writes.
fn a_new_library_on_the_stable_abi_is_compiled() {
    let work = tempfile::tempdir().expect("a temporary directory");
    let (source, out) = (work.path().join("gpu-ops"), work.path().join("out"));
    run(Command::new(env!("CARGO_BIN_EXE_torchgen-rs")).arg("new").arg(&source).arg("--cuda"));
    torch().generate_with(&source, &out, &["--per-operator-headers"]);
    let toolkit = cuda_toolkit();
    run(Command::new(toolkit.join("bin/nvcc"))
        .args(["-std=c++20", "-DUSE_CUDA", "-DTORCH_TARGET_VERSION=0x020a000000000000", "-isystem"])
        .arg(torch().headers())
        .arg("-I")
        .arg(out.join("include"))
        .arg("-c")
        .arg(source.join("kernels/squared_relu.cu"))
        .arg("-o")
        .arg(work.path().join("kernel.o")));
}
