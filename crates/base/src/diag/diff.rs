//! Differences between two texts, short enough for a note.
//!
//! Line ends are not compared; differences within a line are not marked.

use similar::TextDiff;

/// The lines that differ, with one line of context, as a unified diff of at most `limit` lines;
/// `None` if there are none.
pub fn unified_diff(old: &str, new: &str, limit: usize) -> Option<String> {
    let plain = |text: &str| text.replace("\r\n", "\n").replace('\r', "\n");
    let (old, new) = (plain(old), plain(new));
    if old == new {
        return None;
    }
    let diff = TextDiff::from_lines(&old, &new);
    let text =
        diff.unified_diff().context_radius(1).missing_newline_hint(true).header("existing", "generated").to_string();
    let lines: Vec<&str> = text.lines().collect();
    let mut shown = lines[..lines.len().min(limit)].join("\n");
    if lines.len() > limit {
        shown.push_str(&format!("\n… and {} more lines", lines.len() - limit));
    }
    Some(shown)
}

/// The difference of two texts of a file as a patch, with three lines of context; empty if there is
/// none.
pub fn patch(path: &str, old: &str, new: &str) -> String {
    let diff = TextDiff::from_lines(old, new);
    diff.unified_diff().missing_newline_hint(true).header(path, path).to_string()
}

#[cfg(test)]
mod tests {
    use super::{patch, unified_diff};

    fn check(old: &str, new: &str, limit: usize, expected: Option<&str>) {
        assert_eq!(unified_diff(old, new, limit).as_deref(), expected);
    }

    #[test]
    fn differences() {
        check("a\r\nb\n", "a\nb\n", 9, None);
        check("a\nb\nc\nd\n", "a\nb\nx\nd\n", 9, Some("--- existing\n+++ generated\n@@ -2,3 +2,3 @@\n b\n-c\n+x\n d"));
        assert_eq!(patch("x", "a\r\nb\n", "a\nb\n"), "--- x\n+++ x\n@@ -1,2 +1,2 @@\n-a\r\n+a\n b\n");
        assert_eq!(patch("x", "a", "a"), "");
        check("", "a\nb\n", 4, Some("--- existing\n+++ generated\n@@ -0,0 +1,2 @@\n+a\n… and 1 more lines"));
    }
}
