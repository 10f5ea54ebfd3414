//! What the author of a library must define: kernels, structured kernels, meta functions and
//! inverses of views.
//!
//! Invariant: it is what the library's headers declare for the author, except kernels of generated
//! variants.

use crate::library::Abi;
use crate::library::int_sizes::IntArgument;
use crate::library::settings::Settings;
use torchgen_base::diag::Span;
use torchgen_base::lang::cpp::DefinitionForm;
use torchgen_generators::{Context, Errors};
use torchgen_model::model::cpp_names::in_namespace;
use torchgen_model::model::{Argument, DispatchKey, NativeFunction};

/// A function that must be defined.
#[derive(Debug, Clone)]
pub(crate) struct WantedKernel {
    /// Its namespace.
    pub namespace: String,
    /// Its name there. For a structured kernel or meta function, the argument of the macro.
    pub name: String,
    /// How it is defined.
    pub(crate) form: DefinitionForm,
    /// Its return type; empty after a macro.
    pub returns: String,
    /// Its parameters, without defaults.
    pub(crate) parameters: Vec<String>,
    /// The tensors among the schema's arguments.
    pub(crate) tensors: Vec<SchemaTensor>,
    /// The integers among them that are not symbolic.
    pub(crate) ints: Vec<IntArgument>,
    /// Generated code calls it as it is declared: it is structured.
    pub(crate) is_structured: bool,
    /// It also computes values for the kernel.
    pub(crate) precomputes: bool,
    /// The dispatch key, if it is for one.
    pub(crate) key: Option<DispatchKey>,
    /// Further keys that it is for, each with the place that names it.
    pub(crate) further: Vec<(DispatchKey, Span)>,
    /// What it needs of libtorch.
    pub(crate) abi: &'static dyn Abi,
    /// Some builds do not have it.
    pub(crate) conditional: bool,
    /// The entry of its operator names no kernels.
    pub(crate) is_default: bool,
    /// Headers register it, which the sources that define it include.
    pub(crate) is_included: bool,
    /// The operator's name, and its place.
    pub operator: String,
    /// The name that the operator's variants share.
    pub(crate) root_name: String,
    /// Where the YAML names the kernel, or else the operator.
    pub span: Span,
}

/// What a schema says of an argument that is a tensor, or has some.
#[derive(Debug, Clone)]
pub(crate) struct SchemaTensor {
    /// Its name.
    pub(crate) name: String,
    /// It in the schema.
    pub(crate) text: String,
    /// Its place there.
    pub(crate) span: Span,
    /// The operator mutates it.
    pub(crate) is_mutable: bool,
    /// A result is it, or a view of it.
    pub(crate) is_returned: bool,
}

impl SchemaTensor {
    fn of_operator(f: &NativeFunction) -> Vec<SchemaTensor> {
        let returned = |set: &[String]| {
            let sets = f.func.returns.iter().filter_map(|result| result.annotation.as_ref());
            sets.flat_map(|annotation| annotation.alias_set.iter().chain(&annotation.alias_set_after))
                .any(|own| own == "*" || set.contains(own))
        };
        let tensors = f.func.tensor_arguments();
        let tensor = |a: &Argument| SchemaTensor {
            name: a.name.clone(),
            text: a.to_string(),
            span: f.spans.schema.argument(&a.name),
            is_mutable: a.is_write(),
            is_returned: a.annotation.as_ref().is_some_and(|own| {
                let after = own.alias_set_after.iter().any(|set| set == "*");
                after || returned(&own.alias_set) || returned(&own.alias_set_after)
            }),
        };
        tensors.map(tensor).collect()
    }
}

impl WantedKernel {
    /// What all kernels of an operator share.
    pub(crate) fn of_operator(f: &NativeFunction, abi: &'static dyn Abi) -> WantedKernel {
        WantedKernel {
            namespace: String::new(),
            name: String::new(),
            form: DefinitionForm::Function,
            returns: String::new(),
            parameters: Vec::new(),
            tensors: SchemaTensor::of_operator(f),
            ints: IntArgument::all(f),
            is_structured: false,
            precomputes: false,
            key: None,
            further: Vec::new(),
            abi,
            conditional: f.conditions.operator.is_some(),
            is_default: f.spans.dispatch.is_none(),
            is_included: f.is_included(),
            operator: f.full_name(),
            root_name: f.root_name().to_string(),
            span: f.spans.name,
        }
    }

    /// The keys that it is for.
    pub(crate) fn keys(&self) -> impl Iterator<Item = DispatchKey> {
        self.key.into_iter().chain(self.further.iter().map(|(key, _)| *key))
    }

    /// The name with its namespace.
    pub(crate) fn full_name(&self) -> String {
        in_namespace(&self.namespace, &self.name)
    }
}

/// All of them, in the order of the YAML, each once.
pub(crate) fn wanted(ctx: &Context, settings: &Settings) -> Result<Vec<WantedKernel>, Errors> {
    let mut kernels: Vec<WantedKernel> = Vec::new();
    for kernel in settings.abi.kernels(ctx, settings)? {
        let same = |known: &WantedKernel| {
            known.form == kernel.form
                && known.parameters == kernel.parameters
                && known.full_name() == kernel.full_name()
        };
        match kernels.iter_mut().find(|known| same(known)) {
            Some(known) => known.further.extend(kernel.key.map(|key| (key, kernel.span))),
            None => kernels.push(kernel),
        }
    }
    Ok(kernels)
}
