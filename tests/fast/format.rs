//! `torchgen-rs format` as a program: what it writes, prints and leaves alone.
//!
//! The style itself is tested in `crates/base/src/yaml/format/tests`, and on all YAML of the
//! repository in `src/cli/format/tests.rs`.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use libtest_mimic::Trial;
use tempfile::TempDir;

/// The tests of this module.
pub(crate) fn trials() -> Vec<Trial> {
    trials![
        a_directory_is_formatted,
        an_error_writes_nothing,
        differences_are_printed,
        standard_input_becomes_standard_output,
        bytes_keep_their_encoding,
        read_only_files_are_refused,
        wrong_ranges_are_refused,
    ]
}

const BEFORE: &str = "- func: f( Tensor self )->Tensor\n  variants: function,method\n";
const AFTER: &str = "- func: f(Tensor self) -> Tensor\n  variants: function, method\n";

fn run(dir: &Path, words: &[&str], input: &[u8]) -> (i32, Vec<u8>, String) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_torchgen-rs"))
        .args(words)
        .current_dir(dir)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary runs");
    child.stdin.take().expect("a pipe").write_all(input).expect("it reads");
    let output = child.wait_with_output().expect("it ends");
    (output.status.code().unwrap_or(-1), output.stdout, String::from_utf8_lossy(&output.stderr).into_owned())
}

fn directory(files: &[(&str, &str)]) -> TempDir {
    let dir = tempfile::tempdir().expect("a directory");
    for (path, text) in files {
        let path = dir.path().join(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, text).expect("a file");
    }
    dir
}

fn a_directory_is_formatted() {
    let files = [
        ("native_functions.yaml", BEFORE),
        ("ops/more.yml", BEFORE),
        ("ir.yaml", "family:  graph-ir\n"),
        ("backend.yaml", "backend:  X\ncpp_namespace: y\n"),
        ("other.yaml", "a:  b\n"),
        (".hidden/native_functions.yaml", BEFORE),
        ("build/CACHEDIR.TAG", ""),
        ("build/native_functions.yaml", BEFORE),
    ];
    let dir = directory(&files);
    let read = |path: &str| fs::read_to_string(dir.path().join(path)).expect("a file");
    let (status, out, said) = run(dir.path(), &["format"], b"");
    assert_eq!((status, out.len(), said.as_str()), (0, 0, "torchgen-rs: formatted 4 of 4 files\n"));
    assert_eq!(read("native_functions.yaml"), AFTER);
    assert_eq!(read("ops/more.yml"), AFTER);
    assert_eq!(read("ir.yaml"), "family: graph-ir\n");
    assert_eq!(read("backend.yaml"), "backend: X\ncpp_namespace: y\n");
    for (path, text) in &files[4..] {
        assert_eq!(read(path), *text);
    }
    let (status, _, said) = run(dir.path(), &["format", "--check"], b"");
    assert_eq!((status, said.as_str()), (0, "torchgen-rs: 4 files, nothing to format\n"));
    let (status, _, said) = run(dir.path(), &["format", "--changed", "other.yaml", "ir.yaml"], b"");
    assert_eq!((status, said.as_str()), (0, "torchgen-rs: 1 file, nothing to format\n"));
    // A name is enough for any other file.
    let (status, _, said) = run(dir.path(), &["format", "other.yaml"], b"");
    assert_eq!((status, said.as_str()), (0, "torchgen-rs: formatted 1 of 1 file\n"));
    assert_eq!(read("other.yaml"), "a: b\n");
}

fn an_error_writes_nothing() {
    let dir = directory(&[("native_functions.yaml", BEFORE), ("derivatives.yaml", "- name: [\n")]);
    let (status, _, said) = run(dir.path(), &["format"], b"");
    assert!(status == 1 && said.contains("error[TG0102]") && said.contains("nothing was written"), "{said}");
    assert_eq!(fs::read_to_string(dir.path().join("native_functions.yaml")).expect("a file"), BEFORE);
}

fn differences_are_printed() {
    let dir = directory(&[("native_functions.yaml", BEFORE)]);
    let expected = "--- native_functions.yaml\n+++ native_functions.yaml\n@@ -1,2 +1,2 @@\n\
        -- func: f( Tensor self )->Tensor\n-  variants: function,method\n\
        +- func: f(Tensor self) -> Tensor\n+  variants: function, method\n";
    let (status, out, said) = run(dir.path(), &["format", "--diff", "native_functions.yaml"], b"");
    assert_eq!((status, String::from_utf8_lossy(&out).as_ref()), (0, expected), "{said}");
    assert_eq!(said, "torchgen-rs: would format 1 of 1 file\n");
    let (status, out, _) = run(dir.path(), &["format", "--diff", "--check", "native_functions.yaml"], b"");
    assert_eq!((status, String::from_utf8_lossy(&out).as_ref()), (1, expected));
    assert_eq!(fs::read_to_string(dir.path().join("native_functions.yaml")).expect("a file"), BEFORE);
}

fn standard_input_becomes_standard_output() {
    let dir = directory(&[]);
    let (status, out, said) = run(dir.path(), &["format", "-"], BEFORE.as_bytes());
    assert_eq!((status, String::from_utf8_lossy(&out).as_ref(), said.as_str()), (0, AFTER, ""));
    let (_, out, _) = run(dir.path(), &["format", "-"], AFTER.as_bytes());
    assert_eq!(String::from_utf8_lossy(&out), AFTER);
    let (status, out, said) = run(dir.path(), &["format", "-", "--stdin-filename", "a.yaml"], b"a: [\n");
    assert!(status == 1 && out.is_empty() && said.contains("--> a.yaml:"), "{said}");
    let (status, _, said) = run(dir.path(), &["format", "-", "--check"], BEFORE.as_bytes());
    assert!(status == 1 && said.contains("error[TG0009]: `<stdin>` is not formatted"), "{said}");
    let (_, out, _) = run(dir.path(), &["format", "-", "--range", "3-4"], format!("{BEFORE}{BEFORE}").as_bytes());
    assert_eq!(String::from_utf8_lossy(&out), format!("{BEFORE}{AFTER}"));
}

fn bytes_keep_their_encoding() {
    let dir = directory(&[]);
    let utf16 = |text: &str| [vec![0xff, 0xfe], text.encode_utf16().flat_map(u16::to_le_bytes).collect()].concat();
    for (before, after) in [
        (b"\xef\xbb\xbfa:  \xc3\xa9\r\nb: c\r\n".to_vec(), b"\xef\xbb\xbfa: \xc3\xa9\r\nb: c\r\n".to_vec()),
        (utf16("a:  é\n"), utf16("a: é\n")),
    ] {
        let path = dir.path().join("a.yaml");
        fs::write(&path, &before).expect("a file");
        let (status, _, said) = run(dir.path(), &["format", "a.yaml"], b"");
        assert_eq!((status, fs::read(&path).expect("a file")), (0, after), "{said}");
    }
    fs::write(dir.path().join("a.yaml"), b"a: \xff\n").expect("a file");
    let (status, _, said) = run(dir.path(), &["format", "a.yaml"], b"");
    assert!(status == 1 && said.contains("error[TG0100]"), "{said}");
}

fn read_only_files_are_refused() {
    let dir = directory(&[("a.yaml", "a:  b\n"), ("b.yaml", "a:  b\n")]);
    let path = dir.path().join("b.yaml");
    let mut permissions = fs::metadata(&path).expect("a file").permissions();
    permissions.set_readonly(true);
    fs::set_permissions(&path, permissions).expect("its owner");
    let (status, _, said) = run(dir.path(), &["format", "a.yaml", "b.yaml"], b"");
    assert!(status == 2 && said.contains("error[TG0003]") && said.contains("b.yaml"), "{said}");
    assert_eq!(fs::read_to_string(dir.path().join("a.yaml")).expect("a file"), "a:  b\n");
}

fn wrong_ranges_are_refused() {
    let dir = directory(&[("a.yaml", "a:  b\n")]);
    for (range, message) in [
        ("0", "lines count from 1"),
        ("4-2", "the last line is before the first"),
        ("x", "`x` is not the number of a line"),
    ] {
        let (status, _, said) = run(dir.path(), &["format", "--range", range, "a.yaml"], b"");
        assert!(status == 2 && said.contains(message), "{said}");
    }
}
