//! Kernels whose authors wrote other types than the operators' own, where C++ can convert: they are
//! declared as written, and their wrappers convert.
//!
//! Invariant: without the author's sources there are none. Which conversions exist is decided where
//! sources are compared; here they are applied.

use std::collections::HashMap;

use torchgen_api::{Binding, Expr, Signature};
use torchgen_model::model::cpp_names::{self, in_namespace};

/// The signatures that differ, by the kernel's qualified name and the types of its own parameters.
#[derive(Debug, Default)]
pub struct AuthorSignatures(HashMap<(String, String), AuthorSignature>);

/// What differs in a kernel's signature, in C++ that every header can contain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuthorSignature {
    /// Its return type.
    pub returns: Option<String>,
    /// The type of each parameter, and how it gets its value.
    pub parameters: Vec<Option<(String, Conversion)>>,
}

/// How an argument becomes what a kernel takes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Conversion {
    /// C++ converts by itself.
    Implicit,
    /// `T(x)`
    Explicit(String),
    /// `x.vec()`
    Elements,
    /// The same for what is in an optional.
    OptionalElements(String),
    /// `T(x.value())` in an optional.
    Optional(String),
    /// A number that must not overflow, by the function that checks it.
    Checked(String),
    /// A value of its own, which the kernel may overwrite.
    Own(String, Box<Conversion>),
}

impl Conversion {
    /// The expression that passes `value`, the argument of that name.
    pub fn apply(&self, value: &str, name: &str) -> String {
        // Names and calls bind as strongly as `.` does.
        let binds = !value.contains(' ') && !value.starts_with(['*', '&']);
        let value = &if binds || *self == Conversion::Implicit { value.to_owned() } else { format!("({value})") };
        match self {
            Conversion::Implicit => value.clone(),
            Conversion::Explicit(to) => format!("{to}({value})"),
            Conversion::Elements => format!("{value}.vec()"),
            Conversion::OptionalElements(to) => {
                format!("{value}.has_value() ? ::std::optional<{to}>({value}->vec()) : ::std::nullopt")
            }
            Conversion::Optional(to) => {
                format!("{value}.has_value() ? ::std::optional<{to}>({to}(*{value})) : ::std::nullopt")
            }
            Conversion::Checked(function) => format!("{function}({value}, \"{name}\")"),
            Conversion::Own(ty, inner) => {
                format!("const_cast<{ty} &>(static_cast<const {ty} &>({ty}({})))", inner.apply(value, name))
            }
        }
    }
}

impl AuthorSignatures {
    /// Adds the signature of a kernel with these parameters, each a type and a name.
    pub fn insert(&mut self, kernel: String, parameters: &[String], signature: AuthorSignature) {
        self.0.insert((kernel, types(parameters)), signature);
    }

    /// The signature of a kernel with these parameters, if it differs.
    pub fn of_kernel(&self, kernel: &str, parameters: &[String]) -> Option<&AuthorSignature> {
        if self.0.is_empty() {
            return None;
        }
        self.0.get(&(kernel.to_owned(), types(parameters)))
    }

    fn get(&self, namespace: &str, kernel: &str, own: &Signature) -> Option<&AuthorSignature> {
        if self.0.is_empty() {
            return None;
        }
        let parameters: Vec<String> = own.arguments.iter().map(Binding::defn).collect();
        self.of_kernel(&in_namespace(namespace, kernel), &parameters)
    }

    /// The declaration of a kernel whose own signature is `own`.
    pub(crate) fn declaration(&self, namespace: &str, kernel: &str, own: &Signature) -> String {
        let Some(signature) = self.get(namespace, kernel, own) else { return own.decl_as(kernel) };
        let written = signature.parameters.iter().zip(&own.arguments);
        let parameters: Vec<String> = written
            .map(|(written, own)| match written {
                Some((ty, _)) => format!("{ty} {}", own.name),
                None => own.defn(),
            })
            .collect();
        let returns = signature.returns.as_deref().unwrap_or(own.returns_type.cpp_type());
        format!("{returns} {kernel}({})", parameters.join(", "))
    }

    /// The arguments that a wrapper passes to a kernel whose own signature is `own`.
    pub(crate) fn arguments(&self, namespace: &str, kernel: &str, own: &Signature, values: &[Expr]) -> Vec<String> {
        let values = values.iter().map(|value| value.expr.as_ref());
        match self.get(namespace, kernel, own) {
            None => values.map(str::to_owned).collect(),
            Some(signature) => {
                let named = values.zip(own.argument_names()).zip(&signature.parameters);
                let passed = |((value, name), written): ((&str, &str), &Option<(String, Conversion)>)| match written {
                    Some((_, conversion)) => conversion.apply(value, cpp_names::written(name)),
                    None => value.to_owned(),
                };
                named.map(passed).collect()
            }
        }
    }
}

/// The types of parameters, each of which is a type and a name.
fn types(parameters: &[String]) -> String {
    let types = parameters.iter().map(|one| one.rsplit_once(' ').map_or(one.as_str(), |(ty, _)| ty));
    types.collect::<Vec<_>>().join(", ")
}
