//! The names of parameters of constructors and builders.
//!
//! Invariant: a parameter has the name of its field, unless what a signature or a body writes
//! would then be the parameter. Variables of bodies begin with an underscore, so that no field has
//! their names, and what an IR declares is always qualified.

use super::super::model::{Node, Param};
use super::super::records::Sort;
use super::super::types::SchemaTypeKind;
use super::make::Maker;

impl Maker<'_> {
    /// The names of a node's parameters, in their order.
    pub(super) fn parameters(&self, node: &Node) -> Vec<String> {
        let mut taken = used(node);
        taken.extend(node.params.iter().flat_map(|param| self.words_of(param)));
        let fields: Vec<&str> = node.params.iter().map(|param| param.name.as_str()).collect();
        let free = |name: &str| {
            let mut free = name.to_owned();
            while taken.contains(&free) || (free != name && fields.contains(&free.as_str())) {
                free.push_str("_value");
            }
            free
        };
        fields.iter().map(|name| free(name)).collect()
    }

    /// The words of a parameter's declarations and defaults.
    fn words_of(&self, param: &Param) -> Vec<String> {
        let spelled = |name: &str| self.spelled(name);
        let mut texts = vec![param.ty.param(spelled), param.ty.builder(spelled)];
        if let Some(default) = &param.default {
            texts.extend([param.ty.default(default, spelled), param.ty.builder_default(default, spelled)]);
        }
        texts.iter().flat_map(|text| words(text)).collect()
    }
}

/// What the bodies of the constructor and of the builder use without a qualification.
fn used(node: &Node) -> Vec<String> {
    let mut used: Vec<String> = match node.sort {
        Sort::Struct => return Vec::new(),
        Sort::Expr | Sort::Base => vec!["make_expr".to_owned()],
        Sort::Stmt => {
            let made = format!("make_{}_unattached", node.builder.as_deref().unwrap_or_default());
            vec!["make_stmt".to_owned(), "emit".to_owned(), made]
        }
        Sort::Intrinsic => ["make_expr", "expr", "any_map_t"].map(str::to_owned).to_vec(),
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
