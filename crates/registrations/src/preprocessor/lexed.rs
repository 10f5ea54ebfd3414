//! A source as tokens and preprocessor lines, read once.
//!
//! Invariant: lines and tokens are in the order of the source.

use std::rc::Rc;

use torchgen_base::diag::{FileId, Span};
use torchgen_base::lang::cpp::{TokenKind, directive, tokens};

use super::macros::Macro;
use super::names::{Name, Names};
use super::piece::{Piece, pieces};

/// A token or a line.
#[derive(Debug)]
pub(super) enum Item {
    Token(Piece),
    Line(Line),
}

/// A preprocessor line.
#[derive(Debug)]
pub(super) struct Line {
    /// The whole line.
    pub(super) place: Span,
    pub(super) command: Command,
}

/// What a line says.
#[derive(Debug)]
pub(super) enum Command {
    /// `#if` and its variants.
    If(Test),
    /// `#elif` and its variants.
    ElseIf(Test),
    Else,
    EndIf,
    Define(Name, Rc<Macro>),
    Undefine(Name),
    /// The file as written, with its quotes or angle brackets.
    Include(String),
    /// A file that a macro names.
    IncludeMacro(Vec<Piece>),
    /// `#pragma once`.
    Once,
    /// A line that is wrong: the message.
    Wrong(&'static str),
    /// Any other line.
    Other,
}

/// The test of a line.
#[derive(Debug)]
pub(super) enum Test {
    /// An expression.
    Expression(Vec<Piece>),
    /// Whether a macro is defined; or not.
    Defined(Name, bool),
}

/// A source.
#[derive(Debug, Default)]
pub(super) struct Lexed {
    pub(super) items: Vec<Item>,
    /// The places of lines among the items.
    pub(super) lines: Vec<usize>,
    /// The macro that keeps the source from being read twice.
    pub(super) guard: Option<Name>,
    /// The words outside lines.
    pub(super) words: Vec<Name>,
}

impl Lexed {
    /// Reads a source.
    pub(super) fn read(text: &str, file: FileId, names: &mut Names) -> Lexed {
        let mut lexed = Lexed::default();
        let mut end = 0;
        for token in tokens(text) {
            let place = Span::new(file, token.range.start, token.range.end);
            let own = &text[token.range.clone()];
            if token.kind == TokenKind::Directive {
                lexed.lines.push(lexed.items.len());
                lexed.items.push(Item::Line(Line { place, command: command(own, place, names) }));
            } else {
                let mut piece = Piece::new(names.of(own), token.kind, place);
                piece.is_spaced = token.range.start > end;
                if token.kind == TokenKind::Word {
                    lexed.words.push(piece.name);
                }
                lexed.items.push(Item::Token(piece));
            }
            end = token.range.end;
        }
        lexed.words.sort_unstable();
        lexed.words.dedup();
        lexed.guard = lexed.guarded(names);
        lexed
    }

    /// The macro `X` of a source that begins with `#ifndef X` and an empty `#define X`.
    fn guarded(&self, names: &Names) -> Option<Name> {
        let [Item::Line(first), Item::Line(second), ..] = self.items.as_slice() else { return None };
        let own = match &first.command {
            Command::If(Test::Defined(name, false)) => *name,
            Command::If(Test::Expression(words)) => {
                let texts: Vec<&str> = words.iter().map(|word| names.text(word.name)).collect();
                match texts.as_slice() {
                    ["!", "defined", "(", _, ")"] => words[3].name,
                    ["!", "defined", _] => words[2].name,
                    _ => return None,
                }
            }
            _ => return None,
        };
        matches!(&second.command, Command::Define(name, guard) if *name == own && guard.body.is_empty()).then_some(own)
    }

    /// The files that lines include, as written.
    pub(super) fn includes(&self) -> impl Iterator<Item = &str> {
        self.lines().filter_map(|line| match &line.command {
            Command::Include(file) => Some(file.as_str()),
            _ => None,
        })
    }

    /// The macros that lines define.
    pub(super) fn macros(&self) -> impl Iterator<Item = (Name, &Rc<Macro>)> {
        self.lines().filter_map(|line| match &line.command {
            Command::Define(name, own) => Some((*name, own)),
            _ => None,
        })
    }

    fn lines(&self) -> impl Iterator<Item = &Line> {
        self.lines.iter().filter_map(|at| match &self.items[*at] {
            Item::Line(line) => Some(line),
            Item::Token(_) => None,
        })
    }
}

/// What a line says.
fn command(text: &str, place: Span, names: &mut Names) -> Command {
    let line = directive(text);
    if let Some(file) = line.include() {
        return Command::Include(file.to_owned());
    }
    // The name is the first word of the line.
    let after = text.find(line.name).map_or(text.len(), |at| at + line.name.len());
    let start = place.start as usize + after;
    let mut rest = pieces(&text[after..], Span::new(place.file, start, start), names);
    if let Some(first) = rest.first_mut() {
        first.is_spaced = true;
    }
    // `#define F(x)` has no space before the parenthesis, which is the second token.
    let name = |rest: &[Piece]| rest.first().filter(|word| word.kind == TokenKind::Word).map(|word| word.name);
    let defined = |rest: &[Piece], wanted| name(rest).map(|name| Test::Defined(name, wanted));
    let test = match line.name {
        "if" | "elif" if !rest.is_empty() => Some(Test::Expression(rest.clone())),
        "ifdef" | "elifdef" => defined(&rest, true),
        "ifndef" | "elifndef" => defined(&rest, false),
        _ => None,
    };
    match (line.name, test) {
        ("if" | "ifdef" | "ifndef", Some(test)) => Command::If(test),
        ("elif" | "elifdef" | "elifndef", Some(test)) => Command::ElseIf(test),
        ("if" | "ifdef" | "ifndef" | "elif" | "elifdef" | "elifndef", None) => {
            let unknown = Test::Expression(Vec::new());
            if line.name.starts_with("if") { Command::If(unknown) } else { Command::ElseIf(unknown) }
        }
        ("else", _) => Command::Else,
        ("endif", _) => Command::EndIf,
        ("define", _) => match Macro::read(&rest, names) {
            Ok((name, own)) => Command::Define(name, Rc::new(own)),
            Err(message) => Command::Wrong(message),
        },
        ("undef", _) => name(&rest).map_or(Command::Wrong("`#undef` has no name of a macro"), Command::Undefine),
        ("include" | "include_next" | "import", _) => Command::IncludeMacro(rest),
        ("pragma", _) if name(&rest).is_some_and(|name| names.text(name) == "once") => Command::Once,
        _ => Command::Other,
    }
}
