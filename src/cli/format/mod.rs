//! `torchgen-rs format`: lays YAML files out in one style.
//!
//! Invariant: nothing is written before all files were read, and nothing after an error. A file is
//! replaced as a whole, and only if its text changes.

mod files;
#[cfg(test)]
mod tests;

use std::io::Read;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use clap::Args;

use self::files::{Named, files, named_file};
pub(crate) use self::files::{is_read, style};
use torchgen_base::diag::{self, Diagnostic, Diagnostics, FileId, Span, codes, plural};
use torchgen_base::write::{Report, check_appendable, rewrite};
use torchgen_base::yaml::format::{Unformatted, format};
use torchgen_base::yaml::{self, Options};
use torchgen_kit::driver::args::{Common, CommonArgs, INPUT, OUTPUT};
use torchgen_kit::driver::job::{Example, Job, JobArgs, example};
use torchgen_kit::driver::report::{Summary, print_data};
use torchgen_kit::driver::{JobError, Session};

/// The command.
pub(super) struct Format;

/// The path that means standard input.
const STDIN: &str = "-";

/// The arguments of `format`.
#[derive(Debug, Clone, Args)]
pub(super) struct FormatArgs {
    /// YAML files and directories, or `-` for standard input
    ///
    /// Of directories, the files below that torchgen-rs reads: those with PyTorch's names, those
    /// that begin with `family:`, operators, and backends. The default is this directory.
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// The paths are changed files, as pre-commit passes them
    ///
    /// Files that torchgen-rs does not read are skipped, as in directories.
    #[arg(long, help_heading = INPUT)]
    changed: bool,
    /// Format only the entries that have one of these lines, such as `12` or `12-20`
    #[arg(long, value_name = "LINES", value_parser = lines, help_heading = INPUT)]
    range: Option<RangeInclusive<usize>>,
    /// The name of standard input in messages
    #[arg(long, value_name = "PATH", help_heading = INPUT, hide_short_help = true)]
    stdin_filename: Option<PathBuf>,
    /// Write nothing, and fail if a file would change
    #[arg(long, help_heading = OUTPUT)]
    check: bool,
    /// Write nothing, and print what would change
    #[arg(long, help_heading = OUTPUT)]
    diff: bool,
    /// The flags beyond.
    #[command(flatten)]
    common: Common<0>,
}

/// A range of lines.
fn lines(text: &str) -> Result<RangeInclusive<usize>, String> {
    let line = |text: &str| text.parse().map_err(|_| format!("`{text}` is not the number of a line"));
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    match (line(first)?, line(last)?) {
        (0, _) => Err("lines count from 1".to_owned()),
        (first, last) if last < first => Err("the last line is before the first".to_owned()),
        (first, last) => Ok(first..=last),
    }
}

impl JobArgs for FormatArgs {
    fn common(&self) -> CommonArgs {
        self.common.clone().into()
    }
}

impl Job for Format {
    type Args = FormatArgs;
    const NAME: &'static str = "format";
    const ABOUT: &'static str = "Format YAML files: spaces, indentation, schemas and lists of names";
    const EXAMPLES: &'static [Example] = &[
        example("Format the files of this directory and below", "format"),
        example("List the files that would change, and fail if there is one", "format --check ops backends/npu"),
        example("Format what an editor shows", "format --stdin-filename ops.yaml -"),
    ];

    fn run(args: &FormatArgs, session: &mut Session) -> Result<Summary, JobError> {
        session.checks_only = args.check || args.diff;
        let is_stdin = args.paths.iter().any(|path| path == Path::new(STDIN));
        if is_stdin && args.paths.len() > 1 {
            return Err(Diagnostic::new(&codes::USAGE, "`-` cannot be combined with other paths").into());
        }
        let files = if is_stdin { standard_input(args, session)? } else { files(&args.paths, args.changed, session)? };
        if args.range.is_some() && files.len() != 1 {
            let message = format!("`--range` needs one file, not {}", files.len());
            return Err(Diagnostic::new(&codes::USAGE, message).into());
        }
        session.check_errors()?;
        let count = files.len();
        let pairs: Vec<(Named, Option<String>)> = files
            .into_iter()
            .map(|file| {
                let new = formatted(&file, args.range.clone(), session);
                (file, new)
            })
            .collect();
        session.check_errors()?;
        if is_stdin && !session.checks_only {
            let text = |(file, new): (Named, Option<String>)| file.mark().to_owned() + &new.unwrap_or(file.text);
            return print_data(&pairs.into_iter().map(text).collect::<String>(), session);
        }
        let changed: Vec<(Named, String)> = pairs.into_iter().filter_map(|(file, new)| Some((file, new?))).collect();
        if args.diff {
            let patches = changed.iter().map(|(file, new)| diag::patch(&file.name, &file.text, new));
            session.host.print(&patches.collect::<String>())?;
        }
        if args.check {
            for (file, new) in &changed {
                report_unformatted(file, new, session);
            }
            session.check_errors()?;
        }
        let said = Some(summary(count, changed.len(), session.checks_only));
        let mut report = Report::default();
        if !session.checks_only {
            session.host.begin_writing()?;
            write(&changed)?;
            report.changed = changed.into_iter().map(|(file, _)| file.path).collect();
        }
        Ok(Summary { said, report, ..Summary::default() })
    }
}

fn summary(count: usize, changed: usize, would: bool) -> String {
    let files = plural(count, "file");
    match (changed, would) {
        (0, _) => format!("{files}, nothing to format"),
        (some, true) => format!("would format {some} of {files}"),
        (some, false) => format!("formatted {some} of {files}"),
    }
}

/// What is on standard input; nothing if it is not text.
fn standard_input(args: &FormatArgs, session: &mut Session) -> Result<Vec<Named>, JobError> {
    let mut bytes = Vec::new();
    let read = std::io::stdin().lock().read_to_end(&mut bytes);
    read.map_err(|error| Diagnostic::new(&codes::READ_FAILED, format!("cannot read standard input: {error}")))?;
    let name = args.stdin_filename.as_ref().map_or_else(|| "<stdin>".into(), |path| path.to_string_lossy());
    Ok(named_file(PathBuf::from(STDIN), name.into_owned(), bytes, session).into_iter().collect())
}

/// The new text of a file, if it changes. Errors go to the session.
fn formatted(file: &Named, range: Option<RangeInclusive<usize>>, session: &mut Session) -> Option<String> {
    let has_range = range.is_some();
    let id = session.sources.add(file.name.as_str(), file.text.clone());
    match format(&file.text, style(&file.text), range) {
        Ok(new) => (new != file.text).then_some(new),
        Err(why) => {
            let mut found = Diagnostics::new();
            if why == Unformatted::Syntax {
                yaml::parse_documents(&session.sources, id, Options::SAFE_LOAD, &mut found);
            }
            if !found.has_errors() {
                found.push(unformattable(file, id, has_range));
            }
            session.diagnostics.extend(found);
            None
        }
    }
}

fn unformattable(file: &Named, id: FileId, has_range: bool) -> Diagnostic {
    let place = Span::new(id, 0, 0);
    match has_range {
        true => Diagnostic::new(&codes::UNFORMATTABLE, "these lines cannot be formatted without the others")
            .at(place)
            .help("leave out `--range`"),
        false => {
            let message = format!("the meaning of `{}` would change", file.name);
            Diagnostic::new(&codes::UNFORMATTABLE, message).at(place).help("report it with the file: this is a bug")
        }
    }
}

/// Reports a file that `--check` found, at the first line that would change.
fn report_unformatted(file: &Named, new: &str, session: &mut Session) {
    let id = session.sources.add(file.name.as_str(), file.text.clone());
    let same = file.text.split_inclusive('\n').zip(new.split_inclusive('\n')).take_while(|(old, new)| old == new);
    let start: usize = same.map(|(old, _)| old.len()).sum();
    let len = file.text[start..].find(['\n', '\r']).unwrap_or(file.text.len() - start);
    let is_blank = file.text[start..start + len].trim().is_empty();
    let first = new.get(start..).and_then(|rest| rest.lines().next()).unwrap_or_default();
    let place = Span::new(id, start, start + len);
    let help = match is_blank || first.is_empty() {
        true => "one blank line is enough, and none at the start and at the end".to_owned(),
        false => format!("the line would be `{}`", first.trim_start_matches(' ')),
    };
    session.diagnostics.push(
        Diagnostic::new(&codes::NOT_FORMATTED, format!("`{}` is not formatted", file.name))
            .at_with(place, "the first line that would change")
            .help(help)
            .help(format!("`torchgen-rs format {}` formats it", file.name)),
    );
}

/// Writes the new texts, or none if one cannot be written.
fn write(changed: &[(Named, String)]) -> Result<(), JobError> {
    let refused: Vec<Diagnostic> = changed
        .iter()
        .filter_map(|(file, _)| check_appendable(&file.path).err())
        .map(|error| (&error).into())
        .collect();
    if !refused.is_empty() {
        return Err(JobError::Failed(refused));
    }
    for (file, new) in changed {
        rewrite(&file.path, yaml::encode_as(&file.bytes, new)).map_err(|error| Diagnostic::from(&error))?;
    }
    Ok(())
}
