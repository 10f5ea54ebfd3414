//! The new form of each line: its indentation, and the spaces between its tokens.
//!
//! Block collections are followed by their columns, as YAML itself defines them. Keys of a mapping
//! are two columns right of the key that has it, and the dashes of a list are in the column of its
//! key. Lines of one scalar, and of a block scalar, move as the collection does that they are in.
//!
//! Invariant: a line never joins another, and no line is added.

use std::ops::RangeInclusive;

use super::Style;
use super::brackets::Bracket;
use super::spacing::{Role, scalar};
use super::tokens::{BREAKS, Token, TokenKind};
use crate::yaml::text::Style as Written;

/// All lines of a text.
pub(super) struct Laid {
    pub(super) lines: Vec<Line>,
    /// The lines that begin an entry of the outermost collection.
    roots: Vec<usize>,
    /// Whether the last line stays without a line break, which would change a scalar.
    pub(super) open_end: bool,
}

/// A line: its content is `start..end`, and the next one starts at `next`.
#[derive(Debug)]
pub(super) struct Line {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) next: usize,
    /// The new content; none if the line is dropped.
    pub(super) new: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Collection {
    List,
    Mapping,
}

/// An open block collection, with its old and its new column.
#[derive(Debug, Clone, Copy)]
struct Level {
    old: usize,
    new: usize,
    of: Collection,
}

/// A token that goes on in the next line.
#[derive(Debug, Clone, Copy)]
struct Carried {
    token: Token,
    /// How far its lines move.
    moved: isize,
    /// The column of the content of a block scalar, once known.
    content: Option<usize>,
}

struct Layout<'a> {
    text: &'a str,
    tokens: &'a [Token],
    style: Style<'a>,
    levels: Vec<Level>,
    brackets: Vec<Bracket>,
    carried: Option<Carried>,
    /// Lines with a comment alone, whose column depends on the next line.
    comments: Vec<usize>,
    laid: Laid,
}

/// Lays out a text with these tokens.
pub(super) fn lay_out(text: &str, tokens: &[Token], style: Style<'_>) -> Laid {
    let laid = Laid { lines: lines(text), roots: Vec::new(), open_end: false };
    let (levels, brackets, comments) = (Vec::new(), Vec::new(), Vec::new());
    let mut layout = Layout { text, tokens, style, levels, brackets, carried: None, comments, laid };
    layout.run();
    layout.laid
}

impl Laid {
    /// The first and the last line of the entries that have one of these lines, which count from 1.
    pub(super) fn entries(&self, range: RangeInclusive<usize>) -> (usize, usize) {
        let (first, last) = (range.start().saturating_sub(1), range.end().saturating_sub(1));
        let before = self.roots.partition_point(|&root| root <= first).checked_sub(1);
        let after = self.roots.partition_point(|&root| root <= last);
        (
            before.map_or(0, |at| self.roots[at]),
            self.roots.get(after).map_or(usize::MAX, |&next| next.saturating_sub(1)),
        )
    }
}

fn lines(text: &str) -> Vec<Line> {
    let mut lines = Vec::new();
    let mut start = 0;
    while start < text.len() {
        let end = text[start..].find(BREAKS).map_or(text.len(), |at| start + at);
        let rest = &text[end..];
        let width = if rest.starts_with("\r\n") { 2 } else { rest.chars().next().map_or(0, char::len_utf8) };
        lines.push(Line { start, end, next: end + width, new: None });
        start = end + width;
    }
    lines
}

impl Layout<'_> {
    fn run(&mut self) {
        let mut next = 0;
        // Whether the line before is blank, or missing.
        let mut after_blank = true;
        for at in 0..self.laid.lines.len() {
            let Line { start, end, .. } = self.laid.lines[at];
            if let Some(carried) = self.carried.filter(|carried| carried.token.end > start) {
                let new = self.continued(carried, at, &mut next);
                after_blank = false;
                self.laid.lines[at].new = Some(new);
                continue;
            }
            self.carried = None;
            let first = next;
            while self.tokens.get(next).is_some_and(|token| token.start <= end) {
                next += 1;
            }
            let new = match &self.tokens[first..next] {
                [] if after_blank => None,
                [] => Some(String::new()),
                [comment] if comment.kind == TokenKind::Comment => {
                    match self.brackets.last() {
                        Some(bracket) => Some(indented(bracket.content, self.comment(comment))),
                        None => {
                            self.comments.push(at);
                            // `settle` replaces it.
                            Some(String::new())
                        }
                    }
                }
                _ => Some(self.structural(at, first..next)),
            };
            after_blank = first == next;
            self.laid.lines[at].new = new;
        }
        self.settle(None);
        self.finish();
    }

    /// Drops blank lines at the end, and decides about the last line break.
    fn finish(&mut self) {
        let last = self.tokens.iter().rfind(|token| token.kind != TokenKind::Comment);
        let block = self.tokens.last().filter(|token| token.kind.is_block());
        let header = block.map(|token| self.text[token.start..token.end].lines().next().unwrap_or_default());
        let strips = header.is_some_and(|header| header.split('#').next().unwrap_or_default().contains('-'));
        self.laid.open_end = block.is_some() && !strips && !self.text.ends_with(BREAKS);
        let end = last.map_or(0, |token| token.end);
        for line in self.laid.lines.iter_mut().rev() {
            if line.new.as_deref().is_some_and(|new| !new.is_empty()) || line.start < end {
                break;
            }
            line.new = None;
        }
    }

    /// A line that begins inside a token.
    fn continued(&mut self, carried: Carried, at: usize, next: &mut usize) -> String {
        let Line { start, end, .. } = self.laid.lines[at];
        let line = &self.text[start..end];
        if carried.token.kind.is_block() {
            return self.block_line(carried, line);
        }
        let part = &self.text[start..end.min(carried.token.end)];
        let content = part.trim_start_matches([' ', '\t']);
        let column = match self.brackets.last() {
            Some(bracket) => bracket.content,
            None => moved(part.len() - content.len(), carried.moved),
        };
        if carried.token.end > end {
            let content = trimmed_end(content, carried.token.kind);
            return if content.is_empty() { String::new() } else { indented(column, content) };
        }
        self.carried = None;
        let first = *next;
        while self.tokens.get(*next).is_some_and(|token| token.start <= end) {
            *next += 1;
        }
        let mut new = indented(column, content);
        self.tokens_of(&mut new, first..*next, Some(carried.token), at, column);
        new
    }

    fn block_line(&mut self, mut carried: Carried, line: &str) -> String {
        let content = line.trim_start_matches(' ');
        let spaces = line.len() - content.len();
        if content.is_empty() {
            return match carried.content {
                Some(column) if spaces > column => " ".repeat(moved(spaces, carried.moved)),
                _ => String::new(),
            };
        }
        if carried.content.is_none() {
            carried.content = Some(spaces);
            self.carried = Some(carried);
        }
        indented(moved(spaces, carried.moved), content)
    }

    /// A line that begins with a token of the structure.
    fn structural(&mut self, at: usize, tokens: std::ops::Range<usize>) -> String {
        let start = self.laid.lines[at].start;
        let first = self.tokens[tokens.start];
        let column = match self.brackets.last() {
            Some(bracket) if first.kind == TokenKind::Close => bracket.close,
            Some(bracket) => bracket.content,
            None if first.kind == TokenKind::Marker => {
                self.settle(Some((0, 0)));
                self.levels.clear();
                0
            }
            None => {
                // Comments before belong to the collections that are open there.
                let before = self.levels.clone();
                let column = self.heads(start, tokens.clone());
                let after = std::mem::replace(&mut self.levels, before);
                self.settle(Some((first.start - start, column)));
                self.levels = after;
                if self.levels.first().is_none_or(|root| root.old == first.start - start) {
                    self.laid.roots.push(at);
                }
                column
            }
        };
        let mut new = " ".repeat(column);
        self.tokens_of(&mut new, tokens, None, at, column);
        new
    }

    /// The column of a line outside brackets; opens the collections that begin in it.
    fn heads(&mut self, start: usize, tokens: std::ops::Range<usize>) -> usize {
        let mut column = None;
        // The column of the token after an indicator.
        let mut inner = None;
        for at in tokens.clone() {
            let token = self.tokens[at];
            let of = match token.kind {
                TokenKind::Dash => Some(Collection::List),
                TokenKind::Question | TokenKind::Colon => Some(Collection::Mapping),
                _ if self.is_key(at, tokens.end) => Some(Collection::Mapping),
                _ => None,
            };
            let old = token.start - start;
            let new = match (inner, of) {
                (None, Some(of)) => self.level(old, of),
                (None, None) => self.leaf(old),
                (Some(new), Some(of)) => {
                    self.levels.push(Level { old, new, of });
                    new
                }
                (Some(new), None) => new,
            };
            column = column.or(Some(new));
            inner = Some(new + 2);
            if !matches!(token.kind, TokenKind::Dash | TokenKind::Question | TokenKind::Colon) {
                break;
            }
        }
        column.unwrap_or_default()
    }

    /// The new column of a collection that begins or goes on in this column.
    fn level(&mut self, old: usize, of: Collection) -> usize {
        while let Some(last) = self.levels.last()
            && (last.old > old || last.old == old && last.of == Collection::List && of == Collection::Mapping)
        {
            self.levels.pop();
        }
        let new = match self.levels.last() {
            Some(last) if last.old == old && last.of == of => return last.new,
            None => 0,
            Some(Level { new, of: Collection::Mapping, .. }) if of == Collection::List => *new,
            Some(Level { new, .. }) => new + 2,
        };
        self.levels.push(Level { old, new, of });
        new
    }

    /// The new column of a value on a line of its own.
    fn leaf(&mut self, old: usize) -> usize {
        while self.levels.last().is_some_and(|last| last.old >= old) {
            self.levels.pop();
        }
        self.levels.last().map_or(0, |last| last.new + 2)
    }

    /// Whether the token begins a key: a colon follows on the line.
    fn is_key(&self, mut at: usize, end: usize) -> bool {
        let tokens = &self.tokens[..end];
        let kind = |at: usize| tokens.get(at).map(|token| token.kind);
        while kind(at) == Some(TokenKind::Property) {
            at += 1;
        }
        match kind(at) {
            Some(TokenKind::Scalar(_) | TokenKind::Alias) => at += 1,
            Some(TokenKind::Open) => {
                let mut depth = 0;
                while let Some(kind) = kind(at) {
                    depth += isize::from(kind == TokenKind::Open) - isize::from(kind == TokenKind::Close);
                    at += 1;
                    if depth == 0 {
                        break;
                    }
                }
            }
            _ => {}
        }
        kind(at) == Some(TokenKind::Colon)
    }

    /// Adds tokens of the line `at` that begins in `column`, with their spaces.
    fn tokens_of(
        &mut self,
        new: &mut String,
        tokens: std::ops::Range<usize>,
        mut before: Option<Token>,
        at: usize,
        column: usize,
    ) {
        let Line { start, end, .. } = self.laid.lines[at];
        let in_brackets = before.is_some() || !self.brackets.is_empty();
        let mut key = "";
        // The column of the text so far. Lines may be long.
        let (mut counted, mut width) = (new.len(), new.chars().count());
        for index in tokens.clone() {
            let token = self.tokens[index];
            if let Some(before) = before {
                let old = &self.text[before.end..token.start];
                let count = match token.kind {
                    // Comments may be aligned.
                    TokenKind::Comment if !old.contains('\t') => old.len().max(2),
                    _ => gap(before.kind, token.kind),
                };
                new.push_str(&" ".repeat(count));
            }
            width += new[counted..].chars().count();
            counted = new.len();
            let raw = &self.text[token.start..token.end];
            match token.kind {
                TokenKind::Open => {
                    let rest = &self.tokens[index + 1..tokens.end];
                    let ends = rest.iter().all(|token| token.kind == TokenKind::Comment);
                    let base = match self.levels.last() {
                        _ if in_brackets => column,
                        Some(Level { new, of: Collection::Mapping, .. }) => *new,
                        Some(Level { new, .. }) => new + 2,
                        None => 0,
                    };
                    self.brackets.push(match ends {
                        true => Bracket::hanging(base),
                        false => Bracket::aligned(width),
                    });
                    new.push_str(raw);
                }
                TokenKind::Close => {
                    self.brackets.pop();
                    new.push_str(raw);
                }
                TokenKind::Comment => new.push_str(self.comment(&token)),
                TokenKind::Scalar(_) if token.end > end => {
                    new.push_str(trimmed_end(&self.text[token.start..end], token.kind));
                    let level = self.levels.last().filter(|_| self.brackets.is_empty());
                    let moved = level.map_or(0, |level| level.new as isize - level.old as isize);
                    self.carried = Some(Carried { token, moved, content: content_column(self.text, start, token) });
                }
                TokenKind::Scalar(Written::Plain | Written::SingleQuoted | Written::DoubleQuoted)
                    if before.is_none_or(|before| before.kind != TokenKind::Property) =>
                {
                    let is_key =
                        self.tokens[..tokens.end].get(index + 1).is_some_and(|next| next.kind == TokenKind::Colon);
                    let role = match key {
                        _ if is_key => Role::Key,
                        "" => Role::Other,
                        key => Role::Value(key),
                    };
                    new.push_str(&scalar(raw, role, self.style));
                    key = if is_key { raw.trim_matches(['"', '\'']) } else { "" };
                }
                _ => new.push_str(raw),
            }
            before = Some(token);
        }
    }

    /// Gives the comments before a line their columns. `next` has the old and the new column of the
    /// line.
    fn settle(&mut self, next: Option<(usize, usize)>) {
        for at in std::mem::take(&mut self.comments) {
            let Line { start, end, .. } = self.laid.lines[at];
            let content = self.text[start..end].trim_matches([' ', '\t']);
            let old = self.text[start..end].len() - self.text[start..end].trim_start_matches([' ', '\t']).len();
            let within = self.levels.iter().rfind(|level| level.old <= old);
            let new = match (next, within) {
                (Some((next_old, next_new)), _) if next_old == old => next_new,
                (_, Some(level)) if level.old == old => level.new,
                _ if old == 0 => 0,
                // It belongs to what is before it.
                (Some((next_old, next_new)), Some(level)) if next_old < old => next_new.max(level.new),
                (Some((_, next_new)), _) => next_new,
                (None, within) => within.map_or(0, |level| level.new),
            };
            self.laid.lines[at].new = Some(indented(new, content));
        }
    }

    fn comment(&self, token: &Token) -> &str {
        self.text[token.start..token.end].trim_end_matches([' ', '\t'])
    }
}

/// The spaces between two tokens of a line.
fn gap(before: TokenKind, after: TokenKind) -> usize {
    match (before, after) {
        (_, TokenKind::Comment) => 2,
        (TokenKind::Colon | TokenKind::Dash | TokenKind::Question | TokenKind::Marker, _) => 1,
        // A colon could be a part of these.
        (TokenKind::Property | TokenKind::Alias, TokenKind::Colon) => 1,
        (_, TokenKind::Colon | TokenKind::Comma | TokenKind::Close) => 0,
        (TokenKind::Open, _) => 0,
        _ => 1,
    }
}

/// The column of the content of a block scalar, if its header says it.
fn content_column(text: &str, line_start: usize, token: Token) -> Option<usize> {
    let header = text[token.start..token.end].lines().next()?.split('#').next()?;
    // With a number, blanks are kept as they are.
    (token.kind.is_block() && header.contains(|c: char| c.is_ascii_digit()))
        .then_some(0)
        .filter(|_| line_start <= token.start)
}

/// The part of a scalar on a line, without the white space at its end, which does not count.
fn trimmed_end(part: &str, kind: TokenKind) -> &str {
    let trimmed = part.trim_end_matches([' ', '\t']);
    // After a backslash it counts.
    if kind == TokenKind::Scalar(Written::DoubleQuoted) && trimmed.ends_with('\\') { part } else { trimmed }
}

fn moved(column: usize, by: isize) -> usize {
    column.saturating_add_signed(by)
}

fn indented(column: usize, content: &str) -> String {
    format!("{}{content}", " ".repeat(column))
}
