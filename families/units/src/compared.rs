//! What changes of units break: C++ code that uses the constants.

use torchgen_kit::changes::family::{Compared, Property, instead, nothing_more, same_type};
use torchgen_kit::changes::{Category, Rules, kinds};

/// What is compared.
pub(crate) static COMPARED: Compared = Compared {
    rules: Rules {
        accepts: same_type,
        converts: same_type,
        added: nothing_more,
        categories: |_| &[Category::Source, Category::Numerics],
        help: instead,
        effects: &[],
    },
    parts: &[],
    facts: &[Property::value("factor", (&kinds::BODY_CHANGED, "the factor of THING was OLD, and is NEW now"))],
    relations: &[],
    made_from: "",
    only_placed: false,
};
