//! What autograd asks of PyTorch's formulas, by words as the reference asks it, and by the tree:
//! the formulas where the answers differ are recorded.
//!
//! Invariant: the program finds names and properties by words, as
//! `crates/api/src/autograd/formula.rs` explains, and `grads[i]` and plain sizes by the tree. A
//! formula that differs and is not in the record fails the test by its name, and so does one that
//! no longer differs.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::PathBuf;

use regex::Regex;
use torchgen_api::autograd::formula_uses;
use torchgen_base::lang::starts_word;
use torchgen_formula::{Expr, Node, open_names, parse};

use super::formulas::{entries, keyed, text, title};
use super::{Context, recorded, workspace};

/// The test of the record.
pub(super) const WORDS: &str = "formulas/words";

/// What nodes can save of a value in its place.
const PROPERTIES: [&str; 13] = [
    "dim",
    "is_conj",
    "layout",
    "numel",
    "options",
    "scalar_type",
    "sizes",
    "strides",
    "sym_blocksize",
    "sym_numel",
    "sym_size",
    "sym_sizes",
    "sym_strides",
];
/// Functions of a value whose result is saved in its place.
const FUNCTIONS: [&str; 5] =
    ["TensorGeometry", "to_args_scalartypes", "to_args_sizes", "to_args_sizes_symint", "zeros_like"];

/// Compares the formulas that differ with the record.
pub(super) fn differ(context: &Context) -> Result<(), String> {
    let (found, recorded) = (table(context)?, workspace::read(&record(context)).unwrap_or_default());
    let recorded = String::from_utf8_lossy(&recorded).into_owned();
    println!("{WORDS}: {} formulas differ", rows(&found).len());
    let (found, recorded) = (rows(&found), rows(&recorded));
    let new = found.difference(&recorded).map(|row| format!("new: {row}"));
    let gone = recorded.difference(&found).map(|row| format!("gone: {row}"));
    let different: Vec<String> = new.chain(gone).collect();
    match different.is_empty() {
        true => Ok(()),
        false => {
            let renew = recorded::renewal(WORDS);
            Err(format!("{}\nrenew the record, and read what changes:\n    {renew}", different.join("\n")))
        }
    }
}

/// Renews the record.
pub(super) fn renew(context: &Context) -> Result<(), String> {
    workspace::write(&record(context), table(context)?.as_bytes())
}

fn record(context: &Context) -> PathBuf {
    context.here.join("formula_words.txt")
}

fn rows(table: &str) -> BTreeSet<&str> {
    table.lines().filter(|line| !line.starts_with('#')).collect()
}

/// A line for each formula whose answers differ.
fn table(context: &Context) -> Result<String, String> {
    let mut rows: BTreeMap<String, String> = BTreeMap::new();
    let mut count = 0;
    let name = Regex::new(r"[^,( ] ([A-Za-z_]\w*)(?:=[^,]*)?[,)]").expect("a pattern");
    for entry in &entries(context)? {
        let schema = text(entry, "name")?;
        let operator = schema.split('(').next().unwrap_or_default();
        let names = names(schema, &name);
        for (key, of, formula) in keyed(entry) {
            let Ok(expr) = parse(formula) else { continue };
            count += 1;
            let (words, tree) = (by_words(formula, &names), by_tree(formula, &expr, &names));
            let mut row = String::new();
            for (what, only) in [("words", words.difference(&tree)), ("tree", tree.difference(&words))] {
                let only: Vec<&str> = only.map(String::as_str).collect();
                if !only.is_empty() {
                    let _ = write!(row, "; only by {what}: {}", only.join(", "));
                }
            }
            if let Some(row) = row.strip_prefix("; ") {
                rows.insert(title(operator, key, of), row.to_owned());
            }
        }
    }
    if count < 1000 {
        return Err(format!("only {count} formulas were found"));
    }
    let mut table = format!(
        "# The formulas of PyTorch {} in which the reference finds names, `grads[i]` and properties by words\n\
         # that the tree of the formula does not have, or the other way around.\n",
        context.suite.wheel.version()
    );
    for (name, row) in rows {
        let _ = writeln!(table, "{name}: {row}");
    }
    Ok(table)
}

/// The names that formulas of an operator can have: arguments with tangents and primals, results,
/// gradients.
fn names(schema: &str, name: &Regex) -> BTreeSet<String> {
    let (arguments, results) = schema.split_once("->").unwrap_or((schema, ""));
    let arguments = arguments.split_once('(').map_or("", |(_, arguments)| arguments);
    let found = |text: &str| -> Vec<String> { name.captures_iter(text).map(|found| found[1].to_owned()).collect() };
    let mut names: BTreeSet<String> = ["grad", "grads", "result", "retain_variables", "grad_input_mask"]
        .into_iter()
        .map(str::to_owned)
        .chain((0..8).map(|at| format!("result{at}")))
        .collect();
    for argument in found(arguments) {
        names.extend(["", "_p", "_t"].map(|end| format!("{argument}{end}")));
    }
    for result in found(&format!("{results})")) {
        names.insert(format!("grad_{result}"));
        names.insert(result);
    }
    names
}

/// The names, `grads[i]` and properties that the words of a formula have.
fn by_words(formula: &str, names: &BTreeSet<String>) -> BTreeSet<String> {
    let mut found: BTreeSet<String> = names.iter().filter(|name| formula_uses(formula, name)).cloned().collect();
    let indices = formula.match_indices("grads[").filter(|(at, _)| starts_word(formula, *at));
    found.extend(indices.filter_map(|(at, start)| {
        let index = formula[at + start.len()..].split(']').next()?;
        index.bytes().all(|b| b.is_ascii_digit()).then(|| format!("{start}{index}]"))
    }));
    let asked = |text: &str| formula.match_indices(text).any(|(at, _)| starts_word(formula, at));
    for name in names.iter().filter(|name| formula.contains(name.as_str())) {
        for property in PROPERTIES {
            let is_asked = [".", "->"].iter().any(|dot| asked(&format!("{name}{dot}{property}(")));
            found.extend(is_asked.then(|| format!("{name}.{property}")));
        }
        for function in FUNCTIONS {
            let call = format!("{function}({name})");
            let qualified = formula.contains(&format!("::{call}"));
            found.extend((asked(&call) && !qualified).then_some(call));
        }
    }
    found
}

/// The same, as the tree of the formula has them.
fn by_tree(formula: &str, expr: &Expr, names: &BTreeSet<String>) -> BTreeSet<String> {
    let open = open_names(expr).unwrap_or_default();
    let mut found: BTreeSet<String> = open.into_iter().map(|range| formula[range].to_owned()).collect();
    found.retain(|name| names.contains(name));
    expr.walk(&mut |part| {
        let of = |value: &Expr| value.single().filter(|name| names.contains(*name)).map(str::to_owned);
        match &part.node {
            Node::Index(object, index) if object.single() == Some("grads") => {
                if let Node::Number(number) = &index.node {
                    found.insert(format!("grads[{number}]"));
                }
            }
            Node::Method(method) if PROPERTIES.contains(&method.name.as_str()) => {
                found.extend(of(&method.object).map(|name| format!("{name}.{}", method.name)));
            }
            Node::Call(path, arguments) => {
                if let (Some(function), [argument]) = (path.single(), arguments.as_slice())
                    && FUNCTIONS.contains(&function)
                {
                    found.extend(of(argument).map(|name| format!("{function}({name})")));
                }
            }
            _ => {}
        }
    });
    found
}
