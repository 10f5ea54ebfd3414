//! Reads input files into the session, and parses native_functions.yaml and tags.yaml.
//!
//! Invariant: every file that is read is in `Session::inputs` and seen through `Session::seen`. The
//! jobs know the files of a layout.

pub mod allow;
pub mod derivatives;
mod hooks;
mod rest;
pub(crate) mod selection;
pub mod stock;
mod stock_entries;

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub use derivatives::{
    derivative_records, look_at_derivatives, read_deprecated, read_derivatives, read_manual, read_manual_text,
};
pub use hooks::apply_hooks;
pub use selection::{report_unmatched, selector, selector_from_yaml};
use stock::Stock;
pub use stock::headers_below_mention;
use stock_entries::{with_defaults, with_stock};

use rayon::iter::{IndexedParallelIterator, ParallelIterator};
use rayon::slice::ParallelSlice;

use torchgen_base::diag::Diagnostics;
use torchgen_base::yaml;
use torchgen_base::yaml::fields::KeyTable;
use torchgen_kit::driver::{JobError, Session};
use torchgen_model::group;
use torchgen_model::model::Target;
use torchgen_model::model::{BackendIndices, BackendMetadata, DispatchKey, NativeFunction};
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

/// What files with operators have, one after the other.
#[derive(Default)]
pub struct Entries {
    /// The operators with their kernels.
    pub entries: Vec<Entry>,
    /// Operators of a library that are registered by their schemas alone.
    pub schema_only: Vec<SchemaOnly>,
    /// The names of operators whose entries have errors.
    pub unread: BTreeSet<String>,
}

/// The records of a file.
struct FileRecords {
    records: Vec<NativeFunctionRecord>,
    /// All names of operators in a file that the YAML parser could not read completely.
    named: Option<Vec<String>>,
}

/// PyTorch's files that were read, by path: `generate` and `autograd` may be parts of one run. It
/// only saves time, since a file is the same during a run.
#[derive(Default)]
struct KnownFiles(HashMap<PathBuf, Arc<FileRecords>>);

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
    let read = read_entries(session, path, EntryOptions { target, valid_tags, ignore_keys })?;
    Ok(Operators::new(read.entries, &read.unread, target, &mut session.diagnostics))
}

/// The operators of a text in PyTorch's layout that is part of the program.
///
/// # Errors
/// The text has no tree, which a test of each text rules out.
pub fn read_built_in(
    session: &mut Session,
    name: &str,
    text: String,
    options: EntryOptions,
) -> Result<Operators, JobError> {
    let read = read_text(session, name, text, options)?;
    Ok(Operators::new(read.entries, &read.unread, options.target, &mut session.diagnostics))
}

/// The entries of a text in PyTorch's layout, one by one, under the name that diagnostics show.
///
/// # Errors
/// The text has no tree, which is a diagnostic.
pub fn read_text(session: &mut Session, name: &str, text: String, options: EntryOptions) -> Result<Entries, JobError> {
    let file = session.sources.add(name, text);
    let root = yaml::parse(&session.sources, file, yaml::Options::OPERATORS, &mut session.diagnostics);
    let root = root.ok_or(JobError::Input)?;
    let records = records::read_native_functions(root, &native::ATEN_KEYS, &mut session.diagnostics);
    let mut read = Entries::default();
    read.parse(&records, options, session);
    Ok(read)
}

/// The entries of a native_functions.yaml in PyTorch's layout, one by one.
///
/// # Errors
/// As [`Session::read_yaml`]; errors in the file are diagnostics.
pub fn read_entries(session: &mut Session, path: &Path, options: EntryOptions) -> Result<Entries, JobError> {
    let identity = session.seen.identity(path);
    let known = session.state::<KnownFiles>().0.get(&identity).map(Arc::clone);
    let file = match known {
        Some(file) => file,
        None => {
            let file = Arc::new(read_records(session, path, yaml::Options::OPERATORS, &native::ATEN_KEYS)?);
            session.state::<KnownFiles>().0.insert(identity, Arc::clone(&file));
            file
        }
    };
    let mut read = Entries::default();
    read.lose(&file);
    read.parse(&file.records, options, session);
    Ok(read)
}

/// The entries of the files of a library, one by one. `defaults` are the values of keys that they
/// do not have. Those for PyTorch's operators are compared with `stock`.
///
/// # Errors
/// As [`Session::read_yaml`], and those of [`Stock::operators`]; errors in the files are
/// diagnostics.
pub fn read_library_entries(
    session: &mut Session,
    files: &[PathBuf],
    options: EntryOptions,
    defaults: &DefaultsRecord,
    stock: &mut Stock,
) -> Result<Entries, JobError> {
    let mut read = Entries::default();
    for path in files {
        let mut file = read_records(session, path, yaml::Options::LIBRARY, &native::LIBRARY_KEYS)?;
        read.lose(&file);
        allow::allow(&file.records, &mut session.diagnostics);
        with_defaults(&mut file.records, defaults);
        with_stock(&mut file.records, stock, session)?;
        read.parse(&file.records, options, session);
    }
    Ok(read)
}

impl Entries {
    /// Adds the names of operators that the YAML parser skipped: they still exist.
    fn lose(&mut self, file: &FileRecords) {
        let Some(named) = &file.named else { return };
        self.unread.extend(named.iter().cloned());
        let read: BTreeSet<String> = file.records.iter().map(|record| operator_name(&record.func)).collect();
        self.unread.retain(|name| !read.contains(name));
    }

    /// Adds the entries of a file.
    fn parse(&mut self, records: &[NativeFunctionRecord], options: EntryOptions, session: &mut Session) {
        session.timings.lap("yaml");
        // Each chunk has a collector of its own; together they are in the order of the file.
        let parse = |records: &[NativeFunctionRecord]| {
            let (mut part, mut diagnostics) = (Entries::default(), Diagnostics::new());
            part.entries.reserve(records.len());
            for record in records {
                match schema_only(record, options, &mut diagnostics) {
                    Some(schema) => part.schema_only.push(schema),
                    None => match entry(record, options, &mut diagnostics) {
                        Some(entry) => part.entries.push(entry),
                        None => part.unread.extend([operator_name(&record.func)]),
                    },
                }
            }
            (part, diagnostics)
        };
        let parsed: Vec<(Entries, Diagnostics)> = match records.len() {
            // A few entries need no threads, which a caller may not have.
            0..=CHUNK => vec![parse(records)],
            _ => records.par_chunks(CHUNK).with_max_len(1).map(parse).collect(),
        };
        self.entries.reserve(records.len());
        for (part, diagnostics) in parsed {
            self.unread.extend(part.unread);
            self.entries.extend(part.entries);
            self.schema_only.extend(part.schema_only);
            session.diagnostics.extend(diagnostics);
        }
        session.timings.lap("parse");
    }
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

/// The records of a native_functions.yaml.
fn read_records(
    session: &mut Session,
    path: &Path,
    options: yaml::Options,
    keys: &'static KeyTable,
) -> Result<FileRecords, JobError> {
    let before = session.diagnostics.len();
    let root = read_kind(session, path, options, FileKind::NativeFunctions)?;
    let (file, complete) = (root.span.file, session.diagnostics.len() == before);
    let records = records::read_native_functions(root, keys, &mut session.diagnostics);
    let named = (!complete).then(|| session.sources.text(file).lines().filter_map(named_by_line).collect());
    Ok(FileRecords { records, named })
}

impl Operators {
    /// The operators of some entries together. In a library, the entries of one namespace. `unread`
    /// are the names of entries with errors.
    pub fn new(entries: Vec<Entry>, unread: &BTreeSet<String>, target: Target, diagnostics: &mut Diagnostics) -> Self {
        if entries.len() <= CHUNK || diagnostics.has_errors() {
            let mut operators = Operators::written(entries, unread, target, diagnostics);
            if !diagnostics.has_errors() {
                let Operators { functions, indices } = &mut operators;
                group::variants::add_generated(functions, indices, target, diagnostics);
            }
            return operators;
        }
        // Many operators are checked while their variants are made, which count without errors.
        let (functions, kernels) = apart(entries);
        let (mut found, mut about_variants) = (Diagnostics::new(), Diagnostics::new());
        let check = || {
            group::check_operators(&functions, unread, target, &mut found);
            indexed(&functions, kernels)
        };
        let make = || group::variants::generated(&functions, target, &mut about_variants);
        let (indices, variants) = rayon::join(check, make);
        let correct = !found.has_errors();
        diagnostics.extend(found);
        let mut operators = Operators { functions, indices };
        if correct {
            diagnostics.extend(about_variants);
            let Operators { functions, indices } = &mut operators;
            group::variants::add(variants, functions, indices, diagnostics);
        } else {
            operators.check_rest(unread, target, diagnostics);
        }
        operators
    }

    /// The same without the variants that are generated.
    pub fn written(
        entries: Vec<Entry>,
        unread: &BTreeSet<String>,
        target: Target,
        diagnostics: &mut Diagnostics,
    ) -> Self {
        let (functions, kernels) = apart(entries);
        let indices = indexed(&functions, kernels);
        group::check_operators(&functions, unread, target, diagnostics);
        let operators = Operators { functions, indices };
        // Groups of entries with errors would only cause more errors.
        if diagnostics.has_errors() {
            operators.check_rest(unread, target, diagnostics);
        }
        operators
    }
}

/// The kernels of an operator.
type Kernels = Vec<(DispatchKey, BackendMetadata)>;

/// The operators of entries, and the kernels of each.
fn apart(entries: Vec<Entry>) -> (Vec<NativeFunction>, Vec<Kernels>) {
    let (mut functions, mut kernels) = (Vec::with_capacity(entries.len()), Vec::with_capacity(entries.len()));
    for entry in entries {
        functions.push(entry.function);
        kernels.push(entry.kernels);
    }
    (functions, kernels)
}

/// Kernels by dispatch key.
fn indexed(functions: &[NativeFunction], kernels: Vec<Kernels>) -> BackendIndices {
    let mut indices = BackendIndices::default();
    for (f, kernels) in functions.iter().zip(kernels) {
        for (key, kernel) in kernels {
            // A second definition of an operator is reported by `group::check_operators`.
            indices.add(key, &f.func.name, kernel);
        }
    }
    indices
}

/// Frees what was read of PyTorch's files, on a thread of the run: nothing reads them again.
pub fn forget_files(session: &mut Session) {
    let known = std::mem::take(session.state::<KnownFiles>());
    rayon::spawn(move || drop(known));
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
