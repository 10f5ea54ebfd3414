//! The graph that a builder inserts, as a picture.
//!
//! Invariant: a box is a call of the body. What a body decides when it runs is shown by words: both
//! ways of a choice are drawn, and a loop is drawn once.

use std::collections::HashMap;

use torchgen_kit::expr::{Sigil, Step, Typed, TypedKind};
use torchgen_kit::picture::{Graph, Look, Picture};

use super::model::Callable;

/// The boxes of variables.
type Scope = HashMap<String, usize>;

/// Adds the calls of a body to a graph.
struct Drawer<'b> {
    body: &'b str,
    graph: Graph,
    /// The conditions and loops around a statement.
    around: Vec<String>,
}

/// The picture of a body; none of a body in C++, or one that calls nothing.
pub(super) fn picture(callable: &Callable) -> Option<Picture> {
    let body = callable.record.body.as_ref()?.as_str();
    let mut drawer = Drawer { body, graph: Graph::default(), around: Vec::new() };
    let signature = &callable.signature;
    let mut scope = Scope::new();
    for input in signature.inputs.iter().chain(&signature.modules) {
        scope.insert(input.name.clone(), drawer.graph.add(Look::Leaf, vec![input.name.clone()]));
    }
    drawer.steps(&callable.steps, &mut scope);
    let words = body.trim().lines().map(|line| line.trim().to_owned()).collect();
    (!callable.steps.is_empty()).then(|| drawer.graph.picture(words))
}

impl Drawer<'_> {
    fn steps(&mut self, steps: &[Step], scope: &mut Scope) {
        for step in steps {
            match step {
                Step::Let { name, value, .. } => {
                    match self.value(value, scope) {
                        Some(number) => scope.insert(name.clone(), number),
                        None => scope.remove(name),
                    };
                }
                Step::If { condition, then, otherwise, .. } => {
                    let words = self.words(condition);
                    let (mut first, mut second) = (scope.clone(), scope.clone());
                    self.inside(format!("if {words}"), then, &mut first);
                    self.inside(format!("if not: {words}"), otherwise, &mut second);
                    self.join(&words, &first, &second, scope);
                }
                Step::For { variable, list, body, .. } => {
                    let words = format!("for {variable} in {}", self.words(list));
                    let mut own = scope.clone();
                    if let Some(number) = self.value(list, scope) {
                        own.insert(variable.clone(), number);
                    }
                    self.inside(words, body, &mut own);
                    scope.extend(own);
                }
                Step::Return { values } => {
                    for value in values {
                        let lines = self.around.iter().cloned().chain(["result".to_owned()]).collect();
                        let result = self.graph.add(Look::Word, lines);
                        if let Some(number) = self.value(value, scope) {
                            self.graph.connect(number, result);
                        }
                    }
                }
                Step::Require { .. } | Step::Fail { .. } => {}
            }
        }
    }

    fn inside(&mut self, words: String, steps: &[Step], scope: &mut Scope) {
        self.around.push(words);
        self.steps(steps, scope);
        self.around.pop();
    }

    /// The variables after a choice: what differs is one of two values.
    fn join(&mut self, words: &str, first: &Scope, second: &Scope, scope: &mut Scope) {
        let mut names: Vec<&String> = first.keys().filter(|name| second.contains_key(*name)).collect();
        names.sort();
        for name in names {
            let (one, other) = (first[name], second[name]);
            let number = if one == other { one } else { self.either(words, one, other) };
            scope.insert(name.clone(), number);
        }
    }

    fn either(&mut self, words: &str, one: usize, other: usize) -> usize {
        let number = self.graph.add(Look::Word, vec![format!("one of, by {words}")]);
        self.graph.connect(one, number);
        self.graph.connect(other, number);
        number
    }

    /// The box of a value; none for numbers and the like.
    fn value(&mut self, value: &Typed, scope: &Scope) -> Option<usize> {
        match &value.kind {
            TypedKind::Variable { name, .. } => scope.get(name).copied(),
            TypedKind::Convert(own) | TypedKind::Starred(own) | TypedKind::Index(own, _) => self.value(own, scope),
            TypedKind::Slice(own, ..) => self.value(own, scope),
            TypedKind::Conditional { then, condition, otherwise } => {
                let words = self.words(condition);
                match (self.value(then, scope), self.value(otherwise, scope)) {
                    (Some(one), Some(other)) if one != other => Some(self.either(&words, one, other)),
                    (one, other) => one.or(other),
                }
            }
            TypedKind::List(items) => match &self.values(items, scope)[..] {
                [] => None,
                [only] => Some(*only),
                all => {
                    let list = self.graph.add(Look::Word, vec!["list".to_owned()]);
                    all.iter().for_each(|item| self.graph.connect(*item, list));
                    Some(list)
                }
            },
            TypedKind::Comprehension(own) => {
                let mut inner = scope.clone();
                if let Some(number) = self.value(&own.list, scope) {
                    inner.insert(own.variable.clone(), number);
                }
                let words = format!("for {} in {}", own.variable, self.words(&own.list));
                self.around.push(words);
                let number = self.value(&own.element, &inner);
                self.around.pop();
                number
            }
            TypedKind::Custom(call) => {
                let mark = match call.sigil {
                    Sigil::Plain => call.name.clone(),
                    Sigil::Exact => format!("{}!", call.name),
                    Sigil::At => format!("@{}", call.name),
                };
                let mut lines = vec![mark];
                let mut inputs = Vec::new();
                for argument in &call.positional {
                    match self.value(argument, scope) {
                        Some(number) => inputs.push(number),
                        None => lines.push(self.words(argument)),
                    }
                }
                for (key, argument) in &call.keywords {
                    match self.value(argument, scope) {
                        Some(number) => inputs.push(number),
                        None => lines.push(format!("{key}={}", self.words(argument))),
                    }
                }
                lines.extend(self.around.iter().cloned());
                let number = self.graph.add(Look::Node, lines);
                inputs.into_iter().for_each(|input| self.graph.connect(input, number));
                Some(number)
            }
            _ => None,
        }
    }

    fn values(&mut self, items: &[Typed], scope: &Scope) -> Vec<usize> {
        items.iter().filter_map(|item| self.value(item, scope)).collect()
    }

    /// The text of a value, in one line.
    fn words(&self, value: &Typed) -> String {
        let text = self.body.get(value.range.clone()).unwrap_or_default();
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }
}
