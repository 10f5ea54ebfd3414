//! Operators in the templates of other families, such as those of a backend: the objects and the
//! functions that a generator's templates have.
//!
//! Invariant: every entry has the keys of all entries, so that none is undefined in a template; a
//! key that is not given is none.

use std::sync::Arc;

use indexmap::{IndexMap, IndexSet};
use minijinja::{Environment, Value};
use torchgen_base::render::Operators;
use torchgen_base::yaml::Text;

use super::entries::{Entry, EntryObject, Section};
use super::functions::{self, Warnings};
use super::provider::World;
use super::things::{Model, ThingObject};

/// An operator that YAML names, with the author's own keys.
pub type OwnKeys<'a> = (&'a Text, &'a [(Text, Text)]);

struct Objects {
    model: Arc<Model>,
    /// The place of each entry, by the name of its operator.
    entries: IndexMap<String, usize>,
}

/// The operators of a world, with what YAML says of some of them.
pub fn objects(world: Box<dyn World>, own: &[OwnKeys<'_>]) -> Arc<dyn Operators> {
    let mut model = Model::new(world);
    let keys: IndexSet<&str> = own.iter().flat_map(|(_, own)| own.iter()).map(|(key, _)| key.as_str()).collect();
    let (mut section, mut entries) = (Section { name: "entry".to_owned(), entries: Vec::new() }, IndexMap::new());
    for (name, own) in own {
        let full = format!("aten::{}", name.as_str());
        let Some(operator) = model.named(&full, "operator") else { continue };
        entries.insert(full, section.entries.len());
        section.entries.push(Entry::of_texts(operator, name.span(), keys.iter().copied(), own));
    }
    model.set_sections(vec![section]);
    Arc::new(Objects { model: Arc::new(model), entries })
}

impl Operators for Objects {
    fn add_to(&self, environment: &mut Environment<'static>) {
        // Nobody would report what it says.
        functions::add(environment, &self.model, &Value::from(()), &Warnings::default());
        environment.remove_global("warn");
    }

    fn named(&self, name: &str) -> Value {
        let none = || Value::from(());
        let operator = self.model.named(name, "operator").map(|at| ThingObject::value(&self.model, at));
        let entry = self.entries.get(name).map(|place| EntryObject::value(&self.model, 0, *place));
        Value::from_pairs([("op", operator.unwrap_or_else(none)), ("entry", entry.unwrap_or_else(none))])
    }
}
