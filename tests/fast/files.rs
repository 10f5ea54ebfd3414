//! Files that are not what they seem: pipes, links that lead nowhere, directories, a full disk; and
//! names that mean something to the build systems that read lists of files.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use libtest_mimic::Trial;

use crate::incremental::tree::{Tree, files};

/// The tests of this module.
pub(crate) fn trials() -> Vec<Trial> {
    trials![
        #[cfg(target_os = "linux")]
        a_full_standard_output,
        #[cfg(unix)]
        pipes_as_outputs,
        #[cfg(unix)]
        pipes_as_templates,
        #[cfg(unix)]
        pipes_as_inputs,
        #[cfg(unix)]
        optional_inputs_that_are_no_files,
        lists_for_cmake,
        depfiles_name_directories,
        overlays_of_two_jobs,
        verbose_after_quiet,
        no_operators,
        sources_of_one_library_define_a_symbol_once,
        no_kernel_survives,
    ]
}

/// An operator library of one operator.
const NATIVE: &str = "- func: ns::mix(Tensor self) -> Tensor\n  dispatch:\n    CPU: mix_cpu\n";
const DERIVATIVES: &str = "- name: ns::mix(Tensor self) -> Tensor\n  self: grad\n";

fn library() -> Tree {
    let tree = Tree { dir: tempfile::tempdir().expect("a temporary directory") };
    tree.append("source/native_functions.yaml", NATIVE);
    tree
}

fn tool(directory: &Path, line: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_torchgen-rs"));
    command.args(line.split_whitespace()).current_dir(directory).stdin(Stdio::null());
    command
}

/// Runs, in no more than a minute.
#[track_caller]
fn soon(mut command: Command) -> Output {
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the tool starts");
    let start = Instant::now();
    while child.try_wait().expect("a child").is_none() {
        if start.elapsed() > Duration::from_secs(60) {
            child.kill().expect("a child");
            panic!("{command:?} is not done after a minute");
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    let output = child.wait_with_output().expect("its output");
    crate::reported::note(&String::from_utf8_lossy(&output.stderr));
    output
}

#[track_caller]
fn fails(output: &Output, status: i32, says: &str) {
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(status), "{said}");
    assert!(said.contains(says), "{says:?} in {said}");
}

#[cfg(unix)]
fn pipe(path: &Path) {
    fs::create_dir_all(path.parent().expect("a parent")).expect("a directory");
    assert!(Command::new("mkfifo").arg(path).status().expect("mkfifo").success());
}

#[cfg(target_os = "linux")]
fn a_full_standard_output() {
    let tree = library();
    fs::write(tree.path("roots.yaml"), "- aten::add\n").expect("a new file");
    let allowlist = "gen-op-registration-allowlist --root-ops roots.yaml";
    let lines = ["json-schema library", "list", "explain", "explain TG0101", "explain mix -s source", allowlist];
    for line in lines {
        let mut command = tool(tree.dir.path(), line);
        command.stdout(fs::File::options().write(true).open("/dev/full").expect("the device"));
        let output = command.stderr(Stdio::piped()).spawn().and_then(|child| child.wait_with_output()).expect(line);
        fails(&output, 2, "error[TG0003]: cannot write to standard output: No space left on device");
    }
    // A reader that goes away is no error.
    let line = format!("'{}' json-schema library | true", env!("CARGO_BIN_EXE_torchgen-rs"));
    let output = Command::new("bash").args(["-o", "pipefail", "-c", &line]).output().expect("bash");
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
}

#[cfg(unix)]
fn pipes_as_outputs() {
    for (path, flags) in [
        ("out/src/Library_0.cpp", ""),
        ("out/src/Library_0.cpp", "--verify"),
        ("x.cmake", "-o x.cmake"),
        ("x.d", "--depfile x.d"),
    ] {
        let tree = library();
        pipe(&tree.path(path));
        let output = soon(tool(tree.dir.path(), &format!("-s source -d out {flags}")));
        match flags {
            "--verify" => fails(&output, 1, "error[TG0005]"),
            _ => fails(&output, 2, "it is neither a file nor a device"),
        }
    }
    // A device takes what it is given.
    let tree = library();
    assert!(soon(tool(tree.dir.path(), "-s source -d out --depfile /dev/null")).status.success());
    let mini = Tree::mini();
    pipe(&mini.path("out/aoti/c_shim_cpu.h"));
    fails(&soon(mini.command("")), 1, "error[TG0002]: cannot read `out/aoti/c_shim_cpu.h`: it is not a file");
}

#[cfg(unix)]
fn pipes_as_templates() {
    for (path, flags) in [
        ("source/templates/torch/library/RegisterSchema.cpp.j2", ""),
        ("overlay/torch/library/RegisterSchema.cpp.j2", "--template-dir overlay"),
    ] {
        let tree = library();
        pipe(&tree.path(path));
        let output = soon(tool(tree.dir.path(), &format!("-s source -d out {flags}")));
        fails(&output, 2, &format!("error[TG0801]: template `{path}` is not a file"));
    }
}

/// What comes out of a pipe is read once, and serves every job of the run.
#[cfg(unix)]
fn pipes_as_inputs() {
    let fed = |tree: &Tree, path: &str, text: &'static str, command: Command| {
        let path = tree.path(path);
        if path.exists() {
            fs::remove_file(&path).expect("the file");
        }
        pipe(&path);
        let feeder = std::thread::spawn(move || {
            fs::File::options().write(true).open(&path).and_then(|mut file| file.write_all(text.as_bytes()))
        });
        let output = soon(command);
        feeder.join().expect("the feeder").expect("the pipe takes it");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    };
    let tree = library();
    let line = "-s source -d out";
    fed(&tree, "source/derivatives.yaml", DERIVATIVES, tool(tree.dir.path(), line));
    assert!(tree.outputs().contains_key("src/Library_0.cpp"));
    let tree = library();
    fed(&tree, "source/native_functions.yaml", NATIVE, tool(tree.dir.path(), line));
    let selection = "operators:\n  aten::add.Tensor: {}\n";
    let both = "--generate headers sources autograd --autograd-dir autograd --autograd-install-dir out/autograd \
                --op-selection-yaml-path selection.yaml";
    let tree = both_jobs();
    fed(&tree, "selection.yaml", selection, tree.command(both));
    let through_pipe = tree.outputs();
    let tree = both_jobs();
    tree.append("selection.yaml", selection);
    tree.run(both);
    assert!(through_pipe == tree.outputs());
}

/// PyTorch's layout in small, with autograd beside it.
fn both_jobs() -> Tree {
    let tree = Tree::mini();
    crate::pytorch::AUTOGRAD_TEMPLATES.iter().for_each(|name| tree.append(&format!("autograd/templates/{name}"), "\n"));
    tree.append("autograd/derivatives.yaml", "[]\n");
    tree.append("autograd/deprecated.yaml", "[]\n");
    tree
}

#[cfg(unix)]
fn optional_inputs_that_are_no_files() {
    use std::os::unix::fs::symlink;
    for name in ["derivatives.yaml", "tags.yaml", "derivatives_manual.h"] {
        for command in ["-s source -d out", "check -s source"] {
            let tree = library();
            fs::create_dir(tree.path("source").join(name)).expect("a directory");
            let said = format!("error[TG0002]: cannot read `source/{name}`: it is a directory");
            fails(&soon(tool(tree.dir.path(), command)), 2, &said);
            let tree = library();
            symlink("nowhere", tree.path("source").join(name)).expect("a link");
            let said = format!("error[TG0002]: cannot read `source/{name}`: it is a dangling link");
            fails(&soon(tool(tree.dir.path(), command)), 2, &said);
        }
    }
    let tree = library();
    fs::remove_file(tree.path("source/native_functions.yaml")).expect("the file");
    symlink("nowhere", tree.path("source/native_functions.yaml")).expect("a link");
    fails(&soon(tool(tree.dir.path(), "check -s source")), 2, "it is a dangling link");
}

/// What CMake would read otherwise is escaped with a backslash.
fn lists_for_cmake() {
    let tree = library();
    let directory = "a;b\"c${D}\\e";
    let mut command = tool(tree.dir.path(), "-s source -o x.cmake -d");
    assert!(
        soon({
            command.arg(directory);
            command
        })
        .status
        .success()
    );
    let list = fs::read_to_string(tree.path("x.cmake")).expect("the list");
    let escaped = "\"a\\;b\\\"c\\${D}\\\\e/";
    assert!(list.contains(&format!("{escaped}src/Library_0.cpp\"")), "{list}");
    if let Ok(output) = Command::new("cmake").arg("--version").output()
        && output.status.success()
    {
        let script = "include(x.cmake)\nforeach(file IN LISTS x)\nif(NOT EXISTS \"${CMAKE_CURRENT_LIST_DIR}/${file}\")\n\
                      message(FATAL_ERROR \"${file}\")\nendif()\nendforeach()\n";
        tree.append("script.cmake", script);
        let output = Command::new("cmake").args(["-P", "script.cmake"]).current_dir(tree.dir.path()).output();
        let output = output.expect("cmake");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
}

/// A new overlay, or a new file where one was looked for, is noticed by Make and Ninja; a removed
/// input stops neither.
fn depfiles_name_directories() {
    let tree = Tree::mini();
    fs::create_dir_all(tree.path("overlay/torch")).expect("a directory");
    fs::create_dir_all(tree.path("ops/topk")).expect("a directory");
    let flags = "--template-dir overlay --native-aot-ops-dir ops --depfile x.d";
    for _ in 0..2 {
        tree.run(flags);
        let text = fs::read_to_string(tree.path("x.d")).expect("a depfile");
        let (rule, phony) = text.split_once("\n\n").expect("a rule and more");
        for name in
            ["source/native/native_functions.yaml", "source/templates", "overlay", "overlay/torch", "ops", "ops/topk"]
        {
            assert!(rule.lines().any(|line| line.trim_end_matches(" \\").trim_start() == name), "{name} in {text}");
            assert!(phony.lines().any(|line| line == format!("{name}:")), "{name} in {text}");
        }
        // What the run itself makes files in would be newer than they are.
        assert!(!text.lines().any(|line| line == "out:" || line == "out/aoti:"), "{text}");
        fs::remove_file(tree.path("x.d")).expect("the depfile");
    }
    if Command::new("make").arg("--version").output().is_ok_and(|output| output.status.success()) {
        tree.run(flags);
        let tool = env!("CARGO_BIN_EXE_torchgen-rs");
        let rule =
            format!("\t@echo run >> log; '{tool}' -s source -d out --aoti-install-dir out/aoti {flags} 2> /dev/null\n");
        tree.append("Makefile", &format!("include x.d\nout/Functions.h:\n{rule}"));
        let make = || {
            let before = fs::read_to_string(tree.path("log")).unwrap_or_default().len();
            let output =
                Command::new("make").arg("out/Functions.h").current_dir(tree.dir.path()).output().expect("make");
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
            fs::read_to_string(tree.path("log")).unwrap_or_default().len() > before
        };
        std::thread::sleep(Duration::from_millis(20));
        fs::write(tree.path("out/Functions.h"), fs::read(tree.path("out/Functions.h")).expect("it")).expect("it");
        assert!(!make(), "nothing changed");
        std::thread::sleep(Duration::from_millis(20));
        tree.append("overlay/Functions.h", "// instead\n");
        assert!(make(), "a new overlay");
        fs::remove_file(tree.path("overlay/Functions.h")).expect("the overlay");
        assert!(make(), "a removed overlay");
    }
}

/// In the run of both jobs an overlay serves those that have the template; what is for one of them
/// goes into its folder.
fn overlays_of_two_jobs() {
    let flags =
        "--generate headers sources autograd --autograd-dir autograd --autograd-install-dir out/autograd -o x.cmake";
    let plain = both_jobs();
    plain.run(flags);
    let plain_outputs = plain.outputs();
    let list = fs::read_to_string(plain.path("autograd_x.cmake")).expect("a list of autograd's files");
    assert!(list.starts_with("set(\nautograd_x\n") && list.contains("out/autograd/VariableType"), "{list}");
    assert!(plain.path("python_x.cmake").exists());

    let tree = both_jobs();
    let with_overlay = format!("{flags} --template-dir overlay");
    tree.append("overlay/Functions.h", "// whose\n");
    let output = tree.output(&with_overlay);
    let said = "error[TG0802]: `overlay/Functions.h` replaces two templates: both jobs of the run have `Functions.h`";
    fails(&output, 2, said);
    assert!(
        String::from_utf8_lossy(&output.stderr).contains("move it to `aten/Functions.h` or `autograd/Functions.h`")
    );
    fs::remove_file(tree.path("overlay/Functions.h")).expect("the overlay");
    for (path, text) in
        [("aten/Functions.h", "// aten"), ("autograd/Functions.h", "// autograd"), ("VariableType.h", "// one")]
    {
        tree.append(&format!("overlay/{path}"), &format!("{text}\n"));
    }
    tree.run(&with_overlay);
    let changed: Vec<String> = tree
        .outputs()
        .into_iter()
        .filter(|(name, text)| plain_outputs.get(name) != Some(text))
        .map(|(name, _)| name)
        .collect();
    assert_eq!(changed, ["Functions.h", "autograd/Functions.h", "autograd/VariableType.h"]);
    assert!(files(&tree.path("out"))["autograd/Functions.h"].starts_with(b"// autograd"));
    tree.append("overlay/aten/NoSuchTemplate.h", "\n");
    fails(&tree.output(&with_overlay), 2, "error[TG0802]: `overlay/aten/NoSuchTemplate.h` replaces no template");
}

/// Declarations.yaml of no operators is what PyYAML dumps.
fn no_operators() {
    let tree = Tree::mini();
    fs::write(tree.path("source/native/native_functions.yaml"), "[]\n").expect("the YAML");
    tree.run("");
    assert_eq!(tree.outputs()["Declarations.yaml"], b"[]\n");
}

/// A library of more operators than one source holds, whose sources are linked into one file.
fn sources_of_one_library_define_a_symbol_once() {
    let tree = Tree { dir: tempfile::tempdir().expect("a temporary directory") };
    for at in 0..41 {
        let entry = format!("- func: ns::op{at}(Tensor self) -> Tensor\n  dispatch:\n    CPU: op{at}_cpu\n");
        tree.append("source/native_functions.yaml", &entry);
    }
    let output = soon(tool(tree.dir.path(), "-s source -d out"));
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let sources = fs::read_dir(tree.dir.path().join("out/src")).expect("sources");
    let texts: Vec<String> =
        sources.map(|entry| fs::read_to_string(entry.expect("a file").path()).expect("text")).collect();
    assert!(texts.len() > 1, "all is in one source");
    let defined: usize = texts.iter().map(|text| text.matches("ns_built_with_torch[] =").count()).sum();
    assert_eq!(defined, 1);
}

/// The reference opens the namespace of kernels for an operator without any if the run generates
/// sources too, because these look up all keys.
fn no_kernel_survives() {
    let namespace = b"namespace at {\nnamespace native {\n} // namespace native\n} // namespace at\n";
    for (flags, opens) in [("", true), ("--generate headers", false), ("--generate headers sources", true)] {
        let tree = Tree::mini();
        let yaml = "- func: lonely(Tensor self) -> Tensor\n  dispatch:\n    XPU: lonely_xpu\n";
        fs::write(tree.path("source/native/native_functions.yaml"), yaml).expect("the YAML");
        tree.run(flags);
        let header = &tree.outputs()["NativeFunctions.h"];
        assert_eq!(header.windows(namespace.len()).any(|window| window == namespace), opens, "{flags}");
    }
}

/// `--verbose` costs no new run, and shows what the run before it did not.
fn verbose_after_quiet() {
    let tree = Tree::mini();
    let entry = "\n- func: _fft_c2c(Tensor self, Stream stream) -> Tensor\n  dispatch:\n    CPU: fft\n";
    tree.append("source/native/native_functions.yaml", entry);
    let quiet = tree.run("");
    assert!(!quiet.contains("note[TG0533]"), "{quiet}");
    let verbose = tree.run("--verbose");
    assert!(verbose.contains("nothing changed") && verbose.contains("note[TG0533]"), "{verbose}");
    assert!(verbose.contains("  no file changed\n"), "{verbose}");
    assert!(!tree.run("").contains("note[TG0533]"));
    let forced = tree.run("--verbose --force");
    assert!(forced.contains("note[TG0533]") && forced.contains("  no file changed\n"), "{forced}");
}
