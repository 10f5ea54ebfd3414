//! Generated C++ of libraries has no name that an author's input or output could have in it.
//!
//! Those end in `_arg` and `_return`, and names that are made from one have more at their end, as
//! the tangent `x_arg_t`: see `crates/model/src/model/cpp_names.rs`. So no name in a template has
//! such a word, and no template puts anything before a name that comes from a schema.

use std::fs;
use std::path::PathBuf;

use libtest_mimic::Trial;
use regex::Regex;
use walkdir::WalkDir;

use crate::root;

/// The templates for libraries' C++, and those of ATen's that libraries share.
const TEMPLATES: [&str; 5] = [
    "templates/torch/library",
    "templates/torch/stable/library",
    "templates/torch/stable/calls",
    "templates/torch/autograd_functions/definition.j2",
    "templates/torch/autograd_functions/declaration.j2",
];

/// What is before a name in templates, where the name is not that of an input or output, or no
/// local or member has the whole.
const BEFORE: [&str; 8] = [
    "as_strided_{{ symint }}",
    "boxed_{{ f.function }}",
    "create_{{ name }}",
    "output_{{ loop.index0 }}",
    // Members of the struct of precomputed values.
    "set_{{ element.name }}",
    "set_output_{{ strides }}",
    "structured_{{ declaration.kernel.name }}",
    "structured_{{ name }}",
];

/// Names of ours with such a word inside, after which no derived name goes on so.
const INSIDE: [&str; 1] = ["meta_return_ty"];

/// The tests of this module.
pub(crate) fn trials() -> Vec<Trial> {
    trials![no_name_has_a_word_of_authors, nothing_is_before_a_name, both_are_found]
}

/// The templates of C++ by path, without comments.
fn templates() -> Vec<(PathBuf, String)> {
    let comment = Regex::new(r"(?s)\{#.*?#\}").expect("a pattern");
    let files = TEMPLATES.iter().flat_map(|start| WalkDir::new(root().join(start)));
    let paths = files.map(|entry| entry.expect("a readable entry").into_path());
    let is_cpp = |path: &PathBuf| {
        let text = path.to_string_lossy();
        text.ends_with(".j2") && !text.contains("/python/") && !text.contains(".cmake")
    };
    let read = |path: PathBuf| {
        let text = fs::read_to_string(&path).expect("a template");
        (path, comment.replace_all(&text, "").into_owned())
    };
    paths.filter(is_cpp).map(read).collect()
}

/// Names in the C++ of a template that end as those of inputs and outputs, or go on after that.
fn words_of_authors(text: &str) -> Vec<String> {
    let code = Regex::new(r"(?s)\{[{%].*?[%}]\}").expect("a pattern").replace_all(text, "\0").into_owned();
    let name = Regex::new(r"\w*_(arg|return)[0-9]*(_\w*|before)?\b").expect("a pattern");
    name.find_iter(&code).map(|found| found.as_str()).filter(|name| !INSIDE.contains(name)).map(str::to_owned).collect()
}

/// Names that a template makes by putting something before another one.
fn made_by_prefix(text: &str) -> Vec<String> {
    let name = Regex::new(r"\b\w+_\{\{.*?\}\}").expect("a pattern");
    name.find_iter(text)
        .map(|found| found.as_str().to_owned())
        .filter(|name| !BEFORE.contains(&name.as_str()))
        .collect()
}

fn report(found: impl Fn(&str) -> Vec<String>) {
    let templates = templates();
    assert!(templates.len() > 60, "{}", templates.len());
    let all: Vec<_> =
        templates.iter().map(|(path, text)| (path, found(text))).filter(|(_, names)| !names.is_empty()).collect();
    assert!(all.is_empty(), "{all:#?}");
}

fn no_name_has_a_word_of_authors() {
    report(words_of_authors);
}

fn nothing_is_before_a_name() {
    report(made_by_prefix);
}

fn both_are_found() {
    assert_eq!(
        words_of_authors("auto x_arg = f({{ a.self_arg }}); x_return2_t; args; x_argument"),
        ["x_arg", "x_return2_t"]
    );
    assert_eq!(
        made_by_prefix("before_{{ input.name }} {{ name }}_before output_{{ loop.index0 }}"),
        ["before_{{ input.name }}"]
    );
}
