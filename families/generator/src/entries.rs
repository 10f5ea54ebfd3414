//! Own YAML: entries in the sections that a manifest declares.
//!
//! Invariant: an entry has every declared key, so that none is undefined in a template; a key that
//! is not given has its default, or none. Every value that is given knows its place.

use std::sync::Arc;

use indexmap::IndexMap;
use minijinja::Value;
use minijinja::value::{Enumerator, Object, ObjectExt};
use rustc_hash::FxHashMap;
use torchgen_base::diag::{Diagnostic, Diagnostics, Span, did_you_mean, plural};
use torchgen_base::yaml::{Node, NodeKind, Text};

use super::codes;
use super::manifest::{Manifest, OwnKey, SectionKeys};
use super::things::{Model, ThingObject, part_value};
use super::types::KeyType;
use super::values;

/// The entries of a section.
pub(crate) struct Section {
    pub(crate) name: String,
    pub(crate) entries: Vec<Entry>,
}

/// An entry.
pub(crate) struct Entry {
    /// Its operator.
    pub(crate) operator: Option<usize>,
    /// Its place, in short: its name, or its first key.
    pub(crate) span: Span,
    values: IndexMap<String, Own>,
}

/// The value of a key.
struct Own {
    value: Kept,
    /// What is written, if a template gets something else.
    written: Option<Value>,
    span: Option<Span>,
}

/// A value, or what it is made of: things would keep the entries alive that have them.
enum Kept {
    Value(Value),
    Things(Vec<usize>, bool),
}

impl Entry {
    /// An entry of texts about an operator. A key that is not given is none.
    pub(crate) fn of_texts<'k>(
        operator: usize,
        span: Span,
        keys: impl Iterator<Item = &'k str>,
        given: &[(Text, Text)],
    ) -> Entry {
        let own = |key: &str| {
            let text = given.iter().find(|(name, _)| name.as_str() == key).map(|(_, text)| text);
            let value = text.map_or(Value::from(()), |text| Value::from(text.as_str()));
            Own { value: Kept::Value(value), written: None, span: text.map(Text::span) }
        };
        Entry { operator: Some(operator), span, values: keys.map(|key| (key.to_owned(), own(key))).collect() }
    }

    /// The place of a key's value; of the entry, if it is not given.
    pub(crate) fn place(&self, key: &str) -> Span {
        self.values.get(key).and_then(|own| own.span).unwrap_or(self.span)
    }

    /// The values as they are written, or the defaults.
    pub(crate) fn plain(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.values.iter().filter_map(|(key, own)| match (&own.written, &own.value) {
            (Some(value), _) | (None, Kept::Value(value)) => Some((key.as_str(), value)),
            (None, Kept::Things(..)) => None,
        })
    }

    /// Its keys.
    pub(crate) fn keys(&self) -> impl Iterator<Item = &str> {
        self.values.keys().map(String::as_str)
    }

    /// Its name: that of its operator, or its first text.
    pub(crate) fn name(&self, model: &Model) -> String {
        let first = || self.plain().find_map(|(_, value)| value.as_str().map(str::to_owned));
        self.operator.map(|at| model.thing(at).name.clone()).or_else(first).unwrap_or_default()
    }
}

/// Reads the sections of a document.
pub(crate) fn read(
    root: Node,
    manifest: &Manifest,
    model: &mut Model,
    sections: &mut [Section],
    diagnostics: &mut Diagnostics,
) {
    let lists: Vec<(String, Span, Node)> = match root.kind {
        NodeKind::Mapping(pairs) => {
            let name = |key: &Node| key.as_text().map_or_else(String::new, |text| text.as_str().to_owned());
            pairs.into_iter().map(|(key, value)| (name(&key), key.span, value)).collect()
        }
        // The list of another project is the only section.
        NodeKind::Sequence(_) if manifest.sections.len() == 1 => {
            manifest.sections.keys().map(|name| (name.clone(), root.span, root.clone())).collect()
        }
        _ => {
            let message = format!("own YAML of `{}` is a mapping from sections", manifest.name);
            diagnostics.push(Diagnostic::new(&codes::ENTRY, message).at(root.span.at_start()));
            return;
        }
    };
    for (name, span, value) in lists {
        let name = name.as_str();
        if matches!(name, "family" | "generator" | "run") {
            continue;
        }
        let Some(place) = manifest.sections.get_index_of(name) else {
            let message = format!("the generator `{}` has no section `{name}`", manifest.name);
            let near = did_you_mean(name, manifest.sections.keys().map(String::as_str));
            diagnostics.push(Diagnostic::new(&codes::ENTRY, message).at(span).maybe_help(near));
            continue;
        };
        let items = match value.kind {
            NodeKind::Sequence(items) => items,
            _ if value.is_null() => Vec::new(),
            _ => {
                let message = format!("`{name}` is a list of mappings");
                diagnostics.push(Diagnostic::new(&codes::ENTRY, message).at(value.span));
                continue;
            }
        };
        let keys = &manifest.sections[place];
        let mut known: FxHashMap<usize, usize> = (sections[place].entries.iter().enumerate())
            .filter_map(|(place, entry)| Some((entry.operator?, place)))
            .collect();
        for item in items {
            let Some(entry) = Reader { name, keys, model, diagnostics }.entry(item) else { continue };
            let entries = &mut sections[place].entries;
            let first = entry.operator.filter(|_| keys.operator.is_some()).and_then(|operator| known.get(&operator));
            if let Some(&first) = first {
                let message = format!("`{}` is listed twice in `{name}`", entry.name(model));
                let found = Diagnostic::new(&codes::ENTRY, message).at(entry.span);
                let found = found.also(entries[first].span, "first here");
                if keys.last_counts {
                    diagnostics.push(warned(found));
                    entries[first] = entry;
                } else {
                    diagnostics.push(found.help("delete one of them, or write `repeat: last` in the manifest"));
                }
                continue;
            }
            known.extend(entry.operator.map(|operator| (operator, entries.len())));
            entries.push(entry);
        }
    }
}

/// Puts the entries of sections into the order that the manifest wants.
pub(crate) fn sort(manifest: &Manifest, model: &Model, sections: &mut [Section]) {
    for (section, keys) in sections.iter_mut().zip(manifest.sections.values()) {
        match keys.order.as_str() {
            "model" => section.entries.sort_by_key(|entry| entry.operator),
            "groups" => section.entries.sort_by_key(|entry| {
                let place = |at| model.value(at, "facts").get_attr("place_in_groups").ok()?.as_usize();
                entry.operator.map(|at| place(at).unwrap_or(usize::MAX))
            }),
            _ => {}
        }
    }
}

struct Reader<'a> {
    name: &'a str,
    keys: &'a SectionKeys,
    model: &'a mut Model,
    diagnostics: &'a mut Diagnostics,
}

impl Reader<'_> {
    fn error(&mut self, span: Span, message: String) -> Option<Entry> {
        self.diagnostics.push(Diagnostic::new(&codes::ENTRY, message).at(span));
        None
    }

    fn entry(&mut self, node: Node) -> Option<Entry> {
        let NodeKind::Mapping(pairs) = &node.kind else {
            return self.error(node.span, format!("an entry of `{}` is a mapping", self.name));
        };
        let keys = self.keys;
        let mut correct = true;
        for (key, _) in pairs {
            let name = key.as_text().map_or("", |text| text.as_str());
            match keys.keys.get(name) {
                Some(OwnKey { deprecated: Some(instead), .. }) => {
                    let message = format!("`{name}` is deprecated: {}", instead.as_str());
                    self.diagnostics.push(Diagnostic::new(&codes::WARNED, message).at(key.span));
                }
                None if !matches!(name, "since" | "until") && !keys.allows_others => {
                    let message = format!("an entry of `{}` has no key `{name}`", self.name);
                    let near = did_you_mean(name, keys.keys.keys().map(String::as_str));
                    self.diagnostics.push(Diagnostic::new(&codes::ENTRY, message).at(key.span).maybe_help(near));
                    correct = false;
                }
                _ => {}
            }
        }
        let first = pairs.first().map_or(node.span, |(key, _)| key.span);
        for (name, _) in keys.keys.iter().filter(|(name, key)| key.required && values::get(&node, name).is_none()) {
            self.error(first, format!("an entry of `{}` needs the key `{name}`", self.name));
            correct = false;
        }
        if !self.is_of_this_torch(&node)? {
            return None;
        }
        // The operator first: other keys are about its parts.
        let named = keys.operator.as_ref().and_then(|key| Some((values::get(&node, key)?, &keys.keys[key])));
        let operator = match named.filter(|(node, _)| !node.is_null()) {
            Some((node, own)) => Some(self.operator(node, &own.ty)?),
            None => None,
        };
        let mut entry = Entry { operator, span: first, values: IndexMap::new() };
        for (name, key) in &keys.keys {
            let given = values::get(&node, name).filter(|node| !node.is_null());
            let is_operator = keys.operator.as_deref() == Some(name);
            if is_operator {
                entry.span = given.map_or(first, |node| node.span);
            }
            let value = match given {
                None => Some(Kept::Value(key.default.clone().unwrap_or_else(|| Value::from(())))),
                Some(node) if is_operator => {
                    let text = node.as_text().map_or("", Text::as_str);
                    Some(Kept::Value(Value::from(text)))
                }
                Some(node) => self.value(node, key, operator),
            };
            match value {
                Some(value) => {
                    let own = Own { value, written: given.map(values::of), span: given.map(|node| node.span) };
                    entry.values.insert(name.clone(), own);
                }
                None => correct = false,
            }
        }
        if keys.allows_others {
            for (key, value) in pairs {
                let name = key.as_text().map_or("", |text| text.as_str());
                if !keys.keys.contains_key(name) {
                    let value = (Kept::Value(values::of(value)), Some(value.span));
                    let own = Own { value: value.0, written: None, span: value.1 };
                    entry.values.insert(name.to_owned(), own);
                }
            }
        }
        correct.then_some(entry)
    }

    /// Whether the entry is for the torch of the run; none if it has an error.
    fn is_of_this_torch(&mut self, node: &Node) -> Option<bool> {
        let torch = self.model.world.torch().and_then(|torch| version(&torch));
        let mut fits = true;
        for key in ["since", "until"].into_iter().filter(|key| !self.keys.keys.contains_key(*key)) {
            let Some(node) = values::get(node, key) else { continue };
            let Some(named) = node.as_text().and_then(|text| version(text)) else {
                self.error(node.span, format!("`{key}` is a version of torch, as '2.12'"));
                return None;
            };
            fits &= torch.is_none_or(|torch| if key == "since" { torch >= named } else { torch <= named });
        }
        Some(fits)
    }

    fn value(&mut self, node: &Node, key: &OwnKey, operator: Option<usize>) -> Option<Kept> {
        let items = match &node.kind {
            NodeKind::Sequence(items) if key.list => items.as_slice(),
            _ if key.list => {
                self.error(node.span, "this must be a list".to_owned());
                return None;
            }
            _ => std::slice::from_ref(node),
        };
        if matches!(key.ty, KeyType::Operator | KeyType::Schema | KeyType::OperatorOrSchema) {
            let found: Option<Vec<usize>> = items.iter().map(|item| self.operator(item, &key.ty)).collect();
            return Some(Kept::Things(found?, key.list));
        }
        let found: Option<Vec<Value>> = items.iter().map(|item| self.one(item, key, operator)).collect();
        let mut found = found?;
        Some(Kept::Value(if key.list { Value::from(found) } else { found.remove(0) }))
    }

    fn one(&mut self, node: &Node, key: &OwnKey, operator: Option<usize>) -> Option<Value> {
        let value = match key.ty.value(node) {
            Ok(value) => value,
            Err(error) => {
                self.diagnostics.push(error);
                return None;
            }
        };
        let text = node.as_text().map_or("", Text::as_str);
        match key.ty {
            KeyType::Argument | KeyType::Return => {
                let is_return = key.ty == KeyType::Return;
                let what = if is_return { "return" } else { "argument" };
                let Some(operator) = operator else {
                    self.error(node.span, format!("there is no operator whose {what} this is"));
                    return None;
                };
                let thing = self.model.thing(operator);
                let own = || thing.parts.iter().filter(|part| (part.role == "return") == is_return);
                if let Some(part) = own().find(|part| part.name.as_deref() == Some(text)) {
                    return Some(part_value(part));
                }
                let near = did_you_mean(text, own().filter_map(|part| part.name.as_deref()));
                let message = format!("`{}` has no {what} `{text}`", thing.name);
                self.diagnostics.push(Diagnostic::new(&codes::ENTRY, message).at(node.span).maybe_help(near));
                None
            }
            KeyType::DispatchKey => {
                let known = self.model.world.dispatch_keys();
                if known.is_empty() || known.contains(&text) {
                    return Some(value);
                }
                let near = did_you_mean(text, known);
                let message = format!("there is no dispatch key `{text}`");
                self.diagnostics.push(Diagnostic::new(&codes::ENTRY, message).at(node.span).maybe_help(near));
                None
            }
            _ => Some(value),
        }
    }

    /// The operator that a text names or declares.
    fn operator(&mut self, node: &Node, ty: &KeyType) -> Option<usize> {
        let Some(text) = node.as_text() else {
            self.error(node.span, "this must be a string".to_owned());
            return None;
        };
        let base = text.as_str().split('(').next().unwrap_or_default().trim();
        let name = if base.contains("::") { base.to_owned() } else { format!("{}::{base}", self.keys.namespace) };
        let found = self.model.named(&name, "operator");
        match (ty, found) {
            (KeyType::Operator, Some(at)) => return Some(at),
            (KeyType::OperatorOrSchema, Some(at)) => {
                if text.contains('(') {
                    self.compare(text, at);
                }
                return Some(at);
            }
            (KeyType::OperatorOrSchema, None) if !text.contains('(') => {}
            (KeyType::Schema | KeyType::OperatorOrSchema, _) => {
                let schema = text.split_once("::").map_or(text.as_str(), |(_, rest)| rest);
                let before = text.len() - schema.len();
                let namespace = name.split("::").next().unwrap_or_default().to_owned();
                return match self.model.world.declare(schema, &namespace) {
                    Ok(thing) => Some(self.model.add(thing)),
                    Err(error) => {
                        let span = text.sub_span(error.range.start + before..error.range.end + before);
                        self.error(span, error.message);
                        None
                    }
                };
            }
            _ => {}
        }
        let message = format!("there is no operator `{name}`");
        let found = Diagnostic::new(&codes::UNKNOWN_OPERATOR, message).at(node.span);
        if self.keys.skips_unknown {
            self.diagnostics.push(found.severity(codes::WARNED.severity));
        } else {
            let help = self.meant(&name);
            self.diagnostics.push(found.maybe_help(help));
        }
        None
    }

    /// The operator that an unknown name may mean.
    fn meant(&self, name: &str) -> Option<torchgen_base::diag::Help> {
        let names = || self.model.kind("operator").iter().map(|at| self.model.thing(*at).name.as_str());
        let overloads: Vec<&str> = names().filter(|own| own.split('.').next() == Some(name)).collect();
        if overloads.is_empty() {
            return did_you_mean(name, names());
        }
        let (shown, more) = overloads.split_at(overloads.len().min(6));
        let shown: Vec<String> =
            shown.iter().map(|name| format!("`{}`", name.rsplit("::").next().unwrap_or(name))).collect();
        let rest = if more.is_empty() { String::new() } else { format!(" and {}", plural(more.len(), "other")) };
        Some(format!("name an overload: {}{rest}", shown.join(", ")).into())
    }

    /// Compares a schema with that of an operator.
    fn compare(&mut self, text: &Text, at: usize) {
        let own = self.model.thing(at).schema.clone().unwrap_or_default();
        let without_blanks = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
        let given = text.split_once("::").map_or(text.as_str(), |(_, rest)| rest);
        if self.keys.differs == "keep" || without_blanks(given) == without_blanks(&own) {
            return;
        }
        let error = Diagnostic::new(&codes::ENTRY, "the schema is not that of the operator".to_owned());
        let error = error.at(text.span()).help(format!("it is `{own}`"));
        let warns = self.keys.differs == "warn";
        self.diagnostics.push(if warns { warned(error) } else { error });
    }
}

/// What would be an error, as the warning that the manifest asks for.
fn warned(error: Diagnostic) -> Diagnostic {
    Diagnostic { code: &codes::WARNED, ..error }.severity(codes::WARNED.severity)
}

/// The numbers of a version.
pub(crate) fn version(text: &str) -> Option<(u32, u32)> {
    let (major, rest) = text.trim().split_once('.')?;
    Some((major.parse().ok()?, rest.split(['.', '+']).next()?.parse().ok()?))
}

/// An entry in a template.
#[derive(Clone)]
pub(crate) struct EntryObject {
    model: Arc<Model>,
    section: usize,
    place: usize,
}

impl EntryObject {
    /// The value of an entry.
    pub(crate) fn value(model: &Arc<Model>, section: usize, place: usize) -> Value {
        Value::from_object(EntryObject { model: Arc::clone(model), section, place })
    }

    /// The entry.
    pub(crate) fn entry(&self) -> &Entry {
        &self.model.sections[self.section].entries[self.place]
    }
}

impl std::fmt::Debug for EntryObject {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.entry().name(&self.model))
    }
}

impl Object for EntryObject {
    fn get_value(self: &Arc<Self>, key: &Value) -> Option<Value> {
        self.get_value_by_str(key.as_str()?)
    }

    fn get_value_by_str(self: &Arc<Self>, key: &str) -> Option<Value> {
        Some(match &self.entry().values.get(key)?.value {
            Kept::Value(value) => value.clone(),
            Kept::Things(things, is_list) => {
                let mut things = things.iter().map(|at| ThingObject::value(&self.model, *at));
                if *is_list { Value::from(things.collect::<Vec<_>>()) } else { things.next()? }
            }
        })
    }

    fn enumerate(self: &Arc<Self>) -> Enumerator {
        self.mapped_enumerator(|own| Box::new(own.entry().keys().map(Value::from)))
    }
}
