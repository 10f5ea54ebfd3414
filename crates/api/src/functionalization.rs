//! View metas and view inverses, which functionalization uses to replay views and to propagate
//! mutations to their base.
//!
//! Invariant: a replay follows the dispatcher's convention with SymInts; its first tensor is always
//! called `base`. The caller chooses namespaces. Rule: torchgen/api/functionalization.py and
//! gen_functionalization_type.py.

use std::borrow::Cow;
use std::sync::LazyLock;

use serde::Serialize;

use super::base_type::BaseCppType;
use super::binding::Binding;
use super::cpp::TypeStyle;
use super::ctype::{CType, CTypeKind};
use super::error::{ApiError, BAD_SHAPE, Result, UNSUPPORTED_TYPE};
use super::signature::{CallingConvention, Convention, SymInts};
use super::{Locals, dispatcher, literal};
use torchgen_kit::driver::data::Tables;
use torchgen_model::model::rules::Rules;
use torchgen_model::model::schema::ArgumentRef;
use torchgen_model::model::{Argument, BaseTy, FunctionSchema, Type};

/// The namespace of ATen's view inverses.
pub const AT_INVERSES: &str = "at::functionalization::FunctionalInverses";
/// The namespace of ATen's view metas.
pub const AT_VIEW_METAS: &str = "at::functionalization";

/// The parameters that are not in any schema. They represent themselves.
struct Extra {
    base: Argument,
    mutated_view: Argument,
    has_symbolic_inputs: Argument,
    out_index: Argument,
    reapply_views: Argument,
    inverse_return_mode: Argument,
}

static EXTRA: LazyLock<Extra> = LazyLock::new(|| Extra {
    base: Argument::new("base", Type::Base(BaseTy::Tensor)),
    mutated_view: Argument::new("mutated_view", Type::Base(BaseTy::Tensor)),
    has_symbolic_inputs: Argument::new("has_symbolic_inputs", Type::Base(BaseTy::Bool)),
    out_index: Argument::new("out_index", Type::Base(BaseTy::Int)),
    reapply_views: Argument::new("reapply_views", Type::Base(BaseTy::Bool)),
    // No schema type describes this, and nothing reads it.
    inverse_return_mode: Argument::new("inverse_return_mode", Type::Base(BaseTy::Bool)),
});

fn extra(argument: &'static Argument, ty: impl Into<CType>) -> Binding<'static> {
    Binding::new(&argument.name, ty, ArgumentRef::Arg(argument))
}

/// `base`: the tensor that is viewed.
pub fn base_binding() -> Binding<'static> {
    extra(&EXTRA.base, CType::base(BaseCppType::Tensor).const_ref())
}

/// `mutated_view`: the view after a mutation.
pub fn mutated_view_binding() -> Binding<'static> {
    extra(&EXTRA.mutated_view, CType::base(BaseCppType::Tensor).const_ref())
}

/// `has_symbolic_inputs`: whether a SymInt of the view is symbolic.
pub fn has_symbolic_inputs_binding() -> Binding<'static> {
    extra(&EXTRA.has_symbolic_inputs, BaseCppType::Bool)
}

/// `out_index`: which of several outputs.
pub fn out_index_binding() -> Binding<'static> {
    extra(&EXTRA.out_index, BaseCppType::Long)
}

/// `reapply_views`: whether to replay the view itself instead of its copy variant.
pub fn reapply_views_binding() -> Binding<'static> {
    extra(&EXTRA.reapply_views, BaseCppType::Bool)
}

/// `inverse_return_mode`: whether an inverse may return a view.
pub fn inverse_return_mode_binding() -> Binding<'static> {
    extra(&EXTRA.inverse_return_mode, BaseCppType::InverseReturnMode)
}

/// The class that represents a view, within a namespace if one is given.
pub fn classname(func: &FunctionSchema, namespace: Option<&str>) -> String {
    qualified(namespace, &format!("{}_ViewMeta", func.name.unambiguous_name()))
}

/// The function that replays a view or its copy variant: the operator's `call` in the namespace of
/// operators.
pub fn forward_name(func: &FunctionSchema, ops: &str) -> String {
    format!("{ops}::{}::call", func.name.unambiguous_name())
}

/// The function that propagates a mutation of a view to its base, within a namespace if one is
/// given.
pub fn reverse_name(view: &FunctionSchema, namespace: Option<&str>) -> String {
    qualified(namespace, &format!("{}_inverse", view.name.unambiguous_name()))
}

fn qualified(namespace: Option<&str>, name: &str) -> String {
    match namespace {
        Some(namespace) => format!("{namespace}::{name}"),
        None => name.to_owned(),
    }
}

/// What a replay returns: one tensor, even if the view has several.
///
/// # Errors
/// The view returns something other than tensors.
pub fn returns_type(func: &FunctionSchema) -> Result<CType> {
    if func.returns.is_empty() || !func.returns.iter().all(|r| r.ty.is_tensor_like()) {
        return Err(ApiError::new(
            &BAD_SHAPE,
            format!("view `{}` must have outputs, and all of them must be tensors", func.name),
        ));
    }
    Ok(BaseCppType::Tensor.into())
}

/// Whether a view may return several tensors.
pub fn is_multi_output(func: &FunctionSchema) -> bool {
    match &*func.returns {
        [single] => single.ty.is_list_like().is_some(),
        several => several.len() > 1,
    }
}

/// Parameters of a view meta's constructor for its base class.
pub fn base_ctor_arguments(func: &FunctionSchema) -> Vec<Binding<'static>> {
    let mut arguments = vec![has_symbolic_inputs_binding()];
    if is_multi_output(func) {
        arguments.push(out_index_binding());
    }
    arguments
}

/// Parameters of a view meta's constructor that it stores itself.
///
/// # Errors
/// An argument has no C++ type, or the first is not a tensor.
pub fn extra_ctor_arguments(func: &FunctionSchema, locals: Locals) -> Result<Vec<Binding<'_>>> {
    attributes(func, Ownership::Refers, locals)
}

/// Whether the types of fields own their values or refer to those of others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ownership {
    /// They own them.
    Owns,
    /// They own lists of integers only.
    OwnsLists,
    /// They refer to them.
    Refers,
}

impl Ownership {
    /// That of stored arguments.
    pub fn stored(tables: &Tables) -> Ownership {
        if Rules::of_tables(tables).values_own_tensors { Ownership::Owns } else { Ownership::OwnsLists }
    }

    /// The types of arguments that are kept like this.
    pub fn style(self, locals: Locals) -> TypeStyle {
        TypeStyle {
            sym_ints: SymInts::Kept,
            remove_non_owning_ref_types: self != Ownership::Refers,
            refers_to_tensors: self == Ownership::OwnsLists,
            locals,
            ..TypeStyle::default()
        }
    }
}

/// The fields of a view meta.
///
/// # Errors
/// An argument has no C++ type, or the first is not a tensor.
pub fn attributes(func: &FunctionSchema, ownership: Ownership, locals: Locals) -> Result<Vec<Binding<'_>>> {
    let mut bindings = vec![reapply_views_binding(), inverse_return_mode_binding()];
    bindings.extend(arguments_after_base(func, ownership, locals)?);
    Ok(bindings)
}

/// The parameters of a replay.
///
/// # Errors
/// An argument has no C++ type, or the first is not a tensor.
pub fn replay_arguments(func: &FunctionSchema, locals: Locals) -> Result<Vec<Binding<'_>>> {
    let mut bindings = vec![base_binding()];
    bindings.extend(arguments_after_base(func, Ownership::Refers, locals)?);
    Ok(bindings)
}

fn arguments_after_base(func: &FunctionSchema, ownership: Ownership, locals: Locals) -> Result<Vec<Binding<'_>>> {
    let mut arguments = func.arguments.flat_all();
    match arguments.next() {
        Some(base) if base.ty == Type::Base(BaseTy::Tensor) => {}
        other => {
            let error =
                ApiError::new(&BAD_SHAPE, format!("the first argument of view `{}` must be a `Tensor`", func.name));
            return Err(match other {
                Some(first) => error.about(&first.name),
                None => error,
            });
        }
    }
    arguments.map(|a| dispatcher::argument(a, ownership.style(locals))).collect()
}

/// The convention of views' inverses.
#[derive(Debug, Clone, Copy, Default)]
pub struct ViewInverse {
    /// The toggles to apply.
    pub locals: Locals,
}

impl<'a> CallingConvention<'a> for ViewInverse {
    fn convention(&self) -> Convention {
        Convention::ViewInverse
    }

    fn sym_ints(&self) -> SymInts {
        SymInts::Kept
    }

    fn name(&self, view: &FunctionSchema) -> String {
        reverse_name(view, None)
    }

    fn arguments(&self, view: &'a FunctionSchema) -> Result<Vec<Binding<'a>>> {
        let mut bindings = vec![base_binding(), mutated_view_binding(), inverse_return_mode_binding()];
        if is_multi_output(view) {
            bindings.push(out_index_binding());
        }
        bindings.extend(arguments_after_base(view, Ownership::Refers, self.locals)?);
        Ok(bindings)
    }

    fn returns_type(&self, view: &FunctionSchema) -> Result<CType> {
        returns_type(view)
    }
}

/// The type that owns the contents of tensor lists, and the expression that converts to it. Other
/// types are unchanged.
pub fn owned(expr: &str, ty: CType) -> (CType, String) {
    let tensors = CType::base(BaseCppType::Tensor).vector();
    match ty.as_base() {
        Some(BaseCppType::TensorList) => (tensors, format!("{expr}.vec()")),
        Some(BaseCppType::ITensorListRef) => (tensors, literal::braced(&format!("{expr}.begin(), {expr}.end()"))),
        _ => (ty, expr.to_owned()),
    }
}

/// How to find out whether a value contains a symbolic integer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SymbolicCheck<'a> {
    /// The value.
    pub name: Cow<'a, str>,
    /// It may be absent.
    pub(crate) optional: bool,
    /// It is a list, whose elements are checked.
    pub(crate) list: bool,
}

impl<'a> SymbolicCheck<'a> {
    /// The check of a value of that type.
    ///
    /// # Errors
    /// The type has nothing to do with SymInts.
    pub fn new(name: impl Into<Cow<'a, str>>, ty: &CType) -> Result<SymbolicCheck<'a>> {
        let (optional, inner) = match ty.kind() {
            CTypeKind::Optional(elem) => (true, elem),
            _ => (false, ty),
        };
        let (optional, list) = match inner.kind() {
            CTypeKind::Base(BaseCppType::SymInt) => (optional, false),
            CTypeKind::Base(BaseCppType::SymIntArrayRef) => (optional, true),
            CTypeKind::Vector(elem) if elem.is(BaseCppType::SymInt) => (optional, true),
            CTypeKind::Base(BaseCppType::OptionalSymIntArrayRef) if !optional => (true, true),
            _ => {
                let message = format!("cannot determine whether a `{ty}` is symbolic");
                return Err(ApiError::new(&UNSUPPORTED_TYPE, message));
            }
        };
        Ok(SymbolicCheck { name: name.into(), optional, list })
    }
}
