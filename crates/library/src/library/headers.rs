//! The public headers of a library, and those with the declarations of its author's kernels.
//!
//! With `--per-operator-headers` each operator has headers of its own in `include/<ns>/ops`, and
//! the aggregated ones include them: a kernel that includes only what it implements is not
//! recompiled when another operator changes.
//!
//! Invariant: both ways declare the same things under the same header names.

use super::functionalization::inverse_declarations;
use super::sections::{self, Included};
use super::view::Skeleton;
use super::{Inputs, MANAGER, dims, header};
use torchgen_base::render::{Fragment, RenderError};
use torchgen_base::write::OutputFile;
use torchgen_generators::native_functions::{OfOperator, by_operator, kernels_by_namespace, meta_declarations};
use torchgen_generators::operators::by_root_name;
use torchgen_generators::{Context, Outcome, functions, operators, redispatch};
use torchgen_model::model::DispatchKey;

/// The headers for callers.
pub(crate) fn public(ctx: &Context) -> Outcome {
    let skeleton = Skeleton::new(ctx);
    let declarations = operators::declarations(ctx)?;
    let functions = functions::functions(ctx)?;
    let redispatch = redispatch::functions(ctx)?;
    let mut files = vec![
        header(ctx, "ops.h", &skeleton)?,
        header(ctx, "Export.h", &skeleton)?,
        header(ctx, "RedispatchFunctions.h", &skeleton.with_functions(&redispatch))?,
    ];
    if !ctx.flags.per_operator_headers {
        files.push(header(ctx, "Operators.h", &skeleton.with_declarations(&declarations))?);
        files.push(header(ctx, "Functions.h", &skeleton.with_functions(&functions))?);
        return Ok(files);
    }
    let members = ctx.functions.iter().zip(declarations).zip(functions);
    let by_root_name = by_root_name(members, |((f, _), _)| f.root_name());
    for (name, members) in &by_root_name {
        let declarations: Vec<Fragment> = members.iter().map(|((_, d), _)| d.clone()).collect();
        let functions: Vec<Fragment> = members.iter().map(|(_, f)| f.clone()).collect();
        let of_operator = skeleton.for_operator(name);
        files.push(operator_header(ctx, "_ops.h", "Operator.h", &of_operator.with_declarations(&declarations))?);
        files.push(operator_header(ctx, ".h", "Function.h", &of_operator.with_functions(&functions))?);
    }
    let names: Vec<&str> = by_root_name.keys().copied().collect();
    files.push(header(ctx, "Operators.h", &skeleton.with_headers(&names, "_ops.h"))?);
    files.push(header(ctx, "Functions.h", &skeleton.with_headers(&names, ".h"))?);
    Ok(files)
}

/// Declarations of kernels and meta functions, and what registers kernels in their own sources.
pub(crate) fn native(inputs: &Inputs) -> Outcome {
    let mut files = declarations(&inputs.context)?;
    files.extend(dims::headers(&inputs.context, false)?);
    let ctx = &inputs.bodies;
    let skeleton = Skeleton::new(ctx);
    for Included { function, key, text } in sections::included(ctx, &skeleton)? {
        let (of_key, text, operator) = (skeleton.for_key(key), [text], function.func.name.to_string());
        let of_operator = of_key.for_operator(&operator);
        let text = ctx.renderer.fragment("torch/library/Registration.h.j2", &of_operator.with_definitions(&text))?;
        let path = format!("include/{}/{}", skeleton.include_dir(), registration_header(&operator, key));
        files.push(OutputFile::new(MANAGER, path, text).made_for(function.root_name()));
    }
    Ok(files)
}

/// The header that registers an operator's kernel for a key, below the library's directory. The
/// operator has its overload: kernels of other overloads may be in other sources.
pub(crate) fn registration_header(operator: &str, key: DispatchKey) -> String {
    format!("registrations/{operator}_{key}.h")
}

fn declarations(ctx: &Context) -> Outcome {
    let skeleton = Skeleton::new(ctx);
    if !ctx.target.defines_operators {
        let kernels = kernels_by_namespace(ctx)?;
        return Ok(vec![
            header(ctx, "Export.h", &skeleton)?,
            header(ctx, "NativeFunctions.h", &skeleton.with_stock_structured(ctx).with_declarations(&kernels))?,
        ]);
    }
    let mut files = vec![header(ctx, "Portable.h", &skeleton)?];
    if skeleton.has_structured() {
        files.push(header(ctx, "MetaBase.h", &skeleton)?);
    }
    if !ctx.flags.per_operator_headers {
        let (kernels, inverses) = (kernels_by_namespace(ctx)?, inverse_declarations(ctx, None)?);
        let native = skeleton.with_declarations(&kernels);
        files.push(header(ctx, "NativeFunctions.h", &native.with_definitions(&inverses))?);
        if skeleton.has_structured() {
            let declarations = meta_declarations(ctx)?;
            files.push(header(ctx, "NativeMetaFunctions.h", &skeleton.with_declarations(&declarations))?);
        }
        return Ok(files);
    }
    let operators = by_operator(ctx)?;
    let mut structured = Vec::new();
    for (name, OfOperator { meta_functions, kernels }) in &operators {
        let of_operator = skeleton.for_operator(name);
        if !meta_functions.is_empty() {
            structured.push(*name);
            let view = of_operator.with_declarations(meta_functions);
            files.push(operator_header(ctx, "_meta.h", "NativeMetaFunction.h", &view)?);
        }
        let view = of_operator.with_structured(!meta_functions.is_empty());
        let (view, inverses) = (view.with_declarations(kernels), inverse_declarations(ctx, Some(name))?);
        files.push(operator_header(ctx, "_native.h", "NativeFunction.h", &view.with_definitions(&inverses))?);
    }
    let names: Vec<&str> = operators.keys().copied().collect();
    files.push(header(ctx, "NativeFunctions.h", &skeleton.with_headers(&names, "_native.h"))?);
    if skeleton.has_structured() {
        files.push(header(ctx, "NativeMetaFunctions.h", &skeleton.with_headers(&structured, "_meta.h"))?);
    }
    Ok(files)
}

/// A header of one operator, `include/<ns>/ops/<name><suffix>`.
fn operator_header(ctx: &Context, suffix: &str, template: &str, view: &Skeleton) -> Result<OutputFile, RenderError> {
    let text = ctx.renderer.fragment(&format!("torch/library/{template}.j2"), view)?;
    Ok(OutputFile::new(MANAGER, format!("include/{}/ops/{}{suffix}", view.include_dir(), view.operator()), text)
        .made_for(view.operator()))
}
