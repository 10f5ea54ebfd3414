//! Arguments in messages of generated code.
//!
//! Invariant: a message has the name that the author wrote.

use serde::Serialize;

use torchgen_model::model::{Argument, cpp_names};

/// An argument, and its name in messages.
#[derive(Debug, Serialize)]
pub(crate) struct ShownArgument<'a> {
    name: &'a str,
    shown: &'a str,
}

impl<'a> From<&'a str> for ShownArgument<'a> {
    fn from(name: &'a str) -> Self {
        ShownArgument { name, shown: cpp_names::written(name) }
    }
}

impl<'a> From<&'a Argument> for ShownArgument<'a> {
    fn from(argument: &'a Argument) -> Self {
        argument.name.as_str().into()
    }
}
