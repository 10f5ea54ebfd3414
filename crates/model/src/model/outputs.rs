//! The outputs of an operator without data: the value of `fake:`, which is a Python function or
//! expressions.
//!
//! Invariant: every variable is an argument of the operator, by its name in the schema. Tensors are
//! arguments or elements of them, and sizes are made of numbers, lists, slices and [`member`]s.

use super::python_function::PythonFunction;
use super::scalar_types::ScalarType;
use torchgen_kit::expr::Typed;

/// How an operator's outputs are made without data.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fake {
    /// A Python function of the author makes them.
    Function(PythonFunction),
    /// Each is like an argument.
    Outputs(Vec<OutputLike>),
}

impl Fake {
    /// The author's function.
    pub fn function(&self) -> Option<&PythonFunction> {
        match self {
            Fake::Function(function) => Some(function),
            Fake::Outputs(_) => None,
        }
    }

    /// The expressions.
    pub fn outputs(&self) -> Option<&[OutputLike]> {
        match self {
            Fake::Function(_) => None,
            Fake::Outputs(outputs) => Some(outputs),
        }
    }
}

/// An output that is like a tensor, except for its size and dtype if there are any here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutputLike {
    /// The tensor: an argument, or an element of one.
    pub tensor: Typed,
    /// Its size, if it is another one: a list. Then it is contiguous.
    pub size: Option<Typed>,
    /// Its dtype, if it is another one.
    pub dtype: Option<DtypeOf>,
    /// It is `None` if this does not hold.
    pub condition: Option<Typed>,
}

/// The properties and methods of tensors in expressions.
pub mod member {
    /// `x.sizes`, all sizes.
    pub const SIZES: &str = "sizes";
    /// `x.size(dim)`, one size.
    pub const SIZE: &str = "size";
    /// `x.numel()`, the number of elements.
    pub const NUMEL: &str = "numel";
    /// `x.dim()`, the number of dimensions, which is never symbolic.
    pub const DIM: &str = "dim";
    /// `len(xs)`, the number of items of a list.
    pub const LEN: &str = "len";
    /// `x.dtype`
    pub const DTYPE: &str = "dtype";
}

/// Where a dtype comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DtypeOf {
    /// A dtype by its name.
    Named(&'static ScalarType),
    /// The value of an argument, or the dtype of a tensor.
    Value(Typed),
}
