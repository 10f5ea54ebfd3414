//! Lays generated C++ out in one style: that of the project's `.clang-format`.
//!
//! Several templates contribute to a line's nesting, so none of them can indent it. This pass
//! indents lines by their brackets, gives each statement a line of its own, and spaces references,
//! commas and defaults. It breaks no line for its length: the style has no limit of columns.
//!
//! Invariant: only white space changes, and none in literals and comments, so the tokens stay the
//! same. A text with raw string literals, which may span lines, stays as it is.

mod nesting;
mod spacing;
#[cfg(test)]
mod tests;

use nesting::{Nesting, Step};
use spacing::{Part, parts};

/// The deepest indentation. Nobody reads deeper code, and lines of it would take quadratic space.
const DEEPEST: usize = 256;

/// The text in the style.
pub fn laid_out(text: &str) -> String {
    if text.contains("R\"") {
        return text.to_owned();
    }
    let mut writer = Writer { out: String::with_capacity(text.len()), ..Writer::default() };
    let mut spliced = false;
    for line in text.lines() {
        if spliced {
            // The continuation of a directive.
            writer.put(line);
        } else {
            writer.line(line.trim());
        }
        spliced = (spliced || line.trim_start().starts_with('#')) && line.ends_with('\\');
    }
    writer.out
}

#[derive(Default)]
struct Writer {
    out: String,
    nesting: Nesting,
    /// The nesting before each open `#if`: its branches begin alike.
    branches: Vec<Nesting>,
    /// A blank line precedes the next one.
    blank: bool,
    /// The line before opened a block, so no blank line follows it.
    opened: bool,
    /// The line before is code without a comment, to which a brace can be added.
    extendable: bool,
}

impl Writer {
    fn line(&mut self, line: &str) {
        if line.is_empty() {
            self.blank = !self.out.is_empty();
        } else if line.starts_with('#') {
            self.directive(line);
        } else if line.starts_with("//") {
            let indent = self.nesting.indent(&[]);
            self.start(indent);
            self.put(line);
        } else if line.starts_with('{') && self.nesting.goes_on() && self.extendable {
            self.out.truncate(self.out.trim_end().len());
            self.out.push(' ');
            self.blank = false;
            self.code(&parts(line), 0);
        } else {
            let parts = parts(line);
            let indent = self.nesting.indent(&parts);
            if parts.first().is_some_and(|part| part.text == "}") && !self.nesting.in_scope() {
                self.blank = false;
            }
            self.start(indent);
            self.code(&parts, indent);
        }
    }

    /// Writes the parts of a line, and begins further lines after blocks and conditions.
    fn code(&mut self, line: &[Part], mut indent: usize) {
        let mut rest = line;
        let mut step = Step::Next;
        let mut before = "";
        while let [part, following @ ..] = rest {
            let is_comment = part.text.starts_with("//");
            // Values are next to their braces, and an empty block has none.
            let close = (self.nesting.in_values() && (before == "{" || part.text == "}"))
                || (before == "{" && part.text == "}");
            if step == Step::Break && !is_comment {
                self.put("");
                indent = self.nesting.indent(rest);
                self.start(indent);
            } else if part.spaced && !close && rest.len() < line.len() {
                self.out.push(' ');
            }
            self.out.push_str(part.text);
            step = if is_comment { Step::Next } else { self.nesting.advance(part, following, indent) };
            before = part.text;
            rest = following;
        }
        let last = line.last().map_or("", |part| part.text);
        self.nesting.end_of_line(line);
        self.opened = last == "{" && !self.nesting.in_scope();
        self.extendable = !last.starts_with("//");
        self.out.push('\n');
    }

    fn directive(&mut self, text: &str) {
        let word = text.trim_start_matches('#').trim_start();
        if word.starts_with("if") {
            self.branches.push(self.nesting.clone());
        } else if word.starts_with("el") {
            if let Some(before) = self.branches.last() {
                self.nesting = before.clone();
            }
        } else if word.starts_with("endif") {
            self.branches.pop();
        }
        self.start(0);
        self.put(text);
    }

    /// Begins a line.
    fn start(&mut self, indent: usize) {
        if std::mem::take(&mut self.blank) && !self.opened {
            self.out.push('\n');
        }
        self.opened = false;
        self.extendable = false;
        self.out.extend(std::iter::repeat_n(' ', indent.min(DEEPEST)));
    }

    /// Ends a line with this text.
    fn put(&mut self, text: &str) {
        self.out.push_str(text);
        self.out.push('\n');
    }
}
