//! PyTorch's types in schema strings, and their C++ spellings in the signatures of kernels.
//!
//! Invariant: kernels take plain numbers; the dispatcher unpacks symbolic ones. The spellings are
//! those of Declarations.yaml, which a test compares for all operators.

use std::sync::LazyLock;

use torchgen_kit::schema::{DefaultForm, Return, Schema, Suffix, Type, TypeRow, TypeTable};

/// A type without its suffixes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Tensor,
    Int,
    SymInt,
    Float,
    Bool,
    Scalar,
    Str,
    ScalarType,
    Generator,
    Dimname,
    /// A class of `at::` that nothing here computes with.
    Opaque(&'static str),
}

/// A type of PyTorch.
pub(super) type TorchType = Type<Kind>;
/// An operator's schema.
pub(super) type TorchSchema = Schema<Kind>;

/// The form of a type's suffixes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    Plain,
    Optional,
    List,
    OptionalList,
    ListOfOptional,
}

/// The form of a type, and the size of a list if it is fixed.
pub(super) fn form(ty: &TorchType) -> (Form, Option<u32>) {
    let suffixes: Vec<Suffix> = ty.suffixes.iter().map(|suffix| suffix.value).collect();
    match suffixes.as_slice() {
        [] => (Form::Plain, None),
        [Suffix::Optional] => (Form::Optional, None),
        [Suffix::List(size)] => (Form::List, *size),
        [Suffix::List(size), Suffix::Optional] => (Form::OptionalList, *size),
        _ => (Form::ListOfOptional, None),
    }
}

/// All types.
pub(super) static TYPES: LazyLock<TypeTable<Kind>> = LazyLock::new(|| {
    use Kind::{Bool, Dimname, Float, Generator, Int, Opaque, Scalar, ScalarType, Str, SymInt, Tensor};
    let words = |words: &[&str]| DefaultForm::OneOf(words.iter().map(|&word| word.to_owned()).collect());
    let number = |kind| {
        let row = TypeRow::new(kind).any_length().default(DefaultForm::INT64);
        row.default(words(&["Mean", "Sum"])).list_default(DefaultForm::INT64)
    };
    let mut types = TypeTable::new();
    types.add("Tensor", TypeRow::new(Tensor).alias());
    types.add("int", number(Int));
    types.add("SymInt", number(SymInt));
    types.add("float", TypeRow::new(Float).default(DefaultForm::Float));
    types.add("bool", TypeRow::new(Bool).any_length().default(DefaultForm::Bool));
    let scalar = TypeRow::new(Scalar).default(DefaultForm::Float).default(DefaultForm::Bool);
    types.add("Scalar", scalar);
    types.add("str", TypeRow::new(Str).default(DefaultForm::Str));
    types.add("ScalarType", TypeRow::new(ScalarType).default(words(&["long", "float", "double", "int", "bool"])));
    types.add("Generator", TypeRow::new(Generator));
    types.add("Dimname", TypeRow::new(Dimname));
    types.add(
        "MemoryFormat",
        TypeRow::new(Opaque("MemoryFormat")).default(words(&["contiguous_format", "preserve_format"])),
    );
    for name in ["Layout", "Device", "DeviceIndex", "Storage", "Stream", "QScheme", "SymBool"] {
        types.add(name, TypeRow::new(Opaque(name)).alias());
    }
    types
});

/// The C++ type of a kernel's parameter.
///
/// `lists_refer` is set for structured operators, whose lists of tensors have a type of their own.
pub(super) fn parameter(ty: &TorchType, lists_refer: bool, constant: bool) -> String {
    let (form, size) = form(ty);
    let written = ty.is_write() && !constant;
    match (ty.kind, form) {
        (Kind::Tensor, Form::Plain) if written => "at::Tensor &".to_owned(),
        (Kind::Tensor, Form::Plain) => "const at::Tensor &".to_owned(),
        (Kind::Tensor, Form::List) if lists_refer && !ty.is_write() => "const at::ITensorListRef &".to_owned(),
        (Kind::Tensor, Form::List) => "at::TensorList".to_owned(),
        (Kind::Tensor, Form::ListOfOptional) => format!("const c10::List<{}> &", optional("at::Tensor")),
        (Kind::Tensor, _) if written => format!("{} &", optional("at::Tensor")),
        (Kind::Tensor, _) => format!("const {} &", optional("at::Tensor")),
        (Kind::Int | Kind::SymInt, Form::List) => "at::IntArrayRef".to_owned(),
        (Kind::Int | Kind::SymInt, Form::OptionalList) => "at::OptionalIntArrayRef".to_owned(),
        (Kind::Scalar, Form::Plain) => "const at::Scalar &".to_owned(),
        (Kind::Scalar, Form::Optional) => format!("const {} &", optional("at::Scalar")),
        (Kind::Bool, Form::List) if size.is_some() => format!("::std::array<bool,{}>", size.unwrap_or_default()),
        (Kind::Dimname, Form::List) => "at::DimnameList".to_owned(),
        (Kind::Dimname, Form::OptionalList) => optional("at::DimnameList"),
        (_, form) => {
            let plain = value(ty.kind);
            match form {
                Form::Plain => plain,
                Form::Optional => optional(&plain),
                Form::List => array(&plain),
                Form::OptionalList => optional(&array(&plain)),
                Form::ListOfOptional => array(&optional(&plain)),
            }
        }
    }
}

/// The C++ type of a kernel's result.
pub(super) fn result(schema: &TorchSchema) -> String {
    let one = |result: &Return<Kind>| match (result.ty.kind, form(&result.ty).0) {
        (Kind::Tensor, Form::Plain) if result.ty.is_write() => "at::Tensor &".to_owned(),
        (Kind::Tensor, Form::List) => "::std::vector<at::Tensor>".to_owned(),
        (Kind::Tensor, _) => "at::Tensor".to_owned(),
        (Kind::SymInt, Form::Plain) => "c10::SymInt".to_owned(),
        (kind, Form::List) => format!("::std::vector<{}>", value(kind)),
        (kind, _) => value(kind),
    };
    match schema.results() {
        [] => "void".to_owned(),
        [result] => one(result),
        several => {
            format!("::std::tuple<{}>", several.iter().map(|result| one(result)).collect::<Vec<_>>().join(","))
        }
    }
}

/// The C++ type of a value.
pub(super) fn value(kind: Kind) -> String {
    match kind {
        Kind::Tensor => "at::Tensor".to_owned(),
        Kind::Int | Kind::SymInt => "int64_t".to_owned(),
        Kind::Float => "double".to_owned(),
        Kind::Bool => "bool".to_owned(),
        Kind::Scalar => "at::Scalar".to_owned(),
        Kind::Str => "c10::string_view".to_owned(),
        Kind::ScalarType => "at::ScalarType".to_owned(),
        Kind::Generator => "at::Generator".to_owned(),
        Kind::Dimname => "at::Dimname".to_owned(),
        Kind::Opaque("SymBool") => "c10::SymBool".to_owned(),
        Kind::Opaque(name) => format!("at::{name}"),
    }
}

fn optional(ty: &str) -> String {
    format!("::std::optional<{ty}>")
}

fn array(ty: &str) -> String {
    format!("at::ArrayRef<{ty}>")
}
