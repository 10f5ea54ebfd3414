//! Formulas with a failure are reduced to the smallest that has it. Each round tries smaller
//! formulas of all failures in one batch.

use std::collections::BTreeSet;

use super::expr::Expr;
use super::{Found, Outcome, Plan, batch};

/// How many smaller formulas of a failure are tried together.
const TRIES: usize = 60;
/// How many rounds there are at most.
const ROUNDS: usize = 40;

/// The smallest formulas with the same class of failure, each with its failure.
pub(super) fn reduced(failures: &mut [(Expr, Found)], plan: &Plan) {
    // For each failure, how many of its smaller formulas were tried.
    let mut tried = vec![0; failures.len()];
    for _ in 0..ROUNDS {
        let mut all: Vec<(usize, Expr)> = Vec::new();
        for (i, (formula, _)) in failures.iter().enumerate() {
            let some: Vec<Expr> = smaller(formula).into_iter().skip(tried[i]).take(TRIES).collect();
            tried[i] += some.len();
            all.extend(some.into_iter().map(|expr| (i, expr)));
        }
        if all.is_empty() {
            return;
        }
        let formulas: Vec<Expr> = all.iter().map(|(_, formula)| formula.clone()).collect();
        let mut done = BTreeSet::new();
        for ((i, formula), outcome) in all.into_iter().zip(batch::run(&formulas, plan).outcomes) {
            if let Outcome::Found(found) = outcome
                && found.is_like(&failures[i].1)
                && done.insert(i)
            {
                failures[i] = (formula, found);
                tried[i] = 0;
            }
        }
    }
}

/// Smaller formulas, the smallest first.
fn smaller(formula: &Expr) -> Vec<Expr> {
    let mut all = formula.smaller();
    all.sort_by_key(|smaller| (smaller.size(), smaller.text()));
    all.dedup();
    all
}
