//! `core/TensorBody.h`: the class `Tensor`, with the methods of operators.
//!
//! Invariant: only operators with the method variant appear. Rule: torchgen/gen.py,
//! `ComputeTensorMethod`.

use serde::Serialize;

use torchgen_api::CallingConvention;
use torchgen_api::cpp::BindingKind;
use torchgen_api::dispatcher::Dispatcher;
use torchgen_api::{CppSignatureGroup, Locals, Mode, Signature, joined, translate_with};
use torchgen_base::diag::Diagnostic;
use torchgen_base::render::{Env, Fragment};
use torchgen_generators::managers;
use torchgen_generators::{Context, ItemError, Outcome};
use torchgen_model::codes;
use torchgen_model::model::NativeFunction;

#[derive(Serialize)]
struct Method<'a> {
    namespace: &'a str,
    ops: &'a str,
    name: String,
    schema: String,
    overloads: Vec<Overload>,
}

#[derive(Serialize)]
struct Overload {
    decl: String,
    defn: String,
    arguments: String,
}

/// The header.
pub(crate) fn headers(ctx: &Context) -> Outcome {
    let methods: Vec<&NativeFunction> = ctx.functions.iter().filter(|f| f.variants.method).collect();
    let fragments = ctx.per_item(&methods, |f| {
        let view = view(ctx, f)?;
        let about = ctx.renderer.about([*f]);
        let declaration = about.fragment("torch/tensor_body/declaration.j2", &view)?;
        let definition = about.fragment("torch/tensor_body/definition.j2", &view)?;
        Ok((Fragment::new(declaration), Fragment::new(definition)))
    })?;
    let (declarations, definitions): (Vec<_>, Vec<_>) = fragments.into_iter().unzip();
    let env =
        Env::from_iter([("tensor_method_declarations", declarations), ("tensor_method_definitions", definitions)]);
    Ok(vec![ctx.file(managers::CORE, "TensorBody.h", "TensorBody.h", &env)?])
}

/// The error for an operator with the method variant but without `self`.
pub fn without_self(f: &NativeFunction) -> Option<Diagnostic> {
    let error = f.variants.method && f.func.arguments.self_arg.is_none();
    let message = || format!("`{}` cannot be a method: it has no argument `self`", f.func.name);
    error.then(|| Diagnostic::new(&codes::METHOD_WITHOUT_SELF, message()).at(f.spans.name))
}

fn view<'a>(ctx: &Context<'a>, f: &'a NativeFunction) -> Result<Method<'a>, ItemError> {
    if let Some(error) = without_self(f) {
        return Err(error.into());
    }
    let locals = Locals::for_operator(f);
    let target = Dispatcher::symbolic(locals).signature(&f.func)?;
    let group = CppSignatureGroup::from_native_function(f, BindingKind::METHOD.binding_of(f), locals)?;
    let mode = Mode { method: true, ..Mode::default() };
    let overload = |signature: &Signature| -> Result<Overload, ItemError> {
        let arguments = translate_with(&signature.arguments, &target.arguments, mode)?;
        Ok(Overload {
            decl: signature.decl(),
            defn: signature.defn_as(&format!("Tensor::{}", signature.name)),
            arguments: joined(&arguments),
        })
    };
    Ok(Method {
        namespace: ctx.schema_namespace(f),
        ops: &ctx.namespaces.operators,
        name: f.func.name.unambiguous_name(),
        schema: f.func.to_string(),
        overloads: group.signatures().map(overload).collect::<Result<_, _>>()?,
    })
}
