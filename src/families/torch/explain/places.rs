//! The lines of generated files that mention an operator.
//!
//! An operator is recognised by its full name (`aten::add.Tensor`), by its name in quotes, as
//! registrations have it, by the functions that these register, by its class in the Operators API
//! (`add_Tensor::call`), and by its structured base class and its backward nodes. Invariant: line
//! numbers start at 1 and ascend. Calls through overloaded names such as `at::add(` are not found,
//! since they do not show the overload.

use std::collections::BTreeSet;
use std::path::Path;

use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
use serde::Serialize;

use crate::lang::is_word;
use crate::write::Plan;

/// A file, and the lines that mention the operator.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Place {
    pub(crate) file: String,
    pub(crate) lines: Vec<usize>,
}

/// How to recognise an operator in generated text.
#[derive(Debug, Clone)]
pub(crate) struct Names {
    /// `aten::add.Tensor`
    pub(crate) full: String,
    /// `add_Tensor`
    pub(crate) unambiguous: String,
    /// The classes of its backward nodes: `AddBackward0`.
    pub(crate) nodes: Vec<String>,
}

/// A function that generated code registers for an operator.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Registered {
    pub(crate) key: String,
    /// `wrapper_Meta_add_Tensor`
    pub(crate) function: String,
    /// The file and line.
    pub(crate) at: String,
}

/// The places of an operator, and its registered functions, each key once.
#[derive(Debug, Clone, Default)]
pub(crate) struct Found {
    pub(crate) places: Vec<Place>,
    pub(crate) registered: Vec<Registered>,
}

/// The places of each operator, in the order of the files. With several libraries, each has a
/// folder with its name.
pub(crate) fn find(names: &[Names], plan: &Plan, libraries: &BTreeSet<String>) -> Vec<Found> {
    let is_others = |path: &Path, names: &Names| {
        let folder = path.iter().next().and_then(|folder| folder.to_str());
        let own = names.full.split_once("::").map(|(namespace, _)| namespace);
        libraries.len() > 1 && folder != own && folder.is_some_and(|folder| libraries.contains(folder))
    };
    let files: Vec<_> = plan.files().collect();
    let found: Vec<Vec<Found>> = files
        .par_iter()
        .map(|(path, file)| {
            let text: String = file.contents.pieces().collect();
            let registrations = registrations(&text);
            let found = |names: &Names| match is_others(path, names) {
                true => Found::default(),
                false => of_file(path, &text, &registrations, names),
            };
            names.iter().map(found).collect()
        })
        .collect();
    let mut all = vec![Found::default(); names.len()];
    for (i, found) in found.into_iter().flat_map(|file: Vec<Found>| file.into_iter().enumerate()) {
        let all = &mut all[i];
        all.places.extend(found.places.into_iter().filter(|place| !place.lines.is_empty()));
        for registered in found.registered {
            match all.registered.iter_mut().find(|known| known.key == registered.key) {
                // The shard is the file that is compiled.
                Some(known) if known.at.contains("Everything.") => *known = registered,
                Some(_) => {}
                None => all.registered.push(registered),
            }
        }
    }
    all
}

fn of_file(path: &Path, text: &str, registrations: &[Registration], names: &Names) -> Found {
    let own: Vec<&Registration> = registrations.iter().filter(|known| known.operator == names.full).collect();
    let functions: BTreeSet<&str> = own.iter().map(|known| known.function).collect();
    let file = path.display().to_string();
    let registered = |known: &&Registration| {
        let line = 1 + text[..known.start].matches('\n').count();
        Registered { key: known.key.to_owned(), function: known.function.to_owned(), at: format!("{file}:{line}") }
    };
    let registered = own.iter().map(registered).collect();
    Found { places: vec![Place { lines: lines(text, names, &functions), file }], registered }
}

/// `m.impl("add.Tensor", TORCH_FN(wrapper_CPU_add_Tensor));`
struct Registration<'a> {
    /// `aten::add.Tensor`
    operator: String,
    key: &'a str,
    function: &'a str,
    /// Where it begins in the text.
    start: usize,
}

/// The functions that a text registers with the dispatcher.
fn registrations(text: &str) -> Vec<Registration<'_>> {
    let blocks: Vec<usize> = text.match_indices("TORCH_LIBRARY_IMPL(").map(|(start, _)| start).collect();
    let ends = blocks.iter().skip(1).copied().chain([text.len()]);
    let mut all = Vec::new();
    for (begin, end) in blocks.iter().copied().zip(ends) {
        let block = &text[begin..end];
        let head = block.split_once('(').and_then(|(_, rest)| rest.split_once(')')).map_or("", |(head, _)| head);
        let mut words = head.split(',').map(str::trim);
        let (Some(namespace), Some(key)) = (words.next(), words.next()) else { continue };
        for (start, call) in block.match_indices("m.impl(\"") {
            let Some((name, rest)) = block[start + call.len()..].split_once('"') else { continue };
            let value = rest.split(';').next().unwrap_or_default().trim_start_matches(',').trim();
            let value = value.strip_suffix(')').unwrap_or(value).trim();
            let function = value.strip_prefix("TORCH_FN(").and_then(|inner| inner.strip_suffix(')')).unwrap_or(value);
            let operator = if name.contains("::") { name.to_owned() } else { format!("{namespace}::{name}") };
            all.push(Registration { operator, key, function, start: begin + start });
        }
    }
    all
}

/// The lines of a text that mention an operator, given the functions that the text registers for
/// it.
fn lines(text: &str, names: &Names, functions: &BTreeSet<&str>) -> Vec<usize> {
    let Names { full: name, unambiguous, nodes } = names;
    let mut at = BTreeSet::new();
    let (namespace, short) = name.rsplit_once("::").unwrap_or(("", name));
    for (start, _) in text.match_indices(name) {
        let after = text[start + name.len()..].chars().next();
        let before = text[..start].chars().next_back();
        if after.is_none_or(|c| !is_word(c) && c != '.') && before.is_none_or(|c| !is_word(c) && c != ':') {
            at.insert(start);
        }
    }
    for (start, _) in text.match_indices(short) {
        let after = &text[start + short.len()..];
        let is_quoted = text[..start].ends_with('"') && (after.starts_with('"') || after.starts_with('('));
        if is_quoted && library_of(&text[..start]).is_none_or(|library| library == namespace) {
            at.insert(start);
        }
    }
    for (start, _) in text.match_indices(unambiguous.as_str()) {
        if is_class(&text[..start], &text[start + unambiguous.len()..]) {
            at.insert(start);
        }
    }
    for function in functions {
        let function = function.rsplit_once("::").map_or(*function, |(_, last)| last);
        let is_own = |before: &str| !before.ends_with(|c| is_word(c) || matches!(c, ':' | '.' | '>' | '"'));
        let starts = text.match_indices(function).map(|(start, _)| start).filter(|_| function.ends_with(is_word));
        at.extend(starts.filter(|start| is_own(&text[..*start]) && text[start + function.len()..].starts_with('(')));
    }
    for node in nodes {
        for (start, _) in text.match_indices(node.as_str()) {
            let after = &text[start + node.len()..];
            let is_node = after.starts_with(" : public") || after.starts_with("::apply(");
            if is_node && !text[..start].ends_with(is_word) {
                at.insert(start);
            }
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

/// The namespace of the last registrations in a text, if it has any.
fn library_of(text: &str) -> Option<&str> {
    let start = text.rfind("TORCH_LIBRARY")?;
    let (namespace, _) = text[start..].split_once('(')?.1.split_once(',')?;
    Some(namespace.trim())
}

/// Whether a name between two texts is that of a class in the Operators API, or of the base class
/// of structured kernels.
fn is_class(before: &str, after: &str) -> bool {
    let word_start = before.trim_end_matches(is_word).len();
    match &before[word_start..] {
        "" => {
            let is_class = after.starts_with("::call") || after.starts_with("::redispatch") || after.starts_with(" {");
            is_class && (before.ends_with("_ops::") || !before.ends_with(':'))
        }
        "structured_" => after.starts_with(" : public"),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::{Names, lines, of_file};
    use std::collections::BTreeSet;
    use std::path::Path;

    fn add() -> Names {
        let [full, unambiguous, node] = ["aten::add.Tensor", "add_Tensor", "AddBackward0"].map(str::to_owned);
        Names { full, unambiguous, nodes: vec![node] }
    }

    #[track_caller]
    fn check(text: &str, expected: &[usize]) {
        assert_eq!(lines(text, &add(), &BTreeSet::from(["VariableType::add_Tensor_f"])), expected, "{text}");
    }

    #[test]
    fn what_identifies_an_operator() {
        check(
            "TORCH_LIBRARY(mine, m) {\nm.def(\"add.Tensor(\");\n}\nTORCH_LIBRARY(aten, m) {\nm.def(\"add.Tensor(\");\n",
            &[5],
        );
        check("// aten::add.Tensor(Tensor self) -> Tensor\n", &[1]);
        check("\n\nm.def(\"add.Tensor(Tensor self) -> Tensor\", {});\nm.impl(\"add.Tensor\", f);\n", &[3, 4]);
        check(
            "struct TORCH_API add_Tensor {\n};\nat::_ops::add_Tensor::call(x); at::_ops::add_Tensor::call(y);\n",
            &[1, 3],
        );
        check("at::Tensor add_Tensor_f(\nat::add_Tensor_f(x.add_Tensor_f(); my_add_Tensor_f( add_Tensor_f2(\n", &[1]);
        check("struct TORCH_API structured_add_Tensor : public M {\n: public structured_add_Tensor {\n", &[1]);
        check("struct AddBackward0 : public Node {\nlist AddBackward0::apply(list) {\nMyAddBackward0::apply(", &[1, 2]);
        check(
            "aten::add.Tensor_out add_Tensor_out::call _foreach_add_Tensor::call wrapper_CPU__foreach_add_Tensor( xaten::add.Tensor",
            &[],
        );
        check("my_add_Tensor::call(x); \"add\" \"add.Tensors\" other::add_Tensor::call", &[]);
    }

    #[track_caller]
    fn check_registered(text: &str, expected: &[&str], expected_lines: &[usize]) {
        let found = of_file(Path::new("R.cpp"), text, &super::registrations(text), &add());
        let shown: Vec<_> = found.registered.iter().map(|r| format!("{} {} {}", r.key, r.function, r.at)).collect();
        assert_eq!(shown, expected, "{text}");
        assert_eq!(found.places[0].lines, expected_lines, "{text}");
    }

    #[test]
    fn what_is_registered() {
        let kernel = "at::Tensor wrapper_CPU_Tensor_add(T self) {\n}\n";
        let impls =
            "TORCH_LIBRARY_IMPL(aten, CPU, m) {\nm.impl(\"add.Tensor\",\nTORCH_FN(wrapper_CPU_Tensor_add)\n);\n}\n";
        let other = "TORCH_LIBRARY_IMPL(mine, CUDA, m) {\n  m.impl(\"add.Tensor\", TORCH_FN(f));\n";
        let full = "  m.impl(\"aten::add.Tensor\", fallback());\n}\n";
        let text = [kernel, impls, other, full].concat();
        check_registered(&text, &["CPU wrapper_CPU_Tensor_add R.cpp:4", "CUDA fallback() R.cpp:10"], &[1, 4, 10]);
        check_registered("TORCH_LIBRARY_IMPL(\nm.impl(\"add.Tensor", &[], &[]);
    }
}
