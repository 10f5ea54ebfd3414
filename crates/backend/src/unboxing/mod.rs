//! Functions that take their arguments from a stack, for builds that register operators with the
//! JIT instead of the dispatcher.
//!
//! Invariant: every function converts the arguments of the schema, in order, and calls the C++ API.
//! Rule: PyTorch's tools/jit/gen_unboxing.py.

pub mod command;
mod convert;

use serde::Serialize;

use self::convert::{Conversion, Vector};
use torchgen_api::cpp::BindingKind;
use torchgen_api::{Binding, CppSignatureGroup, Locals, Mode, cpp_string, joined, translate_with};
use torchgen_base::render::{Env, Fragment, Renderer, Sharded};
use torchgen_base::write::OutputFile;
use torchgen_generators::managers;
use torchgen_generators::{Context, Errors, ItemError};
use torchgen_model::model::NativeFunction;
use torchgen_model::model::selector::Selector;

/// A function and its registration.
#[derive(Serialize)]
struct Function<'a> {
    schema: String,
    /// The schema inside a string literal.
    quoted: String,
    name: String,
    operator: String,
    overload: &'a str,
    /// The arguments that it takes from the stack.
    names: Vec<&'a str>,
    conversions: Vec<(Vec<Vector>, Conversion)>,
    returns: Vec<&'a str>,
    /// The function or method that it calls.
    callee: String,
    passed: String,
    /// The function of the C++ API, whichever is called.
    traced: String,
    arguments: Vec<Argument<'a>>,
}

/// An argument as registered.
#[derive(Serialize)]
struct Argument<'a> {
    name: String,
    default: Option<std::borrow::Cow<'a, str>>,
    /// The default is a list.
    braced: bool,
}

/// With this many selected operators or more, sources are split.
const MANY: usize = 100;

/// The files.
///
/// # Errors
/// An operator's arguments cannot be taken from a stack.
fn files(ctx: &Context, selector: &Selector) -> Result<Vec<OutputFile>, Errors> {
    let made = ctx.per_item(ctx.functions, |f| {
        let name = ["aten::", &f.func.name.to_string()].concat();
        if !selector.is_root_operator(&name) {
            return Ok([Fragment::default(), Fragment::default(), Fragment::default()]);
        }
        let view = function(f)?;
        let render = |template: &str| ctx.renderer.about([f]).fragment(template, &view).map(Fragment::new);
        Ok([
            render("torch/unboxing/declaration.j2")?,
            render("torch/unboxing/definition.j2")?,
            render("torch/unboxing/registration.j2")?,
        ])
    })?;
    let split = |file: &str, key: &str, at: usize, shards: u32| {
        let items = ctx.functions.iter().zip(&made);
        let item = |(f, texts): (&NativeFunction, &[Fragment; 3])| {
            (f.root_name().to_owned(), Env::from_iter([(key.to_owned(), vec![texts[at].clone()])]))
        };
        let sharded = Sharded {
            file: file.to_owned(),
            template: file.to_owned(),
            shards: if selector.operator_count() < MANY { 1 } else { shards },
            base: Env::new(),
            keys: vec![key.to_owned()],
            items: items.map(item).collect(),
        };
        ctx.renderer.render_sharded(&sharded, Some(command::GENERATOR))
    };
    let mut files = Vec::new();
    let mut add = |parts: Vec<torchgen_base::render::RenderedFile>| {
        files.extend(parts.into_iter().map(|part| OutputFile::rendered(managers::CPU, part)));
    };
    add(split("UnboxingFunctions.cpp", "definitions", 1, 5)?);
    add(split("RegisterCodegenUnboxedKernels.cpp", "unboxed_ops", 2, 10)?);
    let mut env = Env::new();
    env.set("declarations", made.iter().map(|texts| texts[0].clone()).collect::<Vec<_>>());
    let header = ctx.renderer.render_file("UnboxingFunctions.h", &env, Some(command::GENERATOR))?;
    files.insert(files.len() / 2, OutputFile::new(managers::CPU, "UnboxingFunctions.h", header));
    Ok(files)
}

/// The parameters of an operator's faithful C++ function with the names of the converted variables,
/// and the lines that take the arguments from the stack and convert them.
///
/// # Errors
/// An argument cannot be taken from a stack.
pub fn conversions<'a>(
    renderer: &Renderer,
    f: &'a NativeFunction,
) -> Result<(Vec<Binding<'a>>, Vec<String>), ItemError> {
    let (bindings, _) = convert::arguments(f, Locals::for_operator(f))?;
    let text = renderer.fragment("torch/unboxing/definition.j2", &function(f)?)?;
    // They are between the first line of the function and the statement that drops the arguments.
    let indented = text.lines().skip_while(|line| !line.starts_with("TORCH_API")).skip(1);
    let mut lines: Vec<&str> = indented.take_while(|line| !line.starts_with(DROP)).collect();
    // The template has an empty line before that statement.
    lines.pop();
    let line = |line: &str| line.strip_prefix('\t').or(line.strip_prefix("    ")).unwrap_or(line).to_owned();
    Ok((bindings, lines.into_iter().map(line).collect()))
}

/// The statement after the conversions.
const DROP: &str = "    drop(stack, ";

fn function(f: &NativeFunction) -> Result<Function<'_>, ItemError> {
    let locals = Locals::for_operator(f);
    let called =
        CppSignatureGroup::from_native_function(f, BindingKind { method: f.variants.method, fallback: false }, locals)?;
    let called = called.most_faithful_signature();
    let (bindings, conversions) = convert::arguments(f, locals)?;
    let is_method = f.variants.method;
    let mode = Mode { method: is_method, ..Mode::default() };
    let passed = joined(&translate_with(&bindings, &called.arguments, mode)?);
    let prefix = if is_method { "self_base." } else { "at::" };
    let plain = CppSignatureGroup::from_native_function(f, BindingKind::FUNCTION, locals)?;
    let plain = plain.most_faithful_signature();
    let argument = |binding: &Binding| {
        let default = binding.default.as_ref().map(|text| text.to_string()).filter(|text| !text.is_empty());
        Argument {
            name: binding.name.to_string(),
            braced: default.as_ref().is_some_and(|text| text.starts_with(OPENING)),
            default: default.map(Into::into),
        }
    };
    let schema = f.func.to_string();
    let quoted = cpp_string(&schema);
    Ok(Function {
        quoted: quoted[1..quoted.len() - 1].to_owned(),
        schema,
        name: f.func.name.unambiguous_name(),
        operator: f.func.name.name.to_string(),
        overload: &f.func.name.overload_name,
        names: bindings.iter().filter_map(|b| b.argument.argument()).map(|a| a.name.as_str()).collect(),
        conversions,
        returns: f.func.returns.iter().map(|r| r.name.as_deref().unwrap_or_default()).collect(),
        callee: [prefix, &called.name].concat(),
        passed,
        traced: plain.name.clone(),
        arguments: plain.arguments.iter().map(argument).collect(),
    })
}

/// The prefix of a list.
const OPENING: char = '{';
