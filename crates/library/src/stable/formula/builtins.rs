//! Constants, types and functions that are not operators, and what they are in Python.
//!
//! Invariant: a name that is not here, and not an operator, has no translation.

use super::value::{Kind, Value};

/// Dtypes by their names in `ScalarType`, and in Python.
const DTYPES: &[(&str, &str)] = &[
    ("Bool", "bool"),
    ("Byte", "uint8"),
    ("Char", "int8"),
    ("Short", "int16"),
    ("Int", "int32"),
    ("Long", "int64"),
    ("UInt16", "uint16"),
    ("UInt32", "uint32"),
    ("UInt64", "uint64"),
    ("Half", "float16"),
    ("BFloat16", "bfloat16"),
    ("Float", "float32"),
    ("Double", "float64"),
    ("ComplexHalf", "complex32"),
    ("ComplexFloat", "complex64"),
    ("ComplexDouble", "complex128"),
];

/// Layouts by their constants.
const LAYOUTS: &[(&str, &str)] = &[("Strided", "strided"), ("Sparse", "sparse_coo"), ("SparseCsr", "sparse_csr")];

/// Device types by their constants.
const DEVICES: &[(&str, &str)] = &[
    ("CPU", "cpu"),
    ("CUDA", "cuda"),
    ("Meta", "meta"),
    ("XPU", "xpu"),
    ("MPS", "mps"),
    ("PrivateUse1", "privateuseone"),
];

/// Memory formats by their names.
const FORMATS: &[(&str, &str)] = &[
    ("Contiguous", "contiguous_format"),
    ("Preserve", "preserve_format"),
    ("ChannelsLast", "channels_last"),
    ("ChannelsLast3d", "channels_last_3d"),
];

/// Numbers by their macros.
const NUMBERS: &[(&str, &str)] = &[
    ("M_PI", "_math.pi"),
    ("M_E", "_math.e"),
    ("M_LN2", "_math.log(2)"),
    ("M_LN10", "_math.log(10)"),
    ("M_SQRT2", "_math.sqrt(2)"),
    ("M_SQRT1_2", "_math.sqrt(0.5)"),
    ("M_PI_2", "_math.pi / 2"),
    ("M_2_PI", "2 / _math.pi"),
    ("M_1_PI", "1 / _math.pi"),
    ("M_2_SQRTPI", "2 / _math.sqrt(_math.pi)"),
    ("INFINITY", "_math.inf"),
    ("NAN", "_math.nan"),
];

fn find(table: &[(&'static str, &'static str)], name: &str) -> Option<&'static str> {
    table.iter().find(|(known, _)| *known == name).map(|(_, python)| *python)
}

/// A constant.
pub(super) fn constant(parts: &[String]) -> Option<Value> {
    let words: Vec<&str> = parts.iter().map(String::as_str).collect();
    let words = match words.as_slice() {
        ["at" | "c10" | "torch", rest @ ..] => rest,
        all => all,
    };
    let torch = |name: &str, kind| Some(Value::atom(format!("_torch.{name}"), kind));
    match words {
        ["true"] => Some(Value::atom("True", Kind::Bool)),
        ["false"] => Some(Value::atom("False", Kind::Bool)),
        ["nullopt"] | ["std", "nullopt"] => Some(Value::atom("None", Kind::Nothing)),
        ["ScalarType", name] => torch(find(DTYPES, name)?, Kind::Dtype),
        ["MemoryFormat", name] => torch(find(FORMATS, name)?, Kind::MemoryFormat),
        ["Layout", name] => torch(find(LAYOUTS, name)?, Kind::Layout),
        ["Reduction", name] => {
            let number = ["None", "Mean", "Sum"].iter().position(|known| known == name)?;
            Some(Value::atom(number.to_string(), Kind::Int))
        }
        [name] => {
            if let Some(number) = find(NUMBERS, name) {
                return Some(plain(Value::atom(format!("({number})"), Kind::Float)));
            }
            let name = name.strip_prefix('k')?;
            if let Some(dtype) = find(DTYPES, name) {
                return torch(dtype, Kind::Dtype);
            }
            if let Some(layout) = find(LAYOUTS, name) {
                return torch(layout, Kind::Layout);
            }
            Some(Value::atom(format!("_torch.device(\"{}\")", find(DEVICES, name)?), Kind::Device))
        }
        _ => None,
    }
}

/// A number without the parentheses that only operators need.
fn plain(value: Value) -> Value {
    let inside = value.text.strip_prefix('(').and_then(|text| text.strip_suffix(')'));
    match inside.filter(|inside| !inside.contains(' ')) {
        Some(inside) => Value::atom(inside, value.kind),
        None => value,
    }
}

/// What a name means as a type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Type {
    Tensor,
    List,
    Tuple,
    Optional,
    /// A number or list that stays as it is.
    Same,
    Integer,
    Double,
    Bool,
}

/// A type by its name and the arguments of its template.
pub(super) fn type_of(parts: &[String], template: Option<&str>) -> Option<Type> {
    let words: Vec<&str> = parts.iter().map(String::as_str).collect();
    let words = match words.as_slice() {
        ["at" | "c10" | "torch" | "std", rest @ ..] => rest,
        all => all,
    };
    let [name] = words else { return None };
    Some(match (*name, template) {
        ("Tensor", None) => Type::Tensor,
        ("IntArrayRef" | "SymIntArrayRef" | "TensorList", None) | ("ArrayRef" | "vector" | "array", Some(_)) => {
            Type::List
        }
        ("tuple", Some(_)) => Type::Tuple,
        ("optional" | "OptionalArrayRef", Some(_)) => Type::Optional,
        ("SymInt" | "Scalar", None) => Type::Same,
        ("int64_t" | "int" | "long", None) => Type::Integer,
        ("double", None) => Type::Double,
        ("bool", None) => Type::Bool,
        _ => return None,
    })
}

/// Functions that generated packages have, which are PyTorch's own helpers for formulas: the names,
/// the fewest and the most arguments, and what they return.
pub(super) const HELPERS: &[(&str, usize, usize, Kind)] = &[
    ("any_variable_defined", 1, 1, Kind::Bool),
    ("apply_loss_reduction", 2, 2, Kind::Tensor),
    ("handle_r_to_c", 2, 2, Kind::Tensor),
    ("masked_fill_inplace_if_safe", 3, 3, Kind::Tensor),
    ("maybe_multiply", 2, 2, Kind::Tensor),
    ("not_implemented", 1, 2, Kind::Tensor),
    ("not_implemented_list", 1, 2, Kind::Tensors),
];

/// Functions of `std` on numbers, and those of Python's `math`.
pub(super) const MATH: &[&str] = &[
    "acos", "asin", "atan", "ceil", "cos", "cosh", "erf", "exp", "floor", "log", "log1p", "log2", "pow", "sin", "sqrt",
    "tan", "tanh",
];

/// Methods of tensors without arguments that are attributes in Python.
pub(super) const ATTRIBUTES: &[&str] = &[
    "is_cpu",
    "is_cuda",
    "is_meta",
    "is_mkldnn",
    "is_mps",
    "is_nested",
    "is_quantized",
    "is_sparse",
    "is_sparse_csr",
    "is_xpu",
    "requires_grad",
];

/// Methods of tensors without arguments that are the same in Python, and what they return.
pub(super) const METHODS: &[(&str, Kind)] = &[
    ("element_size", Kind::Int),
    ("is_complex", Kind::Bool),
    ("is_conj", Kind::Bool),
    ("is_contiguous", Kind::Bool),
    ("is_floating_point", Kind::Bool),
    ("is_inference", Kind::Bool),
    ("is_neg", Kind::Bool),
    ("is_signed", Kind::Bool),
];
