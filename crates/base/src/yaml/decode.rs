//! Decodes bytes as libyaml does: UTF-8, or UTF-16 with a byte order mark.
//!
//! Invariant: the text does not start with a byte order mark. The parser reports control
//! characters.

use crate::diag::{Diagnostic, Diagnostics, Sources, Span, codes};

/// Why bytes are not text.
#[derive(Debug)]
pub struct Undecodable {
    /// The error, without a place.
    diagnostic: Diagnostic,
    /// The text with U+FFFD for undecodable bytes, and the offset of the first one.
    shown: Option<(String, usize)>,
}

impl Undecodable {
    /// Reports it, at its place in the file.
    pub fn report(self, path: &str, sources: &mut Sources, diagnostics: &mut Diagnostics) {
        let Undecodable { diagnostic, shown } = self;
        diagnostics.push(match shown {
            Some((text, at)) => {
                let end = at + text.get(at..).and_then(|rest| rest.chars().next()).map_or(0, char::len_utf8);
                diagnostic.at(Span::new(sources.add(path, text), at, end))
            }
            None => diagnostic,
        });
    }
}

/// The text of a file's bytes. `path` is for the diagnostic only.
///
/// # Errors
/// The bytes are not text, or there are too many.
pub fn decode(path: &str, bytes: Vec<u8>) -> Result<String, Box<Undecodable>> {
    let text = match bytes.as_slice() {
        [0xff, 0xfe, rest @ ..] => utf16(path, rest, u16::from_le_bytes)?,
        [0xfe, 0xff, rest @ ..] => utf16(path, rest, u16::from_be_bytes)?,
        [0xef, 0xbb, 0xbf, ..] => utf8(path, bytes[3..].to_vec())?,
        _ => utf8(path, bytes)?,
    };
    if u32::try_from(text.len()).is_err() {
        let diagnostic = Diagnostic::new(&codes::YAML_LIMIT, format!("`{path}` is larger than 4 GiB"));
        return Err(Box::new(Undecodable { diagnostic, shown: None }));
    }
    Ok(text)
}

/// The bytes of a text in the encoding of other bytes, with their byte order mark if they have one.
pub fn encode_as(bytes: &[u8], text: &str) -> Vec<u8> {
    let mark = match bytes {
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => &bytes[..2],
        [0xef, 0xbb, 0xbf, ..] => &bytes[..3],
        _ => &[],
    };
    [mark, &encode_like(bytes, text)].concat()
}

/// The bytes of a text in the encoding that other bytes begin with, without a byte order mark.
pub fn encode_like(bytes: &[u8], text: &str) -> Vec<u8> {
    match bytes {
        [0xff, 0xfe, ..] => text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
        [0xfe, 0xff, ..] => text.encode_utf16().flat_map(u16::to_be_bytes).collect(),
        _ => text.as_bytes().to_owned(),
    }
}

fn utf8(path: &str, bytes: Vec<u8>) -> Result<String, Box<Undecodable>> {
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        let byte = error.as_bytes().get(at).copied().unwrap_or(0);
        let diagnostic =
            Diagnostic::new(&codes::YAML_ENCODING, format!("`{path}` is not UTF-8: byte 0x{byte:02x}")).help(SAVE);
        let shown = String::from_utf8_lossy(error.as_bytes()).into_owned();
        Box::new(Undecodable { diagnostic, shown: Some((shown, at)) })
    })
}

const SAVE: &str = "save the file as UTF-8";

fn utf16(path: &str, bytes: &[u8], unit: fn([u8; 2]) -> u16) -> Result<String, Box<Undecodable>> {
    let units = bytes.chunks_exact(2).map(|pair| unit([pair[0], pair[1]]));
    let mut text = String::with_capacity(bytes.len() / 2);
    let mut wrong = None;
    for unit in char::decode_utf16(units) {
        if unit.is_err() {
            wrong = wrong.or(Some(text.len()));
        }
        text.push(unit.unwrap_or(char::REPLACEMENT_CHARACTER));
    }
    if !bytes.len().is_multiple_of(2) {
        wrong = wrong.or(Some(text.len()));
        text.push(char::REPLACEMENT_CHARACTER);
    }
    let Some(at) = wrong else { return Ok(text) };
    let message = format!("`{path}` starts with a UTF-16 byte order mark, but is not UTF-16");
    let diagnostic = Diagnostic::new(&codes::YAML_ENCODING, message).help(SAVE);
    Err(Box::new(Undecodable { diagnostic, shown: Some((text, at)) }))
}
