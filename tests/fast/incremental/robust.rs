//! Files that cannot be written, runs that are killed, and runs that must agree.

use std::fs;
use std::process::Command;
use std::time::Duration;

use super::tree::{Tree, files};
use libtest_mimic::Trial;

/// The tests of this module.
pub(crate) fn trials() -> Vec<Trial> {
    trials![
        #[cfg(unix)]
        what_cannot_be_written,
        #[cfg(unix)]
        links_to_directories,
        by_products_of_editors,
        #[cfg(unix)]
        links_between_outputs,
        #[cfg(target_os = "linux")]
        paths_that_are_no_text,
        #[cfg(target_os = "linux")]
        a_file_without_an_end,
        lists_over_inputs,
        many_files_that_cannot_be_written,
        #[cfg(unix)]
        invocations_by_way_of_a_link,
        pruning_without_a_record,
        #[cfg(unix)]
        killed_runs,
        runs_agree,
    ]
}

/// Errors name the file and the status is 2.
#[cfg(unix)]
fn what_cannot_be_written() {
    use std::os::unix::fs::symlink;
    let check = |prepare: &dyn Fn(&Tree), shell: &str, expected: &str| {
        let tree = Tree::mini();
        fs::create_dir_all(tree.path("out")).expect("a directory");
        prepare(&tree);
        let mut command = Command::new("sh");
        let binary = env!("CARGO_BIN_EXE_torchgen-rs");
        let line = format!("{shell} exec '{binary}' -s source -d out --aoti-install-dir out/aoti");
        let output = command.args(["-c", &line]).current_dir(tree.dir.path()).output().expect("a shell");
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains(expected), "{said}");
        let left = files(&tree.path("out")).into_keys().filter(|name| name.contains(".torchgen-rs-")).count();
        assert_eq!(left, 0, "temporary files are left");
    };
    let link = |target: &'static str| move |tree: &Tree| symlink(target, tree.path("out/Functions.h")).expect("a link");
    check(&link("/dev/full"), "", "error[TG0003]: cannot write out/Functions.h: No space left on device");
    check(&link("Functions.h"), "", "cannot write out/Functions.h: too many symbolic links");
    check(&link("nowhere/Functions.h"), "", "cannot write out/Functions.h: No such file or directory");
    check(
        &|tree| fs::create_dir_all(tree.path("out/Functions.h")).expect("a directory"),
        "",
        "cannot write out/Functions.h: it is a directory",
    );
    check(&|tree| fs::write(tree.path("out/core"), "").expect("a file"), "", "cannot write out/core: ");
    check(&|_| (), "trap '' XFSZ; ulimit -f 4;", "cannot write out/RegisterSparseCPU_0.cpp: File too large");
}

/// A directory of templates may hold a link to itself, and directories may be dangling links.
#[cfg(unix)]
fn links_to_directories() {
    use std::os::unix::fs::symlink;
    let tree = Tree::mini();
    tree.append("overlay/Functions.h", "// instead\n");
    for (target, link) in
        [(".", "overlay/again"), ("../overlay", "overlay/functions"), ("../../source", "source/templates/up")]
    {
        symlink(target, tree.path(link)).expect("a link");
    }
    tree.run("--template-dir overlay");
    assert!(tree.is_unchanged("--template-dir overlay"));
    assert_eq!(fs::read(tree.path("out/Functions.h")).expect("an output"), b"// instead\n");
    fs::remove_dir_all(tree.path("out/core")).expect("a directory");
    symlink("nowhere", tree.path("out/core")).expect("a link");
    let output = tree.output("");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code() == Some(2) && said.contains("cannot write out/core: "), "{said}");
}

/// Files that editors and file managers leave in a directory of templates are skipped.
fn by_products_of_editors() {
    let tree = Tree::mini();
    tree.run("");
    let before = tree.outputs();
    let overlaid = fs::read_to_string(tree.path("source/templates/Functions.h")).expect("a template");
    tree.append("overlay/Functions.h", &overlaid);
    for dir in ["source/templates", "overlay"] {
        for name in [".Functions.h.swp", ".DS_Store", "Functions.h~", "#Functions.h#", ".git/index"] {
            let path = tree.path(dir).join(name);
            fs::create_dir_all(path.parent().expect("a parent")).expect("a directory");
            fs::write(path, b"\xff\0b0VIM").expect("a file");
        }
        #[cfg(unix)]
        std::os::unix::fs::symlink("me@host.1234:5", tree.path(dir).join(".#Functions.h")).expect("a link");
    }
    tree.run("--template-dir overlay");
    assert!(tree.is_unchanged("--template-dir overlay"));
    assert!(before == tree.outputs());
}

/// Two outputs cannot be one file.
#[cfg(unix)]
fn links_between_outputs() {
    use std::os::unix::fs::symlink;
    let check = |links: &[(&str, &str)], expected: &str| {
        let tree = Tree::mini();
        fs::create_dir_all(tree.path("out")).expect("a directory");
        for (target, link) in links {
            symlink(target, tree.path("out").join(link)).expect("a link");
        }
        let output = tree.output("");
        let said = String::from_utf8_lossy(&output.stderr);
        let status = if expected.is_empty() { 0 } else { 2 };
        assert!(output.status.code() == Some(status) && said.contains(expected), "{said}");
        assert!(!expected.is_empty() || tree.is_unchanged(""));
    };
    let error = "cannot write out/MethodOperators.h: it is the same file as out/Functions.h, which is written too";
    check(&[("Functions.h", "MethodOperators.h")], error);
    check(&[("../out/./Functions.h", "MethodOperators.h")], error);
    check(
        &[("../both.h", "MethodOperators.h"), ("../both.h", "Functions.h")],
        "cannot write out/Functions.h: it is the same file as out/MethodOperators.h, which is written too",
    );
    check(&[("../one.h", "MethodOperators.h"), ("../two.h", "Functions.h")], "");
}

/// Lists are text; a path that is not text would name another file.
#[cfg(target_os = "linux")]
fn paths_that_are_no_text() {
    use std::os::unix::ffi::OsStrExt;
    // A depfile is checked before anything is written.
    for (flags, entries) in [(["-o", "list.cmake"], 3), (["--depfile", "list.d"], 1)] {
        let tree = Tree::mini();
        let out = std::ffi::OsStr::from_bytes(b"o\xffut");
        let output = tree.command("").args(flags).arg("--install-dir").arg(out).output().expect("the binary runs");
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains(" is not UTF-8, which no list of files can express"), "{said}");
        let beside = fs::read_dir(tree.dir.path()).expect("a directory").count();
        assert_eq!(beside, entries, "source, out for the shims, the directory named here, and nothing of another name");
    }
}

/// Reading a file without an end stops.
#[cfg(target_os = "linux")]
fn a_file_without_an_end() {
    let tree = Tree::mini();
    let tags = tree.path("source/native/tags.yaml");
    fs::remove_file(&tags).expect("the tags");
    std::os::unix::fs::symlink("/dev/zero", &tags).expect("a link");
    let output = tree.output("");
    let said = String::from_utf8_lossy(&output.stderr);
    let expected = "cannot read `source/native/tags.yaml`: it is larger than 256 MiB";
    assert!(output.status.code() == Some(2) && said.contains(expected), "{said}");
}

/// Lists of outputs do not overwrite inputs, in a first run and in a run without changes.
fn lists_over_inputs() {
    for flag in ["-o", "--depfile"] {
        let tree = Tree::mini();
        for _ in 0..2 {
            let yaml = tree.path("source/native/native_functions.yaml");
            let before = fs::read(&yaml).expect("the YAML");
            let output = tree.output(&format!("{flag} source/native/../native/native_functions.yaml"));
            let said = String::from_utf8_lossy(&output.stderr);
            let expected = "native_functions.yaml: it is an input of this run";
            assert!(output.status.code() == Some(2) && said.contains(expected), "{said}");
            assert!(fs::read(&yaml).expect("the YAML") == before);
            tree.run("");
        }
    }
}

/// Of thousands of files that cannot be written, only some are reported.
fn many_files_that_cannot_be_written() {
    let tree = Tree::mini();
    tree.append("out/ops", "a file\n");
    let output = tree.output("--per-operator-headers");
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.matches("error[TG0003]").count() <= 20 && said.lines().count() < 100, "{said}");
}

/// A run through a link keeps the files of a run without it.
#[cfg(unix)]
fn invocations_by_way_of_a_link() {
    let tree = Tree::mini();
    let entry = "\n- func: mini_one(Tensor self) -> Tensor\n  variants: function\n";
    let flags = "--generate headers --per-operator-headers";
    fs::create_dir(tree.path("out")).expect("a directory");
    std::os::unix::fs::symlink("out", tree.path("link")).expect("a link");
    let yaml = tree.path("source/native/native_functions.yaml");
    let old = fs::read(&yaml).expect("the YAML");
    tree.append("source/native/native_functions.yaml", entry);
    tree.run(flags);
    let through = format!("{flags} --install-dir link");
    tree.run(&through);
    let before = tree.outputs();
    fs::write(&yaml, old).expect("the YAML");
    tree.run(&format!("{through} --prune"));
    assert!(tree.outputs().keys().eq(before.keys()), "the first invocation claims them");
    tree.run(&format!("{flags} --prune"));
    assert!(tree.outputs().len() < before.len());
}

/// Without a record of earlier runs, `--prune` removes nothing and reports this.
fn pruning_without_a_record() {
    let tree = Tree::mini();
    fs::create_dir_all(tree.path("out/.torchgen-rs.manifest")).expect("a directory");
    tree.run("");
    let output = tree.output("--prune");
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("error[TG0003]: cannot write out/.torchgen-rs.manifest: "), "{said}");
}

/// A run that is killed leaves every file old or new, whole, and the next run repairs the rest.
#[cfg(unix)]
fn killed_runs() {
    let tree = Tree::copy_of("tests/mini/source");
    let yaml = tree.path("source/native/native_functions.yaml");
    let first = fs::read(&yaml).expect("the YAML");
    let mut second = first.clone();
    second.extend_from_slice(b"\n- func: mini_one(Tensor self) -> Tensor\n  variants: function\n");
    let flags = "--per-operator-headers --generate headers";
    let mut expected = Vec::new();
    let mut longest = Duration::ZERO;
    for text in [&first, &second] {
        fs::write(&yaml, text).expect("the YAML");
        let _ = fs::remove_dir_all(tree.path("out"));
        let started = std::time::Instant::now();
        tree.run(flags);
        longest = longest.max(started.elapsed());
        expected.push(tree.outputs());
    }
    // Reproducible times, spread over the whole run and a little more.
    let mut random = 0x2545_f491_4f6c_dd1d_u64;
    let mut next = || {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        random
    };
    let mut repaired = 0;
    for round in 0..40 {
        let new = usize::from(next() % 2 == 0);
        fs::write(&yaml, [&first, &second][new]).expect("the YAML");
        let mut child = tree.command(flags).stderr(std::process::Stdio::null()).spawn().expect("the binary runs");
        std::thread::sleep(longest.mul_f64((next() % 1000) as f64 / 900.0));
        child.kill().expect("a killed run");
        child.wait().expect("a status");
        for (name, bytes) in tree.outputs() {
            let whole = name.contains(".torchgen-rs-") || expected.iter().any(|tree| tree.get(&name) == Some(&bytes));
            assert!(whole, "round {round}: {name} is neither old nor new");
        }
        if round % 8 == 7 {
            tree.run(flags);
            let after = tree.outputs();
            assert!(expected[new].iter().all(|(name, bytes)| after.get(name) == Some(bytes)), "round {round}");
            let known = |name: &String| expected.iter().any(|tree| tree.contains_key(name));
            assert!(after.keys().all(known), "round {round}: {:?}", after.keys().filter(|name| !known(name)));
            repaired += 1;
        }
    }
    assert_eq!(repaired, 5);
}

/// The same bytes for all ways and places of running.
fn runs_agree() {
    let tree = Tree::mini();
    tree.run("-j 1 --per-operator-headers");
    let expected = tree.outputs();
    for (flags, locale) in [("-j 2", "C"), ("-j 16", "de_DE.UTF-8"), ("--threads 3", "tr_TR.UTF-8"), ("", "POSIX")] {
        fs::remove_dir_all(tree.path("out")).expect("the outputs");
        let mut command = tree.command(&format!("--per-operator-headers {flags}"));
        command.env("LC_ALL", locale).env("LANG", locale).env("TZ", "Asia/Tokyo").env("RAYON_NUM_THREADS", "5");
        assert!(command.output().expect("the binary runs").status.success());
        assert!(tree.outputs() == expected, "{flags} {locale}");
    }
    let elsewhere = tree.path("some/where");
    fs::create_dir_all(&elsewhere).expect("a directory");
    fs::remove_dir_all(tree.path("out")).expect("the outputs");
    let mut command = Command::new(env!("CARGO_BIN_EXE_torchgen-rs"));
    command.args("-s ../../source -d ../../out --aoti-install-dir ../../out/aoti --per-operator-headers".split(' '));
    assert!(command.current_dir(&elsewhere).output().expect("the binary runs").status.success());
    assert!(tree.outputs() == expected, "another working directory");
}
