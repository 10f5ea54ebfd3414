//! Kernels in C++: the sources of a project, and where they define and name a kernel.
//!
//! Invariant: what is a definition, `torchgen-rs kernels` decides. Generated files, builds and
//! installed packages are not sources, and comments and strings name nothing.

use std::ffi::OsString;
use std::ops::Range;
use std::path::{Path, PathBuf};

use torchgen_base::lang::cpp::{self, TokenKind};
use walkdir::{DirEntry, WalkDir};

use super::project::Project;
use super::text::Text;
use super::words::short;

pub(super) use torchgen_library::library::kernels::is_source;

/// Directories of builds and of other packages begin with one of these.
const SKIPPED: [&str; 8] = [".", "build", "cmake-build", "dist", "node_modules", "target", "third_party", "venv"];

/// The comment before the kernels of a module begins so.
const MODULE: &str = "# In ";

/// The maximum number of files that are looked at: a library can be beside much else.
const LOOKED_AT: usize = 10_000;

/// The C++ sources below a project, sorted.
pub(super) fn sources(project: &Project) -> Vec<PathBuf> {
    let enters = |entry: &DirEntry| {
        let name = entry.file_name().to_string_lossy();
        let is_skipped = || SKIPPED.iter().any(|skipped| name.starts_with(skipped));
        // The record of a run is in the directory that it wrote.
        let is_generated = || entry.path().join(torchgen_base::write::manifest::NAME).exists();
        entry.depth() == 0 || !entry.file_type().is_dir() || !is_skipped() && !is_generated()
    };
    let files =
        WalkDir::new(project.kernels()).sort_by_file_name().into_iter().filter_entry(enters).flatten().take(LOOKED_AT);
    let files = files.filter(|entry| entry.file_type().is_file()).map(DirEntry::into_path);
    files.filter(|path| is_source(path)).collect()
}

/// The flags of `torchgen-rs kernels` that name the sources, if there are some.
pub(super) fn flags(project: &Project) -> Vec<OsString> {
    let mut flags: Vec<OsString> = sources(project).into_iter().map(PathBuf::into_os_string).collect();
    if !flags.is_empty() {
        flags.insert(0, "--sources".into());
    }
    flags
}

/// What `torchgen-rs kernels` prints, in parts: kernels in C++, and for each module of the package
/// its file and its kernels.
pub(super) fn parts(printed: &str) -> (&str, Vec<(PathBuf, &str)>) {
    let starts = printed.match_indices(MODULE).map(|(at, _)| at);
    let starts: Vec<usize> = starts.filter(|at| *at == 0 || printed[..*at].ends_with('\n')).collect();
    let ends = starts.iter().skip(1).copied().chain([printed.len()]);
    let module = |(start, end): (&usize, usize)| {
        let (file, text) = printed[*start..end].split_once('\n')?;
        let file = file.trim_end().strip_prefix(MODULE)?.strip_suffix(':')?;
        // With the end of its last line.
        let text = text.trim_start();
        Some((PathBuf::from(file), &text[..text.len().min(text.trim_end().len() + 1)]))
    };
    let modules = starts.iter().zip(ends).filter_map(module).collect();
    (printed[..starts.first().copied().unwrap_or(printed.len())].trim(), modules)
}

/// The sources of a project that have a word.
pub(super) fn texts_with(
    project: &Project,
    word: &str,
    text_of: impl Fn(&Path) -> Option<Text>,
) -> Vec<(PathBuf, Text)> {
    let has = |text: &Text| memchr::memmem::find(text.as_str().as_bytes(), word.as_bytes()).is_some();
    let with = |path: PathBuf| {
        let text = text_of(&path).filter(has)?;
        Some((path, text))
    };
    sources(project).into_iter().filter_map(with).collect()
}

/// Where a source defines a kernel: the bytes of its name.
pub(super) fn definitions(text: &str, name: &str) -> Vec<Range<usize>> {
    let found = cpp::scan_source(text).definitions.into_iter();
    let own = found.filter(|definition| short(&definition.name) == name).map(|definition| definition.range);
    // The place is that of the name with its scope, or a macro, and the parameters.
    let named = |range: Range<usize>| {
        let inside = occurrences(&text[range.clone()], name).into_iter().next();
        inside.map_or(range.clone(), |inside| range.start + inside.start..range.start + inside.end)
    };
    own.map(named).collect()
}

/// Where a source has a word: the bytes of each.
pub(super) fn occurrences(text: &str, word: &str) -> Vec<Range<usize>> {
    let is_it = |token: &cpp::Token| token.kind == TokenKind::Word && text.get(token.range.clone()) == Some(word);
    cpp::tokens(text).into_iter().filter(is_it).map(|token| token.range).collect()
}

/// The source that new kernels of a project go to: the one that defines most of the known ones.
pub(super) fn home(
    project: &Project,
    is_kernel: impl Fn(&str) -> bool,
    text_of: impl Fn(&Path) -> Option<Text>,
) -> Option<(PathBuf, Text)> {
    let is_header = |path: &Path| path.extension().is_some_and(|ending| ending.to_string_lossy().starts_with('h'));
    let count = |text: &Text| {
        let definitions = cpp::scan_source(text.as_str()).definitions;
        definitions.iter().filter(|definition| is_kernel(short(&definition.name))).count()
    };
    let files = sources(project).into_iter().filter(|path| !is_header(path));
    let counted = files.filter_map(|path| text_of(&path).map(|text| (count(&text), path, text)));
    // The first of those with most.
    let (_, path, text) = counted.reduce(|most, next| if next.0 > most.0 { next } else { most })?;
    Some((path, text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_a_source() {
        let text = "namespace a::native {\n// f\nint f(int f_) { return f_; }\nint g() { return f(1); }\n}\n\
                    TORCH_IMPL_FUNC(h)(int f) {}\nint a::native::k() { return 0; }\n";
        let at = |ranges: Vec<Range<usize>>| {
            ranges.into_iter().map(|range| (text[..range.start].matches('\n').count(), text[range].to_owned()))
        };
        let defined = |name: &str| at(definitions(text, name)).collect::<Vec<_>>();
        assert_eq!(defined("f"), [(2, "f".to_owned())]);
        assert_eq!(defined("h"), [(5, "h".to_owned())]);
        assert_eq!(defined("k"), [(6, "k".to_owned())]);
        assert_eq!(defined("native"), []);
        assert_eq!(at(occurrences(text, "f")).map(|(line, _)| line).collect::<Vec<_>>(), [2, 3, 5]);
    }
}
