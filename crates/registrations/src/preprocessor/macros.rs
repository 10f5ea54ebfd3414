//! Macros, and the builds that have them.
//!
//! Invariant: the definitions of a name have conditions that exclude each other.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use torchgen_base::diag::Span;
use torchgen_base::lang::cpp::TokenKind;

use super::names::{Name, Names};
use super::piece::{Piece, pieces};
use crate::conditions::{Condition, Conditions};

/// A macro.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Macro {
    /// Its parameters; `None` if it takes no parentheses.
    pub(super) parameters: Option<Vec<Name>>,
    /// The last parameter takes all further arguments.
    pub(super) is_variadic: bool,
    /// What replaces it. `##` is one token.
    pub(super) body: Vec<Piece>,
}

impl Macro {
    /// The macro of the tokens after `define`, with its name.
    ///
    /// # Errors
    /// It is none; the message.
    pub(super) fn read(line: &[Piece], names: &mut Names) -> Result<(Name, Macro), &'static str> {
        let Some((name, rest)) = line.split_first().filter(|(name, _)| name.kind == TokenKind::Word) else {
            return Err("`#define` has no name of a macro");
        };
        let text = |piece: &Piece, names: &Names| names.text(piece.name).to_owned();
        if names.text(name.name) == "defined" {
            return Err("`defined` cannot be a macro");
        }
        let opens = rest.first().is_some_and(|next| !next.is_spaced && text(next, names) == "(");
        if !opens {
            return Ok((name.name, Macro { parameters: None, is_variadic: false, body: body(rest, names) }));
        }
        let Some(end) = rest.iter().position(|piece| text(piece, names) == ")") else {
            return Err("the parameters of this macro have no `)`");
        };
        let further = names.of("__VA_ARGS__");
        let mut parameters = Vec::new();
        let mut is_variadic = false;
        for part in rest[1..end].split(|piece| names.text(piece.name) == ",") {
            let dots = part.iter().rev().take_while(|piece| text(piece, names) == ".").count();
            match (&part[..part.len() - dots], dots) {
                ([], 3) => parameters.push(further),
                ([one], 0 | 3) if one.kind == TokenKind::Word => parameters.push(one.name),
                ([], 0) if end == 1 => {}
                _ => return Err("a parameter of this macro is not a name"),
            }
            if is_variadic {
                return Err("`...` is not the last parameter of this macro");
            }
            is_variadic = dots == 3;
        }
        Ok((name.name, Macro { parameters: Some(parameters), is_variadic, body: body(&rest[end + 1..], names) }))
    }

    /// The position of a parameter.
    pub(super) fn parameter(&self, name: Name) -> Option<usize> {
        self.parameters.as_ref()?.iter().position(|own| *own == name)
    }

    /// A `#` before what is not a parameter.
    pub(super) fn stray_hash(&self, names: &Names) -> Option<Piece> {
        self.parameters.as_ref()?;
        let hashes = self.body.iter().enumerate().filter(|(_, piece)| names.text(piece.name) == "#");
        let mut stray = hashes.filter(|(at, _)| {
            let next = self.body.get(at + 1);
            !next.is_some_and(|next| self.parameter(next.name).is_some() || names.text(next.name) == "__VA_OPT__")
        });
        stray.next().map(|(_, piece)| *piece)
    }
}

/// The body, in which two `#` are one token.
fn body(tokens: &[Piece], names: &mut Names) -> Vec<Piece> {
    let mut body: Vec<Piece> = Vec::new();
    for piece in tokens {
        let is_hash = |piece: &Piece| names.text(piece.name) == "#";
        match body.last_mut().filter(|last| is_hash(last) && is_hash(piece) && !piece.is_spaced) {
            Some(last) => last.name = names.of("##"),
            None => body.push(*piece),
        }
    }
    body
}

/// What a name is in some builds: a macro, or certainly none.
pub(super) type Meaning = (Condition, Option<Rc<Macro>>);

/// The macros of a unit. A name without a meaning may be a macro that the sources do not define.
#[derive(Debug, Default)]
pub(super) struct Macros(FxHashMap<Name, Vec<Meaning>>);

impl Macros {
    /// Gives a name a meaning in some builds, in place of what it was there.
    pub(super) fn set(&mut self, name: Name, (condition, meaning): Meaning, conditions: &mut Conditions) {
        let known = self.0.entry(name).or_default();
        for (own, _) in known.iter_mut() {
            *own = conditions.without(*own, condition);
        }
        known.retain(|(own, _)| *own != Condition::NEVER);
        known.push((condition, meaning));
    }

    /// Whether a name has a meaning in some builds.
    pub(super) fn knows(&self, name: Name) -> bool {
        self.0.contains_key(&name)
    }

    /// Its meanings in some builds, and the builds of those in which it has none.
    pub(super) fn get(&self, name: Name, within: Condition, conditions: &mut Conditions) -> (Vec<Meaning>, Condition) {
        let mut free = within;
        let mut found = Vec::new();
        for (own, meaning) in self.0.get(&name).into_iter().flatten() {
            let both = conditions.and(*own, within);
            if both != Condition::NEVER {
                found.push((both, meaning.clone()));
                free = conditions.without(free, *own);
            }
        }
        (found, free)
    }
}

/// The macros that a compiler gets, by their names.
pub(super) fn given(defines: &[(String, String)], names: &mut Names) -> Vec<(Name, Rc<Macro>)> {
    let mut found = Vec::new();
    for (name, value) in defines {
        let mut line = pieces(&format!("{name} {value}"), Span::default(), names);
        line.iter_mut().for_each(|piece| piece.written = None);
        found.extend(Macro::read(&line, names).ok().map(|(name, own)| (name, Rc::new(own))));
    }
    found
}
