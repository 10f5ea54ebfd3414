//! Declarations.yaml: every operator as in the public C++ API, for tools that read YAML.
//!
//! Invariant: the text is what PyYAML dumps, scalar by scalar. All operators are listed, selected
//! or not. Rule: torchgen/gen.py, `compute_declaration_yaml` and below.

mod number;
pub(crate) mod scalar;
mod view;

use serde::Serialize;

use torchgen_base::render::{ContentsBuilder, Fragment};
use torchgen_base::write::OutputFile;
use torchgen_generators::managers;
use torchgen_generators::{Context, Outcome};

/// A file without operators, which PyYAML dumps in its flow style.
#[derive(Serialize)]
struct Nothing {}

/// Makes Declarations.yaml.
pub fn run(ctx: &Context) -> Outcome {
    let entries = ctx.fragments(ctx.functions, |f| {
        let list = |arguments: &_| ctx.renderer.fragment("torch/declarations/arguments.j2", arguments);
        let namespace = ctx.namespaces.schema.as_deref().unwrap_or(&f.namespace);
        Ok(ctx.renderer.fragment("torch/declarations/operator.j2", &view::Declaration::new(f, namespace, list)?)?)
    })?;
    let mut text = ContentsBuilder::new();
    if entries.is_empty() {
        text.push(&Fragment::new(ctx.renderer.fragment("torch/declarations/nothing.j2", &Nothing {})?));
    }
    entries.iter().for_each(|entry| text.push(entry));
    Ok(vec![OutputFile::new(managers::CPU, "Declarations.yaml", text.finish())])
}
