//! `torchgen-rs model --foreign`: the operators that any YAML declares, whatever else it has.
//!
//! Invariant: schemas are read, and nothing else is: no rule of libraries or of PyTorch applies.

use std::path::Path;

use super::facts::TorchThing;
use super::world::of_declared;
use torchgen_base::diag::{Diagnostic, Diagnostics};
use torchgen_base::yaml::{Node, NodeKind, Options, Text};
use torchgen_kit::driver::{JobError, Session};
use torchgen_kit::facts::Place;
use torchgen_model::codes;
use torchgen_model::model::{NativeFunction, Target};
use torchgen_model::parse::schema;

/// The namespace of schemas that name none.
const NAMESPACE: &str = "aten";

/// The operators of a file: of each mapping with the key `func`, in order.
///
/// # Errors
/// The file cannot be read, or has no schema. Errors in schemas are diagnostics.
pub(super) fn things(path: &Path, session: &mut Session) -> Result<Vec<TorchThing>, JobError> {
    let mut schemas = Vec::new();
    for root in session.read_documents(path, Options::LIBRARY)? {
        gather(root, &mut schemas);
    }
    if schemas.is_empty() {
        let message = format!("`{}` has no entry with `func:`", path.display());
        return Err(Diagnostic::new(&codes::USAGE, message).into());
    }
    let mut found = Diagnostics::new();
    let mut things = Vec::new();
    for text in &schemas {
        match schema::of_any_torch(text) {
            Ok((namespace, located)) => {
                let namespace = namespace.unwrap_or_else(|| NAMESPACE.to_owned());
                let f = NativeFunction::of_schema(namespace, located.schema);
                let thing = of_declared(f, Target::pytorch(&session.tables), true);
                things.push(TorchThing { at: Place::from_span(text.span(), &session.sources), ..thing });
            }
            Err(error) => found.push(error.at_text(text)),
        }
    }
    session.diagnostics.extend(found);
    session.check_errors()?;
    Ok(things)
}

/// The values of `func:` below a node.
fn gather(node: Node, schemas: &mut Vec<Text>) {
    match node.kind {
        NodeKind::Scalar(_) => {}
        NodeKind::Sequence(items) => items.into_iter().for_each(|item| gather(item, schemas)),
        NodeKind::Mapping(pairs) => {
            for (key, value) in pairs {
                match value.kind {
                    NodeKind::Scalar(text) if key.as_text().is_some_and(|key| key.as_str() == "func") => {
                        schemas.push(text);
                    }
                    _ => gather(value, schemas),
                }
            }
        }
    }
}
