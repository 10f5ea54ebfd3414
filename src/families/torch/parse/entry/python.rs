//! The Python side of an entry: the fake of an operator whose output shapes depend on data.
//!
//! Invariant: a fake replaces a meta kernel, so there is only one of them. Whether a function of
//! the library's own package exists is checked where its modules are known (`library::fakes`).

use super::EntryOptions;
use crate::diag::{Diagnostic, Diagnostics, codes};
use crate::families::torch::model::native_function::PythonFunction;
use crate::families::torch::model::{BackendMetadata, DispatchKey, Language, NativeFunction};
use crate::families::torch::records::NativeFunctionRecord;
use crate::lang::is_word;
use crate::lang::python::is_keyword;
use crate::yaml::Text;

/// `module:function`, where the module may be relative.
pub(super) fn function(text: &Text, diagnostics: &mut Diagnostics) -> Option<PythonFunction> {
    let parts = text.as_str().split_once(':');
    let Some((module, name)) = parts.filter(|(module, name)| is_module(module) && is_identifier(name)) else {
        let message = format!("`{}` is not the name of a Python function", text.as_str());
        diagnostics.push(
            Diagnostic::new(&codes::BAD_FAKE, message)
                .at(text.span())
                .help("write `module:function`, or `.module:function` for a module of the library's own package"),
        );
        return None;
    };
    let words = module.trim_start_matches('.').split('.').chain([name]);
    if let Some(word) = words.into_iter().find(|word| is_keyword(word) || *word == "__debug__") {
        let message = format!("`{word}` is a reserved word of Python, so nothing can be called that");
        diagnostics.push(Diagnostic::new(&codes::BAD_FAKE, message).at(text.span()));
        return None;
    }
    Some(PythonFunction { module: module.to_owned(), name: name.to_owned() })
}

fn is_module(text: &str) -> bool {
    text.trim_start_matches('.').split('.').all(is_identifier)
}

/// Python allows letters of other scripts.
fn is_identifier(text: &str) -> bool {
    text.starts_with(|c: char| c.is_alphabetic() || c == '_') && text.chars().all(is_word)
}

/// An operator with a fake has no other source of output shapes, and one whose output shapes depend
/// on data has some source.
pub(super) fn check(
    f: &NativeFunction,
    record: &NativeFunctionRecord,
    kernels: &[(DispatchKey, BackendMetadata)],
    options: EntryOptions,
    diagnostics: &mut Diagnostics,
) {
    if options.target.language == Language::Torchgen {
        return;
    }
    use DispatchKey::*;
    let known_by = kernels.iter().map(|(key, _)| *key).find(|key| matches!(key, Meta | CompositeImplicitAutograd));
    let known = known_by.is_some() || f.part_of_structured_group();
    if let Some(text) = &record.fake
        && (known || options.target.is_stock(f))
    {
        let reason = match known_by {
            _ if options.target.is_stock(f) => "PyTorch infers the outputs of its own operators".to_owned(),
            Some(key) => format!("the outputs follow from the {key} kernel"),
            None if f.part_of_structured_group() => "the outputs follow from the meta function".to_owned(),
            None => "the outputs of a composite operator follow from the operators that it calls".to_owned(),
        };
        diagnostics.push(
            Diagnostic::new(&codes::BAD_FAKE, format!("`{}` cannot have a fake: {reason}", f.func.name))
                .at(text.span())
                .help("delete `fake:`"),
        );
    }
    if f.has_tag("dynamic_output_shape") && record.fake.is_none() && !known && !options.target.is_stock(f) {
        let message = format!("the outputs of `{}` cannot be inferred without data", f.func.name);
        diagnostics.push(Diagnostic::new(&codes::FAKE_MISSING, message).at(f.spans.name).help(
            "write `fake: .fakes:function` and define a function that takes the operator's arguments and returns `x.new_empty(torch.library.get_ctx().new_dynamic_size())`",
        ));
    }
}
