//! A site about what sources declare, as data: pages with text, tables and pictures. The module
//! `pages` of the driver makes files of it.
//!
//! [`things`] makes a site of a family's facts, to which the family adds what only it knows;
//! [`hierarchy`] draws classes, and [`text`] takes the texts of authors apart. Invariant: what
//! authors wrote is text, never markup; a page is named by its path below the site, without an
//! ending, and no two paths differ in case alone.

mod hierarchy;
#[cfg(test)]
mod tests;
mod text;
mod things;

use serde::Serialize;

pub use hierarchy::{Class, page_of_classes};
pub use text::{Block, Piece, blocks, pieces, summary};
pub use things::Targets;

use crate::picture::Picture;

/// What all pages of a site share.
#[derive(Debug, Clone, Serialize)]
pub struct Frame {
    /// What the site is about.
    pub site: String,
    /// The version of the program.
    program: &'static str,
    /// The way from the page to the first one: empty, or `../`.
    root: &'static str,
}

impl Frame {
    /// That of a page of this path.
    pub fn new(site: &str, path: &str) -> Frame {
        let root = if path.contains('/') { "../" } else { "" };
        Frame { site: site.to_owned(), program: env!("CARGO_PKG_VERSION"), root }
    }
}

/// A site.
#[derive(Debug)]
pub struct Site {
    /// What it is about.
    pub name: String,
    /// The first page.
    pub index: Page,
    /// The pages that the first one lists, and that a search finds.
    pub pages: Vec<Page>,
    /// The pages that every page leads to.
    pub more: Vec<Page>,
}

/// A page.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Page {
    /// Its path below the site, without an ending: `node/Add`.
    pub path: String,
    /// Its heading.
    pub title: String,
    /// What it is about: `node`. Of a page that all lead to, the text of these links.
    pub kind: String,
    /// The first sentence of its text, for lists.
    summary: Vec<Piece>,
    /// What a search finds it by, in lower case.
    words: String,
    text: Vec<Block>,
    sections: Vec<Section>,
}

/// A part of a page with a heading.
#[derive(Debug, Clone, Serialize)]
struct Section {
    /// Nothing for what follows the heading of the page.
    title: String,
    /// Its place in links.
    anchor: String,
    parts: Vec<Part>,
}

/// A part of a section.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Part {
    /// Paragraphs.
    Text(Vec<Block>),
    /// Lines of code.
    Code(String),
    /// Names, and what they have.
    Facts(Vec<(String, Vec<Piece>)>),
    /// Items.
    List(Vec<Vec<Piece>>),
    /// A table.
    Table(Table),
    /// Pictures beside each other.
    Figures(Vec<Figure>),
}

/// A table. Its first column names the rows.
#[derive(Debug, Clone, Serialize)]
pub struct Table {
    /// What it shows.
    pub caption: String,
    /// Its columns.
    pub columns: Vec<Column>,
    /// Its rows; each has as many cells as there are columns.
    pub rows: Vec<Vec<Vec<Piece>>>,
    /// Whether a reader can sort and filter it.
    pub sorts: bool,
}

/// A column.
#[derive(Debug, Clone, Serialize)]
pub struct Column {
    /// Its heading.
    pub title: &'static str,
    /// Whether a list of its values leaves rows out.
    pub choose: bool,
}

/// A picture with a caption.
#[derive(Debug, Clone, Serialize)]
pub struct Figure {
    /// What it shows.
    title: String,
    picture: Picture,
    /// The name of its file, where pages do not contain pictures.
    file: String,
}

/// The folder of pictures.
const PICTURES: &str = "pictures/";

impl Figure {
    /// A picture with this caption.
    pub fn new(title: impl Into<String>, picture: Picture) -> Figure {
        Figure { title: title.into(), picture, file: String::new() }
    }

    /// A picture that several pages have, and a name that no other one has.
    pub fn shared(name: &str, title: impl Into<String>, picture: Picture) -> Figure {
        Figure { file: format!("{PICTURES}{name}.svg"), ..Figure::new(title, picture) }
    }

    /// The name of its file below the site.
    pub(crate) fn file(&self) -> &str {
        &self.file
    }
}

impl Table {
    /// A table that is only read.
    pub fn plain(caption: &str, titles: &[&'static str], rows: Vec<Vec<Vec<Piece>>>) -> Table {
        let columns = titles.iter().map(|title| Column { title, choose: false }).collect();
        Table { caption: caption.to_owned(), columns, rows, sorts: false }
    }
}

impl Page {
    /// A page without text.
    pub fn new(path: &str, title: &str, kind: &str) -> Page {
        Page { path: path.to_owned(), title: title.to_owned(), kind: kind.to_owned(), ..Page::default() }
    }

    /// Adds paragraphs, and the first sentence to lists.
    pub fn describe(&mut self, doc: &str) {
        self.summary = summary(doc);
        self.text = blocks(doc);
    }

    /// Adds words that a search finds it by.
    pub fn find_by<'w>(&mut self, words: impl Iterator<Item = &'w str>) {
        for word in words {
            let word = word.to_lowercase();
            if !self.words.split(' ').any(|known| known == word) {
                self.words += if self.words.is_empty() { "" } else { " " };
                self.words += &word;
            }
        }
    }

    /// Adds a section, unless it has no parts. A section without a title belongs to the heading of
    /// the page.
    pub fn add(&mut self, title: &str, anchor: &str, mut parts: Vec<Part>) {
        if parts.is_empty() {
            return;
        }
        let mut count = self.figures().count();
        for figure in parts.iter_mut().filter_map(Part::figures_mut).flatten() {
            count += 1;
            if figure.file.is_empty() {
                figure.file = format!("{PICTURES}{}-{count}.svg", self.path.replace('/', "."));
            }
        }
        self.sections.push(Section { title: title.to_owned(), anchor: anchor.to_owned(), parts });
    }

    /// Its pictures, in order.
    pub(crate) fn figures(&self) -> impl Iterator<Item = &Figure> {
        let parts = self.sections.iter().flat_map(|section| &section.parts);
        parts.filter_map(|part| if let Part::Figures(figures) = part { Some(figures) } else { None }).flatten()
    }
}

impl Part {
    fn figures_mut(&mut self) -> Option<&mut Vec<Figure>> {
        if let Part::Figures(figures) = self { Some(figures) } else { None }
    }
}

impl Site {
    /// The page of a thing.
    pub fn page(&mut self, kind: &str, name: &str) -> Option<&mut Page> {
        self.pages.iter_mut().find(|page| page.kind == kind && page.title == name)
    }

    /// A link to the page of a thing, or its name if it has none.
    pub fn link(&self, kind: &str, name: &str) -> Piece {
        let found = self.pages.iter().find(|page| page.kind == kind && page.title == name);
        found.map_or_else(|| Piece::code(name), |page| Piece::link(name, &page.path, ""))
    }

    /// All its pages, the first one first.
    pub(crate) fn all_pages(&self) -> impl Iterator<Item = &Page> {
        std::iter::once(&self.index).chain(&self.more).chain(&self.pages)
    }
}
