//! Reads the sources that define a library's kernels.
//!
//! Invariant: headers that a source includes by relative path are read too, each file once.

use std::collections::BTreeSet;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::body::{DeviceTable, Effects, Function, Symbolic, effects, join, symbolic_sizes};
use super::memory::memory;
use torchgen_base::diag::{FileId, Span};
use torchgen_base::lang::cpp::{self, Aliases, Definition, Signature, signature_in};
use torchgen_base::write::manifest::Seen;
use torchgen_kit::driver::templates::files_below;
use torchgen_kit::driver::{JobError, Session};

/// The endings of C++ sources and headers.
const ENDINGS: [&str; 14] =
    ["cpp", "cc", "cxx", "c++", "cu", "cuh", "h", "hh", "hpp", "hxx", "inl", "ipp", "mm", "hip"];

/// A definition and its place.
pub struct LocatedDefinition {
    /// The source.
    pub file: FileId,
    /// The function as found.
    pub definition: Definition,
    /// Its types.
    pub signature: Signature,
    /// What it does with its parameters.
    pub(crate) effects: Effects,
    /// The method that uses the memory of a tensor, and its place.
    pub(crate) memory: Option<(String, Range<usize>)>,
    /// What it does with sizes.
    pub(crate) symbolic: Symbolic,
    /// The names that its source takes from other namespaces, and the aliases that it defines.
    pub(crate) usings: Arc<[String]>,
    /// Its source is one of those given, not one that they include.
    pub listed: bool,
}

impl LocatedDefinition {
    /// The place of its name and parameters.
    pub fn span(&self) -> Span {
        Span::new(self.file, self.definition.range.start, self.definition.range.end)
    }
}

/// A function that is only declared.
pub struct LocatedDeclaration {
    /// The source.
    pub file: FileId,
    /// The function as found.
    pub definition: Definition,
    /// Its types.
    pub signature: Signature,
}

/// What the sources define.
#[derive(Default)]
pub struct KernelSources {
    /// The definitions, in the order of the sources.
    pub definitions: Vec<LocatedDefinition>,
    /// The declarations, in the order of the sources.
    pub declarations: Vec<LocatedDeclaration>,
    /// The names of declarations.
    pub(crate) declared: BTreeSet<String>,
    /// What macros outside functions get.
    pub(crate) mentioned: BTreeSet<String>,
    /// The type aliases and the macros without parameters, with their meanings.
    pub aliases: Vec<(String, String)>,
    /// The headers that sources include, among those in folders of registrations.
    pub(crate) registrations: Vec<(FileId, String)>,
    /// Calls of operators with the types of a function, `typed<decltype(f)>`: that function, with
    /// its place.
    pub(crate) typed: Vec<(Span, String)>,
    /// The files that were given, or found in a directory that was.
    pub listed: Vec<FileId>,
    /// All files, with those that they include.
    pub(super) files: Vec<FileId>,
    /// The functions that the sources name for devices.
    pub(super) devices: DeviceTable,
}

/// The folder of headers that register kernels, in their paths.
const REGISTRATIONS: &str = "/registrations/";

/// The functions whose types a source calls operators with, and their places.
fn typed_calls(text: &str) -> Vec<(Range<usize>, String)> {
    if !text.contains("decltype") || !text.contains("typed") {
        return Vec::new();
    }
    let tokens = cpp::tokens(text);
    let word = |at: usize| tokens.get(at).map(|token| &text[token.range.clone()]);
    let call = |at: usize| {
        let start = [Some("typed"), Some("<"), Some("decltype"), Some("(")];
        let is_call = start.iter().enumerate().all(|(offset, wanted)| word(at + offset) == *wanted);
        let first = tokens.get(at + 4).filter(|_| is_call)?;
        let end = (at + 4..tokens.len()).find(|at| word(*at) == Some(")"))?;
        let range = first.range.start..tokens[end].range.start;
        Some((range.clone(), text[range].split_whitespace().collect()))
    };
    (0..tokens.len()).filter_map(call).collect()
}

/// Whether a path has the ending of a C++ source or header.
pub fn is_source(path: &Path) -> bool {
    path.extension().and_then(|ending| ending.to_str()).is_some_and(|ending| ENDINGS.contains(&ending))
}

/// Reads sources; of a directory, all of them.
pub fn read_sources(paths: &[PathBuf], session: &mut Session) -> Result<KernelSources, JobError> {
    let mut files: Vec<(PathBuf, bool)> = Vec::new();
    let mut known: BTreeSet<PathBuf> = BTreeSet::new();
    for path in paths {
        let mut add = |path: PathBuf, seen: &Seen| {
            if known.insert(seen.identity(&path)) {
                files.push((path, true));
            }
        };
        if session.seen.is_dir(path) {
            let below = files_below(path, &mut session.seen)?.into_iter().map(|(_, path)| path);
            below.filter(|path| is_source(path)).for_each(|path| add(path, &session.seen));
        } else {
            add(path.clone(), &session.seen);
        }
    }
    let mut read = Vec::new();
    let mut at = 0;
    while let Some((path, listed)) = files.get(at).cloned() {
        at += 1;
        let file = session.read_source(&path)?;
        let source = cpp::scan_source(session.sources.text(file));
        for include in &source.includes {
            let included = path.parent().unwrap_or(Path::new("")).join(include);
            if session.seen.is_file(&included) && known.insert(session.seen.identity(&included)) {
                files.push((included, false));
            }
        }
        read.push((file, source, listed));
    }
    // Headers define aliases for several sources; a source's own count first.
    let shared: Vec<(String, String)> = read.iter().flat_map(|(_, source, _)| source.aliases.clone()).collect();
    let text = |file: FileId| session.sources.text(file);
    let listed = read.iter().filter(|(.., listed)| *listed).map(|(file, ..)| *file).collect();
    let mut found = KernelSources { aliases: shared.clone(), listed, ..KernelSources::default() };
    for (file, ..) in &read {
        let calls = typed_calls(text(*file)).into_iter();
        found.typed.extend(calls.map(|(range, name)| (Span::new(*file, range.start, range.end), name)));
    }
    for (file, ..) in read.iter().filter(|(file, ..)| text(*file).contains(REGISTRATIONS)) {
        let included = cpp::includes(text(*file)).into_iter().map(|name| name.trim_matches(['<', '>', '"']).to_owned());
        found.registrations.extend(included.filter(|name| name.contains(REGISTRATIONS)).map(|name| (*file, name)));
    }
    found.files = read.iter().map(|(file, ..)| *file).collect();
    found.files.iter().for_each(|file| found.devices.add(text(*file)));
    for (file, source, listed) in read {
        let aliases = Aliases::new(shared.iter().cloned().chain(source.aliases.iter().cloned()));
        let types = source.aliases.iter().map(|(_, meaning)| meaning.clone());
        let usings: Arc<[String]> = source.usings.into_iter().chain(types).collect();
        found.declared.extend(source.declared.iter().map(|one| one.name.clone()));
        found.declarations.extend(source.declared.into_iter().map(|definition| LocatedDeclaration {
            file,
            signature: signature_in(&definition.returns, &definition.parameters, &aliases),
            definition,
        }));
        found.mentioned.extend(source.mentioned);
        found.definitions.extend(source.definitions.into_iter().map(|definition| LocatedDefinition {
            file,
            effects: effects(text(file), &definition),
            memory: memory(text(file), &definition),
            symbolic: symbolic_sizes(text(file), &definition),
            signature: signature_in(&definition.returns, &definition.parameters, &aliases),
            definition,
            usings: usings.clone(),
            listed,
        }));
    }
    let mut all: Vec<Effects> = found.definitions.iter_mut().map(|one| std::mem::take(&mut one.effects)).collect();
    let functions: Vec<Function> =
        found.definitions.iter().map(|one| Function::new(one.file, &one.definition)).collect();
    join(&functions, &mut all, &found.devices);
    found.definitions.iter_mut().zip(all).for_each(|(one, effects)| one.effects = effects);
    Ok(found)
}
