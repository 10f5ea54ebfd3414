//! TraceType: kernels that record calls in the graph of a trace. Writes TraceType_{0..9,Everything}.cpp.
//!
//! Invariant: every operator has such a kernel, also those whose calls are not recorded, except for those that have one written by hand.
//! No selection of operators applies. Rule: tools/autograd/gen_trace_type.py.

mod view;

use self::view::Kernel;
use super::autograd_common::{self, Inputs};
use super::{Outcome, per_item};
use crate::model::NativeFunction;
use crate::render::{Env, Sharded, Value};

/// How many files the kernels are split over.
const SHARDS: u32 = 10;
const FILE: &str = "TraceType.cpp";
const KEYS: [&str; 3] = ["ops_headers", "trace_method_definitions", "trace_wrapper_registrations"];

/// Makes all files.
///
/// Errors: the faults of all operators.
pub fn run(inputs: &Inputs) -> Outcome {
    let has_kernel = |f: &&NativeFunction| !autograd_common::is_manual(f, inputs.dialect);
    let functions: Vec<&NativeFunction> = inputs.functions.iter().filter(has_kernel).collect();
    let items = per_item(inputs.sources, &functions, |f| {
        let view = Kernel::new(inputs, f)?;
        let texts = [
            inputs.header(f, "_ops.h")?,
            inputs.renderer.fragment("trace_type/definition.j2", &view)?.into(),
            inputs.renderer.fragment("trace_type/registration.j2", &view)?.into(),
        ];
        let env = Env::from_iter(KEYS.into_iter().zip(texts.map(|text| Value::from(vec![text]))));
        Ok((f.root_name().to_owned(), env))
    })?;
    let sharded = Sharded {
        file: FILE.into(),
        template: FILE.into(),
        shards: SHARDS,
        base: inputs.env(FILE)?,
        keys: KEYS.map(str::to_owned).into(),
        items,
    };
    Ok(inputs.sharded(&sharded)?)
}
