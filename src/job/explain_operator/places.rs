//! The lines of generated files that an operator comes out in.
//!
//! An operator is told by its full name (`aten::add.Tensor`), by its name in quotes, as registrations have it, by its class in the Operators API
//! (`add_Tensor::call`), and by the wrappers of its kernels (`wrapper_CPU_add_Tensor`). Invariant: lines are counted from 1 and ascend.
//! Deliberately absent: calls through overloaded names such as `at::add(`, which do not tell which overload is meant.

use std::collections::BTreeSet;

use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
use serde::Serialize;

use crate::write::Plan;

/// A file, and the lines where the operator comes out.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Place {
    pub(super) file: String,
    pub(super) lines: Vec<usize>,
}

/// For each operator, given as full and unambiguous name, where it comes out, in the order of the files.
pub(super) fn find(names: &[(String, String)], plan: &Plan) -> Vec<Vec<Place>> {
    let files: Vec<_> = plan.files().collect();
    let found: Vec<Vec<Place>> = files
        .par_iter()
        .map(|(path, file)| {
            let text: String = file.contents.pieces().collect();
            let place = |lines| Place { file: path.display().to_string(), lines };
            names.iter().map(|(name, unambiguous)| place(lines(&text, name, unambiguous))).collect()
        })
        .collect();
    let of = |i: usize| found.iter().map(|file| &file[i]).filter(|place| !place.lines.is_empty()).cloned().collect();
    (0..names.len()).map(of).collect()
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The lines of a text that an operator comes out in.
fn lines(text: &str, name: &str, unambiguous: &str) -> Vec<usize> {
    let mut at = BTreeSet::new();
    let short = name.rsplit_once("::").map_or(name, |(_, short)| short);
    for (start, _) in text.match_indices(name) {
        let after = text[start + name.len()..].chars().next();
        let before = text[..start].chars().next_back();
        if after.is_none_or(|c| !is_word(c) && c != '.') && before.is_none_or(|c| !is_word(c) && c != ':') {
            at.insert(start);
        }
    }
    for (start, _) in text.match_indices(short) {
        let after = &text[start + short.len()..];
        if text[..start].ends_with('"') && (after.starts_with('"') || after.starts_with('(')) {
            at.insert(start);
        }
    }
    for (start, _) in text.match_indices(unambiguous) {
        if is_class_or_wrapper(&text[..start], &text[start + unambiguous.len()..]) {
            at.insert(start);
        }
    }
    let mut lines: Vec<usize> = Vec::new();
    let (mut line, mut counted) = (1, 0);
    for start in at {
        line += text[counted..start].matches('\n').count();
        counted = start;
        if lines.last() != Some(&line) {
            lines.push(line);
        }
    }
    lines
}

/// Whether a name between two texts is that of a class of the Operators API, or the end of that of a kernel's wrapper.
fn is_class_or_wrapper(before: &str, after: &str) -> bool {
    let word_start = before.trim_end_matches(is_word).len();
    let prefix = &before[word_start..];
    if prefix.is_empty() {
        let is_class = after.starts_with("::call") || after.starts_with("::redispatch") || after.starts_with(" {");
        return is_class && (before.ends_with("_ops::") || !before.ends_with(':'));
    }
    let is_end = after.chars().next().is_none_or(|c| !is_word(c));
    let key = prefix.strip_prefix("wrapper_").and_then(|rest| rest.strip_suffix('_'));
    // An operator whose name begins with an underscore has two behind the key.
    is_end && key.is_some_and(|key| key.trim_end_matches('_').chars().all(char::is_alphanumeric))
}

#[cfg(test)]
mod tests {
    use super::lines;

    fn check(text: &str, expected: &[usize]) {
        assert_eq!(lines(text, "aten::add.Tensor", "add_Tensor"), expected, "{text}");
    }

    #[test]
    fn what_tells_an_operator() {
        check("// aten::add.Tensor(Tensor self) -> Tensor\n", &[1]);
        check("\n\nm.def(\"add.Tensor(Tensor self) -> Tensor\", {});\nm.impl(\"add.Tensor\", f);\n", &[3, 4]);
        check(
            "struct TORCH_API add_Tensor {\n};\nat::_ops::add_Tensor::call(x); at::_ops::add_Tensor::call(y);\n",
            &[1, 3],
        );
        check("at::Tensor wrapper_CPU_add_Tensor(\nwrapper_CompositeExplicitAutograd__add_Tensor\n", &[1, 2]);
        check(
            "aten::add.Tensor_out add_Tensor_out::call _foreach_add_Tensor::call wrapper_CPU__foreach_add_Tensor( xaten::add.Tensor",
            &[],
        );
        check("my_add_Tensor::call(x); \"add\" \"add.Tensors\" other::add_Tensor::call", &[]);
    }
}
