//! Names of fields that would hide, as parameters, what constructors and builders use.
//!
//! Invariant: nothing is changed here. Variables of generated functions begin with an underscore,
//! so that no field has their names.

use crate::codes as own;
use crate::model::{Ir, Node, Param};
use crate::records::Sort;
use crate::types::SchemaTypeKind;
use torchgen_base::diag::{Diagnostic, Diagnostics};

/// Reports each field with such a name.
pub(super) fn hidden(ir: &Ir, diagnostics: &mut Diagnostics) {
    for node in ir.structs.iter().chain(&ir.exprs).chain(&ir.stmts).chain(&ir.intrinsics) {
        let used = used(ir, node);
        for (at, param) in node.params.iter().enumerate() {
            let typed = node.params[at + 1..].iter().find(|after| spelled(ir, after).contains(&param.name));
            let message = match typed {
                Some(after) => format!("`{}` is a name in the type of `{}`, which follows", param.name, after.name),
                None if used.contains(&param.name) => {
                    format!("`{}` is a name that the generated code of `{}` uses", param.name, node.name)
                }
                None => continue,
            };
            let error = Diagnostic::new(&own::BAD_NODE_NAME, message).at(param.span);
            diagnostics.push(error.help(format!("call it `{}_value`, for example", param.name)));
        }
    }
}

/// What the bodies of the constructor and of the builder use without a qualification.
fn used(ir: &Ir, node: &Node) -> Vec<String> {
    let mut used = match node.sort {
        Sort::Struct => return Vec::new(),
        Sort::Expr | Sort::Base => {
            vec!["make_expr".to_owned(), format!("{}{}", node.name, ir.naming.expr_suffix)]
        }
        Sort::Stmt => vec![
            "make_stmt".to_owned(),
            "emit".to_owned(),
            format!("make_{}_unattached", node.builder.as_deref().unwrap_or_default()),
            format!("{}{}", node.name, ir.naming.stmt_suffix),
        ],
        Sort::Intrinsic => {
            let call = ir.exprs.iter().find(|node| node.role == Some("intrin_call"));
            let class = call.map(|call| format!("{}{}", call.name, ir.naming.expr_suffix));
            ["make_expr", "expr", "any_map_t"].into_iter().map(str::to_owned).chain(class).collect()
        }
    };
    let has = |kind: &SchemaTypeKind| node.params.iter().any(|param| param.ty.kind == *kind);
    let own = [
        (SchemaTypeKind::Stmt, "vector_remove_const"),
        (SchemaTypeKind::Attrs, "any_map_t"),
        (SchemaTypeKind::Expr, "dense_strides"),
    ];
    used.extend(own.iter().filter(|(kind, _)| has(kind)).map(|(_, name)| (*name).to_owned()));
    let rule = node.rule.as_ref().filter(|_| node.sort != Sort::Intrinsic);
    used.extend(rule.map(|rule| words(&rule.cpp(&|_: &str| "dtype_of()".to_owned()))).unwrap_or_default());
    used
}

/// The words of a parameter's declarations and defaults.
fn spelled(ir: &Ir, param: &Param) -> Vec<String> {
    let user = |name: &str| {
        let found = ir.types.iter().find(|ty| ty.name.as_str() == name);
        found.map_or_else(|| name.to_owned(), |ty| ty.ty.storage.clone())
    };
    let mut texts = vec![param.ty.param(user), param.ty.builder(user)];
    if let Some(default) = &param.default {
        texts.extend([param.ty.default(default, user), param.ty.builder_default(default, user)]);
    }
    texts.iter().flat_map(|text| words(text)).collect()
}

/// The words of C++ that are looked up as they are: neither what qualifies nor what is qualified.
fn words(text: &str) -> Vec<String> {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut found = Vec::new();
    let mut rest = text;
    let mut qualified = false;
    while let Some(first) = rest.chars().next() {
        if is_word(first) {
            let (word, after) = rest.split_at(rest.find(|c: char| !is_word(c)).unwrap_or(rest.len()));
            if !qualified && !after.starts_with("::") {
                found.push(word.to_owned());
            }
            (rest, qualified) = (after, false);
        } else if let Some(after) = rest.strip_prefix("::") {
            (rest, qualified) = (after, true);
        } else {
            (rest, qualified) = (&rest[first.len_utf8()..], false);
        }
    }
    found
}
