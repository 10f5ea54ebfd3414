//! Reads input files into the session, and parses native_functions.yaml and tags.yaml.
//!
//! Invariant: every file that is read is in `Session::inputs` and seen through `Session::seen`. The
//! jobs know the files of a layout.

pub mod allow;
pub mod derivatives;
mod hooks;
pub(crate) mod native_aot;
mod rest;
pub(crate) mod selection;
pub mod stock;
mod stock_entries;

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub use derivatives::{derivative_records, look_at_derivatives, read_deprecated, read_derivatives, read_manual};
pub use hooks::apply_hooks;
pub use native_aot::read_native_aot;
pub use selection::{report_unmatched, selector, selector_from_yaml};
pub use stock::{headers_below_mention, headers_declare, headers_declare_scope, headers_mention, stock_operators};
use stock_entries::with_defaults;
pub(crate) use stock_entries::with_stock;

use rayon::iter::ParallelIterator;
use rayon::slice::ParallelSlice;

use torchgen_base::diag::Diagnostics;
use torchgen_base::yaml;
use torchgen_kit::driver::{JobError, Session};
use torchgen_model::group;
use torchgen_model::model::{BackendIndices, DispatchKey, NativeFunction};
use torchgen_model::model::{Language, Target};
use torchgen_model::parse::entry::{Entry, EntryOptions, SchemaOnly, entry, schema_only};
use torchgen_model::records;
pub use torchgen_model::records::vocabulary::standard_tags;
use torchgen_model::records::{DefaultsRecord, FileKind, NativeFunctionRecord, is_other_kind, native};

/// Entries are parsed in parallel, in batches of this size.
const CHUNK: usize = 128;

/// The operators of a source path, generated variants included, and their kernels.
pub struct Operators {
    /// Those of the YAML first, then the generated ones.
    pub functions: Vec<NativeFunction>,
    /// Kernels by dispatch key.
    pub indices: BackendIndices,
}

/// What reading operators leaves for the rest of a run.
#[derive(Default)]
pub struct OperatorState {
    /// Operators of a library that are registered by their schemas alone.
    pub schema_only: Vec<SchemaOnly>,
    /// The names of operators whose entries have errors.
    pub unread: BTreeSet<String>,
    /// The values of keys that a library's entries do not have.
    pub defaults: DefaultsRecord,
    /// The records of operator files that were read, by path.
    records: HashMap<PathBuf, Arc<Vec<NativeFunctionRecord>>>,
}

/// The tags of a tags.yaml.
///
/// # Errors
/// As [`Session::read_yaml`]; errors in the file are diagnostics.
pub fn read_tags(session: &mut Session, path: &Path) -> Result<BTreeSet<String>, JobError> {
    let before = session.diagnostics.len();
    let root = read_kind(session, path, yaml::Options::OPERATORS, FileKind::Tags)?;
    let mut found = Diagnostics::new();
    let records = records::read_tags(root, &mut found);
    let complete = session.diagnostics.len() == before && !found.has_errors();
    let mut tags: BTreeSet<String> = records.into_iter().map(|record| record.tag.into_string()).collect();
    if !complete {
        // Every use of a lost tag would be an error too; libtorch's tags probably include them.
        tags.extend(standard_tags(&session.tables));
    }
    session.diagnostics.extend(found);
    Ok(tags)
}

/// The operators of a native_functions.yaml in PyTorch's layout.
///
/// # Errors
/// As [`Session::read_yaml`]; errors in the file are diagnostics.
pub fn read_operators(
    session: &mut Session,
    path: &Path,
    valid_tags: &BTreeSet<String>,
    ignore_keys: &BTreeSet<DispatchKey>,
) -> Result<Operators, JobError> {
    let tables = session.tables.clone();
    let target = Target::pytorch(&tables);
    let entries = read_entries(session, path, target, valid_tags, ignore_keys)?;
    Ok(operators_of(session, entries, target))
}

/// The operators of entries that were read before. Errors are diagnostics.
pub fn operators_of(session: &mut Session, entries: Vec<Entry>, target: Target) -> Operators {
    let unread = session.state::<OperatorState>().unread.clone();
    Operators::new(entries, &unread, target, &mut session.diagnostics)
}

/// The entries of a native_functions.yaml, one by one.
///
/// # Errors
/// As [`Session::read_yaml`]; errors in the file are diagnostics.
pub fn read_entries(
    session: &mut Session,
    path: &Path,
    target: Target,
    valid_tags: &BTreeSet<String>,
    ignore_keys: &BTreeSet<DispatchKey>,
) -> Result<Vec<Entry>, JobError> {
    let records = read_records(session, path, target)?;
    let records = match target.language {
        Language::Torchgen => records,
        Language::C10 => {
            allow::allow(&records, &mut session.diagnostics);
            let records = with_defaults(session, records);
            with_stock(session, records)?
        }
    };
    let options = EntryOptions { target, valid_tags, ignore_keys };
    session.timings.lap("yaml");
    // Each chunk has a collector of its own; together they are in the order of the file.
    let parse = |records: &[NativeFunctionRecord]| {
        let (mut entries, mut schemas, mut diagnostics) = (Vec::new(), Vec::new(), Diagnostics::new());
        let mut unread = Vec::new();
        for record in records {
            match schema_only(record, options, &mut diagnostics) {
                Some(schema) => schemas.push(schema),
                None => match entry(record, options, &mut diagnostics) {
                    Some(entry) => entries.push(entry),
                    None => unread.push(operator_name(&record.func)),
                },
            }
        }
        (entries, schemas, unread, diagnostics)
    };
    let parsed: Vec<(Vec<Entry>, Vec<_>, Vec<_>, Diagnostics)> = records.par_chunks(CHUNK).map(parse).collect();
    let mut entries = Vec::with_capacity(records.len());
    for (parsed, schemas, unread, diagnostics) in parsed {
        session.state::<OperatorState>().unread.extend(unread);
        entries.extend(parsed);
        session.state::<OperatorState>().schema_only.extend(schemas);
        session.diagnostics.extend(diagnostics);
    }
    session.timings.lap("parse");
    Ok(entries)
}

/// Reads a YAML file of a kind. A file that is certainly of another kind gets only that error.
///
/// # Errors
/// As [`Session::read_yaml`], or it is of another kind.
pub fn read_kind(
    session: &mut Session,
    path: &Path,
    options: yaml::Options,
    kind: FileKind,
) -> Result<yaml::Node, JobError> {
    let root = session.read_yaml(path, options)?;
    if is_other_kind(&root, kind, &mut session.diagnostics) { Err(JobError::Input) } else { Ok(root) }
}

/// The records of a native_functions.yaml. A file is read once, however many jobs of a run need
/// it.
fn read_records(
    session: &mut Session,
    path: &Path,
    target: Target,
) -> Result<Arc<Vec<NativeFunctionRecord>>, JobError> {
    let identity = session.seen.identity(path);
    if let Some(records) = session.state::<OperatorState>().records.get(&identity) {
        return Ok(Arc::clone(records));
    }
    let (options, keys) = match target.language {
        Language::Torchgen => (yaml::Options::OPERATORS, &native::ATEN_KEYS),
        Language::C10 => (yaml::Options::LIBRARY, &native::LIBRARY_KEYS),
    };
    let before = session.diagnostics.len();
    let root = read_kind(session, path, options, FileKind::NativeFunctions)?;
    let (file, complete) = (root.span.file, session.diagnostics.len() == before);
    let records = Arc::new(records::read_native_functions(root, keys, &mut session.diagnostics));
    if !complete {
        // Operators that the parser skipped still exist.
        let lost: Vec<String> = session.sources.text(file).lines().filter_map(named_by_line).collect();
        session.state::<OperatorState>().unread.extend(lost);
        let read: Vec<String> = records.iter().map(|record| operator_name(&record.func)).collect();
        let unread = &mut session.state::<OperatorState>().unread;
        unread.retain(|name| !read.contains(name));
    }
    session.state::<OperatorState>().records.insert(identity, Arc::clone(&records));
    Ok(records)
}

impl Operators {
    /// The operators of some entries together. In a library, the entries of one namespace. `unread`
    /// are the names of entries with errors.
    pub fn new(entries: Vec<Entry>, unread: &BTreeSet<String>, target: Target, diagnostics: &mut Diagnostics) -> Self {
        let mut functions = Vec::with_capacity(entries.len());
        let mut indices = BackendIndices::default();
        for entry in entries {
            for (key, kernel) in entry.kernels {
                // A second definition of an operator is reported by `group::check`.
                indices.add(key, &entry.function.func.name, kernel);
            }
            functions.push(entry.function);
        }
        group::check(&functions, unread, target, diagnostics);
        // Groups of entries with errors would only cause more errors.
        if diagnostics.has_errors() {
            let operators = Operators { functions, indices };
            operators.check_rest(unread, target, diagnostics);
            return operators;
        }
        group::variants::add_generated(&mut functions, &mut indices, target, diagnostics);
        Operators { functions, indices }
    }
}

/// The operator whose entry begins in a line of the file, if there is one.
fn named_by_line(line: &str) -> Option<String> {
    let line = line.trim_start();
    let schema = line.strip_prefix('-').unwrap_or(line).trim_start().strip_prefix("func:")?.trim_start();
    let name = operator_name(schema.trim_start_matches(['"', '\'']));
    (!name.is_empty()).then_some(name)
}

/// The name in a schema that may have errors after it, without its namespace.
fn operator_name(schema: &str) -> String {
    let name = schema.split('(').next().unwrap_or_default();
    name.rsplit("::").next().unwrap_or_default().trim().to_owned()
}
