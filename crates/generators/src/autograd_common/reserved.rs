//! Names that generated code uses itself: `data/torch/reserved_names.yaml`.
//!
//! Invariant: in operator libraries no argument has such a name where it would not compile. ATen's
//! operators are not checked.

use super::view_info;
use torchgen_api::ApiError;
use torchgen_model::codes;
use torchgen_model::model::{NativeFunction, ReservedNames, Target};

fn is_in(list: &[String], name: &str) -> bool {
    list.iter().any(|reserved| reserved == name)
}

/// Checks the names of arguments.
///
/// # Errors
/// A kernel for autograd or for views would use the name for something else.
pub(crate) fn check_argument_names(f: &NativeFunction, target: Target) -> Result<(), ApiError> {
    if !target.refuses_what_cannot_compile {
        return Ok(());
    }
    let table: &ReservedNames = target.tables.get();
    let is_view = view_info(f, target).is_some();
    let arguments: Vec<&str> = f.func.schema_order_arguments().map(|a| a.name.as_str()).collect();
    // Kernels also have each tensor under its name with an underscore.
    let is_unpacked = |name: &str| name.strip_suffix('_').is_some_and(|tensor| arguments.contains(&tensor));
    let reserved =
        |name: &str| is_in(&table.kernels, name) || (is_view && is_in(&table.views, name)) || is_unpacked(name);
    match arguments.iter().find(|name| reserved(name)) {
        None => Ok(()),
        Some(name) => {
            let message = format!("generated kernels use the name `{name}` themselves");
            Err(ApiError::new(&codes::RESERVED_NAME, message).about(name))
        }
    }
}

/// Whether a node uses the name itself.
pub(crate) fn is_reserved_in_nodes(name: &str, target: Target) -> bool {
    target.refuses_what_cannot_compile && is_in(&target.tables.get::<ReservedNames>().nodes, name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use torchgen_kit::driver::data::Tables;

    #[test]
    fn the_embedded_table() {
        let table: &ReservedNames = Tables::embedded().get();
        assert!(is_in(&table.kernels, "ks") && is_in(&table.views, "symints") && is_in(&table.nodes, "grads"));
    }
}
