//! C++ functions of operators as templates see them.
//!
//! Invariant: a function is its place among those of its operator; texts are made of its parts, and
//! conversions of what the provider knows.

use std::sync::Arc;

use minijinja::value::{Enumerator, Kwargs, Object};
use minijinja::{Error, ErrorKind, State, Value};
use torchgen_base::diag::did_you_mean;
use torchgen_kit::facts::{Parameter, Signature};

use super::things::{Model, ThingObject, part_value};

/// The parameter with which a function redispatches.
const KEY_SET: &str = "c10::DispatchKeySet dispatchKeySet";

/// A function in a template.
#[derive(Clone)]
pub(crate) struct SignatureObject {
    model: Arc<Model>,
    operator: usize,
    place: usize,
    /// It takes the set of keys to redispatch with first.
    redispatch: bool,
    /// How names of types are spelled.
    style: Style,
}

/// Names in types and defaults, with those that a style has in their place.
type Style = &'static [(&'static str, &'static str)];

/// The styles: torchgen's, and those of headers of other versions.
const STYLES: [(&str, Style); 3] = [
    ("at", &[]),
    ("c10", &[("::std::optional<", "c10::optional<"), ("::std::nullopt", "c10::nullopt")]),
    ("std", &[("c10::string_view", "::std::string_view")]),
];

/// All functions of an operator.
pub(crate) fn all(model: &Arc<Model>, operator: usize) -> Value {
    let places = 0..model.functions(operator).len();
    Value::from(places.map(|place| SignatureObject::value(model, operator, place, &[])).collect::<Vec<_>>())
}

/// The functions of an operator in a convention that the keywords select.
pub(crate) fn found(thing: &ThingObject, convention: &str, options: &Kwargs) -> Result<Vec<Value>, Error> {
    let form: Option<&str> = options.get("form")?;
    let (symint, faithful): (Option<bool>, Option<bool>) = (options.get("symint")?, options.get("faithful")?);
    let named: &str = options.get::<Option<&str>>("style")?.unwrap_or("at");
    options.assert_all_used()?;
    let Some((_, style)) = STYLES.iter().find(|(name, _)| *name == named) else {
        let known = STYLES.map(|(name, _)| format!("`{name}`")).join(", ");
        let message = format!("there is no style `{named}`; write one of {known}");
        return Err(Error::new(ErrorKind::InvalidOperation, message));
    };
    let functions = thing.model.functions(thing.at);
    let fits = |(_, own): &(usize, &Signature)| {
        own.convention == convention
            && form.is_none_or(|form| own.form == form)
            && symint.is_none_or(|symint| own.symint == symint)
            && faithful.is_none_or(|faithful| own.faithful == faithful)
    };
    let found: Vec<Value> = (functions.iter().enumerate().filter(fits))
        .map(|(place, _)| SignatureObject::value(&thing.model, thing.at, place, style))
        .collect();
    if found.is_empty() && !functions.iter().any(|own| own.convention == convention) {
        const KNOWN: [&str; 4] = ["cpp", "dispatcher", "native", "structured"];
        if !KNOWN.contains(&convention) {
            let near = did_you_mean(convention, KNOWN).map(|help| format!(": {}", help.as_str())).unwrap_or_default();
            let message = format!("there is no convention `{convention}`{near}");
            return Err(Error::new(ErrorKind::InvalidOperation, message));
        }
    }
    Ok(found)
}

/// The expressions with which the first function calls the second.
pub(crate) fn translate(
    from: &SignatureObject,
    to: &SignatureObject,
    given: Option<&Value>,
) -> Result<Vec<String>, Error> {
    let mut values = Vec::new();
    if let Some(given) = given.filter(|given| !given.is_none()) {
        for name in given.try_iter()? {
            values.push((name.to_string(), given.get_item(&name)?.to_string()));
        }
    }
    let of = |own: &SignatureObject| own.model.thing(own.operator).name.clone();
    let (source, target) = (of(from), of(to));
    from.model.world.translate((&source, from.place), (&target, to.place), &values).map_err(|reason| {
        Error::new(
            ErrorKind::InvalidOperation,
            format!("`{}` cannot call `{}`: {reason}", from.data().name, to.data().name),
        )
    })
}

impl SignatureObject {
    fn value(model: &Arc<Model>, operator: usize, place: usize, style: Style) -> Value {
        let redispatch = model.functions(operator)[place].form == "redispatch";
        Value::from_object(SignatureObject { model: Arc::clone(model), operator, place, redispatch, style })
    }

    /// A type or a default in the style of the function.
    fn styled(&self, text: &str) -> String {
        self.style.iter().fold(text.to_owned(), |text, (name, other)| text.replace(name, other))
    }

    fn parameters(&self) -> impl Iterator<Item = Parameter> {
        self.data().parameters.iter().map(|own| Parameter {
            name: own.name.clone(),
            ty: self.styled(&own.ty),
            default: own.default.as_ref().map(|default| self.styled(default)),
        })
    }

    fn data(&self) -> &Signature {
        &self.model.functions(self.operator)[self.place]
    }

    /// `returns name(parameters)`
    fn text(&self, name: Option<&str>, parameter: fn(&Parameter) -> String) -> String {
        let own = self.data();
        let first = self.redispatch.then(|| KEY_SET.to_owned());
        let parameters: Vec<String> = first.into_iter().chain(self.parameters().map(|own| parameter(&own))).collect();
        let space = if name == Some("") { "" } else { " " };
        format!("{}{space}{}({})", self.styled(&own.returns), name.unwrap_or(&own.name), parameters.join(", "))
    }

    fn parameter(&self, parameter: &Parameter) -> Value {
        let part = self.model.thing(self.operator).parts.iter().find(|part| {
            part.role != "return"
                && [&part.name, &part.cpp_name].into_iter().flatten().any(|own| *own == parameter.name)
        });
        Value::from_pairs([
            ("name", Value::from(parameter.name.as_str())),
            ("type", Value::from(parameter.ty.as_str())),
            ("default", Value::from(parameter.default.clone())),
            ("decl", Value::from(declared(parameter))),
            ("defn", Value::from(defined(parameter))),
            ("part", part.map_or(Value::from(()), part_value)),
        ])
    }

    fn get(&self, key: &str) -> Option<Value> {
        let own = self.data();
        let joined =
            |text: fn(&Parameter) -> String| self.parameters().map(|own| text(&own)).collect::<Vec<_>>().join(", ");
        Some(match key {
            "name" => Value::from(own.name.as_str()),
            "convention" => Value::from(&*own.convention),
            "form" => Value::from(&*own.form),
            "scope" => Value::from(own.scope.as_str()),
            "faithful" => Value::from(own.faithful),
            "symint" => Value::from(own.symint),
            "absent" => Value::from(own.absent),
            "text" => Value::from(own.text.as_str()),
            "returns" => Value::from(self.styled(&own.returns)),
            "type" => {
                Value::from(format!("{} ({})", self.styled(&own.returns), joined(|parameter| parameter.ty.clone())))
            }
            "names" => Value::from(joined(|parameter| parameter.name.clone())),
            "arguments" => Value::from(joined(declared)),
            "parameters" => Value::from(self.parameters().map(|own| self.parameter(&own)).collect::<Vec<_>>()),
            "types" => Value::from_pairs(self.parameters().map(|own| (own.name, Value::from(own.ty)))),
            "redispatch" => Value::from_object(SignatureObject { redispatch: true, ..self.clone() }),
            _ => return None,
        })
    }
}

/// The keys of a function, but for `redispatch`: that has them too, without end.
const KEYS: [&str; 14] = [
    "name",
    "convention",
    "form",
    "scope",
    "faithful",
    "symint",
    "absent",
    "text",
    "returns",
    "type",
    "names",
    "arguments",
    "parameters",
    "types",
];

/// `type name=default`
fn declared(parameter: &Parameter) -> String {
    let default = parameter.default.as_ref().map(|default| format!("={default}")).unwrap_or_default();
    format!("{} {}{default}", parameter.ty, parameter.name)
}

/// `type name`
fn defined(parameter: &Parameter) -> String {
    format!("{} {}", parameter.ty, parameter.name)
}

impl std::fmt::Debug for SignatureObject {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.text(None, declared))
    }
}

impl Object for SignatureObject {
    fn get_value(self: &Arc<Self>, key: &Value) -> Option<Value> {
        self.get(key.as_str()?)
    }

    fn get_value_by_str(self: &Arc<Self>, key: &str) -> Option<Value> {
        self.get(key)
    }

    fn enumerate(self: &Arc<Self>) -> Enumerator {
        Enumerator::Str(&KEYS)
    }

    fn call_method(self: &Arc<Self>, _: &mut State<'_, '_>, method: &str, arguments: &[Value]) -> Result<Value, Error> {
        let parameter = match method {
            "decl" => declared,
            "defn" => defined,
            _ => return Err(Error::from(ErrorKind::UnknownMethod)),
        };
        let (name, options): (Option<&str>, Kwargs) = minijinja::value::from_args(arguments)?;
        let name = match name {
            Some(name) => Some(name),
            None => options.get::<Option<&str>>("name")?,
        };
        let text = self.text(name, parameter);
        options.assert_all_used()?;
        Ok(Value::from(text))
    }

    fn render(self: &Arc<Self>, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.text(None, declared))
    }
}
