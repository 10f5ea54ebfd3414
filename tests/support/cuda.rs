//! A new library with kernels for CUDA, and CMake's command for it.

use std::path::PathBuf;
use std::process::Command;

use super::cxx::quick;
use super::torch::{run, torch};

/// A new library with a CUDA kernel.
pub(crate) struct Project {
    pub(crate) work: tempfile::TempDir,
    pub(crate) source: PathBuf,
}

impl Project {
    pub(crate) fn new() -> Project {
        let work = tempfile::tempdir().expect("a temporary directory");
        let source = work.path().join("gpu-ops");
        run(Command::new(env!("CARGO_BIN_EXE_torchgen-rs"))
            .arg("new")
            .arg(&source)
            .args(["--cuda", "--abi", "unstable"]));
        Project { work, source }
    }

    pub(crate) fn build(&self) -> PathBuf {
        self.work.path().join("build")
    }

    /// CMake's command, with that CUDA compiler.
    pub(crate) fn cmake(&self, compiler: &str, options: &[&str]) -> Command {
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
}

/// The status and the output, in single spaces: CMake breaks lines.
pub(crate) fn said(command: &mut Command) -> (bool, String) {
    let output = command.output().expect("CMake runs");
    let said = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    (output.status.success(), said.split_whitespace().collect::<Vec<_>>().join(" "))
}
