//! The manifest: what a generator reads, and what it writes.
//!
//! Invariant: every text knows its place. Names are checked where they are used.

use indexmap::IndexMap;
use minijinja::Value;
use torchgen_base::diag::{Diagnostics, codes as shared};
use torchgen_base::yaml::fields::{Fields, KeyTable, Others, Shape, items};
use torchgen_base::yaml::keys::{KeySpec as Key, MapKeys};
use torchgen_base::yaml::{Node, NodeKind, Text};
use torchgen_kit::driver::run_section::FAMILY_SECTION;

use super::types::KeyType;
use super::values::{self, wrong};

/// The keys of a manifest.
pub(crate) static MANIFEST_KEYS: KeyTable = KeyTable {
    what: "a manifest",
    keys: &[
        Key::new("family", Shape::Word(&["generator"]), "The family.").required(),
        FAMILY_SECTION,
        Key::new("generator", Shape::Text, "In own YAML: the folder of its generator."),
        Key::new("name", Shape::Identifier, "The name of the generator."),
        Key::new("about", Shape::Text, "What it generates, in one sentence."),
        Key::new("license", Shape::Text, "The license of what it writes."),
        Key::new("torch", Shape::Text, "The versions of torch that it serves: `>=2.12`."),
        Key::new("reads", Shape::Text, "The family of its things; PyTorch's operators if it is not given."),
        Key::new("keys_off", Shape::Texts, "Dispatch keys that the build lacks, which vanish from `facts.dispatch`."),
        Key::new("options", Shape::Named(&OPTION_KEYS), "Values for `--set`."),
        Key::new("entries", Shape::Named(&SECTION_KEYS), "Sections of own YAML."),
        Key::new("data", Shape::Map(ANY_NAMES), "YAML or JSON files of the folder, by the name in `data`."),
        Key::new("types", Shape::Any, "Tables that spell schema types, for `spelled`."),
        Key::new("python", Shape::Texts, "Functions of Python that templates call, which the Python package supplies."),
        Key::new("outputs", Shape::Entries(&OUTPUT_KEYS), "The files."),
    ],
    // Own YAML begins like a manifest, and its sections have any names.
    others: Others::Ignored,
    misplaced: &[],
    unknown: &shared::UNKNOWN_KEY,
};

/// Names that users choose.
const ANY_NAMES: MapKeys = MapKeys { words: Vec::new, offered: Vec::new };

const TYPE: Key = Key::new("type", Shape::Any, "The type, or a list of words.");
const DOC: Key = Key::new("doc", Shape::Text, "What it is for.");

static OPTION_KEYS: KeyTable = KeyTable {
    what: "an option",
    keys: &[
        TYPE,
        Key::new("default", Shape::Any, "The value if none is given."),
        Key::new("required", Shape::Bool, "Whether it must be given."),
        DOC,
        Key::new("list", Shape::Bool, "Whether it has several values, separated by commas."),
    ],
    others: Others::Refused,
    misplaced: &[],
    unknown: &shared::UNKNOWN_KEY,
};

static SECTION_KEYS: KeyTable = KeyTable {
    what: "a section of entries",
    keys: &[
        DOC,
        Key::new("operator", Shape::Text, "The key that names the operator of an entry."),
        Key::new("namespace", Shape::Text, "The namespace of the operators; `aten` if it is not given."),
        Key::new("unknown", Shape::Word(&["error", "skip"]), "What an operator is that this torch lacks."),
        Key::new("repeat", Shape::Word(&["error", "last"]), "What an operator is that is listed twice."),
        Key::new("order", Shape::Word(&["file", "model", "groups"]), "The order of the entries."),
        Key::new("differs", Shape::Word(&["error", "warn", "keep"]), "What a schema is that is not the operator's."),
        Key::new("others", Shape::Word(&["error", "allow"]), "What keys are that are not declared."),
        Key::new("keys", Shape::Named(&KEY_KEYS), "The keys of an entry.").required(),
    ],
    others: Others::Refused,
    misplaced: &[],
    unknown: &shared::UNKNOWN_KEY,
};

static KEY_KEYS: KeyTable = KeyTable {
    what: "a key of entries",
    keys: &[
        TYPE,
        Key::new("default", Shape::Any, "The value of an entry without the key."),
        Key::new("required", Shape::Bool, "Whether every entry has it."),
        Key::new("list", Shape::Bool, "Whether its value is a list."),
        DOC,
        Key::new("deprecated", Shape::Text, "What to write instead."),
    ],
    others: Others::Refused,
    misplaced: &[],
    unknown: &shared::UNKNOWN_KEY,
};

static OUTPUT_KEYS: KeyTable = KeyTable {
    what: "an output",
    keys: &[
        Key::new("file", Shape::Text, "The path below `-d`, with `{by}`, `{shard}`, `{torch}`, `{options.NAME}`.")
            .required(),
        Key::new("template", Shape::Text, "The template of the file; without it, the joined texts."),
        OVER,
        WHERE,
        EACH,
        Key::new("by", Shape::Text, "An expression: one file for each of its values."),
        SORT,
        UNIQUE,
        Key::new("shards", Shape::Keys(&SHARD_KEYS), "How many files share the texts."),
        Key::new("texts", Shape::Named(&TEXTS_KEYS), "Several lists of texts, by name."),
        Key::new("write", Shape::Text, "An expression: whether the file exists."),
    ],
    others: Others::Refused,
    misplaced: &[],
    unknown: &shared::UNKNOWN_KEY,
};

const OVER: Key = Key::new("over", Shape::Any, "A kind of thing, a section, or a list of sections.");
const WHERE: Key = Key::new("where", Shape::Text, "An expression that selects items.");
const EACH: Key = Key::new("each", Shape::Text, "The template of each item.");
const SORT: Key = Key::new("sort", Shape::Text, "`text`, or an expression.");
const UNIQUE: Key = Key::new("unique", Shape::Bool, "Whether equal texts are there once.");

static TEXTS_KEYS: KeyTable = KeyTable {
    what: "a list of texts",
    keys: &[OVER, WHERE, EACH, SORT, UNIQUE],
    others: Others::Refused,
    misplaced: &[],
    unknown: &shared::UNKNOWN_KEY,
};

static SHARD_KEYS: KeyTable = KeyTable {
    what: "shards",
    keys: &[
        Key::new("count", Shape::Any, "How many.").required(),
        Key::new("by", Shape::Text, "`hash` of the item's name, `cost` by bytes, or an expression with a number."),
    ],
    others: Others::Refused,
    misplaced: &[],
    unknown: &shared::UNKNOWN_KEY,
};

/// A generator.
pub(crate) struct Manifest {
    pub(crate) name: String,
    pub(crate) about: Option<String>,
    pub(crate) torch: Option<Text>,
    pub(crate) reads: Option<Text>,
    pub(crate) keys_off: Vec<Text>,
    pub(crate) options: IndexMap<String, OwnKey>,
    pub(crate) sections: IndexMap<String, SectionKeys>,
    pub(crate) data: Vec<(Text, Text)>,
    pub(crate) types: Value,
    /// Functions that the caller of the program has.
    pub(crate) python: Vec<Text>,
    pub(crate) outputs: Vec<Output>,
}

/// An option, or a key of entries.
pub(crate) struct OwnKey {
    pub(crate) ty: KeyType,
    pub(crate) list: bool,
    pub(crate) required: bool,
    pub(crate) default: Option<Value>,
    pub(crate) doc: Option<String>,
    pub(crate) deprecated: Option<Text>,
}

/// A section of entries.
pub(crate) struct SectionKeys {
    pub(crate) doc: Option<String>,
    pub(crate) operator: Option<String>,
    pub(crate) namespace: String,
    pub(crate) skips_unknown: bool,
    pub(crate) last_counts: bool,
    pub(crate) order: String,
    pub(crate) differs: String,
    pub(crate) allows_others: bool,
    pub(crate) keys: IndexMap<String, OwnKey>,
}

/// A file, or several.
pub(crate) struct Output {
    pub(crate) file: Text,
    pub(crate) template: Option<Text>,
    /// The lists by name.
    pub(crate) lists: Vec<(String, List)>,
    pub(crate) by: Option<Text>,
    pub(crate) shards: Option<(u32, Option<Text>)>,
    pub(crate) write: Option<Text>,
}

/// A list of items or of their texts.
pub(crate) struct List {
    pub(crate) over: Vec<Text>,
    pub(crate) where_: Option<Text>,
    pub(crate) each: Option<Text>,
    pub(crate) sort: Option<Text>,
    pub(crate) unique: bool,
}

/// The name of the only list of an output without `texts`.
pub(crate) const TEXTS: &str = "texts";

/// Whether a document is a manifest, not own YAML.
pub(crate) fn is_manifest(root: &Node) -> bool {
    values::get(root, "outputs").is_some() || values::get(root, "entries").is_some()
}

/// Reads a manifest. Errors are diagnostics.
pub(crate) fn read(root: Node, diagnostics: &mut Diagnostics) -> Option<Manifest> {
    let mut fields = Fields::new(root, &MANIFEST_KEYS, diagnostics)?;
    for key in ["family", "run", "generator"] {
        fields.take(key);
    }
    let name = fields.take_text("name");
    let about = fields.take_text("about").map(Text::into_string);
    fields.take_text("license");
    let (torch, reads) = (fields.take_text("torch"), fields.take_text("reads"));
    let keys_off = fields.take_texts("keys_off").map(|texts| texts.value).unwrap_or_default();
    let options = fields.take("options");
    let sections = fields.take("entries");
    let data = fields.take_map("data").map(|map| map.value).unwrap_or_default();
    let types = fields.take("types").map_or(Value::from_pairs([("", ""); 0]), |node| values::of(&node));
    let python = fields.take_texts("python").map(|texts| texts.value).unwrap_or_default();
    let outputs = fields.take("outputs");
    for missing in [("name", name.is_none()), ("outputs", outputs.is_none())] {
        if missing.1 {
            fields.missing(missing.0, None);
        }
    }
    fields.finish();
    // It names the files of `--emit`.
    if let Some(name) = name.as_ref().filter(|name| !torchgen_base::lang::is_identifier(name)) {
        diagnostics.push(wrong(name.span(), "`name` must be an identifier".to_owned()));
    }
    for function in python.iter().filter(|name| !torchgen_base::lang::is_identifier(name)) {
        diagnostics.push(wrong(function.span(), "the name of a function must be an identifier".to_owned()));
    }
    let options = named(options, "options", diagnostics, |_, node, found| own_key(node, &OPTION_KEYS, found));
    let sections = named(sections, "entries", diagnostics, section);
    let outputs = outputs.and_then(|node| items(node, "`outputs`", &shared::WRONG_TYPE, diagnostics));
    let outputs = outputs.into_iter().flatten().filter_map(|node| output(node, diagnostics)).collect();
    let name = name?.into_string();
    Some(Manifest { name, about, torch, reads, keys_off, options, sections, data, types, python, outputs })
}

/// A mapping from names to what a reader makes of their values.
fn named<T>(
    node: Option<Node>,
    what: &str,
    diagnostics: &mut Diagnostics,
    read: impl Fn(&Text, Node, &mut Diagnostics) -> Option<T>,
) -> IndexMap<String, T> {
    let mut all = IndexMap::new();
    let Some(node) = node else { return all };
    let span = node.span;
    let NodeKind::Mapping(pairs) = node.kind else {
        diagnostics.push(wrong(span, format!("`{what}` must be a mapping from names")));
        return all;
    };
    for (key, value) in pairs {
        let Some(name) = key.as_text().filter(|name| torchgen_base::lang::is_identifier(name)) else {
            diagnostics.push(wrong(key.span, format!("a name in `{what}` must be an identifier")));
            continue;
        };
        if let Some(read) = read(name, value, diagnostics) {
            all.insert(name.as_str().to_owned(), read);
        }
    }
    all
}

fn own_key(node: Node, table: &'static KeyTable, diagnostics: &mut Diagnostics) -> Option<OwnKey> {
    let mut fields = Fields::new(node, table, diagnostics)?;
    let (ty, default) = (fields.take("type"), fields.take("default"));
    let required = fields.take_bool("required").is_some_and(|value| value.value);
    let list = fields.take_bool("list").is_some_and(|value| value.value);
    let doc = fields.take_text("doc").map(Text::into_string);
    let deprecated = fields.take_text("deprecated");
    fields.finish();
    let (ty, several) = match ty {
        Some(node) => KeyType::read(&node, diagnostics)?,
        None => (KeyType::Text, false),
    };
    let list = list || several;
    if let Some(node) = default.as_ref().filter(|node| !node.is_null()) {
        ty.check_default(node, list, diagnostics);
    }
    let default = default.map(|node| values::of(&node));
    Some(OwnKey { ty, list, required, default, doc, deprecated })
}

fn section(name: &Text, node: Node, diagnostics: &mut Diagnostics) -> Option<SectionKeys> {
    let mut fields = Fields::new(node, &SECTION_KEYS, diagnostics)?;
    let doc = fields.take_text("doc").map(Text::into_string);
    let (operator, namespace) = (fields.take_text("operator"), fields.take_text("namespace"));
    // The first word that the table has for a key is its default.
    let mut word = |key: &'static str| {
        let known = SECTION_KEYS.keys.iter().find(|own| own.name == key).map_or(&[][..], |own| match own.shape {
            Shape::Word(known) => known,
            _ => &[],
        });
        let Some(text) = fields.take_text(key) else { return known.first().copied().unwrap_or_default().to_owned() };
        if !known.contains(&text.as_str()) {
            let error = wrong(text.span(), format!("`{key}` is `{}`", known.join("` or `")));
            fields
                .diagnostics()
                .push(error.maybe_help(torchgen_base::diag::did_you_mean(&text, known.iter().copied())));
        }
        text.into_string()
    };
    let skips_unknown = word("unknown") == "skip";
    let last_counts = word("repeat") == "last";
    let order = word("order");
    let differs = word("differs");
    let allows_others = word("others") == "allow";
    let keys = fields.take("keys");
    if keys.is_none() {
        fields.missing("keys", None);
    }
    fields.finish();
    // Also those that have a mistake.
    let written: Vec<String> = match keys.as_ref().map(|node| &node.kind) {
        Some(NodeKind::Mapping(pairs)) => {
            pairs.iter().filter_map(|(key, _)| Some(key.as_text()?.to_string())).collect()
        }
        _ => Vec::new(),
    };
    let keys = named(keys, "keys", diagnostics, |_, node, found| own_key(node, &KEY_KEYS, found));
    if let Some(operator) = operator.as_ref().filter(|operator| written.iter().all(|key| key != operator.as_str())) {
        let message = format!("the entries of `{}` have no key `{operator}`", name.as_str());
        let near = torchgen_base::diag::did_you_mean(operator, written.iter().map(String::as_str));
        diagnostics.push(wrong(operator.span(), message).maybe_help(near));
    }
    Some(SectionKeys {
        doc,
        operator: operator.map(Text::into_string),
        namespace: namespace.map_or_else(|| "aten".to_owned(), Text::into_string),
        skips_unknown,
        last_counts,
        order,
        differs,
        allows_others,
        keys,
    })
}

fn output(node: Node, diagnostics: &mut Diagnostics) -> Option<Output> {
    let mut fields = Fields::new(node, &OUTPUT_KEYS, diagnostics)?;
    let (file, template) = (fields.take_text("file"), fields.take_text("template"));
    if file.is_none() {
        fields.missing("file", None);
    }
    let own = ["over", "where", "each", "sort", "unique"].into_iter().find_map(|key| fields.key_span(key));
    let list = list_of(&mut fields);
    let (by, write) = (fields.take_text("by"), fields.take_text("write"));
    let (texts, shards) = (fields.take("texts"), fields.take("shards"));
    fields.finish();
    let mut lists: Vec<(String, List)> = list.map(|list| (TEXTS.to_owned(), list)).into_iter().collect();
    if let Some(texts) = texts {
        if let Some(own) = own {
            let message = "an output has `texts`, or `over` with its keys, not both".to_owned();
            diagnostics.push(wrong(own, message).also(texts.span, "`texts` is here"));
        }
        let read = |_: &Text, node: Node, found: &mut Diagnostics| {
            let mut fields = Fields::new(node, &TEXTS_KEYS, found)?;
            let list = list_of(&mut fields);
            if list.is_none() {
                fields.missing("over", None);
            }
            fields.finish();
            list
        };
        lists = named(Some(texts), TEXTS, diagnostics, read).into_iter().collect();
    }
    let shards = shards.and_then(|node| shards_of(node, diagnostics));
    let file = file?;
    let wants = |name: &str| file.contains(&format!("{{{name}}}"));
    for (name, is_set) in [("by", by.is_some()), ("shard", shards.is_some())] {
        let key = if name == "by" { "by" } else { "shards" };
        let message = match (is_set, wants(name)) {
            (true, false) => format!("an output with `{key}` needs `{{{name}}}` in the name of its file"),
            (false, true) => format!("`{{{name}}}` needs the key `{key}`"),
            _ => continue,
        };
        diagnostics.push(wrong(file.span(), message));
    }
    if template.is_none() && !lists.iter().any(|(_, list)| list.each.is_some()) {
        let message = "an output needs `template`, or `each` for the texts of its items".to_owned();
        diagnostics.push(wrong(file.span(), message));
    }
    Some(Output { file, template, lists, by, shards, write })
}

fn list_of(fields: &mut Fields<'_>) -> Option<List> {
    let over = fields.take("over");
    let (where_, each, sort) = (fields.take_text("where"), fields.take_text("each"), fields.take_text("sort"));
    let unique = fields.take_bool("unique").is_some_and(|value| value.value);
    let over = over?;
    let words = match &over.kind {
        NodeKind::Scalar(text) => Some(vec![text.clone()]),
        NodeKind::Sequence(all) => all.iter().map(|node| node.as_text().cloned()).collect(),
        NodeKind::Mapping(_) => None,
    };
    let Some(over) = words else {
        fields.diagnostics().push(wrong(over.span, "`over` is a kind of thing, or a list of sections".to_owned()));
        return None;
    };
    Some(List { over, where_, each, sort, unique })
}

fn shards_of(node: Node, diagnostics: &mut Diagnostics) -> Option<(u32, Option<Text>)> {
    let mut fields = Fields::new(node, &SHARD_KEYS, diagnostics)?;
    let (count, by) = (fields.take("count"), fields.take_text("by"));
    if count.is_none() {
        fields.missing("count", None);
    }
    fields.finish();
    let count = count?;
    let number = count.as_text().and_then(|text| text.parse::<u32>().ok()).filter(|count| (1..=1000).contains(count));
    if number.is_none() {
        diagnostics.push(wrong(count.span, "`count` is a number from 1 to 1000".to_owned()));
    }
    Some((number?, by))
}
