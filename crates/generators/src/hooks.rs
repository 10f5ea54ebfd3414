//! Text that a YAML file adds to generated files, and the includes that it replaces.
//!
//! Invariant: without the keys `includes` and `files` nothing changes. The reference does not have
//! this; its users change the output with `sed`.

use std::collections::BTreeSet;

use serde::Serialize;

use torchgen_base::diag::{Diagnostic, Diagnostics, Span, did_you_mean};
use torchgen_base::render::{RenderError, Renderer};
use torchgen_base::write::OutputFile;
use torchgen_base::yaml::Text;
use torchgen_model::codes;
use torchgen_model::records::{BackendRecord, FileRecord, HooksRecord};

/// The name for all C++ files.
const ALL: &str = "*";

/// The changes of a backend.
#[derive(Debug, Clone, Copy)]
pub struct Hooks<'a> {
    includes: &'a [Text],
    files: &'a [FileRecord],
}

/// Additional headers of a file.
#[derive(Serialize)]
struct Headers<'a> {
    headers: Vec<&'a str>,
}

impl<'a> Hooks<'a> {
    /// The changes in the YAML of a backend.
    pub fn from_record(record: &'a BackendRecord) -> Hooks<'a> {
        Hooks { includes: &record.includes, files: &record.files }
    }

    /// The changes in a file of hooks.
    pub(crate) fn of_file(record: &'a HooksRecord) -> Hooks<'a> {
        Hooks { includes: &record.includes, files: &record.files }
    }

    /// Whether there are none.
    pub fn is_empty(self) -> bool {
        self.includes.is_empty() && self.files.is_empty()
    }

    /// The changes of a file; those of all files come first.
    fn about(self, file: &str) -> impl Iterator<Item = &'a FileRecord> {
        let is_all = |record: &&FileRecord| record.name.as_str() == ALL && is_cpp(file);
        let all = self.files.iter().filter(move |record| is_all(record));
        all.chain(self.files.iter().filter(move |record| record.name.as_str() == file))
    }

    /// Statements after the registrations of a file.
    pub fn registrations(self, file: &str) -> Vec<&'a str> {
        self.about(file).filter_map(|record| record.registrations.as_deref()).collect()
    }

    /// Changes the files.
    ///
    /// # Errors
    /// The template of includes fails.
    pub fn apply(
        self,
        files: &mut [OutputFile],
        renderer: &Renderer,
        diagnostics: &mut Diagnostics,
    ) -> Result<(), RenderError> {
        if self.is_empty() {
            return Ok(());
        }
        let mut rules = self.rules(diagnostics);
        self.check_names(files, diagnostics);
        for file in files.iter_mut().filter(|file| self.changes(file)) {
            let headers = self.about(&file.path).flat_map(|record| &record.headers).map(String::as_str).collect();
            let headers = renderer.fragment("torch/backend/hook.j2", &Headers { headers })?;
            let part = |of: fn(&FileRecord) -> Option<&Text>| -> String {
                self.about(&file.path).filter_map(of).map(with_line_end).collect()
            };
            let text = rules.replaced(&file.contents.to_string());
            let at = first_line_of_guard(&text);
            let (head, rest) = text.split_at(at);
            let (prologue, epilogue) =
                (part(|record| record.prologue.as_ref()), part(|record| record.epilogue.as_ref()));
            file.contents = [&prologue, head, &headers, rest, &epilogue].concat().into();
        }
        rules.idle(diagnostics);
        Ok(())
    }

    /// Reports what [`Hooks::apply`] would report.
    pub fn report_unused(self, files: &[OutputFile], diagnostics: &mut Diagnostics) {
        let mut rules = self.rules(diagnostics);
        self.check_names(files, diagnostics);
        if !self.includes.is_empty() {
            files
                .iter()
                .filter(|file| self.changes(file))
                .for_each(|file| drop(rules.replaced(&file.contents.to_string())));
            rules.idle(diagnostics);
        }
    }

    /// Whether a file can change.
    fn changes(self, file: &OutputFile) -> bool {
        is_cpp(&file.path) || self.files.iter().any(|record| *record.name == file.path)
    }

    /// Reports text for files that are not generated.
    fn check_names(self, files: &[OutputFile], diagnostics: &mut Diagnostics) {
        for record in self.files.iter().filter(|record| record.name.as_str() != ALL) {
            if !files.iter().any(|file| file.path == record.name.as_str()) {
                let message = format!("`{}` is not a generated file", record.name);
                let help = did_you_mean(&record.name, files.iter().map(|file| file.path.as_str()));
                let found = Diagnostic::new(&codes::NO_SUCH_FILE, message).at(record.name.span());
                diagnostics.push(found.maybe_help(help));
            }
        }
    }

    /// The replacements of `includes`, in order. Others are reported.
    pub fn rules(self, diagnostics: &mut Diagnostics) -> Rules<'a> {
        let mut rules = Rules::default();
        for rule in self.includes {
            match rule.as_str().split_once("->") {
                Some((from, to)) if !from.trim().is_empty() => {
                    rules.all.push(Rule { from: from.trim(), to: to.trim(), span: rule.span(), used: false })
                }
                _ => diagnostics.push(
                    Diagnostic::new(&codes::INCLUDE_RULE, format!("`{rule}` is not of the form `FROM -> TO`"))
                        .at(rule.span())
                        .help("write a prefix of a path, an arrow and its replacement, which may be empty"),
                ),
            }
        }
        rules
    }
}

/// Only C++ files have includes and get the text for all files.
fn is_cpp(path: &str) -> bool {
    [".h", ".cpp"].iter().any(|ending| path.ends_with(ending))
}

fn with_line_end(text: &Text) -> String {
    let mut text = text.to_string();
    if !text.ends_with('\n') {
        text.push('\n');
    }
    text
}

/// The place for the first include: after `#pragma once`, if the text begins with it.
fn first_line_of_guard(text: &str) -> usize {
    let line = text.split_inclusive('\n').next().unwrap_or_default();
    if line.trim_end().strip_prefix('#').is_some_and(|rest| rest.trim() == "pragma once") { line.len() } else { 0 }
}

/// A replacement of the beginnings of included paths.
struct Rule<'a> {
    from: &'a str,
    to: &'a str,
    /// The place of the rule.
    span: Span,
    /// It changed an include.
    used: bool,
}

/// Replacements, of which the first one that fits counts.
#[derive(Default)]
pub struct Rules<'a> {
    all: Vec<Rule<'a>>,
    /// The paths that were included, before the replacement and with what opens them.
    paths: BTreeSet<String>,
}

impl Rules<'_> {
    /// The text with other paths in its includes. An empty replacement removes the whole line.
    fn replaced(&mut self, text: &str) -> String {
        if self.all.is_empty() {
            return text.to_owned();
        }
        let mut out = String::with_capacity(text.len());
        for line in text.split_inclusive('\n') {
            let Some(at) = path_of_include(line) else {
                out.push_str(line);
                continue;
            };
            let path = line[at - 1..].trim_end().trim_end_matches(['>', '"']);
            if !self.paths.contains(path) {
                self.paths.insert(path.to_owned());
            }
            // A rule that begins with what opens a path replaces that, too.
            let start = |from: &str| if from.starts_with(OPENING) { at - 1 } else { at };
            let Some(rule) = self.all.iter_mut().find(|rule| line[start(rule.from)..].starts_with(rule.from)) else {
                out.push_str(line);
                continue;
            };
            rule.used = true;
            if rule.to.is_empty() {
                continue;
            }
            let start = start(rule.from);
            let rest = &line[start + rule.from.len()..];
            out.extend([&line[..start], rule.to]);
            match (line.as_bytes().get(at - 1), rule.to.starts_with('"'), rule.to.starts_with('<')) {
                (Some(b'<'), true, _) => out.push_str(&rest.replacen('>', "\"", 1)),
                (Some(b'"'), _, true) => out.push_str(&rest.replacen('"', ">", 1)),
                _ => out.push_str(rest),
            }
        }
        out
    }

    /// Reports rules that changed nothing.
    fn idle(&self, diagnostics: &mut Diagnostics) {
        let path =
            |path: &'_ str, from: &str| if from.starts_with(OPENING) { path.to_owned() } else { path[1..].to_owned() };
        for rule in self.all.iter().filter(|rule| !rule.used) {
            let from = rule.from;
            let paths: Vec<String> = self.paths.iter().map(|one| path(one, from)).collect();
            let found = |message| Diagnostic::new(&codes::IDLE_INCLUDE_RULE, message).at(rule.span);
            diagnostics.push(if paths.iter().any(|path| path.starts_with(from)) {
                found(format!("an earlier rule replaces all includes that begin with `{from}`"))
                    .help("write the longer beginning first")
            } else {
                let near = did_you_mean(from, paths.iter().map(String::as_str));
                let help = near.unwrap_or_else(|| "delete the rule, or write the beginning of an included path".into());
                found(format!("no generated file includes a path that begins with `{from}`")).help(help)
            });
        }
    }
}

/// The start of a path.
const OPENING: [char; 2] = ['<', '"'];

/// The start of an include's path in its line.
fn path_of_include(line: &str) -> Option<usize> {
    let rest = line.trim_start().strip_prefix('#')?.trim_start().strip_prefix("include")?.trim_start();
    rest.starts_with(OPENING).then(|| line.len() - rest.len() + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn replaced(text: &str, rules: &[(&'static str, &'static str)]) -> String {
        let rule = |(from, to): &(&'static str, &'static str)| Rule { from, to, span: Span::default(), used: false };
        Rules { all: rules.iter().map(rule).collect(), paths: BTreeSet::new() }.replaced(text)
    }

    #[test]
    fn included_paths() {
        let text = "#include <ATen/ops/add.h>\n # include \"own/a.h\"\nint ATen;\n#include <torch/x.h>\n";
        let rules = [("ATen/ops/", "gen/"), ("torch/", ""), ("own/", "its/own/")];
        assert_eq!(replaced(text, &rules), "#include <gen/add.h>\n # include \"its/own/a.h\"\nint ATen;\n");
        let rules = [("<own/a.h>", "\"own/a.h\""), ("<gen/", "\"gen/"), ("\"x/", "<y/")];
        let text = "#include <own/a.h>\n#include <gen/b.h> // >\n#include \"x/c.h\"\n#include <x/c.h>\n";
        let expected = "#include \"own/a.h\"\n#include \"gen/b.h\" // >\n#include <y/c.h>\n#include <x/c.h>\n";
        assert_eq!(replaced(text, &rules), expected);
        assert_eq!(first_line_of_guard("#pragma once\nx"), 13);
        assert_eq!(first_line_of_guard("x\n#pragma once\n"), 0);
    }
}
