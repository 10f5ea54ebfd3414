//! The data of the header.

use serde::Serialize;

use super::select::Selected;
use crate::stable::calls::{Callable, Function, functions};
use torchgen_model::model::version::Version;

/// The whole header.
#[derive(Serialize)]
pub(super) struct Header<'a> {
    namespace: &'a str,
    /// `2.10`
    min: Version,
    /// The value of `TORCH_TARGET_VERSION` for the minimum.
    min_number: String,
    /// The newest version whose schemas are known, as a number.
    newest_number: String,
    /// Whether any function has a Generator.
    generator: bool,
    functions: Vec<Function<'a>>,
}

impl<'a> Header<'a> {
    pub(super) fn new(namespace: &'a str, min: Version, selected: &'a [Selected]) -> Header<'a> {
        let callables: Vec<Callable<'a>> = selected.iter().map(Selected::callable).collect();
        let functions = functions(&callables);
        Header {
            namespace,
            min,
            min_number: min.number(),
            newest_number: Version::NEWEST.number(),
            generator: functions.iter().any(|function| function.takes_generator),
            functions,
        }
    }

    /// How many functions it has.
    pub(super) fn len(&self) -> usize {
        self.functions.len()
    }
}
