//! Namespaces in formulas that do not exist.
//!
//! Invariant: a reported formula would not compile. If the author's header includes others that are
//! not PyTorch's, those may declare any namespace.

use std::ops::Range;

use super::names::Declared;
use torchgen_api::autograd::is_formula_word;
use torchgen_base::diag::{Diagnostic, Help, nearest};
use torchgen_base::lang::{cpp, is_word};
use torchgen_base::yaml::Text;
use torchgen_formula::{Expr, Path};
use torchgen_generators::inputs::headers_below_mention;
use torchgen_generators::inputs::stock::{any_header_declares_scope, headers_below_declare_scope};
use torchgen_kit::driver::Session;
use torchgen_model::codes;

/// Namespaces that every formula sees.
const KNOWN: &[&str] = &["at", "c10", "torch", "std", "caffe2", "details"];

/// Those of PyTorch's headers.
const PYTORCH: &[&str] = &["at", "c10", "torch"];

/// Directories of PyTorch's headers.
const DIRECTORIES: &[&str] = &["ATen/", "c10/", "caffe2/", "torch/"];

/// Headers that are generated for a library, in a directory that is called as its namespace.
const GENERATED: &[&str] = &["Functions.h", "Operators.h", "NativeFunctions.h", "RedispatchFunctions.h"];

/// Short names of modules in Python, which no header declares.
const MODULES: &[&str] = &["F", "np", "nn", "math", "numpy"];

/// Which headers the author's own one includes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Includes {
    /// Those that all formulas see, and the standard library's.
    Seen,
    /// Others of PyTorch.
    PyTorch,
    /// Headers that are not at hand.
    Others,
}

/// The first name in a namespace or class that no header declares.
pub(super) fn no_namespace(expr: &Expr, formula: &Text, all: &Declared, session: &mut Session) -> Option<Diagnostic> {
    let mut paths: Vec<&Path> = Vec::new();
    expr.walk(&mut |part| paths.extend(part.path()));
    paths.into_iter().find_map(|path| {
        let [first, inner @ .., _] = path.parts.as_slice() else { return in_template(path, formula, all, session) };
        unknown(first, &path.text(), path, formula, all, session)
            .or_else(|| unknown_inner(first, inner, path, formula, all, session))
            .or_else(|| in_template(path, formula, all, session))
    })
}

/// A namespace among the arguments of a template.
fn in_template(path: &Path, formula: &Text, all: &Declared, session: &mut Session) -> Option<Diagnostic> {
    let text = path.template.as_deref()?;
    text.split(|c: char| !is_word(c) && c != ':').find_map(|name| {
        let (first, _) = name.split_once("::").filter(|(first, _)| first.starts_with(|c: char| c.is_alphabetic()))?;
        unknown(first, name, path, formula, all, session)
    })
}

/// The problem of a name whose namespace is nowhere.
fn unknown(
    first: &str,
    whole: &str,
    path: &Path,
    formula: &Text,
    all: &Declared,
    session: &mut Session,
) -> Option<Diagnostic> {
    let includes = includes(all);
    let known = KNOWN.contains(&first)
        || first.contains('<')
        || all.is_own(first)
        // Words in capitals may be macros.
        || is_formula_word(first, all.tables) && !KNOWN.iter().any(|known| known.eq_ignore_ascii_case(first))
        || all.author_mentions(first)
        || includes == Includes::Others;
    let declared = |session: &mut Session| match all.knows_torch() {
        true => all.headers(session, |session, include| {
            headers_below_declare_scope(session, include, first)
                || includes == Includes::PyTorch && any_header_declares_scope(session, include, first)
        }),
        false => !MODULES.contains(&first),
    };
    if known || declared(session) {
        return None;
    }
    let place: Range<usize> = path.range.clone();
    let message = format!("there is no `{whole}`: no header declares `{first}`");
    let error = Diagnostic::new(&codes::UNKNOWN_CALL, message).at(formula.sub_span(place));
    let name = whole.rsplit("::").next().unwrap_or_default();
    let is_operator = all.stock_names().any(|known| known == name) || MODULES.contains(&first);
    let near = nearest(first, KNOWN.iter().copied().chain(all.callables.namespaces()));
    Some(match near {
        _ if is_operator => {
            error.help(Help::new(format!("formulas are C++: write `at::{name}`")).instead(format!("at::{name}")))
        }
        Some(near) => error.help(Help::new(format!("did you mean `{near}::`?")).word(first, near)),
        None => error.help("declare it in derivatives_manual.h beside derivatives.yaml"),
    })
}

/// A namespace, class or enumeration within one of PyTorch's.
fn unknown_inner(
    first: &str,
    inner: &[String],
    path: &Path,
    formula: &Text,
    all: &Declared,
    session: &mut Session,
) -> Option<Diagnostic> {
    let wrong = inner.iter().find(|inner| {
        let known = inner.contains('<')
            || all.is_own(inner)
            || is_formula_word(inner, all.tables)
            || all.author_mentions(inner)
            || !PYTORCH.contains(&first)
            || !all.knows_torch()
            || includes(all) != Includes::Seen;
        !known && !all.headers(session, |session, include| headers_below_mention(session, include, inner))
    })?;
    let message = format!("there is no `{}`: no header declares `{wrong}`", path.text());
    Some(Diagnostic::new(&codes::UNKNOWN_CALL, message).at(formula.sub_span(path.range.clone())))
}

/// Whether the author's header includes only headers whose declarations are looked up.
pub(super) fn sees_usual_headers(all: &Declared) -> bool {
    includes(all) == Includes::Seen
}

/// What the author's header includes.
fn includes(all: &Declared) -> Includes {
    let Some(manual) = all.manual else { return Includes::Others };
    let included = cpp::includes(manual).into_iter().map(|path| {
        let Some(header) = path.get(1..path.len().saturating_sub(1)) else { return Includes::Others };
        let (directory, file) = header.rsplit_once('/').unwrap_or(("", header));
        match directory {
            "" if path.starts_with('<') && !file.contains('.') => Includes::Seen,
            "ATen" | "ATen/core" | "ATen/ops" | "ATen/native" | "c10/core" | "c10/util" => Includes::Seen,
            "torch/csrc/autograd" => Includes::Seen,
            own if all.is_own(own) && GENERATED.contains(&file) => Includes::Seen,
            _ if DIRECTORIES.iter().any(|directory| header.starts_with(directory)) => Includes::PyTorch,
            _ if all.is_whole => Includes::Seen,
            _ => Includes::Others,
        }
    });
    included.max().unwrap_or(Includes::Seen)
}
