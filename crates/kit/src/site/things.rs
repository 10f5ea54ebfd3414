//! A site of a family's facts: a page for each thing, and a list of them.
//!
//! Invariant: a page has all that the facts have about its thing. Facts that say no, or nothing,
//! are left out.

use std::collections::{HashMap, HashSet};

use serde_json::Value;

use super::{Page, Part, Piece, Site, Table};
use crate::facts::{self, Facts, Own, Relation, Thing};

/// The kind of thing that a kind of relation leads to, where it may be another one than its own.
pub type Targets<'t> = &'t [(&'t str, &'t str)];

/// Names, and what they have.
type Rows = Vec<(String, Vec<Piece>)>;

/// The pages by the names of their things, and what leads to a name.
struct Paths<'f> {
    pages: HashMap<&'f str, Vec<(&'f str, String)>>,
    leading: HashMap<&'f str, Vec<(&'f Thing, &'f Relation)>>,
    targets: Targets<'f>,
}

impl Site {
    /// The site of a family that shows nothing beyond its facts.
    pub fn of_plain_facts(family: &str, facts: &Facts) -> Site {
        Site::of_facts(facts.namespace.as_deref().unwrap_or(family), "Declarations", facts, &[])
    }

    /// The site of these facts. `nouns` is what the first page calls its things.
    pub fn of_facts(name: &str, nouns: &str, facts: &Facts, targets: Targets<'_>) -> Site {
        let paths = Paths::new(&facts.things, targets);
        let pages = facts.things.iter().map(|thing| page(thing, &paths)).collect();
        let index = Page::new("index", &format!("{nouns} of {name}"), nouns);
        Site { name: name.to_owned(), index, pages, more: Vec::new() }
    }
}

impl<'f> Paths<'f> {
    fn new(things: &'f [Thing], targets: Targets<'f>) -> Paths<'f> {
        let mut taken = HashSet::new();
        let mut pages: HashMap<&str, Vec<(&str, String)>> = HashMap::new();
        let mut leading: HashMap<&str, Vec<_>> = HashMap::new();
        for thing in things {
            for relation in &thing.relations {
                leading.entry(&relation.to).or_default().push((thing, relation));
            }
            let kept = |c: char| if c.is_ascii_alphanumeric() || "._-".contains(c) { c } else { '_' };
            let name: String = thing.name.replace("::", ".").chars().map(kept).collect();
            let mut path = format!("{}/{name}", thing.kind);
            // File systems may not distinguish cases.
            let mut number = 1;
            while !taken.insert(path.to_lowercase()) {
                number += 1;
                path = format!("{}/{name}-{number}", thing.kind);
            }
            pages.entry(&thing.name).or_default().push((&thing.kind, path));
        }
        Paths { pages, leading, targets }
    }

    fn of(&self, kind: &str, name: &str) -> Option<&str> {
        let known = self.pages.get(name)?;
        known.iter().find(|(own, _)| *own == kind).map(|(_, path)| path.as_str())
    }

    /// The kind of the thing that a relation leads to.
    fn kind_of(&self, thing: &'f Thing, relation: &Relation) -> &'f str {
        let listed = self.targets.iter().find(|(relations, _)| *relations == relation.kind);
        listed.map_or(&*thing.kind, |(_, kind)| *kind)
    }

    /// The other things that have a relation to this one, each with the first of them.
    fn leading_to(&self, thing: &'f Thing) -> Vec<(&'f Thing, &'f Relation)> {
        let all = self.leading.get(thing.name.as_str()).into_iter().flatten().copied();
        let mut found: Vec<_> = all
            .filter(|(other, relation)| self.kind_of(other, relation) == thing.kind && !std::ptr::eq(*other, thing))
            .collect();
        // Those of a thing follow each other.
        found.dedup_by_key(|(other, _)| std::ptr::from_ref(*other));
        found
    }

    fn link(&self, kind: &str, name: &str) -> Piece {
        self.of(kind, name).map_or_else(|| Piece::code(name), |path| Piece::link(name, path, ""))
    }
}

fn page<'f>(thing: &'f Thing, paths: &Paths<'f>) -> Page {
    let path = paths.of(&thing.kind, &thing.name).unwrap_or_default();
    let mut page = Page::new(path, &thing.name, &thing.kind);
    page.describe(thing.doc.as_deref().unwrap_or_default());
    let parts = thing.parts.iter().flat_map(|part| part.name.as_deref().into_iter().chain([part.ty.as_str()]));
    let related = thing.relations.iter().map(|relation| relation.to.as_str());
    page.find_by([&*thing.name, &*thing.kind].into_iter().chain(parts).chain(related));
    page.find_by(thing.doc.iter().flat_map(|doc| doc.split_whitespace()));
    let mut first: Vec<Part> = thing.schema.iter().map(|schema| Part::Code(schema.clone())).collect();
    let (codes, mut rows) = own_facts(&thing.facts);
    for relation in &thing.relations {
        let link = paths.link(paths.kind_of(thing, relation), &relation.to);
        add_to(&mut rows, &words(&relation.kind), vec![link]);
    }
    for (other, relation) in paths.leading_to(thing) {
        let link = paths.link(&other.kind, &other.name);
        let how = Piece::text(&format!(" ({} this)", words(&relation.kind)));
        add_to(&mut rows, "named by", vec![link, how]);
    }
    if let Some(at) = &thing.at {
        // Its path depends on where the program runs, and pages do not.
        let file = at.file.as_deref().and_then(|file| file.rsplit(['/', '\\']).next()).unwrap_or_default();
        add_to(&mut rows, "written in", vec![Piece::code(&format!("{file}:{}", at.line))]);
    }
    first.extend((!rows.is_empty()).then_some(Part::Facts(rows)));
    page.add("", "", first);
    if !thing.parts.is_empty() {
        page.add("Parts", "parts", vec![Part::Table(parts_of(thing))]);
    }
    for (name, code) in codes {
        let mut title = name.clone();
        title.get_mut(..1).into_iter().for_each(str::make_ascii_uppercase);
        page.add(&title, &name.replace(' ', "-"), vec![Part::Code(code)]);
    }
    page
}

/// Adds to the row of a name, after a comma if there is one.
fn add_to(rows: &mut Rows, name: &str, mut pieces: Vec<Piece>) {
    match rows.iter_mut().find(|(known, _)| known == name) {
        Some((_, known)) => {
            known.push(Piece::text(", "));
            known.append(&mut pieces);
        }
        None => rows.push((name.to_owned(), pieces)),
    }
}

/// A key as words.
fn words(key: &str) -> String {
    key.replace('_', " ")
}

/// The parts of a thing as a table, without columns that would be empty.
fn parts_of(thing: &Thing) -> Table {
    let cell = |text: &str| if text.is_empty() { Vec::new() } else { vec![Piece::code(text)] };
    let row = |part: &facts::Part| {
        let default = match (&part.default, part.nullable) {
            (Some(default), _) => cell(default),
            (None, true) => vec![Piece::text("optional")],
            (None, false) => Vec::new(),
        };
        // A result may have no name.
        let name = part.cpp_name.as_deref().or(part.name.as_deref()).unwrap_or(&part.role);
        vec![vec![Piece::text(name)], vec![Piece::text(&part.role)], cell(&part.ty), default]
    };
    let rows: Vec<Vec<Vec<Piece>>> = thing.parts.iter().map(row).collect();
    let has_defaults = rows.iter().any(|row| !row[3].is_empty());
    let titles = ["Name", "Role", "Type", "Default"];
    let count = if has_defaults { 4 } else { 3 };
    let rows = rows.into_iter().map(|row| row.into_iter().take(count).collect()).collect();
    Table::plain(&format!("Parts of {}", thing.name), &titles[..count], rows)
}

/// What only the family knows: texts of several lines, and what fits one.
fn own_facts(facts: &Own) -> (Vec<(String, String)>, Rows) {
    let (mut codes, mut rows) = (Vec::new(), Vec::new());
    for (key, value) in facts {
        match value {
            Value::String(text) if text.lines().count() > 1 => codes.push((words(key), text.clone())),
            _ => {
                let pieces = value_pieces(value);
                rows.extend((!pieces.is_empty()).then(|| (words(key), pieces)));
            }
        }
    }
    (codes, rows)
}

fn value_pieces(value: &Value) -> Vec<Piece> {
    let all = |items: Vec<Vec<Piece>>| {
        let mut pieces: Vec<Piece> = Vec::new();
        for item in items.into_iter().filter(|item| !item.is_empty()) {
            pieces.extend((!pieces.is_empty()).then(|| Piece::text(", ")));
            pieces.extend(item);
        }
        pieces
    };
    match value {
        Value::Null | Value::Bool(false) => Vec::new(),
        Value::Bool(true) => vec![Piece::text("yes")],
        Value::String(text) if text.is_empty() => Vec::new(),
        Value::String(text) => vec![Piece::code(text)],
        Value::Number(number) => vec![Piece::text(&number.to_string())],
        Value::Array(items) => all(items.iter().map(value_pieces).collect()),
        Value::Object(own) => {
            let pair = |(key, value): (&String, &Value)| {
                let value = value_pieces(value);
                let key = (!value.is_empty()).then(|| Piece::text(&format!("{} ", words(key))));
                key.into_iter().chain(value).collect()
            };
            all(own.iter().map(pair).collect())
        }
    }
}
