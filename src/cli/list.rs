//! `torchgen-rs list`: prints the generators of all families, their commands, files and templates;
//! `list operators` what the sources of a project declare.

use std::fmt::Write;
use std::path::PathBuf;

use clap::{ArgMatches, Args};
use serde::Serialize;

use super::explain::documents_of;
use crate::families::{FAMILIES, Fallback, Listed, listed};
use torchgen_base::diag::{Diagnostic, Diagnostics, codes, did_you_mean};
use torchgen_kit::driver::args::{Common, CommonArgs, INPUT, OUTPUT};
use torchgen_kit::driver::family::{DefaultFamily, Family, GeneratorInfo};
use torchgen_kit::driver::head;
use torchgen_kit::driver::job::{Example, Job, JobArgs, example};
use torchgen_kit::driver::report::{Summary, print_data};
use torchgen_kit::driver::request::Request;
use torchgen_kit::driver::{JobError, Session};
use torchgen_kit::facts::Thing;

/// The command.
pub(super) struct List;

/// The arguments of `list`.
#[derive(Debug, Clone, Args)]
pub(super) struct ListArgs {
    /// List what the project declares: its operators, nodes or builders
    ///
    /// Without it, the generators of torchgen-rs. `model` prints the same as data.
    #[arg(value_name = "WHAT", value_enum, conflicts_with_all = ["family", "generator", "json"])]
    what: Option<What>,
    /// YAML files, or directories of them
    ///
    /// The project of `list operators`; the default is that of this directory.
    #[arg(long, short = 's', value_name = "PATH", help_heading = INPUT, requires = "what")]
    source_path: Option<PathBuf>,
    /// A family, such as `graph-ir`
    ///
    /// List only its generators; `torch` is PyTorch's.
    #[arg(long, value_name = "FAMILY", help_heading = INPUT)]
    family: Option<String>,
    /// A generator of your own: its folder, or its manifest
    ///
    /// List what it has.
    #[arg(long, short = 'g', value_name = "DIR", help_heading = INPUT, conflicts_with = "family")]
    generator: Option<PathBuf>,
    /// Print JSON instead of text
    ///
    /// One object for each generator.
    #[arg(long, help_heading = OUTPUT)]
    json: bool,
    /// The flags beyond.
    #[command(flatten)]
    common: Common<0>,
}

/// What a project has.
#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum What {
    /// All that it declares.
    #[value(alias = "ops")]
    Operators,
}

/// Whether a command line asks about something in sources.
pub(super) fn asks_about_sources(matches: &ArgMatches) -> bool {
    matches.contains_id("what")
}

impl JobArgs for ListArgs {
    fn common(&self) -> CommonArgs {
        self.common.clone().into()
    }
}

impl Job for List {
    type Args = ListArgs;
    const NAME: &'static str = "list";
    const ABOUT: &'static str = "List all generators: family, command, files, templates";
    const EXAMPLES: &'static [Example] = &[
        example("List everything", "list"),
        example("List the operators of this directory", "list operators"),
        example("List one family as JSON", "list --family graph-ir --json"),
        example("List the options, entries and files of a generator of your own", "list -g routes"),
    ];

    fn run(args: &ListArgs, session: &mut Session) -> Result<Summary, JobError> {
        if let Some(What::Operators) = args.what {
            return operators(args, session);
        }
        if let Some(folder) = &args.generator {
            let line = own(listed(folder, session)?);
            let text = if args.json { json_lines([line])? } else { own_text(&line) };
            return print_data(&text, session);
        }
        let wanted = |family: &&&Family| args.family.as_deref().is_none_or(|name| names(family).contains(&name));
        let families: Vec<&Family> = FAMILIES.iter().filter(wanted).copied().collect();
        if let Some(family) = args.family.as_deref().filter(|_| families.is_empty()) {
            return Err(no_such_family(family).into());
        }
        print_data(&if args.json { json(&families)? } else { text(&families) }, session)
    }
}

/// Prints what the sources declare, and then the errors in them.
fn operators(args: &ListArgs, session: &mut Session) -> Result<Summary, JobError> {
    session.checks_only = true;
    let source = args.source_path.as_deref();
    let family = source.and_then(|source| head::family_of(source, Fallback::SOURCES));
    let text = match family.filter(|family| !Fallback::NAMES.contains(&family.as_str())) {
        None => Fallback::listed(source, session)?,
        Some(family) => {
            let sources = vec![source.map_or_else(|| PathBuf::from("."), PathBuf::from)];
            let facts = documents_of(&family)?.facts;
            let things = facts(&Request::to_check(sources, &args.common()), session)?.things;
            things
                .iter()
                .map(|Thing { kind, name, schema, .. }| format!("{kind} {}\n", schema.as_ref().unwrap_or(name)))
                .collect()
        }
    };
    session.host.print(&text)?;
    session.check_errors()?;
    // `check` reports warnings.
    session.diagnostics = Diagnostics::new();
    Ok(Summary { silent: true, ..Summary::default() })
}

/// The error about the name of a family.
fn no_such_family(family: &str) -> Diagnostic {
    let known: Vec<&str> = FAMILIES.iter().flat_map(|family| names(family)).collect();
    let near = did_you_mean(family, known.iter().copied());
    let help = near.unwrap_or_else(|| format!("the families are {}", known.join(", ")).into());
    Diagnostic::new(&codes::USAGE, format!("there is no family `{family}`")).help(help)
}

/// What a family may be called: its own name, and the value of `family:`.
fn names(family: &Family) -> Vec<&'static str> {
    let commands = family.commands.iter().filter(|command| command.documents.is_some());
    let commands = commands.map(|command| command.name).filter(|name| *name != family.name);
    [family.name].into_iter().chain(commands).collect()
}

/// A generator as it is listed. One that has several parts, such as headers and sources, is listed
/// once.
#[derive(Serialize)]
struct Line {
    family: &'static str,
    name: String,
    command: &'static str,
    about: String,
    files: Vec<String>,
    templates: String,
    /// Of a user's generator: what `--set` sets.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    options: Vec<String>,
    /// Of a user's generator: the sections of own YAML.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    entries: Vec<String>,
}

/// The line of a user's generator.
fn own(Listed { name, about, options, entries, files, templates }: Listed) -> Line {
    Line {
        family: "generator",
        name,
        command: "generator",
        about,
        files,
        templates: templates.join(" "),
        options,
        entries,
    }
}

/// A user's generator as text; what it does not have is left out.
fn own_text(line: &Line) -> String {
    let mut out =
        format!("{} {}: {}", line.command, line.name, line.about).trim_end_matches([' ', ':']).to_owned() + "\n";
    let rows = [("options", line.options.join(" ")), ("entries", line.entries.join(" "))];
    let rows = rows.into_iter().chain([("files", line.files.join(" ")), ("templates", line.templates.clone())]);
    for (name, words) in rows.filter(|(_, words)| !words.is_empty()) {
        let _ = writeln!(out, "  {name:<10} {words}");
    }
    out
}

/// The generators of a family.
fn lines(family: &Family) -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::new();
    for GeneratorInfo { name, command, about, files, templates } in (family.generators)() {
        let same = |line: &&mut Line| (line.name.as_str(), line.command) == (name, command);
        match lines.iter_mut().find(same) {
            Some(line) => {
                let _ = write!(line.about, "; {about}");
                line.files.extend(files.iter().map(ToString::to_string));
            }
            None => {
                let files = files.iter().map(ToString::to_string).collect();
                let [name, about, templates] = [name, about, templates].map(str::to_owned);
                let (options, entries) = Default::default();
                lines.push(Line { family: family.name, name, command, about, files, templates, options, entries });
            }
        }
    }
    lines
}

fn text(families: &[&Family]) -> String {
    let mut out = String::new();
    for family in families {
        let _ = writeln!(out, "{}: {}", family.name, family.about);
        for (command, documents) in family.commands.iter().filter_map(|c| Some((c, c.documents.as_ref()?))) {
            let _ = writeln!(out, "  {}: reads `family: {}`", command.name, command.name);
            if !documents.emit.is_empty() {
                let _ = writeln!(out, "    --emit     {}", documents.emit.join(" "));
            }
        }
        for line in lines(family) {
            let _ = writeln!(out, "  {} {}: {}", line.command, line.name, line.about);
            let _ = writeln!(out, "    files      {}", line.files.join(" "));
            let _ = writeln!(out, "    templates  {}", line.templates);
        }
    }
    out
}

fn json(families: &[&Family]) -> Result<String, Diagnostic> {
    json_lines(families.iter().flat_map(|family| lines(family)))
}

fn json_lines(lines: impl IntoIterator<Item = Line>) -> Result<String, Diagnostic> {
    let lines = lines.into_iter().map(|line| serde_json::to_string(&line));
    let failed = |error: serde_json::Error| Diagnostic::new(&codes::USAGE, error.to_string());
    lines.map(|line| line.map(|line| line + "\n")).collect::<Result<_, _>>().map_err(failed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_generator_is_listed_once_with_all_files() {
        for family in FAMILIES {
            let names: Vec<_> = lines(family).into_iter().map(|line| (line.command, line.name)).collect();
            let mut distinct = names.clone();
            distinct.sort_unstable();
            distinct.dedup();
            assert_eq!(names.len(), distinct.len(), "{names:?}");
            let files = |count: usize, info: GeneratorInfo| count + info.files.len();
            let listed: usize = lines(family).iter().map(|line| line.files.len()).sum();
            assert_eq!(listed, (family.generators)().into_iter().fold(0, files));
        }
        let all = lines(FAMILIES[0]);
        let operators = all.iter().find(|line| line.name == "operators").expect("a generator");
        assert_eq!(operators.about, "entry points into the dispatcher; one struct per operator");
        assert_eq!(operators.files, ["Operators_<N>.cpp", "Operators.h", "ops/<op>_ops.h"]);
    }

    #[test]
    fn the_list_of_one_family_is_short() {
        let of =
            |name: &str| FAMILIES.iter().filter(|family| names(family).contains(&name)).copied().collect::<Vec<_>>();
        let text = text(&of("units"));
        let expected = "units: units of measurement\n  units: reads `family: units`\n    --emit     docs\n  \
            units header: constants\n    files      units.h\n    templates  units/units.h.j2\n  \
            units docs: pages about them\n    files      docs/<page>.md\n    templates  kit/site\n";
        assert_eq!(text, expected);
        let lines = json(&of("units")).expect("JSON");
        let expected = r#"{"family":"units","name":"header","command":"units","about":"constants","files":["units.h"],"templates":"units/units.h.j2"}"#;
        assert_eq!(lines.lines().next(), Some(expected));
        assert_eq!(names(FAMILIES[0]), ["torch"]);
    }
}
