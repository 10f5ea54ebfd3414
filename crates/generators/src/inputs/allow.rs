//! The lints and the kinds of changes that the entries of a library allow.
//!
//! Invariant: what is allowed is a lint or a change: an error cannot be.

use torchgen_base::diag::{Allowed, CodeInfo, Diagnostic, Diagnostics, Severity, Span, did_you_mean};
use torchgen_base::yaml::Text;
use torchgen_kit::changes::kinds;
use torchgen_model::codes;
use torchgen_model::records::NativeFunctionRecord;

/// Leaves out the lints that entries of a file allow. An entry ends where the next one begins.
pub(super) fn allow(records: &[NativeFunctionRecord], diagnostics: &mut Diagnostics) {
    let mut allowed = Vec::new();
    for (i, record) in records.iter().enumerate() {
        let Some(list) = &record.allow else { continue };
        let codes = lints(&list.value, diagnostics);
        let next = records.get(i + 1).filter(|next| next.span.file == record.span.file);
        let end = next.map_or(u32::MAX, |next| next.span.start);
        allowed.push(Allowed { within: Some(Span { end, ..record.span }), codes });
    }
    diagnostics.allow(allowed);
}

/// The lints of that list. Other words are reported.
pub fn lints(words: &[Text], diagnostics: &mut Diagnostics) -> Vec<&'static CodeInfo> {
    let mut found = Vec::new();
    for word in words {
        let mut known = codes::all();
        known.extend(kinds::ALL.iter().map(|kind| &kind.code));
        let code = codes::find(word.as_str(), &known);
        match code {
            Some(code) if code.severity == Severity::Warning => found.push(code),
            Some(code) => {
                let message = format!("`{}` ({}) is not a lint, so it cannot be allowed", code.id, code.name);
                diagnostics.push(Diagnostic::new(&codes::UNKNOWN_LINT, message).at(word.span()).note(code.summary));
            }
            None => {
                let lints = known.into_iter().filter(|code| code.severity == Severity::Warning);
                let names: Vec<&str> = lints.flat_map(|code| [code.name, code.id]).collect();
                let near = did_you_mean(word.as_str(), names);
                let help = near.unwrap_or_else(|| "`torchgen-rs explain` lists all codes".into());
                let message = format!("there is no lint `{word}`");
                diagnostics.push(Diagnostic::new(&codes::UNKNOWN_LINT, message).at(word.span()).help(help));
            }
        }
    }
    found
}
