//! JSON as Python's `json.dumps` writes it, which one string of a selective-build file holds.
//!
//! Invariant: there is a space after commas and colons, and the text is ASCII.

use std::io::{Result, Write};

use serde::Serialize;
use serde_json::ser::Formatter;

struct Python;

impl Formatter for Python {
    fn begin_array_value<W: ?Sized + Write>(&mut self, writer: &mut W, first: bool) -> Result<()> {
        if first { Ok(()) } else { writer.write_all(b", ") }
    }

    fn begin_object_key<W: ?Sized + Write>(&mut self, writer: &mut W, first: bool) -> Result<()> {
        if first { Ok(()) } else { writer.write_all(b", ") }
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, writer: &mut W) -> Result<()> {
        writer.write_all(b": ")
    }

    fn write_string_fragment<W: ?Sized + Write>(&mut self, writer: &mut W, fragment: &str) -> Result<()> {
        for c in fragment.chars() {
            if c.is_ascii() {
                write!(writer, "{c}")?;
                continue;
            }
            for unit in c.encode_utf16(&mut [0; 2]) {
                write!(writer, "\\u{unit:04x}")?;
            }
        }
        Ok(())
    }
}

/// A value in one line.
pub(super) fn dumps(value: &impl Serialize) -> String {
    let mut bytes = Vec::new();
    let mut serializer = serde_json::Serializer::with_formatter(&mut bytes, Python);
    match value.serialize(&mut serializer) {
        Ok(()) => String::from_utf8(bytes).unwrap_or_default(),
        // Only maps with keys that are no strings fail.
        Err(_) => String::new(),
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn as_python_has_it() {
        let value = serde_json::json!({"a": ["é", "x\"y"], "b": {}});
        assert_eq!(super::dumps(&value), r#"{"a": ["\u00e9", "x\"y"], "b": {}}"#);
    }
}
