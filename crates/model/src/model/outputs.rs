//! The outputs of an operator without data: the value of `fake:`, which is a Python function or
//! expressions.
//!
//! Invariant: every name is that of an argument of the operator, and of the kind that its place
//! needs.

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

/// A Python function that an entry names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PythonFunction {
    /// The module; with dots before it, relative to the library's package.
    pub module: String,
    /// The function's name in it.
    pub name: String,
}

/// An output that is like a tensor, except for its size and dtype if there are any here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutputLike {
    /// The tensor.
    pub tensor: TensorPlace,
    /// Its size, if it is another one. Then it is contiguous.
    pub size: Option<Vec<SizePart>>,
    /// Its dtype, if it is another one.
    pub dtype: Option<DtypeOf>,
}

/// An argument, or an element of one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TensorPlace {
    /// The name of the argument.
    pub argument: String,
    /// The index in a list of tensors; a negative one counts from its end.
    pub element: Option<i64>,
}

/// A part of a size.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SizePart {
    /// One dimension.
    One(SizeExpr),
    /// Consecutive dimensions of a tensor.
    Several {
        /// The tensor.
        tensor: TensorPlace,
        /// The first of them; without it, the tensor's first.
        from: Option<i64>,
        /// The one after the last; without it, they go to the end.
        to: Option<i64>,
    },
}

/// An integer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SizeExpr {
    /// A literal.
    Number(i64),
    /// The value of an argument.
    Argument(String),
    /// The size of a dimension.
    Size(TensorPlace, i64),
    /// The number of elements.
    Elements(TensorPlace),
    /// An operation on two others.
    Binary(Box<SizeExpr>, SizeOp, Box<SizeExpr>),
}

/// An operation on integers. Quotients are rounded down.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SizeOp {
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `//`
    Divide,
    /// `%`
    Remainder,
}

/// Where a dtype comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DtypeOf {
    /// A dtype by its name.
    Named(&'static NamedDtype),
    /// The value of an argument.
    Argument(String),
    /// The dtype of a tensor.
    Tensor(TensorPlace),
}

/// A dtype.
#[derive(Debug, PartialEq, Eq)]
pub struct NamedDtype {
    /// `int64`
    pub python: &'static str,
    /// `Long`
    pub cpp: &'static str,
}

const fn dtype(python: &'static str, cpp: &'static str) -> NamedDtype {
    NamedDtype { python, cpp }
}

/// The dtypes that expressions can name.
pub(crate) const DTYPES: &[NamedDtype] = &[
    dtype("bool", "Bool"),
    dtype("uint8", "Byte"),
    dtype("int8", "Char"),
    dtype("int16", "Short"),
    dtype("int32", "Int"),
    dtype("int64", "Long"),
    dtype("float16", "Half"),
    dtype("bfloat16", "BFloat16"),
    dtype("float32", "Float"),
    dtype("float64", "Double"),
    dtype("complex64", "ComplexFloat"),
    dtype("complex128", "ComplexDouble"),
];
