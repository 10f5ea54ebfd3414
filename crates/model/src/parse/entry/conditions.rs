//! The conditions of an entry: `when:`.
//!
//! Invariant: a condition of a kernel is one of a kernel that the entry names.

use super::illegal_value;
use crate::codes;
use crate::model::condition::{Condition, Conditions};
use crate::model::python_function::PythonKernel;
use crate::model::{BackendMetadata, DispatchKey};
use crate::parse::when;
use crate::records::NativeFunctionRecord;
use crate::records::vocabulary::WHEN_OPERATOR;
use torchgen_base::diag::{Diagnostic, Diagnostics};
use torchgen_base::yaml::Text;
use torchgen_base::yaml::fields::TextOrMap;

/// The conditions of an entry with these kernels.
pub(super) fn conditions(
    record: &NativeFunctionRecord,
    kernels: &[(DispatchKey, BackendMetadata)],
    in_python: &[PythonKernel],
    diagnostics: &mut Diagnostics,
) -> Conditions {
    let mut conditions = Conditions::default();
    let map = match &record.when {
        None => return conditions,
        Some(TextOrMap::Text(text)) => {
            conditions.operator = condition(text, diagnostics);
            return conditions;
        }
        Some(TextOrMap::Map(map)) => map,
    };
    for (written, text) in &map.value {
        let parsed = condition(text, diagnostics);
        for name in written.split(",").iter().map(Text::trim) {
            if name.as_str() == WHEN_OPERATOR {
                conditions.operator.clone_from(&parsed);
                continue;
            }
            let named: Vec<&str> = kernels.iter().map(|(key, _)| key.as_str()).collect();
            match DispatchKey::parse(name.as_str()).filter(|key| named.contains(&key.as_str())) {
                Some(key) => conditions.kernels.extend(parsed.clone().map(|condition| (key, condition))),
                None if in_python.iter().any(|kernel| kernel.key.as_str() == name.as_str()) => {
                    let message = format!("the kernel for `{name}` is in Python, where every build has it");
                    let help = format!("delete the condition, or write it for `{WHEN_OPERATOR}`");
                    diagnostics.push(Diagnostic::new(&codes::BAD_CONDITION, message).at(name.span()).help(help));
                }
                None if DispatchKey::parse(name.as_str()).is_some() => {
                    let message = format!("the entry has no kernel for `{name}` that a condition could be for");
                    let help = format!("name one under `dispatch:`, or write the condition for `{WHEN_OPERATOR}`");
                    diagnostics.push(Diagnostic::new(&codes::BAD_CONDITION, message).at(name.span()).help(help));
                }
                None => {
                    let known: Vec<&str> = std::iter::once(WHEN_OPERATOR).chain(named).collect();
                    diagnostics.push(illegal_value("dispatch key", &name, &known));
                }
            }
        }
    }
    conditions
}

/// The condition for a whole operator.
pub(super) fn of_operator(record: &NativeFunctionRecord, diagnostics: &mut Diagnostics) -> Option<Condition> {
    match record.when.as_ref()? {
        TextOrMap::Text(text) => condition(text, diagnostics),
        TextOrMap::Map(map) => {
            let mut found = None;
            for (key, text) in &map.value {
                if key.as_str() == WHEN_OPERATOR {
                    found = condition(text, diagnostics);
                } else {
                    let message = "the operator has no kernels here that a condition could be for";
                    let error = Diagnostic::new(&codes::BAD_CONDITION, message).at(key.span());
                    diagnostics.push(error.help("put the registration of the kernel under an `#if`"));
                }
            }
            found
        }
    }
}

fn condition(text: &Text, diagnostics: &mut Diagnostics) -> Option<Condition> {
    when(text.as_str()).map_err(|error| diagnostics.push(error.at_text(text))).ok()
}
