//! Joins what the functions of a project do: a function has the effects of those that it calls.
//!
//! Invariant: a call has an effect only if each function that it may call has it.

use std::collections::HashMap;

use super::{DeviceTable, Does, Effect, Effects, Pass, Takes, taken};
use torchgen_base::diag::FileId;
use torchgen_base::lang::cpp::Definition;

/// A function of the project.
pub(in super::super) struct Function {
    /// Its qualified name.
    pub(in super::super) name: String,
    /// Its source.
    pub(in super::super) file: FileId,
    /// What its parameters lead to.
    pub(in super::super) takes: Vec<Takes>,
    /// It takes any number of further arguments.
    pub(in super::super) is_variadic: bool,
}

impl Function {
    /// That of a definition or a declaration.
    pub(in super::super) fn new(file: FileId, definition: &Definition) -> Function {
        Function {
            name: definition.name.clone(),
            file,
            takes: taken(definition),
            is_variadic: definition.parameters.last().is_some_and(|last| last.contains("...")),
        }
    }
}

/// Namespaces of functions that are not the project's.
const OTHERS: &[&str] = &["at", "c10", "std", "torch"];

/// The longest chain of calls that is followed.
pub(super) const ROUNDS: usize = 8;

/// Adds to each function that mutates its parameters by calls what these calls do.
pub(in super::super) fn join(functions: &[Function], effects: &mut [Effects], devices: &DeviceTable) {
    let named = Named::new(functions, devices);
    for own in effects.iter_mut() {
        own.open_alone.clone_from(&own.open);
        for pass in &own.passes {
            own.open.get_mut(pass.parameter).into_iter().for_each(|open| *open = true);
        }
    }
    for _ in 0..ROUNDS {
        let added = each_pass(effects, |pass| named.writes(pass, effects));
        if added.is_empty() {
            break;
        }
        add(added, effects);
    }
    let claimed = each_pass(effects, |pass| named.claimed(pass, effects));
    add(claimed, effects);
}

/// What a function makes of the passes of parameters that nothing else writes.
fn each_pass(effects: &[Effects], of: impl Fn(&Pass) -> Option<Effect>) -> Vec<(usize, Effect)> {
    let passes = effects.iter().enumerate().flat_map(|(caller, own)| {
        own.passes.iter().filter(|pass| !writes(own, pass.parameter)).map(move |pass| (caller, pass))
    });
    passes.filter_map(|(caller, pass)| Some((caller, of(pass)?))).collect()
}

fn add(added: Vec<(usize, Effect)>, effects: &mut [Effects]) {
    for (caller, effect) in added {
        if !writes(&effects[caller], effect.parameter) {
            effects[caller].all.push(effect);
        }
    }
}

fn writes(effects: &Effects, parameter: usize) -> bool {
    effects.all.iter().any(|known| known.does == Does::Writes && known.parameter == parameter)
}

/// The functions of a project by their last words.
pub(in super::super) struct Named<'f> {
    pub(super) functions: &'f [Function],
    by_name: HashMap<&'f str, Vec<usize>>,
    devices: &'f DeviceTable,
}

impl<'f> Named<'f> {
    pub(in super::super) fn new(functions: &'f [Function], devices: &'f DeviceTable) -> Named<'f> {
        let mut by_name: HashMap<&str, Vec<usize>> = HashMap::new();
        for (at, function) in functions.iter().enumerate() {
            by_name.entry(last(&function.name)).or_default().push(at);
        }
        Named { functions, by_name, devices }
    }

    /// The functions that a parameter may be passed to, and which of theirs it is.
    pub(super) fn called(&self, pass: &Pass) -> (Vec<usize>, usize) {
        let (argument, count) = pass.argument;
        let by_device = pass.key.as_ref().and_then(|key| self.devices.get(key));
        let own = self.of_name(&pass.function, count);
        match by_device {
            // `DISPATCH(key, x)`
            Some(names) if own.is_empty() => {
                let found: Vec<usize> = names.iter().flat_map(|name| self.of_name(name, count - 1)).collect();
                (found, argument - 1)
            }
            _ => (own, argument),
        }
    }

    /// The functions of a name that take so many arguments.
    pub(super) fn of_name(&self, name: &str, arguments: usize) -> Vec<usize> {
        let path = name.trim_start_matches("::");
        if is_of_others(path) {
            return Vec::new();
        }
        let is_it = |at: &usize| {
            let function = &self.functions[*at];
            let is_named =
                function.name == path || function.name.strip_suffix(path).is_some_and(|scope| scope.ends_with("::"));
            let takes_more = function.is_variadic && arguments + 1 >= function.takes.len();
            is_named && (function.takes.len() >= arguments || takes_more)
        };
        self.by_name.get(last(path)).into_iter().flatten().copied().filter(is_it).collect()
    }

    /// The write of a parameter by the functions that it is passed to. What a function only claims
    /// is not one: its caller may get the memory to read it.
    fn writes(&self, pass: &Pass, effects: &[Effects]) -> Option<Effect> {
        let (called, argument) = self.called(pass);
        let of = |one: &&Effect| one.does == Does::Writes && one.parameter == argument && !one.is_claim;
        let found = called.iter().map(|at| effects[*at].all.iter().find(of));
        let write = found.collect::<Option<Vec<&Effect>>>()?.into_iter().next()?;
        let file = self.functions[*called.first()?].file;
        Some(Effect {
            does: Does::Writes,
            parameter: pass.parameter,
            by: pass.function.clone(),
            range: pass.range.clone(),
            unless: pass.unless.or(write.unless),
            is_claim: false,
            inside: Some(write.inside.clone().unwrap_or((file, write.range.clone()))),
        })
    }

    /// The claim to write memory that is passed to a function, unless that only reads it.
    fn claimed(&self, pass: &Pass, effects: &[Effects]) -> Option<Effect> {
        let range = pass.claim.clone()?;
        let (called, parameter) = self.called(pass);
        let may_write = |at: &usize| {
            let is_open = effects[*at].open.get(parameter).copied().unwrap_or(true);
            self.functions[*at].takes.get(parameter) != Some(&Takes::Nothing) && is_open
        };
        (called.is_empty() || called.iter().all(may_write)).then(|| Effect {
            does: Does::Writes,
            parameter: pass.parameter,
            by: "mutable_data_ptr".to_owned(),
            range,
            unless: pass.unless,
            is_claim: true,
            inside: None,
        })
    }
}

/// Whether a function is not the project's.
pub(super) fn is_of_others(path: &str) -> bool {
    path.split_once("::").is_some_and(|(first, _)| OTHERS.contains(&first))
}

/// The last word of a qualified name.
fn last(name: &str) -> &str {
    name.rsplit("::").next().unwrap_or_default()
}
