//! The names that the inputs and outputs of a library's operators have in C++.
//!
//! Declarations have those of the schema, unless C++ itself has another meaning for them there. In
//! the bodies of generated functions and classes, all of them end in a word that no name of ours
//! ends in; what is derived from one has a further word after it, as the tangent `x_arg_t` of `x`.
//! Only `self`, the out argument `out` and tensor options stay as they are, since generated code
//! knows them by these names.
//!
//! Invariant: no two inputs or outputs have the same name, and nothing else has one, whatever names
//! a schema has: a name that ends in such a word gets it once more. So nothing searches for a free
//! name.

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

/// Whether a name ends as one that is made.
pub(crate) fn is_made(name: &str) -> bool {
    written(name) != name
}

/// The name in the schema of what C++ calls so.
pub fn written(name: &str) -> &str {
    let end = name.trim_end_matches(|c: char| c.is_ascii_digit());
    end.strip_suffix(ARGUMENT).or_else(|| end.strip_suffix(OUTPUT)).unwrap_or(name)
}

/// The gradient of an output that C++ calls so.
pub fn gradient(output: &str) -> String {
    if is_made(output) { format!("{output}_grad") } else { format!("grad_{output}") }
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

/// A C++ name with its namespace, which may be none.
pub fn in_namespace(namespace: &str, name: &str) -> String {
    if namespace.is_empty() { name.to_owned() } else { format!("{namespace}::{name}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_names_are_the_same() {
        let made = [argument("x", 1), argument("x", 12), output("x", 1), output("x", 3), argument("x_arg", 1)];
        assert_eq!(made, ["x_arg", "x_arg12", "x_return", "x_return3", "x_arg_arg"]);
        assert_eq!(made.each_ref().map(|name| written(name)), ["x", "x", "x", "x", "x_arg"]);
        assert!(["x", "arg", "x_args", "x_argument", "x_arg_", "self_t", "result0"].iter().all(|name| !is_made(name)));
    }
}
