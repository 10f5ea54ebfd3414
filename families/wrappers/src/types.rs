//! The forms of PyTorch's types, and their C++ spellings in the signatures of kernels.
//!
//! Invariant: kernels take plain numbers; the dispatcher unpacks symbolic ones. The spellings are
//! those of Declarations.yaml, which a test compares for all operators.

use torchgen_model::model::{Argument, BaseTy, FunctionSchema, Return, Type};

/// The form of a type's suffixes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TypeSuffixes {
    Plain,
    Optional,
    List,
    OptionalList,
    ListOfOptional,
}

/// The form of a type, and the size of a list if it is fixed.
pub(super) fn form(ty: &Type) -> (TypeSuffixes, Option<u32>) {
    match ty {
        Type::Optional(elem) => match &**elem {
            Type::List(_, size) => (TypeSuffixes::OptionalList, *size),
            _ => (TypeSuffixes::Optional, None),
        },
        Type::List(elem, size) if matches!(**elem, Type::Base(_)) => (TypeSuffixes::List, *size),
        Type::List(..) => (TypeSuffixes::ListOfOptional, None),
        _ => (TypeSuffixes::Plain, None),
    }
}

/// The type without its suffixes. `operators::check_types` refuses types without one.
pub(super) fn kind(ty: &Type) -> BaseTy {
    ty.base().unwrap_or(BaseTy::GraphModule)
}

/// The C++ type of a kernel's parameter.
///
/// `lists_refer` is set for structured operators, whose lists of tensors have a type of their own.
pub(super) fn parameter(argument: &Argument, lists_refer: bool, constant: bool) -> String {
    let (form, size) = form(&argument.ty);
    let written = argument.is_write() && !constant;
    match (kind(&argument.ty), form) {
        (BaseTy::Tensor, TypeSuffixes::Plain) if written => "at::Tensor &".to_owned(),
        (BaseTy::Tensor, TypeSuffixes::Plain) => "const at::Tensor &".to_owned(),
        (BaseTy::Tensor, TypeSuffixes::List) if lists_refer && !argument.is_write() => {
            "const at::ITensorListRef &".to_owned()
        }
        (BaseTy::Tensor, TypeSuffixes::List) => "at::TensorList".to_owned(),
        (BaseTy::Tensor, TypeSuffixes::ListOfOptional) => format!("const c10::List<{}> &", optional("at::Tensor")),
        (BaseTy::Tensor, _) if written => format!("{} &", optional("at::Tensor")),
        (BaseTy::Tensor, _) => format!("const {} &", optional("at::Tensor")),
        (BaseTy::Int | BaseTy::SymInt, TypeSuffixes::List) => "at::IntArrayRef".to_owned(),
        (BaseTy::Int | BaseTy::SymInt, TypeSuffixes::OptionalList) => "at::OptionalIntArrayRef".to_owned(),
        (BaseTy::Scalar, TypeSuffixes::Plain) => "const at::Scalar &".to_owned(),
        (BaseTy::Scalar, TypeSuffixes::Optional) => format!("const {} &", optional("at::Scalar")),
        (BaseTy::Bool, TypeSuffixes::List) if size.is_some() => {
            format!("::std::array<bool,{}>", size.unwrap_or_default())
        }
        (BaseTy::Dimname, TypeSuffixes::List) => "at::DimnameList".to_owned(),
        (BaseTy::Dimname, TypeSuffixes::OptionalList) => optional("at::DimnameList"),
        (kind, form) => {
            let plain = value(kind);
            match form {
                TypeSuffixes::Plain => plain,
                TypeSuffixes::Optional => optional(&plain),
                TypeSuffixes::List => array(&plain),
                TypeSuffixes::OptionalList => optional(&array(&plain)),
                TypeSuffixes::ListOfOptional => array(&optional(&plain)),
            }
        }
    }
}

/// The C++ type of a kernel's result.
pub(super) fn result(schema: &FunctionSchema) -> String {
    let one = |result: &Return| match (kind(&result.ty), form(&result.ty).0) {
        (BaseTy::Tensor, TypeSuffixes::Plain) if result.is_write() => "at::Tensor &".to_owned(),
        (BaseTy::Tensor, TypeSuffixes::List) => "::std::vector<at::Tensor>".to_owned(),
        (BaseTy::Tensor, _) => "at::Tensor".to_owned(),
        (BaseTy::SymInt, TypeSuffixes::Plain) => "c10::SymInt".to_owned(),
        (kind, TypeSuffixes::List) => format!("::std::vector<{}>", value(kind)),
        (kind, _) => value(kind),
    };
    match schema.returns.as_slice() {
        [] => "void".to_owned(),
        [result] => one(result),
        several => {
            format!("::std::tuple<{}>", several.iter().map(one).collect::<Vec<_>>().join(","))
        }
    }
}

/// The C++ type of a value.
fn value(kind: BaseTy) -> String {
    match kind {
        BaseTy::Int | BaseTy::SymInt => "int64_t".to_owned(),
        BaseTy::Float => "double".to_owned(),
        BaseTy::Bool => "bool".to_owned(),
        BaseTy::Str => "c10::string_view".to_owned(),
        BaseTy::SymBool => "c10::SymBool".to_owned(),
        other => format!("at::{other}"),
    }
}

fn optional(ty: &str) -> String {
    format!("::std::optional<{ty}>")
}

fn array(ty: &str) -> String {
    format!("at::ArrayRef<{ty}>")
}
