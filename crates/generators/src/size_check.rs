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
        if !has_check(ctx, f) {
            return None;
        }
        let about = f.arguments_of_dims();
        let all = f.func.schema_order_arguments().enumerate();
        let own = all.filter(|(_, argument)| about.iter().any(|own| own.name == argument.name));
        let namespace = format!("::{}::dims", ctx.namespaces.support());
        Some(SizeCheck {
            function: format!("{namespace}::check"),
            operator: match table_name(f) {
                (Some(overload), name) => format!("{namespace}::{overload}::{name}"),
                (None, name) => format!("{namespace}::{name}"),
            },
            arguments: own.map(|(at, argument)| named(at, argument)).collect(),
        })
    }
}

/// Whether some operators have checks.
pub fn has_checks(ctx: &Context) -> bool {
    ctx.functions.iter().any(|f| has_check(ctx, f))
}

/// Whether an operator has a check: where its library is defined, if its lines name tensors.
fn has_check(ctx: &Context, f: &NativeFunction) -> bool {
    ctx.target.defines_operators && f.compares_sizes()
}

/// The table of an operator: its namespace below that of the checks, if it has an overload, and its
/// name in it. So no two operators have one name.
pub fn table_name(f: &NativeFunction) -> (Option<String>, String) {
    let overload = Some(&f.func.name.overload_name).filter(|overload| !overload.is_empty());
    (overload.map(|overload| format!("of_{overload}")), format!("op_{}", f.func.name.name))
}
