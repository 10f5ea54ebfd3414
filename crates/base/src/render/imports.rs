//! Checks what the engine's compiler assumes: that an `import` gives the template a name.
//!
//! `{% import "x" as 1 %}` makes minijinja 3.0 panic, so such a template is refused before the
//! engine compiles it. Invariant: an accepted text has no such statement. The engine checks all
//! other syntax. A statement in a comment or raw block is refused too.

use crate::lang::is_word;

/// Words that are values, not names.
const VALUES: [&str; 6] = ["true", "false", "none", "True", "False", "None"];

/// The line, from 1, of the first import that gives no name.
pub(super) fn nameless_import(text: &str) -> Option<usize> {
    let mut from = 0;
    while let Some(found) = text[from..].find("{%") {
        let start = from + found + 2;
        let body = text[start..].trim_start_matches(['-', '+']).trim_start();
        from = start;
        let Some(rest) = body.strip_prefix("import").filter(|rest| !rest.starts_with(is_word)) else { continue };
        if !imports_a_name(statement(rest)) {
            return Some(1 + text[..start].matches('\n').count());
        }
    }
    None
}

/// The rest of the statement, with its strings emptied.
fn statement(text: &str) -> String {
    let mut out = String::new();
    let mut quote = None;
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match quote {
            Some(_) if c == '\\' => drop(chars.next()),
            Some(open) if c == open => quote = None,
            Some(_) => {}
            None if matches!(c, '"' | '\'') => {
                quote = Some(c);
                out.push('"');
            }
            None if c == '%' && chars.as_str().starts_with('}') => break,
            None => out.push(c),
        }
    }
    out
}

/// Whether the import has a name, or lacks one in a way that the engine reports itself.
fn imports_a_name(statement: String) -> bool {
    let statement = statement.trim().trim_end_matches(['-', '+']);
    // In an expression the word can only be an attribute, and then the last one counts.
    let after = |at: usize| statement[at + 2..].chars().next().is_none_or(|c| !is_word(c));
    let before = |at: usize| statement[..at].chars().next_back().is_none_or(|c| !is_word(c));
    let places = statement.match_indices("as").map(|(at, _)| at).filter(|&at| before(at) && after(at));
    let mut names = places.map(|at| statement[at + 2..].trim()).peekable();
    if names.peek().is_none() {
        return true;
    }
    names.all(|name| {
        let name = name.strip_suffix("context").map_or(name, |name| {
            let name = name.trim_end();
            name.strip_suffix("without").or_else(|| name.strip_suffix("with")).unwrap_or(name).trim_end()
        });
        !name.is_empty() && name.chars().all(is_word) && !name.starts_with(char::is_numeric) && !VALUES.contains(&name)
    })
}

#[cfg(test)]
mod tests {
    use super::nameless_import;

    #[test]
    fn imports() {
        for (text, line) in [
            ("{% import 'a' as b %}{% import \"x\" as c with context %}", None),
            ("{%- import 'as 1' as b without context -%}", None),
            ("{% importx as 1 %}{{ import }} as 1", None),
            ("{% import 'a' %}", None),
            ("\n{% import 'a' as () %}", Some(2)),
            ("{% import 'a' as 1 %}", Some(1)),
            ("{% import 'a' as true %}", Some(1)),
            ("{% import 'a' as b if c %}", Some(1)),
            ("{%+import 'a %}' as b|f %}", Some(1)),
            ("{% import a as b as c %}", Some(1)),
            ("{% import 'a' as 'b", Some(1)),
        ] {
            assert_eq!(nameless_import(text), line, "{text}");
        }
    }
}
