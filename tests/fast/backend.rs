//! The wrappers of a backend's kernels: which of them check devices, and which switch between them.

use std::process::Command;

use libtest_mimic::Trial;

/// The tests of this module.
pub(crate) fn trials() -> Vec<Trial> {
    trials![device_checks_of_single_operators]
}

const NATIVE: &str = "\
- func: copy_over(Tensor self, Tensor other) -> Tensor
- func: mix(Tensor self, Tensor other) -> Tensor
- func: pour(Tensor self, Tensor other) -> Tensor
- func: stir(Tensor self, Tensor other) -> Tensor
- func: heat(Tensor self, Tensor other) -> Tensor
  device_check: NoCheck
";

const SUPPORTED: &str = "\
- copy_over: {device_check: NoCheck}
- mix
- pour: {device_guard: false}
- stir: {device_guard: false, device_check: ExactSame}
- heat: {device_check: ExactSame}
";

/// `device_check` of an operator counts more than its `device_guard`, that of the file and PyTorch.
fn device_checks_of_single_operators() {
    let directory = tempfile::tempdir().expect("a directory");
    let write = |name: &str, text: &str| {
        let path = directory.path().join(name);
        std::fs::create_dir_all(path.parent().expect("below")).expect("a directory");
        std::fs::write(path, text).expect("a file");
    };
    write("native/native_functions.yaml", NATIVE);
    write("native/tags.yaml", "- tag: core\n  desc: x\n- tag: pt2_compliant_tag\n  desc: x\n");
    for (name, text) in [
        ("DispatchKeyNativeFunctions.cpp", ""),
        ("DispatchKeyNativeFunctions.h", ""),
        ("RegisterDispatchDefinitions.ini", "${dispatch_anonymous_definitions}\n"),
        ("RegisterDispatchKey.cpp", "${dispatch_definitions}\n"),
    ] {
        write(&format!("templates/{name}"), text);
    }
    for (guards, expected) in [
        // Each operator with whether its wrapper checks, and whether it switches.
        (
            true,
            [
                ("copy_over", false, true),
                ("mix", true, true),
                ("pour", false, false),
                ("stir", true, false),
                ("heat", true, true),
            ],
        ),
        (
            false,
            [
                ("copy_over", false, false),
                ("mix", false, false),
                ("pour", false, false),
                ("stir", true, false),
                ("heat", true, false),
            ],
        ),
    ] {
        write(
            "backend.yaml",
            &format!("backend: PrivateUse1\ncpp_namespace: kitchen\ndevice_guard: {guards}\nsupported:\n{SUPPORTED}"),
        );
        let mut command = Command::new(env!("CARGO_BIN_EXE_torchgen-rs"));
        command.args(["backend-stubs", "-s", "backend.yaml", "-o", "out", "--torch-path", "."]);
        let output = command.current_dir(directory.path()).output().expect("the program runs");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let text = std::fs::read_to_string(directory.path().join("out/RegisterPrivateUse1.cpp")).expect("a file");
        for (name, checks, switches) in expected {
            let start = text.find(&format!("__{name}(")).unwrap_or_else(|| panic!("{name} in {text}"));
            let wrapper = text[start..].split("\n}").next().unwrap_or_default();
            let found =
                (wrapper.contains("check_and_update_common_device"), wrapper.contains("DeviceGuard device_guard("));
            assert_eq!(found, (checks, switches), "{guards}: {wrapper}");
        }
    }
}
