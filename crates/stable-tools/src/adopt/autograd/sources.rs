//! The classes of sources, and the kernels that apply them.
//!
//! Invariant: what differs between builds is a problem of the class.

use super::class::{Class, Kernel, Method};
use super::operator::Schema;
use crate::adopt::merged::Operator;
use crate::from_cpp::{Operators, function, place};
use indexmap::IndexMap;
use torchgen_base::diag::{Sources, Span};
use torchgen_base::lang::cpp::parameter_name;
use torchgen_base::lang::whole_words;
use torchgen_kit::driver::data::Tables;
use torchgen_library::library::kernels::LocatedDefinition;
use torchgen_model::model::records_gradients;
use torchgen_registrations as registrations;

/// What sources have.
pub(in super::super) struct Classes<'s> {
    pub(in super::super) operators: &'s IndexMap<&'s str, Operator<'s>>,
    pub(in super::super) found: &'s Operators,
    pub(in super::super) python: &'s [Class],
    pub(in super::super) sources: &'s Sources,
    pub(in super::super) tables: &'s Tables,
}

impl Class {
    /// A class of a source in C++.
    fn of_cpp(class: &registrations::Class, all: &Classes<'_>) -> Class {
        let own = place(class.place, all.sources);
        let wrong = |message: &str| Some((own.clone(), message.to_owned()));
        let problem = match (&class.forward, &class.backward) {
            _ if class.is_template => wrong("it is a template"),
            _ if class.differs => wrong("it has several definitions, in other builds or namespaces"),
            (None, _) => wrong("these files do not define its `forward`"),
            (_, None) => wrong("these files do not define its `backward`"),
            _ => None,
        };
        let method = |method: &registrations::Method, is_list: bool| {
            // The first parameter is what both share.
            let mut names = parameter_names(&method.parameters).into_iter();
            let context = names.next();
            let places = method.places.iter().copied();
            Method { context, is_list, ..Method::of_cpp(names.collect(), &method.body, places, all.sources) }
        };
        Class {
            name: class.name.clone(),
            problem,
            forward: class.forward.as_ref().map(|forward| method(forward, false)),
            backward: class.backward.as_ref().map(|backward| method(backward, true)),
            kernels: all.kernels(&class.name),
            place: own,
        }
    }
}

impl Method {
    /// A function in C++; the bytes of its body and where these are in a source.
    fn of_cpp(
        parameters: Vec<String>,
        body: &str,
        places: impl Iterator<Item = (usize, Span)>,
        sources: &Sources,
    ) -> Method {
        let mut places = places.peekable();
        let file = places.peek().map(|(_, span)| sources.path(span.file).to_string()).unwrap_or_default();
        let lines = places.map(|(at, span)| (at, sources.line_col(span).0)).collect();
        Method { parameters, body: body.to_owned(), file, lines, ..Method::default() }
    }

    /// A function that a source defines.
    pub(super) fn of_definition(one: &LocatedDefinition, sources: &Sources) -> Option<Method> {
        let (start, body) = (one.definition.body.start, sources.text(one.file).get(one.definition.body.clone())?);
        let ends = body.match_indices('\n').map(|(at, _)| at + 1);
        let places = std::iter::once(0).chain(ends).map(|at| (at, Span::new(one.file, start + at, start + at)));
        Some(Method::of_cpp(parameter_names(&one.definition.parameters), body, places, sources))
    }
}

/// The names of the parameters of a function in C++.
fn parameter_names(parameters: &[String]) -> Vec<String> {
    parameters.iter().map(|text| parameter_name(text).unwrap_or_default().to_owned()).collect()
}

impl Classes<'_> {
    /// The classes in C++.
    pub(super) fn in_cpp(&self) -> Vec<Class> {
        self.found.classes.iter().map(|class| Class::of_cpp(class, self)).collect()
    }

    /// The kernels of operators that apply a class.
    fn kernels(&self, class: &str) -> Vec<Kernel> {
        let mut all = Vec::new();
        for (operator, one) in self.operators {
            for kernel in one.in_cpp().filter(|kernel| records_gradients(&kernel.key)) {
                let function = function(&kernel.function);
                let direct = function.strip_suffix("::apply");
                let is_direct = direct.is_some_and(|name| name.rsplit("::").next() == Some(class));
                let defined = kernel.definition.and_then(|place| self.found.functions.at(place));
                let method = defined.and_then(|one| Method::of_definition(one, self.sources));
                let applies = |text: &str| text.contains("::apply") && whole_words(text, class).next().is_some();
                let method = method.filter(|method| applies(&method.body));
                if is_direct || method.is_some() {
                    all.push(Kernel { operator: (*operator).to_owned(), method });
                }
            }
        }
        all
    }

    /// The operators by their names, as far as their schemas can be entries.
    pub(super) fn schemas(&self) -> IndexMap<String, Schema> {
        let schema = |(name, operator): (&&str, &Operator<'_>)| {
            let (declared, _) = operator.schemas(self.sources).into_iter().next()?;
            Some(((*name).to_owned(), Schema::new(declared.schema, self.tables)?))
        };
        self.operators.iter().filter_map(schema).collect()
    }
}
