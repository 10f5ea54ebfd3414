//! The source that registers the functions of modules as operators.
//!
//! Invariant: it declares each function as its own source does, and changes none; a value that the
//! dispatcher takes in a wider type is checked to fit.

use std::path::Path;

use serde::Serialize;

use torchgen_base::lang::cpp::string_literal;
use torchgen_base::write::relative;

use super::Bound;
use super::function::Function;

/// The source.
#[derive(Serialize)]
pub(in super::super) struct Registrations<'b> {
    /// The headers that define functions.
    headers: Vec<Header<'b>>,
    /// The other functions.
    declarations: Vec<Declaration<'b>>,
    /// The operators by their namespaces.
    libraries: Vec<Library<'b>>,
    /// Values are converted.
    converts: bool,
}

/// A header, by its path from the source.
#[derive(Serialize)]
struct Header<'b> {
    path: String,
    /// What the preprocessor asks.
    guard: Option<&'b str>,
}

/// The declaration of a function.
#[derive(Serialize)]
struct Declaration<'b> {
    /// The namespaces around it.
    namespace: Option<&'b str>,
    name: &'b str,
    returns: &'b str,
    parameters: Vec<&'b str>,
    /// What the preprocessor asks.
    guard: Option<&'b str>,
}

#[derive(Serialize)]
struct Library<'b> {
    namespace: &'b str,
    operators: Vec<Registered<'b>>,
}

/// An operator.
#[derive(Serialize)]
struct Registered<'b> {
    /// The schema, as a literal.
    schema: String,
    name: &'b str,
    /// Its key; it has none if it is composite.
    key: Option<&'b str>,
    function: &'b str,
    guard: Option<&'b str>,
    /// The dispatcher takes other types than the function.
    converts: bool,
    parameters: Vec<Parameter<'b>>,
    /// The type that the dispatcher gets, if it is another one.
    returns: Option<&'b str>,
}

#[derive(Serialize)]
struct Parameter<'b> {
    /// The type that the dispatcher has.
    wide: &'b str,
    name: String,
    /// The type that the function has, if it is another one.
    narrow: Option<&'b str>,
}

impl<'b> Registrations<'b> {
    /// The source in a directory for the operators that `check` accepts; `None` if there are none.
    pub(in super::super) fn new(
        bound: &'b Bound,
        directory: &Path,
        is_accepted: impl Fn(&str) -> bool,
    ) -> Option<Registrations<'b>> {
        let (headers, declarations, libraries) = (Vec::new(), Vec::new(), Vec::new());
        let mut source = Registrations { headers, declarations, libraries, converts: false };
        for (full_name, own) in bound.functions.iter().filter(|(name, _)| is_accepted(name)) {
            let (namespace, name) = full_name.split_once("::")?;
            match &own.header {
                Some(header) => source.include(header, directory, own.guard.as_deref()),
                None => source.declare(own),
            }
            let operator = Registered::new(name, own);
            source.converts |= operator.converts;
            match source.libraries.iter_mut().find(|library| library.namespace == namespace) {
                Some(library) => library.operators.push(operator),
                None => source.libraries.push(Library { namespace, operators: vec![operator] }),
            }
        }
        (!source.libraries.is_empty()).then_some(source)
    }

    /// Includes a header once.
    fn include(&mut self, header: &str, directory: &Path, guard: Option<&'b str>) {
        let absolute = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        let path = relative(&absolute(Path::new(header)), &absolute(directory));
        match self.headers.iter_mut().find(|known| known.path == path) {
            Some(known) if known.guard != guard => known.guard = None,
            Some(_) => {}
            None => self.headers.push(Header { path, guard }),
        }
    }

    /// Declares a function once; modules can bind it under several names.
    fn declare(&mut self, own: &'b Function) {
        let (namespace, name) = match own.name.rsplit_once("::") {
            Some((namespace, name)) => (Some(namespace), name),
            None => (None, own.name.as_str()),
        };
        let parameters: Vec<&str> = own.parameters.iter().map(|(taken, _)| taken.spelled.as_str()).collect();
        let (returns, guard) = (own.returns.as_str(), own.guard.as_deref());
        let is_same =
            |one: &&mut Declaration<'_>| (one.namespace, one.name) == (namespace, name) && one.parameters == parameters;
        match self.declarations.iter_mut().find(is_same) {
            Some(known) if known.guard != guard => known.guard = None,
            Some(_) => {}
            None => self.declarations.push(Declaration { namespace, name, returns, parameters, guard }),
        }
    }
}

impl<'b> Registered<'b> {
    fn new(name: &'b str, own: &'b Function) -> Registered<'b> {
        let parameter = |(at, (taken, _)): (usize, &'b (super::types::Taken, String))| Parameter {
            wide: taken.wide.as_deref().unwrap_or(&taken.spelled),
            // Names of a schema need not be names of C++.
            name: format!("_{at}"),
            narrow: taken.wide.is_some().then(|| bare(&taken.spelled)),
        };
        let parameters: Vec<Parameter<'_>> = own.parameters.iter().enumerate().map(parameter).collect();
        let returns = own.returned.wide.as_deref();
        Registered {
            schema: string_literal(&own.schema),
            name,
            key: Some(own.key).filter(|key| *key != "CompositeImplicitAutograd"),
            function: &own.name,
            guard: own.guard.as_deref(),
            converts: returns.is_some() || parameters.iter().any(|one| one.narrow.is_some()),
            parameters,
            returns,
        }
    }
}

/// A type without `const` and `&`.
fn bare(spelled: &str) -> &str {
    super::types::bare(spelled)
}
