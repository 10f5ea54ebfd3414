//! Declarations of kernels: functions, and the structs of structured kernels.
//!
//! Invariant: kernels that several keys share are declared once, and exported from the library that
//! defines them. Rule: torchgen/dest/native_functions.py, `compute_native_function_declaration`;
//! torchgen/gen.py, `get_ns_grouped_kernels`.

use indexmap::{IndexMap, IndexSet};
use rustc_hash::FxBuildHasher;
use serde::Serialize;

use super::export;
use crate::{Context, ItemError};
use torchgen_api::CallingConvention;
use torchgen_api::meta::Meta;
use torchgen_api::{Binding, Locals, Signature, kernel_signature, structured};
use torchgen_base::diag::Diagnostic;
use torchgen_base::render::Renderer;
use torchgen_model::codes;
use torchgen_model::group::{Grouped, NativeFunctionsGroup};
use torchgen_model::model::native_function::DEFAULT_KERNEL_NAMESPACE;
use torchgen_model::model::rules::Rules;
use torchgen_model::model::{BackendIndex, BackendIndices, NativeFunction};

/// A kernel without the macro that exports it.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(crate) enum Kernel {
    /// A function as declared.
    Function { decl: String },
    /// A structured kernel.
    Structured {
        /// The kernel's name.
        name: String,
        /// The struct that it inherits from.
        parent: String,
        /// The parameters of `impl`.
        parameters: String,
    },
}

/// A kernel as declared.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Declaration<'a> {
    /// The macro before a function or in the declaration of a struct.
    export: &'a str,
    kernel: Kernel,
    /// The operators that it is for, if authors read the text.
    schemas: Vec<String>,
    /// The operators that it is for.
    #[serde(skip)]
    operators: Vec<&'a NativeFunction>,
}

impl Declaration<'_> {
    /// Shows the operators to a trace.
    pub(super) fn mark(&mut self, renderer: &Renderer) {
        let about = renderer.about(self.operators.iter().copied());
        let (Kernel::Function { decl: text } | Kernel::Structured { name: text, .. }) = &mut self.kernel;
        let first = self.schemas.first_mut().unwrap_or(text);
        *first = about.marked(std::mem::take(first));
    }
}

/// An item's kernels for one key.
///
/// # Errors
/// An argument has no C++ form, or a kernel takes SymInts but the schema has none.
pub(crate) fn declarations<'a>(
    ctx: &Context<'a>,
    item: &Grouped<'a>,
    index: &BackendIndex,
) -> Result<Vec<Declaration<'a>>, ItemError> {
    match item {
        Grouped::Group(g) => match g.get_kernel(index) {
            Some(kernel) if kernel.structured => {
                let export = export::of_structured(ctx, index, &kernel.kernel);
                let schemas = schemas(ctx, g.out);
                let (kernel, operators) = (structured(ctx, g, &kernel.kernel)?, g.functions().collect());
                Ok(vec![Declaration { export, kernel, schemas, operators }])
            }
            _ => functions(ctx, g.functions(), index),
        },
        Grouped::Function(f) => functions(ctx, std::iter::once(*f), index),
    }
}

fn functions<'a>(
    ctx: &Context<'a>,
    functions: impl Iterator<Item = &'a NativeFunction>,
    index: &BackendIndex,
) -> Result<Vec<Declaration<'a>>, ItemError> {
    let mut declarations = Vec::new();
    for f in functions {
        let Some(metadata) = index.get_kernel(f).filter(|_| !f.is_included()) else { continue };
        let mut signature: Signature = kernel_signature(f, index, Locals::for_operator(f))?;
        if ctx.target.outside_at {
            // A default that changes would compile all kernels that include the header.
            signature.arguments.iter_mut().for_each(|argument| argument.default = None);
        }
        let export = if index.external { "static" } else { export::of_kernel(ctx, index, &metadata.kernel) };
        let decl = ctx.signatures.declaration(&metadata.cpp_namespace, &metadata.kernel, &signature);
        let kernel = Kernel::Function { decl };
        declarations.push(Declaration { export, kernel, schemas: schemas(ctx, f), operators: vec![f] });
    }
    Ok(declarations)
}

fn schemas(ctx: &Context, f: &NativeFunction) -> Vec<String> {
    ctx.target.authors_read.then(|| f.qualified_schema()).into_iter().collect()
}

fn structured(ctx: &Context, g: &NativeFunctionsGroup, kernel: &str) -> Result<Kernel, ItemError> {
    let parameters: Vec<String> = structured::impl_arguments(g.out)?.iter().map(Binding::decl).collect();
    Ok(Kernel::Structured {
        name: kernel.to_owned(),
        parent: format!("{}::meta::structured_{}", ctx.namespaces.api, Meta::default().name(&g.functional.func)),
        parameters: parameters.join(", "),
    })
}

/// Kernels by namespace, in order of first appearance. Some namespaces may be empty.
pub(crate) type ByNamespace<'a> = IndexMap<&'a str, Vec<Declaration<'a>>, FxBuildHasher>;

/// An item's kernels for all keys.
///
/// # Errors
/// As [`declarations`], or the kernels are in several namespaces, which the reference does not
/// support. A library's can be.
pub(crate) fn by_namespace<'a>(ctx: &Context<'a>, item: &Grouped<'a>) -> Result<ByNamespace<'a>, ItemError> {
    let mut namespaces = ByNamespace::default();
    if ctx.target.several_kernel_namespaces {
        for index in ctx.indices.iter() {
            let primary = item.get_kernel(index).filter(|kernel| kernel.structured);
            let members = if primary.is_some() { Vec::new() } else { item.functions() };
            if let Some(kernel) = primary {
                let declared = declarations(ctx, item, index)?;
                namespaces.entry(&kernel.cpp_namespace).or_default().extend(declared);
            }
            for f in members {
                let Some(kernel) = index.get_kernel(f) else { continue };
                let declared = functions(ctx, std::iter::once(f), index)?;
                namespaces.entry(&kernel.cpp_namespace).or_default().extend(declared);
            }
        }
        return Ok(namespaces);
    }
    let mut only: Option<&str> = None;
    for index in ctx.indices.iter() {
        // Only the primary member counts; the kernels of the others are in the default namespace.
        let own = item.get_kernel(index).map(|kernel| kernel.cpp_namespace.as_str());
        if let (Some(only), Some(own)) = (only, own)
            && only != own
        {
            return Err(several_namespaces(item, only, own).into());
        }
        only = only.or(own);
        let declared = declarations(ctx, item, index)?;
        // A namespace is emitted even if nothing is declared in it.
        namespaces.entry(own.unwrap_or(DEFAULT_KERNEL_NAMESPACE)).or_default().extend(declared);
    }
    if ctx.flags.looks_up_other_keys {
        namespaces.entry(DEFAULT_KERNEL_NAMESPACE).or_default();
    }
    Ok(namespaces)
}

/// Whether `looks_up_other_keys` decides something: an item has kernels for all keys, and none in
/// the default namespace.
pub fn other_keys_matter(grouped: &[Grouped], indices: &BackendIndices) -> bool {
    let elsewhere = |item: &Grouped, index: &BackendIndex| {
        item.get_kernel(index).is_some_and(|kernel| kernel.cpp_namespace != DEFAULT_KERNEL_NAMESPACE)
    };
    grouped.iter().any(|item| indices.iter().all(|index| elsewhere(item, index)))
}

fn several_namespaces(item: &Grouped, one: &str, other: &str) -> Diagnostic {
    let f = match item {
        Grouped::Function(f) => f,
        Grouped::Group(g) => g.out,
    };
    Diagnostic::new(
        &codes::KERNEL_NAMESPACES,
        format!("the kernels of `{}` are in several namespaces: `{one}` and `{other}`", f.func.name),
    )
    .at(f.spans.dispatch.unwrap_or(f.spans.name))
}

/// A kernel that several items may have.
struct Merged<'a> {
    export: &'a str,
    schemas: IndexSet<String, FxBuildHasher>,
    operators: Vec<&'a NativeFunction>,
}

/// Kernels, each with what exports it if that distinguishes kernels.
type Kernels<'a> = IndexMap<(Kernel, &'a str), Merged<'a>, FxBuildHasher>;

/// Combines the kernels of several items, each declared once.
///
/// If only the exporting library differs, the CPU library wins, or else the first.
pub(crate) fn merge<'a>(ctx: &Context, items: impl IntoIterator<Item = ByNamespace<'a>>) -> ByNamespace<'a> {
    let merges = Rules::of_tables(ctx.target.tables).declarations_merge_exports;
    let mut merged: IndexMap<&str, Kernels<'a>, FxBuildHasher> = IndexMap::default();
    for (namespace, declarations) in items.into_iter().flatten() {
        let known = merged.entry(namespace).or_default();
        for Declaration { export, kernel, schemas, operators } in declarations {
            let new = Merged { export, schemas: IndexSet::default(), operators: Vec::new() };
            let merged = known.entry((kernel, if merges { "" } else { export })).or_insert(new);
            merged.schemas.extend(schemas);
            merged.operators.extend(operators);
            if export == ctx.namespaces.export {
                merged.export = export;
            }
        }
    }
    let declared = |kernels: Kernels<'a>| {
        let declaration = |((kernel, _), Merged { export, schemas, operators })| Declaration {
            export,
            kernel,
            schemas: schemas.into_iter().collect(),
            operators,
        };
        kernels.into_iter().map(declaration)
    };
    merged.into_iter().map(|(namespace, kernels)| (namespace, declared(kernels).collect())).collect()
}
