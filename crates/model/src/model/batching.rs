//! Batching rules: the value of `vmap:`.

use std::fmt;

use torchgen_base::diag::Span;

/// How `torch.vmap` runs an operator for a batch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BatchingRule {
    /// It calls the operator for each element.
    Loop,
    /// A kernel takes the whole batch.
    AtOnce(AtOnce),
}

/// A kernel that takes a batch as one more dimension.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AtOnce {
    /// The operator that has it, without the namespace, and where it is named; the operator itself
    /// if there is none.
    pub callee: Option<(String, Span)>,
    /// The arguments that can have a batch, by their names in the schema, and its dimension.
    pub arguments: Vec<(String, i64)>,
    /// The dimension of the batch in each result.
    pub results: Vec<i64>,
}

impl fmt::Display for BatchingRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let BatchingRule::AtOnce(AtOnce { callee, arguments, results }) = self else { return f.write_str("loop") };
        let arguments: Vec<String> = arguments.iter().map(|(name, dimension)| format!("{name}={dimension}")).collect();
        let results: Vec<String> = results.iter().map(i64::to_string).collect();
        let callee = callee.as_ref().map_or("", |(name, _)| name);
        write!(f, "{callee}({}) -> {}", arguments.join(", "), results.join(", "))
    }
}
