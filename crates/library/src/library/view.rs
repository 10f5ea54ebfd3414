//! The values for the templates of a library's files.

use std::collections::BTreeSet;

use serde::Serialize;

use torchgen_api::cpp_string;
use torchgen_base::render::Fragment;
use torchgen_generators::Context;
use torchgen_generators::guard::{Guard, together};
use torchgen_generators::size_check::has_checks;
use torchgen_model::model::{DispatchKey, NativeFunction};
use torchgen_model::parse::entry::SchemaOnly;

/// The namespaces, which every template needs, and the lists that some need.
#[derive(Clone, Serialize)]
pub(crate) struct Skeleton<'a> {
    namespace: &'a str,
    /// The directory below `include/`; nested namespaces are nested directories.
    include_dir: String,
    export: &'a str,
    /// The operator of this header; empty for other files.
    operator: &'a str,
    /// Headers below the library's own directory that replace the declarations.
    headers: Vec<String>,
    api: &'a str,
    operators: &'a str,
    redispatch: &'a str,
    declarations: &'a [Fragment],
    definitions: &'a [Fragment],
    functions: &'a [Fragment],
    wrappers: &'a [Fragment],
    registrations: &'a [Fragment],
    helpers: Option<&'a Fragment>,
    /// There are structured kernels.
    structured: bool,
    /// Kernels compare sizes first.
    has_dims: bool,
    /// The operators are PyTorch's own.
    stock: bool,
    /// For the structured ones among them, their names in PyTorch's headers.
    stock_structured: Vec<&'a str>,
    schemas: Vec<Schema<'a>>,
    /// The Python package.
    python_package: &'a str,
    /// The namespace as one identifier.
    identifier: String,
    /// The key of kernels, and the namespace of their wrappers; empty for other files.
    key: &'a str,
    scope: String,
}

/// An operator that the library defines.
#[derive(Clone, Serialize)]
struct Schema<'a> {
    /// The schema as a C++ literal.
    schema: String,
    tags: Vec<&'a str>,
    /// A Python function computes its outputs.
    has_fake: bool,
    /// The builds that have it.
    guard: Option<Guard>,
}

impl<'a> Skeleton<'a> {
    /// Values without lists.
    pub(super) fn new(ctx: &Context<'a>) -> Self {
        let namespaces = ctx.namespaces;
        Skeleton {
            namespace: &namespaces.api,
            include_dir: namespaces.include_dir.clone(),
            stock: !ctx.target.defines_operators,
            stock_structured: Vec::new(),
            export: &namespaces.export,
            operator: "",
            headers: Vec::new(),
            api: &namespaces.api,
            operators: &namespaces.operators,
            redispatch: &namespaces.redispatch,
            declarations: &[],
            definitions: &[],
            functions: &[],
            wrappers: &[],
            registrations: &[],
            helpers: None,
            structured: ctx.groups.iter().any(|g| g.structured()),
            has_dims: has_checks(ctx),
            schemas: Vec::new(),
            python_package: match &ctx.flags.python_package {
                Some(name) => name,
                None => namespaces.api.rsplit("::").next().unwrap_or(&namespaces.api),
            },
            identifier: namespaces.api.replace("::", "_"),
            key: "",
            scope: String::new(),
        }
    }

    /// For a header of one operator.
    pub(crate) fn for_operator<'b>(&'b self, operator: &'b str) -> Skeleton<'b> {
        Skeleton { operator, ..self.clone() }
    }

    /// With per-operator headers.
    pub(super) fn with_headers(&self, operators: &[&str], suffix: &str) -> Skeleton<'a> {
        let mut headers: Vec<String> = operators.iter().map(|name| format!("ops/{name}{suffix}")).collect();
        headers.sort_unstable();
        Skeleton { headers, ..self.clone() }
    }

    /// For the kernels of a key.
    pub(super) fn for_key(&self, key: DispatchKey) -> Skeleton<'a> {
        Skeleton { key: key.as_str(), scope: format!("register_{}", key.lower()), ..self.clone() }
    }

    /// With PyTorch's operators for which the library has structured kernels.
    pub(crate) fn with_stock_structured(&self, ctx: &Context<'a>) -> Skeleton<'a> {
        let names: BTreeSet<&str> = ctx.groups.iter().filter(|g| g.structured()).map(|g| g.root_name()).collect();
        Skeleton { stock_structured: names.into_iter().collect(), ..self.clone() }
    }

    /// Sets whether there are structured kernels.
    pub(crate) fn with_structured(&self, structured: bool) -> Skeleton<'a> {
        Skeleton { structured, ..self.clone() }
    }

    /// With the structs of the Operators API.
    pub(crate) fn with_declarations<'b>(&'b self, declarations: &'b [Fragment]) -> Skeleton<'b> {
        Skeleton { declarations, ..self.clone() }
    }

    /// With the entry points of the Operators API.
    pub(crate) fn with_definitions<'b>(&'b self, definitions: &'b [Fragment]) -> Skeleton<'b> {
        Skeleton { definitions, ..self.clone() }
    }

    /// With C++ functions.
    pub(crate) fn with_functions<'b>(&'b self, functions: &'b [Fragment]) -> Skeleton<'b> {
        Skeleton { functions, ..self.clone() }
    }

    /// With the wrappers of a key's kernels and their registration.
    pub(crate) fn with_kernels<'b>(
        &'b self,
        wrappers: &'b [Fragment],
        registrations: &'b [Fragment],
        helpers: Option<&'b Fragment>,
    ) -> Skeleton<'b> {
        Skeleton { wrappers, registrations, helpers, ..self.clone() }
    }

    /// The library has structured kernels.
    pub(crate) fn has_structured(&self) -> bool {
        self.structured
    }

    /// With the schemas of the selected operators that the library defines.
    pub(crate) fn with_schemas(&self, ctx: &Context<'a>) -> Skeleton<'a> {
        let selected = |f: &&NativeFunction| self.defines_operators() && is_selected(ctx, f);
        let schema = |f: &'a NativeFunction| Schema {
            schema: ctx.renderer.about([f]).marked(cpp_string(&f.func.to_string())),
            tags: f.tags.iter().map(String::as_str).collect(),
            has_fake: f.fake.as_ref().is_some_and(|fake| fake.function().is_some()),
            guard: Guard::compiled(together(f, &[])),
        };
        let alone = |f: &&'a SchemaOnly| Schema {
            schema: cpp_string(&f.schema),
            tags: f.tags.iter().map(String::as_str).collect(),
            has_fake: false,
            guard: Guard::compiled(f.when.clone()),
        };
        let schemas = ctx.functions.iter().filter(selected).map(schema).chain(ctx.schema_only.iter().map(alone));
        Skeleton { schemas: schemas.collect(), ..self.clone() }
    }

    /// The library defines its operators, and does not only add kernels for PyTorch's.
    pub(crate) fn defines_operators(&self) -> bool {
        !self.stock
    }

    /// The operator of this header.
    pub(super) fn operator(&self) -> &str {
        self.operator
    }

    /// The name of the Python package.
    pub(crate) fn python_package(&self) -> &'a str {
        self.python_package
    }

    /// The directory below `include/`.
    pub(crate) fn include_dir(&self) -> &str {
        &self.include_dir
    }
}

/// The schema of an operator of the library is registered.
pub(crate) fn is_selected(ctx: &Context, f: &NativeFunction) -> bool {
    ctx.flags.force_schema_registration || ctx.selector.is_native_function_selected(f)
}
