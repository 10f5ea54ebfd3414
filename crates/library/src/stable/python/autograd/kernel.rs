//! The kernels of an operator for autograd and for version counters.
//!
//! Invariant: a kernel takes the arguments of the schema, with its defaults, because the dispatcher
//! leaves out arguments that have them.

use serde::Serialize;

use super::class::{self, Class};
use super::formulas::{self, Source, is_tensor_list};
use super::outputs::{keys, outputs};
use super::places::fixed;
use super::variables;
use crate::library::python::overload_expr;
use crate::library::python::signature::{Signature, variable};
use torchgen_api::autograd::{DifferentiabilityInfo, NativeFunctionWithDifferentiabilityInfo, is_differentiable};
use torchgen_base::diag::Diagnostic;
use torchgen_base::render::Renderer;
use torchgen_model::codes;
use torchgen_model::model::{Argument, NativeFunction, Type};

/// An operator with kernels in Python.
#[derive(Serialize)]
pub(super) struct Operator<'a> {
    #[serde(skip)]
    f: &'a NativeFunction,
    /// The name of the kernel that counts versions.
    written_name: String,
    schema: String,
    /// The name with the namespace, for messages.
    shown: String,
    /// The name with the overload, for registrations.
    registered: String,
    /// The overload, an expression.
    overload: String,
    /// The variable of its function that calls the kernel of a key.
    redispatch: String,
    #[serde(flatten)]
    signature: Signature<'a>,
    /// The arguments that are written.
    written: Vec<WrittenArgument>,
    /// These are single tensors, and never `None`.
    written_once: bool,
    kernels: Vec<AutogradKernel>,
    /// The library registers its kernels by itself.
    is_own: bool,
    /// Some builds lack it.
    conditional: bool,
    /// Its kernels are not registered: tests compare them with those of the library.
    compared: bool,
    /// Each build has kernels of the library to compare with.
    always_compared: bool,
}

#[derive(Serialize)]
struct WrittenArgument {
    name: String,
    tensor: Tensors,
}

/// An argument with tensors.
#[derive(Serialize)]
struct Tensors {
    variable: String,
    /// All of them, as arguments of a function.
    all: String,
    /// They are a list, which is this expression.
    is_list: bool,
    list: String,
    /// It may be `None`.
    is_optional: bool,
}

impl Tensors {
    fn new(a: &Argument) -> Tensors {
        let variable = variable(a);
        let is_optional = matches!(a.ty, Type::Optional(_));
        let is_list = a.ty.is_list_like().is_some();
        let list = if is_optional { format!("({variable} or ())") } else { variable.clone() };
        Tensors {
            all: if is_list { format!("*{list}") } else { variable.clone() },
            list,
            is_list,
            is_optional,
            variable,
        }
    }
}

impl WrittenArgument {
    fn new(a: &Argument) -> WrittenArgument {
        WrittenArgument { name: a.schema_name().to_owned(), tensor: Tensors::new(a) }
    }
}

/// A kernel for autograd.
#[derive(Serialize)]
struct AutogradKernel {
    key: String,
    name: String,
    what: KernelAction,
    /// The function that is applied, for [`KernelAction::Function`].
    class: Option<Class>,
    /// The arguments of `apply`.
    apply: Vec<String>,
    /// Whether the output is differentiable, if that depends on the arguments.
    condition: Option<String>,
    /// The value of `self` is needed after it is written.
    original: bool,
    /// The only output is a list.
    is_list: bool,
    /// Mutated arguments that must not require gradients.
    unwritten: Vec<WrittenArgument>,
    /// The tensors through which results get a gradient, and those through which a tangent.
    tracked: Vec<Tensors>,
    duals: Vec<Tensors>,
    /// Other tensors may require a gradient, which results do not require because of them.
    others: bool,
    /// Its formulas need not hold for complex tensors.
    is_real: bool,
    /// Inputs that must not require gradients, since nothing is known about theirs.
    without_formula: Vec<WrittenArgument>,
}

/// What a kernel does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
enum KernelAction {
    /// It applies a function with formulas.
    Function,
    /// Its outputs have no gradient.
    NotDifferentiable,
    /// Its gradient is not known.
    Missing,
    /// It writes, and its gradient is not known.
    Writes,
    /// It mutates its out arguments.
    Out,
}

impl Operator<'_> {
    /// Shows the operator and its kernels to a trace.
    pub(super) fn mark(&mut self, renderer: &Renderer) {
        let about = renderer.about([self.f]);
        for text in [&mut self.schema, &mut self.registered] {
            *text = about.marked(std::mem::take(text));
        }
        for kernel in &mut self.kernels {
            let registering = renderer.registering(self.f, &kernel.key, &kernel.name);
            kernel.key = registering.marked(std::mem::take(&mut kernel.key));
        }
    }

    /// The name of the operator's kernels.
    pub(super) fn has_kernels(&self) -> bool {
        !self.kernels.is_empty() || !self.written.is_empty()
    }
}

/// The kernels of an operator; `None` if it needs none.
///
/// # Errors
/// All formulas without a translation.
pub(super) fn operator<'a>(
    matched: &NativeFunctionWithDifferentiabilityInfo<'a>,
    source: &Source<'_>,
) -> Result<Option<Operator<'a>>, Vec<Diagnostic>> {
    let f = matched.func;
    // A composite operator consists of operators that have all of this, unless it has formulas that
    // replace theirs.
    let is_composite = f.has_composite_implicit_autograd_kernel && !f.manual_kernel_registration;
    if f.func.tensor_arguments().next().is_none() || is_composite {
        return Ok(None);
    }
    let written = f.func.schema_order_arguments().filter(|a| a.is_write());
    let written: Vec<WrittenArgument> = written.filter(|_| counts(f)).map(WrittenArgument::new).collect();
    let operator = Operator {
        f,
        written_name: variables::written(&f.func.name.unambiguous_name()),
        schema: format!("{}::{}", f.namespace, f.func),
        shown: f.full_name(),
        registered: f.func.name.to_string(),
        overload: overload_expr(f),
        redispatch: variables::redispatch(&f.func.name.unambiguous_name()),
        signature: Signature::new(f),
        written_once: written.iter().all(|one| !one.tensor.is_list && !one.tensor.is_optional),
        written,
        conditional: f.conditions.operator.is_some(),
        is_own: f.manual_kernel_registration,
        compared: f.compares_gradients,
        always_compared: f.conditions.operator.is_none() && f.conditions.kernels.is_empty(),
        kernels: if f.has_autograd_kernel { Vec::new() } else { kernels(matched, source)? },
    };
    if operator.compared && operator.kernels.is_empty() {
        let message = format!("`{}` has no formulas that `compared` is about", f.func.name);
        let error =
            Diagnostic::new(&codes::DERIVATIVE_AND_KERNEL, message).at(f.spans.dispatch.unwrap_or(f.spans.func));
        return Err(vec![error.help("write its entry in derivatives.yaml, or `registered` in place of `compared`")]);
    }
    Ok(Some(operator).filter(Operator::has_kernels))
}

/// Whether a generated kernel counts what an operator mutates. One that registers itself can have
/// kernels for that.
fn counts(f: &NativeFunction) -> bool {
    !f.manual_kernel_registration
        || f.version_counter
            && !f.has_composite_implicit_autograd_kernel
            && !f.has_autograd_kernel
            && !f.compares_gradients
}

/// Whether an operator has a kernel for autograd. One that registers itself has what its library
/// gives it, unless its entries say more.
fn is_needed(f: &NativeFunction, what: KernelAction) -> bool {
    match what {
        _ if !f.manual_kernel_registration => true,
        KernelAction::Function => true,
        _ if f.compares_gradients => false,
        KernelAction::NotDifferentiable => !f.differentiable,
        KernelAction::Writes | KernelAction::Out => counts(f),
        KernelAction::Missing => false,
    }
}

fn kernels(
    matched: &NativeFunctionWithDifferentiabilityInfo<'_>,
    source: &Source<'_>,
) -> Result<Vec<AutogradKernel>, Vec<Diagnostic>> {
    let f = matched.func;
    let mut kernels = Vec::new();
    let mut errors = Vec::new();
    for key in keys(matched) {
        let outputs = outputs(matched, key);
        let info = matched.info_of(key).filter(|info| info.has_derivatives());
        let operator = f.func.name.unambiguous_name();
        let writes = f.func.is_mutable();
        let what = match info {
            _ if f.func.is_out_fn() => KernelAction::Out,
            Some(_) if outputs.iter().any(|output| output.differentiable) => KernelAction::Function,
            _ if !f.differentiable || info.is_some() => KernelAction::NotDifferentiable,
            _ if writes => KernelAction::Writes,
            _ if outputs.iter().any(|output| output.differentiable) => KernelAction::Missing,
            _ => KernelAction::NotDifferentiable,
        };
        if !is_needed(f, what) {
            continue;
        }
        let tangents = matched.fw_derivatives_of(key);
        let class = match info.filter(|_| what == KernelAction::Function) {
            Some(info) => {
                match class::class(f, variables::class(&operator, key.as_str()), info, tangents, &outputs, source) {
                    Ok(class) => Some(class),
                    Err(found) => {
                        errors.extend(found);
                        continue;
                    }
                }
            }
            None => None,
        };
        let condition = match info.filter(|_| what == KernelAction::Function) {
            Some(info) => formulas::condition(info.span, f, source),
            None => Ok(None),
        };
        let condition = match condition {
            Ok(condition) => condition,
            Err(found) => {
                errors.push(found);
                continue;
            }
        };
        let original = class.as_ref().is_some_and(|class| class.original);
        let unreturned = |a: &&Argument| a.is_write() && !(f.func.name.name.inplace && a.schema_name() == "self");
        let unwritten = f.func.schema_order_arguments().filter(unreturned).filter(|_| what == KernelAction::Function);
        let all_written = f.func.schema_order_arguments().filter(|a| a.is_write());
        let unwritten: Vec<&Argument> =
            if what == KernelAction::NotDifferentiable { all_written.collect() } else { unwritten.collect() };
        let inputs = Inputs::new(f, info.filter(|_| what == KernelAction::Function));
        kernels.push(AutogradKernel {
            key: key.to_string(),
            what,
            is_real: info.is_some_and(|info| info.complex_gradients != Some(true)),
            others: inputs.tracked.len() < f.func.tensor_arguments().count(),
            tracked: inputs.tracked,
            duals: inputs.duals,
            without_formula: inputs.without_formula,
            apply: class.as_ref().map(|_| apply(f, original)).unwrap_or_default(),
            is_list: class.as_ref().is_some_and(|class| class.is_list),
            class,
            condition,
            original,
            unwritten: unwritten.into_iter().map(WrittenArgument::new).collect(),
            name: variables::kernel(&operator, key.as_str()),
        });
    }
    if errors.is_empty() { Ok(kernels) } else { Err(errors) }
}

/// The tensors among the arguments, by what an entry says about them.
struct Inputs {
    tracked: Vec<Tensors>,
    duals: Vec<Tensors>,
    without_formula: Vec<WrittenArgument>,
}

impl Inputs {
    /// All tensors, if there is no entry with formulas.
    fn new(f: &NativeFunction, info: Option<&DifferentiabilityInfo<'_>>) -> Inputs {
        let all = || f.func.tensor_arguments();
        let Some(info) = info else {
            let tensors = || all().map(Tensors::new).collect();
            return Inputs { tracked: tensors(), duals: tensors(), without_formula: Vec::new() };
        };
        let is_open = |a: &&Argument| !a.is_write() && is_differentiable(&a.name, &a.ty, Some(info));
        Inputs {
            tracked: all().filter(|a| info.has_formula(a)).map(Tensors::new).collect(),
            duals: all().filter(|a| is_differentiable(&a.name, &a.ty, Some(info))).map(Tensors::new).collect(),
            without_formula: all().filter(is_open).filter(|a| !info.has_formula(a)).map(WrittenArgument::new).collect(),
        }
    }
}

/// The arguments of `apply` after the keys.
fn apply(f: &NativeFunction, original: bool) -> Vec<String> {
    let lists = || f.func.schema_order_arguments().filter(|a| is_tensor_list(&a.ty));
    let counts = lists().map(|a| format!("_builtins.len({})", variable(a)));
    let elements = lists().map(|a| format!("*{}", variable(a)));
    fixed(f, original).into_iter().chain(counts).chain(elements).collect()
}
