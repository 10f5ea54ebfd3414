//! Resolves a parsed schema: looks up types in the table, and checks defaults against their types.
//!
//! Invariant: all errors are collected, in the order of the text.

use std::collections::HashMap;
use std::ops::Range;

use super::error::{SchemaError, SchemaErrorKind};
use super::grammar::{Item, TypeAndName, WrittenReturns, WrittenSchema};
use super::syntax::alternatives;
use super::table::{DefaultForm, Presence, Rules, TypeRow, TypeTable};
use super::tree::{Default, Parameter, Return, Returns, Schema, Spanned, Suffix, Type, Value};
use torchgen_base::diag::{Help, did_you_mean};

/// The name of a parameter or result, and its place.
type Name = Spanned<String>;

/// Checks a whole schema.
pub(super) fn schema<K: Clone>(
    text: &str,
    written: WrittenSchema<'_>,
    types: &TypeTable<K>,
    rules: &Rules,
) -> Result<Schema<K>, Vec<SchemaError>> {
    let mut resolver = Resolver { text, types, errors: Vec::new() };
    resolver.head(&written, rules);
    let parameters = resolver.parameters(written.items, rules);
    let returns = resolver.returns(written.returns, rules);
    resolver.distinct("parameter", parameters.iter().map(|parameter| &parameter.name));
    let schema = Schema {
        name: written.name.map(str::to_owned),
        overload: written.overload.map(|overload| overload.map(str::to_owned)),
        parameters,
        parentheses: Spanned::new((), written.parentheses),
        returns,
    };
    resolver.distinct("result", schema.results().iter().filter_map(|result| result.name.as_ref()));
    if resolver.errors.is_empty() {
        return Ok(schema);
    }
    resolver.errors.sort_by_key(|error| error.range.start);
    Err(resolver.errors)
}

struct Resolver<'t, K> {
    text: &'t str,
    types: &'t TypeTable<K>,
    errors: Vec<SchemaError>,
}

impl<K: Clone> Resolver<'_, K> {
    fn error(&mut self, kind: SchemaErrorKind, range: Range<usize>, message: impl Into<String>, help: Option<Help>) {
        self.errors.push(SchemaError::new(kind, range, message).maybe_help(help));
    }

    fn head(&mut self, written: &WrittenSchema<'_>, rules: &Rules) {
        let name = &written.name;
        match (&written.overload, rules.overload) {
            (Some(overload), Presence::Forbidden) => {
                let help = Some(Help::new(format!("write `{}` or another name", name.value)).instead(""));
                let range = overload.range.start - 1..overload.range.end;
                self.error(SchemaErrorKind::Syntax, range, "an overload name is not allowed here", help);
            }
            (None, Presence::Required) => {
                let help = Some(format!("write `{}.` and the name", name.value).into());
                self.error(SchemaErrorKind::Syntax, name.range.clone(), "the overload name is missing", help);
            }
            _ => {}
        }
        match (&written.arrow, rules.returns) {
            (Some(arrow), Presence::Forbidden) => {
                let help = Some(Help::new("remove the arrow and everything after it").instead("").certainly());
                self.error(SchemaErrorKind::Syntax, arrow.start..written.end, "results are not allowed here", help);
            }
            (None, Presence::Required) => {
                let help = Some("a schema is `name(parameters) -> results`".into());
                let mut error =
                    SchemaError::new(SchemaErrorKind::Syntax, written.end..written.end, "expected `->`, found the end")
                        .maybe_help(help);
                error.expected = vec!["`->`".to_owned()];
                self.errors.push(error);
            }
            _ => {}
        }
    }

    fn parameters(&mut self, items: Vec<Item<'_>>, rules: &Rules) -> Vec<Spanned<Parameter<K>>> {
        let mut parameters: Vec<Spanned<Parameter<K>>> = Vec::with_capacity(items.len());
        let mut star: Option<Range<usize>> = None;
        let mut followed = false;
        for item in items {
            match item {
                Item::Star(range) if star.is_some() => {
                    self.error(SchemaErrorKind::Syntax, range, "a second `*`", Some("remove it".into()));
                }
                Item::Star(range) => {
                    if rules.keyword_only == Presence::Forbidden {
                        self.error(
                            SchemaErrorKind::Syntax,
                            range.clone(),
                            "keyword-only parameters are not allowed here",
                            Some("remove the `*`".into()),
                        );
                    }
                    star = Some(range);
                }
                Item::Parameter(written, default) => {
                    followed |= star.is_some();
                    let parameter = self.parameter(written, default, star.is_some());
                    parameters.extend(parameter);
                }
            }
        }
        if let Some(star) = star
            && !followed
        {
            self.error(SchemaErrorKind::Syntax, star, "no parameter follows the `*`", Some("remove it".into()));
        }
        parameters
    }

    fn parameter(
        &mut self,
        written: TypeAndName<'_>,
        default: Option<Spanned<Value>>,
        keyword_only: bool,
    ) -> Option<Spanned<Parameter<K>>> {
        let range = written.range.start..default.as_ref().map_or(written.range.end, |default| default.range.end);
        let (ty, name) = self.type_and_name(written, Presence::Required)?;
        let name = name?;
        if let Some(default) = &default
            && let Some(row) = self.types.get(&ty.name)
            && let Err(error) = (Fit { text: self.text, ty: &ty, row }).value(default, &ty.suffixes)
        {
            self.errors.push(error);
        }
        let default = default.map(|default| {
            let text = self.text.get(default.range.clone()).unwrap_or_default().to_owned();
            default.map(|value| Default { text, value })
        });
        Some(Spanned::new(Parameter { ty, name, default, keyword_only }, range))
    }

    fn returns(&mut self, written: WrittenReturns<'_>, rules: &Rules) -> Returns<K> {
        let mut one = |written: TypeAndName<'_>| {
            let range = written.range.clone();
            let (ty, name) = self.type_and_name(written, rules.return_names)?;
            Some(Spanned::new(Return { ty, name }, range))
        };
        match written {
            WrittenReturns::Absent => Returns::Absent,
            WrittenReturns::One(written) => one(written).map_or(Returns::Absent, Returns::One),
            WrittenReturns::Tuple(several) => {
                let Spanned { value, range } = several;
                Returns::Tuple(Spanned::new(value.into_iter().filter_map(one).collect(), range))
            }
        }
    }

    /// The type and the name, or the errors in them. A missing name is an error if it is required.
    fn type_and_name(&mut self, written: TypeAndName<'_>, named: Presence) -> Option<(Spanned<Type<K>>, Option<Name>)> {
        let words = &written.words;
        // If nothing marks the end of the type, the last word of a named item is its name.
        let longest = self.types.longest_name();
        let last_is_name = named == Presence::Required && !written.has_marks() && words.len() > 1;
        let at_most = words.len() - usize::from(last_is_name);
        let joined = |count: usize| words[..count].iter().map(|word| word.value).collect::<Vec<_>>().join(" ");
        let is_known = |&count: &usize| count <= longest && self.types.get(&joined(count)).is_some();
        let known = (1..=at_most.min(longest)).rev().find(is_known).or(Some(words.len()).filter(is_known));
        let count = match known {
            Some(count) => count,
            None => {
                let count = if words.len() > 1 && !written.has_marks() { words.len() - 1 } else { words.len() };
                let count = count.min(longest);
                self.unknown_type(&joined(count), words[0].range.start..words[count - 1].range.end);
                return None;
            }
        };
        let rest = &words[count..];
        let stray = if written.has_marks() { rest.first() } else { rest.get(1) };
        if let Some(stray) = stray {
            let message =
                format!("unexpected `{}`: `{}` is a type, and one name follows it", stray.value, joined(count));
            self.error(SchemaErrorKind::Syntax, stray.range.clone(), message, None);
            return None;
        }
        let name = written.name.as_ref().or(rest.first()).map(|name| name.clone().map(str::to_owned));
        let start = words[0].range.start;
        let last = written.suffixes.last().map(|suffix| suffix.range.end);
        let end = last.or(written.alias.as_ref().map(|alias| alias.range.end)).unwrap_or(words[count - 1].range.end);
        match (&name, named) {
            (Some(name), Presence::Forbidden) => {
                let help = Some(Help::new("remove it").instead(""));
                self.error(SchemaErrorKind::Syntax, name.range.clone(), "a name is not allowed here", help);
            }
            (None, Presence::Required) => {
                let ty = &joined(count);
                let message = format!("expected a name after `{ty}`");
                self.error(SchemaErrorKind::Syntax, end..end, message, Some(format!("write `{ty} name`").into()));
            }
            _ => {}
        }
        let type_name = Spanned::new(joined(count), start..words[count - 1].range.end);
        let row = self.types.get(&type_name)?.clone();
        self.alias(&type_name, &row, written.alias.as_ref().map(|alias| alias.range.clone()));
        self.suffixes(&type_name, &row, &written.suffixes);
        let ty = Type { kind: row.kind, name: type_name, alias: written.alias, suffixes: written.suffixes };
        Some((Spanned::new(ty, start..end), name))
    }

    fn unknown_type(&mut self, name: &str, range: Range<usize>) {
        let near = did_you_mean(name, self.types.names());
        let help = match (self.types.hint_for(name), near) {
            (Some(hint), _) => Some(hint.into()),
            (None, Some(near)) => Some(near),
            (None, None) => {
                let names: Vec<String> = self.types.names().map(|name| format!("`{name}`")).collect();
                (names.len() <= 12 && !names.is_empty()).then(|| format!("the types are {}", names.join(", ")).into())
            }
        };
        let expected = self.types.names().map(str::to_owned).collect();
        self.errors.push(
            SchemaError::new(SchemaErrorKind::Type, range, format!("unknown type `{name}`"))
                .expected(expected)
                .maybe_help(help),
        );
    }

    fn alias(&mut self, name: &Spanned<String>, row: &TypeRow<K>, alias: Option<Range<usize>>) {
        let Some(range) = alias else { return };
        if row.alias {
            return;
        }
        let with: Vec<String> = self
            .types
            .names()
            .filter(|name| self.types.get(name).is_some_and(|row| row.alias))
            .map(|name| format!("`{name}`"))
            .collect();
        let help = (!with.is_empty()).then(|| format!("only {} can have one", alternatives(&with)).into());
        self.error(SchemaErrorKind::Alias, range, format!("`{name}` cannot have an alias set"), help);
    }

    fn suffixes(&mut self, name: &Spanned<String>, row: &TypeRow<K>, suffixes: &[Spanned<Suffix>]) {
        let (Some(allowed), Some(first), Some(last)) = (row.suffixes, suffixes.first(), suffixes.last()) else {
            return;
        };
        let form: String = suffixes
            .iter()
            .map(|suffix| match suffix.value {
                Suffix::List(Some(_)) => "[N]".to_owned(),
                other => other.to_string(),
            })
            .collect();
        if allowed.contains(&form.as_str()) {
            return;
        }
        let written: String = suffixes.iter().map(|suffix| suffix.to_string()).collect();
        let mut forms = vec![format!("`{name}`")];
        forms.extend(allowed.iter().map(|suffix| format!("`{name}{suffix}`")));
        let message = format!("there are no values of type `{name}{written}`");
        let help = format!("use {}", alternatives(&forms));
        let range = first.range.start..last.range.end;
        self.errors.push(SchemaError::new(SchemaErrorKind::Type, range, message).expected(forms).help(help));
    }

    fn distinct<'n>(&mut self, what: &str, names: impl Iterator<Item = &'n Spanned<String>>) {
        let mut seen = HashMap::new();
        for name in names {
            if seen.insert(name.value.as_str(), ()).is_some() {
                let message = format!("a second {what} named `{name}`");
                self.error(SchemaErrorKind::Name, name.range.clone(), message, None);
            }
        }
    }
}

/// Whether a default fits a type.
struct Fit<'t, K> {
    text: &'t str,
    ty: &'t Type<K>,
    row: &'t TypeRow<K>,
}

impl<K> Fit<'_, K> {
    fn value(&self, value: &Spanned<Value>, suffixes: &[Spanned<Suffix>]) -> Result<(), SchemaError> {
        let Some((outer, inner)) = suffixes.split_last() else {
            return self.forms(value, &self.row.defaults, suffixes);
        };
        match (outer.value, &value.value) {
            (Suffix::Optional, Value::None) => Ok(()),
            (Suffix::Optional, _) => self.value(value, inner),
            (Suffix::List(size), Value::List(elements)) => {
                if let Some(size) = size
                    && elements.len() != size as usize
                {
                    let message = format!("{} elements for a list of {size}", elements.len());
                    return Err(self.error(value, message));
                }
                elements.iter().try_for_each(|element| self.value(element, inner))
            }
            (Suffix::List(_), _) => self.forms(value, &self.row.list_defaults, suffixes),
        }
    }

    fn forms(
        &self,
        value: &Spanned<Value>,
        forms: &[DefaultForm],
        suffixes: &[Spanned<Suffix>],
    ) -> Result<(), SchemaError> {
        if forms.iter().any(|form| fits(&value.value, form)) {
            return Ok(());
        }
        let ty = format!("{}{}", self.ty.name, suffixes.iter().map(|suffix| suffix.to_string()).collect::<String>());
        let written = self.text.get(value.range.clone()).unwrap_or_default();
        let mut expected: Vec<String> = forms.iter().flat_map(form_texts).collect();
        if !suffixes.is_empty() {
            expected.push("a list in brackets".to_owned());
        }
        if expected.is_empty() {
            let help = format!("remove it, or write `{ty}?` and `None`");
            return Err(self.error(value, format!("`{ty}` cannot have a default")).help(help));
        }
        let words = forms.iter().flat_map(form_words);
        let near = match &value.value {
            Value::Word(word) => did_you_mean(word, words),
            Value::None => Some(format!("write `{ty}?` for a value that may be `None`").into()),
            _ => None,
        };
        let message = format!("`{written}` is not a `{ty}`: expected {}", alternatives(&expected));
        Err(self.error(value, message).expected(expected).maybe_help(near))
    }

    fn error(&self, value: &Spanned<Value>, message: impl Into<String>) -> SchemaError {
        SchemaError::new(SchemaErrorKind::Default, value.range.clone(), message)
    }
}

fn fits(value: &Value, form: &DefaultForm) -> bool {
    match (form, value) {
        (DefaultForm::Integer { min, max }, Value::Int(value)) => min <= value && value <= max,
        (DefaultForm::Float, Value::Int(_) | Value::Float(_))
        | (DefaultForm::Bool, Value::Bool(_))
        | (DefaultForm::Str, Value::Str(_)) => true,
        (DefaultForm::OneOf(words), Value::Word(word)) => words.contains(word),
        _ => false,
    }
}

fn form_texts(form: &DefaultForm) -> Vec<String> {
    match form {
        DefaultForm::Integer { min: 0, max } => vec![format!("an integer from 0 to {max}")],
        DefaultForm::Integer { min, max } => vec![format!("an integer from {min} to {max}")],
        DefaultForm::Float => vec!["a number".to_owned()],
        DefaultForm::Bool => vec!["`True`".to_owned(), "`False`".to_owned()],
        DefaultForm::Str => vec!["a quoted string".to_owned()],
        DefaultForm::OneOf(words) => words.iter().map(|word| format!("`{word}`")).collect(),
    }
}

fn form_words(form: &DefaultForm) -> Vec<&str> {
    match form {
        DefaultForm::Bool => vec!["True", "False"],
        DefaultForm::OneOf(words) => words.iter().map(String::as_str).collect(),
        _ => Vec::new(),
    }
}
