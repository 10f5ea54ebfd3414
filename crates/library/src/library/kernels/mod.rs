//! The kernels that a library must define, compared with its sources.

mod conversions;
mod matching;
mod report;
pub(crate) mod skeletons;
mod sources;

pub(crate) use matching::{Comparison, compare};
pub(crate) use report::{Report, adapted, report};
pub use sources::{KernelSources, LocatedDefinition, is_source, read};
