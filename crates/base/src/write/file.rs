//! Writes one file: compares it and, if it differs, replaces it as a whole.
//!
//! The new text goes to a temporary file in the same directory, which is then renamed. A run that
//! is killed leaves either the old file or the new one, and perhaps a `.torchgen-rs-*.tmp`, which a
//! later run removes (see `leftover`). A symbolic link stays: the file that it points to is
//! replaced. A device, such as /dev/null, is written directly; a pipe is refused. Nothing is synced
//! to disk, which would only guard against power loss.
//!
//! If the system has unnamed files (Linux), a new file is written as one and then linked to its
//! path, which takes half the time of a temporary name and leaves nothing behind.

use std::fmt;
use std::fs::{self, File};
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use super::leftover;
use super::stamp::{Entry, Hash};
use crate::render::Contents;

/// The number of links that are followed before they count as a loop, as on Linux.
const MAX_LINKS: usize = 40;
/// The size of a read or write.
const BUFFER: usize = 128 * 1024;

/// What was done for a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// It had these bytes already and was not touched.
    Unchanged,
    /// It was written.
    Written,
}

/// A file that has its bytes now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct WrittenFile {
    /// What was done for it.
    pub(crate) outcome: Outcome,
    /// The file that the path links to, if it is a link.
    pub(crate) link_to: Option<PathBuf>,
    /// Its state to record; `None` if it is not a regular file.
    pub(crate) entry: Option<Entry>,
}

/// A file that could not be written.
#[derive(Debug)]
pub struct WriteError {
    /// The file.
    pub path: PathBuf,
    /// The error.
    pub error: io::Error,
}

impl fmt::Display for WriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cannot write {}: {}", self.path.display(), self.error)
    }
}

impl std::error::Error for WriteError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.error)
    }
}

/// Writes the contents to a file, unless it has them already. Its directory must exist.
///
/// # Errors
/// The file cannot be written; it is then unchanged.
pub(crate) fn write_if_changed(path: &Path, contents: &Contents) -> Result<WrittenFile, WriteError> {
    let written = replace(path, contents).or_else(|error| match error.kind() {
        // Another run removed the temporary file as a leftover before it was locked.
        io::ErrorKind::NotFound => replace(path, contents),
        _ => Err(error),
    });
    written.map_err(|error| WriteError { path: path.to_owned(), error })
}

/// Writes a text to a file, unless it has it already, and returns whether it was written. Its
/// directory must exist.
pub fn write_text(path: &Path, text: String) -> Result<bool, WriteError> {
    write_if_changed(path, &text.into()).map(|written| written.outcome == Outcome::Written)
}

/// Appends bytes to a file, or creates it and its directory.
///
/// # Errors
/// The file is read-only or cannot be written; it is then unchanged.
pub fn append(path: &Path, bytes: &[u8]) -> Result<(), WriteError> {
    path.parent().map_or(Ok(()), make_dir)?;
    remake(path, |mut text| {
        text.extend_from_slice(bytes);
        text
    })
}

/// Makes a directory and those above it.
pub(super) fn make_dir(dir: &Path) -> Result<(), WriteError> {
    if dir.as_os_str().is_empty() {
        return Ok(());
    }
    // All directories below the one that cannot be made have one error.
    let cause = || dir.ancestors().take_while(|above| !above.is_dir() && !above.as_os_str().is_empty()).last();
    fs::create_dir_all(dir).map_err(|error| WriteError { path: cause().unwrap_or(dir).to_owned(), error })
}

/// Replaces the bytes of a user's file as a whole. Its directory must exist.
///
/// # Errors
/// The file is read-only or cannot be written; it is then unchanged.
pub fn rewrite(path: &Path, bytes: Vec<u8>) -> Result<(), WriteError> {
    remake(path, |_| bytes)
}

/// Replaces a file by what becomes of its bytes.
fn remake(path: &Path, change: impl FnOnce(Vec<u8>) -> Vec<u8>) -> Result<(), WriteError> {
    check_appendable(path)?;
    let remake = || {
        let target = follow(path)?;
        let parent = target.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let (old, text) = match fs::read(&target) {
            Ok(text) => (Some(fs::metadata(&target)?), text),
            Err(error) if error.kind() == io::ErrorKind::NotFound => (None, Vec::new()),
            Err(error) => return Err(error),
        };
        let temporary = leftover::create_beside(parent, old.as_ref())?;
        temporary.as_file().write_all(&change(text))?;
        temporary.persist(&target).map_err(|error| error.error).map(drop)
    };
    remake().map_err(|error| WriteError { path: path.to_owned(), error })
}

/// Whether a file is missing or may be appended to. Replacing a file needs no permission to write
/// it, so permissions are read.
///
/// # Errors
/// It is read-only or not a file, or cannot be made in the directory.
pub fn check_appendable(path: &Path) -> Result<(), WriteError> {
    // What is missing is made in the directory that exists.
    let Some(existing) = path.ancestors().find(|above| above.exists()) else { return Ok(()) };
    let fits = |metadata: &fs::Metadata| if existing == path { metadata.is_file() } else { metadata.is_dir() };
    let error = match fs::metadata(existing) {
        Ok(metadata) if !fits(&metadata) => {
            io::Error::other(if existing == path { "it is not a file" } else { "it is not a directory" })
        }
        Ok(metadata) if metadata.permissions().readonly() => {
            io::Error::new(io::ErrorKind::PermissionDenied, "it is read-only")
        }
        _ => return Ok(()),
    };
    Err(WriteError { path: existing.to_owned(), error })
}

fn replace(path: &Path, contents: &Contents) -> io::Result<WrittenFile> {
    let target = follow(path)?;
    let link_to = (target != path).then(|| target.clone());
    Ok(WrittenFile { link_to, ..replace_target(&target, contents)? })
}

fn replace_target(target: &Path, contents: &Contents) -> io::Result<WrittenFile> {
    let parent = target.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let old = match fs::metadata(target) {
        Ok(metadata) => Some(metadata),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            if let Some(file) = unnamed::create(parent, target, contents)? {
                return written(&file, contents);
            }
            None
        }
        Err(error) => return Err(error),
    };
    match &old {
        Some(metadata) if metadata.is_dir() => {
            return Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a directory"));
        }
        Some(metadata) if !metadata.is_file() && !is_device(metadata) => {
            return Err(io::Error::other("it is neither a file nor a device"));
        }
        Some(metadata) if !metadata.is_file() => {
            contents.write_to(fs::OpenOptions::new().write(true).open(target)?)?;
            return Ok(WrittenFile { outcome: Outcome::Written, link_to: None, entry: None });
        }
        Some(metadata) if metadata.len() == contents.len() as u64 && has_contents(target, contents) => {
            let entry = Entry::new(metadata, Hash::of_contents(contents));
            return Ok(WrittenFile { outcome: Outcome::Unchanged, link_to: None, entry: Some(entry) });
        }
        _ => {}
    }
    let temporary = leftover::create_beside(parent, old.as_ref())?;
    fill(temporary.as_file(), contents)?;
    written(&temporary.persist(target).map_err(|error| error.error)?, contents)
}

/// Whether it is a device, such as /dev/null, which accepts bytes without a reader.
fn is_device(metadata: &fs::Metadata) -> bool {
    #[cfg(unix)]
    return std::os::unix::fs::FileTypeExt::is_char_device(&metadata.file_type());
    #[cfg(not(unix))]
    return !metadata.is_dir();
}

fn fill(file: &File, contents: &Contents) -> io::Result<()> {
    let mut out = BufWriter::with_capacity(BUFFER.min(contents.len()), file);
    contents.write_to(&mut out)?;
    out.flush()
}

/// The state of a file that was just named. It is taken from this very file after the renaming,
/// which counts as a change: another run would create another file.
fn written(file: &File, contents: &Contents) -> io::Result<WrittenFile> {
    let entry = Entry::new(&file.metadata()?, Hash::of_contents(contents));
    Ok(WrittenFile { outcome: Outcome::Written, link_to: None, entry: Some(entry) })
}

#[cfg(target_os = "linux")]
mod unnamed {
    use std::os::fd::AsRawFd;

    use rustix::fs::{AtFlags, CWD, Mode, OFlags, linkat, open};

    use super::{Contents, File, Path, fill, io};

    /// Creates a file at a free path; `None` if the path is taken, or if the file system has no
    /// unnamed files.
    pub(super) fn create(parent: &Path, target: &Path, contents: &Contents) -> io::Result<Option<File>> {
        // The system applies the umask.
        let flags = OFlags::TMPFILE | OFlags::RDWR | OFlags::CLOEXEC;
        let Ok(file) = open(parent, flags, Mode::from_raw_mode(0o666)) else { return Ok(None) };
        let file = File::from(file);
        fill(&file, contents)?;
        let this = format!("/proc/self/fd/{}", file.as_raw_fd());
        Ok(linkat(CWD, this, CWD, target, AtFlags::SYMLINK_FOLLOW).is_ok().then_some(file))
    }
}

#[cfg(not(target_os = "linux"))]
mod unnamed {
    use super::{Contents, File, Path, io};

    /// There are no unnamed files.
    pub(super) fn create(_: &Path, _: &Path, _: &Contents) -> io::Result<Option<File>> {
        Ok(None)
    }
}

/// The file at the end of a path's links, which need not exist yet.
fn follow(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..MAX_LINKS {
        match fs::symlink_metadata(&path) {
            Ok(metadata) if metadata.is_symlink() => {
                let target = fs::read_link(&path)?;
                path = path.parent().map_or_else(|| target.clone(), |parent| parent.join(&target));
            }
            _ => return Ok(path),
        }
    }
    Err(io::Error::other("too many symbolic links"))
}

/// Whether the file can be read and holds exactly these bytes. It is read only up to the first
/// difference.
pub(super) fn has_contents(path: &Path, contents: &Contents) -> bool {
    // Opening a pipe would block.
    if !fs::metadata(path).is_ok_and(|metadata| metadata.is_file()) {
        return false;
    }
    let Ok(mut file) = File::open(path) else { return false };
    let mut buffer = vec![0; BUFFER.min(contents.len())];
    let (mut start, mut end) = (0, 0);
    for piece in contents.pieces() {
        let mut piece = piece.as_bytes();
        while !piece.is_empty() {
            if start == end {
                start = 0;
                end = match file.read(&mut buffer) {
                    Ok(0) => return false,
                    Ok(count) => count,
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                    Err(_) => return false,
                };
            }
            let count = piece.len().min(end - start);
            if piece[..count] != buffer[start..start + count] {
                return false;
            }
            piece = &piece[count..];
            start += count;
        }
    }
    // The lengths were equal; a file that has grown since differs.
    start == end && matches!(file.read(&mut [0]), Ok(0))
}
