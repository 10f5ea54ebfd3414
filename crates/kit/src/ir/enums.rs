//! The tables `types:` and `enums:` of a family file.
//!
//! Invariant: names in a table that was read are unique; errors were reported.

use super::types::{Comparison, Numeric, ValueType};
use torchgen_base::diag::{CodeInfo, Diagnostic, Diagnostics, Span, codes};
use torchgen_base::lang::cpp::is_keyword;
use torchgen_base::lang::is_identifier;
use torchgen_base::yaml::fields::{self, Fields};
use torchgen_base::yaml::keys::{KeySpec, KeyTable, Others, Shape};
use torchgen_base::yaml::{Node, NodeKind, Resolved, Text, resolve};

/// The keys of an enumeration.
pub static ENUM_KEYS: KeyTable = KeyTable {
    what: "an enumeration",
    keys: &[
        KeySpec::new("values", Shape::Texts, "The enumerators, in order.").required(),
        KeySpec::new("scoped", Shape::Bool, "Whether it is an `enum class`."),
        KeySpec::new("doc", Shape::Text, "A description of the enumeration."),
    ],
    others: Others::Refused,
    misplaced: &[],
    unknown: &codes::UNKNOWN_KEY,
};

/// The keys of a member type.
pub static TYPE_KEYS: KeyTable = KeyTable {
    what: "a type",
    keys: &[
        KeySpec::new("cpp", Shape::Text, "Its C++ name.").required(),
        KeySpec::new("storage", Shape::Text, "The type that classes store; by default `cpp`."),
        KeySpec::new("argument", Shape::Text, "The type that constructors take; by default `cpp`."),
        KeySpec::new("returns", Shape::Text, "The type that getters return; by default `cpp`."),
        KeySpec::new("cmp", Shape::Text, "An operator or a function that compares two values."),
        KeySpec::new("hash", Shape::Text, "A function that returns the hash of a value."),
    ],
    others: Others::Refused,
    misplaced: &[],
    unknown: &codes::UNKNOWN_KEY,
};

/// An enumeration that the generated code defines.
#[derive(Debug, Clone)]
pub struct EnumRecord {
    /// Its name.
    pub name: Text,
    /// The enumerators.
    pub values: Vec<Text>,
    /// The values are as written. Otherwise an error was reported.
    pub readable: bool,
    /// The numbers of the enumerators that have one of their own.
    pub numbers: Vec<(Text, i128)>,
    /// What is printed for an enumerator, if it is not its name.
    pub print: Vec<(Text, Text)>,
    /// Whether it is an `enum class`.
    pub scoped: bool,
    /// What it is for.
    pub doc: Option<Text>,
}

/// A type of members.
#[derive(Debug, Clone)]
pub struct TypeRecord {
    /// Its name in schema strings.
    pub name: Text,
    /// Its C++ side.
    pub ty: ValueType,
    /// The header that declares it.
    pub include: Option<Text>,
    /// A function that prints one.
    pub print: Option<Text>,
    /// A function that reads one.
    pub parse: Option<Text>,
}

/// The family's codes for bad names.
#[derive(Debug, Clone, Copy)]
pub struct NameCodes {
    /// The name is not an identifier.
    pub malformed: &'static CodeInfo,
    /// C++ reserves the name.
    pub reserved: &'static CodeInfo,
}

/// How a family writes enumerations.
#[derive(Debug, Clone, Copy)]
pub struct EnumForm {
    /// The keys: `values`, and of `scoped`, `print` and `doc` what the family knows.
    pub keys: &'static KeyTable,
    /// Whether `values` may be a mapping from names to numbers.
    pub numbered: bool,
    /// The codes for names of enumerations.
    pub names: NameCodes,
    /// The codes for names of enumerators.
    pub values: NameCodes,
}

/// Reads `enums:` of a family whose enumerators have neither numbers nor printed forms.
pub fn read_enums(node: Node, name_codes: NameCodes, diagnostics: &mut Diagnostics) -> Vec<EnumRecord> {
    let form = EnumForm { keys: &ENUM_KEYS, numbered: false, names: name_codes, values: name_codes };
    read_enums_of(node, &form, diagnostics)
}

/// Reads `enums:` as a family writes it.
pub fn read_enums_of(node: Node, form: &EnumForm, diagnostics: &mut Diagnostics) -> Vec<EnumRecord> {
    let mut records = Vec::new();
    for (name, value) in named_pairs(node, "enums", diagnostics) {
        let Some(mut fields) = Fields::new(value, form.keys, diagnostics) else { continue };
        let mut numbers = Vec::new();
        let before = fields.diagnostics().len();
        let values = match fields.has("values") {
            true if form.numbered => read_values(&mut fields, &mut numbers),
            true => fields.take_texts("values").map(|values| values.value).unwrap_or_default(),
            false => {
                fields.missing("values", Some("list the enumerators: `values: [NHWC, NCHW]`"));
                Vec::new()
            }
        };
        let readable = fields.diagnostics().len() == before;
        let print = fields.take("print");
        let print = print.and_then(|node| fields::text_map(node, "print", fields.diagnostics()));
        let scoped = fields.take_bool("scoped").is_some_and(|scoped| scoped.value);
        let doc = fields.take_text("doc");
        fields.finish();
        check_identifier(&name, form.names, diagnostics);
        values.iter().for_each(|value| check_identifier(value, form.values, diagnostics));
        let print = print.map(|map| map.value).unwrap_or_default();
        records.push(EnumRecord { name, values, readable, numbers, print, scoped, doc });
    }
    records
}

/// `[red, green]`, or `{red: 1, green: 2}`.
fn read_values(fields: &mut Fields<'_>, numbers: &mut Vec<(Text, i128)>) -> Vec<Text> {
    let Some(node) = fields.take("values") else { return Vec::new() };
    let NodeKind::Mapping(pairs) = node.kind else {
        return fields::texts(node, "values", fields.diagnostics()).map(|list| list.value).unwrap_or_default();
    };
    let mut values = Vec::with_capacity(pairs.len());
    for (name, number) in pairs {
        let Some(name) = fields::text(name, "the name of a value", fields.diagnostics()) else { continue };
        let parsed = match resolve(&number) {
            Resolved::Int(_) => number.as_text().and_then(|text| text.parse().ok()),
            _ => None,
        };
        match parsed {
            Some(parsed) => numbers.push((name.clone(), parsed)),
            None => {
                let error = fields::wrong_type(&number, "the number of a value", "a whole number");
                fields.diagnostics().push(error);
            }
        }
        values.push(name);
    }
    values
}

/// Reads `types:` with the keys of graph IRs.
pub fn read_types(node: Node, name_codes: NameCodes, diagnostics: &mut Diagnostics) -> Vec<TypeRecord> {
    read_types_of(node, &TYPE_KEYS, name_codes, diagnostics)
}

/// Reads `types:` with the keys that a family knows.
pub fn read_types_of(
    node: Node,
    keys: &'static KeyTable,
    name_codes: NameCodes,
    diagnostics: &mut Diagnostics,
) -> Vec<TypeRecord> {
    let mut records = Vec::new();
    for (name, value) in named_pairs(node, "types", diagnostics) {
        let Some(mut fields) = Fields::new(value, keys, diagnostics) else { continue };
        let given = fields.has("cpp");
        let mut text = |key: &str| fields.take_text(key);
        let [cpp, storage, argument, returns, cmp] = ["cpp", "storage", "argument", "returns", "cmp"].map(&mut text);
        let [hash, include, print, parse] = ["hash", "include", "print", "parse"].map(&mut text);
        if !given {
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
        records.push(TypeRecord { name, ty, include, print, parse });
    }
    records
}

/// The pairs of a mapping from names to anything.
pub fn named_pairs(node: Node, key: &str, diagnostics: &mut Diagnostics) -> Vec<(Text, Node)> {
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

/// Reports a word that cannot be a name in C++.
pub fn check_identifier(word: &Text, name_codes: NameCodes, diagnostics: &mut Diagnostics) {
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
