//! The shims of a backend outside PyTorch.
//!
//! Invariant: they call operators through the dispatcher, so any kernel registered for the backend
//! works. An operator has a shim if AOTInductor falls back to it and the backend has a kernel for
//! some variant of it, or it has a composite one; or if the backend requests it.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use serde::Serialize;

use super::table::{Entry, Table, UNLISTED};
use super::view::{self, Operator, Shim};
use torchgen_base::write::OutputFile;
use torchgen_generators::managers;
use torchgen_generators::{Context, Outcome};
use torchgen_model::model::{DispatchKey, NativeFunction};

/// A backend's settings for its shims.
#[derive(Clone, Copy)]
pub struct External<'a> {
    /// The key of its kernels.
    pub key: DispatchKey,
    /// The device in the names of files and functions.
    pub device: &'a str,
    /// The directory of the header in includes.
    pub directory: &'a str,
    /// The additional operators: `aten.add.Tensor`.
    pub operators: &'a [&'a str],
}

#[derive(Serialize)]
struct Library<'a> {
    directory: &'a str,
    device: &'a str,
    headers: BTreeSet<String>,
    shims: Vec<Shim>,
}

/// Makes the header and the source.
pub fn run(ctx: &Context, external: &External) -> Outcome {
    let operators = operators(ctx, external);
    let made = ctx.per_item(&operators, |operator| Ok(view::through_dispatcher(operator, ctx.target.tables.get())?))?;
    let mut library =
        Library { directory: external.directory, device: external.device, headers: BTreeSet::new(), shims: Vec::new() };
    for (header, shims) in made.into_iter().flatten() {
        library.headers.insert(header);
        library.shims.extend(shims);
    }
    let file = |ending: &str| {
        let text = ctx.renderer.fragment(&format!("torch/backend/c_shim.{ending}.j2"), &library)?;
        Ok::<_, torchgen_base::render::RenderError>(OutputFile::new(
            managers::CPU,
            format!("c_shim_{}.{ending}", external.device),
            text,
        ))
    };
    Ok(vec![file("h")?, file("cpp")?])
}

/// The operators in the order of their names.
fn operators<'a>(ctx: &Context<'a>, external: &External) -> Vec<Operator<'a>> {
    let index = ctx.indices.get(external.key);
    let with_kernels = ctx.grouped.iter().filter(|item| item.functions().into_iter().any(|f| index.has_kernel(f)));
    let served: HashSet<*const NativeFunction> =
        with_kernels.flat_map(|item| item.functions()).map(std::ptr::from_ref).collect();
    let asked: HashSet<&str> = external.operators.iter().copied().collect();
    let mut found: BTreeMap<String, (&'a NativeFunction, &'a Entry)> = BTreeMap::new();
    let table: &'a Table = ctx.target.tables.get();
    for f in ctx.functions {
        let name = view::python_name(f);
        let listed = table.fallback.get(&name);
        let has_kernel = served.contains(&std::ptr::from_ref(f)) || f.has_composite_kernel();
        if asked.contains(name.as_str()) || (listed.is_some() && has_kernel) {
            found.insert(name, (f, listed.unwrap_or(&UNLISTED)));
        }
    }
    found.into_values().map(|(f, entry)| Operator { f, entry }).collect()
}
