//! Signatures of Python functions and methods, for `PythonArgParser`.
//!
//! Invariant: arguments are in the order in which the parser numbers them: positional,
//! keyword-only, `out`, tensor options. Rule: torchgen/api/python.py, `PythonSignature` and
//! `signature_from_schema`.

use std::borrow::Cow;

use super::argument::{PythonArgument, PythonCallable, PythonOut};
use crate::default::default_expr;
use crate::error::{ApiError, Result};
use crate::{SymInts, cpp};
use torchgen_model::codes::RESERVED_ARGUMENT;
use torchgen_model::model::{Argument, FunctionSchema, NativeFunction, Return, TensorOptionsArguments, Type};

/// A Python signature.
#[derive(Debug, Clone)]
pub struct PythonSignature<'a> {
    /// The function's name, without an `_out`.
    pub name: String,
    /// Positional arguments; a method's `self` is not one of them.
    pub positional: Vec<PythonArgument<'a>>,
    /// Keyword-only arguments, except `out` and the tensor options.
    pub keywords: Vec<PythonArgument<'a>>,
    /// The argument `out`.
    pub out: Option<PythonOut<'a>>,
    /// `dtype`, `layout`, `device`, `pin_memory`, `requires_grad`, or none of them.
    pub tensor_options: Vec<PythonArgument<'a>>,
    /// What it returns; for stubs only.
    pub returns: &'a [Return],
    /// Whether it is a method of `Tensor`.
    pub callable: PythonCallable,
    /// What it means, if it is a deprecated form.
    pub deprecated: Option<Deprecated<'a>>,
}

/// The meaning of a deprecated signature.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Deprecated<'a> {
    /// The deprecated schema.
    pub schema: &'a FunctionSchema,
    /// The arguments that the operator is called with: names of the schema's arguments, and
    /// constants.
    pub call: &'a [String],
}

impl<'a> PythonSignature<'a> {
    /// The signature of an operator.
    ///
    /// # Errors
    /// A default has no C++ form, an argument has a reserved name, or one of several outputs is not
    /// a tensor.
    pub fn from_operator(f: &'a NativeFunction, callable: PythonCallable) -> Result<PythonSignature<'a>> {
        Self::from_schema(&f.func, f.category_override.as_deref(), callable)
    }

    /// The signature of a deprecated form of an operator.
    pub fn deprecated(
        deprecated: Deprecated<'a>,
        f: &NativeFunction,
        callable: PythonCallable,
    ) -> Result<PythonSignature<'a>> {
        let signature = Self::from_schema(deprecated.schema, f.category_override.as_deref(), callable)?;
        Ok(PythonSignature { deprecated: Some(deprecated), ..signature })
    }

    /// The signature of a schema, with the category that its operator says it has.
    pub fn from_schema(
        func: &'a FunctionSchema,
        category: Option<&str>,
        callable: PythonCallable,
    ) -> Result<PythonSignature<'a>> {
        let arguments = &func.arguments;
        if arguments.flat_all().any(|a| a.name == "requires_grad") {
            let message = "Python bindings already add an argument with this name";
            return Err(ApiError::new(&RESERVED_ARGUMENT, message).about("requires_grad"));
        }
        let own_self = arguments.self_arg.iter().filter(|_| callable == PythonCallable::Function);
        let positional = arguments.pre_self_positional.iter().chain(own_self).chain(&arguments.post_self_positional);
        let keywords = arguments.pre_tensor_options_kwarg_only.iter().chain(&arguments.post_tensor_options_kwarg_only);
        Ok(PythonSignature {
            name: func.name.name.to_string(),
            positional: positional.map(PythonArgument::from_schema_argument).collect::<Result<_>>()?,
            keywords: keywords.map(PythonArgument::from_schema_argument).collect::<Result<_>>()?,
            out: PythonOut::from_out_arguments(&arguments.out)?,
            tensor_options: tensor_options(func, category)?,
            returns: &func.returns,
            callable,
            deprecated: None,
        })
    }

    /// The signature that parses for both an operator and its out variant: the latter's, with the
    /// tensor options of the former, which out variants lack.
    #[must_use]
    pub fn merge(base: &PythonSignature<'a>, out: &PythonSignature<'a>) -> PythonSignature<'a> {
        PythonSignature { tensor_options: base.tensor_options.clone(), ..out.clone() }
    }

    /// Whether it is a method of `Tensor`.
    pub fn is_method(&self) -> bool {
        self.callable == PythonCallable::Method
    }

    /// All arguments, in the parser's order.
    pub(crate) fn arguments(&self) -> impl Iterator<Item = &PythonArgument<'a>> {
        self.without_options().chain(&self.tensor_options)
    }

    /// All arguments except the tensor options.
    pub(crate) fn without_options(&self) -> impl Iterator<Item = &PythonArgument<'a>> {
        self.inputs().chain(self.out.iter().map(|out| &out.argument))
    }

    /// All arguments except `out`.
    pub fn without_out(&self) -> impl Iterator<Item = &PythonArgument<'a>> {
        self.inputs().chain(&self.tensor_options)
    }

    fn inputs(&self) -> impl Iterator<Item = &PythonArgument<'a>> {
        self.positional.iter().chain(&self.keywords)
    }

    /// The number of arguments.
    pub fn arguments_count(&self) -> usize {
        self.arguments().count()
    }

    /// The number of `out` in the parser.
    pub fn out_index(&self) -> usize {
        self.positional.len() + self.keywords.len()
    }

    /// The string that the parser is made from.
    pub fn parser_string(&self) -> Result<String> {
        self.string_of(self.arguments())
    }

    /// The parser's type, name and default of each argument.
    pub fn parameters(&self) -> Result<Vec<(String, &str, Option<&str>)>> {
        self.arguments().map(|a| a.parts(self.callable)).collect()
    }

    /// The same without `out`: what an operator and its out variant have in common.
    pub fn parser_string_without_out(&self) -> Result<String> {
        self.string_of(self.without_out())
    }

    fn string_of<'b>(&self, arguments: impl Iterator<Item = &'b PythonArgument<'a>>) -> Result<String>
    where
        'a: 'b,
    {
        let mut formals = arguments.map(|a| a.formal(self.callable)).collect::<Result<Vec<_>>>()?;
        if formals.len() > self.positional.len() {
            formals.insert(self.positional.len(), "*".to_owned());
        }
        let mark = if self.deprecated.is_some() { "|deprecated" } else { "" };
        Ok(format!("{}({}){mark}", self.name, formals.join(", ")))
    }
}

/// The arguments for tensor options: functions that make new tensors, from nothing or like another,
/// have them, whatever the schema says.
fn tensor_options<'a>(func: &'a FunctionSchema, category: Option<&str>) -> Result<Vec<PythonArgument<'a>>> {
    let name = cpp::name(func);
    let takes_tensors = func.arguments.flat_non_out().any(|a| a.ty.is_tensor_like());
    let returns_tensors = func.returns.iter().any(|r| r.ty.is_tensor_like());
    let makes = category == Some("factory") || (returns_tensors && !takes_tensors);
    let like = matches!(category, Some("new" | "like")) || name.starts_with("new_") || name.ends_with("_like");
    if category == Some("dummy") || !(makes || like) {
        return Ok(Vec::new());
    }
    // A tensor made like another takes missing options from that one.
    let given = func.arguments.tensor_options.as_ref().filter(|_| !like);
    let init = |field: fn(&TensorOptionsArguments) -> &Argument| given.map_or(Ok(None), |options| init(field(options)));
    let device = match init(|options| &options.device)? {
        None if !like => Some(Cow::Borrowed("torch::tensors::get_default_device()")),
        device => device,
    };
    let (dtype, layout) = (init(|options| &options.dtype)?, init(|options| &options.layout)?);
    Ok(vec![
        PythonArgument::option("dtype", Type::SCALAR_TYPE, "None", dtype),
        PythonArgument::option("layout", Type::LAYOUT, "None", layout),
        PythonArgument::option("device", Type::DEVICE, "None", device),
        PythonArgument::option("pin_memory", Type::BOOL, "False", None),
        PythonArgument::option("requires_grad", Type::BOOL, "False", None),
    ])
}

/// The value of an option that is not given.
fn init(option: &Argument) -> Result<Option<Cow<'_, str>>> {
    match option.default.as_deref() {
        None | Some("None") => Ok(None),
        Some(default) => {
            default_expr(default, &option.ty, SymInts::Numbers).map(Some).map_err(|error| error.about(&option.name))
        }
    }
}
