//! Formulas for tangents: the outputs that they are for, what they need, and those derived from
//! other formulas.
//!
//! Invariant: a finished formula uses tangents as `self_t` and primals as `self_p`, never an input
//! by its bare name. Rule: torchgen/packaged/autograd/load_derivatives.py,
//! `create_forward_derivative` and `postprocess_forward_derivatives`.

use super::cpp_names::InCpp;
use super::{Derivative, ForwardDerivative, formula};
use crate::{BaseCppType, Binding, CType};
use torchgen_base::diag::{Diagnostic, Help, Span, did_you_mean, gather};
use torchgen_base::yaml::Text;
use torchgen_model::codes;
use torchgen_model::model::{NativeFunction, SchemaKind, Target, Type, cpp_names};
use torchgen_model::records::FormulaRecord;

/// A formula before it is processed.
pub(super) struct UnprocessedFormula<'r> {
    record: &'r FormulaRecord,
    var_types: Vec<Type>,
}

/// The parts of an entry that forward formulas depend on.
pub(super) struct Entry<'e, 'a> {
    pub(super) f: &'a NativeFunction,
    pub(super) target: Target<'a>,
    /// The operator's name in the entry.
    pub(super) name: &'e str,
    pub(super) all_arg_names: &'e [String],
    pub(super) derivatives: &'e [Derivative],
    pub(super) args_with_derivatives: &'e [Binding<'a>],
}

/// The outputs that a formula is for.
///
/// # Errors
/// A name is not that of an output.
pub(super) fn outputs<'r>(
    f: &NativeFunction,
    record: &'r FormulaRecord,
    inputs: &[String],
    in_cpp: &InCpp,
) -> Result<UnprocessedFormula<'r>, Vec<Diagnostic>> {
    let returns = &f.func.returns;
    let mut errors = Vec::new();
    let is_named = |name: &str| returns.iter().any(|r| r.cpp_name() == Some(name));
    let any_named = record.names.iter().any(|name| is_named(name));
    let mut numbered = Vec::new();
    for name in &record.names {
        if any_named && is_named(name) {
            continue;
        }
        let ty = match name.strip_prefix("result") {
            _ if any_named => None,
            Some("") if record.names.len() == 1 && returns.len() == 1 => returns.first(),
            Some(digits) if digits.bytes().all(|b| b.is_ascii_digit()) => {
                digits.parse().ok().and_then(|index: usize| returns.get(index))
            }
            _ => None,
        };
        match ty {
            Some(ret) => numbered.push(ret.ty.clone()),
            None => errors.push(no_such_name(f, name, inputs, in_cpp)),
        }
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    // Types of named outputs come in the order of the outputs, whatever the order of the names.
    let named = returns.iter().filter(|r| r.cpp_name().is_some_and(|own| record.names.iter().any(|n| *n == own)));
    let var_types = if any_named { named.map(|r| r.ty.clone()).collect() } else { numbered };
    Ok(UnprocessedFormula { record, var_types })
}

/// The diagnostic for a name that is neither an input nor an output.
fn no_such_name(f: &NativeFunction, name: &Text, inputs: &[String], in_cpp: &InCpp) -> Diagnostic {
    let (place, name) = (name.span(), in_cpp.written(name));
    let inputs: Vec<String> = inputs.iter().map(|input| in_cpp.written(input).to_owned()).collect();
    let returns = &f.func.returns;
    let mut outputs: Vec<String> = returns.iter().filter_map(|r| r.name.clone()).collect();
    match returns.len() {
        0 => {}
        1 => outputs.push("result".to_owned()),
        several if outputs.is_empty() => outputs.extend((0..several).map(|i| format!("result{i}"))),
        _ => {}
    }
    let help = did_you_mean(name, inputs.iter().chain(&outputs).map(String::as_str)).unwrap_or_else(|| {
        let list = |names: &[String]| names.iter().map(|n| format!("`{n}`")).collect::<Vec<_>>().join(", ");
        match outputs.as_slice() {
            [] => format!("its inputs are {}", list(&inputs)).into(),
            outputs => format!("its inputs are {}, and its outputs are {}", list(&inputs), list(outputs)).into(),
        }
    });
    Diagnostic::new(&codes::NO_SUCH_INPUT, format!("`{name}` is neither an input nor an output of `{}`", f.func.name))
        .at(place)
        .also(f.spans.func, "the operator")
        .help(help)
}

/// Processes the formulas of an entry.
pub(super) fn work_out(
    entry: &Entry<'_, '_>,
    written: &[UnprocessedFormula<'_>],
) -> Result<Vec<ForwardDerivative>, Vec<Diagnostic>> {
    gather(written.iter().map(|one| entry.work_out(one, written.len())))
}

impl Entry<'_, '_> {
    fn work_out(&self, written: &UnprocessedFormula<'_>, formulas: usize) -> Result<ForwardDerivative, Diagnostic> {
        let FormulaRecord { names, formula: text, .. } = written.record;
        let single_output = formulas == 1 && names.len() == 1;
        let mut required_inputs_fw_grad = self.required_inputs(text, text, "_t")?;
        let formula = match text.as_str() {
            "auto_element_wise" => {
                // As the reference, unless some have no form in C++, as lists that may be `None`.
                required_inputs_fw_grad = match self.target.refuses_what_cannot_compile {
                    true => self.args_with_derivatives.iter().map(|a| a.name.to_string()).collect(),
                    false => self.all_arg_names.to_vec(),
                };
                self.element_wise(single_output).map_err(|error| error.at(text.span()))?
            }
            "auto_linear" => {
                required_inputs_fw_grad = self.args_with_derivatives.iter().map(|a| a.name.to_string()).collect();
                self.linear(single_output).map_err(|error| error.at(text.span()))?
            }
            other => other.to_owned(),
        };
        let required_inputs_primal = self.required_inputs(&formula, text, "_p")?;
        Ok(ForwardDerivative {
            formula,
            var_names: names.iter().map(|name| name.as_str().to_owned()).collect(),
            var_types: written.var_types.clone(),
            required_inputs_fw_grad,
            required_inputs_primal,
            required_original_self_value: false,
            is_reusing_outplace_formula: false,
            span: text.span(),
        })
    }

    /// The differentiable inputs that a formula uses with that ending.
    ///
    /// # Errors
    /// It uses one without, or one that is also the name of another argument.
    fn required_inputs(&self, formula: &str, text: &Text, ending: &str) -> Result<Vec<String>, Diagnostic> {
        let is_foreach = super::is_foreach_func(self.f);
        let mut required = Vec::new();
        for input in self.args_with_derivatives {
            // Functions on lists handle tangents and primals themselves.
            if !is_foreach && is_tensor_list(&input.nctype.ty) {
                continue;
            }
            let name = &*input.name;
            if formula::uses(formula, name) {
                let place: Span = formula::find(text, name).map_or(text.span(), |range| text.sub_span(range));
                let own = self.f.func.schema_order_arguments().find(|a| a.name == name);
                let name = cpp_names::written(name);
                let message = format!("`{name}` in a forward formula could be its primal or its tangent");
                let error = Diagnostic::new(&codes::AMBIGUOUS_PRIMAL, message).at(place).help(
                    Help::new(format!("write `{name}_p` for the primal, `{name}_t` for the tangent"))
                        .word(name, format!("{name}_p")),
                );
                let is_list = own.is_some_and(|a| matches!(a.ty, Type::List(..)));
                let help =
                    "only libraries on the stable ABI have tangents of a `Tensor?[]`: without it, delete this formula";
                return Err(if is_list { error.help(help) } else { error });
            }
            let used = format!("{name}{ending}");
            if formula::uses(formula, &used) {
                if self.target.refuses_what_cannot_compile {
                    self.refuse_argument(&used, name, ending, text)?;
                }
                required.push(name.to_owned());
            }
        }
        Ok(required)
    }

    /// Refuses the name of a primal or tangent that an argument without derivative has too: the
    /// formula would silently use the other one. Differentiable ones are never named alone.
    fn refuse_argument(&self, used: &str, of: &str, ending: &str, text: &Text) -> Result<(), Diagnostic> {
        let is_differentiable = |name: &str| self.args_with_derivatives.iter().any(|a| *a.name == *name);
        let mut plain = self.f.func.schema_order_arguments().filter(|a| !is_differentiable(&a.name));
        let of = cpp_names::written(of);
        let written = format!("{of}{ending}");
        if !plain.any(|a| a.schema_name() == written) {
            return Ok(());
        }
        let place: Span = formula::find(text, used).map_or(text.span(), |range| text.sub_span(range));
        let what = if ending == "_t" { "tangent" } else { "primal" };
        let message = format!("`{written}` in a forward formula could be the {what} of `{of}` or an argument");
        Err(Diagnostic::new(&codes::AMBIGUOUS_PRIMAL, message).at(place).help("rename the argument"))
    }

    /// The Jacobian of an element-wise function is diagonal, so its product with a vector from the
    /// right equals that from the left, except for conjugation. The formula for the gradient
    /// therefore works with the conjugate of the tangent in place of the gradient.
    fn element_wise(&self, single_output: bool) -> Result<String, Diagnostic> {
        let refuse = |message: &str| {
            let message = format!("`auto_element_wise` {message}");
            Err(Diagnostic::new(&codes::BAD_AUTO_FORMULA, message).help("write the formula explicitly"))
        };
        if self.f.func.kind() == SchemaKind::Inplace {
            return refuse("does not work for inplace operators");
        }
        let [input] = self.args_with_derivatives else { return refuse("needs exactly one differentiable input") };
        if !single_output {
            return refuse("works only for operators with one differentiable output");
        }
        let [backward] = self.derivatives else {
            return refuse("needs exactly one formula for the gradient");
        };
        let name = &*input.name;
        let formula = formula::rename(&backward.original_formula, "grad", &format!("{name}_t.conj()"));
        Ok(format!("({}).conj()", formula::rename(&formula, name, &format!("{name}_p"))))
    }

    /// A linear function is its own derivative: it is called again, on tangents.
    fn linear(&self, single_output: bool) -> Result<String, Diagnostic> {
        let refuse = |message: &str| {
            let message = format!("`auto_linear` {message}");
            Err(Diagnostic::new(&codes::BAD_AUTO_FORMULA, message).help("write the formula explicitly"))
        };
        if !single_output {
            return refuse("works only for operators with one differentiable output");
        }
        if self.args_with_derivatives.is_empty() {
            return refuse("needs a differentiable input");
        }
        let is_differentiable = |name: &String| self.args_with_derivatives.iter().any(|a| a.name == *name);
        let argument = |name: &String| if is_differentiable(name) { format!("{name}_t") } else { name.clone() };
        let arguments: Vec<String> = self.all_arg_names.iter().map(argument).collect();
        let symint = if self.f.func.has_symint() { "_symint" } else { "" };
        let name = format!("{}{symint}", self.name);
        match (self.f.variants.function, arguments.split_first()) {
            (false, Some((own, others))) => Ok(format!("{own}.{name}({})", others.join(", "))),
            _ => Ok(format!("{}::{name}({})", self.target.api_namespace(self.f), arguments.join(", "))),
        }
    }
}

/// Whether a parameter takes a list of tensors, however it is spelled.
fn is_tensor_list(ty: &CType) -> bool {
    ty.is(BaseCppType::TensorList) || *ty == CType::base(BaseCppType::ITensorListRef).const_ref()
}
