//! Patterns: what they say, read from expressions with names and alternatives.
//!
//! Invariant: a pattern of a node has a pattern for each of its inputs. Alternatives, and the two
//! orders of inputs that commute, are patterns of their own, at most [`MOST`] for a rule.

use std::ops::Range;

use super::literal::{self, MemberName, MemberPattern};
use super::wrong;
use crate::model::{Family, Node};
use torchgen_base::diag::{TextError, did_you_mean};
use torchgen_base::yaml::Text;
use torchgen_kit::expr::{Call, Expr, ExprKind, Ident, Sigil, parse_pattern};

/// The most patterns of one rule.
const MOST: usize = 64;

/// The classes without records that patterns can name.
pub(crate) const STORAGE: [&str; 2] = ["Constant", "Placeholder"];

/// What a value must be.
#[derive(Debug, Clone)]
pub(crate) enum Pattern {
    /// Any value, which may get a name.
    Any(Option<Ident>),
    /// A result of a node.
    Node(Box<NodePattern>),
}

/// The class of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Class {
    /// That of a record, by its number.
    Record(usize),
    /// One of the support library.
    Storage(&'static str),
}

/// A node with patterns for its parts.
#[derive(Debug, Clone)]
pub(crate) struct NodePattern {
    pub(crate) class: Class,
    /// Its bytes in the text of the pattern.
    pub(crate) range: Range<usize>,
    pub(crate) inputs: Vec<Pattern>,
    pub(crate) lists: Vec<ListPattern>,
    pub(crate) members: Vec<(MemberName, MemberPattern)>,
    /// The number of the result that is matched.
    pub(crate) result: usize,
    pub(crate) name: Option<Ident>,
}

/// What a list of inputs must be.
#[derive(Debug, Clone)]
pub(crate) enum ListPattern {
    /// Any list, which may get a name.
    Any(Option<Ident>),
    /// These values, and perhaps more after them.
    Items {
        items: Vec<Pattern>,
        /// The name of what follows, if something may follow.
        rest: Option<Option<Ident>>,
    },
}

impl Class {
    /// The C++ class.
    pub(crate) fn cpp(self, family: &Family) -> String {
        match self {
            Class::Record(number) => family.nodes[number].class(),
            Class::Storage(name) => name.to_owned(),
        }
    }
}

impl NodePattern {
    /// The patterns of nodes among its inputs, each with where it is: the number of the input, or
    /// those of a list and of an item.
    pub(crate) fn parts(&self) -> impl Iterator<Item = (Place, &Pattern)> {
        let inputs = self.inputs.iter().enumerate().map(|(at, input)| (Place::Input(at), input));
        let lists = self.lists.iter().enumerate().flat_map(|(list, pattern)| {
            let items = match pattern {
                ListPattern::Any(_) => &[][..],
                ListPattern::Items { items, .. } => items.as_slice(),
            };
            items.iter().enumerate().map(move |(item, pattern)| (Place::Item(list, item), pattern))
        });
        inputs.chain(lists)
    }
}

impl NodePattern {
    /// Its nodes, each before those of its inputs, with the way to it from here.
    pub(crate) fn nodes(&self) -> Vec<(Path, &NodePattern)> {
        let mut found = Vec::new();
        self.add_nodes(&mut Path::new(), &mut found);
        found
    }

    fn add_nodes<'p>(&'p self, path: &mut Path, found: &mut Vec<(Path, &'p NodePattern)>) {
        found.push((path.clone(), self));
        for (place, part) in self.parts() {
            if let Pattern::Node(part) = part {
                path.push(place);
                part.add_nodes(path, found);
                path.pop();
            }
        }
    }
}

/// Where a node is: the way from the root of a match.
pub(crate) type Path = Vec<Place>;

/// Where a value is among the inputs of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Place {
    /// The input of that number.
    Input(usize),
    /// An item of a list: the number of the list, and that of the item.
    Item(usize, usize),
}

/// Reads the pattern of a rule, which begins with a node.
pub(super) fn read_patterns(text: &Text, nodes: &NodeNames<'_>) -> Result<Vec<NodePattern>, TextError> {
    let expr = parse_pattern(text)?;
    let patterns = Reader { family: nodes.family, nodes }.values(&expr)?;
    let mut roots = Vec::new();
    for pattern in patterns {
        match pattern {
            Pattern::Node(node) if matches!(node.class, Class::Record(_)) && node.result == 0 => roots.push(*node),
            Pattern::Node(node) if node.result > 0 => {
                let error = wrong(node.range, "a rule matches a node, and not one of its results");
                return Err(error.help("leave the name of the result out, and replace it: `replace: {Result: …}`"));
            }
            _ => {
                let error = wrong(expr.range.clone(), "a rule must match a node, and this may be anything");
                return Err(error.help("begin with the class of a node: `Add(x, y)`"));
            }
        }
    }
    let first = roots[0].class;
    match roots.iter().find(|root| root.class != first) {
        None => Ok(roots),
        Some(other) => Err(wrong(other.range.clone(), "the alternatives of a whole rule are of different classes")
            .help("make two rules of it")),
    }
}

struct Reader<'f> {
    family: &'f Family,
    nodes: &'f NodeNames<'f>,
}

/// What names of nodes mean in one rule.
pub(super) struct NodeNames<'f> {
    pub(super) family: &'f Family,
    /// The words of `for:`, and the node that each one is.
    pub(super) chosen: Vec<(&'f str, &'f str)>,
}

impl NodeNames<'_> {
    /// The number of the node that is named.
    pub(super) fn record(&self, name: &Ident) -> Result<usize, TextError> {
        let chosen = self.chosen.iter().find(|(word, _)| *word == name.name).map(|(_, node)| *node);
        record(chosen.unwrap_or(&name.name), &name.range, self.family)
    }
}

/// All ways to choose one of each; nothing if they are more than `most`.
pub(super) fn product<T: Clone>(choices: Vec<Vec<T>>, most: usize) -> Option<Vec<Vec<T>>> {
    let mut all = vec![Vec::new()];
    for options in choices {
        if all.len().saturating_mul(options.len()) > most {
            return None;
        }
        let extended = |chosen: &Vec<T>, option: &T| chosen.iter().chain([option]).cloned().collect();
        all = all.iter().flat_map(|chosen| options.iter().map(move |option| extended(chosen, option))).collect();
    }
    Some(all)
}

/// The patterns of all choices of one of each.
fn alternatives<T: Clone>(choices: Vec<Vec<T>>, range: &Range<usize>) -> Result<Vec<Vec<T>>, TextError> {
    product(choices, MOST).ok_or_else(|| too_many_patterns(range))
}

fn too_many_patterns(range: &Range<usize>) -> TextError {
    wrong(range.clone(), format!("this rule has more than {MOST} patterns")).help("make several rules of it")
}

impl Reader<'_> {
    /// The patterns for a value, one for each alternative.
    fn values(&self, expr: &Expr) -> Result<Vec<Pattern>, TextError> {
        match &expr.kind {
            ExprKind::Name(name) => Ok(vec![Pattern::Any(named(name, &expr.range))]),
            ExprKind::Either(options) => {
                let read: Result<Vec<_>, _> = options.iter().map(|option| self.values(option)).collect();
                Ok(read?.into_iter().flatten().collect())
            }
            ExprKind::Bound(pattern, name) => {
                let mut patterns = self.values(pattern)?;
                for pattern in &mut patterns {
                    let own = match pattern {
                        Pattern::Node(node) => &mut node.name,
                        Pattern::Any(own) => own,
                    };
                    if own.is_some() {
                        return Err(wrong(name.range.clone(), "this value has a name already").help("delete `as`"));
                    }
                    *own = Some(name.clone());
                }
                Ok(patterns)
            }
            ExprKind::Call(call) => self.nodes(call, &expr.range),
            ExprKind::Member { of, name, arguments: None } => {
                let mut patterns = self.values(of)?;
                for pattern in &mut patterns {
                    let Pattern::Node(node) = pattern else {
                        return Err(wrong(name.range.clone(), "only a node has results"));
                    };
                    node.result = result_of(node.class, name, self.family)?;
                }
                Ok(patterns)
            }
            ExprKind::Int(_) | ExprKind::Float(_) => {
                Err(wrong(expr.range.clone(), "a number is not a value of a graph")
                    .help("match the node that has it: `Splat(Value=0.0)`"))
            }
            ExprKind::List(_) => Err(wrong(expr.range.clone(), "this input is one value, and not a list")),
            _ => Err(wrong(expr.range.clone(), "this is not a pattern")
                .help("write a node, `Add(x, y)`, a name, or `_` for any value")),
        }
    }

    fn nodes(&self, call: &Call, range: &Range<usize>) -> Result<Vec<Pattern>, TextError> {
        let name = &call.callee;
        if call.sigil == Sigil::At {
            return Err(wrong(range.clone(), "`@` has no meaning in a pattern").help("delete it"));
        }
        if let Some(storage) = STORAGE.into_iter().find(|storage| *storage == name.name) {
            return match (call.positional.first(), call.keywords.first()) {
                (None, None) => Ok(vec![Pattern::Node(Box::new(NodePattern {
                    class: Class::Storage(storage),
                    range: range.clone(),
                    inputs: Vec::new(),
                    lists: Vec::new(),
                    members: Vec::new(),
                    result: 0,
                    name: None,
                }))]),
                (Some(Expr { range, .. }), _) | (_, Some((Ident { range, .. }, _))) => {
                    Err(wrong(range.clone(), format!("a {storage} has no inputs and no members")))
                }
            };
        }
        let number = self.nodes.record(name)?;
        let node = &self.family.nodes[number];
        let fixed = node.inputs.len();
        let mut inputs: Vec<Option<Vec<Pattern>>> = vec![None; fixed];
        let mut lists: Vec<Option<Vec<ListPattern>>> = vec![None; node.variable_inputs.len()];
        let mut members: Vec<(MemberName, MemberPattern)> = Vec::new();
        for (at, argument) in call.positional.iter().enumerate() {
            if at < fixed {
                inputs[at] = Some(self.values(argument)?);
            } else if at < fixed + lists.len() {
                lists[at - fixed] = Some(self.list(argument)?);
            } else {
                return Err(too_many(node, argument));
            }
        }
        for (key, value) in &call.keywords {
            let is_twice = |given: bool| {
                let message = format!("`{}` is given twice", key.name);
                if given { Err(wrong(key.range.clone(), message)) } else { Ok(()) }
            };
            if let Some(at) = node.inputs.iter().position(|input| input.name.text == key.name) {
                is_twice(inputs[at].is_some())?;
                inputs[at] = Some(self.values(value)?);
            } else if let Some(at) = node.variable_inputs.iter().position(|list| list.name.text == key.name) {
                is_twice(lists[at].is_some())?;
                lists[at] = Some(self.list(value)?);
            } else {
                let member = member(node, key)?;
                members.push((member, literal::read(value, node, member, self.family)?));
            }
        }
        let any = || vec![Pattern::Any(None)];
        let inputs: Vec<Vec<Pattern>> = inputs.into_iter().map(|input| input.unwrap_or_else(any)).collect();
        let lists: Vec<Vec<ListPattern>> =
            lists.into_iter().map(|list| list.unwrap_or_else(|| vec![ListPattern::Any(None)])).collect();
        let lists = alternatives(lists, range)?;
        let mut found = Vec::new();
        for inputs in alternatives(inputs, range)? {
            let swapped = if call.sigil == Sigil::Plain { swapped(node, &inputs) } else { None };
            for inputs in [Some(inputs), swapped].into_iter().flatten() {
                for lists in &lists {
                    found.push(Pattern::Node(Box::new(NodePattern {
                        class: Class::Record(number),
                        range: range.clone(),
                        inputs: inputs.clone(),
                        lists: lists.clone(),
                        members: members.clone(),
                        result: 0,
                        name: None,
                    })));
                }
            }
        }
        if found.len() > MOST {
            return Err(too_many_patterns(range));
        }
        Ok(found)
    }

    fn list(&self, expr: &Expr) -> Result<Vec<ListPattern>, TextError> {
        let items = match &expr.kind {
            ExprKind::Name(name) => return Ok(vec![ListPattern::Any(named(name, &expr.range))]),
            ExprKind::List(items) => items,
            _ => {
                let error = wrong(expr.range.clone(), "this input is a list");
                return Err(error.help("write a name, or its items: `[x, y, *rest]`"));
            }
        };
        let (items, rest) = match items.split_last() {
            Some((Expr { kind: ExprKind::Starred(rest), .. }, items)) => match &rest.kind {
                ExprKind::Name(name) => (items, Some(named(name, &rest.range))),
                _ => return Err(wrong(rest.range.clone(), "the rest of a list is a name: `*rest`")),
            },
            _ => (items.as_slice(), None),
        };
        if let Some(starred) = items.iter().find(|item| matches!(item.kind, ExprKind::Starred(_))) {
            return Err(wrong(starred.range.clone(), "only the last item can be the rest of a list"));
        }
        let items: Result<Vec<_>, _> = items.iter().map(|item| self.values(item)).collect();
        let choices = alternatives(items?, &expr.range)?;
        Ok(choices.into_iter().map(|items| ListPattern::Items { items, rest: rest.clone() }).collect())
    }
}

/// The inputs in the other order, if they commute and one of them is a node: two names fit both
/// orders.
fn swapped(node: &Node, inputs: &[Pattern]) -> Option<Vec<Pattern>> {
    let (left, right) = node.commutative?;
    let is_node = |at: usize| matches!(inputs[at], Pattern::Node(_));
    (is_node(left) || is_node(right)).then(|| {
        let mut swapped = inputs.to_vec();
        swapped.swap(left, right);
        swapped
    })
}

/// A name, unless it is `_`.
fn named(name: &str, range: &Range<usize>) -> Option<Ident> {
    (name != "_").then(|| Ident { name: name.to_owned(), range: range.clone() })
}

/// The number of the node that is named.
pub(super) fn record(name: &str, range: &Range<usize>, family: &Family) -> Result<usize, TextError> {
    family.nodes.iter().position(|node| node.name == name).ok_or_else(|| {
        let error = wrong(range.clone(), format!("there is no node `{name}`"));
        let names = family.nodes.iter().map(|node| node.name.as_str()).chain(STORAGE);
        match did_you_mean(name, names) {
            Some(help) => error.help(help),
            None => error.help("a name without parentheses is any value"),
        }
    })
}

/// The number of the result that is named.
pub(super) fn result_of(class: Class, name: &Ident, family: &Family) -> Result<usize, TextError> {
    let Class::Record(number) = class else {
        return Err(wrong(name.range.clone(), "it has one result, whose name is left out"));
    };
    let results = &family.nodes[number].results;
    results.iter().position(|result| result.name.text == name.name).ok_or_else(|| {
        let message = format!("`{}` has no result `{}`", family.nodes[number].name, name.name);
        let error = wrong(name.range.clone(), message);
        match did_you_mean(&name.name, results.iter().map(|result| result.name.text.as_str())) {
            Some(help) => error.help(help),
            None => error,
        }
    })
}

/// The member that is named.
pub(super) fn member(node: &Node, key: &Ident) -> Result<MemberName, TextError> {
    if key.name == "Mode" && !node.modes.is_empty() {
        return Ok(MemberName::Mode);
    }
    let found = node.members.iter().position(|member| member.name.text == key.name);
    found.map(MemberName::Number).ok_or_else(|| {
        let error = wrong(key.range.clone(), format!("`{}` has no input and no member `{}`", node.name, key.name));
        let parts = node.all_inputs().map(|input| input.name.text.as_str());
        let parts = parts.chain(node.members.iter().map(|member| member.name.text.as_str()));
        match did_you_mean(&key.name, parts) {
            Some(help) => error.help(help),
            None => error,
        }
    })
}

/// The error for an argument after the last input.
pub(super) fn too_many(node: &Node, argument: &Expr) -> TextError {
    let count = node.all_inputs().count();
    let inputs = torchgen_base::diag::plural(count, "input");
    let error = wrong(argument.range.clone(), format!("`{}` has {inputs}", node.name));
    match node.members.first() {
        Some(member) => error.help(format!("members are written by name: `{}=…`", member.name.text)),
        None => error,
    }
}
