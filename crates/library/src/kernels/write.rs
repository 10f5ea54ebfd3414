//! Writes skeletons of missing kernels: each to the file of its operator, or all to one file. Those
//! in Python go to the modules that the YAML names.
//!
//! Invariant: a file is only appended to, in its encoding and with its line ends, and only if the
//! text becomes code at namespace level; a module, in the first column. Either all files can be
//! appended to, or none is.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::python::{Addition, ByModule};
use crate::library::kernels::WantedKernel;
use crate::library::kernels::is_source;
use crate::library::kernels::skeletons;
use torchgen_base::diag::{Diagnostic, FileId, Span, plural};
use torchgen_base::lang::cpp::{includes, unfinished};
use torchgen_base::render::Renderer;
use torchgen_base::write::{append, check_appendable};
use torchgen_base::yaml::encode_like;
use torchgen_generators::args::KernelsArgs;
use torchgen_kit::driver::output::out_of_date;
use torchgen_kit::driver::{JobError, Session};
use torchgen_model::codes;

/// Checks the file of `--write-to`.
///
/// # Errors
/// It is not a C++ source by its name.
pub(super) fn check_flags(args: &KernelsArgs) -> Result<(), Diagnostic> {
    match &args.write_to {
        Some(path) if !is_source(path) => {
            let message = format!("`{}` does not have the name of a C++ source", path.display());
            Err(Diagnostic::new(&codes::USAGE, message)
                .help("name a file that ends in `.cpp`, `.cu`, `.cc` or the like"))
        }
        _ => Ok(()),
    }
}

/// Writes the skeletons of kernels, each with the directory of its headers. They include what the
/// sources do: one header for all operators, or one for each.
///
/// # Errors
/// A file cannot be appended to, or `--verify` is given.
pub(super) fn write(
    args: &KernelsArgs,
    renderer: &Renderer,
    missing: &[(&WantedKernel, &str)],
    in_python: &ByModule<'_>,
    sources: &[FileId],
    session: &mut Session,
) -> Result<String, JobError> {
    let used = sources.iter().flat_map(|file| includes(session.sources.text(*file)));
    let used: BTreeSet<String> = used.map(str::to_owned).collect();
    let mut by_file: BTreeMap<PathBuf, Vec<(&WantedKernel, &str)>> = BTreeMap::new();
    for (kernel, include_dir) in missing {
        by_file.entry(target(args, kernel, session)).or_default().push((kernel, include_dir));
    }
    let mut additions = Vec::new();
    let mut said = Vec::new();
    let mut refused = Vec::new();
    for (path, kernels) in by_file {
        refused.extend(check_appendable(&path).err().map(|error| Diagnostic::from(&error)));
        let (mut bytes, mut text) = Default::default();
        if session.seen.is_file(&path) {
            bytes = session.read_bytes(&path)?;
            let file = session.read_text(&path)?;
            text = session.sources.text(file).to_owned();
            session.diagnostics.extend(open_at_end(&path, &text, file));
        }
        let added = skeletons_for(&text, renderer, &kernels, &used)?;
        additions.push((path.clone(), encode_like(&bytes, &added)));
        said.push(format!("{} in `{}`", plural(kernels.len(), "kernel"), path.display()));
    }
    // A module that cannot be read by Python stays so: what is added begins in the first column.
    for Addition { file, bytes, text, added, count } in in_python.additions(renderer, false, session)? {
        // Several modules can be in one directory that cannot be made.
        let error = check_appendable(&file).err().map(|error| Diagnostic::from(&error));
        refused.extend(error.filter(|error| !refused.contains(error)));
        additions.push((file.clone(), encode_like(&bytes, &appended(&text, &added))));
        said.push(format!("{} in `{}`", plural(count, "kernel"), file.display()));
    }
    if !refused.is_empty() {
        return Err(JobError::Failed(refused));
    }
    session.check_errors()?;
    if args.common.verify {
        let paths: Vec<PathBuf> = additions.into_iter().map(|(path, _)| path).collect();
        session.diagnostics.push(out_of_date(&paths));
        return Err(JobError::Input);
    }
    session.host.begin_writing()?;
    for (path, bytes) in additions {
        append(&path, &bytes).map_err(|error| Diagnostic::from(&error))?;
    }
    Ok(format!("wrote {}", said.join(", ")))
}

/// The text to append to a source, of a library whose sources include these headers.
fn skeletons_for(
    text: &str,
    renderer: &Renderer,
    kernels: &[(&WantedKernel, &str)],
    used: &BTreeSet<String>,
) -> Result<String, JobError> {
    let mut added = String::new();
    let included = includes(text);
    let includes = |header: &str| included.iter().any(|path| path.contains(header));
    let mut headers: Vec<String> = Vec::new();
    for (kernel, dir) in kernels {
        let of_all = skeletons::header(dir);
        let prefix = format!("{dir}/ops/");
        let by_operator = used.iter().any(|path| path.contains(&prefix) && path.contains("_native.h"));
        let header = match by_operator {
            true => skeletons::operator_header(dir, &kernel.root_name),
            false => of_all.clone(),
        };
        if !includes(&of_all) && !includes(&header) && !headers.contains(&header) {
            headers.push(header);
        }
    }
    for header in headers {
        added.push_str(&skeletons::include(renderer, header)?);
    }
    let kernels: Vec<&WantedKernel> = kernels.iter().map(|(kernel, _)| *kernel).collect();
    added.push_str(skeletons::skeletons(renderer, &kernels)?.as_str());
    Ok(appended(text, &added))
}

/// What is appended to a text: the end of its last line, if that has none, and lines with the
/// line ends of the text.
fn appended(text: &str, added: &str) -> String {
    let lines = text.matches('\n').count();
    let line_end = match text.matches("\r\n").count() {
        0 if lines == 0 && text.contains('\r') => "\r",
        pairs if pairs * 2 > lines => "\r\n",
        _ => "\n",
    };
    let is_complete = text.is_empty() || text.ends_with(['\n', '\r']);
    let end = if is_complete { "" } else { line_end };
    format!("{end}{}", added.replace('\n', line_end))
}

/// The error that the end of a file is inside something.
fn open_at_end(path: &Path, text: &str, file: FileId) -> Option<Diagnostic> {
    let (what, range) = unfinished(text)?;
    let first_line = text[range.clone()].lines().next().map_or(0, str::len);
    let end = range.end.min(range.start + first_line);
    let message = format!("kernels cannot be appended to `{}`: this {what} does not end", path.display());
    let diagnostic = Diagnostic::new(&codes::KERNEL_FILE, message).at(Span::new(file, range.start, end));
    Some(diagnostic.help("end it in the file, or name another file with `--write-to`"))
}

/// The file of a kernel's skeleton: that of `--write-to`, or one beside the sources with the
/// operator's name.
pub(super) fn target(args: &KernelsArgs, kernel: &WantedKernel, session: &mut Session) -> PathBuf {
    if let Some(path) = &args.write_to {
        return path.clone();
    }
    let ending = if kernel.key.is_some_and(|key| key.is_cuda()) { "cu" } else { "cpp" };
    let directory = match args.sources.iter().find(|path| session.seen.is_dir(path)) {
        Some(directory) => directory.clone(),
        None => args.sources.first().and_then(|path| path.parent()).unwrap_or(Path::new("")).to_owned(),
    };
    directory.join(format!("{}.{ending}", kernel.root_name))
}
