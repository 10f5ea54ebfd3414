//! The YAML and the report.
//!
//! Invariant: the counts of the report add up: every operator that is found is written or left, and
//! every kernel has a key, has none, or is not understood.

use indexmap::IndexMap;
use serde::Serialize;

use super::loaded::Loaded;
use super::merged::{Meaning, Operator};
use crate::from_cpp::{Found, LeftOut, quoted};
use torchgen_kit::driver::data::Tables;
use torchgen_model::model::DispatchKey;
use torchgen_model::parse::c10;

/// All that is written.
#[derive(Serialize)]
pub(super) struct Library<'a> {
    operators: Vec<Entry<'a>>,
    /// The package that loads the library.
    package: Option<&'a str>,
    package_error: Option<&'a str>,
    counts: Counts,
    differing: Vec<Differing<'a>>,
    only_loaded: Vec<&'a str>,
    only_sources: Vec<&'a str>,
    left: Vec<LeftOut>,
    without_fake: Vec<&'a str>,
    composites: Vec<&'a str>,
    /// The command for CI.
    verify: String,
}

/// An entry of the YAML.
#[derive(Serialize)]
struct Entry<'a> {
    func: String,
    comments: Vec<String>,
    when: Option<&'a str>,
    keys: Vec<&'static str>,
}

/// The numbers of the report.
#[derive(Default, Serialize)]
struct Counts {
    found: usize,
    written: usize,
    left: usize,
    kernels: usize,
    keyed: usize,
    composite: usize,
    unread: usize,
    conditional: usize,
    compared: usize,
    same: usize,
    meta: usize,
    python_fakes: usize,
    composite_only: usize,
    own_autograd: usize,
}

/// An operator whose schema in the sources is not that of the loaded library.
#[derive(Serialize)]
struct Differing<'a> {
    name: &'a str,
    place: &'a str,
    source: &'a str,
    loaded: &'a str,
}

impl<'a> Library<'a> {
    /// What is written for the operators.
    pub(super) fn new(
        operators: &IndexMap<&'a str, Operator<'a>>,
        (found, loaded): (&'a Found, &'a Loaded),
        package: Option<&'a str>,
        verify: String,
        tables: &Tables,
    ) -> Library<'a> {
        let mut library = Library {
            operators: Vec::new(),
            package,
            package_error: loaded.errors.first().map(|(_, why)| why.as_str()),
            counts: Counts::default(),
            differing: Vec::new(),
            only_loaded: Vec::new(),
            only_sources: Vec::new(),
            left: found.left.clone(),
            without_fake: Vec::new(),
            composites: Vec::new(),
            verify,
        };
        let both = !found.operators.is_empty() && !loaded.operators.is_empty();
        for (name, operator) in operators {
            library.compare(name, operator, both, tables);
            library.write(name, operator);
        }
        library.left.extend(found.unread.iter().cloned());
        let counts = &mut library.counts;
        for names in operators.values().map(Operator::key_names) {
            let is_composite = names.contains(DispatchKey::CompositeImplicitAutograd.as_str());
            counts.composite += usize::from(is_composite);
            counts.keyed += names.len() - usize::from(is_composite);
        }
        counts.unread = found.unread.len();
        counts.kernels = counts.keyed + counts.composite + counts.unread;
        counts.written = library.operators.len();
        counts.left += found.left.len();
        counts.found = counts.written + counts.left;
        library
    }

    /// The number of things that were not understood.
    pub(super) fn not_understood(&self) -> usize {
        self.left.len() + self.differing.len()
    }

    /// The number of entries.
    pub(super) fn written(&self) -> usize {
        self.operators.len()
    }

    fn compare(&mut self, name: &'a str, operator: &Operator<'a>, both: bool, tables: &Tables) {
        match (operator.source, operator.loaded) {
            (Some(source), Some(loaded)) => {
                let Some(schema) = loaded.schema.as_deref() else { return };
                self.counts.compared += 1;
                if Meaning::new(&source.schema, tables) == Meaning::new(schema, tables) {
                    self.counts.same += 1;
                } else {
                    let (place, source) = (source.place.as_str(), source.schema.as_str());
                    self.differing.push(Differing { name, place, source, loaded: schema });
                }
            }
            (Some(_), None) if both => self.only_sources.push(name),
            (None, Some(_)) if both => self.only_loaded.push(name),
            _ => {}
        }
    }

    fn write(&mut self, name: &'a str, operator: &Operator<'a>) {
        let Some(schema) = operator.schema() else {
            let place = operator.loaded.and_then(|loaded| loaded.keys.values().next()).cloned();
            let reason = format!("kernels of `{name}` are registered, but no schema is");
            self.counts.left += 1;
            return self.left.push(LeftOut { place: place.unwrap_or_default(), reason });
        };
        if let Err(error) = c10::declared(schema) {
            let place = operator.source.map_or_else(|| name.to_owned(), |source| source.place.clone());
            self.counts.left += 1;
            return self.left.push(LeftOut { place, reason: format!("the schema of `{name}`: {}", error.message) });
        }
        let keys = operator.keys();
        let has = |wanted: DispatchKey| keys.contains(&wanted);
        let fake = operator.loaded.and_then(|loaded| loaded.fake.as_ref());
        if fake.is_some() {
            self.counts.python_fakes += 1;
        } else if has(DispatchKey::Meta) {
            self.counts.meta += 1;
        } else if has(DispatchKey::CompositeImplicitAutograd) {
            self.counts.composite_only += 1;
        } else {
            self.without_fake.push(name);
        }
        if has(DispatchKey::CompositeImplicitAutograd) {
            self.composites.push(name);
        }
        if keys.iter().any(|key| key.as_str().starts_with("Autograd")) {
            self.counts.own_autograd += 1;
        }
        let when = operator.source.and_then(|source| source.when.as_deref());
        self.counts.conditional += usize::from(operator.source.is_some_and(|source| source.is_conditional));
        let place = match (operator.source, operator.loaded) {
            (Some(source), _) => Some(source.place.clone()),
            (None, loaded) => loaded.and_then(|loaded| loaded.place.clone()),
        };
        self.operators.push(Entry {
            func: quoted(schema),
            comments: place.map(|place| format!("declared at {place}")).into_iter().collect(),
            when,
            keys: keys.iter().map(|key| key.as_str()).collect(),
        });
    }
}
