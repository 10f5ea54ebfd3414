//! What formulas can name besides inputs, outputs and operators: types, functions on numbers, and
//! methods, by what they are. Constants and PyTorch's helpers have tables of their own.
//!
//! Invariant: a name is here only if every torch version has it.

use super::{Helper, Path, ValueKind};
use torchgen_model::model::scalar_types::ScalarType;

/// Namespaces that every formula sees. A name before `::` is that of a namespace, even if an input
/// has it too.
pub(super) const NAMESPACES: &[&str] = &["at", "c10", "std", "torch"];

/// The words of a path without the namespace that torch's headers are in.
pub fn words(parts: &[String]) -> Vec<&str> {
    let words: Vec<&str> = parts.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["at" | "c10" | "torch", rest @ ..] if !rest.is_empty() => rest.to_vec(),
        _ => words,
    }
}

/// Whether a path is a namespace within `at`.
pub(super) fn is_inner_namespace(path: &Path) -> bool {
    matches!(path.parts.as_slice(), [at, inner] if at == "at" && inner == "Reduction") && path.template.is_none()
}

/// Whether a path is an enumeration of constants, with its namespace.
pub(super) fn is_enumeration(path: &Path) -> bool {
    const NAMES: &[&str] = &["DeviceType", "Layout", "MemoryFormat", "ScalarType"];
    let [namespace, name] = path.parts.as_slice() else { return false };
    matches!(namespace.as_str(), "at" | "c10" | "torch") && NAMES.contains(&name.as_str())
}

/// What a name means as a type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TypeName {
    /// `Tensor`
    Tensor,
    /// A list, whose elements are of that kind if it is known.
    List(ValueKind),
    /// `std::tuple`
    Tuple,
    /// `std::optional`
    Optional,
    /// A class of numbers: `SymInt` or `Scalar`.
    Number(ValueKind),
    /// An integer type.
    Integer,
    /// `double`
    Double,
    /// `float`
    Single,
    /// `bool`
    Bool,
}

impl TypeName {
    /// The kind of its values, if they are numbers.
    pub(super) fn number(self) -> Option<ValueKind> {
        match self {
            TypeName::Integer => Some(ValueKind::Int),
            TypeName::Double | TypeName::Single => Some(ValueKind::Float),
            TypeName::Bool => Some(ValueKind::Bool),
            TypeName::Number(kind) => Some(kind),
            TypeName::Tensor | TypeName::List(_) | TypeName::Tuple | TypeName::Optional => None,
        }
    }

    /// A type of numbers of C++ itself.
    pub(super) fn is_plain_number(self) -> bool {
        matches!(self, TypeName::Integer | TypeName::Double | TypeName::Single | TypeName::Bool)
    }
}

/// The type with that name.
pub fn type_of(path: &Path) -> Option<TypeName> {
    let words = words(&path.parts);
    let words = match words.as_slice() {
        ["std", rest @ ..] => rest,
        all => all,
    };
    let [name] = words else { return None };
    Some(match (*name, path.template.as_deref()) {
        ("Tensor", None) => TypeName::Tensor,
        ("IntArrayRef", None) => TypeName::List(ValueKind::Ints),
        ("SymIntArrayRef", None) => TypeName::List(ValueKind::SymInts),
        ("TensorList", None) => TypeName::List(ValueKind::Tensors),
        ("ArrayRef" | "vector" | "array", Some(of)) => TypeName::List(element(of)),
        ("tuple", Some(_)) => TypeName::Tuple,
        ("optional" | "OptionalArrayRef", Some(_)) => TypeName::Optional,
        ("SymInt", None) => TypeName::Number(ValueKind::SymInt),
        ("Scalar", None) => TypeName::Number(ValueKind::Scalar),
        ("int64_t" | "int" | "long", None) => TypeName::Integer,
        ("double", None) => TypeName::Double,
        ("float", None) => TypeName::Single,
        ("bool", None) => TypeName::Bool,
        _ => return None,
    })
}

/// The kind of a list whose elements have the type.
fn element(ty: &str) -> ValueKind {
    let name = ty.split(',').next().unwrap_or_default().trim();
    match name.rsplit("::").next().unwrap_or_default() {
        "Tensor" | "Variable" => ValueKind::Tensors,
        "int64_t" => ValueKind::Ints,
        "SymInt" => ValueKind::SymInts,
        "double" => ValueKind::Floats,
        "bool" => ValueKind::Bools,
        _ => ValueKind::Unknown,
    }
}

/// The type that a cast is to.
pub fn cast_to(template: Option<&str>) -> Option<TypeName> {
    let text = template?.trim();
    let text = text.strip_prefix("const ").unwrap_or(text);
    let parts: Vec<String> = text.split("::").map(|part| part.trim().to_owned()).collect();
    type_of(&Path { parts, template: None, is_global: false, range: 0..0 })
}

/// Functions of `std` from a number to a floating point number.
pub const MATH: &[&str] = &[
    "acos", "asin", "atan", "ceil", "cos", "cosh", "erf", "exp", "floor", "lgamma", "log", "log1p", "log2", "pow",
    "sin", "sqrt", "tan", "tanh",
];

/// Templates of `std` that formulas name.
pub(super) const STD_TEMPLATES: &[&str] = &[
    "array",
    "conditional",
    "function",
    "get",
    "initializer_list",
    "make_optional",
    "make_pair",
    "make_shared",
    "make_tuple",
    "make_unique",
    "max",
    "min",
    "numeric_limits",
    "optional",
    "pair",
    "set",
    "map",
    "shared_ptr",
    "tuple",
    "tuple_element",
    "unique_ptr",
    "unordered_map",
    "unordered_set",
    "vector",
];

/// Whether a path is a function of `std`, which is not a value.
pub(super) fn is_std_function(path: &Path) -> bool {
    let [namespace, name] = path.parts.as_slice() else { return false };
    let functions = ["get", "make_tuple", "tie", "move", "min", "max", "abs", "forward"];
    namespace == "std" && (functions.contains(&name.as_str()) || MATH.contains(&name.as_str()))
}

/// Whether a path is a function of `at` that is not an operator, and of which formulas know the
/// arguments.
pub(super) fn is_function_of_at(path: &Path) -> bool {
    path.text() == "at::sum_to" || Helper::of_dtypes(path).is_some()
}

/// Whether `at` has no function of that name, since it is a method of numbers, lists or tensors.
pub fn is_only_a_method(name: &str) -> bool {
    let sizes = [
        "sym_sizes",
        "sym_strides",
        "sym_size",
        "sym_stride",
        "sym_numel",
        "sym_storage_offset",
        "sym_is_contiguous",
        "scalar_type",
        "options",
    ];
    let values = ["at", "value", "has_value", "value_or", "vec", "back", "front", "begin", "end"];
    let number = scalar_method(name, 0).is_some() && name.starts_with("to") && name != "to";
    sizes.contains(&name) || values.contains(&name) || number && !name.contains('_')
}

/// What a method of a value that is not a tensor returns; `None` if no such value has it.
pub(super) fn method(of: ValueKind, name: &str, arguments: usize) -> Option<ValueKind> {
    match of {
        ValueKind::Options => options_method(name, arguments),
        ValueKind::Other
        | ValueKind::Elements
        | ValueKind::Nested
        | ValueKind::Braces
        | ValueKind::Braced
        | ValueKind::Fraction
        | ValueKind::Mixed => None,
        ValueKind::Complex => matches!(name, "real" | "imag").then_some(ValueKind::Float),
        ValueKind::Int
        | ValueKind::Float
        | ValueKind::Bool
        | ValueKind::Dtype
        | ValueKind::Layout
        | ValueKind::MemoryFormat => None,
        ValueKind::Nothing | ValueKind::Tuple => None,
        ValueKind::OptionalTensor => (name == "get" && arguments == 0).then_some(ValueKind::Unknown),
        ValueKind::Optionals => match name {
            "size" => Some(ValueKind::Int),
            "empty" => Some(ValueKind::Bool),
            "begin" | "end" | "get" | "extract" | "copy" | "vec" | "push_back" | "set" | "reserve" | "resize" => {
                Some(ValueKind::Unknown)
            }
            _ => None,
        },
        // A character is an integer.
        ValueKind::Text => Some(match name {
            "at" | "front" | "back" | "size" | "length" => ValueKind::Int,
            "empty" | "starts_with" | "ends_with" => ValueKind::Bool,
            _ if TEXTS.contains(&name) || name.starts_with("find") => ValueKind::Unknown,
            _ => return None,
        }),
        ValueKind::TypeMeta => match name {
            "toScalarType" => Some(ValueKind::Dtype),
            "id" | "isScalarType" | "itemsize" | "name" => Some(ValueKind::Unknown),
            _ => None,
        },
        ValueKind::SymFloat if matches!(name, "sqrt" | "min" | "max") => Some(ValueKind::SymFloat),
        ValueKind::SymInt if matches!((name, arguments), ("guard_int", 2) | ("expect_int", 0)) => Some(ValueKind::Int),
        ValueKind::SymInt | ValueKind::SymFloat => {
            SYMBOLIC.iter().any(|start| name.starts_with(start)).then_some(ValueKind::Unknown)
        }
        ValueKind::Scalar => scalar_method(name, arguments),
        kind if kind.is_list() => list_method(kind, name, arguments),
        _ => Some(ValueKind::Unknown),
    }
}

/// Methods of strings or of views of them.
const TEXTS: &[&str] = &[
    "append",
    "assign",
    "begin",
    "c_str",
    "capacity",
    "cbegin",
    "cend",
    "clear",
    "compare",
    "contains",
    "copy",
    "data",
    "end",
    "erase",
    "insert",
    "max_size",
    "pop_back",
    "push_back",
    "rbegin",
    "remove_prefix",
    "remove_suffix",
    "rend",
    "replace",
    "reserve",
    "resize",
    "rfind",
    "shrink_to_fit",
    "str",
    "substr",
    "swap",
];

/// How the names of the methods of symbolic integers start.
const SYMBOLIC: &[&str] = &[
    "as_int",
    "clone",
    "expect_",
    "guard_",
    "has_hint",
    "is_heap",
    "is_symbolic",
    "is_same",
    "is_expr",
    "max",
    "maybe_",
    "min",
    "sym_eq",
    "sym_g",
    "sym_l",
    "sym_m",
    "sym_n",
    "toSym",
    "unsafe",
];

/// What a method of tensors returns that is not an operator, and how many arguments it takes.
pub(super) fn property(name: &str) -> Option<(usize, ValueKind)> {
    Some(match name {
        "sym_sizes" | "sym_strides" => (0, ValueKind::SymInts),
        "sizes" | "strides" => (0, ValueKind::Ints),
        "sym_size" | "sym_stride" => (1, ValueKind::SymInt),
        "size" | "stride" => (1, ValueKind::Int),
        "sym_numel" => (0, ValueKind::SymInt),
        "numel" | "dim" => (0, ValueKind::Int),
        "scalar_type" => (0, ValueKind::Dtype),
        "options" => (0, ValueKind::Options),
        "device" => (0, ValueKind::Device),
        "layout" => (0, ValueKind::Layout),
        "dtype" => (0, ValueKind::TypeMeta),
        "grad" | "data" | "detach" | "detach_" | "tensor_data" | "variable_data" | "zero_" | "mutable_grad" => {
            (0, ValueKind::Tensor)
        }
        "cpu" | "cuda" | "hip" | "meta" | "metal" | "ve" | "vulkan" | "xpu" => (0, ValueKind::Tensor),
        "defined" | "requires_grad" | "is_cpu" | "is_cuda" | "is_sparse" | "is_nested" => (0, ValueKind::Bool),
        "is_complex" | "is_floating_point" | "is_conj" | "is_neg" | "is_signed" | "is_inference" => {
            (0, ValueKind::Bool)
        }
        "data_ptr" | "const_data_ptr" | "mutable_data_ptr" => (0, ValueKind::Other),
        "item" => (0, ValueKind::Scalar),
        "dense_dim" | "get_device" | "ndimension" | "output_nr" | "sparse_dim" | "storage_offset" | "_version" => {
            (0, ValueKind::Int)
        }
        "has_names" | "has_storage" | "is_leaf" | "is_meta" | "is_view" | "retains_grad" => (0, ValueKind::Bool),
        "element_size" | "itemsize" | "key_set" | "name" | "names" | "nbytes" | "opt_names" | "storage" => {
            (0, ValueKind::Unknown)
        }
        _ => return None,
    })
}

fn options_method(name: &str, arguments: usize) -> Option<ValueKind> {
    Some(match (name, arguments) {
        ("dtype" | "layout" | "device" | "requires_grad" | "pinned_memory" | "memory_format", 1) => ValueKind::Options,
        ("device_index", 1) => ValueKind::Options,
        ("dtype", 0) => ValueKind::TypeMeta,
        ("layout", 0) => ValueKind::Layout,
        ("device", 0) => ValueKind::Device,
        ("requires_grad" | "pinned_memory" | "is_sparse" | "is_sparse_csr" | "is_sparse_compressed", 0) => {
            ValueKind::Bool
        }
        _ if name.starts_with("has_") && arguments == 0 => ValueKind::Bool,
        _ if name.ends_with("_opt") && arguments == 0 => ValueKind::Unknown,
        ("merge_in" | "merge_memory_format", 1) => ValueKind::Options,
        ("type_equal", 1) => ValueKind::Bool,
        ("computeDispatchKey" | "device_index" | "backend", 0) => ValueKind::Unknown,
        _ => return None,
    })
}

/// Whether the option of that name can be a value of a kind that is known.
pub fn option_takes(name: &str, kind: ValueKind) -> bool {
    match name {
        _ if matches!(kind, ValueKind::Nothing | ValueKind::Empty) => name != "device_index",
        "dtype" => matches!(kind, ValueKind::Dtype | ValueKind::TypeMeta),
        "layout" => kind == ValueKind::Layout,
        "device" => matches!(kind, ValueKind::Device | ValueKind::Text),
        "memory_format" => kind == ValueKind::MemoryFormat,
        "requires_grad" | "pinned_memory" | "device_index" => kind.is_plain_number(),
        _ => true,
    }
}

fn scalar_method(name: &str, arguments: usize) -> Option<ValueKind> {
    if arguments > 0 && !matches!(name, "equal" | "isIntegral") {
        return None;
    }
    Some(match name {
        "toComplexDouble" => ValueKind::Complex,
        "conj" | "log" => ValueKind::Scalar,
        "toDouble" | "toFloat" => ValueKind::Float,
        "toByte" | "toChar" | "toShort" | "toInt" | "toLong" => ValueKind::Int,
        "toSymInt" => ValueKind::SymInt,
        "toSymFloat" => ValueKind::SymFloat,
        "toBool" | "equal" => ValueKind::Bool,
        "isBoolean" | "isComplex" | "isFloatingPoint" | "isIntegral" => ValueKind::Bool,
        "isSymBool" | "isSymFloat" | "isSymInt" | "isSymbolic" | "isUnsigned" => ValueKind::Bool,
        "to" | "type" | "hash" | "data_ptr" | "toSymBool" => ValueKind::Unknown,
        _ if name.strip_prefix("to").is_some_and(ScalarType::has_own_accessor) => ValueKind::Unknown,
        _ => return None,
    })
}

fn list_method(kind: ValueKind, name: &str, arguments: usize) -> Option<ValueKind> {
    if arguments > 0 && matches!(name, "size" | "empty" | "front" | "back" | "vec" | "begin" | "end") {
        return None;
    }
    const LISTS: [&str; 23] = [
        "allMatch",
        "assign",
        "at",
        "begin",
        "cbegin",
        "cend",
        "clear",
        "copy",
        "crbegin",
        "data",
        "drop_back",
        "drop_front",
        "emplace_back",
        "end",
        "equals",
        "erase",
        "insert",
        "pop_back",
        "push_back",
        "rbegin",
        "rend",
        "reserve",
        "resize",
    ];
    Some(match name {
        "size" => ValueKind::Int,
        "empty" => ValueKind::Bool,
        "front" | "back" => kind.element(),
        "vec" | "slice" => kind,
        "at" => kind.element(),
        "begin" | "end" | "cbegin" | "cend" | "rbegin" | "rend" | "data" => ValueKind::Other,
        _ if LISTS.contains(&name) => ValueKind::Unknown,
        _ => return None,
    })
}
