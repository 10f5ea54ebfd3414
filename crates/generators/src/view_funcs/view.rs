//! What the templates of view replays need.

use serde::Serialize;

use crate::autograd_common::{viewed, viewed_output};
use crate::{AutogradContext, ItemError};
use torchgen_api::autograd::view::{owned, view_func_macro, view_func_name};
use torchgen_api::functionalization::Ownership;
use torchgen_api::{Binding, CType, Locals, Mode, dispatcher, functionalization, translate_with};
use torchgen_base::diag::Diagnostic;
use torchgen_model::codes;
use torchgen_model::model::Target;
use torchgen_model::model::{Argument, NativeFunction, Type};

/// The class that replays a view.
#[derive(Serialize)]
pub(crate) struct ViewFunc<'a> {
    name: String,
    /// The macro that shows that the class exists; `None` in libraries, which do not use it.
    available: Option<String>,
    /// The namespace of the Operators API.
    ops: &'a str,
    /// The operator's name in it.
    unambiguous_name: String,
    /// The arguments of the view, with `input_base` in place of the viewed tensor.
    arguments: Vec<String>,
    /// The index of the result that it replays, if there are several.
    result: Option<usize>,
    /// Parameters of the constructor.
    parameters: Vec<Field<'a>>,
    /// The stored arguments, with types that own their values.
    state: Vec<Field<'a>>,
    initializers: Vec<Initializer<'a>>,
    /// The source of a copy.
    copied: Vec<String>,
    /// It represents one of several outputs.
    is_indexed: bool,
    symints: Group<'a>,
    tensors: Group<'a>,
}

#[derive(Serialize)]
struct Field<'a> {
    ty: String,
    name: &'a str,
}

#[derive(Serialize)]
struct Initializer<'a> {
    name: &'a str,
    value: String,
}

/// Fields that callers can read and replace, as one list.
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
    /// It is a list of optional tensors.
    has_optional_elements: bool,
    /// The number of its elements.
    count: String,
}

impl<'a> ViewFunc<'a> {
    /// The classes that replay a view: one for each result that is a view.
    ///
    /// # Errors
    /// The view does not have the required shape, or an argument cannot be stored.
    pub(super) fn all(ctx: &AutogradContext<'a, '_>, f: &'a NativeFunction) -> Result<Vec<Self>, ItemError> {
        if !ctx.target.views_of_any_form {
            return Ok(vec![Self::aten(ctx, f)?]);
        }
        let mut classes = Vec::new();
        for (index, ret) in f.func.returns.iter().enumerate() {
            let Some(base) = viewed_output(f, ret)? else { continue };
            let result = (f.func.returns.len() > 1).then_some(index);
            classes.push(Self::library(ctx, f, base, result, ret.ty.is_list_like().is_some())?);
        }
        Ok(classes)
    }

    fn aten(ctx: &AutogradContext<'a, '_>, f: &'a NativeFunction) -> Result<Self, ItemError> {
        let func = &f.func;
        if func.returns.len() != 1 {
            let message = format!("view `{}` must have one output, a `Tensor` or a `Tensor[]`", func.name);
            return Err(Diagnostic::new(&codes::BAD_SHAPE, message).at(f.spans.func).into());
        }
        let base = viewed(f, ctx.target)?;
        let (taken, kept) =
            (bindings(f, base, Ownership::Refers)?, bindings(f, base, Ownership::stored(ctx.target.tables))?);
        let mode = Mode { allow_expensive_conversions: true, ..Mode::default() };
        let values = translate_with(&taken, &kept, mode)?;
        let mut class = Self::empty(ctx, f, base, functionalization::is_multi_output(func));
        class.available = Some(view_func_macro(func));
        for (((a, taken), kept), value) in others(f, base).zip(&taken).zip(&kept).zip(values) {
            class.add(
                a,
                &taken.nctype.ty,
                kept.nctype.ty.remove_const_ref().to_string(),
                value.expr.into_owned(),
                None,
            );
        }
        Ok(class)
    }

    fn library(
        ctx: &AutogradContext<'a, '_>,
        f: &'a NativeFunction,
        base: &'a str,
        result: Option<usize>,
        is_indexed: bool,
    ) -> Result<Self, ItemError> {
        let mut class = Self::empty(ctx, f, base, is_indexed);
        if let Some(index) = result {
            class.name = format!("{}{index}", class.name);
        }
        class.result = result;
        for (a, taken) in others(f, base).zip(&bindings(f, base, Ownership::Refers)?) {
            let kept = owned(taken)?;
            class.add(a, &taken.nctype.ty, kept.ty, kept.value, Some(kept.passed));
        }
        Ok(class)
    }

    /// A class that stores nothing.
    fn empty(ctx: &AutogradContext<'a, '_>, f: &'a NativeFunction, base: &str, is_indexed: bool) -> Self {
        let name_or_base = |a: &Argument| if a.name == base { BASE.to_owned() } else { a.name.clone() };
        ViewFunc {
            name: view_func_name(&f.func),
            available: None,
            ops: &ctx.namespaces.operators,
            unambiguous_name: f.func.name.unambiguous_name(),
            arguments: f.func.schema_order_arguments().map(name_or_base).collect(),
            result: None,
            parameters: Vec::new(),
            state: Vec::new(),
            initializers: Vec::new(),
            copied: Vec::new(),
            is_indexed,
            symints: Group::new(others(f, base).filter(|a| a.ty.is_symint_like()), ctx.target),
            tensors: Group::new(others(f, base).filter(|a| a.ty.is_tensor_like()), ctx.target),
        }
    }

    /// Stores an argument. `passed` is the argument of the view's call, if that is not the field
    /// itself.
    fn add(&mut self, a: &'a Argument, taken: &CType, kept: String, value: String, passed: Option<String>) {
        let name = a.name.as_str();
        let passed = passed.unwrap_or_else(|| name.to_owned());
        for argument in self.arguments.iter_mut().filter(|argument| *argument == name) {
            argument.clone_from(&passed);
        }
        self.copied.push(passed);
        self.parameters.push(Field { ty: taken.to_string(), name });
        self.state.push(Field { ty: kept, name });
        self.initializers.push(Initializer { name, value });
    }
}

/// The arguments except the viewed tensor.
fn others<'a>(f: &'a NativeFunction, base: &str) -> impl Iterator<Item = &'a Argument> {
    f.func.schema_order_arguments().filter(move |a| a.name != base)
}

/// Their C++ parameters.
fn bindings<'a>(f: &'a NativeFunction, base: &str, ownership: Ownership) -> Result<Vec<Binding<'a>>, ItemError> {
    let style = ownership.style(Locals::for_operator(f));
    Ok(others(f, base).map(|a| dispatcher::argument(a, style)).collect::<Result<_, _>>()?)
}

/// The name of the viewed tensor in a replay.
const BASE: &str = "input_base";

impl<'a> Group<'a> {
    fn new(arguments: impl Iterator<Item = &'a Argument>, target: Target) -> Self {
        let members: Vec<Member> = arguments.map(|a| Member::new(a, target)).collect();
        let counts: Vec<&str> = members.iter().map(|member| member.count.as_str()).collect();
        let count = if counts.is_empty() { "0".to_owned() } else { counts.join(" + ") };
        Group { count, members }
    }
}

impl<'a> Member<'a> {
    fn new(a: &'a Argument, target: Target) -> Self {
        let (name, list) = (a.name.as_str(), a.ty.is_list_like());
        let is_list = list.is_some();
        // ATen's views take neither optional lists nor lists of optional tensors.
        let may_be_absent = target.views_of_any_form || !is_list;
        let is_optional = may_be_absent && matches!(a.ty, Type::Optional(_));
        let has_optional_elements =
            target.views_of_any_form && matches!(list, Some(Type::List(elem, _)) if elem.is_nullable());
        let count = match (is_list, is_optional) {
            (true, true) => format!("({name}.has_value() ? {name}->size() : 0)"),
            (true, false) => format!("{name}.size()"),
            (false, true) => format!("({name}.has_value() ? 1 : 0)"),
            (false, false) => "1".to_owned(),
        };
        Member { name, is_list, is_optional, has_optional_elements, count }
    }
}
