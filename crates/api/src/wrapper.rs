//! Kernels between the dispatcher and a backend, such as those for autograd, views and tracing:
//! they do their work and redispatch.
//!
//! Invariant: they follow the dispatcher's convention with SymInts, after the dispatch key set.
//! Rule: tools/autograd/gen_trace_type.py, `type_wrapper_name`, `tie_return_values` and
//! `get_return_value`.

use super::binding::Binding;
use super::dispatcher::Dispatcher;
use super::error::Result;
use super::signature::{CallingConvention, Convention, Signature, SymInts};
use super::{CType, Locals, cpp, native};
use torchgen_model::model::{FunctionSchema, NativeFunction, SchemaKind};

/// The convention. The parameters are those after the dispatch key set.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Wrapper {
    /// The toggles to apply.
    pub locals: Locals,
}

impl<'a> CallingConvention<'a> for Wrapper {
    fn convention(&self) -> Convention {
        Convention::Wrapper
    }

    fn sym_ints(&self) -> SymInts {
        SymInts::Kept
    }

    /// The C++ name of the operator and its overload.
    fn name(&self, func: &FunctionSchema) -> String {
        native::name(func)
    }

    fn arguments(&self, func: &'a FunctionSchema) -> Result<Vec<Binding<'a>>> {
        Dispatcher::symbolic(self.locals).arguments(func)
    }

    fn returns_type(&self, func: &FunctionSchema) -> Result<CType> {
        cpp::returns_type(&func.returns, self.locals)
    }
}

/// The signature of an operator's kernel.
pub fn signature(f: &NativeFunction) -> Result<Signature<'_>> {
    Wrapper { locals: Locals::for_operator(f) }.signature(&f.func)
}

/// The name, or the names in brackets, that the kernel declares for the result of the call below.
pub fn declared(f: &NativeFunction) -> Result<String> {
    match &*f.func.returns {
        // Not renamed if an argument has the name; other returns are.
        [single] => Ok(single.cpp_name().unwrap_or("result").to_owned()),
        _ => Ok(format!("[{}]", cpp::return_names(f, "result")?.join(", "))),
    }
}

/// The expression that the kernel ends with; `None` if it returns nothing.
pub fn returned(f: &NativeFunction) -> Result<Option<String>> {
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
