//! Lints on entries of a library that generate code without errors, which then does not do what its
//! author expects.
//!
//! Invariant: a lint depends on schemas, keys and names of kernels only, never on sources.
//! Operators of PyTorch and generated variants get none.

use std::collections::{BTreeSet, HashMap, HashSet};

use super::{Inputs, derivatives, int_sizes};
use crate::library::implied::has_fake;
use torchgen_api::autograd::{NativeFunctionWithDifferentiabilityInfo, gen_differentiable_outputs};
use torchgen_api::{CallingConvention, Locals, SymInts, native::Native};
use torchgen_base::diag::{Diagnostic, Help, Severity, Span, listed};
use torchgen_generators::{AutogradContext, Context};
use torchgen_model::codes;
use torchgen_model::group::Variants;
use torchgen_model::model::{
    Argument, BackendIndex, BackendIndices, BackendMetadata, DispatchKey, NativeFunction, OperatorName, Type, cpp_names,
};

/// The lints on all operators of a namespace. Results that may be `None` can have tangents, or not.
pub(crate) fn lints(inputs: &Inputs<'_, '_>, optional_tangents: bool) -> Vec<Diagnostic> {
    let (ctx, autograd) = (&inputs.context, &inputs.autograd);
    if !ctx.target.defines_operators {
        return Vec::new();
    }
    let variants = Variants::new(ctx.functions);
    let names: HashSet<&OperatorName> = ctx.functions.iter().map(|f| &f.func.name).collect();
    let written = ctx.functions.iter().filter(|f| !f.is_generated());
    let mut found = of_entries(ctx.functions, ctx.indices);
    found.extend(written.filter_map(|f| idle_autogen(&names, &variants, f)));
    found.extend(file_names(ctx));
    found.extend(
        autograd
            .matched
            .functions
            .iter()
            .filter(|fn_| fn_.info.is_none())
            .filter_map(|fn_| if fn_.func.is_generated() { None } else { lost_derivative(ctx, fn_.func) }),
    );
    found.extend(without_forward_mode(autograd, optional_tangents));
    found.extend(derivatives::lints(inputs));
    found
}

/// The lints on single entries, which other entries with errors do not change.
pub(crate) fn of_entries(functions: &[NativeFunction], indices: &BackendIndices) -> Vec<Diagnostic> {
    let variants = Variants::new(functions);
    let of_entry = |f: &NativeFunction| {
        let unwritten = unwritten(f);
        // An operator that is meant to mutate needs no outputs.
        let no_outputs = if unwritten.is_none() { no_outputs_without_data(indices, &variants, f) } else { None };
        let others = no_outputs.into_iter().chain(mutable_optional_lists(f)).chain(int_sizes::lints(f));
        unwritten.into_iter().chain(unsymbolic_kernels(indices, f)).chain(others).collect::<Vec<_>>()
    };
    functions.iter().filter(|f| !f.is_generated()).flat_map(of_entry).collect()
}

/// Mutable lists whose elements can be `None`: torch takes each element for a tensor when it makes
/// functional what mutates.
fn mutable_optional_lists(f: &NativeFunction) -> Vec<Diagnostic> {
    let can_have_none = |ty: &Type| match ty {
        Type::List(element, _) => matches!(**element, Type::Optional(_)),
        Type::Optional(inner) => match &**inner {
            Type::List(element, _) => matches!(**element, Type::Optional(_)),
            _ => false,
        },
        _ => false,
    };
    let lists = f.func.schema_order_arguments().filter(|a| a.is_write() && can_have_none(&a.ty));
    let lint = |a: &Argument| {
        let message =
            format!("`{}` of `{}` is mutable and can have `None`, which torch cannot compile", a.name, f.func.name);
        Diagnostic::new(&codes::MUTABLE_OPTIONAL_LIST, message)
            .at(f.spans.schema.argument(&a.name))
            .help("write `Tensor(a!)[]`, and leave out what is `None` in the caller")
            .help("or one argument `Tensor(a!)?` for each, if their number is known")
    };
    lists.map(lint).collect()
}

/// A variant that `autogen:` names and that is not generated: a group of variants is made from one
/// of them, and only its `autogen:` counts.
fn idle_autogen(names: &HashSet<&OperatorName>, variants: &Variants<'_>, f: &NativeFunction) -> Option<Diagnostic> {
    let name = f.autogen.iter().find(|name| !names.contains(name))?;
    let other = variants.variants_of(f).find(|other| other.func.name != f.func.name && !other.is_generated());
    let message = format!("`{name}` is not generated: `autogen:` of `{}` has no effect", f.func.name);
    let lint = Diagnostic::new(&codes::IDLE_AUTOGEN, message).at(f.spans.autogen?);
    Some(match other {
        Some(other) => lint
            .also(other.spans.name, "variants are made from this one")
            .help(format!("move `autogen:` to `{}`", other.func.name)),
        None => lint.help("delete `autogen:`"),
    })
}

/// Entries without a formula for forward mode, in a library that has such formulas: calls with
/// tangents raise an error.
fn without_forward_mode(autograd: &AutogradContext, optional_tangents: bool) -> Vec<Diagnostic> {
    let functions = &autograd.matched.functions;
    let has_some = |matched: &NativeFunctionWithDifferentiabilityInfo<'_>| {
        matched.fw_derivatives.values().any(|formulas| !formulas.is_empty())
    };
    if !functions.iter().any(has_some) {
        return Vec::new();
    }
    let mut seen: HashSet<Span> = HashSet::new();
    let mut found = Vec::new();
    for matched in functions.iter().filter(|matched| matched.func.differentiable && !matched.func.is_generated()) {
        for (key, info) in matched.info.iter().flat_map(|info| info.iter()) {
            let outputs = gen_differentiable_outputs(matched, *key).unwrap_or_default();
            let may_be_none = outputs.iter().any(|output| matches!(output.ty, Type::Optional(_)));
            let is_refused = may_be_none && !optional_tangents;
            if !info.has_derivatives() || outputs.is_empty() || is_refused || !seen.insert(info.span) {
                continue;
            }
            let formulas = matched.fw_derivatives_of(*key);
            // The formula of one variant serves the others, under the name of its own result.
            let has = |name: &str| formulas.iter().any(|one| one.var_names.iter().any(|own| own == name));
            let missing = match outputs.as_slice() {
                [one] if formulas.is_empty() => Some(&one.name),
                [_] => None,
                several => several.iter().map(|output| &output.name).find(|name| !has(name)),
            };
            let Some(missing) = missing else { continue };
            let (name, missing) = (&matched.func.func.name, cpp_names::written(missing));
            let message = format!("`{name}` has no formula for forward mode, so `jvp` and `hessian` raise an error");
            found.push(
                Diagnostic::new(&codes::NO_FORWARD_MODE, message)
                    .at(matched.func.spans.name)
                    .also(info.span, "its derivative")
                    .help(format!("write `{missing}:` with a formula of tangents: `x_t`, and primals: `x_p`"))
                    .help("`auto_linear` and `auto_element_wise` make it from the formula for gradients"),
            );
        }
    }
    found
}

/// Operators whose headers have names that some file systems cannot hold, or not both.
fn file_names(ctx: &Context) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let mut first: HashMap<String, &NativeFunction> = HashMap::new();
    let mut devices: BTreeSet<&str> = BTreeSet::new();
    for f in ctx.functions.iter().filter(|f| !f.is_generated()) {
        let name = f.root_name();
        let other = *first.entry(name.to_lowercase()).or_insert(f);
        if other.root_name() != name {
            let message = format!("the names of `{}` and `{}` differ only in case", other.func.name, f.func.name);
            found.push(
                Diagnostic::new(&codes::FILE_NAME, message)
                    .at_with(f.spans.name, "second one")
                    .also(other.spans.name, "first one")
                    .note("on Windows and macOS, their headers would be one file"),
            );
        }
        if is_device(name) && devices.insert(name) {
            let message = format!("`{name}` is the name of a device on Windows, so no header can have it");
            let help = format!("call it `{name}_op`, for example");
            found.push(Diagnostic::new(&codes::FILE_NAME, message).at(f.spans.name).help(help));
        }
    }
    let namespace = &ctx.namespaces.api;
    if is_device(namespace)
        && let Some(f) = ctx.functions.first()
    {
        let message = format!("`{namespace}` is the name of a device on Windows, so no directory can have it");
        found.push(Diagnostic::new(&codes::FILE_NAME, message).at(f.spans.name));
    }
    found
}

/// Windows keeps these names for devices, in any case and with any ending.
fn is_device(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let numbered = |start| {
        let number = name.strip_prefix(start).and_then(|rest| rest.parse::<u8>().ok());
        number.is_some_and(|number| (1..=9).contains(&number)) && name.len() == 4
    };
    matches!(name.as_str(), "con" | "prn" | "aux" | "nul") || numbered("com") || numbered("lpt")
}

/// The kernels that the author wrote for an operator.
fn kernels<'c>(
    indices: &'c BackendIndices,
    f: &'c NativeFunction,
) -> impl Iterator<Item = (&'c BackendIndex, &'c BackendMetadata)> {
    indices.iter().filter_map(|index| Some((index, index.get_kernel(f)?)))
}

/// An operator whose name says that it mutates an argument, and whose schema does not.
pub(crate) fn unwritten(f: &NativeFunction) -> Option<Diagnostic> {
    unwritten_out(f).or_else(|| unwritten_self(f))
}

/// An out argument that the schema does not mark as mutable: callers, autograd and compilers take
/// it for an input.
fn unwritten_out(f: &NativeFunction) -> Option<Diagnostic> {
    let arguments = &f.func.arguments;
    if !arguments.out.is_empty() {
        return None;
    }
    let named_out = f.func.name.overload_name == "out";
    let named = || arguments.flat_all().find(|a| a.name == "out" && a.ty.is_tensor_like());
    let out = named().filter(|a| a.annotation.is_none());
    if let Some(out) = named().filter(|a| named_out && a.is_write()) {
        if !arguments.flat_positional().any(|a| a == out) {
            let message = format!("`{}` does not return `out`, so it is not an out variant", f.func.name);
            let text = out.to_string();
            let ty = text.split(' ').next().unwrap_or_default();
            let place = f.spans.schema.argument(&out.name);
            return Some(Diagnostic::new(&codes::NOT_WRITTEN, message).at(place).help(format!("write `-> {ty}`")));
        }
        let message = format!("`out` of `{}` is not an out argument, because it can be given by position", f.func.name);
        let place = f.spans.schema.argument(&out.name);
        let help = Help::new("write `*, Tensor(a!) out` at the end of the arguments, and `-> Tensor(a!)`");
        let is_last = arguments.flat_all().last() == Some(out) && arguments.flat_positional().last() == Some(out);
        let is_returned = matches!(&f.func.returns[..], [only] if only.annotation == out.annotation);
        let help = match place != f.spans.schema.whole && is_last && out.default.is_none() {
            true => help.word(out.to_string(), format!("*, {out}")).certainly_if(is_returned),
            false => help,
        };
        return Some(Diagnostic::new(&codes::NOT_WRITTEN, message).at(place).help(help));
    }
    let what = match out {
        Some(_) => format!("argument `out` of `{}` is not marked as mutable", f.func.name),
        None if named_out => {
            format!("the overload is called `out`, but `{}` does not mutate an out argument", f.func.name)
        }
        None => return None,
    };
    let place = out.map_or(f.spans.name, |out| f.spans.schema.argument(&out.name));
    let help = "write `*, Tensor(a!) out` at the end of the arguments, and `-> Tensor(a!)`";
    Some(Diagnostic::new(&codes::NOT_WRITTEN, what).at(place).help(help))
}

/// An operator with the name of an inplace one whose schema does not say so.
fn unwritten_self(f: &NativeFunction) -> Option<Diagnostic> {
    let base = &f.func.name.name.base;
    let looks_inplace = f.func.name.name.inplace || base.ends_with('_') && !base.starts_with('_');
    if !looks_inplace || f.func.arguments.flat_all().any(|a| a.is_write()) {
        return None;
    }
    let first = f.func.arguments.flat_all().find(|a| a.ty == Type::TENSOR)?;
    let message = format!("`{}` has the name of an inplace operator, but does not mutate an argument", f.func.name);
    Some(
        Diagnostic::new(&codes::NOT_WRITTEN, message)
            .at(f.spans.schema.argument(&first.name))
            .help("write `Tensor(a!) self` and `-> Tensor(a!)`, or a name without `_` at its end"),
    )
}

/// A kernel for a backend beside CompositeImplicitAutograd hides it from autograd on that backend.
fn lost_derivative(ctx: &Context, f: &NativeFunction) -> Option<Diagnostic> {
    let has_own = f.has_autograd_kernel || f.compares_gradients;
    if !f.has_composite_implicit_autograd_kernel || has_own || !f.differentiable {
        return None;
    }
    let is_backend =
        |key: DispatchKey| key.is_of_backend() && key != DispatchKey::Meta && !key.as_str().starts_with("Autograd");
    let keys: Vec<DispatchKey> =
        kernels(ctx.indices, f).map(|(index, _)| index.dispatch_key).filter(|key| is_backend(*key)).collect();
    let by_hand = |key: &DispatchKey| {
        let autograd = format!("Autograd{key}");
        kernels(ctx.indices, f).any(|(index, _)| index.dispatch_key.as_str() == autograd)
    };
    let keys: Vec<DispatchKey> = keys.into_iter().filter(|key| !by_hand(key)).collect();
    let key = *keys.first()?;
    let names: Vec<&str> = keys.iter().map(|key| key.as_str()).collect();
    let hides = if names.len() > 1 { "kernels there hide" } else { "kernel there hides" };
    let (name, keys) = (&f.func.name, listed(&names));
    let message = format!("`{name}` has no derivative on {keys}: its {hides} CompositeImplicitAutograd");
    Some(
        Diagnostic::new(&codes::LOST_DERIVATIVE, message)
            .at(f.spans.kernel(key))
            .also(f.spans.kernel(DispatchKey::CompositeImplicitAutograd), "differentiable without the other kernel")
            .help("write a derivative in derivatives.yaml, with `CompositeExplicitAutograd` for this kernel")
            .help("or `differentiable: False`, if gradients are not wanted"),
    )
}

/// The keys whose kernels are called with symbolic sizes: those that run while a program is traced.
fn is_traced(key: DispatchKey) -> bool {
    use DispatchKey::{Autocast, Functionalize, Meta};
    let name = key.as_str();
    key.is_generic()
        || matches!(key, Meta | Functionalize | Autocast)
        || ["Autograd", "Autocast", "FuncTorch"].iter().any(|start| name.starts_with(start))
}

/// Kernels that turn symbolic sizes into numbers: a compiled program is then valid for these only.
fn unsymbolic_kernels(indices: &BackendIndices, f: &NativeFunction) -> Vec<Diagnostic> {
    if !f.func.arguments.has_symint_arg() || f.manual_kernel_registration {
        return Vec::new();
    }
    let plain = |(index, kernel): &(&BackendIndex, &BackendMetadata)| {
        is_traced(index.dispatch_key) && !kernel.structured && !kernel.supports_symint()
    };
    let lint = |(index, kernel): (&BackendIndex, &BackendMetadata)| {
        let (key, name) = (index.dispatch_key, &kernel.kernel);
        let message = format!("the {key} kernel of `{}` receives numbers for symbolic sizes", f.func.name);
        let lint = Diagnostic::new(&codes::KERNEL_NOT_SYMBOLIC, message).at(f.spans.kernel(key));
        let new = format!("{name}_symint");
        let help = match signature(f, &new) {
            Some(signature) => format!("call it `{new}` and define `{signature}` in `{}`", kernel.cpp_namespace),
            None => format!("call it `{new}`"),
        };
        strict_if_compliant(f, lint.help(help))
    };
    kernels(indices, f).filter(plain).map(lint).collect()
}

/// The signature of a kernel that takes symbolic integers.
fn signature(f: &NativeFunction, name: &str) -> Option<String> {
    let convention = Native { sym_ints: SymInts::Kept, locals: Locals::for_operator(f) };
    Some(convention.signature(&f.func).ok()?.defn_as(name))
}

/// Operators whose outputs nothing computes without data: torch.compile and torch.export find out.
fn no_outputs_without_data(
    indices: &BackendIndices,
    variants: &Variants<'_>,
    f: &NativeFunction,
) -> Option<Diagnostic> {
    let composite = f.has_composite_kernel();
    let tensors = f.func.returns.iter().any(|ret| ret.ty.is_tensor_like());
    let has_backend = kernels(indices, f).any(|(index, _)| index.dispatch_key.is_of_backend());
    let has_meta = kernels(indices, f).any(|(index, _)| index.dispatch_key == DispatchKey::Meta);
    let known = composite || has_meta || f.part_of_structured_group() || has_fake(f, variants) || f.is_view_op();
    if known || !has_backend || !tensors || f.manual_kernel_registration || f.has_tag("dynamic_output_shape") {
        return None;
    }
    let base = torchgen_api::native::name(&f.func);
    let symbolic = if f.func.arguments.has_symint_arg() { "_symint" } else { "" };
    let name = format!("{base}_meta{symbolic}");
    let message = format!("torch.compile cannot infer the outputs of `{}` without data", f.func.name);
    let meta = match signature(f, &name) {
        Some(signature) => format!("add `Meta: {name}` to `dispatch:` and define `{signature}`"),
        None => format!("add `Meta: {name}` to `dispatch:`"),
    };
    let lint = Diagnostic::new(&codes::META_MISSING, message).at(f.spans.name).help(meta);
    let lint = lint.help("or write `fake:` with an expression such as `like(x)`");
    Some(strict_if_compliant(f, lint.help(format!("or write `fake: .fakes:{base}`, for a function in Python"))))
}

/// The tag promises that compilers can rely on the operator.
fn strict_if_compliant(f: &NativeFunction, lint: Diagnostic) -> Diagnostic {
    if f.has_tag("pt2_compliant_tag") {
        lint.severity(Severity::Error).note("the tag `pt2_compliant_tag` promises that torch.compile can use it")
    } else {
        lint
    }
}
