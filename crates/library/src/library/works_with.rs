//! Which versions of torch an operator of a library works with.
//!
//! Invariant: nothing is checked here. What the stable ABI cannot pass is an error of
//! `stable::check` when the library is on it.

use super::settings::Settings;
use crate::stable::facts::CarriedTypes;
use torchgen_model::model::NativeFunction;
use torchgen_model::model::version::Version;

/// The oldest torch for libraries on the C++ API, as `cmake/TorchgenRsConfig.cmake` has it.
pub(crate) const OLDEST_OF_API: &str = "2.13";

/// The versions of torch that an operator works with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorksWith {
    /// The oldest one; `None` if the library is on the stable ABI and leaves it out.
    pub since: Option<Version>,
    /// One build works with all of them.
    pub one_build: bool,
    /// The first version whose stable ABI passes all its types, or the types that none passes.
    pub stable: Result<Version, Vec<String>>,
}

/// The versions of each operator of a library, in their order.
pub fn works_with<'f>(functions: impl Iterator<Item = &'f NativeFunction>, settings: &Settings) -> Vec<WorksWith> {
    let types = CarriedTypes::read_table();
    let of_api = OLDEST_OF_API.parse().unwrap_or(Version::OLDEST);
    let own = |f: &NativeFunction| WorksWith {
        since: match settings.is_stable() {
            true if settings.leaves_out(f) => None,
            true => Some(settings.torch_min),
            false => Some(of_api),
        },
        one_build: settings.is_stable(),
        stable: types.since_all(&f.func).map_err(|all| all.into_iter().map(|refused| refused.ty).collect()),
    };
    functions.map(own).collect()
}
