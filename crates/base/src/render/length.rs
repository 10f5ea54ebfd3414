//! Finds tags of templates that are too long for the engine: it reads and frees their expressions
//! by recursion, one level for each operator.
//!
//! Invariant: a template without such a tag does not exhaust the stack.

/// The maximum number of names, numbers and signs in a tag. Strings and commas do not count, so
/// lists of texts have no limit.
const TOKENS: usize = 1000;
/// The maximum number of branches of a condition, each of which is inside the one before.
const BRANCHES: usize = 200;

/// The line, from 1, and the reason.
pub(super) fn too_long(text: &str) -> Option<(usize, String)> {
    let mut branches: Vec<usize> = Vec::new();
    let mut at = 0;
    while let Some(open) = text[at..].find('{').map(|found| at + found) {
        let error = |message: String| Some((text[..open].matches('\n').count() + 1, message));
        let rest = &text[open..];
        at = open
            + match rest.as_bytes().get(1) {
                Some(b'{') => {
                    let (length, tokens) = tag(rest, "}}");
                    if tokens > TOKENS {
                        return error(format!("this tag has more than {TOKENS} names, numbers and signs"));
                    }
                    length
                }
                Some(b'%') => {
                    let (length, tokens) = tag(rest, "%}");
                    if tokens > TOKENS {
                        return error(format!("this tag has more than {TOKENS} names, numbers and signs"));
                    }
                    let words = rest[2..].trim_start_matches(['-', '+']).trim_start();
                    match words.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default() {
                        "if" => branches.push(0),
                        "endif" => drop(branches.pop()),
                        "elif" => {
                            if let Some(count) = branches.last_mut() {
                                *count += 1;
                                if *count > BRANCHES {
                                    return error(format!("this condition has more than {BRANCHES} branches"));
                                }
                            }
                        }
                        _ => {}
                    }
                    length
                }
                Some(b'#') => rest.find("#}").map_or(rest.len(), |end| end + 2),
                _ => 1,
            };
    }
    None
}

/// The length of a tag with its ends, and how many tokens count.
pub(super) fn tag(text: &str, end: &str) -> (usize, usize) {
    let (mut at, mut tokens, mut braces, mut in_word) = (2, 0, 0_usize, false);
    while let Some(c) = text[at..].chars().next() {
        if braces == 0 && text[at..].starts_with(end) {
            return (at + end.len(), tokens);
        }
        let is_word = c.is_alphanumeric() || c == '_';
        match c {
            '"' | '\'' => at += string(&text[at..], c),
            '{' => braces += 1,
            '}' => braces = braces.saturating_sub(1),
            _ => {}
        }
        if matches!(c, '"' | '\'') {
            in_word = false;
            continue;
        }
        tokens += usize::from(!c.is_whitespace() && c != ',' && !(is_word && in_word));
        in_word = is_word;
        at += c.len_utf8();
    }
    (text.len(), tokens)
}

/// The length of a string with its quotes.
pub(super) fn string(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if c == quote => return at + 1,
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::Renderer;

    /// What is just short enough compiles, in a thread with the stack of those that generate.
    #[test]
    fn tags_have_a_limit() {
        let forms: [fn(usize) -> String; 8] = [
            |n| format!("{{{{ 1{} }}}}", " + 1".repeat(n / 2)),
            |n| format!("{{{{ a{} }}}}", ".b".repeat(n / 2)),
            |n| format!("{{{{ 'a'{} }}}}", " ~ 'a'".repeat(n)),
            |n| format!("{{{{ 1{} }}}}", "|abs".repeat(n / 2)),
            |n| format!("{{{{ {}1 }}}}", "not ".repeat(n)),
            |n| format!("{{% if a{} %}}{{% endif %}}", "[0]".repeat(n / 3)),
            |n| format!("{{{{ {{1: {{2: 3}}}}{} }}}}", "()".repeat(n / 2)),
            |n| format!("{{% if 1 %}}{}{{% endif %}}", "{% elif 1 %}".repeat(n / 5)),
        ];
        for form in forms {
            let short = form(TOKENS - 20);
            assert_eq!(too_long(&short), None, "{}", &short[..40]);
            let compiled =
                || Renderer::new("").unwrap().add_template("t.j2", &short).map_err(|error| error.to_string());
            let compile = std::thread::Builder::new().stack_size(2 << 20);
            let compiled = std::thread::scope(|scope| compile.spawn_scoped(scope, compiled).unwrap().join().unwrap());
            assert!(compiled.as_ref().err().is_none_or(|error| error.contains("recursion")), "{compiled:?}");
            let long = format!("\n{}", form(TOKENS + 10));
            assert_eq!(too_long(&long).map(|(line, _)| line), Some(2), "{}", &long[..40]);
        }
        let texts = format!("{{% set all = [{}] %}}{{# {} #}}", "'a', ".repeat(5000), "+ ".repeat(5000));
        assert_eq!(too_long(&texts), None);
    }
}
