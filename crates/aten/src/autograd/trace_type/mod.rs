//! TraceType: kernels that record calls in the graph of a trace. Writes
//! TraceType_{0..9,Everything}.cpp.
//!
//! Invariant: every operator has such a kernel, even if its calls are not recorded, unless there is
//! a hand-written one. Selection does not apply. Rule: tools/autograd/gen_trace_type.py.

mod view;

use self::view::TracedKernel;
use torchgen_base::render::Fragment;
use torchgen_generators::autograd_common::is_manual;
use torchgen_generators::variable_type::shards;
use torchgen_generators::{AutogradContext, Errors, Outcome, per_item};
use torchgen_model::model::{DispatchKey, NativeFunction};

const FILE: &str = "TraceType.cpp";
const KEYS: [&str; 3] = ["ops_headers", "trace_method_definitions", "trace_wrapper_registrations"];

/// The kernel of one operator.
pub(crate) struct KernelTexts<'a> {
    f: &'a NativeFunction,
    header: Fragment,
    pub definition: Fragment,
    pub registration: Fragment,
}

/// The kernels of all operators that get one, in their order.
pub(crate) fn kernels<'a>(ctx: &AutogradContext<'a, '_>) -> Result<Vec<KernelTexts<'a>>, Errors> {
    let functions: Vec<&NativeFunction> = ctx.functions.iter().filter(|f| !is_manual(f, ctx.target)).collect();
    per_item(&functions, |f| {
        let view = TracedKernel::new(ctx, f)?;
        let kernel = format!("TraceType::{}", view.name);
        let registering = ctx.renderer.registering(*f, DispatchKey::Tracer.as_str(), &kernel);
        Ok(KernelTexts {
            f,
            header: ctx.header(f, "_ops.h")?,
            definition: ctx.renderer.about([*f]).fragment("torch/trace_type/definition.j2", &view)?.into(),
            registration: registering.fragment("torch/trace_type/registration.j2", &view)?.into(),
        })
    })
}

/// Makes all files.
pub(crate) fn run(ctx: &AutogradContext) -> Outcome {
    let items = kernels(ctx)?
        .into_iter()
        .map(|kernel| (kernel.f.root_name().to_owned(), [kernel.header, kernel.definition, kernel.registration]));
    Ok(ctx.sharded(FILE, shards(ctx), KEYS, items)?)
}
