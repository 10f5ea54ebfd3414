//! What is known of each parameter: whether a function mutates it.
//!
//! Rule: a function may do to a parameter what the functions do that it is passed to; what is
//! passed to a function of torch is read, since names say what those mutate. Invariant: an answer
//! is the weakest that the text shows: where nothing shows it, it is unknown.

use std::ops::Range;

use super::calls::{Function, Named, ROUNDS, is_of_others};
use super::{Does, Effects, Pass, Takes};
use torchgen_base::diag::FileId;
use torchgen_model::versions::is_operator;

/// Whether a function mutates a parameter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Mutates {
    /// Its text shows that it does not.
    Never,
    /// Its text does not show it.
    Unknown,
    /// It passes it on to be written, or may do so.
    Perhaps(Evidence),
    /// It does.
    Always(Evidence),
}

/// What shows that a parameter is mutated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Evidence {
    /// The method, operator or function.
    pub by: String,
    /// Its source.
    pub file: FileId,
    /// Its place.
    pub range: Range<usize>,
}

impl Mutates {
    /// How strongly it says so.
    pub fn rank(&self) -> u8 {
        match self {
            Mutates::Never => 0,
            Mutates::Unknown => 1,
            Mutates::Perhaps(_) => 2,
            Mutates::Always(_) => 3,
        }
    }

    fn or(&mut self, other: Mutates) {
        if other.rank() > self.rank() {
            *self = other;
        }
    }
}

/// For each function of a project, what is known of its parameters. Others are only `declared`.
pub(in super::super) fn known(named: &Named<'_>, declared: &Named<'_>, effects: &[&Effects]) -> Vec<Vec<Mutates>> {
    let own = named.functions.iter().zip(effects);
    let mut all: Vec<Vec<Mutates>> = own.map(|(function, effects)| alone(function, effects)).collect();
    for _ in 0..ROUNDS {
        let mut changes = Vec::new();
        for (at, effects) in effects.iter().enumerate() {
            for pass in &effects.passes {
                let found = passed(pass, named.functions[at].file, named, declared, &all);
                if found.rank() > all[at].get(pass.parameter).map_or(u8::MAX, Mutates::rank) {
                    changes.push((at, pass.parameter, found));
                }
            }
        }
        if changes.is_empty() {
            break;
        }
        for (at, parameter, found) in changes {
            all[at][parameter].or(found);
        }
    }
    all
}

/// What a function does with its parameters by itself.
fn alone(function: &Function, effects: &Effects) -> Vec<Mutates> {
    let of = |(parameter, takes): (usize, &Takes)| {
        let write = effects.all.iter().find(|one| one.does == Does::Writes && one.parameter == parameter);
        match write {
            Some(write) => {
                let evidence = Evidence { by: write.by.clone(), file: function.file, range: write.range.clone() };
                // A copy may be written instead.
                if write.unless.is_some() { Mutates::Perhaps(evidence) } else { Mutates::Always(evidence) }
            }
            None => match effects.stored.iter().find(|(of, _)| *of == parameter) {
                Some((_, range)) => {
                    Mutates::Perhaps(Evidence { by: "=".to_owned(), file: function.file, range: range.clone() })
                }
                None if effects.open_alone.get(parameter) == Some(&true) && *takes != Takes::Nothing => {
                    Mutates::Unknown
                }
                None => Mutates::Never,
            },
        }
    };
    function.takes.iter().enumerate().map(of).collect()
}

/// What follows for a parameter from one call.
fn passed(pass: &Pass, file: FileId, named: &Named<'_>, declared: &Named<'_>, all: &[Vec<Mutates>]) -> Mutates {
    let evidence = || Evidence { by: pass.function.clone(), file, range: pass.range.clone() };
    let (called, argument) = named.called(pass);
    let mut weakest: Option<Mutates> = None;
    let mut strongest = Mutates::Never;
    for at in &called {
        let found = match (all[*at].get(argument), named.functions[*at].takes.get(argument)) {
            (Some(Mutates::Always(_)), _) => Mutates::Always(evidence()),
            (Some(Mutates::Perhaps(_)), _) => Mutates::Perhaps(evidence()),
            // Its type says that it is for writing.
            (Some(Mutates::Unknown), Some(Takes::Memory | Takes::Reference)) => Mutates::Perhaps(evidence()),
            (Some(other), _) => other.clone(),
            (None, _) => Mutates::Unknown,
        };
        strongest.or(found.clone());
        if weakest.as_ref().is_none_or(|weakest| found.rank() < weakest.rank()) {
            weakest = Some(found);
        }
    }
    match weakest {
        Some(Mutates::Always(_)) => return strongest,
        Some(_) if matches!(strongest, Mutates::Always(_)) => return Mutates::Perhaps(evidence()),
        Some(_) => return strongest,
        None => {}
    }
    let (called, argument) = declared.called(pass);
    let takes = called.iter().filter_map(|at| declared.functions[*at].takes.get(argument));
    let by_declaration = takes.map(|takes| match takes {
        Takes::Nothing => Mutates::Never,
        Takes::Tensor => Mutates::Unknown,
        Takes::Reference | Takes::Memory => Mutates::Perhaps(evidence()),
    });
    let path = pass.function.trim_start_matches("::");
    let is_of_torch = is_of_others(path) || !path.contains("::") && is_operator(path);
    by_declaration.max_by_key(Mutates::rank).unwrap_or(match is_of_torch && !pass.is_memory {
        true => Mutates::Never,
        false => Mutates::Unknown,
    })
}
