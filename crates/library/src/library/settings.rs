//! What holds for a library as a whole: what `library.yaml` says, and the flags that override it.
//!
//! Invariant: settings without effect are errors.

use serde::Serialize;

use super::{Abi, FakeSource};
use crate::stable::ops::select::unknown_names;
use torchgen_base::diag::{Diagnostic, Diagnostics, Span, did_you_mean};
use torchgen_base::lang::is_identifier;
use torchgen_base::lang::python::is_keyword;
use torchgen_base::yaml::Text;
use torchgen_generators::inputs::Operators;
use torchgen_model::codes;
use torchgen_model::model::registration::Registration;
use torchgen_model::model::rules::versions_since;
use torchgen_model::model::version::Version;
use torchgen_model::model::{BackendIndices, NativeFunction};
use torchgen_model::parse::entry::SchemaOnly;

/// The settings of a library.
#[derive(Debug, Clone)]
pub struct Settings {
    /// What it needs of libtorch.
    pub(crate) abi: &'static dyn Abi,
    /// The oldest torch that it works with, on the stable ABI.
    pub(crate) torch_min: Version,
    /// The names of operators that it does not have on the stable ABI.
    pub(crate) leave_out: Vec<Text>,
    /// Operators of torch that its kernels call, on the stable ABI.
    pub(crate) torch_ops: Vec<Text>,
    /// What loads a library that registers itself.
    pub(crate) loader: Option<Loader>,
    /// library.yaml says how the library is on the stable ABI, whatever this run is for.
    pub(crate) both: bool,
}

/// What a package imports or loads before it registers anything.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Loader {
    /// A module, or the path of a shared library, which can have `*`.
    text: String,
    /// It is the name of a module.
    is_module: bool,
    /// The module is one of the package.
    relative: bool,
    #[serde(skip)]
    span: Span,
}

impl Loader {
    /// The value of `loader:`.
    ///
    /// # Errors
    /// It is neither a module nor a path.
    pub(crate) fn new(text: &Text) -> Result<Loader, Diagnostic> {
        let word = text.as_str();
        let is_path = word.contains('/') || LIBRARIES.iter().any(|ending| word.ends_with(ending));
        let module = word.trim_start_matches('.');
        let is_module = !is_path && module.split('.').all(|part| is_identifier(part) && !is_keyword(part));
        let is_inside = !word.starts_with('/') && !word.split('/').any(|part| part == ".." || part.is_empty());
        // It is in texts of Python.
        let is_plain = |c: char| !c.is_control() && !matches!(c, '"' | '\\' | '\u{2028}' | '\u{2029}');
        if is_module || (is_path && is_inside && word.chars().all(is_plain)) {
            let relative = word.starts_with('.');
            return Ok(Loader { text: word.to_owned(), is_module, relative, span: text.span() });
        }
        let message = match is_path {
            true => format!("`{word}` is not the path of a file in an installed package"),
            false => format!("`{word}` is neither a Python module nor the path of a shared library"),
        };
        let help = "write a module such as `my_ops._C`, or a path such as `my_ops/lib/libmy_ops*.so`";
        Err(Diagnostic::new(&codes::ILLEGAL_VALUE, message).at(text.span()).help(help))
    }
}

/// The endings of shared libraries.
const LIBRARIES: [&str; 4] = [".so", ".dylib", ".dll", ".pyd"];

impl Settings {
    /// The operators as the library has them on its ABI, if any differs from its entry.
    pub(crate) fn adapted(
        &self,
        functions: &[NativeFunction],
        indices: &BackendIndices,
    ) -> Option<Vec<NativeFunction>> {
        self.abi.adapted(self, functions, indices)
    }

    /// The signatures of an operator and the API of each, if they are not those of libtorch's C++
    /// API.
    pub fn signatures(&self, f: &NativeFunction, indices: &BackendIndices) -> Option<Vec<(String, String)>> {
        self.abi.signatures(f, indices)
    }

    /// Whether the library is on the stable ABI.
    pub(crate) fn is_stable(&self) -> bool {
        self.abi.is_stable()
    }

    /// The known torch versions that it works with, on the stable ABI.
    pub(crate) fn versions(&self) -> impl Iterator<Item = String> {
        versions_since(self.torch_min).map(|version| version.to_string())
    }

    /// Whether some operators are left out on the stable ABI.
    pub(crate) fn leaves_out_some(&self) -> bool {
        !self.leave_out.is_empty()
    }

    /// Whether an operator is left out on the stable ABI.
    pub(crate) fn leaves_out(&self, f: &NativeFunction) -> bool {
        self.leave_out.iter().any(|text| names(text.as_str(), f))
    }

    /// The same for one that is registered by its schema alone.
    pub(crate) fn leaves_out_schema(&self, f: &SchemaOnly) -> bool {
        self.leave_out.iter().any(|text| names_schema(text.as_str(), f))
    }

    /// Reports fakes that have no effect: on libtorch's C++ API, a meta function comes first.
    pub(crate) fn check_fakes(&self, libraries: &[(String, Operators)], diagnostics: &mut Diagnostics) {
        if self.both {
            return;
        }
        for (_, operators) in libraries {
            for f in &operators.functions {
                let source = self.abi.fake_source(f, &operators.indices);
                let (Some(span), FakeSource::Cpp(reason)) = (f.spans.fake, source) else { continue };
                let message = format!("`{}` cannot have a fake: {reason}", f.func.name);
                let help =
                    "delete `fake:`, or make the library for the stable ABI too: write `torch_min:` in library.yaml";
                diagnostics.push(Diagnostic::new(&codes::BAD_FAKE, message).at(span).help(help));
            }
        }
    }

    /// Reports names to leave out that are of no operator, and those of `torch_ops:` on an ABI that
    /// does not read them.
    pub(crate) fn check_names(
        &self,
        libraries: &[(String, Operators)],
        schema_only: &[SchemaOnly],
        diagnostics: &mut Diagnostics,
    ) {
        let functions = || libraries.iter().flat_map(|(_, operators)| &operators.functions);
        let alone = |text: &str| schema_only.iter().any(|f| names_schema(text, f));
        let unknown = |text: &&Text| !functions().any(|f| names(text.as_str(), f)) && !alone(text.as_str());
        if !self.is_stable() {
            diagnostics.extend(unknown_names(&self.torch_ops));
        }
        let by_schema = schema_only.iter().filter(|f| f.registration == Registration::Own).map(|f| (&f.name, f.span));
        let by_schema = by_schema.map(|(name, span)| (name.clone(), span));
        let own = functions().filter(|f| f.registers_itself()).map(|f| (f.func.name.to_string(), f.spans.name));
        let own: Vec<(String, Span)> = own.chain(by_schema).collect();
        if !self.is_stable() {
            diagnostics.extend(own.iter().map(|(name, span)| of_itself(name, *span)));
        }
        if let Some(loader) = self.loader.as_ref().filter(|_| own.is_empty()) {
            let message = "`loader:` has no effect, because generated code registers all operators";
            let error = Diagnostic::new(&codes::ILLEGAL_VALUE, message).at(loader.span);
            diagnostics.push(error.help("delete it, or write `registration: own` if the library registers them"));
        }
        for text in self.leave_out.iter().filter(unknown) {
            let known: Vec<String> = functions().map(|f| f.func.name.name.to_string()).collect();
            let message = format!("there is no operator `{text}` to leave out");
            let help = did_you_mean(text.as_str(), known.iter().map(String::as_str));
            diagnostics.push(Diagnostic::new(&codes::NO_SUCH_OPERATOR, message).at(text.span()).maybe_help(help));
        }
    }
}

/// The error that an operator of a library on the C++ API registers itself: what is generated for
/// it is Python, which libraries on the stable ABI have.
fn of_itself(name: &str, place: Span) -> Diagnostic {
    let message = format!("`{name}` registers itself, which libraries with `abi: unstable` cannot have");
    Diagnostic::new(&codes::NEEDS_GENERATED, message)
        .at(place)
        .help("write `abi: stable` in library.yaml: the package in Python works for kernels of both ABIs")
        .help("or `manual_kernel_registration: True`, if generated code may register the schema")
}

/// Whether a name, with or without namespace and overload, is that of an operator.
fn names(text: &str, f: &NativeFunction) -> bool {
    is_name(text, &f.namespace, [&f.func.name.name.to_string(), &f.func.name.to_string()])
}

/// The same for one that is registered by its schema alone.
fn names_schema(text: &str, f: &SchemaOnly) -> bool {
    is_name(text, &f.namespace, [&f.parts.0, &f.name])
}

/// Whether a name is one of two in a namespace.
fn is_name(text: &str, namespace: &str, names: [&str; 2]) -> bool {
    names.contains(&text.strip_prefix(namespace).and_then(|rest| rest.strip_prefix("::")).unwrap_or(text))
}
