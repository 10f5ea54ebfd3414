//! What names say about arguments that were matched by type: they confirm the pairs, contradict
//! them, or say nothing.
//!
//! Invariant: a pair that only the order of arguments decides is always reported.

use super::codes;
use super::matching::{Mapping, Source};
use super::model::functions::{Function, Parameter, ParameterType};
use super::model::operators::Operator;
use super::records::EntryRecord;
use super::types::{TypeSuffixes, form};
use torchgen_base::diag::Diagnostic;
use torchgen_model::model::Argument;

/// A parameter and the argument that it gets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Pair {
    parameter: String,
    argument: String,
}

/// What is wrong with the pairs of a mapping.
#[derive(Debug, Clone, Default)]
pub(super) struct Review {
    /// Pairs that contradict the names, and the pairs that the names suggest.
    contradicted: Vec<Pair>,
    suggested: Vec<Pair>,
    /// Pairs that no name confirms.
    positional: Vec<Pair>,
}

/// A parameter that was matched by type.
#[derive(Clone, Copy)]
struct Matched<'a> {
    at: usize,
    parameter: &'a Parameter,
    argument: &'a Argument,
}

/// Compares the names of parameters and arguments that were matched by type.
pub(super) fn review(operator: &Operator, function: &Function, mapping: &Mapping) -> Review {
    let inputs: Vec<&Argument> = operator.inputs().collect();
    let matched = |&at: &usize| match mapping.sources[at] {
        Source::Argument(input, _) => {
            Some(Matched { at, parameter: &function.parameters[at], argument: inputs[input] })
        }
        Source::Extra(_) => None,
    };
    let matched: Vec<Matched> = mapping.by_type.iter().filter_map(matched).collect();
    let mut review = Review::default();
    for group in groups(&matched) {
        let is_named_otherwise = |one: &&Matched| inputs.iter().any(|input| input.name.as_str() == one.parameter.name);
        let prefers_another = |one: &&Matched| {
            let own = likeness(&one.parameter.name, &one.argument.name);
            group.iter().any(|other| likeness(&one.parameter.name, &other.argument.name) > own)
        };
        if group.iter().any(|one| is_named_otherwise(&one) || prefers_another(&one)) {
            review.contradicted.extend(group.iter().map(Matched::pair));
            review.suggested.extend(suggested(&group));
        } else if group.len() > 1 && !is_confirmed(&group) {
            review.positional.extend(group.iter().map(Matched::pair));
        }
    }
    review
}

impl Matched<'_> {
    fn pair(&self) -> Pair {
        Pair { parameter: self.parameter.name.clone(), argument: self.argument.name.clone() }
    }

    /// Whether each of the two parameters can take the argument of the other.
    fn is_exchangeable(&self, other: &Matched) -> bool {
        let takes = |parameter: &Parameter, argument: &Argument| parameter.taken.class_of(&argument.ty).is_some();
        let may_lack = |one: &Matched| one.parameter.taken == ParameterType::OptionalNode;
        let is_optional = |one: &Matched| form(&one.argument.ty).0 == TypeSuffixes::Optional;
        // A parameter and an argument that may both be missing belong together.
        let set_apart = may_lack(self) != may_lack(other)
            && may_lack(self) == is_optional(self)
            && may_lack(other) == is_optional(other);
        takes(self.parameter, other.argument) && takes(other.parameter, self.argument) && !set_apart
    }
}

/// The parameters that could take each other's arguments.
fn groups<'a>(matched: &[Matched<'a>]) -> Vec<Vec<Matched<'a>>> {
    let mut groups: Vec<Vec<Matched<'a>>> = Vec::new();
    for one in matched {
        let belongs = |group: &Vec<Matched>| group.iter().any(|other| one.is_exchangeable(other));
        let (joined, others): (Vec<_>, Vec<_>) = groups.into_iter().partition(belongs);
        let mut group: Vec<Matched<'a>> = joined.concat();
        group.push(*one);
        group.sort_by_key(|one| one.at);
        groups = others;
        groups.push(group);
    }
    groups
}

/// Whether the names of all parameters but one agree with their own arguments alone; the last
/// argument is for the last parameter.
fn is_confirmed(group: &[Matched]) -> bool {
    let agrees = |one: &&Matched| {
        let own = likeness(&one.parameter.name, &one.argument.name);
        let others = group.iter().filter(|other| other.at != one.at);
        others.map(|other| likeness(&one.parameter.name, &other.argument.name)).all(|other| other < own)
    };
    group.iter().filter(agrees).count() + 1 >= group.len()
}

/// The pairs with the most alike names; those of the mapping if there are none.
fn suggested(group: &[Matched]) -> Vec<Pair> {
    let best = |one: &Matched| {
        let like = |other: &&Matched| likeness(&one.parameter.name, &other.argument.name);
        let found = group.iter().filter(|other| like(other) > 0).max_by_key(like);
        found.map(|other| Pair { argument: other.argument.name.clone(), ..one.pair() })
    };
    let mut pairs: Vec<Option<Pair>> = group.iter().map(best).collect();
    let is_free = |pairs: &[Option<Pair>], name: &str| !pairs.iter().flatten().any(|pair| pair.argument == name);
    for (at, one) in group.iter().enumerate() {
        if pairs[at].is_none() {
            let free = group.iter().find(|other| is_free(&pairs, other.argument.name.as_str()));
            pairs[at] = free.map(|other| Pair { argument: other.argument.name.clone(), ..one.pair() });
        }
    }
    let all = |one: &Matched| pairs.iter().flatten().any(|pair| pair.argument == one.argument.name);
    if group.iter().all(all) {
        pairs.into_iter().flatten().collect()
    } else {
        group.iter().map(Matched::pair).collect()
    }
}

/// How many words two names share.
pub(super) fn likeness(parameter: &str, argument: &str) -> usize {
    let (parameter, argument) = (words(parameter), words(argument));
    let is_alike = |a: &str, b: &str| {
        let (short, long) = if a.len() < b.len() { (a, b) } else { (b, a) };
        a == b || (short.len() >= 3 && long.starts_with(short))
    };
    parameter.iter().filter(|word| argument.iter().any(|other| is_alike(word, other))).count()
}

/// The words of a name in lower case: `minVal_2` has `min`, `val` and `2`.
fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut last: Option<char> = None;
    for c in name.chars() {
        let continues = last.is_some_and(|last| {
            last.is_ascii_digit() == c.is_ascii_digit() && !(last.is_lowercase() && c.is_uppercase())
        });
        last = Some(c).filter(|c| c.is_alphanumeric());
        match words.last_mut().filter(|_| continues) {
            _ if !c.is_alphanumeric() => {}
            Some(word) => word.extend(c.to_lowercase()),
            None => words.push(c.to_lowercase().collect()),
        }
    }
    words
}

impl Review {
    /// The error that names contradict the pairs.
    pub(super) fn contradiction(&self, entry: &EntryRecord, function: &Function) -> Option<Diagnostic> {
        if self.contradicted.is_empty() {
            return None;
        }
        let pairs = spelled(&self.contradicted);
        let message =
            format!("the names contradict how `{}` passes arguments to `{}`: {pairs}", entry.op, function.name);
        let help = format!("name the argument of each: `map: {{{}}}`", flow(&self.suggested));
        Some(Diagnostic::new(&codes::CONTRADICTED_MAPPING, message).at(place(entry)).help(help))
    }

    /// The warning that only positions decide about the pairs.
    pub(super) fn warning(&self, entry: &EntryRecord, function: &str) -> Option<Diagnostic> {
        if self.positional.is_empty() {
            return None;
        }
        let pairs = spelled(&self.positional);
        let message = format!("`{}` passes arguments to `{function}` by position alone: {pairs}", entry.op);
        let help = format!("if this is right, write `map: {{{}}}`", flow(&self.positional));
        Some(Diagnostic::new(&codes::POSITIONAL_MAPPING, message).at(place(entry)).help(help))
    }
}

fn place(entry: &EntryRecord) -> torchgen_base::diag::Span {
    entry.call.as_ref().unwrap_or(&entry.op).span()
}

fn spelled(pairs: &[Pair]) -> String {
    let one = |pair: &Pair| format!("`{}` gets `{}`", pair.parameter, pair.argument);
    pairs.iter().map(one).collect::<Vec<_>>().join(", ")
}

/// The pairs in YAML's flow style.
fn flow(pairs: &[Pair]) -> String {
    let one = |pair: &Pair| format!("{}: {}", pair.parameter, pair.argument);
    pairs.iter().map(one).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::{likeness, words};

    #[test]
    fn names_have_words() {
        assert_eq!(words("minVal_2"), ["min", "val", "2"]);
        assert_eq!(words("batch1"), ["batch", "1"]);
        assert_eq!(words("_x"), ["x"]);
        assert!(likeness("mat_2", "mat2") > likeness("mat_2", "mat1"));
        assert!(likeness("max", "max_val") > likeness("max", "min_val"));
        assert_eq!(likeness("hi", "max_val"), 0);
        assert_eq!(likeness("weights", "weight"), 1);
    }
}
