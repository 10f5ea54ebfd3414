//! The rules between the keys of one entry.
//!
//! Invariant: every broken rule is reported, each at the key that breaks it. Rule:
//! torchgen/model.py, `NativeFunction.from_yaml` and `__post_init__`.

use super::EntryOptions;
use crate::codes;
use crate::model::native_function::DeviceCheckType;
use crate::model::rules::Rules;
use crate::model::{Argument, BackendMetadata, DispatchKey, Language, NativeFunction, SchemaKind, Type};
use crate::records::NativeFunctionRecord;
use torchgen_base::diag::{Diagnostic, Diagnostics, Help, Span, did_you_mean};
use torchgen_base::lang::is_qualified_identifier;

/// Checks all of them.
pub(super) fn check_entry_rules(
    f: &NativeFunction,
    record: &NativeFunctionRecord,
    kernels: &[(DispatchKey, BackendMetadata)],
    options: EntryOptions,
    diagnostics: &mut Diagnostics,
) {
    registration(f, record, diagnostics);
    bindings(f, record, options, diagnostics);
    structured(f, record, kernels, options, diagnostics);
    composites(f, kernels, diagnostics);
    devices(f, record, options, diagnostics);
    randomness(f, record, options, diagnostics);
    view_inverse(f, record, diagnostics);
    precomputed(f, record, options, diagnostics);
    if options.target.language == Language::C10 {
        stock(f, record, options, diagnostics);
        callable(f, record, diagnostics);
        namespaces(f, diagnostics);
    }
}

/// `precomputed:` must replace arguments. The reference ignores any other line, which is a warning
/// in ATen.
fn precomputed(
    f: &NativeFunction,
    record: &NativeFunctionRecord,
    options: EntryOptions,
    diagnostics: &mut Diagnostics,
) {
    let (Some(precomputed), Some(lines)) = (&f.precomputed, &record.precomputed) else { return };
    let known: Vec<&str> = f.func.arguments.flat_non_out().map(|argument| argument.name.as_str()).collect();
    for (replaced, line) in precomputed.replace.keys().zip(&lines.value) {
        if !known.contains(&replaced.as_str()) {
            let severity = options.target.severity_of_no_effect();
            let message = format!("`{replaced}` is not an argument of `{}`, so this line has no effect", f.func.name);
            let error = Diagnostic::new(&codes::BAD_PRECOMPUTED, message).severity(severity);
            let help = did_you_mean(replaced, known.iter().copied());
            diagnostics.push(error.at(line.sub_span(0..replaced.len())).maybe_help(help));
        }
    }
}

/// The dispatcher takes the backend from tensors, generators and tensor options: without them it
/// only calls kernels that are for all backends.
fn callable(f: &NativeFunction, record: &NativeFunctionRecord, diagnostics: &mut Diagnostics) {
    let arguments = &f.func.arguments;
    let selects = |a: &Argument| match &a.ty {
        Type::Dict(..) => false,
        ty => ty.is_tensor_like() || ty.is_generator_like(),
    };
    // What the library registers by itself is information.
    if f.registers_itself() || arguments.tensor_options.is_some() || arguments.flat_all().any(selects) {
        return;
    }
    let entries = record.dispatch.iter().flat_map(|table| &table.value);
    for (key, written) in entries.flat_map(|entry| entry.keys.iter().map(move |key| (key, entry))) {
        if !DispatchKey::parse(key.as_str()).is_some_and(DispatchKey::is_of_backend) {
            continue;
        }
        let kernel = written.kernel.as_str();
        let message =
            format!("the kernel for {key} is never called: `{}` has no argument to choose it by", f.func.name);
        diagnostics.push(
            Diagnostic::new(&codes::UNCALLABLE_KERNEL, message)
                .at(key.span())
                .note("a tensor, a list of tensors or a Generator chooses a backend, and so do tensor options")
                .help(
                    Help::new(format!("if one kernel serves all backends, write `CompositeExplicitAutograd: {kernel}`"))
                        .word(key.as_str(), "CompositeExplicitAutograd"),
                )
                .help("or add `*, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None`"),
        );
    }
}

/// PyTorch already has its own operators: a library can only give them kernels.
fn stock(f: &NativeFunction, record: &NativeFunctionRecord, options: EntryOptions, diagnostics: &mut Diagnostics) {
    if !options.target.is_stock(f) {
        return;
    }
    if record.dispatch.as_ref().is_none_or(|table| table.value.is_empty()) && record.structured_delegate.is_none() {
        diagnostics.push(
            Diagnostic::new(
                &codes::STOCK_OPERATOR,
                format!("`aten::{}` is an operator of PyTorch, and this entry has no kernel for it", f.func.name),
            )
            .at(f.spans.name)
            .help("name a kernel under `dispatch:`, or give an operator of your own a namespace"),
        );
    }
    for (key, span) in [
        ("autogen", record.autogen.as_ref().map(|text| text.span())),
        (
            "manual_kernel_registration",
            record.manual_kernel_registration.as_ref().filter(|flag| flag.value).map(|f| f.span),
        ),
    ] {
        let Some(span) = span else { continue };
        let message = format!("`{key}:` has no meaning for an operator of PyTorch");
        diagnostics.push(Diagnostic::new(&codes::STOCK_OPERATOR, message).at(span).help(deleted(key, span)));
    }
}

/// A help that says to delete a key, whose value is at a place.
fn deleted(key: &str, value: Span) -> Help {
    Help::new(format!("delete `{key}:`")).without(key, value)
}

/// Macros of torch/library.h use the namespace as an identifier.
fn namespaces(f: &NativeFunction, diagnostics: &mut Diagnostics) {
    if f.namespace.contains("::") {
        let namespace = &f.namespace;
        diagnostics.push(
            Diagnostic::new(
                &codes::NESTED_NAMESPACE,
                format!("operators cannot be in the nested namespace `{namespace}`"),
            )
            .at(f.spans.name)
            .help(
                Help::new(format!(
                    "`torch.ops` has one level of namespaces: write `{}::{}`",
                    namespace.replace("::", "_"),
                    f.func.name
                ))
                .word(namespace.as_str(), namespace.replace("::", "_")),
            ),
        );
    }
}

fn registration(f: &NativeFunction, record: &NativeFunctionRecord, diagnostics: &mut Diagnostics) {
    if let (true, Some(dispatch)) = (f.manual_kernel_registration && !f.registers_itself(), &record.dispatch) {
        diagnostics.push(
            Diagnostic::new(
                &codes::MANUAL_WITH_DISPATCH,
                "`dispatch:` has no effect when kernels are registered by hand",
            )
            .at(dispatch.span)
            .help("delete `dispatch:` or `manual_kernel_registration:`"),
        );
    }
    if let (Some(flag), false) = (&record.use_const_ref_for_mutable_tensors, f.func.arguments.out.is_empty())
        && flag.value
    {
        diagnostics.push(
            Diagnostic::new(
                &codes::CONST_REF_OUT,
                "`use_const_ref_for_mutable_tensors:` cannot be combined with out arguments",
            )
            .at(flag.span)
            .note("see issue 145522 of pytorch/pytorch"),
        );
    }
}

fn bindings(f: &NativeFunction, record: &NativeFunctionRecord, options: EntryOptions, diagnostics: &mut Diagnostics) {
    let variants = record.variants.as_ref().map_or(f.spans.name, |t| t.span());
    let is_ours = options.target.language == Language::C10 && !options.target.is_stock(f);
    if is_ours && f.variants.method && f.func.arguments.out.is_empty() {
        let message = format!("`{}` cannot be a method: torch's `Tensor` has those of torch alone", f.func.name);
        let lint = Diagnostic::new(&codes::IDLE_METHOD, message).at(variants);
        let in_cpp = (!f.variants.function).then_some("without `function`, C++ has no function either");
        let lint = in_cpp.into_iter().fold(lint, Diagnostic::note);
        diagnostics.push(lint.help(deleted("variants", variants)));
    }
    if !f.func.arguments.out.is_empty() && f.variants.method {
        diagnostics.push(
            Diagnostic::new(&codes::OUT_METHOD, "an operator with out arguments can only be a function")
                .at(variants)
                .help(deleted("variants", variants)),
        );
    }
    if let (Some(module), true) = (&record.python_module, f.variants.method) {
        diagnostics.push(
            Diagnostic::new(&codes::METHOD_IN_MODULE, "an operator in a Python module cannot be a method")
                .at(variants)
                .also(module.span(), "in this module"),
        );
    }
    for name in record.cpp_no_default_args.iter().flat_map(|list| &list.value) {
        let argument = f.func.schema_order_arguments().find(|a| a.name == name.as_str());
        let message = match argument {
            Some(a) if a.default.is_some() => continue,
            Some(_) => format!("argument `{}` has no default to leave out", name.as_str()),
            None => format!("there is no argument `{}`", name.as_str()),
        };
        diagnostics
            .push(Diagnostic::new(&codes::NO_SUCH_DEFAULT, message).at(name.span()).also(f.spans.func, "the schema"));
    }
}

fn structured(
    f: &NativeFunction,
    record: &NativeFunctionRecord,
    kernels: &[(DispatchKey, BackendMetadata)],
    options: EntryOptions,
    diagnostics: &mut Diagnostics,
) {
    let kind = f.func.kind();
    if let (true, Some(flag)) = (f.structured, &record.structured) {
        if kind != SchemaKind::Out {
            diagnostics.push(
                Diagnostic::new(&codes::STRUCTURED_NOT_OUT, "only an out= variant can be a structured kernel")
                    .at(flag.span)
                    .help("put `structured: True` on the out= variant, and `structured_delegate:` here"),
            );
        }
        device_guard_ignored(f, record, diagnostics);
    }
    if let Some(delegate) = &record.structured_delegate {
        if kind == SchemaKind::Out {
            diagnostics.push(
                Diagnostic::new(&codes::DELEGATE_ON_OUT, "an out= variant cannot delegate")
                    .at(delegate.span())
                    .help("did you mean `structured: True`?"),
            );
        }
        if f.structured {
            diagnostics.push(
                Diagnostic::new(&codes::DELEGATE_ON_OUT, "an operator is structured or delegates, not both")
                    .at(delegate.span()),
            );
        }
        device_guard_ignored(f, record, diagnostics);
        for (key, _) in kernels.iter().filter(|(key, _)| options.target.has_structured_kernels_for(*key)) {
            diagnostics.push(
                Diagnostic::new(
                    &codes::DELEGATE_WITH_KERNEL,
                    format!("the kernel for {key} comes from the structured delegate"),
                )
                .at(f.spans.dispatch.unwrap_or(f.spans.name))
                .also(delegate.span(), "delegated here")
                .help({
                    let help = Help::new(format!("delete {key} from `dispatch:`"));
                    // An out variant should not delegate at all.
                    let mut kernels = f.spans.kernels.iter().filter(|_| kind != SchemaKind::Out);
                    let kernel = kernels.find(|(own, _)| own == key);
                    kernel.map_or(help.clone(), |(_, value)| help.without(key.as_str(), *value))
                }),
            );
        }
    }
    if let Some(inherits) = &record.structured_inherits {
        if !f.structured {
            diagnostics.push(
                Diagnostic::new(&codes::NEEDS_STRUCTURED, "only a structured kernel can have `structured_inherits:`")
                    .at(inherits.span())
                    .help(super::structured("add `structured: True`", record)),
            );
        }
        if inherits.as_str().contains("::") {
            diagnostics.push(
                Diagnostic::new(
                    &codes::NAMESPACE_NOT_ALLOWED,
                    "`structured_inherits:` must name a class without a namespace",
                )
                .at(inherits.span()),
            );
        } else if !is_qualified_identifier(inherits) {
            diagnostics.push(
                Diagnostic::new(&codes::ILLEGAL_VALUE, "`structured_inherits:` is not the name of a C++ class")
                    .at(inherits.span()),
            );
        }
    }
}

fn device_guard_ignored(f: &NativeFunction, record: &NativeFunctionRecord, diagnostics: &mut Diagnostics) {
    if let (false, Some(flag)) = (f.device_guard, &record.device_guard) {
        diagnostics.push(
            Diagnostic::new(&codes::DEVICE_GUARD_IGNORED, "structured kernels always have a device guard")
                .at(flag.span)
                .help(deleted("device_guard", flag.span).certainly()),
        );
    }
}

/// At most one composite kernel, besides the one for nested tensors that goes with an implicit or
/// explicit one.
fn composites(f: &NativeFunction, kernels: &[(DispatchKey, BackendMetadata)], diagnostics: &mut Diagnostics) {
    use DispatchKey::*;
    let found: Vec<DispatchKey> = kernels.iter().map(|(key, _)| *key).filter(|key| key.is_generic()).collect();
    let allowed = match found.as_slice() {
        [] | [_] => true,
        [a, b] => {
            let has = |key| *a == key || *b == key;
            has(CompositeImplicitAutogradNestedTensor) && !has(CompositeExplicitAutogradNonFunctional)
        }
        _ => false,
    };
    if !allowed {
        let names: Vec<&str> = found.iter().map(|key| key.as_str()).collect();
        diagnostics.push(
            Diagnostic::new(
                &codes::SEVERAL_COMPOSITES,
                format!("one operator cannot have several composite kernels: {}", names.join(", ")),
            )
            .at(f.spans.dispatch.unwrap_or(f.spans.name))
            .note("CompositeImplicitAutograd gets gradients from the operators that the kernel calls")
            .note("CompositeExplicitAutograd needs a derivative")
            .help("keep one of them"),
        );
    }
}

fn devices(f: &NativeFunction, record: &NativeFunctionRecord, options: EntryOptions, diagnostics: &mut Diagnostics) {
    let is_foreach = f.func.name.name.base.starts_with("_foreach") && !f.func.name.name.dunder_method;
    if is_foreach && f.device_check != DeviceCheckType::NoCheck && options.target.language == Language::Torchgen {
        diagnostics.push(
            Diagnostic::new(
                &codes::FOREACH_DEVICE_CHECK,
                "a foreach operator must accept tensors on different devices",
            )
            .at(record.device_check.as_ref().map_or(f.spans.name, |t| t.span()))
            .help(match &record.device_check {
                Some(value) => Help::new("add `device_check: NoCheck`").word(value.as_str(), "NoCheck"),
                None => Help::new("add `device_check: NoCheck`")
                    .key(record.span.at_start(), record.func.span(), "device_check: NoCheck")
                    .certainly(),
            }),
        );
    }
}

/// Operators that draw random numbers have a tag for it. Rule: torchgen/model.py,
/// `NativeFunction.__post_init__`.
fn randomness(f: &NativeFunction, record: &NativeFunctionRecord, options: EntryOptions, diagnostics: &mut Diagnostics) {
    let name = f.func.name.to_string();
    let arguments = &f.func.arguments;
    let keyed = Rules::of_tables(options.target.tables).philox_is_deterministic && name.contains("_philox_");
    let named_random = name.contains("rand") && !keyed;
    let drops = (name.contains("dropout") || arguments.flat_all().any(|a| a.name.contains("dropout")))
        && !name.contains("backward")
        && f.func.name.name.to_string() != "_cudnn_init_dropout_state";
    // In a library only a generator argument shows this, not a name.
    let by_name = options.target.known_by_name && (named_random || drops);
    // PyTorch's own operators have the tag where they are defined.
    if options.target.is_stock(f) {
        return;
    }
    if (by_name || arguments.has_generator_arg()) && !f.has_tag("nondeterministic_seeded") {
        diagnostics.push(
            Diagnostic::new(
                &codes::SEEDED_TAG_MISSING,
                format!("`{name}` draws random numbers, but lacks the tag `nondeterministic_seeded`"),
            )
            .at(f.spans.name)
            .help(match &record.tags {
                Some(_) => Help::new("add `tags: nondeterministic_seeded`"),
                None => Help::new("add `tags: nondeterministic_seeded`").key(
                    record.span.at_start(),
                    record.func.span(),
                    "tags: nondeterministic_seeded",
                ),
            }),
        );
    }
}

/// Inverses are for functionalization, which replays views that do not decompose.
fn view_inverse(f: &NativeFunction, record: &NativeFunctionRecord, diagnostics: &mut Diagnostics) {
    let Some(inverse) = &record.view_inverse else { return };
    let name = &f.func.name;
    let (message, help) = if !f.is_view_op() {
        let message = format!("`{name}` is not a view, so it has no inverse");
        (
            message,
            "the result of a view shares an alias set with its first argument: `Tensor(a) self` and `-> Tensor(a)`",
        )
    } else if name.name.inplace {
        (format!("inplace view `{name}` uses the inverse of its out-of-place counterpart"), "move the key there")
    } else if f.has_composite_implicit_autograd_kernel {
        (format!("view `{name}` decomposes into other views, which have their own inverses"), "delete the key")
    } else {
        if !is_qualified_identifier(inverse) {
            let message = "`view_inverse:` is not the name of a C++ function, with or without namespaces";
            diagnostics.push(Diagnostic::new(&codes::ILLEGAL_VALUE, message).at(inverse.span()));
        }
        return;
    };
    diagnostics.push(Diagnostic::new(&codes::VIEW_INVERSE, message).at(inverse.span()).help(help));
}
