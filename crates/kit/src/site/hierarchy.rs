//! Classes and their bases as a picture.
//!
//! Invariant: a class that others extend has a box of its own; those that have the same bases, and
//! that nothing extends, share boxes, so that a picture of many classes stays narrow.

use indexmap::{IndexMap, IndexSet};

use super::{Column, Figure, Page, Part, Piece, Table};
use crate::picture::{Graph, Look, Picture};

/// The names that a box has room for, and the most boxes of names beside each other.
const NAMES: usize = 12;
const BOXES: usize = 6;

/// A class.
#[derive(Debug)]
pub struct Class {
    /// Its name.
    pub name: String,
    /// Its bases.
    pub bases: Vec<String>,
    /// What declares it.
    pub record: Piece,
}

/// The picture of classes below their bases. A base need not be among the classes.
fn hierarchy(classes: &[Class]) -> Picture {
    let mut graph = Graph::default();
    let bases: IndexSet<&str> = classes.iter().flat_map(|class| &class.bases).map(String::as_str).collect();
    let boxes: IndexMap<&str, usize> =
        bases.iter().map(|name| (*name, graph.add(Look::Node, vec![(*name).to_owned()]))).collect();
    let mut leaves: IndexMap<&[String], Vec<String>> = IndexMap::new();
    for class in classes {
        match boxes.get(class.name.as_str()) {
            Some(number) => class.bases.iter().for_each(|base| graph.connect(boxes[base.as_str()], *number)),
            None => leaves.entry(&class.bases).or_default().push(class.name.clone()),
        }
    }
    for (bases, names) in leaves {
        for names in names.chunks(NAMES.max(names.len().div_ceil(BOXES))) {
            let number = graph.add(Look::Leaf, names.to_vec());
            bases.iter().for_each(|base| graph.connect(boxes[base.as_str()], number));
        }
    }
    let below = |base: &&str| classes.iter().filter(|class| class.bases.iter().any(|own| own == base)).count();
    let words = bases.iter().map(|base| format!("{base}, with {} below it", below(base)));
    graph.picture(words.collect())
}

/// The page of classes: their picture, and a table of them.
pub fn page_of_classes(name: &str, classes: &[Class]) -> Page {
    let mut page = Page::new("classes", &format!("Classes of {name}"), "Classes");
    if classes.is_empty() {
        return page;
    }
    page.add("", "", vec![Part::Figures(vec![Figure::new("Classes below their bases", hierarchy(classes))])]);
    let row = |class: &Class| {
        vec![vec![Piece::code(&class.name)], vec![class.record.clone()], vec![Piece::text(&class.bases.join(", "))]]
    };
    let column = |title, choose| Column { title, choose };
    let table = Table {
        caption: format!("Classes of {name}"),
        columns: vec![column("Class", false), column("Declared by", false), column("Bases", true)],
        rows: classes.iter().map(row).collect(),
        sorts: true,
    };
    page.add("All classes", "all", vec![Part::Table(table)]);
    page
}
