//! The Python package of a library on the stable ABI.
//!
//! Invariant: importing it loads the shared library once, in any torch version from the minimum on.
//! Its modules register what C++ cannot register over the stable ABI.

mod autograd;
mod tags;

pub(crate) use autograd::check_formulas_in_python as check_formulas;

use crate::library::Inputs;
use crate::library::python::{
    Variant, aoti, batching, dims, fakes, kernels, onnx, package_name, package_with, registrations,
};
use crate::library::settings::Settings;
use torchgen_generators::Outcome;

/// A package without modules of its own.
pub(crate) fn outer(settings: &Settings) -> Variant<'_> {
    let init = "torch/stable/python/__init__.py.j2";
    Variant { init, min: Some(settings.torch_min), loader: settings.loader.as_ref(), modules: Vec::new() }
}

/// The package; empty for a namespace that defines no operators of its own.
pub(crate) fn package(inputs: &Inputs) -> Outcome {
    let ctx = &inputs.context;
    let name = package_name(ctx);
    let registrations = registrations::files(inputs, name)?;
    let autograd = autograd::files(inputs, name)?;
    let kernels = kernels::files(ctx, name)?;
    let fakes = fakes::files(ctx, inputs.settings.abi, name)?;
    let tags = tags::files(inputs, name)?;
    let rules = batching::files(ctx, name)?;
    let dims = dims::files(ctx, name)?;
    let present = [
        (dims::MODULE, &dims),
        (registrations::MODULE, &registrations),
        ("_tags", &tags),
        ("_autograd", &autograd),
        (kernels::MODULE, &kernels),
        (fakes::MODULE, &fakes),
        (batching::MODULE, &rules),
    ];
    let modules = present.iter().filter(|(_, files)| !files.is_empty()).map(|(module, _)| *module).collect();
    let mut files = package_with(ctx, &Variant { modules, ..outer(inputs.settings) })?;
    files.extend(registrations);
    files.extend(tags.into_iter().chain(autograd).chain(kernels).chain(fakes).chain(rules).chain(dims));
    files.extend(aoti::files(inputs, name)?);
    files.extend(onnx::files(inputs, name)?);
    Ok(files)
}
