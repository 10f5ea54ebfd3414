//! The operators of a library, as its YAML declares them.
//!
//! Invariant: errors in single entries are diagnostics, and the other entries are read.

use std::collections::BTreeSet;
use std::path::Path;

use indexmap::IndexMap;

use super::paths::LibraryPaths;
use super::yaml::LibraryYaml;
use crate::library::clashes;
use torchgen_base::diag::{Diagnostic, Diagnostics, Span, meant, nearest, plural};
use torchgen_generators::inputs::stock::Stock;
use torchgen_generators::inputs::{self, Entries, Operators, standard_tags};
use torchgen_kit::driver::{JobError, Session};
use torchgen_model::codes;
use torchgen_model::model::{DispatchKey, NativeFunction, Target};
use torchgen_model::parse::dims;
use torchgen_model::parse::entry::{Entry, EntryOptions, SchemaOnly};

/// What the files of a library declare.
pub struct LibrarySource {
    /// Where they are.
    pub(crate) paths: LibraryPaths,
    /// The existing tags.
    pub(crate) tags: BTreeSet<String>,
    /// The operators of each namespace, in the order of the YAML.
    pub libraries: Vec<(String, Operators)>,
    /// Those that are registered by their schemas alone.
    pub schema_only: Vec<SchemaOnly>,
    /// The PyTorch whose operators the library's are compared with.
    pub(super) stock: Stock,
}

/// The tags of a library: those of its tags.yaml, or else libtorch's.
pub(super) fn read_tags(paths: &LibraryPaths, session: &mut Session) -> Result<BTreeSet<String>, JobError> {
    let path = paths.root.join("tags.yaml");
    if !session.is_given(&path)? {
        return Ok(standard_tags(&session.tables));
    }
    match inputs::read_tags(session, &path) {
        // libtorch's tags are the best guess.
        Err(JobError::Input) => Ok(standard_tags(&session.tables)),
        tags => tags,
    }
}

/// The entries of all files of a library, with the values of `defaults:`. Those of PyTorch's
/// operators are compared with `stock`.
pub fn read_entries(
    paths: &LibraryPaths,
    yaml: &LibraryYaml,
    tags: &BTreeSet<String>,
    stock: &mut Stock,
    session: &mut Session,
) -> Result<Entries, JobError> {
    let tables = session.tables.clone();
    let options = EntryOptions { target: Target::library(&tables), valid_tags: tags, ignore_keys: &BTreeSet::new() };
    let defaults = yaml.defaults(options, &mut session.diagnostics);
    let files = paths.operators(yaml, session)?;
    inputs::read_library_entries(session, &files, options, &defaults, stock)
}

impl LibrarySource {
    /// Reads a library's operators. Errors in them are diagnostics. Those of PyTorch are compared
    /// with the PyTorch at the path, or the one in the environment.
    pub(super) fn read_library(
        paths: LibraryPaths,
        yaml: &LibraryYaml,
        tags: BTreeSet<String>,
        torch_path: Option<&Path>,
        session: &mut Session,
    ) -> Result<LibrarySource, JobError> {
        let tables = session.tables.clone();
        let target = Target::library(&tables);
        let mut stock = Stock::new(torch_path);
        let Entries { entries, schema_only, unread } = read_entries(&paths, yaml, &tags, &mut stock, session)?;
        report_likely_misspelt(&entries, &mut session.diagnostics);
        let mut by_namespace: IndexMap<String, Vec<Entry>> = IndexMap::new();
        for entry in entries {
            by_namespace.entry(entry.function.namespace.clone()).or_default().push(entry);
        }
        for operator in &schema_only {
            by_namespace.entry(operator.namespace.clone()).or_default();
        }
        let make = |(namespace, entries): (String, Vec<Entry>)| {
            let mut operators = Operators::new(entries, &unread, target, &mut session.diagnostics);
            operators.indices.guard_devices();
            dims::derive(&mut operators.functions, &mut session.diagnostics);
            // The other wrappers of PyTorch's structured operators already exist.
            if Target::of_namespace(&namespace, &tables).defines_operators {
                add_generated_keys(&mut operators);
            }
            (namespace, operators)
        };
        let libraries: Vec<(String, Operators)> = by_namespace.into_iter().map(make).collect();
        clashes::report(&schema_only, &libraries, &mut session.diagnostics);
        Ok(LibrarySource { paths, tags, libraries, schema_only, stock })
    }

    /// The same with the library.yaml, for commands that need the settings only later.
    pub fn with_yaml(
        paths: LibraryPaths,
        torch_path: Option<&Path>,
        session: &mut Session,
    ) -> Result<(LibrarySource, LibraryYaml), JobError> {
        let tags = read_tags(&paths, session)?;
        let yaml = LibraryYaml::read_library_yaml(&paths.root, session)?;
        Ok((LibrarySource::read_library(paths, &yaml, tags, torch_path, session)?, yaml))
    }

    /// The operators of all namespaces.
    pub(super) fn functions(&self) -> impl Iterator<Item = &NativeFunction> + Clone {
        self.libraries.iter().flat_map(|(_, operators)| &operators.functions)
    }
}

/// Warns about a namespace with few operators whose name is nearly that of one with many.
fn report_likely_misspelt(entries: &[Entry], diagnostics: &mut Diagnostics) {
    let mut namespaces: IndexMap<&str, (usize, Span)> = IndexMap::new();
    for entry in entries {
        let f = &entry.function;
        namespaces.entry(&f.namespace).or_insert((0, f.spans.name)).0 += 1;
    }
    for (name, (count, span)) in &namespaces {
        let larger = namespaces.iter().filter(|(_, (other, _))| *other > 2 * count).map(|(other, _)| *other);
        let Some(near) = nearest(name, larger) else { continue };
        let operators = plural(*count, "operator");
        let message = format!("namespace `{name}` has {operators}, and its name is nearly that of `{near}`");
        diagnostics.push(Diagnostic::new(&codes::LIKELY_MISSPELT_NAMESPACE, message).at(*span).help(meant(name, near)));
    }
}

/// Structured kernels have wrappers for these keys, even if no operator has a kernel of its own for
/// them.
fn add_generated_keys(operators: &mut Operators) {
    if operators.functions.iter().any(|f| f.structured) {
        operators.indices.ensure(DispatchKey::Meta);
        operators.indices.ensure(DispatchKey::CompositeExplicitAutogradNonFunctional);
    }
}
