//! `python/torchgen_rs/commands.py` has a function for each command, with its flags as arguments,
//! and `things.py` a type for each object that `model` prints.
//!
//! `UPDATE_EXPECT=1 cargo test --test fast python_functions::` writes the files again.

mod things;

use std::any::TypeId;
use std::fmt::Write;
use std::path::PathBuf;

use clap::{Arg, ArgAction, Command};
use libtest_mimic::Trial;
use torchgen_rs::command_line;

use crate::expected::assert_is_text_of_file;
use crate::root;
use things::every_line_has_a_type;

/// The tests of this module.
pub(crate) fn trials() -> Vec<Trial> {
    trials![every_command_is_a_function, every_line_has_a_type]
}

/// The beginning of the file.
const HEAD: &str = r#""""A function for each command of the program. Flags are keyword arguments.

``UPDATE_EXPECT=1 cargo test --test fast python_functions::`` writes this file. Each function raises
``TorchgenError`` if the command fails. Paths are relative to the current directory of the process.
"""

from __future__ import annotations

from ._calls import call

TYPE_CHECKING = False
if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Mapping, Sequence
    from typing import Literal

    from .hooks import Hook
    from .results import Run

    _Path = str | os.PathLike[str]
"#;

/// The flags that are about the terminal.
const LEFT_OUT: &[&str] = &["help", "version", "quiet", "color", "message_format"];

/// Words that cannot be names of arguments. An underscore follows them.
const KEYWORDS: &[&str] =
    &["class", "def", "for", "from", "global", "if", "import", "in", "is", "lambda", "not", "with"];

/// The commands that ask a function of Python about operators.
const ASKING: &[&str] = &["backend-stubs", "lazy-tensor"];

/// Arguments that are no flags, and what they mean.
type More = [(&'static str, &'static str, &'static str); 2];

/// Those that they have besides.
const ASKED: More = [
    ("hook", "Hook", "A function that decides what is generated for single operators: ``torchgen_rs.hooks``."),
    ("fingerprint", "str", "What distinguishes the hook: runs with the same one can replace each other."),
];

/// The command whose templates call functions of Python, and its arguments besides.
const CALLING: (&str, More) = (
    "generator",
    [
        (
            "functions",
            "Mapping[str, Callable[..., object]]",
            "Functions that templates call, by the names that the manifest has under ``python``. They get and \
             return plain values.",
        ),
        ("fingerprint", "str", "What distinguishes the functions: runs with the same one can replace each other."),
    ],
);

/// How many columns a line has.
const WIDTH: usize = 100;

fn takes_many(arg: &Arg) -> bool {
    matches!(arg.get_action(), ArgAction::Append) || arg.get_num_args().is_some_and(|range| range.max_values() > 1)
}

/// Whether a repeated flag would replace the earlier one, so that all values follow one flag.
fn is_list(arg: &Arg) -> bool {
    !arg.is_positional() && takes_many(arg) && !matches!(arg.get_action(), ArgAction::Append)
}

fn name(arg: &Arg) -> String {
    let name = if arg.is_positional() { arg.get_id().as_str() } else { arg.get_long().expect("a long name") };
    let name = name.replace('-', "_");
    if KEYWORDS.contains(&name.as_str()) { format!("{name}_") } else { name }
}

/// The type of an argument's value.
fn value(arg: &Arg) -> String {
    let possible = arg.get_possible_values();
    let parser = arg.get_value_parser().type_id();
    if !possible.is_empty() {
        let shown = possible.iter().filter(|value| !value.is_hide_set());
        let shown: Vec<String> = shown.map(|value| format!("\"{}\"", value.get_name())).collect();
        return format!("Literal[{}]", shown.join(", "));
    }
    if arg.get_value_names().is_some_and(|names| names == ["NAME=VALUE"]) {
        return "str | Mapping[str, object]".to_owned();
    }
    let known = [(TypeId::of::<PathBuf>(), "_Path"), (TypeId::of::<usize>(), "int")];
    known.iter().find(|(id, _)| parser == *id).map_or("str", |(_, name)| name).to_owned()
}

/// An argument of a function, as it is declared.
fn declared(arg: &Arg) -> String {
    let name = name(arg);
    if !arg.get_action().takes_values() {
        return format!("{name}: bool = False");
    }
    let one = value(arg);
    let many = takes_many(arg);
    let is_optional = arg.get_num_args().is_some_and(|range| range.min_values() == 0 && range.max_values() == 1);
    let (one, default) = match (many, is_optional) {
        (true, _) => (format!("{one} | Sequence[{one}]"), "None"),
        (false, true) => (format!("{one} | bool"), "False"),
        (false, false) => (one, "None"),
    };
    match (arg.is_required_set(), default) {
        (true, _) => format!("{name}: {one}"),
        (false, "None") => format!("{name}: {one} | None = None"),
        (false, default) => format!("{name}: {one} = {default}"),
    }
}

/// Text in lines after an indentation; further lines have four more blanks.
fn wrapped(out: &mut String, indent: usize, text: &str) {
    wrapped_in(out, indent, indent + 4, text);
}

/// Text in lines after an indentation, that of the first line and that of further ones.
fn wrapped_in(out: &mut String, indent: usize, more: usize, text: &str) {
    let mut width = 0;
    for (index, word) in text.split_whitespace().enumerate() {
        if index == 0 || width + 1 + word.chars().count() > WIDTH {
            let indent = if index == 0 { indent } else { more };
            let _ = write!(out, "{}{:indent$}{word}", if index == 0 { "" } else { "\n" }, "");
            width = indent + word.chars().count();
        } else {
            let _ = write!(out, " {word}");
            width += 1 + word.chars().count();
        }
    }
    out.push('\n');
}

/// Text in a docstring, with a full stop.
fn sentence(text: &str) -> String {
    let text = text.replace('\\', "\\\\").replace('`', "``");
    let text = text.replace("\n\n", ". ").replace("... ", ". ");
    if text.ends_with(['.', '!', '?', ':', '…']) { text } else { format!("{text}.") }
}

fn meaning(arg: &Arg) -> String {
    let help = arg.get_long_help().or(arg.get_help()).map(ToString::to_string).unwrap_or_default();
    let mut meaning = help.split("\n\n").map(sentence).collect::<Vec<_>>().join(" ");
    let defaults: Vec<String> =
        arg.get_default_values().iter().map(|value| format!("``{}``", value.to_string_lossy())).collect();
    if arg.get_action().takes_values() && !defaults.is_empty() && !arg.is_hide_default_value_set() {
        let _ = write!(meaning, " Default: {}.", defaults.join(", "));
    }
    meaning
}

/// A tuple of names.
fn names<'a>(args: impl Iterator<Item = &'a &'a Arg>) -> Option<String> {
    let names: Vec<String> = args.map(|arg| format!("\"{}\"", name(arg))).collect();
    match names.len() {
        0 => None,
        1 => Some(format!("({},)", names[0])),
        _ => Some(format!("({})", names.join(", "))),
    }
}

fn function(command: &Command, out: &mut String) {
    let wanted = |arg: &&Arg| !arg.is_hide_set() && !LEFT_OUT.contains(&arg.get_id().as_str());
    let mut args: Vec<&Arg> = command.get_arguments().filter(wanted).collect();
    // In Python too, what is required comes first.
    args.sort_by_key(|arg| (!arg.is_positional(), !arg.is_required_set()));
    let _ = writeln!(out, "\n\ndef {}(", command.get_name().replace('-', "_"));
    for (index, arg) in args.iter().enumerate() {
        if !arg.is_positional() && (index == 0 || args[index - 1].is_positional()) {
            out.push_str("    *,\n");
        }
        let _ = writeln!(out, "    {},", declared(arg));
    }
    let named = command.get_name();
    let calling = CALLING.1.iter().filter(|_| named == CALLING.0);
    let asked = ASKED.iter().filter(|_| ASKING.contains(&named)).chain(calling);
    asked.clone().for_each(|(name, ty, _)| out.push_str(&format!("    {name}: {ty} | None = None,\n")));
    out.push_str(") -> Run:\n");
    let about = command.get_about().map(ToString::to_string).unwrap_or_default();
    wrapped(out, 4, &format!("\"\"\"{}", sentence(&about)));
    out.push_str("\n    Args:\n");
    args.iter().for_each(|arg| wrapped(out, 8, &format!("{}: {}", name(arg), meaning(arg))));
    asked.for_each(|(name, _, meaning)| wrapped(out, 8, &format!("{name}: {meaning}")));
    out.push_str("\n    Raises:\n        TorchgenError: the command failed.\n    \"\"\"\n");
    let lists = names(args.iter().filter(|arg| is_list(arg)));
    let positional = names(args.iter().filter(|arg| arg.is_positional()));
    let lists = lists.map(|names| format!(", lists={names}")).unwrap_or_default();
    let positional = positional.map(|names| format!(", positional={names}")).unwrap_or_default();
    let _ = writeln!(out, "    return call(\"{}\", locals(){lists}{positional})", command.get_name());
}

/// The file.
fn file() -> String {
    let mut out = HEAD.to_owned();
    let program = command_line();
    let commands = program.get_subcommands().filter(|command| !command.is_hide_set() && command.get_name() != "help");
    commands.for_each(|command| function(command, &mut out));
    out
}

fn every_command_is_a_function() {
    assert_is_text_of_file(&root().join("python/torchgen_rs/commands.py"), &file());
}
