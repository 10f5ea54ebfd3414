//! Rules for the type of an expression: `common(l, r)`, `element(ptr, lanes)`, `boolean(lanes(l))`.
//!
//! The syntax is that of `kit::expr`, limited to names, whole numbers and calls. Invariant: a rule
//! in the model names existing fields of matching types. The C++ functions are in
//! families/tensor-ir/templates/dtype.h.j2.

use super::codes as own;
use super::types::{FieldType, Many, SchemaTypeKind, dtype_name};
use torchgen_base::diag::{Diagnostic, Diagnostics, did_you_mean};
use torchgen_base::yaml::Text;
use torchgen_kit::expr::{self, Call, Expr, ExprKind, Sigil};

/// A rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Rule {
    /// A data type.
    Named(&'static str),
    /// The type of a field's expression, or a field that holds a type or a number.
    Field(String),
    /// A number of lanes.
    Lanes(i64),
    /// A function of rules.
    Call(&'static str, Vec<Rule>),
}

/// What a value within a rule is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ValueKind {
    /// A data type.
    Type,
    /// A number of lanes.
    Lanes,
    /// A list of expressions.
    List,
    /// A function or what points to one.
    Callee,
    /// The kind of an intrinsic.
    Intrinsic,
    /// Values by name.
    Attrs,
    /// A string.
    Str,
}

impl ValueKind {
    fn words(self) -> &'static str {
        match self {
            ValueKind::Type => "a type",
            ValueKind::Lanes => "a number",
            ValueKind::List => "a list of expressions",
            ValueKind::Callee => "a function",
            ValueKind::Intrinsic => "an intrinsic",
            ValueKind::Attrs => "attributes",
            ValueKind::Str => "a string",
        }
    }
}

struct Function {
    name: &'static str,
    /// What it takes; with `repeats`, the last any number of times.
    takes: &'static [ValueKind],
    repeats: bool,
    gives: ValueKind,
    cpp: &'static str,
}

const fn function(name: &'static str, takes: &'static [ValueKind], gives: ValueKind, cpp: &'static str) -> Function {
    Function { name, takes, repeats: false, gives, cpp }
}

const FUNCTIONS: &[Function] = &[
    Function {
        repeats: true,
        ..function("common", &[ValueKind::Type, ValueKind::Type], ValueKind::Type, "common_dtype")
    },
    function("element", &[ValueKind::Type, ValueKind::Lanes], ValueKind::Type, "element_dtype"),
    function("pointer_to", &[ValueKind::Type], ValueKind::Type, "pointer_dtype"),
    function("scalar", &[ValueKind::Type], ValueKind::Type, "scalar_dtype"),
    function("lanes_of", &[ValueKind::Type, ValueKind::Lanes], ValueKind::Type, "vector_dtype"),
    function("lanes", &[ValueKind::Type], ValueKind::Lanes, "lanes_of"),
    function("result", &[ValueKind::Callee], ValueKind::Type, "result_dtype"),
    function("first", &[ValueKind::List], ValueKind::Type, "first_dtype"),
    function(
        "intrinsic",
        &[ValueKind::Intrinsic, ValueKind::List, ValueKind::Attrs],
        ValueKind::Type,
        "intrinsic_dtype",
    ),
    function("field", &[ValueKind::Str, ValueKind::Lanes], ValueKind::Type, "layout_dtype"),
];

/// What a rule is read against.
pub(crate) struct Scope<'a> {
    /// The fields that a rule may name.
    pub(crate) fields: &'a [(String, FieldType)],
}

/// Reads a rule. Errors are diagnostics.
pub(crate) fn read_rule(text: &Text, scope: &Scope<'_>, diagnostics: &mut Diagnostics) -> Option<Rule> {
    let reader = Reader { text, scope };
    let outcome = match expr::parse_names(text) {
        Ok(tree) => reader.rule(&tree).and_then(|(rule, what)| match what {
            ValueKind::Type => Ok(rule),
            _ => Err(reader.error(&tree, format!("a rule gives a type, not {}", what.words()))),
        }),
        Err(error) => Err(Diagnostic::new(&own::BAD_DTYPE_RULE, error.message)
            .at(text.sub_span(error.range))
            .help("a rule is a field, a type such as `boolean`, or a function such as `common(l, r)`")),
    };
    outcome.map_err(|error| diagnostics.push(error)).ok()
}

struct Reader<'a> {
    text: &'a Text,
    scope: &'a Scope<'a>,
}

impl Reader<'_> {
    fn error(&self, at: &Expr, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(&own::BAD_DTYPE_RULE, message).at(self.text.sub_span(at.range.clone()))
    }

    fn rule(&self, tree: &Expr) -> Result<(Rule, ValueKind), Diagnostic> {
        match &tree.kind {
            ExprKind::Name(name) => self.name(name, tree),
            ExprKind::Int(lanes @ 1..=0xffff) => Ok((Rule::Lanes(*lanes), ValueKind::Lanes)),
            ExprKind::Call(call) if call.sigil == Sigil::Plain && call.keywords.is_empty() => self.call(call, tree),
            _ => Err(self.error(tree, "this has no meaning in a rule").help("a rule is made of names and calls")),
        }
    }

    fn name(&self, name: &str, tree: &Expr) -> Result<(Rule, ValueKind), Diagnostic> {
        if let Some((_, ty)) = self.scope.fields.iter().find(|(field, _)| field == name) {
            let what = match (&ty.kind, ty.many) {
                (
                    SchemaTypeKind::Expr | SchemaTypeKind::Node(_) | SchemaTypeKind::Dtype,
                    Many::One | Many::Optional,
                ) => ValueKind::Type,
                (SchemaTypeKind::Expr, Many::List) => ValueKind::List,
                (SchemaTypeKind::Int | SchemaTypeKind::Int64, Many::One) => ValueKind::Lanes,
                (SchemaTypeKind::Callee | SchemaTypeKind::Func, _) => ValueKind::Callee,
                (SchemaTypeKind::Intrinsic, _) => ValueKind::Intrinsic,
                (SchemaTypeKind::Attrs, _) => ValueKind::Attrs,
                (SchemaTypeKind::Str, Many::One) => ValueKind::Str,
                _ => return Err(self.error(tree, format!("the field `{name}` says nothing of a type"))),
            };
            return Ok((Rule::Field(name.to_owned()), what));
        }
        if let Some(known) = dtype_name(name) {
            return Ok((Rule::Named(known), ValueKind::Type));
        }
        let known = self.scope.fields.iter().map(|(field, _)| field.as_str());
        let help = did_you_mean(name, known.chain(super::types::DTYPES.iter().map(|(name, _)| *name)));
        Err(self.error(tree, format!("`{name}` is neither a field nor a type")).maybe_help(help))
    }

    fn call(&self, call: &Call, tree: &Expr) -> Result<(Rule, ValueKind), Diagnostic> {
        let name = call.callee.name.as_str();
        let mut values = Vec::with_capacity(call.positional.len());
        for value in &call.positional {
            values.push(self.rule(value)?);
        }
        let Some(function) = FUNCTIONS.iter().find(|function| function.name == name) else {
            // `f32(4)`, `boolean(lanes(l))`: a type with so many lanes.
            let Some(dtype) = dtype_name(name) else {
                let help = did_you_mean(name, FUNCTIONS.iter().map(|function| function.name));
                let message = format!("no function of rules is called `{name}`");
                let span = self.text.sub_span(call.callee.range.clone());
                return Err(Diagnostic::new(&own::BAD_DTYPE_RULE, message).at(span).maybe_help(help));
            };
            return match <[_; 1]>::try_from(values) {
                Ok([(lanes, ValueKind::Lanes)]) => {
                    Ok((Rule::Call("vector_dtype", vec![Rule::Named(dtype), lanes]), ValueKind::Type))
                }
                _ => Err(self.error(tree, format!("`{name}(…)` takes one number of lanes"))),
            };
        };
        let wanted = function.takes.len();
        if values.len() != wanted && !(function.repeats && values.len() > wanted) {
            let more = if function.repeats { " or more" } else { "" };
            let message = format!("`{name}` takes {wanted}{more}, not {}", values.len());
            return Err(self.error(tree, message));
        }
        for (at, (_, what)) in values.iter().enumerate() {
            let takes = function.takes[at.min(wanted - 1)];
            if *what != takes {
                let message = format!("`{name}` takes {} here, not {}", takes.words(), what.words());
                return Err(self.error(&call.positional[at], message));
            }
        }
        let rules = values.into_iter().map(|(rule, _)| rule).collect();
        Ok((Rule::Call(function.cpp, rules), function.gives))
    }
}

impl Rule {
    /// The C++ of the rule, where `field` gives the C++ of a field's value.
    pub(crate) fn cpp(&self, field: &impl Fn(&str) -> String) -> String {
        match self {
            Rule::Named(name) => format!("datatypes::{name}"),
            Rule::Field(name) => field(name),
            Rule::Lanes(lanes) => lanes.to_string(),
            Rule::Call(function, rules) => {
                let values: Vec<String> = rules.iter().map(|rule| rule.cpp(field)).collect();
                format!("{function}({})", values.join(", "))
            }
        }
    }

    /// The field that the type is a copy of, and the field that gives its lanes: neither is kept
    /// beside the type.
    pub(crate) fn carried(&self) -> (Option<&str>, Option<&str>) {
        match self {
            Rule::Field(name) => (Some(name), None),
            Rule::Call("element_dtype" | "vector_dtype", rules) => match rules.as_slice() {
                [_, Rule::Field(lanes)] => (None, Some(lanes)),
                _ => (None, None),
            },
            _ => (None, None),
        }
    }
}
