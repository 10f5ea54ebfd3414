//! The decision tree of a group: which classes to look at, in which order.
//!
//! A rule asks for the classes of nodes at places; rules that ask the same share the question.
//! Invariant: of two rules that can match the same graph, the one that comes first in the group is
//! tried first. The tree has as many leaves as there are patterns, so its size is linear.

use super::pattern::{Class, NodePattern, Path};

/// What is done, in order, until a rule applies.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// Looks at the class of a node.
    Switch(Path, Vec<(Class, Vec<Step>)>),
    /// Applies a pattern.
    Apply(usize),
}

/// The steps of a group.
pub(crate) type Tree = Vec<Step>;

/// A pattern, and the questions that are not asked yet.
#[derive(Debug, Clone)]
struct Candidate {
    pattern: usize,
    open: Vec<(Path, Class)>,
    all: Vec<(Path, Class)>,
}

/// The tree of patterns that are in the order of their rules.
pub(crate) fn decision_tree<'p>(patterns: impl IntoIterator<Item = &'p NodePattern>) -> Tree {
    let candidate = |(pattern, root): (usize, &NodePattern)| {
        let all: Vec<(Path, Class)> = root.nodes().into_iter().map(|(path, node)| (path, node.class)).collect();
        Candidate { pattern, open: all.clone(), all }
    };
    steps(patterns.into_iter().enumerate().map(candidate).collect())
}

fn steps(mut candidates: Vec<Candidate>) -> Tree {
    let mut tree = Vec::new();
    while !candidates.is_empty() {
        let Some((path, _)) = candidates[0].open.first().cloned() else {
            tree.push(Step::Apply(candidates.remove(0).pattern));
            continue;
        };
        let mut cases: Vec<(Class, Vec<Candidate>)> = Vec::new();
        let mut left: Vec<Candidate> = Vec::new();
        for mut candidate in candidates {
            let asked = candidate.open.iter().position(|(own, _)| *own == path);
            // It may pass those that stay behind if none of them matches what it matches.
            match asked.filter(|_| left.iter().all(|other| excludes(other, &candidate))) {
                None => left.push(candidate),
                Some(at) => {
                    let (_, class) = candidate.open.remove(at);
                    match cases.iter_mut().find(|(own, _)| *own == class) {
                        Some((_, own)) => own.push(candidate),
                        None => cases.push((class, vec![candidate])),
                    }
                }
            }
        }
        tree.push(Step::Switch(path, cases.into_iter().map(|(class, own)| (class, steps(own))).collect()));
        candidates = left;
    }
    tree
}

/// Whether two patterns want different classes at one place.
fn excludes(a: &Candidate, b: &Candidate) -> bool {
    a.all.iter().any(|(path, class)| b.all.iter().any(|(own, other)| own == path && other != class))
}

#[cfg(test)]
mod tests {
    use super::super::pattern::{Pattern, Place};
    use super::*;

    /// A source of random numbers.
    struct Random(u64);

    impl Random {
        fn below(&mut self, end: u64) -> u64 {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 33) % end
        }
    }

    /// A node with two inputs, or a leaf without.
    struct Graph {
        class: usize,
        inputs: Vec<Graph>,
    }

    impl Graph {
        fn random(random: &mut Random, depth: u64) -> Graph {
            let count = if depth == 0 { 0 } else { 2 };
            let class = usize::try_from(random.below(3)).expect("small");
            Graph { class, inputs: (0..count).map(|_| Graph::random(random, depth - 1)).collect() }
        }

        fn at(&self, path: &[Place]) -> Option<&Graph> {
            path.iter().try_fold(self, |graph, place| match place {
                Place::Input(at) => graph.inputs.get(*at),
                Place::Item(..) => None,
            })
        }
    }

    fn pattern(random: &mut Random, depth: u64) -> NodePattern {
        let input = |random: &mut Random| match depth > 0 && random.below(2) == 0 {
            true => Pattern::Node(Box::new(pattern(random, depth - 1))),
            false => Pattern::Any(None),
        };
        NodePattern {
            class: Class::Record(usize::try_from(random.below(3)).expect("small")),
            range: 0..0,
            inputs: vec![input(random), input(random)],
            lists: Vec::new(),
            members: Vec::new(),
            result: 0,
            name: None,
        }
    }

    fn matches(pattern: &NodePattern, graph: &Graph) -> bool {
        pattern.class == Class::Record(graph.class)
            && pattern.inputs.iter().enumerate().all(|(at, input)| match input {
                Pattern::Any(_) => true,
                Pattern::Node(input) => graph.inputs.get(at).is_some_and(|graph| matches(input, graph)),
            })
    }

    /// The first pattern that the steps apply to a graph.
    fn first(steps: &[Step], graph: &Graph) -> Option<usize> {
        steps.iter().find_map(|step| match step {
            Step::Apply(pattern) => Some(*pattern),
            Step::Switch(path, cases) => {
                let class = Class::Record(graph.at(path)?.class);
                let (_, steps) = cases.iter().find(|(own, _)| *own == class)?;
                first(steps, graph)
            }
        })
    }

    fn leaves(steps: &[Step]) -> usize {
        let inside = |step: &Step| match step {
            Step::Apply(_) => 1,
            Step::Switch(_, cases) => cases.iter().map(|(_, steps)| leaves(steps)).sum(),
        };
        steps.iter().map(inside).sum()
    }

    #[test]
    fn the_first_rule_that_matches_is_tried_first() {
        let mut random = Random(63);
        for _ in 0..2000 {
            let count = 1 + random.below(8);
            let patterns: Vec<NodePattern> = (0..count).map(|_| pattern(&mut random, 2)).collect();
            let tree = decision_tree(&patterns);
            assert_eq!(leaves(&tree), patterns.len());
            for _ in 0..20 {
                let graph = Graph::random(&mut random, 3);
                let expected = patterns.iter().position(|pattern| matches(pattern, &graph));
                assert_eq!(first(&tree, &graph), expected, "{tree:?}");
            }
        }
    }
}
