//! One source with all that it includes, as the tokens of all builds.
//!
//! Invariant: each line and each token that is looked at costs a step, and a unit has a bounded
//! number of them. A branch of an `#if` that some build reads is read.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use torchgen_base::diag::Span;
use torchgen_base::lang::cpp::TokenKind;

use super::Problem;
use super::expression::{KNOWN, holds};
use super::hidden::HiddenSets;
use super::lexed::{Command, Item, Line, Test};
use super::macros::{Macro, Macros};
use super::names::{Name, Names};
use super::piece::{Piece, joined};
use super::tree::Tree;
use super::variants::variants;
use crate::blocks::is_registration;
use crate::conditions::{Condition, Conditions};

/// How deep includes may be.
const MAX_INCLUDES: usize = 100;

/// How many files a unit may read, each as often as it is included.
const MAX_FILES: usize = 4000;

/// How many problems are reported.
const MAX_PROBLEMS: usize = 200;

/// How many steps a unit may take.
const MAX_STEPS: usize = 3_000_000;

/// What a unit reads and writes beside its own state.
pub(super) struct Unit<'a> {
    pub(super) names: &'a mut Names,
    pub(super) conditions: &'a mut Conditions,
    tree: &'a Tree,
    problems: &'a mut Vec<Problem>,
    pub(super) macros: Macros,
    pub(super) hidden: HiddenSets,
    /// The tokens to read before those of the files, the next one last.
    pub(super) pending: Vec<Piece>,
    pub(super) output: Vec<Piece>,
    /// Only pending tokens are read.
    pub(super) is_isolated: bool,
    /// How many arguments of macros are being read.
    pub(super) depth: usize,
    open: Vec<Open>,
    /// The builds that have read a file with `#pragma once`.
    once: FxHashMap<usize, Condition>,
    /// The files that were read.
    entered: FxHashSet<usize>,
    braces: usize,
    files_read: usize,
    /// No further file is read.
    is_full: bool,
    steps: usize,
}

/// A file that is being read.
struct Open {
    file: usize,
    at: usize,
    condition: Condition,
    groups: Vec<Group>,
    /// Its tokens are kept, not only its lines read.
    keeps: bool,
}

/// An `#if`.
struct Group {
    /// The condition around it.
    outer: Condition,
    /// What one of its branches so far holds for.
    taken: Condition,
    has_else: bool,
    place: Span,
}

/// The tokens of a unit, and the files that they are from.
pub(super) fn preprocessed(
    file: usize,
    tree: &Tree,
    defined: &[(Name, Rc<Macro>)],
    names: &mut Names,
    conditions: &mut Conditions,
    problems: &mut Vec<Problem>,
) -> (Vec<Piece>, FxHashSet<usize>) {
    let mut unit = Unit {
        names,
        conditions,
        tree,
        problems,
        macros: Macros::default(),
        hidden: HiddenSets::default(),
        pending: Vec::new(),
        output: Vec::new(),
        is_isolated: false,
        depth: 0,
        open: Vec::new(),
        once: FxHashMap::default(),
        entered: FxHashSet::default(),
        braces: 0,
        files_read: 0,
        is_full: false,
        steps: 0,
    };
    for (name, own) in defined {
        unit.macros.set(*name, (Condition::ALWAYS, Some(own.clone())), unit.conditions);
    }
    unit.enter(file, Condition::ALWAYS, true);
    while let Some(piece) = unit.next_piece(0) {
        unit.step(piece);
    }
    (unit.output, unit.entered)
}

impl<'a> Unit<'a> {
    /// Takes steps; not if none are left.
    pub(super) fn spend(&mut self, steps: usize) -> bool {
        self.steps = self.steps.saturating_add(steps);
        self.steps <= MAX_STEPS
    }

    pub(super) fn problem(&mut self, place: Span, message: impl Into<String>) {
        let problem = Problem { place, message: message.into() };
        if self.problems.len() < MAX_PROBLEMS && !self.problems.contains(&problem) {
            self.problems.push(problem);
        }
    }

    pub(super) fn is_registration(&self, name: Name) -> bool {
        is_registration(self.names.text(name))
    }

    /// How many files are open.
    pub(super) fn files_open(&self) -> usize {
        self.open.len()
    }

    /// Puts a token out.
    pub(super) fn put(&mut self, piece: Piece) {
        if !self.is_isolated && piece.kind == TokenKind::Punct {
            match self.names.text(piece.name) {
                "{" => self.braces += 1,
                "}" => self.braces = self.braces.saturating_sub(1),
                _ => {}
            }
        }
        self.output.push(piece);
    }

    fn enter(&mut self, file: usize, condition: Condition, keeps: bool) {
        let lexed = &self.tree.files[file].lexed;
        if let Some(guard) = lexed.guard
            && !self.macros.knows(guard)
        {
            // Nobody else defines it.
            self.macros.set(guard, (Condition::ALWAYS, None), self.conditions);
        }
        self.entered.insert(file);
        self.files_read += 1;
        self.open.push(Open { file, at: 0, condition, groups: Vec::new(), keeps });
    }

    /// The next token. The file that is the `level`th is not left.
    pub(super) fn next_piece(&mut self, level: usize) -> Option<Piece> {
        loop {
            if let Some(piece) = self.pending.pop() {
                return Some(piece);
            }
            if self.is_isolated {
                return None;
            }
            if self.steps > MAX_STEPS {
                self.stop();
                return None;
            }
            let tree: &'a Tree = self.tree;
            let count = self.open.len();
            let open = self.open.last_mut()?;
            let lexed = &tree.files[open.file].lexed;
            match lexed.items.get(open.at) {
                Some(Item::Token(piece)) if open.keeps && open.condition != Condition::NEVER => {
                    open.at += 1;
                    self.steps += 1;
                    return Some(Piece { condition: open.condition, ..*piece });
                }
                Some(Item::Token(_)) => {
                    let next = lexed.lines.partition_point(|line| *line < open.at);
                    open.at = lexed.lines.get(next).copied().unwrap_or(lexed.items.len());
                }
                Some(Item::Line(line)) => {
                    open.at += 1;
                    self.spend(1);
                    self.line(line);
                }
                None if count == level => return None,
                None => {
                    let groups = std::mem::take(&mut open.groups);
                    self.open.pop();
                    for group in groups {
                        self.problem(group.place, "this `#if` has no `#endif`");
                    }
                }
            }
        }
    }

    /// Leaves all files, since too many steps were taken.
    fn stop(&mut self) {
        if let Some(first) = self.open.first() {
            let place = Span::new(self.tree.files[first.file].id, 0, 0);
            self.problem(place, "this source with its includes and macros is too large");
        }
        self.open.clear();
    }

    fn line(&mut self, line: &'a Line) {
        let Some(open) = self.open.last() else { return };
        let within = open.condition;
        let is_read = within != Condition::NEVER;
        match &line.command {
            Command::If(test) => {
                let own = if is_read { self.test(test, within, line.place) } else { Condition::NEVER };
                let now = self.conditions.and(within, own);
                let group = Group { outer: within, taken: own, has_else: false, place: line.place };
                if let Some(open) = self.open.last_mut() {
                    open.groups.push(group);
                    open.condition = now;
                }
            }
            Command::ElseIf(test) => self.branch(Some(test), line.place),
            Command::Else => self.branch(None, line.place),
            Command::EndIf => match self.open.last_mut().and_then(|open| Some((open.groups.pop()?, open))) {
                Some((group, open)) => open.condition = group.outer,
                None => self.problem(line.place, "this `#endif` has no `#if`"),
            },
            _ if !is_read => {}
            Command::Define(name, own) => {
                if let Some(stray) = own.stray_hash(self.names) {
                    self.problem(stray.place, "`#` is not followed by a parameter of the macro");
                }
                self.macros.set(*name, (within, Some(own.clone())), self.conditions);
            }
            Command::Undefine(name) => self.macros.set(*name, (within, None), self.conditions),
            Command::Include(written) => self.include(written, line.place),
            Command::IncludeMacro(pieces) => {
                let expanded = self.expand_all(pieces);
                let written = joined(&expanded, self.names);
                if written.starts_with(['"', '<']) {
                    self.include(&written, line.place);
                }
            }
            Command::Once => {
                let file = open.file;
                let known = self.once.get(&file).copied().unwrap_or(Condition::NEVER);
                let now = self.conditions.or(known, within);
                self.once.insert(file, now);
            }
            Command::Wrong(message) => self.problem(line.place, *message),
            Command::Other => {}
        }
    }

    /// Another branch of an `#if`.
    fn branch(&mut self, test: Option<&Test>, place: Span) {
        let Some(group) = self.open.last().and_then(|open| open.groups.last()) else {
            self.problem(place, "this branch has no `#if`");
            return;
        };
        let (outer, taken, had_else) = (group.outer, group.taken, group.has_else);
        if had_else {
            self.problem(place, "this branch follows an `#else`");
        }
        let rest = self.conditions.without(outer, taken);
        let own = match test {
            _ if rest == Condition::NEVER => Condition::NEVER,
            Some(test) => self.test(test, rest, place),
            None => Condition::ALWAYS,
        };
        let now = self.conditions.and(rest, own);
        let taken = self.conditions.or(taken, own);
        if let Some(open) = self.open.last_mut()
            && let Some(group) = open.groups.last_mut()
        {
            open.condition = now;
            group.taken = taken;
            group.has_else |= test.is_none();
        }
    }

    fn include(&mut self, written: &str, place: Span) {
        let Some(open) = self.open.last() else { return };
        let Some(target) = self.tree.included(open.file, written) else { return };
        let mut condition = open.condition;
        if let Some(seen) = self.once.get(&target) {
            condition = self.conditions.without(condition, *seen);
        }
        if condition == Condition::NEVER {
            return;
        }
        if self.files_read >= MAX_FILES {
            // The first one says it for all.
            if !std::mem::replace(&mut self.is_full, true) {
                self.problem(place, "too many includes");
            }
            return;
        }
        if self.open.len() >= MAX_INCLUDES {
            self.problem(place, "includes are nested too deeply");
            return;
        }
        let file = &self.tree.files[target];
        // What has no guard is a part of what surrounds it.
        let keeps = file.may_register || self.braces > 0 || !file.is_guarded();
        self.enter(target, condition, keeps);
    }

    /// The builds in which a macro is defined.
    fn defined(&mut self, name: Name, within: Condition) -> Condition {
        let text = self.names.text(name).to_owned();
        if matches!(text.as_str(), "__cplusplus" | "__has_include") {
            return Condition::ALWAYS;
        }
        let (meanings, free) = self.macros.get(name, within, self.conditions);
        let mut found = Condition::NEVER;
        for (own, meaning) in meanings {
            if meaning.is_some() {
                found = self.conditions.or(found, own);
            }
        }
        if free != Condition::NEVER {
            let atom = self.conditions.atom(&format!("defined({text})"));
            let outside = self.conditions.and(free, atom);
            found = self.conditions.or(found, outside);
        }
        found
    }

    /// The builds, among some, for which a line's test holds.
    fn test(&mut self, test: &Test, within: Condition, place: Span) -> Condition {
        let words = match test {
            Test::Defined(name, wanted) => {
                let own = self.defined(*name, within);
                return if *wanted { own } else { self.conditions.not(own) };
            }
            Test::Expression(words) if words.is_empty() => {
                self.problem(place, "this line has no condition");
                return Condition::ALWAYS;
            }
            Test::Expression(words) => words,
        };
        if !self.spend(words.len()) {
            return Condition::ALWAYS;
        }
        let mut known = Vec::new();
        let decided = self.decided(words, within, &mut known);
        let expanded = self.expand_all(&decided);
        let mut found = Condition::NEVER;
        for variant in variants(&expanded, 0, within, self.names, self.conditions, |_, _| false) {
            let own = holds(&variant.pieces, &known, self.names, self.conditions);
            let both = self.conditions.and(own, variant.condition);
            found = self.conditions.or(found, both);
        }
        found
    }

    /// The words of a test, with one word for each `defined(X)` and `__has_include(<x>)`.
    fn decided(&mut self, words: &[Piece], within: Condition, known: &mut Vec<Condition>) -> Vec<Piece> {
        let mut result = Vec::with_capacity(words.len());
        let mut at = 0;
        while let Some(word) = words.get(at) {
            let text = |names: &Names, at: usize| words.get(at).map_or("", |word| names.text(word.name)).to_owned();
            let own = text(self.names, at);
            let opens = text(self.names, at + 1) == "(";
            let (condition, next) = match own.as_str() {
                "defined" => {
                    let named = at + if opens { 2 } else { 1 };
                    let Some(name) = words.get(named).filter(|word| word.kind == TokenKind::Word) else {
                        self.problem(word.place, "`defined` needs the name of a macro");
                        result.push(*word);
                        at += 1;
                        continue;
                    };
                    let closes = opens && text(self.names, named + 1) == ")";
                    (self.defined(name.name, within), named + if closes { 2 } else { 1 })
                }
                "__has_include" | "__has_include_next" if opens => {
                    let rest = words.get(at + 2..).unwrap_or_default();
                    let end = rest.iter().position(|word| self.names.text(word.name) == ")").unwrap_or(rest.len());
                    let written = joined(&rest[..end], self.names);
                    let has_it = self.open.last().and_then(|open| self.tree.included(open.file, &written)).is_some();
                    let atom = format!("{own}({written})");
                    let condition = if has_it { Condition::ALWAYS } else { self.conditions.atom(&atom) };
                    (condition, (at + 3 + end).min(words.len()))
                }
                _ => {
                    result.push(*word);
                    at += 1;
                    continue;
                }
            };
            let name = self.names.of(&format!("{KNOWN}{}", known.len()));
            known.push(condition);
            result.push(Piece { name, kind: TokenKind::Literal, ..*word });
            at = next;
        }
        result
    }
}
