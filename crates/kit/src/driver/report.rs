//! Prints the result of a job: diagnostics on standard error in file order, then a summary line.
//!
//! Invariant: nothing goes to standard output, which is for data. `diag::render` formats
//! diagnostics.

use std::fmt::Write;
use std::path::PathBuf;
use std::time::Duration;

use super::args::{ColorChoice, CommonArgs, MessageFormat};
pub use super::summary::Summary;
use super::{Counters, Host, JobError, Outcome, Session, Status};
use torchgen_base::diag::{self, Color, Diagnostic, Severity, Sources, codes, plural};

/// Prints the result, and returns it as data.
pub(crate) fn print(
    common: &CommonArgs,
    session: Session,
    result: Result<Summary, JobError>,
    elapsed: Duration,
) -> Outcome {
    let Session { mut host, sources, diagnostics, timings, found, left_out, changed, checks_only, .. } = session;
    let mut out = String::new();
    let printer = Printer::new(common, &host, &sources);
    let mut diagnostics = diagnostics.into_sorted();
    diagnostics.retain(|diagnostic| common.verbose || !diagnostic.verbose);
    let (errors, warnings) = (count(&diagnostics, Severity::Error), count(&diagnostics, Severity::Warning));
    let mut diagnostics = shown(diagnostics, common.max_errors);
    printer.show_all(&diagnostics, &mut out);
    let status = match &result {
        Ok(summary) => {
            let run = FinishedRun { found, left_out, changed, warnings, elapsed };
            done(summary, common, run, &mut out);
            if common.timings {
                match common.message_format {
                    MessageFormat::Human | MessageFormat::Github => out.push_str(&timings.table(summary, elapsed)),
                    MessageFormat::Json => out.extend([timings.json(summary, elapsed).as_str(), "\n"]),
                }
            }
            Status::Done
        }
        Err(JobError::Input) => {
            if common.message_format == MessageFormat::Human {
                let rest = if checks_only { "" } else { "; nothing was written" };
                let _ = writeln!(out, "{}{rest}", errors_line(errors, warnings));
            }
            Status::Errors
        }
        Err(JobError::Failed(_) | JobError::Stopped) => Status::Failed,
    };
    let (summary, counters) = match result {
        Ok(summary) => {
            let counters = timings.counters(&summary);
            (summary, counters)
        }
        Err(error) => {
            if let JobError::Failed(reasons) = error {
                let reasons = shown(reasons, common.max_errors);
                printer.show_all(&reasons, &mut out);
                diagnostics.extend(reasons);
            }
            (Summary::default(), Counters::default())
        }
    };
    host.say(&out);
    Outcome::new(status, summary, counters, diagnostics, sources, host)
}

/// Facts about a run besides its summary.
struct FinishedRun {
    /// What was found for it, such as the version of torch.
    found: Option<String>,
    /// What was not checked.
    left_out: Option<&'static str>,
    /// Why it was not skipped.
    changed: Option<PathBuf>,
    warnings: usize,
    elapsed: Duration,
}

/// Adds what a finished job did to the text: a line, and the files if they are asked for.
fn done(summary: &Summary, common: &CommonArgs, run: FinishedRun, out: &mut String) {
    let FinishedRun { found, left_out, changed, warnings, elapsed } = run;
    if common.message_format != MessageFormat::Human || summary.silent {
        return;
    }
    let mut line = |text: String| out.extend([text.as_str(), "\n"]);
    if !common.quiet {
        let place = found.map(|found| format!("{found}: ")).unwrap_or_default();
        match &summary.checked {
            Some(what) => {
                let found = if warnings == 0 { "no errors".to_owned() } else { plural(warnings, "warning") };
                line(format!("torchgen-rs: {place}checked {what}: {found} ({:.2} s)", elapsed.as_secs_f64()));
                if let Some(left_out) = left_out {
                    line(format!("  not checked: {left_out}"));
                }
            }
            None => line(format!("torchgen-rs: {place}{}", summary_line(summary, elapsed))),
        }
        if common.verbose && !summary.dry_run {
            let files = &summary.report.changed;
            files.iter().for_each(|path| line(format!("  {}", path.display())));
            if summary.checked.is_none() && files.is_empty() {
                line("  no file changed".to_owned());
            }
            summary.removed.iter().for_each(|path| line(format!("  removed {}", path.display())));
            if let Some(path) = changed {
                line(format!("  because `{}` changed", path.display()));
            }
        }
    }
    // The result of a dry run, unless it is in lists.
    if common.verbose || !summary.lists {
        summary.listed.iter().for_each(|path| line(format!("  {}", path.display())));
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

/// Prints a command's only output.
///
/// # Errors
/// The data cannot be written.
pub fn print_data(text: &str, session: &mut Session) -> Result<Summary, JobError> {
    session.host.print(text)?;
    Ok(Summary { silent: true, ..Summary::default() })
}

struct Printer<'a> {
    sources: &'a Sources,
    format: MessageFormat,
    color: Color,
}

impl<'a> Printer<'a> {
    fn new(common: &CommonArgs, host: &Host, sources: &'a Sources) -> Self {
        let colored = match common.color {
            ColorChoice::Always => true,
            ColorChoice::Never => false,
            ColorChoice::Auto => host.is_colored(),
        };
        let color = if colored { Color::Always } else { Color::Never };
        Printer { sources, format: common.message_format, color }
    }

    /// Adds diagnostics to a text, each with a line break.
    fn show_all(&self, diagnostics: &[Diagnostic], out: &mut String) {
        diagnostics.iter().for_each(|diagnostic| out.extend([self.show(diagnostic).as_str(), "\n"]));
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
