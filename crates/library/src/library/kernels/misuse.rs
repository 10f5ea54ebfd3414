//! Finds where functions use the memory of tensors, or mutate their parameters: what kernels for
//! all backends should not do.
//!
//! Invariant: only words of the function's own body count. A parameter that the function assigns to
//! may be another tensor, so its calls are not looked at, and the memory of tensors is free for one
//! that looks at devices or moves a tensor to the CPU.

use std::ops::Range;

use torchgen_base::lang::cpp::{Definition, Kind, Token, tokens};
use torchgen_base::lang::is_word;

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

/// Something that a kernel for all backends should not do.
pub(crate) enum Misuse {
    /// It uses the memory of a tensor.
    Memory {
        /// The method.
        method: String,
        /// Its place.
        range: Range<usize>,
    },
    /// It mutates a parameter.
    Mutation {
        /// The index of the parameter.
        parameter: usize,
        /// The function.
        function: String,
        /// Its place.
        range: Range<usize>,
    },
}

/// What a function does of these, in the text of its source.
pub(super) fn misuses(text: &str, definition: &Definition) -> Vec<Misuse> {
    let body = text.get(definition.body.clone()).unwrap_or_default();
    if !RAW.iter().any(|method| body.contains(method)) && !body.contains("_(") && !body.contains("_out(") {
        return Vec::new();
    }
    let body = Body { text: body, start: definition.body.start, tokens: tokens(body) };
    let names: Vec<&str> = definition.parameters.iter().map(|parameter| name(parameter)).collect();
    // A function that knows its devices may use memory anywhere.
    let tokens = if body.knows_devices() { 0 } else { body.tokens.len() };
    let memory = (0..tokens)
        .filter(|at| body.uses_memory(*at))
        .map(|at| Misuse::Memory { method: body.word(at).to_owned(), range: body.range(at) });
    let mutations = names.iter().enumerate().filter(|(_, name)| !name.is_empty() && !body.assigns(name));
    let mutations = mutations.flat_map(|(parameter, name)| {
        let found = (0..body.tokens.len()).filter_map(|at| body.mutates(at, name));
        found.map(move |at| (parameter, at))
    });
    memory
        .chain(mutations.map(|(parameter, at)| Misuse::Mutation {
            parameter,
            function: body.word(at).to_owned(),
            range: body.range(at),
        }))
        .collect()
}

/// The name of a parameter; empty if it has none.
pub(super) fn name(parameter: &str) -> &str {
    let declared = parameter.split('=').next().unwrap_or_default().trim_end();
    let length = declared.chars().rev().take_while(|c| is_word(*c)).map(char::len_utf8).sum::<usize>();
    &declared[declared.len() - length..]
}

/// The tokens between the braces of a function.
struct Body<'t> {
    text: &'t str,
    /// Its place in the source.
    start: usize,
    tokens: Vec<Token>,
}

impl Body<'_> {
    fn word(&self, at: usize) -> &str {
        self.tokens.get(at).map_or("", |token| &self.text[token.range.clone()])
    }

    fn before(&self, at: usize) -> &str {
        at.checked_sub(1).map_or("", |before| self.word(before))
    }

    fn range(&self, at: usize) -> Range<usize> {
        let range = self.tokens.get(at).map_or(0..0, |token| token.range.clone());
        self.start + range.start..self.start + range.end
    }

    fn is_member(&self, at: usize) -> bool {
        matches!(self.before(at), "." | "->")
    }

    fn uses_memory(&self, at: usize) -> bool {
        let is_called = matches!(self.word(at + 1), "(" | "<");
        self.tokens[at].kind == Kind::Word && self.is_member(at) && is_called && RAW.contains(&self.word(at))
    }

    /// Whether the function looks at the device of a tensor, or moves one to the CPU.
    fn knows_devices(&self) -> bool {
        (0..self.tokens.len()).any(|at| DEVICES.contains(&self.word(at)))
    }

    /// Whether a variable is assigned to. Then calls may mutate another tensor.
    fn assigns(&self, name: &str) -> bool {
        let assigns = |at: usize| {
            self.word(at) == name
                && !self.is_member(at)
                && self.word(at + 1) == "="
                && (self.word(at + 2) != "=" || self.range(at + 1).end != self.range(at + 2).start)
        };
        let ties = |at: usize| {
            let behind = (at + 1..self.tokens.len()).take_while(|i| self.word(*i) != ")");
            self.word(at) == "tie" && behind.map(|i| self.word(i)).any(|word| word == name)
        };
        (0..self.tokens.len()).any(|at| assigns(at) || ties(at))
    }

    /// The function here that mutates a variable: `x.fill_(0)`, `at::fill_(x, 0)`,
    /// `at::add_out(x, …)`.
    fn mutates(&self, at: usize, name: &str) -> Option<usize> {
        if self.word(at) != name || self.is_member(at) || self.before(at) == "::" {
            return None;
        }
        if matches!(self.word(at + 1), "." | "->") {
            let is_inplace = is_inplace(self.word(at + 2)) && self.word(at + 3) == "(";
            return is_inplace.then_some(at + 2);
        }
        let function = at.checked_sub(2).filter(|function| self.word(function + 1) == "(")?;
        let called = self.word(function);
        let is_first = self.before(function) == "::" && matches!(self.word(at + 1), "," | ")");
        (is_first && (is_inplace(called) || called.ends_with("_out"))).then_some(function)
    }
}

/// Whether a function has the name of one that mutates its first argument.
fn is_inplace(name: &str) -> bool {
    name.len() > 1 && name.ends_with('_') && !name.ends_with("__")
}
