//! The command `from-cpp`.

use std::path::PathBuf;

use indexmap::IndexMap;
use serde::Serialize;

use super::entries::{Entries, Entry, Left, Located};
use super::scan::calls;
use torchgen_base::diag::{Diagnostic, Span, plural};
use torchgen_base::write::{Manager, spare_inputs};
use torchgen_generators::args::FromCppArgs;
use torchgen_generators::info;
use torchgen_kit::driver::family::GeneratorInfo;
use torchgen_kit::driver::output;
use torchgen_kit::driver::report::Summary;
use torchgen_kit::driver::templates::files_below;
use torchgen_kit::driver::{JobError, Session};
use torchgen_library::library::kernels::{LocatedDefinition, is_source, read};
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
    left: Vec<Left>,
}

/// Runs the job.
///
/// # Errors
/// A source cannot be read, a schema or namespace in it is wrong, there is no operator, or the
/// output is one of the sources. A `def` whose schema cannot be read is a warning.
pub fn convert(args: &FromCppArgs, session: &mut Session) -> Result<Summary, JobError> {
    let paths = sources_of(&args.sources, session)?;
    if let Some(output) = &args.output {
        spare_inputs(output, &paths).map_err(|error| Diagnostic::from(&error))?;
    }
    let Registered { found, left, blocks } = registered(&args.sources, args.namespace.as_deref(), session)?;
    if found.is_empty() && left.is_empty() && blocks > 0 && !session.diagnostics.has_errors() {
        let message = "the blocks of these sources declare no operators";
        let help = "`from-cpp` reads the schemas of `def`: name the sources that have them too";
        session.diagnostics.push(Diagnostic::new(&codes::CPP_NOTHING, message).help(help));
    }
    if blocks == 0 {
        let message = "no source has a block of `TORCH_LIBRARY` or `STABLE_TORCH_LIBRARY`";
        session.diagnostics.push(Diagnostic::new(&codes::CPP_NOTHING, message));
    }
    session.check(args.common.strict)?;
    let renderer = session.renderer("torch", &args.common.template_dir)?;
    let library = Library { entries: found.into_values().map(|(entry, _)| entry).collect(), left };
    let count = plural(library.entries.len(), "operator");
    let text = renderer.fragment("torch/stable/from_cpp.yaml.j2", &library)?;
    output::write_or_print(&args.common, MANAGER, args.output.as_deref(), text, count, renderer, session)
}

/// What sources register, by the names of the operators, with the place of each.
struct Registered {
    found: IndexMap<String, (Entry, Span)>,
    left: Vec<Left>,
    /// The number of blocks of `TORCH_LIBRARY`.
    blocks: usize,
}

/// Reads what sources register. What is not understood is a diagnostic.
fn registered(given: &[PathBuf], namespace: Option<&str>, session: &mut Session) -> Result<Registered, JobError> {
    let mut sources = Vec::new();
    let mut blocks = 0;
    let paths = sources_of(given, session)?;
    for path in session.distinct(&paths) {
        let file = session.read_source(path)?;
        let (found, count) = calls(session.sources.text(file));
        blocks += count;
        sources.push((file, found));
    }
    let tables = session.tables.clone();
    let definitions = read(given, session)?.definitions;
    let is_hidden = |one: &&LocatedDefinition| one.definition.is_private && !one.definition.is_template;
    let hidden = definitions.iter().filter(is_hidden);
    let hidden = hidden.map(|one| (session.sources.path(one.file).to_owned(), one.definition.name.clone())).collect();
    let defined: Vec<Located> = definitions.into_iter().map(|found| (found.definition.name, found.signature)).collect();
    let (found, left) = (IndexMap::new(), Vec::new());
    let path = String::new();
    let mut entries = Entries { namespace, tables: &tables, defined: &defined, hidden: &hidden, path, found, left };
    for (file, calls) in &sources {
        entries.path = session.sources.path(*file).to_owned();
        let texts = &session.sources;
        let place = |at| format!("{}:{}", texts.path(*file), texts.line_col(Span::new(*file, at, at)).0);
        entries.define(calls, *file, place, &mut session.diagnostics);
    }
    for (file, calls) in &sources {
        entries.path = session.sources.path(*file).to_owned();
        entries.implement(calls, *file, &mut session.diagnostics);
    }
    let Entries { found, left, .. } = entries;
    Ok(Registered { found, left, blocks })
}

/// What sources register, for tools that do not name kernels.
pub(crate) struct Found {
    pub(crate) operators: Vec<FoundOperator>,
    /// `def`s that cannot be read.
    pub(crate) left: Vec<Left>,
    /// Kernels that are not understood.
    pub(crate) unread: Vec<Left>,
}

/// An operator that a source declares.
pub(crate) struct FoundOperator {
    /// The name with the namespace and the overload.
    pub(crate) name: String,
    /// The schema with the namespace.
    pub(crate) schema: String,
    /// Where it is declared, as `FILE:LINE`.
    pub(crate) place: String,
    pub(crate) span: Span,
    /// The keys that it has kernels for.
    pub(crate) keys: Vec<String>,
    /// Only some builds have it, and those if `when:` can say so.
    pub(crate) is_conditional: bool,
    pub(crate) when: Option<String>,
}

/// Reads what sources register.
///
/// # Errors
/// A source cannot be read.
pub(crate) fn found(sources: &[PathBuf], namespace: Option<&str>, session: &mut Session) -> Result<Found, JobError> {
    let Registered { found, left, .. } = registered(sources, namespace, session)?;
    let place = |span: Span| format!("{}:{}", session.sources.path(span.file), session.sources.line_col(span).0);
    let operators = found.into_iter().map(|(name, (entry, span))| FoundOperator {
        name,
        place: place(span),
        span,
        is_conditional: !entry.conditions.is_empty(),
        schema: entry.schema,
        keys: entry.keys,
        when: entry.when,
    });
    let kernels = session.diagnostics.iter().filter(|found| *found.code == codes::CPP_KERNEL);
    let unread = kernels.filter_map(|kernel| {
        let place = place(kernel.primary.as_ref()?.span);
        Some(Left { place, reason: kernel.message.clone() })
    });
    Ok(Found { operators: operators.collect(), left, unread: unread.collect() })
}

/// The files that are given, and the C++ files below the directories.
fn sources_of(given: &[PathBuf], session: &mut Session) -> Result<Vec<PathBuf>, JobError> {
    let mut files = Vec::new();
    for path in given {
        if session.seen.is_dir(path) {
            let below = files_below(path, &mut session.seen)?.into_iter().map(|(_, path)| path);
            files.extend(below.filter(|path| is_source(path)));
        } else {
            files.push(path.clone());
        }
    }
    Ok(files)
}
