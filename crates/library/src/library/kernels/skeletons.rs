//! Signatures of kernels for messages, and skeletons to start from.
//!
//! Invariant: a skeleton compiles, and fails when it is called.

use serde::Serialize;

use super::wanted::WantedKernel;
use torchgen_base::lang::cpp::DefinitionForm;
use torchgen_base::render::{Fragment, RenderError, Renderer};
use torchgen_model::model::DispatchKey;

#[derive(Serialize)]
struct Skeletons<'a> {
    namespace: &'a str,
    kernels: Vec<Skeleton<'a>>,
}

#[derive(Serialize)]
struct Skeleton<'a> {
    form: &'static str,
    name: &'a str,
    full_name: String,
    returns: &'a str,
    parameters: String,
    precomputes: bool,
    /// It is for all backends, and the entry does not say so.
    is_composite: bool,
}

impl<'a> From<&'a WantedKernel> for Skeleton<'a> {
    fn from(kernel: &'a WantedKernel) -> Self {
        Skeleton {
            form: match kernel.form {
                DefinitionForm::Function => "function",
                DefinitionForm::Impl => "impl",
                DefinitionForm::Meta => "meta",
            },
            name: &kernel.name,
            full_name: kernel.full_name(),
            returns: &kernel.returns,
            parameters: kernel.parameters.join(", "),
            precomputes: kernel.precomputes,
            is_composite: kernel.is_default && kernel.key == Some(DispatchKey::CompositeImplicitAutograd),
        }
    }
}

/// The signature of a definition, for messages.
pub(crate) fn signature(renderer: &Renderer, kernel: &WantedKernel) -> Result<String, RenderError> {
    let text = renderer.fragment("torch/kernels/signature.j2", &Skeleton::from(kernel))?;
    Ok(text.trim_end().to_owned())
}

/// Definitions that compile and fail when they are called, in their namespaces.
pub(crate) fn skeletons(renderer: &Renderer, kernels: &[&WantedKernel]) -> Result<Fragment, RenderError> {
    let mut text = String::new();
    let mut rest = kernels;
    while let Some(first) = rest.first() {
        let len = rest.iter().position(|kernel| kernel.namespace != first.namespace).unwrap_or(rest.len());
        let kernels = rest[..len].iter().map(|kernel| Skeleton::from(*kernel)).collect();
        text.push_str(&renderer.fragment(first.abi.skeletons(), &Skeletons { namespace: &first.namespace, kernels })?);
        rest = &rest[len..];
    }
    Ok(Fragment::new(text))
}

#[derive(Serialize)]
struct Source {
    /// A header that declares kernels.
    header: String,
}

/// The header that declares all kernels.
pub(crate) fn header(include_dir: &str) -> String {
    format!("{include_dir}/NativeFunctions.h")
}

/// The header that declares the kernels of the operators with a base name.
pub(crate) fn operator_header(include_dir: &str, root_name: &str) -> String {
    format!("{include_dir}/ops/{root_name}_native.h")
}

/// The line that includes a header.
pub(crate) fn include(renderer: &Renderer, header: String) -> Result<String, RenderError> {
    renderer.fragment("torch/kernels/source.j2", &Source { header })
}
