//! Temporary files: how they are made, and what becomes of those that a killed run left behind.
//!
//! Invariant: a temporary file is locked as long as its run lives, so one that can be locked is nobody's. Deliberately absent: anything that
//! has another name than ours; it is never removed.

use std::fs::{self, File, Metadata, TryLockError};
use std::io;
use std::path::Path;

const PREFIX: &str = ".torchgen-rs-";
const SUFFIX: &str = ".tmp";
/// How many random letters and digits stand between the two.
const RANDOM: usize = 6;

/// A temporary file that has the old file's mode, or the mode that new files get here.
pub(super) fn create_beside(parent: &Path, old: Option<&Metadata>) -> io::Result<tempfile::NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(PREFIX).suffix(SUFFIX).rand_bytes(RANDOM);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // The system takes the umask off this.
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    let file = builder.tempfile_in(parent)?;
    if let Err(TryLockError::WouldBlock) = file.as_file().try_lock() {
        // A run that cleans up got hold of it first.
        return Err(io::ErrorKind::NotFound.into());
    }
    if let Some(old) = old.filter(|_| cfg!(unix)) {
        file.as_file().set_permissions(old.permissions())?;
    }
    Ok(file)
}

/// Removes the temporary files in a directory whose runs are dead, and says how many. What cannot be read or removed stays.
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
