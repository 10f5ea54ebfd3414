//! `torchgen-rs check --abi stable`: what prevents each operator of a library from being on the
//! stable ABI, since which torch it would work, and what to write instead.
//!
//! Invariant: an operator without an error here has only types that every torch version from the
//! minimum on carries.

use std::collections::HashSet;

use crate::library::implied::has_fake;
use crate::stable::facts::CarriedTypes;
use torchgen_base::diag::{Diagnostic, Diagnostics};
use torchgen_kit::driver::data::Tables;
use torchgen_model::codes;
use torchgen_model::group::Variants;
use torchgen_model::model::registration::Registration;
use torchgen_model::model::rules::Since;
use torchgen_model::model::version::Version;
use torchgen_model::model::{BackendIndex, BackendIndices, DispatchKey, Language, NativeFunction, Type};
use torchgen_model::parse::entry::SchemaOnly;
use torchgen_model::parse::schema::parse;

/// Tags that follow from what an operator is. Older versions of torch lack some of them, or find
/// out by themselves.
const DERIVED_TAGS: &[&str] = &["generated", "inplace", "out", "pt2_compliant_tag"];

/// Checks the operators of one namespace.
pub(crate) fn check_stable_operators(
    functions: &[NativeFunction],
    indices: &BackendIndices,
    min: Version,
    diagnostics: &mut Diagnostics,
) {
    let types = CarriedTypes::read_table();
    let variants = Variants::new(functions);
    for f in functions.iter().filter(|f| !f.is_generated()) {
        let name = f.full_name();
        diagnostics.extend(repeated(f, &name));
        if f.registers_itself() {
            continue;
        }
        types_of(f, &name, &types, min, diagnostics);
        diagnostics.extend(view(f, &name, indices));
        diagnostics.extend(structured(f, &name, functions));
        diagnostics.extend(factory(f, &name, indices));
        diagnostics.extend(meta(f, &name, indices, &variants));
        diagnostics.extend(autograd(f, &name, indices));
        diagnostics.extend(no_fake(f, &name, indices, &variants));
        diagnostics.extend(tags(f, &name, min));
    }
}

/// Checks operators that are registered by their schemas alone.
pub(crate) fn check_schemas(schemas: &[&SchemaOnly], min: Version, tables: &Tables, diagnostics: &mut Diagnostics) {
    let types = CarriedTypes::read_table();
    for operator in schemas.iter().filter(|operator| operator.registration == Registration::Generated) {
        let name = format!("{}::{}", operator.namespace, operator.name);
        let error = |code, message: String| Diagnostic::new(code, message).at(operator.span);
        let schema = match parse(&operator.schema, Language::C10, tables) {
            Ok(schema) => schema,
            Err(reason) => {
                let message = format!("the stable ABI cannot pass a type of `{name}`: {}", reason.message);
                diagnostics.push(error(&codes::STABLE_TYPE, message));
                continue;
            }
        };
        match types.since_all(&schema) {
            Ok(since) if since > min => {
                let message = format!("the stable ABI passes the types of `{name}` since torch {since}, not in {min}");
                let help = format!("`--torch-min {since}` has them");
                diagnostics.push(error(&codes::STABLE_OPERATOR_VERSION, message).help(help));
            }
            Ok(_) => {}
            Err(refused) => diagnostics.extend(refused.into_iter().map(|refused| {
                let message = format!("`{name}` has the type `{}`, which the stable ABI cannot pass", refused.ty);
                error(&codes::STABLE_TYPE, message).help(refused.instead)
            })),
        }
    }
}

/// Types of arguments and results that are not carried from the minimum on.
fn types_of(f: &NativeFunction, name: &str, types: &CarriedTypes, min: Version, diagnostics: &mut Diagnostics) {
    let arguments = f.func.schema_order_arguments().map(|argument| {
        (&argument.ty, f.spans.schema.argument(&argument.name), format!("argument `{}`", argument.name))
    });
    let returns = f.func.returns.iter().map(|ret| (&ret.ty, f.spans.name, "a result".to_owned()));
    for (ty, span, what) in arguments.chain(returns) {
        let found = match types.since(ty) {
            Ok(since) if since <= min => continue,
            Ok(since) => {
                let message = format!(
                    "{what} of `{name}` has type `{ty}`, which the stable ABI passes since torch {since}, not in {min}"
                );
                Diagnostic::new(&codes::STABLE_OPERATOR_VERSION, message).help(format!("`--torch-min {since}` has it"))
            }
            Err(refused) => {
                let message = format!("{what} of `{name}` has type `{ty}`, which the stable ABI cannot pass");
                Diagnostic::new(&codes::STABLE_TYPE, message).help(instead(ty, &refused.instead))
            }
        };
        diagnostics.push(found.at(span));
    }
}

/// Two arguments of one name: kernels for autograd are functions of Python, which cannot have them.
fn repeated(f: &NativeFunction, name: &str) -> Option<Diagnostic> {
    let mut seen = HashSet::new();
    let again = f.func.schema_order_arguments().find(|a| !seen.insert(a.schema_name()))?;
    let message = format!(
        "two arguments of `{name}` are called `{}`, which functions of Python cannot have",
        again.schema_name()
    );
    let error = Diagnostic::new(&codes::STABLE_REPEATED, message).at(f.spans.schema.argument(&again.name));
    Some(error.help("give one of them another name"))
}

/// What to write, with the type's own optional or list.
fn instead(ty: &Type, plain: &str) -> String {
    match ty {
        Type::Optional(_) => format!("{plain}; an optional of it works too"),
        Type::List(..) => format!("{plain}; a list of it works too"),
        _ => plain.to_owned(),
    }
}

/// A view whose kernel is below autograd: the result has to share its input's storage and version
/// counter, which only torch's own views do.
fn view(f: &NativeFunction, name: &str, indices: &BackendIndices) -> Option<Diagnostic> {
    let is_view = f.func.returns.iter().any(|ret| ret.annotation.as_ref().is_some_and(|a| !a.is_write));
    let is_composite =
        indices.has_kernel(DispatchKey::CompositeImplicitAutograd, f) || f.has_composite_implicit_autograd_kernel;
    (is_view && !is_composite).then(|| {
        let message = format!("a kernel of `{name}` on the stable ABI cannot return a view that autograd knows of");
        let help = "write it as CompositeImplicitAutograd with torch's own views, or return a copy";
        Diagnostic::new(&codes::STABLE_VIEW, message).at(f.spans.name).help(help)
    })
}

/// A structured operator whose outputs generated code cannot make.
fn structured(f: &NativeFunction, name: &str, functions: &[NativeFunction]) -> Option<Diagnostic> {
    if !f.structured {
        return None;
    }
    let span = f.spans.structured.unwrap_or(f.spans.name);
    if let Some(class) = &f.structured_inherits {
        let message = format!("`{name}` inherits from `{class}`, which is not on the stable ABI");
        let help = "delete `structured_inherits:`, and write `fake:` with an expression for each output";
        return Some(Diagnostic::new(&codes::STABLE_STRUCTURED, message).at(span).help(help));
    }
    let functional = functions.iter().find(|other| other.is_functional_of(f));
    let fake = functional.and_then(|functional| functional.fake.as_ref());
    if fake.is_some_and(|fake| fake.outputs().is_some()) {
        return None;
    }
    let message = match fake {
        Some(_) => format!("`{name}` is structured, but C++ cannot call the Python function that makes its outputs"),
        None => format!("`{name}` is structured, but lacks the `fake:` that the stable ABI needs for its outputs"),
    };
    let help = "write `fake:` with an expression for each output, such as `fake: like(x, size=[*x.sizes[:-1], 1])`";
    Some(Diagnostic::new(&codes::STABLE_STRUCTURED, message).at(span).help(help))
}

/// A kernel for one device that no argument selects.
fn factory(f: &NativeFunction, name: &str, indices: &BackendIndices) -> Option<Diagnostic> {
    let selects = f.func.tensor_arguments().next().is_some();
    let own = |index: &&BackendIndex| {
        index.has_kernel(f)
            && !matches!(
                index.dispatch_key,
                DispatchKey::CompositeImplicitAutograd
                    | DispatchKey::CompositeExplicitAutograd
                    | DispatchKey::CompositeExplicitAutogradNonFunctional
                    | DispatchKey::BackendSelect
            )
    };
    let in_cpp = indices.iter().find(own).map(|index| index.dispatch_key);
    let mut in_python = f.python_kernels.iter().map(|kernel| kernel.key).filter(|key| !key.is_generic());
    let key = in_cpp.or_else(|| in_python.next()).filter(|_| !selects)?;
    let message = format!("no argument of `{name}` selects its kernel for {key}: it has no tensors");
    let help = "register it for CompositeExplicitAutograd, and choose by an argument `Device device` in the kernel";
    Some(Diagnostic::new(&codes::STABLE_FACTORY, message).at(f.spans.dispatch.unwrap_or(f.spans.name)).help(help))
}

/// A meta function in C++: it sees numbers, so that a compiled program is specialized.
fn meta(f: &NativeFunction, name: &str, indices: &BackendIndices, variants: &Variants<'_>) -> Option<Diagnostic> {
    (indices.has_kernel(DispatchKey::Meta, f) && !has_fake(f, variants)).then(|| {
        let message = format!("the meta function of `{name}` sees concrete sizes, so each size is compiled separately");
        let help = "write `fake:` with an expression such as `like(x)` or a Python function, which replaces it here";
        Diagnostic::new(&codes::STABLE_META, message).at(f.spans.dispatch.unwrap_or(f.spans.name)).help(help)
    })
}

/// A kernel in C++ for autograd: the stable ABI has neither nodes nor a way below autograd.
fn autograd(f: &NativeFunction, name: &str, indices: &BackendIndices) -> Option<Diagnostic> {
    let of_autograd = |index: &&BackendIndex| index.dispatch_key.as_str().starts_with("Autograd");
    let key = indices.iter().filter(of_autograd).find(|index| index.has_kernel(f))?.dispatch_key;
    let message = format!(
        "the {key} kernel of `{name}` cannot record a gradient of its own on the stable ABI: gradients are those of \
         torch's operators that it calls"
    );
    let help = "delete it, and write an entry in derivatives.yaml, whose formulas the Python package registers";
    let error = Diagnostic::new(&codes::STABLE_AUTOGRAD, message).at(f.spans.kernel(key)).help(help);
    Some(error.help("or write `CompositeImplicitAutograd:` alone, if it calls only torch's operators"))
}

/// An operator whose outputs compilers do not know.
fn no_fake(f: &NativeFunction, name: &str, indices: &BackendIndices, variants: &Variants<'_>) -> Option<Diagnostic> {
    let tensors = f.func.returns.iter().any(|ret| ret.ty.is_tensor_like());
    let known = has_fake(f, variants)
        || f.part_of_structured_group()
        || f.has_composite_kernel()
        || indices.has_kernel(DispatchKey::Meta, f)
        || f.is_view_op()
        || f.manual_kernel_registration;
    let has_backend = indices.iter().any(|index| index.dispatch_key.is_of_backend() && index.has_kernel(f));
    (tensors && has_backend && !known).then(|| {
        let message = format!("compilers cannot know the outputs of `{name}`");
        let help = "write `fake:` with an expression such as `like(x)`, or with a Python function";
        Diagnostic::new(&codes::STABLE_FAKE_MISSING, message).at(f.spans.name).help(help)
    })
}

/// Tags that the oldest torch does not get. Generated code registers them where torch can.
fn tags(f: &NativeFunction, name: &str, min: Version) -> Option<Diagnostic> {
    let lost: Vec<String> =
        f.tags.iter().filter(|tag| !DERIVED_TAGS.contains(&tag.as_str())).map(|tag| format!("`{tag}`")).collect();
    let since = Since::read_table().tags_on_stable_abi;
    (min < since && !lost.is_empty()).then(|| {
        let message = format!(
            "`{name}` has {}: before torch {since}, the Python package registers tags, not C++",
            lost.join(", ")
        );
        let help = format!("`--torch-min {since}`, if programs without Python must know them");
        Diagnostic::new(&codes::STABLE_TAGS, message).at(f.spans.name).help(help)
    })
}
