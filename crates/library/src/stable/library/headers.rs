//! The headers of a library: what callers include, and the declarations of kernels.

use super::kernels::declarations;
use super::registrations;
use super::view::Library;
use crate::library::{Inputs, MANAGER, dims};
use crate::stable::calls::{Callable, functions};
use crate::stable::facts::CarriedTypes;
use crate::stable::ops::select::{Selected, select_named};
use torchgen_api::stable::has_readable_results;
use torchgen_base::render::RenderError;
use torchgen_base::write::OutputFile;
use torchgen_generators::operators::by_root_name;
use torchgen_generators::{Context, Outcome};
use torchgen_model::model::NativeFunction;
use torchgen_model::parse::entry::names;

/// The functions that call the library's operators.
pub(super) fn public(inputs: &Inputs) -> Outcome {
    let ctx = &inputs.context;
    let texts: Vec<String> = ctx.functions.iter().map(|f| f.func.to_string()).collect();
    let types = CarriedTypes::read_table();
    // A library that registers itself can have types that the stable ABI does not carry, and any
    // names.
    let is_carried = |f: &NativeFunction| {
        let since = types.since_all(&f.func);
        !f.registers_itself()
            || since.is_ok_and(|since| since <= inputs.settings.torch_min)
                && names::is_usable_in_cpp(f, ctx.target.tables)
    };
    // When C++ calls an operator, libtorch confuses results of different types.
    let is_called = |f: &NativeFunction| has_readable_results(&f.func) && is_carried(f);
    let called = || ctx.functions.iter().zip(&texts).filter(|(f, _)| is_called(f));
    let callables: Vec<Callable> =
        called().map(|(f, text)| Callable { namespace: &f.namespace, text, schema: &f.func }).collect();
    let mut functions = functions(&callables);
    for (function, (f, _)) in functions.iter_mut().zip(called()) {
        function.mark(&ctx.renderer.about([f]));
    }
    let view = Library { functions, ..Library::new(inputs) };
    Ok(vec![header(inputs, "Functions.h", &view)?])
}

/// The types, the kernels to write, and what calls them.
pub(super) fn native(inputs: &Inputs) -> Outcome {
    let mut files = vec![header(inputs, "Types.h", &Library::new(inputs))?];
    // Callers need the types only.
    if inputs.registers_itself() {
        return Ok(files);
    }
    files.extend(of_kernels(inputs)?);
    files.extend(registrations::headers(inputs)?);
    files.push(header(inputs, "Boxing.h", &Library::new(inputs))?);
    files.extend(dims::headers(&inputs.context, true)?);
    if inputs.context.functions.iter().any(|f| f.aoti) {
        files.push(header(inputs, "CFunctions.h", &Library::new(inputs))?);
    }
    // Errors in the names were reported before.
    let (selected, _) =
        select_named(&inputs.settings.torch_ops, inputs.settings.torch_min, inputs.context.target.tables);
    if !selected.is_empty() {
        let callables: Vec<Callable> = selected.iter().map(Selected::callable).collect();
        let view = Library { functions: functions(&callables), ..Library::new(inputs) };
        files.push(header(inputs, "TorchOps.h", &view)?);
    }
    if inputs.context.target.defines_operators {
        let view = Library { has_torch_ops: !selected.is_empty(), ..Library::new(inputs) };
        files.push(header(inputs, "Portable.h", &view)?);
    }
    Ok(files)
}

/// The declarations of kernels: in one header, or in one for each operator, which that includes.
fn of_kernels(inputs: &Inputs) -> Result<Vec<OutputFile>, RenderError> {
    let ctx = &inputs.context;
    if !has_operator_headers(ctx) {
        let view = Library { kernels: declarations(ctx, ctx.functions), ..Library::new(inputs) };
        return Ok(vec![header(inputs, "NativeFunctions.h", &view)?]);
    }
    let (mut files, mut headers) = (Vec::new(), Vec::new());
    for (name, functions) in by_root_name(ctx.functions, |f| f.root_name()) {
        let kernels = declarations(ctx, functions);
        if kernels.is_empty() {
            continue;
        }
        let view = Library { kernels, ..Library::new(inputs) };
        let path = operator_header(name);
        files.push(rendered(inputs, &path, "NativeFunctions.h", &view)?.made_for(name));
        headers.push(path);
    }
    headers.sort_unstable();
    let view = Library { headers, ..Library::new(inputs) };
    files.push(header(inputs, "NativeFunctions.h", &view)?);
    Ok(files)
}

/// Whether each operator has a header of its own.
pub(super) fn has_operator_headers(ctx: &Context) -> bool {
    ctx.flags.per_operator_headers && ctx.target.defines_operators
}

/// That header, below the library's directory.
pub(super) fn operator_header(root_name: &str) -> String {
    format!("ops/{root_name}_native.h")
}

fn header(inputs: &Inputs, name: &str, view: &Library) -> Result<OutputFile, RenderError> {
    rendered(inputs, name, name, view)
}

fn rendered(inputs: &Inputs, name: &str, template: &str, view: &Library) -> Result<OutputFile, RenderError> {
    let text = inputs.context.renderer.fragment(&format!("torch/stable/library/{template}.j2"), view)?;
    Ok(OutputFile::new(MANAGER, format!("include/{}/{name}", inputs.context.namespaces.include_dir), text))
}
