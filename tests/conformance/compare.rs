//! Compares whole trees, and our headers with those of the wheel.
//!
//! Invariant: only paths and bytes of files are compared; empty directories are ignored.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use super::configuration::HeadersCheck;
use super::workspace;

/// The number of differences that are shown; the rest is counted.
const SHOWN: usize = 20;

/// The lines that packaging puts around a header.
const WRAPPER_HEAD: &[u8] = b"#if !defined(TORCH_STABLE_ONLY) && !defined(TORCH_TARGET_VERSION)\n";
const WRAPPER_TAIL: &[u8] =
    b"\n#else\n#error \"This file should not be included when either TORCH_STABLE_ONLY or TORCH_TARGET_VERSION is \
defined.\"\n#endif  // !defined(TORCH_STABLE_ONLY) && !defined(TORCH_TARGET_VERSION)\n";

/// The result of a comparison.
#[derive(Default)]
pub(crate) struct Comparison {
    identical: usize,
    missing: Vec<PathBuf>,
    extra: Vec<PathBuf>,
    /// The path, and the first difference.
    different: Vec<(PathBuf, String)>,
}

/// Compares two trees: `expected` is the reference's.
pub(crate) fn trees(expected: &Path, ours: &Path) -> Result<Comparison, String> {
    let theirs: BTreeSet<PathBuf> = workspace::files(expected)?.into_iter().collect();
    let mine: BTreeSet<PathBuf> = workspace::files(ours)?.into_iter().collect();
    let mut comparison = Comparison {
        missing: theirs.difference(&mine).cloned().collect(),
        extra: mine.difference(&theirs).cloned().collect(),
        ..Comparison::default()
    };
    for path in theirs.intersection(&mine) {
        comparison.pair(path, &workspace::read(&expected.join(path))?, &workspace::read(&ours.join(path))?);
    }
    Ok(comparison)
}

/// Compares the headers that we wrote with those of the wheel, without the lines that packaging
/// adds.
///
/// A generated header of the wheel that we did not write is missing; one of ours that is not in the
/// wheel is extra, unless the data lists it as not shipped.
pub(crate) fn headers(check: &HeadersCheck, wheel: &Path, ours: &Path) -> Result<Comparison, String> {
    let mut comparison = Comparison::default();
    for (own, shipped) in &check.compare {
        let mut written: BTreeSet<PathBuf> = workspace::files(&ours.join(own))?.into_iter().collect();
        written.retain(|path| path.extension().is_some_and(|extension| extension == "h"));
        written.retain(|path| !check.by_hand.iter().any(|name| Path::new(shipped).join(path) == Path::new(name)));
        for path in workspace::files(&wheel.join(shipped))? {
            let text = workspace::read(&wheel.join(shipped).join(&path))?;
            let text =
                text.strip_prefix(WRAPPER_HEAD).and_then(|rest| rest.strip_suffix(WRAPPER_TAIL)).unwrap_or(&text);
            let shown = Path::new(shipped).join(&path);
            if written.remove(&path) {
                comparison.pair(&shown, text, &workspace::read(&ours.join(own).join(&path))?);
            } else if memchr::memmem::find(text, b"// @generated ").is_some() {
                comparison.missing.push(shown);
            }
        }
        written.retain(|path| !check.not_shipped.iter().any(|name| path == Path::new(name)));
        comparison.extra.extend(written.iter().map(|path| Path::new(own).join(path)));
    }
    Ok(comparison)
}

impl Comparison {
    /// Ignores a file that only our tree has, in any directory.
    pub(crate) fn ignore_extra(&mut self, name: &str) {
        self.extra.retain(|path| path.file_name().is_none_or(|found| found != name));
    }

    fn pair(&mut self, path: &Path, expected: &[u8], ours: &[u8]) {
        if expected == ours {
            self.identical += 1;
        } else {
            self.different.push((path.to_owned(), first_difference(expected, ours)));
        }
    }

    fn total(&self) -> usize {
        self.identical + self.missing.len() + self.extra.len() + self.different.len()
    }

    /// Prints `identical I of T` and fails unless all are identical, and as many as are wanted.
    ///
    /// Names the directories if they differ.
    pub(crate) fn report(
        &self,
        name: &str,
        wanted: Option<usize>,
        seconds: f64,
        (expected, ours): (&Path, &Path),
    ) -> Result<(), String> {
        let total = self.total();
        println!("{name}: identical {} of {total} (ours in {seconds:.2} s)", self.identical);
        if self.identical == total && wanted.is_none_or(|wanted| total == wanted) {
            return Ok(());
        }
        let mut text = format!("identical {} of {total}", self.identical);
        if let Some(wanted) = wanted {
            let _ = write!(text, ", wanted {wanted}");
        }
        text.push('\n');
        let mut lines: Vec<String> = Vec::new();
        lines.extend(self.missing.iter().map(|path| format!("missing    {}", path.display())));
        lines.extend(self.extra.iter().map(|path| format!("extra      {}", path.display())));
        lines.extend(self.different.iter().map(|(path, place)| format!("different  {}\n{place}", path.display())));
        for line in lines.iter().take(SHOWN) {
            let _ = writeln!(text, "{line}");
        }
        if lines.len() > SHOWN {
            let _ = writeln!(text, "... and {} more", lines.len() - SHOWN);
        }
        let _ = write!(text, "reference  {}\nours       {}", expected.display(), ours.display());
        Err(text)
    }
}

/// The first line that differs, from both sides.
fn first_difference(expected: &[u8], ours: &[u8]) -> String {
    let mut theirs = expected.split_inclusive(|byte| *byte == b'\n');
    let mut mine = ours.split_inclusive(|byte| *byte == b'\n');
    let mut number = 1;
    loop {
        let (left, right) = (theirs.next(), mine.next());
        if left != right || left.is_none() {
            let common =
                left.unwrap_or_default().iter().zip(right.unwrap_or_default()).take_while(|(a, b)| a == b).count();
            return format!(
                "  line {number}\n    reference {}\n    ours      {}",
                quoted(left, common),
                quoted(right, common)
            );
        }
        number += 1;
    }
}

/// A line with visible blanks and line end; of a long line, the text around the first difference.
fn quoted(line: Option<&[u8]>, difference: usize) -> String {
    let Some(line) = line else { return "(end of file)".to_owned() };
    let from = if difference > 160 { difference - 80 } else { 0 };
    let to = line.len().min(from + 240);
    let (before, after) = (if from > 0 { "... " } else { "" }, if to < line.len() { " ..." } else { "" });
    format!("{before}{:?}{after}", String::from_utf8_lossy(&line[from..to]))
}
