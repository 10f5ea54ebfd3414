//! Warns about kernels for all backends that use the memory of tensors, or mutate arguments that
//! the schema does not mark as mutable.
//!
//! Invariant: a kernel gets one warning of each kind and argument.

use std::ops::Range;

use super::misuse::{Misuse, name};
use super::sources::LocatedDefinition;
use super::wanted::WantedKernel;
use torchgen_base::diag::{Diagnostic, Span};
use torchgen_model::codes;

/// The warnings about a kernel and its definition, one of each kind and argument.
pub(super) fn lints(kernel: &WantedKernel, one: &LocatedDefinition) -> Vec<Diagnostic> {
    let Some(key) = kernel.key.filter(|key| key.as_str().starts_with("Composite")) else { return Vec::new() };
    let place = |range: &Range<usize>| Span::new(one.file, range.start, range.end);
    let mut found: Vec<Diagnostic> = Vec::new();
    let memory = one.misuses.iter().find_map(|misuse| match misuse {
        Misuse::Memory { method, range } => Some((method, range)),
        Misuse::Mutation { .. } => None,
    });
    if let Some((method, range)) = memory {
        let message = format!("`{}` is a kernel for all backends, and calls `{method}`", kernel.full_name());
        found.push(
            Diagnostic::new(&codes::COMPOSITE_MEMORY, message)
                .at_with(place(range), "tensors of compilers and other devices have no memory here")
                .also(kernel.span, format!("it is for {key}"))
                .help("name the kernel for the devices whose memory it uses: `CPU`")
                .help("or call operators, which work on all backends"),
        );
    }
    let mut reported: Vec<usize> = Vec::new();
    for misuse in &one.misuses {
        let Misuse::Mutation { parameter, function, range } = misuse else { continue };
        let Some(argument) = kernel.parameters.get(*parameter).map(|declared| name(declared)) else { continue };
        if kernel.mutated.iter().any(|own| own == argument) || reported.contains(parameter) {
            continue;
        }
        reported.push(*parameter);
        let message = format!("`{}` mutates `{argument}`, but its schema does not say so", kernel.full_name());
        found.push(
            Diagnostic::new(&codes::COMPOSITE_MUTATES, message)
                .at_with(place(range), format!("`{function}` mutates its tensor"))
                .also(kernel.span, format!("a kernel for {key}"))
                .help(format!("write `Tensor(a!) {argument}` in the schema, or mutate a copy of `{argument}`")),
        );
    }
    found
}
