//! What `breaking` compares of own YAML: which entries there are.

use torchgen_kit::changes::family::{Compared, instead, nothing_more, same_type};
use torchgen_kit::changes::{Category, Rules};

/// What is compared.
pub(crate) static COMPARED: Compared = Compared {
    rules: Rules {
        accepts: same_type,
        converts: same_type,
        added: nothing_more,
        categories: |_| &[Category::Source],
        help: instead,
        effects: &[],
    },
    parts: &[],
    facts: &[],
    relations: &[],
    made_from: "",
    only_placed: false,
};
