//! Which parameters of a function its schema marks as mutated, and what of that is a guess.
//!
//! Rule: a certain write is a mark, whoever makes it. `Tensor&` is a mark unless the text shows
//! that nothing is written. Memory that is passed to a function which takes it to write, `T*` and
//! not `const T*`, is a mark in functions that return nothing; those that return a value are taken
//! to read. Invariant: a mark that is not certain is a guess, with its reason.

use torchgen_library::library::kernels::Mutates;

/// The mark of a parameter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Mark {
    pub(super) is_mutated: bool,
    /// Why a person should check it.
    pub(super) guess: Option<String>,
    /// Nothing shows whether it is written, and it has no mark.
    pub(super) is_unknown: bool,
}

/// The mark of a tensor, `name` in the schema. `is_reference` is that of `Tensor&`, and `is_void`
/// that the function returns nothing.
pub(super) fn mark(name: &str, known: &Mutates, is_reference: bool, is_void: bool) -> Mark {
    let marked = |guess: Option<String>| Mark { is_mutated: true, guess, is_unknown: false };
    let read = |is_unknown: bool| Mark { is_mutated: false, guess: None, is_unknown };
    match known {
        Mutates::Never => read(false),
        // The method says so, and not what is done with the memory.
        Mutates::Always(evidence) if evidence.by == "mutable_data_ptr" => {
            marked(Some(format!("`mutable_data_ptr` of `{name}` says that it is written")))
        }
        Mutates::Always(_) => marked(None),
        Mutates::Perhaps(evidence) if is_void || is_reference => marked(Some(match evidence.by.as_str() {
            "=" => format!("the memory of `{name}` is stored where it can be written"),
            by => format!("`{name}` is passed to `{by}`, which can write it"),
        })),
        Mutates::Perhaps(_) => read(true),
        Mutates::Unknown if is_reference => marked(Some(format!("`{name}` is a `Tensor&`"))),
        Mutates::Unknown => read(true),
    }
}
