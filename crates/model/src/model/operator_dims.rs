//! What the lines of an operator's dimensions are about.
//!
//! Invariant: an operator without lines has no arguments here.

use super::dims::{DimsLine, DimsSource};
use super::{Argument, BaseTy, NativeFunction, Type};

impl Argument {
    /// Whether a line can name it as a size, or as a group of sizes: it is an integer, symbolic or
    /// not, or a list of these.
    pub fn gives_size(&self) -> bool {
        is_number(&self.ty) || is_list_of_numbers(&self.ty)
    }
}

/// Whether a value is a size: an integer, symbolic or not, which can be None.
pub(crate) fn is_number(ty: &Type) -> bool {
    matches!(ty, Type::Base(BaseTy::Int | BaseTy::SymInt)) || matches!(ty, Type::Optional(inner) if is_number(inner))
}

/// Whether a value is a list of sizes.
pub(crate) fn is_list_of_numbers(ty: &Type) -> bool {
    matches!(ty, Type::List(inner, _) if is_number(inner))
}

impl NativeFunction {
    /// The lines of its dimensions, of which the first that fits a call counts.
    pub fn dims_lines(&self) -> &[DimsLine] {
        self.dims.as_ref().map_or(&[], |dims| &dims.lines)
    }

    /// Whether kernels compare sizes with the lines. A line without tensors has nothing to compare.
    pub fn compares_sizes(&self) -> bool {
        let lines = self.dims_lines();
        !lines.is_empty() && lines.iter().all(|line| !line.tensors.is_empty())
    }

    /// The arguments whose sizes are compared with the lines, in the order of the schema: tensors
    /// that they name, and numbers that are sizes or the place of a dimension.
    ///
    /// An out argument that the kernel resizes can have any size.
    pub fn arguments_of_dims(&self) -> Vec<&Argument> {
        self.arguments_about(DimsLine::is_about)
    }

    /// The same, with the numbers that are sizes of results only.
    pub fn arguments_of_results(&self) -> Vec<&Argument> {
        self.arguments_about(|line, name| line.is_about(name) || line.gives_result(name))
    }

    fn arguments_about(&self, of_line: impl Fn(&DimsLine, &str) -> bool) -> Vec<&Argument> {
        let is_written = self.dims.as_ref().is_some_and(|dims| dims.source == DimsSource::Written);
        let resizes = !is_written || self.is_generated() || self.part_of_structured_group();
        let is_resized = |argument: &Argument| resizes && self.func.arguments.out.contains(argument);
        let can_be = |argument: &Argument| argument.ty.is_tensor_like() || argument.gives_size();
        let is_about = |argument: &&Argument| {
            can_be(argument) && self.dims_lines().iter().any(|line| of_line(line, argument.schema_name()))
        };
        self.func.schema_order_arguments().filter(is_about).filter(|a| !is_resized(a)).collect()
    }
}
