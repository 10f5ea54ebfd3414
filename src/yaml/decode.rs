//! Bytes to text: UTF-8, or UTF-16 if a byte order mark says so, as libyaml reads it.
//!
//! Invariant: the text has no byte order mark at its start. Deliberately absent: control characters, which the parser reports with
//! their places.

use crate::diag::{Diagnostic, codes};

/// The text of a file's bytes. `path` is for the diagnostic only.
pub(crate) fn decode(path: &str, bytes: Vec<u8>) -> Result<String, Diagnostic> {
    let text = match bytes.as_slice() {
        [0xff, 0xfe, rest @ ..] => utf16(path, rest, u16::from_le_bytes)?,
        [0xfe, 0xff, rest @ ..] => utf16(path, rest, u16::from_be_bytes)?,
        [0xef, 0xbb, 0xbf, ..] => utf8(path, bytes[3..].to_vec())?,
        _ => utf8(path, bytes)?,
    };
    if u32::try_from(text.len()).is_err() {
        return Err(Diagnostic::new(&codes::YAML_LIMIT, format!("`{path}` is larger than 4 GiB")));
    }
    Ok(text)
}

fn utf8(path: &str, bytes: Vec<u8>) -> Result<String, Diagnostic> {
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        let before = &error.as_bytes()[..at];
        let line = memchr::memchr_iter(b'\n', before).count() + 1;
        let byte = error.as_bytes().get(at).copied().unwrap_or(0);
        Diagnostic::new(&codes::YAML_ENCODING, format!("`{path}` is not UTF-8: byte 0x{byte:02x} in line {line}"))
            .help("save the file as UTF-8")
    })
}

fn utf16(path: &str, bytes: &[u8], unit: fn([u8; 2]) -> u16) -> Result<String, Diagnostic> {
    let fault =
        || Diagnostic::new(&codes::YAML_ENCODING, format!("`{path}` is not UTF-16, as its byte order mark says"));
    if !bytes.len().is_multiple_of(2) {
        return Err(fault());
    }
    let units = bytes.chunks_exact(2).map(|pair| unit([pair[0], pair[1]]));
    char::decode_utf16(units).collect::<Result<String, _>>().map_err(|_| fault().help("save the file as UTF-8"))
}
