//! The call with which a kernel's wrapper compares the sizes of its arguments with `dims:`.
//!
//! Invariant: the arguments are those of [`NativeFunction::arguments_of_dims`], in their order, as
//! in the table of the operator.

use serde::Serialize;

use crate::Context;
use torchgen_model::model::{Argument, NativeFunction};

/// The call of a check.
#[derive(Debug, Clone, Serialize)]
pub struct SizeCheck {
    /// The function.
    function: String,
    /// The table of the operator.
    operator: String,
    /// What it compares, as the wrapper has them.
    arguments: Vec<String>,
}

impl SizeCheck {
    /// The check of an operator that has one; `named` is what the wrapper calls an argument, which
    /// has that place in the schema.
    pub fn new(ctx: &Context, f: &NativeFunction, named: impl Fn(usize, &Argument) -> String) -> Option<SizeCheck> {
        if f.dims_lines().is_empty() || !ctx.target.defines_operators {
            return None;
        }
        let about = f.arguments_of_dims();
        let all = f.func.schema_order_arguments().enumerate();
        let own = all.filter(|(_, argument)| about.iter().any(|own| own.name == argument.name));
        let namespace = format!("::{}::dims", ctx.namespaces.support());
        Some(SizeCheck {
            function: format!("{namespace}::check"),
            operator: format!("{namespace}::{}", variable(f)),
            arguments: own.map(|(at, argument)| named(at, argument)).collect(),
        })
    }
}

/// Whether some operators have checks.
pub fn has_checks(ctx: &Context) -> bool {
    ctx.functions.iter().any(|f| SizeCheck::new(ctx, f, |_, _| String::new()).is_some())
}

/// What the table of an operator is called.
pub fn variable(f: &NativeFunction) -> String {
    format!("op_{}", f.func.name.unambiguous_name())
}
