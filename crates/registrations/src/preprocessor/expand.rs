//! Replaces macros.
//!
//! Invariant: each replacement costs steps of the unit, so that it ends; nested arguments have a
//! bounded depth. Where the builds have different macros, all replacements follow each other, each
//! with its condition.

use std::rc::Rc;

use torchgen_base::diag::Span;
use torchgen_base::lang::cpp::TokenKind;

use super::macros::Macro;
use super::piece::{Piece, past_parenthesis};
use super::unit::Unit;
use crate::conditions::Condition;

/// The depth of macros in arguments of macros.
const MAX_DEPTH: usize = 60;

/// How many tokens of other builds there may be before the parenthesis of a use.
const MAX_SKIPPED: usize = 64;

/// The arguments of a use.
struct Arguments {
    parts: Vec<Vec<Piece>>,
    /// The parenthesis at the end.
    close: Piece,
}

/// What follows a name that takes parentheses.
enum Use {
    With(Arguments),
    /// There are none.
    Without,
    /// They do not end.
    Unterminated,
}

impl Unit<'_> {
    /// Puts a token out, or what its macros replace it by.
    pub(super) fn step(&mut self, piece: Piece) {
        let is_word = piece.kind == TokenKind::Word && !piece.is_final;
        if !is_word || !self.macros.knows(piece.name) || self.hidden.has(piece.hidden, piece.name) || !self.spend(1) {
            self.put(piece);
            return;
        }
        let (meanings, mut raw) = self.macros.get(piece.name, piece.condition, self.conditions);
        let mut with_arguments = Condition::NEVER;
        for (own, meaning) in &meanings {
            match meaning {
                Some(one) if one.parameters.is_some() => with_arguments = self.conditions.or(with_arguments, *own),
                Some(_) => {}
                None => raw = self.conditions.or(raw, *own),
            }
        }
        if raw == piece.condition {
            self.put(piece);
            return;
        }
        let arguments = match with_arguments {
            Condition::NEVER => Use::Without,
            _ => self.arguments(with_arguments, &piece),
        };
        if !matches!(arguments, Use::With(_)) {
            raw = self.conditions.or(raw, with_arguments);
        }
        let mut result: Vec<Piece> = Vec::new();
        if raw != Condition::NEVER {
            result.push(Piece { condition: raw, is_final: true, ..piece });
        }
        let arguments = if let Use::With(arguments) = arguments { Some(arguments) } else { None };
        for (own, meaning) in meanings {
            let Some(one) = meaning else { continue };
            match (&one.parameters, &arguments) {
                (None, _) => result.extend(self.replaced(&one, &piece, None, own)),
                (Some(_), Some(arguments)) => result.extend(self.replaced(&one, &piece, Some(arguments), own)),
                (Some(_), None) => {}
            }
        }
        self.pending.extend(result.into_iter().rev());
    }

    /// The arguments behind a name, in the builds of a condition. Tokens of other builds stay.
    fn arguments(&mut self, within: Condition, name: &Piece) -> Use {
        let level = self.files_open();
        let mut taken: Vec<Piece> = Vec::new();
        let mut parts: Vec<Vec<Piece>> = vec![Vec::new()];
        let mut depth = 0usize;
        let mut skipped = 0;
        loop {
            let next = self.next_piece(level).filter(|_| self.spend(1));
            let Some(piece) = next else {
                let outcome = if depth == 0 { Use::Without } else { Use::Unterminated };
                self.undo(taken, matches!(outcome, Use::Unterminated), name);
                return outcome;
            };
            taken.push(piece);
            let own = self.conditions.and(piece.condition, within);
            if own == Condition::NEVER {
                skipped += 1;
                if depth == 0 && skipped > MAX_SKIPPED {
                    self.undo(taken, false, name);
                    return Use::Without;
                }
                continue;
            }
            let text = if piece.kind == TokenKind::Punct { self.names.text(piece.name) } else { "" };
            match text {
                "(" => depth += 1,
                _ if depth == 0 => {
                    self.undo(taken, false, name);
                    return Use::Without;
                }
                ")" => depth -= 1,
                _ if piece.kind == TokenKind::Word && self.is_registration(piece.name) => {
                    self.undo(taken, true, name);
                    return Use::Unterminated;
                }
                _ => {}
            }
            match (text, depth) {
                (")", 0) => {
                    self.leave(&taken, within);
                    return Use::With(Arguments { parts, close: piece });
                }
                ("(", 1) if parts.len() == 1 && parts[0].is_empty() && taken.len() == skipped + 1 => {}
                (",", 1) => parts.push(Vec::new()),
                _ => {
                    if let Some(part) = parts.last_mut() {
                        part.push(Piece { condition: own, ..piece });
                    }
                }
            }
        }
    }

    /// Puts tokens back that are no arguments. Those of a use without an end are not replaced.
    fn undo(&mut self, taken: Vec<Piece>, is_unterminated: bool, name: &Piece) {
        if is_unterminated {
            let message = format!("the arguments of `{}` have no `)`", self.names.text(name.name));
            self.problem(name.place, message);
        }
        let last = taken.len();
        for (at, mut piece) in taken.into_iter().enumerate().rev() {
            piece.is_final |= is_unterminated && at + 1 < last;
            self.pending.push(piece);
        }
    }

    /// Puts back what tokens are in the builds that did not take them.
    fn leave(&mut self, taken: &[Piece], within: Condition) {
        for piece in taken.iter().rev() {
            if piece.condition == within {
                continue;
            }
            let rest = self.conditions.without(piece.condition, within);
            if rest != Condition::NEVER {
                self.pending.push(Piece { condition: rest, ..*piece });
            }
        }
    }

    /// What a macro is replaced by.
    fn replaced(
        &mut self,
        one: &Rc<Macro>,
        name: &Piece,
        with: Option<&Arguments>,
        condition: Condition,
    ) -> Vec<Piece> {
        let before = match with {
            Some(arguments) => self.hidden.common(name.hidden, arguments.close.hidden),
            None => name.hidden,
        };
        let hidden = self.hidden.with(before, name.name);
        let parts = with.map(|arguments| self.fitted(one, arguments, name)).unwrap_or_default();
        // The place of the use ends with its parenthesis.
        let close = with.map_or(name.place, |arguments| arguments.close.place);
        let is_behind = close.file == name.place.file && close.end >= name.place.end;
        let place = Span { end: if is_behind { close.end } else { name.place.end }, ..name.place };
        let mut expanded: Vec<Option<Vec<Piece>>> = vec![None; parts.len()];
        let mut result = self.substitute(&one.body, one, &parts, &mut expanded, place);
        let mut kept = Vec::with_capacity(result.len());
        for mut piece in result.drain(..) {
            piece.condition = self.conditions.and(piece.condition, condition);
            piece.hidden = self.hidden.join(piece.hidden, hidden);
            piece.is_final |= self.hidden.is_full(piece.hidden);
            if piece.condition != Condition::NEVER {
                kept.push(piece);
            }
        }
        if let Some(first) = kept.first_mut() {
            first.is_spaced = name.is_spaced;
        }
        if !self.spend(kept.len()) {
            kept.clear();
        }
        kept
    }

    /// The arguments, as many as the macro has parameters.
    fn fitted(&mut self, one: &Macro, arguments: &Arguments, name: &Piece) -> Vec<Vec<Piece>> {
        let count = one.parameters.as_ref().map_or(0, Vec::len);
        let mut parts = arguments.parts.clone();
        if count == 0 && parts.len() == 1 && parts[0].is_empty() {
            return Vec::new();
        }
        if one.is_variadic && parts.len() > count {
            let further: Vec<Vec<Piece>> = parts.drain(count - 1..).collect();
            let comma = Piece::new(self.names.of(","), TokenKind::Punct, name.place);
            parts.push(further.join(&comma));
        }
        let is_wrong = if one.is_variadic { parts.len() + 1 < count } else { parts.len() != count };
        if is_wrong {
            let own = self.names.text(name.name);
            let message = format!("the macro `{own}` takes {count} arguments, and has {}", parts.len());
            self.problem(name.place, message);
        }
        parts.resize(count, Vec::new());
        parts
    }

    /// The body with arguments in place of parameters.
    fn substitute(
        &mut self,
        body: &[Piece],
        one: &Macro,
        parts: &[Vec<Piece>],
        expanded: &mut Vec<Option<Vec<Piece>>>,
        place: Span,
    ) -> Vec<Piece> {
        let mut result: Vec<Piece> = Vec::new();
        let mut at = 0;
        while let Some(piece) = body.get(at) {
            let text = self.names.text(piece.name);
            let next = |offset: usize| body.get(at + offset);
            if text == "#"
                && let Some(argument) = next(1).and_then(|next| parts.get(one.parameter(next.name)?))
            {
                let mut quoted = self.quoted(argument, place);
                quoted.is_spaced = piece.is_spaced;
                result.push(quoted);
                at += 2;
                continue;
            }
            if text == "##"
                && at > 0
                && let Some(operand) = next(1)
            {
                let parameter = one.parameter(operand.name);
                let is_last = parameter.is_some_and(|at| one.is_variadic && at + 1 == parts.len());
                let is_comma = result.last().is_some_and(|last| self.names.text(last.name) == ",");
                let mut right = match parameter.and_then(|at| parts.get(at)) {
                    Some(part) => part.clone(),
                    None => vec![Piece { place, ..*operand }],
                };
                if is_last && is_comma && right.is_empty() {
                    result.pop();
                } else if is_last && is_comma {
                    result.append(&mut right);
                } else {
                    let left_is_empty = self.is_empty_before(body, at, one, parts);
                    self.paste(&mut result, right, left_is_empty, place);
                }
                at += 2;
                continue;
            }
            if text == "__VA_OPT__" && one.is_variadic && next(1).is_some_and(|next| self.names.text(next.name) == "(")
            {
                let end = past_parenthesis(body, at + 1, self.names);
                if parts.last().is_some_and(|last| !last.is_empty()) && self.depth < MAX_DEPTH {
                    let inside = &body[(at + 2).min(end - 1)..end - 1];
                    self.depth += 1;
                    let mut inner = self.substitute(inside, one, parts, expanded, place);
                    self.depth -= 1;
                    result.append(&mut inner);
                }
                at = end;
                continue;
            }
            match one.parameter(piece.name).filter(|at| *at < parts.len()) {
                Some(parameter) => {
                    let is_pasted = next(1).is_some_and(|next| self.names.text(next.name) == "##");
                    let mut own = match (is_pasted, &expanded[parameter]) {
                        (true, _) => parts[parameter].clone(),
                        (false, Some(known)) => known.clone(),
                        (false, None) => {
                            let new = self.expand_all(&parts[parameter]);
                            expanded[parameter] = Some(new.clone());
                            new
                        }
                    };
                    if let Some(first) = own.first_mut() {
                        first.is_spaced = piece.is_spaced;
                    }
                    if !self.spend(own.len()) {
                        return result;
                    }
                    result.append(&mut own);
                }
                None => result.push(Piece { place, ..*piece }),
            }
            at += 1;
        }
        result
    }

    /// Whether the operand before `##` is an argument without tokens.
    fn is_empty_before(&self, body: &[Piece], at: usize, one: &Macro, parts: &[Vec<Piece>]) -> bool {
        let before = at.checked_sub(1).and_then(|before| body.get(before));
        let part = before.and_then(|before| parts.get(one.parameter(before.name)?));
        part.is_some_and(Vec::is_empty)
    }

    /// Joins the last token with the first of others.
    fn paste(&mut self, result: &mut Vec<Piece>, right: Vec<Piece>, left_is_empty: bool, place: Span) {
        let mut right = right.into_iter();
        if !left_is_empty && let Some(left) = result.pop() {
            let Some(first) = right.next() else {
                result.push(left);
                return;
            };
            let text = format!("{}{}", self.names.text(left.name), self.names.text(first.name));
            let condition = self.conditions.and(left.condition, first.condition);
            let mut joined = super::piece::pieces(&text, Span { end: place.start, ..place }, self.names);
            for piece in &mut joined {
                (piece.place, piece.written, piece.condition) = (place, None, condition);
            }
            if let Some(first) = joined.first_mut() {
                first.is_spaced = left.is_spaced;
            }
            result.extend(joined);
        }
        result.extend(right);
    }

    /// The text of an argument as a string.
    fn quoted(&mut self, argument: &[Piece], place: Span) -> Piece {
        let mut text = String::from("\"");
        for (at, piece) in argument.iter().enumerate() {
            if at > 0 && piece.is_spaced {
                text.push(' ');
            }
            let own = self.names.text(piece.name);
            match piece.kind {
                TokenKind::Literal => own.chars().for_each(|c| {
                    if matches!(c, '"' | '\\') {
                        text.push('\\');
                    }
                    text.push(c);
                }),
                _ => text.push_str(own),
            }
        }
        text.push('"');
        Piece { written: None, ..Piece::new(self.names.of(&text), TokenKind::Literal, place) }
    }

    /// The tokens with all macros replaced, without looking at what follows them.
    pub(super) fn expand_all(&mut self, pieces: &[Piece]) -> Vec<Piece> {
        if !pieces.iter().any(|piece| piece.kind == TokenKind::Word && self.macros.knows(piece.name)) {
            return pieces.to_vec();
        }
        if self.depth >= MAX_DEPTH {
            return pieces.iter().map(|piece| Piece { is_final: true, ..*piece }).collect();
        }
        let pending = std::mem::replace(&mut self.pending, pieces.iter().rev().copied().collect());
        let output = std::mem::take(&mut self.output);
        let is_isolated = std::mem::replace(&mut self.is_isolated, true);
        self.depth += 1;
        while let Some(piece) = self.pending.pop() {
            self.step(piece);
        }
        self.depth -= 1;
        self.is_isolated = is_isolated;
        self.pending = pending;
        std::mem::replace(&mut self.output, output)
    }
}
