//! The command `wrappers`: reads a backend's YAML and PyTorch's operators, and writes files.
//!
//! Invariant: the set of files depends on flags, and on whether a body is given.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use clap::Args;
use serde::Serialize;

use super::body::{self, Body};
use super::expression::Language;
use super::functions::{self, Function};
use super::operators::{self, Operator};
use super::plan::{Code, Decision, OnMissing, Pack, Plan, Row};
use super::records::{self, BackendRecord, beside};
use super::report::{self, Report};
use super::view::{self, FileView};
use super::{codes, declared};
use crate::diag::{CodeInfo, Diagnostic, codes as shared, did_you_mean};
use crate::driver::family::GeneratingCommand;
use crate::driver::output::GeneratedFiles;
use crate::driver::request::Request;
use crate::driver::{JobError, Session, torch};
use crate::lang::is_qualified_identifier;
use crate::render::{RenderError, Renderer};
use crate::write::{Manager, OutputFile};
use crate::yaml::Text;

/// The command.
pub(super) struct Wrappers;

/// The flags of `wrappers`.
#[derive(Debug, Clone, Args)]
pub(super) struct Flags {
    /// PyTorch's native_functions.yaml [default: that of the PyTorch that is found]
    #[arg(long, value_name = "FILE", conflicts_with_all = ["declarations", "registration"])]
    native_functions: Option<PathBuf>,
    /// Directory to find PyTorch in: a checkout, site-packages, torch or torchgen
    #[arg(long, value_name = "DIR", conflicts_with_all = ["native_functions", "declarations"])]
    torch_path: Option<PathBuf>,
    /// Declarations.yaml, in place of native_functions.yaml
    #[arg(long, value_name = "FILE", requires = "registration")]
    declarations: Option<PathBuf>,
    /// RegistrationDeclarations.h, which belongs to Declarations.yaml
    #[arg(long, value_name = "FILE", requires = "declarations")]
    registration: Option<PathBuf>,
    /// C++ file that code is inserted into [default: `body:` of the YAML]
    #[arg(long, value_name = "FILE")]
    body: Option<PathBuf>,
    /// What becomes of operators without an entry
    #[arg(long, value_enum, default_value_t, value_name = "WHAT")]
    on_missing: OnMissing,
    /// Which code is generated
    #[arg(long, value_enum, default_value_t, value_name = "PACK")]
    pack: Pack,
    /// Generate only for operators that PyTorch has no kernel for
    #[arg(long)]
    required_only: bool,
    /// Fail if fewer operators have code
    #[arg(long, value_name = "N", default_value_t = 0)]
    coverage_min: usize,
    /// List every operator of PyTorch in the report
    #[arg(long)]
    all: bool,
    /// Write the report to this file as well, as JSON
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
    /// Also write the backend's API on the CPU, and a test
    #[arg(long)]
    mock: bool,
}

/// The manager of the additional report.
const REPORT: Manager = Manager::new("report", None);

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
        if let Some(made) = from_legacy(request, flags, session)? {
            return Ok(made);
        }
        let inputs = Inputs::read(request, flags, session)?;
        let rows = inputs.rows(flags, session);
        session.check(request.common.strict)?;
        let report = report::report(&inputs.names.name, &rows, flags.all);
        if let Some(diagnostic) = inputs.covers(flags, &report) {
            session.diagnostics.push(diagnostic);
        }
        session.check(request.common.strict)?;
        let renderer = request.renderer(session)?;
        let files = inputs.files(request, flags, &rows, &report, &renderer).map_err(|error| error.diagnostic())?;
        let mut made = request.made(files, renderer);
        if let Some(path) = &flags.report {
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or("report.json");
            let dir = path.parent().filter(|dir| !dir.as_os_str().is_empty()).unwrap_or(Path::new("."));
            made.installs.push((REPORT, dir.to_owned()));
            made.files.push(OutputFile::new(REPORT, name, json(&report)));
        }
        Ok(made)
    }

    fn explain(what: &str, request: &Request, session: &mut Session) -> Result<String, JobError> {
        let flags = Flags::standard();
        let inputs = Inputs::read(request, &flags, session)?;
        let rows = inputs.rows(&flags, session);
        session.check(false)?;
        let found: Vec<&Row> = rows
            .iter()
            .filter(|row| row.operator.full_name() == what || (!what.contains('.') && row.operator.name() == what))
            .collect();
        if found.is_empty() {
            let names: Vec<String> = rows.iter().map(|row| row.operator.full_name()).collect();
            let diagnostic = Diagnostic::new(&shared::USAGE, format!("there is no operator `{what}`"));
            return Err(diagnostic.maybe_help(did_you_mean(what, names.iter().map(String::as_str))).into());
        }
        #[derive(Serialize)]
        struct Explained<'a> {
            entries: Vec<Explanation<'a>>,
        }
        let renderer = request.renderer(session)?;
        let entries = found.into_iter().map(|row| Explanation::of(row)).collect();
        let text = renderer.fragment("wrappers/explain.j2", &Explained { entries });
        text.map_err(|error| error.diagnostic().into())
    }
}

/// What `explain` shows about an operator.
#[derive(Serialize)]
struct Explanation<'a> {
    #[serde(flatten)]
    row: report::ReportRow,
    call: &'a str,
    arguments: Vec<view::ClassView>,
    shape: &'a str,
    conditions: &'a [String],
    lossy: &'a [String],
}

impl<'a> Explanation<'a> {
    fn of(row: &'a Row) -> Explanation<'a> {
        let wrapped = if let Decision::Made(Code::Call(wrapped)) = &row.decision { Some(wrapped) } else { None };
        let class =
            |(name, class): &(String, functions::Class)| view::ClassView { name: name.clone(), class: class.as_str() };
        Explanation {
            row: report::row(row),
            call: wrapped.map_or("", |wrapped| wrapped.function.as_str()),
            arguments: wrapped.map_or(Vec::new(), |wrapped| wrapped.classes.iter().map(class).collect()),
            shape: wrapped.map_or("", |wrapped| wrapped.shape.as_str()),
            conditions: wrapped.map_or(&[], |wrapped| &wrapped.conditions),
            lossy: wrapped.map_or(&[], |wrapped| &wrapped.lossy),
        }
    }
}

impl Flags {
    fn standard() -> Flags {
        Flags {
            native_functions: None,
            torch_path: None,
            declarations: None,
            registration: None,
            body: None,
            on_missing: OnMissing::Skip,
            pack: Pack::Graph,
            required_only: false,
            coverage_min: 0,
            all: false,
            report: None,
            mock: false,
        }
    }
}

impl Names {
    fn of(record: &BackendRecord, session: &mut Session) -> Names {
        let namespace = record.namespace.as_ref().unwrap_or(&record.name);
        for text in [Some(&record.name), Some(namespace), record.api.as_ref(), record.dispatch_key.as_ref()]
            .into_iter()
            .flatten()
        {
            if !is_qualified_identifier(text.as_str()) {
                let message = format!("`{text}` is not a C++ name");
                session.diagnostics.push(Diagnostic::new(&codes::WRAPPER_KEY, message).at(text.span()));
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
    fn read(request: &Request, flags: &Flags, session: &mut Session) -> Result<Inputs, JobError> {
        let mut records = read_records(request, session)?;
        if let [first, second, ..] = records.as_slice() {
            let diagnostic = Diagnostic::new(&codes::WRAPPER_KEY, "a run is for one backend, and this is the second");
            session.diagnostics.push(diagnostic.at(second.place).also(first.place, "the first is here"));
        }
        session.check(false)?;
        let Some(record) = records.pop() else { return Err(JobError::Input) };
        let names = Names::of(&record, session);
        let functions = functions::read(&record.functions, &mut session.diagnostics);
        if flags.mock {
            for function in functions.iter().filter(|function| function.cpu.is_none()) {
                let message = format!("`{}` needs the key `cpu` for --mock", function.name);
                let diagnostic = Diagnostic::new(&codes::WRAPPER_FUNCTION, message).at(function.text.span());
                session.diagnostics.push(diagnostic.help("write a C++ expression, such as `cpu: at::add(x, y)`"));
            }
        }
        let body = match (&flags.body, &record.body) {
            (Some(path), _) => body::read(path, session)?,
            (None, Some(text)) => body::read(&beside(&record.path, text), session)?,
            (None, None) => None,
        };
        session.check(false)?;
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

    /// The error that too few operators have code.
    fn covers(&self, flags: &Flags, report: &Report) -> Option<Diagnostic> {
        let demanded = self.record.coverage_min.map_or(0, |(count, _)| count).max(flags.coverage_min);
        if report.generated >= demanded {
            return None;
        }
        let message = format!("{} operators have code, and the run demands {demanded}", report.generated);
        let diagnostic =
            Diagnostic::new(&codes::COVERAGE, message).help("skip_report.md of an earlier run lists the others");
        Some(match self.record.coverage_min {
            Some((count, span)) if count == demanded => diagnostic.at(span),
            _ => diagnostic,
        })
    }

    fn view(&self, flags: &Flags, rows: &[Row]) -> FileView {
        let Names { name, namespace, api, dispatch_key } = &self.names;
        let wrappers: Vec<_> = rows.iter().filter_map(|row| view::wrapper(name, row)).collect();
        let registrations = view::registrations(name, rows);
        let mut includes: Vec<String> = self.record.include.iter().map(Text::to_string).collect();
        if flags.mock {
            includes = vec!["mock_backend.h".to_owned()];
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
        let shared = crate::render::View::new(&view);
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
        files.push(request.file("skip_report.md", renderer.fragment("wrappers/skip_report.md.j2", report)?));
        files.push(request.file("skip_report.json", json(report)));
        Ok(files)
    }
}

fn json(report: &Report) -> String {
    let mut text = serde_json::to_string_pretty(report).unwrap_or_default();
    text.push('\n');
    text
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

/// The backends of the sources.
fn read_records(request: &Request, session: &mut Session) -> Result<Vec<BackendRecord>, JobError> {
    let documents = request.documents(Wrappers::NAME, session)?;
    Ok(documents.into_iter().filter_map(|document| records::read(document, &mut session.diagnostics)).collect())
}

/// The files of a backend whose inputs are those of the original generator, if it is one.
fn from_legacy(request: &Request, flags: &Flags, session: &mut Session) -> Result<Option<GeneratedFiles>, JobError> {
    #[derive(Serialize)]
    struct LegacyView<'a> {
        name: &'a str,
        head: &'a str,
        before: &'a str,
        after: &'a str,
        functions: &'a [String],
    }
    let head = session.diagnostics.clone();
    let mut records = read_records(request, session)?;
    let Some(record) = records.pop().filter(|record| record.legacy.is_some() && records.is_empty()) else {
        // The usual path reads them again.
        session.diagnostics = head;
        return Ok(None);
    };
    session.check(false)?;
    let Some(legacy) = &record.legacy else { return Ok(None) };
    let body = match (&flags.body, &record.body) {
        (Some(path), _) => path.clone(),
        (None, Some(text)) => beside(&record.path, text),
        (None, None) => {
            let diagnostic = Diagnostic::new(&codes::WRAPPER_KEY, "the original templates need a `body`");
            session.diagnostics.push(diagnostic.at(record.place).help("name the C++ file with the insertion line"));
            return Err(JobError::Input);
        }
    };
    let made = super::legacy::run(legacy, &record.path, &body, session)?;
    session.check(request.common.strict)?;
    let renderer = request.renderer(session)?;
    let name = record.name.as_str();
    let Body { head, before, after, .. } = &made.body;
    let view = LegacyView { name, head, before, after, functions: &made.functions };
    let cpp = renderer.fragment("wrappers/legacy.cpp.j2", &view)?;
    let yaml = serde_yaml::to_string(&made.declarations).unwrap_or_default();
    let files =
        vec![request.file(format!("{name}_torch_ops.cpp"), cpp), request.file("GeneratedDeclarations.yaml", yaml)];
    Ok(Some(request.made(files, renderer)))
}
