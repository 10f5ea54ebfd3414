//! Kernels between the dispatcher and a backend, such as those for autograd, views and tracing:
//! they do their work and redispatch.
//!
//! Invariant: they follow the dispatcher's convention with SymInts, after the dispatch key set.
//! Rule: tools/autograd/gen_trace_type.py, `type_wrapper_name`, `tie_return_values` and
//! `get_return_value`.

use super::error::Result;
use super::{CType, Locals, cpp};
use crate::families::torch::api::CallingConvention;
use crate::families::torch::api::dispatcher::Dispatcher;
use crate::families::torch::model::{NativeFunction, SchemaKind};

/// The kernel's name: the C++ name of the operator and its overload.
pub(crate) fn name(f: &NativeFunction) -> String {
    let name = cpp::name(&f.func);
    match f.func.name.overload_name.as_str() {
        "" => name,
        overload => format!("{name}_{overload}"),
    }
}

/// The kernel's return type.
///
/// # Errors
/// Operators can't return it.
pub(crate) fn returns_type(f: &NativeFunction) -> Result<CType> {
    cpp::returns_type(&f.func.returns, Locals::of(f))
}

/// The parameters after the dispatch key set, each with its type.
///
/// # Errors
/// An argument has no C++ type.
pub(crate) fn parameters(f: &NativeFunction) -> Result<Vec<String>> {
    Ok(Dispatcher::symbolic(Locals::of(f)).arguments(&f.func)?.iter().map(|a| a.defn()).collect())
}

/// The name, or the names in brackets, that the kernel declares for the result of the call below.
///
/// # Errors
/// As [`cpp::return_names`].
pub(crate) fn declared(f: &NativeFunction) -> Result<String> {
    match &*f.func.returns {
        // Not renamed if an argument has the name; other returns are.
        [single] => Ok(single.name.as_deref().unwrap_or("result").to_owned()),
        _ => Ok(format!("[{}]", cpp::return_names(f, "result")?.join(", "))),
    }
}

/// The expression that the kernel ends with; `None` if it returns nothing.
///
/// # Errors
/// As [`cpp::return_names`].
pub(crate) fn returned(f: &NativeFunction) -> Result<Option<String>> {
    let names = cpp::return_names(f, "result")?;
    Ok(match &*names {
        [] => None,
        [single] => Some(single.to_string()),
        several if f.func.kind() == SchemaKind::Out => Some(format!("std::forward_as_tuple({})", several.join(", "))),
        several => {
            let moved: Vec<String> = several.iter().map(|name| format!("std::move({name})")).collect();
            Some(format!("std::make_tuple({})", moved.join(", ")))
        }
    })
}
