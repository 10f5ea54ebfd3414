//! The keys of a tensor-ir file. The readers and the JSON Schema use these tables.
//!
//! Invariant: every key that a reader takes is here. The meaning of values is elsewhere.

use torchgen_base::diag::codes;
use torchgen_base::yaml::keys::{KeySpec, KeyTable, Others, Shape};
use torchgen_kit::driver::run_section::FAMILY_SECTION;
use torchgen_kit::ir::TRAIT_KEYS;

/// The keys of a file.
pub(crate) static FILE_KEYS: KeyTable = KeyTable {
    what: "a tensor IR",
    keys: &[
        KeySpec::new("family", Shape::Word(&["tensor-ir"]), "The family of the file: `tensor-ir`.").required(),
        FAMILY_SECTION,
        KeySpec::new("namespace", Shape::Text, "The C++ namespace. Set it in one of the files."),
        KeySpec::new("version", Shape::Any, "The version of the trees that are written, from 0."),
        KeySpec::new("naming", Shape::Filled, "Suffixes of C++ names, and the prefix of macros."),
        KeySpec::new("traits", Shape::Named(&TRAIT_KEYS), "C++ mix-ins that nodes can have."),
        KeySpec::new("enums", Shape::Named(&ENUM_KEYS), "Enumerations that fields can have as types."),
        KeySpec::new("structs", Shape::Entries(&NODE_KEYS), "Plain records. A field can be a list of them."),
        KeySpec::new("types", Shape::Named(&TYPE_KEYS), "C++ types that you define, for fields."),
        KeySpec::new("intrinsic_attributes", Shape::Filled, "The keys of the attributes of intrinsics."),
        KeySpec::new("layouts", Shape::ValueLists, "The types of the fields of structures that intrinsics read."),
        KeySpec::new("function", Shape::Filled, "Functions: documentation and printed form."),
        KeySpec::new("module", Shape::Filled, "Modules: documentation."),
        KeySpec::new("exprs", Shape::Entries(&NODE_KEYS), "Expressions, and bases that they extend."),
        KeySpec::new("stmts", Shape::Entries(&NODE_KEYS), "Statements."),
        KeySpec::new("intrinsics", Shape::Entries(&NODE_KEYS), "Functions that an `intrin_call` can call."),
    ],
    others: Others::Refused,
    misplaced: &[],
    unknown: &codes::UNKNOWN_KEY,
};

/// The keys of `naming:`.
pub(super) static NAMING_KEYS: KeyTable = KeyTable {
    what: "`naming`",
    keys: &[
        KeySpec::new("field_suffix", Shape::Text, "The suffix of the names of fields; `_` by default."),
        KeySpec::new("expr_suffix", Shape::Text, "The suffix of the classes of expressions; `_node` by default."),
        KeySpec::new("stmt_suffix", Shape::Text, "The suffix of the classes of statements; `_node_t` by default."),
        KeySpec::new("macro_prefix", Shape::Text, "The prefix of the macros of easy_build.h; empty by default."),
    ],
    others: Others::Refused,
    misplaced: &[],
    unknown: &codes::UNKNOWN_KEY,
};

/// The keys of an enumeration.
pub(super) static ENUM_KEYS: KeyTable = KeyTable {
    what: "an enumeration",
    keys: &[
        KeySpec::new("doc", Shape::Text, "A description, in one sentence."),
        KeySpec::new("values", Shape::Filled, "The values: a list of names, or names with numbers.").required(),
        KeySpec::new("print", Shape::Filled, "The printed forms of the values."),
    ],
    others: Others::Refused,
    misplaced: &[],
    unknown: &codes::UNKNOWN_KEY,
};

/// The keys of a C++ type of the user's.
pub(super) static TYPE_KEYS: KeyTable = KeyTable {
    what: "a type",
    keys: &[
        KeySpec::new("cpp", Shape::Text, "The C++ type.").required(),
        KeySpec::new("include", Shape::Text, "The header that declares it."),
        KeySpec::new("cmp", Shape::Text, "An operator or a function that compares two values; `==` by default."),
        KeySpec::new("hash", Shape::Text, "A function that returns the hash of a value; `std::hash` by default."),
        KeySpec::new("print", Shape::Text, "A function that writes a value to a stream; `<<` by default."),
        KeySpec::new("parse", Shape::Text, "A function that parses the printed form; `>>` by default."),
    ],
    others: Others::Refused,
    misplaced: &[("equal", "write `cmp`")],
    unknown: &codes::UNKNOWN_KEY,
};

/// The keys of `function:` and `module:`.
pub(super) static FUNCTION_KEYS: KeyTable = KeyTable {
    what: "`function` and `module`",
    keys: &[
        KeySpec::new("doc", Shape::Text, "A description, in one sentence."),
        KeySpec::new("print", Shape::Text, "The printed form."),
    ],
    others: Others::Refused,
    misplaced: &[],
    unknown: &codes::UNKNOWN_KEY,
};

/// The keys of an expression, a base, a statement, a record or an intrinsic.
pub(super) static NODE_KEYS: KeyTable = KeyTable {
    what: "a node",
    keys: &[
        KeySpec::new("expr", Shape::Text, "The schema of an expression."),
        KeySpec::new("base", Shape::Text, "The schema of an abstract base of expressions."),
        KeySpec::new("stmt", Shape::Text, "The schema of a statement."),
        KeySpec::new("struct", Shape::Text, "The schema of a plain record."),
        KeySpec::new("intrinsic", Shape::Text, "The schema of an intrinsic."),
        KeySpec::new("name", Shape::Text, "The name of an intrinsic without a schema."),
        KeySpec::new("args", Shape::Filled, "The number of arguments of an intrinsic without a schema."),
        KeySpec::new("doc", Shape::Text, "A description, in one sentence."),
        KeySpec::new("params", Shape::Filled, "A description of each parameter."),
        KeySpec::new("extends", Shape::Text, "The base that it inherits fields and rules from."),
        KeySpec::new("dtype", Shape::Text, "The rule for the type of an expression."),
        KeySpec::new("operator", Shape::Text, "The C++ operator that builds it."),
        KeySpec::new("commutative", Shape::Bool, "Whether the order of the operands can be ignored."),
        KeySpec::new("identity", Shape::Bool, "Whether two nodes with equal fields are different, as variables are."),
        KeySpec::new("print", Shape::Text, "The printed form."),
        KeySpec::new("declare", Shape::Text, "The printed form at the place of declaration."),
        KeySpec::new("builder", Shape::Filled, "The name of the builder function; `false` generates none."),
        KeySpec::new("role", Shape::Text, "The role of the node in the support library; by default its name."),
        KeySpec::new("constraints", Shape::Values, "What `validate` checks."),
        KeySpec::new("min_size", Shape::Filled, "The minimum sizes of lists."),
        KeySpec::new("visit_order", Shape::Texts, "The order in which visitors visit children."),
        KeySpec::new("scope", Shape::Keys(&SCOPE_KEYS), "Where variables are visible."),
        KeySpec::new("traits", Shape::Texts, "Mix-ins of the class, of those in `traits:` at the head."),
        KeySpec::new("comments", Shape::Bool, "Whether the attribute `comments` is printed above it."),
    ],
    others: Others::Refused,
    misplaced: &[],
    unknown: &codes::UNKNOWN_KEY,
};

/// The keys of `scope:`.
pub(super) static SCOPE_KEYS: KeyTable = KeyTable {
    what: "`scope`",
    keys: &[
        KeySpec::new(
            "block",
            Shape::Text,
            "The list in which each statement sees the variables that earlier ones declare.",
        ),
        KeySpec::new("declares", Shape::Text, "The field whose variable is visible in the following statements."),
        KeySpec::new("var", Shape::Text, "The field whose variable is visible only in the body."),
        KeySpec::new("body", Shape::Text, "The body."),
    ],
    others: Others::Refused,
    misplaced: &[],
    unknown: &codes::UNKNOWN_KEY,
};
