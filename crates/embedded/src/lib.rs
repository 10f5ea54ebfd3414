//! The files of crates: release builds embed them, development builds read them from the crate's
//! directory, so that an edited file is used without a new build.
//!
//! A crate declares its files with [`files!`], and its build script calls [`build::list`]. Those of
//! families are in their entries of the registry, which the program hands to [`serve`].
//!
//! Invariant: a text is read at most once per process, when it is needed. What is served does not
//! depend on a run.

mod below;
pub mod build;

use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::UNIX_EPOCH;

/// What files are; their endings show it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileKind {
    /// Templates, and C++ sources that no engine reads.
    Templates,
    /// Tables of facts, and lists of words.
    Tables,
    /// Pages of the documentation.
    Pages,
}

impl FileKind {
    /// The endings of their names.
    const fn endings(self) -> &'static [&'static str] {
        match self {
            FileKind::Templates => &[".j2", ".h", ".cpp"],
            FileKind::Tables => &[".yaml", ".txt"],
            FileKind::Pages => &[".md"],
        }
    }

    /// Whether a file with that name is one of them.
    fn has(self, name: &str) -> bool {
        self.endings().iter().any(|ending| name.ends_with(ending))
    }
}

/// A list of names with their texts, or with other names.
pub type Pairs = &'static [(&'static str, &'static str)];

/// The files of one kind of a crate.
#[derive(Debug)]
pub struct Files {
    kind: FileKind,
    /// The directory that they are in.
    dir: &'static str,
    /// What their names begin with, before the path below the directory.
    prefix: &'static str,
    /// Path and text of each, sorted; `None` in a development build.
    embedded: Option<Pairs>,
    /// The former name of each that was renamed, and its name now.
    pub renamed: Pairs,
    listed: OnceLock<Vec<File>>,
}

/// The files of one kind in a folder of the crate, and what their names begin with before the path
/// below the folder: `files!(Templates, "templates", "units/")`. With the former and the present
/// name of each that was renamed, if there are any.
#[macro_export]
macro_rules! files {
    ($kind:ident, $folder:literal, $prefix:literal) => {
        $crate::files!($kind, $folder, $prefix, &[])
    };
    ($kind:ident, $folder:literal, $prefix:literal, $renamed:expr) => {
        $crate::Files::new(
            $crate::FileKind::$kind,
            concat!(env!("CARGO_MANIFEST_DIR"), "/", $folder),
            $prefix,
            include!(concat!(env!("OUT_DIR"), "/", stringify!($kind), ".rs")),
            $renamed,
        )
    };
}

impl Files {
    /// What [`files!`] makes.
    #[must_use]
    pub const fn new(
        kind: FileKind,
        dir: &'static str,
        prefix: &'static str,
        embedded: Option<Pairs>,
        renamed: Pairs,
    ) -> Files {
        Files { kind, dir, prefix, embedded, renamed, listed: OnceLock::new() }
    }

    /// All of them, sorted by name.
    pub fn list(&self) -> &[File] {
        self.listed.get_or_init(|| match self.embedded {
            Some(embedded) => embedded.iter().map(|(path, text)| self.file(path, Text::Embedded(text))).collect(),
            None => {
                below::sorted(Path::new(self.dir), self.kind).map(|(name, path)| self.on_disk(&name, path)).collect()
            }
        })
    }

    /// The one of that name.
    pub fn file_named(&self, name: &str) -> Option<&File> {
        name.strip_prefix(self.prefix)?;
        let found = self.list().binary_search_by_key(&name, |file| file.name).ok()?;
        self.list().get(found)
    }

    /// The name now of a file that had that one.
    pub fn renamed(&self, former: &str) -> Option<&'static str> {
        self.renamed.iter().find(|(old, _)| *old == former).map(|(_, new)| *new)
    }

    /// These files, and those of the same kind that are served.
    pub fn with_served(&'static self) -> impl Iterator<Item = &'static Files> {
        let others = SERVED.get().into_iter().flatten().copied();
        std::iter::once(self).chain(others.filter(|files| files.kind == self.kind))
    }

    /// A number that changes with what a development build reads; 0 in a release build, whose files
    /// change with the program only.
    pub fn state(&self) -> u64 {
        let moments = self.list().iter().filter_map(File::moment);
        moments.fold(0, |state: u64, at| state.wrapping_mul(31).wrapping_add(at))
    }

    fn on_disk(&self, path: &str, at: PathBuf) -> File {
        self.file(path.to_owned().leak(), Text::OnDisk(at, OnceLock::new()))
    }

    fn file(&self, path: &'static str, text: Text) -> File {
        let name = if self.prefix.is_empty() { path } else { format!("{}{path}", self.prefix).leak() };
        File { name, text }
    }
}

/// A file.
#[derive(Debug)]
pub struct File {
    /// The prefix of its [`Files`], and its path below their directory.
    pub name: &'static str,
    text: Text,
}

#[derive(Debug)]
enum Text {
    Embedded(&'static str),
    OnDisk(PathBuf, OnceLock<&'static str>),
}

impl File {
    /// Its text.
    ///
    /// # Panics
    /// In a development build, it is not UTF-8 or was removed.
    pub fn text(&self) -> &'static str {
        match &self.text {
            Text::Embedded(text) => text,
            Text::OnDisk(path, text) => {
                text.get_or_init(|| std::fs::read_to_string(path).expect("a file that was listed, in UTF-8").leak())
            }
        }
    }

    /// The low bits of its time of change in nanoseconds.
    fn moment(&self) -> Option<u64> {
        let Text::OnDisk(path, _) = &self.text else { return None };
        let modified = path.metadata().and_then(|metadata| metadata.modified()).ok()?;
        modified.duration_since(UNIX_EPOCH).ok().map(|since| since.as_nanos() as u64)
    }
}

static SERVED: OnceLock<Vec<&'static Files>> = OnceLock::new();

/// Declares the files of families, once for the process: those of the first call count.
pub fn serve(files: impl IntoIterator<Item = &'static Files>) {
    SERVED.get_or_init(|| files.into_iter().collect());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_builds_have_the_same_names() {
        const LIST: Option<Pairs> = Some(&[("b.md", "one"), ("c/d.md", "two")]);
        let embedded = Files::new(FileKind::Pages, "", "a/", LIST, &[("a/x.md", "a/b.md")]);
        let names: Vec<_> = embedded.list().iter().map(|file| (file.name, file.text())).collect();
        assert_eq!(names, [("a/b.md", "one"), ("a/c/d.md", "two")]);
        assert_eq!(embedded.file_named("a/c/d.md").map(File::text), Some("two"));
        assert!(embedded.file_named("b.md").is_none() && embedded.file_named("a/b").is_none());
        assert_eq!((embedded.renamed("a/x.md"), embedded.renamed("a/b.md")), (Some("a/b.md"), None));
        assert_eq!(embedded.state(), 0);
        let dir = std::env::temp_dir().join(format!("torchgen-embedded-{}", std::process::id()));
        std::fs::create_dir_all(dir.join("c")).unwrap();
        for (name, text) in [("c/d.md", "two"), ("b.md", "one"), ("c/e.txt", "three")] {
            std::fs::write(dir.join(name), text).unwrap();
        }
        let on_disk = Files::new(FileKind::Pages, dir.to_str().unwrap().to_owned().leak(), "a/", None, &[]);
        let found: Vec<_> = on_disk.list().iter().map(|file| (file.name, file.text())).collect();
        assert_eq!(found, names);
        assert!(on_disk.state() > 0);
        let list = build::table(&dir, FileKind::Pages);
        let (b, d) = (dir.join("b.md"), dir.join("c").join("d.md"));
        assert_eq!(list, format!("Some(&[(\"b.md\", include_str!({b:?})), (\"c/d.md\", include_str!({d:?})), ])"));
        std::fs::remove_dir_all(dir).unwrap();
    }
}
