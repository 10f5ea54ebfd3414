//! The plumbing of one operator.
//!
//! Invariant: only their types distinguish tensors, optional tensors and lists of tensors; a list
//! is passed to the batching rule unchanged.

use serde::{Deserialize, Serialize};

use torchgen_api::CallingConvention;
use torchgen_api::Locals;
use torchgen_api::dispatcher::Dispatcher;
use torchgen_api::error::Result;
use torchgen_kit::driver::data::{self, Tables};
use torchgen_model::model::{Argument, BaseTy, NativeFunction, SchemaKind, Type};

#[derive(Deserialize)]
struct Table {
    returns_beside_tensors: Vec<String>,
}

impl data::Table for Table {
    const PATH: &'static str = "torch/vmap_plumbing.yaml";
}

/// What the plumbing returns.
#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
enum PlumbingReturn {
    /// New values.
    Functional,
    /// The first argument, which is mutable.
    Inplace,
    /// Nothing.
    NoReturns,
}

/// The plumbing of one operator.
#[derive(Serialize)]
pub(crate) struct Plumbing<'a> {
    kind: PlumbingReturn,
    /// The namespace of calls to operators.
    ops: &'a str,
    unambiguous_name: String,
    /// The code before the body.
    signature: String,
    arguments: Vec<Unwrapped<'a>>,
    returns: Vec<Wrapped>,
}

/// A parameter, and how it is passed to the batching rule.
#[derive(Serialize)]
struct Unwrapped<'a> {
    name: &'a str,
    /// It may be batched itself, or contain tensors that are.
    may_be_batched: bool,
    /// It is a tensor.
    tensor: bool,
    /// It is an optional tensor.
    optional_tensor: bool,
}

/// A result: a tensor or a list of them with its batch dimension, or some other value.
#[derive(Serialize)]
struct Wrapped {
    /// Its place among the batching rule's results; the batch dimension comes next.
    index: usize,
    tensor: bool,
    tensor_list: bool,
}

impl<'a> Plumbing<'a> {
    /// The plumbing, or `None` for an operator without one.
    pub(crate) fn new(f: &'a NativeFunction, ops: &'a str, tables: &Tables) -> Result<Option<Self>> {
        let Some(kind) = kind(f, tables) else { return Ok(None) };
        let func = &f.func;
        let unambiguous_name = func.name.unambiguous_name();
        let signature = Dispatcher::symbolic(Locals::for_operator(f)).signature(func)?;
        let arguments = func.schema_order_arguments().map(|a| Unwrapped {
            name: &a.name,
            may_be_batched: a.ty.is_tensor_like(),
            tensor: is_tensor(&a.ty),
            optional_tensor: is_optional_tensor(&a.ty),
        });
        let mut index = 0;
        let returns = func.returns.iter().map(|ret| {
            let wrapped = Wrapped { index, tensor: is_tensor(&ret.ty), tensor_list: is_tensor_list(&ret.ty) };
            index += if wrapped.tensor || wrapped.tensor_list { 2 } else { 1 };
            wrapped
        });
        Ok(Some(Plumbing {
            kind,
            ops,
            signature: signature.decl_as(&format!("{unambiguous_name}_generated_plumbing")),
            unambiguous_name,
            arguments: arguments.collect(),
            returns: returns.collect(),
        }))
    }
}

/// The kind of plumbing for the operator, if any.
fn kind(f: &NativeFunction, tables: &Tables) -> Option<PlumbingReturn> {
    let func = &f.func;
    let mut arguments = func.schema_order_arguments();
    if !arguments.clone().any(|a| a.ty.is_tensor_like()) {
        return None;
    }
    if func.returns.is_empty() {
        return Some(PlumbingReturn::NoReturns);
    }
    let returns_tensors = func.returns.iter().all(|ret| ret.ty.is_tensor_like())
        || tables.get::<Table>().returns_beside_tensors.contains(&func.name.unambiguous_name());
    // Views that change the argument's own geometry have hand-written plumbing.
    if !returns_tensors || f.has_tag("inplace_view") {
        return None;
    }
    match func.kind() {
        SchemaKind::Functional => Some(PlumbingReturn::Functional),
        SchemaKind::Inplace => {
            let writes_first = arguments.next().is_some_and(Argument::is_write) && !arguments.any(Argument::is_write);
            let returned = func.returns.iter().all(|ret| is_tensor(&ret.ty) || is_tensor_list(&ret.ty));
            (writes_first && returned).then_some(PlumbingReturn::Inplace)
        }
        SchemaKind::Out | SchemaKind::Mutable | SchemaKind::Scratch => None,
    }
}

fn is_tensor(ty: &Type) -> bool {
    ty.is(BaseTy::Tensor)
}

fn is_optional_tensor(ty: &Type) -> bool {
    matches!(ty, Type::Optional(elem) if is_tensor(elem))
}

fn is_tensor_list(ty: &Type) -> bool {
    matches!(ty, Type::List(elem, _) if is_tensor(elem))
}

#[cfg(test)]
mod tests {
    use super::{Table, Tables};

    #[test]
    fn embedded_table() {
        assert!(!Tables::embedded().get::<Table>().returns_beside_tensors.is_empty());
    }
}
