//! How a node stores what is saved: the type of its field, its form in formulas, and its form in
//! Python.
//!
//! Invariant: fields own their contents. Rule: tools/autograd/gen_autograd_functions.py,
//! `save_var`.

use serde::Serialize;

use torchgen_api::autograd::{DifferentiabilityInfo, SavedAttribute, SavedFrom};
use torchgen_api::{BaseCppType, CType, CTypeKind};
use torchgen_base::diag::{CodeInfo, Diagnostic};
use torchgen_model::codes;
use torchgen_model::model::{Target, cpp_names};

/// How a value is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum StorageKind {
    /// A tensor, which the graph tracks.
    Tensor,
    /// A list of them.
    Tensors,
    /// A list of optional ones.
    OptionalTensors,
    /// A list of scalars.
    Scalars,
    /// Anything else, unchanged.
    Value,
}

/// What Python shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
enum Getter {
    None,
    Tensor,
    Tensors,
    Scalars,
    Ints,
    SymInts,
    Doubles,
    Int,
    SymInt,
    Double,
    Bool,
    String,
    Scalar,
}

/// How a field represents a missing value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
enum Absence {
    /// It cannot.
    Never,
    /// It is an optional.
    Value,
    /// It contains an optional list.
    List,
}

/// Something that a node stores.
#[derive(Debug, Serialize)]
pub(crate) struct Saved<'a> {
    pub name: &'a str,
    pub(crate) kind: StorageKind,
    /// The type of the field, unless the kind implies it.
    ty: &'a str,
    /// The initial value of the field, if its type does not imply it.
    initial: Option<&'static str>,
    is_output: bool,
    getter: Getter,
    optional: Absence,
    #[serde(skip)]
    is_optional_tensor: bool,
}

impl<'a> Saved<'a> {
    /// The field for something of an input or an output.
    ///
    /// # Errors
    /// Its type refers to a value that does not outlive the call.
    pub(super) fn new(
        info: &DifferentiabilityInfo<'_>,
        saved: &'a SavedAttribute,
        from: SavedFrom,
        target: Target,
    ) -> Result<Self, Diagnostic> {
        use BaseCppType::*;
        let is_output = from == SavedFrom::Output;
        let ty = &saved.ty;
        if target.refuses_what_cannot_compile && !is_taken(ty) {
            let message =
                format!("a node cannot save `{}`, a `{ty}`, which compiled autograd does not support", shown(saved));
            return Err(error(info, saved, &codes::CANNOT_SAVE, message));
        }
        let base = |base: BaseCppType| CType::base(base);
        let value = |ty, optional, getter| (StorageKind::Value, ty, optional, getter);
        let (kind, ty, optional, getter) = match ty {
            _ if is_tensor(ty) || (ty.is(Scalar) && is_output) => {
                (StorageKind::Tensor, "", Absence::Never, Getter::Tensor)
            }
            _ if ty.is(TensorList) || ty.is(ITensorListRef) => {
                (StorageKind::Tensors, "", Absence::Never, Getter::Tensors)
            }
            // The result of a foreach operator with derivatives of its own.
            _ if *ty == base(Tensor).vector() && is_output && info.is_foreach() => {
                (StorageKind::Tensors, "", Absence::Never, Getter::Tensors)
            }
            _ if *ty == base(Tensor).optional().list() => {
                (StorageKind::OptionalTensors, "", Absence::Never, Getter::Tensors)
            }
            _ if *ty == base(Scalar).array_ref() => {
                (StorageKind::Scalars, "std::vector<at::Scalar>", Absence::Never, Getter::Scalars)
            }
            _ if ty.is(IntArrayRef) => value("std::vector<int64_t>", Absence::Never, Getter::Ints),
            _ if ty.is(SymIntArrayRef) => value("std::vector<c10::SymInt>", Absence::Never, Getter::SymInts),
            _ if ty.is(OptionalIntArrayRef) || *ty == base(IntArrayRef).optional() => {
                value("c10::OptionalArray<int64_t>", Absence::List, Getter::Ints)
            }
            _ if ty.is(OptionalSymIntArrayRef) || *ty == base(SymIntArrayRef).optional() => {
                value("c10::OptionalArray<c10::SymInt>", Absence::List, Getter::SymInts)
            }
            _ if *ty == base(Double).array_ref().optional() => {
                value("c10::OptionalArray<double>", Absence::List, Getter::Doubles)
            }
            _ if ty.is(Long) => value(ty.cpp_type(), Absence::Never, Getter::Int),
            _ if ty.is(SymInt) => value("c10::SymInt", Absence::Never, Getter::SymInt),
            _ if ty.is(String) => value("std::string", Absence::Never, Getter::String),
            _ if *ty == base(String).optional() => value("std::optional<std::string>", Absence::Value, Getter::String),
            _ if refers(ty) || *ty == base(Tensor).vector() => return Err(cannot_save(info, saved)),
            _ => {
                let (optional, getter) = plain(ty);
                value(ty.cpp_type(), optional, getter)
            }
        };
        let initial = initial(&saved.ty);
        let is_optional_tensor = kind == StorageKind::Tensor && matches!(saved.ty.kind(), CTypeKind::Optional(_));
        Ok(Saved { name: &saved.name, kind, ty, initial, is_output, getter, optional, is_optional_tensor })
    }

    /// The type in formulas.
    pub(crate) fn unpacked_type(&self) -> &'a str {
        match self.kind {
            StorageKind::Tensor => "Tensor",
            StorageKind::Tensors => "std::vector<Tensor>",
            StorageKind::OptionalTensors => "torch::List<std::optional<Tensor>>",
            StorageKind::Scalars | StorageKind::Value => self.ty,
        }
    }

    /// It is a tensor that may be `None`.
    pub(crate) fn is_optional_tensor(&self) -> bool {
        self.is_optional_tensor
    }

    /// It is a tensor, or a list of tensors.
    pub(super) fn is_tensors(&self) -> bool {
        !matches!(self.kind, StorageKind::Scalars | StorageKind::Value)
    }

    /// The node must be locked while the field is read or released.
    pub(crate) fn is_released(&self) -> bool {
        self.kind != StorageKind::Value
    }
}

fn is_tensor(ty: &CType) -> bool {
    let tensor = CType::base(BaseCppType::Tensor);
    *ty == tensor || *ty == tensor.optional() || *ty == tensor.optional().mut_ref()
}

/// The form in Python of a value that is stored unchanged. Most types have none yet.
fn plain(ty: &CType) -> (Absence, Getter) {
    use BaseCppType::*;
    let forms = [(Long, Getter::Int), (SymInt, Getter::SymInt), (Double, Getter::Double), (Scalar, Getter::Scalar)];
    if let Some((_, getter)) = forms.into_iter().find(|(base, _)| *ty == CType::base(*base).optional()) {
        return (Absence::Value, getter);
    }
    let getter = match ty.as_base() {
        Some(Double) => Getter::Double,
        Some(Bool) => Getter::Bool,
        Some(Scalar) => Getter::Scalar,
        _ => Getter::None,
    };
    (Absence::Never, getter)
}

/// Whether the type seems to refer to something that it does not own.
fn refers(ty: &CType) -> bool {
    let spelled = ty.cpp_type().to_ascii_lowercase();
    ["ref", "view", "tensorlist", "*", "&"].iter().any(|sign| spelled.contains(sign))
}

/// The initial value of a field, if it must be given.
fn initial(ty: &CType) -> Option<&'static str> {
    match ty.as_base() {
        Some(BaseCppType::Long) => Some("0"),
        Some(BaseCppType::Device) => Some("at::kCPU"),
        _ => None,
    }
}

/// Whether compiled autograd supports values of the type. Rule:
/// torch/csrc/dynamo/compiled_autograd.h.
fn is_taken(ty: &CType) -> bool {
    use BaseCppType::*;
    match ty.kind() {
        CTypeKind::Base(base) => !matches!(base, Generator | Storage | Stream | QScheme | SymBool | DeviceIndex),
        CTypeKind::Named(_) => true,
        CTypeKind::Optional(elem)
        | CTypeKind::Vector(elem)
        | CTypeKind::ArrayRef(elem)
        | CTypeKind::List(elem)
        | CTypeKind::ConstRef(elem)
        | CTypeKind::MutRef(elem) => is_taken(elem) && !matches!(ty.kind(), CTypeKind::ArrayRef(e) if e.is(Bool)),
        CTypeKind::Array(..) | CTypeKind::Tuple(_) | CTypeKind::Vectorized(_) | CTypeKind::Dict(..) => false,
    }
}

/// An error at the formula that saves something.
fn error(
    info: &DifferentiabilityInfo<'_>,
    saved: &SavedAttribute,
    code: &'static CodeInfo,
    message: String,
) -> Diagnostic {
    let saves = |list: &[SavedAttribute]| list.iter().any(|one| one.name == saved.name);
    let formula = info.derivatives.iter().find(|d| saves(&d.saved_inputs) || saves(&d.saved_outputs));
    Diagnostic::new(code, message)
        .at(formula.map_or(info.span, |formula| formula.span))
        .also(info.func.spans.func, "the operator")
}

/// What is saved, as the author writes it.
fn shown(saved: &SavedAttribute) -> &str {
    cpp_names::written(&saved.expr)
}

fn cannot_save(info: &DifferentiabilityInfo<'_>, saved: &SavedAttribute) -> Diagnostic {
    let why = if refers(&saved.ty) { "does not own its data" } else { "only foreach operators can save" };
    let message = format!("a node cannot save `{}`, a `{}`, which {why}", shown(saved), saved.ty);
    error(info, saved, &codes::CANNOT_SAVE, message)
}
