//! Finds where functions use the memory of tensors: what kernels for all backends should not do.
//!
//! Invariant: only words of the function's own body count. The memory of tensors is free for one
//! that looks at devices or moves a tensor to the CPU.

use std::ops::Range;

use torchgen_base::lang::cpp::{Definition, TokenKind, tokens};

/// The methods that use the memory of a tensor.
const RAW: [&str; 7] = [
    "data_ptr",
    "const_data_ptr",
    "mutable_data_ptr",
    "accessor",
    "packed_accessor",
    "packed_accessor32",
    "packed_accessor64",
];

/// Words of functions that use memory where they may.
const DEVICES: [&str; 6] = ["cpu", "device", "is_cpu", "is_cuda", "kCPU", "kCUDA"];

/// The first method that uses the memory of a tensor, and its place.
pub(super) fn memory(text: &str, definition: &Definition) -> Option<(String, Range<usize>)> {
    let body = text.get(definition.body.clone()).unwrap_or_default();
    if !RAW.iter().any(|method| body.contains(method)) {
        return None;
    }
    let tokens = tokens(body);
    let word = |at: usize| tokens.get(at).map_or("", |token| &body[token.range.clone()]);
    // A function that knows its devices may use memory anywhere.
    if (0..tokens.len()).any(|at| DEVICES.contains(&word(at))) {
        return None;
    }
    let uses = |at: &usize| {
        let is_called = matches!(word(at + 1), "(" | "<");
        let is_member = at.checked_sub(1).is_some_and(|before| matches!(word(before), "." | "->"));
        tokens[*at].kind == TokenKind::Word && is_member && is_called && RAW.contains(&word(*at))
    };
    let at = (0..tokens.len()).find(uses)?;
    let range = &tokens[at].range;
    let start = definition.body.start;
    Some((word(at).to_owned(), start + range.start..start + range.end))
}
