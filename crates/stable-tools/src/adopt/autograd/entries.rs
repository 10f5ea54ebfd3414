//! The entries for the classes of a library.
//!
//! Invariant: each class is an entry or has a reason, and an operator has one entry.

use indexmap::IndexMap;
use serde::Serialize;

use super::body::{Called, Done, Library, Reader};
use super::class::{Class, Method};
use super::gradients::{Gradients, given, gradients};
use super::operator::{Matched, Schema};
use super::sources::Classes;
use super::values::{Reason, Value, Values, whole};
use crate::adopt::merged::Operator;
use crate::from_cpp::quoted;
use torchgen_library::library::kernels::LocatedDefinition;
use torchgen_model::model::records_gradients;

/// The entries of derivatives.yaml, and what else the report has.
#[derive(Debug, Default, Serialize)]
pub(in super::super) struct Entries {
    pub(in super::super) classes: Vec<Entry>,
}

/// A class.
#[derive(Debug, Default, Serialize)]
pub(in super::super) struct Entry {
    class: String,
    place: String,
    /// The operator that it is the derivative of, if that is known.
    pub(super) operator: Option<String>,
    /// Its schema, for YAML.
    schema: Option<String>,
    /// The library has kernels that record gradients, so that the entry is compared with them.
    pub(super) is_compared: bool,
    /// For each result whether it has a gradient, if not all have.
    differentiable: Option<Vec<&'static str>>,
    formulas: Vec<Formula>,
    saved: Vec<String>,
    /// Why it is no entry, and where.
    pub(super) reason: Option<(String, String)>,
}

/// The formula of inputs.
#[derive(Debug, Serialize)]
struct Formula {
    names: String,
    /// For YAML; `None` if it is not known.
    formula: Option<String>,
}

impl Entries {
    /// Those of the classes.
    pub(in super::super) fn new(all: &Classes<'_>) -> Entries {
        let functions = Functions { all, schemas: all.schemas() };
        let mut entries = Entries::default();
        for class in all.in_cpp().iter().chain(all.python) {
            let mut entry = Entry::new(class, &functions);
            let is_taken = |one: &&Entry| one.reason.is_none() && one.operator == entry.operator;
            if let Some(first) = entries.classes.iter().find(is_taken).filter(|_| entry.reason.is_none()) {
                let message =
                    format!("`{}` has the entry of `{}`", entry.operator.as_deref().unwrap_or_default(), first.class);
                entry.reason = Some((class.place.clone(), message));
            }
            entries.classes.push(entry);
        }
        entries
    }

    /// Whether an operator's own gradients are compared with those of an entry.
    pub(in super::super) fn compares(&self, operator: &str) -> bool {
        let is_own = |one: &Entry| one.is_compared && one.operator.as_deref() == Some(operator);
        self.classes.iter().any(|one| one.reason.is_none() && is_own(one))
    }

    /// Makes a comment of an entry, by its place among them, since a run has an error for it.
    pub(super) fn refuse(&mut self, at: usize, message: String) -> bool {
        let Some(one) = self.classes.iter_mut().filter(|one| one.reason.is_none()).nth(at) else { return false };
        one.reason = Some((one.place.clone(), format!("`check` refuses its formulas: {message}")));
        true
    }

    /// Makes comments of those for operators without an entry in native_functions.yaml.
    pub(in super::super) fn refuse_others(&mut self, has: impl Fn(&str) -> bool) {
        for one in self.classes.iter_mut().filter(|one| one.reason.is_none()) {
            let operator = one.operator.as_deref().unwrap_or_default();
            if !has(operator) {
                one.reason = Some((one.place.clone(), format!("`{operator}` has no entry")));
            }
        }
    }

    /// How many classes are entries.
    pub(in super::super) fn translated(&self) -> usize {
        self.classes.iter().filter(|one| one.reason.is_none()).count()
    }
}

/// What functions in C++ are as operators.
struct Functions<'s> {
    all: &'s Classes<'s>,
    schemas: IndexMap<String, Schema>,
}

/// No operators.
struct Nothing;

impl Library for Nothing {}

impl Library for Functions<'_> {
    fn arguments_of(&self, operator: &str) -> Option<Vec<String>> {
        self.schemas.get(operator).map(|schema| schema.names().into_iter().map(str::to_owned).collect())
    }

    fn results_of(&self, operator: &str) -> Option<usize> {
        let base = operator.strip_suffix("_symint").unwrap_or(operator);
        self.schemas.get(base).map(|schema| schema.function.returns.len())
    }

    /// By its name, or because the function only calls it.
    fn operator_of(&self, name: &str, count: usize) -> Option<Called> {
        let bare = name.strip_prefix("::").unwrap_or(name);
        let base = bare.strip_suffix("_symint").unwrap_or(bare);
        if self.schemas.contains_key(base) {
            return Some(Called { operator: bare.to_owned(), ..Called::default() });
        }
        // All that it can mean call the same.
        let all = self.all.found.functions.ending(bare).filter(|one| one.definition.parameters.len() == count);
        let mut called = all.map(|one| self.called(one));
        let first = called.next()??;
        called.all(|other| other.as_ref() == Some(&first)).then_some(first)
    }
}

impl Functions<'_> {
    /// The operator that a function calls with its parameters, and nothing else.
    fn called(&self, one: &LocatedDefinition) -> Option<Called> {
        // One that is the operator's kernel on all devices.
        let is_kernel = |operator: &&Operator<'_>| {
            let composite = |key: &str| key.starts_with("CompositeExplicit") || key == "CompositeImplicitAutograd";
            operator.in_cpp().any(|kernel| kernel.definition == Some(one.span()) && composite(&kernel.key))
        };
        if let Some((name, _)) = self.all.operators.iter().find(|(_, operator)| is_kernel(operator)) {
            return Some(Called { operator: (*name).to_owned(), ..Called::default() });
        }
        let method = Method::of_definition(one, self.all.sources)?;
        if !method.body.contains("findSchemaOrThrow") {
            return None;
        }
        let mut values = Values::default();
        // It may check its arguments.
        let done = Reader::new(&method, &mut values, &Nothing, "", true).read().ok()?;
        let [Value::Text(text)] = done.returned.as_slice() else { return None };
        let whole = values.of_parameters(text).ok()?;
        let (operator, rest) = whole.split_once('(')?;
        let given: Vec<&str> = rest.strip_suffix(')')?.split(", ").collect();
        let mut contiguous = Vec::new();
        for (at, (argument, name)) in given.iter().zip(&method.parameters).enumerate() {
            match argument.strip_prefix(name.as_str())? {
                "" => {}
                ".contiguous()" => contiguous.push(at),
                _ => return None,
            }
        }
        (given.len() == method.parameters.len()).then(|| Called { operator: operator.to_owned(), contiguous })
    }

    /// Reads a method of a class, or a kernel that applies it.
    fn read(&self, method: &Method, given: Option<&Done>, class: &str, values: &mut Values) -> Result<Done, Reason> {
        // What `forward` computes is what the operator does.
        let is_lenient = given.is_none() && method.context.is_some();
        let mut reader = Reader::new(method, &mut *values, self, class, is_lenient);
        reader.given = given;
        if given.is_some() {
            let last = method.parameters.len().saturating_sub(1);
            for (at, name) in method.parameters.iter().enumerate() {
                let gradient = if method.is_list && at == last { Value::Gradients } else { reader.values.gradient(at) };
                reader.names.insert(name.clone(), gradient);
            }
        }
        let mut done = reader.read()?;
        // All results of an operator.
        if let [Value::Text(text)] = done.returned.as_slice() {
            let call = Value::Text(text.clone());
            let operator = values.called(text);
            let count = self.results_of(operator).filter(|count| *count > 1);
            if let Some(count) = count.filter(|_| values.text(text).ends_with(')')) {
                done.returned = (0..count).map(|at| values.element(&call, at)).collect();
            }
        }
        Ok(done)
    }
}

impl Entry {
    fn new(class: &Class, functions: &Functions<'_>) -> Entry {
        let mut entry = Entry { class: class.name.clone(), place: class.place.clone(), ..Entry::default() };
        match entry.fill(class, functions) {
            Ok(gradients) => entry.show(gradients),
            Err(reason) => entry.reason = Some((reason.place, reason.message)),
        }
        entry
    }

    /// Finds what is known of a class, from its operator on.
    fn fill(&mut self, class: &Class, functions: &Functions<'_>) -> Result<Gradients, Reason> {
        let mut values = Values::default();
        if let Some(kernel) = class.kernels.first() {
            self.operator = Some(kernel.operator.clone());
            self.schema = functions.schemas.get(&kernel.operator).map(|schema| quoted(&schema.text));
        }
        let (forward, backward) = class.methods()?;
        let at = |message: String| whole(message, &class.place);
        let done = functions.read(forward, None, &class.name, &mut values)?;
        let (schema, matched) = match class.kernels.first() {
            Some(kernel) => {
                let schema = functions.schemas.get(&kernel.operator);
                let schema = schema.ok_or_else(|| at(format!("`{}` has no schema here", kernel.operator)))?.clone();
                let matched = match &kernel.method {
                    None => Matched::direct(&schema, &forward.parameters).map_err(at)?,
                    Some(method) => {
                        let own = functions.read(method, None, &class.name, &mut values)?;
                        let outputs = (forward.parameters.as_slice(), done.returned.len());
                        Matched::of_kernel(&schema, &method.parameters, &own, outputs, &values)
                            .map_err(|message| whole(message, &own.place))?
                    }
                };
                self.is_compared = true;
                (schema, matched)
            }
            None => {
                let known = |name: &str| functions.schemas.get(name).cloned();
                let (name, schema, matched) =
                    Matched::of_forward(&forward.parameters, &done, &known, &values).map_err(at)?;
                self.schema = Some(quoted(&schema.text));
                let operator = functions.all.operators.get(name.as_str());
                let places = operator.map(|operator| operator.places(functions.all.sources)).unwrap_or_default();
                self.operator = Some(name.clone());
                if let Some((key, place)) = places.iter().find(|(key, _)| records_gradients(key)) {
                    return Err(at(format!("`{name}` has gradients of its own, for {key} at {place}")));
                }
                (schema, matched)
            }
        };
        if schema.function.is_mutable() {
            return Err(at("the operator mutates an argument".to_owned()));
        }
        if matched.results.len() != schema.function.returns.len() {
            let message = format!("its kernel returns {} of the operator's results", matched.results.len());
            return Err(at(message));
        }
        let kept = given(&done, &forward.parameters, &mut values);
        for value in &kept.saved {
            if let Value::Text(text) = value {
                self.saved.extend(values.written(text, &mut |name| matched.named(&schema, &name)));
            }
        }
        let back = functions.read(backward, Some(&kept), &class.name, &mut values)?;
        gradients(&schema, &matched, (&done, &forward.parameters), (&back, functions), &values)
    }

    fn show(&mut self, gradients: Gradients) {
        let text = |has: &bool| if *has { "True" } else { "False" };
        self.differentiable = gradients.differentiable.map(|all| all.iter().map(text).collect());
        let without: Vec<&str> = gradients
            .formulas
            .iter()
            .filter(|(_, formula)| formula.is_none())
            .map(|(names, _)| names[0].as_str())
            .collect();
        for (names, formula) in gradients.formulas.iter().filter(|(_, formula)| formula.is_some()) {
            self.formulas.push(Formula { names: names.join(", "), formula: formula.as_deref().map(scalar) });
        }
        self.formulas.extend(gradients.missing.iter().map(|(name, _)| Formula { names: name.clone(), formula: None }));
        if !without.is_empty() {
            let formula = Some("non_differentiable".to_owned());
            self.formulas.push(Formula { names: without.join(", "), formula });
        }
        if let Some((name, reason)) = gradients.missing.into_iter().next() {
            self.reason = Some((reason.place, format!("`{name}`: {}", reason.message)));
        } else if gradients.formulas.iter().all(|(_, formula)| formula.is_none()) {
            self.reason = Some((self.place.clone(), "no input has a gradient".to_owned()));
        }
    }
}

/// A formula as a scalar of YAML.
fn scalar(formula: &str) -> String {
    let starts_plain = formula.starts_with(|c: char| c.is_alphanumeric() || c == '(');
    match starts_plain && !formula.contains(": ") && !formula.contains(" #") && !formula.contains('\n') {
        true => formula.to_owned(),
        false => serde_json::Value::from(formula).to_string(),
    }
}
