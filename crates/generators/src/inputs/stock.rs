//! PyTorch's own operators, from the installation that a library is built against.
//!
//! Invariant: of PyTorch's native_functions.yaml only the entries that are asked for are parsed: a
//! search for the lines that begin entries finds them. What is wrong in that file is not reported.

use std::collections::{BTreeSet, HashMap};
use std::ops::Range;
use std::path::{Path, PathBuf};

use crate::inputs::{Operators, standard_tags};
use torchgen_base::diag::{Diagnostics, FileId};
use torchgen_base::lang::{cpp, is_word, whole_words};
use torchgen_base::yaml;
use torchgen_kit::driver::{JobError, Session};
use torchgen_model::model::{NativeFunction, Target};
use torchgen_model::parse::entry::{EntryOptions, entry};
use torchgen_model::parse::{self, written_name};
use torchgen_model::records::{NativeFunctionRecord, native, read_native_functions};
use torchgen_model::torch::{self, Torch};

/// How the line begins that begins an entry.
const BEGINNING: &str = "- func: ";

/// The directories of headers whose functions are in `at`, or in `c10`, which `at` includes.
const HEADERS: [&str; 8] = [
    "ATen",
    "ATen/core",
    "c10/core",
    "c10/util",
    "c10/macros",
    "torch/headeronly/core",
    "torch/headeronly/util",
    "torch/headeronly/macros",
];

/// Those of `c10` alone.
const C10_HEADERS: [&str; 6] =
    ["c10/core", "c10/util", "c10/macros", "torch/headeronly/core", "torch/headeronly/util", "torch/headeronly/macros"];

/// The directories of headers that nodes include besides.
const AUTOGRAD_HEADERS: [&str; 3] = ["torch/csrc/autograd", "torch/csrc/dynamo", "ATen/native"];

/// PyTorch's operators with one base name: all overloads, variants and generated variants.
#[derive(Default)]
pub struct StockFamily {
    /// The entries as written.
    pub(crate) records: Vec<NativeFunctionRecord>,
    /// The operators.
    pub functions: Vec<NativeFunction>,
}

impl StockFamily {
    /// The operator of that name, with its overload.
    pub fn find(&self, name: &str) -> Option<&NativeFunction> {
        self.functions.iter().find(|f| f.func.name.to_string() == name)
    }

    /// The entry of that operator, if PyTorch does not generate it.
    pub fn record(&self, name: &str) -> Option<&NativeFunctionRecord> {
        self.records.iter().find(|record| written_name(record.func.as_str()) == name)
    }

    /// Whether some entry names the operator under `autogen:`.
    pub(crate) fn generates(&self, name: &str) -> bool {
        self.functions.iter().flat_map(|f| &f.autogen).any(|generated| generated.to_string() == name)
    }
}

/// The operators of a PyTorch, read as they are asked for.
pub struct StockOperators {
    file: FileId,
    /// The directory of headers, if PyTorch is installed.
    include: Option<PathBuf>,
    /// The entries of each base name.
    entries: HashMap<String, Vec<Range<usize>>>,
    /// Those that were read.
    families: HashMap<String, StockFamily>,
    tags: BTreeSet<String>,
}

/// The PyTorch that a library is built for. It is looked for when an operator is asked for.
#[derive(Default)]
pub struct Stock {
    /// The value of `--torch-path`.
    given: Option<PathBuf>,
    /// The operators; the inner `None` if there is no PyTorch.
    operators: Option<Option<StockOperators>>,
}

impl Stock {
    /// That at the path, or else the one in the environment.
    pub fn new(given: Option<&Path>) -> Stock {
        Stock { given: given.map(Path::to_owned), operators: None }
    }

    /// Reads the operators with these base names from PyTorch's own file. `None` if no PyTorch is
    /// found, which is no error unless its path was given.
    ///
    /// # Errors
    /// There is none at the given path, or its file cannot be read.
    pub fn operators(
        &mut self,
        names: &BTreeSet<String>,
        session: &mut Session,
    ) -> Result<Option<&StockOperators>, JobError> {
        if self.operators.is_none() {
            self.operators = Some(match torch::find(self.given.as_deref(), session) {
                Ok(torch) => Some(index_stock(session, &torch)?),
                Err(stop) if self.given.is_some() => return Err(stop),
                Err(_) => None,
            });
        }
        let operators = self.operators.as_mut().and_then(Option::as_mut).map(|operators| {
            operators.read_operators(names, session);
            &*operators
        });
        session.timings.lap("PyTorch's operators");
        Ok(operators)
    }
}

fn index_stock(session: &mut Session, torch: &Torch) -> Result<StockOperators, JobError> {
    let file = session.read_text(&torch.native_functions())?;
    let text = session.sources.text(file);
    let begins = |at: &usize| *at == 0 || text.as_bytes()[at - 1] == b'\n';
    let starts: Vec<usize> = memchr::memmem::find_iter(text.as_bytes(), BEGINNING).filter(begins).collect();
    let ends = starts.iter().skip(1).copied().chain([text.len()]);
    let mut entries: HashMap<String, Vec<Range<usize>>> = HashMap::new();
    for (start, end) in starts.iter().copied().zip(ends) {
        if let Some(base) = base_name(&text[start + BEGINNING.len()..end]) {
            entries.entry(base).or_default().push(start..end);
        }
    }
    Ok(StockOperators {
        file,
        include: torch.include.clone(),
        entries,
        families: HashMap::new(),
        tags: standard_tags(&session.tables),
    })
}

/// Whether the code of a header of PyTorch below `include` that formulas see has the word.
pub fn headers_below_mention(session: &mut Session, include: &Path, word: &str) -> bool {
    headers_below_declare(session, include, word) || mentioned_in(session, include, &AUTOGRAD_HEADERS, word)
}

/// Whether one of those with functions of the namespace `at` has the word.
pub fn headers_below_declare(session: &mut Session, include: &Path, word: &str) -> bool {
    mentioned_in(session, include, &HEADERS, word)
}

/// Whether one of those of `c10` alone has the word.
pub fn c10_headers_below_mention(session: &mut Session, include: &Path, word: &str) -> bool {
    mentioned_in(session, include, &C10_HEADERS, word)
}

/// Whether a header of PyTorch below `include` that formulas see declares a namespace, a class or
/// an enumeration of that name.
pub fn headers_below_declare_scope(session: &mut Session, include: &Path, word: &str) -> bool {
    found_in(session, include, &HEADERS, word, |text| declares_scope(text, word))
        || found_in(session, include, &AUTOGRAD_HEADERS, word, |text| declares_scope(text, word))
}

/// The same of any header of PyTorch, whether formulas see it or not.
pub fn any_header_declares_scope(session: &mut Session, include: &Path, word: &str) -> bool {
    let mut directories: Vec<PathBuf> = ["ATen", "c10", "torch"].map(|directory| include.join(directory)).into();
    while let Some(directory) = directories.pop() {
        if found_in(session, &directory, &[""], word, |text| declares_scope(text, word)) {
            return true;
        }
        let entries = session.seen.entries(&directory).unwrap_or_default();
        directories.extend(entries.into_iter().filter_map(|(path, is_directory)| is_directory.then_some(path)));
    }
    false
}

fn declares_scope(text: &str, word: &str) -> bool {
    whole_words(text, word).any(|range| {
        let line = text[..range.start].rsplit('\n').next().unwrap_or_default();
        let words: Vec<&str> = line.split(|c: char| !is_word(c)).filter(|word| !word.is_empty()).collect();
        let scopes = ["namespace", "class", "struct", "enum", "using"];
        // Between them are only macros, and the namespaces around it.
        let declares = words.iter().rposition(|word| scopes.contains(word)).is_some_and(|at| {
            let is_macro = |word: &&str| word.chars().all(|c| c.is_ascii_uppercase() || c == '_' || c.is_ascii_digit());
            words[at + 1..].iter().all(is_macro) || words[at] == "namespace" && line.trim_end().ends_with("::")
        });
        // `using a = …`, not a sentence of a comment.
        let rest = text[range.end..].trim_start_matches([' ', '\n']);
        let opens = rest.starts_with(['{', ':', ';', '<', '=']) || rest.starts_with("final");
        declares && opens && !line.contains("template") && !line.trim_start().starts_with(['*', '/'])
    })
}

fn mentioned_in(session: &mut Session, include: &Path, directories: &[&str], word: &str) -> bool {
    found_in(session, include, directories, word, |text| cpp::mentions(text, word))
}

fn found_in(
    session: &mut Session,
    include: &Path,
    directories: &[&str],
    word: &str,
    wanted: impl Fn(&str) -> bool + Copy,
) -> bool {
    directories.iter().any(|directory| {
        let entries = session.seen.entries(&include.join(directory)).unwrap_or_default();
        let headers = entries.into_iter().filter(|(path, _)| path.extension().is_some_and(|ending| ending == "h"));
        headers.into_iter().any(|(path, _)| {
            let text = session.seen.read_file(&path).unwrap_or_default();
            memchr::memmem::find(&text, word.as_bytes()).is_some() && wanted(&String::from_utf8_lossy(&text))
        })
    })
}

impl StockOperators {
    /// The directory of PyTorch's headers, if it is installed.
    pub fn include(&self) -> Option<&Path> {
        self.include.as_deref()
    }

    /// The operators with a base name that was asked for; none if PyTorch has none.
    pub fn family(&self, base: &str) -> Option<&StockFamily> {
        self.families.get(base)
    }

    /// All base names, sorted.
    pub fn base_names(&self) -> Vec<&str> {
        let mut names: Vec<&str> = self.entries.keys().map(String::as_str).collect();
        names.sort_unstable();
        names
    }

    fn read_operators(&mut self, names: &BTreeSet<String>, session: &Session) {
        for name in names {
            if let Some(ranges) = self.entries.get(name).filter(|_| !self.families.contains_key(name)) {
                let family = self.parse(ranges, session);
                self.families.insert(name.clone(), family);
            }
        }
    }

    fn parse(&self, ranges: &[Range<usize>], session: &Session) -> StockFamily {
        let target = Target::pytorch(&session.tables);
        let mut unreported = Diagnostics::new();
        let options = EntryOptions { target, valid_tags: &self.tags, ignore_keys: &BTreeSet::new() };
        let mut family = StockFamily::default();
        for range in ranges {
            let root =
                yaml::parse_part(&session.sources, self.file, range.clone(), yaml::Options::OPERATORS, &mut unreported);
            let Some(root) = root else { continue };
            family.records.extend(read_native_functions(root, &native::ATEN_KEYS, &mut unreported));
        }
        let entries = family.records.iter().filter_map(|record| entry(record, options, &mut unreported)).collect();
        // Errors so far do not keep variants from being generated.
        family.functions = Operators::new(entries, &BTreeSet::new(), target, &mut Diagnostics::new()).functions;
        family
    }
}

/// The base name of the operator whose schema the text begins with: without overload, trailing
/// underscore or the underscores of Python's special methods.
pub fn base_name(schema: &str) -> Option<String> {
    let name = written_name(schema.trim_start_matches(['"', '\'']));
    parse::name::operator_name(name).ok().map(|name| name.name.base)
}
