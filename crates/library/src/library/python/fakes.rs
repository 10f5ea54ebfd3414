//! What compilers need to know of the operators of a library: fakes that follow from schemas or are
//! expressions of `fake:`, exactly one for each operator. On the stable ABI, functional variants of
//! operators that write too, which C++ registers otherwise. `_ops.py` registers the author's
//! functions.
//!
//! Invariant: sizes stay symbolic, because fakes are in Python. A fake refuses tensors on several
//! devices where the operator does.

use serde::Serialize;

use super::signature::{Signature, arguments_as, variable};
use super::{directory, outputs, overload_expr};
use crate::library::implied::{Implied, implied};
use crate::library::view::is_selected;
use crate::library::{Abi, FakeSource, MANAGER};
use torchgen_api::python::annotation::derived;
use torchgen_base::lang::python::string_literal;
use torchgen_base::write::OutputFile;
use torchgen_generators::{Context, Outcome};
use torchgen_model::group::Variants;
use torchgen_model::model::native_function::DeviceCheckType;
use torchgen_model::model::{Argument, BackendIndex, BackendIndices, DispatchKey, NativeFunction, SchemaKind, Type};

#[derive(Serialize)]
struct Module<'a> {
    namespace: &'a str,
    fakes: Vec<Fake<'a>>,
}

/// The fake of an operator.
#[derive(Serialize)]
struct Fake<'a> {
    name: String,
    /// The name of the function that calls the functional variant.
    functional_name: String,
    operator: String,
    #[serde(flatten)]
    signature: Signature<'a>,
    /// An expression for the outputs.
    value: String,
    /// The arguments that give the sizes of its line of `dims:`: their names, as literals, and
    /// variables.
    sized: Vec<(String, String)>,
    /// The outputs have the sizes of the line.
    has_sizes: bool,
    /// The tensors that must be on one device; lists have a star.
    on_one_device: Vec<String>,
    functional: Option<Functional>,
    /// The library registers its kernels by itself.
    is_own: bool,
    /// It is that of `fake:`.
    is_written: bool,
    /// The operators that exist in builds with it, if some builds lack one.
    conditional: Vec<String>,
}

/// The functional variant of an operator that writes and returns its arguments. Compilers call it
/// instead.
#[derive(Serialize)]
struct Functional {
    /// The operator that writes, with its overload.
    overload: String,
    /// Its functional variant.
    variant: String,
    /// The variant's arguments.
    arguments: Vec<String>,
    /// What is written, in the order of the variant's outputs.
    written: Vec<String>,
}

/// The name of the module with the fakes.
pub(crate) const MODULE: &str = "_fakes";

/// The file with the fakes; none if no operator needs one.
pub(crate) fn files(ctx: &Context<'_>, abi: &dyn Abi, package: &str) -> Outcome {
    let variants = Variants::new(ctx.functions);
    let mut fakes: Vec<Fake<'_>> = Vec::new();
    for f in ctx.functions.iter().filter(|f| ctx.target.defines_operators && is_selected(ctx, f)) {
        // Overloads share their names.
        let name = format!("{}_{}", f.root_name(), fakes.len());
        fakes.extend(fake(ctx, abi, &variants, f, &name));
    }
    if fakes.is_empty() {
        return Ok(Vec::new());
    }
    let module = Module { namespace: &ctx.namespaces.api, fakes };
    let text = ctx.renderer.fragment("torch/library/python/_fakes.py.j2", &module)?;
    Ok(vec![OutputFile::new(MANAGER, format!("{}/{MODULE}.py", directory(package)), text)])
}

/// The fake of an operator, if it has one here.
fn fake<'a>(
    ctx: &Context<'a>,
    abi: &dyn Abi,
    variants: &Variants<'a>,
    f: &'a NativeFunction,
    name: &str,
) -> Option<Fake<'a>> {
    let (value, calls_variant) = match (&f.fake, abi.fake_source(f, ctx.indices)) {
        (Some(given), _) => (outputs::value(f, given.outputs()?), false),
        (None, FakeSource::AuthorOrSchema { calls_functional_variant }) => {
            (value(f, variants)?, calls_functional_variant)
        }
        (None, _) => return None,
    };
    let variant = variant(f, variants).filter(|_| calls_variant);
    Some(Fake {
        name: derived("op", name),
        functional_name: derived("op", &format!("{name}_functional")),
        operator: ctx.renderer.about([f]).marked(f.full_name()),
        signature: Signature::new(f),
        has_sizes: value.contains(outputs::SIZES),
        value,
        sized: f.arguments_of_results().iter().map(|a| (string_literal(a.schema_name()), variable(a))).collect(),
        on_one_device: on_one_device(f, ctx.indices),
        is_own: f.manual_kernel_registration,
        is_written: f.fake.is_some(),
        functional: variant.and_then(|variant| functional(f, variant)),
        conditional: conditional(f, variant),
    })
}

/// The tensors that the operator checks before: without data, nothing else would.
fn on_one_device(f: &NativeFunction, indices: &BackendIndices) -> Vec<String> {
    let tensors: Vec<&Argument> = f.func.tensor_arguments().collect();
    // A generated out variant copies one tensor to each argument, so both are on one device.
    let copies = f.is_generated() && tensors.iter().all(|a| !matches!(a.ty, Type::List(..)));
    // A composite kernel takes what the operators that it calls take.
    let of_device = |index: &BackendIndex| {
        let key = index.dispatch_key;
        key.is_of_backend() && key != DispatchKey::Meta && !key.as_str().starts_with("Autograd")
    };
    let has_device = !f.python_kernels.is_empty()
        || f.part_of_structured_group()
        || indices.iter().any(|index| of_device(index) && index.has_kernel(f));
    let checks = f.device_check == DeviceCheckType::ExactSame && (has_device || f.func.is_mutable());
    if !checks && !copies {
        return Vec::new();
    }
    let starred = |a: &&Argument| match (&a.ty, a.ty.is_list_like()) {
        (Type::Optional(_), Some(_)) => format!("*({} or ())", variable(a)),
        (_, Some(_)) => format!("*{}", variable(a)),
        _ => variable(a),
    };
    if tensors.len() > 1 { tensors.iter().map(starred).collect() } else { Vec::new() }
}

/// The functional variant of an operator that writes.
fn variant<'a>(f: &NativeFunction, all: &Variants<'a>) -> Option<&'a NativeFunction> {
    if !matches!(f.func.kind(), SchemaKind::Inplace | SchemaKind::Out) {
        return None;
    }
    let is_functional = |other: &&NativeFunction| {
        other.func.kind() == SchemaKind::Functional && other.func.returns.len() == f.func.returns.len()
    };
    all.variants_of(f).find(is_functional)
}

/// The operators to look for before a fake is registered.
fn conditional(f: &NativeFunction, variant: Option<&NativeFunction>) -> Vec<String> {
    let needed = std::iter::once(f).chain(variant).filter(|f| f.conditions.operator.is_some());
    needed.map(|f| f.full_name()).collect()
}

/// What an operator does if nothing may be written: it calls its functional variant.
fn functional(f: &NativeFunction, variant: &NativeFunction) -> Option<Functional> {
    let of = |ret| f.func.aliased_arguments(ret).next().map(variable);
    Some(Functional {
        overload: overload_expr(f),
        variant: overload_expr(variant),
        arguments: arguments_as(variant, |variable| format!("_unwrap({variable})")),
        written: f.func.returns.iter().map(of).collect::<Option<_>>()?,
    })
}

/// The outputs of an operator, if they follow from its schema.
fn value(f: &NativeFunction, all: &Variants<'_>) -> Option<String> {
    match implied(f, all)? {
        Implied::Written => {
            let of = |ret| f.func.aliased_arguments(ret).next().map(variable);
            let written: Vec<String> = f.func.returns.iter().map(of).collect::<Option<_>>()?;
            // Otherwise a composite kernel would be called, which sees concrete sizes.
            Some(if written.is_empty() { "None".to_owned() } else { written.join(", ") })
        }
        Implied::LikeFirst => {
            let first = variable(f.func.tensor_arguments().next()?);
            let is_list = f.func.returns.iter().any(|ret| matches!(ret.ty, Type::List(..)));
            Some(match is_list {
                true => format!("[_torch.empty_like(_tensor) for _tensor in {first}]"),
                false => format!("_torch.empty_like({first})"),
            })
        }
        Implied::Sizes => Some(outputs::of_line(f)),
    }
}
