//! Builders, helpers and operators as facts.
//!
//! Invariant: it repeats the signature literally.

use serde_json::json;

use super::model::{Callable, Model};
use super::signature::{Parameter, Signature};
use torchgen_base::diag::Sources;
use torchgen_base::yaml::Text;
use torchgen_kit::expr::Type;
use torchgen_kit::facts::{Facts, Own, Part, Place, Relation, Thing, own};

/// Mix-ins, builders, then helpers, then operators.
pub(super) fn facts(model: &Model, sources: &Sources) -> Facts {
    let builders = model.builders.iter().map(|callable| builder("builder", callable, sources));
    let helpers = model.helpers.iter().map(|callable| builder("helper", callable, sources));
    let operators = model
        .operators
        .iter()
        .map(|signature| Thing { parts: parts(signature), ..Thing::new("operator", &signature.name, Own::new()) });
    let things = model.traits.things(sources).chain(builders).chain(helpers).chain(operators).collect();
    Facts { namespace: Some(model.namespace.clone()), things }
}

fn builder(kind: &'static str, callable: &Callable, sources: &Sources) -> Thing {
    let (record, signature) = (&callable.record, &callable.signature);
    let code = callable.code.as_deref().or(record.body.as_ref().map(Text::as_str));
    let code = code.map(str::trim);
    let facts = json!({
        "registered": callable.names,
        "errors": callable.errors,
        "examples": record.examples.len(),
        "body": record.body.is_some(),
        "code": code,
        "traits": record.traits.iter().map(|name| name.as_str()).collect::<Vec<_>>(),
    });
    Thing {
        at: Place::from_span(record.schema.span(), sources),
        doc: record.doc.as_ref().map(ToString::to_string),
        schema: Some(record.schema.as_str().trim().to_owned()),
        parts: parts(signature),
        relations: callable.calls.iter().map(|to| Relation::new("calls", to)).collect(),
        ..Thing::new(kind, &signature.name, own(facts))
    }
}

fn parts(signature: &Signature) -> Vec<Part> {
    let of = |role: &'static str| {
        move |parameter: &Parameter| Part {
            default: parameter.default_text.clone(),
            cpp_name: (parameter.key != parameter.name).then(|| parameter.key.clone()),
            nullable: parameter.is_optional() || parameter.is_variadic(),
            ..Part::new(role, &parameter.name, &parameter.type_text)
        }
    };
    let result = |(ty, name): &(Type, Option<String>)| Part {
        role: "result".into(),
        name: name.clone(),
        ty: ty.to_string(),
        ..Part::default()
    };
    // A helper has its parameters in one list.
    let own = signature.parameters.iter().filter(|_| signature.inputs.is_empty() && signature.options.is_empty());
    let inputs = signature.inputs.iter().map(of("input")).chain(own.map(of("parameter")));
    let modules = signature.modules.iter().map(of("module"));
    let options = signature.options.iter().map(of("option"));
    inputs.chain(modules).chain(options).chain(signature.results.iter().map(result)).collect()
}
