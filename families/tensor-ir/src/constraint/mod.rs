//! The constraints that `validate` checks, by name.
//!
//! Each is a call, `same_dtype(l, r)`, whose arguments `written` reads from an expression or from
//! YAML. Invariant: a constraint in the model names existing fields whose types it can check, and
//! existing types, kinds and values. The C++ of the checks and their messages is in
//! families/tensor-ir/templates/validator.

use super::codes as own;
use super::model::{Constraint, Node, Word};
use super::records::ConstraintRecord;
use super::types::{DTYPES, FieldType, Many, SchemaTypeKind, dtype_name};
use torchgen_base::diag::{Diagnostic, Diagnostics, Help, Span, did_you_mean};
use torchgen_base::yaml::Text;
use torchgen_kit::expr::{Expr, ExprKind, Unary};

mod written;

use written::Arguments;

/// What a constraint is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ConstraintForm {
    /// A list of fields: `same_dtype: [l, r]`.
    Fields(FieldForm),
    /// Fields and lists of words: `dtype_in: {l: [s32, index]}`.
    Words(FieldForm, Vocabulary),
    /// Fields and numbers: `min_size: {idx: 1}`.
    Numbers(FieldForm),
    /// Pairs of fields: `accesses: {ptr: idx}`.
    Pairs(FieldForm, FieldForm),
    /// One field: `returns: value`.
    Field(FieldForm),
    /// One word: `outside_of: for_loop`.
    Word(Vocabulary),
    /// A list of words.
    List(Vocabulary),
    /// `true`
    Flag,
    /// An attribute and the least and the greatest value.
    Range,
}

/// Which fields a constraint takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FieldForm {
    /// An expression, a field that holds a type, or the node's own type.
    Typed,
    /// An expression.
    Expr,
    /// A list of expressions.
    Exprs,
    /// Any list.
    List,
    /// A number.
    Number,
    /// A function or a pointer to one.
    Callee,
    /// The linkage of a definition.
    Enum,
}

/// Which words a constraint takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Vocabulary {
    Dtypes,
    /// Types, or `any_pointer`.
    ArgumentDtypes,
    Categories,
    ExprKinds,
    StmtKinds,
}

const FORMS: &[(&str, ConstraintForm)] = &[
    ("same_dtype", ConstraintForm::Fields(FieldForm::Typed)),
    ("same_lanes", ConstraintForm::Fields(FieldForm::Typed)),
    ("valid_dtype", ConstraintForm::Fields(FieldForm::Typed)),
    ("scalar", ConstraintForm::Fields(FieldForm::Typed)),
    ("pointer", ConstraintForm::Fields(FieldForm::Typed)),
    ("each_same_dtype", ConstraintForm::Fields(FieldForm::Exprs)),
    ("same_size", ConstraintForm::Fields(FieldForm::List)),
    ("dtype_in", ConstraintForm::Words(FieldForm::Typed, Vocabulary::Dtypes)),
    ("dtype_not_in", ConstraintForm::Words(FieldForm::Typed, Vocabulary::Dtypes)),
    ("etype_in", ConstraintForm::Words(FieldForm::Typed, Vocabulary::Dtypes)),
    ("category_in", ConstraintForm::Words(FieldForm::Typed, Vocabulary::Categories)),
    ("kind_in", ConstraintForm::Words(FieldForm::Expr, Vocabulary::ExprKinds)),
    ("each_dtype_in", ConstraintForm::Words(FieldForm::Exprs, Vocabulary::Dtypes)),
    ("each_category_in", ConstraintForm::Words(FieldForm::Exprs, Vocabulary::Categories)),
    ("min_size", ConstraintForm::Numbers(FieldForm::List)),
    ("equals", ConstraintForm::Numbers(FieldForm::Number)),
    ("mask_bits", ConstraintForm::Pairs(FieldForm::Expr, FieldForm::Expr)),
    ("lanes_fit", ConstraintForm::Pairs(FieldForm::Expr, FieldForm::Expr)),
    ("accesses", ConstraintForm::Pairs(FieldForm::Expr, FieldForm::Exprs)),
    ("matches_prototype", ConstraintForm::Pairs(FieldForm::Callee, FieldForm::Exprs)),
    ("initializes", ConstraintForm::Pairs(FieldForm::Expr, FieldForm::Expr)),
    ("local_linkage", ConstraintForm::Field(FieldForm::Enum)),
    ("returns", ConstraintForm::Field(FieldForm::Expr)),
    ("outside_of", ConstraintForm::Word(Vocabulary::StmtKinds)),
    ("follows_rule", ConstraintForm::Flag),
    ("argument_dtypes", ConstraintForm::List(Vocabulary::ArgumentDtypes)),
    ("attribute_range", ConstraintForm::Range),
];

const CATEGORIES: &[&str] = &["float", "int", "uint", "other"];

/// A type of an argument that may point to anything.
pub(crate) const ANY_POINTER: &str = "any_pointer";

impl FieldForm {
    fn words(self) -> &'static str {
        match self {
            FieldForm::Typed => "an expression or a type",
            FieldForm::Expr => "an expression",
            FieldForm::Exprs => "a list of expressions",
            FieldForm::List => "a list",
            FieldForm::Number => "a number",
            FieldForm::Callee => "something to call",
            FieldForm::Enum => "a linkage",
        }
    }

    fn fits(self, ty: &FieldType) -> bool {
        let list = ty.many == Many::List;
        match self {
            FieldForm::Typed => {
                !list
                    && matches!(
                        ty.kind,
                        SchemaTypeKind::Expr | SchemaTypeKind::Node(_) | SchemaTypeKind::Dtype | SchemaTypeKind::Index
                    )
            }
            FieldForm::Expr => !list && matches!(ty.kind, SchemaTypeKind::Expr),
            FieldForm::Exprs => list && ty.kind == SchemaTypeKind::Expr,
            FieldForm::List => list,
            FieldForm::Number => !list && matches!(ty.kind, SchemaTypeKind::Int | SchemaTypeKind::Int64),
            FieldForm::Callee => ty.kind == SchemaTypeKind::Callee,
            FieldForm::Enum => matches!(&ty.kind, SchemaTypeKind::Enum(name) if name == "linkage"),
        }
    }
}

/// Reads a constraint. Errors are diagnostics.
pub(crate) fn read_constraint(
    record: &ConstraintRecord,
    node: &Node,
    diagnostics: &mut Diagnostics,
) -> Option<Constraint> {
    let written = written::read_name(&record.rule, diagnostics)?;
    let called = written.name.as_str();
    let Some((name, form)) = FORMS.iter().find(|(name, _)| *name == called) else {
        let help = did_you_mean(called, FORMS.iter().map(|(name, _)| *name));
        let message = format!("there is no constraint `{called}`");
        diagnostics.push(Diagnostic::new(&own::BAD_CONSTRAINT, message).at(written.span).maybe_help(help));
        return None;
    };
    let mut reader = Reader { node, diagnostics, wrong: false };
    let mut constraint = Constraint {
        name,
        fields: Vec::new(),
        words: Vec::new(),
        numbers: Vec::new(),
        when: Vec::new(),
        message: record.message.as_ref().map(|message| message.to_string()),
    };
    for (field, value) in &record.when {
        constraint.when.extend(reader.when(field, value));
    }
    match written.arguments(name, *form) {
        Ok(arguments) => reader.arguments(&arguments, *form, &mut constraint),
        Err((span, message, help)) => reader.error(span, message, help.map(Help::from)),
    }
    (!reader.wrong).then_some(constraint)
}

struct Reader<'a> {
    node: &'a Node,
    diagnostics: &'a mut Diagnostics,
    wrong: bool,
}

impl Reader<'_> {
    fn error(&mut self, span: Span, message: impl Into<String>, help: Option<Help>) {
        self.diagnostics.push(Diagnostic::new(&own::BAD_CONSTRAINT, message).at(span).maybe_help(help));
        self.wrong = true;
    }

    fn when(&mut self, field: &Text, value: &Text) -> Option<(usize, Word)> {
        let found = self.node.params.iter().position(|param| param.name == field.as_str());
        let Some(at) = found else {
            let help = did_you_mean(field, self.node.params.iter().map(|param| param.name.as_str()));
            self.error(field.span(), format!("`{}` has no field `{field}`", self.node.name), help);
            return None;
        };
        if !matches!(self.node.params[at].ty.kind, SchemaTypeKind::Enum(_) | SchemaTypeKind::Bool) {
            self.error(field.span(), format!("`{field}` is neither an enumeration nor a bool"), None);
            return None;
        }
        let text = match self.node.params[at].ty.kind {
            SchemaTypeKind::Bool => match value.as_str() {
                "true" | "True" => "true",
                "false" | "False" => "false",
                _ => {
                    let help = Some("write `true` or `false`".into());
                    self.error(value.span(), format!("`{field}` is never `{value}`"), help);
                    return None;
                }
            },
            // Only when all enumerations are known.
            _ => value.as_str(),
        };
        Some((at, Word { text: text.to_owned(), span: value.span() }))
    }

    /// Arguments that have the form.
    fn arguments(&mut self, arguments: &Arguments<'_>, form: ConstraintForm, constraint: &mut Constraint) {
        for (at, item) in arguments.list.iter().enumerate() {
            let item = Argument { expr: item, span: arguments.span(item) };
            match (form, at % 2) {
                (ConstraintForm::Fields(takes) | ConstraintForm::Field(takes), _)
                | (
                    ConstraintForm::Words(takes, _) | ConstraintForm::Numbers(takes) | ConstraintForm::Pairs(takes, _),
                    0,
                )
                | (ConstraintForm::Pairs(_, takes), _) => self.field(&item, takes, constraint),
                (ConstraintForm::Words(_, vocabulary), _) => match &item.expr.kind {
                    ExprKind::List(words) => words.iter().for_each(|word| {
                        let word = Argument { expr: word, span: arguments.span(word) };
                        self.word(&word, vocabulary, constraint);
                    }),
                    _ => self.error(item.span, "this must be a list", None),
                },
                (ConstraintForm::Word(vocabulary) | ConstraintForm::List(vocabulary), _) => {
                    self.word(&item, vocabulary, constraint)
                }
                (ConstraintForm::Range, _) if at == 0 => {
                    if let Some(text) = self.name(&item) {
                        constraint.words.push(Word { text, span: item.span });
                    }
                }
                (ConstraintForm::Numbers(_) | ConstraintForm::Range, _) => match number(item.expr) {
                    Some(number) => constraint.numbers.push(number),
                    None => self.error(item.span, "this must be a whole number", None),
                },
                (ConstraintForm::Flag, _) => {}
            }
        }
    }

    fn name(&mut self, item: &Argument<'_>) -> Option<String> {
        match &item.expr.kind {
            ExprKind::Name(name) => Some(name.clone()),
            ExprKind::Int(number) => Some(number.to_string()),
            _ => {
                self.error(item.span, "this must be a name", None);
                None
            }
        }
    }

    fn field(&mut self, item: &Argument<'_>, takes: FieldForm, constraint: &mut Constraint) {
        let Some(name) = self.name(item) else { return };
        let Some(at) = self.node.params.iter().position(|param| param.name == name) else {
            if name == "dtype" && takes == FieldForm::Typed {
                constraint.fields.push(None);
                return;
            }
            let help = did_you_mean(&name, self.node.params.iter().map(|param| param.name.as_str()));
            self.error(item.span, format!("`{}` has no field `{name}`", self.node.name), help);
            return;
        };
        if !takes.fits(&self.node.params[at].ty) {
            let message = format!("`{name}` is not {}, as `{}` needs", takes.words(), constraint.name);
            self.error(item.span, message, None);
            return;
        }
        constraint.fields.push(Some(at));
    }

    fn word(&mut self, item: &Argument<'_>, vocabulary: Vocabulary, constraint: &mut Constraint) {
        let Some(text) = self.name(item) else { return };
        let known = match vocabulary {
            Vocabulary::Dtypes => dtype_name(&text).is_some(),
            Vocabulary::ArgumentDtypes => dtype_name(&text).is_some() || text == ANY_POINTER,
            Vocabulary::Categories => CATEGORIES.contains(&text.as_str()),
            // Only when all nodes are known.
            Vocabulary::ExprKinds | Vocabulary::StmtKinds => true,
        };
        if !known {
            let help = match vocabulary {
                Vocabulary::Categories => did_you_mean(&text, CATEGORIES.iter().copied()),
                _ => did_you_mean(&text, DTYPES.iter().map(|(name, _)| *name)),
            };
            self.error(item.span, format!("`{}` does not know `{text}`", constraint.name), help);
            return;
        }
        let text = match dtype_name(&text) {
            Some(dtype) if !matches!(vocabulary, Vocabulary::ExprKinds | Vocabulary::StmtKinds) => dtype.to_owned(),
            _ => text,
        };
        constraint.words.push(Word { text, span: item.span });
    }
}

/// An argument and its place.
struct Argument<'e> {
    expr: &'e Expr,
    span: Span,
}

fn number(expr: &Expr) -> Option<i64> {
    match &expr.kind {
        ExprKind::Int(number) => Some(*number),
        ExprKind::Unary(Unary::Negate, inner) => number(inner)?.checked_neg(),
        _ => None,
    }
}

impl ConstraintForm {
    fn words(self) -> &'static str {
        match self {
            ConstraintForm::Fields(_) => "a list of fields: `[l, r]`",
            ConstraintForm::Words(..) => "a field and a list: `{l: [s32, index]}`",
            ConstraintForm::Numbers(_) => "fields and numbers: `{idx: 1}`",
            ConstraintForm::Pairs(..) => "two fields: `{ptr: idx}`",
            ConstraintForm::Field(_) => "a field",
            ConstraintForm::Word(_) => "a name",
            ConstraintForm::List(_) => "a list",
            ConstraintForm::Flag => "`true`",
            ConstraintForm::Range => "an attribute and two numbers: `{locality: [0, 3]}`",
        }
    }

    /// The same in a call.
    fn call_words(self) -> &'static str {
        match self {
            ConstraintForm::Fields(_) => "fields: `(l, r)`",
            ConstraintForm::Words(..) => "a field and a list: `(l, [s32, index])`",
            ConstraintForm::Numbers(_) => "a field and a number: `(idx, 1)`",
            ConstraintForm::Pairs(..) => "two fields: `(ptr, idx)`",
            ConstraintForm::Field(_) => "a field: `(value)`",
            ConstraintForm::Word(_) => "a name: `(for_loop)`",
            ConstraintForm::List(_) => "names: `(s32, index)`",
            ConstraintForm::Flag => "nothing: `()`",
            ConstraintForm::Range => "an attribute and two numbers: `(locality, 0, 3)`",
        }
    }

    /// Whether it can have this number of arguments.
    fn takes(self, count: usize) -> bool {
        match self {
            ConstraintForm::Fields(_) | ConstraintForm::List(_) => true,
            ConstraintForm::Words(..) => count == 2,
            ConstraintForm::Numbers(_) | ConstraintForm::Pairs(..) => count.is_multiple_of(2),
            ConstraintForm::Field(_) | ConstraintForm::Word(_) => count == 1,
            ConstraintForm::Flag => count == 0,
            ConstraintForm::Range => count == 3,
        }
    }
}
