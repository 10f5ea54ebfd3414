//! The types of a module's functions: those of a schema, and their spelling in C++.
//!
//! Rule: pybind11 converts more types than torch's dispatcher takes: `int` and `float`, and lists
//! of them. A schema has the wider type, and the kernel gets a value that is checked to fit.

use crate::from_cpp::infer::{inside, one, parts};

/// A type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Taken {
    /// That of the schema.
    pub(super) schema: String,
    /// That of C++ as the function has it.
    pub(super) spelled: String,
    /// That of C++ as the dispatcher has it, if it takes another one.
    pub(super) wide: Option<String>,
}

/// Numbers that have fewer bits than those of schemas, or no sign.
const INTEGERS: &[&str] = &[
    "int",
    "long",
    "short",
    "unsigned",
    "unsigned int",
    "unsigned long",
    "long long",
    "unsigned long long",
    "long int",
    "size_t",
    "ssize_t",
    "int8_t",
    "int16_t",
    "int32_t",
    "uint8_t",
    "uint16_t",
    "uint32_t",
    "uint64_t",
];

/// The words of types, and where they are.
const WORDS: &[(&str, &[&str])] = &[
    (
        "at::",
        &[
            "Tensor",
            "TensorList",
            "ITensorListRef",
            "IntArrayRef",
            "OptionalIntArrayRef",
            "Scalar",
            "ScalarType",
            "Layout",
            "Device",
            "MemoryFormat",
            "Generator",
        ],
    ),
    (
        "c10::",
        &["ArrayRef", "OptionalArrayRef", "List", "SymInt", "SymIntArrayRef", "OptionalSymIntArrayRef", "Stream"],
    ),
    ("std::", &["vector", "optional", "tuple", "pair", "array", "string", "string_view"]),
    ("torch::", &["Dtype"]),
];

/// The types that a list can have.
const LISTS: &[&str] = &["vector", "ArrayRef", "List"];

/// A type in normal form.
///
/// # Errors
/// The type that a schema of the YAML lacks.
pub(super) fn taken(normal: &str) -> Result<Taken, String> {
    let bare = bare(normal);
    let (schema, wide) = schema(bare, false)?;
    Ok(Taken { schema, spelled: spelled(normal), wide })
}

/// A type without `const` and `&`.
pub(super) fn bare(normal: &str) -> &str {
    normal.trim().trim_start_matches("const ").trim_end_matches('&').trim()
}

/// The type of a schema, and the one that the dispatcher takes if it is another one.
fn schema(bare: &str, is_inside: bool) -> Result<(String, Option<String>), String> {
    if INTEGERS.contains(&bare) {
        return Ok(("int".to_owned(), Some("int64_t".to_owned())));
    }
    match bare {
        "float" => return Ok(("float".to_owned(), Some("double".to_owned()))),
        "Dtype" => return Ok(("ScalarType".to_owned(), None)),
        _ => {}
    }
    if let Ok(known) = one(bare) {
        return Ok((known, None));
    }
    if let Some(element) = LISTS.iter().find_map(|list| inside(bare, list)) {
        let (element, wide) = schema(element, true)?;
        let list = if is_inside { "std::vector" } else { "c10::ArrayRef" };
        return Ok((format!("{element}[]"), wide.map(|wide| format!("{list}<{wide}>"))));
    }
    if let Some(value) = inside(bare, "optional") {
        let (value, wide) = schema(value, true)?;
        return Ok((format!("{value}?"), wide.map(|wide| format!("std::optional<{wide}>"))));
    }
    if let Some(both) = inside(bare, "array")
        && let [element, length] = parts(both).collect::<Vec<_>>()[..]
        && length.bytes().all(|byte| byte.is_ascii_digit())
    {
        let (element, wide) = schema(element, true)?;
        return Ok((format!("{element}[{length}]"), wide.map(|wide| format!("std::array<{wide}, {length}>"))));
    }
    Err(bare.to_owned())
}

/// The types of results: those of a schema, and that of C++ if the dispatcher takes another one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Returned {
    /// Those of the schema, in order.
    pub(super) schema: Vec<String>,
    /// It is several results, or none.
    pub(super) is_tuple: bool,
    /// The type of C++ that is returned to the dispatcher, if it is another one.
    pub(super) wide: Option<String>,
}

/// The results of a function, in normal form. A list of so many tensors is that many results.
///
/// # Errors
/// The type that a schema of the YAML lacks.
pub(super) fn returned(normal: &str, count: Option<usize>) -> Result<Returned, String> {
    let bare = bare(normal);
    if bare == "void" {
        return Ok(Returned { schema: Vec::new(), is_tuple: true, wide: None });
    }
    let several = |types: Vec<(String, Option<String>)>, spelled: Vec<String>, is_converted: bool| {
        let is_converted = is_converted || types.iter().any(|(_, wide)| wide.is_some());
        let wide: Vec<String> = types.iter().zip(spelled).map(|((_, wide), own)| wide.clone().unwrap_or(own)).collect();
        let wide = is_converted.then(|| format!("std::tuple<{}>", wide.join(", ")));
        Returned { schema: types.into_iter().map(|(schema, _)| schema).collect(), is_tuple: true, wide }
    };
    for (template, is_converted) in [("tuple", false), ("pair", true)] {
        if let Some(inner) = inside(bare, template) {
            let types = parts(inner).map(|part| schema(self::bare(part), true)).collect::<Result<Vec<_>, _>>()?;
            return Ok(several(types, parts(inner).map(spelled).collect(), is_converted));
        }
    }
    if let Some(count) = count.filter(|count| *count > 1 && bare == "vector<Tensor>") {
        let tensor = || ("Tensor".to_owned(), None);
        return Ok(several((0..count).map(|_| tensor()).collect(), vec!["at::Tensor".to_owned(); count], true));
    }
    let (schema, wide) = schema(bare, true)?;
    Ok(Returned { schema: vec![schema], is_tuple: false, wide })
}

/// A type in normal form as any source can write it.
pub(super) fn spelled(normal: &str) -> String {
    let mut text = String::new();
    let mut rest = normal;
    while let Some(first) = rest.chars().next() {
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let end = match is_word(first) {
            true => rest.find(|c: char| !is_word(c)).unwrap_or(rest.len()),
            false => first.len_utf8(),
        };
        let (word, behind) = rest.split_at(end);
        let namespace = WORDS.iter().find(|(_, words)| words.contains(&word)).map(|(namespace, _)| *namespace);
        text.push_str(namespace.unwrap_or_default());
        text.push_str(word);
        if word == "," {
            text.push(' ');
        }
        rest = behind;
    }
    text
}
