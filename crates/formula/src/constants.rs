//! The constants that formulas can name: what each is in C++, and in Python.
//!
//! Invariant: a constant is here only if every torch version has it. One without a form in Python
//! has no translation.

use super::vocabulary::words;
use super::{Path, ValueKind};
use torchgen_model::model::scalar_types::ScalarType;

/// A constant: its name in C++, and its form in Python, if it has one.
type Constant = (&'static str, Option<&'static str>);

/// Layouts, and their names in the module `torch`.
const LAYOUTS: &[Constant] = &[
    ("Strided", Some("strided")),
    ("Sparse", Some("sparse_coo")),
    ("SparseCsr", Some("sparse_csr")),
    ("SparseCsc", Some("sparse_csc")),
    ("SparseBsr", Some("sparse_bsr")),
    ("SparseBsc", Some("sparse_bsc")),
    ("Mkldnn", None),
    ("Jagged", Some("jagged")),
];

/// Types of devices, and what `torch.device` calls them.
const DEVICES: &[Constant] = &[
    ("CPU", Some("cpu")),
    ("CUDA", Some("cuda")),
    ("Meta", Some("meta")),
    ("XPU", Some("xpu")),
    ("MPS", Some("mps")),
    ("PrivateUse1", Some("privateuseone")),
];

/// Memory formats, and their names in the module `torch`.
const FORMATS: &[Constant] = &[
    ("Contiguous", Some("contiguous_format")),
    ("Preserve", Some("preserve_format")),
    ("ChannelsLast", Some("channels_last")),
    ("ChannelsLast3d", Some("channels_last_3d")),
];

/// How losses are reduced, and the numbers of it.
const REDUCTIONS: &[Constant] = &[("None", Some("0")), ("Mean", Some("1")), ("Sum", Some("2"))];

/// Numbers by their macros, and their expressions in Python.
const NUMBERS: &[Constant] = &[
    ("M_PI", Some("_math.pi")),
    ("M_E", Some("_math.e")),
    ("M_LN2", Some("_math.log(2)")),
    ("M_LN10", Some("_math.log(10)")),
    ("M_SQRT2", Some("_math.sqrt(2)")),
    ("M_SQRT1_2", Some("_math.sqrt(0.5)")),
    ("M_PI_2", Some("(_math.pi / 2)")),
    ("M_PI_4", Some("(_math.pi / 4)")),
    ("M_2_PI", Some("(2 / _math.pi)")),
    ("M_1_PI", Some("(1 / _math.pi)")),
    ("M_2_SQRTPI", Some("(2 / _math.sqrt(_math.pi))")),
    ("INFINITY", Some("_math.inf")),
    ("NAN", Some("_math.nan")),
];

/// The names of the numbers.
pub(super) fn numbers() -> impl Iterator<Item = &'static str> {
    NUMBERS.iter().map(|(name, _)| *name)
}

/// Where a constant is in Python.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum In {
    /// In the module `torch`.
    Torch,
    /// An argument of `torch.device`.
    Device,
    /// It is an expression.
    Itself,
}

/// The constant of a path: its kind, where it is, and its form in Python.
fn find(parts: &[String]) -> Option<(ValueKind, In, Option<&'static str>)> {
    let of = |kind: ValueKind, place: In, table: &[Constant], name: &str| {
        table.iter().find(|(known, _)| *known == name).map(|(_, python)| (kind, place, *python))
    };
    let dtype = |name: &str| {
        let found = ScalarType::of_tensors().find(|ty| ty.cpp == name)?;
        Some((ValueKind::Dtype, In::Torch, Some(found.torch)))
    };
    match words(parts).as_slice() {
        ["true"] => Some((ValueKind::Bool, In::Itself, Some("True"))),
        ["false"] => Some((ValueKind::Bool, In::Itself, Some("False"))),
        ["nullopt"] | ["std", "nullopt"] => Some((ValueKind::Nothing, In::Itself, Some("None"))),
        ["ScalarType", name] => dtype(name),
        ["MemoryFormat", name] => of(ValueKind::MemoryFormat, In::Torch, FORMATS, name),
        ["Layout", name] => of(ValueKind::Layout, In::Torch, LAYOUTS, name),
        ["DeviceType", name] => of(ValueKind::Device, In::Device, DEVICES, name),
        ["Reduction", name] => of(ValueKind::Int, In::Itself, REDUCTIONS, name),
        [name] => of(ValueKind::Float, In::Itself, NUMBERS, name).or_else(|| {
            let name = name.strip_prefix('k')?;
            dtype(name)
                .or_else(|| of(ValueKind::Layout, In::Torch, LAYOUTS, name))
                .or_else(|| of(ValueKind::Device, In::Device, DEVICES, name))
        }),
        _ => None,
    }
}

/// The kind of a constant.
pub(super) fn constant(path: &Path) -> Option<ValueKind> {
    find(&path.parts).map(|(kind, ..)| kind)
}

/// The expression of a constant in Python; `None` if the name is none, or Python lacks it.
pub fn constant_in_python(parts: &[String]) -> Option<String> {
    let (_, place, text) = find(parts)?;
    let text = text?;
    Some(match place {
        In::Torch => format!("_torch.{text}"),
        In::Device => format!("_torch.device(\"{text}\")"),
        In::Itself => text.to_owned(),
    })
}

/// The constant that a name is probably meant to be.
pub(super) fn misspelt_number(name: &str) -> Option<&'static str> {
    let is_near = |number: &&str| number.replace('_', "") == name.replace('_', "");
    numbers().find(is_near).filter(|number| *number != name)
}

/// Whether a path is a constant of known type.
pub fn is_constant(path: &Path) -> bool {
    constant(path).is_some()
}
