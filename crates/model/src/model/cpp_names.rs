//! The names that the inputs and outputs of a library's operators have in C++, where they cannot
//! have those of the schema.
//!
//! Invariant: each is made of the name in the schema and a word at its end that no name of ours
//! ends in, and names in schemas that end in such a word get it once more. So neither another input
//! or output nor the generated code has the name, and nothing searches for a free one.

use std::collections::HashMap;

/// The last word of arguments.
const ARGUMENT: &str = "_arg";

/// The last word of outputs.
const OUTPUT: &str = "_return";

/// The name of an argument, which is the `nth` of that name from 1.
pub fn argument(name: &str, nth: usize) -> String {
    made(name, ARGUMENT, nth)
}

/// The name of an output, which is the `nth` of that name from 1.
pub(crate) fn output(name: &str, nth: usize) -> String {
    made(name, OUTPUT, nth)
}

fn made(name: &str, word: &str, nth: usize) -> String {
    if nth == 1 { format!("{name}{word}") } else { format!("{name}{word}{nth}") }
}

/// How often names were seen.
#[derive(Default)]
pub(crate) struct Seen(HashMap<String, usize>);

impl Seen {
    /// Whether this one is the first of that name, the second, and so on, from 1.
    pub(crate) fn next(&mut self, name: &str) -> usize {
        let nth = self.0.entry(name.to_owned()).or_default();
        *nth += 1;
        *nth
    }
}

/// Whether a name in a schema ends as one that is made.
pub(crate) fn is_made(name: &str) -> bool {
    let end = name.trim_end_matches(|c: char| c.is_ascii_digit());
    end.ends_with(ARGUMENT) || end.ends_with(OUTPUT)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_names_are_the_same() {
        assert_eq!([argument("x", 1), argument("x", 2), output("x", 1)], ["x_arg", "x_arg2", "x_return"]);
        let made = [argument("x", 1), argument("x", 12), output("x", 1), output("x", 3), argument("x_arg", 1)];
        assert!(made.iter().all(|name| is_made(name)));
        assert!(["x", "arg", "arg1", "x_args", "x_argument", "return", "x_arg_"].iter().all(|name| !is_made(name)));
    }
}
