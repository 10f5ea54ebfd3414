//! `docs/command-line.md` has every command and flag, as clap has them.
//!
//! `UPDATE_EXPECT=1 cargo test --test fast command_line::` writes the page again. Flags that most
//! commands have are listed once: the page would be twice as long.

use std::collections::BTreeMap;
use std::fmt::Write;

use clap::{Arg, Command};
use libtest_mimic::Trial;
use torchgen_rs::command_line;

use crate::expected::assert_is_text_of_file;
use crate::root;

/// The tests of this module.
pub(crate) fn trials() -> Vec<Trial> {
    trials![the_reference_of_commands_is_fresh, cells_are_markdown]
}

/// The beginning of the page.
const HEAD: &str = "# Command line\n\n\
    This page lists the commands and their flags. `torchgen-rs COMMAND --help` prints the same, and `-h`\n\
    a shorter form. Dashes in names of flags can be underscores, and names can be cut where they stay\n\
    unambiguous.\n";

/// A row of the page.
#[derive(Debug, Clone, PartialEq)]
struct Row {
    names: String,
    meaning: String,
}

/// Text as Markdown in a cell of a table: outside of code, angle brackets would be HTML.
fn cell(text: &str) -> String {
    let mut in_code = false;
    let mut out = String::new();
    for c in text.split_whitespace().collect::<Vec<_>>().join(" ").chars() {
        in_code ^= c == '`';
        match c {
            '|' => out.push_str(r"\|"),
            '<' if !in_code => out.push_str("&lt;"),
            '*' if !in_code => out.extend(['\\', c]),
            _ => out.push(c),
        }
    }
    out
}

/// Text in lines of at most 100 columns, if its words allow.
fn wrapped(text: &str) -> String {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= 100 => line.extend([" ", word]),
            _ => lines.push(word.to_owned()),
        }
    }
    lines.join("\n")
}

/// The text with a full stop.
fn sentence(text: &str) -> String {
    let text = cell(text);
    if text.is_empty() || text.ends_with(['.', '!', '?', ':']) { text } else { format!("{text}.") }
}

fn row(arg: &Arg) -> Row {
    let values = arg.get_value_names().unwrap_or_default();
    let takes = arg.get_action().takes_values();
    let many = arg.get_num_args().is_some_and(|range| range.max_values() > 1);
    let optional = arg.get_num_args().is_some_and(|range| range.min_values() == 0);
    let value = match (values.join(" "), takes) {
        (_, false) => String::new(),
        (name, true) if optional => format!(" [<{name}>]"),
        (name, true) => format!(" <{name}>"),
    };
    let many = if many && takes { "..." } else { "" };
    let mut names: Vec<String> = Vec::new();
    names.extend(arg.get_short().map(|short| format!("`-{short}`")));
    names.extend(arg.get_long().map(|long| format!("`--{long}{value}{many}`")));
    names.extend(arg.get_visible_short_aliases().unwrap_or_default().iter().map(|alias| format!("`-{alias}`")));
    names.extend(arg.get_visible_aliases().unwrap_or_default().iter().map(|alias| format!("`--{alias}`")));
    if arg.is_positional() {
        names.push(format!("`{}{many}`", value.trim()));
    } else if arg.get_long().is_none()
        && let Some(name) = names.last_mut()
    {
        *name = name.replacen("`", "", 2);
        *name = format!("`{name}{value}{many}`");
    }
    let help = arg.get_long_help().or(arg.get_help()).map(ToString::to_string).unwrap_or_default();
    let mut meaning = help.split("\n\n").map(sentence).collect::<Vec<_>>().join(" ");
    let possible: Vec<_> =
        arg.get_possible_values().into_iter().filter(|value| takes && !value.is_hide_set()).collect();
    if !possible.is_empty() {
        let values = possible.iter().map(|value| match value.get_help() {
            Some(help) => format!("`{}` ({})", value.get_name(), cell(&help.to_string())),
            None => format!("`{}`", value.get_name()),
        });
        let _ = write!(meaning, " One of {}.", values.collect::<Vec<_>>().join(", "));
    }
    let defaults: Vec<String> =
        arg.get_default_values().iter().map(|value| format!("`{}`", value.to_string_lossy())).collect();
    if takes && !defaults.is_empty() && !arg.is_hide_default_value_set() {
        let _ = write!(meaning, " Default: {}.", defaults.join(", "));
    }
    if arg.is_required_set() {
        meaning.push_str(" Required.");
    }
    Row { names: names.join(", "), meaning }
}

/// The rows of a command, by their heading in the help.
fn rows(command: &Command) -> Vec<(String, Row)> {
    let shown = |arg: &&Arg| !arg.is_hide_set() && !matches!(arg.get_id().as_str(), "help" | "version");
    let heading = |arg: &Arg| match arg.get_help_heading() {
        Some(heading) => heading.to_owned(),
        None if arg.is_positional() => "Arguments".to_owned(),
        None => "Options".to_owned(),
    };
    let mut rows: Vec<(String, Row)> = Vec::new();
    for arg in command.get_arguments().filter(shown) {
        let heading = heading(arg);
        let at = rows.iter().rposition(|(other, _)| *other == heading).map_or(rows.len(), |last| last + 1);
        rows.insert(at, (heading, row(arg)));
    }
    rows.sort_by_key(|(heading, _)| heading != "Arguments");
    rows
}

fn table(page: &mut String, rows: &[&Row]) {
    page.push_str("| | |\n| --- | --- |\n");
    rows.iter().for_each(|row| page.push_str(&format!("| {} | {} |\n", row.names, row.meaning)));
    page.push('\n');
}

/// The page.
fn page() -> String {
    let program = command_line();
    let commands: Vec<&Command> =
        program.get_subcommands().filter(|command| !command.is_hide_set() && command.get_name() != "help").collect();
    let all: Vec<Vec<(String, Row)>> = commands.iter().map(|command| rows(command)).collect();
    let mut seen: BTreeMap<&str, Vec<&Row>> = BTreeMap::new();
    all.iter().flatten().for_each(|(_, row)| seen.entry(&row.names).or_default().push(row));
    // Most commands have them, in the same words.
    let is_common = |row: &Row| seen[row.names.as_str()].iter().filter(|other| **other == row).count() * 2 > all.len();
    let mut common: Vec<&Row> = Vec::new();
    for (_, row) in all.iter().flatten().filter(|(_, row)| is_common(row)) {
        if !common.contains(&row) {
            common.push(row);
        }
    }
    let mut page = format!("{HEAD}\n| command | what it does |\n| --- | --- |\n");
    for command in &commands {
        let about = sentence(&command.get_about().map(ToString::to_string).unwrap_or_default());
        let _ = writeln!(page, "| [`{name}`](#{name}) | {about} |", name = command.get_name());
    }
    page.push_str("\n## Common flags\n\nMost commands have these flags; each section names those of its command.\n\n");
    table(&mut page, &common);
    for (command, rows) in commands.iter().zip(&all) {
        let _ = write!(page, "## {}\n\n", command.get_name());
        let mut command = (*command).clone();
        let about = command.get_long_about().or(command.get_about()).map(ToString::to_string).unwrap_or_default();
        let usage = command.render_usage().to_string().replace("Usage: ", "");
        let _ = write!(page, "{}\n\n```text\n{}\n```\n\n", wrapped(&sentence(&about)), usage.trim());
        let own: Vec<&(String, Row)> = rows.iter().filter(|(_, row)| !is_common(row)).collect();
        for group in own.chunk_by(|a, b| a.0 == b.0) {
            if group[0].0 != "Options" {
                let _ = write!(page, "{}:\n\n", group[0].0);
            }
            table(&mut page, &group.iter().map(|(_, row)| row).collect::<Vec<_>>());
        }
        let shared = rows.iter().filter(|(_, row)| is_common(row)).filter_map(|(_, row)| {
            let name = row.names.split("`--").nth(1)?;
            Some(format!("`--{}`", name.split([' ', '`', '[']).next()?))
        });
        let shared: Vec<String> = shared.collect();
        if !shared.is_empty() {
            let line = format!("[Common flags](#common-flags): {}.", shared.join(", "));
            let _ = write!(page, "{}\n\n", wrapped(&line));
        }
        if let Some(after) = command.get_after_long_help().or(command.get_after_help()) {
            let _ = write!(page, "```text\n{}\n```\n\n", after.to_string().trim());
        }
    }
    format!("{}\n", page.trim_end())
}

fn the_reference_of_commands_is_fresh() {
    assert_is_text_of_file(&root().join("docs/command-line.md"), &page());
}

fn cells_are_markdown() {
    assert_eq!(cell("a <ns> or\n  `<ns>`, x|y"), r"a &lt;ns> or `<ns>`, x\|y");
    let flag = Arg::new("x").short('x').long("long").value_name("DIR").num_args(1..).default_value("a").help("Does it");
    let expected = Row { names: "`-x`, `--long <DIR>...`".into(), meaning: "Does it. Default: `a`.".into() };
    assert_eq!(row(&flag), expected);
}
