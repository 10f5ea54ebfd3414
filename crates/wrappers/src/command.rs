//! The command `wrappers`: reads a backend's YAML and PyTorch's operators, and writes files.
//!
//! Invariant: the set of files depends on flags, and on whether a body is given.

use std::collections::BTreeSet;

use serde::Serialize;

use super::body::{self, Body};
use super::explanation::{self, Explanation};
use super::expression::Language;
use super::flags::Flags;
use super::functions::{self, Function};
use super::operators::{self, Operator};
use super::plan::{Code, Decision, Plan, Row};
use super::records::{self, BackendRecord, beside};
use super::report::{self, Report};
use super::view::{self, FileView};
use super::{codes, declared, legacy};
use torchgen_base::diag::{CodeInfo, Diagnostic, Diagnostics};
use torchgen_base::lang::cpp::{is_keyword, is_macro};
use torchgen_base::lang::is_qualified_identifier;
use torchgen_base::render::{RenderError, Renderer};
use torchgen_base::write::OutputFile;
use torchgen_base::yaml::Text;
use torchgen_kit::driver::family::GeneratingCommand;
use torchgen_kit::driver::output::GeneratedFiles;
use torchgen_kit::driver::request::Request;
use torchgen_kit::driver::{JobError, Session};
use torchgen_model::torch;

/// The command.
pub(super) struct Wrappers;

/// Namespaces that generated code refers to.
const LIBTORCHS: [&str; 5] = ["at", "c10", "caffe2", "std", "torch"];

/// The names of a backend in C++.
#[derive(Debug)]
struct Names {
    name: String,
    namespace: String,
    api: String,
    dispatch_key: String,
}

/// The inputs of a run.
struct Inputs {
    record: BackendRecord,
    names: Names,
    functions: Vec<Function>,
    operators: Vec<Operator>,
    body: Option<Body>,
    /// The names that the body registers.
    registered: BTreeSet<String>,
    language: Language,
}

impl GeneratingCommand for Wrappers {
    type Flags = Flags;
    const NAME: &'static str = "wrappers";
    const ABOUT: &'static str = "Generate kernels of PyTorch's operators that call a backend's graph API";
    const CODES: &'static [&'static CodeInfo] = codes::ALL;
    const EMIT: &'static [&'static str] = &["stubs"];
    const SCAFFOLD: &'static [(&'static str, &'static str)] = &[
        ("backend.yaml", "wrappers/new/backend.yaml.j2"),
        ("CMakeLists.txt", "wrappers/new/CMakeLists.txt.j2"),
        ("setup.py", "wrappers/new/setup.py.j2"),
        ("README.md", "wrappers/new/README.md.j2"),
    ];

    fn make(request: &Request, flags: &Flags, session: &mut Session) -> Result<GeneratedFiles, JobError> {
        let record = records::only(request, session)?;
        if record.legacy.is_some() {
            return legacy::make(&record, request, flags, session);
        }
        let inputs = Inputs::read(record, flags, session)?;
        let rows = inputs.rows(flags, session);
        session.check(request.common.strict)?;
        let report = Report::of(&inputs.names.name, report::listed(&rows, flags.all));
        if let Some(diagnostic) = report.uncovered(inputs.record.coverage_min, flags.coverage_min) {
            session.diagnostics.push(diagnostic);
        }
        session.check(request.common.strict)?;
        let renderer = request.renderer("wrappers", session)?;
        let files = inputs.files(request, flags, &rows, &report, &renderer).map_err(|error| error.diagnostic())?;
        let mut made = request.made(files, renderer);
        if let Some(path) = &flags.report {
            report.copy_to(path, &mut made);
        }
        Ok(made)
    }

    fn explain(what: &str, request: &Request, session: &mut Session) -> Result<String, JobError> {
        let flags = Flags::default();
        let record = records::only(request, session)?;
        let all = if record.legacy.is_some() {
            legacy::explanations(&record, &flags, session)?
        } else {
            let inputs = Inputs::read(record, &flags, session)?;
            inputs.rows(&flags, session).iter().map(Explanation::of).collect()
        };
        session.check_errors()?;
        // Warnings about other operators do not explain this one.
        session.diagnostics = Diagnostics::new();
        explanation::text(what, all, request, session)
    }
}

impl Names {
    fn of(record: &BackendRecord, session: &mut Session) -> Names {
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

impl Inputs {
    fn read(record: BackendRecord, flags: &Flags, session: &mut Session) -> Result<Inputs, JobError> {
        let refused = flags.refused(false);
        if !refused.is_empty() {
            return Err(JobError::Failed(refused));
        }
        let names = Names::of(&record, session);
        let functions = functions::read(&record.functions, &mut session.diagnostics);
        if flags.mock {
            for function in functions.iter().filter(|function| function.cpu.is_none()) {
                let message = format!("`{}` needs the key `cpu` for --mock", function.name);
                let diagnostic = Diagnostic::new(&codes::WRAPPER_FUNCTION, message).at(function.text.span());
                session.diagnostics.push(diagnostic.help("write a C++ expression, such as `cpu: at::add(x, y)`"));
            }
        }
        let body = match flags.body.clone().or_else(|| record.body_path()) {
            Some(path) => body::read(&path, &names.dispatch_key, session)?,
            None => None,
        };
        session.check_errors()?;
        let operators = read_operators(&record, flags, session)?;
        let language = Language::new(&names.namespace);
        let registered = body.as_ref().map(|body| body.registered.clone()).unwrap_or_default();
        Ok(Inputs { record, names, functions, operators, body, registered, language })
    }

    fn rows(&self, flags: &Flags, session: &mut Session) -> Vec<Row<'_>> {
        let plan = Plan {
            operators: &self.operators,
            functions: &self.functions,
            entries: &self.record.entries,
            language: &self.language,
            backend: &self.names.name,
            dispatch_key: &self.names.dispatch_key,
            contiguous: self.record.contiguous,
            registered: &self.registered,
            required_only: flags.required_only,
            on_missing: flags.on_missing,
            pack: flags.pack,
        };
        let rows = plan.rows(&mut session.diagnostics);
        session.timings.lap("plan");
        rows
    }

    fn view(&self, flags: &Flags, rows: &[Row]) -> FileView {
        let Names { name, namespace, api, dispatch_key } = &self.names;
        let wrappers: Vec<_> = rows.iter().filter_map(|row| view::wrapper(name, row)).collect();
        let registrations = view::registrations(name, rows);
        let mut includes: Vec<String> = self.record.include.clone();
        if flags.mock {
            includes = vec!["\"mock_backend.h\"".to_owned()];
        }
        let source = self.record.path.file_name().and_then(|name| name.to_str()).unwrap_or("YAML");
        let is_meta = |shape: &str| matches!(shape, "meta" | "infer");
        FileView {
            banner: format!("@generated by torchgen-rs from {source}. Do not edit."),
            name: name.clone(),
            namespace: namespace.clone(),
            api: api.clone(),
            dispatch_key: dispatch_key.clone(),
            includes,
            body: self.body.clone().map(Into::into),
            has_calls: wrappers.iter().any(|wrapper| wrapper.kind == "call"),
            has_native: wrappers.iter().any(|wrapper| wrapper.kind == "native"),
            has_fallback: registrations.iter().any(|registration| registration.kind == "fallback"),
            wraps_each: rows
                .iter()
                .any(|row| matches!(&row.decision, Decision::Made(Code::Call(wrapped)) if wrapped.wraps_each)),
            has_operators: wrappers.iter().any(|wrapper| is_meta(&wrapper.shape)),
            examples: view::examples(name, rows),
            functions: view::functions(&self.functions),
            wrappers,
            registrations,
        }
    }

    fn files(
        &self,
        request: &Request,
        flags: &Flags,
        rows: &[Row],
        report: &Report,
        renderer: &Renderer,
    ) -> Result<Vec<OutputFile>, RenderError> {
        #[derive(Serialize)]
        struct Expressions<'a> {
            banner: &'a str,
            namespace: String,
        }
        let view = self.view(flags, rows);
        let name = &self.names.name;
        let shared = torchgen_base::render::View::new(&view);
        let mut files = Vec::new();
        let mut add = |path: String, template: &str| -> Result<(), RenderError> {
            files.push(request.file(path, renderer.fragment_of(template, &shared)?));
            Ok(())
        };
        add(format!("{name}_torch_ops.cpp"), "wrappers/torch_ops.cpp.j2")?;
        if self.body.is_none() {
            add(format!("{name}_torch_ops.h"), "wrappers/torch_ops.h.j2")?;
        }
        if view.has_calls {
            add(format!("{name}_shape.h"), "wrappers/shape.h.j2")?;
            add(format!("{name}_runtime.h"), "wrappers/runtime.h.j2")?;
        }
        add("GeneratedDeclarations.yaml".to_owned(), "wrappers/generated_declarations.yaml.j2")?;
        if request.emits("stubs") {
            add(format!("{name}_custom_stubs.cpp"), "wrappers/custom_stubs.cpp.j2")?;
        }
        if flags.mock {
            add("mock_backend.h".to_owned(), "wrappers/mock_backend.h.j2")?;
            add("wrappers_test.cpp".to_owned(), "wrappers/wrappers_test.cpp.j2")?;
        }
        if view.has_calls {
            let namespace = format!("{}::expr", self.names.namespace);
            let banner = renderer.fragment_of("wrappers/banner.j2", &shared)?;
            let banner = banner.trim_end();
            let text = renderer.fragment("kit/cpp/expr.h.j2", &Expressions { banner, namespace })?;
            files.push(request.file(format!("{name}_expr.h"), text));
        }
        files.extend(report.files(request, renderer)?);
        Ok(files)
    }
}

/// PyTorch's operators: flags come before keys, and files that PyTorch's build makes before its
/// own.
fn read_operators(record: &BackendRecord, flags: &Flags, session: &mut Session) -> Result<Vec<Operator>, JobError> {
    if let (Some(declarations), Some(registration)) = (&flags.declarations, &flags.registration) {
        return declared::read(declarations, registration, session);
    }
    let path = |text: &Text| beside(&record.path, text);
    let given = flags.native_functions.is_some() || flags.torch_path.is_some();
    match (&record.declarations, &record.registration) {
        (Some(declarations), Some(registration)) if !given => {
            return declared::read(&path(declarations), &path(registration), session);
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
    operators::read(&path, session)
}
