//! Recognises the kind of a YAML file by its keys, so that a file of the wrong kind gets one error
//! instead of one for each entry.
//!
//! Invariant: a file with at least one entry of the expected kind is of that kind.

use crate::codes;
use torchgen_base::diag::{Diagnostic, Diagnostics, Span};
use torchgen_base::yaml::{Node, NodeKind};

/// A kind of file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileKind {
    /// native_functions.yaml
    NativeFunctions,
    /// derivatives.yaml
    Derivatives,
    /// tags.yaml
    Tags,
    /// deprecated.yaml
    Deprecated,
    /// The selection of a selective build.
    Selective,
    /// The YAML of a backend.
    Backend,
}

/// Keys that are only in a list of operators.
const OPERATOR_KEYS: [&str; 5] = ["variants", "structured", "structured_delegate", "autogen", "device_check"];
/// Keys that are only in a selective-build file.
const SELECTIVE_KEYS: [&str; 4] =
    ["operators", "include_all_operators", "kernel_metadata", "include_all_non_op_selectives"];

impl FileKind {
    /// All kinds, with their names in messages.
    const NAMES: [(FileKind, &str); 6] = [
        (FileKind::NativeFunctions, "a native_functions.yaml"),
        (FileKind::Derivatives, "a derivatives.yaml"),
        (FileKind::Tags, "a tags.yaml"),
        (FileKind::Deprecated, "a deprecated.yaml"),
        (FileKind::Selective, "a selective-build YAML"),
        (FileKind::Backend, "a backend's YAML"),
    ];

    fn name(self) -> &'static str {
        Self::NAMES.iter().find(|(kind, _)| *kind == self).map_or("", |(_, name)| name)
    }

    /// The help that shows how to pass such a file.
    fn place(self) -> &'static str {
        match self {
            FileKind::NativeFunctions => "operators are read from `native_functions.yaml` in the directory of `-s`",
            FileKind::Derivatives => {
                "torchgen-rs reads derivatives from `derivatives.yaml`, beside a library's operators or in `--autograd-dir`"
            }
            FileKind::Tags => "tags are read from `tags.yaml` beside native_functions.yaml",
            FileKind::Deprecated => "deprecated signatures are read from `deprecated.yaml` in `--autograd-dir`",
            FileKind::Selective => "pass it with `--op-selection-yaml-path`",
            FileKind::Backend => "pass it to `check` with `--backend-yaml`, or to `backend-stubs` with `-s`",
        }
    }

    /// The kind of one entry of a list.
    fn of_entry(entry: &Node) -> Option<FileKind> {
        if has(entry, "func") || OPERATOR_KEYS.iter().any(|key| has(entry, key)) {
            return Some(FileKind::NativeFunctions);
        }
        if has(entry, "tag") {
            return Some(FileKind::Tags);
        }
        let name = value(entry, "name")?.as_text()?;
        match has(entry, "aten") {
            true => Some(FileKind::Deprecated),
            false => (name.contains('(') && name.contains("->")).then_some(FileKind::Derivatives),
        }
    }
}

/// Whether a text is the YAML of a backend.
pub fn is_backend(text: &str) -> bool {
    let begins = |words: &str| text.lines().any(|line| line.starts_with(words));
    begins("backend:") && begins("cpp_namespace:")
}

/// Whether the file is certainly of another kind than the expected one; reports that.
pub fn is_other_kind(root: &Node, wanted: FileKind, diagnostics: &mut Diagnostics) -> bool {
    let Some(found) = other_kind(root, wanted) else { return false };
    if wanted == FileKind::Derivatives && found == FileKind::NativeFunctions && has_formulas(root) {
        return false;
    }
    if let Some(error) = list_for_backend(root).filter(|_| wanted == FileKind::Backend) {
        diagnostics.push(error);
        return true;
    }
    let message = format!("this looks like {}, but {} is expected", found.name(), wanted.name());
    diagnostics.push(Diagnostic::new(&codes::WRONG_KIND, message).at(first_key(root)).help(found.place()));
    true
}

/// The error for ExecuTorch's functions.yaml, whose entries name kernels in their own way.
pub(super) fn of_executorch(root: &Node) -> Option<Diagnostic> {
    let NodeKind::Sequence(entries) = &root.kind else { return None };
    let kernels = |entry: &Node| {
        let NodeKind::Mapping(pairs) = &entry.kind else { return None };
        let (key, list) = pairs.iter().find(|(key, _)| key.as_text().is_some_and(|key| key.as_str() == "kernels"))?;
        let NodeKind::Sequence(kernels) = &list.kind else { return None };
        kernels.iter().any(|kernel| has(kernel, "kernel_name")).then_some(key.span)
    };
    let place = entries.iter().find_map(kernels).filter(|_| !entries.iter().any(|entry| has(entry, "dispatch")))?;
    let message = "this is a functions.yaml of ExecuTorch, whose kernels are called by its own runtime";
    let error = Diagnostic::new(&codes::WRONG_KIND, message).at(place);
    Some(error.help(
        "for an operator library, write each entry as `- func: my_ops::f(Tensor x) -> Tensor` with `dispatch: {CPU: f_cpu}`",
    ))
}

/// The error for a list of operators where the YAML of a backend is expected: torch_musa's file has
/// such a list, with names alone and kernels for `PrivateUse1`.
fn list_for_backend(root: &Node) -> Option<Diagnostic> {
    let NodeKind::Sequence(entries) = &root.kind else { return None };
    let bare = |entry: &Node| Some(value(entry, "func")?.as_text()?.as_str().split('(').next()?.trim().to_owned());
    let names: Vec<String> = entries.iter().filter_map(bare).collect();
    let message = "this is a list of operators, and the YAML of a backend names them under `supported:`";
    let error = Diagnostic::new(&codes::WRONG_KIND, message).at(first_key(root)).help(format!(
        "write `backend: PrivateUse1`, `cpp_namespace:` and `supported: [{}]`: each kernel has its operator's name",
        names.get(..names.len().min(2))?.join(", ")
    ));
    let own = "for kernels with names of their own, write an operator library, with entries such as \
        `- func: aten::abs(Tensor self) -> Tensor` and `dispatch: {PrivateUse1: Abs}`";
    (!names.is_empty()).then(|| error.help(own))
}

/// Whether an entry has a formula for an argument, and only begins with `func:` for `name:`.
fn has_formulas(root: &Node) -> bool {
    let NodeKind::Sequence(entries) = &root.kind else { return false };
    entries.iter().any(|entry| {
        let (Some(func), NodeKind::Mapping(pairs)) = (value(entry, "func").and_then(Node::as_text), &entry.kind) else {
            return false;
        };
        let words: Vec<&str> = func.as_str().split(|c: char| !c.is_ascii_alphanumeric() && c != '_').collect();
        pairs.iter().any(|(key, _)| key.as_text().is_some_and(|key| words.contains(&key.as_str())))
    })
}

fn other_kind(root: &Node, wanted: FileKind) -> Option<FileKind> {
    let found = match &root.kind {
        NodeKind::Scalar(_) => return None,
        NodeKind::Mapping(_) if has(root, "backend") && (has(root, "supported") || has(root, "cpp_namespace")) => {
            FileKind::Backend
        }
        NodeKind::Mapping(_) => SELECTIVE_KEYS.iter().any(|key| has(root, key)).then_some(FileKind::Selective)?,
        NodeKind::Sequence(entries) => {
            let kinds: Vec<FileKind> = entries.iter().filter_map(FileKind::of_entry).collect();
            let first = *kinds.first()?;
            // A few wrong entries do not make a file another kind.
            let same = kinds.iter().filter(|kind| **kind == first).count();
            (!kinds.contains(&wanted) && 2 * same > entries.len()).then_some(first)?
        }
    };
    (found != wanted).then_some(found)
}

fn value<'n>(node: &'n Node, key: &str) -> Option<&'n Node> {
    let NodeKind::Mapping(pairs) = &node.kind else { return None };
    pairs.iter().find(|(own, _)| own.as_text().is_some_and(|text| text.as_str() == key)).map(|(_, value)| value)
}

fn has(node: &Node, key: &str) -> bool {
    value(node, key).is_some()
}

/// The first key of the file, where messages about the file point.
fn first_key(root: &Node) -> Span {
    match &root.kind {
        NodeKind::Scalar(_) => root.span,
        NodeKind::Sequence(items) => items.first().map_or(root.span, first_key),
        NodeKind::Mapping(pairs) => pairs.first().map_or(root.span, |(key, _)| key.span),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use torchgen_base::diag::Sources;
    use torchgen_base::yaml::{Options, parse};

    #[test]
    fn kinds() {
        for (text, kind) in [
            ("- func: f(Tensor x) -> Tensor\n", Some(FileKind::NativeFunctions)),
            ("- name: f(Tensor x) -> Tensor\n  x: grad\n", Some(FileKind::Derivatives)),
            ("- name: f(Tensor x) -> Tensor\n  aten: f(x)\n", Some(FileKind::Deprecated)),
            ("- tag: core\n  desc: x\n", Some(FileKind::Tags)),
            ("operators:\n  aten::f: {}\n", Some(FileKind::Selective)),
            ("backend: XLA\ncpp_namespace: x\nsupported: [f]\n", Some(FileKind::Backend)),
            ("- name: f\n- x: y\n", None),
            ("- a\n- b\n", None),
            ("text\n", None),
            ("{}\n", None),
        ] {
            let (mut sources, mut diagnostics) = (Sources::new(), Diagnostics::new());
            let file = sources.add("a.yaml", text.to_owned());
            let root = parse(&sources, file, Options::SAFE_LOAD, &mut diagnostics).expect("it is YAML");
            for (wanted, _) in FileKind::NAMES {
                assert_eq!(other_kind(&root, wanted), kind.filter(|kind| *kind != wanted), "{text} for {wanted:?}");
            }
        }
    }
}
