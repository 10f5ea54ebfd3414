//! Errors in the names of an entry: of operators, functions, shapes, arguments and parameters.
//!
//! Invariant: an error in one name does not hide those in the others of an entry.

use super::aliases::Named;
use super::codes;
use super::model::Model;
use super::records::EntryRecord;
use super::shapes::MODES;
use torchgen_base::diag::{Diagnostic, Help, codes as shared, did_you_mean, nearest};

/// The error for an entry whose operator does not exist.
pub(super) fn operator(entry: &EntryRecord, name: &str, overload: Option<&str>, named: &Named) -> Diagnostic {
    let full = |name: &str| named.overloads(name).iter().map(|operator| operator.full_name()).collect::<Vec<_>>();
    let names = named.names();
    let near = || nearest(name, names.iter().map(String::as_str));
    let in_python = ["torch.", "aten."].iter().find_map(|prefix| entry.op.as_str().strip_prefix(prefix));
    let bare_name = |full: &str| full.split('.').next().unwrap_or_default().to_owned();
    let help = match (name.rsplit_once("::"), full(name)) {
        _ if in_python.is_some_and(|rest| !named.overloads(&bare_name(rest)).is_empty()) => in_python
            .map(|rest| Help::new(format!("write the name without a namespace: `{rest}`")).instead(rest).certainly()),
        (Some((_, bare)), _) if !named.overloads(bare).is_empty() => {
            let overload = overload.map_or(String::new(), |overload| format!(".{overload}"));
            let bare = format!("{bare}{overload}");
            Some(Help::new(format!("write the name without a namespace: `{bare}`")).instead(bare).certainly())
        }
        (_, overloads) if !overloads.is_empty() => {
            did_you_mean(entry.op.as_str(), overloads.iter().map(String::as_str))
                .or_else(|| Some(format!("its overloads are {}", overloads.join(", ")).into()))
        }
        _ => near().map(|near| {
            let wanted = overload.map(|overload| format!("{near}.{overload}"));
            let meant = wanted.filter(|wanted| full(near).contains(wanted));
            torchgen_base::diag::meant(name, &meant.unwrap_or_else(|| near.to_owned()))
        }),
    };
    let message = format!("there is no operator `{}`", entry.op);
    Diagnostic::new(&codes::UNKNOWN_OPERATOR, message).at(entry.op.span()).maybe_help(help)
}

/// The error for a function that the backend lacks.
pub(super) fn function(entry: &EntryRecord, model: &Model) -> Option<Diagnostic> {
    let call = entry.call.as_ref()?;
    let mut names = model.functions.iter().map(|function| function.name.as_str());
    if names.clone().any(|name| name == call.as_str()) {
        return None;
    }
    let bare = call.as_str().split('(').next().unwrap_or_default();
    let help = match names.clone().any(|name| name == bare) {
        true => Some(Help::new(format!("write `{bare}`: `map:` has the arguments")).instead(bare)),
        false => did_you_mean(call.as_str(), names.by_ref()),
    };
    let message = format!("the backend has no function `{call}`");
    Some(Diagnostic::new(&codes::UNKNOWN_FUNCTION, message).at(call.span()).maybe_help(help))
}

/// The errors for misspelt shapes. Shapes of entries without other errors are read as expressions,
/// which reports the same.
pub(super) fn shapes(entry: &EntryRecord) -> impl Iterator<Item = Diagnostic> {
    let words = entry.shapes.iter().filter(|shape| !shape.is_list).filter_map(|shape| shape.texts.first());
    words.filter_map(|word| {
        let help = did_you_mean(word.as_str(), MODES)?;
        let message = format!("there is no variable or constant `{word}` here");
        let error = Diagnostic::new(&shared::EXPRESSION_NAME, message).at(word.span());
        (!MODES.contains(&word.as_str())).then(|| error.help(help))
    })
}

/// The error for a `map:` from arguments to parameters.
pub(super) fn reversed_map(entry: &EntryRecord, inputs: &[&str], parameters: &[&str]) -> Option<Diagnostic> {
    let (first, _) = entry.map.first()?;
    let is_reversed = |name: &str, value: &str| inputs.contains(&name) && parameters.contains(&value);
    let is_right = |name: &str, value: &str| parameters.contains(&name) && inputs.contains(&value);
    let mut pairs = entry.map.iter().map(|(name, value)| (name.as_str(), value.as_str()));
    if !pairs.all(|(name, value)| is_reversed(name, value) && !is_right(name, value)) {
        return None;
    }
    let right: Vec<String> = entry.map.iter().map(|(name, value)| format!("{value}: {name}")).collect();
    let message = "`map` goes from parameters of the function to arguments of the operator";
    let error = Diagnostic::new(&codes::UNKNOWN_NAME, message).at(first.span());
    Some(error.help(format!("write `map: {{{}}}`", right.join(", "))))
}
