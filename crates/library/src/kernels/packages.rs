//! The Python packages of a library, one for each of its namespaces.
//!
//! Invariant: a library of one namespace has the package that it is given, or that of its
//! namespace.

use crate::run::LibrarySource;
use torchgen_generators::inputs::Operators;

/// The packages of the namespaces that have such operators.
pub(super) fn packages(source: &LibrarySource, package: Option<&str>, has: impl Fn(&Operators) -> bool) -> Vec<String> {
    let own = source.libraries.iter().filter(|(_, operators)| has(operators));
    own.map(|(namespace, _)| package_of_namespace(source, package, namespace)).collect()
}

/// The package of a namespace.
pub(super) fn package_of_namespace(source: &LibrarySource, package: Option<&str>, namespace: &str) -> String {
    match package {
        Some(package) if source.libraries.len() > 1 => format!("{package}.{namespace}"),
        Some(package) => package.to_owned(),
        None => namespace.to_owned(),
    }
}
