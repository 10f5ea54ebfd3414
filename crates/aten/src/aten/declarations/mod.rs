//! Declarations.yaml: every operator as in the public C++ API, for tools that read YAML.
//!
//! Invariant: the text is what PyYAML dumps, scalar by scalar. All operators are listed, selected
//! or not. Rule: torchgen/gen.py, `compute_declaration_yaml` and below.

mod number;
pub(crate) mod scalar;
mod view;

use std::sync::{Mutex, PoisonError};

use rustc_hash::FxHashMap;
use serde::Serialize;

use torchgen_base::render::{ContentsBuilder, Fragment};
use torchgen_base::write::OutputFile;
use torchgen_generators::managers;
use torchgen_generators::{Context, Outcome};
use torchgen_model::model::NativeFunction;

/// A file without operators, which PyYAML dumps in its flow style.
#[derive(Serialize)]
struct Nothing {}

/// Makes Declarations.yaml.
pub fn run<'a>(ctx: &Context<'a>) -> Outcome {
    // Operators have the same arguments again and again: 1 in 20 is another.
    let known: Mutex<FxHashMap<view::Parameter<'a>, Fragment>> = Mutex::default();
    let item = |parameter: &view::Parameter<'a>| {
        let known = || known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(item) = known().get(parameter) {
            return Ok(item.clone());
        }
        let alone = view::Arguments { arguments: std::slice::from_ref(parameter) };
        let item = Fragment::new(ctx.renderer.fragment("torch/declarations/arguments.j2", &alone)?);
        Ok(known().entry(parameter.clone()).or_insert(item).clone())
    };
    let functions: Vec<&'a NativeFunction> = ctx.functions.iter().collect();
    let entries = ctx.fragments(&functions, |f| {
        let namespace = ctx.namespaces.schema.as_deref().unwrap_or(&f.namespace);
        Ok(ctx.renderer.fragment("torch/declarations/operator.j2", &view::Declaration::new(f, namespace, item)?)?)
    })?;
    let mut text = ContentsBuilder::new();
    if entries.is_empty() {
        text.push(&Fragment::new(ctx.renderer.fragment("torch/declarations/nothing.j2", &Nothing {})?));
    }
    entries.iter().for_each(|entry| text.push(entry));
    Ok(vec![OutputFile::new(managers::CPU, "Declarations.yaml", text.finish())])
}
