//! What a library uses of PyTorch's operators: those that its formulas call, and those that it
//! calls over the stable ABI.
//!
//! Invariant: names only. A formula names a C++ function, which can be any overload of an operator,
//! or none; who asks knows which operators there are.

use std::path::{Path, PathBuf};

use super::paths::LibraryPaths;
use super::yaml::LibraryYaml;
use torchgen_base::diag::Span;
use torchgen_formula::{called, methods, parse};
use torchgen_generators::inputs;
use torchgen_kit::driver::{JobError, Session};

/// A name that is used somewhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Use {
    /// The name of an operator, with its overload if that is known: `add`, `add.Tensor`.
    pub name: String,
    /// Where it is used.
    pub place: Span,
    /// How it is used.
    pub how: How,
}

/// How an operator is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum How {
    /// A formula calls it.
    Formula,
    /// `torch_ops:` names it.
    TorchOps,
    /// A backend has a kernel for exactly this overload.
    Kernel,
    /// The entry of a wrapper names it.
    Wrapper,
}

/// What a library uses.
pub fn uses(sources: &[PathBuf], session: &mut Session) -> Result<Vec<Use>, JobError> {
    let paths = LibraryPaths::new(sources, session);
    let yaml = LibraryYaml::read_library_yaml(&paths.root, session)?;
    let mut found = Vec::new();
    for path in paths.derivatives(session)? {
        found.extend(of_formulas(&path, session)?);
    }
    let named = yaml.torch_ops().iter().map(|name| {
        let word = name.as_str();
        let name_only = word.strip_prefix("aten::").unwrap_or(word);
        Use { name: name_only.to_owned(), place: name.span(), how: How::TorchOps }
    });
    found.extend(named);
    Ok(found)
}

/// What the formulas of a derivatives.yaml call. One that cannot be read calls nothing: `check`
/// reports it.
pub fn of_formulas(path: &Path, session: &mut Session) -> Result<Vec<Use>, JobError> {
    let records = inputs::derivative_records(session, path)?;
    let mut found = Vec::new();
    let formulas = records.iter().flat_map(|record| &record.formulas).flat_map(|keyed| &keyed.formulas);
    for formula in formulas.map(|formula| &formula.formula) {
        let Ok(expr) = parse(formula.as_str()) else { continue };
        let functions = called(&expr).into_iter().filter_map(|path| path.parts.last());
        let names = functions.chain(methods(&expr).into_iter().map(|method| &method.name));
        found.extend(names.map(|name| Use { name: name.clone(), place: formula.span(), how: How::Formula }));
    }
    Ok(found)
}
