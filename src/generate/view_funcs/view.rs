//! What the templates of view replays need.

use serde::Serialize;

use crate::api::autograd::view::{captured, view_func_macro, view_func_name};
use crate::api::cpp::TypeStyle;
use crate::api::{Binding, CType, Locals, Mode, dispatcher, functionalization, translate_with};
use crate::diag::{Diagnostic, codes};
use crate::generate::autograd_common::viewed;
use crate::generate::{AutogradContext, ItemFault};
use crate::model::{Argument, NativeFunction, Type};
use crate::parse::Dialect;

/// The class that replays a view.
#[derive(Serialize)]
pub(super) struct ViewFunc<'a> {
    name: String,
    /// The macro that says that the class is there.
    available: String,
    /// The namespace of the Operators API.
    ops: &'a str,
    /// The operator's name there.
    unambiguous_name: String,
    /// What the view is called with, `input_base` in place of the tensor that is viewed.
    arguments: Vec<&'a str>,
    /// Parameters of the constructor.
    parameters: Vec<Field<'a>>,
    /// What of them is kept, by types that own their values.
    state: Vec<Field<'a>>,
    initializers: Vec<Initializer<'a>>,
    /// It stands for one of several outputs.
    is_indexed: bool,
    symints: Group<'a>,
    tensors: Group<'a>,
}

#[derive(Serialize)]
struct Field<'a> {
    ty: CType,
    name: &'a str,
}

#[derive(Serialize)]
struct Initializer<'a> {
    name: &'a str,
    value: String,
}

/// Fields that callers may look at and replace, as one list.
#[derive(Serialize)]
struct Group<'a> {
    /// How many there are.
    count: String,
    members: Vec<Member<'a>>,
}

#[derive(Serialize)]
struct Member<'a> {
    name: &'a str,
    is_list: bool,
    is_optional: bool,
    /// How many it holds.
    count: String,
}

impl<'a> ViewFunc<'a> {
    pub(super) fn new(ctx: &AutogradContext<'a, '_>, f: &'a NativeFunction) -> Result<Self, ItemFault> {
        let func = &f.func;
        if func.returns.len() != 1 {
            let message = format!("view `{}` must have one output, a `Tensor` or a `Tensor[]`", func.name);
            return Err(Diagnostic::new(&codes::BAD_SHAPE, message).at(f.spans.func).into());
        }
        let base = viewed(f, ctx.dialect)?;
        let others = || func.schema_order_arguments().filter(|a| a.name != base);
        let bindings = |owning| -> Result<Vec<Binding<'a>>, ItemFault> {
            let style = TypeStyle {
                symint: true,
                remove_non_owning_ref_types: owning,
                locals: Locals::of(f),
                ..TypeStyle::default()
            };
            Ok(others().map(|a| dispatcher::argument(a, style)).collect::<Result<_, _>>()?)
        };
        let (taken, kept) = (bindings(false)?, bindings(true)?);
        if ctx.dialect == Dialect::Library {
            taken.iter().try_for_each(|binding| captured(binding, ctx.dialect).map(drop))?;
        }
        let mode = Mode { allow_expensive_conversions: true, ..Mode::default() };
        let values = translate_with(&taken, &kept, mode)?;
        let (mut parameters, mut state, mut initializers) = (Vec::new(), Vec::new(), Vec::new());
        for (((a, taken), kept), value) in others().zip(&taken).zip(&kept).zip(values) {
            let name = a.name.as_str();
            let (mut ty, mut value) = (kept.nctype.ty.remove_const_ref(), value.expr.into_owned());
            if ctx.dialect == Dialect::Library {
                (ty, value) = functionalization::owned(&value, ty);
            }
            parameters.push(Field { ty: taken.nctype.ty, name });
            state.push(Field { ty, name });
            initializers.push(Initializer { name, value });
        }
        Ok(ViewFunc {
            name: view_func_name(func),
            available: view_func_macro(func),
            ops: &ctx.namespaces.operators,
            unambiguous_name: func.name.unambiguous_name(),
            arguments: func.schema_order_arguments().map(|a| if a.name == base { BASE } else { &a.name }).collect(),
            parameters,
            state,
            initializers,
            is_indexed: functionalization::is_multi_output(func),
            symints: Group::new(others().filter(|a| a.ty.is_symint_like())),
            tensors: Group::new(others().filter(|a| a.ty.is_tensor_like())),
        })
    }
}

/// What the tensor that is viewed is called in a replay.
const BASE: &str = "input_base";

impl<'a> Group<'a> {
    fn new(arguments: impl Iterator<Item = &'a Argument>) -> Self {
        let members: Vec<Member> = arguments.map(Member::new).collect();
        let counts: Vec<&str> = members.iter().map(|member| member.count.as_str()).collect();
        let count = if counts.is_empty() { "0".to_owned() } else { counts.join(" + ") };
        Group { count, members }
    }
}

impl<'a> Member<'a> {
    fn new(a: &'a Argument) -> Self {
        let (name, is_list) = (a.name.as_str(), a.ty.is_list_like().is_some());
        let is_optional = !is_list && matches!(a.ty, Type::Optional(_));
        let count = match (is_list, is_optional) {
            (true, _) => format!("{name}.size()"),
            (_, true) => format!("({name}.has_value() ? 1 : 0)"),
            _ => "1".to_owned(),
        };
        Member { name, is_list, is_optional, count }
    }
}
