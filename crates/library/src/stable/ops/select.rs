//! Which overloads the header has: those that `--ops` names and every torch version from the
//! minimum on can be called with.
//!
//! Invariant: an overload that was asked for is selected, or a diagnostic says why not and since
//! when it would work.

use std::collections::{BTreeMap, BTreeSet};

use crate::stable::calls::Callable;
use crate::stable::facts::{CarriedTypes, Refused};
use crate::stable::shim::Shim;
use torchgen_api::stable::has_readable_results;
use torchgen_base::diag::{Diagnostic, FileId, Severity, Span, did_you_mean, meant, plural};
use torchgen_base::yaml::Text;
use torchgen_kit::driver::Session;
use torchgen_kit::driver::data::Tables;
use torchgen_model::codes;
use torchgen_model::model::version::Version;
use torchgen_model::model::{ATEN, FunctionSchema, Language};
use torchgen_model::parse::schema::parse;
use torchgen_model::versions::{Overload, overloads};

/// What is before the names of operators where they are functions in Python or in C++.
const AS_FUNCTIONS: [&str; 6] =
    ["torch.nn.functional.", "torch.ops.aten.", "torch.Tensor.", "ops.aten.", "torch.", "at::"];

/// A selected overload.
#[derive(Debug, Clone)]
pub(crate) struct Selected {
    /// The schema as torch declares it.
    pub(super) text: String,
    /// The schema.
    pub(super) schema: FunctionSchema,
}

impl Selected {
    /// The operator to call.
    pub(crate) fn callable(&self) -> Callable<'_> {
        Callable { namespace: ATEN, text: &self.text, schema: &self.schema }
    }
}

/// Why an overload cannot be called from the minimum on.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Reason {
    /// A type that no version carries.
    Type(String),
    /// The types of its results are others when they are read backwards.
    Results,
    /// The first version that carries its types.
    TypeSince(Version),
    /// The first version that has it.
    Since(Version),
    /// The last version that has it.
    Until(Version),
    /// Its schema changed; the first version with the present one.
    Changed(Version),
}

/// An overload and what can be said of it.
struct Candidate {
    overload: &'static Overload,
    schema: Option<FunctionSchema>,
    reason: Option<Reason>,
    refused: Vec<Refused>,
}

/// A word of `--ops` and its place.
struct Word<'a> {
    text: &'a str,
    span: Span,
}

/// The word for all operators.
const ALL: &str = "all";

impl<'a> Word<'a> {
    /// The name of its operator, without a namespace and an overload.
    fn operator(&self) -> &'a str {
        let name = self.text.split_once("::").map_or(self.text, |(_, name)| name);
        name.split_once('.').map_or(name, |(operator, _)| operator)
    }
}

/// Selects the overloads that the words name. Errors and what is left out become diagnostics.
pub(super) fn select(words: &[String], min: Version, session: &mut Session) -> Vec<Selected> {
    let line = words.join(",");
    let file = session.sources.add("--ops", line.clone());
    let wanted = split(&line, file);
    let (selected, left_out, mut found) = choose(&wanted, min, &session.tables);
    if wanted.is_empty() {
        let help = "write `--ops aten::cumsum,aten::topk`, or `--ops all`";
        found.push(Diagnostic::new(&codes::STABLE_OPERATOR_UNKNOWN, "`--ops` names no operator").help(help));
    }
    found.extend(report(left_out.iter(), min));
    session.diagnostics.extend(found);
    selected
}

/// Selects the overloads that are named in a file, and finds errors in the names.
pub(crate) fn select_named(names: &[Text], min: Version, tables: &Tables) -> (Vec<Selected>, Vec<Diagnostic>) {
    let words: Vec<Word> = names.iter().map(|name| Word { text: name.as_str(), span: name.span() }).collect();
    let (selected, _, errors) = choose(&words, min, tables);
    (selected, errors)
}

/// The overloads that the words name: those that can be called, those that cannot, and errors.
fn choose(wanted: &[Word], min: Version, tables: &Tables) -> (Vec<Selected>, Vec<Candidate>, Vec<Diagnostic>) {
    let operators: BTreeSet<&str> = wanted.iter().map(Word::operator).collect();
    let candidates = candidates(&operators, min, tables);
    let mut selected: BTreeSet<usize> = BTreeSet::new();
    let mut left_out: BTreeSet<usize> = BTreeSet::new();
    let mut found = Vec::new();
    for word in wanted {
        match find(word, &candidates, min) {
            Ok(chosen) => {
                let (good, bad): (Vec<_>, Vec<_>) = chosen.into_iter().partition(|&at| candidates[at].reason.is_none());
                selected.extend(good);
                left_out.extend(bad);
            }
            Err(diagnostic) => found.push(*diagnostic),
        }
    }
    let of = |at: usize| {
        let candidate = &candidates[at];
        Some(Selected { text: candidate.overload.schema.clone(), schema: candidate.schema.clone()? })
    };
    let selected = selected.into_iter().filter_map(of).collect();
    let is_left_out = |(at, candidate): (usize, Candidate)| left_out.contains(&at).then_some(candidate);
    (selected, candidates.into_iter().enumerate().filter_map(is_left_out).collect(), found)
}

/// Every overload of these operators once, with the schema of its newest version. Earlier schemas
/// only explain changes. Reading the schemas of all operators takes most of a small run.
fn candidates(operators: &BTreeSet<&str>, min: Version, tables: &Tables) -> Vec<Candidate> {
    let types = CarriedTypes::read_table();
    let is_wanted = |overload: &&Overload| operators.contains(ALL) || operators.contains(overload.operator());
    let mut all: Vec<Candidate> = Vec::new();
    for overload in overloads().iter().filter(is_wanted) {
        let before = all.last().filter(|last| last.overload.full_name() == overload.full_name()).is_some();
        if before {
            all.pop();
        }
        all.push(candidate(overload, before, min, &types, tables));
    }
    all
}

fn candidate(
    overload: &'static Overload,
    changed: bool,
    min: Version,
    types: &CarriedTypes,
    tables: &Tables,
) -> Candidate {
    let schema = parse(&overload.schema, Language::C10, tables).ok();
    let since = match &schema {
        Some(schema) => types.since_all(schema),
        None => Err(vec![types.refused("Dimname")]),
    };
    let reason = match (overload.until, &since) {
        (Some(until), _) => Some(Reason::Until(until)),
        (None, Err(refused)) => refused.first().map(|refused| Reason::Type(refused.ty.clone())),
        (None, Ok(_)) if !schema.as_ref().is_some_and(has_readable_results) => Some(Reason::Results),
        (None, Ok(_)) if overload.since > min && changed => Some(Reason::Changed(overload.since)),
        (None, Ok(_)) if overload.since > min => Some(Reason::Since(overload.since)),
        (None, Ok(since)) => (*since > min).then_some(Reason::TypeSince(*since)),
    };
    Candidate { overload, schema, reason, refused: since.err().unwrap_or_default() }
}

/// The words of `--ops`, with commas between them.
fn split(line: &str, file: FileId) -> Vec<Word<'_>> {
    let mut words = Vec::new();
    let mut start = 0;
    for part in line.split(',') {
        let text = part.trim();
        let at = start + (part.len() - part.trim_start().len());
        if !text.is_empty() {
            words.push(Word { text, span: Span::new(file, at, at + text.len()) });
        }
        start += part.len() + 1;
    }
    words
}

/// The overloads that a word names: one, those of an operator, or all. At least one of them can be
/// called.
fn find(word: &Word, candidates: &[Candidate], min: Version) -> Result<Vec<usize>, Box<Diagnostic>> {
    if word.text == ALL {
        return Ok((0..candidates.len()).collect());
    }
    let error = |code, message: String| Diagnostic::new(code, message).at(word.span);
    let name = match word.text.split_once("::") {
        None => word.text,
        Some(("aten", name)) => name,
        Some((namespace, name)) => {
            let message = format!("torch's operators are in the namespace `aten`, not `{namespace}`");
            let help = format!("write `aten::{name}`");
            return Err(Box::new(error(&codes::STABLE_OPERATOR_UNKNOWN, message).help(help)));
        }
    };
    // As in `torch.ops.aten.sum.default`.
    let (plain, is_default) = name.strip_suffix(".default").map_or((name, false), |plain| (plain, true));
    let exact = is_default || plain.contains('.');
    let is_named = |candidate: &&Candidate| match exact {
        true => candidate.overload.full_name() == plain,
        false => candidate.overload.operator() == plain,
    };
    let chosen: Vec<usize> = (0..candidates.len()).filter(|&at| is_named(&&candidates[at])).collect();
    if chosen.is_empty() {
        return Err(Box::new(unknown(word, name)));
    }
    if chosen.iter().any(|&at| candidates[at].reason.is_none()) {
        return Ok(chosen);
    }
    let chosen: Vec<&Candidate> = chosen.iter().map(|&at| &candidates[at]).collect();
    Err(Box::new(unusable(word, &chosen, candidates, min)))
}

/// The error for a word that names nothing of torch's.
fn unknown(word: &Word, name: &str) -> Diagnostic {
    let message = format!("no torch from 2.10 on has `aten::{name}`");
    let error = Diagnostic::new(&codes::STABLE_OPERATOR_UNKNOWN, message).at(word.span);
    let is_operator = |name: &&str| overloads().iter().any(|overload| overload.operator() == *name);
    // As Python and C++ name functions.
    let bare = AS_FUNCTIONS.iter().find_map(|prefix| name.strip_prefix(prefix)).filter(is_operator);
    let names = overloads().iter().map(|overload| match name.contains('.') {
        true => overload.full_name(),
        false => overload.operator(),
    });
    error.maybe_help(match bare {
        Some(bare) => Some(meant(word.text, &format!("aten::{bare}"))),
        None => did_you_mean(name, names),
    })
}

/// The names in a list of torch's operators that no version has; for a library that does not use
/// the list.
pub(crate) fn unknown_names(names: &[Text]) -> Vec<Diagnostic> {
    let error = |text: &Text| {
        let word = Word { text: text.as_str(), span: text.span() };
        let name = word.text.strip_prefix("aten::").unwrap_or(word.text);
        let plain = name.strip_suffix(".default").unwrap_or(name);
        let is_named = |overload: &Overload| overload.full_name() == plain || overload.operator() == plain;
        let is_known = name == ALL || name.contains("::") || overloads().iter().any(is_named);
        (!is_known).then(|| unknown(&word, name))
    };
    names.iter().filter_map(error).collect()
}

/// The error for a word that names only overloads that cannot be called.
fn unusable(word: &Word, chosen: &[&Candidate], all: &[Candidate], min: Version) -> Diagnostic {
    let works_since = |candidate: &&Candidate| match candidate.reason {
        Some(Reason::Since(version) | Reason::TypeSince(version) | Reason::Changed(version)) => Some(version),
        _ => None,
    };
    // The overload that works soonest is the one to speak of.
    let Some(best) = chosen.iter().min_by_key(|candidate| {
        (works_since(candidate).is_none(), works_since(candidate), candidate.overload.full_name())
    }) else {
        return Diagnostic::new(&codes::STABLE_OPERATOR_UNKNOWN, "there is no such operator").at(word.span);
    };
    let name = format!("aten::{}", best.overload.full_name());
    let error = |code, message: String| Diagnostic::new(code, message).at(word.span);
    let since = |version: Version| format!("`--torch-min {version}` has it");
    match best.reason.clone() {
        Some(Reason::Since(version)) => {
            error(&codes::STABLE_OPERATOR_VERSION, format!("`{name}` is in torch since {version}, not in {min}"))
                .help(since(version))
        }
        Some(Reason::Changed(version)) => {
            let message =
                format!("the schema of `{name}` changed in torch {version}, so no call fits all from {min} on");
            error(&codes::STABLE_OPERATOR_VERSION, message)
                .note(format!("now it is {}", best.overload.schema))
                .help(since(version))
        }
        Some(Reason::TypeSince(version)) => {
            let message = format!("`{name}` can be called since torch {version}, when the stable ABI passes its types");
            error(&codes::STABLE_OPERATOR_VERSION, message).note(best.overload.schema.clone()).help(since(version))
        }
        Some(Reason::Until(version)) => {
            let message = format!("torch has `{name}` up to {version} only");
            error(&codes::STABLE_OPERATOR_VERSION, message)
        }
        Some(Reason::Type(ty)) => {
            let refused =
                best.refused.iter().map(|refused| refused.instead.as_str()).collect::<Vec<_>>().join(", and ");
            let operator = best.overload.operator();
            let others: Vec<String> = all
                .iter()
                .filter(|other| other.reason.is_none() && other.overload.operator() == operator)
                .map(|other| format!("`aten::{}`", other.overload.full_name()))
                .collect();
            let help = match (others.is_empty(), shim_function(best.overload.full_name(), min)) {
                (false, _) => format!("{} can be called", others.join(", ")),
                (true, Some(function)) => function,
                (true, None) => format!("in an operator of your own, {refused}"),
            };
            let message = format!("`{name}` has the type `{ty}`, which the stable ABI cannot pass");
            error(&codes::STABLE_TYPE, message).note(best.overload.schema.clone()).help(help)
        }
        Some(Reason::Results) => {
            let message = format!("libtorch confuses the results of `{name}`, which have different types");
            error(&codes::STABLE_TYPE, message)
                .note(best.overload.schema.clone())
                .note("up to torch 2.15, results are only returned if their types are the same in both directions")
        }
        None => error(&codes::STABLE_OPERATOR_UNKNOWN, format!("`{name}` was not selected")),
    }
}

/// The function of the C shim that calls an overload, if all versions have it.
fn shim_function(full_name: &str, min: Version) -> Option<String> {
    let shim = Shim::read_table();
    let name = full_name.replace('.', "_");
    let of = |device: &str| format!("aoti_torch_{device}_{name}");
    if shim.has(&of("aten"), min) {
        return Some(format!("the C shim has `{}`, which takes numbers as `double`", of("aten")));
    }
    let devices = ["cpu", "cuda"].map(of);
    let all = devices.iter().all(|function| shim.has(function, min));
    all.then(|| {
        let functions = devices.map(|function| format!("`{function}`")).join(" and ");
        format!("the C shim has {functions}, without autograd; they take numbers as `double`")
    })
}

/// How many names a note shows, unless `--verbose` is given.
const SHOWN: usize = 6;

/// One note for each reason why overloads are left out; one that lists all of them with
/// `--verbose`.
fn report<'a>(left_out: impl Iterator<Item = &'a Candidate>, min: Version) -> Vec<Diagnostic> {
    let mut by_reason: BTreeMap<&Reason, Vec<&str>> = BTreeMap::new();
    for candidate in left_out {
        if let Some(reason) = &candidate.reason {
            by_reason.entry(reason).or_default().push(candidate.overload.full_name());
        }
    }
    let mut notes = Vec::new();
    for (reason, names) in by_reason {
        let why = match reason {
            Reason::Type(ty) => format!("the stable ABI cannot pass `{ty}`"),
            Reason::Results => "libtorch confuses results of different types".to_owned(),
            Reason::TypeSince(version) => format!("the stable ABI passes their types since torch {version}"),
            Reason::Since(version) => format!("torch has them since {version}, not in {min}"),
            Reason::Until(version) => format!("torch has them up to {version} only"),
            Reason::Changed(version) => format!("their schemas changed in torch {version}"),
        };
        let message = format!("left out {}: {why}", plural(names.len(), "overload"));
        let note = |names: String| {
            Diagnostic::new(&codes::STABLE_LEFT_OUT, message.clone()).severity(Severity::Note).note(names)
        };
        if names.len() <= SHOWN {
            notes.push(note(names.join(", ")));
            continue;
        }
        let more = format!("{}, and {} more; `--verbose` lists all", names[..SHOWN].join(", "), names.len() - SHOWN);
        notes.push(note(more));
        notes.push(note(names.join(", ")).only_verbose());
    }
    notes
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How many overloads can be called from a version on.
    fn count(min: &str) -> usize {
        let min = min.parse().unwrap();
        let mut session = Session::default();
        let selected = select(&["all".to_owned()], min, &mut session);
        assert!(!session.diagnostics.has_errors());
        selected.len()
    }

    /// The numbers in docs/stable-abi-calls.md.
    #[test]
    fn the_page_has_the_numbers() {
        let page = include_str!("../../../../../docs/stable-abi-calls.md");
        let counts = ["2.10", "2.11", "2.12", "2.13", "2.14", "2.15"].map(|min| count(min).to_string());
        let row = format!("| functions of `--ops all` | {} |", counts.join(" | "));
        assert!(page.contains(&row), "{row}");
    }

    #[test]
    fn words_have_places() {
        let mut session = Session::default();
        let file = session.sources.add("--ops", String::new());
        let words = split(" a, ,bc", file);
        let found: Vec<_> = words.iter().map(|word| (word.text, word.span.range())).collect();
        assert_eq!(found, [("a", 1..2), ("bc", 5..7)]);
    }

    #[test]
    fn nothing_is_an_error() {
        let mut session = Session::default();
        assert!(select(&[" ,".to_owned()], Version::OLDEST, &mut session).is_empty());
        assert!(session.diagnostics.has_errors());
    }
}
