//! Checks in debug builds that a kernel below autograd does not replace the contents of tensors.
//!
//! Invariant: inputs keep implementation and storage; outputs are fresh, or share the storage of
//! their base. Rule: tools/autograd/gen_variable_type.py, `check_tensorimpl_and_storage`.

use std::borrow::Cow;

use serde::Serialize;

use super::operator::{DispatchedOperator, unpacked_name};
use crate::ItemError;
use crate::autograd_common::{modifies_arguments, storage_view_info, viewed_output};
use torchgen_api::{BaseCppType, CType, CTypeKind, SymInts, cpp, native};
use torchgen_base::diag::Diagnostic;
use torchgen_model::codes;
use torchgen_model::model::Target;

/// The checked value.
#[derive(Debug, Serialize)]
pub(crate) struct Checks<'s> {
    /// The kernel's name in messages.
    function: String,
    inputs: Vec<CheckedInput<'s>>,
    outputs: Vec<CheckedOutput<'s>>,
}

#[derive(Debug, Serialize)]
struct CheckedInput<'s> {
    name: Cow<'s, str>,
    kind: CheckedKind,
}

#[derive(Debug, Clone, Copy, Serialize)]
#[serde(rename_all = "snake_case")]
enum CheckedKind {
    Tensor,
    List,
    OptionalList,
}

impl CheckedKind {
    fn from_type(ty: CType) -> Option<CheckedKind> {
        match ty.remove_const_ref().kind() {
            CTypeKind::Base(BaseCppType::Tensor) => Some(CheckedKind::Tensor),
            CTypeKind::Base(BaseCppType::TensorList | BaseCppType::ITensorListRef) => Some(CheckedKind::List),
            CTypeKind::List(elem) if *elem == CType::base(BaseCppType::Tensor).optional() => {
                Some(CheckedKind::OptionalList)
            }
            _ => None,
        }
    }
}

#[derive(Debug, Serialize)]
struct CheckedOutput<'s> {
    name: Cow<'s, str>,
    /// The input whose storage it shares.
    alias_of: Option<String>,
    /// Nothing else uses its storage.
    fresh_storage: bool,
    /// Nothing else uses the tensor.
    fresh_tensor: bool,
}

/// The checks; empty for an operator that may replace the contents of its inputs, or that has no
/// tensors.
///
/// # Errors
/// A view with several outputs.
pub(crate) fn view<'s>(op: &DispatchedOperator<'s, '_>, target: Target) -> Result<Option<Checks<'s>>, ItemError> {
    let f = op.f;
    if op.traits.may_exchange_impl_or_storage {
        return Ok(None);
    }
    let mut inputs = Vec::new();
    for a in f.func.schema_order_arguments() {
        if let Some(kind) = CheckedKind::from_type(cpp::argument_type(a, SymInts::Kept, op.locals)?) {
            inputs.push(CheckedInput { name: unpacked_name(a), kind });
        }
    }
    let mut outputs = Vec::new();
    if !modifies_arguments(f) {
        let owner = storage_view_info(f, target);
        for (i, (ret, name)) in f.func.returns.iter().zip(cpp::return_names(f, "result")?).enumerate() {
            if !matches!(CheckedKind::from_type(cpp::return_type(ret, op.locals)?), Some(CheckedKind::Tensor)) {
                continue;
            }
            let owner = if target.views_of_any_form { viewed_output(f, ret)? } else { owner };
            if !target.views_of_any_form && owner.is_some() && i > 0 {
                let message = format!("the view `{}` has several outputs", f.func.name);
                return Err(Diagnostic::new(&codes::BAD_SHAPE, message)
                    .at(f.spans.func)
                    .help("a view returns one tensor or one list of tensors")
                    .into());
            }
            outputs.push(CheckedOutput {
                name,
                fresh_storage: owner.is_none() && !ret.given_back && !op.traits.may_share_storage,
                alias_of: owner.map(|owner| format!("{owner}_")),
                fresh_tensor: !ret.given_back && !op.traits.may_share_impl,
            });
        }
    }
    Ok((!inputs.is_empty()).then(|| Checks { function: native::name(&f.func), inputs, outputs }))
}
