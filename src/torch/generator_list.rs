//! The generators, for `torchgen-rs list`: those in the tables that commands run.

use super::declarations;
use torchgen_aten::{aten, autograd, selection, static_runtime, stubs};
use torchgen_backend::{backend, lazy, unboxing};
use torchgen_kit::driver::family::GeneratorInfo;
use torchgen_library::{kernels, library, stable};

/// All of them, in the order in which files are listed.
pub(crate) fn all() -> Vec<GeneratorInfo> {
    let mut all: Vec<GeneratorInfo> = aten::generators::GENERATORS.iter().map(|generator| generator.info).collect();
    all.extend(library::GENERATORS.iter().map(|generator| generator.info));
    all.extend(stable::library::GENERATORS.iter().map(|generator| generator.info));
    all.push(library::CMAKE);
    all.extend(autograd::command::generators());
    all.extend([
        backend::command::GENERATOR_INFO,
        lazy::command::GENERATOR_INFO,
        declarations::GENERATOR_INFO,
        unboxing::command::GENERATOR_INFO,
        stubs::command::GENERATOR_INFO,
        static_runtime::command::GENERATOR_INFO,
        selection::oplist::GENERATOR_INFO,
        kernels::command::GENERATOR_INFO,
        stable::ops::command::GENERATOR_INFO,
        torchgen_stable_tools::adopt::command::GENERATOR_INFO,
        torchgen_stable_tools::from_cpp::command::GENERATOR_INFO,
    ]);
    all
}

#[cfg(test)]
mod tests {
    #[test]
    fn templates_exist() {
        for info in super::all() {
            let path = format!("{}/templates/{}", env!("CARGO_MANIFEST_DIR"), info.templates);
            assert!(std::path::Path::new(&path).is_dir(), "{}", info.templates);
        }
    }
}
