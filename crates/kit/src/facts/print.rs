//! Facts as lines of JSON, and the JSON Schema of a line.
//!
//! Invariant: things are serialized in parallel, and written in their order.

use rayon::iter::{IntoParallelRefIterator, ParallelExtend, ParallelIterator};
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde::Serialize;

use super::{Header, Thing};

/// Lines of JSON, the header first.
#[derive(Debug, Default)]
pub struct Lines(Vec<Vec<u8>>);

impl Lines {
    /// The lines of a header and its things.
    pub fn of<F: Serialize + Sync>(header: &Header, things: &[Thing<F>]) -> Lines {
        let mut lines = vec![line(header)];
        lines.par_extend(things.par_iter().map(line));
        Lines(lines)
    }

    /// The lines as one text.
    pub fn text(&self) -> String {
        String::from_utf8(self.0.concat()).expect("JSON is text")
    }
}

/// An object as a line of JSON.
pub fn line_of<T: Serialize + ?Sized>(object: &T) -> String {
    String::from_utf8(line(object)).expect("JSON is text")
}

fn line<T: Serialize + ?Sized>(object: &T) -> Vec<u8> {
    let mut line = serde_json::to_vec(object).expect("keys are strings and numbers are finite");
    line.push(b'\n');
    line
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
