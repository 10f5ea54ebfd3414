//! The classes of autograd functions: `struct F : torch::autograd::Function<F>`, with the text of
//! their `forward` and `backward`, wherever these are defined.
//!
//! Invariant: macros are replaced; a class that differs between builds says so, and has the text of
//! one of them.

use torchgen_base::diag::Span;
use torchgen_base::lang::cpp::TokenKind;

use crate::conditions::Conditions;
use crate::preprocessor::{Names, Piece, joined, variants};
use crate::statement::Statement;

/// How many tokens are between the word `class` and its brace.
const MAX_HEAD: usize = 64;

/// The methods that say what a class computes.
const METHODS: [&str; 2] = ["forward", "backward"];

/// A class.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Class {
    /// Its name without namespaces.
    pub name: String,
    /// The place of the name.
    pub place: Span,
    /// Types are its parameters.
    pub is_template: bool,
    /// Its methods differ between builds, or sources define several of these names.
    pub differs: bool,
    /// Its methods; `None` if these sources do not define them.
    pub forward: Option<Method>,
    /// The same.
    pub backward: Option<Method>,
}

/// A method.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Method {
    /// Its parameters, as written.
    pub parameters: Vec<String>,
    /// Its body with the braces, on one line.
    pub body: String,
    /// The bytes of the body where tokens begin, and where these are.
    pub places: Vec<(usize, Span)>,
}

/// A method that is defined outside its class.
type Outside = (String, &'static str, Method);

/// The classes of a unit, and the methods outside classes.
pub(crate) fn classes(pieces: &[Piece], names: &Names, conditions: &mut Conditions) -> (Vec<Class>, Vec<Outside>) {
    let (mut found, mut outside) = (Vec::new(), Vec::new());
    let word = |at: usize| pieces.get(at).map_or("", |piece| names.text(piece.name));
    for at in 0..pieces.len() {
        match word(at) {
            "class" | "struct" => found.extend(class(pieces, at, names, conditions)),
            "::" if at > 0 && word(at + 2) == "(" => {
                let Some(name) = METHODS.into_iter().find(|name| *name == word(at + 1)) else { continue };
                let ends = |text: &str, depth| matches!(text, "}" | ";") && depth == 0;
                let all = variants(pieces, at + 1, pieces[at].condition, names, conditions, ends);
                let own = all.into_iter().filter_map(|one| method(&Statement { pieces: one.pieces, names }, 0));
                outside.extend(own.map(|own| (word(at - 1).to_owned(), name, own)));
            }
            _ => {}
        }
    }
    (found, outside)
}

/// Joins what units have: each class is there once, with its methods.
pub(crate) fn gathered(all: Vec<(Vec<Class>, Vec<Outside>)>) -> Vec<Class> {
    let mut found: Vec<Class> = Vec::new();
    let mut outside: Vec<Outside> = Vec::new();
    for (classes, own) in all {
        outside.extend(own);
        for class in classes {
            match found.iter_mut().find(|one| one.place == class.place && one.name == class.name) {
                Some(one) => one.differs |= one.forward != class.forward || one.backward != class.backward,
                None => found.push(class),
            }
        }
    }
    for class in &mut found {
        for (method, slot) in METHODS.iter().zip([&mut class.forward, &mut class.backward]) {
            let own = |(name, one, _): &&Outside| *name == class.name && one == method;
            let mut all = outside.iter().filter(own).map(|(.., method)| method);
            if slot.is_none()
                && let Some(first) = all.next()
            {
                class.differs |= all.any(|other| other != first);
                *slot = Some(first.clone());
            }
        }
    }
    found
}

/// The class from its first word on, as its builds have it.
fn class(pieces: &[Piece], at: usize, names: &Names, conditions: &mut Conditions) -> Vec<Class> {
    let word = |at: usize| pieces.get(at).map_or("", |piece| names.text(piece.name));
    let ends = (at + 1..pieces.len().min(at + MAX_HEAD)).find(|next| matches!(word(*next), "{" | ";" | "(" | ")"));
    let Some(brace) = ends.filter(|end| word(*end) == "{") else { return Vec::new() };
    let Some(colon) = (at + 1..brace).find(|next| word(*next) == ":") else { return Vec::new() };
    let last = if word(colon - 1) == "final" { colon - 2 } else { colon - 1 };
    let (name, place) = (word(last).to_owned(), pieces[last].place);
    // A class is the argument of its base.
    let is_base = |next: usize| {
        let argument = (next + 2..brace).find(|end| matches!(word(*end), "<" | ">" | ","));
        word(next) == "Function" && word(next + 1) == "<" && argument.is_some_and(|end| word(end - 1) == name)
    };
    if !(colon + 1..brace).any(is_base) {
        return Vec::new();
    }
    let is_template = at > 0 && word(at - 1) == ">";
    let all = variants(pieces, at, pieces[at].condition, names, conditions, |text, depth| text == "}" && depth == 0);
    let own = all.into_iter().map(|one| {
        let statement = Statement { pieces: one.pieces, names };
        let [forward, backward] = METHODS.map(|name| inside(&statement, name));
        Class { name: name.clone(), place, is_template, differs: false, forward, backward }
    });
    own.collect()
}

/// A method of a class that is defined in it.
fn inside(class: &Statement<'_>, name: &str) -> Option<Method> {
    let mut depth = 0usize;
    (0..class.pieces.len()).find_map(|at| {
        match class.word(at) {
            "{" => depth += 1,
            "}" => depth = depth.saturating_sub(1),
            word if word == name && depth == 1 && class.word(at + 1) == "(" => return method(class, at),
            _ => {}
        }
        None
    })
}

/// The method whose name is there, if it is defined and not only declared.
fn method(statement: &Statement<'_>, at: usize) -> Option<Method> {
    let (parameters, next) = statement.arguments(at + 1);
    let words = ["override", "final", "const", "noexcept"];
    let open = (next..).find(|at| !words.contains(&statement.word(*at)))?;
    if statement.word(open) != "{" {
        return None;
    }
    let mut depth = 0usize;
    let end = (open..statement.pieces.len()).find(|at| {
        match statement.word(*at) {
            "{" => depth += 1,
            "}" => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0
    })?;
    let (mut body, mut places) = (String::new(), Vec::new());
    let is_text = |piece: &Piece| piece.kind != TokenKind::Punct;
    for (before, piece) in (open..=end).map(|at| (&statement.pieces[at - 1], &statement.pieces[at])) {
        if piece.is_spaced || is_text(before) && is_text(piece) {
            body.push(' ');
        }
        places.push((body.len(), piece.place));
        body.push_str(&joined(std::slice::from_ref(piece), statement.names));
    }
    let start = body.find('{').unwrap_or_default();
    places.iter_mut().for_each(|(at, _)| *at -= start.min(*at));
    let parameters = parameters.into_iter().map(|parameter| parameter.text).collect();
    Some(Method { parameters, body: body.split_off(start), places })
}
