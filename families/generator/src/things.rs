//! Things as templates see them: objects that make values when they are asked.
//!
//! Invariant: a value is made once. What refers to other things is made each time, so that nothing
//! keeps itself alive.

use std::sync::{Arc, OnceLock};

use indexmap::IndexMap;
use minijinja::value::{Enumerator, Object, Serde};
use minijinja::{Error, ErrorKind, State, Value};
use rustc_hash::FxHashMap;
use serde::Serialize;
use torchgen_kit::facts::{Part, Signature, Thing};

use super::entries::{Entry, EntryObject, Section};
use super::provider::{LazyFacts, World};

/// The things of a run, with the own entries.
pub(crate) struct Model {
    pub(crate) world: Box<dyn World>,
    slots: Vec<Slot>,
    by_kind: IndexMap<String, Vec<usize>>,
    by_name: FxHashMap<String, Vec<usize>>,
    /// The own entries.
    pub(crate) sections: Vec<Section>,
    /// The entries about a thing: section and place.
    entries_of: FxHashMap<usize, Vec<(usize, usize)>>,
}

/// A thing, and the values that were made of it.
struct Slot {
    thing: Thing<LazyFacts>,
    values: [OnceLock<Value>; CACHED.len()],
    functions: OnceLock<Vec<Signature>>,
}

/// The values that are kept.
const CACHED: [&str; 8] = ["facts", "parts", "inputs", "outs", "returns", "tensors", "relations", "at"];

/// The keys of a thing, in the order of `model`.
const KEYS: [&str; 15] = [
    "kind",
    "name",
    "at",
    "doc",
    "schema",
    "parts",
    "inputs",
    "outs",
    "returns",
    "tensors",
    "relations",
    "signatures",
    "facts",
    "native_name",
    "precomputed",
];
/// Its keys that lead to other objects. They are not among those that it enumerates, so that the
/// JSON of a thing ends.
const LEADING: [&str; 3] = ["group", "entry", "entries"];
/// The keys of groups: their members.
const MEMBERS: [&str; 5] = ["functional", "out", "inplace", "mutable", "members"];

impl Model {
    /// Things without own entries.
    pub(crate) fn new(mut world: Box<dyn World>) -> Model {
        let things = world.things();
        let mut model = Model {
            world,
            slots: Vec::new(),
            by_kind: IndexMap::new(),
            by_name: FxHashMap::default(),
            sections: Vec::new(),
            entries_of: FxHashMap::default(),
        };
        for thing in things {
            model.add(thing);
        }
        model
    }

    /// Adds a thing, and returns its place.
    pub(crate) fn add(&mut self, thing: Thing<LazyFacts>) -> usize {
        let at = self.slots.len();
        match self.by_kind.get_mut(&*thing.kind) {
            Some(places) => places.push(at),
            None => drop(self.by_kind.insert(thing.kind.to_string(), vec![at])),
        }
        self.by_name.entry(thing.name.clone()).or_default().push(at);
        self.slots.push(Slot { thing, values: Default::default(), functions: OnceLock::new() });
        at
    }

    /// Sets the own entries.
    pub(crate) fn set_sections(&mut self, sections: Vec<Section>) {
        for (section, own) in sections.iter().enumerate() {
            for (place, entry) in own.entries.iter().enumerate() {
                if let Some(operator) = entry.operator {
                    self.entries_of.entry(operator).or_default().push((section, place));
                }
            }
        }
        self.sections = sections;
    }

    /// The things of a kind, in order.
    pub(crate) fn kind(&self, kind: &str) -> &[usize] {
        self.by_kind.get(kind).map_or(&[], Vec::as_slice)
    }

    /// The kinds of things.
    pub(crate) fn kinds(&self) -> impl Iterator<Item = &str> {
        self.by_kind.keys().map(String::as_str)
    }

    /// The thing of a kind and a name; one that own YAML declares hides the model's.
    pub(crate) fn named(&self, name: &str, kind: &str) -> Option<usize> {
        self.by_name.get(name)?.iter().rev().copied().find(|at| self.slots[*at].thing.kind == kind)
    }

    /// The thing at a place.
    pub(crate) fn thing(&self, at: usize) -> &Thing<LazyFacts> {
        &self.slots[at].thing
    }

    /// All functions of an operator.
    pub(crate) fn functions(&self, at: usize) -> &[Signature] {
        let slot = &self.slots[at];
        slot.functions.get_or_init(|| self.world.functions(&slot.thing.name))
    }

    /// A value of a thing that is kept.
    pub(crate) fn value(&self, at: usize, key: &str) -> Value {
        let slot = &self.slots[at];
        let Some(place) = CACHED.iter().position(|known| *known == key) else { return Value::UNDEFINED };
        let parts = |wanted: fn(&Part) -> bool| {
            Value::from(slot.thing.parts.iter().filter(|part| wanted(part)).map(part_value).collect::<Vec<_>>())
        };
        let is_input = |part: &Part| part.role != "return";
        let make = || match key {
            "facts" => (slot.thing.facts)(),
            "parts" => parts(|_| true),
            "inputs" => parts(is_input),
            "outs" => parts(|part| part.role == "out"),
            "returns" => parts(|part| part.role == "return"),
            "tensors" => parts(|part| part.role != "return" && part.base.as_deref() == Some("Tensor")),
            "relations" => Value::from(Serde(&slot.thing.relations)),
            _ => Value::from(Serde(&slot.thing.at)),
        };
        slot.values[place].get_or_init(make).clone()
    }

    /// The part of a thing with that name.
    pub(crate) fn part(&self, at: usize, name: &str) -> Option<&Part> {
        self.slots[at].thing.parts.iter().find(|part| part.role != "return" && part.name.as_deref() == Some(name))
    }

    /// The names that things, their facts and parts, and entries have, for helps.
    pub(crate) fn keys(&self) -> Vec<String> {
        let facts = |places: &Vec<usize>| places.first().map(|at| self.value(*at, "facts"));
        let of_facts = self.by_kind.values().filter_map(facts).filter_map(|facts| facts.try_iter().ok()).flatten();
        let own = KEYS.iter().chain(&LEADING).chain(&MEMBERS).map(|key| (*key).to_owned());
        let of_parts = part_value(&Part::new("", "", ""));
        let of_parts = of_parts.try_iter().into_iter().flatten().map(|key| key.to_string());
        let of_entries = self.sections.iter().filter_map(|section| section.entries.first()).flat_map(Entry::keys);
        own.chain(of_facts.map(|key| key.to_string())).chain(of_parts).chain(of_entries.map(str::to_owned)).collect()
    }
}

/// A part with all of its keys.
#[derive(Serialize)]
struct PartView<'a> {
    role: &'a str,
    name: &'a Option<String>,
    #[serde(rename = "type")]
    ty: &'a str,
    alias: &'a Option<String>,
    default: &'a Option<String>,
    cpp_default: &'a Option<String>,
    cpp_name: &'a Option<String>,
    cpp_type: &'a Option<String>,
    size: Option<u32>,
    nullable: bool,
    base: &'a Option<String>,
    list: bool,
    optional: bool,
    optional_element: bool,
    mutable: bool,
    tensor: bool,
}

/// A part as templates see it.
pub(crate) fn part_value(part: &Part) -> Value {
    Value::from(Serde(&PartView {
        role: &part.role,
        name: &part.name,
        ty: &part.ty,
        alias: &part.alias,
        default: &part.default,
        cpp_default: &part.cpp_default,
        cpp_name: &part.cpp_name,
        cpp_type: &part.cpp_type,
        size: part.size,
        nullable: part.nullable,
        base: &part.base,
        list: part.list,
        optional: part.optional,
        optional_element: part.optional_element,
        mutable: part.mutable,
        tensor: part.base.as_deref() == Some("Tensor"),
    }))
}

/// A thing in a template.
#[derive(Clone)]
pub(crate) struct ThingObject {
    pub(crate) model: Arc<Model>,
    pub(crate) at: usize,
}

impl ThingObject {
    /// The value of a thing.
    pub(crate) fn value(model: &Arc<Model>, at: usize) -> Value {
        Value::from_object(ThingObject { model: Arc::clone(model), at })
    }

    /// The thing.
    pub(crate) fn thing(&self) -> &Thing<LazyFacts> {
        self.model.thing(self.at)
    }

    /// The things of a relation, of the kind that its name says or of operators.
    fn related(&self, relation: &str) -> Vec<Value> {
        let find = |name: &str| {
            let places = self.model.by_name.get(name)?;
            let of_relation = places.iter().find(|at| self.model.thing(**at).kind == relation);
            of_relation.or_else(|| places.first()).map(|at| ThingObject::value(&self.model, *at))
        };
        self.thing().related(relation).filter_map(find).collect()
    }

    fn entry(&self, (section, place): (usize, usize)) -> Value {
        EntryObject::value(&self.model, section, place)
    }

    fn get(&self, key: &str) -> Option<Value> {
        let thing = self.thing();
        let first = |values: Vec<Value>| values.into_iter().next().unwrap_or_else(|| Value::from(()));
        let entries = || self.model.entries_of.get(&self.at).map_or(&[][..], Vec::as_slice);
        Some(match key {
            "kind" => Value::from(&*thing.kind),
            "name" => Value::from(thing.name.as_str()),
            "doc" => Value::from(thing.doc.clone()),
            "schema" => Value::from(thing.schema.clone()),
            "signatures" => super::signature::all(&self.model, self.at),
            "group" => first(self.related("group")),
            "native_name" | "precomputed" => {
                self.model.value(self.at, "facts").get_attr(key).ok().filter(|value| !value.is_undefined())?
            }
            "entry" => entries().first().map_or(Value::from(()), |entry| self.entry(*entry)),
            "entries" => {
                let of = |(number, section): (usize, &Section)| {
                    let entry = entries().iter().find(|(section, _)| *section == number);
                    (section.name.clone(), entry.map_or(Value::from(()), |entry| self.entry(*entry)))
                };
                Value::from_pairs(self.model.sections.iter().enumerate().map(of))
            }
            "functional" | "out" | "inplace" | "mutable" if thing.kind == "group" => first(self.related(key)),
            "members" if thing.kind == "group" => {
                Value::from(MEMBERS[..4].iter().flat_map(|kind| self.related(kind)).collect::<Vec<_>>())
            }
            key if CACHED.contains(&key) => self.model.value(self.at, key),
            _ => return None,
        })
    }
}

impl std::fmt::Debug for ThingObject {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.thing().name)
    }
}

impl Object for ThingObject {
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
        match (method, arguments) {
            ("related", [kind]) if kind.as_str().is_some() => {
                Ok(Value::from(self.related(kind.as_str().unwrap_or_default())))
            }
            ("related", _) => {
                Err(Error::new(ErrorKind::InvalidOperation, "related takes the kind of a relation, such as \"group\""))
            }
            _ => Err(Error::from(ErrorKind::UnknownMethod)),
        }
    }

    fn custom_cmp(self: &Arc<Self>, other: &minijinja::value::DynObject) -> Option<std::cmp::Ordering> {
        other.downcast_ref::<ThingObject>().map(|other| self.at.cmp(&other.at))
    }

    fn render(self: &Arc<Self>, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.thing().name)
    }
}
