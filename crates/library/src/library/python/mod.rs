//! The Python package of a library: `__init__.py`, which loads the shared object, `_ops.py` with
//! one function per operator, `_ops.pyi` with their types, `return_types.py` with the types of
//! results that have names, and `py.typed`.
//!
//! Beside them, `_registrations.py` knows what the library registers by itself, `_kernels.py`
//! registers kernels in Python, and `_fakes.py` and `_vmap.py` what
//! compilers and `torch.vmap` need. `aoti.py` and `onnx.py`,
//! which their users import, are for compiled and exported models.
//!
//! Invariant: a function does what `torch.ops` does, under the names of the schema. The author
//! writes fakes, and the package registers them.

mod absence;
pub(crate) mod aoti;
pub(crate) mod batching;
pub(crate) mod dims;
pub(crate) mod fakes;
mod function;
pub(crate) mod kernels;
pub(crate) mod onnx;
pub(crate) mod outputs;
pub(crate) mod registrations;
mod results;
pub(crate) mod signature;

use serde::Serialize;

pub(crate) use self::function::overload_expr;
use self::function::{Function, function_names, functions, operators_expr, operators_of};
use super::Inputs;
use super::settings::Loader;
use super::view::{Skeleton, is_selected};
use torchgen_api::python::annotation::TYPES;
use torchgen_base::render::Renderer;
use torchgen_base::write::OutputFile;
use torchgen_generators::{Context, Outcome};
use torchgen_model::model::NativeFunction;
use torchgen_model::model::python_function::PythonFunction;
use torchgen_model::model::registration::Registration;
use torchgen_model::model::version::Version;
use torchgen_model::parse::entry::SchemaOnly;

/// The values for the package's files. Lists that it does not need are empty.
#[derive(Default, Serialize)]
struct Package<'a> {
    /// The namespaces, as prose.
    namespace: &'a str,
    /// The namespace in the library's mark of the torch that it was built with.
    marked: &'a str,
    package: &'a str,
    /// Its version, if it is known.
    version: Option<&'a str>,
    /// Its name in the package around it, and that of the shared object.
    own_name: &'a str,
    /// The environment variable that names the shared object.
    variable: String,
    /// The first operator that it defines, whose existence shows that it is loaded; it may not
    /// define any.
    first: Option<First<'a>>,
    /// The operators that it defines, with their overloads.
    defined: Vec<String>,
    /// What loads a library that registers itself.
    loader: Option<&'a Loader>,
    functions: Vec<Function<'a>>,
    /// Some functions have results with names.
    names_results: bool,
    /// Some builds lack some of them.
    conditional: bool,
    /// The functions for `import *`.
    public: Vec<String>,
    fakes: Vec<Fake<'a>>,
    /// Whether a list is made from one element.
    expands: bool,
    /// Types by their private aliases, because operators have their names.
    aliases: Vec<Alias>,
    /// The oldest torch, if it is not the one that the library is built with.
    min: Option<Version>,
    /// More modules of the package.
    modules: &'a [&'static str],
    /// The package is in another one, which loads the library.
    inner: bool,
    /// The packages in this one, one for each namespace.
    packages: &'a [&'a str],
    /// The functions of the package in this one with the same name, which are functions of this one
    /// too.
    same: Vec<&'a str>,
}

/// A type that stubs import by another name.
#[derive(Serialize)]
struct Alias {
    name: &'static str,
    module: &'static str,
}

#[derive(Default, Serialize)]
struct First<'a> {
    /// An expression for all operators of its namespace.
    operators: String,
    name: &'a str,
}

/// A function of the author that computes an operator's outputs.
#[derive(Serialize)]
struct Fake<'a> {
    operator: String,
    function: Named<'a>,
    /// Some builds lack the operator.
    conditional: bool,
    /// The library registers its kernels by itself.
    is_own: bool,
}

#[derive(Serialize)]
struct Named<'a> {
    module: &'a str,
    /// The module is one of the package.
    relative: bool,
    name: &'a str,
}

impl<'a> Named<'a> {
    fn new(function: &'a PythonFunction) -> Named<'a> {
        let PythonFunction { module, name } = function;
        Named { module, relative: module.starts_with('.'), name }
    }
}

impl<'a> Fake<'a> {
    fn new(ctx: &Context, f: &'a NativeFunction) -> Option<Fake<'a>> {
        let function = f.fake.as_ref()?.function()?;
        Some(Fake {
            operator: ctx.renderer.about([f]).marked(f.full_name()),
            function: Named::new(function),
            conditional: f.conditions.operator.is_some(),
            is_own: f.manual_kernel_registration,
        })
    }

    /// That of an operator of which only the schema is known.
    fn of_schema(f: &'a SchemaOnly) -> Option<Fake<'a>> {
        let function = Named::new(f.fake.as_ref()?);
        let operator = format!("{}::{}", f.namespace, f.name);
        Some(Fake { operator, function, conditional: f.when.is_some(), is_own: true })
    }
}

/// The names under which the shared library defines operators.
fn defined_names(ctx: &Context, defined: &[&NativeFunction]) -> Vec<String> {
    let own = defined.iter().filter(|f| !f.registers_itself());
    let own = own.map(|f| ctx.renderer.about([*f]).marked(f.full_name()));
    let alone = ctx.schema_only.iter().filter(|f| f.registration == Registration::Generated);
    own.chain(alone.map(|f| format!("{}::{}", f.namespace, f.name))).collect()
}

/// A function's name in a line that a trace shows.
fn marked_name(ctx: &Context, function: &Function) -> String {
    ctx.renderer.about(function.operators.iter().copied()).marked(function.name.clone())
}

/// The parts of a package on libtorch's C++ API.
pub(crate) const CPP_API: Variant<'static> =
    Variant { init: "torch/library/python/__init__.py.j2", min: None, loader: None, modules: Vec::new() };

/// The package; empty for a namespace that defines no operators of its own.
pub(crate) fn package(inputs: &Inputs) -> Outcome {
    let ctx = &inputs.context;
    let registrations = registrations::files(inputs, package_name(ctx))?;
    let kernels = kernels::files(ctx, package_name(ctx))?;
    let fakes = fakes::files(ctx, inputs.settings.abi, package_name(ctx))?;
    let rules = batching::files(ctx, package_name(ctx))?;
    let dims = dims::files(ctx, package_name(ctx))?;
    let present = [
        (dims::MODULE, &dims),
        (registrations::MODULE, &registrations),
        (kernels::MODULE, &kernels),
        (fakes::MODULE, &fakes),
        (batching::MODULE, &rules),
    ];
    let modules = present.iter().filter(|(_, files)| !files.is_empty()).map(|(module, _)| *module).collect();
    let mut files = package_with(ctx, &Variant { modules, ..CPP_API })?;
    files.extend(registrations.into_iter().chain(kernels).chain(fakes).chain(rules).chain(dims));
    files.extend(aoti::files(inputs, package_name(ctx))?);
    files.extend(onnx::files(inputs, package_name(ctx))?);
    Ok(files)
}

/// The parts of a package that depend on the ABI.
pub(crate) struct Variant<'v> {
    /// The template of `__init__.py`.
    pub(crate) init: &'v str,
    /// The oldest torch, for libraries that work with every torch version from it on.
    pub(crate) min: Option<Version>,
    /// What loads a library that registers itself.
    pub(crate) loader: Option<&'v Loader>,
    /// More modules, which are imported after the shared library is loaded.
    pub(crate) modules: Vec<&'static str>,
}

/// The name of the package.
pub(crate) fn package_name<'a>(ctx: &'a Context) -> &'a str {
    Skeleton::new(ctx).python_package()
}

/// A package with these parts.
pub(crate) fn package_with(ctx: &Context, variant: &Variant<'_>) -> Outcome {
    let skeleton = Skeleton::new(ctx);
    let defined = defined(ctx);
    if defined.is_empty() && ctx.schema_only.is_empty() {
        return Ok(Vec::new());
    }
    let inner = ctx.flags.in_python_package;
    let mut functions = functions(&defined, ctx.schema_only);
    let aliased = |name: &str| functions.iter().any(|f| f.name == name);
    let aliases: Vec<Alias> =
        TYPES.iter().filter(|(name, _)| aliased(name)).map(|(name, module)| Alias { name, module }).collect();
    for alias in &aliases {
        functions.iter_mut().for_each(|f| f.use_alias(alias.name));
    }
    let public = functions.iter().filter(|f| !f.name.starts_with('_')).map(|f| marked_name(ctx, f)).collect();
    functions.iter_mut().for_each(|f| f.name = marked_name(ctx, f));
    let by_schema = ctx.schema_only.iter().filter_map(|f| Fake::of_schema(f));
    let fakes = defined.iter().filter_map(|f| Fake::new(ctx, f)).chain(by_schema);
    let package = Package {
        namespace: &ctx.namespaces.api,
        marked: &ctx.namespaces.api,
        package: skeleton.python_package(),
        version: ctx.flags.package_version.as_deref(),
        own_name: own_name(skeleton.python_package()),
        variable: variable(&ctx.namespaces.api),
        defined: defined_names(ctx, &defined),
        first: first(ctx, &defined),
        loader: variant.loader,
        public,
        fakes: fakes.collect(),
        expands: functions.iter().any(Function::expands),
        aliases,
        conditional: functions.iter().any(|f| f.absence.is_some()),
        names_results: functions.iter().any(|f| f.results.is_some()),
        functions,
        min: variant.min,
        modules: &variant.modules,
        inner,
        ..Package::default()
    };
    let init = if inner { "torch/library/python/inner.py.j2" } else { variant.init };
    let of = |name| (name, format!("torch/library/python/{name}.j2"));
    let mut wanted = vec![("__init__.py", init.to_owned()), of("_ops.py"), of("_ops.pyi")];
    wanted.extend(package.names_results.then(|| of("return_types.py")));
    wanted.extend((!inner).then(|| of("py.typed")));
    package_files(ctx.renderer, &package, &wanted)
}

fn package_files(renderer: &Renderer, package: &Package<'_>, wanted: &[(&str, String)]) -> Outcome {
    let directory = directory(package.package);
    let mut files = Vec::new();
    for (name, template) in wanted {
        let text = renderer.fragment(template, package)?;
        files.push(OutputFile::new(super::MANAGER, format!("{directory}/{name}"), text));
    }
    Ok(files)
}

/// The name of a package in the one around it.
fn own_name(package: &str) -> &str {
    package.rsplit('.').next().unwrap_or(package)
}

/// The directory of a package.
pub(crate) fn directory(package: &str) -> String {
    format!("python/{}", package.replace('.', "/"))
}

/// The environment variable that names the shared object.
fn variable(name: &str) -> String {
    format!("{}_LIBRARY", name.replace("::", "_").replace('.', "_").to_ascii_uppercase())
}

/// The operators that the library defines.
fn defined<'a>(ctx: &Context<'a>) -> Vec<&'a NativeFunction> {
    ctx.functions.iter().filter(|f| ctx.target.defines_operators && is_selected(ctx, f)).collect()
}

/// The first operator that generated code defines.
fn first<'a>(ctx: &Context<'a>, defined: &[&'a NativeFunction]) -> Option<First<'a>> {
    let generated = || defined.iter().filter(|f| !f.registers_itself());
    // One that every build has, if there is one.
    let f = generated().find(|f| f.conditions.operator.is_none()).or(generated().next());
    match (f, ctx.schema_only.iter().find(|f| f.registration == Registration::Generated)) {
        (Some(f), _) => Some(First { operators: operators_expr(f), name: f.root_name() }),
        (None, Some(f)) => Some(First { operators: operators_of(&f.namespace), name: &f.parts.0 }),
        (None, None) => None,
    }
}

/// What a package of several namespaces needs to know of one of them.
pub(crate) struct Part {
    namespace: String,
    /// An expression for all its operators, and the name of the first one; if generated code
    /// defines any.
    first: Option<(String, String)>,
    defined: Vec<String>,
    /// The names of its functions.
    functions: Vec<String>,
    /// The library has a mark of it.
    marked: bool,
}

/// A namespace's part of a package; `None` if it has no operators of its own.
pub(crate) fn part(ctx: &Context) -> Option<Part> {
    let defined = defined(ctx);
    if defined.is_empty() && ctx.schema_only.is_empty() {
        return None;
    }
    Some(Part {
        namespace: ctx.namespaces.api.clone(),
        first: first(ctx, &defined).map(|First { operators, name }| (operators, name.to_owned())),
        defined: defined_names(ctx, &defined),
        functions: function_names(&defined, ctx.schema_only),
        marked: !ctx.functions.is_empty(),
    })
}

/// The package of a library with several namespaces: it loads the library, and has a package for
/// each namespace. The functions of the namespace with its name are its own too, so that they keep
/// their place when a library gets a second namespace.
pub(crate) fn outer(
    renderer: &Renderer,
    package: &str,
    version: Option<&str>,
    parts: &[Part],
    variant: &Variant<'_>,
) -> Outcome {
    let Some(first) = parts.first() else { return Ok(Vec::new()) };
    let named = parts.iter().find_map(|part| part.first.as_ref());
    let names: Vec<&str> = parts.iter().map(|part| part.namespace.as_str()).collect();
    let same = parts.iter().filter(|part| part.namespace == own_name(package)).flat_map(|part| &part.functions);
    // A package hides a function.
    let same: Vec<&str> = same.map(String::as_str).filter(|name| !names.contains(name)).collect();
    let public = names.iter().chain(same.iter().filter(|name| !name.starts_with('_')));
    let view = Package {
        namespace: &names.join(", "),
        marked: &parts.iter().find(|part| part.marked).unwrap_or(first).namespace,
        package,
        version,
        own_name: own_name(package),
        variable: variable(package),
        first: named.map(|(operators, name)| First { operators: operators.clone(), name }),
        loader: variant.loader,
        defined: parts.iter().flat_map(|part| part.defined.iter().cloned()).collect(),
        public: public.map(|name| (*name).to_owned()).collect(),
        min: variant.min,
        packages: &names,
        same,
        ..Package::default()
    };
    let wanted =
        [("__init__.py", variant.init.to_owned()), ("py.typed", "torch/library/python/py.typed.j2".to_owned())];
    package_files(renderer, &view, &wanted)
}
