//! variable_factories.h: C++ functions that make tensors and set whether they require gradients.
//!
//! Invariant: a factory is recognised by its tensor options or by a name that ends in `_like`.
//! Rule: tools/autograd/gen_variable_factories.py.

use serde::Serialize;

use torchgen_api::cpp::BindingKind;
use torchgen_api::{CType, CppSignatureGroup, Locals, Signature, cpp};
use torchgen_base::render::{Env, Fragment, Value};
use torchgen_generators::{AutogradContext, Errors, ItemError, Outcome, per_item};
use torchgen_model::model::NativeFunction;
use torchgen_model::model::schema::ArgumentRef;

const FILE: &str = "variable_factories.h";

/// One overload of a function.
#[derive(Serialize)]
struct Overload<'a> {
    /// The namespace of the function that makes the tensor.
    api: &'a str,
    name: String,
    parameters: Vec<Parameter>,
    /// The parameter for `requires_grad`, among others.
    options: Option<String>,
}

#[derive(Serialize)]
struct Parameter {
    ty: CType,
    name: String,
    default: Option<String>,
    is_options: bool,
}

#[derive(Serialize)]
struct Factory<'a> {
    overloads: Vec<Overload<'a>>,
}

/// Makes the header.
pub(crate) fn run(ctx: &AutogradContext) -> Outcome {
    let (headers, definitions): (Vec<Fragment>, Vec<Fragment>) = functions(ctx)?.into_iter().unzip();
    let mut env: Env = ctx.env(FILE)?;
    env.set("ops_headers", headers);
    env.set("function_definitions", Value::from(definitions));
    Ok(vec![ctx.file(FILE, &env)?])
}

/// The include of each factory's header, and its functions.
pub(crate) fn functions(ctx: &AutogradContext) -> Result<Vec<(Fragment, Fragment)>, Errors> {
    let factories: Vec<&NativeFunction> = ctx.functions.iter().filter(|f| is_factory(f)).collect();
    per_item(&factories, |f| Ok((ctx.header(f, ".h")?, Fragment::new(definition(ctx, f)?))))
}

/// The functions of a factory.
///
/// # Errors
/// An argument has no form in C++.
pub fn definition(ctx: &AutogradContext, f: &NativeFunction) -> Result<String, ItemError> {
    Ok(ctx.renderer.about([f]).fragment("torch/variable_factories/function.j2", &Factory::new(ctx, f)?)?)
}

/// Whether an operator's function makes tensors.
pub fn is_factory(f: &NativeFunction) -> bool {
    let has_options = f.func.arguments.tensor_options.is_some();
    f.variants.function && (has_options || cpp::name(&f.func).ends_with("_like"))
}

impl<'a> Factory<'a> {
    fn new(ctx: &AutogradContext<'a, '_>, f: &'a NativeFunction) -> Result<Self, ItemError> {
        let group = CppSignatureGroup::from_native_function(f, BindingKind::FUNCTION, Locals::for_operator(f))?;
        let signatures = [Some(&group.signature), group.symint_signature.as_ref()];
        let overloads = signatures.into_iter().flatten().map(|signature| Overload::new(ctx, signature));
        Ok(Factory { overloads: overloads.collect() })
    }
}

impl<'a> Overload<'a> {
    fn new(ctx: &AutogradContext<'a, '_>, signature: &Signature) -> Self {
        let parameters = signature.arguments.iter().map(|a| Parameter {
            ty: a.nctype.ty,
            name: a.name.to_string(),
            default: a.default.as_ref().map(|default| default.to_string()),
            is_options: matches!(a.argument, ArgumentRef::TensorOptions(_)),
        });
        let parameters: Vec<Parameter> = parameters.collect();
        let options = parameters.iter().find(|parameter| parameter.is_options).map(|parameter| parameter.name.clone());
        Overload { api: &ctx.namespaces.api, name: signature.name.clone(), parameters, options }
    }
}
