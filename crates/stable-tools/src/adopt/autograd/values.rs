//! The values of names in a method.
//!
//! Invariant: a variable is a name of its own here, `__0`, so that texts need no parentheses until
//! [`Values::written`] puts them together, and two variables with the same text stay two.

use torchgen_formula::{Binary, Expr, Node, open_names, parse};

/// Why something has no formula, and where; nowhere if whoever asked knows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Reason {
    pub(super) message: String,
    /// As `FILE:LINE`.
    pub(super) place: String,
}

/// A value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Value {
    /// An expression of C++ over parameters, variables, gradients and outputs.
    Text(String),
    /// An undefined tensor.
    Undefined,
    /// What was saved, and the gradients, as lists.
    Saved,
    Gradients,
    /// The next place in what was saved.
    Iterator(usize),
    /// Whether a gradient is needed.
    Needed,
    /// An operator, `ns::name`, that can be called.
    Operator(String),
    /// Values in braces.
    List(Vec<Value>),
    /// What `apply` of the class returns for these arguments, and one of its outputs.
    Applied(Vec<Value>),
    Output(usize),
    /// A call that has no value.
    Nothing,
}

/// A variable.
struct Variable {
    text: String,
    /// Why it has no text.
    wrong: Option<Reason>,
    /// It is a result of several that another variable has.
    part: Option<(usize, usize)>,
}

/// What is known of variables.
#[derive(Default)]
pub(super) struct Values {
    variables: Vec<Variable>,
}

/// How long a formula can be.
const LONGEST: usize = 600;

/// How deep variables can consist of others.
const DEEPEST: usize = 40;

/// What the readers of other languages write for what C++ has no form for, with the reason.
pub(super) const UNREAD: &str = "torchgen_unread";

/// What names of variables, gradients and outputs begin with.
const VARIABLE: &str = "__";
const GRADIENT: &str = "__gradient";
const OUTPUT: &str = "__output";

impl Values {
    /// A value that a name can have: an expression gets a variable.
    pub(super) fn kept(&mut self, value: Value) -> Value {
        match value {
            Value::Text(text) if !torchgen_base::lang::is_identifier(&text) => {
                self.add(Variable { text, wrong: None, part: None })
            }
            other => other,
        }
    }

    /// A variable whose value is not understood, which matters if it is used.
    pub(super) fn unknown(&mut self, reason: Reason) -> Value {
        self.add(Variable { text: String::new(), wrong: Some(reason), part: None })
    }

    fn add(&mut self, variable: Variable) -> Value {
        self.variables.push(variable);
        Value::Text(format!("{VARIABLE}{}", self.variables.len() - 1))
    }

    /// A result of a call with several.
    pub(super) fn element(&mut self, of: &Value, at: usize) -> Value {
        let Value::Text(text) = self.kept(of.clone()) else { return of.clone() };
        let Some(of) = number(&text) else { return Value::Text(format!("std::get<{at}>({text})")) };
        match self.variables.iter().position(|one| one.part == Some((of, at))) {
            Some(place) => Value::Text(format!("{VARIABLE}{place}")),
            None => {
                let part = Some((of, at));
                self.add(Variable { text: format!("std::get<{at}>({text})"), wrong: None, part })
            }
        }
    }

    /// The gradient of an output.
    pub(super) fn gradient(&self, at: usize) -> Value {
        Value::Text(format!("{GRADIENT}{at}"))
    }

    /// An output of the other method.
    pub(super) fn output(&self, at: usize) -> Value {
        Value::Text(format!("{OUTPUT}{at}"))
    }

    /// The text of a variable.
    pub(super) fn text<'v>(&'v self, text: &'v str) -> &'v str {
        number(text).and_then(|at| self.variables.get(at)).map_or(text, |one| &one.text)
    }

    /// The name of what a call calls.
    pub(super) fn called<'v>(&'v self, text: &'v str) -> &'v str {
        self.text(text).split('(').next().unwrap_or_default()
    }

    /// Whether a value is understood.
    pub(super) fn understood(&self, text: &str) -> Result<(), Reason> {
        let wrong = number(text).and_then(|at| self.variables.get(at)?.wrong.clone());
        wrong.map_or(Ok(()), Err)
    }

    /// The variable whose results include this one, and the place among them.
    pub(super) fn part(&self, text: &str) -> Option<(String, usize)> {
        let (of, at) = self.variables.get(number(text)?)?.part?;
        Some((format!("{VARIABLE}{of}"), at))
    }

    /// The variables with several results that an expression consists of.
    pub(super) fn shared(&self, text: &str) -> Vec<String> {
        let mut found = Vec::new();
        self.collect(text, DEEPEST, &mut found);
        found
    }

    fn collect(&self, text: &str, depth: usize, found: &mut Vec<String>) {
        if let Some((of, _)) = self.part(text) {
            found.push(of);
        }
        let inside = self.text(text);
        let Ok(tree) = parse(inside) else { return };
        for range in open_names(&tree).unwrap_or_default() {
            if number(&inside[range.clone()]).is_some() && inside[range.clone()] != *text && depth > 0 {
                self.collect(&inside[range], depth - 1, found);
            }
        }
    }

    /// An expression of parameters with its variables put in.
    pub(super) fn of_parameters(&self, text: &str) -> Result<String, Reason> {
        self.written(text, &mut |name| match name {
            Name::Parameter(name) => Ok(name.to_owned()),
            _ => Err("it uses gradients".to_owned()),
        })
    }

    /// An expression with its variables put in, and other names as `named` has them.
    pub(super) fn written(
        &self,
        text: &str,
        named: &mut dyn FnMut(Name<'_>) -> Result<String, String>,
    ) -> Result<String, Reason> {
        self.put(text, DEEPEST, named)
    }

    fn put(
        &self,
        text: &str,
        depth: usize,
        named: &mut dyn FnMut(Name<'_>) -> Result<String, String>,
    ) -> Result<String, Reason> {
        // Whoever asks knows the place.
        let reason = |message: String| Reason { message, place: String::new() };
        let too_long = || reason("the formula gets too long".to_owned());
        let tree = parse(text).map_err(|problem| reason(format!("`{text}` is no formula: {}", problem.message)))?;
        let names = open_names(&tree).ok_or_else(|| reason("the formula has statements".to_owned()))?;
        let (mut result, mut at) = (String::new(), 0);
        for range in names {
            let name = &text[range.clone()];
            let value = match (number(name), place_of(name, GRADIENT), place_of(name, OUTPUT)) {
                (Some(_), ..) if depth == 0 => return Err(too_long()),
                (Some(at), ..) => match self.variables.get(at).and_then(|one| one.wrong.clone()) {
                    Some(reason) => return Err(reason),
                    None => self.put(self.text(name), depth - 1, named)?,
                },
                (_, Some(at), _) => named(Name::Gradient(at)).map_err(reason)?,
                (_, _, Some(at)) => named(Name::Output(at)).map_err(reason)?,
                _ if matches!(name, "true" | "false") => name.to_owned(),
                _ => named(Name::Parameter(name)).map_err(reason)?,
            };
            result.push_str(&text[at..range.start]);
            let is_argument = result.trim_end().ends_with(['(', ',', '{'])
                && text[range.end..].trim_start().starts_with([')', ',', '}']);
            let is_whole = range == (0..text.len());
            // `a * b` at the left of a product.
            let behind = text[range.end..].trim_start();
            let is_left = result.is_empty() && behind.starts_with(['*', '/', '+', '-']) && !behind.starts_with("->");
            let is_product =
                |tree: &Expr| matches!(tree.node, Node::Binary { operator: Binary::Multiply | Binary::Divide, .. });
            let tree = parse(&value).ok().filter(is_compound);
            match is_argument || is_whole || tree.is_none_or(|tree| is_left && is_product(&tree)) {
                true => result.push_str(&value),
                false => result.extend(["(", &value, ")"]),
            }
            at = range.end;
            if result.len() > LONGEST {
                return Err(too_long());
            }
        }
        result.push_str(&text[at..]);
        if result.len() > LONGEST { Err(too_long()) } else { Ok(result) }
    }
}

/// A name in an expression that is not a variable.
pub(super) enum Name<'n> {
    Parameter(&'n str),
    Gradient(usize),
    Output(usize),
}

fn place_of(name: &str, prefix: &str) -> Option<usize> {
    name.strip_prefix(prefix)?.parse().ok()
}

/// The number of a variable.
fn number(name: &str) -> Option<usize> {
    place_of(name, VARIABLE)
}

impl Reason {
    /// The same at a place, if it has none.
    pub(super) fn or_at(self, place: &str) -> Reason {
        Reason { place: if self.place.is_empty() { place.to_owned() } else { self.place }, ..self }
    }
}

/// Whether an expression needs parentheses where it is an operand, and lacks them.
fn is_compound(tree: &Expr) -> bool {
    let binds = matches!(
        tree.node,
        Node::Binary { .. }
            | Node::Ternary { .. }
            | Node::Unary(..)
            | Node::Cast(..)
            | Node::Dereferenced { .. }
            | Node::Lambda(..)
    );
    let is_inside = |part: &Expr| part.range.start > tree.range.start && part.range.end < tree.range.end;
    binds && !tree.parts().into_iter().all(is_inside)
}

/// A failure that is about a class as a whole.
pub(super) fn whole(message: String, place: &str) -> Reason {
    Reason { message, place: place.to_owned() }
}

/// A text for messages.
pub(super) fn short(text: &str) -> String {
    match text.char_indices().nth(60) {
        Some((end, _)) => format!("{} …", &text[..end]),
        None => text.to_owned(),
    }
}
