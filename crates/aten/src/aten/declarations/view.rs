//! One operator's entry.
//!
//! Invariant: every field is a scalar exactly as in the file. The template decides the keys and
//! their order.

use std::collections::HashMap;

use serde::Serialize;

use super::scalar::{Depth, Scalar};
use torchgen_api::cpp::{self, BindingKind, TypeStyle};
use torchgen_api::default::default_expr;
use torchgen_api::error::Result;
use torchgen_api::{CType, CallingConvention, CppSignatureGroup, Locals, SymInts};
use torchgen_base::render::{Fragment, RenderError};
use torchgen_generators::ItemError;
use torchgen_model::model::schema::ArgumentRef;
use torchgen_model::model::{Argument, BaseTy, NativeFunction, Type};

/// An entry of the file.
#[derive(Serialize)]
pub(crate) struct Declaration<'a> {
    name: Scalar<'a>,
    operator_name: Scalar<'a>,
    overload_name: Scalar<'a>,
    manual_kernel_registration: Scalar<'a>,
    category_override: Scalar<'a>,
    schema_string: Scalar<'a>,
    /// The lists of arguments, as in the file; usually the two are the same.
    arguments: String,
    schema_order_cpp_signature: Scalar<'a>,
    schema_order_arguments: String,
    method: bool,
    function: bool,
    python_module: Scalar<'a>,
    returns: Vec<Returned<'a>>,
    inplace: Scalar<'a>,
    is_factory_method: Scalar<'a>,
    is_abstract: Scalar<'a>,
    device_guard: Scalar<'a>,
    has_math_kernel: Scalar<'a>,
}

/// A list of arguments.
#[derive(Serialize)]
pub(crate) struct Arguments<'b, 'a> {
    pub(super) arguments: &'b [Parameter<'a>],
}

/// A parameter of the C++ function, or an argument of the schema.
#[derive(Clone, Serialize, PartialEq, Eq, Hash)]
pub(super) struct Parameter<'a> {
    /// Whether the caller or the function allocates out arguments.
    output: bool,
    annotation: Option<Scalar<'a>>,
    default: Option<Scalar<'a>>,
    dynamic_type: Scalar<'a>,
    field_name: Option<Scalar<'a>>,
    is_nullable: Scalar<'a>,
    kwarg_only: bool,
    name: Scalar<'a>,
    size: Option<Scalar<'a>>,
    #[serde(rename = "type")]
    ty: Scalar<'a>,
}

#[derive(Serialize)]
struct Returned<'a> {
    dynamic_type: Scalar<'a>,
    field_name: Option<Scalar<'a>>,
    name: Scalar<'a>,
    #[serde(rename = "type")]
    ty: Scalar<'a>,
}

impl<'a> Declaration<'a> {
    /// The entry of an operator, with `item_text` as the text of each of its arguments.
    ///
    /// # Errors
    /// An argument, a default or a return has no C++ form, or a text cannot be made.
    pub(super) fn new(
        f: &'a NativeFunction,
        namespace: &str,
        item_text: impl Fn(&Parameter<'a>) -> std::result::Result<Fragment, RenderError>,
    ) -> std::result::Result<Self, ItemError> {
        let text = |text: String| Scalar::text(text, Depth::Operator);
        let borrowed = |text: &'a str| Scalar::text(text, Depth::Operator);
        let locals = Locals::for_operator(f);
        let func = &f.func;
        let maker = ParameterMaker::new(f, locals);
        let signature = CppSignatureGroup::convenient(f, BindingKind::FUNCTION, locals).signature(func)?;
        let arguments: Vec<_> = signature
            .arguments
            .iter()
            .map(|binding| match binding.argument {
                ArgumentRef::Arg(a) | ArgumentRef::SelfArg(a) => maker.parameter(a),
                ArgumentRef::TensorOptions(_) => Ok(Parameter {
                    default: binding.default.clone().map(|default| Scalar::text(default, Depth::Item)),
                    kwarg_only: true,
                    ..Parameter::plain(
                        item("at::TensorOptions"),
                        Scalar::text(binding.name.clone(), Depth::Item),
                        type_item(&binding.nctype.ty),
                    )
                }),
            })
            .collect::<Result<_>>()?;
        let gathers_options =
            signature.arguments.iter().any(|binding| matches!(binding.argument, ArgumentRef::TensorOptions(_)));
        let types: Vec<String> = func
            .schema_order_arguments()
            .map(|a| Ok(cpp::argument_type(a, SymInts::Numbers, locals)?.to_string()))
            .collect::<Result<_>>()?;
        let schema_order: Vec<_> = func.schema_order_arguments().map(|a| maker.parameter(a)).collect::<Result<_>>()?;
        let list = |parameters: &[Parameter<'a>]| {
            parameters
                .iter()
                .try_fold(String::new(), |list, parameter| Ok::<_, RenderError>(list + &item_text(parameter)?))
        };
        let listed = list(&arguments)?;
        Ok(Declaration {
            name: text(cpp::name(func)),
            operator_name: text(func.name.name.to_string()),
            overload_name: borrowed(&func.name.overload_name),
            manual_kernel_registration: f.manual_kernel_registration.into(),
            category_override: borrowed(f.category_override.as_deref().unwrap_or_default()),
            schema_string: text(format!("{namespace}::{func}")),
            schema_order_arguments: if schema_order == arguments { listed.clone() } else { list(&schema_order)? },
            arguments: listed,
            schema_order_cpp_signature: text(format!("{} ({})", signature.returns_type, types.join(", "))),
            method: f.variants.method,
            function: f.variants.function,
            python_module: borrowed(f.python_module.as_deref().unwrap_or_default()),
            returns: returns(f, locals)?,
            inplace: func.name.name.inplace.into(),
            is_factory_method: (gathers_options && !f.variants.method).into(),
            is_abstract: f.is_abstract.into(),
            device_guard: f.device_guard.into(),
            has_math_kernel: f.has_composite_implicit_autograd_kernel.into(),
        })
    }
}

impl<'a> Parameter<'a> {
    fn plain(dynamic_type: Scalar<'a>, name: Scalar<'a>, ty: Scalar<'a>) -> Self {
        Parameter {
            output: false,
            annotation: None,
            default: None,
            dynamic_type,
            field_name: None,
            is_nullable: false.into(),
            kwarg_only: false,
            name,
            size: None,
            ty,
        }
    }
}

/// Describes the arguments of one operator. Their roles depend on their names, as in the reference.
struct ParameterMaker<'a> {
    f: &'a NativeFunction,
    locals: Locals,
    /// Out argument -> the return that it becomes.
    fields: HashMap<&'a str, &'a str>,
}

impl<'a> ParameterMaker<'a> {
    fn new(f: &'a NativeFunction, locals: Locals) -> Self {
        let outs = f.func.arguments.out.iter().zip(&f.func.returns);
        let fields = outs.filter_map(|(out, ret)| Some((out.name.as_str(), ret.name.as_deref()?))).collect();
        ParameterMaker { f, locals, fields }
    }

    fn parameter(&self, a: &'a Argument) -> Result<Parameter<'a>> {
        let arguments = &self.f.func.arguments;
        let default = match &a.default {
            Some(default) => Some(Scalar::default(default_expr(default, &a.ty, SymInts::Numbers)?)),
            None => None,
        };
        let output = arguments.out.iter().any(|out| out.name == a.name);
        let size = match a.ty.list_parts() {
            // The C++ type of a list of booleans includes its size.
            Some((elem, Some(size))) if !elem.is(BaseTy::Bool) => Some(size.into()),
            _ => None,
        };
        Ok(Parameter {
            output,
            annotation: a.annotation.as_ref().map(|annotation| Scalar::text(annotation.to_string(), Depth::Item)),
            default,
            field_name: self.fields.get(&*a.name).filter(|_| output).map(|field| item(field)),
            is_nullable: a.ty.is_nullable().into(),
            kwarg_only: arguments.flat_kwarg_only().any(|keyword| keyword.name == a.name),
            size,
            ..Parameter::plain(
                dynamic_type(&a.ty, self.locals)?,
                item(&a.name),
                type_item(&cpp::argument_type(a, SymInts::Numbers, self.locals)?),
            )
        })
    }
}

fn returns(f: &NativeFunction, locals: Locals) -> Result<Vec<Returned<'_>>> {
    let names = cpp::return_names(f, "result")?;
    let described = f.func.returns.iter().zip(names).map(|(ret, name)| {
        Ok(Returned {
            dynamic_type: dynamic_type(&ret.ty, locals)?,
            field_name: ret.name.as_deref().map(item),
            name: Scalar::text(name, Depth::Item),
            ty: type_item(&cpp::return_type(ret, locals)?),
        })
    });
    described.collect()
}

/// The C++ type of a value, optional or not. Rule: torchgen/gen.py, `dynamic_type`.
fn dynamic_type<'a>(ty: &Type, locals: Locals) -> Result<Scalar<'a>> {
    match ty {
        Type::Optional(elem) => dynamic_type(elem, locals),
        Type::Base(BaseTy::Tensor) => Ok(item("at::Tensor")),
        ty => Ok(type_item(&cpp::argumenttype_type(ty, TypeStyle { locals, ..TypeStyle::default() })?)),
    }
}

fn item(text: &str) -> Scalar<'_> {
    Scalar::text(text, Depth::Item)
}

fn type_item(ty: &CType) -> Scalar<'static> {
    Scalar::text(ty.to_string(), Depth::Item)
}
