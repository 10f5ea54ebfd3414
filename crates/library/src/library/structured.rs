//! Structured kernels of a library that share a name.
//!
//! Invariant: every structured kernel is a struct of its own, so that headers compile.

use std::collections::HashMap;

use torchgen_base::diag::Diagnostic;
use torchgen_generators::Context;
use torchgen_model::codes;
use torchgen_model::model::NativeFunction;

/// Reports operators whose structured kernels have one name: each would define the struct.
pub(crate) fn shared_kernels(ctx: &Context) -> Vec<Diagnostic> {
    let mut first: HashMap<(&str, &str), &NativeFunction> = HashMap::new();
    let mut errors = Vec::new();
    let structured = ctx.functions.iter().filter(|f| f.structured);
    for (f, index) in structured.flat_map(|f| ctx.indices.iter().map(move |index| (f, index))) {
        let Some(kernel) = index.get_kernel(f).filter(|kernel| kernel.structured) else { continue };
        let other = *first.entry((&kernel.cpp_namespace, &kernel.kernel)).or_insert(f);
        // One operator may have one kernel for several keys.
        if std::ptr::eq(other, f) {
            continue;
        }
        let message =
            format!("`{}` and `{}` have the same structured kernel `{}`", other.func.name, f.func.name, kernel.kernel);
        errors.push(
            Diagnostic::new(&codes::SHARED_STRUCTURED_KERNEL, message)
                .at(f.spans.dispatch.unwrap_or(f.spans.name))
                .also(other.spans.dispatch.unwrap_or(other.spans.name), "the other operator's")
                .help("each has a meta function of its own, so give each a kernel of its own, which may call a common function"),
        );
    }
    errors
}
