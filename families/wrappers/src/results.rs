//! Which result of the operator each result of the backend's function is.
//!
//! The order is that of parameters: `results:`, then equal names, then positions. Invariant: names
//! that contradict the positions are an error.

use super::codes;
use super::model::functions::Function;
use super::model::operators::Operator;
use super::pairing::likeness;
use super::records::EntryRecord;
use torchgen_base::diag::{Diagnostic, did_you_mean};

/// The results of a function among those of an operator.
#[derive(Debug, Clone, Default)]
pub(super) struct Results {
    /// For each result of the function, the position of the operator's.
    pub(super) order: Vec<usize>,
    /// The pairs, where both have names: `indices: indices, values: values`.
    pub(super) pairs: String,
    /// Whether nothing but the positions confirms them.
    positional: bool,
}

/// The names of an operator's results, which may be those of a counterpart.
fn names<'o>(operator: &'o Operator, functional: Option<&'o Operator>) -> Vec<Vec<&'o str>> {
    let returned = |operator: &'o Operator, at: usize| {
        let result = operator.schema.returns.get(at);
        result.and_then(|result| result.name.as_deref()).or_else(|| {
            let out = operator.outs().nth(at).filter(|_| result.is_none());
            out.map(|out| out.name.as_str())
        })
    };
    let count = operator.schema.returns.len().max(operator.outs().count());
    let of = |at| [Some(operator), functional].into_iter().flatten().filter_map(|one| returned(one, at)).collect();
    (0..count).map(of).collect()
}

/// The results of a function that has as many as the operator.
///
/// # Errors
/// `results:` names a result that does not exist, or names contradict the positions.
pub(super) fn results(
    operator: &Operator,
    functional: Option<&Operator>,
    entry: &EntryRecord,
    function: &Function,
) -> Result<Results, Diagnostic> {
    let theirs = names(operator, functional);
    let mut order: Vec<Option<usize>> = vec![None; function.results.len()];
    for (name, value) in &entry.results {
        let known = || function.results.iter().flatten().map(String::as_str);
        let Some(at) = function.results.iter().position(|own| own.as_deref() == Some(name.as_str())) else {
            let message = format!("`{}` has no result `{name}`", function.name);
            let help = did_you_mean(name, known()).unwrap_or_else(|| "name the results in `fn:`".into());
            return Err(Diagnostic::new(&codes::UNKNOWN_NAME, message).at(name.span()).help(help));
        };
        let position = theirs.iter().position(|names| names.contains(&value.as_str()));
        let position = position.or_else(|| value.as_str().parse().ok().filter(|at| *at < theirs.len()));
        let Some(position) = position else {
            let message = format!("`{}` has no result `{value}`", operator.full_name());
            let near = did_you_mean(value, theirs.iter().flatten().copied());
            let help = near.unwrap_or_else(|| format!("write a number from 0 to {}", theirs.len() - 1).into());
            return Err(Diagnostic::new(&codes::UNKNOWN_NAME, message).at(value.span()).help(help));
        };
        if order.contains(&Some(position)) {
            let message = format!("two results of `{}` are `{value}` of `{}`", function.name, operator.full_name());
            return Err(Diagnostic::new(&codes::CONTRADICTED_MAPPING, message).at(value.span()));
        }
        order[at] = Some(position);
    }
    for at in 0..order.len() {
        let Some(own) = &function.results[at] else { continue };
        let same = theirs.iter().position(|names| names.contains(&own.as_str()));
        if let Some(same) = same.filter(|same| order[at].is_none() && !order.contains(&Some(*same))) {
            order[at] = Some(same);
        }
    }
    let open: Vec<usize> = (0..order.len()).filter(|&at| order[at].is_none()).collect();
    let free: Vec<usize> = (0..theirs.len()).filter(|at| !order.contains(&Some(*at))).collect();
    let by_position: Vec<(usize, usize)> = open.iter().copied().zip(free.iter().copied()).collect();
    for (at, position) in &by_position {
        order[*at] = Some(*position);
    }
    let order: Vec<usize> = order.into_iter().flatten().collect();
    let found = FoundFunction { operator, entry, function, theirs: &theirs };
    let confirmed = found.review(&by_position)?;
    let named: Vec<(usize, usize)> = order.iter().copied().enumerate().collect();
    let pairs = if order.len() > 1 { found.flow(&named) } else { String::new() };
    Ok(Results { order, pairs, positional: !confirmed })
}

struct FoundFunction<'f> {
    operator: &'f Operator,
    entry: &'f EntryRecord,
    function: &'f Function,
    theirs: &'f [Vec<&'f str>],
}

impl FoundFunction<'_> {
    fn likeness(&self, own: usize, their: usize) -> usize {
        let own = self.function.results[own].as_deref().unwrap_or_default();
        self.theirs[their].iter().map(|name| likeness(own, name)).max().unwrap_or(0)
    }

    /// Whether names confirm what positions decide; where one side has no names, nothing is to be
    /// confirmed.
    fn review(&self, pairs: &[(usize, usize)]) -> Result<bool, Diagnostic> {
        let is_named =
            |(own, their): &&(usize, usize)| self.function.results[*own].is_some() && !self.theirs[*their].is_empty();
        let named: Vec<(usize, usize)> = pairs.iter().filter(is_named).copied().collect();
        if named.len() < 2 {
            return Ok(true);
        }
        let best = |own: usize| {
            let like = |(_, their): &&(usize, usize)| self.likeness(own, *their);
            named.iter().rev().max_by_key(like).map_or(own, |(_, their)| *their)
        };
        let prefers = |(own, their): &&(usize, usize)| self.likeness(*own, best(*own)) > self.likeness(*own, *their);
        if named.iter().any(|pair| prefers(&pair)) {
            let message = format!(
                "the names contradict the order of the results of `{}`: {}",
                self.function.name,
                self.spelled(&named)
            );
            // The results with a name that is alike take theirs, and the others what is left.
            let alike = |own: usize| Some(best(own)).filter(|their| self.likeness(own, *their) > 0);
            let taken: Vec<usize> = named.iter().filter_map(|(own, _)| alike(*own)).collect();
            let mut left = named.iter().map(|(_, their)| *their).filter(|their| !taken.contains(their));
            let wanted = named.iter().filter_map(|(own, _)| Some((*own, alike(*own).or_else(|| left.next())?)));
            let wanted: Vec<(usize, usize)> = wanted.collect();
            let help = format!("name the operator's result for each: `results: {{{}}}`", self.flow(&wanted));
            return Err(Diagnostic::new(&codes::CONTRADICTED_MAPPING, message).at(self.place()).help(help));
        }
        let agrees = |(own, their): &&(usize, usize)| {
            let likeness = self.likeness(*own, *their);
            likeness > 0 && named.iter().all(|(_, other)| other == their || self.likeness(*own, *other) < likeness)
        };
        Ok(named.iter().filter(|pair| agrees(pair)).count() + 1 >= named.len())
    }

    fn place(&self) -> torchgen_base::diag::Span {
        self.entry.call.as_ref().unwrap_or(&self.entry.op).span()
    }

    /// The name of a result of the operator, or its position.
    fn their(&self, at: usize) -> String {
        self.theirs[at].first().map_or_else(|| at.to_string(), |name| (*name).to_owned())
    }

    /// The pairs whose first has a name, in YAML's flow style.
    fn flow(&self, pairs: &[(usize, usize)]) -> String {
        let one = |(own, their): &(usize, usize)| {
            let own = self.function.results[*own].as_ref()?;
            Some(format!("{own}: {}", self.their(*their)))
        };
        pairs.iter().filter_map(one).collect::<Vec<_>>().join(", ")
    }

    fn spelled(&self, pairs: &[(usize, usize)]) -> String {
        let one = |(own, their): &(usize, usize)| {
            let own = self.function.results[*own].as_deref().unwrap_or_default();
            format!("`{own}` becomes `{}` of `{}`", self.their(*their), self.operator.full_name())
        };
        pairs.iter().map(one).collect::<Vec<_>>().join(", ")
    }
}

impl Results {
    /// The warning that only positions decide about the results.
    pub(super) fn warning(&self, entry: &EntryRecord, function: &str) -> Option<Diagnostic> {
        if !self.positional {
            return None;
        }
        let message = format!("`{}` gets the results of `{function}` by position alone", entry.op);
        let place = entry.call.as_ref().unwrap_or(&entry.op).span();
        let help = format!("if this is right, write `results: {{{}}}`", self.pairs);
        Some(Diagnostic::new(&codes::POSITIONAL_MAPPING, message).at(place).help(help))
    }
}
