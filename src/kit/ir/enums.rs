//! The tables `types:` and `enums:` of a family file.
//!
//! Invariant: names in a table that was read are unique; errors were reported.

use super::types::{Comparison, Numeric, ValueType};
use crate::diag::{CodeInfo, Diagnostic, Diagnostics, Span, codes};
use crate::lang::cpp::is_keyword;
use crate::lang::is_identifier;
use crate::yaml::fields::{self, Fields};
use crate::yaml::keys::{KeySpec, KeyTable, Others, Shape};
use crate::yaml::{Node, NodeKind, Text};

/// The keys of an enumeration.
pub(crate) static ENUM_KEYS: KeyTable = KeyTable {
    what: "an enumeration",
    keys: &[
        KeySpec::new("values", Shape::Texts, "The enumerators, in order.").required(),
        KeySpec::new("scoped", Shape::Bool, "Whether it is an `enum class`."),
        KeySpec::new("doc", Shape::Text, "What it is for."),
    ],
    others: Others::Refused,
    misplaced: &[],
    unknown: &codes::UNKNOWN_KEY,
};

/// The keys of a member type.
pub(crate) static TYPE_KEYS: KeyTable = KeyTable {
    what: "a type",
    keys: &[
        KeySpec::new("cpp", Shape::Text, "Its C++ name.").required(),
        KeySpec::new("storage", Shape::Text, "How classes keep it, if not as `cpp`."),
        KeySpec::new("argument", Shape::Text, "How constructors take it, if not as `cpp`."),
        KeySpec::new("returns", Shape::Text, "How getters give it back, if not as `cpp`."),
        KeySpec::new("cmp", Shape::Text, "An operator or a function that compares two of them."),
        KeySpec::new("hash", Shape::Text, "A function that gives the hash of one."),
    ],
    others: Others::Refused,
    misplaced: &[],
    unknown: &codes::UNKNOWN_KEY,
};

/// An enumeration that the generated code defines.
#[derive(Debug, Clone)]
pub(crate) struct EnumRecord {
    /// Its name.
    pub name: Text,
    /// The enumerators.
    pub values: Vec<Text>,
    /// Whether it is an `enum class`.
    pub scoped: bool,
    /// What it is for.
    pub doc: Option<Text>,
}

/// A type of members.
#[derive(Debug, Clone)]
pub(crate) struct TypeRecord {
    /// Its name in schema strings.
    pub name: Text,
    /// Its C++ side.
    pub ty: ValueType,
}

/// The family's codes for bad names.
#[derive(Debug, Clone, Copy)]
pub(crate) struct NameCodes {
    /// The name is not an identifier.
    pub malformed: &'static CodeInfo,
    /// C++ reserves the name.
    pub reserved: &'static CodeInfo,
}

/// Reads `enums:`.
pub(crate) fn read_enums(node: Node, name_codes: NameCodes, diagnostics: &mut Diagnostics) -> Vec<EnumRecord> {
    let mut records = Vec::new();
    for (name, value) in named(node, "enums", diagnostics) {
        let Some(mut fields) = Fields::new(value, &ENUM_KEYS, diagnostics) else { continue };
        let values = fields.take_texts("values");
        let scoped = fields.take_bool("scoped").is_some_and(|scoped| scoped.value);
        let doc = fields.take_text("doc");
        if values.is_none() {
            fields.missing("values", Some("list the enumerators: `values: [NHWC, NCHW]`"));
        }
        fields.finish();
        let values = values.map(|values| values.value).unwrap_or_default();
        let words = std::iter::once(&name).chain(&values);
        words.for_each(|word| check_identifier(word, name_codes, diagnostics));
        records.push(EnumRecord { name, values, scoped, doc });
    }
    records
}

/// Reads `types:`.
pub(crate) fn read_types(node: Node, name_codes: NameCodes, diagnostics: &mut Diagnostics) -> Vec<TypeRecord> {
    let mut records = Vec::new();
    for (name, value) in named(node, "types", diagnostics) {
        let Some(mut fields) = Fields::new(value, &TYPE_KEYS, diagnostics) else { continue };
        let cpp = fields.take_text("cpp");
        let [storage, argument, returns, cmp, hash] =
            ["storage", "argument", "returns", "cmp", "hash"].map(|key| fields.take_text(key));
        if cpp.is_none() {
            fields.missing("cpp", Some("give the C++ spelling of the type"));
        }
        fields.finish();
        check_identifier(&name, name_codes, diagnostics);
        let Some(cpp) = cpp else { continue };
        let spelled = |own: Option<Text>| own.map_or_else(|| cpp.as_str().to_owned(), Text::into_string);
        let comparison = match cmp.map(Text::into_string) {
            None => Comparison::Same,
            Some(cmp) if cmp.starts_with(|c: char| c.is_alphabetic() || c == '_' || c == ':') => {
                Comparison::Function(cmp)
            }
            Some(cmp) => Comparison::Operator(cmp),
        };
        let ty = ValueType {
            storage: spelled(storage),
            argument: spelled(argument),
            returns: spelled(returns),
            comparison,
            hash: hash.map(Text::into_string),
            numeric: Numeric::Not,
        };
        records.push(TypeRecord { name, ty });
    }
    records
}

fn named(node: Node, key: &str, diagnostics: &mut Diagnostics) -> Vec<(Text, Node)> {
    let what = format!("a key of `{key}`");
    match node.kind {
        NodeKind::Mapping(pairs) => {
            let name = |(name, value)| Some((fields::text(name, &what, diagnostics)?, value));
            pairs.into_iter().filter_map(name).collect()
        }
        _ => {
            let message = format!("`{key}` must be a mapping from names");
            diagnostics.push(Diagnostic::new(&codes::WRONG_TYPE, message).at(node.span));
            Vec::new()
        }
    }
}

fn check_identifier(word: &Text, name_codes: NameCodes, diagnostics: &mut Diagnostics) {
    let span: Span = word.span();
    let text = word.as_str();
    if !is_identifier(text) {
        diagnostics.push(Diagnostic::new(name_codes.malformed, format!("`{text}` is not an identifier")).at(span));
    } else if is_keyword(text) {
        diagnostics.push(
            Diagnostic::new(name_codes.reserved, format!("`{text}` is a keyword of C++"))
                .at(span)
                .help(format!("append an underscore: `{text}_`")),
        );
    }
}
