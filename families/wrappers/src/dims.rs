//! Dimensions among the arguments: which ones are dimensions, and of which tensor.
//!
//! Invariant: a dimension that is passed on is not negative, unless the entry's `dims:` omits it.

use super::model::operators::Operator;
use super::records::EntryRecord;
use super::types::{TypeSuffixes, form, kind};
use torchgen_model::model::{Argument, BaseTy};

/// PyTorch's names of arguments that are dimensions.
const NAMES: [&str; 11] =
    ["dim", "dims", "dim0", "dim1", "dim2", "dimension", "start_dim", "end_dim", "axis", "axis0", "axis1"];

/// The operators whose dimensions are those of the result, which has one more than the input.
const OF_RESULT: [&str; 6] = ["stack", "_stack", "unsqueeze", "unsqueeze_", "unsqueeze_copy", "diag_embed"];

/// The arguments of derivatives that have the sizes of the input.
const SIZES: [&str; 3] = ["input_sizes", "self_sizes", "sizes"];

/// The operator whose `dims` are numbers of copies.
const COPIES: &str = "tile";

/// Whether an argument is a dimension, or a list of them: those under `dims:`, or by its name.
pub(super) fn is_dimension(operator: &Operator, argument: &Argument, entry: &EntryRecord) -> bool {
    let is_int = matches!(kind(&argument.ty), BaseTy::Int | BaseTy::SymInt);
    let name = argument.name.as_str();
    is_int
        && match &entry.dims {
            Some(dims) => dims.iter().any(|dim| dim.as_str() == name),
            None => NAMES.contains(&name) && operator.name() != COPIES,
        }
}

/// Whether an empty list of dimensions means all of them.
pub(super) fn none_is_all(operator: &Operator, entry: &EntryRecord) -> bool {
    let reduces = |shape: &super::records::ShapeRecord| {
        !shape.is_list && shape.texts.first().is_some_and(|text| text.as_str() == "reduce")
    };
    entry.shapes.iter().any(reduces) || operator.inputs().any(|input| input.name.as_str() == "keepdim")
}

/// The number of dimensions that an operator's dimensions count from, if its first tensor has
/// `rank`.
pub(super) fn rank(operator: &Operator, rank: &str) -> String {
    let sizes = |input: &&Argument| {
        SIZES.contains(&input.name.as_str())
            && matches!(kind(&input.ty), BaseTy::Int | BaseTy::SymInt)
            && form(&input.ty).0 == TypeSuffixes::List
    };
    match operator.inputs().find(sizes) {
        Some(sizes) => format!("static_cast<std::int64_t>({}.size())", sizes.name),
        None if OF_RESULT.contains(&operator.name()) => format!("{rank} + 1"),
        None => rank.to_owned(),
    }
}
