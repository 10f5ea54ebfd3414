//! What changes of a graph IR break: C++ code, and graphs that were saved.
//!
//! Invariant: instructions are not saved. What reads graphs is AutoGenNodesImport.h: it finds nodes
//! by their names, inputs and results by their places, and members and lists by their names.

use torchgen_kit::changes::family::{As, Compared, Property, instead, nothing_more, same_type};
use torchgen_kit::changes::kinds::{self, effect};
use torchgen_kit::changes::{Category, Effect, Group, Level, Own, Rules};
use torchgen_kit::ir::TRAITS_OF;

/// What is compared.
pub(crate) static COMPARED: Compared = Compared {
    rules: Rules {
        accepts: same_type,
        converts: same_type,
        added: nothing_more,
        categories: |kind| match kind {
            "instruction" => &[Category::Source, Category::Numerics],
            _ => &[Category::Source, Category::Saved, Category::Numerics],
        },
        help: instead,
        effects: EFFECTS,
    },
    parts: &[
        ("input", As::Part("input", Group::Positional, "")),
        ("in", As::Part("operand", Group::Positional, "in")),
        ("out", As::Part("operand", Group::Positional, "out")),
        ("inout", As::Part("operand", Group::Positional, "inout")),
        ("scratch", As::Part("operand", Group::Positional, "scratch")),
        ("member", As::Part("member", Group::Keyword, "")),
        ("result", As::Result("result")),
        ("value", As::Fact(Property::values("value", true))),
    ],
    facts: &[
        Property::flag("data_parallel", "THING is data parallel now", "THING is not data parallel any more"),
        Property::flag("side_effects", "THING has side effects now", "THING has no side effects any more"),
        Property::flag("backend_specific", "THING is of a backend now", "THING is not of a backend any more"),
        Property::flag("extra_results", "THING may get more results now", "THING cannot get more results any more"),
        Property::flag("fused_activation", "THING may apply an activation now", "THING applies no activation any more"),
        Property::flag("memory", "THING is about memory now", "THING is not about memory any more"),
        Property::flag("scoped", "THING has a scope now", "THING has no scope any more"),
        Property::flag(
            "reads_and_writes",
            "THING reads and writes `KEY` now",
            "THING does not read and write `KEY` any more",
        ),
        Property::flag("writes", "THING writes `KEY` now", "THING does not write `KEY` any more"),
        Property::flag("may_reuse", "THING may reuse memory now: KEY", "THING may not reuse memory any more: KEY"),
        Property::values("modes", true),
        SERIALIZED,
        DIFFERENTIABLE,
        SAME_TYPE,
        TRAITS_OF,
    ],
    relations: &[LOWERED],
    made_from: "gradient_of",
    only_placed: true,
};

/// Its own code writes and reads it.
const SERIALIZED: Property = Property::new(
    "serialized",
    Some((&kinds::HAND_WRITTEN, "code is generated that saves THING now")),
    Some((&kinds::HAND_WRITTEN, "no code is generated any more that saves THING")),
    (&kinds::HAND_WRITTEN, "code is generated that saves THING now"),
);

const DIFFERENTIABLE: Property = Property::new(
    "differentiable",
    Some((&kinds::DIFFERENTIABLE, "THING is differentiable now")),
    Some((&kinds::NOT_DIFFERENTIABLE, "THING is not differentiable any more")),
    (&kinds::DIFFERENTIABLE, "THING is differentiable now"),
);

const SAME_TYPE: Property = Property::new(
    "same_type",
    Some((&kinds::PROPERTY_CHANGED, "`KEY` of THING has the type of `NEW` now")),
    Some((&kinds::PROPERTY_CHANGED, "`KEY` of THING does not have the type of `OLD` any more")),
    (&kinds::PROPERTY_CHANGED, "`KEY` of THING had the type of `OLD`, and has that of `NEW` now"),
);

const LOWERED: Property = Property::new(
    "lowered_from",
    Some((&kinds::PROPERTY_CHANGED, "the node `NEW` becomes THING now")),
    Some((&kinds::HAND_WRITTEN, "the node `OLD` does not become THING any more")),
    (&kinds::HAND_WRITTEN, "the node `OLD` became THING, and `NEW` does now"),
);

const fn source(why: &'static str) -> Effect {
    effect(Category::Source, Level::Breaking, why)
}

const fn saved(why: &'static str) -> Effect {
    effect(Category::Saved, Level::Breaking, why)
}

const CALLS: Effect = source("calls that make it do not compile");
const GETTERS: Effect = source("code that asks for it by its old name does not compile");
const USES: Effect = source("code that uses it does not compile");
const PLACES: Effect = saved("saved graphs have others at these places");
const NAMED: Effect = saved("saved graphs have it under the old name");

static EFFECTS: &[Own] = &[
    Own { kind: &kinds::ARGUMENT_REMOVED, part: "member", effects: &[CALLS] },
    Own { kind: &kinds::ARGUMENT_REMOVED, part: "", effects: &[CALLS, PLACES] },
    Own { kind: &kinds::ARGUMENT_ADDED, part: "", effects: &[] },
    Own { kind: &kinds::ARGUMENT_INSERTED, part: "", effects: &[CALLS] },
    Own { kind: &kinds::REQUIRED_ARGUMENT_ADDED, part: "", effects: &[CALLS, saved("saved graphs lack it")] },
    Own { kind: &kinds::ARGUMENT_RENAMED, part: "input Tensor", effects: &[GETTERS] },
    Own { kind: &kinds::ARGUMENT_RENAMED, part: "", effects: &[GETTERS, NAMED] },
    Own { kind: &kinds::ARGUMENTS_REORDERED, part: "input", effects: &[CALLS, PLACES] },
    Own { kind: &kinds::ARGUMENTS_REORDERED, part: "", effects: &[CALLS] },
    Own { kind: &kinds::ARGUMENT_KEYWORD_ONLY, part: "", effects: &[] },
    Own {
        kind: &kinds::ARGUMENT_TYPE_CHANGED,
        part: "",
        effects: &[CALLS, saved("saved graphs have a value of the old type")],
    },
    Own {
        kind: &kinds::ARGUMENT_ALIAS_CHANGED,
        part: "",
        effects: &[effect(Category::Source, Level::Risky, "passes move or drop what reads and writes its memory")],
    },
    Own { kind: &kinds::DEFAULT_ADDED, part: "", effects: &[] },
    Own {
        kind: &kinds::DEFAULT_REMOVED,
        part: "",
        effects: &[CALLS, effect(Category::Saved, Level::Risky, "graphs that are older than it do not load")],
    },
    Own {
        kind: &kinds::DEFAULT_CHANGED,
        part: "",
        effects: &[
            effect(Category::Saved, Level::Risky, "graphs that are older than it get the new default"),
            effect(Category::Numerics, Level::Breaking, "calls without it compute something else"),
        ],
    },
    Own { kind: &kinds::RESULT_REMOVED, part: "", effects: &[USES, PLACES] },
    Own { kind: &kinds::RESULT_ADDED, part: "", effects: &[CALLS, saved("saved graphs lack its type")] },
    Own { kind: &kinds::RESULT_RENAMED, part: "result Tensor", effects: &[GETTERS] },
    Own { kind: &kinds::RESULT_RENAMED, part: "", effects: &[GETTERS, NAMED] },
    Own { kind: &kinds::RESULT_TYPE_CHANGED, part: "", effects: &[USES, PLACES] },
    Own {
        kind: &kinds::NOT_DIFFERENTIABLE,
        part: "",
        effects: &[source("graphs that have it cannot be differentiated")],
    },
];
