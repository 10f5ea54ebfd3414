//! The functions of Python modules, `PYBIND11_MODULE`, as operators.
//!
//! Data flows `expression, arguments, types, annotations -> function -> operators`, and
//! `registrations` has the C++ that registers them. Invariant: each `def` of a module is an
//! operator, is one that is registered already, or is left with a reason; nothing of the module
//! changes.

mod annotations;
mod arguments;
mod expression;
mod function;
mod registrations;
#[cfg(test)]
mod tests;
mod types;

use torchgen_base::diag::{CodeInfo, Diagnostic, Diagnostics, Sources, Span};
use torchgen_model::codes;
use torchgen_registrations::{Action, Call};

use self::function::{Function, function};
pub(super) use self::registrations::Registrations;
use crate::from_cpp::{Kernel, Left, LeftCall, Operator, Operators, is_macro};

/// What the Python modules of sources have.
#[derive(Default)]
pub(super) struct Bound {
    /// How many functions they have.
    pub(super) found: usize,
    /// Those that are registered as operators already.
    pub(super) registered: usize,
    /// Those that are there for several builds, beyond the first place.
    pub(super) repeated: usize,
    /// Those that are operators now, with their names.
    functions: Vec<(String, Function)>,
}

/// Why a function of a module is not an operator.
struct Reason {
    code: &'static CodeInfo,
    place: Span,
    message: String,
    help: Option<String>,
}

impl Reason {
    fn new(place: Span, message: String) -> Reason {
        Reason { code: &codes::CPP_BINDING, place, message, help: None }
    }

    fn help(self, help: impl Into<String>) -> Reason {
        Reason { help: Some(help.into()), ..self }
    }
}

impl Bound {
    /// Adds to the operators of sources what their modules bind. A `namespace` replaces the names
    /// of the modules. What is not an operator is left, with a warning.
    pub(super) fn new(
        found: &mut Operators,
        namespace: Option<&str>,
        sources: &Sources,
        diagnostics: &mut Diagnostics,
    ) -> Bound {
        let (mut bound, calls) = (Bound::default(), std::mem::take(&mut found.modules));
        for call in &calls {
            if call.action != Action::Define {
                bound.other(call, found);
                continue;
            }
            bound.found += 1;
            if let Err(reason) = bound.add(call, namespace, found, sources) {
                let what = LeftCall::Operator;
                found.left.push(Left { place: reason.place, reason: reason.message.clone(), other: None, what });
                let warning = Diagnostic::new(reason.code, reason.message).at(reason.place);
                diagnostics.push(warning.maybe_help(reason.help));
            }
        }
        found.modules = calls;
        bound
    }

    /// What is not a function of a module: its text is not a registration.
    fn other(&self, call: &Call, found: &mut Operators) {
        if !matches!(call.function.as_str(), "doc" | "def_submodule") {
            let reason = format!("`{}` of the Python module is no function, and stays there", call.function);
            found.left.push(Left { place: call.place, reason, other: None, what: LeftCall::Other });
        }
    }

    fn add(
        &mut self,
        call: &Call,
        namespace: Option<&str>,
        found: &mut Operators,
        sources: &Sources,
    ) -> Result<(), Reason> {
        let name = call.arguments.first().and_then(|argument| argument.literal.as_ref());
        let name = name.ok_or_else(|| {
            let message = "the name of this function is not a string in the source".to_owned();
            Reason::new(call.place, message).help("write the entry by hand")
        })?;
        let space = namespace.unwrap_or(&call.namespace.text);
        if is_macro(space) {
            let message = format!("the name of the Python module of `{}` is the macro `{space}`", name.text);
            let reason = Reason { code: &codes::CPP_NAMESPACE, ..Reason::new(call.namespace.place, message) };
            return Err(reason.help("give the namespace of its operators with `--namespace`"));
        }
        let full_name = format!("{space}::{}", name.text);
        if let Some((_, first)) = self.functions.iter_mut().find(|(known, _)| *known == full_name) {
            let condition = found.conditions.or(first.condition, call.condition);
            let own = function(&name.text, call, &found.functions, &mut found.conditions, sources)?;
            let operator = found.operators.iter_mut().find(|operator| operator.name == full_name);
            let Some(operator) = operator.filter(|_| own.schema == first.schema && own.name == first.name) else {
                let message = format!("`{full_name}` is another function already: Python tries both");
                return Err(Reason::new(call.place, message).help("give one of them another name"));
            };
            (operator.condition, first.condition) = (condition, condition);
            operator.kernels.iter_mut().for_each(|kernel| kernel.condition = condition);
            operator.places.push(call.place);
            self.repeated += 1;
            return first.guard(&mut found.conditions).map_err(|message| Reason::new(call.place, message));
        }
        if found.operators.iter().any(|operator| operator.name == full_name) {
            self.registered += 1;
            return Ok(());
        }
        let own = function(&name.text, call, &found.functions, &mut found.conditions, sources)?;
        found.operators.push(Operator {
            name: full_name.clone(),
            schema: format!("{space}::{}", own.schema),
            places: vec![call.place],
            condition: call.condition,
            tags: Vec::new(),
            kernels: vec![Kernel {
                key: own.key.to_owned(),
                function: own.name.clone(),
                name: Some(own.name.clone()),
                place: call.place,
                condition: call.condition,
                definition: own.definition,
                is_hidden: false,
                is_stable: false,
            }],
            notes: own.notes.clone(),
            doc: own.doc.clone(),
            schema_only: None,
        });
        self.functions.push((full_name, own));
        Ok(())
    }

    /// How many of the functions are operators now, among those that `check` accepts.
    pub(super) fn written(&self, is_accepted: impl Fn(&str) -> bool) -> usize {
        self.functions.iter().filter(|(name, _)| is_accepted(name)).count()
    }

    /// What a person should check, with the operators.
    pub(super) fn guesses(&self) -> impl Iterator<Item = (&str, &str)> {
        self.functions.iter().flat_map(|(name, own)| {
            own.notes
                .iter()
                .filter(|note| note.starts_with(function::GUESS))
                .map(move |note| (name.as_str(), note.as_str()))
        })
    }
}
