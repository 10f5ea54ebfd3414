//! What takes the place of a match: names, and nodes that are made.
//!
//! Invariant: a term makes nodes of records only, gives each of their inputs and members without a
//! default, and the type of each result that the record does not infer. The one result of the
//! outermost node may have the type of what it replaces instead.

use std::collections::HashMap;

use super::bindings::{BindingKind, Bindings, tensor};
use super::literal::{MemberName, MemberPattern, enumerators, member_type};
use super::pattern::{Class, NodeNames, member, result_of, too_many};
use super::vocabulary::{RuleWords, value_type};
use super::{literal, wrong};
use crate::model::{Family, Node};
use torchgen_base::diag::{TextError, did_you_mean};
use torchgen_base::yaml::Text;
use torchgen_kit::expr::{Call, Checker, Expr, ExprKind, Type, Typed, parse_pattern};

/// A value that takes the place of another.
#[derive(Debug, Clone)]
pub(crate) enum Term {
    /// What a pattern bound, or a node of the replacement that has a name.
    Name(String),
    /// A node that is made.
    Node(Box<NodeTerm>),
    /// A call of a function of the user's.
    Call(Box<Typed>),
}

/// A node that is made.
#[derive(Debug, Clone)]
pub(crate) struct NodeTerm {
    /// The number of its record.
    pub(crate) node: usize,
    pub(crate) inputs: Vec<Term>,
    pub(crate) lists: Vec<ListTerm>,
    /// The mode and the members, in the order of the record.
    pub(crate) members: Vec<MemberTerm>,
    /// The types of the results that the record does not infer; nothing if it is that of the value
    /// that is replaced.
    pub(crate) types: Vec<Option<Typed>>,
    pub(crate) result: usize,
    pub(crate) name: Option<String>,
}

/// A list of inputs.
#[derive(Debug, Clone)]
pub(crate) enum ListTerm {
    /// A list that a pattern bound.
    Name(String),
    /// Values, and lists that a pattern bound, by their names.
    Items(Vec<Result<Term, String>>),
}

/// The value of a member.
#[derive(Debug, Clone)]
pub(crate) enum MemberTerm {
    /// That of a bound member of the same type.
    Copy(String),
    /// C++ that has its type: a literal or an enumerator.
    Cpp(String),
    /// An expression.
    Expression(Typed),
}

/// Reads the replacements of one rule.
pub(super) struct Reader<'r> {
    pub(super) family: &'r Family,
    pub(super) nodes: &'r NodeNames<'r>,
    pub(super) words: &'r RuleWords,
    pub(super) bindings: &'r Bindings,
    /// The names that were used.
    pub(super) used: &'r mut Vec<String>,
    /// The names of nodes of the replacement.
    pub(super) made: Vec<String>,
}

impl Reader<'_> {
    /// Reads the value in place of a result.
    pub(super) fn root(&mut self, text: &Text) -> Result<Term, TextError> {
        let expr = parse_pattern(text)?;
        self.term(&expr, true)
    }

    /// Reads a graph that replaces nothing.
    pub(super) fn graph(&mut self, text: &Text) -> Result<Term, TextError> {
        let expr = parse_pattern(text)?;
        self.term(&expr, false)
    }

    fn term(&mut self, expr: &Expr, is_root: bool) -> Result<Term, TextError> {
        match &expr.kind {
            ExprKind::Name(name) => {
                if self.made.contains(name) {
                    return Ok(Term::Name(name.clone()));
                }
                match self.bindings.get(name).map(|binding| &binding.kind) {
                    Some(BindingKind::Value) => {
                        self.used.push(name.clone());
                        Ok(Term::Name(name.clone()))
                    }
                    Some(kind) => {
                        let message = format!("`{name}` is a `{}`, and not a value of the graph", kind.ty());
                        Err(wrong(expr.range.clone(), message))
                    }
                    None => {
                        let error = wrong(expr.range.clone(), format!("the pattern does not bind `{name}`"));
                        let names = self.bindings.names().chain(self.made.iter().map(String::as_str));
                        Err(match did_you_mean(name, names) {
                            Some(help) => error.help(help),
                            None => error,
                        })
                    }
                }
            }
            ExprKind::Call(call) if self.words.is_own(&call.callee.name) => {
                let typed = self.expression(expr, &tensor(), "the result of the function")?;
                Ok(Term::Call(Box::new(typed)))
            }
            ExprKind::Call(call) => self.node(call, is_root),
            ExprKind::Member { of, name, arguments: None } => {
                let ExprKind::Call(call) = &of.kind else {
                    return Err(wrong(name.range.clone(), "only a node that is made here has results to choose"));
                };
                let term = self.node(call, false)?;
                let Term::Node(mut made) = term else { return Ok(term) };
                made.result = result_of(Class::Record(made.node), name, self.family)?;
                Ok(Term::Node(made))
            }
            ExprKind::Bound(of, name) => {
                let mut term = self.term(of, is_root)?;
                if self.bindings.get(&name.name).is_some() || self.made.contains(&name.name) {
                    return Err(wrong(name.range.clone(), format!("`{}` is bound already", name.name)));
                }
                match &mut term {
                    Term::Node(node) => node.name = Some(name.name.clone()),
                    Term::Name(_) => return Err(wrong(name.range.clone(), "this has a name already")),
                    Term::Call(_) => return Err(wrong(name.range.clone(), "only a node that is made gets a name")),
                }
                self.made.push(name.name.clone());
                Ok(term)
            }
            ExprKind::Either(_) => Err(wrong(expr.range.clone(), "a replacement has no alternatives")),
            _ => Err(wrong(expr.range.clone(), "this is not a value of a graph")
                .help("write a name of the pattern, or a node: `Add(x, y)`")),
        }
    }

    fn node(&mut self, call: &Call, is_root: bool) -> Result<Term, TextError> {
        let number = self.nodes.record(&call.callee)?;
        let node = &self.family.nodes[number];
        if node.gradient_of.is_some() || !node.variable_results.is_empty() || node.extra_results {
            let message = format!("rules cannot make a node `{}`", node.name);
            let error = wrong(call.callee.range.clone(), message);
            return Err(match node.gradient_of.is_some() {
                true => error.help("gradients have no factory method"),
                false => error.help("the number of its results is not fixed"),
            });
        }
        let fixed = node.inputs.len();
        let mut inputs: Vec<Option<Term>> = vec![None; fixed];
        let mut lists: Vec<Option<ListTerm>> = vec![None; node.variable_inputs.len()];
        let mut members: HashMap<usize, MemberTerm> = HashMap::new();
        let mut mode = None;
        let mut types: HashMap<usize, Typed> = HashMap::new();
        for (at, argument) in call.positional.iter().enumerate() {
            if at < fixed {
                inputs[at] = Some(self.term(argument, false)?);
            } else if at < fixed + lists.len() {
                lists[at - fixed] = Some(self.list(argument)?);
            } else {
                return Err(too_many(node, argument));
            }
        }
        for (key, value) in &call.keywords {
            if let Some(at) = node.inputs.iter().position(|input| input.name.text == key.name) {
                if inputs[at].is_some() {
                    return Err(wrong(key.range.clone(), format!("`{}` is given twice", key.name)));
                }
                inputs[at] = Some(self.term(value, false)?);
            } else if let Some(at) = node.variable_inputs.iter().position(|list| list.name.text == key.name) {
                lists[at] = Some(self.list(value)?);
            } else if let Some(at) = node.results.iter().position(|result| result.name.text == key.name) {
                types.insert(at, self.expression(value, &value_type(), "the type of a result")?);
            } else {
                match member(node, key)? {
                    MemberName::Mode => mode = Some(self.member(value, node, MemberName::Mode)?),
                    MemberName::Number(at) => {
                        let term = self.member(value, node, MemberName::Number(at))?;
                        members.insert(at, term);
                    }
                }
            }
        }
        let lacking = |what: &str, name: &str| {
            let error = wrong(call.callee.range.clone(), format!("`{}` lacks its {what} `{name}`", node.name));
            error.help(format!("write `{name}=…`"))
        };
        let mut given = Vec::with_capacity(fixed);
        for (input, own) in inputs.into_iter().zip(&node.inputs) {
            given.push(input.ok_or_else(|| lacking("input", &own.name.text))?);
        }
        let mut given_lists = Vec::with_capacity(lists.len());
        for (list, own) in lists.into_iter().zip(&node.variable_inputs) {
            given_lists.push(list.ok_or_else(|| lacking("input", &own.name.text))?);
        }
        let mut all = Vec::new();
        if !node.modes.is_empty() {
            all.push(mode.ok_or_else(|| lacking("mode", "Mode"))?);
        }
        for (at, own) in node.members.iter().enumerate() {
            all.push(match (members.remove(&at), &own.default) {
                (Some(term), _) => term,
                (None, Some((_, cpp))) => MemberTerm::Cpp(cpp.clone()),
                (None, None) if node.fused_activation && own.name.text.starts_with("FusedActivation") => {
                    MemberTerm::Cpp(format!("{}()", own.ty.storage))
                }
                (None, None) => return Err(lacking("member", &own.name.text)),
            });
        }
        let types = result_types(node, types, is_root, &lacking)?;
        Ok(Term::Node(Box::new(NodeTerm {
            node: number,
            inputs: given,
            lists: given_lists,
            members: all,
            types,
            result: 0,
            name: None,
        })))
    }

    fn list(&mut self, expr: &Expr) -> Result<ListTerm, TextError> {
        match &expr.kind {
            ExprKind::Name(_) => self.list_name(expr).map(ListTerm::Name),
            ExprKind::List(items) => {
                let mut read = Vec::with_capacity(items.len());
                for item in items {
                    read.push(match &item.kind {
                        ExprKind::Starred(list) => Err(self.list_name(list)?),
                        _ => Ok(self.term(item, false)?),
                    });
                }
                Ok(ListTerm::Items(read))
            }
            _ => Err(wrong(expr.range.clone(), "this input is a list").help("write its items: `[x, y, *rest]`")),
        }
    }

    /// The name of a list of values.
    fn list_name(&mut self, expr: &Expr) -> Result<String, TextError> {
        if let ExprKind::Name(name) = &expr.kind
            && let Some(binding) = self.bindings.get(name)
            && binding.kind == BindingKind::Values
        {
            self.used.push(name.clone());
            return Ok(name.clone());
        }
        Err(wrong(expr.range.clone(), "this is not a list of values that the pattern binds"))
    }

    fn member(&mut self, value: &Expr, node: &Node, name: MemberName) -> Result<MemberTerm, TextError> {
        let ty = member_type(node, name);
        if let ExprKind::Name(word) = &value.kind {
            if let Some(binding) = self.bindings.get(word)
                && binding.kind == BindingKind::Member(ty.clone())
            {
                self.used.push(word.clone());
                return Ok(MemberTerm::Copy(word.clone()));
            }
            if enumerators(node, &ty, self.family).is_some_and(|(_, values)| values.contains(&word.as_str()))
                && let MemberPattern::Literal(cpp) = literal::read(value, node, name, self.family)?
            {
                return Ok(MemberTerm::Cpp(cpp));
            }
        }
        self.expression(value, &ty, "the member").map(MemberTerm::Expression)
    }

    fn expression(&mut self, value: &Expr, wanted: &Type, what: &str) -> Result<Typed, TextError> {
        let mut checker = Checker::new(self.words, self.bindings.variables());
        let typed = checker.expression_of(value, wanted, what)?;
        self.used.extend(self.bindings.names().filter(|name| checker.used(name)).map(str::to_owned));
        Ok(typed)
    }
}

/// The types of the results that a record does not infer.
fn result_types(
    node: &Node,
    mut types: HashMap<usize, Typed>,
    is_root: bool,
    lacking: &dyn Fn(&str, &str) -> TextError,
) -> Result<Vec<Option<Typed>>, TextError> {
    let mut found = Vec::new();
    for (at, result) in node.results.iter().enumerate() {
        let is_inferred = result.same_as.is_some() || result.infer.is_some();
        match types.remove(&at) {
            Some(typed) if is_inferred => {
                let message = format!("the type of `{}` follows from the inputs", result.name.text);
                return Err(wrong(typed.range, message).help("leave it out"));
            }
            Some(typed) => found.push(Some(typed)),
            None if is_inferred => {}
            None if is_root && node.results.len() == 1 => found.push(None),
            None => {
                let error = lacking("type of the result", &result.name.text);
                return Err(error.help(format!("write it: `{}=type(x)`", result.name.text)));
            }
        }
    }
    Ok(found)
}
