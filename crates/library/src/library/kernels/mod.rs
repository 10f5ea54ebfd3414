//! The kernels that a library must define, compared with its sources.

mod composite;
mod conversions;
pub(crate) mod cpp_api;
mod matching;
mod misuse;
mod report;
pub(crate) mod skeletons;
mod sources;
mod wanted;

pub(crate) use matching::{Comparison, compare};
pub(crate) use report::{Report, adapted, report};
pub use sources::{KernelSources, LocatedDefinition, is_source, read};
pub(crate) use wanted::{WantedKernel, wanted};
