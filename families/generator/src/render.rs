//! The outputs of a manifest: items are selected, rendered, and put into files.
//!
//! Invariant: files do not depend on threads or hashes; a file's name is below the directory of the
//! run, whatever a template says. A text is marked for `explain` after it was compared and sorted.

use std::sync::Arc;

use indexmap::IndexMap;
use minijinja::{Environment, Error, ErrorKind, Expression, Value};
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
use rustc_hash::{FxHashMap, FxHashSet};
use torchgen_base::diag::{Diagnostic, Diagnostics, FileId, did_you_mean};
use torchgen_base::render::trace::Traceable;
use torchgen_base::render::{Budget, Renderer, marked_expression, stable_hash};
use torchgen_base::yaml::Text;

use super::codes;
use super::entries::EntryObject;
use super::manifest::{List, Manifest, Output};
use super::report::{Report, Source, Subject};
use super::things::{Model, ThingObject};
use super::values::wrong;

/// How many files a run may have.
const FILES: usize = 100_000;

/// What outputs are made with.
pub(crate) struct Engine<'a> {
    pub(crate) manifest: &'a Manifest,
    pub(crate) model: &'a Arc<Model>,
    pub(crate) environment: &'a Environment<'static>,
    pub(crate) files: &'a FxHashMap<String, FileId>,
    /// What marks texts.
    pub(crate) renderer: &'a Renderer,
    pub(crate) options: &'a IndexMap<String, Value>,
    /// One item is rendered after the other, since code of the caller is called.
    pub(crate) in_order: bool,
    pub(crate) budget: Budget,
}

/// What an output is about.
#[derive(Clone, Copy)]
struct Item {
    thing: Option<usize>,
    entry: Option<(usize, usize)>,
}

/// An item with its text.
struct Made {
    item: Item,
    text: Option<String>,
}

/// A name as `explain` finds it.
struct Named<'a>(&'a str);

impl Traceable for Named<'_> {
    fn full_name(&self) -> String {
        self.0.to_owned()
    }
}

impl Engine<'_> {
    /// The files: name and text of each.
    pub(crate) fn files(&self, report: &mut Report<'_>, diagnostics: &mut Diagnostics) -> Vec<(String, String)> {
        let mut files = Vec::new();
        let mut known: FxHashMap<String, &Output> = FxHashMap::default();
        for output in &self.manifest.outputs {
            for (name, text) in self.output(output, report, diagnostics) {
                if let Some(first) = known.insert(name.to_lowercase(), output) {
                    let error = Diagnostic::new(&codes::FILE, format!("`{name}` would be written twice"));
                    let error = error.at(output.file.span());
                    let is_other = first.file.span() != output.file.span();
                    diagnostics.push(if is_other { error.also(first.file.span(), "first here") } else { error });
                } else if files.len() >= FILES {
                    let message = format!("a run has at most {FILES} files");
                    diagnostics.push(Diagnostic::new(&codes::FILE, message).at(output.file.span()));
                    return files;
                } else {
                    files.push((name, text));
                }
            }
        }
        files
    }

    fn output(&self, output: &Output, report: &mut Report<'_>, diagnostics: &mut Diagnostics) -> Vec<(String, String)> {
        let mut correct = self.has(output.template.as_ref(), diagnostics);
        for (_, list) in &output.lists {
            correct &= self.has(list.each.as_ref(), diagnostics) && self.knows(list, diagnostics);
        }
        if !correct {
            return Vec::new();
        }
        if let Some(write) = &output.write {
            match self.evaluated(write, None, report) {
                Some(value) if value.is_true() => {}
                _ => return Vec::new(),
            }
        }
        let before = report.errors();
        let lists: Vec<Vec<Made>> = output.lists.iter().map(|(_, list)| self.list(list, report, diagnostics)).collect();
        // Files of texts that lack some would only repeat the errors.
        if report.errors() > before {
            return Vec::new();
        }
        let mut files: IndexMap<(Option<String>, u32), Vec<Vec<&Made>>> = IndexMap::new();
        let count = output.shards.as_ref().map_or(1, |(count, _)| *count);
        let empty = || vec![Vec::new(); lists.len()];
        if output.by.is_none() {
            (0..count).for_each(|shard| drop(files.insert((None, shard), empty())));
        }
        for (place, list) in lists.iter().enumerate() {
            let mut groups: IndexMap<Option<String>, Vec<&Made>> = IndexMap::new();
            for made in list {
                let by = match &output.by {
                    None => None,
                    Some(by) => match self.evaluated(by, Some(made.item), report) {
                        Some(value) => Some(value.to_string()),
                        None => continue,
                    },
                };
                groups.entry(by).or_default().push(made);
            }
            for (by, group) in groups {
                let shards = match &output.shards {
                    None => vec![0; group.len()],
                    Some((count, own)) => self.shards(&group, *count, own.as_ref(), report),
                };
                if by.is_some() {
                    for shard in 0..count {
                        files.entry((by.clone(), shard)).or_insert_with(empty);
                    }
                }
                for (made, shard) in group.into_iter().zip(shards) {
                    files.entry((by.clone(), shard)).or_insert_with(empty)[place].push(made);
                }
            }
        }
        let mut done = Vec::new();
        for ((by, shard), lists) in &files {
            let Some(name) = self.name(output, by.as_deref(), *shard, diagnostics) else { continue };
            let text = match &output.template {
                None => lists.iter().flatten().map(|made| self.marked(made)).collect(),
                Some(template) => {
                    let mut context: Vec<(&str, Value)> = Vec::new();
                    for ((name, list), made) in output.lists.iter().zip(lists) {
                        let value = |made: &&Made| match list.each {
                            Some(_) => Value::from(self.marked(made)),
                            None => self.item(made.item),
                        };
                        context.push((name, Value::from(made.iter().map(value).collect::<Vec<_>>())));
                    }
                    let items = lists.first().map_or(&[][..], Vec::as_slice);
                    context.push((
                        "items",
                        Value::from(items.iter().map(|made| self.item(made.item)).collect::<Vec<_>>()),
                    ));
                    let none = || Value::from(());
                    context.push(("by", Value::from(by.clone())));
                    context.push(("shard", output.shards.as_ref().map_or_else(none, |_| Value::from(*shard))));
                    context.push(("shards", output.shards.as_ref().map_or_else(none, |_| Value::from(count))));
                    match self.rendered(template, Value::from_pairs(context)) {
                        Ok(text) => text,
                        Err(error) => {
                            report.add(&error, Source::Template(template), &Subject::default());
                            continue;
                        }
                    }
                }
            };
            done.push((name, text));
        }
        done
    }

    /// The text of an item, marked for `explain`.
    fn marked(&self, made: &Made) -> String {
        let text = made.text.clone().unwrap_or_default();
        match made.item.thing {
            Some(at) => self.renderer.about([&Named(&self.model.thing(at).name)]).marked(text),
            None => text,
        }
    }

    /// Whether there is a template; if not, it is reported.
    fn has(&self, template: Option<&Text>, diagnostics: &mut Diagnostics) -> bool {
        let Some(name) = template.filter(|name| !self.files.contains_key(name.as_str())) else { return true };
        let mut names: Vec<&str> = self.files.keys().map(String::as_str).collect();
        names.sort_unstable();
        let error = wrong(name.span(), format!("there is no template `{}` beside the manifest", name.as_str()));
        diagnostics.push(error.maybe_help(did_you_mean(name, names)));
        false
    }

    /// Whether there are the things that a list is about; if not, it is reported.
    fn knows(&self, list: &List, diagnostics: &mut Diagnostics) -> bool {
        let mut correct = true;
        for over in &list.over {
            let is_section = self.manifest.sections.contains_key(over.as_str());
            let is_kind = KINDS.contains(&over.as_str()) || self.model.kinds().any(|kind| kind == over.as_str());
            if !is_section && !is_kind {
                let known = self.manifest.sections.keys().map(String::as_str).chain(self.model.kinds()).chain(KINDS);
                let near = did_you_mean(over, known);
                let message = format!("there is no kind of thing and no section `{}`", over.as_str());
                diagnostics.push(wrong(over.span(), message).maybe_help(near));
                correct = false;
            }
        }
        correct
    }

    /// The items of a list, with their texts.
    fn list(&self, list: &List, report: &mut Report<'_>, diagnostics: &mut Diagnostics) -> Vec<Made> {
        let mut items = Vec::new();
        for over in &list.over {
            match self.manifest.sections.get_index_of(over.as_str()) {
                Some(section) => {
                    let entries = &self.model.sections[section].entries;
                    items.extend(
                        entries
                            .iter()
                            .enumerate()
                            .map(|(place, entry)| Item { thing: entry.operator, entry: Some((section, place)) }),
                    );
                }
                None => {
                    let things = self.model.kind(over);
                    items.extend(things.iter().map(|at| Item { thing: Some(*at), entry: None }));
                }
            }
        }
        if let Some(where_) = &list.where_ {
            let Some(wanted) = self.all(where_, &items, report) else { return Vec::new() };
            let mut wanted = wanted.into_iter();
            items.retain(|_| wanted.next().is_some_and(|value| value.is_true()));
        }
        let mut made: Vec<Made> = match &list.each {
            None => items.into_iter().map(|item| Made { item, text: None }).collect(),
            Some(each) => {
                let texts = self.of_each(&items, |item| self.rendered(each, self.context(Some(*item))));
                let mut made = Vec::new();
                for (item, text) in items.into_iter().zip(texts) {
                    match text {
                        Ok(text) if text.trim().is_empty() => {}
                        Ok(text) => made.push(Made { item, text: Some(text) }),
                        Err(error) => report.add(&error, Source::Template(each), &self.subject(item)),
                    }
                }
                made
            }
        };
        if list.unique {
            let mut seen = FxHashSet::default();
            made.retain(|made| made.text.as_ref().is_none_or(|text| seen.insert(text.clone())));
        }
        match &list.sort {
            Some(sort) if sort.as_str() == "text" => made.sort_by(|a, b| a.text.cmp(&b.text)),
            Some(sort) => {
                let items: Vec<Item> = made.iter().map(|made| made.item).collect();
                let Some(keys) = self.all(sort, &items, report) else { return Vec::new() };
                let mut keyed: Vec<(Value, Made)> = keys.into_iter().zip(made).collect();
                keyed.sort_by(|(a, _), (b, _)| a.cmp(b));
                made = keyed.into_iter().map(|(_, made)| made).collect();
            }
            None => {}
        }
        if made.iter().any(|made| made.text.as_ref().is_some_and(|text| !self.budget.takes(text))) {
            let message = "the texts of this run have more than 2 GB";
            diagnostics.push(Diagnostic::new(&codes::RENDER, message).at(list.over[0].span()));
            return Vec::new();
        }
        made
    }

    /// The shard of each item.
    fn shards(&self, group: &[&Made], count: u32, by: Option<&Text>, report: &mut Report<'_>) -> Vec<u32> {
        match by.map(Text::as_str) {
            None | Some("hash") => {
                let name = |made: &&Made| self.subject(made.item).name.unwrap_or_default();
                let hash = |name: String| {
                    let bytes: String = name.bytes().map(char::from).collect();
                    stable_hash(&bytes, count).unwrap_or_default()
                };
                group.iter().map(name).map(hash).collect()
            }
            Some("cost") => {
                let mut heaviest: Vec<usize> = (0..group.len()).collect();
                let cost = |place: &usize| group[*place].text.as_ref().map_or(1, String::len);
                heaviest.sort_by_key(|place| std::cmp::Reverse(cost(place)));
                let mut loads = vec![0; count as usize];
                let mut shards = vec![0; group.len()];
                for place in heaviest {
                    let lightest = (0..loads.len()).min_by_key(|shard| loads[*shard]).unwrap_or_default();
                    loads[lightest] += cost(&place);
                    shards[place] = lightest as u32;
                }
                shards
            }
            Some(_) => {
                let number = |made: &&Made| {
                    let value = self.evaluated(by?, Some(made.item), report)?;
                    Some((value.as_i64()?.rem_euclid(i64::from(count))) as u32)
                };
                group.iter().map(number).map(Option::unwrap_or_default).collect()
            }
        }
    }

    /// The name of a file. A value is one component of a path.
    fn name(&self, output: &Output, by: Option<&str>, shard: u32, diagnostics: &mut Diagnostics) -> Option<String> {
        let mut name = String::new();
        let mut rest = output.file.as_str();
        let mut error = |at: usize, length: usize, message: String| {
            let span = output.file.sub_span(at..at + length);
            diagnostics.push(Diagnostic::new(&codes::FILE, message).at(span));
            None
        };
        while let Some((before, after)) = rest.split_once('{') {
            let at = output.file.len() - after.len();
            name.push_str(before);
            let Some((key, after)) = after.split_once('}') else {
                return error(at - 1, 1, "`{` is not closed".to_owned());
            };
            let value = match key {
                "by" => by.unwrap_or_default().to_owned(),
                "shard" => shard.to_string(),
                "torch" => self.model.world.torch().unwrap_or_default(),
                key => match key.strip_prefix("options.").map(|name| self.options.get(name)) {
                    Some(Some(value)) => value.to_string(),
                    _ => {
                        let message = format!("there is no placeholder `{{{key}}}`");
                        return error(at, key.len(), message);
                    }
                },
            };
            let is_safe = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-');
            if value.is_empty() || value.starts_with('.') || !value.chars().all(is_safe) {
                let shown: String = value.chars().take(80).collect();
                let message = format!("`{shown}` cannot be a part of the name of a file");
                return error(at, key.len(), message);
            }
            name.push_str(&value);
            rest = after;
        }
        name.push_str(rest);
        let is_component = |part: &str| !part.is_empty() && !part.starts_with('.') && !part.contains(['\\', ':', '\0']);
        if name.len() > 1000 || !name.split('/').all(is_component) {
            return error(
                0,
                output.file.len(),
                format!("`{name}` is not the name of a file below the directory of the run"),
            );
        }
        Some(name)
    }

    fn rendered(&self, template: &str, context: Value) -> Result<String, Error> {
        self.environment.get_template(template)?.render(context)
    }

    fn subject(&self, item: Item) -> Subject {
        let of_entry = |(section, place): (usize, usize)| self.model.sections[section].entries[place].name(self.model);
        let name = item.thing.map(|at| self.model.thing(at).name.clone()).or_else(|| item.entry.map(of_entry));
        Subject { entry: item.entry, name }
    }

    /// The item as a template sees it.
    fn item(&self, item: Item) -> Value {
        let thing = || item.thing.map_or(Value::from(()), |at| ThingObject::value(self.model, at));
        item.entry.map_or_else(thing, |(section, place)| EntryObject::value(self.model, section, place))
    }

    fn context(&self, item: Option<Item>) -> Value {
        let Some(item) = item else { return Value::from_pairs([("op", Value::from(()))]) };
        let none = || Value::from(());
        Value::from_pairs([
            ("op", item.thing.map_or_else(none, |at| ThingObject::value(self.model, at))),
            ("entry", item.entry.map_or_else(none, |(section, place)| EntryObject::value(self.model, section, place))),
            ("item", self.item(item)),
        ])
    }

    /// An expression of the manifest.
    fn compiled<'t>(&self, text: &'t Text, report: &mut Report<'_>) -> Option<Expression<'_, 't>>
    where
        Self: 't,
    {
        match self.environment.compile_expression_owned(marked_expression(text).into_owned()) {
            Ok(expression) => Some(expression),
            Err(error) => {
                report.add(&error, Source::Expression(text), &Subject::default());
                None
            }
        }
    }

    /// What becomes of each item, in their order.
    fn of_each<T: Send>(&self, items: &[Item], one: impl Fn(&Item) -> T + Send + Sync) -> Vec<T> {
        if self.in_order { items.iter().map(one).collect() } else { items.par_iter().map(one).collect() }
    }

    /// The value of an expression for one item.
    fn evaluated(&self, text: &Text, item: Option<Item>, report: &mut Report<'_>) -> Option<Value> {
        let expression = self.compiled(text, report)?;
        match expression.eval(self.context(item)).and_then(|value| defined(value, text)) {
            Ok(value) => Some(value),
            Err(error) => {
                let subject = item.map_or_else(Subject::default, |item| self.subject(item));
                report.add(&error, Source::Expression(text), &subject);
                None
            }
        }
    }

    /// The values of an expression for items; none if it has an error.
    fn all(&self, text: &Text, items: &[Item], report: &mut Report<'_>) -> Option<Vec<Value>> {
        let expression = self.compiled(text, report)?;
        let one = |item: &Item| expression.eval(self.context(Some(*item))).and_then(|value| defined(value, text));
        let values = self.of_each(items, one);
        let mut all = Vec::with_capacity(values.len());
        for (value, item) in values.into_iter().zip(items) {
            match value {
                Ok(value) => all.push(value),
                Err(error) => report.add(&error, Source::Expression(text), &self.subject(*item)),
            }
        }
        (all.len() == items.len()).then_some(all)
    }
}

/// The value of an expression, which must have one.
fn defined(value: Value, text: &Text) -> Result<Value, Error> {
    if !value.is_undefined() {
        return Ok(value);
    }
    Err(Error::new(ErrorKind::InvalidOperation, format!("`{}` is undefined", text.as_str())))
}

/// The kinds that PyTorch's operators have, which a run may have none of.
const KINDS: [&str; 5] = ["operator", "group", "view_group", "kernel", "formula"];
