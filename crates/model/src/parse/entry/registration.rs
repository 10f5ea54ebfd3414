//! Who registers an operator: generated code, or the library by itself.
//!
//! Invariant: an operator that registers itself has no key that needs generated C++. Its
//! `dispatch:` is information about kernels that exist.

use super::illegal_value;
use crate::codes;
use crate::model::registration::Registration;
use crate::model::{Language, NativeFunction, Target, records_gradients};
use crate::records::NativeFunctionRecord;
use torchgen_base::diag::{Diagnostic, Diagnostics, Span};
use torchgen_base::yaml::Text;
use torchgen_base::yaml::fields::Spanned;

/// The word of an operator that registers itself.
const OWN: &str = "own";

/// The word of an operator whose kernels are registered where they are.
const INCLUDED: &str = "included";

/// The value of `registration:`.
pub(super) fn registration(text: Option<&Text>, diagnostics: &mut Diagnostics) -> Registration {
    match text.map(|text| (text, text.as_str())) {
        None | Some((_, "generated")) => Registration::Generated,
        Some((_, INCLUDED)) => Registration::Included,
        Some((_, OWN)) => Registration::Own,
        Some((text, _)) => {
            diagnostics.push(illegal_value("kind of registration", text, &[OWN, "generated", INCLUDED]));
            Registration::Generated
        }
    }
}

/// Whether that is `own`.
pub(super) fn is_own(text: Option<&Text>) -> bool {
    text.is_some_and(|text| text.as_str() == OWN)
}

/// Whether the author of an operator registers its kernels.
pub(super) fn registers_kernels(record: &NativeFunctionRecord) -> bool {
    is_own(record.registration.as_ref()) || record.manual_kernel_registration.as_ref().is_some_and(|flag| flag.value)
}

/// What `dispatch:` of an operator that registers itself has for a kernel whose gradients are
/// compared with those of the entry in derivatives.yaml.
const COMPARED: &str = "compared";

/// Whether the gradients that the library registers are compared with those of an entry.
pub(super) fn compares_gradients(record: &NativeFunctionRecord) -> bool {
    compared(record).any(|key| records_gradients(key.as_str()))
}

/// Whether a kernel for `Autograd` of a library that registers itself does not replace the formulas
/// of an entry: the other builds use these, or tests compare them.
pub(super) fn is_beside_formulas(record: &NativeFunctionRecord, in_some_builds: bool) -> bool {
    compares_gradients(record) || registers_kernels(record) && in_some_builds
}

/// The keys of an operator that registers itself which have that word.
fn compared(record: &NativeFunctionRecord) -> impl Iterator<Item = &Text> {
    let table = record.dispatch.iter().filter(|_| is_own(record.registration.as_ref()));
    let compared = table.flat_map(|table| &table.value).filter(|entry| entry.kernel.as_str() == COMPARED);
    compared.flat_map(|entry| &entry.keys)
}

/// Whether the author of a library's operator registers its kernels.
pub(super) fn is_by_hand(record: &NativeFunctionRecord, target: Target) -> bool {
    target.language == Language::C10 && registers_kernels(record)
}

/// Reports keys that contradict who registers the operator.
pub(super) fn check(f: &NativeFunction, record: &NativeFunctionRecord, diagnostics: &mut Diagnostics) {
    let error = |span: Span, message: String| Diagnostic::new(&codes::NEEDS_GENERATED, message).at(span);
    let name = &f.func.name;
    if f.is_included() {
        included(f, record, diagnostics);
    }
    for key in compared(record).filter(|key| !records_gradients(key.as_str())) {
        let message = format!("`{COMPARED}` is for kernels that record gradients, and not for {}", key.as_str());
        let help = "write `registered`, or any other text: the tests compare the gradients of `Autograd`";
        diagnostics.push(Diagnostic::new(&codes::ILLEGAL_VALUE, message).at(key.span()).help(help));
    }
    if !f.registers_itself() {
        // `defaults:` may serve other entries.
        let is_written = |flag: &&Spanned<bool>| !flag.value && flag.span.file == record.func.span().file;
        if let Some(flag) = record.version_counter.as_ref().filter(is_written) {
            let message =
                format!("generated kernels of `{name}` count what it mutates: `version_counter:` has no effect");
            diagnostics.push(
                error(flag.span, message)
                    .help("delete it, or write `registration: own` if the library registers the operator"),
            );
        }
        return;
    }
    let texts = [
        ("autogen", record.autogen.as_ref().map(Text::span)),
        ("structured", record.structured.as_ref().filter(|flag| flag.value).map(|flag| flag.span)),
        ("structured_delegate", record.structured_delegate.as_ref().map(Text::span)),
        ("structured_inherits", record.structured_inherits.as_ref().map(Text::span)),
        ("view_inverse", record.view_inverse.as_ref().map(Text::span)),
    ];
    for (key, span) in texts.into_iter().filter_map(|(key, span)| Some((key, span?))) {
        let message = format!("`{key}:` needs generated kernels, but the library registers `{name}` by itself");
        diagnostics.push(
            error(span, message)
                .help(format!("delete `{key}:`"))
                .help("or write `registration: generated`, and delete the library's `m.def` and `m.impl` of it"),
        );
    }
}

/// Reports keys of an operator whose kernels are registered where they are, but that need kernels
/// which other sources see.
fn included(f: &NativeFunction, record: &NativeFunctionRecord, diagnostics: &mut Diagnostics) {
    let flag = |flag: Option<&Spanned<bool>>| flag.filter(|flag| flag.value).map(|flag| flag.span);
    let keys = [
        ("structured", flag(record.structured.as_ref())),
        ("structured_delegate", record.structured_delegate.as_ref().map(Text::span)),
        ("manual_kernel_registration", flag(record.manual_kernel_registration.as_ref())),
    ];
    for (key, span) in keys.into_iter().filter_map(|(key, span)| Some((key, span?))) {
        let message =
            format!("`registration: included` has no effect on the kernels of `{}`, which has `{key}:`", f.func.name);
        let error = Diagnostic::new(&codes::NEEDS_GENERATED, message).at(span);
        diagnostics.push(error.help(format!("delete `{key}:`, or write `registration: generated`")));
    }
}
