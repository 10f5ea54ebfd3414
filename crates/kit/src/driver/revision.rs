//! The files of a revision of a git repository, read without a checkout by the program `git`.
//!
//! A revision is mounted: its files have paths such as `v1.0:ops/library.yaml`, which is also how
//! git names them, and every reader of a [`Session`] reads them there.
//!
//! Invariant: nothing is written, also not in the repository, which can be a bare one.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use super::{JobError, Session};
use torchgen_base::diag::{Diagnostic, codes, did_you_mean};
use torchgen_base::write::manifest::{PathKind, Tree};

/// The maximum of links in a path.
const LINKS: usize = 16;

impl Session {
    /// Paths for the sources in an older state, which a command line names: a path, `REVISION`, or
    /// `REVISION:PATH`. A revision has the sources where they are now.
    ///
    /// # Errors
    /// There is neither such a path nor such a revision, or git cannot be run.
    pub fn state_at(&mut self, named: &str, sources: &[PathBuf]) -> Result<Vec<PathBuf>, JobError> {
        if self.seen.exists(Path::new(named)) {
            return Ok(vec![PathBuf::from(named)]);
        }
        if let Some((revision, path)) = named.split_once(':') {
            return Ok(vec![self.revision(revision, path)?]);
        }
        let mut found = Vec::new();
        for source in sources {
            if let Some((_, path)) = self.in_revision(source) {
                found.push(self.revision(named, &path)?);
                continue;
            }
            let is_file = self.seen.is_file(source);
            let parent = source.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
            let directory = if is_file { parent } else { source };
            if !self.seen.is_dir(directory) {
                let message = format!("there is no `{}`", source.display());
                let error = Diagnostic::new(&codes::READ_FAILED, message);
                return Err(error.help("name the path in the revision: `--against REVISION:PATH`").into());
            }
            let repository = Repository::containing(directory, named)?;
            let file = source.file_name().filter(|_| is_file).map(|name| name.to_string_lossy());
            let path = format!("{}{}", repository.prefix, file.unwrap_or_default());
            let path = path.trim_end_matches('/').to_owned();
            found.push(self.mounted(repository, named, &path)?);
        }
        Ok(found)
    }

    /// The paths of sources, of which some may be `REVISION:PATH`.
    ///
    /// # Errors
    /// There is no such revision, or git cannot be run.
    pub fn sources_at(&mut self, sources: &[PathBuf]) -> Result<Vec<PathBuf>, JobError> {
        let mut found = Vec::new();
        for source in sources {
            found.push(match self.in_revision(source) {
                Some((revision, path)) => self.revision(&revision, &path)?,
                None => source.clone(),
            });
        }
        Ok(found)
    }

    /// The revision and the path that a source names, unless it is a path itself.
    fn in_revision(&mut self, source: &Path) -> Option<(String, String)> {
        let (revision, path) = source.to_str()?.split_once(':')?;
        // A revision that was mounted has such paths too.
        let is_path = source.symlink_metadata().is_ok();
        (!is_path).then(|| (revision.to_owned(), path.to_owned()))
    }

    /// A path in a revision of the repository of the current directory. As git has it, the path
    /// starts at the root of the repository, or here if it begins with `./`.
    fn revision(&mut self, revision: &str, path: &str) -> Result<PathBuf, JobError> {
        let repository = Repository::containing(Path::new("."), revision)?;
        let from_here = path.starts_with("./") || path.starts_with("../") || path == ".";
        let path = if from_here { format!("{}{path}", repository.prefix) } else { path.to_owned() };
        self.mounted(repository, revision, &path)
    }

    fn mounted(&mut self, repository: Repository, revision: &str, path: &str) -> Result<PathBuf, JobError> {
        let prefix = format!("{revision}:");
        let root = PathBuf::from(format!("{prefix}."));
        if !self.seen.exists(&root) {
            let tree = repository.tree(revision)?;
            self.seen.mount(prefix.clone(), Box::new(tree));
        }
        let found = if path.is_empty() { root } else { PathBuf::from(format!("{prefix}{path}")) };
        if !self.seen.exists(&found) {
            let message = format!("there is no `{path}` in the revision `{revision}`");
            let error = Diagnostic::new(&codes::READ_FAILED, message);
            let name = repository.commit_name(revision)?;
            return Err(error.help(format!("`git ls-tree -r --name-only {name}` lists what is there")).into());
        }
        Ok(found)
    }
}

/// A repository, seen from a directory.
#[derive(Debug)]
struct Repository {
    /// Where git runs.
    directory: PathBuf,
    /// The path of the directory in the repository, with a slash at the end; empty for the root.
    prefix: String,
}

impl Repository {
    /// The repository that a directory is in. `revision` is only named in messages.
    fn containing(directory: &Path, revision: &str) -> Result<Repository, JobError> {
        let output = git(directory, &["rev-parse", "--show-prefix"])?;
        if !output.status.success() {
            let place = directory.display();
            let message = format!("there is no path `{revision}`, and `{place}` is not in a git repository");
            let help = "name a directory with the earlier files, or run this in a clone of the repository";
            return Err(Diagnostic::new(&codes::READ_FAILED, message).note(reason(&output)).help(help).into());
        }
        let prefix = String::from_utf8_lossy(&output.stdout).trim_end_matches(['\n', '\r']).to_owned();
        Ok(Repository { directory: directory.to_owned(), prefix })
    }

    /// The files of a revision.
    fn tree(&self, revision: &str) -> Result<RevisionTree, JobError> {
        let name = format!("{}:", self.commit_name(revision)?);
        let found = git(&self.directory, &["rev-parse", "--verify", "--quiet", "--end-of-options", &name])?;
        if !found.status.success() {
            return Err(self.unknown(revision)?.into());
        }
        let tree = String::from_utf8_lossy(&found.stdout).trim().to_owned();
        let listed = git(&self.directory, &["ls-tree", "-r", "-z", "--full-tree", &tree])?;
        if !listed.status.success() {
            let message = format!("git cannot list the files of `{revision}`");
            return Err(Diagnostic::new(&codes::READ_FAILED, message).note(reason(&listed)).into());
        }
        Ok(RevisionTree::new(&self.directory, &listed.stdout))
    }

    /// What git calls the commit of a revision; of two with three dots between them, that where
    /// they went apart, as `git diff` has it.
    fn commit_name(&self, revision: &str) -> Result<String, JobError> {
        match revision.split_once("...") {
            Some((one, other)) => self.merge_base(one, other),
            None => Ok(revision.to_owned()),
        }
    }

    /// The newest commit that two revisions have in common. An empty one is the current commit.
    fn merge_base(&self, one: &str, other: &str) -> Result<String, JobError> {
        let mut commits = Vec::new();
        for revision in [one, other] {
            let revision = if revision.is_empty() { "HEAD" } else { revision };
            let name = format!("{revision}^0");
            let found = git(&self.directory, &["rev-parse", "--verify", "--quiet", "--end-of-options", &name])?;
            if !found.status.success() {
                return Err(self.unknown(revision)?.into());
            }
            commits.push(String::from_utf8_lossy(&found.stdout).trim().to_owned());
        }
        let found = git(&self.directory, &["merge-base", &commits[0], &commits[1]])?;
        if !found.status.success() {
            let message = format!("`{one}...{other}`: the two have no commit in common here");
            let error = Diagnostic::new(&codes::READ_FAILED, message);
            // Git has nothing more to say of commits that are apart.
            let error = if found.stderr.is_empty() { error } else { error.note(reason(&found)) };
            return Err(self.with_history_help(error)?.into());
        }
        Ok(String::from_utf8_lossy(&found.stdout).trim().to_owned())
    }

    /// The error for a revision that does not exist.
    fn unknown(&self, revision: &str) -> Result<Diagnostic, JobError> {
        let names = git(&self.directory, &["for-each-ref", "--format=%(refname:short)"])?;
        let names = String::from_utf8_lossy(&names.stdout).into_owned();
        let message = format!("`{revision}` is neither a path nor a revision of the git repository");
        let error = Diagnostic::new(&codes::READ_FAILED, message).maybe_help(did_you_mean(revision, names.lines()));
        self.with_history_help(error)
    }

    /// The error, with help if the repository has only a part of its history.
    fn with_history_help(&self, error: Diagnostic) -> Result<Diagnostic, JobError> {
        let shallow = git(&self.directory, &["rev-parse", "--is-shallow-repository"])?;
        Ok(match shallow.stdout.starts_with(b"true") {
            true => error.help("the repository has only a part of its history: fetch the revision first; actions/checkout does it with `fetch-depth: 0`"),
            false => error,
        })
    }
}

/// Runs git in a directory.
fn git(directory: &Path, arguments: &[&str]) -> Result<Output, JobError> {
    let mut command = Command::new("git");
    command.arg("-C").arg(directory).args(arguments.iter().map(OsStr::new)).env("LC_ALL", "C");
    command.output().map_err(|error| {
        let why =
            if error.kind() == io::ErrorKind::NotFound { "it is not installed".to_owned() } else { error.to_string() };
        let message = format!("cannot run git, which reads revisions: {why}");
        Diagnostic::new(&codes::READ_FAILED, message).help("name a directory with the old files instead").into()
    })
}

/// What git says went wrong.
fn reason(output: &Output) -> String {
    let text = String::from_utf8_lossy(&output.stderr);
    format!("git: {}", text.lines().next().unwrap_or("no reason").trim_start_matches("fatal: "))
}

/// The files of a revision.
#[derive(Debug)]
struct RevisionTree {
    /// Where git runs.
    directory: PathBuf,
    /// The hash of each file, and whether it is a link.
    files: BTreeMap<String, (String, bool)>,
    directories: BTreeSet<String>,
}

impl RevisionTree {
    /// Reads what `git ls-tree -r -z` prints: `MODE blob HASH<tab>PATH`.
    fn new(directory: &Path, listed: &[u8]) -> RevisionTree {
        let mut tree = RevisionTree {
            directory: directory.to_owned(),
            files: BTreeMap::new(),
            directories: BTreeSet::from([String::new()]),
        };
        for line in listed.split(|byte| *byte == 0) {
            // A path that is not text cannot be named.
            let Some((about, path)) = std::str::from_utf8(line).ok().and_then(|line| line.split_once('\t')) else {
                continue;
            };
            let [mode, kind, hash] = about.split(' ').collect::<Vec<_>>()[..] else { continue };
            let mut above = path;
            while let Some((parent, _)) = above.rsplit_once('/') {
                if !tree.directories.insert(parent.to_owned()) {
                    break;
                }
                above = parent;
            }
            if kind == "blob" {
                tree.files.insert(path.to_owned(), (hash.to_owned(), mode == "120000"));
            }
        }
        tree
    }

    /// The path without links; `None` if there are too many, or one leads out of the repository.
    fn resolved(&self, path: &str) -> Option<String> {
        let mut path = path.to_owned();
        for _ in 0..LINKS {
            let parts: Vec<&str> = path.split('/').collect();
            let link = (1..=parts.len()).map(|end| (parts[..end].join("/"), end)).find_map(|(above, end)| {
                let (hash, is_link) = self.files.get(&above)?;
                is_link.then(|| (above, end, hash.clone()))
            });
            let Some((above, end, hash)) = link else { return Some(path) };
            let target = String::from_utf8(self.blob(&hash).ok()?).ok()?;
            let folder = above.rsplit_once('/').map_or("", |(folder, _)| folder);
            let rest = parts[end..].join("/");
            path = joined(folder, &target, &rest)?;
        }
        None
    }

    fn blob(&self, hash: &str) -> io::Result<Vec<u8>> {
        let output = Command::new("git").arg("-C").arg(&self.directory).args(["cat-file", "blob", hash]).output()?;
        if output.status.success() { Ok(output.stdout) } else { Err(io::Error::other(reason(&output))) }
    }
}

/// A path in a folder, without `.` and `..`.
fn joined(folder: &str, target: &str, rest: &str) -> Option<String> {
    if target.starts_with('/') {
        return None;
    }
    let mut parts: Vec<&str> = Vec::new();
    for part in folder.split('/').chain(target.split('/')).chain(rest.split('/')) {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()?),
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

impl Tree for RevisionTree {
    fn kind(&self, path: &str) -> PathKind {
        match self.resolved(path) {
            Some(path) if self.directories.contains(&path) => PathKind::Directory,
            Some(path) if self.files.contains_key(&path) => PathKind::File,
            _ => PathKind::Nothing,
        }
    }

    fn read_file(&self, path: &str) -> io::Result<Vec<u8>> {
        let hash = self.resolved(path).and_then(|path| self.files.get(&path).map(|(hash, _)| hash));
        self.blob(hash.ok_or(io::ErrorKind::NotFound)?)
    }

    fn names(&self, path: &str) -> Vec<String> {
        let Some(path) = self.resolved(path) else { return Vec::new() };
        let prefix = if path.is_empty() { String::new() } else { format!("{path}/") };
        let below =
            self.files.range(prefix.clone()..).map(|(path, _)| path).take_while(|path| path.starts_with(&prefix));
        let first = |path: &String| path[prefix.len()..].split('/').next().unwrap_or_default().to_owned();
        below.map(first).collect::<BTreeSet<_>>().into_iter().collect()
    }
}
