//! Maps arguments to the parameters of docstrings, by the rules of torch_spyre.
//!
//! Invariant: the same mapping as upstream's, errors included: types are compared by parts of their
//! names, and arguments that are left over are ignored. Rule: codegen/utils/arg_mapper.py of
//! torch-spyre/torch-spyre at 859df83.

use serde_json::{Map, Value, json};

/// The parameters of each overload of a docstring, without the first three, as their types.
pub(super) fn overloads(docstring: &str) -> Vec<Vec<String>> {
    let name = docstring.split('(').next().unwrap_or_default();
    let starts: Vec<usize> = docstring.match_indices(name).map(|(at, _)| at).collect();
    let pieces: Vec<&str> = if docstring.contains("Overloaded") && !name.is_empty() {
        let ends = starts.iter().skip(2).copied().chain([docstring.len()]);
        starts.iter().skip(1).zip(ends).map(|(start, end)| &docstring[*start..end]).collect()
    } else {
        vec![docstring]
    };
    let types = |piece: &str| -> Vec<String> {
        let inside = piece.split('(').nth(1).unwrap_or_default().split(')').next().unwrap_or_default();
        let kind = |parameter: &str| {
            let ty = parameter.split_whitespace().nth(1).unwrap_or_default();
            ty.rsplit('.').next().unwrap_or_default().to_owned()
        };
        inside.split(',').skip(3).map(|parameter| kind(parameter.trim())).collect()
    };
    pieces.into_iter().map(types).collect()
}

/// The class of an argument of a type for a parameter of a type: `Ok(None)` if it does not fit, and
/// `Err` if the parameter's type is unknown.
fn class(argument: &str, parameter: &str) -> Result<Option<&'static str>, ()> {
    let has = |parts: &[&str]| parts.iter().any(|part| argument.contains(part));
    let is_number = has(&["float", "double", "Scalar"]) && !has(&["Type"]);
    Ok(match parameter {
        _ if parameter.contains("Node") => match () {
            () if has(&["TensorList"]) => Some("PrimaryInputList"),
            () if has(&["Tensor"]) => Some("PrimaryInput"),
            () if is_number => Some("PrimaryInputScalar"),
            () if has(&["int"]) && !has(&["Type"]) => Some("ConstInput"),
            () => None,
        },
        "int" | "SupportsInt" => match () {
            () if has(&["int"]) => Some("ByPass"),
            () if has(&["Scalar"]) && !has(&["Type"]) => Some("int"),
            () => None,
        },
        "float" => is_number.then_some("float"),
        "bool" => has(&["bool"]).then_some("ByPass"),
        _ if parameter.contains("TensorShape") => has(&["int", "IntArrayRef"]).then_some("TensorShape"),
        _ => return Err(()),
    })
}

fn text<'v>(value: &'v Value, key: &str) -> &'v str {
    value.get(key).and_then(Value::as_str).unwrap_or_default()
}

/// Merges the extra arguments of the metadata into those of the declaration.
fn merge(arguments: &mut Vec<Value>, extra: &[Value], class_key: &str) {
    let has_out = arguments.last().is_some_and(|last| ["out", "Output"].contains(&text(last, "name")));
    let mut place = arguments.len() - usize::from(has_out);
    for extra in extra {
        let known = arguments.iter_mut().find(|argument| text(argument, "name") == text(extra, "name"));
        match known {
            Some(Value::Object(argument)) => {
                if extra.get("overwrite").and_then(Value::as_bool).unwrap_or(false) {
                    for key in ["type", "default"] {
                        argument.insert(key.to_owned(), extra.get(key).cloned().unwrap_or(Value::Null));
                    }
                    argument.insert(class_key.to_owned(), json!("Default"));
                }
            }
            Some(_) => {}
            None => {
                let mut added = extra.as_object().cloned().unwrap_or_else(Map::new);
                added.insert("in_signature".to_owned(), json!(false));
                added.insert(class_key.to_owned(), json!("Default"));
                arguments.insert(place, Value::Object(added));
                place += 1;
            }
        }
    }
}

/// Gives every argument its class, and returns the order in which they are passed. `None` if no
/// overload takes them.
pub(super) fn map(
    arguments: &mut Vec<Value>,
    overloads: &[Vec<String>],
    extra: &[Value],
    class_key: &str,
) -> Option<Vec<usize>> {
    merge(arguments, extra, class_key);
    let (order, classes) = overloads.iter().find_map(|parameters| one(arguments, parameters))?;
    for (argument, class) in arguments.iter_mut().zip(classes) {
        if let Value::Object(argument) = argument {
            argument.entry(class_key.to_owned()).or_insert(json!(class));
        }
    }
    Some(order)
}

fn one(arguments: &[Value], parameters: &[String]) -> Option<(Vec<usize>, Vec<&'static str>)> {
    let mut classes = vec!["Ignore"; arguments.len()];
    let mut order = Vec::new();
    // Without parameters, upstream finds no mapping.
    if parameters.is_empty() {
        return None;
    }
    for parameter in parameters {
        let mut found = false;
        for (at, argument) in arguments.iter().enumerate() {
            if order.contains(&at) || text(argument, "name") == "out" {
                continue;
            }
            if let Some(class) = class(text(argument, "type"), parameter).ok()? {
                classes[at] = class;
                order.push(at);
                found = true;
                break;
            }
        }
        if !found {
            return None;
        }
    }
    Some((order, classes))
}
