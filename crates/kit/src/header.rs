//! Headers that authors name, as an `#include` takes them.
//!
//! Invariant: an accepted header ends neither its quotes nor its line.

use torchgen_base::diag::{Diagnostic, Diagnostics, codes};
use torchgen_base::yaml::Text;

/// What follows `#include`: `"name.h"` for a bare name, or what has quotes or angle brackets.
/// `None` if it cannot be included, which is reported.
pub fn included(header: &Text, diagnostics: &mut Diagnostics) -> Option<String> {
    let spelled = spelled(header);
    if spelled.is_none() {
        let help = "write a path, `acme/api.h`, or a path in angle brackets, `<acme/api.h>`";
        let message = format!("`{header}` cannot be the name of a header");
        diagnostics.push(Diagnostic::new(&codes::BAD_HEADER, message).at(header.span()).help(help));
    }
    spelled
}

fn spelled(header: &str) -> Option<String> {
    let quoted = |open, close| header.strip_prefix(open).and_then(|rest: &str| rest.strip_suffix(close));
    let (path, spelled) = match (quoted('<', '>'), quoted('"', '"')) {
        (Some(path), _) | (_, Some(path)) => (path, header.to_owned()),
        _ => (header, format!("\"{header}\"")),
    };
    let is_path = |c: char| !c.is_control() && !matches!(c, '"' | '<' | '>' | '\\' | '\u{2028}' | '\u{2029}');
    let is_plain = !path.contains("//") && !path.contains("/*") && !path.contains("??");
    (!path.trim().is_empty() && path.trim() == path && is_plain && path.chars().all(is_path)).then_some(spelled)
}

#[cfg(test)]
mod tests {
    use super::spelled;

    #[test]
    fn headers() {
        for (header, expected) in [
            ("a/b.h", "\"a/b.h\""),
            ("<vector>", "<vector>"),
            ("\"x.h\"", "\"x.h\""),
            ("../my file+.hpp", "\"../my file+.hpp\""),
        ] {
            assert_eq!(spelled(header).as_deref(), Some(expected));
        }
        for header in
            ["", " ", "a\n#error", "a\\", "<a", "a\"b", "<a>b>", "\"a\"; \"", "a/*", "//a", "a\r", "\"", "a??/"]
        {
            assert_eq!(spelled(header), None, "{header:?}");
        }
    }
}
