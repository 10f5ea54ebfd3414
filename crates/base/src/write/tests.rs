//! Tests of writing, in temporary directories: which files are written, which are refused, and the
//! lists.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use proptest::prelude::*;
use tempfile::TempDir;

use super::depfile::depfile_text;
use super::file::{Outcome, write_if_changed};
use super::list::ListError;
use super::*;
use crate::diag::{Color, Diagnostic, Sources, human};
use crate::render::{Contents, ContentsBuilder, Fragment, Renderer};

/// The managers of a run.
mod managers {
    use super::Manager;

    pub(super) const CPU: Manager = Manager::new("cpu", Some(""));
    pub(super) const CPU_VEC: Manager = Manager::new("cpu_vec", Some("cpu_vec_"));
    pub(super) const OPS: Manager = Manager::new("ops", Some("ops_"));
    pub(super) const AOTI: Manager = Manager::new("aoti", None);
}

fn dir() -> TempDir {
    tempfile::tempdir().unwrap()
}

fn long_ago(path: &Path) -> SystemTime {
    let time = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000);
    fs::File::options().write(true).open(path).unwrap().set_modified(time).unwrap();
    time
}

/// All paths below a directory, relative to it, sorted.
fn tree(dir: &Path) -> Vec<String> {
    let paths = walkdir::WalkDir::new(dir).sort_by_file_name().into_iter().map(|entry| entry.unwrap());
    let files = paths.filter(|entry| !entry.file_type().is_dir());
    files.map(|entry| entry.path().strip_prefix(dir).unwrap().to_str().unwrap().replace('\\', "/")).collect()
}

#[test]
fn files_are_touched_only_if_their_bytes_change() {
    let dir = dir();
    let path = dir.path().join("a.h");
    for (old, new, expected) in [
        (None, "one\n", Outcome::Written),
        (Some("one\n"), "one\n", Outcome::Unchanged),
        (Some("one\r\n"), "one\n", Outcome::Written),
        (Some("one\n"), "two\n", Outcome::Written),
        (Some("one\ntwo\n"), "one\n", Outcome::Written),
        (Some("one\n"), "one\ntwo\n", Outcome::Written),
        (Some(""), "", Outcome::Unchanged),
        (Some("x"), "", Outcome::Written),
    ] {
        let _ = fs::remove_file(&path);
        let stamp = old.map(|old| {
            fs::write(&path, old).unwrap();
            long_ago(&path)
        });
        assert_eq!(write_if_changed(&path, &new.into()).unwrap().outcome, expected, "{old:?} -> {new:?}");
        assert_eq!(fs::read_to_string(&path).unwrap(), new);
        let kept = Some(fs::metadata(&path).unwrap().modified().unwrap()) == stamp;
        assert_eq!(kept, expected == Outcome::Unchanged, "{old:?} -> {new:?}");
        assert_eq!(tree(dir.path()), ["a.h"], "no temporary file stays");
    }
}

#[test]
fn contents_of_many_chunks_are_written_and_compared() {
    let dir = dir();
    let path = dir.path().join("big.cpp");
    let mut text = ContentsBuilder::new();
    for index in 0..2000 {
        text.push(&Fragment::new(format!("{index}:{}\n", "x".repeat(index % 500))));
    }
    let contents = text.finish();
    assert!(contents.len() > 256 * 1024);
    assert_eq!(write_if_changed(&path, &contents).unwrap().outcome, Outcome::Written);
    assert_eq!(fs::read_to_string(&path).unwrap(), contents.to_string());
    assert_eq!(write_if_changed(&path, &contents).unwrap().outcome, Outcome::Unchanged);
    let mut bytes = contents.to_string().into_bytes();
    if let Some(last) = bytes.last_mut() {
        *last = b' ';
    }
    fs::write(&path, bytes).unwrap();
    assert_eq!(write_if_changed(&path, &contents).unwrap().outcome, Outcome::Written);
}

#[cfg(unix)]
#[test]
fn modes_are_those_of_ordinary_files() {
    use std::os::unix::fs::PermissionsExt;
    let dir = dir();
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o7777;
    let (ordinary, new) = (dir.path().join("ordinary"), dir.path().join("new"));
    fs::write(&ordinary, "").unwrap();
    write_if_changed(&new, &"x".into()).unwrap();
    assert_eq!(mode(&new), mode(&ordinary));
    fs::set_permissions(&new, fs::Permissions::from_mode(0o640)).unwrap();
    write_if_changed(&new, &"y".into()).unwrap();
    assert_eq!(mode(&new), 0o640);
}

#[cfg(unix)]
#[test]
fn links_stay_and_their_targets_are_replaced() {
    use std::os::unix::fs::symlink;
    let dir = dir();
    let path = |name: &str| dir.path().join(name);
    fs::create_dir(path("real")).unwrap();
    fs::write(path("real/a"), "old").unwrap();
    symlink("real/a", path("link")).unwrap();
    symlink("link", path("link2")).unwrap();
    symlink("real/new", path("dangling")).unwrap();
    symlink("loop", path("loop")).unwrap();
    for (name, target) in [("link2", "real/a"), ("dangling", "real/new")] {
        assert_eq!(write_if_changed(&path(name), &"text".into()).unwrap().outcome, Outcome::Written);
        assert!(path(name).is_symlink());
        assert_eq!(fs::read_to_string(path(target)).unwrap(), "text");
        assert_eq!(write_if_changed(&path(name), &"text".into()).unwrap().outcome, Outcome::Unchanged);
    }
    assert!(write_if_changed(&path("loop"), &"text".into()).is_err());
}

#[test]
fn errors_name_the_file() {
    let dir = dir();
    let error = write_if_changed(dir.path(), &"x".into()).unwrap_err();
    assert_eq!(error.to_string(), format!("cannot write {}: it is a directory", dir.path().display()));
    fs::write(dir.path().join("file"), "").unwrap();
    let mut plan = Plan::new();
    plan.install(managers::CPU, dir.path().join("file"));
    plan.add([OutputFile::new(managers::CPU, "a.h", "x")]).unwrap();
    let errors = plan.write(false).unwrap_err();
    assert_eq!(errors.len(), 1);
    assert_eq!(errors[0].path, dir.path().join("file"));
}

#[test]
fn plans_refuse_what_clashes_or_leads_out() {
    let library = Manager::new("library", None);
    let mut plan = Plan::new();
    plan.install(managers::CPU, "out").install(managers::CPU_VEC, "out").install(managers::OPS, "out/ops");
    let file = OutputFile::new;
    let errors = plan.add([
        file(managers::OPS, "zz_ops.h", "").made_for("zz"),
        file(managers::OPS, "./zz_ops.h", "").made_for("zz_ops"),
        file(managers::CPU, "a.cpp", ""),
        file(managers::CPU, "a.cpp", ""),
        file(managers::CPU_VEC, "a.cpp", ""),
        file(managers::CPU, "ops/zz_ops.h", "").made_for("cc"),
        file(managers::CPU, "../b.cpp", ""),
        file(managers::CPU, "/b.cpp", ""),
        file(managers::CPU, "", ""),
        file(library, "b.cpp", ""),
        file(managers::CPU, "b.cpp", ""),
    ]);
    let shown = |error| human(&Diagnostic::from(error), &Sources::new(), Color::Never).trim_end().to_owned();
    let errors: Vec<String> = errors.unwrap_err().iter().map(shown).collect();
    let expected = [
        "error[TG0501]: `./zz_ops.h` would be written twice, for `zz` and for `zz_ops`",
        "error[TG0501]: `a.cpp` would be written twice",
        "error[TG0501]: `a.cpp` would be written twice, by the managers cpu and cpu_vec",
        "error[TG0501]: `ops/zz_ops.h` would be written twice, for `zz` and for `cc`, by the managers ops and cpu",
        "error[TG0502]: `../b.cpp` is not below the install directory of cpu",
        "error[TG0502]: `/b.cpp` is not below the install directory of cpu",
        "error[TG0502]: `` is not below the install directory of cpu",
        "error[TG0502]: `b.cpp` belongs to library, which has no install directory in this run",
    ];
    assert_eq!(errors, expected);
    let kept: Vec<&Path> = plan.files().map(|(path, _)| path).collect();
    assert_eq!(kept, ["out/ops/zz_ops.h", "out/a.cpp", "out/b.cpp"].map(Path::new));
}

fn plan(dir: &Path) -> Plan {
    let mut plan = Plan::new();
    plan.install(managers::CPU, dir).install(managers::OPS, dir.join("ops")).install(managers::AOTI, dir.join("aoti"));
    let everything = OutputFile { listed: false, ..OutputFile::new(managers::CPU, "REverything.cpp", "all") };
    let files = [
        OutputFile::new(managers::CPU, "R_0.cpp", "zero"),
        everything,
        OutputFile::new(managers::CPU, "A.h", Contents::default()),
        OutputFile::new(managers::CPU, "R/sub.cpp", "sub"),
        OutputFile::new(managers::AOTI, "shim.h", "shim"),
    ];
    plan.add(files).unwrap();
    plan
}

#[test]
fn plans_write_what_differs() {
    let dir = dir();
    let out = dir.path().join("deep/out");
    let plan = plan(&out);
    let dry = plan.write(true).unwrap();
    assert_eq!((dry.changed.len(), dry.unchanged, dry.bytes), (0, 0, 14));
    assert!(tree(dir.path()).is_empty());

    let paths: Vec<PathBuf> =
        ["R_0.cpp", "REverything.cpp", "A.h", "R/sub.cpp", "aoti/shim.h"].map(|file| out.join(file)).into();
    let report = |plan: &Plan| {
        let Report { changed, unchanged, bytes, entries, .. } = plan.write(false).unwrap();
        assert!(entries.iter().flatten().count() == 5 && bytes == 14);
        (changed, unchanged)
    };
    assert_eq!(report(&plan), (paths.clone(), 0));
    assert_eq!(report(&plan), (vec![], 5));
    fs::remove_file(&paths[2]).unwrap();
    fs::write(&paths[0], "hand").unwrap();
    let changed = vec![paths[0].clone(), paths[2].clone()];
    assert_eq!(report(&plan), (changed, 3));
    assert_eq!(tree(&out), ["A.h", "R/sub.cpp", "REverything.cpp", "R_0.cpp", "aoti/shim.h"]);
}

#[test]
fn lists_are_written_side_by_side() {
    let dir = dir();
    let renderer = Renderer::new("").unwrap();
    let lists = dir.path().join("new/x.y.cmake");
    let plan = plan(Path::new("./build//out"));
    let written = write_file_lists(&renderer, &plan.lists(), &lists).unwrap();
    assert!(written.iter().all(|(_, outcome)| *outcome == Outcome::Written));
    assert_eq!(tree(dir.path()), ["new/ops_x.y.cmake", "new/x.y.cmake"]);
    let cpu = "set(\nx.y\n    \"build/out/A.h\"\n    \"build/out/R/sub.cpp\"\n    \"build/out/R_0.cpp\"\n)";
    assert_eq!(fs::read_to_string(&lists).unwrap(), cpu);
    assert_eq!(fs::read_to_string(dir.path().join("new/ops_x.y.cmake")).unwrap(), "set(\nops_x.y\n)");
    let stamp = long_ago(&lists);
    let again = write_file_lists(&renderer, &plan.lists(), &lists).unwrap();
    assert!(again.iter().all(|(_, outcome)| *outcome == Outcome::Unchanged));
    assert_eq!(fs::metadata(&lists).unwrap().modified().unwrap(), stamp);
    assert!(matches!(write_file_lists(&renderer, &plan.lists(), Path::new("/")), Err(ListError::NoName(_))));
}

#[test]
fn depfiles_escape() {
    let renderer = Renderer::new("").unwrap();
    let paths = |paths: &[&str]| paths.iter().map(PathBuf::from).collect::<Vec<_>>();
    for (targets, inputs, expected) in [
        (
            &["a.h", "b b.h"][..],
            &["in/x.yaml", "$y#.yaml"][..],
            "a.h b\\ b.h: \\\n  in/x.yaml \\\n  $$y\\#.yaml\n\nin/x.yaml:\n\n$$y\\#.yaml:\n",
        ),
        (&["a\\ b"], &["c\\d"], "a\\\\\\ b: \\\n  c\\d\n\nc\\d:\n"),
        (&["a:b"], &["c:d", "e%f"], "a\\:b: \\\n  c\\:d \\\n  e%f\n\nc\\:d:\n"),
        (&["a"], &[], "a:\n"),
    ] {
        assert_eq!(depfile_text(&renderer, &paths(targets), &paths(inputs)).unwrap(), expected);
    }
    let error = depfile_text(&renderer, &paths(&["a\nb"]), &[]).unwrap_err();
    assert_eq!(error.to_string(), "a\nb holds a newline, which no list of files can express");
    for c in ['=', ';', '|', '*', '<', '>', '^', '`'] {
        let path = paths(&[&format!("a{c}b")]);
        let expected = format!("a{c}b has a `{c}`, which Make and Ninja cannot both read in a depfile");
        for (targets, inputs) in [(&path[..], &[][..]), (&[], &path)] {
            assert_eq!(depfile_text(&renderer, targets, inputs).unwrap_err().to_string(), expected);
        }
    }
    assert!(depfile_text(&renderer, &paths(&["a%b"]), &[]).is_err());
    let dir = dir();
    let path = dir.path().join("d/out.d");
    assert_eq!(write_depfile(&renderer, &path, &paths(&["a"]), &paths(&["b"])).unwrap(), Outcome::Written);
    assert_eq!(write_depfile(&renderer, &path, &paths(&["a"]), &paths(&["b"])).unwrap(), Outcome::Unchanged);
    assert_eq!(fs::read_to_string(path).unwrap(), "a: \\\n  b\n\nb:\n");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn nothing_leaves_the_install_directory(path in "(\\.\\.|\\.|/|[a-z]|\\\\|C:){0,8}") {
        let mut plan = Plan::new();
        plan.install(managers::CPU, "out");
        if plan.add([OutputFile::new(managers::CPU, path, "")]).is_ok() {
            let (path, _) = plan.files().next().unwrap();
            prop_assert!(path.starts_with("out") && path.components().all(|c| c.as_os_str() != ".."));
        }
    }
}
