//! The IR: every name is resolved, and every rule is parsed.
//!
//! Invariant: if `build` and `check` report no error, fields, bases and rules are consistent, so
//! that the generated C++ compiles. The spelling in C++ is in `view`.

mod build;
mod node;
mod place;

pub(crate) use build::build;

use super::dtype_rule::Rule;
use super::print_form::Piece;
use super::records::Sort;
use super::types::{FieldType, Many, SchemaTypeKind};
use torchgen_base::diag::Span;
use torchgen_kit::ir::{EnumRecord, Traits, TypeRecord};
use torchgen_kit::schema::Default;

/// An IR.
#[derive(Debug)]
pub(crate) struct Ir {
    pub namespace: String,
    /// The version of trees that are written.
    pub(crate) version: u32,
    pub(crate) naming: Naming,
    pub(crate) traits: Traits,
    pub(crate) enums: Vec<EnumRecord>,
    pub(crate) types: Vec<TypeRecord>,
    /// The headers of those types and of mix-ins, as `#include` takes them.
    pub(crate) includes: Vec<String>,
    /// The names of nodes with errors, which others may name.
    pub(crate) rejected: Vec<String>,
    pub(crate) structs: Vec<Node>,
    pub(crate) attributes: Vec<(String, String)>,
    pub(crate) layouts: Vec<(String, Vec<&'static str>)>,
    pub(crate) function_doc: Option<String>,
    pub(crate) function_print: Option<Vec<Piece>>,
    pub(crate) module_doc: Option<String>,
    /// Expressions and bases.
    pub(crate) exprs: Vec<Node>,
    pub(crate) stmts: Vec<Node>,
    pub(crate) intrinsics: Vec<Node>,
}

/// How names are spelled.
#[derive(Debug)]
pub(crate) struct Naming {
    pub(crate) field_suffix: String,
    pub(crate) expr_suffix: String,
    pub(crate) stmt_suffix: String,
    pub(crate) macro_prefix: String,
}

/// A node, a base, a record or an intrinsic.
#[derive(Debug)]
pub(crate) struct Node {
    pub(crate) sort: Sort,
    pub name: String,
    pub span: Span,
    pub schema: String,
    pub(crate) doc: Option<String>,
    pub(crate) params: Vec<Param>,
    /// The base that it extends, as a place in `exprs`.
    pub base: Option<usize>,
    /// The rule for its type, its own or its base's.
    pub(crate) rule: Option<Rule>,
    /// Whether the rule is its own.
    pub(crate) own_rule: bool,
    pub operator: Option<String>,
    pub(crate) commutative: bool,
    pub(crate) identity: bool,
    pub(crate) print: Option<Vec<Piece>>,
    /// The same as written.
    pub(crate) form: Option<String>,
    pub(crate) declare: Option<Vec<Piece>>,
    pub(crate) builder: Option<String>,
    pub(crate) role: Option<&'static str>,
    pub(crate) constraints: Vec<Constraint>,
    /// The places of the children in the order of visits.
    pub(crate) visits: Vec<usize>,
    pub scope: Scope,
    pub(crate) comments: bool,
    /// The mix-ins that it has, and their class templates.
    pub(crate) traits: Vec<String>,
    pub(crate) mix_ins: Vec<String>,
}

/// A constraint of a node.
#[derive(Debug)]
pub(crate) struct Constraint {
    /// Its name.
    pub name: &'static str,
    /// The fields, as places in the node's parameters; `None` is the type of the node itself.
    pub(crate) fields: Vec<Option<usize>>,
    /// Types, categories, kinds or keys.
    pub(crate) words: Vec<Word>,
    /// Numbers.
    pub(crate) numbers: Vec<i64>,
    /// The fields and values under which it is checked at all.
    pub when: Vec<(usize, Word)>,
    /// What it says instead of its usual message.
    pub message: Option<String>,
}

/// A word of a constraint, with its place for what can be checked only when all nodes are known.
#[derive(Debug)]
pub(crate) struct Word {
    pub text: String,
    pub span: Span,
}

/// Where variables are known: places in `params`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, std::default::Default)]
pub(crate) struct Scope {
    pub(crate) block: Option<usize>,
    pub(crate) declares: Option<usize>,
    pub(crate) var: Option<usize>,
    pub(crate) body: Option<usize>,
}

/// A parameter of the constructor, which is a field too unless the type of the node says it.
#[derive(Debug, Clone)]
pub(crate) struct Param {
    pub name: String,
    pub ty: FieldType,
    /// The type as the schema writes it.
    pub(crate) spelling: String,
    pub default: Option<Default>,
    pub(crate) doc: Option<String>,
    pub(crate) keyword_only: bool,
    pub span: Span,
    /// Whether the base declares it.
    pub(crate) inherited: bool,
    pub(crate) carried: Carried,
}

/// What of a node's type says the value of a parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Carried {
    /// Nothing: it is a field.
    No,
    /// The type.
    Dtype,
    /// Its lanes.
    Lanes,
}

impl Ir {
    /// Whether there is a builder of values within a range, which calls those of two intrinsics.
    pub(crate) fn has_clip(&self) -> bool {
        let of_two = |name: &str| {
            self.intrinsics.iter().any(|one| {
                let is_operand = |param: &Param| param.ty.kind == SchemaTypeKind::Expr && param.ty.many == Many::One;
                let operands = one.params.len() == 2 && one.params.iter().all(is_operand);
                one.name == name && operands && one.builder.as_deref() == Some(name)
            })
        };
        self.exprs.iter().any(|node| node.role == Some("intrin_call")) && of_two("min") && of_two("max")
    }
}

impl Node {
    /// Names and types of the parameters.
    pub(crate) fn fields(&self) -> Vec<(String, FieldType)> {
        self.params.iter().map(|param| (param.name.clone(), param.ty.clone())).collect()
    }

    /// Whether its children are two expressions, both of which are always there or not in the same
    /// way.
    pub(crate) fn is_binary(&self) -> bool {
        let child = |at: &usize| &self.params[*at].ty;
        let is_one = |ty: &FieldType| ty.kind == SchemaTypeKind::Expr && ty.many != Many::List;
        self.visits.len() == 2 && self.visits.iter().map(child).all(is_one)
    }

    fn place(&self, name: &str) -> Option<usize> {
        self.params.iter().position(|param| param.name == name)
    }
}
