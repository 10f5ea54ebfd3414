//! What a function does with its parameters, as far as its text and those of the functions that it
//! calls show: the one place that looks into the bodies of kernels.
//!
//! `code` has the tokens of a body, `value` what is known of methods and functions, `reading`
//! follows names through a body, `calls` joins functions of a project, `mutated` says of each
//! parameter how much is known, `devices` and `outcome` have what says how a function can be
//! registered, and `symbolic` has what Meta kernels do with sizes.
//!
//! Invariant: an effect is certain: whoever calls the function with some arguments sees it. What a
//! function does whose text is not at hand is not guessed.

mod calls;
mod code;
mod devices;
mod mutated;
mod outcome;
mod reading;
mod symbolic;
#[cfg(test)]
mod tests;
mod value;

use std::ops::Range;

use torchgen_base::diag::FileId;
use torchgen_base::lang::cpp::{Definition, TokenKind, tokens};
use torchgen_base::lang::is_word;

pub(super) use calls::{Function, Named, join};
pub(super) use devices::{Checks, DeviceTable};
pub(super) use mutated::known;
pub use mutated::{Evidence, Mutates};
pub(super) use outcome::{Outcome, outcome, results, returned};
pub(super) use symbolic::{Symbolic, symbolic_sizes};
pub(super) use value::SIZES;

/// The methods that keep what they get.
const KEEPING: &[&str] = &["push_back", "emplace_back", "push", "insert", "emplace", "insert_or_assign", "set_value"];

/// What a function does with one of its parameters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Does {
    /// It mutates the tensor.
    Writes,
    /// It returns the tensor, or a view of it.
    Returns,
    /// It reads a size or an element as a number.
    ReadsAsNumber,
    /// It makes the tensor contiguous.
    MakesContiguous,
    /// It keeps the tensor beyond the call.
    Keeps,
}

/// An effect on a parameter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Effect {
    pub(crate) does: Does,
    /// The index of the parameter.
    pub(crate) parameter: usize,
    /// The function, method or operator that has the effect.
    pub(crate) by: String,
    /// Its place.
    pub(crate) range: Range<usize>,
    /// The method that may have made a copy of the tensor before: the effect is one for arguments
    /// for which it does not.
    pub(crate) unless: Option<&'static str>,
    /// Only `mutable_data_ptr` says that the memory is for writing.
    pub(crate) is_claim: bool,
    /// The place in the called function where it happens.
    pub(crate) inside: Option<(FileId, Range<usize>)>,
}

/// What a function's body shows.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Effects {
    /// The effects, in the order of the text.
    pub(crate) all: Vec<Effect>,
    /// For each parameter, whether the body may do more with it than these effects and reading it.
    pub(crate) open: Vec<bool>,
    /// The same, without what the functions may do that it is passed to.
    open_alone: Vec<bool>,
    /// Parameters that it passes to functions.
    passes: Vec<Pass>,
    /// Parameters whose memory it stores in an element or a member, from where it can be written;
    /// with the places.
    stored: Vec<(usize, Range<usize>)>,
}

/// A parameter that is passed to a function.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Pass {
    parameter: usize,
    /// It is memory that can be written to.
    is_memory: bool,
    unless: Option<&'static str>,
    /// The function's name, with namespaces as written.
    function: String,
    /// The first argument, if it is a name: a function of a table of devices may be called by it.
    key: Option<String>,
    /// The index of the argument, and how many there are.
    argument: (usize, usize),
    range: Range<usize>,
    /// The place of `mutable_data_ptr`, if it gives what is passed.
    claim: Option<Range<usize>>,
}

impl Effects {
    /// The first effect of a kind on each parameter.
    pub(crate) fn first_of_each_parameter(&self, does: Does) -> Vec<&Effect> {
        let mut found: Vec<&Effect> = Vec::new();
        for effect in self.all.iter().filter(|effect| effect.does == does) {
            if !found.iter().any(|other| other.parameter == effect.parameter) {
                found.push(effect);
            }
        }
        found
    }
}

/// What the body of a definition shows, in the text of its source.
pub(super) fn effects(text: &str, definition: &Definition) -> Effects {
    reading::read_body(text, definition)
}

/// What a function can write through a parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Takes {
    Nothing,
    /// A tensor, which can be written although its type says nothing.
    Tensor,
    /// A reference to a tensor.
    Reference,
    /// Memory, by a pointer or an accessor that is not constant.
    Memory,
}

/// What the parameters of a definition lead to.
fn taken(definition: &Definition) -> Vec<Takes> {
    let takes = |declared: &String| {
        let words = words(declared);
        let is_reference = words.contains(&"&") && !words.contains(&"const");
        match value::of_parameter(&words) {
            None => Takes::Nothing,
            // A flag that is polled need not be for writing.
            Some(_) if words.contains(&"volatile") => Takes::Tensor,
            Some(value::ValueKind::Pointer | value::ValueKind::Accessor) => Takes::Memory,
            Some(_) if is_reference => Takes::Reference,
            Some(_) => Takes::Tensor,
        }
    };
    definition.parameters.iter().map(takes).collect()
}

/// The name of a parameter; empty if it has none.
pub(super) fn name(parameter: &str) -> &str {
    let declared = parameter.split('=').next().unwrap_or_default().trim_end();
    let length = declared.chars().rev().take_while(|c| is_word(*c)).map(char::len_utf8).sum::<usize>();
    &declared[declared.len() - length..]
}

/// The words of a parameter's declaration.
fn words(parameter: &str) -> Vec<&str> {
    let tokens = tokens(parameter).into_iter().filter(|token| token.kind != TokenKind::Directive);
    tokens.map(|token| &parameter[token.range]).collect()
}
