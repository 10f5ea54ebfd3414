//! Kernels of a library's views, and the classes in which their results record how they were made.
//!
//! Invariant: there is one class for each result that is a view; its fields own their values. A
//! view is replayed by calling the operator, so libraries need no copy variants.

use serde::Serialize;

use super::inverse;
use super::viewed::viewed;
use torchgen_api::CallingConvention;
use torchgen_api::autograd::view::owned;
use torchgen_api::dispatcher::Dispatcher;
use torchgen_api::functionalization::{self, SymbolicCheck};
use torchgen_api::{CType, Locals, joined, translate_with};
use torchgen_base::render::Fragment;
use torchgen_generators::functionalization::kernel::{self, part, result};
use torchgen_generators::{Context, ItemError};
use torchgen_model::model::{Argument, NativeFunction, Return};

/// The name of the viewed tensor in classes.
pub(crate) const BASE: &str = "input_base";

/// The kernel's name for the results of the operator.
const RESULT: &str = "tmp_output";

/// The kernel of a view.
#[derive(Serialize)]
pub(crate) struct ViewKernel<'a> {
    schema: String,
    definition: String,
    tensors: Vec<Tensor<'a>>,
    /// The operator, called with unwrapped tensors.
    call: String,
    result_type: CType,
    /// It takes tensors besides the base, so it cannot be replayed.
    takes_tensors: bool,
    /// The arguments that may differ in a replay.
    symbolic: Vec<SymbolicCheck<'a>>,
    outputs: Vec<Output<'a>>,
    returned: Option<String>,
    /// The result is the base with another geometry.
    inplace: bool,
}

#[derive(Serialize)]
struct Tensor<'a> {
    #[serde(flatten)]
    unwrapped: kernel::Tensor<'a>,
    /// It is the viewed tensor.
    viewed: bool,
}

#[derive(Serialize)]
struct Output<'a> {
    /// The expression of it.
    value: String,
    /// It is a tensor or a list of tensors.
    tensors: bool,
    /// How it is tracked; `None` if it is not a view.
    view: Option<Tracked<'a>>,
}

#[derive(Serialize)]
struct Tracked<'a> {
    base: &'a str,
    /// It is a list of views.
    list: bool,
    /// The class of its view meta, and the stored arguments.
    meta: String,
    arguments: Vec<String>,
}

/// The class of a view meta.
#[derive(Serialize)]
struct Meta<'a> {
    name: String,
    /// It represents one of several results.
    multi_output: bool,
    /// It represents one element of a list.
    list: bool,
    /// The place of the result, or of the list, among the operator's results.
    output: usize,
    parameters: Vec<Field<'a>>,
    initialisers: Vec<Initialiser<'a>>,
    fields: Vec<Field<'a>>,
    /// The view, or the list of views, of the base.
    forward: String,
    /// The call of the author's inverse on base and view.
    reverse: Option<String>,
}

#[derive(Serialize)]
struct Field<'a> {
    ty: String,
    name: &'a str,
}

#[derive(Serialize)]
struct Initialiser<'a> {
    name: &'a str,
    value: String,
}

impl<'a> ViewKernel<'a> {
    /// The kernel of that name. `counterpart` is the operator itself or, for an inplace view, its
    /// out-of-place form.
    ///
    /// # Errors
    /// A result does not have the form of a view, or something has no C++ form.
    pub(super) fn new(
        ctx: &Context,
        name: &str,
        f: &'a NativeFunction,
        counterpart: &'a NativeFunction,
    ) -> Result<Self, ItemError> {
        let own = Dispatcher::symbolic(Locals::for_operator(f)).signature(&f.func)?;
        let inner = kernel::unwrapped(&own);
        let arguments = joined(&translate_with(&inner, &own.arguments, ctx.mode())?);
        let results = f.func.returns.len();
        let mut outputs = Vec::with_capacity(results);
        for (index, (ret, of_counterpart)) in f.func.returns.iter().zip(&counterpart.func.returns).enumerate() {
            let view = viewed(counterpart, of_counterpart)?.map(|base| Tracked {
                base: &base.name,
                list: is_list(of_counterpart),
                meta: meta_name(counterpart, index),
                arguments: own
                    .arguments
                    .iter()
                    .zip(&inner)
                    .filter(|(argument, _)| argument.name != base.name)
                    .map(|(_, inner)| inner.name.to_string())
                    .collect(),
            });
            outputs.push(Output { value: part(RESULT, index, results), tensors: ret.ty.is_tensor_like(), view });
        }
        let is_base = |name: &str| outputs.iter().any(|o| o.view.as_ref().is_some_and(|view| view.base == name));
        let tensors = kernel::tensors(&own).into_iter();
        let tensors: Vec<_> = tensors.map(|unwrapped| Tensor { viewed: is_base(&unwrapped.name), unwrapped }).collect();
        let names: Vec<String> = (0..results).map(|index| format!("output_{index}")).collect();
        Ok(ViewKernel {
            schema: f.qualified_schema(),
            definition: own.redispatch_defn_as(name),
            call: format!("{}({arguments})", functionalization::forward_name(&f.func, &ctx.namespaces.operators)),
            result_type: own.returns_type.remove_const_ref(),
            // Tensors besides the base keep their current values.
            takes_tensors: tensors.len() > 1,
            symbolic: symbolic(f)?,
            tensors,
            outputs,
            returned: result(&names, &own.returns_type),
            inplace: f.func.name.name.inplace,
        })
    }
}

/// The classes of a view's results.
///
/// # Errors
/// A result does not have the form of a view, an argument cannot be stored, or something has no C++
/// form.
pub(crate) fn metas(ctx: &Context, f: &NativeFunction) -> Result<Vec<Fragment>, ItemError> {
    let mut classes = Vec::new();
    for (index, ret) in f.func.returns.iter().enumerate() {
        if let Some(base) = viewed(f, ret)? {
            let meta = Meta::new(ctx, f, ret, index, base)?;
            let class = ctx.renderer.about([f]).fragment("torch/library/functionalization/view_meta.j2", &meta)?;
            classes.push(Fragment::new(class));
        }
    }
    Ok(classes)
}

impl<'a> Meta<'a> {
    fn new(
        ctx: &Context,
        f: &'a NativeFunction,
        ret: &'a Return,
        output: usize,
        base: &Argument,
    ) -> Result<Self, ItemError> {
        let arguments = Dispatcher::symbolic(Locals::for_operator(f)).arguments(&f.func)?;
        let schema_order: Vec<&str> = f.func.schema_order_arguments().map(|a| a.name.as_str()).collect();
        let multi_output = functionalization::is_multi_output(&f.func);
        let mut meta = Meta {
            name: meta_name(f, output),
            multi_output,
            list: is_list(ret),
            output,
            parameters: Vec::new(),
            initialisers: Vec::new(),
            fields: Vec::new(),
            forward: String::new(),
            reverse: None,
        };
        let (mut passed, mut kept) = (Vec::new(), Vec::new());
        for (argument, name) in arguments.iter().zip(schema_order) {
            if name == base.name {
                passed.push(BASE.to_owned());
                continue;
            }
            let field = owned(argument)?;
            passed.push(field.passed.clone());
            kept.push(field.passed);
            meta.parameters.push(Field { ty: argument.ty().to_owned(), name });
            meta.fields.push(Field { ty: field.ty, name });
            meta.initialisers.push(Initialiser { name, value: field.value });
        }
        let call = functionalization::forward_name(&f.func, &ctx.namespaces.operators);
        meta.forward = part(&format!("{call}({})", passed.join(", ")), output, f.func.returns.len());
        let index = match meta.list {
            true => inverse::OUT_INDEX.to_owned(),
            false => output.to_string(),
        };
        meta.reverse = f.view_inverse.as_ref().map(|function| {
            let mut given = vec![BASE.to_owned(), inverse::MUTATED_VIEW.to_owned()];
            given.extend(multi_output.then_some(index));
            given.extend(kept);
            format!("{}::{}({})", function.cpp_namespace, function.name, given.join(", "))
        });
        Ok(meta)
    }
}

fn meta_name(f: &NativeFunction, output: usize) -> String {
    let name = functionalization::classname(&f.func, None);
    if f.func.returns.len() == 1 { name } else { format!("{name}{output}") }
}

fn is_list(ret: &Return) -> bool {
    ret.ty.is_list_like().is_some()
}

/// The arguments that may be symbolic.
fn symbolic(f: &NativeFunction) -> Result<Vec<SymbolicCheck<'_>>, ItemError> {
    let arguments = Dispatcher::symbolic(Locals::for_operator(f)).arguments(&f.func)?;
    let symints = arguments.iter().filter(|b| b.argument.argument().is_some_and(|a| a.ty.is_symint_like()));
    Ok(symints.map(|b| SymbolicCheck::new(b.name.clone(), &b.nctype.ty)).collect::<Result<_, _>>()?)
}
