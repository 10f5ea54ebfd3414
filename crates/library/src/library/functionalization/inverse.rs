//! Declarations of the functions with which authors undo views: `view_inverse:` in
//! native_functions.yaml.
//!
//! Invariant: an inverse takes the base, the mutated view, for views with several results the index
//! of the one, and the view's other arguments, with the types that the dispatcher passes.

use serde::Serialize;

use super::viewed::viewed;
use torchgen_api::CallingConvention;
use torchgen_api::dispatcher::Dispatcher;
use torchgen_api::functionalization::is_multi_output;
use torchgen_api::{BaseCppType, CType, Locals};
use torchgen_base::render::Fragment;
use torchgen_generators::{Context, Errors, ItemError};
use torchgen_model::model::NativeFunction;

/// The base's name in the declarations.
const BASE: &str = "base";
/// The view after a mutation.
pub(crate) const MUTATED_VIEW: &str = "mutated_view";
/// The index of the result, if there are several.
pub(crate) const OUT_INDEX: &str = "out_index";

#[derive(Serialize)]
struct Inverse<'a> {
    namespace: &'a str,
    operator: String,
    name: &'a str,
    parameters: Vec<Parameter>,
}

#[derive(Serialize)]
struct Parameter {
    ty: CType,
    name: String,
}

/// The declarations of all inverses, or those of the operators of one base name, each in its
/// namespace.
///
/// # Errors
/// A view does not have the form of one.
pub(crate) fn declarations(ctx: &Context, root_name: Option<&str>) -> Result<Vec<Fragment>, Errors> {
    let wanted = |f: &&NativeFunction| f.view_inverse.is_some() && root_name.is_none_or(|name| f.root_name() == name);
    let functions: Vec<&NativeFunction> = ctx.functions.iter().filter(wanted).collect();
    let declarations = ctx.per_item(&functions, |f| declaration(ctx, f))?;
    Ok(declarations.into_iter().flatten().collect())
}

/// The function with which the author undoes a view.
pub(crate) struct ViewInverse<'a> {
    /// Where it is.
    pub namespace: &'a str,
    /// Its name.
    pub name: &'a str,
    /// The types and names of its parameters.
    pub(crate) parameters: Vec<(CType, String)>,
}

fn declaration(ctx: &Context, f: &NativeFunction) -> Result<Option<Fragment>, ItemError> {
    let Some(inverse) = view_inverse(f)? else { return Ok(None) };
    let view = Inverse {
        namespace: inverse.namespace,
        operator: f.func.name.to_string(),
        name: inverse.name,
        parameters: inverse.parameters.into_iter().map(|(ty, name)| Parameter { ty, name }).collect(),
    };
    let text = ctx.renderer.about([f]).fragment("torch/library/functionalization/inverse.j2", &view)?;
    Ok(Some(Fragment::new(text)))
}

/// The inverse that an operator names, if it does.
///
/// # Errors
/// The view does not have the form of one.
pub(crate) fn view_inverse(f: &NativeFunction) -> Result<Option<ViewInverse<'_>>, ItemError> {
    let Some(function) = &f.view_inverse else { return Ok(None) };
    let tensor = CType::base(BaseCppType::Tensor).const_ref();
    let parameter = |ty: CType, name: &str| (ty, name.to_owned());
    let mut parameters = vec![parameter(tensor, BASE), parameter(tensor, MUTATED_VIEW)];
    parameters.extend(is_multi_output(&f.func).then(|| parameter(BaseCppType::Long.into(), OUT_INDEX)));
    let mut base = None;
    for ret in &f.func.returns {
        base = base.or(viewed(f, ret)?);
    }
    for argument in Dispatcher::symbolic(Locals::for_operator(f)).arguments(&f.func)? {
        if base.is_none_or(|base| argument.name != base.name) {
            parameters.push(parameter(argument.nctype.ty, &argument.name));
        }
    }
    Ok(Some(ViewInverse { namespace: &function.cpp_namespace, name: &function.name, parameters }))
}
