//! The function of one pattern: what must hold, what names mean, what is made.
//!
//! Invariant: a line uses only variables of lines before it.

use super::{Apply, Line, asked, value_at, variable};
use crate::model::Family;
use crate::rewrite::{
    BindingKind, Class, ListPattern, ListTerm, MemberName, MemberPattern, MemberTerm, NodePattern, NodeTerm, Pattern,
    Place, Rewrite, Term,
};
use crate::view::joined;
use crate::words::elaborated;
use torchgen_kit::comment::Comment;
use torchgen_kit::expr::{Cpp, Type, Typed};

/// Writes the function of one pattern.
pub(super) struct Maker<'r> {
    pub(super) family: &'r Family,
    /// The functions of the user's, and whether each one makes a value.
    pub(super) functions: &'r [(String, bool)],
    pub(super) rewrite: &'r Rewrite,
    /// The records of nodes that are made.
    pub(super) made: &'r mut Vec<usize>,
    pub(super) lines: Vec<Line>,
    /// The node whose result is replaced.
    pub(super) root: String,
}

impl Maker<'_> {
    fn require(&mut self, value: String) {
        self.lines.push(Line { variable: None, value });
    }

    /// Binds a name, or requires that it means the same as before.
    fn bind(&mut self, name: &str, value: String) {
        if !self.rewrite.uses(name) {
            return;
        }
        let variable = bound(name);
        if self.lines.iter().any(|line| line.variable.as_ref() == Some(&variable)) {
            self.require(format!("rewriting::equal({variable}, {value})"));
        } else {
            self.lines.push(Line { variable: Some(variable), value });
        }
    }

    pub(super) fn apply(mut self, number: usize, rule: usize, root: &NodePattern) -> Apply {
        let nodes = root.nodes();
        let parameters = asked(self.rewrite, root).into_iter();
        let parameters = parameters
            .map(|(path, node)| format!("{} *{}", elaborated("class", &node.class.cpp(self.family)), variable(&path)));
        let parameters = joined(parameters);
        for (path, node) in &nodes {
            self.shape_of(path, node, &nodes);
        }
        for (path, node) in &nodes {
            self.names_of(path, node);
        }
        let rewrite = self.rewrite;
        if let Class::Record(record) = root.class {
            for result in 0..self.family.nodes[record].results.len() {
                if !rewrite.replacement.iter().any(|(replaced, _)| *replaced == result) {
                    self.require(format!("{}->getNthResult({result}).getNumUsers() == 0", self.root));
                }
            }
        }
        for condition in &rewrite.conditions {
            let condition = self.expression(condition);
            self.require(condition);
        }
        let mut values = Vec::new();
        for (result, term) in &rewrite.replacement {
            let value = self.term(term, *result);
            let (open, close) = ('{', '}');
            values.push(format!("{open}{result}, {value}{close}"));
        }
        let records = nodes.iter().filter(|(_, node)| matches!(node.class, Class::Record(_)));
        let records = records.map(|(path, _)| variable(path));
        Apply {
            number,
            doc: Comment::new(&rewrite.name.text),
            parameters,
            nodes: records.collect(),
            lines: self.lines,
            rule,
            replaced: joined(values),
        }
    }

    /// What a node must be apart from its class and its members.
    fn shape_of(&mut self, path: &[Place], node: &NodePattern, nodes: &[(Vec<Place>, &NodePattern)]) {
        let Class::Record(number) = node.class else { return };
        let record = &self.family.nodes[number];
        let own = variable(path);
        if let Some((place, parent)) = path.split_last()
            && (record.results.len() != 1 || !record.variable_results.is_empty() || record.extra_results)
            && let Some((_, above)) = nodes.iter().find(|(own, _)| own == parent)
            && let Class::Record(above) = above.class
        {
            let value = value_at(&self.family.nodes[above], &variable(parent), *place);
            self.require(format!("{value}.getResNo() == {}", node.result));
        }
        for (list, pattern) in record.variable_inputs.iter().zip(&node.lists) {
            if let ListPattern::Items { items, rest } = pattern {
                let compares = if rest.is_some() { ">=" } else { "==" };
                self.require(format!("{own}->get{}().size() {compares} {}", list.name.text, items.len()));
            }
        }
        let is_fused = |(member, _): &(MemberName, MemberPattern)| match member {
            MemberName::Number(at) => record.members[*at].name.text == "FusedActivation",
            MemberName::Mode => false,
        };
        if record.fused_activation && record.gradient_of.is_none() && !node.members.iter().any(is_fused) {
            self.require(format!("!{own}->hasFusedActivation()"));
        }
    }

    /// What the members of a node must be, and the names that it binds.
    fn names_of(&mut self, path: &[Place], node: &NodePattern) {
        let own = variable(path);
        if let Some(name) = &node.name {
            self.bind(&name.name, format!("NodeValue({own}, {})", node.result));
        }
        let Class::Record(number) = node.class else { return };
        let record = &self.family.nodes[number];
        for (place, part) in node.parts() {
            if let Pattern::Any(Some(name)) = part {
                self.bind(&name.name, format!("NodeValue({})", value_at(record, &own, place)));
            }
        }
        for (member, pattern) in &node.members {
            let name = match member {
                MemberName::Mode => "Mode",
                MemberName::Number(at) => record.members[*at].name.text.as_str(),
            };
            self.member(pattern, &format!("{own}->get{name}()"));
        }
        for (list, pattern) in record.variable_inputs.iter().zip(&node.lists) {
            let get = format!("{own}->get{}()", list.name.text);
            match pattern {
                ListPattern::Any(Some(name)) => self.bind(&name.name, format!("rewriting::restOf({get}, 0)")),
                ListPattern::Items { items, rest: Some(Some(name)) } => {
                    self.bind(&name.name, format!("rewriting::restOf({get}, {})", items.len()));
                }
                _ => {}
            }
        }
    }

    fn member(&mut self, pattern: &MemberPattern, value: &str) {
        match pattern {
            MemberPattern::Any => {}
            MemberPattern::Bound(name) => self.bind(&name.name, value.to_owned()),
            MemberPattern::Literal(literal) => self.require(format!("rewriting::is({value}, {literal})")),
            MemberPattern::Items(items) => {
                self.require(format!("{value}.size() == {}", items.len()));
                for (at, item) in items.iter().enumerate() {
                    self.member(item, &format!("{value}[{at}]"));
                }
            }
        }
    }

    /// The C++ of an expression.
    fn expression(&self, typed: &Typed) -> String {
        let named = |name: &str| match name {
            "Tensor" => "NodeValue".to_owned(),
            "Type" => "TypeRef".to_owned(),
            other => match self.family.enums.iter().any(|record| record.name.as_str() == other) {
                true => self.family.enumeration(other),
                false => other.to_owned(),
            },
        };
        let function = |name: &str, arguments: &[String]| match name {
            "with_dims" | "with_element" | "quantized" => {
                let all = ["rewriter.module()".to_owned()].into_iter().chain(arguments.iter().cloned());
                Some(format!("rewriting::{name}({})", joined(all)))
            }
            // Those of the user's are in the family's namespace, where variables do not hide them.
            _ => self.functions.iter().find(|(own, _)| own == name).map(|(_, makes)| {
                let run = makes.then(|| "rewriter.function()".to_owned());
                format!(
                    "::{}::{name}({})",
                    self.family.namespace,
                    joined(run.into_iter().chain(arguments.iter().cloned()))
                )
            }),
        };
        let variable = |name: &str| {
            let kind = self.rewrite.bindings.get(name).map(|binding| &binding.kind);
            match kind {
                Some(BindingKind::Member(ty)) => converted(&bound(name), ty),
                _ => bound(name),
            }
        };
        let cpp = Cpp { helpers: "rewriting::", named: &named, function: &function, variable: &variable };
        cpp.print(typed)
    }

    /// The value of a term. Nodes become variables.
    pub(super) fn term(&mut self, term: &Term, result: usize) -> String {
        match term {
            Term::Name(name) => bound(name),
            Term::Node(node) => self.node(node, result),
            Term::Call(typed) => {
                let value = self.expression(typed);
                let made = self.lines.iter().filter(|line| line.variable.is_some()).count();
                let variable = format!("made{made}");
                self.lines.push(Line { variable: Some(variable.clone()), value });
                variable
            }
        }
    }

    fn node(&mut self, term: &NodeTerm, result: usize) -> String {
        let record = &self.family.nodes[term.node];
        self.made.push(term.node);
        let inputs: Vec<String> = term.inputs.iter().map(|input| self.term(input, result)).collect();
        let lists: Vec<String> = term.lists.iter().map(|list| self.list(list, result)).collect();
        let types = term.types.iter().map(|ty| match ty {
            Some(ty) => self.expression(ty),
            None => format!("{}->getNthResult({result}).getType()", self.root),
        });
        let types: Vec<String> = types.collect();
        let (modes, members) = term.members.split_at(usize::from(!record.modes.is_empty()));
        let mode = modes.iter().map(|mode| match mode {
            MemberTerm::Copy(name) => bound(name),
            MemberTerm::Cpp(cpp) => cpp.clone(),
            MemberTerm::Expression(typed) => self.expression(typed),
        });
        let members = members.iter().zip(&record.members).map(|(term, member)| match term {
            MemberTerm::Copy(name) => format!("rewriting::as<{}>({})", member.ty.argument, bound(name)),
            MemberTerm::Cpp(cpp) => cpp.clone(),
            MemberTerm::Expression(typed) => {
                format!("rewriting::as<{}>({})", member.ty.argument, self.expression(typed))
            }
        });
        let arguments: Vec<String> = types.into_iter().chain(mode).chain(inputs).chain(lists).chain(members).collect();
        let arguments = joined(["rewriter".to_owned(), "rewriter.name()".to_owned()].into_iter().chain(arguments));
        let value = format!("NodeValue(rewriting::make{}({arguments}), {})", record.name, term.result);
        let variable = match &term.name {
            Some(name) => bound(name),
            None => format!("made{}", self.lines.iter().filter(|line| line.variable.is_some()).count()),
        };
        self.lines.push(Line { variable: Some(variable.clone()), value });
        variable
    }

    fn list(&mut self, list: &ListTerm, result: usize) -> String {
        match list {
            ListTerm::Name(name) => bound(name),
            ListTerm::Items(items) => {
                let parts: Vec<String> = items
                    .iter()
                    .map(|item| match item {
                        Ok(term) => self.term(term, result),
                        Err(name) => bound(name),
                    })
                    .collect();
                format!("rewriting::values({})", joined(parts))
            }
        }
    }
}

/// The variable of a name.
pub(super) fn bound(name: &str) -> String {
    format!("of_{name}")
}

/// A member as conditions see it.
fn converted(value: &str, ty: &Type) -> String {
    match ty {
        Type::Int => format!("rewriting::as<std::int64_t>({value})"),
        Type::Float => format!("rewriting::as<double>({value})"),
        Type::Str => format!("rewriting::as<std::string>({value})"),
        Type::List(item) => match **item {
            Type::Int => format!("rewriting::as<std::vector<std::int64_t>>({value})"),
            Type::Float => format!("rewriting::as<std::vector<double>>({value})"),
            Type::Bool => format!("rewriting::as<std::vector<bool>>({value})"),
            Type::Str => format!("rewriting::as<std::vector<std::string>>({value})"),
            _ => value.to_owned(),
        },
        _ => value.to_owned(),
    }
}
