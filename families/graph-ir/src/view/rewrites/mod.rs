//! The view of the rules that rewrite graphs.
//!
//! Invariant: the variable of a node is named after its place, that of a name has a prefix, so that
//! none of them is a word of C++ or of the generated code.

use serde::Serialize;

mod maker;
mod proofs;
mod steps;

use maker::Maker;
use proofs::{ExampleView, ProofView, Sample, example_view, proof_view};
use steps::Steps;

use super::nodes::{NodeView, node_view};
use super::{COMMENT, File};
use crate::model::{Family, Node};
use crate::rewrite::{Class, NodePattern, Path, Place, Rewrite, RewriteSet, decision_tree};
use crate::schema::escaped;
use crate::support::Support;
use torchgen_kit::comment::Comment;

/// Everything about rules.
#[derive(Debug, Serialize)]
pub(crate) struct Rewrites {
    #[serde(flatten)]
    file: File,
    /// The header of the base classes, in quotes or angle brackets.
    graph_header: String,
    /// All headers of base classes, without those that others include.
    headers: Vec<String>,
    has_shapes: bool,
    rule_includes: Vec<String>,
    rules: Vec<RuleInfo>,
    groups: Vec<Group>,
    applies: Vec<Apply>,
    /// The nodes that replacements and examples make.
    made: Vec<NodeView>,
    examples: Vec<ExampleView>,
    /// The header that computes nodes.
    evaluator: Option<String>,
    samples: Vec<Sample>,
    proofs: Vec<ProofView>,
    /// How many nodes the longest way through a pattern has.
    deepest: usize,
}

/// A rule as a report shows it.
#[derive(Debug, Serialize)]
struct RuleInfo {
    name: String,
    group: String,
    doc: String,
    priority: i64,
}

#[derive(Debug, Serialize)]
struct Group {
    name: String,
    steps: Vec<StepView>,
}

/// A step of a decision tree.
#[derive(Debug, Default, Serialize)]
struct StepView {
    /// The node whose class is looked at.
    node: String,
    cases: Vec<Case>,
    /// The function of a pattern, its rule and its arguments.
    apply: Option<Call>,
}

#[derive(Debug, Serialize)]
struct Case {
    class: String,
    /// The class where functions may hide it.
    typename: String,
    variable: String,
    /// Whether a step has the variable.
    used: bool,
    steps: Vec<StepView>,
}

#[derive(Debug, Serialize)]
struct Call {
    function: usize,
    rule: usize,
    arguments: String,
}

/// What a pattern does.
#[derive(Debug, Serialize)]
struct Apply {
    number: usize,
    doc: Comment,
    parameters: String,
    /// The variables of nodes of records.
    nodes: Vec<String>,
    lines: Vec<Line>,
    /// The number of the rule.
    rule: usize,
    /// The values in place of results, as pairs of C++.
    replaced: String,
}

/// A condition, or a variable and its value.
#[derive(Debug, Serialize)]
struct Line {
    variable: Option<String>,
    value: String,
}

/// Makes the view.
pub(crate) fn rewrites(family: &Family, set: &RewriteSet) -> Rewrites {
    let mut names: Vec<&str> = Vec::new();
    for rewrite in &set.rules {
        if !names.contains(&rewrite.group.as_str()) {
            names.push(&rewrite.group);
        }
    }
    let mut made = Vec::new();
    let mut applies = Vec::new();
    let mut groups = Vec::new();
    let mut examples = Vec::new();
    let (mut samples, mut proofs) = (Vec::new(), Vec::new());
    let mut deepest = 1;
    for name in names {
        let own: Vec<(usize, &Rewrite)> =
            set.rules.iter().enumerate().filter(|(_, rewrite)| rewrite.group == name).collect();
        let patterns: Vec<(usize, &Rewrite, &NodePattern)> = own
            .iter()
            .flat_map(|(rule, rewrite)| rewrite.patterns.iter().map(move |pattern| (*rule, *rewrite, pattern)))
            .collect();
        let first = applies.len();
        for (rule, rewrite, pattern) in &patterns {
            let maker = Maker {
                family,
                functions: &set.functions,
                rewrite,
                made: &mut made,
                lines: Vec::new(),
                root: variable(&[]),
            };
            applies.push(maker.apply(applies.len(), *rule, pattern));
            deepest = pattern.nodes().iter().map(|(path, _)| path.len() + 1).fold(deepest, usize::max);
        }
        let tree = decision_tree(patterns.iter().map(|(_, _, pattern)| *pattern));
        let steps = Steps { family, patterns: &patterns, first };
        groups.push(Group { name: escaped(name), steps: steps.views(&tree, &[]) });
        for (_, rewrite) in own {
            let first_example = examples.len();
            let numbered = (first_example..).zip(&rewrite.examples);
            let views = numbered.map(|example| example_view(family, set, rewrite, example, &mut made));
            examples.extend(views.collect::<Vec<_>>());
            if set.evaluator.is_some() {
                proofs.push(proof_view(family, rewrite, first_example, &mut made, &mut samples));
            }
        }
    }
    let rule = |rewrite: &Rewrite| RuleInfo {
        name: escaped(&rewrite.name.text),
        group: escaped(&rewrite.group),
        doc: escaped(&rewrite.doc),
        priority: rewrite.priority,
    };
    made.sort_unstable();
    made.dedup();
    let support = family.support.as_ref();
    Rewrites {
        file: File { namespace: family.namespace.clone(), comment: COMMENT },
        graph_header: support.map_or("\"IRSupport.h\"", |support| support.nodes.as_str()).to_owned(),
        headers: headers(support),
        has_shapes: family.infers_shapes(),
        rule_includes: set.includes.clone(),
        rules: set.rules.iter().map(rule).collect(),
        groups,
        applies,
        made: made.into_iter().map(|node| node_view(&family.nodes[node])).collect(),
        examples,
        evaluator: set.evaluator.clone(),
        samples,
        proofs,
        deepest,
    }
}

/// The headers of base classes. That of instructions has functions and modules too, if the header
/// of nodes does not.
fn headers(support: Option<&Support>) -> Vec<String> {
    let Some(support) = support else {
        return vec!["\"IRSupport.h\"".to_owned()];
    };
    let mut headers = vec![support.nodes.clone(), support.instructions.clone()];
    headers.dedup();
    headers
}

/// The variable of the node at a place.
fn variable(path: &[Place]) -> String {
    let place = |place: &Place| match place {
        Place::Input(at) => format!("_{at}"),
        Place::Item(list, item) => format!("_{list}i{item}"),
    };
    ["node".to_owned()].into_iter().chain(path.iter().map(place)).collect()
}

/// The value at a place of a node.
fn value_at(node: &Node, parent: &str, place: Place) -> String {
    match place {
        Place::Input(at) => format!("{parent}->get{}()", node.inputs[at].name.text),
        Place::Item(list, item) => {
            format!("rewriting::itemOf({parent}->get{}(), {item})", node.variable_inputs[list].name.text)
        }
    }
}

/// The nodes that the function of a pattern takes. A leaf that nothing uses is asked for its class
/// only.
fn asked<'p>(rewrite: &Rewrite, root: &'p NodePattern) -> Vec<(Path, &'p NodePattern)> {
    let mut nodes = root.nodes();
    nodes.retain(|(_, node)| match (&node.class, &node.name) {
        (Class::Record(_), _) => true,
        (Class::Storage(_), name) => name.as_ref().is_some_and(|name| rewrite.uses(&name.name)),
    });
    nodes
}
