//! What users' generators read: PyTorch's operators, or the records of another family.
//!
//! Invariant: which family is in the manifest; the registry has all of them.

use std::path::Path;

use minijinja::Value;
use minijinja::value::Serde;
use torchgen_base::diag::{Diagnostic, TextError, codes, did_you_mean};
pub(crate) use torchgen_generator::Listed;
use torchgen_generator::{ForEditors, FunctionOf, LazyFacts, Provider, Wanted, World};
use torchgen_kit::driver::request::Request;
use torchgen_kit::driver::{JobError, Session};
use torchgen_kit::facts::{Facts, Signature, Thing};

use super::commands;
use crate::torch::world::{self, WorldFlags};

/// The provider of the program.
pub(crate) struct Things;

impl Provider for Things {
    type Flags = WorldFlags;

    fn read(wanted: &Wanted<'_>, flags: &WorldFlags, session: &mut Session) -> Result<Box<dyn World>, JobError> {
        let Some(family) = wanted.family.filter(|family| family.as_str() != crate::torch::FAMILY.name) else {
            return Ok(Box::new(world::read(wanted.keys_off, &wanted.kinds, flags, session)?));
        };
        let named = || commands().filter_map(|command| Some((command.name, command.documents.as_ref()?)));
        let Some((_, documents)) = named().find(|(name, _)| *name == family.as_str()) else {
            let error = Diagnostic::new(&codes::WRONG_FAMILY, format!("there is no family `{}`", family.as_str()));
            let near = did_you_mean(family, named().map(|(name, _)| name));
            return Err(error.at(family.span()).maybe_help(near).into());
        };
        let request = Request::to_check(wanted.sources.to_vec(), wanted.common);
        let Facts { things, .. } = (documents.facts)(&request, session)?;
        Ok(Box::new(Records(things.into_iter().map(lazy).collect())))
    }
}

/// What the user's generator of a folder has.
pub(crate) fn listed(folder: &Path, session: &mut Session) -> Result<Listed, JobError> {
    torchgen_generator::listed::<Things>(folder, session)
}

/// What the manifest in a folder says of own YAML.
pub(crate) fn for_editors(folder: &Path, session: &mut Session) -> Result<ForEditors, JobError> {
    torchgen_generator::for_editors::<Things>(folder, session)
}

/// The records of a family.
struct Records(Vec<Thing<LazyFacts>>);

fn lazy(thing: Thing) -> Thing<LazyFacts> {
    let Thing { kind, name, at, doc, schema, parts, relations, signatures, facts, outputs } = thing;
    let facts: LazyFacts = Box::new(move || Value::from(Serde(&facts)));
    Thing { kind, name, at, doc, schema, parts, relations, signatures, facts, outputs }
}

impl World for Records {
    fn torch(&self) -> Option<String> {
        None
    }

    fn things(&mut self) -> Vec<Thing<LazyFacts>> {
        std::mem::take(&mut self.0)
    }

    fn declare(&mut self, text: &str, _: &str) -> Result<Thing<LazyFacts>, TextError> {
        Err(TextError::new(
            &codes::WRONG_TYPE,
            0..text.len(),
            "schemas are for generators that read PyTorch's operators",
        ))
    }

    fn dispatch_keys(&self) -> Vec<&'static str> {
        Vec::new()
    }

    fn functions(&self, _: &str) -> Vec<Signature> {
        Vec::new()
    }

    fn translate(&self, _: FunctionOf<'_>, _: FunctionOf<'_>, _: &[(String, String)]) -> Result<Vec<String>, String> {
        Err("only operators have functions".to_owned())
    }
}
