//! The lambda in which a binding calls C++: its parameters, its return type, its callee, and how
//! parsed values become arguments.
//!
//! Invariant: there is one expression per parameter of the lambda. Rule: torchgen/api/python.py,
//! `dispatch_lambda_args` and below.

use rustc_hash::FxHashSet;
use serde::Deserialize;

use super::argument::PythonCallable;
use super::parser::{is_none_expr, output_exprs};
use super::signature::PythonSignature;
use crate::CallingConvention;
use crate::cpp::{self, Cpp, Spelling};
use crate::error::{ApiError, BAD_SHAPE, Result};
use crate::{BaseCppType, CType, Locals, SymInts};
use torchgen_kit::driver::data::{Table, Tables};
use torchgen_model::codes::{NO_PYTHON_RETURN, PYTHON_FACTORY};
use torchgen_model::model::{BaseTy, FunctionSchema, NativeFunction, Return, Type};

/// A parameter of the lambda.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LambdaArgument<'a> {
    /// Its name.
    pub name: &'a str,
    /// Its type.
    pub ty: CType,
    /// Whether it is an output.
    pub is_out: bool,
}

/// The parameters of the lambda: those of the C++ function; of a deprecated signature its own.
pub fn lambda_arguments<'a>(signature: &PythonSignature<'a>, f: &'a NativeFunction) -> Result<Vec<LambdaArgument<'a>>> {
    let schema = signature.deprecated.map_or(&f.func, |deprecated| deprecated.schema);
    lambda_parameters(schema, f, signature.callable, SymInts::Kept)
}

/// The parameters of the lambda for a schema of an operator.
pub fn lambda_parameters<'a>(
    schema: &'a FunctionSchema,
    f: &'a NativeFunction,
    callable: PythonCallable,
    sym_ints: SymInts,
) -> Result<Vec<LambdaArgument<'a>>> {
    let convention = Cpp {
        faithful: false,
        sym_ints,
        method: false,
        fallback_binding: false,
        cpp_no_default_args: &f.cpp_no_default_args,
        locals: Locals::for_operator(f),
    };
    let outs = &schema.arguments.out;
    let tensor = CType::base(BaseCppType::Tensor);
    let argument = |name: &'a str, ty: &CType| {
        let is_out = outs.iter().any(|out| out.name == name);
        let ty = match ty {
            _ if callable == PythonCallable::Method && name == "self" => tensor.const_ref(),
            // The parser returns a temporary, which does not bind to a mutable reference; several
            // outputs are unpacked to a variable first.
            ty if *ty == tensor.mut_ref() && (outs.len() <= 1 || !is_out) => tensor,
            ty => *ty,
        };
        LambdaArgument { name, ty, is_out }
    };
    let parameters = convention.arguments(schema)?;
    Ok(parameters
        .iter()
        .map(|parameter| argument(parameter.argument.argument().map_or("options", |a| &a.name), &parameter.nctype.ty))
        .collect())
}

/// The C++ types that `wrap` turns into Python objects.
#[derive(Deserialize)]
struct Wrapped(FxHashSet<String>);

impl Table for Wrapped {
    const PATH: &'static str = "torch/wrapped_returns.yaml";
}

/// The lambda's return type. It is always a value: a reference might be to one of its own
/// parameters.
///
/// # Errors
/// It has no C++ form, or Python bindings cannot wrap it.
pub fn returns_type(f: &NativeFunction, tables: &Tables) -> Result<CType> {
    let by_value: Vec<Return> = f.func.returns.iter().map(|r| Return { annotation: None, ..r.clone() }).collect();
    let ty = cpp::returns_type(&by_value, Locals::for_operator(f))?;
    if tables.get::<Wrapped>().0.contains(ty.cpp_type()) {
        return Ok(ty);
    }
    Err(ApiError::new(&NO_PYTHON_RETURN, format!("`{}` is not a type that Python bindings give back", ty.cpp_type())))
}

/// The callee of the lambda: the method if there is one.
pub fn callee(f: &NativeFunction) -> String {
    let name =
        cpp::name_as(&f.func, Spelling { sym_ints: SymInts::kept_if(f.func.has_symint()), ..Spelling::default() });
    let space = if f.variants.method {
        return format!("self.{name}");
    } else if f.func.arguments.tensor_options.is_some() || f.func.name.name.base.ends_with("_like") {
        // Variables are made by separate functions.
        "torch"
    } else {
        "at"
    };
    format!("{space}::{name}")
}

/// The arguments of the call: the lambda's own parameters and, for a deprecated signature,
/// constants.
pub fn call_arguments<'a>(signature: &PythonSignature<'a>, f: &'a NativeFunction) -> Result<Vec<&'a str>> {
    call_names(signature.deprecated.map(|deprecated| deprecated.call), f)
}

/// The arguments of the call, where a deprecated signature has its own.
pub fn call_names<'a>(deprecated: Option<&'a [String]>, f: &'a NativeFunction) -> Result<Vec<&'a str>> {
    let mut names: Vec<&str> = match deprecated {
        Some(call) => call.iter().map(String::as_str).collect(),
        None => {
            let parameters = lambda_parameters(&f.func, f, PythonCallable::Function, SymInts::Kept)?;
            parameters.iter().map(|a| a.name).collect()
        }
    };
    if deprecated.is_some() && !f.func.is_out_fn() {
        names.retain(|name| *name != "out");
    }
    if f.variants.method {
        names.retain(|name| *name != "self");
    }
    Ok(names)
}

/// How a call is bound to the parser's results.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Bound {
    /// The arguments of the lambda.
    pub arguments: Vec<String>,
    /// The value of a variable `self`, if one is declared first.
    pub self_init: Option<String>,
    /// The value of a variable `out`, if one is declared first.
    pub out_init: Option<String>,
    /// Optional lists of names, which need variables, with the parser's values.
    pub name_lists: Vec<(String, String)>,
    /// The parts of a variable `options`, if one is declared first.
    pub options: Option<TensorOptionsExprs>,
    /// What must agree with the output.
    pub out_check: Option<OutCheck>,
    /// Whether the result requires gradients, if that is still to be set.
    pub requires_grad: Option<String>,
}

/// The parts of tensor options.
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct TensorOptionsExprs {
    pub dtype: String,
    pub device: String,
    pub layout: String,
    pub requires_grad: String,
    pub pin_memory: String,
}

/// Tensor options that were given together with an output.
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct OutCheck {
    pub out: String,
    pub dtype: String,
    pub dtype_is_none: String,
    pub layout: String,
    pub device: String,
    pub device_is_none: String,
}

/// Binds the lambda's parameters to the parser's results.
///
/// # Errors
/// The parser cannot return a value, or a parameter has no value.
pub fn bind(signature: &PythonSignature<'_>, f: &NativeFunction) -> Result<Bound> {
    let parsed = Parsed { names: signature.arguments().map(|a| a.name).collect(), exprs: output_exprs(signature)? };
    let has_options = f.func.arguments.tensor_options.is_some();
    let is_out = f.func.is_out_fn();
    let mut bound = Bound::default();
    let mut values: Vec<(&str, String)> = Vec::new();
    let unpacked = signature.out.as_ref().filter(|out| is_out && out.outputs.len() > 1);
    for argument in signature.without_options() {
        let expr = parsed.expr(argument.name)?;
        if has_options && argument.name == "self" {
            bound.self_init = Some(expr.to_owned());
            values.push(("self", "self".to_owned()));
        } else if let Some(out) = unpacked.filter(|out| std::ptr::eq(&out.argument, argument)) {
            bound.out_init = Some(expr.to_owned());
            values.extend(out.outputs.iter().enumerate().map(|(i, name)| (*name, format!("out[{i}]"))));
        } else {
            // The parser has a vector, which does not become an optional reference by itself.
            if matches!(&*argument.ty, Type::Optional(list) if matches!(&**list, Type::List(elem, _) if elem.is(BaseTy::Dimname)))
            {
                bound.name_lists.push((argument.name.to_owned(), expr.to_owned()));
                values.push((argument.name, argument.name.to_owned()));
                continue;
            }
            values.push((argument.name, expr.to_owned()));
        }
    }
    if signature.is_method() {
        values.push(("self", "self".to_owned()));
    }
    let with_options = !signature.tensor_options.is_empty();
    if has_options {
        bound.options = Some(options(&parsed, signature, f)?);
        values.push(("options", "options".to_owned()));
    } else if with_options {
        bound.out_check = Some(out_check(&parsed, signature, f)?);
    }
    if with_options && (!has_options || signature.is_method()) {
        bound.requires_grad = Some(parsed.expr("requires_grad")?.to_owned());
    }
    for parameter in lambda_arguments(signature, f)? {
        // Of arguments with the same name the last wins, as in the parser.
        let value = values.iter().rfind(|(name, _)| *name == parameter.name);
        let Some((_, value)) = value else { return Err(nothing_for(parameter.name)) };
        bound.arguments.push(value.clone());
    }
    Ok(bound)
}

/// The values of a signature's arguments.
struct Parsed<'a> {
    names: Vec<&'a str>,
    exprs: Vec<String>,
}

impl Parsed<'_> {
    fn index(&self, name: &str) -> Result<usize> {
        self.names.iter().rposition(|known| *known == name).ok_or_else(|| nothing_for(name))
    }

    fn expr(&self, name: &str) -> Result<&str> {
        let index = self.index(name)?;
        self.exprs.get(index).map(String::as_str).ok_or_else(|| nothing_for(name))
    }
}

fn nothing_for(name: &str) -> ApiError {
    ApiError::new(&BAD_SHAPE, format!("Python has no value to pass for `{name}`"))
}

fn options(parsed: &Parsed<'_>, signature: &PythonSignature<'_>, f: &NativeFunction) -> Result<TensorOptionsExprs> {
    if f.func.is_out_fn() {
        return Err(ApiError::new(&BAD_SHAPE, "an operator with outputs cannot take tensor options in Python"));
    }
    if signature.tensor_options.is_empty() {
        let message = "only operators that make tensors can take tensor options in Python";
        return Err(ApiError::new(&BAD_SHAPE, message));
    }
    let expr = |name| parsed.expr(name).map(str::to_owned);
    Ok(TensorOptionsExprs {
        dtype: expr("dtype")?,
        device: expr("device")?,
        layout: expr("layout")?,
        requires_grad: expr("requires_grad")?,
        pin_memory: expr("pin_memory")?,
    })
}

fn out_check(parsed: &Parsed<'_>, signature: &PythonSignature<'_>, f: &NativeFunction) -> Result<OutCheck> {
    let Some(out) = signature.out.as_ref().filter(|_| f.func.is_out_fn()) else {
        let message = "an operator that makes tensors needs `dtype`, `layout`, `device` and `pin_memory` in Python";
        return Err(ApiError::new(&PYTHON_FACTORY, message));
    };
    let expr = |name| parsed.expr(name).map(str::to_owned);
    let is_none = |name| parsed.index(name).map(is_none_expr);
    Ok(OutCheck {
        out: expr(out.argument.name)?,
        dtype: expr("dtype")?,
        dtype_is_none: is_none("dtype")?,
        layout: expr("layout")?,
        device: expr("device")?,
        device_is_none: is_none("device")?,
    })
}
