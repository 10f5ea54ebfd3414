//! PyTorch's operators: from native_functions.yaml, or from the two files that PyTorch's build
//! makes.
//!
//! Invariant: every declaration is one [`Operator`], generated variants included, in file order.

use std::path::Path;

use rayon::iter::{IntoParallelRefIterator, ParallelIterator};

use super::autogen;
pub(super) use super::operator::{Operator, Role};
use super::types::{TYPES, TorchSchema};
use torchgen_base::diag::{Diagnostic, Diagnostics, codes as shared};
use torchgen_base::yaml::{Node, NodeKind, Options, Text};
use torchgen_kit::driver::{JobError, Session};
use torchgen_kit::schema::{self, Rules};

/// The kernels that every backend can use.
const COMPOSITE: [&str; 3] =
    ["CompositeImplicitAutograd", "CompositeExplicitAutograd", "CompositeExplicitAutogradNonFunctional"];

/// Composite kernels that call a kernel of the backend, which `Meta` lacks.
const CONVOLUTIONS: [&str; 12] = [
    "_convolution",
    "_convolution_mode",
    "conv1d",
    "conv2d",
    "conv3d",
    "conv_tbc_backward",
    "conv_transpose1d",
    "conv_transpose2d",
    "conv_transpose3d",
    "convolution",
    "convolution_backward",
    "_convolution_double_backward",
];

/// The operators of a native_functions.yaml. Errors in it are diagnostics.
///
/// # Errors
/// The file cannot be read.
pub(super) fn read(path: &Path, session: &mut Session) -> Result<Vec<Operator>, JobError> {
    let root = session.read_yaml(path, Options::OPERATORS)?;
    let NodeKind::Sequence(entries) = &root.kind else {
        let message = format!("`{}` is not a list of operators", path.display());
        session.diagnostics.push(Diagnostic::new(&shared::WRONG_TYPE, message).at(root.span));
        return Err(JobError::Input);
    };
    let read: Vec<(Vec<Operator>, Diagnostics)> = entries.par_iter().map(entry).collect();
    let mut operators = Vec::with_capacity(2 * entries.len());
    let mut generated = Vec::new();
    for (mut found, diagnostics) in read {
        session.diagnostics.extend(diagnostics);
        if !found.is_empty() {
            operators.push(found.remove(0));
        }
        generated.extend(found);
    }
    operators.extend(generated);
    session.timings.lap("operators");
    Ok(operators)
}

/// An entry's operator, then its generated variants.
pub(super) fn entry(node: &Node) -> (Vec<Operator>, Diagnostics) {
    let mut diagnostics = Diagnostics::new();
    let NodeKind::Mapping(pairs) = &node.kind else { return (Vec::new(), diagnostics) };
    let value = |name: &str| {
        let named = |(key, _): &&(Node, Node)| key.as_text().is_some_and(|key| key.as_str() == name);
        pairs.iter().find(named).map(|(_, value)| value)
    };
    let Some(text) = value("func").and_then(Node::as_text) else { return (Vec::new(), diagnostics) };
    let Some(schema) = parse(text, &mut diagnostics) else { return (Vec::new(), diagnostics) };
    let mut kernels = Vec::new();
    if let Some(Node { kind: NodeKind::Mapping(pairs), .. }) = value("dispatch") {
        for (keys, kernel) in pairs {
            let (Some(keys), Some(kernel)) = (keys.as_text(), kernel.as_text()) else { continue };
            kernels.extend(keys.as_str().split(',').map(|key| (key.trim(), kernel.as_str())));
        }
    }
    let is_true = |name: &str| value(name).and_then(Node::as_text).is_some_and(|text| text.as_str() == "True");
    let structured = is_true("structured") || value("structured_delegate").is_some();
    let has = |wanted: &str| kernels.iter().any(|(key, _)| *key == wanted);
    let is_default = !structured && value("dispatch").is_none();
    let composite_implicit = is_default
        || (has(COMPOSITE[0])
            && kernels.iter().all(|(key, _)| key.starts_with("CompositeImplicitAutograd") || is_unbuilt(key)));
    let kernel = kernels.iter().find(|(key, _)| *key == "CPU" || COMPOSITE.contains(key)).map(|(_, kernel)| *kernel);
    let named_after = || schema.name.value.clone();
    let native = match (structured, kernel) {
        (true, _) => None,
        (false, Some(kernel)) => Some(kernel.rsplit("::").next().unwrap_or(kernel).to_owned()),
        (false, None) => is_default.then(named_after),
    };
    let mut operator = Operator {
        schema,
        required: false,
        composite_implicit,
        structured,
        constant: is_true("use_const_ref_for_mutable_tensors"),
        meta: false,
        native,
    };
    let composite = is_default || COMPOSITE.iter().any(|key| has(key));
    let is_backends = CONVOLUTIONS.contains(&operator.name()) || operator.name().ends_with("_overrideable");
    operator.meta = (structured || composite || has("Meta")) && !is_backends;
    let has_generated = structured && matches!(operator.role(), Role::Functional | Role::Inplace);
    operator.required = !composite_implicit && !composite && !has_generated;
    let is_core = |text: &Text| text.as_str() == "core";
    let is_core = match value("tags").map(|tags| &tags.kind) {
        Some(NodeKind::Scalar(tag)) => is_core(tag),
        Some(NodeKind::Sequence(tags)) => tags.iter().filter_map(Node::as_text).any(is_core),
        _ => false,
    };
    let mut operators = autogen::variants(&operator, value("autogen"), is_core);
    operators.insert(0, operator);
    (operators, diagnostics)
}

/// Keys that PyTorch's default build leaves out.
fn is_unbuilt(key: &str) -> bool {
    ["MPS", "XPU", "MTIA"].iter().any(|backend| key.ends_with(backend))
}

/// A schema string, whose namespace is left out. Errors are diagnostics.
pub(super) fn parse(text: &Text, diagnostics: &mut Diagnostics) -> Option<TorchSchema> {
    let start = text.as_str().split('(').next().and_then(|name| name.find("::")).map_or(0, |at| at + 2);
    let text = text.slice(start..text.as_str().len());
    match schema::parse(text.as_str(), &TYPES, &Rules::ANY) {
        Ok(schema) => Some(schema),
        Err(errors) => {
            diagnostics.extend(errors.into_iter().map(|error| error.at_text(&text)));
            None
        }
    }
}
