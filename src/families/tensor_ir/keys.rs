//! Which keys the YAML of a tensor IR may have: what the readers and the JSON Schema are made from.
//!
//! Invariant: every key that `records` takes is here. Not here: what a value means.

use crate::diag::codes;
use crate::yaml::keys::{KeySpec, KeyTable, Others, Shape};

/// The keys of a file.
pub(crate) static FILE_KEYS: KeyTable = KeyTable {
    what: "a tensor IR",
    keys: &[
        KeySpec::new("family", Shape::Word(&["tensor-ir"]), "What the file is: `tensor-ir`.").required(),
        KeySpec::new("namespace", Shape::Text, "The C++ namespace. One of the files gives it."),
        KeySpec::new("naming", Shape::Filled, "How names are spelled: suffixes and the prefix of macros."),
        KeySpec::new("enums", Shape::Named(&ENUM_KEYS), "Enumerations that fields may have."),
        KeySpec::new("structs", Shape::Entries(&NODE_KEYS), "Plain records that fields may be lists of."),
        KeySpec::new("types", Shape::Named(&TYPE_KEYS), "C++ types of your own that fields may have."),
        KeySpec::new("intrinsic_attributes", Shape::Filled, "The keys under which intrinsics keep attributes."),
        KeySpec::new("layouts", Shape::ValueLists, "The types of the fields of structures that intrinsics read."),
        KeySpec::new("function", Shape::Filled, "Functions: documentation and printed form."),
        KeySpec::new("module", Shape::Filled, "Modules: documentation."),
        KeySpec::new("exprs", Shape::Entries(&NODE_KEYS), "The expressions, and bases of several."),
        KeySpec::new("stmts", Shape::Entries(&NODE_KEYS), "The statements."),
        KeySpec::new("intrinsics", Shape::Entries(&NODE_KEYS), "What an `intrin_call` may call."),
    ],
    others: Others::Refused,
    misplaced: &[],
    unknown: &codes::UNKNOWN_KEY,
};

/// The keys of `naming:`.
pub(crate) static NAMING_KEYS: KeyTable = KeyTable {
    what: "`naming`",
    keys: &[
        KeySpec::new("field_suffix", Shape::Text, "What ends the name of a field: `_`."),
        KeySpec::new("expr_suffix", Shape::Text, "What ends the class of an expression: `_node`."),
        KeySpec::new("stmt_suffix", Shape::Text, "What ends the class of a statement: `_node_t`."),
        KeySpec::new("macro_prefix", Shape::Text, "What begins the macros of easy_build.h: nothing."),
    ],
    others: Others::Refused,
    misplaced: &[],
    unknown: &codes::UNKNOWN_KEY,
};

/// The keys of an enumeration.
pub(crate) static ENUM_KEYS: KeyTable = KeyTable {
    what: "an enumeration",
    keys: &[
        KeySpec::new("doc", Shape::Text, "What it says, in a sentence."),
        KeySpec::new("values", Shape::Filled, "The values: a list of names, or names with numbers.").required(),
        KeySpec::new("print", Shape::Filled, "What the printed form of a node shows for a value."),
    ],
    others: Others::Refused,
    misplaced: &[],
    unknown: &codes::UNKNOWN_KEY,
};

/// The keys of a C++ type of the user's.
pub(crate) static TYPE_KEYS: KeyTable = KeyTable {
    what: "a type",
    keys: &[
        KeySpec::new("cpp", Shape::Text, "The C++ type.").required(),
        KeySpec::new("include", Shape::Text, "The header that declares it."),
        KeySpec::new("cmp", Shape::Text, "An operator or a function that compares two; without it, `==`."),
        KeySpec::new("hash", Shape::Text, "A function that hashes one; without it, `std::hash`."),
        KeySpec::new("print", Shape::Text, "A function that prints one to a stream; without it, `<<`."),
        KeySpec::new("parse", Shape::Text, "A function that reads what is printed; without it, `>>`."),
    ],
    others: Others::Refused,
    misplaced: &[("equal", "write `cmp`")],
    unknown: &codes::UNKNOWN_KEY,
};

/// The keys of `function:` and `module:`.
pub(crate) static FUNCTION_KEYS: KeyTable = KeyTable {
    what: "`function` and `module`",
    keys: &[
        KeySpec::new("doc", Shape::Text, "What it is, in a sentence."),
        KeySpec::new("print", Shape::Text, "The printed form."),
    ],
    others: Others::Refused,
    misplaced: &[],
    unknown: &codes::UNKNOWN_KEY,
};

/// The keys of an expression, a base, a statement, a record or an intrinsic.
pub(crate) static NODE_KEYS: KeyTable = KeyTable {
    what: "a node",
    keys: &[
        KeySpec::new("expr", Shape::Text, "The schema of an expression."),
        KeySpec::new("base", Shape::Text, "The schema of an abstract base of expressions."),
        KeySpec::new("stmt", Shape::Text, "The schema of a statement."),
        KeySpec::new("struct", Shape::Text, "The schema of a plain record."),
        KeySpec::new("intrinsic", Shape::Text, "The schema of an intrinsic."),
        KeySpec::new("name", Shape::Text, "The name of an intrinsic without a schema."),
        KeySpec::new("args", Shape::Filled, "How many arguments an intrinsic without a schema has."),
        KeySpec::new("doc", Shape::Text, "What it is, in a sentence."),
        KeySpec::new("params", Shape::Filled, "What each parameter is."),
        KeySpec::new("extends", Shape::Text, "The base whose fields and rules it has."),
        KeySpec::new("dtype", Shape::Text, "The rule that gives the type of an expression."),
        KeySpec::new("operator", Shape::Text, "The C++ operator that makes it."),
        KeySpec::new("commutative", Shape::Bool, "Whether the operands may change places."),
        KeySpec::new("identity", Shape::Bool, "Whether two that look alike differ, as variables do."),
        KeySpec::new("print", Shape::Text, "The printed form."),
        KeySpec::new("declare", Shape::Text, "The printed form where it is declared."),
        KeySpec::new("builder", Shape::Filled, "The name of the builder function, or `false` for none."),
        KeySpec::new("role", Shape::Text, "What the support library uses it as; without it, its name."),
        KeySpec::new("constraints", Shape::Values, "What `validate` checks."),
        KeySpec::new("min_size", Shape::Filled, "The least sizes of lists."),
        KeySpec::new("visit_order", Shape::Texts, "The order in which visitors go to children."),
        KeySpec::new("scope", Shape::Filled, "Where variables are known."),
        KeySpec::new("comments", Shape::Bool, "Whether the attribute `comments` is printed above it."),
    ],
    others: Others::Refused,
    misplaced: &[],
    unknown: &codes::UNKNOWN_KEY,
};

/// The keys of `scope:`.
pub(crate) static SCOPE_KEYS: KeyTable = KeyTable {
    what: "`scope`",
    keys: &[
        KeySpec::new("block", Shape::Text, "The list whose statements see what earlier ones declare."),
        KeySpec::new("declares", Shape::Text, "The field whose variable is known from here on."),
        KeySpec::new("var", Shape::Text, "The field whose variable is known in the body alone."),
        KeySpec::new("body", Shape::Text, "The body."),
    ],
    others: Others::Refused,
    misplaced: &[],
    unknown: &codes::UNKNOWN_KEY,
};
