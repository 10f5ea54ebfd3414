//! The one place where the name of an ABI becomes what it decides.

use crate::library::Abi;
use crate::library::cpp_api::CppApi;
use crate::stable::library::StableAbi;
use torchgen_generators::args;

/// The ABI of that name.
pub(super) fn abi_named(name: args::Abi) -> &'static dyn Abi {
    match name {
        args::Abi::Unstable => &CppApi,
        args::Abi::Stable => &StableAbi,
    }
}
