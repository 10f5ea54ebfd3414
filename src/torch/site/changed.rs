//! What changed since an older torch: the rows of a page, and each changed operator as it was.
//!
//! Invariant: the changes are those that `torchgen-rs diff --level any` lists. Nothing is compared
//! here.

use serde::Serialize;

use super::detail::formulas;
use super::texts::Texts;
use crate::torch::diff::Compared;
use crate::torch::facts::{OperatorFacts, TorchThing};
use torchgen_kit::changes::report::whom;
use torchgen_kit::changes::{Change, ChangeKind, Level};

/// What a change is about, by how the name of its kind begins. The first row that fits counts.
const SUBJECTS: [(&str, &str); 20] = [
    ("declaration-added", "added"),
    ("declaration-removed", "removed"),
    ("declaration-renamed", "renamed"),
    ("default-", "defaults"),
    ("cpp-default-", "defaults"),
    ("argument", "schema"),
    ("required-argument-", "schema"),
    ("out-argument-", "schema"),
    ("result-", "schema"),
    ("kernel-declaration-", "functions"),
    ("kernel-", "dispatch"),
    ("structured-", "dispatch"),
    ("formula-", "derivative"),
    ("not-differentiable", "derivative"),
    ("now-differentiable", "derivative"),
    ("tag-", "tags"),
    ("variant-", "variants"),
    ("cpp-function-", "functions"),
    ("python-function-", "functions"),
    ("shim-function-", "functions"),
];

/// The data.
#[derive(Debug, Serialize)]
pub(super) struct Changes<'c> {
    /// What the older torch is called.
    since: &'c str,
    texts: Texts<'c>,
    changes: Vec<Row>,
    /// The new and the old name of each operator that has another one.
    renamed: Vec<(usize, usize)>,
    before: Vec<Before>,
}

/// A change. All are numbers of texts.
#[derive(Debug, Serialize)]
struct Row {
    of: usize,
    /// What it is about, for a filter.
    about: usize,
    kind: usize,
    message: usize,
    old: usize,
    new: usize,
    level: usize,
    /// Whom it breaks, and how.
    breaks: Vec<usize>,
}

/// An operator that changed, as it was. All are numbers of texts.
#[derive(Debug, Serialize)]
struct Before {
    name: usize,
    schema: usize,
    tags: Vec<usize>,
    /// The function of each key.
    kernels: Vec<(usize, usize)>,
    /// What each formula is for, and the formula.
    formulas: Vec<(usize, usize)>,
}

impl<'c> Changes<'c> {
    pub(super) fn new(compared: &'c Compared) -> Changes<'c> {
        let mut texts = Texts::default();
        let changes = compared.changes.iter().map(|change| row(change, &mut texts)).collect();
        let operators = compared.before.iter().filter_map(|thing| Some((thing, thing.facts.of_operator()?)));
        let before = operators.map(|(thing, facts)| before(thing, facts, &mut texts)).collect();
        let renamed = compared.renamed.iter().map(|(new, old)| (texts.number(&**new), texts.number(&**old))).collect();
        Changes { since: &compared.since, texts, changes, renamed, before }
    }

    /// What the older torch is called.
    pub(super) fn since(&self) -> &str {
        self.since
    }
}

fn row<'c>(change: &'c Change, texts: &mut Texts<'c>) -> Row {
    let mut text = |text: Option<&'c String>| texts.number(text.map_or("", String::as_str));
    let (old, new) = (text(change.before.as_ref()), text(change.after.as_ref()));
    Row {
        of: texts.number(change.thing.1.as_str()),
        about: texts.number(subject(change.kind)),
        kind: texts.number(change.kind.code.name),
        message: texts.number(change.message.as_str()),
        old,
        new,
        level: texts.number(match change.level() {
            Level::Compatible => "compatible",
            Level::Risky => "risky",
            Level::Breaking => "breaking",
        }),
        breaks: texts.numbers(change.effects.iter().map(|effect| format!("{}: {}", whom(effect), effect.why))),
    }
}

fn subject(kind: &ChangeKind) -> &'static str {
    let name = kind.code.name;
    SUBJECTS.iter().find(|(start, _)| name.starts_with(start)).map_or("other", |(_, subject)| subject)
}

fn before<'c>(thing: &'c TorchThing, facts: &'c OperatorFacts, texts: &mut Texts<'c>) -> Before {
    let of_keys = facts.derivatives.iter().flat_map(|own| [&own.backward, &own.forward]);
    Before {
        name: texts.number(thing.name.as_str()),
        schema: texts.number(thing.schema.as_deref().unwrap_or_default()),
        tags: texts.numbers(facts.tags.iter().map(String::as_str)),
        formulas: of_keys.flat_map(|all| formulas(all, texts)).collect(),
        kernels: facts.dispatch.iter().map(|own| (texts.number(&*own.key), texts.number(&*own.function))).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use torchgen_kit::changes::kinds;

    #[test]
    fn changes_of_operators_have_a_subject() {
        for (kind, expected) in [
            (&kinds::ADDED, "added"),
            (&kinds::REQUIRED_ARGUMENT_ADDED, "schema"),
            (&kinds::DEFAULT_CHANGED, "defaults"),
            (&kinds::KERNEL_CHANGED, "dispatch"),
            (&kinds::KERNEL_DECLARATION_CHANGED, "functions"),
            (&kinds::FORMULA_CHANGED, "derivative"),
            (&kinds::TAG_REMOVED, "tags"),
            (&kinds::VARIANT_GENERATED, "variants"),
            (&kinds::SHIM_ADDED, "functions"),
            (&kinds::TORCH_RAISED, "other"),
        ] {
            assert_eq!(subject(kind), expected, "{}", kind.code.name);
        }
        // Each row is there for a kind.
        for (start, about) in SUBJECTS {
            assert!(kinds::ALL.iter().any(|kind| kind.code.name.starts_with(start)), "{about}: {start}");
        }
    }
}
