//! Reuse of earlier runs: whether one can replace this run, and what to remember of this run.
//!
//! Invariant: an earlier run is reused only if everything that it read and wrote is unchanged; if
//! that cannot be determined, the command runs. `write::manifest` detects changes.

mod invocation;
mod kin;
mod messages;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

pub use self::invocation::{Invocation, absolute};
pub use self::kin::Kin;
use super::report::Summary;
use super::{JobError, Session};
use crate::driver::args::CommonArgs;
use torchgen_base::diag::{Diagnostic, Severity, codes};
use torchgen_base::render::Renderer;
use torchgen_base::write::manifest::{self, Freshness, Install, Manifest, Output, Record};
use torchgen_base::write::{
    Entry, Hash, Identity, Plan, Report, Verdict, WriteError, spare_inputs, write_depfile, write_file_lists,
};

/// How many stale files are named.
const SHOWN: usize = 20;
/// The templates of the lists written beside the outputs.
const LISTS: [&str; 2] = ["write/file_list.j2", "write/depfile.j2"];

/// The summary of a run that is replaced by an earlier one. Lists and depfile are still written.
pub(crate) fn up_to_date(common: &CommonArgs, session: &mut Session) -> Option<Result<Summary, JobError>> {
    let invocation = session.invocation.as_ref().filter(|_| !common.force && !session.host.calls_unknown_code())?;
    let mut record = Manifest::read_file(&invocation.manifest).record(invocation.key)?;
    if record.typed != invocation.typed || (common.prune && !record.stale.is_empty()) {
        return None;
    }
    let tool = session.host.tool()?;
    let freshness = record.verify_unchanged(&tool.path, with_what_it_reads(tool.identity), !invocation.dry_run);
    session.timings.lap("manifest");
    if let Freshness::Changed(path) = freshness {
        session.changed = Some(path);
        return None;
    }
    let diagnostics = messages::recall(&record.messages, invocation.codes, common.verbose, &mut session.sources)?;
    if common.strict && diagnostics.iter().any(|diagnostic| diagnostic.severity != Severity::Note) {
        return None;
    }
    session.diagnostics.extend(diagnostics);
    Some(stand_in(common, session, record, freshness))
}

fn stand_in(
    common: &CommonArgs,
    session: &mut Session,
    mut record: Record,
    freshness: Freshness,
) -> Result<Summary, JobError> {
    session.host.begin_writing()?;
    let Some(invocation) = &session.invocation else { return Err(JobError::Input) };
    if invocation.lists.is_some() || common.depfile.is_some() {
        let inputs: Vec<PathBuf> = record.inputs().map(Path::to_owned).collect();
        for path in invocation.lists.iter().chain(&common.depfile) {
            spare_inputs(path, &inputs).map_err(|error| Diagnostic::from(&error))?;
        }
        let renderer = list_renderer(&record.overlays)?;
        if let Some(path) = &invocation.lists {
            write_file_lists(&renderer, &record.lists(), path).map_err(|error| Diagnostic::from(&error))?;
        }
        if let Some(path) = &common.depfile {
            let targets: Vec<PathBuf> = record.outputs.iter().map(|output| record.path(output)).collect();
            let made: Vec<PathBuf> = targets.iter().chain([path]).chain(&invocation.lists).cloned().collect();
            let mut inputs = inputs;
            inputs.extend(manifest::directories(&record.seen, &made));
            write_depfile(&renderer, path, &targets, &inputs).map_err(|error| Diagnostic::from(&error))?;
        }
    }
    let planned = record.outputs.len();
    let lists = invocation.lists.is_some();
    let differs = |path: &PathBuf, output: &Output| lists || output.entry.verify_unchanged(path) == Verdict::Changed;
    let outputs = record.outputs.iter().filter(|_| invocation.dry_run).map(|output| (record.path(output), output));
    let listed = outputs.filter(|(path, output)| differs(path, output)).map(|(path, _)| path).collect();
    let report = Report { unchanged: planned, bytes: record.bytes(), ..Report::default() };
    record.stale = record.stale.iter().filter(|output| record.path(output).exists()).cloned().collect();
    session.diagnostics.extend(stale_note(&record));
    if let (Freshness::Compared(_), false) = (&freshness, invocation.dry_run) {
        // Next time the stamps suffice. If this cannot be written, the next run is as slow.
        let _ = manifest::update(&invocation.manifest, invocation.key, |_, moment| {
            record.settle(session.began, moment);
            Some(record)
        });
    }
    session.timings.lap("lists and manifest");
    Ok(Summary { planned, listed, report, lists, dry_run: invocation.dry_run, stood_in: true, ..Summary::default() })
}

/// The templates of lists, overlays included.
fn list_renderer(overlays: &[PathBuf]) -> Result<Renderer, Diagnostic> {
    let mut renderer = Renderer::new("").map_err(|error| error.diagnostic())?;
    for (dir, name) in overlays.iter().flat_map(|dir| LISTS.map(|name| (dir, name))) {
        if let Ok(text) = std::fs::read_to_string(dir.join(name)) {
            renderer.add_template(name, &text).map_err(|error| error.diagnostic())?;
        }
    }
    Ok(renderer)
}

/// Remembers a run that has written its files. Reports the files of earlier runs that are no longer
/// generated, and with `--prune` removes them. Returns the removed files.
///
/// # Errors
/// A file cannot be removed.
pub(crate) fn remember(
    common: &CommonArgs,
    session: &mut Session,
    plan: &Plan,
    entries: &[Option<Entry>],
) -> Result<Vec<PathBuf>, JobError> {
    let (mut removed, mut failed, mut note) = (Vec::new(), Vec::new(), None);
    if let (Some(invocation), Some(mut record)) = (&session.invocation, record(session, plan, entries)) {
        let result = manifest::update(&invocation.manifest, invocation.key, |manifest, moment| {
            record.stale = stale(&record, manifest, invocation.key);
            if common.prune {
                let (kept, gone, errors) = prune(&record);
                (record.stale, removed, failed) = (kept, gone, errors);
            }
            note = stale_note(&record);
            record.settle(session.began, moment);
            Some(record)
        });
        // Without a manifest the next run is only slower, but `--prune` needs it.
        if let (Err(error), true) = (result, common.prune) {
            failed.push(Diagnostic::from(&WriteError { path: invocation.manifest.clone(), error }));
        }
    }
    session.diagnostics.extend(note);
    if failed.is_empty() { Ok(removed) } else { Err(JobError::Failed(failed)) }
}

/// The record of a run; `None` if it read or wrote something that cannot be checked again.
fn record(session: &Session, plan: &Plan, entries: &[Option<Entry>]) -> Option<Record> {
    let invocation = session.invocation.as_ref()?;
    let installs: Vec<(_, &Path)> = plan.installs().collect();
    let install = |(manager, dir): &(torchgen_base::write::Manager, &Path)| {
        let list_prefix = manager.list_prefix().map(str::to_owned);
        // Another command may reach the same directory through another link.
        let place = dir.canonicalize().or_else(|_| absolute(dir)).ok()?;
        Some(Install { dir: dir.to_path_buf(), place, list_prefix })
    };
    let output = |((path, file), entry): ((&Path, &torchgen_base::write::OutputFile), &Option<Entry>)| {
        let install = installs.iter().position(|(manager, _)| *manager == file.manager)?;
        let path = path.strip_prefix(installs[install].1).ok()?.to_owned();
        Some(Output { install, path, listed: file.listed, entry: (*entry)? })
    };
    Some(Record {
        typed: invocation.typed,
        kin: invocation.kin,
        tool: with_what_it_reads(session.host.tool()?.identity),
        seen: session.seen.observations()?.to_vec(),
        overlays: session.overlays.clone(),
        outputs: plan.files().zip(entries).map(output).collect::<Option<_>>()?,
        installs: installs.iter().map(install).collect::<Option<_>>()?,
        stale: Vec::new(),
        messages: messages::keep(session),
    })
}

/// The files that this invocation wrote earlier and that no invocation writes now.
fn stale(record: &Record, manifest: &Manifest, key: Hash) -> Vec<Output> {
    let Some(old) = manifest.record(key) else { return Vec::new() };
    let made: BTreeSet<PathBuf> = record.outputs.iter().map(|output| record.place(output)).collect();
    let mut left: Vec<(&Output, PathBuf)> =
        old.outputs.iter().chain(&old.stale).map(|output| (output, old.place(output))).collect();
    left.retain(|(_, place)| !made.contains(place));
    if !left.is_empty() {
        for other in manifest.others(key) {
            let claimed: BTreeSet<PathBuf> = other.outputs.iter().map(|output| other.place(output)).collect();
            left.retain(|(_, place)| !claimed.contains(place));
        }
    }
    let here = |(output, place): (&Output, PathBuf)| {
        let there = std::fs::symlink_metadata(&place).is_ok_and(|metadata| metadata.is_file());
        // Only files in a directory of this run matter.
        let install = record.installs.iter().position(|install| install.place == old.installs[output.install].place)?;
        there.then(|| Output { install, ..output.clone() })
    };
    left.into_iter().filter_map(here).collect()
}

/// Removes stale files that are unchanged since they were written. Returns the files that stay,
/// those removed, and the errors.
fn prune(record: &Record) -> (Vec<Output>, Vec<PathBuf>, Vec<Diagnostic>) {
    let (mut kept, mut gone, mut failed) = (Vec::new(), Vec::new(), Vec::new());
    for output in &record.stale {
        let path = record.path(output);
        if !lies_in(&path, &record.installs[output.install].place)
            || output.entry.verify_unchanged(&path) == Verdict::Changed
        {
            kept.push(output.clone());
            continue;
        }
        match std::fs::remove_file(&path) {
            Ok(()) => gone.push(path),
            Err(error) => {
                failed.push(Diagnostic::from(&WriteError { path, error }));
                kept.push(output.clone());
            }
        }
    }
    (kept, gone, failed)
}

/// Whether a file lies below a directory, also when links are followed.
fn lies_in(path: &Path, dir: &Path) -> bool {
    let real = |path: &Path| path.canonicalize().ok();
    match (path.parent().and_then(real), real(dir)) {
        (Some(parent), Some(dir)) => parent.starts_with(dir),
        _ => false,
    }
}

/// The diagnostic for stale files.
fn stale_note(record: &Record) -> Option<Diagnostic> {
    let mut names: Vec<String> = record.stale.iter().map(|output| record.path(output).display().to_string()).collect();
    if names.is_empty() {
        return None;
    }
    names.sort();
    let count = names.len();
    if count > SHOWN {
        names.truncate(SHOWN);
        names.push(format!("... and {} more", count - SHOWN));
    }
    let message = match count {
        1 => "a file from an earlier run is no longer generated".to_owned(),
        _ => format!("{count} files from earlier runs are no longer generated"),
    };
    let help = "`--prune` removes those that were not edited";
    Some(Diagnostic::new(&codes::STALE_OUTPUT, message).note(names.join("\n")).help(help))
}

/// The identity of the program, and in a development build of the templates and tables that it
/// reads.
fn with_what_it_reads(program: Identity) -> Identity {
    let read = torchgen_templates::state().wrapping_add(torchgen_data::state());
    Identity { size: program.size.wrapping_add(read), ..program }
}
