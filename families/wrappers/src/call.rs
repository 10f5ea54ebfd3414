//! What the template of a wrapper gets that calls the graph API.
//!
//! Invariant: every text is a C++ expression or a string literal.

use serde::Serialize;

/// A check when the wrapper runs.
#[derive(Debug, Clone, Serialize)]
pub(super) struct GuardView {
    pub(super) condition: String,
    /// The message as a string literal.
    pub(super) message: String,
}

/// A local variable.
#[derive(Debug, Clone, Serialize)]
pub(super) struct LocalView {
    pub(super) name: String,
    pub(super) value: String,
}

/// An input of the graph.
#[derive(Debug, Clone, Serialize)]
pub(super) struct InputView {
    /// The argument as a string literal.
    pub(super) literal: String,
    pub(super) value: String,
    pub(super) contiguous: bool,
}

/// A result.
#[derive(Debug, Clone, Serialize)]
pub(super) struct OutputView {
    pub(super) sizes: String,
    pub(super) dtype: String,
    /// The tensor that it is written to.
    pub(super) into: Option<String>,
    /// Whether that tensor may be resized.
    pub(super) resizes: bool,
}

/// A wrapper that calls the graph API.
#[derive(Debug, Clone, Serialize)]
pub(super) struct CallView {
    pub(super) guards: Vec<GuardView>,
    pub(super) locals: Vec<LocalView>,
    pub(super) device: String,
    pub(super) inputs: Vec<InputView>,
    /// Values that the graph depends on besides tensors.
    pub(super) keys: Vec<String>,
    pub(super) outputs: Vec<OutputView>,
    /// The method of the graph builder.
    pub(super) method: String,
    /// What is passed to it, as expressions.
    pub(super) arguments: Vec<String>,
    /// The method returns several nodes.
    pub(super) several: bool,
    /// What is returned.
    pub(super) returned: Vec<ReturnedView>,
}

/// A tensor that is returned.
#[derive(Debug, Clone, Serialize)]
pub(super) struct ReturnedView {
    /// The tensor that was written to; without it, the call makes it.
    pub(super) into: Option<String>,
    /// The position of the function's result.
    pub(super) at: usize,
}
