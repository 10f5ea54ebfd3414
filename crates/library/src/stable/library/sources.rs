//! The sources of a library: its schemas, and its kernels by key.

use std::collections::BTreeSet;

use super::composite::composites;
use super::headers::{has_operator_headers, operator_header};
use super::kernels::{self, Kernels};
use super::structured::Groups;
use super::view::{Library, Schema};
use crate::library::{Inputs, MANAGER, dims, is_selected};
use torchgen_api::cpp_string;
use torchgen_base::render::RenderError;
use torchgen_base::write::OutputFile;
use torchgen_generators::guard::{Guard, together};
use torchgen_generators::{Context, Outcome};
use torchgen_model::model::condition::ComparedTorch;
use torchgen_model::model::registration::Registration;
use torchgen_model::model::{DispatchKey, NativeFunction};

/// The declarations of operators, and the kernels of generated variants.
pub(super) fn schemas(inputs: &Inputs) -> Outcome {
    let ctx = &inputs.context;
    let mut files = Vec::new();
    let schemas = declared(ctx);
    if !schemas.is_empty() && !ctx.flags.skip_dispatcher_op_registration {
        let view = Library { schemas, ..Library::new(inputs) };
        files.push(source(inputs, "RegisterSchema.cpp", "RegisterSchema.cpp", &view)?);
    }
    files.extend(dims::source(ctx, true)?);
    let composites = composites(&inputs.bodies)?;
    if !composites.is_empty() {
        let defined = kernels::declared(ctx, DispatchKey::CompositeExplicitAutograd);
        let headers = headers(ctx, defined.into_iter().filter(|f| f.is_generated()));
        let view = Library { composites, headers, ..Library::new(inputs) };
        files.push(source(inputs, "CompositeKernels.cpp", "CompositeKernels.cpp", &view)?);
    }
    Ok(files)
}

/// The operators that the library declares.
fn declared<'a>(ctx: &Context<'a>) -> Vec<Schema<'a>> {
    let is_declared =
        |f: &&NativeFunction| ctx.target.defines_operators && is_selected(ctx, f) && !f.registers_itself();
    let own = ctx.functions.iter().filter(is_declared);
    let schema = |f: &NativeFunction| ctx.renderer.about([f]).marked(cpp_string(&f.func.to_string()));
    let own = own.map(|f| (schema(f), &f.tags, together(f, &[])));
    let alone = ctx.schema_only.iter().filter(|operator| operator.registration == Registration::Generated);
    let alone = alone.map(|operator| (cpp_string(&operator.schema), &operator.tags, operator.when.clone()));
    own.chain(alone)
        .map(|(schema, tags, when)| Schema {
            schema,
            tags: tags.iter().map(String::as_str).collect(),
            when: when.map(|condition| Guard::new(&condition, ComparedTorch::Oldest)),
        })
        .collect()
}

/// One source per dispatch key that has kernels.
pub(super) fn kernels(inputs: &Inputs) -> Outcome {
    let ctx = &inputs.bodies;
    let groups = Groups::new(ctx);
    let mut files = Vec::new();
    for key in ctx.dispatch_keys {
        let index = ctx.indices.get(*key);
        let visible = ctx.functions.iter().filter(|f| !f.is_included());
        let Kernels { registered, structured } = kernels::kernels(ctx, &groups, index, visible);
        if registered.is_empty() || ctx.flags.skip_dispatcher_op_registration {
            continue;
        }
        let headers = headers(ctx, kernels::declared(ctx, *key));
        let view = Library { key: key.as_str(), registered, structured, headers, ..Library::new(inputs) };
        files.push(source(inputs, &format!("Register{key}.cpp"), "Register.cpp", &view)?);
    }
    Ok(files)
}

/// The headers that declare kernels of the operators.
fn headers<'a>(ctx: &Context, operators: impl IntoIterator<Item = &'a NativeFunction>) -> Vec<String> {
    if !has_operator_headers(ctx) {
        return vec!["NativeFunctions.h".to_owned()];
    }
    let names: BTreeSet<&str> = operators.into_iter().map(NativeFunction::root_name).collect();
    names.into_iter().map(operator_header).collect()
}

fn source(inputs: &Inputs, name: &str, template: &str, view: &Library) -> Result<OutputFile, RenderError> {
    let text = inputs.context.renderer.fragment(&format!("torch/stable/library/{template}.j2"), view)?;
    Ok(OutputFile::new(MANAGER, format!("src/{name}"), text))
}
