//! The key `traits:` of a family: C++ mix-ins that its classes can have.
//!
//! Invariant: each trait is declared once, what C++ refuses as a name was reported, and a class has
//! each of its traits once.

use serde_json::json;

use super::{NameCodes, check_identifier, named_pairs};
use crate::changes::family::Property;
use crate::changes::kinds;
use crate::facts::{Place, Thing, own};
use crate::header::included;
use torchgen_base::diag::codes::{self, CodeInfo};
use torchgen_base::diag::{Diagnostic, Diagnostics, Sources, Span, did_you_mean};
use torchgen_base::lang::is_qualified_identifier;
use torchgen_base::yaml::fields::Fields;
use torchgen_base::yaml::keys::{KeySpec, KeyTable, Others, Shape};
use torchgen_base::yaml::{Node, Text};

/// The keys of a trait.
pub static TRAIT_KEYS: KeyTable = KeyTable {
    what: "a trait",
    keys: &[
        KeySpec::new("doc", Shape::Text, "What a class that has it can do.").required(),
        KeySpec::new("cpp", Shape::Text, "The class template, whose parameter is the class; by default the name."),
        KeySpec::new("include", Shape::Text, "The header that declares it."),
    ],
    others: Others::Refused,
    misplaced: &[],
    unknown: &codes::UNKNOWN_KEY,
};

/// What a family reports with.
#[derive(Debug, Clone, Copy)]
pub struct TraitCodes {
    /// A name that C++ refuses.
    pub names: NameCodes,
    /// A trait that is declared or listed twice.
    pub duplicate: &'static CodeInfo,
    /// A trait that no file declares.
    pub unknown: &'static CodeInfo,
}

/// A mix-in.
#[derive(Debug)]
pub struct Trait {
    /// Its name, by which classes have it.
    pub name: String,
    /// What a class that has it can do.
    pub doc: String,
    /// The class template, whose parameter is the class.
    cpp: String,
    span: Span,
}

/// The mix-ins of a family.
#[derive(Debug)]
pub struct Traits {
    /// In the order of their declarations.
    pub all: Vec<Trait>,
    /// The headers that declare them, as `#include` takes them.
    pub includes: Vec<String>,
    codes: TraitCodes,
}

/// The names of the traits of a class, in its facts under `traits`.
pub const TRAITS_OF: Property = Property::new(
    "traits",
    Some((&kinds::PROPERTY_CHANGED, "THING has the trait `KEY` now")),
    Some((&kinds::BASE_CHANGED, "THING does not have the trait `KEY` any more")),
    (&kinds::BASE_CHANGED, "THING has the trait `KEY` now"),
);

impl Traits {
    /// Those of the values of `traits:` in the files of a family.
    pub fn read(nodes: impl IntoIterator<Item = Node>, codes: TraitCodes, diagnostics: &mut Diagnostics) -> Traits {
        let mut traits = Traits { all: Vec::new(), includes: Vec::new(), codes };
        nodes.into_iter().for_each(|node| traits.add(node, diagnostics));
        traits
    }

    fn add(&mut self, node: Node, diagnostics: &mut Diagnostics) {
        for (name, value) in named_pairs(node, "traits", diagnostics) {
            let Some(mut fields) = Fields::new(value, &TRAIT_KEYS, diagnostics) else { continue };
            if !fields.has("doc") {
                fields.missing("doc", Some("say what a class that has it can do: `doc: Prints itself as code.`"));
            }
            let [cpp, include, doc] = ["cpp", "include", "doc"].map(|key| fields.take_text(key));
            fields.finish();
            check_identifier(&name, self.codes.names, diagnostics);
            self.check_template(cpp.as_ref(), diagnostics);
            if let Some(first) = self.named(&name) {
                let message = format!("the trait `{name}` is declared already");
                let error = Diagnostic::new(self.codes.duplicate, message).at(name.span());
                diagnostics.push(error.also(first.span, "first here").help("delete one of them"));
                continue;
            }
            let header = include.and_then(|header| included(&header, diagnostics));
            self.includes.extend(header.filter(|header| !self.includes.contains(header)));
            let cpp = cpp.as_ref().unwrap_or(&name).to_string();
            let doc = doc.map(Text::into_string).unwrap_or_default();
            self.all.push(Trait { name: name.to_string(), doc, cpp, span: name.span() });
        }
    }

    fn check_template(&self, cpp: Option<&Text>, diagnostics: &mut Diagnostics) {
        let Some(cpp) = cpp else { return };
        if !is_qualified_identifier(cpp.strip_prefix("::").unwrap_or(cpp)) {
            let message = format!("`{cpp}` cannot be the name of a class template");
            let error = Diagnostic::new(self.codes.names.malformed, message).at(cpp.span());
            diagnostics.push(error.help("write its name alone, `acme::Printed`; its parameter is the class"));
        }
    }

    /// The traits as facts.
    pub fn things<'a>(&'a self, sources: &'a Sources) -> impl Iterator<Item = Thing> + 'a {
        self.all.iter().map(|one| Thing {
            at: Place::from_span(one.span, sources),
            doc: Some(one.doc.clone()),
            ..Thing::new("trait", one.name.as_str(), own(json!({"template": one.cpp})))
        })
    }

    fn named(&self, name: &str) -> Option<&Trait> {
        self.all.iter().find(|one| one.name == name)
    }

    /// The class templates of the traits in the list of a record. What is not declared or listed
    /// twice is reported.
    pub fn templates(&self, listed: &[(&str, Span)], diagnostics: &mut Diagnostics) -> Vec<String> {
        let mut templates = Vec::with_capacity(listed.len());
        for (at, &(name, span)) in listed.iter().enumerate() {
            if let Some((_, first)) = listed[..at].iter().find(|(other, _)| *other == name) {
                let error = Diagnostic::new(self.codes.duplicate, format!("`{name}` is listed twice"));
                diagnostics.push(error.at(span).also(*first, "first here").help("delete one of them"));
            } else if let Some(found) = self.named(name) {
                templates.push(found.cpp.clone());
            } else {
                let help = did_you_mean(name, self.all.iter().map(|one| one.name.as_str()));
                let help = help.unwrap_or_else(|| format!("declare it: `traits: {{{name}: {{doc: …}}}}`").into());
                let message = format!("there is no trait `{name}`");
                diagnostics.push(Diagnostic::new(self.codes.unknown, message).at(span).help(help));
            }
        }
        templates
    }
}
