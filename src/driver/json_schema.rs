//! `torchgen-rs json-schema`: the JSON Schema of a kind of YAML file, with the words that PyTorch fixes.
//!
//! Invariant: it depends on nothing but the kind, so that the schemas in `schemas/` are those of every run.

use std::io::Write;

use super::Status;
use crate::cli::JsonSchemaArgs;
use crate::families::torch::inputs::standard_tags;
use crate::families::torch::model::DispatchKey;
use crate::families::torch::records::json_schema::{Vocabulary, json_schema};

/// Prints a schema.
pub(crate) fn print(args: &JsonSchemaArgs) -> Status {
    let tags = standard_tags();
    let names = |keys: &[DispatchKey]| keys.iter().map(|key| key.as_str()).collect::<Vec<_>>();
    let vocabulary = Vocabulary {
        dispatch_keys: &[names(DispatchKey::ALL), vec!["CatchAll"]].concat(),
        kernel_keys: &names(DispatchKey::SUPPORTED),
        autograd_keys: &[vec!["Default"], names(DispatchKey::AUTOGRAD)].concat(),
        tags: &tags.iter().map(String::as_str).collect::<Vec<_>>(),
    };
    // A closed pipe is the reader's wish.
    let _ = std::io::stdout().lock().write_all(json_schema(args.kind, &vocabulary).as_bytes());
    Status::Done
}
