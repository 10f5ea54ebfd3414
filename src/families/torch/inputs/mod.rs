//! Reads input files into the session, and parses native_functions.yaml and tags.yaml.
//!
//! Invariant: every file that is read is in `Session::inputs` and seen through `Session::seen`. The
//! jobs know the files of a layout.

pub(crate) mod allow;
pub(crate) mod derivatives;
pub(crate) mod hooks;
pub(crate) mod native_aot;
mod rest;
pub(crate) mod selection;
pub(crate) mod stock;
mod stock_entries;

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rayon::iter::ParallelIterator;
use rayon::slice::ParallelSlice;

use crate::diag::Diagnostics;
use crate::driver::{JobError, Session};
use crate::families::torch::group;
use crate::families::torch::model::{BackendIndices, DispatchKey, NativeFunction};
use crate::families::torch::model::{Language, Target};
use crate::families::torch::parse::entry::{Entry, EntryOptions, SchemaOnly, entry, schema_only};
use crate::families::torch::records;
pub(crate) use crate::families::torch::records::vocabulary::standard_tags;
use crate::families::torch::records::{DefaultsRecord, FileKind, NativeFunctionRecord, is_other_kind, native};
use crate::yaml;

/// Entries are parsed in parallel, in batches of this size.
const CHUNK: usize = 128;

/// The operators of a source path, generated variants included, and their kernels.
pub(crate) struct Operators {
    /// Those of the YAML first, then the generated ones.
    pub functions: Vec<NativeFunction>,
    /// Kernels by dispatch key.
    pub indices: BackendIndices,
}

/// What reading operators leaves for the rest of a run.
#[derive(Default)]
pub(crate) struct OperatorState {
    /// Operators of a library that are registered by their schemas alone.
    pub(crate) schema_only: Vec<SchemaOnly>,
    /// The names of operators whose entries have errors.
    pub(crate) unread: BTreeSet<String>,
    /// The values of keys that a library's entries do not have.
    pub(crate) defaults: DefaultsRecord,
    /// The records of operator files that were read, by path.
    records: HashMap<PathBuf, Arc<Vec<NativeFunctionRecord>>>,
}

impl Session {
    /// The tags of a tags.yaml.
    ///
    /// # Errors
    /// As [`Session::read_yaml`]; errors in the file are diagnostics.
    pub(crate) fn read_tags(&mut self, path: &Path) -> Result<BTreeSet<String>, JobError> {
        let before = self.diagnostics.len();
        let root = self.read_kind(path, yaml::Options::OPERATORS, FileKind::Tags)?;
        let mut found = Diagnostics::new();
        let records = records::read_tags(root, &mut found);
        let complete = self.diagnostics.len() == before && !found.has_errors();
        let mut tags: BTreeSet<String> = records.into_iter().map(|record| record.tag.into_string()).collect();
        if !complete {
            // Every use of a lost tag would be an error too; libtorch's tags probably include them.
            tags.extend(standard_tags());
        }
        self.diagnostics.extend(found);
        Ok(tags)
    }

    /// The operators of a native_functions.yaml in PyTorch's layout.
    ///
    /// # Errors
    /// As [`Session::read_yaml`]; errors in the file are diagnostics.
    pub(crate) fn read_operators(
        &mut self,
        path: &Path,
        valid_tags: &BTreeSet<String>,
        ignore_keys: &BTreeSet<DispatchKey>,
    ) -> Result<Operators, JobError> {
        let entries = self.read_entries(path, Target::PYTORCH, valid_tags, ignore_keys)?;
        Ok(self.operators(entries, Target::PYTORCH))
    }

    /// The operators of entries that were read before. Errors are diagnostics.
    pub(crate) fn operators(&mut self, entries: Vec<Entry>, target: Target) -> Operators {
        let unread = self.state::<OperatorState>().unread.clone();
        Operators::new(entries, &unread, target, &mut self.diagnostics)
    }

    /// The entries of a native_functions.yaml, one by one.
    ///
    /// # Errors
    /// As [`Session::read_yaml`]; errors in the file are diagnostics.
    pub(crate) fn read_entries(
        &mut self,
        path: &Path,
        target: Target,
        valid_tags: &BTreeSet<String>,
        ignore_keys: &BTreeSet<DispatchKey>,
    ) -> Result<Vec<Entry>, JobError> {
        let records = self.read_records(path, target)?;
        let records = match target.language {
            Language::Torchgen => records,
            Language::C10 => {
                allow::allow(&records, &mut self.diagnostics);
                let records = self.with_defaults(records);
                self.with_stock(records)?
            }
        };
        let options = EntryOptions { target, valid_tags, ignore_keys };
        self.timings.lap("yaml");
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
            self.state::<OperatorState>().unread.extend(unread);
            entries.extend(parsed);
            self.state::<OperatorState>().schema_only.extend(schemas);
            self.diagnostics.extend(diagnostics);
        }
        self.timings.lap("parse");
        Ok(entries)
    }
}

impl Session {
    /// Reads a YAML file of a kind. A file that is certainly of another kind gets only that error.
    ///
    /// # Errors
    /// As [`Session::read_yaml`], or it is of another kind.
    pub(crate) fn read_kind(
        &mut self,
        path: &Path,
        options: yaml::Options,
        kind: FileKind,
    ) -> Result<yaml::Node, JobError> {
        let root = self.read_yaml(path, options)?;
        if is_other_kind(&root, kind, &mut self.diagnostics) { Err(JobError::Input) } else { Ok(root) }
    }

    /// The records of a native_functions.yaml. A file is read once, however many jobs of a run need
    /// it.
    fn read_records(&mut self, path: &Path, target: Target) -> Result<Arc<Vec<NativeFunctionRecord>>, JobError> {
        let identity = self.seen.identity(path);
        if let Some(records) = self.state::<OperatorState>().records.get(&identity) {
            return Ok(Arc::clone(records));
        }
        let (options, keys) = match target.language {
            Language::Torchgen => (yaml::Options::OPERATORS, &native::ATEN_KEYS),
            Language::C10 => (yaml::Options::LIBRARY, &native::LIBRARY_KEYS),
        };
        let before = self.diagnostics.len();
        let root = self.read_kind(path, options, FileKind::NativeFunctions)?;
        let (file, complete) = (root.span.file, self.diagnostics.len() == before);
        let records = Arc::new(records::read_native_functions(root, keys, &mut self.diagnostics));
        if !complete {
            // Operators that the parser skipped still exist.
            let lost: Vec<String> = self.sources.text(file).lines().filter_map(named_by_line).collect();
            self.state::<OperatorState>().unread.extend(lost);
            let read: Vec<String> = records.iter().map(|record| operator_name(&record.func)).collect();
            let unread = &mut self.state::<OperatorState>().unread;
            unread.retain(|name| !read.contains(name));
        }
        self.state::<OperatorState>().records.insert(identity, Arc::clone(&records));
        Ok(records)
    }
}

impl Operators {
    /// The operators of some entries together. In a library, the entries of one namespace. `unread`
    /// are the names of entries with errors.
    pub(crate) fn new(
        entries: Vec<Entry>,
        unread: &BTreeSet<String>,
        target: Target,
        diagnostics: &mut Diagnostics,
    ) -> Self {
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
