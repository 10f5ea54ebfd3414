//! What the lists of a backend say about its kernels that PyTorch's operators contradict: gradients
//! that get lost, results that cannot be created, registrations without an effect.
//!
//! Invariant: the reference accepts all of it, so everything here is a warning.

use std::collections::HashMap;

use torchgen_base::diag::{Diagnostic, Diagnostics, Help, Span, did_you_mean};
use torchgen_base::lang::cpp::{Token, TokenKind, are_alternatives, tokens};
use torchgen_base::yaml::Text;
use torchgen_kit::driver::data::Tables;
use torchgen_model::codes;
use torchgen_model::group::{Grouped, groups};
use torchgen_model::model::composites::{Composites, Gradient};
use torchgen_model::model::{DispatchKey, NativeFunction, SchemaKind};
use torchgen_model::records::{BackendRecord, FileRecord};

use super::external::name_of;

/// The operators that the variants of structured kernels create their results with.
const CREATING: [&str; 2] = ["empty.memory_format", "empty_strided"];

/// Reports kernels below autograd of operators whose gradient comes from what PyTorch composes them
/// of. `is_served`: the backend has a derivative for the operator.
pub(super) fn lost_gradients<'f>(
    record: &BackendRecord,
    functions: impl Iterator<Item = &'f NativeFunction>,
    tables: &Tables,
    is_served: impl Fn(&NativeFunction) -> bool,
    diagnostics: &mut Diagnostics,
) {
    // Without a key of its own for autograd, a gradient is an error and not lost.
    if DispatchKey::parse(&format!("Autograd{}", record.backend)).is_none() {
        return;
    }
    let composites: &Composites = tables.get();
    let functions: HashMap<String, &NativeFunction> = functions.map(|f| (f.func.name.to_string(), f)).collect();
    let listed = || record.supported.iter().chain(&record.full_codegen);
    let has_kernel = |name: &str| {
        listed().any(|other| other.as_str() == name) || functions.get(name).is_some_and(|f| f.has_composite_kernel())
    };
    let mut seen: Vec<&str> = Vec::new();
    for name in listed() {
        let Some(f) = functions.get(name.as_str()).filter(|f| !is_served(f)) else { continue };
        if seen.contains(&name.as_str()) {
            continue;
        }
        seen.push(name);
        let (message, note) = match composites.gradient(f) {
            Gradient::None => continue,
            Gradient::OfParts => (
                format!("the kernel of `{name}` has no gradient"),
                format!(
                    "PyTorch composes `{name}` of other operators and differentiates those; with a kernel for {}, \
                     nothing does",
                    record.backend
                ),
            ),
            Gradient::Own(calls) => {
                let Some(called) = calls.iter().find(|called| !has_kernel(called)) else { continue };
                (
                    format!("the gradient of `{name}` needs `{called}`, and the backend has no kernel for it"),
                    format!(
                        "without a kernel for {}, PyTorch composes `{name}` of other operators and differentiates those",
                        record.backend
                    ),
                )
            }
        };
        let found = Diagnostic::new(&codes::BACKEND_GRADIENT_LOST, message).at(name.span()).note(note);
        let found = match f.is_view_op() {
            // A view that PyTorch composes cannot have a derivative here.
            true => found.help("write a kernel that is differentiable, and list it under `autograd:`"),
            false => found
                .help("write its derivative in the file that `derivatives:` names")
                .help("or write a kernel that is differentiable, and list it under `autograd:` instead"),
        };
        diagnostics.push(found.help("or delete it, if the kernels of the other operators are good enough"));
    }
}

/// The variants of a structured kernel create their results with operators of the backend.
pub(super) fn without_empty(record: &BackendRecord, diagnostics: &mut Diagnostics) {
    // A library beside the backend can have kernels for PyTorch's operators too.
    let first = record.kernels.iter().find(|kernel| kernel.structured).filter(|_| record.library.is_none());
    let Some(first) = first else { return };
    let texts = record.files.iter().flat_map(texts);
    let literals: Vec<&str> = texts.flat_map(|text| strings(text).map(|(name, _)| plain(name))).collect();
    let has = |name: &str| record.supported.iter().any(|listed| listed.as_str() == name) || literals.contains(&name);
    let missing: Vec<String> = CREATING.iter().filter(|name| !has(name)).map(|name| format!("`{name}`")).collect();
    if missing.is_empty() {
        return;
    }
    let missing = missing.join(" and ");
    let message = format!("the backend has no kernel for {missing}, which creates the results of `{}`", first.name);
    let message = if missing.contains(" and ") { message.replace("which creates", "which create") } else { message };
    let found = Diagnostic::new(&codes::STRUCTURED_WITHOUT_EMPTY, message).at(first.name.span());
    let help = format!("list {missing} under `supported`, or register a kernel of yours under `registrations:`");
    diagnostics.push(
        found
            .note("`sub`, for example, creates the tensor that the kernel of `sub.out` writes")
            .help(help)
            .help("or write `allow: [TG0718]`, if a source of the backend registers them"),
    );
}

/// The texts that a backend adds to a file.
fn texts(file: &FileRecord) -> impl Iterator<Item = &Text> {
    [&file.prologue, &file.registrations, &file.epilogue].into_iter().flatten()
}

/// Reports statements of `registrations:` for operators that do not exist, or that have a kernel
/// already.
pub(super) fn registrations(record: &BackendRecord, grouped: &[Grouped<'_>], diagnostics: &mut Diagnostics) {
    let known: Vec<String> = grouped.iter().flat_map(Grouped::functions).map(|f| f.func.name.to_string()).collect();
    let name = name_of(record);
    let below = format!("Register{name}.cpp");
    let autograd = format!("RegisterAutograd{name}.cpp");
    let generated: [(&str, Vec<(String, Span)>); 2] = [
        (&below, generated(record, grouped)),
        (&autograd, record.autograd.iter().map(|name| (name.to_string(), name.span())).collect()),
    ];
    let mut added: Vec<(&str, &Text, String, std::ops::Range<usize>)> = Vec::new();
    for file in &record.files {
        let Some(text) = &file.registrations else { continue };
        for (written, range) in implemented(text) {
            let operator = plain(written);
            let place = text.sub_span(range.clone());
            if !known.iter().any(|name| name == operator) {
                diagnostics.push(unknown(operator, &known, place));
                continue;
            }
            // The same text is added to each file of `*`.
            let files = generated.iter().filter(|(path, _)| [*path, "*"].contains(&file.name.as_str()));
            let listed = files.flat_map(|(_, names)| names).find(|(name, _)| name == operator);
            let again = added.iter().find(|(path, other, name, first)| {
                let alternatives = std::ptr::eq(*other, text) && are_alternatives(text, first.start, range.start);
                *path == file.name.as_str() && name == operator && !alternatives
            });
            let first = match (listed, again) {
                (Some((_, span)), _) => Some((*span, "the backend lists it here")),
                (None, Some((_, other, _, first))) => Some((other.sub_span(first.clone()), "the first registration")),
                (None, None) => None,
            };
            if let Some((first, label)) = first {
                let message = format!("`{operator}` has a kernel already, which this one replaces");
                let found = Diagnostic::new(&codes::BACKEND_REGISTRATION, message).at(place).also(first, label);
                diagnostics.push(found.help("delete one of them: the dispatcher keeps the one that comes last"));
                continue;
            }
            added.push((file.name.as_str(), text, operator.to_owned(), range));
        }
    }
}

fn unknown(operator: &str, known: &[String], place: Span) -> Diagnostic {
    let message = format!("this registers a kernel for `{operator}`, which PyTorch does not have");
    let found = Diagnostic::new(&codes::BACKEND_REGISTRATION, message).at(place);
    let overloads: Vec<&String> = known.iter().filter(|name| name.split('.').next() == Some(operator)).collect();
    let help = match overloads.as_slice() {
        [] => did_you_mean(operator, known.iter().map(String::as_str)).unwrap_or_else(own_operator),
        names => {
            let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
            format!("its overloads are {}", names.join(", ")).into()
        }
    };
    found.note("the dispatcher accepts it, and never calls it").help(help)
}

/// What to do with an operator that PyTorch does not have.
pub(super) fn own_operator() -> Help {
    "declare an operator of your own in an operator library, and name its directory under `library:`".into()
}

/// The operators that the file below autograd registers kernels for, and where they are listed.
fn generated(record: &BackendRecord, grouped: &[Grouped<'_>]) -> Vec<(String, Span)> {
    let listed: HashMap<&str, Span> =
        record.supported.iter().chain(&record.full_codegen).map(|name| (name.as_str(), name.span())).collect();
    let mut found: Vec<(String, Span)> = listed.iter().map(|(name, span)| ((*name).to_owned(), *span)).collect();
    for g in groups(grouped) {
        let place = |f: &NativeFunction| listed.get(f.func.name.to_string().as_str()).copied();
        let is_structured = |f: &NativeFunction| {
            record.kernels.iter().any(|kernel| kernel.structured && kernel.name.as_str() == f.func.name.to_string())
        };
        let all = place(g.out).filter(|_| is_structured(g.out));
        let from_functional = place(g.functional).filter(|_| !record.use_out_as_primary);
        for f in g.functions().filter(|f| place(f).is_none()) {
            let made = all.or(from_functional.filter(|_| f.func.kind() != SchemaKind::Functional));
            found.extend(made.map(|span| (f.func.name.to_string(), span)));
        }
    }
    found
}

/// The names that calls of `impl` register, and their places; not those for another dispatch key.
fn implemented(text: &str) -> Vec<(&str, std::ops::Range<usize>)> {
    let all = tokens(text);
    let word = |at: usize| all.get(at).map_or("", |token: &Token| &text[token.range.clone()]);
    let mut found = Vec::new();
    for at in 0..all.len() {
        if word(at) != "impl" || word(at + 1) != "(" || at == 0 || ![".", "->"].contains(&word(at - 1)) {
            continue;
        }
        // `m.impl(TORCH_SELECTIVE_NAME("neg"), …)`
        let name = if word(at + 3) == "(" { at + 4 } else { at + 2 };
        let rest = (at + 2..all.len()).take_while(|next| word(*next) != ";");
        let is_elsewhere = rest.into_iter().any(|next| word(next) == "DispatchKey" || word(next) == "dispatch");
        let literal = all.get(name).filter(|token| token.kind == TokenKind::Literal && !is_elsewhere);
        let Some(literal) = literal else { continue };
        if let Some(name) = inside(&text[literal.range.clone()]) {
            let start = literal.range.start + 1;
            found.push((name, start..start + name.len()));
        }
    }
    found
}

/// The string literals of a text.
fn strings(text: &str) -> impl Iterator<Item = (&str, std::ops::Range<usize>)> {
    tokens(text).into_iter().filter(|token| token.kind == TokenKind::Literal).filter_map(|token| {
        let name = inside(&text[token.range.clone()])?;
        Some((name, token.range))
    })
}

/// What an ordinary string literal has between its quotes.
fn inside(literal: &str) -> Option<&str> {
    literal.strip_prefix('"')?.strip_suffix('"').filter(|name| !name.contains('\\'))
}

/// A name without the namespace of PyTorch's operators.
fn plain(name: &str) -> &str {
    name.strip_prefix("aten::").unwrap_or(name)
}
