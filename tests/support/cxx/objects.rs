//! Compiled sources that programs share: an object is reused where its flags, the text of its
//! source and the texts of all headers that it read are the same, wherever the files are.
//!
//! The compiler lists the headers (`-MMD`). Each is kept as a path below the directory that it was
//! found in, with its hash. Another compilation of the source reuses the object if its own
//! directories have the same texts at these paths. Headers of `-isystem` are not listed: they
//! never change at their path, which is a flag.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::{Key, finished, locked, read, write};

/// The object file of a source.
///
/// `flags` covers the compiler, its version and its flags. `found_in` are the directories that
/// headers are found in, the first one first. `command` lacks its inputs and its output.
pub(super) fn object(
    directory: &Path,
    mut flags: Key,
    source: &Path,
    found_in: &[PathBuf],
    mut command: Command,
) -> Result<PathBuf, String> {
    let own = source.parent().expect("a source is in a directory");
    let roots: Vec<&Path> = [own].into_iter().chain(found_in.iter().map(PathBuf::as_path)).collect();
    flags.add(source.file_name().expect("a source is a file").as_encoded_bytes());
    flags.add(&read(source));
    let directory = directory.join("objects").join(flags.hex());
    let _lock = locked(&directory);
    let mut number = 0;
    loop {
        let (object, list) = (directory.join(format!("{number}.o")), directory.join(format!("{number}.headers")));
        match fs::read_to_string(&list) {
            Ok(headers) if same(&headers, &roots) => return Ok(object),
            Ok(_) => number += 1,
            Err(_) => {
                fs::create_dir_all(&directory).expect("a directory below target");
                let depends = directory.join("depends");
                command.args(["-MMD", "-MF"]).arg(&depends);
                finished(command.arg("-c").arg(source).arg("-o").arg(&object))?;
                let headers = String::from_utf8_lossy(&read(&depends)).into_owned();
                let lines: String = headers.split_whitespace().filter_map(|path| line(path, source, &roots)).collect();
                let partial = directory.join("partial");
                write(&partial, &lines);
                fs::rename(&partial, &list).expect("a name in the same directory");
                return Ok(object);
            }
        }
    }
}

/// The line of a header in the list: the hash of its text, and its path below a directory, or its
/// absolute path. None for what the compiler prints beside headers.
fn line(path: &str, source: &Path, roots: &[&Path]) -> Option<String> {
    let path = Path::new(path);
    if path == Path::new("\\") || path == source || !path.is_file() {
        return None;
    }
    let below =
        roots.iter().filter_map(|root| path.strip_prefix(root).ok()).min_by_key(|below| below.as_os_str().len());
    Some(format!("{} {}\n", hash(path), below.unwrap_or(path).display()))
}

/// Whether the directories have these headers.
fn same(headers: &str, roots: &[&Path]) -> bool {
    headers.lines().all(|line| {
        let Some((text, path)) = line.split_once(' ') else { return false };
        // An absolute path is itself below any directory.
        let found = roots.iter().map(|root| root.join(path)).find(|path| path.is_file());
        found.is_some_and(|found| hash(&found) == text)
    })
}

fn hash(path: &Path) -> String {
    let mut key = Key::default();
    key.add(&read(path));
    key.hex()
}
