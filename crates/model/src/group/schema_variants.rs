//! Derives the schema of one variant from that of another: out= forms and functional forms.
//!
//! Invariant: the result has the same `signature()` as the input. Rule:
//! torchgen/native_function_generation.py, `*_to_out_signature` and `generate_function`.

use crate::model::{
    Annotation, Argument, BaseOperatorName, FunctionSchema, OperatorName, Return, SchemaKind, SignatureOptions, Type,
};

/// Why a schema has no variant of the requested kind; a sentence for a diagnostic.
pub(crate) type Refusal = String;

/// The out= form of an inplace, mutable or functional schema.
pub fn out_schema(func: &FunctionSchema) -> Result<FunctionSchema, Refusal> {
    match func.kind() {
        SchemaKind::Inplace => inplace_to_out(func),
        SchemaKind::Mutable => {
            let (returns, outs) = out_arguments(func)?;
            let arguments = func.arguments.with_out_args(outs);
            Ok(FunctionSchema { name: out_name(&func.name), arguments, returns })
        }
        SchemaKind::Functional => {
            let (returns, outs) = out_arguments(func)?;
            let arguments = func.arguments.signature(SignatureOptions::default()).with_out_args(outs);
            Ok(FunctionSchema { name: out_name(&func.name), arguments, returns })
        }
        kind @ (SchemaKind::Out | SchemaKind::Scratch) => {
            Err(format!("no out= variant can be made from the {kind} variant `{}`", func.name))
        }
    }
}

/// The functional form: mutable arguments become returns.
///
/// A mutable operator keeps its name, so its functional counterpart gets the suffix `_functional`.
pub fn functional_schema(func: &FunctionSchema) -> FunctionSchema {
    let name = OperatorName {
        name: BaseOperatorName {
            base: func.name.name.base.clone(),
            inplace: false,
            dunder_method: func.name.name.dunder_method,
            functional_overload: func.kind() == SchemaKind::Mutable,
        },
        overload_name: func.name.overload_name.clone(),
    };
    func.signature_with(SignatureOptions { keep_return_names: true, ..SignatureOptions::default() }).with_name(name)
}

fn out_name(name: &OperatorName) -> OperatorName {
    let overload = match name.overload_name.as_str() {
        "" => "out".to_owned(),
        overload => format!("{overload}_out"),
    };
    name.with_overload(&overload)
}

fn inplace_to_out(func: &FunctionSchema) -> Result<FunctionSchema, Refusal> {
    let Some(self_arg) = &func.arguments.self_arg else {
        return Err(format!("inplace operator `{}` has no argument `self`", func.name));
    };
    let out = Argument {
        name: free_name(func, "out".to_owned()),
        ty: self_arg.ty.clone(),
        default: None,
        annotation: self_arg.annotation.clone(),
        schema_name: None,
        by_c10: false,
    };
    let arguments = func.arguments.remove_self_annotation().with_out_args(vec![out]);
    Ok(FunctionSchema { name: out_name(&func.name), arguments, returns: func.returns.clone() })
}

/// The out arguments for all tensor returns, and the remaining returns.
///
/// Plain tensors are returned for chaining; if any return is something else, no out argument is
/// returned.
fn out_arguments(func: &FunctionSchema) -> Result<(Vec<Return>, Vec<Argument>), Refusal> {
    if func.returns.iter().any(Return::is_write) {
        return Err(format!("`{}` returns an argument that it mutates", func.name));
    }
    let letters = free_letters(func);
    let all_tensors = func.returns.iter().all(|r| r.ty == Type::TENSOR);
    let mut returns = Vec::new();
    let mut outs = Vec::new();
    for (i, r) in func.returns.iter().enumerate() {
        if !r.ty.is_tensor_like() {
            returns.push(r.clone());
            continue;
        }
        let Some(letter) = letters.get(i) else {
            return Err(format!("`{}` has more outputs than there are alias letters", func.name));
        };
        let annotation = Some(Annotation {
            alias_set: vec![letter.to_string()],
            is_write: true,
            alias_set_after: Vec::new(),
            bare: false,
        });
        let name = free_name(func, if func.returns.len() == 1 { "out".to_owned() } else { format!("out{i}") });
        if all_tensors {
            returns.push(Return { name: None, cpp_name: None, annotation: annotation.clone(), ..r.clone() });
        }
        outs.push(Argument { name, ty: r.ty.clone(), default: None, annotation, schema_name: None, by_c10: false });
    }
    Ok((returns, outs))
}

/// The name of a new out argument: that one, unless an argument of a library's operator has it. The
/// reference then makes a schema with two arguments of one name.
fn free_name(func: &FunctionSchema, name: String) -> String {
    let is_taken =
        |name: &str| func.arguments.flat_all().any(|a| a.by_c10 && (a.name == name || a.schema_name() == name));
    if !is_taken(&name) {
        return name;
    }
    // With a digit, because kernels have `out_` for a tensor `out`.
    let mut numbered = (1..=func.arguments.flat_all().count() + 1).map(|number| format!("{name}_{number}"));
    numbered.find(|name| !is_taken(name)).unwrap_or(name)
}

/// Letters for the annotations of new out arguments.
///
/// The reference tests each letter against a generator that the test consumes. So a letter counts
/// as used only if it comes after all used letters found before; annotations in alphabetical order,
/// which is usual, are all found.
fn free_letters(func: &FunctionSchema) -> Vec<char> {
    let mut used = func
        .arguments
        .flat_all()
        .filter_map(|a| a.annotation.as_ref())
        .flat_map(|a| &a.alias_set)
        .filter_map(|set| set.chars().next().filter(|_| set.len() == 1));
    ('a'..='z').filter(|letter| !used.any(|u| u == *letter)).collect()
}
