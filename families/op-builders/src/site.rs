//! The site about builders: a page for each builder and helper, with its expansion.
//!
//! Invariant: a page has the facts of its entry. Operators have no pages, since others define them.

use torchgen_base::diag::Sources;
use torchgen_kit::facts::Facts;
use torchgen_kit::site::{Figure, Part, Site, blocks, pieces};

use super::expansion;
use super::facts;
use super::model::Model;

/// The site.
pub(super) fn site(model: &Model, sources: &Sources) -> Site {
    let Facts { namespace, mut things } = facts::facts(model, sources);
    things.retain(|thing| thing.kind != "operator");
    for thing in &mut things {
        // These are sections, or follow from sections.
        ["errors", "body"].iter().for_each(|key| drop(thing.facts.remove(*key)));
    }
    let facts = Facts { namespace, things };
    let mut site = Site::of_facts(&model.namespace, "Op builders", &facts, &[("calls", "builder")]);
    let builders = model.builders.iter().map(|own| ("builder", own));
    for (kind, callable) in builders.chain(model.helpers.iter().map(|own| ("helper", own))) {
        let Some(page) = site.page(kind, &callable.signature.name) else { continue };
        if let Some(picture) = expansion::picture(callable) {
            let title = format!("What {} inserts", page.title);
            page.add("Expansion", "expansion", vec![Part::Figures(vec![Figure::new(title, picture)])]);
        }
        if !callable.errors.is_empty() {
            let prefix = format!("After the prefix `{} op_builder: `:", page.title);
            let errors = callable.errors.iter().map(|error| pieces(error)).collect();
            page.add("Errors", "errors", vec![Part::Text(blocks(&prefix)), Part::List(errors)]);
        }
    }
    site
}
