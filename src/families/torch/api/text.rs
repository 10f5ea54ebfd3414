//! The few C++ expressions that need braces or statements inside, taken from `templates/torch/api/` and filled in by name.
//!
//! Invariant: a template is split at its placeholders once. It is valid minijinja, of which only `{{ name }}`, with or without whitespace
//! control, is understood here: expressions are made by the ten thousand, and the engine's general machinery would show.
//! Deliberately absent: loops and conditions.

/// A template, split at its placeholders.
pub(super) struct Text {
    parts: Vec<Part>,
}

enum Part {
    Literal(String),
    Hole(&'static str),
}

impl Text {
    /// Splits a template. One newline at its end is not part of it.
    pub(super) fn new(source: &'static str) -> Text {
        let mut rest = source.strip_suffix('\n').unwrap_or(source);
        let mut parts = Vec::new();
        while let Some((before, inside, after)) = first_hole(rest) {
            let before = if inside.starts_with('-') { before.trim_end() } else { before };
            parts.push(Part::Literal(before.to_owned()));
            parts.push(Part::Hole(inside.trim_matches('-').trim()));
            rest = if inside.ends_with('-') { after.trim_start() } else { after };
        }
        parts.push(Part::Literal(rest.to_owned()));
        Text { parts }
    }

    /// The template with its placeholders replaced. A placeholder without a value is left out.
    pub(super) fn fill(&self, values: &[(&str, &str)]) -> String {
        let mut out = String::new();
        for part in &self.parts {
            match part {
                Part::Literal(text) => out.push_str(text),
                Part::Hole(name) => {
                    if let Some((_, value)) = values.iter().find(|(known, _)| known == name) {
                        out.push_str(value);
                    }
                }
            }
        }
        out
    }
}

/// What stands before, in and after the first placeholder.
fn first_hole(text: &str) -> Option<(&str, &str, &str)> {
    let twice =
        |text: &str, c: char| text.match_indices(c).find(|(at, _)| text[at + 1..].starts_with(c)).map(|(at, _)| at);
    let open = twice(text, '{')?;
    let rest = &text[open + 2..];
    let close = twice(rest, '}')?;
    Some((&text[..open], &rest[..close], &rest[close + 2..]))
}

/// Declares a function that fills a template of `templates/torch/api/` from its arguments, which are named as the placeholders are.
macro_rules! text {
    ($(#[$doc:meta])* $vis:vis fn $name:ident($($value:ident),*)) => {
        $(#[$doc])*
        $vis fn $name($($value: &str),*) -> String {
            static TEXT: std::sync::LazyLock<$crate::families::torch::api::text::Text> = std::sync::LazyLock::new(|| {
                $crate::families::torch::api::text::Text::new(include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/templates/torch/api/", stringify!($name), ".j2")))
            });
            TEXT.fill(&[$((stringify!($value), $value)),*])
        }
    };
}
pub(super) use text;

#[cfg(test)]
mod tests {
    use super::Text;

    fn check(source: &'static str, expected: &str) {
        assert_eq!(Text::new(source).fill(&[("a", "1"), ("b", "2")]), expected);
    }

    #[test]
    fn filling() {
        check("x\n", "x");
        check("{{ a }}+{{b}}\n\n", "1+2\n");
        check("{ {{- a -}} }\n", "{1}");
        check("{{ c }}{{", "{{");
    }
}
