//! Prints the result of a job: diagnostics on standard error in file order, then a summary line.
//!
//! Invariant: nothing goes to standard output, which is for data. `diag::render` formats
//! diagnostics.

use std::io::{ErrorKind, IsTerminal, Write};
use std::time::Duration;

use super::args::{ColorChoice, CommonArgs, MessageFormat};
pub use super::summary::Summary;
use super::{Counters, JobError, Session, Status};
use torchgen_base::diag::{self, Color, Diagnostic, Severity, Sources, codes, plural};

/// Prints the result; returns how the run ended and, on success, what it cost.
pub(crate) fn print(
    common: &CommonArgs,
    session: Session,
    result: Result<Summary, JobError>,
    elapsed: Duration,
) -> (Status, Counters) {
    let mut out = std::io::stderr().lock();
    let printer = Printer::new(common, &session.sources);
    let mut diagnostics = session.diagnostics.into_sorted();
    diagnostics.retain(|diagnostic| common.verbose || !diagnostic.verbose);
    let (errors, warnings) = (count(&diagnostics, Severity::Error), count(&diagnostics, Severity::Warning));
    // A closed pipe is not an error.
    let _ = shown(diagnostics, common.max_errors).iter().try_for_each(|d| writeln!(out, "{}", printer.show(d)));
    match result {
        Ok(summary) => {
            let shown = common.message_format == MessageFormat::Human && !summary.silent;
            if shown && !common.quiet {
                let place = session.found.map(|found| format!("{found}: ")).unwrap_or_default();
                let _ = match &summary.checked {
                    Some(what) => {
                        let found = if warnings == 0 { "no errors".to_owned() } else { plural(warnings, "warning") };
                        writeln!(out, "torchgen-rs: {place}checked {what}: {found} ({:.2} s)", elapsed.as_secs_f64())
                    }
                    None => writeln!(out, "torchgen-rs: {place}{}", summary_line(&summary, elapsed)),
                };
                if common.verbose && !summary.dry_run {
                    let files = &summary.report.changed;
                    let _ = files.iter().try_for_each(|path| writeln!(out, "  {}", path.display()));
                    if summary.checked.is_none() && files.is_empty() {
                        let _ = writeln!(out, "  no file changed");
                    }
                    let _ = summary.removed.iter().try_for_each(|path| writeln!(out, "  removed {}", path.display()));
                    if let Some(path) = session.changed {
                        let _ = writeln!(out, "  because `{}` changed", path.display());
                    }
                }
            }
            // The result of a dry run, unless it is in lists.
            if shown && (common.verbose || !summary.lists) {
                let _ = summary.listed.iter().try_for_each(|path| writeln!(out, "  {}", path.display()));
            }
            if common.timings {
                let timings = &session.timings;
                let _ = match common.message_format {
                    MessageFormat::Human | MessageFormat::Github => write!(out, "{}", timings.table(&summary, elapsed)),
                    MessageFormat::Json => writeln!(out, "{}", timings.json(&summary, elapsed)),
                };
            }
            (Status::Done, session.timings.counters(&summary))
        }
        Err(JobError::Input) => {
            if common.message_format == MessageFormat::Human {
                let rest = if session.checks_only { "" } else { "; nothing was written" };
                let _ = writeln!(out, "{}{rest}", errors_line(errors, warnings));
            }
            (Status::Errors, Counters::default())
        }
        Err(JobError::Failed(reasons)) => {
            let _ = shown(reasons, common.max_errors).iter().try_for_each(|d| writeln!(out, "{}", printer.show(d)));
            (Status::Failed, Counters::default())
        }
    }
}

/// The diagnostics with at most `limit` errors, and a note that counts the others. 0 means no
/// limit.
fn shown(mut diagnostics: Vec<Diagnostic>, limit: usize) -> Vec<Diagnostic> {
    let (mut errors, total) = (0, count(&diagnostics, Severity::Error));
    if limit == 0 || total <= limit {
        return diagnostics;
    }
    diagnostics.retain(|diagnostic| {
        errors += usize::from(diagnostic.severity == Severity::Error);
        diagnostic.severity != Severity::Error || errors <= limit
    });
    let message = format!("{} not shown", plural(total - limit, "more error"));
    diagnostics.push(Diagnostic::new(&codes::MORE_ERRORS, message).help("`--max-errors 0` shows all"));
    diagnostics
}

/// Writes data to standard output.
///
/// # Errors
/// The data cannot be written. A closed pipe is not an error.
pub fn write_data(text: &str) -> Result<(), Diagnostic> {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(Diagnostic::new(&codes::WRITE_FAILED, format!("cannot write to standard output: {error}")))
        }
        _ => Ok(()),
    }
}

/// Writes a command's only output to standard output.
///
/// # Errors
/// As for [`write_data`]; the error is already printed.
pub fn print_data(text: &str) -> Result<Summary, JobError> {
    write_data(text).map_err(|error| refuse(&error))?;
    Ok(Summary { silent: true, ..Summary::default() })
}

/// Prints the error of a command that only prints data, as plain text.
pub(super) fn refuse(error: &Diagnostic) -> JobError {
    let shown = diag::human(error, &Sources::new(), Color::Never);
    let _ = std::io::stderr().lock().write_all(shown.as_bytes());
    JobError::Failed(Vec::new())
}

struct Printer<'a> {
    sources: &'a Sources,
    format: MessageFormat,
    color: Color,
}

impl<'a> Printer<'a> {
    fn new(common: &CommonArgs, sources: &'a Sources) -> Self {
        let colored = match common.color {
            ColorChoice::Always => true,
            ColorChoice::Never => false,
            ColorChoice::Auto => std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none(),
        };
        let color = if colored { Color::Always } else { Color::Never };
        Printer { sources, format: common.message_format, color }
    }

    fn show(&self, diagnostic: &Diagnostic) -> String {
        match self.format {
            MessageFormat::Human => diag::human(diagnostic, self.sources, self.color),
            MessageFormat::Json => diag::json(diagnostic, self.sources),
            MessageFormat::Github => diag::github(diagnostic, self.sources),
        }
    }
}

fn count(diagnostics: &[Diagnostic], severity: Severity) -> usize {
    diagnostics.iter().filter(|d| d.severity == severity).count()
}

fn summary_line(summary: &Summary, elapsed: Duration) -> String {
    if let Some(said) = &summary.said {
        return said.clone();
    }
    let report = &summary.report;
    let written = report.changed.len();
    let seconds = elapsed.as_secs_f64();
    if summary.dry_run {
        let planned = plural(summary.planned, "file");
        let did = match summary.listed.len() {
            _ if summary.lists => format!("lists of {planned}"),
            all if all == summary.planned => format!("would write {planned}"),
            some => format!("would write {some} of {planned}"),
        };
        return format!("dry run, {did} ({seconds:.2} s)");
    }
    let (files, megabytes) = (written + report.unchanged, report.bytes as f64 / 1e6);
    if summary.stood_in {
        return format!("{files} files ({megabytes:.1} MB), nothing changed ({seconds:.2} s)");
    }
    let removed = match summary.removed.len() {
        0 => String::new(),
        count => format!(", {count} removed"),
    };
    format!(
        "{files} files ({megabytes:.1} MB), {written} written, {} unchanged{removed} ({seconds:.2} s)",
        report.unchanged
    )
}

fn errors_line(errors: usize, warnings: usize) -> String {
    match (errors, warnings) {
        (e, 0) => format!("torchgen-rs: {}", plural(e, "error")),
        (0, w) => format!("torchgen-rs: {}, treated as errors", plural(w, "warning")),
        (e, w) => format!("torchgen-rs: {}, {}", plural(e, "error"), plural(w, "warning")),
    }
}
