//! The Python side of an entry: the fake, which makes outputs without data.
//!
//! Invariant: a fake is read without knowledge of the library's ABI and Python modules. Beside a
//! meta function, a fake is for the stable ABI: see `library::settings`. Whether a function of the
//! library's own package exists is checked where its modules are known (`library::fakes`).

use super::{EntryOptions, outputs};
use crate::codes;
use crate::model::outputs::Fake;
use crate::model::python_function::PythonFunction;
use crate::model::{BackendMetadata, DispatchKey, FunctionSchema, Language, NativeFunction};
use crate::records::NativeFunctionRecord;
use crate::versions::overloads;
use torchgen_base::diag::{Diagnostic, Diagnostics, Help};
use torchgen_base::lang::is_word;
use torchgen_base::lang::python::is_keyword;
use torchgen_base::yaml::Text;

/// A Python function, or expressions for the outputs.
pub(super) fn fake(
    text: &Text,
    func: &FunctionSchema,
    structured: bool,
    diagnostics: &mut Diagnostics,
) -> Option<Fake> {
    if !outputs::is_expression(text.as_str()) {
        return function(text, diagnostics).map(Fake::Function);
    }
    match outputs::outputs(text.as_str(), func, structured) {
        Ok(outputs) => Some(Fake::Outputs(outputs)),
        Err(error) => {
            diagnostics.push(error.at_text(text));
            None
        }
    }
}

/// The Python function of an operator of which only the schema is known.
pub(super) fn fake_of_schema(text: &Text, name: &str, diagnostics: &mut Diagnostics) -> Option<PythonFunction> {
    if !outputs::is_expression(text.as_str()) {
        return function(text, diagnostics);
    }
    let message =
        format!("no expression can make the outputs of `{name}`: C++ does not know its types, only its schema");
    let error = Diagnostic::new(&codes::BAD_FAKE, message).at(text.span());
    diagnostics.push(error.help("name a Python function instead: `fake: .fakes:function`"));
    None
}

/// `module:function`, where the module may be relative.
fn function(text: &Text, diagnostics: &mut Diagnostics) -> Option<PythonFunction> {
    let error = |message: String| Diagnostic::new(&codes::BAD_FAKE, message).at(text.span());
    match from_text(text.as_str()) {
        Ok(function) => return Some(function),
        Err(Misspelt::Form) => {
            let found = error(format!("`{}` is not the name of a Python function", text.as_str()));
            diagnostics.push(match respelt(text.as_str()) {
                Some(meant) => found.help(Help::write(meant)),
                None => found
                    .help("write `module:function`, or `.module:function` for a module of the library's own package")
                    .help("or write an expression such as `like(x, size=[*x.sizes[:-1], 1])`"),
            });
        }
        Err(Misspelt::Reserved(word)) => {
            diagnostics.push(error(format!("`{word}` is a reserved word of Python, so nothing can be called that")));
        }
    }
    None
}

/// The function that is probably meant by a dotted path, or by the path of a file.
fn respelt(text: &str) -> Option<String> {
    let spelt = match text.split_once(".py:") {
        Some((file, name)) => format!(".{}:{name}", file.rsplit('/').next().unwrap_or(file)),
        None => {
            let (module, name) = text.rsplit_once("::").or_else(|| text.rsplit_once('.'))?;
            format!("{module}:{name}")
        }
    };
    from_text(&spelt).ok().map(|_| spelt)
}

/// Why a text does not name a Python function.
pub(super) enum Misspelt<'t> {
    /// It is not a module, a colon and a name.
    Form,
    /// It has a reserved word.
    Reserved(&'t str),
}

/// The function of a text such as `.module:function`.
pub(super) fn from_text(text: &str) -> Result<PythonFunction, Misspelt<'_>> {
    let parts = text.split_once(':').filter(|(module, name)| is_module(module) && is_identifier(name));
    let (module, name) = parts.ok_or(Misspelt::Form)?;
    let mut words = module.trim_start_matches('.').split('.').chain([name]);
    match words.find(|word| is_keyword(word) || *word == "__debug__") {
        Some(word) => Err(Misspelt::Reserved(word)),
        None => Ok(PythonFunction { module: module.to_owned(), name: name.to_owned() }),
    }
}

fn is_module(text: &str) -> bool {
    text.trim_start_matches('.').split('.').all(is_identifier)
}

/// Python allows letters of other scripts.
fn is_identifier(text: &str) -> bool {
    text.starts_with(|c: char| c.is_alphabetic() || c == '_') && text.chars().all(is_word)
}

/// The name with the namespace that is probably missing in an entry.
fn own_name(f: &NativeFunction, record: &NativeFunctionRecord) -> Option<String> {
    let name = &f.func.name;
    match name.overload_name.as_str() {
        _ if record.func.as_str().contains("::") => None,
        "" => Some(format!("my_ops::{name}")),
        // `my_ops.f`
        overload => Some(format!("{}::{overload}", name.name)),
    }
}

/// Whether some version of PyTorch has operators of that name: another one has an error, or a
/// warning, for its name.
fn is_known(f: &NativeFunction) -> bool {
    let name = f.func.name.name.to_string();
    overloads().iter().any(|overload| overload.operator() == name)
}

/// An operator with a fake is not composite, and one whose output shapes depend on data has some
/// source of them.
pub(super) fn check_fake(
    f: &NativeFunction,
    record: &NativeFunctionRecord,
    kernels: &[(DispatchKey, BackendMetadata)],
    options: EntryOptions,
    diagnostics: &mut Diagnostics,
) {
    if options.target.language == Language::Torchgen {
        return;
    }
    let has = |wanted: DispatchKey| kernels.iter().any(|(key, _)| *key == wanted);
    let composite = has(DispatchKey::CompositeImplicitAutograd);
    let known = composite || has(DispatchKey::Meta) || f.part_of_structured_group();
    if let Some(text) = &record.fake
        && (composite || options.target.is_stock(f))
        && !(record.has_unknown_key && record.dispatch.is_none())
        && (composite || is_known(f))
    {
        let reason = match options.target.is_stock(f) {
            true => "PyTorch infers the outputs of its own operators",
            false => "the outputs of a composite operator follow from the operators that it calls",
        };
        let error = Diagnostic::new(&codes::BAD_FAKE, format!("`{}` cannot have a fake: {reason}", f.func.name))
            .at(text.span())
            .help("delete `fake:`");
        diagnostics.push(match own_name(f, record).filter(|_| options.target.is_stock(f)) {
            Some(name) => error.help(format!("or write `{name}`, if it is an operator of the library")),
            None => error,
        });
    }
    if f.has_tag("dynamic_output_shape") && record.fake.is_none() && !known && !options.target.is_stock(f) {
        let message = format!("the outputs of `{}` cannot be inferred without data", f.func.name);
        diagnostics.push(
            Diagnostic::new(&codes::FAKE_MISSING, message)
                .at(f.spans.name)
                .help("write `fake: .fakes:function`, a function that takes the operator's arguments")
                .help("it can return `x.new_empty(torch.library.get_ctx().new_dynamic_size())`"),
        );
    }
}
