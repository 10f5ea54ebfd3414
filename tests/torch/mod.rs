//! The tests that build against torch and run in it. `tests/support/torch.rs` makes the
//! environment, which takes 3 GB once.

mod adopted;
mod autograd;
mod backend;
mod bound;
mod breaking;
mod cmake;
mod conditions;
mod cuda;
mod declarations;
mod dialect;
mod dims;
mod edits;
mod formulas;
mod gpu;
mod gradients;
mod kernels;
mod kit;
mod looked;
mod lsp;
mod model;
mod models;
mod names;
mod opkit;
mod ports;
mod privateuse1;
mod project;
mod published;
mod python_module;
mod python_package;
mod recipes;
mod silent;
mod site;
mod snippets;
mod spelled;
mod stable;
mod stable_autograd;
mod stable_library;
mod structured;
mod style;
mod tool_wheel;
mod walkthrough;
#[path = "../../families/wrappers/tests/torch/mod.rs"]
mod wrappers;

use libtest_mimic::Trial;

/// The tests of all modules.
pub(crate) fn trials() -> Vec<Trial> {
    [
        adopted::trials(),
        autograd::trials(),
        backend::trials(),
        bound::trials(),
        breaking::trials(),
        cmake::trials(),
        conditions::trials(),
        cuda::trials(),
        declarations::trials(),
        dialect::trials(),
        dims::trials(),
        edits::trials(),
        formulas::trials(),
        gpu::trials(),
        gradients::trials(),
        kernels::trials(),
        kit::trials(),
        looked::trials(),
        lsp::trials(),
        model::trials(),
        models::trials(),
        names::trials(),
        opkit::trials(),
        ports::trials(),
        privateuse1::trials(),
        project::trials(),
        published::trials(),
        python_module::trials(),
        python_package::trials(),
        recipes::trials(),
        silent::trials(),
        site::trials(),
        snippets::trials(),
        spelled::trials(),
        stable::trials(),
        stable_autograd::trials(),
        stable_library::trials(),
        structured::trials(),
        style::trials(),
        tool_wheel::trials(),
        walkthrough::trials(),
        wrappers::trials(),
    ]
    .into_iter()
    .flatten()
    .collect()
}
