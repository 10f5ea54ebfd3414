//! The code of one operator for one key, and the parts of a structured wrapper, each of which the
//! caller of the program may write instead.
//!
//! Invariant: a part is a piece of the text that [`definitions`](super::definitions) writes,
//! without the indentation that it has there. Rule: torchgen/dest/register_dispatch_key.py,
//! `RegisterDispatchKey` and `StructuredRegisterDispatchKey`.

use serde::Serialize;

use super::backend::Backend;
use super::device_check::DeviceCheck;
use super::functions::declared;
use super::members::{self, Member, WrapperKind};
use super::structured::{self, Structured};
use super::wrapper::{Function, Registration, Wrappers};
use crate::{Context, ItemError};
use torchgen_base::diag::Diagnostic;
use torchgen_base::render::RenderError;
use torchgen_model::codes;
use torchgen_model::group::{Grouped, NativeFunctionsGroup};
use torchgen_model::model::native_function::DeviceCheckType;
use torchgen_model::model::{Argument, NativeFunction};

/// What to show of an operator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Code {
    /// The wrapper.
    Wrapper,
    /// Its registration.
    Registration,
    /// The functions that call it without the dispatcher.
    Functions,
    /// Their declarations.
    Declarations,
}

/// Some functions of an operator.
#[derive(Serialize)]
struct Functions<'a> {
    functions: &'a [Function],
}

/// A registration by itself.
#[derive(Serialize)]
struct Registered<'a> {
    registration: &'a Registration,
}

/// Whether the wrappers of a group run its meta function.
///
/// # Errors
/// The group has a kernel where one is generated, or is structured in a way that wrappers do not
/// support.
pub fn is_structured(backend: &Backend, g: NativeFunctionsGroup) -> Result<bool, ItemError> {
    let members = members::members(backend, &Grouped::Group(g))?;
    Ok(members.iter().any(|member| matches!(member.kind, WrapperKind::Structured(_))))
}

/// Whether backends have to define a member of a structured group, so that it has no code for the
/// key.
pub fn is_for_backends(backend: &Backend, f: &NativeFunction) -> bool {
    members::is_defined_elsewhere(backend, f)
}

/// What the wrapper of an operator that needs no meta function is made from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MadeFrom {
    /// The operator's kernel.
    Kernel,
    /// The wrapper of its functional variant.
    Functional,
    /// Nothing: it only checks its arguments.
    Nothing,
}

/// What the wrapper of an operator is made from, which may be in a group; `None` if it has none.
pub fn made_from<'a>(
    backend: &Backend<'a>,
    f: &'a NativeFunction,
    g: Option<NativeFunctionsGroup<'a>>,
) -> Option<MadeFrom> {
    Some(match members::unstructured(backend, f, g)?.kind {
        WrapperKind::Kernel(_) => MadeFrom::Kernel,
        WrapperKind::FromFunctional(_) => MadeFrom::Functional,
        WrapperKind::InplaceMeta | WrapperKind::Structured(_) => MadeFrom::Nothing,
    })
}

/// The code of an operator that needs no meta function, which may be in a group; `None` if it has
/// no wrapper for the key.
pub fn unstructured<'a>(
    ctx: &Context<'a>,
    backend: &Backend<'a>,
    f: &'a NativeFunction,
    g: Option<NativeFunctionsGroup<'a>>,
    code: Code,
) -> Result<Option<String>, ItemError> {
    let Some(member) = members::unstructured(backend, f, g) else { return Ok(None) };
    of_member(ctx, backend, member, code).map(Some)
}

/// The code of a member of a structured group; `None` if backends have to define it.
pub fn of_structured<'a>(
    ctx: &Context<'a>,
    backend: &Backend<'a>,
    f: &'a NativeFunction,
    g: NativeFunctionsGroup<'a>,
    code: Code,
) -> Result<Option<String>, ItemError> {
    if members::is_defined_elsewhere(backend, f) {
        return Ok(None);
    }
    of_member(ctx, backend, Member { f, kind: WrapperKind::Structured(g) }, code).map(Some)
}

fn of_member<'a>(
    ctx: &Context<'a>,
    backend: &Backend<'a>,
    member: Member<'a>,
    code: Code,
) -> Result<String, ItemError> {
    if code == Code::Declarations {
        let view = declared(backend, member.f)?;
        return Ok(ctx.renderer.fragment("torch/register_dispatch_key/declarations.j2", &view)?);
    }
    let Wrappers { wrappers, registrations, functions, .. } = Wrappers::new(ctx, backend, &[member])?;
    Ok(match (code, wrappers.first(), registrations.first()) {
        (Code::Wrapper, Some(wrapper), _) => super::definitions::list(ctx, std::slice::from_ref(wrapper))?,
        (Code::Registration, _, Some(registration)) => {
            let view = Registered { registration };
            let text = ctx.renderer.fragment("torch/register_dispatch_key/registration.j2", &view)?;
            // The others are lines of their own.
            if registration.own_line { text } else { text.trim_end().to_owned() }
        }
        _ => {
            let view = Functions { functions: &functions };
            ctx.renderer.fragment("torch/register_dispatch_key/functions.j2", &view)?
        }
    })
}

/// A wrapper of which only the check of devices is shown.
#[derive(Serialize)]
struct Checked<'a> {
    wrapper: CheckedWrapper<'a>,
}

#[derive(Serialize)]
struct CheckedWrapper<'a> {
    at: &'static str,
    device_check: Option<DeviceCheck<'a>>,
}

/// The check that the tensors among some arguments are on one device, or the comment that there is
/// none.
pub fn device_check(
    ctx: &Context,
    backend: &Backend,
    check: DeviceCheckType,
    arguments: &[Argument],
    wrapper: &str,
) -> Result<String, RenderError> {
    let device_check = DeviceCheck::among(backend, check, arguments, wrapper);
    let view = Checked { wrapper: CheckedWrapper { at: backend.at, device_check } };
    ctx.renderer.fragment("torch/register_dispatch_key/device_check.j2", &view)
}

/// The wrapper of a member of a structured group, in parts.
pub struct Parts<'a> {
    wrapper: Structured<'a>,
    /// Whether outputs can be made.
    makes: bool,
}

/// A wrapper with parts that were written for it.
#[derive(Serialize)]
struct Given<'a, T> {
    wrapper: &'a Structured<'a>,
    given: T,
}

/// The constructor and the functions that set outputs.
#[derive(Serialize)]
struct Members {
    constructor: String,
    functions: String,
}

#[derive(Serialize)]
struct Class {
    class: String,
}

/// How outputs are set with their strides, and if the strides are a proposal only.
#[derive(Serialize)]
struct Bodies {
    bodies: ByStrides,
}

#[derive(Serialize)]
struct ByStrides {
    strided: String,
    raw_strided: String,
}

/// A part for one way to set outputs.
#[derive(Serialize)]
struct Setting<'a, T> {
    wrapper: &'a Structured<'a>,
    strides: &'static str,
    given: T,
}

/// The same without parts that were written for it.
#[derive(Serialize)]
struct Body<'a> {
    wrapper: &'a Structured<'a>,
    strides: &'static str,
}

/// The functions that set outputs, by their names.
const STRIDED: &str = "strided";
const RAW_STRIDED: &str = "raw_strided";

impl<'a> Parts<'a> {
    /// Those of a member.
    pub fn from_member(
        ctx: &Context<'a>,
        backend: &Backend<'a>,
        f: &'a NativeFunction,
        g: NativeFunctionsGroup<'a>,
    ) -> Result<Parts<'a>, ItemError> {
        let signature = structured::signature(backend, f)?;
        let wrapper = structured::wrapper(ctx, backend, f, g, &signature)?;
        Ok(Parts { wrapper, makes: backend.empty.is_some() })
    }

    /// The names of the class and of its base class, and whether outputs of that one are set too.
    pub fn names(&self) -> (&str, &str, bool) {
        let (class, parent) = self.wrapper.names();
        (class, parent, self.wrapper.inherits)
    }

    /// With these names.
    #[must_use]
    pub fn with_names(mut self, class: Option<String>, parent: Option<String>) -> Parts<'a> {
        self.wrapper.rename(class, parent);
        self
    }

    /// Where the outputs of the base class are set too, or are not.
    #[must_use]
    pub fn inheriting(mut self, inherits: bool) -> Parts<'a> {
        self.wrapper.inherits = inherits;
        self
    }

    /// With this number of outputs.
    #[must_use]
    pub fn returning(mut self, outputs: usize) -> Parts<'a> {
        self.wrapper.outputs = (0..outputs).collect();
        self
    }

    /// The constructor of the class; empty if it needs none.
    pub fn constructor(&self, ctx: &Context) -> Result<String, RenderError> {
        let view = Body { wrapper: &self.wrapper, strides: STRIDED };
        Ok(dedented(&ctx.renderer.fragment("torch/register_dispatch_key/structured_ctor.j2", &view)?, 4))
    }

    /// The statements that set an output. One with other strides is replaced by a proxy.
    ///
    /// # Errors
    /// The program does not know how to make outputs for the key.
    pub fn set_output_body(&self, ctx: &Context, f: &NativeFunction, proxies: bool) -> Result<String, ItemError> {
        if !self.makes && self.wrapper.makes_outputs() {
            return Err(no_outputs(f).into());
        }
        let view = Body { wrapper: &self.wrapper, strides: if proxies { STRIDED } else { RAW_STRIDED } };
        Ok(dedented(&ctx.renderer.fragment("torch/register_dispatch_key/set_output_body.j2", &view)?, 8))
    }

    /// The functions that set outputs, around statements that do it with a proxy and without.
    pub fn set_output_functions(&self, ctx: &Context, strided: &str, raw_strided: &str) -> Result<String, RenderError> {
        let mut text = String::new();
        for strides in [STRIDED, RAW_STRIDED] {
            let bodies = ByStrides { strided: indented(strided, 8), raw_strided: indented(raw_strided, 8) };
            let view = Setting { wrapper: &self.wrapper, strides, given: Bodies { bodies } };
            text.push_str(&ctx.renderer.fragment("torch/register_dispatch_key/set_output.j2", &view)?);
        }
        Ok(dedented(&text, 4))
    }

    /// The class, around its constructor and its functions that set outputs.
    pub fn class(&self, ctx: &Context, constructor: &str, functions: &str) -> Result<String, RenderError> {
        let given = Members { constructor: indented(constructor, 4), functions: indented(functions, 4) };
        let view = Given { wrapper: &self.wrapper, given };
        let text = ctx.renderer.fragment("torch/register_dispatch_key/structured_class.j2", &view)?;
        Ok(text.trim_end().to_owned())
    }

    /// The wrapper, with its class.
    pub fn wrapper(&self, ctx: &Context, class: &str) -> Result<String, RenderError> {
        let view = Given { wrapper: &self.wrapper, given: Class { class: class.to_owned() } };
        ctx.renderer.fragment("torch/register_dispatch_key/structured.j2", &view)
    }
}

/// A text with less indentation, without a newline at its end.
fn dedented(text: &str, by: usize) -> String {
    let spaces = " ".repeat(by);
    let lines = text.trim_end().split_inclusive('\n');
    lines.map(|line| line.strip_prefix(spaces.as_str()).unwrap_or(line)).collect()
}

/// A text with more indentation, without a newline at its end.
fn indented(text: &str, by: usize) -> String {
    let spaces = " ".repeat(by);
    let indent = |line: &str| if line.trim().is_empty() { line.to_owned() } else { format!("{spaces}{line}") };
    text.trim_end().split_inclusive('\n').map(indent).collect()
}

fn no_outputs(f: &NativeFunction) -> Diagnostic {
    let message = format!("it is unknown how the outputs of `{}` are made for this key", f.func.name);
    Diagnostic::new(&codes::BAD_SHAPE, message).at(f.spans.name)
}
