//! Stubs of PyTorch's modules in C++: what type checkers and editors know of them.
//!
//! A name's hints are those that the table writes out, then those of its schemas. Invariant: names
//! are sorted; overloads are in the order of the argument parser among those of all names. Rule:
//! tools/pyi/gen_pyi.py.

pub mod command;
mod docs;
pub mod hints;
pub mod structseq;
mod table;

use std::collections::{BTreeMap, BTreeSet, HashSet};

use indexmap::IndexMap;
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
use serde::Serialize;

use self::docs::Docs;
use self::hints::{Attribute, ByName, Hint};
use self::structseq::Structseqs;
use self::table::table;
use crate::autograd::python_bindings::overloads::{Overload, Pair, group_overloads, sort};
use crate::autograd::python_bindings::{Scope, functions_with_binding, pairs};
use torchgen_api::python::PythonCallable;
use torchgen_base::diag::{Diagnostic, Diagnostics};
use torchgen_base::render::{Env, Fragment, RenderError, Renderer};
use torchgen_base::write::{Manager, OutputFile};
use torchgen_generators::{Errors, Outcome};
use torchgen_kit::driver::data::Tables;
use torchgen_model::group::deprecated::match_deprecated;
use torchgen_model::model::deprecated::DeprecatedSignature;
use torchgen_model::model::{BaseOperatorName, DispatchKey, NativeFunction};

/// Where the stubs go. In no list.
const MANAGER: Manager = Manager::new("stubs", None);

/// The stubs and their templates.
const FILES: [(&str, &str); 6] = [
    ("torch/_C/__init__.pyi", "torch/_C/__init__.pyi.in"),
    ("torch/_C/_VariableFunctions.pyi", "torch/_C/_VariableFunctions.pyi.in"),
    ("torch/_VF.pyi", "torch/_C/_VariableFunctions.pyi.in"),
    ("torch/return_types.pyi", "torch/_C/return_types.pyi.in"),
    ("torch/_C/_nn.pyi", "torch/_C/_nn.pyi.in"),
    ("torch/nn/functional.pyi", "torch/nn/functional.pyi.in"),
];

/// What stubs are made from.
struct Inputs<'a> {
    functions: &'a [NativeFunction],
    deprecated: &'a [DeprecatedSignature],
    tags: &'a BTreeSet<String>,
    docs: &'a Docs,
    renderer: &'a Renderer,
    tables: &'a Tables,
}

/// A list `__all__`.
#[derive(Serialize)]
struct Names<'a> {
    /// It adds to an earlier list.
    extends: bool,
    names: Vec<&'a str>,
}

/// Members of a class or a module.
#[derive(Serialize)]
struct Members<'a> {
    names: Vec<&'a str>,
    ty: Option<&'a str>,
    /// The values are numbers.
    numbered: bool,
}

/// Classes without members.
#[derive(Serialize)]
struct Classes<'a> {
    names: Vec<&'a str>,
    base: Option<&'a str>,
}

/// The type of an index.
#[derive(Serialize)]
struct Index<'a> {
    ty: &'a str,
}

/// An import of names, each with its name here.
#[derive(Serialize)]
struct Import<'a> {
    module: &'a str,
    names: Vec<(&'a str, &'a str)>,
}

/// Makes all files.
///
/// # Errors
/// All errors: a type without a form in stubs, overloads that clash, a deprecated signature that
/// matches no operator.
fn files(inputs: &Inputs) -> Outcome {
    let table = table(inputs.tables);
    let bound = functions_with_binding(inputs.functions, inputs.tables);
    let mut diagnostics = Diagnostics::default();
    let deprecated = match_deprecated(inputs.deprecated, &bound, &mut diagnostics);
    let mut errors: Vec<Diagnostic> = diagnostics.into_iter().collect();
    let functions = pairs(&bound, &deprecated, PythonCallable::Function, &mut errors);
    // Stubs of methods do not have the deprecated forms.
    let methods = pairs(&bound, &[], PythonCallable::Method, &mut errors);
    let functions = overloads(&functions, &Scope::Functions, &mut errors);
    let methods = overloads(&methods, &Scope::Methods, &mut errors);
    let mut structseqs = Structseqs::new();
    for overload in functions.iter().chain(&methods) {
        errors.extend(structseq::add(&mut structseqs, overload).err());
    }
    let (mut function_hints, mut method_hints) = (ByName::new(), ByName::new());
    hints::add_written(&mut function_hints, &table.functions);
    hints::add_written(&mut method_hints, &table.methods);
    for (hints, overloads) in [(&mut function_hints, &functions), (&mut method_hints, &methods)] {
        for overload in overloads {
            errors.extend(hints::add_overload(hints, overload, table).err());
        }
    }
    hints::add_written(&mut method_hints, &table.operators);
    // An error of a method is often one of a function too.
    let mut seen = HashSet::new();
    errors.retain(|error| seen.insert(error.clone()));
    if !errors.is_empty() {
        return Err(Errors(errors));
    }
    hints::finish(&mut function_hints, |name| inputs.docs.get(&[FUNCTIONS, name].concat()), true);
    hints::finish(&mut method_hints, |name| inputs.docs.get(&[TENSOR, name].concat()), false);
    let env = env(inputs, &function_hints, &method_hints, &structseqs)?;
    let file = |(file, template): &(&str, &str)| {
        let contents = inputs.renderer.render_file(template, &env, Some(command::GENERATOR))?;
        Ok(OutputFile::new(MANAGER, *file, contents))
    };
    FILES.iter().map(file).collect::<Result<_, RenderError>>().map_err(Errors::from)
}

/// The overloads of the names in a module, in the order of the parser, then by name.
fn overloads<'p, 'a>(pairs: &'p [Pair<'a>], scope: &Scope, errors: &mut Vec<Diagnostic>) -> Vec<Overload<'p, 'a>> {
    let mut named: IndexMap<&BaseOperatorName, Vec<&Pair>> = IndexMap::new();
    for pair in pairs.iter().filter(|pair| scope.contains(pair.function)) {
        named.entry(&pair.function.func.name.name).or_default().push(pair);
    }
    let mut all = Vec::new();
    for pairs in named.values() {
        match group_overloads(pairs) {
            Ok(overloads) => all.extend(overloads),
            Err(found) => errors.extend(found),
        }
    }
    let mut all = sort(all);
    all.sort_by(|a, b| a.signature.name.cmp(&b.signature.name));
    all
}

fn words(words: &[String]) -> Vec<&str> {
    words.iter().map(String::as_str).collect()
}

/// The values that the templates insert.
fn env(inputs: &Inputs, functions: &ByName, methods: &ByName, structseqs: &Structseqs) -> Result<Env, RenderError> {
    let renderer = inputs.renderer;
    let table = table(inputs.tables);
    let (mut nn, mut dispatched) = (ByName::new(), ByName::new());
    hints::add_written(&mut nn, &table.nn);
    hints::finish(&mut nn, |_| None, false);
    for (name, written) in &table.dispatched {
        hints::add_dispatched(&mut dispatched, name, written);
    }
    hints::finish(&mut dispatched, |_| None, false);
    let names = |extends: bool, names: Vec<&str>| {
        renderer.fragment("torch/stubs/names.j2", &Names { extends, names }).map(Fragment::new)
    };
    let members = |names: Vec<&str>, ty: Option<&str>, numbered: bool| {
        renderer.fragment("torch/stubs/members.j2", &Members { names, ty, numbered }).map(Fragment::new)
    };
    let classes = |names: Vec<&str>, base: Option<&str>| {
        renderer.fragment("torch/stubs/classes.j2", &Classes { names, base }).map(Fragment::new)
    };

    let mut by_name = rendered(renderer, methods)?;
    for (name, ty) in &table.attributes {
        let docstring = inputs.docs.get(&[TENSOR, name].concat());
        let attribute = renderer.fragment("torch/stubs/attribute.j2", &Attribute { name, ty, docstring })?;
        by_name.entry(name).or_default().push(attribute.into());
    }
    let structseq = |structseq| renderer.fragment("torch/stubs/structseq.j2", structseq);
    let imports = table.imports.iter().map(|(module, imports)| {
        let mut names: Vec<_> = imports.iter().map(|import| (import.name.as_str(), import.alias.as_str())).collect();
        names.sort_unstable();
        renderer.fragment("torch/stubs/import.j2", &Import { module, names })
    });
    let hinted = functions.iter().filter(|(_, hints)| !hints.is_empty()).map(|(name, _)| &**name);
    let symbols: BTreeSet<&str> = hinted.chain(structseqs.keys().map(String::as_str)).collect();
    let returned = RETURN_TYPES.into_iter().chain(structseqs.keys().map(String::as_str));
    let imported = table.imports.values().flatten().map(|import| import.alias.as_str());
    let exported = imported.chain(table.dispatched.keys().map(String::as_str));

    let mut env = Env::new();
    env.set("structseq_defs", structseqs.values().map(structseq).collect::<Result<Vec<_>, _>>()?);
    env.set("return_types___all__", names(false, returned.collect())?);
    env.set("function_hints", flat(rendered(renderer, functions)?));
    env.set("index_type_def", renderer.fragment("torch/stubs/index.j2", &Index { ty: &table.index })?);
    env.set("tensor_method_hints", flat(by_name));
    env.set("legacy_class_hints", classes(words(&table.legacy_classes), Some("Tensor"))?);
    env.set("legacy_storage_base_hints", classes(vec!["StorageBase"], None)?);
    env.set("dtype_class_hints", members(words(&table.dtypes), Some("dtype"), false)?);
    let keys = DispatchKey::ALL.iter().map(|key| key.as_str()).collect();
    env.set("dispatch_key_hints", members(keys, None, false)?);
    env.set("torch_dispatch_mode_key_hints", members(words(&table.mode_keys), None, false)?);
    env.set("all_directive", names(false, symbols.into_iter().collect())?);
    env.set("tag_attributes", members(inputs.tags.iter().map(String::as_str).collect(), None, true)?);
    env.set("imported_hints", imports.collect::<Result<Vec<_>, _>>()?);
    env.set("dispatched_hints", flat(rendered(renderer, &dispatched)?));
    env.set("extra_nn_functional___all__", names(true, exported.collect())?);
    env.set("c_nn_function_hints", flat(rendered(renderer, &nn)?));
    Ok(env)
}

/// The beginnings of the names of functions and methods with docstrings.
const FUNCTIONS: &str = "torch.";
const TENSOR: &str = "torch._C.TensorBase.";

/// What `torch.return_types` has beside the types.
const RETURN_TYPES: [&str; 2] = ["pytree_register_structseq", "all_return_types"];

/// Texts by name.
type Texts<'a> = BTreeMap<&'a str, Vec<Fragment>>;

fn rendered<'a>(renderer: &Renderer, hints: &'a ByName) -> Result<Texts<'a>, RenderError> {
    let named: Vec<(&str, &Hint)> =
        hints.iter().flat_map(|(name, hints)| hints.iter().map(move |hint| (&**name, hint))).collect();
    let render = |(_, hint): &(&str, &Hint)| renderer.fragment("torch/stubs/hint.j2", hint).map(Fragment::new);
    let made = named.par_iter().map(render).collect::<Result<Vec<_>, _>>()?;
    let mut texts = Texts::new();
    for ((name, _), text) in named.iter().zip(made) {
        texts.entry(name).or_default().push(text);
    }
    Ok(texts)
}

fn flat(texts: Texts) -> Vec<Fragment> {
    texts.into_values().flatten().collect()
}
