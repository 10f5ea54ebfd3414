//! Operators with the names that their inputs and outputs have in the bodies of generated functions
//! and classes.
//!
//! Invariant: only names in C++ differ, by the rule of [`cpp_names`].

use super::cpp_names::{self, Seen};
use super::{Argument, Arguments, FunctionSchema, NativeFunction, Return};

impl NativeFunction {
    /// The same with the names that bodies have.
    #[must_use]
    pub fn in_bodies(&self) -> NativeFunction {
        let mut f = self.clone();
        f.func = self.func.in_bodies();
        if let Some(precomputed) = &mut f.precomputed {
            let names = self.func.schema_order_arguments().zip(f.func.schema_order_arguments());
            let names: Vec<(&str, &str)> = names.map(|(own, new)| (own.name.as_str(), new.name.as_str())).collect();
            let renamed =
                |name: &str| names.iter().find(|(own, _)| *own == name).map_or(name, |(_, new)| new).to_owned();
            precomputed.replace = precomputed.replace.iter().map(|(name, by)| (renamed(name), by.clone())).collect();
        }
        f
    }
}

impl FunctionSchema {
    fn in_bodies(&self) -> FunctionSchema {
        let mut arguments = self.arguments.clone();
        let mut seen = Seen::default();
        let has_options = arguments.tensor_options.is_some();
        for (argument, is_out) in arguments.plain_mut() {
            let name = argument.schema_name().to_owned();
            let nth = seen.next(&name);
            let is_known = match name.as_str() {
                "self" => true,
                "out" => is_out,
                "memory_format" => has_options,
                _ => false,
            };
            if nth > 1 || !is_known {
                argument.name = cpp_names::argument(&name, nth);
                argument.schema_name = Some(name);
            }
        }
        let mut seen = Seen::default();
        let returns = self.returns.iter().map(|ret| {
            let cpp_name = ret.name.as_ref().map(|name| cpp_names::output(name, seen.next(name)));
            Return { cpp_name, ..ret.clone() }
        });
        FunctionSchema { name: self.name.clone(), arguments, returns: returns.collect() }
    }
}

impl Arguments {
    /// All of them except tensor options, in the order of the schema, and whether each is an out
    /// argument.
    fn plain_mut(&mut self) -> impl Iterator<Item = (&mut Argument, bool)> {
        (self.pre_self_positional.iter_mut())
            .chain(&mut self.self_arg)
            .chain(&mut self.post_self_positional)
            .chain(&mut self.pre_tensor_options_kwarg_only)
            .chain(&mut self.post_tensor_options_kwarg_only)
            .map(|argument| (argument, false))
            .chain(self.out.iter_mut().map(|argument| (argument, true)))
    }
}

#[cfg(test)]
mod tests {
    use crate::model::Language;
    use crate::parse::schema;
    use torchgen_kit::driver::data::Tables;

    #[test]
    fn names_in_bodies() {
        let text = "f(Tensor self, Tensor x, int x, int x_arg, *, Tensor(a!) self_) -> (Tensor x, Tensor)";
        let (_, parsed) = schema::namespaced(text, Language::C10, Tables::embedded()).expect("a schema");
        let func = parsed.in_bodies();
        let names: Vec<&str> = func.schema_order_arguments().map(|a| a.name.as_str()).collect();
        assert_eq!(names, ["self", "x_arg", "x_arg2", "x_arg_arg", "self__arg"]);
        assert_eq!(func.returns[0].cpp_name(), Some("x_return"));
        assert_eq!(func.to_string(), text);
    }
}
