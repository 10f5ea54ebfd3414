//! The keys of a file of op builders. The readers and the JSON Schema use these tables.
//!
//! Invariant: every key that a reader takes is here.

use torchgen_base::diag::codes;
use torchgen_base::yaml::keys::{KeySpec, KeyTable, MapKeys, Others, Shape};
use torchgen_kit::driver::run_section::FAMILY_SECTION;
use torchgen_kit::ir::TRAIT_KEYS;

/// Keys that are names of options.
const ANY_WORD: MapKeys = MapKeys { words: Vec::new, offered: Vec::new };

/// The keys of a document.
pub(crate) static DOCUMENT: KeyTable = KeyTable {
    what: "a file of op builders",
    keys: &[
        KeySpec::new("family", Shape::Word(&["op-builders"]), "The family of the file: `op-builders`.").required(),
        FAMILY_SECTION,
        KeySpec::new("namespace", Shape::Text, "The C++ namespace of the builders, such as `acme::op::builder`."),
        KeySpec::new("version", Shape::Any, "The version of the modules that are written, from 0."),
        KeySpec::new("traits", Shape::Named(&TRAIT_KEYS), "C++ mix-ins that builders can have."),
        KeySpec::new("ops", Shape::Entries(&ENTRY), "Builders, helpers and primitive operators.").required(),
    ],
    others: Others::Refused,
    misplaced: &[
        ("builder", "builders are entries of the list `ops:`"),
        ("op", "operators are entries of the list `ops:`"),
    ],
    unknown: &codes::UNKNOWN_KEY,
};

/// The keys of an entry.
pub(super) static ENTRY: KeyTable = KeyTable {
    what: "an entry of `ops:`",
    keys: &[
        KeySpec::new("builder", Shape::Text, "The signature of a builder; parameters after `*` are options."),
        KeySpec::new("helper", Shape::Text, "The signature of a function that bodies can call."),
        KeySpec::new("op", Shape::Text, "The signature of a primitive operator; parameters after `*` are attributes."),
        KeySpec::new(
            "names",
            Shape::Texts,
            "The names under which the builder is registered; by default its own name.",
        ),
        KeySpec::new("keys", Shape::Map(ANY_WORD), "Options whose keys differ from their names."),
        KeySpec::new(
            "error_prefix",
            Shape::Text,
            "What errors begin with under `--target migraphx`; by default the builder's name and ` op_builder: `.",
        ),
        KeySpec::new("doc", Shape::Text, "A description, for the documentation."),
        KeySpec::new("body", Shape::Text, "Statements that compute the result."),
        KeySpec::new("impl", Shape::Keys(&IMPLEMENTATION), "C++ instead of a body: a file, or statements."),
        KeySpec::new("traits", Shape::Texts, "Mix-ins of the class of a builder, of those in `traits:` at the head."),
        KeySpec::new("examples", Shape::Values, "Inputs, options and expected results."),
    ],
    others: Others::Refused,
    misplaced: &[
        ("func", "the signature of a builder is the value of `builder:`"),
        ("options", "options are parameters after `*` in the signature"),
        ("attributes", "options are parameters after `*` in the signature"),
    ],
    unknown: &codes::UNKNOWN_KEY,
};

/// The keys of `impl:`, of which it has one.
static IMPLEMENTATION: KeyTable = KeyTable {
    what: "`impl`",
    keys: &[
        KeySpec::new("cpp", Shape::Text, "A file of C++ beside the YAML."),
        KeySpec::new("inline", Shape::Text, "C++ statements."),
    ],
    others: Others::Refused,
    misplaced: &[],
    unknown: &codes::UNKNOWN_KEY,
};
