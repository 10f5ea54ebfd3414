//! How constraints are written: `same_dtype(l, r)`, an expression of `kit::expr`, or in YAML
//! `same_dtype: [l, r]`, which becomes the arguments of the same call.
//!
//! Invariant: arguments have the number that their form takes, and each has its place.

use std::borrow::Cow;

use super::ConstraintForm;
use crate::codes as own;
use crate::records::ConstraintRule;
use torchgen_base::diag::{Diagnostic, Diagnostics, Span};
use torchgen_base::yaml::{Node, NodeKind, Resolved, Text, resolve};
use torchgen_kit::expr::{Expr, ExprKind, Sigil, parse_names};

/// A constraint as written.
pub(super) struct WrittenConstraint<'r> {
    pub(super) name: String,
    /// The place of the name.
    pub(super) span: Span,
    value: Value<'r>,
}

enum Value<'r> {
    /// The arguments of a call, in a text.
    Call(Vec<Expr>, &'r Text),
    Yaml(&'r Node),
}

/// The arguments of a constraint.
pub(super) struct Arguments<'r> {
    pub(super) list: Cow<'r, [Expr]>,
    /// The text of the ranges; without it, ranges are bytes of the file.
    text: Option<&'r Text>,
    whole: Span,
}

/// The place of an error, its message and its help.
type Wrong = (Span, String, Option<String>);

impl Arguments<'_> {
    /// The place of an argument, or of a part of one.
    pub(super) fn span(&self, expr: &Expr) -> Span {
        match self.text {
            Some(text) => text.sub_span(expr.range.clone()),
            None => Span::new(self.whole.file, expr.range.start, expr.range.end),
        }
    }
}

/// Reads the name. Errors are diagnostics.
pub(super) fn read_name<'r>(rule: &'r ConstraintRule, diagnostics: &mut Diagnostics) -> Option<WrittenConstraint<'r>> {
    let text = match rule {
        ConstraintRule::Named(name, value) => {
            return Some(WrittenConstraint { name: name.to_string(), span: name.span(), value: Value::Yaml(value) });
        }
        ConstraintRule::Expression(text) => text,
    };
    let error = |range, message: String| Diagnostic::new(&own::BAD_CONSTRAINT, message).at(text.sub_span(range));
    let outcome = match parse_names(text) {
        Ok(Expr { kind: ExprKind::Call(call), .. }) if call.sigil == Sigil::Plain => match call.keywords.first() {
            None => Ok(call),
            Some((key, _)) => Err(error(key.range.clone(), format!("`{}` has no named arguments", call.callee.name))),
        },
        Ok(other) => Err(error(other.range, "a constraint is a call".to_owned())),
        Err(wrong) => Err(error(wrong.range, wrong.message)),
    };
    match outcome {
        Ok(call) => {
            let span = text.sub_span(call.callee.range);
            Some(WrittenConstraint { name: call.callee.name, span, value: Value::Call(call.positional, text) })
        }
        Err(error) => {
            diagnostics
                .push(error.help("such as `same_dtype(l, r)`, `dtype_in(l, [s32, index])` or `min_size(idx, 1)`"));
            None
        }
    }
}

impl WrittenConstraint<'_> {
    /// The arguments, which have the form of the constraint.
    ///
    /// # Errors
    /// They have another form.
    pub(super) fn arguments(&self, name: &str, form: ConstraintForm) -> Result<Arguments<'_>, Wrong> {
        match &self.value {
            Value::Call(list, text) if form.takes(list.len()) => {
                Ok(Arguments { list: Cow::Borrowed(list), text: Some(text), whole: self.span })
            }
            Value::Call(..) => Err((self.span, format!("`{name}` takes {}", form.call_words()), None)),
            Value::Yaml(value) => {
                let nodes = of_yaml(value, name, form)?;
                let list = nodes.into_iter().map(expr).collect();
                Ok(Arguments { list: Cow::Owned(list), text: None, whole: value.span })
            }
        }
    }
}

/// The arguments in YAML.
fn of_yaml<'n>(value: &'n Node, name: &str, form: ConstraintForm) -> Result<Vec<&'n Node>, Wrong> {
    match (form, &value.kind) {
        (ConstraintForm::Fields(_) | ConstraintForm::List(_), NodeKind::Sequence(items)) => Ok(items.iter().collect()),
        (ConstraintForm::Words(..), NodeKind::Mapping(pairs)) => match pairs.as_slice() {
            [(field, words)] => Ok(vec![field, words]),
            _ => {
                Err((value.span, "one field is checked here".to_owned(), Some("make a constraint of each".to_owned())))
            }
        },
        (ConstraintForm::Numbers(_) | ConstraintForm::Pairs(..), NodeKind::Mapping(pairs)) => {
            Ok(pairs.iter().flat_map(|(one, other)| [one, other]).collect())
        }
        (ConstraintForm::Field(_) | ConstraintForm::Word(_), NodeKind::Scalar(_)) => Ok(vec![value]),
        (ConstraintForm::Flag, NodeKind::Scalar(_)) if resolve(value) == Resolved::Bool(true) => Ok(Vec::new()),
        (ConstraintForm::Range, NodeKind::Mapping(pairs)) => match pairs.as_slice() {
            [(key, Node { kind: NodeKind::Sequence(range), .. })] if range.len() == 2 => {
                Ok(std::iter::once(key).chain(range).collect())
            }
            _ => Err((value.span, "expected an attribute and two numbers".to_owned(), None)),
        },
        _ => Err((value.span, format!("`{name}` takes {}", form.words()), None)),
    }
}

/// A value in YAML as an expression, whose range is that in the file. A mapping has no meaning.
fn expr(node: &Node) -> Expr {
    let (kind, span) = match &node.kind {
        NodeKind::Scalar(text) => {
            let kind = text.parse().map_or_else(|_| ExprKind::Name(text.to_string()), ExprKind::Int);
            (kind, text.span())
        }
        NodeKind::Sequence(items) => (ExprKind::List(items.iter().map(expr).collect()), node.span),
        NodeKind::Mapping(_) => (ExprKind::None, node.span),
    };
    Expr { kind, range: span.range() }
}
