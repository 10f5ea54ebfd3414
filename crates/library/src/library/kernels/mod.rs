//! The kernels that a library must define, compared with its sources.

pub(crate) mod body;
mod contract;
mod conversions;
pub(crate) mod cpp_api;
mod facts;
mod foreign;
mod matching;
mod memory;
mod registrable;
mod report;
pub(crate) mod skeletons;
mod sources;
mod wanted;

pub use body::{Evidence, Mutates};
pub use contract::CONTRACT;
pub(crate) use conversions::{OF_CPP_API, OF_STABLE_ABI, TypeSpelling};
pub(crate) use facts::facts;
pub(crate) use matching::{Comparison, compare};
pub use registrable::Registrable;
pub(crate) use report::{Report, adapted, report};
pub use sources::{KernelSources, LocatedDeclaration, LocatedDefinition, is_source, read_sources};
pub(crate) use wanted::{WantedKernel, wanted};
