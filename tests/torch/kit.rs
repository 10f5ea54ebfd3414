//! `torchgen-rs cmake-module`: CMake finds the module where it was written.

use std::path::Path;
use std::process::Command;

use libtest_mimic::Trial;

use crate::support::torch::{run, torch};

/// The tests of this module.
pub(crate) fn trials() -> Vec<Trial> {
    trials![module_is_found_where_it_was_written]
}

fn tool() -> Command {
    Command::new(env!("CARGO_BIN_EXE_torchgen-rs"))
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
