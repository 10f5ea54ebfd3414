//! Pages of facts: paths, links in both directions, and what is left out.

use serde_json::json;

use super::*;
use crate::facts::{self, Facts, Relation, Thing, own};

fn thing(kind: &'static str, name: &str, facts: serde_json::Value) -> Thing {
    Thing::new(kind, name, own(facts))
}

fn json_of(page: &Page) -> String {
    serde_json::to_string(page).expect("strings and numbers always serialize")
}

#[test]
fn paths_are_safe_and_differ_beyond_case() {
    let names = ["Add", "add", "../x", "a::b", "ADD"];
    let things = names.iter().map(|name| thing("node", name, json!({}))).collect();
    let site = Site::of_facts("mine", "Nodes", &Facts { namespace: None, things }, &[]);
    let paths: Vec<&str> = site.pages.iter().map(|page| page.path.as_str()).collect();
    assert_eq!(paths, ["node/Add", "node/add-2", "node/.._x", "node/a.b", "node/ADD-3"]);
}

#[test]
fn relations_are_links_in_both_directions() {
    let lowered = Relation::new("lowered_from", "Add");
    let instruction = Thing { relations: vec![lowered], ..thing("instruction", "Add", json!({})) };
    let things = vec![thing("node", "Add", json!({})), instruction];
    let facts = Facts { namespace: None, things };
    let site = Site::of_facts("mine", "Nodes", &facts, &[("lowered_from", "node")]);
    let [node, instruction] = &site.pages[..] else { panic!("two pages") };
    assert!(json_of(instruction).contains(r#""to":{"page":"node/Add","anchor":""}"#), "{}", json_of(instruction));
    assert!(json_of(node).contains(r#""to":{"page":"instruction/Add","anchor":""}"#), "{}", json_of(node));
    assert!(!json_of(node).contains(r#""page":"node/Add""#), "a page leads to itself: {}", json_of(node));
}

#[test]
fn facts_that_say_nothing_are_left_out() {
    let facts = json!({"memory": true, "modes": [], "side_effects": false, "code": "a\nb", "names": ["x", "y"]});
    let parts = vec![facts::Part::new("input", "x", "Tensor")];
    let things = vec![Thing { parts, doc: Some("Adds. Then more.".to_owned()), ..thing("node", "Add", facts) }];
    let site = Site::of_facts("mine", "Nodes", &Facts { namespace: None, things }, &[]);
    let text = json_of(&site.pages[0]);
    assert!(text.contains("memory") && text.contains(r#"{"code":"a\nb"}"#) && !text.contains("side effects"), "{text}");
    assert!(!text.contains("modes") && !text.contains("Default"), "{text}");
    assert_eq!(site.pages[0].words, "add node x tensor adds. then more.");
}

#[test]
fn classes_with_the_same_bases_share_a_box() {
    let class = |name: &str, base: &str| Class {
        name: name.to_owned(),
        bases: vec![base.to_owned()],
        record: Piece::code(name),
    };
    let mut classes: Vec<Class> = (0..30).map(|number| class(&format!("N{number}"), "Node")).collect();
    classes.extend([class("Base", "Node"), class("Leaf", "Base")]);
    let page = page_of_classes("mine", &classes);
    let text = json_of(&page);
    assert!(text.contains(r#""Node, with 31 below it","Base, with 1 below it""#), "{text}");
    // Two bases, one box of a leaf, and three of at most twelve.
    assert_eq!(text.matches(r#""look":"#).count(), 6, "{text}");
    assert_eq!(page.figures().map(Figure::file).collect::<Vec<_>>(), ["pictures/classes-1.svg"]);
}
