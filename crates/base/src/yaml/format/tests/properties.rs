//! A tree printed in the one style, and printed in a random layout: both format to the same text.
//!
//! The printer is independent of the formatter. Invariant: shape and layout follow from bytes, so
//! that failures shrink.

use proptest::collection::vec;
use proptest::prelude::*;

use super::{STYLE, format};

enum Tree {
    Scalar(&'static str),
    /// Scalars in brackets.
    Flow(Vec<&'static str>),
    /// Lines of a block scalar.
    Block(Vec<&'static str>),
    List(Vec<Entry>),
    Mapping(Vec<(&'static str, Entry)>),
}

/// A value, with what is before it and after it.
struct Entry {
    tree: Tree,
    blank: bool,
    comment: bool,
    trailing: bool,
}

/// Bytes that decide; zero after the last.
struct Choices<'a>(std::slice::Iter<'a, u8>);

impl Choices<'_> {
    fn below(&mut self, limit: usize) -> usize {
        self.0.next().map_or(0, |&byte| usize::from(byte) % limit)
    }
}

/// The last one cannot be in brackets.
const SCALARS: [&str; 7] = ["a", "b c", "\"d, e\"", "true", "x::y", "'\"'", "f(a, b)"];
const KEYS: [&str; 5] = ["k", "dispatch", "CPU, CUDA", "\"l m\"", "n"];
const LINES: [&str; 4] = ["text", "  deeper: text", "- dash", "# no comment"];

fn tree(depth: usize, choices: &mut Choices<'_>) -> Tree {
    let count = 1 + choices.below(3);
    match choices.below(if depth == 0 { 3 } else { 6 }) {
        0 => Tree::Scalar(SCALARS[choices.below(7)]),
        1 => Tree::Flow((0..count).map(|_| SCALARS[choices.below(6)]).collect()),
        // The first line decides about the indentation.
        2 => Tree::Block((0..count).map(|at| LINES[if at == 0 { 0 } else { choices.below(4) }]).collect()),
        3 | 4 => Tree::Mapping((0..count).map(|at| (KEYS[at], entry(depth - 1, at > 0, choices))).collect()),
        _ => Tree::List((0..count).map(|at| entry(depth - 1, at > 0, choices)).collect()),
    }
}

/// The first entry of a collection may be on the line of a dash, so nothing is before it.
fn entry(depth: usize, with_lines: bool, choices: &mut Choices<'_>) -> Entry {
    let mut may = |of: usize| choices.below(of) == 1;
    let (blank, comment, trailing) = (may(4) && with_lines, may(4) && with_lines, may(4));
    Entry { tree: tree(depth, choices), blank, comment, trailing }
}

/// Prints with the layout that the choices give; the one style if they are all zero.
struct Printer<'a> {
    out: String,
    layout: Choices<'a>,
}

impl Printer<'_> {
    fn spaces(&mut self, least: usize, more: usize) {
        let count = least + self.layout.below(more + 1);
        self.out.push_str(&" ".repeat(count));
    }

    fn end_of_line(&mut self, trailing: bool) {
        if trailing {
            self.out.push_str(["  ", " ", "\t", " \t "][self.layout.below(4)]);
            self.out.push_str("# trailing");
        }
        self.spaces(0, 2);
        self.out.push('\n');
    }

    fn before(&mut self, entry: &Entry, column: usize) {
        if entry.blank {
            for _ in 0..=self.layout.below(3) {
                self.spaces(0, 2);
                self.out.push('\n');
            }
        }
        if entry.comment {
            self.out.push_str(&(" ".repeat(column) + "# comment\n"));
        }
    }

    /// Prints a collection whose first entry is where the text ends, in this column.
    fn collection(&mut self, tree: &Tree, column: usize) {
        match tree {
            Tree::Mapping(pairs) => {
                for (at, (key, entry)) in pairs.iter().enumerate() {
                    if at > 0 {
                        self.before(entry, column);
                        self.out.push_str(&" ".repeat(column));
                    }
                    let key = if self.layout.below(3) == 1 { key.replace(", ", ",") } else { (*key).to_owned() };
                    self.out.push_str(&key);
                    self.spaces(0, 1);
                    self.out.push(':');
                    self.value(entry, column, false);
                }
            }
            Tree::List(entries) => {
                for (at, entry) in entries.iter().enumerate() {
                    if at > 0 {
                        self.before(entry, column);
                        self.out.push_str(&" ".repeat(column));
                    }
                    self.out.push('-');
                    self.value(entry, column, true);
                }
            }
            _ => unreachable!("not a collection"),
        }
    }

    /// Prints the value of a key or of a dash in this column.
    fn value(&mut self, entry: &Entry, column: usize, of_dash: bool) {
        match &entry.tree {
            Tree::Scalar(text) => {
                self.spaces(1, 2);
                self.out.push_str(text);
                self.end_of_line(entry.trailing);
            }
            Tree::Flow(items) => {
                self.spaces(1, 2);
                self.out.push('[');
                for (at, item) in items.iter().enumerate() {
                    if at > 0 {
                        self.spaces(0, 1);
                        self.out.push(',');
                        // `, ` in the one style.
                        let count = [1, 2, 3][self.layout.below(3)];
                        self.out.push_str(&" ".repeat(count));
                    } else {
                        self.spaces(0, 1);
                    }
                    self.out.push_str(item);
                }
                self.spaces(0, 1);
                self.out.push(']');
                self.end_of_line(entry.trailing);
            }
            Tree::Block(lines) => {
                self.spaces(1, 2);
                self.out.push_str("|\n");
                for line in lines {
                    self.out.push_str(&(" ".repeat(column + 2) + line + "\n"));
                }
            }
            tree if of_dash => {
                let before = self.out.len();
                self.spaces(1, 2);
                let inner = column + 1 + self.out.len() - before;
                self.collection(tree, inner);
            }
            tree => {
                self.end_of_line(entry.trailing);
                let inner = match tree {
                    Tree::List(_) => column + self.layout.below(4),
                    _ => column + [2, 1, 3, 5][self.layout.below(4)],
                };
                self.out.push_str(&" ".repeat(inner));
                self.collection(tree, inner);
            }
        }
    }
}

fn printed(tree: &Tree, layout: &[u8]) -> String {
    let mut printer = Printer { out: String::new(), layout: Choices(layout.iter()) };
    let column = printer.layout.below(3);
    printer.out.push_str(&" ".repeat(column));
    printer.collection(tree, column);
    printer.out
}

proptest! {
    #[test]
    fn any_layout_has_one_form(shape in vec(any::<u8>(), 0..80), layout in vec(any::<u8>(), 0..200)) {
        let mut choices = Choices(shape.iter());
        let entries = (0..1 + choices.below(3)).map(|at| entry(3, at > 0, &mut choices)).collect();
        let tree = Tree::List(entries);
        let expected = printed(&tree, &[]);
        let text = printed(&tree, &layout);
        prop_assert_eq!(format(&expected, STYLE, None), Ok(expected.clone()));
        prop_assert_eq!(format(&text, STYLE, None), Ok(expected.clone()), "{}", text);
        let dos = |text: &str| text.replace('\n', "\r\n");
        prop_assert_eq!(format(&dos(&text), STYLE, None), Ok(dos(&expected)));
    }
}
