//! Tags that C++ does not register: all of them in torch 2.10 and 2.11, and in every version those
//! that say that an operator mutates `self` or out arguments and returns them.
//!
//! Invariant: an operator gets `inplace` or `out` only if torch.library would accept it, and
//! compilers then call it correctly.

use serde::Serialize;

use crate::library::python::{directory, overload_expr};
use crate::library::{Inputs, MANAGER};
use torchgen_base::write::OutputFile;
use torchgen_generators::Outcome;
use torchgen_model::model::{Argument, BaseTy, NativeFunction, SchemaKind, Type};

#[derive(Serialize)]
struct Module<'a> {
    namespace: &'a str,
    tagged: Vec<Tagged>,
}

#[derive(Serialize)]
struct Tagged {
    overload: String,
    tags: Vec<String>,
    /// The operator to look for first, if some builds lack it.
    conditional: Option<String>,
}

/// The file with the tags; none if no operator has any.
pub(super) fn files(inputs: &Inputs<'_, '_>, package: &str) -> Outcome {
    let ctx = &inputs.context;
    let tags = |f: &NativeFunction| {
        let own = f.tags.iter().map(String::as_str);
        own.chain(derived(f)).map(str::to_owned).collect::<Vec<String>>()
    };
    let tagged: Vec<Tagged> = ctx
        .functions
        .iter()
        .map(|f| Tagged {
            overload: ctx.renderer.about([f]).marked(overload_expr(f)),
            tags: tags(f),
            conditional: conditional(f),
        })
        .filter(|tagged| !tagged.tags.is_empty())
        .collect();
    if tagged.is_empty() {
        return Ok(Vec::new());
    }
    let module = Module { namespace: &ctx.namespaces.api, tagged };
    let text = ctx.renderer.fragment("torch/stable/python/_tags.py.j2", &module)?;
    Ok(vec![OutputFile::new(MANAGER, format!("{}/_tags.py", directory(package)), text)])
}

/// The operator's name, if some builds lack it.
fn conditional(f: &NativeFunction) -> Option<String> {
    f.conditions.operator.as_ref().map(|_| f.full_name())
}

/// The tag that follows from a schema.
fn derived(f: &NativeFunction) -> Option<&'static str> {
    let tensor = Type::Base(BaseTy::Tensor);
    let written: Vec<&Argument> = f.func.schema_order_arguments().filter(|a| a.is_write()).collect();
    let returned: Vec<Option<&str>> = f.func.aliased_return_names();
    let returns_them = written.iter().map(|a| Some(a.name.as_str())).eq(returned);
    if written.is_empty() || !returns_them || written.iter().any(|a| a.ty != tensor) {
        return None;
    }
    // Inductor of torch 2.15 passes an argument twice that has its default, when it replaces an
    // operator by its out variant.
    let has_defaults = f.func.schema_order_arguments().any(|a| a.default.is_some());
    match f.func.kind() {
        SchemaKind::Out if has_defaults => None,
        SchemaKind::Out if f.func.arguments.out.len() == written.len() => Some("out"),
        SchemaKind::Inplace if written.len() == 1 => {
            let first = f.func.schema_order_arguments().next();
            first.filter(|first| first.is_write()).map(|_| "inplace")
        }
        _ => None,
    }
}
