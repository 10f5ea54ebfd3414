//! The docstrings that PyTorch's `_torch_docs.py` and `_tensor_docs.py` add to functions and
//! methods bound in C++.
//!
//! The files are parsed, never run: strings, sums of strings, strings filled in from tables of
//! strings, and the tables themselves. A docstring that is anything else is reported.
//!
//! Invariant: a docstring that is read is the one that Python would add, without the indentation
//! and empty lines that `inspect.cleandoc` removes.

use std::collections::HashMap;

use indexmap::IndexMap;

use torchgen_base::diag::{Diagnostic, Diagnostics, FileId, Span};
use torchgen_base::lang::python::token::{Token, TokenKind, fields_of, tokens};
use torchgen_model::codes;

/// A table of strings.
type Table = IndexMap<String, String>;

/// The docstrings, as lines, by the names of functions.
#[derive(Debug, Default)]
pub(super) struct Docs {
    lines: HashMap<String, Vec<String>>,
    tables: HashMap<String, Table>,
}

impl Docs {
    /// The docstring of that function, such as `torch.abs`.
    pub(super) fn get(&self, name: &str) -> Option<&[String]> {
        self.lines.get(name).map(Vec::as_slice)
    }

    /// Adds the docstrings of a file. Tables of files that were added before are known in it.
    pub(super) fn add(&mut self, file: FileId, text: &str, diagnostics: &mut Diagnostics) {
        let tokens = match tokens(text) {
            Ok(tokens) => tokens,
            Err(error) => {
                let span = Span::new(file, error.range.start, error.range.end);
                diagnostics.push(Diagnostic::new(error.code, error.message).at(span).maybe_help(error.help));
                return;
            }
        };
        let mut reader = Reader { text, tokens: &tokens, at: 0, docs: self };
        while reader.kind() != &TokenKind::End {
            if let Some(unread) = reader.statement() {
                let range = &tokens[unread].range;
                let message = "this docstring is not a string, a sum of strings or a string that is filled in";
                diagnostics.push(
                    Diagnostic::new(&codes::NO_DOCSTRING, message)
                        .at(Span::new(file, range.start, range.end))
                        .help("the stub of the function has no docstring"),
                );
            }
        }
    }
}

struct Reader<'a> {
    text: &'a str,
    tokens: &'a [Token],
    at: usize,
    docs: &'a mut Docs,
}

impl<'a> Reader<'a> {
    fn kind(&self) -> &'a TokenKind {
        self.tokens.get(self.at).map_or(&TokenKind::End, |token| &token.kind)
    }

    fn word(&self) -> &'a str {
        self.tokens.get(self.at).map_or("", |token| &self.text[token.range.clone()])
    }

    /// Skips the word, if it is next.
    fn skip(&mut self, word: &str) -> bool {
        let found = self.word() == word && self.kind() != &TokenKind::End;
        self.at += usize::from(found);
        found
    }

    /// Reads a statement with the blocks below it. The token of a docstring that cannot be read.
    fn statement(&mut self) -> Option<usize> {
        let start = self.at;
        let name = self.word();
        let mut unread = None;
        if self.kind() == &TokenKind::Name {
            self.at += 1;
            match (name, self.word()) {
                ("add_docstr" | "add_docstr_all", "(") => unread = self.docstring(name == "add_docstr_all"),
                (_, ":" | "=") => {
                    while !matches!(self.kind(), TokenKind::Newline | TokenKind::End) && self.word() != "=" {
                        self.at += 1;
                    }
                    if self.skip("=")
                        && let Some(table) = self.table()
                        && self.kind() == &TokenKind::Newline
                    {
                        self.docs.tables.insert(name.to_owned(), table);
                    }
                }
                _ => {}
            }
        }
        self.at = start;
        let mut depth = 0usize;
        loop {
            match self.kind() {
                TokenKind::End => break,
                TokenKind::Indent => depth += 1,
                TokenKind::Dedent => depth = depth.saturating_sub(1),
                _ => {}
            }
            let ends = matches!(self.kind(), TokenKind::Newline | TokenKind::Dedent) && depth == 0;
            self.at += 1;
            if ends && self.kind() != &TokenKind::Indent {
                break;
            }
        }
        unread
    }

    /// `(function, docstring)`; of `add_docstr_all`, the function is the name of a method.
    fn docstring(&mut self, method: bool) -> Option<usize> {
        self.at += 1;
        let mut name = String::new();
        if method {
            name = format!("torch._C.TensorBase.{}", self.string()?);
        } else {
            while !matches!(self.word(), "," | ")") && self.kind() != &TokenKind::End {
                name.push_str(self.word());
                self.at += 1;
            }
        }
        if !self.skip(",") {
            return None;
        }
        let start = self.at;
        let text = self.sum();
        self.skip(",");
        match text {
            Some(text) if self.word() == ")" => {
                self.docs.lines.insert(name, clean(&text));
                None
            }
            _ => Some(start),
        }
    }

    /// Strings with `+` between them.
    fn sum(&mut self) -> Option<String> {
        let mut text = self.operand()?;
        while self.skip("+") {
            text += &self.operand()?;
        }
        Some(text)
    }

    fn operand(&mut self) -> Option<String> {
        let mut text = if self.skip("(") {
            let text = self.sum()?;
            if !self.skip(")") {
                return None;
            }
            text
        } else {
            self.string()?
        };
        while self.skip(".") {
            if !(self.skip("format") && self.skip("(")) {
                return None;
            }
            let mut values = Table::new();
            while !self.skip(")") {
                if !self.skip("**") {
                    return None;
                }
                values.extend(self.table()?);
                self.skip(",");
            }
            text = fill_in(&text, &values)?;
        }
        Some(text)
    }

    /// Adjacent strings are one.
    fn string(&mut self) -> Option<String> {
        let mut text = None::<String>;
        while let TokenKind::Str(value) = self.kind() {
            let value = match value {
                Some(value) => value.clone(),
                None => self.formatted()?,
            };
            text.get_or_insert_default().push_str(&value);
            self.at += 1;
        }
        text
    }

    /// A string with fields, each of which is `table['key']`.
    fn formatted(&self) -> Option<String> {
        let mut text = String::new();
        for part in fields_of(self.word())? {
            match part {
                Ok(part) => text.push_str(&part),
                Err(field) => {
                    let (table, key) = field.strip_suffix(']')?.split_once('[')?;
                    let key = key.trim_matches(['\'', '"']);
                    text.push_str(self.docs.tables.get(table.trim())?.get(key)?);
                }
            }
        }
        Some(text)
    }

    /// A table: its name, a literal, or one of the two functions that make tables.
    fn table(&mut self) -> Option<Table> {
        if self.skip("{") {
            let mut table = Table::new();
            while !self.skip("}") {
                let key = self.string()?;
                if !self.skip(":") {
                    return None;
                }
                table.insert(key, self.sum()?);
                self.skip(",");
            }
            return Some(table);
        }
        let name = self.word();
        self.at += 1;
        if self.word() != "(" {
            return self.docs.tables.get(name).cloned();
        }
        self.at += 1;
        match name {
            "parse_kwargs" => {
                let text = self.sum()?;
                self.skip(",");
                self.skip(")").then(|| arguments(&text))
            }
            "merge_dicts" => {
                let mut table = Table::new();
                while !self.skip(")") {
                    table.extend(self.table()?);
                    self.skip(",");
                }
                Some(table)
            }
            _ => None,
        }
    }
}

/// The descriptions of arguments, by their first words: each begins at a line that is indented by
/// four blanks. Rule: torch/_torch_docs.py, `parse_kwargs`.
fn arguments(text: &str) -> Table {
    let mut sections = vec![String::new()];
    for (i, line) in text.split('\n').enumerate() {
        let begins = line.strip_prefix("    ").is_some_and(|rest| !rest.starts_with(char::is_whitespace));
        // A blank line of four blanks is followed by a line end, which is whitespace too.
        if i > 0 && begins && line.len() > 4 {
            sections.push(line[4..].to_owned());
        } else if let Some(section) = sections.last_mut() {
            section.push_str(if i > 0 { "\n" } else { "" });
            section.push_str(line);
        }
    }
    let sections = sections.iter().map(|section| section.trim()).filter(|section| !section.is_empty());
    sections.map(|section| (section.split(' ').next().unwrap_or_default().to_owned(), section.to_owned())).collect()
}

/// The string with its fields `{name}` filled in. `None` if a field has another form or no value.
fn fill_in(text: &str, values: &Table) -> Option<String> {
    let mut filled = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['{', '}']) {
        filled.push_str(&rest[..at]);
        let (brace, after) = rest[at..].split_at(1);
        rest = if let Some(after) = after.strip_prefix(brace) {
            filled.push_str(brace);
            after
        } else {
            let (name, after) = after.split_once('}').filter(|_| brace == "{")?;
            filled.push_str(values.get(name)?);
            after
        };
    }
    filled.push_str(rest);
    Some(filled)
}

/// The lines without the common indentation, empty lines at the ends, and blanks at line ends.
/// Rule: `inspect.cleandoc`.
fn clean(text: &str) -> Vec<String> {
    let expanded: Vec<String> = text.split('\n').map(expand_tabs).collect();
    let blanks = |line: &str| line.len() - line.trim_start().len();
    let indented = expanded.iter().skip(1).filter(|line| !line.trim().is_empty());
    let margin = indented.map(|line| blanks(line)).min().unwrap_or(0);
    let line = |(i, line): (usize, &String)| {
        let line = if i == 0 { line.trim_start() } else { line.get(margin..).unwrap_or_default() };
        line.trim_end().to_owned()
    };
    let mut lines: Vec<String> = expanded.iter().enumerate().map(line).collect();
    while lines.last().is_some_and(String::is_empty) {
        lines.pop();
    }
    lines.drain(..lines.iter().take_while(|line| line.is_empty()).count());
    if let Some(first) = lines.first_mut() {
        *first = first.trim_start().to_owned();
    }
    lines
}

fn expand_tabs(line: &str) -> String {
    let mut expanded = String::with_capacity(line.len());
    let mut column = 0;
    for c in line.chars() {
        if c == '\t' {
            let width = 8 - column % 8;
            expanded.extend(std::iter::repeat_n(' ', width));
            column += width;
        } else {
            expanded.push(c);
            column += 1;
        }
    }
    expanded
}

#[cfg(test)]
mod tests;
