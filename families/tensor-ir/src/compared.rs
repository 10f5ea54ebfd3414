//! What changes of a tensor IR break: C++ code, and programs that were printed.
//!
//! Invariant: the parser reads printed forms, so what a form shows decides about printed programs;
//! fields that no form shows get their defaults.

use torchgen_kit::changes::family::{As, Compared, Property, instead, nothing_more, same_type};
use torchgen_kit::changes::kinds::{self, effect};
use torchgen_kit::changes::{Category, Effect, FactKind, Group, Level, Own, Rules};
use torchgen_kit::ir::TRAITS_OF;

/// What is compared.
pub(crate) static COMPARED: Compared = Compared {
    rules: Rules {
        accepts: same_type,
        converts: same_type,
        added: nothing_more,
        categories: |_| &[Category::Source, Category::Saved, Category::Numerics],
        help: instead,
        effects: EFFECTS,
    },
    parts: &[
        ("field", As::Part("field", Group::Positional, "")),
        ("keyword", As::Part("field", Group::Keyword, "")),
        ("value", As::Fact(Property::values("value", false))),
    ],
    facts: &[
        Property::flag("commutative", "THING is commutative now", "THING is not commutative any more"),
        Property::flag("identity", "THING has an identity now", "THING has no identity any more"),
        Property::flag("scoped", "THING has a scope now", "THING has no scope any more"),
        FORM,
        FORMS,
        OPERATOR,
        BUILDER,
        TRAITS_OF,
    ],
    relations: &[BASE],
    made_from: "",
    only_placed: false,
};

/// The printed form of a node.
const FORM: Property = Property {
    key: "print",
    ordered: false,
    absent: "",
    of: FactKind {
        names_parts: true,
        ..FactKind::new(
            (&kinds::FORM_CHANGED, "THING has the printed form `NEW` now"),
            (&kinds::FORM_CHANGED, "THING does not have the printed form `OLD` any more"),
            (&kinds::FORM_CHANGED, "the printed form of THING was `OLD`, and is `NEW` now"),
        )
    },
};

/// Those of the values of an enumeration.
const FORMS: Property = Property::value(
    "printed",
    (&kinds::FORM_CHANGED, "the printed form of `KEY` of THING was `OLD`, and is `NEW` now"),
);

const OPERATOR: Property = Property::new(
    "operator",
    Some((&kinds::CPP_FUNCTION_ADDED, "`NEW` makes THING now")),
    Some((&kinds::CPP_FUNCTION_REMOVED, "`OLD` does not make THING any more")),
    (&kinds::CPP_FUNCTION_REMOVED, "`OLD` made THING, and `NEW` does now"),
);

const BUILDER: Property = Property::new(
    "builder",
    Some((&kinds::CPP_FUNCTION_ADDED, "THING has the builder `make_NEW` now")),
    Some((&kinds::CPP_FUNCTION_REMOVED, "THING does not have the builder `make_OLD` any more")),
    (&kinds::CPP_FUNCTION_REMOVED, "the builder of THING was `make_OLD`, and is `make_NEW` now"),
);

const BASE: Property = Property::new(
    "extends",
    Some((&kinds::PROPERTY_CHANGED, "THING extends `NEW` now")),
    Some((&kinds::BASE_CHANGED, "THING does not extend `OLD` any more")),
    (&kinds::BASE_CHANGED, "THING extended `OLD`, and extends `NEW` now"),
);

const CALLS: Effect = effect(Category::Source, Level::Breaking, "calls that make it do not compile");
const FIELD: Effect = effect(Category::Source, Level::Breaking, "code that uses the field does not compile");

static EFFECTS: &[Own] = &[
    Own { kind: &kinds::ARGUMENT_REMOVED, part: "", effects: &[CALLS] },
    Own { kind: &kinds::ARGUMENT_ADDED, part: "", effects: &[] },
    Own { kind: &kinds::ARGUMENT_INSERTED, part: "", effects: &[CALLS] },
    Own { kind: &kinds::REQUIRED_ARGUMENT_ADDED, part: "", effects: &[CALLS] },
    Own { kind: &kinds::ARGUMENT_RENAMED, part: "", effects: &[FIELD] },
    Own { kind: &kinds::ARGUMENTS_REORDERED, part: "", effects: &[CALLS] },
    Own { kind: &kinds::ARGUMENT_KEYWORD_ONLY, part: "", effects: &[] },
    Own {
        kind: &kinds::ARGUMENT_TYPE_CHANGED,
        part: "",
        effects: &[CALLS, effect(Category::Saved, Level::Risky, "printed programs have a value of the old type")],
    },
    Own { kind: &kinds::DEFAULT_ADDED, part: "", effects: &[] },
    Own { kind: &kinds::DEFAULT_REMOVED, part: "", effects: &[CALLS] },
    Own {
        kind: &kinds::DEFAULT_CHANGED,
        part: "",
        effects: &[
            effect(Category::Saved, Level::Risky, "printed programs that do not show it get the new default"),
            effect(Category::Numerics, Level::Breaking, "calls without it make something else"),
        ],
    },
    Own {
        kind: &kinds::CPP_FUNCTION_REMOVED,
        part: "",
        effects: &[effect(Category::Source, Level::Breaking, "code that calls it does not compile")],
    },
    Own { kind: &kinds::VALUE_CHANGED, part: "", effects: &[] },
];
