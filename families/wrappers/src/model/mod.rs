//! What a run knows: the backend's names and functions, PyTorch's operators, and the body file.
//!
//! Invariant: names are those of the YAML, or their defaults. Entries are as written: `plan`
//! decides what becomes of them.

pub(crate) mod body;
pub(crate) mod declared;
pub(crate) mod functions;
mod operator;
pub(crate) mod operators;

use std::collections::BTreeSet;

use super::codes;
use super::flags::Flags;
use super::records::{BackendRecord, beside};
use body::Body;
use functions::Function;
use operators::Operator;
use torchgen_base::diag::Diagnostic;
use torchgen_base::lang::cpp::{is_keyword, is_macro};
use torchgen_base::lang::is_qualified_identifier;
use torchgen_base::yaml::Text;
use torchgen_kit::driver::{JobError, Session};
use torchgen_model::torch;

/// Namespaces that generated code refers to.
const LIBTORCHS: [&str; 5] = ["at", "c10", "caffe2", "std", "torch"];

/// The names of a backend in C++.
#[derive(Debug)]
pub(crate) struct Names {
    pub(crate) name: String,
    pub(crate) namespace: String,
    pub(crate) api: String,
    pub(crate) dispatch_key: String,
}

/// All that decisions depend on, beside flags.
pub(crate) struct Model {
    pub(crate) record: BackendRecord,
    pub(crate) names: Names,
    pub(crate) functions: Vec<Function>,
    pub(crate) operators: Vec<Operator>,
    pub(crate) body: Option<Body>,
    /// The names that the body registers.
    pub(crate) registered: BTreeSet<String>,
}

impl Names {
    fn from_record(record: &BackendRecord, session: &mut Session) -> Names {
        let namespace = record.namespace.as_ref().unwrap_or(&record.name);
        for text in [Some(&record.name), Some(namespace), record.api.as_ref(), record.dispatch_key.as_ref()]
            .into_iter()
            .flatten()
        {
            let reserved = |part: &str| is_keyword(part) || is_macro(part);
            if !is_qualified_identifier(text.as_str()) {
                let message = format!("`{text}` is not a C++ name");
                session.diagnostics.push(Diagnostic::new(&codes::WRAPPER_KEY, message).at(text.span()));
            } else if LIBTORCHS.contains(&text.as_str()) || text.as_str().split("::").any(reserved) {
                let message = format!("`{text}` is a name of C++ or of libtorch");
                let diagnostic = Diagnostic::new(&codes::WRAPPER_KEY, message).at(text.span());
                session.diagnostics.push(diagnostic.help("choose another name"));
            }
        }
        let text = |text: &Option<Text>, default: String| text.as_ref().map_or(default, |text| text.to_string());
        Names {
            name: record.name.to_string(),
            api: text(&record.api, format!("{namespace}::api")),
            namespace: namespace.to_string(),
            dispatch_key: text(&record.dispatch_key, "PrivateUse1".to_owned()),
        }
    }
}

impl Model {
    /// Reads the operators and the body of a backend.
    ///
    /// # Errors
    /// A file cannot be read, there are errors so far, or a flag cannot be honoured.
    pub(crate) fn read_model(record: BackendRecord, flags: &Flags, session: &mut Session) -> Result<Model, JobError> {
        let refused = flags.refused(false);
        if !refused.is_empty() {
            return Err(JobError::Failed(refused));
        }
        let names = Names::from_record(&record, session);
        let functions = functions::read_functions(&record.functions, &mut session.diagnostics);
        if flags.mock {
            for function in functions.iter().filter(|function| function.cpu.is_none()) {
                let message = format!("`{}` needs the key `cpu` for --mock", function.name);
                let diagnostic = Diagnostic::new(&codes::WRAPPER_FUNCTION, message).at(function.text.span());
                session.diagnostics.push(diagnostic.help("write a C++ expression, such as `cpu: at::add(x, y)`"));
            }
        }
        let body = match flags.body.clone().or_else(|| record.body_path()) {
            Some(path) => body::read_body(&path, &names.dispatch_key, session)?,
            None => None,
        };
        session.check_errors()?;
        let operators = read_operators(&record, flags, session)?;
        let registered = body.as_ref().map(|body| body.registered.clone()).unwrap_or_default();
        Ok(Model { record, names, functions, operators, body, registered })
    }
}

/// PyTorch's operators: flags come before keys, and files that PyTorch's build makes before its
/// own.
fn read_operators(record: &BackendRecord, flags: &Flags, session: &mut Session) -> Result<Vec<Operator>, JobError> {
    if let (Some(declarations), Some(registration)) = (&flags.declarations, &flags.registration) {
        return declared::read_declared(declarations, registration, session);
    }
    let path = |text: &Text| beside(&record.path, text);
    let given = flags.native_functions.is_some() || flags.torch_path.is_some();
    match (&record.declarations, &record.registration) {
        (Some(declarations), Some(registration)) if !given => {
            return declared::read_declared(&path(declarations), &path(registration), session);
        }
        (Some(one), None) | (None, Some(one)) if !given => {
            let message = "`declarations` and `registration` belong together";
            session.diagnostics.push(Diagnostic::new(&codes::WRAPPER_KEY, message).at(one.span()));
            return Err(JobError::Input);
        }
        _ => {}
    }
    let path = match (&flags.native_functions, &record.native_functions) {
        (Some(path), _) => path.clone(),
        (None, Some(text)) if !given => path(text),
        _ => torch::find(flags.torch_path.as_deref(), session)?.native_functions(),
    };
    operators::read_operators(&path, session)
}
