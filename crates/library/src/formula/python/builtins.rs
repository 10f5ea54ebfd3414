//! Constants and methods of tensors, and what they are in Python.
//!
//! Invariant: a name that is not here, and not an operator, has no translation.

use super::value::Value;
use torchgen_formula::Kind;
use torchgen_formula::vocabulary::words;

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
    let torch = |name: &str| Some(Value::atom(format!("_torch.{name}")));
    match words(parts).as_slice() {
        ["true"] => Some(Value::atom("True")),
        ["false"] => Some(Value::atom("False")),
        ["nullopt"] | ["std", "nullopt"] => Some(Value::atom("None")),
        ["ScalarType", name] => torch(find(DTYPES, name)?),
        ["MemoryFormat", name] => torch(find(FORMATS, name)?),
        ["Layout", name] => torch(find(LAYOUTS, name)?),
        ["Reduction", name] => {
            let number = ["None", "Mean", "Sum"].iter().position(|known| known == name)?;
            Some(Value::atom(number.to_string()))
        }
        [name] => {
            if let Some(number) = find(NUMBERS, name) {
                return Some(Value::atom(if number.contains(' ') { format!("({number})") } else { number.to_owned() }));
            }
            let name = name.strip_prefix('k')?;
            if let Some(name) = find(DTYPES, name).or_else(|| find(LAYOUTS, name)) {
                return torch(name);
            }
            Some(Value::atom(format!("_torch.device(\"{}\")", find(DEVICES, name)?)))
        }
        _ => None,
    }
}

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

/// Methods of tensors without arguments that are the same in Python.
pub(super) const METHODS: &[&str] = &[
    "element_size",
    "is_complex",
    "is_conj",
    "is_contiguous",
    "is_floating_point",
    "is_inference",
    "is_neg",
    "is_signed",
];

/// What a method of tensors returns that is no call of an operator in Python.
pub(super) fn member(name: &str) -> Option<Kind> {
    Some(match name {
        "sym_sizes" | "sym_strides" => Kind::SymInts,
        "sizes" | "strides" => Kind::Ints,
        "sym_size" | "sym_stride" | "sym_numel" => Kind::SymInt,
        "size" | "stride" | "numel" | "dim" | "ndimension" | "element_size" => Kind::Int,
        "scalar_type" | "dtype" => Kind::Dtype,
        "layout" => Kind::Layout,
        "device" => Kind::Device,
        "options" => Kind::Options,
        "defined" => Kind::Bool,
        _ if ATTRIBUTES.contains(&name) || METHODS.contains(&name) => Kind::Bool,
        _ => return None,
    })
}
