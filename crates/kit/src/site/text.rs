//! Texts of authors, taken apart for pages: paragraphs, code, and words in backticks.
//!
//! Invariant: no markup of an author is passed on. What is not code is text.

use serde::Serialize;

/// A part of a doc.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Block {
    /// A paragraph.
    Text(Vec<Piece>),
    /// Lines of code.
    Code(String),
}

/// A part of a paragraph.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Piece {
    code: bool,
    text: String,
    /// Where it leads to.
    #[serde(skip_serializing_if = "Option::is_none")]
    to: Option<Target>,
}

/// A place in a site.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct Target {
    /// The path of a page, without an ending.
    page: String,
    /// A section of it, if this is not empty.
    anchor: String,
}

impl Piece {
    /// Text.
    pub fn text(text: &str) -> Piece {
        Piece { code: false, text: text.to_owned(), to: None }
    }

    /// Code in a line.
    pub fn code(text: &str) -> Piece {
        Piece { code: true, ..Piece::text(text) }
    }

    /// Code that leads to a page, or to a section of it.
    pub fn link(text: &str, page: &str, anchor: &str) -> Piece {
        Piece { to: Some(Target { page: page.to_owned(), anchor: anchor.to_owned() }), ..Piece::code(text) }
    }
}

/// The parts of a doc. Code is between lines of three backticks, is indented, or begins with `>>>`.
pub fn blocks(doc: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut lines: Vec<&str> = Vec::new();
    let mut fenced = false;
    let finish = |lines: &mut Vec<&str>, is_code: bool, blocks: &mut Vec<Block>| {
        let text = lines.join("\n");
        lines.clear();
        if text.trim().is_empty() {
            return;
        }
        let looks_like_code = text.lines().all(|line| line.starts_with("    ")) || text.starts_with(">>>");
        blocks.push(match is_code || looks_like_code {
            true => Block::Code(text),
            false => Block::Text(pieces(&text)),
        });
    };
    for line in doc.lines() {
        let is_fence = line.trim_start().starts_with("```");
        if is_fence || (line.trim().is_empty() && !fenced) {
            finish(&mut lines, fenced, &mut blocks);
            fenced ^= is_fence;
        } else {
            lines.push(line);
        }
    }
    finish(&mut lines, fenced, &mut blocks);
    blocks
}

/// The parts of a paragraph. A backtick without another one is text.
pub fn pieces(text: &str) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = Vec::new();
    let mut rest = text;
    while let Some((before, (code, after))) =
        rest.split_once('`').and_then(|(before, rest)| Some((before, rest.split_once('`')?)))
    {
        pieces.push(Piece::text(before));
        pieces.push(Piece::code(code.trim_matches('`')));
        rest = after;
    }
    pieces.push(Piece::text(rest));
    pieces.retain(|piece| !piece.text.is_empty());
    pieces
}

/// The first sentence of a doc, for lists.
pub fn summary(doc: &str) -> Vec<Piece> {
    let paragraph = doc.trim_start().split("\n\n").next().unwrap_or_default();
    let text = paragraph.split_whitespace().collect::<Vec<_>>().join(" ");
    let end = text.find(". ").map_or(text.len(), |at| at + 1);
    pieces(&text[..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(blocks: &[Block]) -> String {
        let piece = |piece: &Piece| if piece.code { format!("[{}]", piece.text) } else { piece.text.clone() };
        let block = |block: &Block| match block {
            Block::Text(pieces) => pieces.iter().map(piece).collect(),
            Block::Code(text) => format!("{{{text}}}"),
        };
        blocks.iter().map(block).collect::<Vec<String>>().join("|")
    }

    #[test]
    fn docs_have_text_and_code() {
        for (doc, expected) in [
            ("", ""),
            ("Adds `a` to `b`.", "Adds [a] to [b]."),
            ("One `two", "One `two"),
            ("One\ntwo\n\nthree", "One\ntwo|three"),
            ("Text\n```python\nx = `1`\n\ny\n```\nmore", "Text|{x = `1`\n\ny}|more"),
            (">>> f(1)\n2", "{>>> f(1)\n2}"),
            ("Text\n\n    code\n    code", "Text|{    code\n    code}"),
            ("```\nnever closed", "{never closed}"),
        ] {
            assert_eq!(shown(&blocks(doc)), expected, "{doc:?}");
        }
        assert_eq!(shown(&[Block::Text(summary("One `a.b`. Two\n\nThree."))]), "One [a.b].");
    }
}
