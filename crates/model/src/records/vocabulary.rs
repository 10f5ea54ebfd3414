//! PyTorch's fixed words, for editors.

use std::collections::BTreeSet;

use serde::Deserialize;

use crate::codes;
use crate::model::DispatchKey;
use crate::model::aten_keys::aten_keys;
use torchgen_base::diag::Severity;
use torchgen_kit::changes::kinds;
use torchgen_kit::driver::data::{Table, Tables};

#[derive(Deserialize)]
struct Tags(BTreeSet<String>);

impl Table for Tags {
    const PATH: &'static str = "torch/standard_tags.yaml";
}

/// The tags in libtorch.
pub fn standard_tags(tables: &Tables) -> BTreeSet<String> {
    tables.get::<Tags>().0.clone()
}

/// The same, in order, without those that a run adds.
pub(super) fn tags() -> Vec<String> {
    standard_tags(Tables::embedded()).into_iter().collect()
}

/// The ids of lints, and the kinds of changes.
pub(super) fn lints() -> Vec<String> {
    let lints = codes::all().into_iter().filter(|code| code.severity == Severity::Warning);
    lints.chain(kinds::ALL.iter().map(|kind| &kind.code)).map(|code| code.id.to_owned()).collect()
}

/// All dispatch keys that are valid in an entry.
pub(super) fn dispatch_keys() -> Vec<String> {
    names(DispatchKey::ALL).chain(["CatchAll".to_owned()]).collect()
}

/// Who registers operators, as library.yaml and entries spell it.
pub(super) const REGISTRATIONS: &[&str] = &["own", "generated", "included"];

/// The key of `when:` for the operator itself.
pub(crate) const WHEN_OPERATOR: &str = "operator";

/// What `when:` may have conditions for.
pub(super) fn condition_keys() -> Vec<String> {
    std::iter::once(WHEN_OPERATOR.to_owned()).chain(names(DispatchKey::ALL)).collect()
}

/// Those that editors suggest for kernels.
pub(super) fn kernel_keys() -> Vec<String> {
    aten_keys(Tables::embedded()).map(|row| row.key.as_str().to_owned()).collect()
}

/// Those that editors suggest for derivatives.
pub(super) fn autograd_keys() -> Vec<String> {
    std::iter::once("Default".to_owned()).chain(names(DispatchKey::AUTOGRAD)).collect()
}

fn names(keys: &[DispatchKey]) -> impl Iterator<Item = String> {
    keys.iter().map(|key| key.as_str().to_owned())
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_embedded_table() {
        assert!(super::tags().iter().any(|tag| tag == "pt2_compliant_tag"));
    }
}
