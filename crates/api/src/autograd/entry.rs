//! One entry of derivatives.yaml, for one key: the inputs that its formulas are for, and what the
//! formulas need.
//!
//! Invariant: formulas are processed in the order of their names, not of the file, as in the
//! reference. Rule: torchgen/packaged/autograd/load_derivatives.py,
//! `create_differentiability_info`.

use super::cpp_names::InCpp;
use super::derivative::{Values, cpp_arguments, derivative};
use super::differentiable::differentiable;
use super::names::{Direction, unexported, unknown_names};
use super::syntax;
use super::{Derivative, DifferentiabilityInfo, Operators, SavedAttribute, forward, gradients};
use crate::Binding;
use torchgen_base::diag::{Diagnostic, Diagnostics, Span, did_you_mean, plural};
use torchgen_base::yaml::Text;
use torchgen_model::codes;
use torchgen_model::model::{Language, NativeFunction, Target, cpp_names};
use torchgen_model::records::{DerivativeRecord, FormulaRecord, OutputDifferentiability};

/// What all keys of an entry have in common.
pub(super) struct Setup<'s, 'a> {
    f: &'a NativeFunction,
    /// The names of the file.
    in_cpp: &'s InCpp,
    target: Target<'a>,
    name: String,
    span: Span,
    bindings: Vec<Binding<'a>>,
    inputs: Vec<String>,
    values: Values<'a>,
    output_differentiability: Option<Vec<bool>>,
    conditions: Option<Vec<String>>,
    complex_gradients: Option<bool>,
    available_named_gradients: Vec<String>,
    /// The author's own functions for formulas.
    manual: &'a str,
}

impl<'s, 'a> Setup<'s, 'a> {
    /// Looks at the operator. `None` after an error.
    pub(super) fn new(
        f: &'a NativeFunction,
        in_cpp: &'s InCpp,
        record: &DerivativeRecord,
        operators: Operators<'a>,
        diagnostics: &mut Diagnostics,
    ) -> Option<Self> {
        let found = cpp_arguments(f).and_then(|bindings| Ok((Values::of_operator(f, &bindings)?, bindings)));
        let (values, bindings) = match found {
            Ok(found) => found,
            Err(error) => {
                let diagnostic = Diagnostic::new(error.code(), error.message()).at(f.spans.func);
                diagnostics.push(diagnostic.also(record.name.span(), "needed for this derivative"));
                return None;
            }
        };
        let inputs: Vec<String> = bindings.iter().map(|binding| binding.name.to_string()).collect();
        diagnostics.extend(record.python.iter().filter_map(|text| not_a_function(f, text)));
        let (output_differentiability, conditions) = match output_differentiability(f, record) {
            Ok(found) => found,
            Err(error) => {
                diagnostics.push(*error);
                return None;
            }
        };
        if let Some(condition) = record.condition() {
            let mut scope = inputs.clone();
            scope.extend(f.func.schema_order_arguments().map(|argument| argument.name.clone()));
            let errors =
                wrong_words(condition, Direction::Condition, &scope, in_cpp, operators.target, operators.manual);
            if !errors.is_empty() {
                diagnostics.extend(errors);
                return None;
            }
        }
        let available_named_gradients = differentiable(&f.func, output_differentiability.as_deref())
            .filter_map(|ret| ret.cpp_name().map(cpp_names::gradient))
            .collect();
        let text = record.name.as_str();
        let end = text.find(['(', '.']).unwrap_or(text.len());
        let start = text[..end].rfind("::").map_or(0, |at| at + 2);
        Some(Setup {
            f,
            in_cpp,
            target: operators.target,
            manual: operators.manual,
            name: text[start..end].trim().to_owned(),
            span: record.name.span(),
            values,
            bindings,
            inputs,
            output_differentiability,
            conditions,
            complex_gradients: record.complex_gradients,
            available_named_gradients,
        })
    }

    /// Processes the formulas for one key. The node's class is left open.
    pub(super) fn info(&self, formulas: &[FormulaRecord]) -> Result<DifferentiabilityInfo<'a>, Vec<Diagnostic>> {
        let mut derivatives = Vec::new();
        let mut written = Vec::new();
        let mut non_differentiable: Vec<&Text> = Vec::new();
        let mut with_formula: Vec<&Text> = Vec::new();
        let mut errors = Vec::new();
        let forward_scope = self.forward_scope(formulas);
        let mut sorted: Vec<&FormulaRecord> = formulas.iter().collect();
        sorted.sort_by(|a, b| a.raw_names.as_str().cmp(b.raw_names.as_str()));
        for record in sorted {
            // The first name decides what the formula is for.
            if !record.names.first().is_some_and(|name| self.is_input(name)) {
                if !self.target.forward_mode {
                    continue;
                }
                match forward::outputs(self.f, record, &self.inputs, self.in_cpp) {
                    Ok(one) => {
                        errors.extend(self.unknown(&record.formula, Direction::Forward, &forward_scope));
                        written.push(one);
                    }
                    Err(more) => errors.extend(more),
                }
                continue;
            }
            errors.extend(record.names.iter().filter_map(|name| self.bad_input(name)));
            if is_non_differentiable(record) {
                non_differentiable.extend(&record.names);
                continue;
            }
            let idle: Vec<Diagnostic> = record.names.iter().filter_map(|name| self.not_differentiable(name)).collect();
            with_formula.extend(&record.names);
            match self.derivative(record) {
                // The whole formula is wrong.
                Ok(_) if !idle.is_empty() && idle.len() == record.names.len() => errors.extend(idle),
                Ok(derivative) => {
                    errors.extend(idle);
                    errors.extend(self.unknown(&record.formula, Direction::Backward, &self.backward_scope()));
                    derivatives.push(derivative);
                }
                Err(error) => errors.push(error),
            }
        }
        for name in &non_differentiable {
            if let Some(other) = with_formula.iter().find(|other| other.as_str() == name.as_str()) {
                let message = format!("`{}` has a formula and is `non_differentiable`", self.in_cpp.written(name));
                errors.push(
                    Diagnostic::new(&codes::NOT_DIFFERENTIABLE, message)
                        .at(name.span())
                        .also(other.span(), "the formula"),
                );
            }
        }
        if !errors.is_empty() {
            return Err(errors);
        }
        let has_formula = |binding: &Binding<'_>| with_formula.iter().any(|name| name.as_str() == binding.name);
        let args_with_derivatives: Vec<Binding<'a>> =
            self.bindings.iter().filter(|binding| has_formula(binding)).cloned().collect();
        let forward_derivatives = forward::work_out(
            &forward::Entry {
                f: self.f,
                target: self.target,
                name: &self.name,
                all_arg_names: &self.inputs,
                derivatives: &derivatives,
                args_with_derivatives: &args_with_derivatives,
            },
            &written,
        )?;
        let is_input = self.f.func.schema_order_arguments().any(|a| a.by_c10 && a.schema_name() == "grad");
        let is_output = self.target.language == Language::C10
            && self.f.func.returns.iter().any(|ret| ret.name.as_deref() == Some("grad"));
        gradients::check_entry_gradients(&self.name, is_input || is_output, &derivatives)
            .map_err(|error| vec![error])?;
        Ok(DifferentiabilityInfo {
            name: self.name.clone(),
            func: self.f,
            op: None,
            forward_derivatives: forward_derivatives.into(),
            all_saved_inputs: dedup_vars(derivatives.iter().flat_map(|d| &d.saved_inputs)),
            all_saved_outputs: dedup_vars(derivatives.iter().flat_map(|d| &d.saved_outputs)),
            available_named_gradients: self.available_named_gradients.clone(),
            used_named_gradients: derivatives.iter().flat_map(|d| d.named_gradients.iter().cloned()).collect(),
            derivatives,
            args_with_derivatives,
            non_differentiable_arg_names: non_differentiable.iter().map(|name| name.as_str().to_owned()).collect(),
            output_differentiability: self.output_differentiability.clone(),
            output_differentiability_conditions: self.conditions.clone(),
            complex_gradients: self.complex_gradients,
            span: self.span,
        })
    }

    fn derivative(&self, record: &FormulaRecord) -> Result<Derivative, Diagnostic> {
        let var_names = record.names.iter().map(|name| name.as_str().to_owned()).collect();
        let (known, target) = (&self.available_named_gradients, self.target);
        let derivative = derivative(self.f, &self.values, &record.formula, var_names, known, target)?;
        let listed = self.output_differentiability.as_deref();
        let beyond = || gradients::beyond(&record.formula, &self.f.func, listed);
        match self.target.refuses_what_cannot_compile.then(beyond).flatten() {
            Some(error) => Err(error),
            None => Ok(derivative),
        }
    }

    fn is_input(&self, name: &Text) -> bool {
        self.inputs.iter().any(|input| name == input.as_str())
    }

    /// The name is not an input, or is also an output.
    fn bad_input(&self, name: &Text) -> Option<Diagnostic> {
        let written = self.in_cpp.written(name);
        if !self.is_input(name) {
            let help = did_you_mean(written, self.inputs.iter().map(|input| self.in_cpp.written(input)));
            let message = format!("`{written}` is not an input of `{}`", self.f.func.name);
            return Some(Diagnostic::new(&codes::NO_SUCH_INPUT, message).at(name.span()).maybe_help(help));
        }
        let returned = self.f.func.returns.iter().any(|ret| ret.cpp_name() == Some(name.as_str()));
        returned.then(|| {
            let message = format!("`{written}` is both an input and an output of `{}`", self.f.func.name);
            Diagnostic::new(&codes::RESERVED_INPUT_NAME, message)
                .at(name.span())
                .also(self.f.spans.func, "the operator")
        })
    }

    /// The input holds no tensors, so no gradient can flow back to it.
    fn not_differentiable(&self, name: &Text) -> Option<Diagnostic> {
        let argument = self.f.func.schema_order_arguments().find(|a| a.name == name.as_str())?;
        if argument.ty.is_tensor_like() {
            return None;
        }
        let message = format!("`{}` is of type `{}`, which has no gradient", argument.schema_name(), argument.ty);
        Some(
            Diagnostic::new(&codes::NOT_DIFFERENTIABLE, message)
                .at(name.span())
                .also(self.f.spans.func, "the operator")
                .help("delete the formula: only tensors and lists of them have gradients"),
        )
    }

    /// The inputs and outputs that a formula for gradients can name.
    fn backward_scope(&self) -> Vec<String> {
        let values = self.values.arguments.iter().chain(&self.values.returns).filter_map(|value| value.name.as_named());
        let mut scope: Vec<String> = values.map(str::to_owned).collect();
        scope.extend(self.available_named_gradients.iter().cloned());
        scope.extend(self.loop_counter());
        scope
    }

    /// What a formula can and cannot use.
    fn unknown(&self, formula: &Text, direction: Direction, scope: &[String]) -> Vec<Diagnostic> {
        wrong_words(formula, direction, scope, self.in_cpp, self.target, self.manual)
    }

    /// The inputs and outputs that a formula for tangents can name. Only inputs that have gradients
    /// have tangents.
    fn forward_scope(&self, formulas: &[FormulaRecord]) -> Vec<String> {
        // Kernels take tensor options as separate arguments.
        let arguments = self.f.func.schema_order_arguments().map(|argument| argument.name.clone());
        let mut scope: Vec<String> = self.inputs.iter().cloned().chain(arguments).collect();
        scope.extend(self.loop_counter());
        let with_formula = formulas.iter().filter(|record| !is_non_differentiable(record)).flat_map(|r| &r.names);
        let differentiable = with_formula.filter(|name| self.is_input(name));
        // A name that is neither input nor output is reported. It may have been meant as any input.
        let is_output =
            |name: &Text| self.values.returns.iter().any(|value| value.name.as_named() == Some(name.as_str()));
        let misspelt = |name: &Text| !self.is_input(name) && !is_output(name) && name != "result";
        if formulas.iter().flat_map(|record| &record.names).any(misspelt) {
            scope.extend(self.inputs.iter().flat_map(|name| [format!("{name}_p"), format!("{name}_t")]));
        }
        scope.extend(differentiable.flat_map(|name| [format!("{name}_p"), format!("{name}_t")]));
        scope.extend(self.values.returns.iter().filter_map(|value| value.name.as_named()).map(str::to_owned));
        scope.extend(["auto_linear", "auto_element_wise", "result"].map(str::to_owned));
        scope
    }

    /// The number of tensors in the lists of a foreach operator.
    fn loop_counter(&self) -> Option<String> {
        super::is_foreach_func(self.f).then(|| "i".to_owned())
    }
}

/// The record says that its inputs have no gradient.
fn is_non_differentiable(record: &FormulaRecord) -> bool {
    record.formula.trim().to_lowercase() == "non_differentiable"
}

/// What a formula or a condition can and cannot use.
fn wrong_words(
    formula: &Text,
    direction: Direction,
    inputs_and_outputs: &[String],
    in_cpp: &InCpp,
    target: Target,
    manual: &str,
) -> Vec<Diagnostic> {
    if let Err(error) = syntax::check_formula_syntax(formula, target) {
        // The words in it are then unknown.
        return vec![*error];
    }
    let mut errors = unknown_names(formula, direction, inputs_and_outputs, in_cpp, manual, target.tables);
    if target.sees_exports_only {
        errors.extend(unexported(formula, manual, target.tables));
    }
    errors
}

type Differentiability = (Option<Vec<bool>>, Option<Vec<String>>);

/// What the entry says about outputs: whether each is differentiable, and the condition if there is
/// one.
fn output_differentiability(
    f: &NativeFunction,
    record: &DerivativeRecord,
) -> Result<Differentiability, Box<Diagnostic>> {
    let Some(list) = &record.output_differentiability else { return Ok((None, None)) };
    let error =
        |message: String| Box::new(Diagnostic::new(&codes::BAD_OUTPUT_DIFFERENTIABILITY, message).at(list.span));
    let outputs = f.func.returns.len();
    if let ([OutputDifferentiability::Condition(condition)], 1) = (list.value.as_slice(), outputs) {
        return Ok((Some(vec![true]), Some(vec![condition.as_str().to_owned()])));
    }
    let mut fixed = Vec::with_capacity(list.value.len());
    for item in &list.value {
        match item {
            OutputDifferentiability::Fixed(value) => fixed.push(*value),
            OutputDifferentiability::Condition(_) => {
                return Err(Box::new(
                    error("a condition can be given for a single output only".to_owned())
                        .help("write `True` or `False` for each output"),
                ));
            }
        }
    }
    if fixed.len() != outputs {
        let message = format!("`{}` has {}, but the list says {}", f.func.name, plural(outputs, "output"), fixed.len());
        return Err(Box::new(error(message).also(f.spans.func, "the operator")));
    }
    Ok((Some(fixed), None))
}

/// Each name once, at its first place.
pub(super) fn dedup_vars<'s>(saved: impl Iterator<Item = &'s SavedAttribute>) -> Vec<SavedAttribute> {
    let mut once: Vec<SavedAttribute> = Vec::new();
    for one in saved {
        if once.iter().all(|other| other.name != one.name) {
            once.push(one.clone());
        }
    }
    once
}

/// The error for a text below `python:` that is no function of a module: a formula for an argument
/// that is called `python` would be lost without it.
fn not_a_function(f: &NativeFunction, text: &Text) -> Option<Diagnostic> {
    let is_name = |name: &str| !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_');
    let is_function = text
        .as_str()
        .split_once(':')
        .is_some_and(|(module, name)| is_name(name) && module.trim_start_matches('.').split('.').all(is_name));
    if is_function {
        return None;
    }
    let error = |message: String| Diagnostic::new(&codes::WRONG_TYPE, message).at(text.span());
    Some(match f.func.schema_order_arguments().any(|a| a.schema_name() == "python") {
        true => error(format!("the formula for `python` of `{}` cannot be written: `python` is a key", f.func.name))
            .help("rename the argument; `python:` names the Python functions of formulas"),
        false => error(format!("`{text}` is not a Python function")).help("write `.module:function`"),
    })
}
