//! Forms groups of variants and checks the rules for them.
//!
//! Invariant: a returned group has passed every check, or a diagnostic shows which it failed. View
//! groups are in [`view`](super::view). Rule: torchgen/gen.py, `get_grouped_native_functions`;
//! torchgen/model.py, `NativeFunctionsGroup`.

use std::collections::BTreeSet;

use super::pre_group::{PreGroup, PreGroups, pre_group};
use super::{Grouped, NativeFunctionsGroup};
use crate::codes;
use crate::model::Target;
use crate::model::{NativeFunction, OperatorName, SchemaKind};
use torchgen_base::diag::{Diagnostic, Diagnostics, Help, Span};

/// Groups operators by signature, in order of each signature's first appearance.
///
/// `functions` also contains the generated variants (`variants::add_generated` has run).
pub fn group<'a>(functions: &'a [NativeFunction], target: Target, diagnostics: &mut Diagnostics) -> Vec<Grouped<'a>> {
    // Duplicate kinds were already reported when variants were generated.
    let mut already_reported = Diagnostics::default();
    formed(&pre_group(functions, target, &mut already_reported), functions, target, diagnostics)
}

/// Groups operators that are not exactly those of a file, in the same order. Two of one kind are an
/// error here too.
pub fn group_any<'a>(
    functions: &'a [NativeFunction],
    target: Target,
    diagnostics: &mut Diagnostics,
) -> Vec<Grouped<'a>> {
    formed(&pre_group(functions, target, diagnostics), functions, target, diagnostics)
}

fn formed<'a>(
    pre_groups: &PreGroups<'_>,
    functions: &'a [NativeFunction],
    target: Target,
    diagnostics: &mut Diagnostics,
) -> Vec<Grouped<'a>> {
    let mut grouped = Vec::with_capacity(functions.len());
    for group in pre_groups.values() {
        match form(group, functions, target, diagnostics) {
            Some(g) => {
                check_group(&g, diagnostics);
                grouped.push(Grouped::Group(g));
            }
            None => {
                for f in group.indices().map(|i| &functions[i]) {
                    if let Some(delegate) = &f.structured_delegate {
                        diagnostics.extend(stranger(f, delegate, functions, target));
                    }
                    grouped.push(Grouped::Function(f));
                }
            }
        }
    }
    grouped
}

/// The group of these operators, if they have both a functional and an out variant.
fn form<'a>(
    group: &PreGroup,
    functions: &'a [NativeFunction],
    target: Target,
    diagnostics: &mut Diagnostics,
) -> Option<NativeFunctionsGroup<'a>> {
    if group.len() == 1 {
        return None;
    }
    let get = |kind| group.get(kind).map(|i: usize| &functions[i]);
    let first = group.indices().next().map(|i| &functions[i])?;
    if let Some(scratch) = get(SchemaKind::Scratch) {
        diagnostics.push(
            Diagnostic::new(
                &codes::UNGROUPABLE_VARIANT,
                format!(
                    "`{}` has scratch arguments and cannot be grouped with `{}`",
                    scratch.func.name, first.func.name
                ),
            )
            .at(scratch.spans.name),
        );
        return None;
    }
    let Some(functional) = get(SchemaKind::Functional) else {
        if target.groups_are_complete {
            diagnostics.push(
                Diagnostic::new(
                    &codes::NO_FUNCTIONAL_VARIANT,
                    format!("`{}` has no functional variant", first.func.name.name.base),
                )
                .at(first.spans.name)
                .help("add the functional variant, or `autogen:` so that it is generated"),
            );
        }
        return None;
    };
    let out = get(SchemaKind::Out)?;
    Some(NativeFunctionsGroup { functional, inplace: get(SchemaKind::Inplace), mutable: get(SchemaKind::Mutable), out })
}

/// An operator outside its delegate's group, so no kernel is generated for it.
///
/// The reference silently generates ATen without that kernel; here this is a warning.
fn stranger(
    f: &NativeFunction,
    delegate: &OperatorName,
    functions: &[NativeFunction],
    target: Target,
) -> Option<Diagnostic> {
    let same_namespace = |other: &&NativeFunction| target.identity(other) == target.identity(f);
    let found = functions.iter().filter(same_namespace).find(|other| other.func.name == *delegate)?;
    let name = &f.func.name;
    let message = format!(
        "`{name}` does not have the signature of its delegate `{delegate}`, and therefore gets no kernel from it"
    );
    let diagnostic = Diagnostic::new(&codes::WRONG_DELEGATE, message).severity(target.severity_of_no_effect());
    let signatures = (f.func.signature(), found.func.signature());
    Some(
        diagnostic
            .at(f.spans.func)
            .also(found.spans.func, "the delegate")
            .note(format!("without mutability and out arguments, they are `{}` and `{}`", signatures.0, signatures.1))
            .help(
                "variants of one operator have the same returns, and arguments with the same names, types and defaults",
            ),
    )
}

/// The place of an error about how an operator is structured.
fn structured_span(f: &NativeFunction) -> Span {
    f.spans.structured.unwrap_or(f.spans.name)
}

fn check_group(g: &NativeFunctionsGroup, diagnostics: &mut Diagnostics) {
    for f in g.functions() {
        if f.part_of_structured_group() != g.structured() {
            diagnostics.push(mixed_structure(g, f));
        }
        if f.namespace != g.functional.namespace {
            diagnostics.push(
                Diagnostic::new(
                    &codes::MIXED_NAMESPACES,
                    format!(
                        "`{}` and `{}` are variants of one operator in different namespaces",
                        g.functional.func.name, f.func.name
                    ),
                )
                .at_with(f.spans.name, format!("in namespace `{}`", f.namespace))
                .also(g.functional.spans.name, format!("in namespace `{}`", g.functional.namespace)),
            );
        }
    }
    if g.mutable.is_some() && !g.functional.func.name.name.functional_overload {
        let name = &g.functional.func.name;
        diagnostics.push(
            Diagnostic::new(
                &codes::FUNCTIONAL_SUFFIX_MISSING,
                format!(
                    "`{name}` is the functional variant of a mutable operator, so its name must end in `_functional`"
                ),
            )
            .at(g.functional.spans.name)
            .help("a mutable and a functional operator of the same name cannot be distinguished by their arguments"),
        );
    }
    if g.structured() {
        check_structured(g, diagnostics);
    }
    check_autogen(g, diagnostics);
}

/// A help that makes an operator structured, unless it delegates.
pub(super) fn made_structured(f: &NativeFunction, text: String) -> Help {
    match f.structured_delegate {
        Some(_) => text.into(),
        None => f.spans.with_key(text, "structured: True"),
    }
}

fn mixed_structure(g: &NativeFunctionsGroup, f: &NativeFunction) -> Diagnostic {
    let (out, name) = (&g.out.func.name, &f.func.name);
    if g.structured() {
        Diagnostic::new(&codes::MIXED_STRUCTURE, format!("`{out}` is structured, but `{name}` does not delegate to it"))
            .at(f.spans.name)
            .also(structured_span(g.out), "structured here")
            .help(f.spans.with_key(
                format!("add `structured_delegate: {out}` to `{name}`"),
                format!("structured_delegate: {out}"),
            ))
    } else {
        Diagnostic::new(&codes::MIXED_STRUCTURE, format!("`{name}` is structured, but its out= variant `{out}` is not"))
            .at(structured_span(f))
            .also(g.out.spans.name, "the out= variant")
            .help(made_structured(g.out, format!("add `structured: True` to `{out}`")))
    }
}

fn check_structured(g: &NativeFunctionsGroup, diagnostics: &mut Diagnostics) {
    if g.out.has_composite_implicit_autograd_kernel || g.out.has_composite_implicit_autograd_nested_tensor_kernel {
        diagnostics.push(
            Diagnostic::new(
                &codes::STRUCTURED_COMPOSITE,
                format!("structured kernel `{}` cannot be CompositeImplicitAutograd", g.out.func.name),
            )
            .at(g.out.spans.dispatch.unwrap_or(g.out.spans.name)),
        );
    }
    for f in [Some(g.functional), g.inplace].into_iter().flatten() {
        match &f.structured_delegate {
            Some(delegate) if *delegate != g.out.func.name => diagnostics.push(
                Diagnostic::new(
                    &codes::WRONG_DELEGATE,
                    format!(
                        "`{}` delegates to `{delegate}`, but its out= variant is `{}`",
                        f.func.name, g.out.func.name
                    ),
                )
                .at(structured_span(f))
                .also(g.out.spans.name, "the out= variant with the same signature"),
            ),
            _ => {}
        }
    }
}

/// `autogen:` must name exactly the variants that are generated.
fn check_autogen(g: &NativeFunctionsGroup, diagnostics: &mut Diagnostics) {
    let mut generated: Vec<String> =
        g.functions().filter(|f| f.is_generated()).map(|f| f.func.name.to_string()).collect();
    generated.sort();
    let expected: BTreeSet<String> = g.functions().flat_map(|f| f.autogen.iter().map(ToString::to_string)).collect();
    if expected.iter().eq(generated.iter()) {
        return;
    }
    // The member that variants are generated from; its `autogen:` is the one that counts.
    let members = [g.mutable, g.inplace, Some(g.out), Some(g.functional)];
    let Some(base) = members.into_iter().flatten().find(|f| !f.is_generated()) else { return };
    let generated = generated.join(", ");
    let named = g.functions().find(|f| !f.autogen.is_empty());
    let diagnostic = match named {
        None => Diagnostic::new(
            &codes::AUTOGEN_MISMATCH,
            format!("`autogen:` of `{}` does not name these generated variants: {generated}", base.func.name),
        )
        .at(base.spans.name)
        .help(
            base.spans.with_key(format!("add `autogen: {generated}` to this entry"), format!("autogen: {generated}")),
        ),
        Some(f) if generated.is_empty() => Diagnostic::new(
            &codes::AUTOGEN_MISMATCH,
            format!("`autogen:` of `{}` names variants that are not generated", f.func.name),
        )
        .at(f.spans.autogen.unwrap_or(f.spans.name))
        .help({
            let help = Help::new("delete the key: these variants already exist, or cannot be generated");
            f.spans.autogen.map_or(help.clone(), |value| help.without("autogen", value))
        }),
        Some(f) => Diagnostic::new(
            &codes::AUTOGEN_MISMATCH,
            format!("`autogen:` of `{}` does not name the variants that are generated", f.func.name),
        )
        .at(f.spans.autogen.unwrap_or(f.spans.name))
        .help(Help::new(format!("write `autogen: {generated}`")).instead(generated.as_str())),
    };
    diagnostics.push(diagnostic);
}
