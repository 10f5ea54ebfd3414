//! annotated_fn_args.py: the functions in Python and the arguments they need, for the tests of
//! `__torch_function__`.
//!
//! Invariant: only arguments without a default are named. Rule:
//! tools/autograd/gen_annotated_fn_args.py.

use indexmap::IndexMap;
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
use serde::Serialize;

use crate::autograd::python_bindings::{Inputs, functions_with_binding, table};
use torchgen_api::ApiError;
use torchgen_api::python::{parser_size, simple_type};
use torchgen_base::diag::gather;
use torchgen_base::render::{Env, Fragment};
use torchgen_generators::Outcome;
use torchgen_model::model::{Argument, BaseOperatorName, NativeFunction};

#[derive(Serialize)]
struct Functions<'a> {
    functions: Vec<Function<'a>>,
}

#[derive(Serialize)]
struct Function<'a> {
    namespace: &'a str,
    name: String,
    arguments: Vec<ArgumentView<'a>>,
}

#[derive(Serialize)]
struct ArgumentView<'a> {
    keyword: bool,
    name: &'a str,
    ty: String,
    size: Option<u32>,
}

/// Makes the file.
pub(crate) fn run(inputs: &Inputs) -> Outcome {
    let bound = functions_with_binding(inputs.functions, inputs.tables);
    let mut listed = Vec::new();
    for (scope, namespace) in &table(inputs.tables).annotated {
        // Overloads of a name are listed together, at the place of the first.
        let mut groups: IndexMap<&BaseOperatorName, Vec<&NativeFunction>> = IndexMap::new();
        for f in bound.iter().filter(|f| scope.contains(f)) {
            groups.entry(&f.func.name.name).or_default().push(f);
        }
        listed.extend(groups.into_values().flatten().map(|f| (namespace.as_str(), f)));
    }
    let made = listed
        .par_iter()
        .map(|(namespace, f)| function(inputs, namespace, f).map_err(|error| error.into_diagnostic(&f.spans.schema)));
    let functions = gather(made.collect::<Vec<_>>())?;
    let text = inputs.files.renderer.fragment("torch/annotated_fn_args/functions.j2", &Functions { functions })?;
    let env = Env::from_iter([("annotated_args", Fragment::of_template(text))]);
    Ok(vec![inputs.files.file("annotated_fn_args.py", "annotated_fn_args.py.in", &env)?])
}

fn function<'a>(inputs: &Inputs, namespace: &'a str, f: &'a NativeFunction) -> Result<Function<'a>, ApiError> {
    let name = f.func.name.name.to_string();
    let view = |argument: &'a Argument, keyword| match &argument.default {
        Some(_) => None,
        None => Some(simple_type(argument).map(|ty| ArgumentView {
            keyword,
            name: &argument.name,
            ty,
            size: parser_size(&argument.ty),
        })),
    };
    let with_keywords = !table(inputs.tables).annotated_without_keywords.contains(&name);
    let keywords = f.func.arguments.flat_kwarg_only().filter(|_| with_keywords).map(|a| (a, true));
    let arguments = f.func.arguments.flat_positional().map(|a| (a, false)).chain(keywords);
    let arguments = arguments.filter_map(|(a, keyword)| view(a, keyword)).collect::<Result<_, _>>()?;
    Ok(Function { namespace, name: inputs.files.renderer.about([f]).marked(name), arguments })
}
