//! The rules for a schema beyond its grammar.
//!
//! Invariant: a schema that passes has one kind, and its mutable returns are its out arguments or
//! `self`. Rules between several operators are in `group`. Rule: torchgen/model.py,
//! `FunctionSchema.__post_init__`, `FunctionSchema.kind`, `Arguments.__post_init__`.

use crate::codes;
use crate::model::{Argument, FunctionSchema, Return, SchemaKind, Type};
use torchgen_base::diag::{CodeInfo, Help, plural};

/// The part that breaks a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    /// The operator's name.
    Name,
    /// The type of the n-th argument.
    ArgumentType(usize),
    /// The name of the n-th argument.
    ArgumentName(usize),
    /// The n-th return.
    Return(usize),
    /// All returns.
    Returns,
}

/// A broken rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Violation {
    /// The part with the error.
    pub(crate) part: Part,
    /// Its code.
    pub(crate) code: &'static CodeInfo,
    /// One sentence without a full stop.
    pub message: String,
    /// How to fix it.
    pub help: Option<Help>,
}

impl Violation {
    fn new(code: &'static CodeInfo, part: Part, message: impl Into<String>) -> Violation {
        Violation { part, code, message: message.into(), help: None }
    }

    fn help(mut self, text: impl Into<Help>) -> Violation {
        self.help = Some(text.into());
        self
    }
}

/// Checks the rules of both layouts.
///
/// # Errors
/// The first broken rule.
pub(super) fn check_schema(schema: &FunctionSchema) -> Result<(), Violation> {
    nothing_written_before_self(schema)?;
    one_kind(schema)?;
    returns_agree(schema)?;
    out_arguments_are_returned(schema)?;
    written_positional_arguments_are_not_returned(schema)?;
    written_returns_are_known(schema)?;
    inplace_returns_self(schema)?;
    special_names_and_arguments(schema)
}

/// Argument names must differ: they become C++ parameters.
pub(super) fn check_names(schema: &FunctionSchema) -> Result<(), Violation> {
    let mut names: Vec<&str> = Vec::with_capacity(16);
    for (i, argument) in schema.arguments.flat_all().enumerate() {
        if names.contains(&argument.name.as_str()) {
            let message = format!("duplicate argument `{}`", argument.name);
            return Err(Violation::new(&codes::BAD_ARGUMENT, Part::ArgumentName(i), message));
        }
        names.push(&argument.name);
    }
    Ok(())
}

fn nothing_written_before_self(schema: &FunctionSchema) -> Result<(), Violation> {
    match schema.arguments.pre_self_positional.iter().position(Argument::is_write) {
        None => Ok(()),
        Some(i) => {
            let name = &schema.arguments.pre_self_positional[i].name;
            let message = format!("mutable argument `{name}` comes before `self`");
            Err(Violation::new(&codes::BAD_ALIASING, Part::ArgumentType(i), message).help("move `self` to the front"))
        }
    }
}

fn one_kind(schema: &FunctionSchema) -> Result<(), Violation> {
    if !schema.name.name.inplace || !schema.is_out_fn() {
        return Ok(());
    }
    let message = format!("`{}` has the name of an inplace operator, but has out arguments", schema.name);
    Err(Violation::new(&codes::BAD_KIND, Part::Name, message).help("an operator is inplace or out, not both"))
}

/// Either all returns are mutable arguments or none are.
fn returns_agree(schema: &FunctionSchema) -> Result<(), Violation> {
    let Some(first) = schema.returns.first() else { return Ok(()) };
    match schema.returns.iter().position(|ret| ret.is_write() != first.is_write()) {
        None => Ok(()),
        Some(i) => {
            let message = "some returns are mutable arguments and some are not";
            Err(Violation::new(&codes::BAD_ALIASING, Part::Return(i), message)
                .help("return either mutable arguments or new values; the caller has the mutable arguments anyway"))
        }
    }
}

fn out_arguments_are_returned(schema: &FunctionSchema) -> Result<(), Violation> {
    let (out, returns) = (&schema.arguments.out, &schema.returns);
    if out.is_empty() {
        return Ok(());
    }
    if let Some(list) = out.iter().find(|argument| argument.ty != Type::TENSOR) {
        if returns.is_empty() {
            return Ok(());
        }
        let message = format!("an operator with the out argument `{list}` returns nothing");
        return Err(Violation::new(&codes::BAD_ALIASING, Part::Returns, message).help(nothing_returned()));
    }
    for (argument, (i, ret)) in out.iter().zip(returns.iter().enumerate()) {
        if argument.annotation != ret.annotation {
            let message = format!("return {} is not the out argument `{}`", i + 1, argument.name);
            return Err(Violation::new(&codes::BAD_ALIASING, Part::Return(i), message)
                .help(Help::write(argument.ty.annotated(argument.annotation.as_ref()).to_string())));
        }
    }
    let wanted = out.iter().filter(|argument| !argument.is_scratch()).count();
    if wanted == returns.len() {
        return Ok(());
    }
    let message = format!("{} but {}", count(wanted, "out argument"), count(returns.len(), "return"));
    Err(Violation::new(&codes::BAD_ALIASING, Part::Returns, message)
        .help("return every out argument, in order, except those named `_scratch_...`"))
}

fn written_positional_arguments_are_not_returned(schema: &FunctionSchema) -> Result<(), Violation> {
    for argument in schema.arguments.post_self_mutable() {
        let is_it = |ret: &Return| ret.annotation == argument.annotation && !ret.given_back;
        if let Some(i) = schema.returns.iter().position(is_it) {
            let name = &argument.name;
            let message = format!("`{name}` is mutable and returned, but it is neither `self` nor keyword-only");
            return Err(Violation::new(&codes::BAD_ALIASING, Part::Return(i), message)
                .help(format!("do not return `{name}`, or make it an out argument after `*`")));
        }
    }
    Ok(())
}

fn written_returns_are_known(schema: &FunctionSchema) -> Result<(), Violation> {
    let is_source = |ret: &Return| {
        let arguments = &schema.arguments;
        let named_self = arguments.flat_positional().filter(|argument| argument.name == "self");
        arguments.out.iter().chain(named_self).any(|argument| argument.annotation == ret.annotation)
    };
    match schema.returns.iter().position(|ret| ret.is_write() && !is_source(ret)) {
        None => Ok(()),
        Some(i) => {
            let message = "the return is mutable, but neither `self` nor an out argument has its annotation";
            let mut written = schema.arguments.flat_all().filter(|argument| argument.is_write());
            let is_self = |argument: &&Argument| argument.name == "self";
            let positional: Vec<&Argument> = schema.arguments.flat_positional().collect();
            let can_return = |argument: &Argument| argument.name == "self" || !positional.contains(&argument);
            let mut sources = schema.arguments.out.iter().chain(schema.arguments.flat_all().filter(is_self));
            let help = match (written.next(), written.next()) {
                (Some(only), None) if only.annotation.as_ref().is_some_and(|a| a.bare) && can_return(only) => {
                    Help::new("name what is returned: write `Tensor(a!)` for both")
                }
                (Some(only), None)
                    if only.by_c10 && only.annotation != schema.returns[i].annotation
                        || sources.any(|source| source == only) =>
                {
                    let ty = only.ty.annotated(only.annotation.as_ref()).to_string();
                    Help::new(format!("write `{ty}`, as `{}` has", only.name)).instead(ty)
                }
                (None, _) if positional.iter().filter(|argument| argument.ty.is_tensor_like()).count() == 1 => {
                    let only = positional.iter().find(|argument| argument.ty.is_tensor_like());
                    let ty = schema.returns[i].ty.annotated(schema.returns[i].annotation.as_ref());
                    let name = only.map_or("self", |only| only.name.as_str());
                    format!("mark the argument that is returned: `{ty} {name}`").into()
                }
                _ => "out arguments go after `*`, as in `*, Tensor(a!) out`".into(),
            };
            Err(Violation::new(&codes::BAD_ALIASING, Part::Return(i), message).help(help))
        }
    }
}

fn inplace_returns_self(schema: &FunctionSchema) -> Result<(), Violation> {
    if !schema.name.name.inplace {
        return Ok(());
    }
    let Some(own) = schema.arguments.self_arg.as_ref().filter(|argument| argument.is_write()) else {
        let message = format!("inplace operator `{}` does not mutate `self`", schema.name);
        let part = match &schema.arguments.self_arg {
            Some(_) => Part::ArgumentType(schema.arguments.pre_self_positional.len()),
            None => Part::Name,
        };
        return Err(Violation::new(&codes::BAD_KIND, part, message).help({
            let help = Help::new("write `Tensor(a!) self`, or remove the underscore from the name");
            let plain = schema.arguments.self_arg.as_ref().filter(|own| own.annotation.is_none());
            match plain.filter(|own| own.ty == Type::TENSOR) {
                Some(_) => help.instead("Tensor(a!)"),
                None => help,
            }
        }));
    };
    let written = own.ty.annotated(own.annotation.as_ref());
    if own.ty == Type::TENSOR {
        if matches!(&schema.returns[..], [only] if only.annotation == own.annotation) {
            return Ok(());
        }
        let message = format!("inplace operator `{}` does not return `self`", schema.name);
        let bare = own.annotation.as_ref().is_some_and(|annotation| annotation.bare);
        let help = if bare {
            "name the alias set: `Tensor(a!) self` and `-> Tensor(a!)`".into()
        } else {
            Help::new(format!("write `-> {written}`")).instead(written.to_string())
        };
        return Err(Violation::new(&codes::BAD_KIND, Part::Returns, message).help(help));
    }
    if schema.returns.is_empty() {
        return Ok(());
    }
    let message = format!("inplace operator `{}` on `{written} self` returns nothing", schema.name);
    Err(Violation::new(&codes::BAD_KIND, Part::Returns, message).help(nothing_returned()))
}

/// What to write for the returns of an operator that returns nothing.
fn nothing_returned() -> Help {
    Help::new("write `-> ()`").instead("()")
}

fn special_names_and_arguments(schema: &FunctionSchema) -> Result<(), Violation> {
    let kind = schema.kind();
    if kind == SchemaKind::Functional {
        return Ok(());
    }
    if schema.arguments.tensor_options.is_some() {
        let before = schema.arguments.flat_positional().count() + schema.arguments.pre_tensor_options_kwarg_only.len();
        let message = "an operator with tensor options cannot mutate its arguments";
        return Err(Violation::new(&codes::BAD_KIND, Part::ArgumentName(before), message)
            .help("`dtype`, `layout`, `device` and `pin_memory` together make a factory function"));
    }
    if schema.is_functional_fn() {
        let message = format!("`{}` is called functional but is {}", schema.name, article(kind));
        return Err(Violation::new(&codes::BAD_KIND, Part::Name, message)
            .help("overload names that contain `functional` are reserved for functional variants"));
    }
    Ok(())
}

fn article(kind: SchemaKind) -> &'static str {
    match kind {
        SchemaKind::Functional => "functional",
        SchemaKind::Inplace => "an inplace operator",
        SchemaKind::Out => "an out variant",
        SchemaKind::Mutable => "an operator that mutates its arguments",
        SchemaKind::Scratch => "an out variant with scratch arguments",
    }
}

fn count(number: usize, what: &str) -> String {
    match number {
        0 => format!("no {what}"),
        _ => plural(number, what),
    }
}
