//! Finds the operators that deprecated signatures call, by the types of the arguments.
//!
//! Invariant: a match takes the arguments of the call in its own order, and returns what the
//! signature returns. Rule: tools/autograd/gen_python_functions.py, `load_deprecated_signatures`.

use rustc_hash::FxHashMap;

use crate::codes;
use crate::model::deprecated::{DeprecatedSignature, constant_type};
use crate::model::{Argument, FunctionSchema, NativeFunction, Type};
use torchgen_base::diag::{Diagnostic, Diagnostics};

/// Every signature with each operator that it can call, in the order of the signatures.
///
/// `functions` are the candidates. A signature without a match is reported.
pub fn match_deprecated<'a>(
    signatures: &'a [DeprecatedSignature],
    functions: &[&'a NativeFunction],
    diagnostics: &mut Diagnostics,
) -> Vec<(&'a DeprecatedSignature, &'a NativeFunction)> {
    let mut by_name: FxHashMap<String, Vec<&NativeFunction>> = FxHashMap::default();
    for f in functions {
        by_name.entry(f.func.name.name.to_string()).or_default().push(f);
    }
    let mut matches = Vec::new();
    for signature in signatures {
        let named = by_name.get(&signature.operator).map_or(&[][..], Vec::as_slice);
        let before = matches.len();
        matches.extend(named.iter().filter(|f| takes(&f.func, signature)).map(|f| (signature, *f)));
        if matches.len() == before {
            diagnostics.push(no_match(signature, named));
        }
    }
    matches
}

/// Whether the operator accepts the arguments of the call. Its other arguments must have a default.
fn takes(func: &FunctionSchema, signature: &DeprecatedSignature) -> bool {
    let arguments: Vec<&Argument> = if signature.calls_out {
        func.arguments.out.iter().chain(func.arguments.flat_non_out()).collect()
    } else {
        func.arguments.flat_all().collect()
    };
    let fits = |(i, argument): (usize, &&Argument)| match signature.call.get(i) {
        Some(value) => passes(value, argument, signature),
        None => argument.default.is_some(),
    };
    arguments.iter().enumerate().all(fits) && func.returns == signature.schema.returns
}

fn passes(value: &str, argument: &Argument, signature: &DeprecatedSignature) -> bool {
    let is = |ty: &Type| *ty == argument.ty;
    match constant_type(value) {
        Some(ty) => is(&ty) && argument.annotation.is_none(),
        None => signature
            .schema
            .arguments
            .flat_all()
            .find(|own| own.name == value)
            .is_some_and(|own| is(&own.ty) && own.annotation == argument.annotation),
    }
}

fn no_match(signature: &DeprecatedSignature, named: &[&NativeFunction]) -> Diagnostic {
    let message = format!("no overload of `{}` with Python bindings takes this call", signature.operator);
    let diagnostic =
        Diagnostic::new(&codes::DEPRECATED_NO_MATCH, message).at(signature.call_span).also(signature.spans.whole, "");
    named.iter().fold(diagnostic, |diagnostic, f| diagnostic.note(format!("an existing overload is `{}`", f.func)))
}
