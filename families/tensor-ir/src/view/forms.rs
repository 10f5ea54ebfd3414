//! Printed forms and constraints, as data for templates.
//!
//! Invariant: a text is a C++ literal, and a condition is a C++ expression that reads fields of
//! `v`.

use super::super::model::Constraint;
use super::super::model::{Node, Word};
use super::super::print_form::{Condition, Piece, Style};
use super::super::records::Sort;
use super::super::types::{Many, SchemaTypeKind, cpp_string};
use super::make::{Maker, kind};
use super::{ConstraintView, OperandView, PieceFieldView, PieceView};

impl Maker<'_> {
    pub(super) fn pieces(&self, pieces: &[Piece], node: &Node) -> Vec<PieceView> {
        let binds = [node.scope.var];
        let named = |name: &str| node.params.iter().find(|param| param.name == name);
        let piece = |piece: &Piece| match piece {
            Piece::Text(text) => PieceView { text: Some(cpp_string(text)), ..PieceView::default() },
            Piece::Field { name, style, separator } => {
                let at = node.params.iter().position(|param| param.name == *name).unwrap_or_default();
                let param = &node.params[at];
                let (kind, of) = kind(&param.ty);
                let print = match &param.ty.kind {
                    SchemaTypeKind::User(name) => self.ir.types.iter().find(|ty| ty.name.as_str() == name),
                    _ => None,
                };
                let field = PieceFieldView {
                    name: name.clone(),
                    at,
                    read: self.read_parameter(param),
                    style: match style {
                        Style::Plain => "plain",
                        Style::Declared => "declared",
                        Style::Kind => "kind",
                        Style::Block => "block",
                    },
                    separator: separator.as_deref().map(cpp_string),
                    kind,
                    of,
                    list: param.ty.many == Many::List,
                    print: print.and_then(|ty| ty.print.as_ref()).map(|text| text.to_string()),
                    binds: binds.contains(&Some(at)),
                };
                PieceView { field: Some(field), ..PieceView::default() }
            }
            Piece::If(condition, inner) => PieceView {
                condition: Some(self.condition(condition, node)),
                flag: match condition {
                    Condition::There(name) => {
                        named(name).filter(|p| p.ty.kind == SchemaTypeKind::Bool).map(|p| p.name.clone())
                    }
                    Condition::Compares(..) => None,
                },
                pieces: self.pieces(inner, node),
                ..PieceView::default()
            },
        };
        pieces.iter().map(piece).collect()
    }

    /// The pieces of a function, whose fields have no node.
    pub(super) fn function(&self) -> Vec<PieceView> {
        fn convert(pieces: &[Piece]) -> Vec<PieceView> {
            let piece = |piece: &Piece| match piece {
                Piece::Text(text) => PieceView { text: Some(cpp_string(text)), ..PieceView::default() },
                Piece::Field { name, style, separator } => PieceView {
                    field: Some(PieceFieldView {
                        name: name.clone(),
                        at: 0,
                        read: format!("{name}_"),
                        style: if *style == Style::Declared { "declared" } else { "plain" },
                        separator: separator.as_deref().map(cpp_string),
                        kind: match name.as_str() {
                            "name" => "str",
                            "params" => "expr",
                            "ret_type" => "dtype",
                            _ => "stmt",
                        },
                        of: String::new(),
                        list: name == "params",
                        print: None,
                        binds: false,
                    }),
                    ..PieceView::default()
                },
                Piece::If(_, inner) => PieceView {
                    condition: Some("v->body_.defined()".to_owned()),
                    pieces: convert(inner),
                    ..PieceView::default()
                },
            };
            pieces.iter().map(piece).collect()
        }
        convert(self.ir.function_print.as_deref().unwrap_or_default())
    }

    fn condition(&self, condition: &Condition, node: &Node) -> String {
        let param = |name: &str| node.params.iter().find(|param| param.name == *name);
        match condition {
            Condition::There(name) => {
                let Some(param) = param(name) else { return "true".to_owned() };
                let read = self.read_parameter(param);
                match (&param.ty.kind, param.ty.many) {
                    (_, Many::List) | (SchemaTypeKind::Str, _) => format!("!v->{read}.empty()"),
                    (SchemaTypeKind::Expr | SchemaTypeKind::Stmt | SchemaTypeKind::Node(_), _) => {
                        format!("v->{read}.defined()")
                    }
                    (SchemaTypeKind::Bool, _) => format!("v->{read}"),
                    _ => format!("v->{read} != nullptr"),
                }
            }
            Condition::Compares(name, operator, number) => {
                let read = param(name).map_or_else(|| name.clone(), |param| self.read_parameter(param));
                format!("v->{read} {operator} {number}")
            }
        }
    }

    pub(super) fn constraint(&self, constraint: &Constraint, node: &Node) -> ConstraintView {
        let intrinsic = node.sort == Sort::Intrinsic;
        let operand = |at: &Option<usize>| {
            let Some(at) = *at else {
                return OperandView {
                    name: "dtype".to_owned(),
                    read: "v->dtype_".to_owned(),
                    dtype: "v->dtype_".to_owned(),
                };
            };
            let param = &node.params[at];
            let read = match intrinsic {
                true => format!("argument(v, {at})"),
                false => format!("v->{}", self.read_parameter(param)),
            };
            let dtype = match param.ty.kind {
                SchemaTypeKind::Dtype => read.clone(),
                _ => format!("dtype_of({read})"),
            };
            OperandView { name: param.name.clone(), read, dtype }
        };
        let when = |(at, value): &(usize, Word)| {
            let param = &node.params[*at];
            let value = match &param.ty.kind {
                SchemaTypeKind::Enum(name) => format!("{}::{}", self.qualified(name), value.text),
                _ => value.text.clone(),
            };
            format!("v->{} == {value}", self.read_parameter(param))
        };
        let shown: Vec<&str> = constraint.words.iter().map(|word| shown(&word.text)).collect();
        ConstraintView {
            rule: constraint.name,
            operands: constraint.fields.iter().map(operand).collect(),
            types: constraint.words.iter().map(|word| self.qualified(&word.text)).collect(),
            words: constraint.words.iter().map(|word| word.text.clone()).collect(),
            shown: shown.join(", "),
            numbers: constraint.numbers.clone(),
            when: constraint.when.iter().map(when).collect(),
            message: constraint.message.as_deref().map(cpp_string),
        }
    }
}

/// A data type as it is printed.
fn shown(word: &str) -> &str {
    match word {
        "void_t" => "void",
        "boolean" => "bool",
        other => other,
    }
}
