//! A source path to change, an output directory, and runs from one to the other.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::SystemTime;

pub(crate) const MANIFEST: &str = ".torchgen-rs.manifest";

/// A source path to change, and the directory that is written to.
pub(crate) struct Tree {
    pub(crate) dir: tempfile::TempDir,
}

impl Tree {
    /// `tests/mini/source`.
    pub(crate) fn mini() -> Tree {
        Tree::copy_of("tests/mini/source")
    }

    pub(crate) fn copy_of(source: &str) -> Tree {
        let tree = Tree { dir: tempfile::tempdir().expect("a temporary directory") };
        copy(&Path::new(env!("CARGO_MANIFEST_DIR")).join(source), &tree.path("source"));
        tree
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    pub(crate) fn command(&self, flags: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_torchgen-rs"));
        command.args("-s source -d out --aoti-install-dir out/aoti".split(' ')).args(flags.split_whitespace());
        command.current_dir(self.dir.path());
        command
    }

    pub(crate) fn output(&self, flags: &str) -> Output {
        let output = self.command(flags).output().expect("the binary runs");
        crate::reported::note(&String::from_utf8_lossy(&output.stderr));
        output
    }

    /// Runs, successfully, and returns the output.
    #[track_caller]
    pub(crate) fn run(&self, flags: &str) -> String {
        let output = self.output(flags);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{}: {said}", output.status);
        said
    }

    /// Whether a run used the results of an earlier one.
    #[track_caller]
    pub(crate) fn is_unchanged(&self, flags: &str) -> bool {
        self.run(flags).contains("nothing changed")
    }

    /// Every output and its bytes.
    pub(crate) fn outputs(&self) -> BTreeMap<String, Vec<u8>> {
        files(&self.path("out"))
    }

    pub(crate) fn append(&self, name: &str, text: &str) {
        let path = self.path(name);
        let mut old = fs::read(&path).unwrap_or_default();
        old.extend_from_slice(text.as_bytes());
        fs::create_dir_all(path.parent().expect("a parent")).expect("a directory");
        fs::write(path, old).expect("a file that can be written");
    }

    /// Replaces the text of a file by one of the same length, and restores its old time.
    pub(crate) fn replace_secretly(&self, name: &str, old: &str, new: &str) {
        assert_eq!(old.len(), new.len());
        let path = self.path(name);
        let time = fs::metadata(&path).expect("the file").modified().expect("a time");
        let text = fs::read_to_string(&path).expect("a text");
        assert!(text.contains(old), "{name} has {old}");
        fs::write(&path, text.replacen(old, new, 1)).expect("a file that can be written");
        set_time(&path, time);
    }
}

pub(crate) fn copy(from: &Path, to: &Path) {
    for (name, bytes) in files(from) {
        let path = to.join(name);
        fs::create_dir_all(path.parent().expect("a parent")).expect("a directory");
        fs::write(path, bytes).expect("a file");
    }
}

/// All files below a directory except manifests, and their bytes.
pub(crate) fn files(dir: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = walkdir::WalkDir::new(dir).into_iter().filter_map(Result::ok);
    let entries = entries.filter(|entry| entry.file_type().is_file() && entry.file_name() != MANIFEST);
    let name = |path: &Path| path.strip_prefix(dir).expect("below").to_string_lossy().into_owned();
    entries.map(|entry| (name(entry.path()), fs::read(entry.path()).expect("a file"))).collect()
}

pub(crate) fn set_time(path: &Path, time: SystemTime) {
    fs::File::options().write(true).open(path).and_then(|file| file.set_modified(time)).expect("a new time");
}
