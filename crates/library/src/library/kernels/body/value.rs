//! What an expression is of a parameter: the tensor, its memory, an element of it.
//!
//! Invariant: what a method or function does that is not known here is not known. Which methods
//! return views is in the schemas of torch's operators.

use torchgen_model::versions::{Shares, is_operator, shares_memory};

/// Methods with the name of one that mutates, which change nothing that a schema declares.
const HARMLESS: &[&str] = &["requires_grad_", "detach_", "rename_", "retain_grad_"];

/// The methods that give the memory of a tensor by indices.
const ACCESSORS: &[&str] =
    &["accessor", "packed_accessor", "packed_accessor32", "packed_accessor64", "generic_packed_accessor"];

/// The methods that give a size as a number, each with the one that gives it as a symbol.
pub(in super::super) const SIZES: &[(&str, &str)] = &[
    ("numel", "sym_numel"),
    ("size", "sym_size"),
    ("sizes", "sym_sizes"),
    ("storage_offset", "sym_storage_offset"),
    ("stride", "sym_stride"),
    ("strides", "sym_strides"),
];

/// Further methods that change nothing, and whose result is not a view. Operators have other names.
const READING: &[&str] = &[
    "defined",
    "device",
    "dim",
    "dtype",
    "element_size",
    "get_device",
    "has_value",
    "is_contiguous",
    "is_cpu",
    "is_cuda",
    "is_meta",
    "is_sparse",
    "itemsize",
    "layout",
    "nbytes",
    "ndimension",
    "options",
    "scalar_type",
    "suggest_memory_format",
    "sym_numel",
    "sym_size",
    "sym_sizes",
    "sym_stride",
    "sym_strides",
    "type",
];

/// Whether a method of a tensor only reads its arguments.
pub(super) fn reads_arguments(name: &str) -> bool {
    is_inplace(name) || is_operator(name)
}

/// The kinds of expressions that lead to a tensor of a parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ValueKind {
    Tensor,
    /// A tensor that there need not be.
    Optional,
    /// Several tensors.
    Tensors,
    /// A pointer to its memory that can be written through.
    Pointer,
    /// A pointer to its memory that cannot.
    Constant,
    /// An accessor of its memory that can be written through.
    Accessor,
    /// A part of its memory that can be assigned to, or indexed further.
    Row,
    /// An element of its memory.
    Element,
    /// A reference to an element.
    Reference,
    /// What `x.index({…})` gives, which can be assigned to.
    Indexed,
}

/// An expression that leads to a parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Value {
    /// The index of the parameter.
    pub(super) parameter: usize,
    pub(super) kind: ValueKind,
    /// It is a variable, so that `=` gives it another tensor.
    pub(super) is_variable: bool,
    /// The method that may have made a copy of it.
    pub(super) unless: Option<&'static str>,
}

/// What a method is of a value.
pub(super) enum Step {
    /// Another expression that leads to the parameter.
    To(ValueKind),
    /// The same, if the method has nothing to do.
    Perhaps(&'static str),
    /// It mutates the tensor, and gives it or its memory.
    Mutates(ValueKind),
    /// It gives memory, and says that it is for writing.
    Claims,
    /// It gives a number: a size, or an element.
    Number,
    /// It changes nothing.
    Reads,
    Unknown,
}

/// What a method of that name does. Arguments of a template may say that it gives constants.
pub(super) fn method(kind: ValueKind, name: &str, is_constant: bool, is_template: bool) -> Step {
    match kind {
        ValueKind::Optional => match name {
            "value" | "value_or" => Step::To(ValueKind::Tensor),
            "has_value" => Step::Reads,
            _ => Step::Unknown,
        },
        ValueKind::Tensors => match name {
            "at" | "front" | "back" | "get" => Step::To(ValueKind::Tensor),
            "vec" | "slice" => Step::To(ValueKind::Tensors),
            "size" | "empty" => Step::Reads,
            _ => Step::Unknown,
        },
        ValueKind::Tensor => of_tensor(name, is_constant, is_template),
        ValueKind::Accessor => match name {
            "data" => Step::To(ValueKind::Pointer),
            "size" | "sizes" | "stride" => Step::Reads,
            _ => Step::Unknown,
        },
        _ => Step::Unknown,
    }
}

fn of_tensor(name: &str, is_constant: bool, is_template: bool) -> Step {
    match name {
        _ if HARMLESS.contains(&name) => Step::Unknown,
        "set_data" => Step::Mutates(ValueKind::Tensor),
        _ if is_inplace(name) => Step::Mutates(ValueKind::Tensor),
        "mutable_data_ptr" => Step::Claims,
        "data_ptr" if !is_constant => Step::To(ValueKind::Pointer),
        "data_ptr" | "const_data_ptr" => Step::To(ValueKind::Constant),
        "data" if is_template && !is_constant => Step::To(ValueKind::Pointer),
        "data" if !is_template => Step::To(ValueKind::Tensor),
        _ if ACCESSORS.contains(&name) && !is_constant => Step::To(ValueKind::Accessor),
        "index" => Step::To(ValueKind::Indexed),
        "item" => Step::Number,
        _ if SIZES.iter().any(|(size, _)| *size == name) => Step::Number,
        _ if READING.contains(&name) => Step::Reads,
        _ => match shares_memory(name) {
            Some((_, Shares::Always)) => Step::To(ValueKind::Tensor),
            Some((_, Shares::InList)) => Step::To(ValueKind::Tensors),
            Some((method, Shares::UnlessCopied)) => Step::Perhaps(method),
            None if is_operator(name) => Step::Reads,
            None => Step::Unknown,
        },
    }
}

/// Whether a function has the name of one that mutates its first argument.
pub(super) fn is_inplace(name: &str) -> bool {
    name.len() > 1 && name.ends_with('_') && !name.ends_with("__") && !HARMLESS.contains(&name)
}

/// The argument that a function mutates, by its name with namespaces; of those that are not the
/// project's.
pub(super) fn mutated_argument(path: &str, kind: ValueKind, arguments: usize) -> Option<usize> {
    let path = path.trim_start_matches("::");
    let (scope, name) = path.rsplit_once("::").unwrap_or(("", path));
    if matches!(kind, ValueKind::Tensor | ValueKind::Tensors) {
        let of_torch = matches!(scope.split("::").next(), Some("at" | "torch" | "portable" | "stable"))
            && !scope.split("::").any(|part| matches!(part, "native" | "detail" | "impl" | "autograd"));
        return match name {
            _ if !of_torch => None,
            _ if name.ends_with("_outf") => arguments.checked_sub(1),
            _ if name.ends_with("_out") || is_inplace(name) => Some(0),
            _ => None,
        };
    }
    if !matches!(kind, ValueKind::Pointer | ValueKind::Element | ValueKind::Reference)
        || !matches!(scope, "" | "std" | "at")
    {
        return None;
    }
    match name {
        "memcpy" | "memmove" | "memset" | "cudaMemcpy" | "cudaMemcpyAsync" | "cudaMemset" | "cudaMemsetAsync"
        | "hipMemcpy" | "hipMemcpyAsync" | "hipMemset" | "hipMemsetAsync" => Some(0),
        "fill" | "fill_n" | "iota" | "sort" | "stable_sort" | "reverse" | "generate" | "generate_n"
            if scope == "std" =>
        {
            Some(0)
        }
        "copy" | "copy_n" | "transform" | "partial_sum" | "inclusive_scan" if scope == "std" => Some(2),
        _ if name.starts_with("atomic") || name.starts_with("gpuAtomic") || name == "fastAtomicAdd" => Some(0),
        _ => None,
    }
}

/// What a parameter leads to, by its declaration.
pub(super) fn of_parameter(words: &[&str]) -> Option<ValueKind> {
    let has = |word: &str| words.contains(&word);
    let is_accessor = words.iter().any(|word| word.contains("TensorAccessor"));
    if is_accessor {
        let first = words.iter().position(|word| *word == "<").and_then(|open| words.get(open + 1));
        return (first != Some(&"const")).then_some(ValueKind::Accessor);
    }
    if has("*") {
        let is_constant =
            words.iter().position(|word| *word == "const") < words.iter().position(|word| *word == "*") && has("const");
        return (!is_constant && !has("Tensor")).then_some(ValueKind::Pointer);
    }
    if words.iter().any(|word| matches!(*word, "TensorList" | "ITensorListRef")) {
        return Some(ValueKind::Tensors);
    }
    if !has("Tensor") && !has("TensorBase") {
        return None;
    }
    Some(match words {
        _ if words
            .iter()
            .any(|word| matches!(*word, "ArrayRef" | "vector" | "List" | "array" | "HeaderOnlyArrayRef" | "span")) =>
        {
            ValueKind::Tensors
        }
        _ if words.iter().any(|word| matches!(*word, "optional" | "Optional")) => ValueKind::Optional,
        _ => ValueKind::Tensor,
    })
}
