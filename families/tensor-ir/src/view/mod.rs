//! Data for templates: names, types and single expressions of C++. Templates decide nothing.
//!
//! Invariant: a view is made from a model without errors. `make` makes its parts, and `forms` makes
//! printed forms and constraints.

mod forms;
mod make;
mod parameters;

use std::collections::BTreeMap;

use serde::Serialize;

pub(crate) use make::ir;

use torchgen_kit::comment::Comment;

/// All of an IR.
#[derive(Debug, Serialize)]
pub(crate) struct IrView {
    pub(super) namespace: String,
    /// The version of trees that are written.
    pub(super) version: u32,
    pub(super) guard: String,
    pub(super) field_suffix: String,
    pub(super) macro_prefix: String,
    pub(super) enums: Vec<EnumView>,
    pub(super) includes: Vec<String>,
    pub(super) types: Vec<TypeView>,
    pub(super) structs: Vec<NodeView>,
    pub(super) bases: Vec<NodeView>,
    pub(super) exprs: Vec<NodeView>,
    pub(super) stmts: Vec<NodeView>,
    /// Bases and expressions, each after its base: the order in which classes are declared.
    pub(super) classes: Vec<NodeView>,
    pub(super) intrinsics: Vec<IntrinsicView>,
    pub(super) attributes: Vec<(String, String)>,
    pub(super) layouts: Vec<(String, Vec<&'static str>)>,
    /// A statement that has no statements in it, for samples.
    pub(super) simple_stmt: Option<String>,
    pub(super) function_doc: Comment,
    pub(super) function_print: Vec<PieceView>,
    pub(super) module_doc: Comment,
    /// The nodes with roles, by role; roles that no node has are null.
    pub(super) roles: BTreeMap<&'static str, Option<RoleView>>,
    /// Whether intrinsics for the lesser and the greater of two make one for a range.
    pub(super) has_clip: bool,
    /// The names of the builders that operators with two operands call, by operator.
    pub(super) operators: BTreeMap<String, String>,
}

#[derive(Debug, Serialize)]
pub(super) struct RoleView {
    pub(super) name: String,
    /// The pointer to it and its class, qualified.
    #[serde(rename = "type")]
    pub(super) ty: String,
    pub(super) class: String,
}

#[derive(Debug, Serialize)]
pub(super) struct EnumView {
    pub(super) name: String,
    #[serde(rename = "type")]
    pub(super) ty: String,
    pub(super) doc: Comment,
    pub(super) values: Vec<EnumValueView>,
}

#[derive(Debug, Serialize)]
pub(super) struct EnumValueView {
    pub(super) name: String,
    pub(super) number: Option<i128>,
    /// A C++ literal.
    pub(super) print: String,
}

#[derive(Debug, Serialize)]
pub(super) struct TypeView {
    pub(super) name: String,
    pub(super) cpp: String,
    /// A function that reads one.
    pub(super) parse: Option<String>,
}

/// A node, a base or a record.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct NodeView {
    pub(super) name: String,
    /// The pointer to it or the record, qualified: what uses write.
    #[serde(rename = "type")]
    pub(super) ty: String,
    /// The name of the class, and the same qualified.
    pub(super) class: String,
    pub(super) full_class: String,
    pub(super) schema: String,
    pub(super) doc: Comment,
    pub(super) is_expr: bool,
    pub(super) is_base: bool,
    pub(super) is_struct: bool,
    /// The name of the base, a pointer to it, and its class, which is the root's for a node without
    /// one.
    pub(super) base: Option<String>,
    pub(super) base_type: Option<String>,
    pub(super) base_class: String,
    /// The names of its traits, and their class templates.
    pub(super) traits: Vec<String>,
    pub(super) mix_ins: Vec<String>,
    /// The class of all expressions or of all statements.
    pub(super) root: &'static str,
    /// `expr` or `stmt`.
    pub(super) pointer: &'static str,
    pub(super) kind: String,
    /// All parameters of the constructor.
    pub(super) params: Vec<FieldView>,
    /// What this class declares.
    pub(super) own: Vec<FieldView>,
    /// All fields, inherited ones too.
    pub(super) fields: Vec<FieldView>,
    /// What this class declares and frees: pointers to nodes and functions, and records with them.
    pub(super) owns: Vec<FieldView>,
    /// Children in the order of visits.
    pub(super) children: Vec<FieldView>,
    /// The rule with parameters of the constructor, and with fields.
    pub(super) rule: Option<String>,
    pub(super) rule_of_fields: Option<String>,
    pub(super) own_rule: bool,
    pub(super) operator: Option<String>,
    pub(super) commutative: bool,
    /// Its fields are two expressions.
    pub(super) is_binary: bool,
    pub(super) identity: bool,
    pub(super) print: Vec<PieceView>,
    pub(super) declare: Vec<PieceView>,
    pub(super) builder: Option<String>,
    pub(super) role: Option<&'static str>,
    pub(super) constraints: Vec<ConstraintView>,
    pub(super) block: Option<String>,
    pub(super) declares: Option<String>,
    pub(super) scope_var: Option<String>,
    pub(super) scope_body: Option<String>,
    pub(super) comments: bool,
    /// Fields whose kind the declared form of a statement names.
    pub(super) kind_words: Vec<String>,
    /// Whether the parser reads it by its form alone; names and what begins with an expression are
    /// read otherwise.
    pub(super) parsed: bool,
    /// The field that the form begins with, if the parser reads it as something after an
    /// expression.
    pub(super) follows: Option<String>,
    pub(super) follows_callee: bool,
}

/// A parameter or field.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct FieldView {
    pub(super) name: String,
    /// The name that it has as a parameter.
    pub(super) parameter: String,
    /// The member, if there is one.
    pub(super) member: Option<String>,
    /// How a member function reads it.
    pub(super) read: String,
    pub(super) cpp: String,
    /// The parameter of a constructor, type and name.
    pub(super) decl: String,
    /// The parameter of a builder, type and name, and its default.
    pub(super) builder_decl: String,
    pub(super) builder_default: Option<String>,
    /// The argument that a builder passes to the constructor.
    pub(super) argument: String,
    pub(super) moved: bool,
    pub(super) default: Option<String>,
    pub(super) doc: Comment,
    pub(super) kind: &'static str,
    /// The enumeration, record or node that it is of.
    pub(super) of: String,
    pub(super) of_type: String,
    pub(super) list: bool,
    pub(super) optional: bool,
    pub(super) required: bool,
    /// `expr` or `stmt` if it is one pointer to a node.
    pub(super) child: Option<&'static str>,
    /// The member whose strides it is, if nothing is given.
    pub(super) dense: Option<String>,
    pub(super) inherited: bool,
    pub(super) carried: &'static str,
    /// Of a type of the user's: the expression that is true if `a` and `b` are equal, and the
    /// function that hashes one.
    pub(super) equal: Option<String>,
    pub(super) hash: Option<String>,
}

#[derive(Debug, Clone, Default, Serialize)]
pub(super) struct PieceView {
    /// The place among all pieces of the form.
    pub(super) number: usize,
    /// A C++ literal.
    pub(super) text: Option<String>,
    pub(super) field: Option<PieceFieldView>,
    /// The condition, with `v->` before fields.
    pub(super) condition: Option<String>,
    /// The field that is true if the part is there.
    pub(super) flag: Option<String>,
    pub(super) pieces: Vec<PieceView>,
}

#[derive(Debug, Clone, Serialize)]
pub(super) struct PieceFieldView {
    pub(super) name: String,
    pub(super) at: usize,
    pub(super) read: String,
    pub(super) style: &'static str,
    pub(super) separator: Option<String>,
    pub(super) kind: &'static str,
    pub(super) of: String,
    pub(super) list: bool,
    pub(super) print: Option<String>,
    /// Where the field's variable is declared by being printed.
    pub(super) binds: bool,
}

#[derive(Debug, Clone, Serialize)]
pub(super) struct ConstraintView {
    pub(super) rule: &'static str,
    pub(super) operands: Vec<OperandView>,
    /// The pointers to the kinds that its words name.
    pub(super) types: Vec<String>,
    pub(super) words: Vec<String>,
    pub(super) shown: String,
    pub(super) numbers: Vec<i64>,
    pub(super) when: Vec<String>,
    pub(super) message: Option<String>,
}

#[derive(Debug, Clone, Serialize)]
pub(super) struct OperandView {
    pub(super) name: String,
    /// How the value is read: `v->l_`.
    pub(super) read: String,
    /// How its type is read.
    pub(super) dtype: String,
}

#[derive(Debug, Serialize)]
pub(super) struct IntrinsicView {
    pub(super) name: String,
    pub(super) doc: Comment,
    pub(super) schema: String,
    /// Arguments, then attributes, as a builder takes them.
    pub(super) params: Vec<FieldView>,
    pub(super) args: Vec<FieldView>,
    pub(super) attributes: Vec<AttributeView>,
    /// The list that takes all further arguments.
    pub(super) rest: Option<String>,
    pub(super) count: usize,
    pub(super) rule: String,
    pub(super) operator: Option<String>,
    pub(super) builder: Option<String>,
    pub(super) constraints: Vec<ConstraintView>,
}

#[derive(Debug, Serialize)]
pub(super) struct AttributeView {
    pub(super) name: String,
    pub(super) parameter: String,
    pub(super) key: String,
    pub(super) cpp: String,
    pub(super) default: Option<String>,
}

impl IrView {
    /// Whether there is a node or an intrinsic of the name.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.classes.iter().chain(&self.stmts).any(|node| node.name == name)
            || self.intrinsics.iter().any(|intrinsic| intrinsic.name == name)
    }
}

/// Numbers all pieces of a form, from 1.
fn numbered(mut pieces: Vec<PieceView>) -> Vec<PieceView> {
    fn count(pieces: &mut [PieceView], last: &mut usize) {
        for piece in pieces {
            *last += 1;
            piece.number = *last;
            count(&mut piece.pieces, last);
        }
    }
    count(&mut pieces, &mut 0);
    pieces
}
