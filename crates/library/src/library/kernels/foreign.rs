//! Types of the other ABI in the signatures of kernels.
//!
//! Invariant: signatures are compared without namespaces, so that a type of the other ABI looks
//! like the own one; here its namespace counts.

use super::sources::LocatedDefinition;
use super::wanted::WantedKernel;
use torchgen_base::diag::{Diagnostic, Span};
use torchgen_base::lang::cpp::{Definition, DefinitionForm, TokenKind, tokens};
use torchgen_model::codes;

/// The names in `c10` of what libtorch's C++ API has alone.
const OF_CPP_API: [&str; 12] = [
    "ArrayRef",
    "Device",
    "Dict",
    "Generator",
    "IntArrayRef",
    "List",
    "OptionalArrayRef",
    "Scalar",
    "Storage",
    "SymInt",
    "SymIntArrayRef",
    "string_view",
];

/// The error that types of a kernel are those of the other ABI, with the place of each.
pub(super) fn types(kernel: &WantedKernel, one: &LocatedDefinition) -> Option<Diagnostic> {
    let Definition { form, returns, parameters, parameter_ranges, range, .. } = &one.definition;
    if *form != DefinitionForm::Function {
        return None;
    }
    let is_stable = kernel.abi.is_stable();
    let place = |range: &std::ops::Range<usize>| Span::new(one.file, range.start, range.end);
    let mut found: Vec<(Span, String, String)> = Vec::new();
    if let Some(name) = foreign(returns, &one.usings, is_stable) {
        found.push((place(range), name, format!("return `{}`", kernel.returns)));
    }
    for ((parameter, range), own) in parameters.iter().zip(parameter_ranges).zip(&kernel.parameters) {
        if let Some(name) = foreign(parameter, &one.usings, is_stable) {
            found.push((place(range), name, format!("write `{own}`")));
        }
    }
    let (_, name, _) = found.first()?;
    let abi = if is_stable { "the stable ABI" } else { "libtorch's C++ API" };
    let message = format!("kernel `{}` has the type `{name}`, which is not of {abi}", kernel.full_name());
    let mut error = Diagnostic::new(&codes::OTHER_ABI, message);
    for (i, (span, _, help)) in found.into_iter().enumerate() {
        error = if i == 0 { error.at_with(span, help) } else { error.also(span, help) };
    }
    Some(match is_stable {
        true => error
            .help("`Tensor` of the generated headers is `torch::stable::Tensor`; docs/stable-abi-port.md has the rest")
            .help("or write `abi: unstable` in library.yaml, for a library on libtorch's C++ API"),
        false => error.help("or write `abi: stable` in library.yaml, for a library on the stable ABI"),
    })
}

/// The first type in a declaration that only the other ABI has.
fn foreign(declared: &str, usings: &[String], is_stable: bool) -> Option<String> {
    let tokens = tokens(declared);
    let word = |at: usize| tokens.get(at).map_or("", |token| &declared[token.range.clone()]);
    let is_name = |at: usize| tokens.get(at).is_some_and(|token| token.kind == TokenKind::Word);
    let mut at = 0;
    while at < tokens.len() {
        if !is_name(at) {
            at += 1;
            continue;
        }
        let mut end = at + 1;
        while word(end) == "::" && is_name(end + 1) {
            end += 2;
        }
        let path: String = (at..end).map(word).collect();
        // A word that another one precedes is a parameter's name.
        let is_foreign = match path.split_once("::") {
            Some((first, rest)) => of_other(first, rest, is_stable),
            None => path == "Tensor" && usings.iter().any(|using| gives_tensor(using, is_stable)),
        };
        if is_foreign {
            return Some(path);
        }
        at = end;
    }
    None
}

/// Whether a name is one of the other ABI.
fn of_other(first: &str, rest: &str, is_stable: bool) -> bool {
    let is_stable_name = first == "torch" && rest.starts_with("stable::");
    match is_stable {
        false => is_stable_name,
        true => match first {
            "at" => true,
            "torch" => !is_stable_name && !rest.starts_with("headeronly::"),
            "c10" => OF_CPP_API.contains(&rest),
            _ => false,
        },
    }
}

/// Whether a source says with this that `Tensor` is the other ABI's.
fn gives_tensor(using: &str, is_stable: bool) -> bool {
    let using = using.trim_start_matches("::");
    match is_stable {
        true => matches!(using, "at::Tensor" | "torch::Tensor" | "namespace at" | "namespace torch"),
        false => matches!(using, "torch::stable::Tensor" | "namespace torch::stable"),
    }
}
