//! Wrappers around kernels, one set per dispatch key: `Register<Key>*.cpp`, which register them,
//! and `<Key>Functions.h` with the functions that call them without the dispatcher.
//!
//! Invariant: templates get the properties of a key ([`backend`]), never the key itself.
//! [`native_functions`](super::native_functions) declares the kernels. Rule:
//! torchgen/dest/register_dispatch_key.py.

pub mod backend;
pub mod definitions;
mod device_check;
pub mod frame;
mod functions;
pub mod given;
mod members;
pub mod single;
mod structured;
#[cfg(test)]
mod tests;
mod unstructured;
mod wrapper;

use rayon::iter::{IntoParallelRefIterator, ParallelIterator};

use self::backend::Backend;
pub use self::wrapper::Registration;
use super::names::parts;
use super::{Context, Outcome};
use torchgen_base::diag::gather_lists;
use torchgen_base::render::{Env, Sharded};
use torchgen_model::model::DispatchKey;

/// The sources.
pub fn sources(ctx: &Context) -> Outcome {
    per_key(ctx, |_| true, |backend| key_sources(ctx, backend))
}

/// The headers.
pub fn headers(ctx: &Context) -> Outcome {
    per_key(ctx, |key| ctx.functions_keys.contains(&key), |backend| functions::headers(ctx, backend))
}

/// The names of [`sources`].
pub fn source_names(ctx: &Context) -> Outcome {
    let of_key = |key: &DispatchKey| parts(ctx.manager_of(*key), &file_of(*key), shards_of(*key));
    Ok(ctx.dispatch_keys.iter().flat_map(of_key).collect())
}

/// The names of [`headers`].
pub fn header_names(ctx: &Context) -> Outcome {
    per_key(ctx, |key| ctx.functions_keys.contains(&key), |backend| functions::names(ctx, backend))
}

/// The source of a key, before it is split.
fn file_of(key: DispatchKey) -> String {
    format!("Register{key}.cpp")
}

/// The number of its shards.
fn shards_of(key: DispatchKey) -> u32 {
    if key == DispatchKey::CPU { 4 } else { 1 }
}

/// Makes the files of all keys that pass, in order, or returns all errors.
fn per_key<'a>(
    ctx: &Context<'a>,
    filter: impl Fn(DispatchKey) -> bool,
    make: impl Fn(&Backend<'a>) -> Outcome + Sync + Send,
) -> Outcome {
    let backends: Vec<Backend> =
        ctx.dispatch_keys.iter().filter(|key| filter(**key)).map(|key| Backend::aten(ctx, *key)).collect();
    let made: Vec<Outcome> = backends.par_iter().map(make).collect();
    Ok(gather_lists(made)?.into_iter().flatten().collect())
}

fn key_sources<'a>(ctx: &Context<'a>, backend: &Backend<'a>) -> Outcome {
    let frames = definitions::Frames::new(ctx, backend)?;
    let items = ctx.per_item(ctx.grouped, |item| {
        let definitions = definitions::definitions(ctx, backend, &frames, item)?;
        Ok(definitions.map(|text| (item.root_name().to_owned(), Env::from_iter([(DEFINITIONS, vec![text])]))))
    })?;
    let sharded = Sharded {
        file: file_of(backend.key),
        template: "RegisterDispatchKey.cpp".into(),
        shards: shards_of(backend.key),
        base: frame::env(ctx, backend)?,
        keys: vec![DEFINITIONS.to_owned()],
        items: items.into_iter().flatten().collect(),
    };
    Ok(ctx.sharded(ctx.manager_of(backend.key), &sharded)?)
}

const DEFINITIONS: &str = "dispatch_definitions";
