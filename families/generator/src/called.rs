//! The functions of the caller in templates: those of Python, which the manifest names.
//!
//! Invariant: they get and return JSON, and are called one after the other, in the order of
//! items. What they return is paid for with steps, like all texts.

use std::sync::Arc;

use minijinja::value::{Rest, Serde};
use minijinja::{Environment, Error, ErrorKind, State, Value};
use torchgen_base::diag::{Diagnostic, codes as shared, did_you_mean};
use torchgen_base::yaml::Text;
use torchgen_kit::driver::{CallerFunctions, JobError, Session};

use super::codes;

/// Adds the functions, each also as a filter. Whether templates can be rendered: `check` only warns
/// that the caller lacks a function.
pub(crate) fn add(
    environment: &mut Environment<'static>,
    named: &[Text],
    generator: &str,
    session: &mut Session,
) -> Result<bool, JobError> {
    if let Some(taken) = named.iter().find(|own| has(environment, own.as_str())) {
        let message = format!("templates have a function or a filter `{taken}` already");
        return Err(Diagnostic::new(&codes::MANIFEST, message).at(taken.span()).into());
    }
    let given = CallerFunctions::of_session(session);
    let names = given.as_ref().map_or(&[][..], |given| given.names());
    if let Some(other) = names.iter().find(|name| named.iter().all(|own| own.as_str() != name.as_str())) {
        let message = format!("the generator `{generator}` has no Python function `{other}`");
        let near = did_you_mean(other, named.iter().map(Text::as_str));
        let help = near.unwrap_or_else(|| format!("write `python: [{other}]` in its manifest").into());
        return Err(Diagnostic::new(&shared::USAGE, message).help(help).into());
    }
    if let Some(missing) = named.iter().find(|own| names.iter().all(|name| name != own.as_str())) {
        let name = missing.as_str();
        let error = Diagnostic::new(&codes::MANIFEST, format!("the Python function `{name}` is not there"));
        let call = format!("torchgen_rs.commands.generator(…, functions={{\"{name}\": …}})");
        let error = error.at(missing.span()).help(format!("run the generator with the Python package: `{call}`"));
        if !session.checks_only {
            return Err(error.into());
        }
        let warning = Diagnostic { code: &codes::WARNED, ..error }.severity(codes::WARNED.severity);
        session.diagnostics.push(warning.note("so no template is rendered here"));
        return Ok(false);
    }
    for own in named {
        let (Some(given), name) = (given.clone(), own.as_str().to_owned()) else { continue };
        let call = move |state: &State<'_, '_>, arguments: Rest<Value>| called(&given, &name, state, &arguments);
        environment.add_function(own.as_str().to_owned(), call.clone());
        environment.add_filter(own.as_str().to_owned(), call);
    }
    Ok(true)
}

/// Whether templates have a function or a filter of that name, which is an identifier.
fn has(environment: &Environment<'_>, name: &str) -> bool {
    let is_filter = || {
        let applied = environment.compile_expression_owned(format!("0|{name}")).and_then(|applied| applied.eval(()));
        !matches!(applied, Err(error) if error.kind() == ErrorKind::UnknownFilter)
    };
    environment.globals().any(|(own, _)| own == name) || is_filter()
}

fn called(
    given: &Arc<CallerFunctions>,
    name: &str,
    state: &State<'_, '_>,
    arguments: &[Value],
) -> Result<Value, Error> {
    let wrong = |message: String| Error::new(ErrorKind::InvalidOperation, message);
    let text = serde_json::to_string(&Serde(arguments).0).map_err(|error| wrong(error.to_string()))?;
    state.consume_fuel(text.len() as u64 / 64 + 1)?;
    let made = given.call(name, &text).map_err(|why| wrong(format!("`{name}` {why}")))?;
    state.consume_fuel(made.len() as u64 / 64)?;
    let value: serde_json::Value = serde_json::from_str(&made).map_err(|error| wrong(error.to_string()))?;
    Ok(Value::from(Serde(value)))
}
