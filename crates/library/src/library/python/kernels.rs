//! `_kernels.py`: registers the kernels that are Python functions, on both ABIs.
//!
//! Compilers see through such an operator: while a program is compiled, it is replaced by what its
//! function calls. Invariant: a module is imported when one of its kernels is called first, so that
//! a package with Triton kernels can be imported without Triton. A kernel makes the outputs without
//! data only if nothing else does.

use serde::Serialize;

use super::{Named, directory, overload_expr};
use crate::library::MANAGER;
use crate::library::implied::has_fake;
use crate::library::view::is_selected;
use torchgen_api::python::annotation;
use torchgen_base::write::OutputFile;
use torchgen_generators::size_check::has_checks;
use torchgen_generators::{Context, Outcome};
use torchgen_model::group::Variants;
use torchgen_model::model::native_function::DeviceCheckType;
use torchgen_model::model::python_function::PythonKernel;
use torchgen_model::model::{Argument, NativeFunction};

/// The name of the module with the registrations.
pub(crate) const MODULE: &str = "_kernels";

#[derive(Serialize)]
struct Module<'a> {
    namespace: &'a str,
    /// The package is in another one, where modules of the author are.
    inner: bool,
    /// Some operators compare sizes first.
    has_dims: bool,
    operators: Vec<Operator<'a>>,
}

/// An operator with kernels in Python.
#[derive(Serialize)]
struct Operator<'a> {
    /// The name with the namespace and the overload.
    shown: String,
    /// The overload, an expression.
    overload: String,
    kernels: Vec<Kernel<'a>>,
    /// Defaults for which torch's schema has a number.
    defaults: Vec<Default<'a>>,
    /// They are its fake too.
    makes_outputs: bool,
    /// Its tensors must be on one device.
    on_one_device: bool,
    /// Kernels run with the device of the tensors as the current one.
    device_guard: bool,
    /// Some builds lack it.
    conditional: bool,
}

/// A default that Python has as an object: `_torch.int64`.
#[derive(Serialize)]
struct Default<'a> {
    name: &'a str,
    value: String,
}

impl<'a> Default<'a> {
    fn new(argument: &'a Argument) -> Option<Default<'a>> {
        let value = annotation::default(argument.default.as_deref()?, &argument.ty);
        value.starts_with("_torch.").then(|| Default { name: argument.schema_name(), value: value.into_owned() })
    }
}

#[derive(Serialize)]
struct Kernel<'a> {
    key: &'static str,
    function: Named<'a>,
}

impl<'a> Kernel<'a> {
    fn new(kernel: &'a PythonKernel) -> Kernel<'a> {
        Kernel { key: kernel.key.as_str(), function: Named::new(&kernel.function) }
    }
}

/// The file with the registrations; none if no operator has a kernel in Python.
pub(crate) fn files(ctx: &Context<'_>, package: &str) -> Outcome {
    let own = ctx.functions.iter().filter(|f| ctx.target.defines_operators && is_selected(ctx, f));
    let variants = Variants::new(ctx.functions);
    let with_kernels = own.filter(|f| !f.python_kernels.is_empty());
    let operators: Vec<Operator<'_>> = with_kernels.map(|f| operator(ctx, &variants, f)).collect();
    if operators.is_empty() {
        return Ok(Vec::new());
    }
    let (namespace, inner) = (&ctx.namespaces.api, ctx.flags.in_python_package);
    let module = Module { namespace, inner, has_dims: has_checks(ctx), operators };
    let text = ctx.renderer.fragment("torch/library/python/_kernels.py.j2", &module)?;
    Ok(vec![OutputFile::new(MANAGER, format!("{}/{MODULE}.py", directory(package)), text)])
}

fn operator<'a>(ctx: &Context<'_>, variants: &Variants<'_>, f: &'a NativeFunction) -> Operator<'a> {
    let in_cpp = ctx.indices.iter().any(|index| index.has_kernel(f));
    Operator {
        shown: ctx.renderer.about([f]).marked(f.full_name()),
        overload: overload_expr(f),
        kernels: f.python_kernels.iter().map(Kernel::new).collect(),
        defaults: f.func.schema_order_arguments().filter_map(Default::new).collect(),
        makes_outputs: !in_cpp && !has_fake(f, variants),
        on_one_device: f.device_check == DeviceCheckType::ExactSame,
        device_guard: f.device_guard,
        conditional: f.conditions.operator.is_some(),
    }
}
