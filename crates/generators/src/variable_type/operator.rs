//! One operator under one key, analysed once: its differentiable inputs and outputs, and whether it
//! gets a gradient.
//!
//! Invariant: everything that the views need to know about inputs and outputs is decided here,
//! including errors. Rule: tools/autograd/gen_variable_type.py, `emit_body`, its first half.

use std::borrow::Cow;

use super::lists::Traits;
use crate::ItemError;
use crate::autograd_common::{modifies_arguments, view_info, written_arguments};
use torchgen_api::autograd::{
    Derivative, DifferentiabilityInfo, DifferentiableOutput, ForwardDerivative,
    NativeFunctionWithDifferentiabilityInfo, gen_differentiable_outputs, is_differentiable,
};
use torchgen_api::{Locals, cpp};
use torchgen_base::diag::Diagnostic;
use torchgen_model::codes;
use torchgen_model::model::Target;
use torchgen_model::model::{Argument, DispatchKey, NativeFunction, SchemaKind, Type, cpp_names};

/// A tensor, optional or not, but not a list.
pub(crate) fn is_tensor_type(ty: &Type) -> bool {
    ty.is_tensor_like() && ty.is_list_like().is_none()
}

/// A list of tensors, optional or not.
pub(crate) fn is_tensor_list_type(ty: &Type) -> bool {
    ty.is_tensor_like() && ty.is_list_like().is_some()
}

/// A tensor that is always there, which kernels unpack.
pub(crate) fn is_unpacked(a: &Argument) -> bool {
    a.ty.is_tensor_like() && !a.ty.is_nullable()
}

/// The name of an unpacked argument.
pub(crate) fn unpacked_name(a: &Argument) -> Cow<'_, str> {
    if is_unpacked(a) { Cow::Owned(format!("{}_", a.name)) } else { Cow::Borrowed(&a.name) }
}

/// A differentiable input, by its name in derivatives.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Input<'s> {
    /// The name in formulas.
    pub name: &'s str,
    /// Its name in the kernel: the same, except for inplace foreach operators.
    pub(crate) own: &'s Argument,
    /// The type in formulas.
    pub ty: &'s Type,
}

impl Input<'_> {
    /// The kernel has a list of tensors for it.
    pub(crate) fn own_is_list(&self) -> bool {
        is_tensor_list_type(&self.own.ty)
    }
}

/// The operator and what is known about it.
pub(crate) struct DispatchedOperator<'s, 'a> {
    pub(crate) f: &'a NativeFunction,
    pub(crate) key: DispatchKey,
    pub target: Target<'s>,
    pub(crate) info: Option<&'s DifferentiabilityInfo<'a>>,
    pub(crate) forward: &'s [ForwardDerivative],
    pub locals: Locals,
    pub(crate) traits: Traits,
    pub(crate) cpp_name: String,
    pub(crate) inplace: bool,
    pub(crate) out: bool,
    /// It works on lists of tensors, one by one. Functional ones take lists as a whole, inplace
    /// ones have a node for each tensor.
    pub(crate) foreach: bool,
    /// The base of its outputs, if they are views.
    pub(crate) view: Option<&'s str>,
    /// For an inplace foreach operator: its arguments and those of the operator whose derivative it
    /// uses.
    pub(crate) followed: Vec<(&'s Argument, &'s Argument)>,
    pub inputs: Vec<Input<'s>>,
    /// The inputs that have formulas; all, if there are no formulas.
    pub(crate) with_derivatives: Vec<Input<'s>>,
    pub(crate) outputs: Vec<DifferentiableOutput<'a>>,
    /// The arguments that a library's operator mutates without returning them.
    pub(crate) written: Vec<&'s Argument>,
    /// Gradients can flow through it.
    pub(crate) requires_derivative: bool,
}

impl<'s, 'a> DispatchedOperator<'s, 'a> {
    /// Analyses an operator.
    ///
    /// # Errors
    /// Derivatives do not match it.
    pub(super) fn new(
        fn_: &'s NativeFunctionWithDifferentiabilityInfo<'a>,
        key: DispatchKey,
        target: Target<'s>,
    ) -> Result<Self, ItemError> {
        let f = fn_.func;
        let info = fn_.info_of(key);
        let cpp_name = cpp::name(&f.func);
        let kind = f.func.kind();
        let mut op = DispatchedOperator {
            f,
            key,
            target,
            info,
            forward: fn_.fw_derivatives_of(key),
            locals: Locals::for_operator(f),
            traits: Traits::for_operator(f, &cpp_name, target),
            inplace: kind == SchemaKind::Inplace,
            out: kind == SchemaKind::Out,
            // In a library the name has a meaning only if there is a derivative to reuse.
            foreach: cpp_name.starts_with("_foreach") && (target.known_by_name || info.is_some()),
            view: view_info(f, target),
            cpp_name,
            followed: Vec::new(),
            inputs: Vec::new(),
            with_derivatives: Vec::new(),
            outputs: gen_differentiable_outputs(fn_, key)?,
            written: unreturned(f, target),
            requires_derivative: false,
        };
        if op.inplace && op.foreach {
            op.followed = op.follow()?;
        }
        if let Some(info) = op.backward().filter(|_| !target.known_by_name) {
            op.traits.refuses_complex = info.complex_gradients != Some(true);
        }
        op.inputs = op.differentiable_inputs();
        op.with_derivatives = op.inputs_with_derivatives()?;
        op.requires_derivative = !op.traits.dont_require_derivative
            && !op.inputs.is_empty()
            && (!op.outputs.is_empty() || op.foreach_inplace() || op.writes_without_derivative());
        op.check_entry(target)?;
        Ok(op)
    }

    /// It has a node for each tensor of its lists.
    pub(crate) fn foreach_inplace(&self) -> bool {
        self.foreach && self.inplace
    }

    /// The derivatives, if there are formulas for gradients among them.
    pub(crate) fn backward(&self) -> Option<&'s DifferentiabilityInfo<'a>> {
        self.info.filter(|info| info.has_derivatives())
    }

    /// There is no derivative for its mutable argument, which is an error only when a gradient is
    /// requested.
    pub(crate) fn writes_without_derivative(&self) -> bool {
        self.f.differentiable && self.backward().is_none() && !self.written.is_empty()
    }

    /// The arguments of a library's operator that must not require a gradient, since they are
    /// overwritten and no gradient flows through.
    pub(crate) fn overwritten(&self, target: Target) -> Vec<&'s Argument> {
        if self.requires_derivative || self.out {
            return Vec::new();
        }
        written_arguments(self.f, target)
    }

    /// Its results become part of an existing history.
    pub(crate) fn rebases(&self) -> bool {
        modifies_arguments(self.f) && self.view.is_none()
    }

    /// The argument of an inplace foreach operator for a name of the other operator.
    pub(crate) fn followed_by(&self, name: &str) -> Option<&'s Argument> {
        self.followed.iter().find(|(_, other)| other.name == name).map(|(own, _)| *own)
    }

    /// Pairs the arguments of an inplace foreach operator with those of the operator whose
    /// derivative it uses.
    fn follow(&self) -> Result<Vec<(&'s Argument, &'s Argument)>, ItemError> {
        let f = self.f;
        let error = |message: String| Diagnostic::new(&codes::FOREACH_DERIVATIVE, message).at(f.spans.func);
        let Some(info) = self.info else {
            if self.traits.foreach_without_derivative {
                return Ok(Vec::new());
            }
            let message = format!("inplace foreach operator `{}` has no derivative to reuse", f.func.name);
            return Err(error(message).help("add a derivative of the operator on single tensors").into());
        };
        let (own, others) = (&f.func.arguments, &info.func.func.arguments);
        let (count, other_count) = (own.flat_non_out().count(), others.flat_non_out().count());
        if count != other_count && !self.traits.foreach_with_different_arity {
            let message = format!(
                "`{}` has {count} arguments, but `{}`, whose derivative it reuses, has {other_count}",
                f.func.name, info.func.func.name
            );
            return Err(error(message).also(info.span, "the derivative").into());
        }
        let pairs: Vec<_> = own.flat_non_out().zip(others.flat_non_out()).collect();
        let elem = |ty: &'s Type| if let Type::List(elem, _) = ty { &**elem } else { ty };
        match pairs.iter().find(|(own, other)| *elem(&own.ty) != other.ty) {
            None => Ok(pairs),
            Some((own, other)) => {
                let message = format!(
                    "argument `{}` of `{}` is of type `{}`, not a list of the `{}` of the derivative that it reuses",
                    own.schema_name(),
                    f.func.name,
                    own.ty,
                    other.ty
                );
                Err(error(message).also(info.span, "the derivative").into())
            }
        }
    }

    /// The arguments except tensor options and out arguments.
    pub(crate) fn plain_arguments(&self) -> impl Iterator<Item = &'s Argument> {
        let arguments = &self.f.func.arguments;
        let options = arguments.tensor_options.as_ref().map(|options| options.all());
        let is_option = move |a: &Argument| options.is_some_and(|all| all.iter().any(|other| std::ptr::eq(*other, a)));
        arguments.flat_non_out().filter(move |a| !is_option(a))
    }

    fn differentiable_inputs(&self) -> Vec<Input<'s>> {
        let input = |own: &'s Argument| {
            let followed = self.followed.iter().find(|(a, _)| std::ptr::eq(*a, own)).map_or(own, |(_, other)| other);
            let (name, ty) = (followed.name.as_str(), &followed.ty);
            is_differentiable(name, ty, self.info).then_some(Input { name, own, ty })
        };
        self.plain_arguments().filter_map(input).collect()
    }

    /// The formula is for an argument that is overwritten and not returned.
    fn is_for_written(&self, derivative: &Derivative) -> bool {
        derivative.var_names.iter().any(|name| self.written.iter().any(|a| a.name == *name))
    }

    fn inputs_with_derivatives(&self) -> Result<Vec<Input<'s>>, ItemError> {
        let Some(info) = self.backward() else { return Ok(self.inputs.clone()) };
        let names = || info.derivatives.iter().flat_map(|d| d.var_names.iter().map(move |name| (name, d.span)));
        let missing = names().find(|(name, _)| !self.inputs.iter().any(|input| input.name == name.as_str()));
        if let Some((name, span)) = missing {
            let name = cpp_names::written(name);
            let message = format!(
                "there is a formula for `{name}`, which is not a differentiable input of `{}`",
                self.f.func.name
            );
            return Err(Diagnostic::new(&codes::NO_SUCH_INPUT, message)
                .at(span)
                .also(self.f.spans.func, "the operator")
                .into());
        }
        Ok(self.inputs.iter().copied().filter(|input| names().any(|(name, _)| name == input.name)).collect())
    }

    fn check_entry(&self, target: Target) -> Result<(), ItemError> {
        let f = self.f;
        if let Some(info) = self.backward()
            && let Some(derivative) = info.derivatives.iter().find(|d| self.is_for_written(d))
        {
            let message = format!("`{}` overwrites the argument whose gradient this formula computes", f.func.name);
            return Err(Diagnostic::new(&codes::IGNORED_DERIVATIVE, message)
                .at(derivative.span)
                .also(f.spans.func, "the operator")
                .help("write the derivative for a functional variant, which returns the new value instead")
                .into());
        }
        if let Some(info) = self.backward()
            && !self.requires_derivative
            && (!f.func.returns.is_empty() || target.refuses_what_has_no_effect)
        {
            let message =
                format!("the derivative of `{}` would be ignored, since no gradient flows through it", f.func.name);
            return Err(Diagnostic::new(&codes::IGNORED_DERIVATIVE, message)
                .at(info.span)
                .also(f.spans.func, "the operator")
                .into());
        }
        let tangents: usize = self.forward.iter().map(|derivative| derivative.var_names.len()).sum();
        if self.requires_derivative
            && let Some(first) = self.forward.first()
            && !self.foreach_inplace()
            && tangents != self.outputs.len()
        {
            let message = format!(
                "`{}` has {} differentiable outputs, but forward formulas for {tangents}",
                f.func.name,
                self.outputs.len()
            );
            return Err(Diagnostic::new(&codes::UNSUPPORTED_FORWARD, message)
                .at(first.span)
                .also(f.spans.func, "the operator")
                .help("write forward formulas for all differentiable outputs, or for none")
                .into());
        }
        Ok(())
    }
}

/// The arguments that a library's operator mutates and does not return.
pub(crate) fn unreturned<'a>(f: &'a NativeFunction, target: Target) -> Vec<&'a Argument> {
    if f.func.kind() == SchemaKind::Out {
        return Vec::new();
    }
    let returned = |a: &Argument| f.func.returns.iter().any(|ret| ret.annotation == a.annotation && !ret.given_back);
    written_arguments(f, target).into_iter().filter(|a| !returned(a)).collect()
}
