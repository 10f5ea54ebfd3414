//! Operators of a library that cannot be beside each other.
//!
//! Invariant: after this, each operator of a namespace has a name of its own, in the schema and in
//! C++, where the name and the overload are one word.

use std::collections::HashMap;

use torchgen_base::diag::{Diagnostic, Diagnostics, Span};
use torchgen_generators::inputs::Operators;
use torchgen_model::codes;
use torchgen_model::model::NativeFunction;
use torchgen_model::parse::entry::SchemaOnly;

/// Reports operators with the name of another one.
pub(crate) fn report(schema_only: &[SchemaOnly], libraries: &[(String, Operators)], diagnostics: &mut Diagnostics) {
    report_repeated(schema_only, libraries, diagnostics);
    for (_, operators) in libraries {
        let mut known: HashMap<String, &NativeFunction> = HashMap::new();
        for f in operators.functions.iter().filter(|f| !f.is_generated()) {
            let name = f.func.name.unambiguous_name();
            let Some(first) = known.insert(name.clone(), f).filter(|first| first.func.name != f.func.name) else {
                continue;
            };
            let message = format!("`{}` and `{}` are both called `{name}` in C++", first.func.name, f.func.name);
            diagnostics.push(
                Diagnostic::new(&codes::UNUSABLE_NAME, message)
                    .at(f.spans.name)
                    .also(first.spans.name, "the other one")
                    .help("rename one of the operators or overloads"),
            );
        }
    }
}

/// Reports operators that are registered by their schemas alone, but already exist.
fn report_repeated(schema_only: &[SchemaOnly], libraries: &[(String, Operators)], diagnostics: &mut Diagnostics) {
    let defined = libraries.iter().flat_map(|(_, operators)| &operators.functions);
    let mut known: HashMap<String, Span> = defined.map(|f| (f.full_name(), f.spans.name)).collect();
    for operator in schema_only {
        let name = format!("{}::{}", operator.namespace, operator.name);
        if let Some(first) = known.insert(name.clone(), operator.span) {
            diagnostics.push(
                Diagnostic::new(&codes::DUPLICATE_OPERATOR, format!("`{name}` is defined twice"))
                    .at_with(operator.span, "second one")
                    .also(first, "first one"),
            );
        }
    }
}
