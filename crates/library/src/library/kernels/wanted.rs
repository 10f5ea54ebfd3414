//! What the author of a library must define: kernels, structured kernels, meta functions and
//! inverses of views.
//!
//! Invariant: it is what the library's headers declare for the author, except kernels of generated
//! variants.

use crate::library::Abi;
use crate::library::settings::Settings;
use torchgen_base::diag::Span;
use torchgen_base::lang::cpp::Form;
use torchgen_generators::{Context, Errors};
use torchgen_model::model::{DispatchKey, NativeFunction};

/// A function that must be defined.
#[derive(Debug, Clone)]
pub(crate) struct WantedKernel {
    /// Its namespace.
    pub namespace: String,
    /// Its name there. For a structured kernel or meta function, the argument of the macro.
    pub name: String,
    /// How it is defined.
    pub(crate) form: Form,
    /// Its return type; empty after a macro.
    pub returns: String,
    /// Its parameters, without defaults.
    pub(crate) parameters: Vec<String>,
    /// The arguments that the schema marks as mutable.
    pub(crate) mutated: Vec<String>,
    /// It also computes values for the kernel.
    pub(crate) precomputes: bool,
    /// The dispatch key, if it is for one.
    pub(crate) key: Option<DispatchKey>,
    /// What it needs of libtorch.
    pub(crate) abi: &'static dyn Abi,
    /// Some builds do not have it.
    pub(crate) conditional: bool,
    /// The operator's name, and its place.
    pub operator: String,
    /// The name that the operator's variants share.
    pub(crate) root_name: String,
    /// Where the YAML names the kernel, or else the operator.
    pub span: Span,
}

impl WantedKernel {
    /// What all kernels of an operator share.
    pub(crate) fn of(f: &NativeFunction, abi: &'static dyn Abi) -> WantedKernel {
        WantedKernel {
            namespace: String::new(),
            name: String::new(),
            form: Form::Function,
            returns: String::new(),
            parameters: Vec::new(),
            mutated: f.func.schema_order_arguments().filter(|a| a.is_write()).map(|a| a.name.clone()).collect(),
            precomputes: false,
            key: None,
            abi,
            conditional: f.conditions.operator.is_some(),
            operator: f.full_name(),
            root_name: f.root_name().to_string(),
            span: f.spans.name,
        }
    }

    /// The name with its namespace.
    pub(crate) fn full_name(&self) -> String {
        format!("{}::{}", self.namespace, self.name)
    }
}

/// All of them, in the order of the YAML, each once.
///
/// # Errors
/// An argument or a return has no C++ form.
pub(crate) fn wanted(ctx: &Context, settings: &Settings) -> Result<Vec<WantedKernel>, Errors> {
    let mut kernels: Vec<WantedKernel> = Vec::new();
    for kernel in settings.abi.kernels(ctx, settings)? {
        let same = |known: &WantedKernel| {
            known.form == kernel.form
                && known.parameters == kernel.parameters
                && known.full_name() == kernel.full_name()
        };
        if !kernels.iter().any(same) {
            kernels.push(kernel);
        }
    }
    Ok(kernels)
}
