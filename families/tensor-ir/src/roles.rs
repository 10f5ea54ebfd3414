//! The roles of nodes in the support library, such as the node for variables and the one for calls.
//!
//! Macros, builders with several forms and the rules of scopes need to know these nodes. A node has
//! the role with its own name if it has the fields of the role, or the role that `role:` sets.
//! Invariant: a node with a role has all fields of the role. The templates use the roles.

use super::types::{FieldType, Many, SchemaTypeKind};

/// A role and the fields that it needs.
pub(crate) struct Role {
    /// Its name.
    pub name: &'static str,
    /// Whether statements have it.
    pub(crate) is_stmt: bool,
    /// Fields and the types that they have.
    fields: &'static [(&'static str, Need)],
}

enum Need {
    Expr,
    ExprList,
    Stmt,
    StmtList,
    Indexing,
    Dtype,
    Str,
    Int,
    Bool,
    Callee,
    Func,
    Scalars,
    Attrs,
    Data,
    Intrinsic,
    Enum(&'static str),
    Records,
}

impl Need {
    fn fits(&self, ty: &FieldType) -> bool {
        let one = ty.many != Many::List;
        match (self, &ty.kind) {
            (Need::Expr, SchemaTypeKind::Expr)
            | (Need::Stmt, SchemaTypeKind::Stmt)
            | (Need::Indexing, SchemaTypeKind::Node(_))
            | (Need::Dtype, SchemaTypeKind::Dtype)
            | (Need::Str, SchemaTypeKind::Str)
            | (Need::Int, SchemaTypeKind::Int | SchemaTypeKind::Int64)
            | (Need::Bool, SchemaTypeKind::Bool)
            | (Need::Callee, SchemaTypeKind::Callee)
            | (Need::Func, SchemaTypeKind::Func)
            | (Need::Attrs, SchemaTypeKind::Attrs)
            | (Need::Data, SchemaTypeKind::Data)
            | (Need::Intrinsic, SchemaTypeKind::Intrinsic) => one,
            (Need::ExprList, SchemaTypeKind::Expr)
            | (Need::StmtList, SchemaTypeKind::Stmt)
            | (Need::Scalars, SchemaTypeKind::Scalar)
            | (Need::Records, SchemaTypeKind::Struct(_)) => !one,
            (Need::Enum(name), SchemaTypeKind::Enum(found)) => one && name == found,
            _ => false,
        }
    }
}

/// Every role.
pub(crate) const ROLES: &[Role] = &[
    Role { name: "constant", is_stmt: false, fields: &[("value", Need::Scalars), ("type", Need::Dtype)] },
    Role { name: "var", is_stmt: false, fields: &[("type", Need::Dtype), ("name", Need::Str)] },
    Role {
        name: "tensor",
        is_stmt: false,
        fields: &[
            ("elem_dtype", Need::Dtype),
            ("name", Need::Str),
            ("dims", Need::ExprList),
            ("address_space", Need::Enum("address_space")),
            ("init_value", Need::Data),
            ("strides", Need::ExprList),
        ],
    },
    Role {
        name: "indexing",
        is_stmt: false,
        fields: &[("ptr", Need::Expr), ("idx", Need::ExprList), ("lanes", Need::Int), ("mask", Need::Expr)],
    },
    Role {
        name: "tensorptr",
        is_stmt: false,
        fields: &[("base", Need::Indexing), ("shape", Need::ExprList), ("is_slice", Need::Bool)],
    },
    Role {
        name: "call",
        is_stmt: false,
        fields: &[("func", Need::Callee), ("args", Need::ExprList), ("para_attr", Need::Records)],
    },
    Role {
        name: "intrin_call",
        is_stmt: false,
        fields: &[("type", Need::Intrinsic), ("args", Need::ExprList), ("intrin_attrs", Need::Attrs)],
    },
    Role { name: "func_addr", is_stmt: false, fields: &[("func", Need::Func)] },
    Role {
        name: "low_level_intrin",
        is_stmt: false,
        fields: &[("kind", Need::Enum("low_level_intrin_kind")), ("type", Need::Int), ("args", Need::ExprList)],
    },
    Role { name: "assign", is_stmt: true, fields: &[("var", Need::Expr), ("value", Need::Expr)] },
    Role { name: "stmts", is_stmt: true, fields: &[("seq", Need::StmtList)] },
    Role {
        name: "if_else",
        is_stmt: true,
        fields: &[("condition", Need::Expr), ("then_case", Need::Stmt), ("else_case", Need::Stmt)],
    },
    Role { name: "evaluate", is_stmt: true, fields: &[("value", Need::Expr)] },
    Role { name: "returns", is_stmt: true, fields: &[("value", Need::Expr)] },
    Role {
        name: "define",
        is_stmt: true,
        fields: &[("var", Need::Expr), ("linkage", Need::Enum("linkage")), ("init", Need::Expr)],
    },
    Role {
        name: "for_loop",
        is_stmt: true,
        fields: &[
            ("var", Need::Expr),
            ("iter_begin", Need::Expr),
            ("iter_end", Need::Expr),
            ("step", Need::Expr),
            ("body", Need::Stmt),
            ("incremental", Need::Bool),
            ("kind", Need::Enum("for_type")),
            ("num_threads", Need::Int),
        ],
    },
];

impl Role {
    /// The first field that the role needs and the node lacks.
    pub(crate) fn lacks(&self, fields: &[(String, FieldType)]) -> Option<&'static str> {
        let there = |(name, need): &(&str, Need)| fields.iter().any(|(field, ty)| field == name && need.fits(ty));
        let missing = self.fields.iter().find(|field| !there(field)).map(|(name, _)| *name);
        // Constructors are called with the fields in the order of the role.
        missing.or_else(|| {
            let order: Vec<Option<usize>> =
                self.fields.iter().map(|(name, _)| fields.iter().position(|(field, _)| field == name)).collect();
            let sorted = order.is_sorted() && fields.len() == self.fields.len();
            (!sorted).then_some(self.fields[0].0)
        })
    }
}
