//! The functions of the graph API, and operators with the decision about each, as facts.
//!
//! Invariant: the rows are those of the report with `--all`. Parts have the roles that those of
//! PyTorch's own operators have.

use serde_json::json;

use super::explain::Explanation;
use super::model::functions::{Function, Parameter};
use torchgen_base::diag::Sources;
use torchgen_kit::facts::{Facts, Own, Part, Place, Relation, Thing, own};
use torchgen_model::parse::schema;

/// The functions of the graph API, then all operators, in the order of the report.
pub(super) fn facts(functions: &[Function], all: Vec<Explanation>, sources: &Sources) -> Facts {
    let named = |at: usize| functions[..at].iter().any(|other| other.name == functions[at].name);
    let functions = functions.iter().enumerate().map(|(at, one)| function(one, named(at), sources));
    let operators = all.into_iter().map(|one| operator(one, sources));
    Facts { namespace: None, things: functions.chain(operators).collect() }
}

/// A function of the graph API. One whose name another has too has its types in its name.
fn function(function: &Function, is_named: bool, sources: &Sources) -> Thing {
    let text = &function.text;
    let parameter = |parameter: &Parameter| Part::new("parameter", &parameter.name, parameter.taken.schema_type());
    let result = |name: &Option<String>| Part {
        role: "result".into(),
        name: name.clone(),
        ty: "Tensor".to_owned(),
        ..Part::default()
    };
    let types: Vec<&str> = function.parameters.iter().map(|parameter| parameter.taken.schema_type()).collect();
    let name = if is_named { format!("{}({})", function.name, types.join(", ")) } else { function.name.clone() };
    Thing {
        at: Place::from_span(text.span(), sources),
        doc: function.doc.clone(),
        schema: Some(text.as_str().trim().to_owned()),
        parts: function.parameters.iter().map(parameter).chain(function.results.iter().map(result)).collect(),
        ..Thing::new("function", name, Own::new())
    }
}

/// The arguments and the results of a schema.
fn parts(schema: &str) -> Vec<Part> {
    let Ok((_, located)) = schema::of_any_torch(schema) else { return Vec::new() };
    let schema = located.schema;
    let arguments = schema.arguments.by_role().map(|(role, argument)| Part {
        alias: argument.annotation.as_ref().map(ToString::to_string),
        default: argument.default.clone(),
        nullable: argument.ty.is_nullable(),
        ..Part::new(role, argument.schema_name(), argument.ty.to_string())
    });
    let results = schema.returns.iter().map(|result| Part {
        role: "return".into(),
        name: result.name.clone(),
        ty: result.ty.to_string(),
        alias: result.annotation.as_ref().map(ToString::to_string),
        nullable: result.ty.is_nullable(),
        ..Part::default()
    });
    arguments.chain(results).collect()
}

fn operator(explanation: Explanation, sources: &Sources) -> Thing {
    let Explanation { row, call, arguments, results, shape, conditions, lossy, ignored, at } = explanation;
    let name = if row.overload.is_empty() { row.op.clone() } else { format!("{}.{}", row.op, row.overload) };
    let facts = json!({
        "required": row.required,
        "decision": row.decision,
        "template": row.template,
        "reason": row.reason,
        "detail": row.detail,
        "hint": row.hint,
        "arguments": arguments,
        "results": results,
        "shape": shape,
        "conditions": conditions,
        "lossy": lossy,
        "ignored": ignored,
    });
    let calls = (!call.is_empty()).then(|| Relation::new("calls", call.split('(').next().unwrap_or_default()));
    Thing {
        at: at.and_then(|at| Place::from_span(at, sources)),
        parts: parts(&row.schema),
        schema: Some(row.schema),
        relations: calls.into_iter().collect(),
        ..Thing::new("operator", name, own(facts))
    }
}
