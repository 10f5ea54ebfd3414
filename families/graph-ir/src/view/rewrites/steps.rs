//! The decision tree of a group, as nested questions for the class of a node.
//!
//! Invariant: a step uses only variables of nodes whose classes were asked for around it.

use super::{Call, Case, StepView, asked, value_at, variable};
use crate::model::{Family, Node};
use crate::rewrite::{Class, NodePattern, Path, Place, Rewrite, Step};
use crate::view::joined;
use crate::words::elaborated;

/// Makes the steps of one group.
pub(super) struct Steps<'r> {
    pub(super) family: &'r Family,
    pub(super) patterns: &'r [(usize, &'r Rewrite, &'r NodePattern)],
    /// The number of the first pattern's function.
    pub(super) first: usize,
}

impl Steps<'_> {
    /// Steps below nodes of these records.
    pub(super) fn views(&self, tree: &[Step], known: &[(Path, &Node)]) -> Vec<StepView> {
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

    fn view(&self, step: &Step, known: &[(Path, &Node)]) -> StepView {
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
                        // A node was asked for its class before its inputs are.
                        let record = known.iter().find(|(own, _)| own == parent).map(|(_, record)| *record);
                        let record = record.expect("the class of a node with inputs");
                        format!("{}.getNode()", value_at(record, &variable(parent), *place))
                    }
                };
                let case = |(class, steps): &(Class, Vec<Step>)| {
                    let record = match class {
                        Class::Record(number) => Some((path.clone(), &self.family.nodes[*number])),
                        Class::Storage(_) => None,
                    };
                    let used = record.is_some() || self.names(path, steps);
                    let known: Vec<(Path, &Node)> = known.iter().cloned().chain(record).collect();
                    let (class, variable) = (class.cpp(self.family), variable(path));
                    let typename = elaborated("class", &class);
                    Case { class, typename, variable, used, steps: self.views(steps, &known) }
                };
                StepView { node, cases: cases.iter().map(case).collect(), apply: None }
            }
        }
    }
}
