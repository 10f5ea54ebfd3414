//! `torchgen-rs list`: prints the generators of all families, their commands, files and templates.

use std::fmt::Write;

use clap::Args;
use serde::Serialize;

use crate::families::FAMILIES;
use torchgen_base::diag::{Diagnostic, codes, did_you_mean};
use torchgen_kit::driver::args::{Common, CommonArgs, INPUT, OUTPUT};
use torchgen_kit::driver::family::{Family, GeneratorInfo};
use torchgen_kit::driver::job::{Example, Job, JobArgs, example};
use torchgen_kit::driver::report::{Summary, print_data};
use torchgen_kit::driver::{JobError, Session};

/// The command.
pub(super) struct List;

/// The arguments of `list`.
#[derive(Debug, Clone, Args)]
pub(super) struct ListArgs {
    /// A family, such as `graph-ir`
    ///
    /// List only its generators; `torch` is PyTorch's.
    #[arg(long, value_name = "FAMILY", help_heading = INPUT)]
    family: Option<String>,
    /// Print JSON instead of text
    ///
    /// One object for each generator.
    #[arg(long, help_heading = OUTPUT)]
    json: bool,
    /// The flags beyond.
    #[command(flatten)]
    common: Common<0>,
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
    const EXAMPLES: &'static [Example] =
        &[example("List everything", "list"), example("List one family as JSON", "list --family graph-ir --json")];

    fn run(args: &ListArgs, session: &mut Session) -> Result<Summary, JobError> {
        let wanted = |family: &&&Family| args.family.as_deref().is_none_or(|name| names(family).contains(&name));
        let families: Vec<&Family> = FAMILIES.iter().filter(wanted).copied().collect();
        if let Some(family) = args.family.as_deref().filter(|_| families.is_empty()) {
            return Err(no_such_family(family).into());
        }
        print_data(&if args.json { json(&families)? } else { text(&families) }, session)
    }
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
    name: &'static str,
    command: &'static str,
    about: String,
    files: Vec<&'static str>,
    templates: &'static str,
}

/// The generators of a family.
fn lines(family: &Family) -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::new();
    for GeneratorInfo { name, command, about, files, templates } in (family.generators)() {
        let same = |line: &&mut Line| (line.name, line.command) == (name, command);
        match lines.iter_mut().find(same) {
            Some(line) => {
                let _ = write!(line.about, "; {about}");
                line.files.extend(files);
            }
            None => {
                let (about, files) = (about.to_owned(), files.to_vec());
                lines.push(Line { family: family.name, name, command, about, files, templates });
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
    let lines = families.iter().flat_map(|family| lines(family)).map(|line| serde_json::to_string(&line));
    let failed = |error: serde_json::Error| Diagnostic::new(&codes::USAGE, error.to_string());
    lines.map(|line| line.map(|line| line + "\n")).collect::<Result<_, _>>().map_err(failed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_generator_is_listed_once_with_all_files() {
        for family in FAMILIES {
            let names: Vec<_> = lines(family).iter().map(|line| (line.command, line.name)).collect();
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
            units docs: a table\n    files      units.md\n    templates  units/units.md.j2\n";
        assert_eq!(text, expected);
        let lines = json(&of("units")).expect("JSON");
        let expected = r#"{"family":"units","name":"header","command":"units","about":"constants","files":["units.h"],"templates":"units/units.h.j2"}"#;
        assert_eq!(lines.lines().next(), Some(expected));
        assert_eq!(names(FAMILIES[0]), ["torch"]);
    }
}
