//! Checks that the functions that a backend's formulas call are declared.
//!
//! Invariant: a reported call would not compile. If `derivatives_manual.h` includes a header that
//! is not at hand, that one may declare anything, and nothing is reported.

use std::collections::BTreeSet;
use std::ops::Range;
use std::path::{Path, PathBuf};
use torchgen_generators::inputs;

use torchgen_api::autograd::is_formula_word;
use torchgen_base::diag::{Diagnostic, Diagnostics, did_you_mean_as};
use torchgen_base::lang::cpp::{TokenKind, includes, mentions, tokens};
use torchgen_formula::{called, parse};
use torchgen_generators::inputs::derivatives::MANUAL;
use torchgen_kit::driver::{JobError, Session};
use torchgen_library::library::{BackendFormulas, check_backend, expressions, operator_of};
use torchgen_model::codes;
use torchgen_model::model::NativeFunction;
use torchgen_model::records::{BackendRecord, DerivativeRecord};

/// What formulas can call.
pub(super) struct Known<'a> {
    pub(super) record: &'a BackendRecord,
    /// The derivatives.yaml of the backend.
    pub(super) yaml: &'a Path,
    /// PyTorch's headers, if they are at hand.
    pub(super) include: Option<&'a Path>,
    /// PyTorch's operators.
    pub(super) functions: &'a [&'a NativeFunction],
}

/// Namespaces that PyTorch's headers declare.
const PYTORCH: [&str; 6] = ["at", "c10", "caffe2", "details", "std", "torch"];
/// Directories of PyTorch's headers.
const DIRECTORIES: [&str; 4] = ["ATen/", "c10/", "caffe2/", "torch/"];

/// Reports calls of functions that nothing declares.
///
/// # Errors
/// The author's header cannot be read.
pub(super) fn check_called_functions(
    records: &[DerivativeRecord],
    known: &Known,
    session: &mut Session,
) -> Result<(), JobError> {
    let declared = declarations(known, session)?;
    let manual = declared.as_deref();
    let formulas = BackendFormulas { records, functions: known.functions, manual, include: known.include };
    check_backend(&formulas, session);
    let Some(declared) = declared else { return Ok(()) };
    let operators: BTreeSet<&str> = known.functions.iter().map(|f| f.root_name()).collect();
    let mut found = Diagnostics::new();
    for formula in records.iter().flat_map(expressions) {
        for place in calls(formula.as_str()) {
            let called = &formula.as_str()[place.clone()];
            let (scope, name) = called.rsplit_once("::").unwrap_or(("", called));
            let first = scope.split("::").find(|part| !part.is_empty());
            let is_known = match first {
                Some(first) => PYTORCH.contains(&first),
                None => {
                    is_formula_word(name, &session.tables)
                        || operator_of(name).is_some_and(|base| operators.contains(base.as_str()))
                        || known.include.is_none_or(|include| inputs::headers_below_mention(session, include, name))
                }
            };
            if is_known || mentions(&declared, name) {
                continue;
            }
            let shown = |near: &str| match scope {
                "" => near.to_owned(),
                _ => format!("{scope}::{near}"),
            };
            let near = did_you_mean_as(name, functions(&declared), shown, str::to_owned);
            let error = Diagnostic::new(&codes::UNDECLARED_HELPER, format!("nothing declares `{called}`"));
            let help = format!("declare it in `{}`", known.yaml.with_file_name(MANUAL).display());
            found.push(error.at(formula.sub_span(place)).maybe_help(near).help(help));
        }
    }
    session.diagnostics.extend(found);
    Ok(())
}

/// The text of the author's header, of those that it includes, and of the hooks; `None` if a header
/// is not at hand.
fn declarations(known: &Known, session: &mut Session) -> Result<Option<String>, JobError> {
    let directory = known.yaml.parent().unwrap_or(Path::new(""));
    let mut all = String::new();
    let mut files: Vec<PathBuf> = Vec::new();
    let manual = directory.join(MANUAL);
    if session.is_given(&manual)? {
        files.push(manual);
    }
    for record in &known.record.files {
        if let Some(text) = &record.prologue {
            all.push_str(text);
            all.push('\n');
        }
        for header in &record.headers {
            let header = header.as_str();
            let quoted = if header.starts_with(['<', '"']) { header.to_owned() } else { format!("\"{header}\"") };
            match resolved(&quoted, directory, session) {
                Resolved::PyTorch => {}
                Resolved::File(file) => files.push(file),
                Resolved::Elsewhere => return Ok(None),
            }
        }
    }
    let mut read = BTreeSet::new();
    while let Some(file) = files.pop() {
        if !read.insert(session.seen.identity(&file)) {
            continue;
        }
        let text = String::from_utf8_lossy(&session.read_bytes(&file)?).into_owned();
        let beside = file.parent().unwrap_or(Path::new(""));
        for header in includes(&text) {
            match resolved(header, beside, session) {
                Resolved::PyTorch => {}
                Resolved::File(file) => files.push(file),
                Resolved::Elsewhere => return Ok(None),
            }
        }
        all.push_str(&text);
    }
    Ok(Some(all))
}

/// Where an included header is.
enum Resolved {
    /// PyTorch's, or a standard library's.
    PyTorch,
    File(PathBuf),
    /// Not at hand.
    Elsewhere,
}

/// The header that an include names with its delimiters.
fn resolved(include: &str, beside: &Path, session: &mut Session) -> Resolved {
    let is_system = include.starts_with('<');
    let end = if is_system { '>' } else { '"' };
    let Some((path, _)) = include.get(1..).and_then(|rest| rest.split_once(end)) else { return Resolved::Elsewhere };
    if !is_system && session.seen.is_file(&beside.join(path)) {
        return Resolved::File(beside.join(path));
    }
    let is_standard = is_system && !path.contains('/') && (!path.contains('.') || path.ends_with(".h"));
    match is_standard || DIRECTORIES.iter().any(|directory| path.starts_with(directory)) {
        true => Resolved::PyTorch,
        false => Resolved::Elsewhere,
    }
}

/// The functions that a formula calls by name, each with its namespaces. Names that the formula
/// declares are not among them.
fn calls(formula: &str) -> Vec<Range<usize>> {
    let Ok(expr) = parse(formula) else { return Vec::new() };
    let paths = called(&expr).into_iter().filter(|path| path.template.is_none());
    paths.map(|path| path.range.clone()).collect()
}

/// The words before a parenthesis in C++.
fn functions(text: &str) -> BTreeSet<&str> {
    let tokens = tokens(text);
    let called =
        tokens.windows(2).filter(|pair| pair[0].kind == TokenKind::Word && text[pair[1].range.clone()] == *"(");
    called.map(|pair| &text[pair[0].range.clone()]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_by_name() {
        let check = |formula: &str, expected: &[&str]| {
            let found: Vec<&str> = calls(formula).into_iter().map(|range| &formula[range]).collect();
            assert_eq!(found, expected, "{formula}");
        };
        check("acme::a::f(grad, g(self)) * self.h(1)", &["acme::a::f", "g"]);
        check("grad.defined() ? ::acme::f(grad) : at::Tensor()", &["::acme::f", "at::Tensor"]);
        check("[&]() { return f(acme::g(x)); }()", &["f", "acme::g"]);
        check("static_cast<int>(x) + x[f(1)]", &["f"]);
        check("not f(x)", &["f"]);
        check("", &[]);
    }
}
