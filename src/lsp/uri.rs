//! Paths of files as the protocol names them.
//!
//! Invariant: `path_of(uri_of(path))` is the path, for absolute paths.

use std::path::{Path, PathBuf};

use gen_lsp_types::Uri;

/// What URIs of files begin with.
const SCHEME: &str = "file:";

/// The path of a `file:` URI.
pub(super) fn path_of(uri: &Uri) -> Option<PathBuf> {
    let rest = uri.as_ref().strip_prefix(SCHEME)?.strip_prefix('/')?.strip_prefix('/')?;
    let path = &rest[rest.find('/')?..];
    let bytes = path.as_bytes();
    let mut decoded = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let code = (bytes[at] == b'%').then(|| path.get(at + 1..at + 3)).flatten();
        match code.and_then(|code| u8::from_str_radix(code, 16).ok()) {
            Some(byte) => {
                decoded.push(byte);
                at += 3;
            }
            None => {
                decoded.push(bytes[at]);
                at += 1;
            }
        }
    }
    let path = String::from_utf8(decoded).ok()?;
    // `/c:/ops` on Windows.
    let has_drive = cfg!(windows) && path.as_bytes().get(2) == Some(&b':');
    Some(PathBuf::from(if has_drive { &path[1..] } else { &path }))
}

/// The URI of an absolute path.
pub(super) fn uri_of(path: &Path) -> Option<Uri> {
    let text = path.to_str()?;
    let text = if cfg!(windows) { format!("/{}", text.replace('\\', "/")) } else { text.to_owned() };
    let mut uri = format!("{SCHEME}{0}{0}", '/');
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'.' | b'_' | b'~' => uri.push(char::from(byte)),
            _ => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    Some(uri.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_and_uris() {
        for path in ["/a/b c/é%20.yaml", "/x"] {
            let uri = uri_of(Path::new(path)).expect("an absolute path");
            assert_eq!(path_of(&uri).as_deref(), Some(Path::new(path)), "{}", uri);
        }
        assert!(path_of(&"file:///a%3Ab/%zz".into()).is_some());
        assert_eq!(path_of(&"untitled:Untitled-1".into()), None);
    }
}
