//! The dispatcher's unboxed convention: every argument of the schema separately, in order, without
//! defaults.
//!
//! Invariant: there is one parameter per argument of the schema. Rule: torchgen/api/dispatcher.py.

use super::Locals;
use super::binding::Binding;
use super::cpp::{self, TypeStyle};
use super::ctype::CType;
use super::error::Result;
use super::signature::{CallingConvention, Convention, SymInts};
use torchgen_model::model::schema::ArgumentRef;
use torchgen_model::model::{Argument, FunctionSchema};

/// The convention.
#[derive(Debug, Clone, Copy, Default)]
pub struct Dispatcher {
    /// How SymInts are spelled.
    pub sym_ints: SymInts,
    /// The toggles to apply.
    pub locals: Locals,
}

impl Dispatcher {
    /// The convention with SymInts.
    pub fn symbolic(locals: Locals) -> Dispatcher {
        Dispatcher { sym_ints: SymInts::Kept, locals }
    }
}

impl<'a> CallingConvention<'a> for Dispatcher {
    fn convention(&self) -> Convention {
        Convention::Dispatcher
    }

    fn sym_ints(&self) -> SymInts {
        self.sym_ints
    }

    fn name(&self, func: &FunctionSchema) -> String {
        cpp::name(func)
    }

    fn arguments(&self, func: &'a FunctionSchema) -> Result<Vec<Binding<'a>>> {
        let style = TypeStyle { sym_ints: self.sym_ints, locals: self.locals, ..TypeStyle::default() };
        func.schema_order_arguments().map(|a| argument(a, style)).collect()
    }

    fn returns_type(&self, func: &FunctionSchema) -> Result<CType> {
        cpp::returns_type(&func.returns, self.locals)
    }
}

/// The type of an argument. `style.mutable` is taken from the argument.
pub fn argument_type(a: &Argument, style: TypeStyle) -> Result<CType> {
    if let Some(list) = cpp::bool_list(a) {
        return Ok(list);
    }
    let style = TypeStyle { mutable: a.is_mutable_reference(), ..style };
    cpp::argumenttype_type(&a.ty, style).map_err(|error| error.about(&a.name))
}

/// The parameter for one argument.
pub fn argument(a: &Argument, style: TypeStyle) -> Result<Binding<'_>> {
    Ok(Binding::new(&a.name, argument_type(a, style)?, ArgumentRef::Arg(a)))
}
