//! What the lines of an operator's dimensions are about.
//!
//! Invariant: an operator without lines has no arguments here.

use super::dims::DimsLine;
use super::{Argument, NativeFunction};

impl NativeFunction {
    /// The lines of its dimensions, of which the first that fits a call counts.
    pub fn dims_lines(&self) -> &[DimsLine] {
        self.dims.as_ref().map_or(&[], |dims| &dims.lines)
    }

    /// The arguments that the lines are about, in the order of the schema: tensors that they name,
    /// and numbers that are sizes or the place of a dimension.
    pub fn arguments_of_dims(&self) -> Vec<&Argument> {
        let is_about =
            |argument: &&Argument| self.dims_lines().iter().any(|line| line.is_about(argument.schema_name()));
        self.func.schema_order_arguments().filter(is_about).collect()
    }
}
