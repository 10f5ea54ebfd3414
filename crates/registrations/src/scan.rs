//! Finds the blocks of `TORCH_LIBRARY` and its relatives in the tokens of a unit, and the calls in
//! them.
//!
//! Invariant: every step advances, and any tokens can be read. A call has the condition of the
//! builds that make it.

use torchgen_base::diag::{FileId, Span};
use torchgen_base::lang::cpp::TokenKind;

use crate::blocks::block_macro;
use crate::conditions::{Condition, Conditions};
use crate::literal::Literal;
use crate::preprocessor::{Names, Piece, joined, variants};

/// What a call does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// It declares an operator.
    Define,
    /// It gives an operator a kernel.
    Implement,
    /// Anything else: `class_`, `set_python_module`, `fallback`.
    Other,
}

/// A call on a library.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Call {
    /// What it does.
    pub action: Action,
    /// The name of its function.
    pub function: String,
    /// Its place, or that of the macro that makes it.
    pub place: Span,
    /// The library's namespace as written.
    pub namespace: Argument,
    /// The dispatch key of the block, as written.
    pub key: Option<String>,
    /// The arguments.
    pub arguments: Vec<Argument>,
    /// The C++ namespaces around the block; empty for one without a name.
    pub scope: Vec<String>,
    /// The builds that make it.
    pub condition: Condition,
    /// Whether the block is on the stable ABI.
    pub stable: bool,
    /// The source that is compiled, which may include the one with the call.
    pub unit: FileId,
}

/// An argument of a macro or call.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Argument {
    /// Its tokens, with single spaces where the source has any.
    pub text: String,
    /// Its place.
    pub place: Span,
    /// The string that it is, possibly inside a macro such as `TORCH_SELECTIVE_SCHEMA`.
    pub literal: Option<Literal>,
}

/// How many tokens are read for several builds.
const MAX_AGAIN: usize = 2_000_000;

/// Macros and functions around a schema or a name.
const AROUND: &[&str] = &["TORCH_SELECTIVE_SCHEMA", "TORCH_SELECTIVE_NAME", "torch::schema", "schema"];

/// The calls of a unit, in order, and how many blocks it has.
pub(crate) fn calls(unit: FileId, pieces: &[Piece], names: &Names, conditions: &mut Conditions) -> (Vec<Call>, usize) {
    let mut scan =
        Scan { unit, pieces, names, conditions, at: 0, scopes: Vec::new(), found: Vec::new(), blocks: 0, again: 0 };
    while scan.at < pieces.len() {
        scan.step();
    }
    (scan.found, scan.blocks)
}

struct Scan<'a> {
    unit: FileId,
    pieces: &'a [Piece],
    names: &'a Names,
    conditions: &'a mut Conditions,
    at: usize,
    /// Open braces: the builds that have each, and the namespaces that it opens.
    scopes: Vec<(Condition, Vec<String>)>,
    found: Vec<Call>,
    blocks: usize,
    /// How many tokens are read for several builds.
    again: usize,
}

/// What the calls of a block share.
struct Block {
    namespace: Argument,
    key: Option<Argument>,
    stable: bool,
}

impl Scan<'_> {
    fn word(&self, at: usize) -> &str {
        self.pieces.get(at).map_or("", |piece| self.names.text(piece.name))
    }

    /// Reads one token or block at namespace level.
    fn step(&mut self) {
        let at = self.at;
        self.at += 1;
        let condition = self.pieces[at].condition;
        match self.pieces[at].kind {
            TokenKind::Punct => match self.word(at) {
                "{" => self.scopes.push((condition, Vec::new())),
                "}" => close(&mut self.scopes, condition, self.conditions),
                _ => {}
            },
            TokenKind::Word => match self.word(at) {
                "namespace" => self.namespace(condition),
                "RegisterOperators" => self.operators(at),
                word => {
                    if let Some(keyed) = block_macro(word) {
                        let stable = word.starts_with("STABLE_");
                        self.block(at, keyed, stable);
                    }
                }
            },
            _ => {}
        }
    }

    /// `namespace a::b {`; the word was read.
    fn namespace(&mut self, condition: Condition) {
        let mut names = Vec::new();
        while self.pieces.get(self.at).is_some_and(|piece| piece.kind == TokenKind::Word) || self.word(self.at) == "::"
        {
            if self.word(self.at) != "::" {
                names.push(self.word(self.at).to_owned());
            }
            self.at += 1;
        }
        if self.word(self.at) == "{" {
            if names.is_empty() {
                names.push(String::new());
            }
            self.scopes.push((condition, names));
            self.at += 1;
        }
    }

    /// The statement from a token on, up to `ends`, as the builds of a condition have it.
    fn statement(
        &mut self,
        start: usize,
        condition: Condition,
        ends: impl Fn(&str, usize) -> bool,
    ) -> Vec<(Condition, Statement<'_>, usize)> {
        let found = variants(self.pieces, start, condition, (self.names, self.conditions), ends);
        let names = self.names;
        found.into_iter().map(|one| (one.condition, Statement { pieces: one.pieces, names }, one.end)).collect()
    }

    /// `torch::RegisterOperators("ns::f() -> ()", &f).op(...)`, from its last word on. A name of a
    /// variable may follow the word. Names of operators have their namespaces.
    fn operators(&mut self, word: usize) {
        let condition = self.pieces[word].condition;
        let place = self.pieces[word].place;
        let block = Block { namespace: Argument { place, ..Argument::default() }, key: None, stable: false };
        let mut all = Vec::new();
        for (own, statement, end) in
            self.statement(word, condition, |text, depth| text == ";" || text == "}" && depth == 0)
        {
            let named = usize::from(statement.is_word(1));
            if statement.word(1 + named) != "(" {
                continue;
            }
            let (arguments, next) = statement.arguments(1 + named);
            let mut calls = Vec::new();
            if !arguments.is_empty() {
                calls.push(("def".to_owned(), arguments, statement.place(0..next)));
            }
            statement.chain(next - 1, &mut calls, true);
            all.push((own, calls, end));
        }
        self.blocks += usize::from(!all.is_empty());
        self.at = all.iter().map(|(.., end)| *end).min().unwrap_or(self.at).max(self.at);
        for (own, calls, _) in all {
            self.add(calls, &block, own);
        }
    }

    /// A block, from its macro on.
    fn block(&mut self, start: usize, keyed: bool, stable: bool) {
        let condition = self.pieces[start].condition;
        let mut heads = Vec::new();
        for (own, statement, end) in
            self.statement(start, condition, |text, depth| text == ")" && depth == 0 || text == ";")
        {
            let (head, _) = statement.arguments(1);
            let variable = head.last().map(|last| last.text.clone()).unwrap_or_default();
            let mut head = head.into_iter();
            let (Some(namespace), key) = (head.next(), head.next().filter(|_| keyed)) else { continue };
            // Without a key, the second one is the variable.
            heads.push((own, Block { namespace, key, stable }, variable, end));
        }
        let mut last = self.at;
        self.at = heads.iter().map(|(.., end)| *end).min().unwrap_or(self.at).max(self.at);
        for (own, block, variable, end) in heads {
            let open = self.next_of(end, own);
            if self.word(open) == "{" {
                self.blocks += 1;
                last = last.max(self.body(open, own, &block, &variable));
            }
        }
        // Other builds may have another block at this place.
        self.again += last.saturating_sub(self.at);
        if condition == Condition::ALWAYS || self.again > MAX_AGAIN {
            self.at = last;
        }
    }

    /// The first token from a place on that a build of the condition has.
    fn next_of(&mut self, mut at: usize, condition: Condition) -> usize {
        while let Some(piece) = self.pieces.get(at) {
            if piece.condition == condition || self.conditions.meet(piece.condition, condition) {
                break;
            }
            at += 1;
        }
        at
    }

    /// The calls of a block's body, from its brace on. Returns the index behind it.
    fn body(&mut self, open: usize, condition: Condition, block: &Block, variable: &str) -> usize {
        let mut braces: Vec<(Condition, Vec<String>)> = Vec::new();
        let mut at = open;
        while let Some(piece) = self.pieces.get(at) {
            let own = match piece.condition == condition {
                true => condition,
                false => self.conditions.and(piece.condition, condition),
            };
            let index = at;
            at += 1;
            if own == Condition::NEVER {
                continue;
            }
            match (piece.kind, self.names.text(piece.name)) {
                (TokenKind::Punct, "{") => braces.push((own, Vec::new())),
                (TokenKind::Punct, "}") => {
                    close(&mut braces, own, self.conditions);
                    if braces.is_empty() {
                        return at;
                    }
                }
                (TokenKind::Word, word) if word == variable && self.next_is_dot(at, own) => {
                    let mut all = Vec::new();
                    let ends = |text: &str, depth: usize| (text == ";" || text == "}") && depth == 0;
                    for (own, statement, end) in self.statement(index, own, ends) {
                        let mut calls = Vec::new();
                        statement.chain(0, &mut calls, false);
                        all.push((own, calls, end));
                    }
                    // A brace at the end is that of the block.
                    let end = all.iter().map(|(.., end)| *end).min().unwrap_or(at);
                    let is_brace = self.word(end - 1) == "}";
                    at = at.max(if is_brace { end - 1 } else { end });
                    for (own, calls, _) in all {
                        self.add(calls, block, own);
                    }
                }
                _ => {}
            }
        }
        at
    }

    fn next_is_dot(&mut self, at: usize, condition: Condition) -> bool {
        let next = self.next_of(at, condition);
        self.word(next) == "."
    }

    fn add(&mut self, calls: Vec<(String, Vec<Argument>, Span)>, block: &Block, condition: Condition) {
        let mut scope = Vec::new();
        for (own, names) in &self.scopes {
            if !names.is_empty() && self.conditions.meet(*own, condition) {
                scope.extend(names.iter().cloned());
            }
        }
        for (function, arguments, place) in calls {
            let action = match function.as_str() {
                "def" | "op" => Action::Define,
                "impl" | "impl_UNBOXED" => Action::Implement,
                _ => Action::Other,
            };
            self.found.push(Call {
                action,
                function,
                place,
                namespace: block.namespace.clone(),
                key: block.key.as_ref().map(|key| key.text.clone()),
                arguments,
                scope: scope.clone(),
                condition,
                stable: block.stable,
                unit: self.unit,
            });
        }
    }
}

/// How many braces of different builds a closing one is compared with.
const MAX_OPEN: usize = 32;

/// Closes a brace in some builds: for each of them the last one that is open.
fn close(open: &mut Vec<(Condition, Vec<String>)>, condition: Condition, conditions: &mut Conditions) {
    let mut left = condition;
    for at in (0..open.len()).rev().take(MAX_OPEN) {
        if left == Condition::NEVER {
            break;
        }
        let own = open[at].0;
        if own == left {
            open.remove(at);
            return;
        }
        if conditions.meet(own, left) {
            open[at].0 = conditions.without(own, left);
            left = conditions.without(left, own);
        }
    }
    open.retain(|(own, _)| *own != Condition::NEVER);
}

/// The tokens of a statement in some builds.
struct Statement<'a> {
    pieces: Vec<Piece>,
    names: &'a Names,
}

impl Statement<'_> {
    fn word(&self, at: usize) -> &str {
        self.pieces.get(at).map_or("", |piece| self.names.text(piece.name))
    }

    fn is_word(&self, at: usize) -> bool {
        self.pieces.get(at).is_some_and(|piece| piece.kind == TokenKind::Word)
    }

    /// `m.def(...).impl(...)`: the calls behind a token, each with its place. Places of calls in a
    /// chain of `op` begin with their name.
    fn chain(&self, first: usize, calls: &mut Vec<(String, Vec<Argument>, Span)>, begins_with_name: bool) {
        let mut at = first;
        while self.word(at + 1) == "." && self.is_word(at + 2) {
            let open = self.past_angles(at + 3);
            if self.word(open) != "(" {
                return;
            }
            let (arguments, next) = self.arguments(open);
            let name = self.word(at + 2).to_owned();
            let start = if begins_with_name { at + 2 } else { first };
            // The methods of a class are no operators.
            let ends = matches!(name.as_str(), "class_");
            calls.push((name, arguments, self.place(start..next)));
            if ends {
                return;
            }
            at = next - 1;
        }
    }

    /// The index behind the arguments of a template, if there are any.
    fn past_angles(&self, at: usize) -> usize {
        if self.word(at) != "<" {
            return at;
        }
        let mut depth = 0usize;
        for next in at..self.pieces.len() {
            match self.word(next) {
                "<" => depth += 1,
                ">" => {
                    depth -= 1;
                    if depth == 0 {
                        return next + 1;
                    }
                }
                _ => {}
            }
        }
        at
    }

    /// The arguments in the parentheses at `open`, and the index after them.
    fn arguments(&self, open: usize) -> (Vec<Argument>, usize) {
        let (mut found, mut depth, mut start, mut at) = (Vec::new(), 0usize, open + 1, open);
        while at < self.pieces.len() {
            match self.word(at) {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => {
                    depth = depth.saturating_sub(1);
                    if depth == 0 {
                        found.extend(self.argument(start, at));
                        return (found, at + 1);
                    }
                }
                // The arguments of a template have commas too.
                "<" if self.is_word(at.wrapping_sub(1)) => {
                    let end = self.past_angles(at);
                    if (at..end).all(|inside| !matches!(self.word(inside), "(" | ";" | "{" | "&")) && end > at {
                        at = end;
                        continue;
                    }
                }
                "," if depth == 1 => {
                    found.extend(self.argument(start, at));
                    start = at + 1;
                }
                _ => {}
            }
            at += 1;
        }
        (found, at.max(open + 1))
    }

    fn argument(&self, start: usize, end: usize) -> Option<Argument> {
        let pieces = self.pieces.get(start..end).filter(|pieces| !pieces.is_empty())?;
        let text = joined(pieces, self.names);
        Some(Argument { literal: self.literal(start, end), text, place: self.place(start..end) })
    }

    /// The place of tokens: from the first to the last, if one file has both.
    fn place(&self, tokens: std::ops::Range<usize>) -> Span {
        let Some(first) = self.pieces.get(tokens.start) else { return Span::default() };
        let end = tokens.end.min(self.pieces.len()).max(tokens.start + 1);
        let last = self.pieces[end - 1].place;
        let first = first.place;
        match last.file == first.file && last.end > first.end {
            true => Span { end: last.end, ..first },
            false => first,
        }
    }

    /// The string that tokens make, possibly inside a macro, which may be inside another one.
    fn literal(&self, start: usize, end: usize) -> Option<Literal> {
        let mut first = start;
        while !self.is_literal(first) {
            let open = (first..end).find(|&at| self.word(at) == "(")?;
            let name: String = (first..open).map(|at| self.word(at)).collect();
            if !AROUND.contains(&name.strip_prefix("::").unwrap_or(&name)) {
                return None;
            }
            first = open + 1;
        }
        let last = (first..end).find(|&at| !self.is_literal(at)).unwrap_or(end);
        let complete = if first == start { last == end } else { matches!(self.word(last), "," | ")") };
        let mut literal = Literal::default();
        for piece in &self.pieces[first..last] {
            literal.add(self.names.text(piece.name), piece.written.unwrap_or(piece.place), piece.written.is_some());
        }
        complete.then_some(literal)
    }

    fn is_literal(&self, at: usize) -> bool {
        self.pieces.get(at).is_some_and(|piece| piece.kind == TokenKind::Literal)
    }
}
