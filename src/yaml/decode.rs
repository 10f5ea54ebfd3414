//! Decodes bytes as libyaml does: UTF-8, or UTF-16 with a byte order mark.
//!
//! Invariant: the text does not start with a byte order mark. The parser reports control characters.

use crate::diag::{Diagnostic, codes};

/// Decodes a file. `path` is for diagnostics only.
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
    let fault = || {
        Diagnostic::new(
            &codes::YAML_ENCODING,
            format!("`{path}` starts with a UTF-16 byte order mark, but is not UTF-16"),
        )
    };
    if !bytes.len().is_multiple_of(2) {
        return Err(fault());
    }
    let units = bytes.chunks_exact(2).map(|pair| unit([pair[0], pair[1]]));
    char::decode_utf16(units).collect::<Result<String, _>>().map_err(|_| fault().help("save the file as UTF-8"))
}
