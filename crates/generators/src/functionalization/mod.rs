//! Functionalization, which turns views and mutations into pure operators: kernels, view metas and
//! declarations of view inverses. Writes `RegisterFunctionalization*.cpp`, `FunctionalInverses.h`,
//! `ViewMetaClasses.{h,cpp}` and, for Python, `ViewMetaClassesPythonBinding.cpp`.
//!
//! Invariant: every operator that mutates or views has a kernel, decomposes or is named in
//! `data/torch/functionalization.yaml`. Bodies of view inverses are hand-written;
//! [`composite_kernels`](super::composite_kernels) makes the kernels of copy variants. Rule:
//! torchgen/gen_functionalization_type.py.

pub mod kernel;
pub mod mutation_kernel;
mod python;
mod registration;
mod table;
#[cfg(test)]
mod tests;
mod view_kernel;
mod view_meta;

use std::collections::HashSet;

use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
use serde::Serialize;

use self::registration::Registration;
use self::view_meta::Member;
use super::names::{file_named, parts};
use super::{Context, Errors, ItemError, Outcome};
use crate::managers;
use torchgen_base::diag::Diagnostic;
use torchgen_base::diag::gather_lists;
use torchgen_base::render::{Env, Fragment, Sharded};
use torchgen_kit::driver::data::Tables;
use torchgen_model::codes;
use torchgen_model::group::{NativeFunctionsGroup, NativeFunctionsViewGroup};
use torchgen_model::model::{NativeFunction, OperatorName};

pub use python::{FILE as PYTHON_BINDING, python_binding};

/// The number of shards of `RegisterFunctionalization.cpp`. Rule: torchgen/gen.py,
/// `gen_source_files`.
const SHARDS: u32 = 4;

/// The names of [`run`].
pub fn names(_: &Context) -> Outcome {
    let headers = ["FunctionalInverses.h", "ViewMetaClasses.h", "ViewMetaClasses.cpp"];
    let headers = headers.map(|name| file_named(managers::CPU, name));
    Ok(parts(managers::CPU, "RegisterFunctionalization.cpp", SHARDS).chain(headers).collect())
}

/// The headers and sources of ATen.
pub fn run(ctx: &Context) -> Outcome {
    let units = units(ctx);
    let made: Vec<Result<KernelTexts, Errors>> = units.par_iter().map(|unit| unit.make(ctx)).collect();
    let mut items = Vec::with_capacity(units.len());
    let mut views = Views::default();
    let mut view_headers = Vec::new();
    for (unit, made) in units.iter().zip(gather_lists(made)?) {
        if let Unit::View(_) = unit {
            view_headers.extend_from_slice(&made.headers);
        }
        views.append(made.views);
        let env = Env::from_iter([
            ("ops_headers", made.headers),
            ("func_definitions", made.definitions),
            ("func_registrations", made.registrations),
        ]);
        items.push((unit.root_name().to_owned(), env));
    }
    let sharded = Sharded {
        file: "RegisterFunctionalization.cpp".into(),
        template: "RegisterFunctionalization.cpp".into(),
        shards: SHARDS,
        base: Env::new(),
        keys: [
            "ops_headers",
            "func_definitions",
            "func_registrations",
            "func_add_back_views_definitions",
            "func_add_back_views_registrations",
        ]
        .map(str::to_owned)
        .into(),
        items,
    };
    let mut files = ctx.sharded(managers::CPU, &sharded)?;
    for (name, env) in [
        ("FunctionalInverses.h", Env::from_iter([("view_inverse_declarations", views.inverses)])),
        ("ViewMetaClasses.h", Env::from_iter([("view_meta_declarations", views.classes)])),
        (
            "ViewMetaClasses.cpp",
            Env::from_iter([("view_meta_implementations", views.functions), ("op_headers", view_headers)]),
        ),
    ] {
        files.push(ctx.file(managers::CPU, name, name, &env)?);
    }
    Ok(files)
}

/// The unit of kernels: a group, a view group, or an operator that is in neither.
enum Unit<'a> {
    Group(NativeFunctionsGroup<'a>),
    View(NativeFunctionsViewGroup<'a>),
    Function(&'a NativeFunction),
}

/// The output of one unit.
#[derive(Default)]
struct KernelTexts {
    headers: Vec<Fragment>,
    definitions: Vec<Fragment>,
    registrations: Vec<Fragment>,
    views: Views,
}

/// Texts about view metas.
#[derive(Default)]
struct Views {
    inverses: Vec<Fragment>,
    classes: Vec<Fragment>,
    functions: Vec<Fragment>,
}

impl Views {
    fn append(&mut self, mut other: Views) {
        self.inverses.append(&mut other.inverses);
        self.classes.append(&mut other.classes);
        self.functions.append(&mut other.functions);
    }
}

/// The operators that are not in a group.
fn alone<'a>(
    functions: &'a [NativeFunction],
    groups: &[NativeFunctionsGroup<'a>],
    view_groups: &[NativeFunctionsViewGroup<'a>],
) -> impl Iterator<Item = &'a NativeFunction> {
    let in_groups = groups.iter().flat_map(|g| g.functions());
    let in_views = view_groups.iter().flat_map(|g| g.functions());
    let covered: HashSet<&OperatorName> = in_groups.chain(in_views).map(|f| &f.func.name).collect();
    functions.iter().filter(move |f| !covered.contains(&f.func.name))
}

/// The operators that functionalization would refuse, for commands that only check.
pub fn without_counterpart(
    functions: &[NativeFunction],
    groups: &[NativeFunctionsGroup<'_>],
    view_groups: &[NativeFunctionsViewGroup<'_>],
    tables: &Tables,
) -> Vec<Diagnostic> {
    alone(functions, groups, view_groups)
        .filter(|f| lacks_counterpart(f, tables))
        .map(|f| no_counterpart(f, functions))
        .collect()
}

/// The views that functionalization would refuse, for commands that only check.
pub fn unreplayable<'a>(
    view_groups: &'a [NativeFunctionsViewGroup<'a>],
    tables: &'a Tables,
) -> impl Iterator<Item = Diagnostic> + 'a {
    let made_here = view_groups.iter().filter(|g| !g.composite());
    made_here.flat_map(|g| Member::members_of(*g)).filter_map(|member| member.unreplayable(tables))
}

/// All units: groups, view groups, then the other operators.
fn units<'a>(ctx: &Context<'a>) -> Vec<Unit<'a>> {
    let rest = alone(ctx.functions, ctx.groups, ctx.view_groups);
    let groups = ctx.groups.iter().copied().map(Unit::Group);
    groups.chain(ctx.view_groups.iter().copied().map(Unit::View)).chain(rest.map(Unit::Function)).collect()
}

#[derive(Serialize)]
struct Headers<'a> {
    names: Vec<&'a str>,
}

impl<'a> Unit<'a> {
    /// The name that selects the shard.
    fn root_name(&self) -> &'a str {
        match self {
            Unit::Group(g) => g.root_name(),
            Unit::View(g) => g.root_name(),
            Unit::Function(f) => f.root_name(),
        }
    }

    /// The operator for errors of the whole unit.
    fn subject(&self) -> &'a NativeFunction {
        match self {
            Unit::Group(g) => g.out,
            Unit::View(g) => g.view,
            Unit::Function(f) => f,
        }
    }

    /// The operators whose headers the kernels need.
    fn operators(&self) -> Vec<&'a NativeFunction> {
        match self {
            Unit::Group(g) => g.functions().collect(),
            Unit::View(g) => [Some(g.view), g.view_copy].into_iter().flatten().collect(),
            Unit::Function(f) => vec![f],
        }
    }

    /// # Errors
    /// All errors of the unit's operators.
    fn make(&self, ctx: &Context) -> Result<KernelTexts, Errors> {
        let mut builder = KernelBuilder { ctx, made: KernelTexts::default(), errors: Errors::default() };
        let headers = Headers { names: self.operators().iter().map(|f| f.root_name()).collect() };
        let headers = || Ok(ctx.renderer.fragment("torch/functionalization/headers.j2", &headers)?);
        builder.made.headers = builder.lines(self.subject(), headers);
        match self {
            Unit::Group(g) => builder.group(g),
            Unit::View(g) => builder.view(*g),
            Unit::Function(f) => builder.function(f),
        }
        if builder.errors.0.is_empty() { Ok(builder.made) } else { Err(builder.errors) }
    }
}

/// The work on one unit. An error in one operator does not stop the others from being checked.
struct KernelBuilder<'c, 'a> {
    ctx: &'c Context<'a>,
    made: KernelTexts,
    errors: Errors,
}

impl KernelBuilder<'_, '_> {
    /// The result, or `None` and one more error at the operator.
    fn attempt<T>(&mut self, f: &NativeFunction, make: impl FnOnce() -> Result<T, ItemError>) -> Option<T> {
        make().map_err(|error| self.errors.add(self.ctx.error_at(f, error))).ok()
    }

    fn text(&mut self, f: &NativeFunction, make: impl FnOnce() -> Result<String, ItemError>) -> Option<Fragment> {
        self.attempt(f, make).map(Fragment::new)
    }

    /// One text per line, as templates may place lists inside a line.
    fn lines(&mut self, f: &NativeFunction, make: impl FnOnce() -> Result<String, ItemError>) -> Vec<Fragment> {
        self.attempt(f, make).iter().flat_map(|text| text.lines()).map(Fragment::from).collect()
    }

    /// Composites decompose before functionalization sees them. A build for selected operators has
    /// no functionalization.
    fn view(&mut self, g: NativeFunctionsViewGroup) {
        let everything = self.ctx.selector.include_all_operators();
        if !g.composite() {
            for member in Member::members_of(g) {
                self.view_member(&member);
            }
        }
        if everything && !table::view_by_hand(g.view, self.ctx.target.tables) {
            self.register(&g.without_copy().collect::<Vec<_>>());
        }
    }

    /// One error per operator is enough here: its texts fail for the same reasons.
    fn view_member(&mut self, member: &Member) {
        let (ctx, f) = (self.ctx, member.f);
        let is_view = std::ptr::eq(member.f, member.g.view);
        if is_view {
            let Some(inverse) = self.text(f, || member.inverse(ctx)) else { return };
            self.made.views.inverses.push(inverse);
        }
        if !ctx.selector.include_all_operators() {
            return;
        }
        let Some(kernel) = self.text(f, || view_kernel::view_kernel(ctx, member)) else { return };
        let Some(class) = self.text(f, || member.class(ctx)) else { return };
        let Some(functions) = self.attempt(f, || member.functions(ctx)) else { return };
        self.made.definitions.push(kernel);
        self.made.views.classes.push(class);
        self.made.views.functions.extend(functions);
    }

    fn group(&mut self, g: &NativeFunctionsGroup) {
        let ctx = self.ctx;
        if !ctx.selector.include_all_operators() {
            return;
        }
        for f in [Some(g.out), g.inplace, g.mutable].into_iter().flatten() {
            let kernel = self.text(f, || mutation_kernel::mutation_kernel(ctx, f, g));
            self.made.definitions.extend(kernel);
        }
        if !g.inplace.is_some_and(|f| table::inplace_by_hand(f, ctx.target.tables)) {
            self.register_members(&g.functions().collect::<Vec<_>>());
        }
    }

    fn function(&mut self, f: &NativeFunction) {
        if !self.ctx.selector.include_all_operators() {
            return;
        }
        let tables = self.ctx.target.tables;
        if !table::left_alone(f, tables) {
            self.register_members(&[f]);
        }
        // The errors of a view are already reported.
        if lacks_counterpart(f, tables) && self.errors.0.is_empty() {
            self.errors.add(no_counterpart(f, self.ctx.functions));
        }
    }

    fn register_members(&mut self, members: &[&NativeFunction]) {
        match registration::registered(members, self.ctx.target.tables) {
            Ok(registered) => self.register(&registered),
            Err(errors) => errors.into_iter().for_each(|error| self.errors.add(error)),
        }
    }

    fn register(&mut self, functions: &[&NativeFunction]) {
        let ctx = self.ctx;
        let mut registrations = Vec::with_capacity(functions.len());
        for f in functions {
            match Registration::new(ctx, f) {
                Ok(registration) => registrations.push(registration),
                Err(error) => self.errors.add(ctx.error_at(f, error)),
            }
        }
        if let Some(first) = functions.first() {
            let lines = self.lines(first, || registration::render(ctx, &registrations));
            self.made.registrations.extend(lines);
        }
    }
}

fn lacks_counterpart(f: &NativeFunction, tables: &Tables) -> bool {
    f.func.is_mutable() && !f.has_composite_implicit_autograd_kernel && !table::needs_no_counterpart(f, tables)
}

fn no_counterpart(f: &NativeFunction, functions: &[NativeFunction]) -> Diagnostic {
    let message = format!(
        "`{}` mutates an argument, but lacks the functional and out= variants that functionalization needs",
        f.func.name
    );
    let diagnostic = Diagnostic::new(&codes::NO_FUNCTIONAL_COUNTERPART, message).at(f.spans.name);
    let is_other = |other: &&NativeFunction| {
        other.namespace == f.namespace && other.root_name() == f.root_name() && !std::ptr::eq(*other, f)
    };
    let others: Vec<&NativeFunction> = functions.iter().filter(is_other).collect();
    if others.is_empty() {
        return diagnostic.help(
            "add the variants to `autogen:`, write them, or give the operator a CompositeImplicitAutograd kernel",
        );
    }
    // Another variant by name, which `autogen:` would only repeat.
    let signature = f.func.signature();
    let differs = |other: &&NativeFunction| other.func.signature() != signature;
    others
        .iter()
        .filter(|other| differs(other))
        .fold(diagnostic, |diagnostic, other| {
            diagnostic.also(other.spans.name, format!("this is `{}`", other.func.signature()))
        })
        .note(format!("without mutability, its variants are `{signature}`"))
        .help("give the variants the same arguments and returns, or the operator a CompositeImplicitAutograd kernel")
}
