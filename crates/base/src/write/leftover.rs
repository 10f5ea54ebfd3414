//! Temporary files: creates them, and removes those that a killed run left behind.
//!
//! Invariant: a run locks its temporary files while it lives, so a file that can be locked is a
//! leftover. A file with another kind of name is never removed.

use std::fs::{self, File, Metadata, TryLockError};
use std::io;
use std::path::Path;

const PREFIX: &str = ".torchgen-rs-";
const SUFFIX: &str = ".tmp";
/// The number of random letters and digits in the name.
const RANDOM: usize = 6;

/// A temporary file with the old file's mode, or the default mode of new files.
pub(super) fn create_beside(parent: &Path, old: Option<&Metadata>) -> io::Result<tempfile::NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(PREFIX).suffix(SUFFIX).rand_bytes(RANDOM);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // The system applies the umask.
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    let file = builder.tempfile_in(parent)?;
    if let Err(TryLockError::WouldBlock) = file.as_file().try_lock() {
        // A cleanup of another run locked it first.
        return Err(io::ErrorKind::NotFound.into());
    }
    if let Some(old) = old.filter(|_| cfg!(unix)) {
        file.as_file().set_permissions(old.permissions())?;
    }
    Ok(file)
}

/// Removes the temporary files of dead runs from a directory, and returns their number. Files that
/// cannot be read or removed stay.
pub(crate) fn remove_leftovers(dir: &Path) -> usize {
    let Ok(entries) = fs::read_dir(dir) else { return 0 };
    let ours = entries.flatten().filter(|entry| entry.file_name().to_str().is_some_and(is_ours));
    ours.filter(|entry| {
        let file = entry.file_type().is_ok_and(|kind| kind.is_file());
        file && File::open(entry.path())
            .is_ok_and(|file| file.try_lock().is_ok() && fs::remove_file(entry.path()).is_ok())
    })
    .count()
}

fn is_ours(name: &str) -> bool {
    let random = name.strip_prefix(PREFIX).and_then(|name| name.strip_suffix(SUFFIX));
    random.is_some_and(|random| random.len() == RANDOM && random.bytes().all(|byte| byte.is_ascii_alphanumeric()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_nobodys_goes() {
        let dir = tempfile::tempdir().unwrap();
        let living = create_beside(dir.path(), None).unwrap();
        let kept = [".torchgen-rs-notes.tmp", ".torchgen-rs-abcde!.tmp", ".torchgen-rs.manifest", "a.tmp"];
        for name in kept.into_iter().chain([".torchgen-rs-abcDE1.tmp"]) {
            fs::write(dir.path().join(name), "").unwrap();
        }
        fs::create_dir(dir.path().join(".torchgen-rs-folder.tmp")).unwrap();
        assert_eq!(remove_leftovers(dir.path()), 1);
        assert_eq!(remove_leftovers(dir.path()), 0);
        assert!(living.path().exists() && kept.iter().all(|name| dir.path().join(name).exists()));
        assert_eq!(remove_leftovers(&dir.path().join("nowhere")), 0);
    }
}
