//! Schemas that the reference accepts, but whose C++ does not compile, or whose operators libtorch
//! does not load as meant.
//!
//! Invariant: warnings, for PyTorch's own layout only; what is generated stays that of the
//! reference. For libraries the same are errors, in `parse::c10`.

use serde::Deserialize;

use super::EntryOptions;
use crate::codes;
use crate::model::{Argument, BaseTy, Language, NativeFunction, Type};
use crate::parse::c10::has_cpp_form;
use crate::records::NativeFunctionRecord;
use torchgen_base::diag::{Diagnostic, Diagnostics, Help, Span, did_you_mean};
use torchgen_base::lang::cpp::is_keyword;
use torchgen_kit::driver::data::{Table, Tables};

#[derive(Deserialize)]
struct Bindings {
    files: Vec<File>,
}

#[derive(Deserialize)]
struct File {
    scope: String,
}

impl Table for Bindings {
    const PATH: &'static str = "torch/python_bindings.yaml";
}

/// The scopes that are not modules.
const NOT_MODULES: [&str; 2] = ["methods", "functions"];

/// Warns about them.
pub(super) fn warn_about_cpp_arguments(
    f: &NativeFunction,
    record: &NativeFunctionRecord,
    options: EntryOptions,
    diagnostics: &mut Diagnostics,
) {
    if options.target.language != Language::Torchgen {
        return;
    }
    let name = f.func.name.name.to_string();
    if is_keyword(&name) {
        let message = format!("`{name}` is a keyword of C++, so functions of that name do not compile");
        diagnostics.push(Diagnostic::new(&codes::NAME_IN_CPP, message).at(f.spans.name));
    }
    for a in f.func.schema_order_arguments() {
        let place = f.spans.schema.argument(&a.name);
        if is_keyword(&a.name) {
            let message = format!("`{}` is a keyword of C++, so parameters of that name do not compile", a.name);
            let start = place.end.saturating_sub(a.name.len() as u32);
            diagnostics.push(Diagnostic::new(&codes::NAME_IN_CPP, message).at(Span { start, ..place }));
        }
        if let Some(default) = &a.default
            && let Some((message, help)) = doubt(a, default)
        {
            let start = place.end + 1;
            let place = Span { start, end: start + default.len() as u32, ..place };
            diagnostics.push(Diagnostic::new(&codes::DEFAULT_IN_CPP, message).at(place).maybe_help(help));
        }
    }
    defaults_in_order(f, diagnostics);
    python_module(record, options.target.tables, diagnostics);
}

/// What is wrong with a default, and what to write.
fn doubt(a: &Argument, default: &str) -> Option<(String, Option<Help>)> {
    let ty = if let Type::Optional(elem) = &a.ty { elem } else { &a.ty };
    // A word can name a constant of C++.
    if default.contains("::") || has_form(default, &a.ty) {
        return None;
    }
    let doubt = |message: String, help: Option<Help>| Some((message, help));
    let words: &[&str] = match ty {
        Type::Base(BaseTy::Bool) => &["True", "False"],
        Type::Base(BaseTy::Int) => &["Mean"],
        Type::Base(BaseTy::ScalarType) => &["long"],
        Type::Base(BaseTy::MemoryFormat) => &["contiguous_format"],
        _ => &[],
    };
    match ty {
        _ if default == "None" => {
            doubt(format!("`{}` has no value `None`", a.ty), Some(format!("write `{}? {}=None`", a.ty, a.name).into()))
        }
        Type::Base(BaseTy::Bool) if matches!(default, "true" | "false") => doubt(
            format!("libtorch does not load a schema with the default `{default}`"),
            did_you_mean(default, words.iter().copied()),
        ),
        Type::Base(BaseTy::Int | BaseTy::SymInt) if default.parse::<f64>().is_ok() => {
            doubt(format!("`{default}` is not a whole number, and C++ cuts off its fraction"), None)
        }
        _ => {
            let help = did_you_mean(default, words.iter().copied());
            let known = || match words {
                [] => None,
                words => Some(format!("known words: {}", words.join(", ")).into()),
            };
            doubt(format!("C++ has no value `{default}` for `{}`", a.ty), help.or_else(known))
        }
    }
}

/// Whether the default compiles where the reference puts it unchanged.
fn has_form(default: &str, ty: &Type) -> bool {
    match ty {
        Type::Optional(elem) => default == "None" || has_form(default, elem),
        Type::Base(BaseTy::ScalarType) => default == "long",
        Type::Base(BaseTy::Bool) => matches!(default, "True" | "False"),
        // Generation refuses a list without a size whose default is not a list.
        Type::List(..) => true,
        _ => has_cpp_form(default, ty),
    }
}

/// A C++ parameter without a default cannot follow one with a default.
fn defaults_in_order(f: &NativeFunction, diagnostics: &mut Diagnostics) {
    let mut with_default: Option<&Argument> = None;
    for a in f.func.arguments.flat_positional() {
        match (with_default, &a.default) {
            (None, Some(_)) => with_default = Some(a),
            (Some(first), None) => {
                let message = format!("`{}` needs a default, since `{}` before it has one", a.name, first.name);
                diagnostics.push(
                    Diagnostic::new(&codes::DEFAULT_ORDER, message)
                        .at(f.spans.schema.argument(&a.name))
                        .also(f.spans.schema.argument(&first.name), "this one has a default"),
                );
                return;
            }
            _ => {}
        }
    }
}

/// Bindings are made for known modules only.
fn python_module(record: &NativeFunctionRecord, tables: &Tables, diagnostics: &mut Diagnostics) {
    let Some(module) = &record.python_module else { return };
    let bindings: &Bindings = tables.get();
    let known = || bindings.files.iter().map(|file| file.scope.as_str()).filter(|scope| !NOT_MODULES.contains(scope));
    if known().any(|own| own == module.as_str()) {
        return;
    }
    let message = format!("no Python bindings are made for the module `{}`", module.as_str());
    let help = did_you_mean(module, known())
        .unwrap_or_else(|| format!("known modules: {}", known().collect::<Vec<_>>().join(", ")).into());
    diagnostics.push(Diagnostic::new(&codes::NO_SUCH_MODULE, message).at(module.span()).help(help));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse;

    #[track_caller]
    fn check(argument: &str, expected: Option<&str>) {
        let a = parse::schema::argument(argument, Language::Torchgen).unwrap();
        let found = doubt(&a, a.default.as_deref().unwrap());
        assert_eq!(found.as_ref().map(|(message, _)| message.as_str()), expected, "{argument}");
    }

    #[test]
    fn defaults() {
        for right in [
            "Tensor? x=None",
            "float eps=1e-05",
            "float p=0.5",
            "float p=2",
            "int x=-1",
            "int reduction=Mean",
            "bool x=True",
            "int[2] x=0",
            "int[] x=[]",
            "ScalarType d=long",
            "Scalar a=1",
            "str m=\"a\"",
            "str m='a'",
            "MemoryFormat? m=contiguous_format",
            "int r=at::Reduction::Sum",
            "bool[2] m=[True,False]",
        ] {
            check(right, None);
        }
        check("Tensor x=None", Some("`Tensor` has no value `None`"));
        check("float x=1e", Some("C++ has no value `1e` for `float`"));
        check("ScalarType d=float32", Some("C++ has no value `float32` for `ScalarType`"));
        check("int reduction=Meann", Some("C++ has no value `Meann` for `int`"));
        check("bool x=true", Some("libtorch does not load a schema with the default `true`"));
        check("int p=2.5", Some("`2.5` is not a whole number, and C++ cuts off its fraction"));
    }

    #[test]
    fn the_embedded_table() {
        let bindings: &Bindings = Tables::embedded().get();
        assert!(bindings.files.iter().any(|file| file.scope == "nn"));
    }
}
