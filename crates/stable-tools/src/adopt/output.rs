//! The YAML and the report.
//!
//! Invariant: the counts of the report add up: every operator that is found is written or left, and
//! every kernel has a key, has none, has no schema, or is not understood. `check` accepts each
//! entry.

use indexmap::IndexMap;
use serde::Serialize;

use super::autograd::Entries;
use super::merged::{Meaning, Operator};
use super::pybind::Bound;
use super::python::Registered;
use crate::from_cpp::{LeftCall, LeftOut, Operators, quoted, when};
use torchgen_base::diag::Sources;
use torchgen_kit::driver::data::Tables;
use torchgen_library::library::outputs_follow;
use torchgen_model::model::{DispatchKey, NativeFunction, records_gradients};
use torchgen_model::parse::c10;
use torchgen_registrations::{Condition, Conditions};

/// All that is written.
#[derive(Serialize)]
pub(super) struct Library<'a> {
    entries: Vec<Entry>,
    /// The package that loads the library.
    package: Option<&'a str>,
    package_error: Option<&'a str>,
    /// The libraries that it loads.
    libraries: &'a [String],
    /// What the generated package imports or loads first.
    loader: Option<&'a str>,
    /// The package that is generated, beside the one of the library.
    pub(super) generated: String,
    counts: Counts,
    differing: Vec<Differing<'a>>,
    only_loaded: Vec<&'a str>,
    only_sources: Vec<&'a str>,
    kernels_of_one: Vec<KernelOfOne<'a>>,
    left: Vec<LeftOut>,
    /// What registers something else.
    others: Vec<LeftOut>,
    undeclared: Vec<Undeclared<'a>>,
    without_fake: Vec<&'a str>,
    composites: Vec<&'a str>,
    /// The functions of Python modules.
    modules: Option<Modules<'a>>,
    /// The autograd functions.
    pub(super) autograd: Entries,
    translated: usize,
    /// The command for CI.
    verify: String,
    /// `library.yaml` does not say it for the entries.
    says_own: bool,
}

/// An entry of the YAML.
#[derive(Serialize)]
pub(super) struct Entry {
    func: String,
    /// The name with the namespace and the overload.
    #[serde(skip)]
    name: String,
    doc: Option<String>,
    comments: Vec<String>,
    /// The builds that have the operator.
    when: Option<String>,
    keys: Vec<Key>,
    /// Some keys are in fewer builds.
    keys_differ: bool,
}

/// A key that an operator has a kernel for.
#[derive(Serialize)]
struct Key {
    name: &'static str,
    /// The builds that have it, among those with the operator.
    when: Option<String>,
    /// Its gradients are compared with those of an entry in derivatives.yaml.
    compared: bool,
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
    undeclared: usize,
    unread: usize,
    conditional: usize,
    compared: usize,
    same: usize,
    meta: usize,
    python_fakes: usize,
    composite_only: usize,
    /// Their outputs follow from their schemas.
    implied_fakes: usize,
    own_autograd: usize,
    /// Of these, those that only some builds have.
    own_autograd_conditional: usize,
}

/// The functions that Python modules bind.
#[derive(Serialize)]
struct Modules<'a> {
    found: usize,
    written: usize,
    registered: usize,
    left: usize,
    guesses: Vec<Guess<'a>>,
}

/// What a person should check.
#[derive(Serialize)]
struct Guess<'a> {
    name: &'a str,
    text: &'a str,
}

/// An operator with schemas that differ, and where each is.
#[derive(Serialize)]
struct Differing<'a> {
    name: &'a str,
    schemas: Vec<Schema<'a>>,
}

#[derive(Serialize)]
struct Schema<'a> {
    place: String,
    text: &'a str,
}

/// A kernel that the sources or the loaded library have, but not both.
#[derive(Serialize)]
struct KernelOfOne<'a> {
    name: &'a str,
    key: &'a str,
    place: String,
    is_loaded: bool,
}

/// Kernels of an operator that nothing here declares.
#[derive(Serialize)]
struct Undeclared<'a> {
    name: &'a str,
    /// Where they are, by their keys.
    kernels: IndexMap<&'a str, String>,
}

/// What was read.
pub(super) struct Read<'a, 's> {
    pub(super) found: &'a Operators,
    pub(super) python: &'a Registered,
    pub(super) loaded: &'a Registered,
    pub(super) bound: &'a Bound,
    pub(super) conditions: Conditions,
    pub(super) sources: &'s Sources,
    pub(super) tables: &'s Tables,
    /// The operator of an entry, or why `check` refuses it.
    pub(super) accepted: &'s dyn Fn(&Entry) -> Result<Option<NativeFunction>, String>,
}

impl<'a> Library<'a> {
    /// What is written for the operators.
    pub(super) fn new(
        operators: &IndexMap<&'a str, Operator<'a>>,
        mut read: Read<'a, '_>,
        package: Option<&'a str>,
        verify: String,
    ) -> Library<'a> {
        let calls = |what: LeftCall| {
            let own = read.found.left.iter().filter(move |left| left.what == what);
            own.map(|left| LeftOut::new(left, read.sources)).collect::<Vec<_>>()
        };
        let in_python = read.python.left.iter();
        let in_python = in_python.map(|(place, reason)| LeftOut { place: place.clone(), reason: reason.clone() });
        let unread: Vec<LeftOut> = calls(LeftCall::Unread).into_iter().chain(in_python).collect();
        let mut library = Library {
            entries: Vec::new(),
            package,
            package_error: read.loaded.errors.first().map(|(_, why)| why.as_str()),
            libraries: &read.loaded.libraries,
            loader: match read.loaded.libraries.as_slice() {
                [library] if !read.loaded.errors.is_empty() => Some(library),
                _ => package,
            },
            generated: String::new(),
            counts: Counts::default(),
            differing: Vec::new(),
            only_loaded: Vec::new(),
            only_sources: Vec::new(),
            kernels_of_one: Vec::new(),
            left: calls(LeftCall::Operator),
            others: calls(LeftCall::Other),
            undeclared: Vec::new(),
            without_fake: Vec::new(),
            composites: Vec::new(),
            modules: None,
            autograd: Entries::default(),
            translated: 0,
            verify,
            says_own: false,
        };
        let both = !read.loaded.operators.is_empty() && operators.values().any(Operator::is_in_sources);
        for (name, operator) in operators {
            library.compare(name, operator, both, &read);
            library.write(name, operator, &mut read);
        }
        library.counts.left = library.left.len();
        library.counts.unread = unread.len();
        library.left.extend(unread);
        let counts = &mut library.counts;
        counts.kernels = counts.keyed + counts.composite + counts.undeclared + counts.unread;
        counts.written = library.entries.len();
        counts.found = counts.written + counts.left;
        library.modules = (read.bound.found > 0).then(|| Modules::new(read.bound, |name| library.has(name)));
        let own = package.or_else(|| operators.keys().next()?.split("::").next());
        let last = own.and_then(|own| own.rsplit('.').next()).unwrap_or_default();
        library.generated = format!("more_{last}");
        library
    }

    /// Sets the autograd functions that are entries of derivatives.yaml: what is compared follows.
    pub(super) fn set_autograd(&mut self, mut autograd: Entries) {
        autograd.refuse_others(|operator| self.has(operator));
        self.translated = autograd.translated();
        for entry in &mut self.entries {
            let compares = autograd.compares(&entry.name);
            for key in &mut entry.keys {
                key.compared = compares && records_gradients(key.name);
            }
        }
        self.autograd = autograd;
    }

    /// The number of things that were not understood.
    pub(super) fn not_understood(&self) -> usize {
        self.left.len() + self.differing.len()
    }

    /// Whether it has autograd functions.
    pub(super) fn has_classes(&self) -> bool {
        !self.autograd.classes.is_empty()
    }

    /// Whether an operator has an entry.
    pub(super) fn has(&self, name: &str) -> bool {
        self.entries.iter().any(|entry| entry.name == name)
    }

    /// The number of entries.
    pub(super) fn written(&self) -> usize {
        self.entries.len()
    }

    fn compare(&mut self, name: &'a str, operator: &Operator<'a>, both: bool, read: &Read<'_, '_>) {
        self.compare_kernels(name, operator, read.sources);
        let schemas = operator.schemas(read.sources);
        let [(first, _), others @ ..] = schemas.as_slice() else { return };
        if !others.is_empty() {
            self.counts.compared += 1;
            let own = Meaning::new(first.schema, read.tables);
            if others.iter().all(|(other, _)| Meaning::new(other.schema, read.tables) == own) {
                self.counts.same += 1;
            } else {
                let schemas = schemas.into_iter().map(|(one, place)| Schema { place, text: one.schema });
                self.differing.push(Differing { name, schemas: schemas.collect() });
            }
        } else if both && first.is_loaded && !operator.is_in_sources() {
            self.only_loaded.push(name);
        } else if both && operator.loaded.is_none() {
            self.only_sources.push(name);
        }
    }

    /// Compares the keys of an operator that sources in C++ and the loaded library have.
    fn compare_kernels(&mut self, name: &'a str, operator: &Operator<'a>, sources: &Sources) {
        let Some(loaded) = operator.loaded.filter(|_| operator.source.is_some()) else { return };
        let written = Operator { loaded: None, ..operator.clone() }.places(sources);
        let of_loaded = loaded.keys.iter().filter(|(key, _)| !written.contains_key(key.as_str()));
        let of_loaded = of_loaded.map(|(key, place)| (key.as_str(), place.clone(), true));
        let of_sources = written.iter().filter(|(key, _)| !loaded.keys.contains_key(**key));
        let of_sources = of_sources.map(|(key, place)| (*key, place.clone(), false));
        let kernel = |(key, place, is_loaded)| KernelOfOne { name, key, place, is_loaded };
        self.kernels_of_one.extend(of_sources.chain(of_loaded).map(kernel));
    }

    fn write(&mut self, name: &'a str, operator: &Operator<'a>, read: &mut Read<'_, '_>) {
        let places = operator.places(read.sources);
        let schemas = operator.schemas(read.sources);
        let Some((declared, place)) = schemas.into_iter().next() else {
            let mut kernels = places;
            kernels.extend(operator.fake().map(|fake| ("a fake", fake.to_owned())));
            self.counts.undeclared += kernels.len();
            return self.undeclared.push(Undeclared { name, kernels });
        };
        let entry = Entry::new(name, declared.schema, &place, operator, read);
        let accepted = match c10::declared(declared.schema) {
            Ok(_) => (read.accepted)(&entry),
            Err(error) => Err(error.message),
        };
        match accepted {
            Ok(f) => {
                self.entries.push(entry);
                self.count(name, operator, &places, f.as_ref(), read);
            }
            Err(reason) => self.left.push(LeftOut { place, reason: format!("`{name}`: {reason}") }),
        }
    }

    /// Counts an operator that is written.
    fn count(
        &mut self,
        name: &'a str,
        operator: &Operator<'a>,
        places: &IndexMap<&str, String>,
        f: Option<&NativeFunction>,
        read: &mut Read<'_, '_>,
    ) {
        let is_composite = places.contains_key(DispatchKey::CompositeImplicitAutograd.as_str());
        let counts = &mut self.counts;
        counts.composite += usize::from(is_composite);
        counts.keyed += places.len() - usize::from(is_composite);
        let is_conditional = operator.source.is_some_and(|source| source.condition != Condition::ALWAYS);
        counts.conditional += usize::from(is_conditional);
        if operator.fake().is_some() {
            counts.python_fakes += 1;
        } else if places.contains_key(DispatchKey::Meta.as_str()) {
            counts.meta += 1;
        } else if is_composite {
            counts.composite_only += 1;
        } else if f.is_some_and(outputs_follow) {
            counts.implied_fakes += 1;
        } else {
            self.without_fake.push(name);
        }
        if is_composite {
            self.composites.push(name);
        }
        let mut autograd = places.keys().filter(|key| key.starts_with("Autograd")).peekable();
        if autograd.peek().is_some() {
            counts.own_autograd += 1;
            let is_in_some = |key: &&str| operator.condition(key, &mut read.conditions).is_some();
            counts.own_autograd_conditional += usize::from(autograd.all(is_in_some));
        }
    }
}

impl<'a> Modules<'a> {
    fn new(bound: &'a Bound, is_accepted: impl Fn(&str) -> bool) -> Modules<'a> {
        let written = bound.written(&is_accepted);
        Modules {
            found: bound.found - bound.repeated,
            written,
            registered: bound.registered,
            left: bound.found - bound.registered - written - bound.repeated,
            guesses: bound
                .guesses()
                .filter(|(name, _)| is_accepted(name))
                .map(|(name, text)| Guess { name, text })
                .collect(),
        }
    }
}

impl Entry {
    fn new(name: &str, schema: &str, place: &str, operator: &Operator<'_>, read: &mut Read<'_, '_>) -> Entry {
        let mut comments = vec![format!("declared at {place}")];
        comments.extend(operator.source.iter().flat_map(|source| source.notes.iter().cloned()));
        let mut in_words = |conditions: &Conditions, condition: Condition, what: &str| {
            when(conditions, condition).and_then(|text| {
                // A comment has what `when:` cannot say.
                text.map_err(|text| comments.push(format!("{what} only if {text}"))).ok()
            })
        };
        let own = operator.source.map_or(Condition::ALWAYS, |source| source.condition);
        let only_in_cpp = operator.python.is_none_or(|python| python.schema.is_none());
        let when = in_words(&read.conditions, own, "declared").filter(|_| only_in_cpp);
        let places = operator.places(read.sources);
        let mut keys = Vec::new();
        for key in DispatchKey::ALL.iter().filter(|key| places.contains_key(key.as_str())) {
            let condition = operator.condition(key.as_str(), &mut read.conditions);
            let when = condition.and_then(|condition| in_words(&read.conditions, condition, key.as_str()));
            keys.push(Key { name: key.as_str(), when, compared: false });
        }
        let keys_differ = keys.iter().any(|key| key.when.is_some());
        let doc = operator.source.and_then(|source| source.doc.as_deref()).map(scalar);
        Entry { func: quoted(schema), name: name.to_owned(), doc, comments, when, keys, keys_differ }
    }
}

/// A text as a scalar of YAML on one line.
fn scalar(text: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || matches!(c, ' ' | '.' | ',' | '-' | '_' | '(' | ')' | '/');
    let starts_plain = text.starts_with(|c: char| c.is_alphabetic());
    match starts_plain && text.chars().all(is_plain) && !matches!(text, "true" | "false" | "null" | "yes" | "no") {
        true => text.to_owned(),
        false => serde_json::Value::from(text).to_string(),
    }
}
