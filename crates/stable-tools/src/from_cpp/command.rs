//! The command `from-cpp`.

use std::path::{Path, PathBuf};

use serde::Serialize;

use super::accepted::accepted;
use super::entries::{Account, Comment, Entry, account, comments, place};
use super::operators::{Left, LeftCall, operators};
use torchgen_base::diag::{Diagnostic, did_you_mean, plural};
use torchgen_base::render::Renderer;
use torchgen_base::write::{Manager, spare_inputs};
use torchgen_generators::args::FromCppArgs;
use torchgen_generators::info;
use torchgen_kit::driver::family::GeneratorInfo;
use torchgen_kit::driver::output;
use torchgen_kit::driver::report::Summary;
use torchgen_kit::driver::templates::files_below;
use torchgen_kit::driver::{JobError, Session};
use torchgen_library::library::kernels::is_source;
use torchgen_model::codes;

/// Where the YAML goes. In no list of outputs.
const MANAGER: Manager = Manager::new("from-cpp", None);

/// What `torchgen-rs list` prints.
#[rustfmt::skip]
pub const GENERATOR_INFO: GeneratorInfo = info!("from-cpp", "stable", "a native_functions.yaml of registrations in C++", &["FILE"]);

/// The whole file.
#[derive(Serialize)]
struct Library {
    entries: Vec<Entry>,
    left: Vec<Comment>,
    /// Of the whole file.
    account: Option<Account>,
}

/// The template of the YAML.
const TEMPLATE: &str = "torch/stable/from_cpp.yaml.j2";

/// Runs the job.
///
/// # Errors
/// A source cannot be read, there is no operator, or the output is one of the sources. What cannot
/// be read in a source is a warning.
pub fn convert(args: &FromCppArgs, session: &mut Session) -> Result<Summary, JobError> {
    let paths = sources_of(&args.sources, &args.exclude, is_source, session)?;
    if let Some(output) = &args.output {
        spare_inputs(output, &paths).map_err(|error| Diagnostic::from(&error))?;
    }
    let mut found = operators(&paths, args.namespace.as_deref(), &args.define, session)?;
    for (name, kernel) in &found.undeclared {
        let message = format!("no `def` in these files declares `{name}`");
        let help = did_you_mean(name, found.operators.iter().map(|operator| operator.name.as_str()));
        session.diagnostics.push(Diagnostic::new(&codes::CPP_KERNEL, message).at(kernel.place).maybe_help(help));
    }
    if found.blocks == 0 && found.left.is_empty() {
        let message = "no source has a block of `TORCH_LIBRARY` or `STABLE_TORCH_LIBRARY`";
        let help = found.modules.first().map(|call| {
            let module = place(call.place, &session.sources);
            format!("`torchgen-rs adopt` makes operators of the Python module at {module}: it reads `PYBIND11_MODULE`")
        });
        session.diagnostics.push(Diagnostic::new(&codes::CPP_NOTHING, message).maybe_help(help));
    } else if found.operators.is_empty() && found.left.is_empty() {
        let message = "the blocks of these sources declare no operators";
        let help = "`from-cpp` reads the schemas of `def`: name the sources that have them too";
        session.diagnostics.push(Diagnostic::new(&codes::CPP_NOTHING, message).help(help));
    }
    session.fail_on_errors(args.common.strict)?;
    let renderer = session.renderer("torch", &args.common.template_dir)?;
    let mut entries = Vec::new();
    let mut further = Vec::new();
    for operator in &found.operators {
        let mut entry = Entry::new(operator, None, &mut found.conditions, &session.sources);
        let mut reason = refusal(&entry, &renderer, session)?;
        if let Some(of_kernels) = &reason {
            entry = Entry::new(operator, Some(of_kernels), &mut found.conditions, &session.sources);
            reason = refusal(&entry, &renderer, session)?;
        }
        match reason {
            None => entries.push(entry),
            Some(reason) => {
                let place = operator.place();
                let message = format!("`{}` cannot be an entry: {reason}", operator.name);
                session.diagnostics.push(Diagnostic::new(&codes::CPP_SCHEMA, message.as_str()).at(place));
                further.push(Left { place, reason: message, other: None, what: LeftCall::Operator });
            }
        }
    }
    session.fail_on_errors(args.common.strict)?;
    let account = Some(account(&found, &entries, &further));
    let left = comments(&found, &further, &session.sources);
    let library = Library { entries, left, account };
    let count = plural(library.entries.len(), "operator");
    let text = renderer.fragment(TEMPLATE, &library)?;
    output::write_or_print(&args.common, MANAGER, args.output.as_deref(), text, count, renderer, session)
}

/// Why `check` refuses an entry.
fn refusal(entry: &Entry, renderer: &Renderer, session: &Session) -> Result<Option<String>, JobError> {
    let alone = Library { entries: vec![entry.clone()], left: Vec::new(), account: None };
    Ok(accepted(&renderer.fragment(TEMPLATE, &alone)?, &session.tables).err())
}

/// The files that are given, and the sources below the directories, without what is excluded.
pub(crate) fn sources_of(
    given: &[PathBuf],
    exclude: &[PathBuf],
    is_source: impl Fn(&Path) -> bool,
    session: &mut Session,
) -> Result<Vec<PathBuf>, JobError> {
    let mut files = Vec::new();
    for path in given {
        if session.seen.is_dir(path) {
            let below = files_below(path, &mut session.seen)?.into_iter().map(|(_, path)| path);
            files.extend(below.filter(|path| is_source(path)));
        } else {
            files.push(path.clone());
        }
    }
    let excluded: Vec<PathBuf> = exclude.iter().map(|path| session.seen.identity(path)).collect();
    if !excluded.is_empty() {
        files.retain(|file| {
            let identity = session.seen.identity(file);
            !excluded.iter().any(|path| identity.starts_with(path))
        });
    }
    Ok(files)
}
