//! The last step of a job: writes files, lists of outputs, the depfile, and the manifest for the
//! next run.
//!
//! Invariant: a dry run writes nothing but the requested lists.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use super::report::Summary;
use super::{JobError, Session, discard, memory};
use crate::driver::args::CommonArgs;
use torchgen_base::diag::{Diagnostic, codes, plural};
use torchgen_base::render::Renderer;
use torchgen_base::write::{
    Manager, OutputFile, Plan, WriteError, check_depfile_targets, manifest, spare_inputs, write_depfile,
    write_file_lists,
};

/// The output of a job, not yet written.
pub struct GeneratedFiles {
    /// The directory of each manager's files.
    pub installs: Vec<(Manager, PathBuf)>,
    /// The files, in the order in which they are listed.
    pub files: Vec<OutputFile>,
    /// The renderer of the run; lists of outputs need it too.
    pub renderer: Renderer,
}

/// How to write.
pub struct WriteOptions<'a> {
    /// The flags of every command.
    pub common: &'a CommonArgs,
    /// Whether files are compared and not written.
    pub dry_run: bool,
    /// Where lists of outputs go.
    pub lists: Option<&'a Path>,
}

/// Writes files that all go below one directory, and that no list names.
pub fn write_below(
    common: &CommonArgs,
    manager: Manager,
    directory: &Path,
    files: Vec<OutputFile>,
    renderer: Renderer,
    session: &mut Session,
) -> Result<Summary, JobError> {
    let options = WriteOptions { common, dry_run: false, lists: None };
    let installs = vec![(manager, directory.to_owned())];
    write(&options, GeneratedFiles { installs, files, renderer }, session)
}

/// Writes a command's only file, whose path the user gives.
pub fn write_file(
    common: &CommonArgs,
    manager: Manager,
    path: &Path,
    text: String,
    renderer: Renderer,
    session: &mut Session,
) -> Result<Summary, JobError> {
    spare_inputs(path, &session.inputs).map_err(|error| Diagnostic::from(&error))?;
    let name = path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let dir = path.parent().filter(|dir| !dir.as_os_str().is_empty()).unwrap_or(Path::new("."));
    write_below(common, manager, dir, vec![OutputFile::new(manager, name, text)], renderer, session)
}

/// Writes a command's only file, or prints its text if there is no path. The summary counts what
/// is in it.
///
/// # Errors
/// As for `write`, or the text cannot be printed.
pub fn write_or_print(
    common: &CommonArgs,
    manager: Manager,
    path: Option<&Path>,
    text: String,
    count: String,
    renderer: Renderer,
    session: &mut Session,
) -> Result<Summary, JobError> {
    let Some(path) = path else {
        session.host.print(&text)?;
        return Ok(Summary { said: Some(count), ..Summary::default() });
    };
    let summary = write_file(common, manager, path, text, renderer, session)?;
    Ok(Summary { said: summary.said.or(Some(format!("{count} in {}", path.display()))), ..summary })
}

/// Writes the files that differ, and the lists and depfile that build systems asked for.
///
/// # Errors
/// Files clash or cannot be written.
pub fn write(options: &WriteOptions, made: GeneratedFiles, session: &mut Session) -> Result<Summary, JobError> {
    for path in options.lists.into_iter().chain(options.common.depfile.as_deref()) {
        spare_inputs(path, &session.inputs).map_err(|error| Diagnostic::from(&error))?;
    }
    let mut plan = Plan::new();
    for (manager, dir) in made.installs {
        plan.install(manager, dir);
    }
    plan.add(made.files).map_err(|errors| JobError::Failed(errors.iter().map(Diagnostic::from).collect()))?;
    if options.common.verify {
        return verify(&plan, session);
    }
    let targets = || plan.files().map(|(path, _)| path.to_owned()).collect::<Vec<PathBuf>>();
    if options.common.depfile.is_some() {
        check_depfile_targets(&targets()).map_err(|error| Diagnostic::from(&error))?;
    }
    session.host.begin_writing()?;
    let report = plan.write(options.dry_run).map_err(|errors| JobError::Failed(write_errors(&errors)))?;
    session.timings.lap("write");
    let listed_in: Vec<PathBuf> = options.lists.map(Path::to_owned).into_iter().collect();
    if let Some(path) = options.lists {
        write_file_lists(&made.renderer, &plan.lists(), path).map_err(|error| Diagnostic::from(&error))?;
    }
    if let Some(path) = &options.common.depfile {
        let targets = targets();
        let made_files: Vec<PathBuf> = targets.iter().chain([path]).chain(&listed_in).cloned().collect();
        let mut inputs = session.inputs.clone();
        inputs.extend(manifest::directories(session.seen.all(), &made_files));
        write_depfile(&made.renderer, path, &targets, &inputs).map_err(|error| Diagnostic::from(&error))?;
    }
    let removed = match options.dry_run {
        true => Vec::new(),
        false => memory::remember(options.common, session, &plan, &report.entries)?,
    };
    session.timings.lap("lists and manifest");
    let planned = plan.files().count();
    let listed = match (options.dry_run, options.lists) {
        (true, None) => plan.changes(),
        (true, Some(_)) => targets(),
        (false, _) => Vec::new(),
    };
    discard((plan, made.renderer));
    let lists = options.lists.is_some();
    Ok(Summary { planned, listed, lists, report, removed, dry_run: options.dry_run, ..Summary::default() })
}

/// Compares all files with those on disk, for `--verify`.
///
/// # Errors
/// Files would change; they are in the session's diagnostics.
fn verify(plan: &Plan, session: &mut Session) -> Result<Summary, JobError> {
    let changes = plan.changes();
    session.timings.lap("verify");
    if changes.is_empty() {
        let files = plural(plan.files().count(), "file");
        return Ok(Summary { said: Some(format!("{files}, all up to date")), ..Summary::default() });
    }
    session.diagnostics.push(out_of_date(&changes));
    Err(JobError::Input)
}

/// The error of `--verify` about files that would change.
pub fn out_of_date(changes: &[PathBuf]) -> Diagnostic {
    let (shown, more) = changes.split_at(changes.len().min(SHOWN));
    let mut lines: Vec<String> = shown.iter().map(|path| path.display().to_string()).collect();
    if !more.is_empty() {
        lines.push(format!("... and {} more", more.len()));
    }
    let message = format!("{} would change", plural(changes.len(), "output"));
    Diagnostic::new(&codes::OUT_OF_DATE, message).note(lines.join("\n"))
}

/// How many unwritable files are reported one by one: if a directory is missing, there are
/// thousands.
const SHOWN: usize = 20;

/// The errors. Files that cannot be written for the same reason share one.
fn write_errors(errors: &[WriteError]) -> Vec<Diagnostic> {
    let of_all = [ErrorKind::PermissionDenied, ErrorKind::ReadOnlyFilesystem, ErrorKind::StorageFull];
    let same = errors.first().map(|first| first.error.kind()).filter(|kind| of_all.contains(kind));
    let together = same.is_some_and(|kind| errors.iter().all(|error| error.error.kind() == kind));
    let (shown, more) = errors.split_at(errors.len().min(if together { 1 } else { SHOWN }));
    let mut diagnostics: Vec<Diagnostic> = shown.iter().map(Diagnostic::from).collect();
    if let Some(last) = diagnostics.pop() {
        let count = plural(more.len(), "more file");
        let last = if more.is_empty() { last } else { last.note(format!("{count} cannot be written")) };
        let help = match shown.last().map(|shown| shown.error.kind()) {
            Some(ErrorKind::AlreadyExists | ErrorKind::NotADirectory) => {
                "this is a file; name a directory, or one that does not exist yet"
            }
            _ => "write to another directory, or make this one writable",
        };
        diagnostics.push(last.help(help));
    }
    diagnostics
}
