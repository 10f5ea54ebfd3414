//! Templates in the dialect of Python's Jinja2, as other generators ship them.
//!
//! Invariant: they render as Jinja2 does with `trim_blocks` and `lstrip_blocks`: an undefined name
//! is empty, and counted, so that the caller can warn.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use minijinja::syntax::SyntaxConfig;
use minijinja::value::{Serde, ValueKind};
use minijinja::{AutoEscape, Environment, Error, ErrorKind, UndefinedBehavior, Value};
use serde::Serialize;

use super::error::{RenderError, RenderErrorKind};
use super::length::too_long;
use super::limits::{Counts, STEPS};

/// Templates by name.
pub struct Jinja {
    environment: Environment<'static>,
    undefined: Arc<AtomicUsize>,
    counts: Counts,
}

impl Jinja {
    /// Compiles templates.
    ///
    /// # Errors
    /// A template has a syntax error.
    pub fn new(templates: Vec<(String, String)>) -> Result<Jinja, RenderError> {
        let mut environment = Environment::new();
        let mut syntax = SyntaxConfig::builder();
        syntax.trim_blocks(true).lstrip_blocks(true);
        environment.set_syntax(syntax.build().map_err(|error| RenderError::from_engine("", &error))?);
        environment.set_undefined_behavior(UndefinedBehavior::Lenient);
        environment.set_auto_escape_callback(|_| AutoEscape::None);
        environment.set_fuel(Some(STEPS));
        environment.set_unknown_method_callback(|_, value, method, arguments| match (value.as_str(), method) {
            (Some(text), "split") => {
                let separator = arguments.first().and_then(|argument| argument.as_str());
                let parts: Vec<Value> = match separator {
                    Some(separator) if !separator.is_empty() => text.split(separator).map(Value::from).collect(),
                    _ => text.split_whitespace().map(Value::from).collect(),
                };
                Ok(Value::from(parts))
            }
            _ => Err(Error::from(ErrorKind::UnknownMethod)),
        });
        let undefined = Arc::new(AtomicUsize::new(0));
        let seen = Arc::clone(&undefined);
        environment.set_formatter(move |out, state, value| {
            if value.kind() == ValueKind::Undefined {
                seen.fetch_add(1, Relaxed);
            }
            minijinja::escape_formatter(out, state, value)
        });
        for (name, text) in templates {
            if let Some((line, message)) = too_long(&text) {
                let kind = RenderErrorKind::Other(format!("syntax error: {message}"));
                return Err(RenderError { template: name, line: Some(line), span: None, kind });
            }
            environment
                .add_template_owned(name.clone(), text)
                .map_err(|error| RenderError::from_engine(&name, &error))?;
        }
        Ok(Jinja { environment, undefined, counts: Counts::default() })
    }

    /// Whether there is a template.
    pub fn has(&self, name: &str) -> bool {
        self.environment.get_template(name).is_ok()
    }

    /// The text, and how many undefined values were printed.
    pub fn render<V: Serialize>(&self, name: &str, view: &V) -> Result<(String, usize), RenderError> {
        let before = self.undefined.load(Relaxed);
        let wrong = |error: Error| RenderError::from_engine(name, &error);
        let template = self.environment.get_template(name).map_err(wrong)?;
        let text = template.render(Value::from(Serde(view))).map_err(wrong)?;
        match self.counts.add(text.len()) {
            true => Ok((text, self.undefined.load(Relaxed) - before)),
            false => Err(RenderError::too_much(name)),
        }
    }
}
