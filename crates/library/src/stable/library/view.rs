//! What the templates of a library on the stable ABI need.

use serde::Serialize;

use super::composite::Composite;
use super::kernels::{Namespace, Registered};
use super::structured::Variant;
use crate::library::Inputs;
use crate::stable::calls::{Function, takes_generator};
use torchgen_generators::guard::{self, Guard};
use torchgen_generators::size_check::has_checks;
use torchgen_model::model::version::Version;

/// A file. Lists that it does not need are empty.
#[derive(Serialize)]
pub(super) struct Library<'a> {
    pub(super) namespace: &'a str,
    /// The directory below `include/`.
    pub(super) include_dir: &'a str,
    /// The macro before the names of macros.
    pub(super) prefix: String,
    /// `2.10`
    pub(super) min: Version,
    /// The value of `TORCH_TARGET_VERSION` for the minimum.
    pub(super) min_number: String,
    /// The newest version whose schemas are known, as a number.
    pub(super) newest_number: String,
    /// Whether anything has a Generator.
    pub(super) generator: bool,
    /// Headers below the library's directory.
    pub(super) headers: Vec<String>,
    pub(super) functions: Vec<Function<'a>>,
    /// Kernels call operators of torch.
    pub(super) has_torch_ops: bool,
    pub(super) kernels: Vec<Namespace>,
    pub(super) schemas: Vec<Schema<'a>>,
    /// The operators' namespace, and the key of the kernels.
    pub(super) operators: &'a str,
    pub(super) key: &'a str,
    pub(super) registered: Vec<Registered>,
    pub(super) structured: Vec<Variant>,
    pub(super) composites: Vec<Composite<'a>>,
    /// A condition compares the version of torch.
    pub(super) compares_torch: bool,
    /// Kernels compare sizes first.
    pub(super) has_dims: bool,
}

/// An operator that the library declares.
#[derive(Serialize)]
pub(super) struct Schema<'a> {
    /// The schema as a C++ literal.
    pub(super) schema: String,
    pub(super) tags: Vec<&'a str>,
    /// The builds that have it.
    pub(super) when: Option<Guard>,
}

impl<'a> Library<'a> {
    /// Without lists.
    pub(super) fn new(inputs: &'a Inputs) -> Library<'a> {
        let (ctx, min) = (&inputs.context, inputs.settings.torch_min);
        // Where PyTorch's operators get kernels, the functions are PyTorch's.
        let namespace = ctx.namespaces.native.strip_suffix("::native").unwrap_or(&ctx.namespaces.api);
        Library {
            namespace,
            include_dir: &ctx.namespaces.include_dir,
            prefix: namespace.replace("::", "_").to_ascii_uppercase(),
            min,
            min_number: min.number(),
            newest_number: Version::NEWEST.number(),
            generator: ctx.functions.iter().any(|f| takes_generator(&f.func)),
            headers: Vec::new(),
            functions: Vec::new(),
            has_torch_ops: false,
            kernels: Vec::new(),
            schemas: Vec::new(),
            operators: ctx.functions.first().map_or(namespace, |f| &f.namespace),
            key: "",
            registered: Vec::new(),
            structured: Vec::new(),
            composites: Vec::new(),
            compares_torch: guard::compares_torch(ctx.functions, ctx.schema_only.iter().map(|f| f.when.clone())),
            has_dims: has_checks(ctx),
        }
    }
}
