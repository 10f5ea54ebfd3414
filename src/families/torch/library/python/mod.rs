//! The Python package of a library: `__init__.py`, which loads the shared object, `_ops.py` with
//! one function per operator, `_ops.pyi` with their types, and `py.typed`.
//!
//! Invariant: a function does what `torch.ops` does, under the names of the schema. The author
//! writes fakes, and the package registers them.

mod function;

use serde::Serialize;

pub(crate) use self::function::overload_expr;
use self::function::{Function, functions, operators_expr, operators_of};
use super::view::{Skeleton, is_selected};
use crate::families::torch::api::python::annotation::TYPES;
use crate::families::torch::generators::{Context, Outcome};
use crate::families::torch::model::NativeFunction;
use crate::families::torch::model::version::Version;
use crate::write::OutputFile;

/// The values for the package's files.
#[derive(Serialize)]
struct Package<'a> {
    namespace: &'a str,
    package: &'a str,
    /// The environment variable that names the shared object.
    variable: String,
    /// The first operator, whose existence shows that the library is loaded.
    first: First<'a>,
    /// All operators, with their overloads.
    defined: Vec<String>,
    functions: Vec<Function<'a>>,
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
}

/// A type that stubs import by another name.
#[derive(Serialize)]
struct Alias {
    name: &'static str,
    module: &'static str,
}

#[derive(Serialize)]
struct First<'a> {
    /// An expression for all operators of its namespace.
    operators: String,
    name: &'a str,
}

/// A function of the author that computes an operator's outputs.
#[derive(Serialize)]
struct Fake<'a> {
    operator: String,
    module: &'a str,
    /// The module is one of the package.
    relative: bool,
    name: &'a str,
}

/// The names under which the shared library defines operators.
fn defined_names(ctx: &Context, defined: &[&NativeFunction]) -> Vec<String> {
    let own = defined.iter().map(|f| format!("{}::{}", f.namespace, f.func.name));
    own.chain(ctx.schema_only.iter().map(|f| format!("{}::{}", f.namespace, f.name))).collect()
}

/// The package; empty for a namespace that defines no operators of its own.
pub(crate) fn package(ctx: &Context) -> Outcome {
    package_with(ctx, &Variant { init: "torch/library/python/__init__.py.j2", min: None, modules: Vec::new() })
}

/// The parts of a package that depend on the ABI.
pub(crate) struct Variant<'v> {
    /// The template of `__init__.py`.
    pub(crate) init: &'v str,
    /// The oldest torch, for libraries that work with every torch from it on.
    pub(crate) min: Option<Version>,
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
    let defined: Vec<&NativeFunction> =
        ctx.functions.iter().filter(|f| skeleton.defines_operators() && is_selected(ctx, f)).collect();
    let first = match (defined.first(), ctx.schema_only.first()) {
        (Some(f), _) => First { operators: operators_expr(f), name: f.root_name() },
        (None, Some(f)) => First { operators: operators_of(&f.namespace), name: &f.parts.0 },
        (None, None) => return Ok(Vec::new()),
    };
    let mut functions = functions(&defined, ctx.schema_only);
    let aliased = |name: &str| functions.iter().any(|f| f.name == name);
    let aliases: Vec<Alias> =
        TYPES.iter().filter(|(name, _)| aliased(name)).map(|(name, module)| Alias { name, module }).collect();
    for alias in &aliases {
        functions.iter_mut().for_each(|f| f.use_alias(alias.name));
    }
    let fakes = defined.iter().filter_map(|f| {
        let fake = f.fake.as_ref()?;
        Some(Fake {
            operator: format!("{}::{}", f.namespace, f.func.name),
            module: &fake.module,
            relative: fake.module.starts_with('.'),
            name: &fake.name,
        })
    });
    let package = Package {
        namespace: &ctx.namespaces.api,
        package: skeleton.python_package(),
        variable: format!("{}_LIBRARY", ctx.namespaces.api.replace("::", "_").to_ascii_uppercase()),
        defined: defined_names(ctx, &defined),
        first,
        public: functions.iter().map(|f| f.name.clone()).filter(|name| !name.starts_with('_')).collect(),
        fakes: fakes.collect(),
        expands: functions.iter().any(Function::expands),
        aliases,
        functions,
        min: variant.min,
        modules: &variant.modules,
    };
    let mut files = Vec::new();
    let shared = ["_ops.py", "_ops.pyi", "py.typed"].map(|name| (name, format!("torch/library/python/{name}.j2")));
    for (name, template) in [("__init__.py", variant.init.to_owned())].into_iter().chain(shared) {
        let text = ctx.renderer.fragment(&template, &package)?;
        files.push(OutputFile::new(super::MANAGER, format!("python/{}/{name}", package.package), text));
    }
    Ok(files)
}
