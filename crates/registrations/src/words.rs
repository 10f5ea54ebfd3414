//! Conditions in words, as `when:` has them: `defined(WITH_A) and not TILE >= 64`.
//!
//! Invariant: the text has the meaning of the condition; one with too many parts has no text.

use crate::conditions::{Condition, Conditions};

/// How many atoms a text may name.
const MAX_PARTS: usize = 32;

/// How strongly the parts of a text hold together.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Strength {
    Or,
    And,
    One,
}

/// The text of a condition; `None` if each build has it, or if it has too many parts.
pub fn words(conditions: &Conditions, one: Condition) -> Option<String> {
    let mut parts = 0;
    let (text, _) = shown(conditions, one, &mut parts)?;
    Some(text)
}

fn shown(conditions: &Conditions, one: Condition, parts: &mut usize) -> Option<(String, Strength)> {
    let (atom, without, with) = conditions.decision(one)?;
    *parts += 1;
    if *parts > MAX_PARTS {
        return None;
    }
    let own = || (atom.to_owned(), if is_simple(atom) { Strength::One } else { Strength::Or });
    let not = || negated(atom);
    let mut rest = |of| shown(conditions, of, parts);
    match (without, with) {
        (Condition::NEVER, Condition::ALWAYS) => Some(own()),
        (Condition::ALWAYS, Condition::NEVER) => Some(not()),
        (Condition::NEVER, _) => Some(joined(own(), "and", rest(with)?)),
        (_, Condition::NEVER) => Some(joined(not(), "and", rest(without)?)),
        (Condition::ALWAYS, _) => Some(joined(not(), "or", rest(with)?)),
        (_, Condition::ALWAYS) => Some(joined(own(), "or", rest(without)?)),
        _ => {
            let with = joined(own(), "and", rest(with)?);
            let without = joined(not(), "and", rest(without)?);
            Some(joined(with, "or", without))
        }
    }
}

fn joined((one, first): (String, Strength), word: &str, (other, second): (String, Strength)) -> (String, Strength) {
    let own = if word == "and" { Strength::And } else { Strength::Or };
    let part = |text: String, strength| if strength < own { format!("({text})") } else { text };
    (format!("{} {word} {}", part(one, first), part(other, second)), own)
}

/// Whether an atom needs no parentheses beside others.
fn is_simple(atom: &str) -> bool {
    !["&&", "||", "?", " | ", " & "].iter().any(|sign| atom.contains(sign))
}

/// What does not hold where the atom does. A comparison is turned around.
fn negated(atom: &str) -> (String, Strength) {
    for (sign, other) in [(" >= ", " < "), (" > ", " <= "), (" == ", " != ")] {
        if let Some((name, value)) = atom.split_once(sign)
            && is_simple(atom)
        {
            return (format!("{name}{other}{value}"), Strength::One);
        }
    }
    match is_simple(atom) {
        true => (format!("not {atom}"), Strength::One),
        false => (format!("not ({atom})"), Strength::One),
    }
}
