//! Pictures of graphs: boxes with lines of text, and arrows between them. Templates write them as
//! SVG with `kit/graph.svg.j2`; `kit/graph.dot.j2` writes a graph for Graphviz.
//!
//! Invariant: all coordinates are whole numbers that follow from the graph alone, so that a picture
//! is the same on each machine. Layout crates that were looked at do not say where an arrow bends,
//! or use floating-point numbers and random hashes.

mod layout;
#[cfg(test)]
mod tests;

use serde::Serialize;

/// A graph whose arrows point down.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Graph {
    boxes: Vec<Box>,
    /// From the upper to the lower box, by their numbers.
    arrows: Vec<(usize, usize)>,
}

/// What a box looks like.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Look {
    /// A rectangle.
    Node,
    /// A rectangle that has round corners.
    Leaf,
    /// Text alone.
    Word,
}

#[derive(Debug, Clone, Serialize)]
struct Box {
    look: Look,
    lines: Vec<String>,
}

/// A picture: what the template `kit/graph.svg.j2` takes. Lengths are in pixels of a screen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Picture {
    width: i32,
    height: i32,
    boxes: Vec<PlacedBox>,
    arrows: Vec<Arrow>,
    /// Phrases for a reader who does not see it.
    words: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct PlacedBox {
    look: Look,
    x: i32,
    y: i32,
    width: i32,
    height: i32,
    /// The middle, for text.
    middle: i32,
    lines: Vec<PlacedLine>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct PlacedLine {
    y: i32,
    text: String,
}

/// A line through points, which is smooth where it bends.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct Arrow {
    parts: Vec<ArrowPart>,
}

/// From a point to a lower one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct ArrowPart {
    from: (i32, i32),
    to: (i32, i32),
    /// The height of both points that the curve is drawn to.
    half: i32,
}

impl Graph {
    /// Adds a box with these lines of text. Returns its number.
    pub fn add(&mut self, look: Look, lines: Vec<String>) -> usize {
        self.boxes.push(Box { look, lines });
        self.boxes.len() - 1
    }

    /// Adds a line to the text of a box.
    ///
    /// # Panics
    /// If there is no such box.
    pub fn add_line(&mut self, number: usize, line: String) {
        self.boxes[number].lines.push(line);
    }

    /// Adds an arrow between two boxes. Those into a box are drawn from left to right in the order
    /// in which they were added.
    ///
    /// # Panics
    /// If there is no such box.
    pub fn connect(&mut self, from: usize, to: usize) {
        assert!(from.max(to) < self.boxes.len(), "an arrow joins boxes that there are");
        self.arrows.push((from, to));
    }

    /// The picture. `words` are phrases for a reader who does not see it.
    pub fn picture(&self, words: Vec<String>) -> Picture {
        layout::place(self, words)
    }
}
