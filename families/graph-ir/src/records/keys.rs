//! The keys of a graph-ir file. The readers and the JSON Schema use these tables.
//!
//! Invariant: every key that a reader takes is here.

use crate::codes;
use torchgen_base::yaml::keys::{KeySpec, KeyTable, Others, Shape};
use torchgen_kit::driver::run_section::FAMILY_SECTION;
use torchgen_kit::ir::{ENUM_KEYS, TRAIT_KEYS, TYPE_KEYS};

/// The head of a file.
pub(crate) static FILE_KEYS: KeyTable = KeyTable {
    what: "a graph-ir file",
    keys: &[
        KeySpec::new("family", Shape::Word(&["graph-ir"]), "The family of the file: `graph-ir`.").required(),
        FAMILY_SECTION,
        KeySpec::new(
            "kind",
            Shape::Word(&["nodes", "instructions"]),
            "The kind of all entries, if they are of one kind.",
        ),
        KeySpec::new("namespace", Shape::Text, "The C++ namespace. Set it in one of the files."),
        KeySpec::new("serial_prefix", Shape::Text, "The prefix of the names of nodes in files; `Glow_` by default."),
        KeySpec::new(
            "version",
            Shape::Any,
            "The version of the graphs that are written, from 0; a program upgrades older ones.",
        ),
        KeySpec::new("include", Shape::Texts, "Headers that the generated headers include."),
        KeySpec::new("verification", Shape::Texts, "Files that the generated sources include at their end."),
        KeySpec::new(
            "declare",
            Shape::Any,
            "Classes that you write, and that need a kind: `nodes`, `instructions`, `values`.",
        ),
        KeySpec::new("support", Shape::Keys(&SUPPORT_KEYS), "Base classes of yours, instead of the support library."),
        KeySpec::new("traits", Shape::Named(&TRAIT_KEYS), "C++ mix-ins that records can have."),
        KeySpec::new("enums", Shape::Named(&ENUM_KEYS), "Enumerations that members can have as types."),
        KeySpec::new("types", Shape::Named(&TYPE_KEYS), "C++ types that members can have."),
        KeySpec::new("ops", Shape::Entries(&OP_KEYS), "Nodes and instructions."),
        KeySpec::new(
            "evaluator",
            Shape::Text,
            "A header with a function `evaluate` for each node, which tests of rules call.",
        ),
        KeySpec::new("rules_include", Shape::Texts, "Headers that the sources of rules include, for your functions."),
        KeySpec::new("functions", Shape::Texts, "C++ functions that rules call: `f(Tensor x, int[] p) -> bool`."),
        KeySpec::new("rules", Shape::Entries(&REWRITE_KEYS), "How graphs are rewritten."),
    ],
    others: Others::Refused,
    misplaced: &[
        ("nodes", "write `ops:`, and `- node:` for each entry"),
        ("instrs", "write `ops:`, and `- instr:` for each entry"),
        ("instructions", "write `ops:`, and `- instr:` for each entry"),
    ],
    unknown: &codes::UNKNOWN_KEY,
};

/// Base classes of the user's.
pub(super) static SUPPORT_KEYS: KeyTable = KeyTable {
    what: "`support`",
    keys: &[
        KeySpec::new("nodes", Shape::Text, "The header of the base classes of nodes.").required(),
        KeySpec::new("instructions", Shape::Text, "The header of those of instructions, if it is another one."),
        KeySpec::new("builder", Shape::Text, "The header of the class of builders, if it is another one."),
        KeySpec::new("declares", Shape::Texts, "What these headers declare, and IRKit.h need not: `llvm::StringRef`."),
        KeySpec::new("defines", Shape::Texts, "Members that your sources define: `*Node::verify`, `TopKInst::verify`."),
        KeySpec::new("const_visits", Shape::Bool, "Whether nodes have a visit that is const; `true` by default."),
    ],
    others: Others::Refused,
    misplaced: &[],
    unknown: &codes::UNKNOWN_KEY,
};

/// A node or an instruction.
pub(super) static OP_KEYS: KeyTable = KeyTable {
    what: "a record",
    keys: &[
        KeySpec::new("node", Shape::Text, "The schema of a node."),
        KeySpec::new("instr", Shape::Text, "The schema of an instruction."),
        KeySpec::new("doc", Shape::Text, "What it computes."),
        KeySpec::new("gradient", Shape::Any, "`true`, `custom`, or for instructions `{original: [...], grad: [...]}`."),
        KeySpec::new("data_parallel", Shape::Bool, "Whether each element is computed independently of the others."),
        KeySpec::new("side_effects", Shape::Bool, "Whether it has effects other than its results."),
        KeySpec::new("extra_results", Shape::Bool, "Whether results can be added after construction."),
        KeySpec::new("fused_activation", Shape::Bool, "Whether it applies an activation to its result."),
        KeySpec::new("backend_specific", Shape::Bool, "Whether it belongs to a single backend."),
        KeySpec::new("memory", Shape::Bool, "Whether other instructions can take its value as an operand."),
        KeySpec::new("commutative", Shape::Texts, "Two inputs whose order does not matter, for rules."),
        KeySpec::new("modes", Shape::Texts, "The values of its enumeration `Mode`."),
        KeySpec::new("setters", Shape::Texts, "Members, and operands of instructions, that get a setter."),
        KeySpec::new("overwrites", Shape::Texts, "Inputs that it overwrites without reading."),
        KeySpec::new("skip", Shape::WordList(&SKIPS), "Parts that are not generated."),
        KeySpec::new("same_type_as", Shape::Any, "Results that have the type of an input."),
        KeySpec::new(
            "infer",
            Shape::Any,
            "Results whose type a factory method finds: an input, or `like`, `element` and `shape`.",
        ),
        KeySpec::new("verify", Shape::Any, "Rules, `none`, or `custom` for a method that you write."),
        KeySpec::new("methods", Shape::Entries(&METHOD_KEYS), "Methods that you add to the class."),
        KeySpec::new("traits", Shape::Texts, "Mix-ins of the class, of those in `traits:` at the head."),
        KeySpec::new("operand_order", Shape::Texts, "The order of operands; by default results, then parameters."),
        KeySpec::new("scratch", Shape::Texts, "Operands that the builder allocates."),
        KeySpec::new("scratch_size", Shape::Any, "C++ expressions for the sizes of scratch operands in bytes."),
        KeySpec::new("type", Shape::Text, "The operand or member that determines the instruction's type."),
        KeySpec::new("fold", Shape::Text, "A function of yours that computes it if all inputs are constants."),
        KeySpec::new("from_node", Shape::Text, "The node that is lowered to this instruction."),
        KeySpec::new("rename", Shape::Any, "Parts of the instruction that have another name in the node."),
        KeySpec::new("drop", Shape::Texts, "Parts of the node that the instruction does not use."),
        KeySpec::new("convert", Shape::Texts, "Members that have another number type in the node."),
    ],
    others: Others::Refused,
    misplaced: &[
        ("func", "a record begins with `node:` or `instr:`"),
        ("op", "a record begins with `node:` or `instr:`"),
        ("members", "members are keyword-only parameters of the schema, after `*`"),
        ("inplace", "memory is reused by alias sets: `(Tensor(a) Src) -> Tensor(a) Dest`"),
    ],
    unknown: &codes::UNKNOWN_KEY,
};

pub(super) static METHOD_KEYS: KeyTable = KeyTable {
    what: "a method",
    keys: &[
        KeySpec::new("decl", Shape::Text, "Its declaration, in the class.").required(),
        KeySpec::new("define", Shape::Text, "Its definition, in the source file."),
        KeySpec::new("gradient", Shape::Bool, "Whether the gradient class also has it."),
    ],
    others: Others::Refused,
    misplaced: &[],
    unknown: &codes::UNKNOWN_KEY,
};

/// A rule that rewrites graphs.
pub(super) static REWRITE_KEYS: KeyTable = KeyTable {
    what: "a rule",
    keys: &[
        KeySpec::new("rule", Shape::Text, "Its name.").required(),
        KeySpec::new("doc", Shape::Text, "What it is for."),
        KeySpec::new("for", Shape::Any, "Words for several nodes: a rule for each."),
        KeySpec::new("match", Shape::Text, "The nodes that it finds.").required(),
        KeySpec::new("where", Shape::TextOrTexts(Vec::new), "Conditions on what was found."),
        KeySpec::new("replace", Shape::Any, "What takes the place of the results.").required(),
        KeySpec::new("group", Shape::Text, "The rules that are applied together; `default` by default."),
        KeySpec::new("priority", Shape::Any, "Rules of higher priority come first; 0 by default."),
        KeySpec::new("assumes", Shape::WordList(&ASSUMPTIONS), "What it takes for granted about numbers."),
        KeySpec::new("examples", Shape::Entries(&EXAMPLE_KEYS), "Graphs before and after."),
    ],
    others: Others::Refused,
    misplaced: &[
        ("name", "a rule begins with `rule:`, its name"),
        ("if", "conditions follow `where:`"),
        ("when", "conditions follow `where:`"),
        ("with", "what takes the place of the results follows `replace:`"),
    ],
    unknown: &codes::UNKNOWN_KEY,
};

/// What rules may take for granted.
pub(super) const ASSUMPTIONS: [&str; 4] = ["no_nan", "no_inf", "reassociation", "quantization"];

/// An example of a rule.
pub(super) static EXAMPLE_KEYS: KeyTable = KeyTable {
    what: "an example",
    keys: &[
        KeySpec::new("given", Shape::Any, "The types of values: `{x: float[2, 3]}`."),
        KeySpec::new("before", Shape::Text, "The graph that the rule meets.").required(),
        KeySpec::new("after", Shape::Text, "What it becomes; without it, the rule does not match."),
    ],
    others: Others::Refused,
    misplaced: &[],
    unknown: &codes::UNKNOWN_KEY,
};

/// What `skip:` may leave out.
pub(super) const SKIPS: [&str; 4] = ["serialization", "debug", "visitor", "hash"];
