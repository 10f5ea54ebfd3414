//! Renders texts about operators: a traced run marks them.
//!
//! Invariant: a mark is before the first character of its text that is not blank. A run without a
//! trace has no marks.

use serde::Serialize;

use super::error::RenderError;
use super::lines::is_blank;
use super::renderer::Renderer;
use super::trace::Traceable;

/// Renders texts about operators.
pub struct About<'r> {
    renderer: &'r Renderer,
    /// Empty in a run without a trace.
    marks: String,
}

impl Renderer {
    /// Renders texts about these operators.
    pub fn about<'t, T: Traceable + 't>(&self, operators: impl IntoIterator<Item = &'t T>) -> About<'_> {
        let marks = self.trace.as_ref().map_or_else(String::new, |trace| {
            operators.into_iter().filter_map(|operator| trace.mark(operator.full_name(), None)).collect()
        });
        About { renderer: self, marks }
    }

    /// Renders the text that registers a function as an operator's kernel for a key.
    pub fn registering(&self, operator: &impl Traceable, key: &str, function: &str) -> About<'_> {
        let marks = self.trace.as_ref().map_or_else(String::new, |trace| {
            trace.mark(operator.full_name(), Some((key, function))).into_iter().collect()
        });
        About { renderer: self, marks }
    }
}

impl About<'_> {
    /// Renders a fragment template, as [`Renderer::fragment`].
    pub fn fragment<V: Serialize + ?Sized>(&self, name: &str, view: &V) -> Result<String, RenderError> {
        self.renderer.fragment(name, view).map(|text| self.marked(text))
    }

    /// A text that a template inserts into a line about the operators. A blank text stays as it is.
    pub fn marked(&self, mut text: String) -> String {
        if !self.marks.is_empty()
            && let Some(start) = text.find(|c| !is_blank(c))
        {
            text.insert_str(start, &self.marks);
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::super::trace::{Note, Trace, without_marks};
    use super::*;

    impl Traceable for &str {
        fn full_name(&self) -> String {
            format!("aten::{self}")
        }
    }

    fn renderer(wanted: &[&str]) -> Renderer {
        let mut renderer = Renderer::new("").expect("the templates compile");
        let wanted = wanted.iter().map(|name| name.full_name());
        renderer.set_trace(Some(Arc::new(Trace::new(wanted))));
        renderer
    }

    fn read(renderer: &Renderer, pieces: &[&str]) -> Vec<String> {
        let trace = renderer.trace.as_ref().expect("it was set");
        let shown = |(line, note): (usize, Note)| match note.registered {
            Some((key, function)) => format!("{line} {} {key} {function}", note.operator),
            None => format!("{line} {}", note.operator),
        };
        trace.read_marks(pieces.iter().copied()).into_iter().map(shown).collect()
    }

    #[test]
    fn marks_are_before_the_text() {
        let renderer = renderer(&["add", "mul"]);
        let text = renderer.about([&"add", &"div", &"mul"]).marked("\n  // add\nadd(\n".to_owned());
        assert_eq!(without_marks(&text), "\n  // add\nadd(\n");
        assert!(text.starts_with("\n  \u{f0000}\u{f0001}//"), "{text:?}");
        let row = renderer.registering(&"mul", "CPU", "mul_cpu").marked("mul".to_owned());
        let other = renderer.registering(&"div", "CPU", "div_cpu").marked("div".to_owned());
        assert_eq!(other, "div");
        let pieces = [&text, "}", "\n  m.impl(\"", &row, "\");\nx\u{f0123}"];
        assert_eq!(read(&renderer, &pieces), ["2 aten::add", "2 aten::mul", "5 aten::mul CPU mul_cpu"]);
        for blank in ["", " \n\t\n"] {
            assert_eq!(renderer.about([&"add"]).marked(blank.to_owned()), blank);
        }
    }

    #[test]
    fn other_runs_have_no_marks() {
        let renderer = Renderer::new("").expect("the templates compile");
        assert_eq!(renderer.about([&"add"]).marked("add".to_owned()), "add");
        assert_eq!(renderer.registering(&"add", "CPU", "f").marked("add".to_owned()), "add");
    }
}
