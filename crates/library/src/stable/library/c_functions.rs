//! The C functions of kernels on the stable ABI: they call the boxed functions that are registered,
//! without the dispatcher.
//!
//! Invariant: what is passed converts to the types that the boxed function takes from its stack.

use crate::library::c_functions::{CFunction, c_function, devices_of_key};
use torchgen_generators::Context;
use torchgen_model::model::{Argument, BackendIndex, BaseTy, NativeFunction, Type};

/// Those of an operator's kernel for a key.
pub(super) fn c_functions(ctx: &Context, f: &NativeFunction, index: &BackendIndex) -> Vec<CFunction> {
    devices_of_key(f, ctx.indices, index.dispatch_key).into_iter().map(|device| c_function(ctx, f, device)).collect()
}

/// What a C function passes for an argument.
pub(super) fn from_c(argument: &Argument) -> String {
    let name = &argument.name;
    let list = format!("{name}, {name}_len_");
    // What is written must not be a copy.
    let tensor = if argument.is_write() { "tensor" } else { "read_tensor" };
    match &argument.ty {
        Type::Base(base) => match base {
            BaseTy::Tensor => format!("detail::{tensor}({name})"),
            BaseTy::Bool => format!("{name} != 0"),
            BaseTy::Str => format!("::std::string_view({name})"),
            BaseTy::ScalarType => format!("static_cast<ScalarType>({name})"),
            BaseTy::Layout => format!("static_cast<Layout>({name})"),
            BaseTy::MemoryFormat => format!("static_cast<MemoryFormat>({name})"),
            BaseTy::Device => format!("detail::device({name}, {name}_index_)"),
            _ => name.clone(),
        },
        Type::Optional(elem) => match &**elem {
            Type::List(elem, _) if elem.is(BaseTy::Tensor) => format!("detail::optional_tensors({list})"),
            Type::List(..) => format!("detail::optional_list({list})"),
            Type::Base(BaseTy::Tensor) => format!("detail::optional_{tensor}({name})"),
            Type::Base(BaseTy::Bool) => format!("detail::optional<bool>({name})"),
            Type::Base(BaseTy::Str) => format!("detail::optional<::std::string_view>({name})"),
            Type::Base(BaseTy::ScalarType) => format!("detail::optional<ScalarType>({name})"),
            Type::Base(BaseTy::Layout) => format!("detail::optional<Layout>({name})"),
            Type::Base(BaseTy::MemoryFormat) => format!("detail::optional<MemoryFormat>({name})"),
            Type::Base(BaseTy::Float) => format!("detail::optional<double>({name})"),
            Type::Base(BaseTy::Device) => format!("detail::optional_device({name}, {name}_index_)"),
            _ => format!("detail::optional<int64_t>({name})"),
        },
        Type::List(elem, _) => match &**elem {
            Type::Base(BaseTy::Tensor) => format!("detail::{tensor}s({list})"),
            Type::Base(BaseTy::Bool) => format!("detail::booleans({list}).get()"),
            Type::Optional(_) => format!("detail::list_of_optional_tensors({list})"),
            _ => format!("detail::list({list})"),
        },
        // Such an operator has no C function.
        Type::CustomClass(_) | Type::Dict(..) => name.clone(),
    }
}
