//! The calls of functions that blocks give their libraries.
//!
//! Rule: a function is found by the last part of its name, in its own source first. Invariant: a
//! block's library is followed into a function once for each condition, and no more than
//! [`MAX_FOLLOWED`] calls are followed.

use std::collections::HashSet;

use torchgen_base::diag::FileId;

use crate::conditions::Conditions;
use crate::passed::Passed;
use crate::preprocessor::{Names, Piece};
use crate::scan::{Action, Call, Found, called};

/// How many calls are followed.
const MAX_FOLLOWED: usize = 1000;

/// The calls that functions make with the libraries that blocks give them. `units` are the sources
/// with their tokens, and `found` what is in each.
pub(crate) fn followed(
    units: &[(FileId, Vec<Piece>)],
    found: &mut [Found],
    names: &Names,
    conditions: &mut Conditions,
) -> Vec<Call> {
    let mut open: Vec<(usize, usize, Passed)> = Vec::new();
    for (at, own) in found.iter_mut().enumerate() {
        for passed in own.passed.drain(..) {
            open.push((open.len(), at, passed));
        }
    }
    open.reverse();
    let (mut calls, mut seen) = (Vec::new(), HashSet::new());
    for _ in 0..MAX_FOLLOWED {
        let Some((call, from, passed)) = open.pop() else { break };
        let defined = |at: usize| found[at].helpers.iter().any(|helper| helper.name == passed.name);
        let Some(at) = std::iter::once(from).chain(0..found.len()).find(|at| defined(*at)) else {
            // What else a Python module is passed to is its own: a class, or a function elsewhere.
            if passed.block.module {
                calls.push(other(&passed, units[from].0));
            }
            continue;
        };
        if !seen.insert((call, at, passed.name.clone(), passed.condition)) {
            continue;
        }
        let (unit, pieces) = &units[at];
        for helper in found[at].helpers.iter().filter(|helper| helper.name == passed.name) {
            let result = called(*unit, pieces, names, conditions, helper, &passed);
            calls.extend(result.calls);
            open.extend(result.passed.into_iter().map(|passed| (call, at, passed)));
        }
    }
    calls
}

/// A call that gives a library away, as a call of its own that registers nothing known.
fn other(passed: &Passed, unit: FileId) -> Call {
    Call {
        action: Action::Other,
        function: passed.name.clone(),
        place: passed.place,
        namespace: passed.block.namespace.clone(),
        key: None,
        arguments: Vec::new(),
        scope: Vec::new(),
        condition: passed.condition,
        stable: passed.block.stable,
        module: passed.block.module,
        unit,
    }
}
