//! PyTorch's formulas as those of a library: each is C++ that can be read, and which of them have a
//! translation to Python is recorded.
//!
//! Invariant: a formula that is no longer translated fails the test by its name, and so does one
//! that the record lacks. The record has names, no formulas.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use regex::Regex;
use serde_yaml::Value;

use super::{Context, recorded, workspace};

/// The test of the record.
pub(super) const TRANSLATED: &str = "formulas/translated";

/// The oldest torch that the library works with.
const MINIMA: [&str; 2] = ["2.10", "2.15"];

/// An operator that would be a variant of another, if views are no views.
const REPEATED: &str = "slice_inverse";

/// A formula, or a condition of `output_differentiability`.
struct Formula {
    /// The operator, and what the formula is for.
    name: String,
    text: String,
}

/// The entries of PyTorch's derivatives.yaml.
pub(super) fn entries(context: &Context) -> Result<Vec<Value>, String> {
    let path = context.wheel()?.join("torchgen/packaged/autograd/derivatives.yaml");
    let text = std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    serde_yaml::from_str(&text).map_err(|error| format!("{}: {error}", path.display()))
}

pub(super) fn text<'v>(entry: &'v Value, key: &str) -> Result<&'v str, String> {
    entry.get(key).and_then(Value::as_str).ok_or_else(|| format!("an entry has no `{key}`: {entry:?}"))
}

/// The items of a mapping; none of anything else.
fn items(value: &Value) -> impl Iterator<Item = (&Value, &Value)> {
    value.as_mapping().into_iter().flatten()
}

/// The formulas below a key, with the key of `dispatch:` if there is one.
pub(super) fn keyed(entry: &Value) -> Vec<(Option<&str>, &str, &str)> {
    let mut found = Vec::new();
    for (key, value) in items(entry) {
        match (key.as_str(), value.as_str()) {
            (Some("name" | "output_differentiability"), _) => {}
            (Some(name), Some(formula)) => found.push((None, name, formula)),
            (Some("dispatch"), None) => {
                for (key, formulas) in items(value) {
                    let key = key.as_str();
                    let each = items(formulas).filter_map(|(name, text)| Some((name.as_str()?, text.as_str()?)));
                    found.extend(each.map(|(name, formula)| (key, name, formula)));
                }
            }
            _ => {}
        }
    }
    found
}

/// Every formula and every condition of PyTorch's file is an expression that can be read.
pub(super) fn are_read(context: &Context) -> Result<(), String> {
    let mut all = Vec::new();
    for entry in &entries(context)? {
        let operator = text(entry, "name")?.split('(').next().unwrap_or_default();
        for (key, name, formula) in keyed(entry) {
            all.push(Formula { name: title(operator, key, name), text: formula.to_owned() });
        }
        let outputs = entry.get("output_differentiability").and_then(Value::as_sequence);
        for condition in outputs.into_iter().flatten().filter_map(Value::as_str) {
            all.push(Formula { name: format!("{operator} output_differentiability"), text: condition.to_owned() });
        }
    }
    let unread = all.iter().filter_map(|formula| {
        let problem = torchgen_formula::parse(&formula.text).err()?;
        Some(format!("{}: {} in `{}`", formula.name, problem.message, formula.text))
    });
    let unread: Vec<String> = unread.collect();
    println!("formulas/read: {} of {}", all.len() - unread.len(), all.len());
    match all.len() {
        0..1000 => Err(format!("only {} formulas were found", all.len())),
        _ if unread.is_empty() => Ok(()),
        _ => Err(unread.join("\n")),
    }
}

pub(super) fn title(operator: &str, key: Option<&str>, name: &str) -> String {
    match key {
        Some(key) => format!("{operator} [{key}] {name}"),
        None => format!("{operator} {name}"),
    }
}

/// Compares the formulas that are translated with the record.
pub(super) fn translated(context: &Context) -> Result<(), String> {
    let (found, recorded) = (table(context)?, workspace::read(&record(context)).unwrap_or_default());
    let recorded = String::from_utf8_lossy(&recorded).into_owned();
    let rows = |text: &str| -> BTreeMap<String, String> {
        let rows = text.lines().filter_map(|line| line.split_once(": "));
        rows.map(|(name, minima)| (name.to_owned(), minima.to_owned())).collect()
    };
    let (found, recorded) = (rows(&found), rows(&recorded));
    let mut different = Vec::new();
    for minimum in MINIMA {
        let has = |rows: &BTreeMap<String, String>, name: &str| {
            rows.get(name).is_some_and(|minima| minima.split(' ').any(|one| one == minimum))
        };
        let count = found.keys().filter(|name| has(&found, name)).count();
        println!("{TRANSLATED}: {count} of {} at {minimum}", found.len());
        for name in found.keys().chain(recorded.keys().filter(|name| !found.contains_key(*name))) {
            match (has(&recorded, name), has(&found, name)) {
                (true, false) => different.push(format!("{name}: no longer translated at {minimum}")),
                (false, true) => different.push(format!("{name}: now translated at {minimum}")),
                _ => {}
            }
        }
    }
    if found.len() != recorded.len() {
        different.push(format!("there are {} formulas, the record has {}", found.len(), recorded.len()));
    }
    match different.is_empty() {
        true => Ok(()),
        false => {
            let renew = recorded::renewal(TRANSLATED);
            Err(format!("{}\nrenew the record, and read what changes:\n    {renew}", different.join("\n")))
        }
    }
}

/// Renews the record.
pub(super) fn renew(context: &Context) -> Result<(), String> {
    workspace::write(&record(context), table(context)?.as_bytes())
}

fn record(context: &Context) -> PathBuf {
    context.here.join("translated.txt")
}

/// A line for each formula, with the minima at which it is translated.
fn table(context: &Context) -> Result<String, String> {
    let mut rows: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for minimum in MINIMA {
        for (name, is_translated) in at(context, minimum)? {
            rows.entry(name).or_default().extend(is_translated.then_some(minimum));
        }
    }
    let mut table = format!(
        "# The formulas of PyTorch {} that a library on the stable ABI can have, each with the minima of\n\
         # torch at which it has a translation to Python.\n",
        context.suite.wheel.version()
    );
    for (name, minima) in rows {
        let minima = if minima.is_empty() { "none".to_owned() } else { minima.join(" ") };
        let _ = writeln!(table, "{name}: {minima}");
    }
    Ok(table)
}

/// Each formula, and whether it is translated: the program checks one library of all operators.
fn at(context: &Context, minimum: &str) -> Result<Vec<(String, bool)>, String> {
    let directory = context.ours.join("formulas").join(minimum);
    workspace::fresh(&directory)?;
    let lines = write(&entries(context)?, minimum, &directory)?;
    let output = Command::new(env!("CARGO_BIN_EXE_torchgen-rs"))
        .args(["check", "--message-format", "json", "--max-errors", "0", "-s", "."])
        .current_dir(&directory)
        .output()
        .map_err(|error| format!("{}: {error}", directory.display()))?;
    let said = String::from_utf8_lossy(&output.stderr);
    let mut refused = Vec::new();
    for line in said.lines().filter(|line| line.starts_with('{')) {
        let diagnostic: serde_json::Value = serde_json::from_str(line).map_err(|error| error.to_string())?;
        let field = |name: &str| diagnostic.get(name).and_then(serde_json::Value::as_str).unwrap_or_default();
        if field("severity") != "error" {
            continue;
        }
        let line =
            diagnostic.get("line").and_then(serde_json::Value::as_u64).and_then(|line| usize::try_from(line).ok());
        match line.filter(|line| field("file").ends_with("derivatives.yaml") && lines.contains_key(line)) {
            Some(line) => {
                // All formulas of an operator without kernels for autograd.
                let whole = lines[&line].is_none();
                refused.push(line);
                let rest = lines.range(line + 1..).take_while(|(_, name)| whole && name.is_some());
                refused.extend(rest.map(|(line, _)| *line));
            }
            None => return Err(format!("an error that is not that of a formula: {diagnostic}")),
        }
    }
    let translated = |(line, name): (usize, Option<String>)| Some((name?, !refused.contains(&line)));
    let all = lines.into_iter().filter_map(translated).collect();
    workspace::remove(&directory)?;
    Ok(all)
}

/// Writes a library with the operators of all entries. Returns the line of each formula, and those
/// of operators.
///
/// The ABI passes neither `Scalar` nor, at first, generators, and no view that autograd knows of:
/// these arguments have other types, and views are no views.
fn write(entries: &[Value], minimum: &str, directory: &Path) -> Result<BTreeMap<usize, Option<String>>, String> {
    let pattern = |text: &str| Regex::new(text).expect("a pattern");
    let types = [
        (pattern(r"\bScalar\b"), "float"),
        (pattern(r"\bGenerator\b"), "int"),
        (pattern(r"Tensor\([a-z](?: -> \*)?\)"), "Tensor"),
    ];
    let (mut operators, mut derivatives, mut lines) = (String::new(), String::new(), BTreeMap::new());
    let mut line = 0;
    for (index, entry) in entries.iter().enumerate() {
        let schema = text(entry, "name")?;
        let (operator, rest) = schema.split_once('(').ok_or_else(|| format!("`{schema}` is no schema"))?;
        if operator == REPEATED {
            continue;
        }
        let mut rest = rest.to_owned();
        for (from, to) in &types {
            rest = from.replace_all(&rest, *to).into_owned();
        }
        // The generated C++ has `std` itself.
        let own =
            if operator.split('.').next() == Some("std") { format!("of_{operator}") } else { operator.to_owned() };
        let schema = format!("library::{own}({rest}");
        let makes = !rest.split("->").next().unwrap_or_default().contains("Tensor");
        let key = if makes { "CompositeExplicitAutograd" } else { "CPU" };
        let _ = writeln!(operators, "- func: {schema}\n  dispatch:\n    {key}: kernel_{index}");
        let _ = writeln!(derivatives, "- name: {schema}");
        line += 1;
        lines.insert(line, None);
        let json = |value: &Value| serde_json::to_string(value).map_err(|error| error.to_string());
        if let Some(outputs) = entry.get("output_differentiability") {
            let _ = writeln!(derivatives, "  output_differentiability: {}", json(outputs)?);
            line += 1;
        }
        let mut open = None;
        for (key, name, formula) in keyed(entry) {
            let mut indent = "  ";
            if let Some(key) = key {
                indent = "      ";
                if open.is_none() {
                    derivatives += "  dispatch:\n";
                    line += 1;
                }
                if open != Some(key) {
                    let _ = writeln!(derivatives, "    {key}:");
                    line += 1;
                    open = Some(key);
                }
            }
            let _ = writeln!(derivatives, "{indent}{name}: {}", json(&Value::from(formula))?);
            line += 1;
            if formula != "non_differentiable" {
                lines.insert(line, Some(title(operator, key, name)));
            }
        }
    }
    let settings = format!("abi: stable\ntorch_min: '{minimum}'\n");
    let files = [("native_functions.yaml", operators), ("derivatives.yaml", derivatives), ("library.yaml", settings)];
    files.iter().try_for_each(|(file, text)| workspace::write(&directory.join(file), text.as_bytes()))?;
    Ok(lines)
}
