//! Python bindings: python_variable_methods.cpp, python_torch_functions.cpp and similar files,
//! python_return_types.{h,cpp}, python_enum_tag.cpp.
//!
//! Invariant: overloads that differ only in `out` share a signature, and all overloads of a name
//! are in one function. python_functions.{h,cpp} (backward nodes), annotated_fn_args.py and stubs
//! are made elsewhere. Rule: tools/autograd/gen_python_functions.py.

pub mod inits;
pub(crate) mod overloads;
mod return_types;
mod table;
#[cfg(test)]
mod tests;
mod view;

use std::collections::{BTreeSet, HashSet};

use indexmap::IndexMap;
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
use serde::Serialize;

use self::overloads::Pair;
use self::return_types::{Definition, Structseqs};
pub(crate) use self::table::File;
pub use self::table::{Scope, functions_with_binding, table};
use self::view::Function;
use torchgen_api::ApiError;
use torchgen_api::python::{Deprecated, PythonCallable, PythonSignature};
use torchgen_base::diag::gather_lists;
use torchgen_base::diag::{Diagnostic, Diagnostics};
use torchgen_base::render::{Env, Fragment, RenderError, Sharded};
use torchgen_base::write::OutputFile;
use torchgen_generators::gather;
use torchgen_generators::{Errors, Outcome};
use torchgen_kit::driver::context::FileContext;
use torchgen_kit::driver::data::Tables;
use torchgen_model::group::deprecated::match_deprecated;
use torchgen_model::model::deprecated::DeprecatedSignature;
use torchgen_model::model::{BaseOperatorName, NativeFunction};

/// What bindings are made from.
pub(crate) struct Inputs<'a> {
    /// All operators, generated variants included.
    pub functions: &'a [NativeFunction],
    /// The tags that tags.yaml declares.
    pub(crate) tags: &'a BTreeSet<String>,
    /// The contents of deprecated.yaml.
    pub deprecated: &'a [DeprecatedSignature],
    /// The tables of the run.
    pub tables: &'a Tables,
    /// How files are made.
    pub(crate) files: FileContext<'a>,
}

/// The overloads of each name, in order of first appearance.
type Grouped<'p, 'a> = IndexMap<&'a BaseOperatorName, Vec<&'p Pair<'a>>>;

/// Makes all files.
///
/// # Errors
/// All errors; an operator without a Python form, overloads that clash, or a deprecated signature
/// that matches no operator.
pub(crate) fn run(inputs: &Inputs) -> Outcome {
    let bound = functions_with_binding(inputs.functions, inputs.tables);
    let mut diagnostics = Diagnostics::default();
    let deprecated = match_deprecated(inputs.deprecated, &bound, &mut diagnostics);
    let mut errors: Vec<Diagnostic> = diagnostics.into_iter().collect();
    let mut load = |callable| pairs(&bound, &deprecated, callable, &mut errors);
    let (methods, functions) = (load(PythonCallable::Method), load(PythonCallable::Function));
    let bindings = table(inputs.tables).files.iter().map(|file| {
        let pairs = if file.scope == Scope::Methods { &methods } else { &functions };
        bindings(inputs, file, pairs)
    });
    let (mut files, found) = gather(bindings.chain([return_types(inputs, &functions)]));
    errors.extend(found);
    if !errors.is_empty() {
        return Err(Errors(errors));
    }
    files.push(tags(inputs)?);
    Ok(files)
}

/// The signatures of all operators, then the deprecated ones. Errors are reported, and all
/// overloads of a name with an error are left out, since the others may not make sense alone.
pub(crate) fn pairs<'a>(
    functions: &[&'a NativeFunction],
    deprecated: &[(&'a DeprecatedSignature, &'a NativeFunction)],
    callable: PythonCallable,
    errors: &mut Vec<Diagnostic>,
) -> Vec<Pair<'a>> {
    let current = functions.par_iter().map(|f| (PythonSignature::from_operator(f, callable), *f, &f.spans.schema));
    let old = deprecated.par_iter().map(|(old, f)| {
        let replaced = Deprecated { schema: &old.schema, call: &old.call };
        (PythonSignature::deprecated(replaced, f, callable), *f, &old.spans)
    });
    let made: Vec<_> = current.chain(old).collect();
    let mut pairs: Vec<Pair> = Vec::with_capacity(made.len());
    let mut wrong = HashSet::new();
    for (signature, function, spans) in made {
        match signature {
            Ok(signature) => pairs.push(Pair { signature, function, spans }),
            Err(error) => {
                wrong.insert(&function.func.name.name);
                errors.push(ApiError::into_diagnostic(error, spans));
            }
        }
    }
    pairs.retain(|pair| !wrong.contains(&pair.function.func.name.name));
    pairs
}

fn grouped<'p, 'a>(pairs: &'p [Pair<'a>], belongs: impl Fn(&NativeFunction) -> bool) -> Grouped<'p, 'a> {
    let mut grouped = Grouped::new();
    for pair in pairs.iter().filter(|pair| belongs(pair.function)) {
        grouped.entry(&pair.function.func.name.name).or_default().push(pair);
    }
    grouped
}

fn sorted<'p, 'a>(mut grouped: Grouped<'p, 'a>) -> Grouped<'p, 'a> {
    grouped.sort_by_cached_key(|name, _| name.to_string());
    grouped
}

/// The text of one function, for its different places.
struct Rendered<'a> {
    base: &'a str,
    header: Fragment,
    /// None for methods.
    forward: Option<Fragment>,
    body: Fragment,
    definition: Fragment,
}

const HEADERS: &str = "ops_headers";
const FORWARDS: &str = "py_forwards";
const METHODS: &str = "py_methods";
const DEFINITIONS: &str = "py_method_defs";

fn bindings(inputs: &Inputs, file: &File, pairs: &[Pair]) -> Outcome {
    let groups = grouped(pairs, |f| file.scope.contains(f));
    let groups: Vec<_> = if file.shards.is_some() { groups } else { sorted(groups) }.into_iter().collect();
    let made: Vec<_> = groups.par_iter().map(|(name, pairs)| render(inputs, file, name, pairs)).collect();
    let rendered = gather_lists(made)?;
    let mut env = inputs.files.env(&file.file)?;
    let Some(shards) = file.shards else {
        env.set(HEADERS, rendered.iter().map(|f| f.header.clone()).collect::<Vec<_>>());
        env.set(FORWARDS, rendered.iter().filter_map(|f| f.forward.clone()).collect::<Vec<_>>());
        env.set(METHODS, rendered.iter().map(|f| f.body.clone()).collect::<Vec<_>>());
        env.set(DEFINITIONS, rendered.iter().map(|f| f.definition.clone()).collect::<Vec<_>>());
        return Ok(vec![inputs.files.file(&file.file, &file.file, &env)?]);
    };
    let item = |f: &Rendered| {
        let lists = [
            (HEADERS, vec![f.header.clone()]),
            (FORWARDS, f.forward.iter().cloned().collect()),
            (METHODS, vec![f.body.clone()]),
            (DEFINITIONS, vec![f.definition.clone()]),
        ];
        (f.base.to_owned(), lists.into_iter().collect::<Env>())
    };
    let sharded = Sharded {
        file: file.file.clone(),
        template: file.file.clone(),
        shards,
        base: env,
        keys: [HEADERS, FORWARDS, METHODS, DEFINITIONS].map(str::to_owned).to_vec(),
        items: rendered.iter().map(item).collect(),
    };
    Ok(inputs.files.sharded(&sharded)?)
}

fn render<'a>(
    inputs: &Inputs,
    file: &'a File,
    name: &'a BaseOperatorName,
    pairs: &[&Pair<'a>],
) -> Result<Rendered<'a>, Vec<Diagnostic>> {
    let view = Function::new(name, file, pairs, inputs.tables)?;
    let about = inputs.files.renderer.about(pairs.iter().map(|pair| pair.function));
    let made = |text: Result<String, RenderError>| text.map(Fragment::new).map_err(|error| vec![error.diagnostic()]);
    let head = |template: &str| made(about.fragment(template, &view.head));
    let line =
        |text: Result<String, RenderError>| text.map(Fragment::of_template).map_err(|error| vec![error.diagnostic()]);
    Ok(Rendered {
        base: &name.base,
        header: line(inputs.files.renderer.fragment("torch/python_bindings/ops_header.j2", &view.head))?,
        forward: match file.scope {
            Scope::Methods => None,
            _ => Some(head("torch/python_bindings/forward.j2")?),
        },
        body: made(about.fragment("torch/python_bindings/function.j2", &view))?,
        definition: line(about.fragment("torch/python_bindings/definition.j2", &view.head))?,
    })
}

#[derive(Serialize)]
struct ReturnTypes<'a> {
    /// Those of a name, in order.
    group: Vec<Definition<'a>>,
}

/// python_return_types.{cpp,h}: the structseqs of functions; every method that returns one is a
/// function as well.
fn return_types(inputs: &Inputs, functions: &[Pair]) -> Outcome {
    let grouped = sorted(grouped(functions, |_| true));
    let structseqs = gather_lists(grouped.values().map(|pairs| Structseqs::from_overloads(pairs)))?;
    let views: Vec<_> = structseqs.iter().map(|one| ReturnTypes { group: one.definitions() }).collect();
    let fragments = |name: &str, made: fn(String) -> Fragment| -> Result<Vec<Fragment>, RenderError> {
        let name = format!("torch/python_bindings/{name}.j2");
        let one = |view: &ReturnTypes| match view.group.is_empty() {
            true => Ok(Fragment::default()),
            false => inputs.files.renderer.fragment(&name, view).map(made),
        };
        views.iter().map(one).collect()
    };
    let (source, header) = ("python_return_types.cpp", "python_return_types.h");
    let mut env = inputs.files.env(source)?;
    env.set("py_return_types", fragments("return_types", Fragment::new)?);
    env.set("py_return_types_registrations", fragments("return_type_registrations", Fragment::of_template)?);
    let source = inputs.files.file(source, source, &env)?;
    let mut env = inputs.files.env(header)?;
    env.set("py_return_types_declarations", fragments("return_type_declarations", Fragment::of_template)?);
    Ok(vec![source, inputs.files.file(header, header, &env)?])
}

#[derive(Serialize)]
struct Tags<'a> {
    tags: &'a BTreeSet<String>,
}

/// python_enum_tag.cpp: the tags in Python, by name.
fn tags(inputs: &Inputs) -> Result<OutputFile, RenderError> {
    let file = "python_enum_tag.cpp";
    let mut env = Env::new();
    env.set(
        "enum_of_valid_tags",
        inputs.files.renderer.fragment("torch/python_bindings/tags.j2", &Tags { tags: inputs.tags })?,
    );
    inputs.files.file(file, file, &env)
}
