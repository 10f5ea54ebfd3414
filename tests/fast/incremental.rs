//! Incremental runs: which changes are noticed, what is not repeated, and what a failed or killed
//! run leaves.
//!
//! The source path is the small one of `tests/mini`, or the bundled library.

pub(crate) mod robust;
pub(crate) mod tree;

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, SystemTime};

use libtest_mimic::Trial;

use tree::{MANIFEST, Tree, files, set_time};

/// The tests of this module.
pub(crate) fn trials() -> Vec<Trial> {
    trials![
        a_deleted_output,
        an_edited_output,
        #[cfg(unix)]
        a_same_size_edit_with_its_time_put_back,
        an_output_that_is_another_file_now,
        a_changed_input,
        an_overlay,
        a_file_that_was_not_there,
        another_flag,
        #[cfg(unix)]
        another_binary,
        a_touched_output_is_compared_once,
        what_was_said_is_said_again,
        lists_and_depfiles_are_always_written,
        dry_runs_fail_as_runs_do,
        several_runs_into_one_directory,
        manifests_are_not_believed,
        stale_files_are_named_and_pruned,
        another_invocation_keeps_its_files,
        bundled_library,
        timings,
        a_trace_has_the_printed_times,
    ]
}

/// Whether the next run notices a change, and then leaves the same tree as a run into an empty
/// directory.
#[track_caller]
fn noticed(flags: &str, change: impl FnOnce(&Tree)) {
    let tree = Tree::mini();
    fs::create_dir(tree.path("overlay")).expect("a directory");
    tree.run(flags);
    assert!(tree.is_unchanged(flags), "nothing has changed yet");
    change(&tree);
    assert!(!tree.is_unchanged(flags), "the change is not noticed");
    let after = tree.outputs();
    assert!(tree.is_unchanged(flags), "nothing changed since");
    fs::remove_dir_all(tree.path("out")).expect("the outputs");
    tree.run(flags);
    assert!(after == tree.outputs(), "not what an empty directory gets");
}

fn a_deleted_output() {
    noticed("", |tree| fs::remove_file(tree.path("out/core/TensorBody.h")).expect("an output"));
}

fn an_edited_output() {
    noticed("", |tree| tree.append("out/Functions.h", "// mine\n"));
}

#[cfg(unix)]
fn a_same_size_edit_with_its_time_put_back() {
    noticed("", |tree| tree.replace_secretly("out/Functions.h", "inline", "Inline"));
    noticed("", |tree| {
        tree.replace_secretly("source/native/native_functions.yaml", "A few operators", "A FEW operators")
    });
    noticed("", |tree| tree.replace_secretly("source/templates/Functions.h", "#if 0", "#if 1"));
}

fn an_output_that_is_another_file_now() {
    noticed("", |tree| {
        fs::remove_file(tree.path("out/Functions.h")).expect("an output");
        fs::copy(tree.path("out/Operators.h"), tree.path("out/Functions.h")).expect("a copy");
    });
}

fn a_changed_input() {
    let entry = "\n- func: mini_one(Tensor self) -> Tensor\n  variants: function\n";
    noticed("", |tree| tree.append("source/native/native_functions.yaml", entry));
    noticed("", |tree| tree.append("source/native/tags.yaml", "\n- tag: another\n  desc: one more\n"));
    noticed("", |tree| tree.append("source/templates/Functions.h", "// more\n"));
    noticed("", |tree| tree.append("source/templates/Unused.h", "// a template that nobody asked for\n"));
    noticed("--native-aot-ops-dir ops", |tree| fs::create_dir_all(tree.path("ops/x")).expect("a directory"));
}

fn an_overlay() {
    noticed("--template-dir overlay", |tree| tree.append("overlay/Functions.h", "// instead\n"));
    noticed("--template-dir overlay", |tree| tree.append("overlay/torch/functions/function.j2", "// instead\n"));
}

fn a_file_that_was_not_there() {
    let tree = Tree::mini();
    tree.run("");
    // The header of a shim is compared, if it exists.
    tree.append("out/aoti/c_shim_cpu.h", "#pragma once\n");
    assert_eq!(tree.output("").status.code(), Some(1));
}

fn another_flag() {
    let tree = Tree::mini();
    tree.run("");
    assert!(tree.is_unchanged(""));
    assert!(!tree.is_unchanged("--rocm"));
    assert!(tree.is_unchanged("--rocm"));
    // The first record remains, although the second run may have written some of its files.
    tree.run("");
    assert!(tree.is_unchanged(""));
    assert!(!tree.is_unchanged("--force"));
    assert!(tree.is_unchanged("--threads 1 --color never"));
    // With other spellings, messages and lists would differ too.
    assert!(!tree.is_unchanged("-s ./source"));
}

#[cfg(unix)]
fn another_binary() {
    let tree = Tree::mini();
    let binary = tree.path("tool");
    // Not copied here: a process that another test starts meanwhile would hold the file open for
    // writing, and the system runs no such file.
    let copied = Command::new("cp").arg(env!("CARGO_BIN_EXE_torchgen-rs")).arg(&binary).status();
    assert!(copied.is_ok_and(|status| status.success()));
    let run = || {
        let mut command = Command::new(&binary);
        command.args(["-s", "source", "-d", "out"]).current_dir(tree.dir.path());
        String::from_utf8_lossy(&command.output().expect("the binary runs").stderr).contains("nothing changed")
    };
    assert!(!run());
    assert!(run());
    let time = fs::metadata(&binary).and_then(|m| m.modified()).expect("a time");
    let longer = Command::new("sh").args(["-c", "printf '\\0' >> \"$0\""]).arg(&binary).status();
    assert!(longer.is_ok_and(|status| status.success()));
    set_time(&binary, time);
    assert!(!run());
    assert!(run());
}

fn a_touched_output_is_compared_once() {
    let tree = Tree::mini();
    tree.run("");
    let record = || fs::read(tree.path("out").join(MANIFEST)).expect("a manifest");
    // Stamps as young as the end of the first run are not kept; the second run keeps them.
    std::thread::sleep(Duration::from_millis(1100));
    assert!(tree.is_unchanged(""));
    let settled = record();
    assert!(tree.is_unchanged(""));
    assert!(settled == record(), "nothing was compared, so nothing is to be remembered");
    set_time(&tree.path("out/Functions.h"), SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000));
    assert!(tree.is_unchanged(""));
    assert!(settled != record(), "the touched file has been compared");
}

fn what_was_said_is_said_again() {
    let tree = Tree::mini();
    let flags = "--op-selection-yaml-path selected.yaml";
    tree.append("selected.yaml", "operators:\n  aten::no_such_operator: {}\n");
    let without_summary = |said: String| -> Vec<String> {
        said.lines().filter(|line| !line.starts_with("torchgen-rs:")).map(str::to_owned).collect()
    };
    let first = tree.run(flags);
    assert!(first.contains("there is no operator `aten::no_such_operator`"), "{first}");
    let second = tree.run(flags);
    assert!(second.contains("nothing changed"));
    assert_eq!(without_summary(first), without_summary(second));
    assert_eq!(
        without_summary(tree.run(&format!("{flags} --message-format json --force"))),
        without_summary(tree.run(&format!("{flags} --message-format json")))
    );
    let strict = tree.output(&format!("{flags} --strict"));
    assert_eq!(strict.status.code(), Some(1));
}

fn lists_and_depfiles_are_always_written() {
    let tree = Tree::mini();
    let flags = "-o lists/x.cmake --depfile deps.d";
    tree.run(flags);
    let (lists, deps) = (files(&tree.path("lists")), fs::read(tree.path("deps.d")).expect("a depfile"));
    assert_eq!(lists.len(), 5);
    fs::remove_dir_all(tree.path("lists")).expect("the lists");
    fs::write(tree.path("deps.d"), "mine").expect("a depfile");
    assert!(tree.is_unchanged(flags));
    assert!(lists == files(&tree.path("lists")) && deps == fs::read(tree.path("deps.d")).expect("a depfile"));
    // The same for a dry run, with and without a manifest.
    for manifest in [true, false] {
        fs::remove_dir_all(tree.path("lists")).expect("the lists");
        if !manifest {
            fs::remove_dir_all(tree.path("out")).expect("the outputs");
        }
        tree.run(&format!("{flags} --dry-run"));
        assert!(lists == files(&tree.path("lists")));
        assert_eq!(tree.path("out").exists(), manifest);
    }
}

/// Also with errors that only the C++ of an operator shows; and `-v` lists the files.
fn dry_runs_fail_as_runs_do() {
    let tree = Tree::mini();
    for written in [false, true] {
        let said = tree.run("--dry-run");
        assert!(said.contains("dry run, would write ") && said.contains(" 0 of ") == written, "{said}");
        assert!(said.contains("\n  out/Functions.h\n") != written && !said.contains("no file changed"), "{said}");
        assert_eq!(tree.path("out").exists(), written);
        tree.run("");
    }
    let entry = "- func: write(Tensor(a!) self) -> Tensor\n  dispatch: {CompositeExplicitAutograd: write}\n  autogen: write.out\n";
    tree.append("source/native/native_functions.yaml", entry);
    for flags in ["--dry-run", ""] {
        let output = tree.output(flags);
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(1) && said.contains("error[TG0543]"), "{flags}: {said}");
    }
}

fn several_runs_into_one_directory() {
    let tree = Tree::mini();
    let kinds = ["--generate headers", "--generate sources", "--generate declarations_yaml"];
    for flags in kinds {
        assert!(!tree.is_unchanged(flags));
    }
    for flags in kinds {
        assert!(tree.is_unchanged(flags));
    }
    let apart = tree.outputs();
    fs::remove_dir_all(tree.path("out")).expect("the outputs");
    // In parallel, twice each.
    let spawn = |flags: &str| tree.command(flags).stderr(std::process::Stdio::null()).spawn().expect("the binary runs");
    let running: Vec<_> = kinds.iter().chain(&kinds).map(|flags| spawn(flags)).collect();
    for mut child in running {
        assert!(child.wait().expect("a status").success());
    }
    assert!(apart == tree.outputs());
    for flags in kinds {
        assert!(tree.is_unchanged(flags), "{flags}");
    }
    let all = Tree::mini();
    all.run("");
    assert!(apart == all.outputs());
}

/// The manifest may have any content.
fn manifests_are_not_believed() {
    let tree = Tree::mini();
    tree.run("");
    let path = tree.path("out").join(MANIFEST);
    let good = fs::read(&path).expect("a manifest");
    let text = String::from_utf8(good.clone()).expect("a text");
    let mut cases: Vec<Vec<u8>> = vec![
        Vec::new(),
        vec![0xff; 64],
        text.replacen("manifest 2", "manifest 3", 1).into_bytes(),
        text.replacen("\"install\":0", "\"install\":9", 1).into_bytes(),
        format!("{text}0 0 {{}}\n").into_bytes(),
        format!("{text}{:032x} {:032x}\n", 7, 7).into_bytes(),
    ];
    for part in 1..8 {
        let mut bytes = good.clone();
        let at = bytes.len() * part / 8;
        bytes[at] ^= 1;
        cases.push(bytes);
        cases.push(good[..at].to_vec());
    }
    for (index, case) in cases.iter().enumerate() {
        fs::write(&path, case).expect("a manifest");
        fs::remove_file(tree.path("out/Functions.h")).expect("an output");
        tree.run("");
        assert!(tree.path("out/Functions.h").exists(), "case {index}");
        assert!(tree.is_unchanged(""), "case {index}");
    }
    #[cfg(unix)]
    {
        fs::remove_file(&path).expect("the manifest");
        std::os::unix::fs::symlink(tree.path("elsewhere"), &path).expect("a link");
        tree.run("");
        assert!(!tree.path("elsewhere").exists() && !path.is_symlink());
    }
    fs::remove_file(&path).expect("the manifest");
    fs::create_dir(&path).expect("a directory");
    tree.run("");
    assert!(!tree.is_unchanged(""), "there is no place for a manifest");
}

fn stale_files_are_named_and_pruned() {
    let tree = Tree::mini();
    let entry = "\n- func: mini_one(Tensor self) -> Tensor\n  variants: function\n";
    let yaml = tree.path("source/native/native_functions.yaml");
    let old = fs::read(&yaml).expect("the YAML");
    let flags = "--per-operator-headers";
    tree.run(flags);
    let before = tree.outputs();
    tree.append("source/native/native_functions.yaml", entry);
    tree.run(flags);
    fs::write(&yaml, old).expect("the YAML");
    tree.append("out/ops/mine.h", "by hand");
    for _ in 0..2 {
        let said = tree.run(flags);
        assert!(
            said.contains("note[TG0004]: ") && said.contains("files from earlier runs are no longer generated"),
            "{said}"
        );
        assert!(said.contains("out/ops/mini_one_ops.h") && !said.contains("mine.h"), "{said}");
    }
    tree.append("out/ops/mini_one_native.h", "// edited\n");
    assert!(tree.run(&format!("{flags} --prune")).contains("removed"));
    let mut after = tree.outputs();
    assert!(after.remove("ops/mine.h").is_some() && after.remove("ops/mini_one_native.h").is_some());
    assert!(after == before);
    assert!(tree.run(flags).contains("out/ops/mini_one_native.h"));
    fs::remove_file(tree.path("out/ops/mini_one_native.h")).expect("the edited file");
    assert!(!tree.run(flags).contains("no longer generated"));
}

fn another_invocation_keeps_its_files() {
    let tree = Tree::mini();
    tree.run("--generate headers");
    tree.run("--generate sources --prune");
    tree.run("--rocm --prune");
    let before = tree.outputs();
    assert!(tree.outputs().contains_key("Functions.h"));
    tree.run("--prune --force");
    assert!(before.keys().eq(tree.outputs().keys()));
}

fn bundled_library() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let tree = Tree { dir: tempfile::tempdir().expect("a temporary directory") };
    for name in ["native_functions.yaml", "derivatives.yaml", "derivatives_manual.h", "library.yaml"] {
        if root.join(name).exists() {
            fs::create_dir_all(tree.path("source")).expect("a directory");
            fs::copy(root.join(name), tree.path("source").join(name)).expect("a copy");
        }
    }
    tree.run("-o x.cmake");
    assert!(tree.is_unchanged("-o x.cmake"));
    // A directory of templates that did not exist.
    tree.append("source/templates/torch/library/ops.h.j2", "// instead\n");
    assert!(!tree.is_unchanged(""));
}

fn timings() {
    let tree = Tree::mini();
    let said = tree.run("--timings");
    let stages = ["yaml", "parse", "group", "templates", "generate", "write", "lists and manifest", "total"];
    for line in stages.iter().map(|stage| format!("  {stage}\n")) {
        assert!(said.contains(&line), "{line:?} in {said}");
    }
    assert!(said.contains("  functions: the C++ functions\n") && said.contains("  written\n"), "{said}");
    let said = tree.run("--timings --message-format json --force");
    let object = said.lines().rev().find_map(|line| serde_json::from_str::<serde_json::Value>(line).ok());
    let object = object.expect("an object");
    let files = &object["timings"]["files"];
    let unchanged = files["unchanged"].as_u64().expect("a number");
    assert_eq!((files["written"].as_u64(), unchanged as usize), (Some(0), tree.outputs().len()));
    assert!(object["timings"]["seconds"].is_f64() && object["timings"]["stages"].is_array());
}

/// The durations of a stage or a generator add up to its time in the table.
fn a_trace_has_the_printed_times() {
    let tree = Tree::mini();
    let said = tree.run("--timings=trace.json --threads 2");
    let text = fs::read_to_string(tree.path("trace.json")).expect("a trace");
    let trace: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let all = trace["traceEvents"].as_array().expect("events");
    let table = said.lines().filter_map(|line| {
        let (time, name) = line.trim_start().split_once("  ")?;
        Some((time.parse::<f64>().ok().filter(|_| time.contains('.'))?, name))
    });
    let mut count = 0;
    for (printed, name) in table.filter(|(_, name)| *name != "total") {
        let own = all.iter().filter(|event| event["ph"] == "X" && event["name"] == name);
        let sum: f64 = own.map(|event| event["dur"].as_f64().expect("microseconds") / 1e3).sum();
        assert!((sum - printed).abs() <= 0.0501, "{name}: {sum} ms in the trace, {printed} in the table");
        count += 1;
    }
    assert!(count > 20, "{said}");
    let thread = |event: &serde_json::Value| event["cat"] == "generator" && event["tid"].as_u64() > Some(0);
    assert!(all.iter().any(thread), "no generator has a thread: {text}");
    // The file is an output: an input is spared.
    let output = tree.output("--force --timings=source/native/tags.yaml");
    assert_ne!(output.status.code(), Some(0));
    assert!(!fs::read_to_string(tree.path("source/native/tags.yaml")).expect("tags").starts_with('{'));
}
