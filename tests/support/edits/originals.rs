//! PyTorch's formulas as those of a library: each with the schema of an operator of its own.
//!
//! Invariant: an original is a formula that the program accepts unedited, and so does it a formula
//! in its place that uses all names.

use std::path::Path;

use serde_yaml::{Mapping, Value};

/// An argument or a result.
#[derive(Clone, Debug)]
pub(crate) struct Named {
    pub(crate) ty: String,
    pub(crate) name: String,
}

/// A formula of derivatives.yaml.
#[derive(Clone, Debug)]
pub(crate) struct Original {
    /// The operator's name without overload.
    pub(crate) name: String,
    /// The schema after the name, without aliases.
    pub(crate) signature: String,
    pub(crate) arguments: Vec<Named>,
    pub(crate) results: Vec<Named>,
    /// The inputs with a formula.
    inputs: Vec<String>,
    /// The inputs whose gradients it computes, or the result whose tangent.
    pub(crate) key: String,
    pub(crate) formula: String,
    /// `output_differentiability`, as JSON.
    differentiable: Option<String>,
}

impl Original {
    /// Whether it computes a tangent.
    pub(crate) fn is_forward(&self) -> bool {
        !self.key.split(',').any(|key| self.arguments.iter().any(|argument| argument.name == key.trim()))
    }

    fn has_tangent(&self, argument: &Named) -> bool {
        self.inputs.contains(&argument.name)
    }

    /// The entries of an operator of this name with another formula: of native_functions.yaml, and
    /// of derivatives.yaml.
    pub(crate) fn entries(&self, name: &str, formula: &str) -> (String, String) {
        let schema = format!("edit::{name}{}", self.signature);
        let tags = if schema.contains("Generator") { "[nondeterministic_seeded]" } else { "[]" };
        let symbolic =
            if self.arguments.iter().any(|argument| argument.ty.contains("SymInt")) { "_symint" } else { "" };
        let operator = format!("- func: {schema}\n  dispatch: {{CPU: kernel_{name}{symbolic}}}\n  tags: {tags}\n");
        let mut derivative = format!("- name: {schema}\n");
        let mut line = |key: &str, text: &str| {
            derivative += &format!("  {}: {}\n", quoted(key), quoted(text));
        };
        if self.is_forward() {
            // Only inputs with a formula have tangents.
            for Named { ty, name } in self.arguments.iter().filter(|argument| self.has_tangent(argument)) {
                match ty.as_str() {
                    "Tensor" | "Tensor?" => line(name, "not_implemented(\"it\")"),
                    "Tensor[]" | "Tensor?[]" => line(name, "not_implemented_list(\"it\")"),
                    _ => {}
                }
            }
        }
        line(&self.key, formula);
        if let Some(list) = &self.differentiable {
            derivative += &format!("  output_differentiability: {list}\n");
        }
        (operator, derivative)
    }

    /// The names that the formula can use, with their types: gradients as the formula spells them.
    pub(crate) fn names(&self, formula: &str) -> Vec<Named> {
        let named = |ty: &str, name: String| Named { ty: ty.to_owned(), name };
        let mut names = Vec::new();
        for argument in &self.arguments {
            // Nodes cannot save them.
            if argument.ty.starts_with("Generator") || argument.ty.starts_with("bool[") {
                continue;
            }
            if self.is_forward() && self.has_tangent(argument) {
                names.extend(["_p", "_t"].map(|end| named(&argument.ty, format!("{}{end}", argument.name))));
            } else {
                names.push(argument.clone());
            }
        }
        names.extend(self.results.iter().cloned());
        if self.is_forward() {
            return names;
        }
        let of_result = |result: &Named| named("Tensor", format!("grad_{}", result.name));
        let by_name: Vec<Named> = self.results.iter().map(of_result).collect();
        if by_name.iter().any(|grad| has_word(formula, &grad.name)) {
            names.extend(by_name);
        } else if has_word(formula, "grads") || names.iter().any(|name| name.name == "grad") {
            names.retain(|name| name.name != "grad");
            names.push(named("Tensor[]", "grads".to_owned()));
        } else {
            names.push(named("Tensor", "grad".to_owned()));
        }
        if self.key.contains(',') {
            names.push(named("bool[]", "grad_input_mask".to_owned()));
        }
        names.push(named("bool", "retain_variables".to_owned()));
        names
    }

    /// A formula that uses all names, and its function, which has a declaration in [`MANUAL`].
    pub(crate) fn frame(&self, formula: &str) -> String {
        let names: Vec<String> = self.names(formula).into_iter().map(|name| name.name).collect();
        let is_list = |of: &[Named]| of.iter().any(|of| of.name == self.key && of.ty.ends_with(']'));
        let function = match self.key.split(',').count() {
            1 if is_list(&self.arguments) || is_list(&self.results) => "kept_list".to_owned(),
            1 => "kept_1".to_owned(),
            count => format!("kept_{count}"),
        };
        format!("{function}({})", names.join(", "))
    }
}

/// `derivatives_manual.h`: the functions of [`Original::frame`].
pub(crate) fn manual() -> String {
    let mut text = "#pragma once\n#include <ATen/ATen.h>\nnamespace edit::autograd {\n".to_owned();
    let mut declare = |result: &str, name: &str| {
        text += &format!("template <typename... T>\n{result} {name}(const T&...);\n");
    };
    declare("std::vector<at::Tensor>", "kept_list");
    declare("at::Tensor", "kept_1");
    for count in 2..8 {
        declare(&format!("std::tuple<{}>", vec!["at::Tensor"; count].join(", ")), &format!("kept_{count}"));
    }
    text + "}\n"
}

/// All formulas of a derivatives.yaml whose operators a library can declare.
pub(crate) fn read(path: &Path) -> Vec<Original> {
    let text = std::fs::read_to_string(path).expect("a readable derivatives.yaml");
    let entries: Vec<Mapping> = serde_yaml::from_str(&text).expect("YAML");
    let mut all = Vec::new();
    for entry in &entries {
        let schema = entry.get("name").and_then(Value::as_str).expect("a name");
        // What mutates its arguments needs further variants.
        if schema.contains('!') {
            continue;
        }
        let (name, signature) = schema.split_once('(').expect("a schema");
        let name = name.split('.').next().unwrap_or(name).trim_matches('_').to_owned();
        let signature = without_aliases(&format!("({signature}"));
        let by_key = entry.get("dispatch").and_then(|keys| keys.get("Default")).and_then(Value::as_mapping);
        let outputs = entry.get("output_differentiability");
        let differentiable = outputs.map(|list| serde_json::to_string(list).expect("JSON"));
        let (arguments, results) = parts(&signature);
        let with_formula = |(key, value): (&Value, &Value)| {
            let is = value.as_str().is_some_and(|value| value != "non_differentiable");
            key.as_str().filter(|_| is).map(str::to_owned)
        };
        let keys = by_key.unwrap_or(entry).iter().filter_map(with_formula);
        let inputs: Vec<String> =
            keys.flat_map(|key| key.split(',').map(|key| key.trim().to_owned()).collect::<Vec<_>>()).collect();
        for (key, value) in by_key.unwrap_or(entry) {
            let (Some(key), Some(formula)) = (key.as_str(), value.as_str()) else { continue };
            if key == "name" || formula.starts_with("auto_") || formula == "non_differentiable" {
                continue;
            }
            all.push(Original {
                name: name.clone(),
                signature: signature.clone(),
                arguments: arguments.clone(),
                results: results.clone(),
                inputs: inputs.clone(),
                key: key.to_owned(),
                formula: formula.split_whitespace().collect::<Vec<_>>().join(" "),
                differentiable: differentiable.clone(),
            });
        }
    }
    all
}

/// The arguments and the results of a signature.
fn parts(signature: &str) -> (Vec<Named>, Vec<Named>) {
    let (arguments, results) = signature.rsplit_once(" -> ").expect("a schema");
    let inner = |text: &str| text.trim().trim_start_matches('(').trim_end_matches(')').to_owned();
    let argument = |text: &str| {
        let text = text.split('=').next().unwrap_or(text).trim();
        let (ty, name) = text.rsplit_once(' ')?;
        Some(Named { ty: ty.to_owned(), name: name.to_owned() })
    };
    // A default can be a list.
    let mut arguments: Vec<Named> = inner(arguments).split(", ").filter_map(argument).collect();
    arguments.retain(|argument| argument.name.starts_with(|c: char| c.is_alphabetic() || c == '_'));
    let results = inner(results);
    let results: Vec<&str> = results.split(", ").filter(|text| !text.is_empty()).collect();
    let named = |(i, text): (usize, &&str)| match text.rsplit_once(' ') {
        Some((ty, name)) => Named { ty: ty.to_owned(), name: name.to_owned() },
        None if results.len() == 1 => Named { ty: (*text).to_owned(), name: "result".to_owned() },
        None => Named { ty: (*text).to_owned(), name: format!("result{i}") },
    };
    (arguments, results.iter().enumerate().map(named).collect())
}

/// The signature with plain tensors in place of views.
fn without_aliases(signature: &str) -> String {
    let mut parts = signature.split("Tensor(");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        text += "Tensor";
        text += part.split_once(')').map_or(part, |(_, rest)| rest);
    }
    text
}

/// Whether a word is in a text of C++.
pub(crate) fn has_word(text: &str, word: &str) -> bool {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').any(|found| found == word)
}

/// A text as a YAML string on one line.
fn quoted(text: &str) -> String {
    serde_json::to_string(text).expect("a string")
}
