//! The functions and filters of templates, beside those of the engine.
//!
//! Invariant: none reads files, the environment, the time or random numbers; whatever makes text
//! or lists pays for them with steps.

use std::sync::{Arc, Mutex, PoisonError};

use minijinja::value::{Kwargs, Rest};
use minijinja::{Environment, Error, ErrorKind, State, Value};
use regex::Regex;
use torchgen_base::lang::cpp::string_literal;
use torchgen_base::lang::wrapped;
use torchgen_base::render::stable_hash;

use super::entries::version;
use super::signature::{self, SignatureObject};
use super::things::{Model, ThingObject, part_value};

/// What `warn` said, with the template that said it and the entry or thing.
#[derive(Clone, Default)]
pub(crate) struct Warnings(Arc<Mutex<Vec<Warning>>>);

/// A warning of a template.
pub(crate) struct Warning {
    pub(crate) text: String,
    pub(crate) at: Option<String>,
    pub(crate) template: String,
    pub(crate) entry: Option<Value>,
    pub(crate) op: Option<Value>,
}

impl Warnings {
    /// Those that were said.
    pub(crate) fn take(&self) -> Vec<Warning> {
        std::mem::take(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// What `fail` and `assert` say: no mistake in a template, but one in the entry.
#[derive(Debug)]
pub(crate) struct Refusal {
    pub(crate) text: String,
    pub(crate) at: Option<String>,
}

impl std::fmt::Display for Refusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.text)
    }
}

impl std::error::Error for Refusal {}

fn wrong(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::InvalidOperation, message.into())
}

fn refused(text: String, options: &Kwargs) -> Error {
    let at = options.get::<Option<String>>("at").ok().flatten();
    wrong(text.clone()).with_source(Refusal { text, at })
}

/// Adds all of them.
pub(crate) fn add(environment: &mut Environment<'static>, model: &Arc<Model>, types: &Value, warnings: &Warnings) {
    environment.add_function("signature", |op: &ThingObject, convention: &str, options: Kwargs| {
        let found = signature::found(op, convention, &options)?;
        found.into_iter().next().ok_or_else(|| {
            let asked: Vec<String> = options
                .args()
                .filter_map(|name| Some(format!("{name}={}", options.peek::<Value>(name).ok()?)))
                .collect();
            let asked = if asked.is_empty() { String::new() } else { format!(" with {}", asked.join(", ")) };
            wrong(format!("`{}` has no signature in the convention `{convention}`{asked}", op.thing().name))
        })
    });
    environment.add_function("signatures", |op: &ThingObject, convention: &str, options: Kwargs| {
        signature::found(op, convention, &options).map(Value::from)
    });
    environment.add_function("translate", |from: &SignatureObject, to: &SignatureObject, options: Kwargs| {
        let given: Option<Value> = options.get("given")?;
        options.assert_all_used()?;
        signature::translate(from, to, given.as_ref())
    });
    environment.add_function("device_of", |op: &ThingObject| {
        let name = op.model.value(op.at, "facts").get_attr("device_of")?;
        let part = name.as_str().and_then(|name| op.model.part(op.at, name));
        Ok(part.map_or_else(|| Value::from(()), part_value))
    });
    environment.add_function("device_checks", |op: &ThingObject| {
        let names = op.model.value(op.at, "facts").get_attr("on_one_device")?;
        let parts = names.try_iter()?.filter_map(|name| op.model.part(op.at, name.as_str()?).map(part_value));
        Ok(parts.collect::<Vec<_>>())
    });
    let tables = types.clone();
    environment.add_function("spelled", move |part: &Value, table: &str| spelled(part, table, &tables));
    let known = Arc::clone(model);
    environment.add_function("find", move |name: &str, options: Kwargs| {
        let kind: Option<&str> = options.get("kind")?;
        options.assert_all_used()?;
        let kind = kind.unwrap_or("operator");
        let named = |name: &str| known.named(name, kind);
        let at = named(name).or_else(|| named(&format!("aten::{name}")));
        Ok(at.map_or_else(|| Value::from(()), |at| ThingObject::value(&known, at)))
    });
    let known = Arc::clone(model);
    environment.add_function("things", move |state: &State, kind: &str| {
        let places = known.kind(kind);
        state.consume_fuel(places.len() as u64)?;
        Ok(Value::from(places.iter().map(|at| ThingObject::value(&known, *at)).collect::<Vec<_>>()))
    });
    let torch = model.world.torch();
    environment.add_function("torch_at_least", move |text: &str| {
        let named = version(text).ok_or_else(|| wrong(format!("`{text}` is not a version such as \"2.12\"")))?;
        Ok(torch.as_deref().and_then(version).is_none_or(|torch| torch >= named))
    });
    environment.add_function("hash", |text: &str, options: Kwargs| {
        let bits: u32 = options.get::<Option<u32>>("bits")?.unwrap_or(64);
        options.assert_all_used()?;
        Ok(hashed(text, bits))
    });
    environment.add_function("fail", |text: String, options: Kwargs| -> Result<String, Error> {
        Err(refused(text, &options))
    });
    environment.add_function(
        "assert",
        |condition: &Value, text: String, options: Kwargs| {
            if condition.is_true() { Ok("") } else { Err(refused(text, &options)) }
        },
    );
    let warnings = warnings.clone();
    environment.add_function("warn", move |state: &State, text: String, options: Kwargs| {
        let at: Option<String> = options.get("at")?;
        options.assert_all_used()?;
        let of = |name: &str| state.lookup(name).filter(|value| value.as_object().is_some());
        let template = state.name().to_owned();
        let warning = Warning { text, at, template, entry: of("entry"), op: of("op") };
        warnings.0.lock().unwrap_or_else(PoisonError::into_inner).push(warning);
        Ok("")
    });
    add_filters(environment);
}

fn add_filters(environment: &mut Environment<'static>) {
    environment.add_filter("json", |value: &Value| {
        serde_json::to_string(&minijinja::value::Serde(value).0).map_err(|error| wrong(error.to_string()))
    });
    environment.add_filter("cpp_string", |text: &str| string_literal(text));
    environment.add_filter("py_string", torchgen_base::lang::python::string_literal);
    environment.add_filter("snake", |text: &str| words(text).join("_"));
    environment.add_filter("camel", |text: &str| {
        let capital = |word: &String| word[..1].to_uppercase() + &word[1..];
        words(text).iter().map(capital).collect::<String>()
    });
    environment.add_filter("flatten", |lists: &Value| {
        let mut all = Vec::new();
        for list in lists.try_iter()? {
            match list.as_str() {
                None => all.extend(list.try_iter()?),
                Some(_) => all.push(list),
            }
        }
        Ok(all)
    });
    environment.add_filter("index", |list: &Value, wanted: &Value| {
        let place = list.try_iter()?.position(|value| value == *wanted);
        Ok(place.map_or_else(|| Value::from(()), Value::from))
    });
    environment.add_filter("re_replace", |state: &State, text: &str, pattern: &str, by: &str| {
        state.consume_fuel(text.len() as u64 / 8)?;
        let found = regex::RegexBuilder::new(pattern).size_limit(1 << 20).build();
        let regex: Regex = found.map_err(|error| wrong(format!("`{pattern}` is not a regular expression: {error}")))?;
        let replaced = regex.replace_all(text, by).into_owned();
        state.consume_fuel(replaced.len() as u64 / 64)?;
        Ok(replaced)
    });
    environment.add_filter("wrap", |text: &str, width: usize| wrapped(text, width).join("\n"));
}

/// Adds the filter that other families have with another meaning.
pub(crate) fn add_comment(environment: &mut Environment<'static>) {
    environment.add_filter("comment", |state: &State, text: &str, rest: Rest<String>| {
        let prefix = rest.first().map_or("// ", String::as_str);
        let lines: Vec<String> = text.lines().map(|line| format!("{prefix}{line}").trim_end().to_owned()).collect();
        state.consume_fuel((lines.len() * prefix.len()) as u64 / 64)?;
        Ok(lines.join("\n"))
    });
}

/// A type by a table: `{Tensor: torch.Tensor, "[]": "Sequence[{}]", "?": "{} | None"}`.
fn spelled(part: &Value, table: &str, tables: &Value) -> Result<String, Error> {
    let rows = tables.get_attr(table)?;
    if rows.is_undefined() || rows.is_none() {
        return Err(wrong(format!("`types` of the manifest has no table `{table}`")));
    }
    let row = |name: &str| {
        let row = rows.get_attr(name)?;
        row.as_str().map(str::to_owned).ok_or_else(|| wrong(format!("the table `{table}` has no row `{name}`")))
    };
    let base = part.get_attr("base")?;
    let Some(base) = base.as_str() else { return Err(wrong("spelled takes a part of an operator")) };
    let mut text = row(base)?;
    for (flag, sign) in [("optional_element", "?"), ("list", "[]"), ("optional", "?")] {
        if part.get_attr(flag)?.is_true() {
            text = row(sign)?.replace("{}", &text);
        }
    }
    Ok(text)
}

/// A number of a text that is the same in every run.
fn hashed(text: &str, bits: u32) -> Value {
    let bytes: String = text.bytes().map(char::from).collect();
    let half = |shards: u32| u64::from(stable_hash(&bytes, shards).unwrap_or_default());
    // Two remainders of different numbers.
    let whole = half(u32::MAX) << 32 | half(u32::MAX - 4);
    Value::from(if bits >= 64 { whole } else { whole & ((1 << bits) - 1) })
}

/// The words of a name, in lower case: `addOut`, `add_out` and `AddOut` are `add`, `out`.
fn words(text: &str) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    let mut before = ' ';
    for c in text.chars() {
        let starts = !before.is_alphanumeric() || c.is_uppercase() && (before.is_lowercase() || before.is_numeric());
        if c.is_alphanumeric() {
            match all.last_mut() {
                Some(word) if !starts => word.extend(c.to_lowercase()),
                _ => all.push(c.to_lowercase().collect()),
            }
        }
        before = c;
    }
    all
}
