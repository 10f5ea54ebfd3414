//! Tests of rules: examples, and random graphs that patterns may match.
//!
//! Invariant: a random graph has a value for each name of its pattern, and a member for each that
//! the pattern does not fix.

use serde::Serialize;

use super::Line;
use super::maker::{Maker, bound};
use crate::model::{Family, Member};
use crate::rewrite::{
    Class, Example, GivenType, ListPattern, MemberName, MemberPattern, NodePattern, Pattern, Rewrite, RewriteSet,
};
use crate::schema::escaped;
use crate::view::joined;
use crate::words::elaborated;

/// An example, as a test of its rule.
#[derive(Debug, Serialize)]
pub(super) struct ExampleView {
    rule: String,
    text: String,
    given: Vec<Given>,
    /// Its number among all examples.
    number: usize,
    before: Vec<Line>,
    /// What is made for `after`.
    rest: Vec<Line>,
    /// What `before` becomes, if the rule matches.
    after: Option<String>,
}

#[derive(Debug, Serialize)]
struct Given {
    variable: String,
    name: String,
    is_constant: bool,
    element: String,
    dims: String,
    /// The scale and the offset of a quantized type, in C++.
    quantized: Option<(String, i32)>,
}

/// A random graph for a pattern.
#[derive(Debug, Serialize)]
pub(super) struct Sample {
    lines: Vec<Line>,
    value: String,
}

/// The random graphs of a rule.
#[derive(Debug, Serialize)]
pub(super) struct ProofView {
    rule: String,
    no_nan: bool,
    no_inf: bool,
    reassociation: bool,
    quantization: bool,
    /// The numbers of its graphs.
    samples: Vec<usize>,
    /// The numbers of the examples that it matches.
    examples: Vec<usize>,
}

/// An example of a rule.
pub(super) fn example_view(
    family: &Family,
    set: &RewriteSet,
    rewrite: &Rewrite,
    (number, example): (usize, &Example),
    made: &mut Vec<usize>,
) -> ExampleView {
    let given = |(name, ty): &(String, GivenType)| Given {
        variable: bound(name),
        name: escaped(name),
        is_constant: ty.is_constant,
        element: ty.element.clone(),
        quantized: ty.quantized.map(|(scale, offset)| (format!("{scale:?}f"), offset)),
        dims: joined(ty.dims.iter().map(u64::to_string)),
    };
    let root = "before.getNode()".to_owned();
    let mut maker = Maker { family, functions: &set.functions, rewrite, made, lines: Vec::new(), root };
    let value = maker.term(&example.before, 0);
    maker.lines.push(Line { variable: Some("before".to_owned()), value });
    let before = maker.lines.len();
    let after = example.after.as_ref().map(|after| maker.term(after, 0));
    ExampleView {
        rule: escaped(&rewrite.name.text),
        text: escaped(&example.before_text),
        given: example.given.iter().map(given).collect(),
        number,
        rest: maker.lines.split_off(before),
        before: maker.lines,
        after,
    }
}

/// The graphs of a rule, which are added to `samples`.
pub(super) fn proof_view(
    family: &Family,
    rewrite: &Rewrite,
    first_example: usize,
    made: &mut Vec<usize>,
    samples: &mut Vec<Sample>,
) -> ProofView {
    let first = samples.len();
    for pattern in &rewrite.patterns {
        let mut sampler = Sampler { family, made, lines: Vec::new() };
        let value = sampler.node(pattern);
        samples.push(Sample { lines: sampler.lines, value });
    }
    ProofView {
        rule: escaped(&rewrite.name.text),
        no_nan: rewrite.assumes("no_nan"),
        no_inf: rewrite.assumes("no_inf"),
        reassociation: rewrite.assumes("reassociation"),
        quantization: rewrite.assumes("quantization"),
        samples: (first..samples.len()).collect(),
        examples: rewrite
            .examples
            .iter()
            .zip(first_example..)
            .filter(|(example, _)| example.after.is_some())
            .map(|(_, number)| number)
            .collect(),
    }
}

/// Writes the function that makes a random graph for one pattern.
struct Sampler<'r> {
    family: &'r Family,
    made: &'r mut Vec<usize>,
    lines: Vec<Line>,
}

impl Sampler<'_> {
    /// A variable with a value: that of a name, which has one already, or a new one.
    fn variable(&mut self, name: Option<&str>, value: String) -> String {
        let variable = match name {
            Some(name) => bound(name),
            None => format!("part{}", self.lines.len()),
        };
        if !self.lines.iter().any(|line| line.variable.as_ref() == Some(&variable)) {
            self.lines.push(Line { variable: Some(variable.clone()), value });
        }
        variable
    }

    fn value(&mut self, pattern: &Pattern) -> String {
        match pattern {
            Pattern::Any(name) => {
                self.variable(name.as_ref().map(|name| name.name.as_str()), "rewriter.leaf()".to_owned())
            }
            Pattern::Node(node) => self.node(node),
        }
    }

    fn list(&mut self, pattern: &ListPattern) -> String {
        match pattern {
            ListPattern::Any(name) => {
                self.variable(name.as_ref().map(|name| name.name.as_str()), "rewriter.leaves(1)".to_owned())
            }
            ListPattern::Items { items, rest } => {
                let mut parts: Vec<String> = items.iter().map(|item| self.value(item)).collect();
                if let Some(rest) = rest {
                    let name = rest.as_ref().map(|name| name.name.as_str());
                    parts.push(self.variable(name, "rewriter.leaves(0)".to_owned()));
                }
                self.variable(None, format!("rewriting::values({})", joined(parts)))
            }
        }
    }

    fn node(&mut self, node: &NodePattern) -> String {
        let name = node.name.as_ref().map(|name| name.name.as_str());
        let Class::Record(number) = node.class else {
            let leaf = if node.class == Class::Storage("Constant") { "constant" } else { "leaf" };
            return self.variable(name, format!("rewriter.{leaf}()"));
        };
        let record = &self.family.nodes[number];
        self.made.push(number);
        let inputs: Vec<String> = node.inputs.iter().map(|input| self.value(input)).collect();
        let lists: Vec<String> = node.lists.iter().map(|list| self.list(list)).collect();
        let taken = record.results.iter().filter(|result| result.same_as.is_none() && result.infer.is_none());
        let mut arguments = vec!["rewriter".to_owned(), "rewriter.name()".to_owned()];
        arguments.extend(taken.map(|_| "rewriter.type()".to_owned()));
        arguments.extend(record.variable_results.iter().map(|_| "std::vector<TypeRef>()".to_owned()));
        let pattern_of = |member: MemberName| node.members.iter().find(|(own, _)| *own == member).map(|(_, it)| it);
        if !record.modes.is_empty() {
            let mode = elaborated("enum", &record.mode_type());
            let random = format!("rewriter.enumerator<{mode}>({})", record.modes.len());
            arguments.push(self.member(pattern_of(MemberName::Mode), &mode, &random));
        }
        arguments.extend(inputs.into_iter().chain(lists));
        for (at, member) in record.members.iter().enumerate() {
            let random = self.random(member, record.fused_activation);
            arguments.push(self.member(pattern_of(MemberName::Number(at)), &member.ty.argument, &random));
        }
        let value = format!("NodeValue(rewriting::make{}({}), {})", record.name, joined(arguments), node.result);
        self.variable(name, value)
    }

    /// A random member.
    fn random(&self, member: &Member, is_fused: bool) -> String {
        let ty = &member.ty.argument;
        if is_fused && member.name.text.starts_with("FusedActivation") {
            return format!("{ty}()");
        }
        match self.family.enums.iter().find(|record| record.name.as_str() == member.spelling) {
            Some(record) => format!("rewriter.enumerator<{ty}>({})", record.values.len()),
            None => format!("rewriter.member<{ty}>()"),
        }
    }

    /// A member that fits a pattern.
    fn member(&mut self, pattern: Option<&MemberPattern>, ty: &str, random: &str) -> String {
        match pattern {
            None | Some(MemberPattern::Any) => random.to_owned(),
            Some(MemberPattern::Literal(literal)) => format!("rewriting::as<{ty}>({literal})"),
            Some(MemberPattern::Bound(name)) => {
                let variable = self.variable(Some(&name.name), random.to_owned());
                format!("rewriting::as<{ty}>({variable})")
            }
            Some(MemberPattern::Items(items)) => {
                let item = format!("{ty}::value_type");
                let random = format!("rewriter.member<{item}>()");
                let items: Vec<String> = items.iter().map(|own| self.member(Some(own), &item, &random)).collect();
                let (open, close) = ('{', '}');
                format!("{ty}{open}{}{close}", joined(items))
            }
        }
    }
}
