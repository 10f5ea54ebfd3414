//! Facts as lines of JSON, and the JSON Schema of a line.
//!
//! Invariant: things are serialized in parallel, and written in their order.

use rayon::iter::ParallelIterator;
use rayon::slice::ParallelSlice;
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde::Serialize;

use super::{Header, Thing};

/// Lines of JSON, the header first.
#[derive(Debug, Default)]
pub struct Lines(Vec<String>);

/// How many things make one piece of the text.
pub const PIECE: usize = 32;

/// About as many bytes as a piece has. A buffer that grows to them is copied several times.
const BYTES: usize = 1 << 18;

impl Lines {
    /// The lines of a header and its things.
    pub fn from_things<F: Serialize + Sync>(header: &Header, things: &[Thing<F>]) -> Lines {
        Lines::new(header, things.par_chunks(PIECE).map(lines_of).collect())
    }

    /// The lines of a header, and those that [`lines_of`] made of its things.
    pub fn new(header: &Header, mut things: Vec<String>) -> Lines {
        things.insert(0, line_of(header));
        Lines(things)
    }

    /// The lines in pieces, in order; each ends in a line break.
    pub fn pieces(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(String::as_str)
    }

    /// The pieces themselves.
    pub fn into_pieces(self) -> Vec<String> {
        self.0
    }

    /// The lines as one text.
    pub fn text(&self) -> String {
        self.0.concat()
    }
}

/// An object as a line of JSON.
pub fn line_of<T: Serialize + ?Sized>(object: &T) -> String {
    let mut line = Vec::new();
    add_line(&mut line, object);
    String::from_utf8(line).expect("JSON is text")
}

/// Objects as lines of JSON: some [`PIECE`] of them.
pub fn lines_of<T: Serialize>(objects: impl IntoIterator<Item = T>) -> String {
    let mut lines = Vec::with_capacity(BYTES);
    objects.into_iter().for_each(|object| add_line(&mut lines, &object));
    String::from_utf8(lines).expect("JSON is text")
}

fn add_line<T: Serialize + ?Sized>(lines: &mut Vec<u8>, object: &T) {
    serde_json::to_writer(&mut *lines, object).expect("keys are strings and numbers are finite");
    lines.push(b'\n');
}

/// Whether a name, with or without its namespace and its overload, is meant by a word.
pub fn is_named(name: &str, word: &str) -> bool {
    let own = name.rsplit("::").next().unwrap_or(name);
    let base = |name: &str| name.split_once('.').map_or(name.len(), |(base, _)| base.len());
    [name, own].into_iter().any(|name| name == word || &name[..base(name)] == word)
}

/// The JSON Schema of a line whose things have these facts. The text ends in a line break.
pub fn schema_of<L: JsonSchema>() -> String {
    let schema = SchemaSettings::draft2020_12().for_serialize().into_generator().into_root_schema_for::<L>();
    let mut text = serde_json::to_string_pretty(&schema).expect("a schema is JSON");
    text.push('\n');
    text
}
