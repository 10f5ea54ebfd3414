//! Finds the blocks of `TORCH_LIBRARY` and its relatives in the tokens of a unit, and the calls in
//! them.
//!
//! Invariant: every step advances, and any tokens can be read. A call has the condition of the
//! builds that make it.

use torchgen_base::diag::{FileId, Span};
use torchgen_base::lang::cpp::TokenKind;

use crate::blocks::{MODULE_MACRO, block_macro, is_library, is_module};
use crate::conditions::{Condition, Conditions};
use crate::passed::{Block, Helper, Passed, Scopes, beginning, helper, passed};
use crate::preprocessor::{Names, Piece, variants};
use crate::statement::{Argument, Statement};

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
    /// Whether it is the block of a Python module of pybind11. The namespace is its name.
    pub module: bool,
    /// The source that is compiled, which may include the one with the call.
    pub unit: FileId,
}

/// How many tokens are read for several builds.
const MAX_AGAIN: usize = 2_000_000;

/// What a unit has.
#[derive(Default)]
pub(crate) struct Found {
    /// The calls, in order.
    pub(crate) calls: Vec<Call>,
    pub(crate) blocks: usize,
    /// The functions that take a library.
    pub(crate) helpers: Vec<Helper>,
    /// The calls that give them one.
    pub(crate) passed: Vec<Passed>,
}

/// What is in a unit.
pub(crate) fn unit(unit: FileId, pieces: &[Piece], names: &Names, conditions: &mut Conditions) -> Found {
    let mut scan = Scan::new(unit, pieces, names, conditions);
    while scan.at < pieces.len() {
        scan.step();
    }
    scan.found
}

/// What a function does with the library that it is given.
pub(crate) fn called(
    unit: FileId,
    pieces: &[Piece],
    names: &Names,
    conditions: &mut Conditions,
    function: &Helper,
    call: &Passed,
) -> Found {
    let mut scan = Scan::new(unit, pieces, names, conditions);
    scan.scopes.clone_from(&function.scopes);
    let both = scan.conditions.and(function.condition, call.condition);
    scan.body(function.open, both, &call.block, &function.variable);
    scan.found
}

struct Scan<'a> {
    unit: FileId,
    pieces: &'a [Piece],
    names: &'a Names,
    conditions: &'a mut Conditions,
    at: usize,
    scopes: Scopes,
    found: Found,
    /// How many tokens are read for several builds.
    again: usize,
}

impl<'a> Scan<'a> {
    fn new(unit: FileId, pieces: &'a [Piece], names: &'a Names, conditions: &'a mut Conditions) -> Scan<'a> {
        Scan { unit, pieces, names, conditions, at: 0, scopes: Vec::new(), found: Found::default(), again: 0 }
    }

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
                        self.block(at, keyed, stable, false);
                    } else if word == MODULE_MACRO {
                        self.block(at, false, false, true);
                    } else if is_library(word) || is_module(word) {
                        let found = helper(self.pieces, self.names, at, &self.scopes);
                        self.found.helpers.extend(found);
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
        let found = variants(self.pieces, start, condition, self.names, self.conditions, ends);
        let names = self.names;
        found.into_iter().map(|one| (one.condition, Statement { pieces: one.pieces, names }, one.end)).collect()
    }

    /// `torch::RegisterOperators("ns::f() -> ()", &f).op(...)`, from its last word on. A name of a
    /// variable may follow the word. Names of operators have their namespaces.
    fn operators(&mut self, word: usize) {
        let condition = self.pieces[word].condition;
        let place = self.pieces[word].place;
        let block =
            Block { namespace: Argument { place, ..Argument::default() }, key: None, stable: false, module: false };
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
        self.found.blocks += usize::from(!all.is_empty());
        self.at = all.iter().map(|(.., end)| *end).min().unwrap_or(self.at).max(self.at);
        for (own, calls, _) in all {
            self.add(calls, &block, own);
        }
    }

    /// A block, from its macro on.
    fn block(&mut self, start: usize, keyed: bool, stable: bool, module: bool) {
        let condition = self.pieces[start].condition;
        let mut heads = Vec::new();
        for (own, statement, end) in
            self.statement(start, condition, |text, depth| text == ")" && depth == 0 || text == ";")
        {
            let (head, _) = statement.arguments(1);
            // A module can have options behind it.
            let variable = if module { head.get(1) } else { head.last() };
            let variable = variable.map(|last| last.text.clone()).unwrap_or_default();
            let mut head = head.into_iter();
            let (Some(namespace), key) = (head.next(), head.next().filter(|_| keyed)) else { continue };
            // Without a key, the second one is the variable.
            heads.push((own, Block { namespace, key, stable, module }, variable, end));
        }
        let mut last = self.at;
        self.at = heads.iter().map(|(.., end)| *end).min().unwrap_or(self.at).max(self.at);
        for (own, block, variable, end) in heads {
            let open = self.next_of(end, own);
            if self.word(open) == "{" {
                self.found.blocks += usize::from(!module);
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
        let mut braces: Scopes = Vec::new();
        // With those of a Python module's modules.
        let mut variables = vec![variable.to_owned()];
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
                (TokenKind::Word, word) if variables.iter().any(|own| own == word) && self.next_is_dot(at, own) => {
                    let mut all = Vec::new();
                    variables.extend(self.submodule(index));
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
                (TokenKind::Word, word) if variables.iter().any(|own| own == word) => {
                    match passed(self.pieces, self.names, index, own, block) {
                        Some(found) => self.found.passed.push(found),
                        None if block.module => {
                            let function = beginning(self.pieces, self.names, index);
                            self.add(vec![(function, Vec::new(), self.pieces[index].place)], block, own);
                        }
                        None => {}
                    }
                }
                _ => {}
            }
        }
        at
    }

    /// The variable that `auto sub = m.def_submodule(...)` declares, from `m` on.
    fn submodule(&self, at: usize) -> Option<String> {
        let declares = self.word(at + 2) == "def_submodule" && self.word(at.checked_sub(1)?) == "=";
        declares.then(|| self.word(at.saturating_sub(2)).to_owned())
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
                "impl" | "impl_UNBOXED" if !block.module => Action::Implement,
                _ => Action::Other,
            };
            self.found.calls.push(Call {
                action,
                function,
                place,
                namespace: block.namespace.clone(),
                key: block.key.as_ref().map(|key| key.text.clone()),
                arguments,
                scope: scope.clone(),
                condition,
                stable: block.stable,
                module: block.module,
                unit: self.unit,
            });
        }
    }
}

/// How many braces of different builds a closing one is compared with.
const MAX_OPEN: usize = 32;

/// Closes a brace in some builds: for each of them the last one that is open.
fn close(open: &mut Scopes, condition: Condition, conditions: &mut Conditions) {
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
