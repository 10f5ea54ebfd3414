//! Kernels of ufuncs, made from the inner loops that operators name: `UfuncCPU_<name>.cpp`,
//! `UfuncCPUKernel_<name>.cpp` and `UfuncCUDA_<name>.cu`.
//!
//! Invariant: every scalar type of a loop has a case of its own. The loops are hand-written. Rule:
//! torchgen/dest/ufunc.py.

mod cpu;
mod cuda;

use torchgen_api::ufunc::StubKernel;
use torchgen_api::{ApiError, Binding, CallingConvention, Signature};
use torchgen_base::diag::Diagnostic;
use torchgen_base::render::{Env, Fragment};
use torchgen_base::write::OutputFile;
use torchgen_generators::managers;
use torchgen_generators::names::file_named;
use torchgen_generators::native_functions::{kernel_declarations, meta_function};
use torchgen_generators::{Context, ItemError, Outcome};
use torchgen_model::codes;
use torchgen_model::group::{Grouped, NativeFunctionsGroup};
use torchgen_model::model::DispatchKey;
use torchgen_model::model::aten_keys::aten_key;

/// The keys with such kernels.
fn ufunc_keys<'c>(ctx: &'c Context) -> impl Iterator<Item = &'c DispatchKey> {
    let tables = ctx.target.tables;
    ctx.dispatch_keys.iter().filter(move |key| aten_key(**key, tables).is_some_and(|row| row.ufunc))
}

/// The names of [`run`].
pub fn names(ctx: &Context) -> Outcome {
    let mut files = Vec::new();
    for key in ufunc_keys(ctx) {
        for g in ctx.groups.iter().filter(|g| !g.out.ufunc_inner_loop.is_empty()) {
            let (name, made_for) = (g.functional.func.name.name.to_string(), g.functional.func.name.to_string());
            let places = match key {
                DispatchKey::CUDA => vec![(managers::CUDA, format!("UfuncCUDA_{name}.cu"))],
                _ => vec![
                    (managers::CPU, format!("UfuncCPU_{name}.cpp")),
                    (managers::CPU_VEC, format!("UfuncCPUKernel_{name}.cpp")),
                ],
            };
            files
                .extend(places.into_iter().map(|(manager, name)| file_named(manager, name).made_for(made_for.clone())));
        }
    }
    Ok(files)
}

/// The sources.
pub fn run(ctx: &Context) -> Outcome {
    let groups: Vec<_> = ctx.groups.iter().filter(|g| !g.out.ufunc_inner_loop.is_empty()).copied().collect();
    let mut files = Vec::new();
    for key in ufunc_keys(ctx) {
        let made = ctx.per_item(&groups, |g| match key {
            DispatchKey::CUDA => cuda_files(ctx, g),
            _ => cpu_files(ctx, g),
        })?;
        files.extend(made.into_iter().flatten());
    }
    Ok(files)
}

/// What is made of a group's inner loops.
#[derive(Debug, Clone, Copy)]
pub enum Part {
    /// The kernel for CPU, which calls the loops.
    Cpu,
    /// The loops for CPU.
    CpuKernel,
    /// The kernel for CUDA.
    Cuda,
}

/// A part of a group's code.
///
/// # Errors
/// The inner loops do not make one.
pub fn text(ctx: &Context, g: &NativeFunctionsGroup, part: Part) -> Result<String, ItemError> {
    let renderer = ctx.renderer.about(g.functions());
    Ok(match part {
        Part::Cpu => renderer.fragment("torch/ufunc/cpu.j2", &cpu::kernel(g)?)?,
        Part::CpuKernel => renderer.fragment("torch/ufunc/cpu_kernel.j2", &cpu::loops(g)?)?,
        Part::Cuda => renderer.fragment("torch/ufunc/cuda.j2", &cuda::kernel(g)?)?,
    })
}

fn cpu_files(ctx: &Context, g: &NativeFunctionsGroup) -> Result<Vec<OutputFile>, ItemError> {
    let name = g.functional.func.name.name.to_string();
    let mut env = declarations(ctx, g, DispatchKey::CPU)?;
    env.set("native_definitions", text(ctx, g, Part::Cpu)?);
    let kernel = ctx.file(managers::CPU, &format!("UfuncCPU_{name}.cpp"), "UfuncCPU.cpp", &env)?;
    let mut env = Env::from_iter([("name", name.as_str())]);
    env.set("native_definitions", text(ctx, g, Part::CpuKernel)?);
    let loops = ctx.file(managers::CPU_VEC, &format!("UfuncCPUKernel_{name}.cpp"), "UfuncCPUKernel.cpp", &env)?;
    let made_for = g.functional.func.name.to_string();
    Ok(vec![kernel.made_for(made_for.clone()), loops.made_for(made_for)])
}

fn cuda_files(ctx: &Context, g: &NativeFunctionsGroup) -> Result<Vec<OutputFile>, ItemError> {
    let name = g.functional.func.name.name.to_string();
    let mut env = declarations(ctx, g, DispatchKey::CUDA)?;
    env.set("name", name.as_str());
    env.set(
        "cuda_headers",
        Fragment::of_template(
            ctx.renderer.fragment("torch/ufunc/cuda_headers.j2", &cuda::Headers { rocm: ctx.flags.rocm })?,
        ),
    );
    env.set("native_definitions", text(ctx, g, Part::Cuda)?);
    let file = ctx.file(managers::CUDA, &format!("UfuncCUDA_{name}.cu"), "UfuncCUDA.cu", &env)?;
    Ok(vec![file.made_for(g.functional.func.name.to_string())])
}

/// Declarations in the file itself, so that changes to other operators do not recompile it.
fn declarations(ctx: &Context, g: &NativeFunctionsGroup, key: DispatchKey) -> Result<Env, ItemError> {
    let mut env = Env::new();
    env.set("meta_declaration", meta_function(ctx, g)?);
    let kernels = kernel_declarations(ctx, &Grouped::Group(*g), ctx.indices.get(key))?;
    env.set("native_declaration", vec![Fragment::new(kernels)]);
    Ok(env)
}

/// The trampoline of a kernel.
#[derive(serde::Serialize)]
struct Stub {
    name: String,
    kernel: String,
    type_name: String,
    /// The types of the kernel's parameters after the iterator, and the parameters.
    types: String,
    parameters: String,
}

/// The signature of the kernel behind a group's stub.
fn stub_signature<'a>(g: &NativeFunctionsGroup<'a>) -> Result<Signature<'a>, ApiError> {
    StubKernel { functional: &g.functional.func }.signature(&g.out.func)
}

impl Stub {
    fn new(g: &NativeFunctionsGroup, kernel: &Signature) -> Stub {
        let convention = StubKernel { functional: &g.functional.func };
        let types: Vec<&str> = kernel.arguments.iter().map(Binding::ty).collect();
        Stub {
            name: convention.name_of_kind("stub"),
            kernel: kernel.name.clone(),
            type_name: convention.name_of_kind("fn"),
            types: types.join(", "),
            parameters: kernel.parameters().join(", "),
        }
    }
}

/// An error in the loops of a group.
fn bad_loops(g: &NativeFunctionsGroup, message: String) -> ItemError {
    Diagnostic::new(&codes::UFUNC_LOOPS, message).at(g.out.spans.name).into()
}

#[cfg(test)]
mod tests {
    use super::{Part, text};
    use torchgen_generators::testing::{cases, with_operators};

    /// A name starts with `CPU` or `CUDA`.
    #[test]
    fn kernels() {
        cases("src/aten/ufunc/cases.txt", |name, yaml| {
            with_operators(yaml, &[], |ctx| {
                let part = if name.starts_with("CUDA") { Part::Cuda } else { Part::CpuKernel };
                let texts = ctx.per_item(ctx.groups, |g| text(&ctx, g, part))?;
                Ok(texts.concat())
            })
        });
    }
}
