//! The types of fields that an entry can have, and the names of members that are taken.
//!
//! Invariant: types and names of members that are accepted here compile.

use super::super::codes as own;
use super::super::names;
use super::super::records::Sort;
use super::super::types::{FieldType, Many, SchemaTypeKind};
use super::{Carried, Node};
use torchgen_base::diag::{Diagnostic, Diagnostics};

/// Why an entry cannot have a field of a type: the reason, and what to write instead.
pub(super) fn misplaced(sort: Sort, ty: &FieldType, keyword_only: bool) -> Option<(&'static str, &'static str)> {
    let list = ty.many == Many::List;
    match (sort, &ty.kind) {
        (Sort::Intrinsic, SchemaTypeKind::Expr | SchemaTypeKind::Index) if !keyword_only => None,
        (Sort::Intrinsic, _) if !keyword_only => {
            Some(("the argument of an intrinsic is an expression", "what is not an expression comes after a `*`"))
        }
        (Sort::Intrinsic, kind) => (!is_value(kind)).then_some((
            "what comes after the `*` of an intrinsic is kept as an attribute, which is a plain value",
            "make it an argument, before the `*`",
        )),
        (_, SchemaTypeKind::Index) => Some(("only intrinsics have arguments of the type `index`", "write `expr`")),
        (Sort::Struct, SchemaTypeKind::Node(_)) => {
            Some(("a record has no pointers to one kind of node", "write `expr` or `stmt`"))
        }
        (Sort::Struct, SchemaTypeKind::Struct(_)) => Some(("a record has no other records", "list their fields here")),
        (Sort::Struct, SchemaTypeKind::Attrs | SchemaTypeKind::Scalar) => {
            Some(("only nodes have such fields", "give it to the node"))
        }
        (Sort::Struct | Sort::Stmt | Sort::Base, SchemaTypeKind::Intrinsic | SchemaTypeKind::Scalar) => {
            Some(("only expressions have such fields", "give it to an expression"))
        }
        (_, SchemaTypeKind::Struct(_)) if !list => Some(("fields are lists of records", "append `[]` to the type")),
        (_, SchemaTypeKind::Scalar) if !list => Some(("a literal has a list of lanes", "write `scalar[]`")),
        _ => None,
    }
}

/// Whether values of the kind can be copied, compared and hashed by themselves.
fn is_value(kind: &SchemaTypeKind) -> bool {
    matches!(
        kind,
        SchemaTypeKind::Dtype
            | SchemaTypeKind::Str
            | SchemaTypeKind::Int
            | SchemaTypeKind::Int64
            | SchemaTypeKind::Float
            | SchemaTypeKind::Bool
            | SchemaTypeKind::Enum(_)
            | SchemaTypeKind::User(_)
    )
}

/// The members that all nodes have.
const MEMBERS: &[&str] = &[
    "attr_",
    "temp_data_",
    "dtype_",
    "node_type_",
    "type_code_",
    "attr",
    "temp_data",
    "get_temp_data",
    "to_string",
    "remake",
    "equals",
    "hash_into",
    "dtype_by_rule",
    "node_ptr_from_this",
    "shared_from_this",
    "weak_from_this",
];

/// Reports fields whose member has the name of the class, or hides one that all nodes have. A
/// struct has no other members.
pub(super) fn members(node: &Node, suffix: &str, diagnostics: &mut Diagnostics) {
    let is_struct = node.sort == Sort::Struct;
    let class = if is_struct { node.name.clone() } else { format!("{}_c", node.name) };
    for param in node.params.iter().filter(|param| param.carried == Carried::No) {
        let member = format!("{}{suffix}", param.name);
        let hides = !is_struct && MEMBERS.contains(&member.as_str());
        let taken = names::taken(&member);
        if hides || member == class || taken.is_some() {
            let message = match (hides, taken) {
                (true, _) => format!("the field `{}` would hide `{member}`, which all nodes have", param.name),
                (_, Some(what)) => format!("the field `{}` would be called `{member}`, which is {what}", param.name),
                _ => format!("the field `{}` would be called `{member}`, as its class is", param.name),
            };
            let error = Diagnostic::new(&own::BAD_NODE_NAME, message).at(param.span);
            diagnostics.push(error.help(format!("call it `own_{}`, for example", param.name)));
        }
    }
}
