//! RegistrationDeclarations.h: the signature to register each operator's kernels with, for
//! out-of-tree backends.
//!
//! Invariant: every operator has a line, whatever is selected. Rule: torchgen/gen.py,
//! `compute_registration_declarations`.

use serde::Serialize;

use torchgen_api::CallingConvention;
use torchgen_api::dispatcher::Dispatcher;
use torchgen_api::{ApiError, CType, Locals, cpp};
use torchgen_base::render::{ContentsBuilder, Env, Fragment};
use torchgen_base::write::OutputFile;
use torchgen_generators::managers;
use torchgen_generators::{Context, Errors, Outcome};
use torchgen_model::model::{BackendIndices, DispatchKey, NativeFunction, SchemaKind};

#[derive(Serialize)]
struct Operator {
    returns_type: CType,
    name: String,
    arguments: Vec<String>,
    /// The schema as a JSON string.
    schema: String,
    /// Some kernels differ between backends.
    dispatch: bool,
    /// A composite kernel is used for backends that have none.
    default: bool,
}

const NAME: &str = "RegistrationDeclarations.h";

/// Makes RegistrationDeclarations.h from the template of the source path.
pub(crate) fn run(ctx: &Context) -> Outcome {
    let env = Env::from_iter([("registration_declarations", lines(ctx)?)]);
    Ok(vec![ctx.file(managers::CPU, NAME, NAME, &env)?])
}

/// Makes the same file without templates of a source path.
pub fn run_alone(ctx: &Context) -> Outcome {
    #[derive(Serialize)]
    struct Head {}
    let mut text = ContentsBuilder::new();
    let head = ctx.renderer.fragment("torch/registration_declarations/head.j2", &Head {})?;
    text.push(&Fragment::new(head));
    lines(ctx)?.iter().for_each(|line| text.push(line));
    Ok(vec![OutputFile::new(managers::CPU, NAME, text.finish())])
}

/// The line of each operator.
fn lines(ctx: &Context) -> Result<Vec<Fragment>, Errors> {
    let namespace = ctx.namespaces.schema.as_deref();
    ctx.fragments(ctx.functions, |f| {
        let operator = operator(f, namespace.unwrap_or(&f.namespace), ctx.indices)?;
        Ok(ctx.renderer.fragment("torch/registration_declarations/declaration.j2", &operator)?)
    })
}

fn operator(f: &NativeFunction, namespace: &str, indices: &BackendIndices) -> Result<Operator, ApiError> {
    let locals = Locals::for_operator(f);
    let arguments = Dispatcher::symbolic(locals).arguments(&f.func)?;
    Ok(Operator {
        returns_type: Dispatcher::symbolic(locals).returns_type(&f.func)?,
        name: cpp::name(&f.func),
        arguments: arguments.iter().map(|argument| argument.defn()).collect(),
        schema: json_string(&format!("{namespace}::{}", f.func)),
        dispatch: !is_composite_implicit_only(f, indices),
        default: f.has_composite_kernel() || has_generated_composite_kernel(f),
    })
}

/// All kernels are composites that autograd traces through, and at least one is not for nested
/// tensors.
fn is_composite_implicit_only(f: &NativeFunction, indices: &BackendIndices) -> bool {
    use DispatchKey::{CompositeImplicitAutograd, CompositeImplicitAutogradNestedTensor};
    let mut keys = indices.iter().filter(|index| index.has_kernel(f)).map(|index| index.dispatch_key);
    let mut plain = false;
    keys.all(|key| {
        plain |= key == CompositeImplicitAutograd;
        matches!(key, CompositeImplicitAutograd | CompositeImplicitAutogradNestedTensor)
    }) && plain
}

/// Functional and inplace members of structured groups use a kernel generated from the out variant.
fn has_generated_composite_kernel(f: &NativeFunction) -> bool {
    f.part_of_structured_group() && matches!(f.func.kind(), SchemaKind::Functional | SchemaKind::Inplace)
}

/// A JSON string in ASCII, as Python writes one.
fn json_string(text: &str) -> String {
    let mut out = String::from('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            ' '..='~' => out.push(c),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            _ => {
                for unit in c.encode_utf16(&mut [0; 2]) {
                    out.push_str(&format!("\\u{unit:04x}"));
                }
            }
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::json_string;

    #[test]
    fn json_strings() {
        for (text, expected) in [
            ("aten::abs(Tensor self) -> Tensor", r#""aten::abs(Tensor self) -> Tensor""#),
            ("a\"b\\c\n\t", r#""a\"b\\c\n\t""#),
            ("é\u{7f}\u{1f600}", r#""\u00e9\u007f\ud83d\ude00""#),
        ] {
            assert_eq!(json_string(text), expected);
        }
    }
}
