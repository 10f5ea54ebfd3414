//! A library as things whose changes are compared.
//!
//! Invariant: nothing is rendered, and no kernel is read. Errors in entries are diagnostics, and
//! the other entries are compared.

use std::collections::HashMap;
use std::path::PathBuf;

use super::paths::LibraryPaths;
use super::source::LibrarySource;
use super::spelled;
use super::yaml::LibraryYaml;
use crate::library::settings::Settings;
use torchgen_generators::inputs;
use torchgen_kit::changes::{Fact, FactKind, Thing, kinds};
use torchgen_kit::driver::{JobError, Session};
use torchgen_model::changes;

/// The ABI of a library.
static ABI: FactKind = FactKind::new(
    (&kinds::ABI_CHANGED, "the library is on the ABI `NEW` now"),
    (&kinds::ABI_CHANGED, "the library is not on the ABI `OLD` any more"),
    (&kinds::ABI_CHANGED, "the library was on the ABI `OLD`, and is on `NEW` now"),
);
/// A torch version that a library on the stable ABI works with.
static TORCH: FactKind = FactKind::flag(
    (&kinds::TORCH_LOWERED, "the library works with torch KEY too"),
    (&kinds::TORCH_RAISED, "the library does not work with torch KEY any more"),
);

/// What a library declares.
///
/// # Errors
/// A file cannot be read, or library.yaml contradicts itself.
pub fn things(sources: &[PathBuf], session: &mut Session) -> Result<Vec<Thing>, JobError> {
    let paths = LibraryPaths::new(sources, session);
    let (source, yaml) = LibrarySource::with_yaml(paths, None, session)?;
    let settings = yaml.settings(None, None, session)?;
    let mut formulas = Vec::new();
    for path in source.paths.derivatives(session)? {
        formulas.extend(inputs::derivative_records(session, &path)?);
    }
    let mut things = vec![library(&settings, &yaml)];
    for (_, operators) in &source.libraries {
        let by_name: HashMap<_, _> = operators.functions.iter().map(|f| (&f.func.name, f)).collect();
        let mut spelled = spelled::functions(&operators.functions, settings.is_stable());
        for (at, f) in operators.functions.iter().enumerate() {
            let owner = f.structured_delegate.as_ref().and_then(|name| by_name.get(name).copied());
            let mut thing = changes::operator(f, owner, &operators.indices, &session.sources);
            thing.functions = std::mem::take(&mut spelled[at]);
            if settings.is_stable() && settings.leaves_out(f) {
                thing.facts.push(fact(&changes::LEFT_OUT, String::new(), String::new()));
            }
            things.push(thing);
        }
    }
    things.extend(source.schema_only.iter().map(changes::schema_only));
    changes::add_formulas(&mut things, "", &formulas);
    Ok(things)
}

fn fact(of: &'static FactKind, key: String, value: String) -> Fact {
    Fact { of, key, value, place: None }
}

/// The library as a whole.
fn library(settings: &Settings, yaml: &LibraryYaml) -> Thing {
    let place = yaml.abi_place();
    let abi = if settings.is_stable() { "stable" } else { "unstable" };
    let mut facts = vec![Fact { place, ..fact(&ABI, String::new(), abi.to_owned()) }];
    if settings.is_stable() {
        let versions = settings.versions();
        let place = yaml.torch_min_place();
        facts.extend(versions.map(|version| Fact { place, ..fact(&TORCH, version, String::new()) }));
    }
    Thing { kind: "library", facts, ..Thing::default() }
}
