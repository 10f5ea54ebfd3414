//! The schema that torch infers from the C++ function of a `def` without one.
//!
//! Rule: aten/src/ATen/core/op_registration/infer_schema.h and c10's `getTypePtr`. Arguments are
//! named `_0`, `_1`, …, and nothing is said of what the function changes. Torch names results in
//! the same way, which no caller sees; here they have no names.
//!
//! Invariant: a type that torch does not take is an error, so that a schema is torch's or absent.

use torchgen_base::lang::cpp::Signature;

/// The schema, without a namespace.
///
/// # Errors
/// The C++ type that torch infers nothing from.
pub(super) fn schema(name: &str, function: &Signature) -> Result<String, String> {
    let argument = |(at, text): (usize, &String)| Ok(format!("{} _{at}", one(text)?));
    let arguments: Vec<String> = function.parameters.iter().enumerate().map(argument).collect::<Result<_, String>>()?;
    let returns = match (function.returns.as_str(), inside(&function.returns, "tuple")) {
        ("void", _) => "()".to_owned(),
        (_, Some(results)) => {
            let result = |(at, text): (usize, &str)| Ok(format!("{} _{at}", one(text)?));
            format!("({})", parts(results).enumerate().map(result).collect::<Result<Vec<_>, String>>()?.join(", "))
        }
        (result, None) => format!("{} _0", one(result)?),
    };
    Ok(format!("{name}({}) -> {returns}", arguments.join(", ")))
}

/// The parameters that the function can change, by the names of the schema.
pub(super) fn changed(function: &Signature) -> Vec<String> {
    let is_changed = |text: &String| text.ends_with('&') && !text.ends_with("&&") && !text.starts_with("const ");
    (0..)
        .zip(&function.parameters)
        .filter(|(_, text)| is_changed(text))
        .map(|(at, _): (u32, _)| format!("_{at}"))
        .collect()
}

/// Types without parameters.
const TYPES: &[(&str, &str)] = &[
    ("Tensor", "Tensor"),
    ("int64_t", "int"),
    ("SymInt", "SymInt"),
    ("double", "float"),
    ("bool", "bool"),
    ("string", "str"),
    ("string_view", "str"),
    ("Scalar", "Scalar"),
    ("ScalarType", "ScalarType"),
    ("Layout", "Layout"),
    ("Device", "Device"),
    ("MemoryFormat", "MemoryFormat"),
    ("Generator", "Generator"),
    ("Stream", "Stream"),
    ("IntArrayRef", "int[]"),
    ("SymIntArrayRef", "SymInt[]"),
    ("TensorList", "Tensor[]"),
    ("ITensorListRef", "Tensor[]"),
    ("OptionalIntArrayRef", "int[]?"),
    ("OptionalSymIntArrayRef", "SymInt[]?"),
];

/// Types of lists.
const LISTS: &[&str] = &["ArrayRef", "vector", "List"];

/// The schema's type for one in normal form.
pub(crate) fn one(text: &str) -> Result<String, String> {
    let bare = text.trim().trim_start_matches("const ").trim_end_matches('&').trim();
    if let Some((_, name)) = TYPES.iter().find(|(of, _)| *of == bare) {
        return Ok((*name).to_owned());
    }
    if let Some(element) = LISTS.iter().find_map(|list| inside(bare, list)) {
        return Ok(format!("{}[]", one(element)?));
    }
    if let Some(value) = inside(bare, "optional") {
        return Ok(format!("{}?", one(value)?));
    }
    if let Some(element) = inside(bare, "OptionalArrayRef") {
        return Ok(format!("{}[]?", one(element)?));
    }
    if let Some(both) = inside(bare, "array")
        && let [element, length] = parts(both).collect::<Vec<_>>()[..]
        && length.bytes().all(|byte| byte.is_ascii_digit())
    {
        return Ok(format!("{}[{length}]", one(element)?));
    }
    Err(bare.to_owned())
}

/// The text between the angle brackets of a template's type.
pub(crate) fn inside<'a>(text: &'a str, template: &str) -> Option<&'a str> {
    text.strip_prefix(template)?.strip_prefix('<')?.strip_suffix('>')
}

/// The parts between commas outside brackets.
pub(crate) fn parts(text: &str) -> impl Iterator<Item = &str> {
    let mut depth = 0usize;
    let is_end = move |c: char| {
        match c {
            '<' | '(' => depth += 1,
            '>' | ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        c == ',' && depth == 0
    };
    text.split(is_end).map(str::trim)
}
