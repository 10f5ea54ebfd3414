//! The kernels of a lazy backend, for `<Key>NativeFunctions.cpp`: each makes a node, or reuses one.
//!
//! Rule: torchgen/dest/lazy_ir.py, `GenLazyNativeFuncDefinition`.

use serde::Serialize;

use super::node::not_a_value;
use super::schema::{LazySchema, Properties};
use super::types::LazyArgument;
use super::{Names, Options, parts_of, shape};
use crate::backend::decided::KernelText;
use torchgen_api::CallingConvention;
use torchgen_api::dispatcher::Dispatcher;
use torchgen_api::error::{ApiError, Result};
use torchgen_api::{BaseCppType, CType, CTypeKind, Expr, Locals, SymInts, joined, kernel_signature, translate};
use torchgen_base::render::{RenderError, Renderer};
use torchgen_generators::ItemError;
use torchgen_generators::decider::Parts;
use torchgen_kit::driver::data::Tables;
use torchgen_model::codes;
use torchgen_model::model::{BackendIndex, BackendMetadata, BaseTy, FunctionSchema, NativeFunction, Type};

/// A kernel.
#[derive(Serialize)]
pub(super) struct Function<'a> {
    names: &'a Names,
    signature: String,
    fallback: Option<Fallback<'a>>,
    /// The arguments that determine the device.
    devices: String,
    inputs: Vec<Input<'a>>,
    /// The class of the node.
    node: String,
    /// The parts of it.
    operands: String,
    shapes: ShapeSource<'a>,
    /// One index for each output.
    outputs: Vec<usize>,
    /// The names of all arguments.
    arguments: String,
    schema: String,
    result: Outcome<'a>,
    /// What the caller of the program wrote in place of parts.
    pub(super) own: KernelText,
}

impl Function<'_> {
    /// Its text.
    pub(super) fn text(&self, renderer: &Renderer, operator: &str) -> std::result::Result<String, ItemError> {
        Ok(renderer.fragment_for("torch/lazy/function.j2", self, operator)?)
    }

    /// The parts that the caller of the program can decide.
    pub(super) fn parts(&self, renderer: &Renderer, operator: &str) -> std::result::Result<Parts, ItemError> {
        let mut templates = vec![
            ("definition", "torch/lazy/function.j2"),
            ("make_node", "torch/lazy/make_node.j2"),
            ("shapes", "torch/lazy/shapes.j2"),
        ];
        templates.extend(self.fallback.is_some().then_some(("fallback", "torch/lazy/fallback.j2")));
        Ok(parts_of(self, &templates, renderer, operator)?)
    }
}

/// The call of the eager kernel.
#[derive(Serialize)]
struct Fallback<'a> {
    symbol: String,
    aten_name: String,
    overload: &'a str,
    arguments: Vec<String>,
}

/// The call of the eager kernel by itself.
#[derive(Serialize)]
struct OnlyFallback<'a> {
    fallback: Fallback<'a>,
}

/// The statements that call the eager kernel of an operator, by its name and its overload.
///
/// # Errors
/// The template fails.
pub fn fallback_text(
    renderer: &Renderer,
    aten_name: &str,
    overload: &str,
    arguments: Vec<String>,
) -> std::result::Result<String, RenderError> {
    let symbol = super::node::symbol(aten_name, Tables::embedded());
    let fallback = Fallback { symbol, aten_name: aten_name.to_owned(), overload, arguments };
    renderer.fragment("torch/lazy/fallback.j2", &OnlyFallback { fallback })
}

/// The conversion of an argument before the node is made.
#[derive(Serialize)]
struct Input<'a> {
    name: &'a str,
    kind: &'static str,
}

/// The source of the outputs' shapes.
#[derive(Serialize)]
#[serde(tag = "from", rename_all = "snake_case")]
enum ShapeSource<'a> {
    Meta { tensors: Vec<&'a str>, namespace: &'static str, function: String, arguments: String },
    Function { call: String },
}

/// The return value.
#[derive(Serialize)]
#[serde(tag = "is", rename_all = "snake_case")]
enum Outcome<'a> {
    /// A mutable argument.
    Written {
        first: &'a str,
    },
    Several {
        create: String,
    },
    One {
        create: String,
    },
}

/// A kernel's definition.
///
/// # Errors
/// Lazy kernels do not support an argument.
pub(super) fn function<'a>(
    options: &'a Options,
    class: &str,
    f: &'a NativeFunction,
    index: &BackendIndex,
    kernel: &BackendMetadata,
    tables: &Tables,
) -> std::result::Result<Function<'a>, ItemError> {
    let names = &options.names;
    let signature = kernel_signature(f, index, Locals::for_operator(f))?;
    let value = CType::from_qualified_name(&names.lazy_value_class);
    let schema = LazySchema::new(&f.func, Properties::OPERATOR, value, SymInts::kept_if(kernel.supports_symint()))?;
    let all = Dispatcher::symbolic(Locals::for_operator(f)).signature(&f.func)?;
    let fallback = match options.forced_fallback {
        false => None,
        true => Some(Fallback {
            symbol: super::node::symbol(&schema.aten_name(), tables),
            aten_name: schema.aten_name(),
            overload: &f.func.name.overload_name,
            arguments: translate(&signature.arguments, &all.arguments)?
                .into_iter()
                .map(|e| e.expr.into_owned())
                .collect(),
        }),
    };
    let arguments: Vec<&str> = schema.arguments().map(LazyArgument::name).collect();
    let operands = schema.arguments().map(|a| operand(a, &value)).collect::<Result<Vec<_>>>()?;
    let inputs = schema.values().map(|a| input(a, &value)).collect::<Result<Vec<_>>>()?;
    Ok(Function {
        names,
        signature: signature.decl_as(&format!("{class}::{}", kernel.kernel)),
        fallback,
        devices: devices(&schema)?,
        inputs: inputs.into_iter().flatten().collect(),
        node: schema.node_name(),
        operands: operands.join(", "),
        shapes: shapes(f, kernel, &schema)?,
        outputs: (0..f.func.returns.len()).collect(),
        arguments: arguments.join(", "),
        schema: f.func.to_string(),
        result: outcome(names, &schema)?,
        own: KernelText::default(),
    })
}

/// What the constructor of an operator's node takes, made of the arguments of its kernel, with the
/// type of values.
pub fn inputs(func: &FunctionSchema, value: &CType, sym_ints: SymInts) -> Result<String> {
    let schema = LazySchema::new(func, Properties::OPERATOR, *value, sym_ints)?;
    let operands = schema.arguments().map(|a| operand(a, value)).collect::<Result<Vec<_>>>()?;
    Ok(operands.join(", "))
}

fn refused(message: impl Into<String>) -> ApiError {
    ApiError::new(&codes::LAZY_OPERATOR, message)
}

/// The tensors, in order.
fn tensors<'s, 'a>(schema: &'s LazySchema<'a>) -> impl Iterator<Item = &'s LazyArgument<'a>> {
    schema.values().filter(|a| !a.is_wrapped_scalar)
}

fn devices(schema: &LazySchema) -> Result<String> {
    let device = CType::base(BaseCppType::Device).optional();
    let devices = schema.scalars().filter(|a| a.ty == device);
    let names: Vec<&str> = tensors(schema).chain(devices).map(LazyArgument::name).collect();
    match names.is_empty() {
        true => Err(refused("a lazy kernel needs a tensor or a device, which determines where it runs")),
        false => Ok(names.join(", ")),
    }
}

/// The conversion of a value; empty for a size.
fn input<'a>(a: &LazyArgument<'a>, value: &CType) -> Result<Option<Input<'a>>> {
    let kind = match a.optional() {
        Some(_) if a.is_wrapped_scalar => "optional_number",
        None if a.is_wrapped_scalar => "number",
        _ if a.is_symint => return Ok(None),
        None if a.is_tensor_list => "tensors",
        None if a.is_base() => "tensor",
        Some(elem) if elem == value => "optional_tensor",
        _ => return Err(not_a_value(a)),
    };
    Ok(Some(Input { name: a.name(), kind }))
}

/// An argument of the node's constructor. Rule: torchgen/dest/lazy_ir.py,
/// `node_ctor_arg_rvalue_string`.
fn operand(a: &LazyArgument, value: &CType) -> Result<String> {
    let name = a.name();
    if a.is_value {
        return match (a.optional(), a.is_base()) {
            (None, true) if a.is_wrapped_scalar => Ok(format!("node_{name}")),
            (None, true) if a.is_tensor_list => Ok(format!("lazy_{name}_tensorlist")),
            (None, true) if a.is_symint => Ok(format!("GetSymIntValue({name})")),
            (None, true) => Ok(format!("lazy_{name}->GetIrValue()")),
            (Some(_), _) if a.is_symint => {
                Ok(format!("{name} ? std::make_optional(GetSymIntValue(*{name})) : ::std::nullopt"))
            }
            (Some(_), _) if a.is_wrapped_scalar => Ok(format!("node_{name}")),
            (Some(_), _) => Ok(format!("lazy_{name} ? std::make_optional(lazy_{name}->GetIrValue()) : ::std::nullopt")),
            _ => Err(not_a_value(a)),
        };
    }
    debug_assert!(a.ty != *value, "a value is none");
    let copied = |elem: &str| format!("std::vector<{elem}>({name}.begin(), {name}.end())");
    if matches!(&a.argument.ty, Type::List(elem, _) if elem.is(BaseTy::SymInt)) {
        return Ok(if a.symint { format!("GetSymIntArrayRefValue({name})") } else { copied("int64_t") });
    }
    Ok(match (plain_element(&a.ty), a.optional().and_then(plain_element)) {
        (Some(elem), _) => copied(elem.cpp_type()),
        (_, Some(elem)) => format!("torch::lazy::ToOptionalVector<{elem}>({name})"),
        _ => name.to_owned(),
    })
}

/// The type of a list's elements, if it has no structure.
fn plain_element(list: &CType) -> Option<&CType> {
    match list.kind() {
        CTypeKind::Vector(elem) => Some(elem).filter(|elem| elem.is_plain()),
        _ => None,
    }
}

fn shapes<'a>(
    f: &'a NativeFunction,
    kernel: &BackendMetadata,
    schema: &LazySchema,
) -> std::result::Result<ShapeSource<'a>, ItemError> {
    if !shape::has_meta_function(f) {
        return Ok(ShapeSource::Function { call: shape::call(kernel, schema) });
    }
    if shape::is_view_copy(f) && !f.has_composite_explicit_autograd_non_functional_kernel {
        return Err(refused("the copy of a view has no composite kernel from which to infer its shape").into());
    }
    let all = Dispatcher::symbolic(Locals::for_operator(f)).signature(&f.func)?;
    let mut tensors = Vec::new();
    let mut scope: Vec<Expr> = Vec::new();
    for binding in &all.arguments {
        match binding.argument.argument().filter(|a| a.ty.is_tensor_like()) {
            Some(a) => {
                tensors.push(a.name.as_str());
                scope.push(binding.with_name(format!("{}_meta", a.name)).to_expr());
            }
            None => scope.push(binding.to_expr()),
        }
    }
    let arguments = joined(&translate(scope, &all.arguments)?);
    let symint = if f.func.has_symint() && kernel.supports_symint() { "_symint" } else { "" };
    let namespace = if shape::is_view_copy(f) { "compositeexplicitautogradnonfunctional" } else { "meta" };
    Ok(ShapeSource::Meta { tensors, namespace, function: format!("{}{symint}", schema.aten_name()), arguments })
}

fn outcome<'a>(names: &Names, schema: &LazySchema<'a>) -> Result<Outcome<'a>> {
    let first = tensors(schema).next().map(LazyArgument::name);
    let returns = schema.func.returns.len();
    if schema.func.name.name.inplace || schema.func.is_out_fn() {
        return match (first, returns) {
            (Some(first), 1) => Ok(Outcome::Written { first }),
            _ => Err(refused("a lazy kernel that mutates an argument cannot have other outputs")),
        };
    }
    let create = match (names.create_from_first_tensor, first) {
        (false, _) => format!("{}::{}", names.backend_namespace, names.create_tensor),
        (true, Some(first)) => format!("{first}.{}", names.create_tensor),
        (true, None) => return Err(refused("a lazy kernel needs a tensor to make its output from")),
    };
    match (returns, first) {
        (0 | 1, _) => Ok(Outcome::One { create }),
        (_, Some(_)) => Ok(Outcome::Several { create }),
        (_, None) => Err(refused("a lazy kernel with several outputs needs a tensor")),
    }
}
