//! Replays of views: objects that call a view again with saved arguments, and closures that undo
//! it.
//!
//! Invariant: a saved argument owns its value. The caller chooses namespaces. Rule:
//! tools/autograd/gen_view_funcs.py, `view_func_name`, and gen_inplace_or_view_type.py,
//! `emit_view_func`.

use super::title::title;
use crate::error::{ApiError, Result, UNSUPPORTED_TYPE};
use crate::{BaseCppType, Binding, CType, CTypeKind};
use torchgen_model::model::FunctionSchema;

/// The class that replays a view: `AsStridedViewFunc`.
pub fn view_func_name(func: &FunctionSchema) -> String {
    let name = format!("{}_view_func", func.name.unambiguous_name());
    let private = if name.starts_with('_') { "_" } else { "" };
    format!("{private}{}", title(&name))
}

/// The macro that shows that the class exists: `AS_STRIDED_VIEW_FUNC_AVAILABLE`.
pub fn view_func_macro(func: &FunctionSchema) -> String {
    format!("{}_view_func_available", func.name.unambiguous_name()).to_uppercase()
}

/// An argument as a closure saves it.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Captured {
    /// Its name in the closure.
    pub name: String,
    /// The expression of a copy to be made under that name; `None` if the argument can be saved
    /// directly.
    pub(crate) copy: Option<String>,
}

/// How a closure saves an argument of one of ATen's views by value.
pub fn captured(argument: &Binding<'_>) -> Result<Captured> {
    let (name, ty) = (&*argument.name, &argument.nctype.ty);
    let kept = |name: String, copy: Option<String>| Ok(Captured { name, copy });
    match ty.kind() {
        CTypeKind::Base(BaseCppType::IntArrayRef | BaseCppType::SymIntArrayRef) => {
            kept(format!("{name}_vec"), Some(format!("{name}.vec()")))
        }
        // Inverses take plain integers.
        CTypeKind::Optional(elem) if elem.is(BaseCppType::Long) => {
            kept(format!("{name}_val"), Some(format!("{name}.value_or(0)")))
        }
        _ if is_kept_as_it_is(ty) => kept(name.to_owned(), None),
        _ => Err(cannot_keep(name, ty)),
    }
}

/// An argument of a library's view as its replay saves it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Owned {
    /// The type of the field.
    pub ty: String,
    /// The initializer of the field.
    pub value: String,
    /// The argument that the view is called with.
    pub passed: String,
}

/// How the replay of a library's view saves an argument.
///
/// # Errors
/// The type refers to a value that may be gone by then, and no owning type is known for it.
pub fn owned(argument: &Binding<'_>) -> Result<Owned> {
    let (name, ty) = (&*argument.name, &argument.nctype.ty);
    let plain = |ty: &str, value: String| Ok(Owned { ty: ty.to_owned(), value, passed: name.to_owned() });
    let list = |elem: &str| plain(&format!("::std::vector<{elem}>"), format!("{name}.vec()"));
    // An optional list owns its elements; the reference to it is made when it is passed on.
    let optional_list = |elem: &str, reference: &str| {
        let vector = format!("::std::vector<{elem}>");
        Ok(Owned {
            ty: format!("::std::optional<{vector}>"),
            value: format!("{name}.has_value() ? ::std::optional<{vector}>({name}->vec()) : ::std::nullopt"),
            passed: format!("{name}.has_value() ? {reference}(*{name}) : {reference}()"),
        })
    };
    match ty.kind() {
        CTypeKind::Base(BaseCppType::IntArrayRef) => list("int64_t"),
        CTypeKind::Base(BaseCppType::SymIntArrayRef) => list("c10::SymInt"),
        CTypeKind::Base(BaseCppType::TensorList) => list("at::Tensor"),
        CTypeKind::ArrayRef(elem) if owns_its_value(elem) => list(elem.cpp_type()),
        CTypeKind::Base(BaseCppType::OptionalIntArrayRef) => optional_list("int64_t", ty.cpp_type()),
        CTypeKind::Base(BaseCppType::OptionalSymIntArrayRef) => optional_list("c10::SymInt", ty.cpp_type()),
        CTypeKind::Base(BaseCppType::String) => plain("::std::string", format!("::std::string({name})")),
        CTypeKind::Optional(elem) => match elem.kind() {
            CTypeKind::Base(BaseCppType::IntArrayRef) => optional_list("int64_t", ty.cpp_type()),
            CTypeKind::Base(BaseCppType::SymIntArrayRef) => optional_list("c10::SymInt", ty.cpp_type()),
            CTypeKind::Base(BaseCppType::TensorList) => optional_list("at::Tensor", ty.cpp_type()),
            CTypeKind::ArrayRef(elem) if owns_its_value(elem) => optional_list(elem.cpp_type(), ty.cpp_type()),
            CTypeKind::Base(BaseCppType::String) => {
                let kept = "::std::optional<::std::string>";
                plain(kept, format!("{kept}({name})"))
            }
            _ if owns_its_value(elem) => plain(ty.cpp_type(), name.to_owned()),
            _ => Err(cannot_keep(name, ty)),
        },
        _ if owns_its_value(ty) => {
            let ty = ty.remove_const_ref();
            // Copies of such a list share its elements.
            let value =
                if matches!(ty.kind(), CTypeKind::List(_)) { format!("{name}.copy()") } else { name.to_owned() };
            plain(ty.cpp_type(), value)
        }
        _ => Err(cannot_keep(name, ty)),
    }
}

fn cannot_keep(name: &str, ty: &CType) -> ApiError {
    let message = format!("a view cannot save a `{ty}` for its replay");
    ApiError::new(&UNSUPPORTED_TYPE, message).about(name)
}

/// ATen's views accept such arguments.
fn is_kept_as_it_is(ty: &CType) -> bool {
    use BaseCppType::{Bool, Long, SymInt, Tensor};
    match ty.kind() {
        CTypeKind::Base(Long | SymInt | Bool) => true,
        CTypeKind::Optional(elem) => elem.is(SymInt),
        CTypeKind::ConstRef(elem) => match elem.kind() {
            CTypeKind::Optional(elem) => elem.is(Tensor),
            _ => elem.is(Tensor),
        },
        _ => false,
    }
}

fn owns_its_value(ty: &CType) -> bool {
    use BaseCppType::*;
    match ty.kind() {
        CTypeKind::Base(base) => !matches!(
            base,
            String
                | OptionalTensorRef
                | TensorList
                | ITensorListRef
                | IOptTensorListRef
                | OptionalScalarRef
                | IntArrayRef
                | SymIntArrayRef
                | OptionalIntArrayRef
                | OptionalSymIntArrayRef
        ),
        CTypeKind::Named(_) => true,
        CTypeKind::ConstRef(elem)
        | CTypeKind::Vector(elem)
        | CTypeKind::Array(elem, _)
        | CTypeKind::Optional(elem)
        | CTypeKind::List(elem) => owns_its_value(elem),
        CTypeKind::Tuple(elems) => elems.iter().all(owns_its_value),
        CTypeKind::Dict(key, value) => owns_its_value(key) && owns_its_value(value),
        CTypeKind::MutRef(_) | CTypeKind::ArrayRef(_) | CTypeKind::Vectorized(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use torchgen_kit::driver::data::Tables;
    use torchgen_model::model::Language;
    use torchgen_model::parse;

    fn check(schema: &str, class: &str, available: &str) {
        let func = parse::schema::parse(schema, Language::Torchgen, Tables::embedded()).unwrap();
        assert_eq!(view_func_name(&func), class);
        assert_eq!(view_func_macro(&func), available);
    }

    #[test]
    fn names() {
        check(
            "select.int(Tensor(a) self, int dim, SymInt index) -> Tensor(a)",
            "SelectIntViewFunc",
            "SELECT_INT_VIEW_FUNC_AVAILABLE",
        );
        check("_conj(Tensor(a) self) -> Tensor(a)", "_ConjViewFunc", "_CONJ_VIEW_FUNC_AVAILABLE");
        check("view2d(Tensor(a) self) -> Tensor(a)", "View2DViewFunc", "VIEW2D_VIEW_FUNC_AVAILABLE");
    }
}
