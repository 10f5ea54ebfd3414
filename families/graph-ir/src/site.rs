//! The site about an IR: a page for each record, the classes, and the rules.
//!
//! Invariant: a page has the facts of its record, what verifies it, and the rules that match it.

use torchgen_base::diag::Sources;
use torchgen_kit::site::{Class, Page, Part, Site, blocks, page_of_classes, pieces};

use super::docs::{self, Entry};
use super::facts;
use super::model::Family;
use super::rewrite::RewriteSet;
use super::rule_page::{add_matching, rule_page};

/// The site.
pub(crate) fn site(family: &Family, set: &RewriteSet, sources: &Sources) -> Site {
    let facts = facts::facts(family, sources);
    let mut site = Site::of_facts(&family.namespace, "Nodes and instructions", &facts, &[("lowered_from", "node")]);
    let (rules, drawn) = rule_page(family, &set.records);
    for node in &family.nodes {
        let Some(page) = site.page("node", &node.name) else { continue };
        add_entry(docs::node_entry(node), page);
        add_matching(&drawn, &node.name, page);
    }
    for instruction in &family.instructions {
        let Some(page) = site.page("instruction", &instruction.name) else { continue };
        add_entry(docs::instruction_entry(instruction), page);
    }
    let classes = classes(family, &site);
    site.more.push(page_of_classes(&family.namespace, &classes));
    site.more.extend((!drawn.is_empty()).then_some(rules));
    site
}

/// What makes a record, and what is verified.
fn add_entry(entry: Entry, page: &mut Page) {
    page.add("Made by", "made-by", entry.calls.into_iter().map(Part::Code).collect());
    if !entry.rules.is_empty() {
        let rules = entry.rules.iter().map(|rule| pieces(rule)).collect();
        page.add("Verified", "verified", vec![Part::Text(blocks("It is verified that:")), Part::List(rules)]);
    }
}

/// The classes of all records.
fn classes(family: &Family, site: &Site) -> Vec<Class> {
    let class = |name, root: &str, mix_ins: &[String], record| {
        let bases = [root.to_owned()].into_iter().chain(mix_ins.iter().cloned()).collect();
        Class { name, bases, record }
    };
    let nodes = family.nodes.iter().map(|own| class(own.class(), "Node", &own.mix_ins, site.link("node", &own.name)));
    let instructions = family.instructions.iter();
    let instructions =
        instructions.map(|own| class(own.class(), "Instruction", &own.mix_ins, site.link("instruction", &own.name)));
    nodes.chain(instructions).collect()
}
