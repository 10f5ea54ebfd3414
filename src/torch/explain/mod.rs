//! `torchgen-rs explain aten::add.Tensor`: shows what is known about an operator, and where it is
//! in the output.
//!
//! Invariant: this shows what generating from the same source path would do (in the ATen layout
//! with `--mps --xpu --mtia`, to include every kernel in the YAML); nothing is written. The format
//! is in `templates/torch/explain`.

mod facts;
mod places;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use torchgen_generators::inputs;
use torchgen_kit::driver::data::Tables;

use self::facts::{Explanation, KnownOperators};
use crate::torch::check;
use torchgen_api::autograd;
use torchgen_aten::aten::command as aten;
use torchgen_aten::autograd::Request;
use torchgen_base::diag::{Diagnostic, Diagnostics, did_you_mean, plural};
use torchgen_base::render::trace::Trace;
use torchgen_base::write::Plan;
use torchgen_generators::OutputKind;
use torchgen_generators::args::{ExplainFlags, everything_of};
use torchgen_generators::inputs::Operators;
use torchgen_generators::layout::{self, Layout};
use torchgen_kit::driver::args::CommonArgs;
use torchgen_kit::driver::family::Question;
use torchgen_kit::driver::report::Summary;
use torchgen_kit::driver::{JobError, Session};
use torchgen_library::library::settings::Settings;
use torchgen_library::run::{self as library, LibraryPaths, LibrarySource, Purpose};
use torchgen_model::codes;
use torchgen_model::group;
use torchgen_model::model::{NativeFunction, Target};
use torchgen_model::release;

/// The requested operators: those of one overload, or all overloads of a name.
#[derive(Clone, Copy)]
struct OperatorQuery<'a> {
    namespace: Option<&'a str>,
    name: &'a str,
    overload: Option<&'a str>,
}

impl<'a> OperatorQuery<'a> {
    fn new(text: &'a str) -> Self {
        let (namespace, rest) = match text.rsplit_once("::") {
            Some((namespace, rest)) => (Some(namespace), rest),
            None => (None, text),
        };
        let (name, overload) = match rest.split_once('.') {
            Some((name, overload)) => (name, Some(overload)),
            None => (rest, None),
        };
        // The name of the overload without a name in torch.ops.
        OperatorQuery { namespace, name, overload: overload.map(|text| if text == "default" { "" } else { text }) }
    }

    fn is(&self, f: &NativeFunction) -> bool {
        self.namespace.is_none_or(|namespace| f.namespace == namespace)
            && f.func.name.name.to_string() == self.name
            && self.overload.is_none_or(|overload| f.func.name.overload_name == overload)
    }
}

/// The input of a run.
struct Input<'r> {
    source_path: PathBuf,
    target: Target<'r>,
    operators: Source,
    /// Where the derivatives are, if there are any.
    autograd_dir: Option<PathBuf>,
}

/// The operators of an input.
enum Source {
    Aten(Operators),
    Library(Box<LibrarySource>, Settings),
}

impl Source {
    /// The operators of each namespace, or all of PyTorch's.
    fn all(&self) -> Vec<&Operators> {
        match self {
            Source::Aten(operators) => vec![operators],
            Source::Library(source, _) => source.libraries.iter().map(|(_, operators)| operators).collect(),
        }
    }
}

impl<'r> Input<'r> {
    fn read(
        source_path: PathBuf,
        layout: Layout,
        flags: &ExplainFlags,
        tables: &'r Tables,
        session: &mut Session,
    ) -> Result<Input<'r>, JobError> {
        let (target, operators, autograd_dir) = match layout {
            Layout::Aten => {
                let native = source_path.join("native");
                let tags = inputs::read_tags(session, &native.join("tags.yaml"))?;
                let operators =
                    inputs::read_operators(session, &native.join("native_functions.yaml"), &tags, &BTreeSet::new())?;
                let dir = check::autograd_dir(&source_path, flags.autograd_dir.as_deref(), session)?;
                (Target::pytorch(tables), Source::Aten(operators), dir)
            }
            Layout::Library => {
                let paths = LibraryPaths::new(std::slice::from_ref(&source_path), session);
                let (source, yaml) = LibrarySource::with_yaml(paths, None, session)?;
                let has_derivatives = session.is_given(&source_path.join("derivatives.yaml"))?;
                let settings = yaml.settings((None, None), session)?;
                let operators = Source::Library(Box::new(source), settings);
                (Target::library(tables), operators, has_derivatives.then(|| source_path.clone()))
            }
        };
        Ok(Input { source_path, target, operators, autograd_dir })
    }
}

/// Prints what is known about an operator.
pub(super) fn explain(
    question: &Question<'_>,
    flags: &ExplainFlags,
    common: &CommonArgs,
    session: &mut Session,
) -> Result<Summary, JobError> {
    let Question { what, source, json } = *question;
    session.checks_only = true;
    let source_path = source.unwrap_or(Path::new(".")).to_owned();
    let layout = layout::find(std::slice::from_ref(&source_path), flags.layout, session)?;
    match layout {
        Layout::Aten => release::settle(session, &source_path, flags.release.torch)?,
        Layout::Library => flags.release.not_for_a_library(&source_path)?,
    }
    let tables = session.tables.clone();
    let input = Input::read(source_path, layout, flags, &tables, session)?;
    session.check_errors()?;
    let wanted = OperatorQuery::new(what);
    let all = input.operators.all();
    if !all.iter().any(|operators| operators.functions.iter().any(|f| wanted.is(f))) {
        return Err(unknown(what, &all).into());
    }
    let mut explanations = explanations(&wanted, &input, session)?;
    session.check_errors()?;
    let names: Vec<String> = explanations.iter().map(|explanation| explanation.name.clone()).collect();
    let trace = Arc::new(Trace::new(names.iter().cloned()));
    if let Some(plan) = outputs(input, common, Some(&trace), session)? {
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let found = places::find(&names, &trace, &plan);
        explanations.iter_mut().zip(found).for_each(|(explanation, found)| explanation.add(found));
    }
    session.trace = None;
    // Most warnings are about other operators; `check` reports all of them.
    session.diagnostics = Diagnostics::new();
    let renderer = session.renderer("torch", &common.template_dir)?;
    let mut shown = String::new();
    for explanation in &explanations {
        if json {
            shown.push_str(&serde_json::to_string(explanation).expect("strings and numbers always serialize"));
            shown.push('\n');
        } else {
            let text = renderer.fragment("torch/explain/operator.j2", explanation)?;
            shown.push_str(&text);
        }
    }
    session.host.print(&shown)?;
    let said = format!("explained {}", plural(explanations.len(), "operator"));
    Ok(Summary { said: Some(said), silent: !common.verbose, ..Summary::default() })
}

fn unknown(what: &str, libraries: &[&Operators]) -> Diagnostic {
    let functions = || libraries.iter().flat_map(|operators| &operators.functions);
    let error = Diagnostic::new(&codes::USAGE, format!("there is no operator `{what}`"));
    let wanted = OperatorQuery::new(what);
    let same = OperatorQuery { overload: None, ..wanted };
    let overloads: Vec<_> = functions().filter(|f| same.is(f)).map(|f| format!("`{}`", f.func.name)).collect();
    if !overloads.is_empty() {
        return error.help(format!("its overloads are {}", overloads.join(", ")));
    }
    let elsewhere = OperatorQuery { namespace: None, ..wanted };
    if let Some(f) = functions().find(|f| elsewhere.is(f)) {
        let tail = what.rsplit_once("::").map_or(what, |(_, tail)| tail);
        return error.help(format!("did you mean `{}::{tail}`?", f.namespace));
    }
    let name = |f: &NativeFunction| match wanted.namespace {
        Some(_) => f.full_name(),
        None => f.func.name.to_string(),
    };
    let mut names: BTreeSet<String> = functions().map(name).collect();
    if wanted.overload.is_none() {
        names.extend(names.clone().iter().filter_map(|name| name.split_once('.')).map(|(name, _)| name.to_owned()));
    }
    error.maybe_help(did_you_mean(what, names.iter().map(String::as_str)))
}

/// The facts, without the outputs.
fn explanations(wanted: &OperatorQuery, input: &Input, session: &mut Session) -> Result<Vec<Explanation>, JobError> {
    let Input { target, ref operators, ref autograd_dir, .. } = *input;
    let libraries = operators.all();
    let settings = match operators {
        Source::Aten(_) => None,
        Source::Library(_, settings) => Some(settings),
    };
    let autograd_dir = autograd_dir.as_deref();
    let view_groups: Vec<_> = libraries
        .iter()
        .map(|operators| group::view_groups(&operators.functions, target, &mut session.diagnostics))
        .collect();
    let all: Vec<&NativeFunction> = libraries.iter().flat_map(|operators| &operators.functions).collect();
    let groups: Vec<_> = view_groups.iter().flatten().collect();
    let manual = match (target.sees_exports_only, autograd_dir) {
        (true, Some(dir)) => inputs::read_manual(session, dir)?.unwrap_or_default(),
        _ => String::new(),
    };
    let known = autograd::Operators { functions: &all, view_groups: &groups, target, manual: &manual };
    let derivatives = match autograd_dir {
        Some(dir) => inputs::read_derivatives(session, &dir.join("derivatives.yaml"), known)?,
        None => Default::default(),
    };
    let mut explanations = Vec::new();
    for operators in libraries {
        let functions = &operators.functions;
        let matched = autograd::match_differentiability_info(functions, &derivatives, target, &mut session.diagnostics);
        let grouped = group::group(functions, target, &mut session.diagnostics);
        let known = KnownOperators {
            functions,
            indices: &operators.indices,
            grouped: &grouped,
            target,
            settings,
            sources: &session.sources,
        };
        for found in matched.functions.iter().filter(|found| wanted.is(found.func)) {
            explanations.push(facts::of(found, &known));
        }
    }
    Ok(explanations)
}

/// Everything that is generated, with autograd if its templates exist, and with marks if there is a
/// trace; `None` if there are no templates.
fn outputs(
    input: Input,
    common: &CommonArgs,
    trace: Option<&Arc<Trace>>,
    session: &mut Session,
) -> Result<Option<Plan>, JobError> {
    session.trace = trace.cloned();
    let Input { source_path, operators, autograd_dir, .. } = input;
    let autograd_dir = autograd_dir.as_deref();
    let mut args = everything_of(&[&source_path], common.clone())?;
    let made = match operators {
        Source::Library(source, settings) => {
            args.install_dir = PathBuf::new();
            library::make_from(*source, settings, (&args, Purpose::Library), session)?
        }
        Source::Aten(_) if !session.seen.is_dir(&source_path.join("templates")) => return Ok(None),
        Source::Aten(_) => {
            // Nothing is compared with existing files.
            args.update_aoti_c_shim = true;
            (args.mps, args.xpu, args.mtia) = (true, true, true);
            let mut made = aten::make(&args, session)?;
            if let Some(dir) = autograd_dir.filter(|dir| session.seen.is_dir(&dir.join("templates"))) {
                args.generate = Some(vec![OutputKind::Autograd, OutputKind::Python]);
                args.autograd_dir = Some(dir.to_owned());
                args.autograd_install_dir = Some("torch/csrc/autograd/generated".into());
                if let Some(request) = Request::beside_aten(&args)? {
                    let more = torchgen_aten::autograd::command::make(&request, session)?;
                    made.installs.extend(more.installs);
                    made.files.extend(more.files);
                }
            }
            made
        }
    };
    let mut plan = Plan::new();
    for (manager, dir) in made.installs {
        plan.install(manager, dir);
    }
    plan.add(made.files).map_err(|errors| JobError::Failed(errors.iter().map(Diagnostic::from).collect()))?;
    Ok(Some(plan))
}
