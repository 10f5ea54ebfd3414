//! The decision tree of a group, as nested questions for the class of a node.
//!
//! Invariant: a step uses only variables of nodes whose classes were asked for around it.

use super::{Call, Case, StepView, asked, value_at, variable};
use crate::model::Family;
use crate::rewrite::{Class, NodePattern, Place, Rewrite, Step};
use crate::view::joined;

/// Makes the steps of one group.
pub(super) struct Steps<'r> {
    pub(super) family: &'r Family,
    pub(super) patterns: &'r [(usize, &'r Rewrite, &'r NodePattern)],
    /// The number of the first pattern's function.
    pub(super) first: usize,
}

impl Steps<'_> {
    pub(super) fn views(&self, tree: &[Step], known: &[(Vec<Place>, Option<Class>)]) -> Vec<StepView> {
        tree.iter().map(|step| self.view(step, known)).collect()
    }

    /// Whether a pattern below takes the node at a place.
    fn names(&self, path: &[Place], steps: &[Step]) -> bool {
        steps.iter().any(|step| match step {
            Step::Switch(_, cases) => cases.iter().any(|(_, steps)| self.names(path, steps)),
            Step::Apply(pattern) => {
                let (_, rewrite, root) = self.patterns[*pattern];
                asked(rewrite, root).iter().any(|(own, _)| own == path)
            }
        })
    }

    fn view(&self, step: &Step, known: &[(Vec<Place>, Option<Class>)]) -> StepView {
        match step {
            Step::Apply(pattern) => {
                let (rule, rewrite, root) = self.patterns[*pattern];
                let arguments = joined(asked(rewrite, root).into_iter().map(|(path, _)| variable(&path)));
                let call = Call { function: self.first + pattern, rule, arguments };
                StepView { apply: Some(call), ..StepView::default() }
            }
            Step::Switch(path, cases) => {
                let node = match path.split_last() {
                    None => "root".to_owned(),
                    Some((place, parent)) => {
                        let class = known.iter().find(|(own, _)| own == parent).and_then(|(_, class)| *class);
                        match class {
                            Some(Class::Record(number)) => {
                                let value = value_at(&self.family.nodes[number], &variable(parent), *place);
                                format!("{value}.getNode()")
                            }
                            _ => "nullptr".to_owned(),
                        }
                    }
                };
                let case = |(class, steps): &(Class, Vec<Step>)| {
                    let mut known = known.to_vec();
                    known.retain(|(own, _)| own != path);
                    known.push((path.clone(), Some(*class)));
                    Case {
                        class: class.cpp(self.family),
                        variable: variable(path),
                        used: matches!(class, Class::Record(_)) || self.names(path, steps),
                        steps: self.views(steps, &known),
                    }
                };
                StepView { node, cases: cases.iter().map(case).collect(), apply: None }
            }
        }
    }
}
