//! The request to a family's generating command, and the documents that it reads.
//!
//! Invariant: all commands treat sources alike. A file may hold several documents; a directory
//! means the YAML files in it that start with the family's name. A document's content is up to the
//! family.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::args::{CommonArgs, SharedArgs};
use super::context::FileContext;
use super::files::read_failed;
use super::output::{self, GeneratedFiles, WriteOptions};
use super::report::Summary;
use super::run_section::{self, RunSection};
use super::{JobError, Session};
use torchgen_base::diag::{Diagnostic, Span, codes, did_you_mean};
use torchgen_base::render::Renderer;
use torchgen_base::write::{Manager, OutputFile};
use torchgen_base::yaml::{Node, NodeKind, Options};

/// A request to a generating command.
#[derive(Debug, Clone)]
pub struct Request {
    /// Files and directories, as given.
    pub sources: Vec<PathBuf>,
    /// The directory to write to.
    pub install_dir: PathBuf,
    /// The file for lists of outputs.
    pub lists: Option<PathBuf>,
    /// Whether to write nothing but lists.
    pub dry_run: bool,
    /// The further outputs requested.
    pub emit: BTreeSet<String>,
    /// The flags of every command.
    pub common: CommonArgs,
}

/// A document of a YAML file, with its family.
#[derive(Debug)]
pub struct Document {
    /// The file, as given or found.
    pub path: PathBuf,
    /// The root, a mapping whose key `family` has not been taken yet.
    pub root: Node,
}

/// The manager of a family's output: its directory, and the prefix of its list.
const OUTPUT: Manager = Manager::new("output", Some(""));

impl Request {
    /// The request of a command line.
    pub(crate) fn new(args: &SharedArgs) -> Request {
        Request {
            sources: args.sources.clone(),
            install_dir: args.install_dir.clone(),
            lists: args.output_dependencies.clone(),
            dry_run: args.dry_run,
            emit: args.emit.iter().cloned().collect(),
            common: args.common.clone(),
        }
    }

    /// A request that reads sources and writes nothing.
    pub fn to_check(sources: Vec<PathBuf>, common: &CommonArgs) -> Request {
        Request {
            sources,
            install_dir: PathBuf::from("generated"),
            lists: None,
            dry_run: true,
            emit: BTreeSet::new(),
            common: common.clone(),
        }
    }

    /// A request for an older state of the sources, as a command line names it.
    ///
    /// # Errors
    /// There is no such state.
    pub fn against(&self, named: &str, session: &mut Session) -> Result<Request, JobError> {
        let sources = session.state_at(named, &self.sources)?;
        Ok(Request::to_check(sources, &self.common))
    }

    /// Whether a further output is requested.
    pub fn emits(&self, output: &str) -> bool {
        self.emit.contains(output)
    }

    /// The templates of a family's folder, with overlays of `--template-dir` applied.
    ///
    /// # Errors
    /// A template does not compile, or an overlay replaces none.
    pub fn renderer(&self, folder: &str, session: &mut Session) -> Result<Renderer, JobError> {
        session.renderer(folder, &self.common.template_dir)
    }

    /// How files below the install directory are made.
    pub fn files<'r>(&self, renderer: &'r Renderer) -> FileContext<'r> {
        FileContext::new(renderer, OUTPUT)
    }

    /// The output of the run.
    pub fn made(&self, files: Vec<OutputFile>, renderer: Renderer) -> GeneratedFiles {
        GeneratedFiles { installs: vec![(OUTPUT, self.install_dir.clone())], files, renderer }
    }

    /// Writes the files that differ.
    ///
    /// # Errors
    /// Files clash, cannot be written, or would change with `--verify`.
    pub(crate) fn write(&self, made: GeneratedFiles, session: &mut Session) -> Result<Summary, JobError> {
        let options = WriteOptions { common: &self.common, dry_run: self.dry_run, lists: self.lists.as_deref() };
        output::write(&options, made, session)
    }

    /// The documents of the sources that start with `family: FAMILY`, in the order of the sources;
    /// files of a directory are sorted by name.
    ///
    /// # Errors
    /// A source cannot be read, none has such a document, or a file given by name belongs to
    /// another family. YAML syntax errors are diagnostics.
    pub fn documents(&self, family: &str, session: &mut Session) -> Result<Vec<Document>, JobError> {
        let mut documents = Vec::new();
        let mut unread = false;
        let mut read: BTreeSet<PathBuf> = BTreeSet::new();
        let mut section = None;
        for source in &self.sources {
            let is_dir = session.seen.is_dir(source);
            let paths = if is_dir { yaml_files(source, session)? } else { vec![source.clone()] };
            for path in paths {
                if !read.insert(session.seen.identity(&path)) {
                    continue;
                }
                match session.read_documents(&path, Options::LIBRARY) {
                    Ok(roots) => {
                        let before = documents.len();
                        let mut other = None;
                        for mut root in roots {
                            // `check` runs the other families that a file names too.
                            let names_one = names_family(&root, session);
                            let found = is_dir || session.checks_only && names_one;
                            if is_wanted(&root, family, found, session) {
                                read_section(&mut root, &mut section, session);
                                documents.push(Document { path: path.clone(), root });
                            } else if other.is_none() {
                                other = Some((!names_one).then_some(root.span.at_start()));
                            }
                        }
                        if documents.len() == before && is_dir {
                            session.pass_over(&path, other.flatten());
                        }
                    }
                    Err(JobError::Input) => unread = true,
                    Err(stop) => return Err(stop),
                }
            }
        }
        if documents.is_empty() {
            if unread || session.diagnostics.has_errors() {
                return Err(JobError::Input);
            }
            let sources: Vec<String> = self.sources.iter().map(|path| format!("`{}`", path.display())).collect();
            let message = format!("no YAML file with `family: {family}` in {}", sources.join(", "));
            return Err(Diagnostic::new(&codes::READ_FAILED, message)
                .help("name the files or their directory with -s")
                .into());
        }
        Ok(documents)
    }
}

/// Takes the section `run` out of a document, and reports what is wrong with it. Its values have
/// become flags already.
fn read_section(root: &mut Node, first: &mut Option<Span>, session: &mut Session) {
    let Some((key, node)) = run_section::take(root) else { return };
    RunSection::read_section(node, &run_section::FAMILY_KEYS, &mut session.diagnostics);
    match *first {
        Some(first) => session.diagnostics.push(run_section::second(key, first)),
        None => *first = Some(key),
    }
}

/// The YAML files in a directory, sorted by name.
fn yaml_files(dir: &Path, session: &mut Session) -> Result<Vec<PathBuf>, JobError> {
    let entries = session.seen.entries(dir).map_err(|error| read_failed(dir, &error))?;
    let is_yaml = |path: &PathBuf| path.extension().is_some_and(|ending| ending == "yaml" || ending == "yml");
    let mut paths: Vec<PathBuf> =
        entries.into_iter().filter(|(path, is_dir)| !is_dir && is_yaml(path)).map(|(path, _)| path).collect();
    paths.sort();
    Ok(paths)
}

/// Whether a document belongs to the family. If not, it is reported, unless it was found in a
/// directory.
fn is_wanted(root: &Node, family: &str, found: bool, session: &mut Session) -> bool {
    let head = head(root);
    let named = head.and_then(|value| value.as_text()).map(|text| text.as_str());
    if named == Some(family) {
        return true;
    }
    // `check` and the search for a command look at all heads themselves.
    let near = named.filter(|_| !session.checks_only).and_then(|named| did_you_mean(named, [family]));
    if let (Some(value), Some(other), Some(near)) = (head, named, near) {
        let message = format!("there is no family `{other}`");
        session.diagnostics.push(Diagnostic::new(&codes::WRONG_FAMILY, message).at(value.span).help(near));
    } else if !found {
        let diagnostic = match (head, named) {
            (Some(value), Some(other)) => Diagnostic::new(
                &codes::WRONG_FAMILY,
                format!("the file belongs to the family `{other}`, not `{family}`"),
            )
            .at(value.span)
            .help(format!("run `torchgen-rs {other}`, or name another file")),
            _ => Diagnostic::new(&codes::WRONG_FAMILY, format!("the file does not start with `family: {family}`"))
                .at(torchgen_base::diag::Span { end: root.span.start, ..root.span })
                .help(format!("write `family: {family}` in its first line")),
        };
        session.diagnostics.push(diagnostic);
    }
    false
}

/// Whether a document names its family where [`super::head`] finds it: at the start of a line.
fn names_family(root: &Node, session: &Session) -> bool {
    let NodeKind::Mapping(pairs) = &root.kind else { return false };
    pairs.iter().any(|(key, _)| {
        let text = session.sources.text(key.span.file);
        let (before, rest) = text.split_at_checked(key.span.start as usize).unwrap_or_default();
        rest.starts_with("family:")
            && before.trim_start_matches('\u{feff}').chars().next_back().is_none_or(|c| c == '\n')
    })
}

/// The value of `family:`.
fn head(root: &Node) -> Option<&Node> {
    let NodeKind::Mapping(pairs) = &root.kind else { return None };
    pairs.iter().find(|(key, _)| key.as_text().is_some_and(|text| text.as_str() == "family")).map(|(_, value)| value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_of_another_family_is_refused_at_its_head() {
        let dir = tempfile::tempdir().expect("a directory");
        for (text, place, help) in [
            ("# a\nfamily: pears\n", (2, 9), "run `torchgen-rs pears`, or name another file"),
            ("family: aples\n", (1, 9), "did you mean `apples`?"),
            ("a: b\n", (1, 1), "write `family: apples` in its first line"),
        ] {
            let path = dir.path().join("a.yaml");
            std::fs::write(&path, text).expect("a file");
            let mut session = Session::default();
            let request = Request::to_check(vec![path], &CommonArgs::default());
            assert!(matches!(request.documents("apples", &mut session), Err(JobError::Input)));
            let found = session.diagnostics.into_sorted();
            let [diagnostic] = &found[..] else { panic!("one error") };
            let label = diagnostic.primary.as_ref().expect("a place");
            assert_eq!((diagnostic.code.id, session.sources.line_col(label.span)), ("TG0006", place));
            assert_eq!(diagnostic.help, [help]);
        }
    }
}
