//! What people read about a builder.
//!
//! Invariant: it repeats the signature literally.

use serde::Serialize;

use super::model::Callable;
use super::names::class_name;
use super::signature::Parameter;
use torchgen_kit::comment::Comment;

/// A parameter.
#[derive(Debug, Serialize)]
struct ParameterDoc {
    name: String,
    /// The key in options.
    key: String,
    #[serde(rename = "type")]
    ty: String,
    /// For templates, where `type` would be a reserved word.
    #[serde(rename = "ty", skip_serializing_if = "String::is_empty")]
    shown: String,
    default: Option<String>,
    optional: bool,
}

/// A builder.
#[derive(Debug, Serialize)]
pub(super) struct BuilderDoc {
    title: String,
    anchor: String,
    summary: String,
    signature: String,
    /// Its names, if they differ from its own.
    aliases: Vec<String>,
    registered: Vec<String>,
    inputs: Vec<ParameterDoc>,
    modules: Vec<ParameterDoc>,
    options: Vec<ParameterDoc>,
    results: Vec<String>,
    calls: Vec<String>,
    errors: Vec<String>,
    path: String,
    struct_name: String,
    examples: usize,
    has_body: bool,
}

fn parameters(list: &[Parameter]) -> Vec<ParameterDoc> {
    let doc = |parameter: &Parameter| ParameterDoc {
        name: parameter.name.clone(),
        key: parameter.key.clone(),
        ty: parameter.type_text.clone(),
        shown: parameter.type_text.clone(),
        default: parameter.default_text.clone(),
        optional: parameter.is_optional() || parameter.is_variadic(),
    };
    list.iter().map(doc).collect()
}

/// The documentation of one builder.
pub(super) fn builder(callable: &Callable) -> BuilderDoc {
    let signature = &callable.signature;
    let own = callable.names.as_slice() == [signature.name.clone()];
    let result = |(ty, name): &(torchgen_kit::expr::Type, Option<String>)| match name {
        Some(name) => format!("{name} ({ty})"),
        None => ty.to_string(),
    };
    BuilderDoc {
        title: signature.name.clone(),
        anchor: signature.name.to_lowercase(),
        summary: Comment::from_optional_text(callable.record.doc.as_ref().map(|doc| doc.as_str())).line(),
        signature: callable.record.schema.as_str().trim().to_owned(),
        aliases: if own { Vec::new() } else { callable.names.clone() },
        registered: callable.names.clone(),
        inputs: parameters(&signature.inputs),
        modules: parameters(&signature.modules),
        options: parameters(&signature.options),
        results: signature.results.iter().map(result).collect(),
        calls: callable.calls.clone(),
        errors: callable.errors.clone(),
        path: callable.record.path.display().to_string(),
        struct_name: class_name(&signature.name),
        examples: callable.record.examples.len(),
        has_body: callable.record.body.is_some(),
    }
}
