//! The formulas of an operator, translated, with what each needs.
//!
//! Invariant: the text of a formula is that of the file, so that carets are under its tokens. Only
//! formulas that are derived from others have the place of the whole.

use std::collections::HashMap;

use rustc_hash::FxHashMap;

use super::Function;
use super::outputs::Output;
use super::variables;
use crate::formula::python::names::{Names, Used};
use crate::formula::python::operators::Operators;
use crate::formula::python::{translate, translate_condition};
use crate::library::Inputs;
use crate::library::python::signature::variable;
use torchgen_api::autograd::{Derivative, ForwardDerivative};
use torchgen_base::diag::{Diagnostic, Span, TextError};
use torchgen_base::yaml::Text;
use torchgen_formula::{Problem, ValueKind};
use torchgen_model::codes;
use torchgen_model::model::{NativeFunction, Type};

/// Where formulas and the functions in them come from.
pub(super) struct Source<'a> {
    operators: Operators,
    texts: FxHashMap<Span, &'a Text>,
    /// The conditions of `output_differentiability:`, by the place of the entry's `name:`.
    conditions: FxHashMap<Span, &'a Text>,
    /// The author's functions by name, as expressions.
    expressions: HashMap<String, String>,
    /// The same, as `module:function`.
    paths: Vec<(String, String)>,
}

impl<'a> Source<'a> {
    pub(super) fn new(inputs: &'a Inputs<'_, 'a>) -> Source<'a> {
        let records = || inputs.derivatives.iter();
        let formulas = || records().flat_map(|record| &record.formulas).flat_map(|keyed| &keyed.formulas);
        // Formulas that are derived from others call more operators.
        let matched = inputs.autograd.matched.functions.iter();
        let derived = matched.flat_map(|f| f.fw_derivatives.values()).flat_map(|tangents| tangents.iter());
        let conditions: FxHashMap<Span, &Text> =
            records().filter_map(|record| Some((record.name.span(), record.condition()?))).collect();
        let words: Vec<&str> = formulas()
            .map(|record| &record.formula)
            .chain(conditions.values().copied())
            .map(Text::as_str)
            .chain(derived.map(|tangent| tangent.formula.as_str()))
            .collect();
        let mut paths: Vec<(String, String)> = Vec::new();
        for text in records().flat_map(|record| &record.python) {
            if let Some((module, name)) = text.as_str().split_once(':') {
                let path = (module.to_owned(), name.to_owned());
                if !paths.contains(&path) {
                    paths.push(path);
                }
            }
        }
        Source {
            operators: Operators::new(
                inputs.context.functions.iter(),
                inputs.settings.torch_min,
                &words,
                inputs.context.target.tables,
            ),
            texts: formulas().map(|record| (record.formula.span(), &record.formula)).collect(),
            conditions,
            expressions: paths.iter().map(|(_, name)| (name.clone(), variables::function(name))).collect(),
            paths,
        }
    }

    /// The author's functions.
    pub(super) fn functions(&self) -> Vec<Function> {
        let function = |(module, name): &(String, String)| Function {
            variable: variables::function(name),
            module: module.clone(),
            relative: module.starts_with('.'),
            name: name.clone(),
        };
        self.paths.iter().map(function).collect()
    }

    /// Translates a text of the file, or one that was made of others.
    fn translate(
        &self,
        span: Span,
        formula: &str,
        names: &Names<'_>,
        wanted: &[String],
        f: &NativeFunction,
    ) -> Result<(String, Used), Diagnostic> {
        let wanted: Vec<&str> = wanted.iter().map(String::as_str).collect();
        let text = self.texts.get(&span).filter(|text| text.as_str() == formula);
        translate(formula, names, &wanted, &f.func).map_err(|problem| {
            let error = untranslated(problem, "formula");
            match text {
                Some(text) => error.at_text(text),
                None => Diagnostic::new(error.code, error.message).at(span).maybe_help(error.help),
            }
        })
    }

    /// The formula as it is in the file.
    fn written(&self, span: Span) -> Option<&'a str> {
        self.texts.get(&span).map(|text| text.as_str())
    }
}

/// The error of a text without a translation.
fn untranslated(problem: Problem, what: &str) -> TextError {
    let (code, message) = match (problem.not_cpp, problem.wrong_type) {
        (true, _) => (&codes::FORMULA_SYNTAX, problem.message),
        (_, true) => (&codes::FORMULA_TYPE, problem.message),
        (false, false) => {
            (&codes::STABLE_FORMULA, format!("the {what} has no translation to Python: {}", problem.message))
        }
    };
    TextError { help: problem.help, ..TextError::new(code, problem.range, message) }
}

/// A translated formula.
pub(super) struct Translated {
    /// The inputs or outputs that it is for.
    pub(super) names: Vec<String>,
    pub(super) text: String,
    pub(super) used: Used,
}

/// The names of gradients in formulas, and whether the operator mutates `self`.
pub(super) struct Scope<'s> {
    pub(super) f: &'s NativeFunction,
    pub(super) outputs: &'s [Output],
    /// The value of `self` before it is written, as a variable.
    pub(super) original: Option<&'s str>,
    /// The gradients that are zeros where they are undefined.
    pub(super) zeros: &'s [usize],
}

impl Scope<'_> {
    fn empty<'o>(&self, source: &'o Source<'_>) -> Names<'o> {
        let gradients = self.outputs.iter().filter(|output| output.differentiable).count();
        // The gradient of a list is a list.
        let is_list = self.outputs.iter().any(|output| output.differentiable && output.is_list);
        let gradients = if is_list { usize::MAX } else { gradients };
        Names::new(&source.operators, &source.expressions, gradients)
    }

    /// The names in formulas for gradients.
    fn backward<'o>(&self, source: &'o Source<'_>) -> Names<'o> {
        let mut names = self.empty(source);
        for a in self.f.func.schema_order_arguments() {
            let name = a.schema_name();
            names.saved(name, ValueKind::from_schema_type(&a.ty));
            if let (Some(original), "self") = (self.original, name) {
                names.rename(name, original);
            }
            if matches!(a.ty, Type::Optional(_)) {
                names.optional(name);
            }
        }
        self.add_outputs(&mut names);
        let differentiable = self.outputs.iter().zip(&self.f.func.returns).filter(|(output, _)| output.differentiable);
        for (i, (_, ret)) in differentiable.enumerate() {
            // Without a name there is none for the gradient: an input may be called `grad_result`.
            if let Some(name) = &ret.name {
                names.add_gradient(&format!("grad_{name}"), i);
            }
        }
        names.add("grad_input_mask", "_mask", ValueKind::Bools);
        names.zeros(self.zeros);
        names
    }

    fn add_outputs(&self, names: &mut Names<'_>) {
        for (output, ret) in self.outputs.iter().zip(&self.f.func.returns) {
            names.saved(&output.name, ValueKind::from_schema_type(&ret.ty));
            names.rename(&output.name, &output.variable);
            if output.is_optional {
                names.optional(&output.name);
            }
        }
    }

    /// The names in formulas for tangents.
    fn forward<'o>(&self, source: &'o Source<'_>, is_inplace: bool) -> Names<'o> {
        let mut names = self.empty(source);
        for a in self.f.func.schema_order_arguments() {
            let kind = ValueKind::from_schema_type(&a.ty);
            // In C++, the elements of a list have their tangents. Here they are pairs.
            let text = if kind == ValueKind::Tensors { variables::pairs(a.schema_name()) } else { variable(a) };
            names.add(a.schema_name(), &text, kind);
            if matches!(a.ty, Type::Optional(_)) {
                names.optional(a.schema_name());
            }
        }
        for (output, ret) in self.outputs.iter().zip(&self.f.func.returns) {
            names.add(&output.name, &output.variable, ValueKind::from_schema_type(&ret.ty));
            if output.is_optional {
                names.optional(&output.name);
            }
        }
        // `x_t` is the tangent of `x`, even if another value is called so.
        for a in self.f.func.tensor_arguments() {
            let name = a.schema_name();
            for (name, text) in
                [(format!("{name}_p"), variables::primal(name)), (format!("{name}_t"), variables::tangent(name))]
            {
                names.add(&name, &text, ValueKind::from_schema_type(&a.ty));
                if matches!(a.ty, Type::Optional(_)) {
                    names.optional(&name);
                }
            }
        }
        if is_inplace {
            // The result has the name of the primal.
            names.add("self_p", &variables::result("result"), ValueKind::Tensor);
            names.add("self_t_raw", "_self_t_raw", ValueKind::Tensor);
            names.add("original_self_p", "_original_p", ValueKind::Tensor);
            names.add("original_self_t", "_original_t", ValueKind::Tensor);
        }
        names
    }
}

impl Scope<'_> {
    /// Adds the names that formulas have which are made of others: those of C++.
    fn add_cpp_names(&self, names: &mut Names<'_>) {
        for a in self.f.func.schema_order_arguments() {
            for end in ["", "_p", "_t"] {
                names.alias(format!("{}{end}", a.name), format!("{}{end}", a.schema_name()));
            }
        }
        for (output, ret) in self.outputs.iter().zip(&self.f.func.returns) {
            if let Some(name) = &ret.cpp_name {
                names.alias(name.clone(), output.name.clone());
            }
        }
    }
}

/// A formula for gradients.
pub(super) fn gradient(
    derivative: &Derivative,
    scope: &Scope<'_>,
    source: &Source<'_>,
) -> Result<Translated, Diagnostic> {
    let names = scope.backward(source);
    let formula = source.written(derivative.span).unwrap_or(&derivative.original_formula);
    let named = |name: &String| scope.f.func.schema_order_arguments().find(|a| a.name == *name);
    let written = |name: &String| named(name).map_or(name.clone(), |a| a.schema_name().to_owned());
    let written: Vec<String> = derivative.var_names.iter().map(written).collect();
    let (text, used) = source.translate(derivative.span, formula, &names, &written, scope.f)?;
    Ok(Translated { names: written, text, used })
}

/// A formula for tangents.
pub(super) fn tangent(
    derivative: &ForwardDerivative,
    scope: &Scope<'_>,
    source: &Source<'_>,
    is_inplace: bool,
) -> Result<Translated, Diagnostic> {
    let mut names = scope.forward(source, is_inplace);
    let written = source.written(derivative.span);
    let made = is_inplace || written.is_some_and(|text| text.starts_with("auto_"));
    let written = written.filter(|_| !made);
    if written.is_none() {
        scope.add_cpp_names(&mut names);
    }
    let formula = written.unwrap_or(&derivative.formula);
    let named = |name: &String| scope.outputs.iter().find(|output| output.cpp_name == *name);
    let targets: Vec<String> =
        derivative.var_names.iter().map(|name| named(name).map_or(name, |output| &output.name).clone()).collect();
    let (text, used) = source.translate(derivative.span, formula, &names, &targets, scope.f)?;
    Ok(Translated { names: targets, text, used })
}

/// The condition under which the output is differentiable, of the entry whose `name:` is there.
pub(super) fn condition(entry: Span, f: &NativeFunction, source: &Source<'_>) -> Result<Option<String>, Diagnostic> {
    let Some(text) = source.conditions.get(&entry) else { return Ok(None) };
    let mut names = Names::new(&source.operators, &source.expressions, 0);
    names.add_arguments(&f.func);
    let translated = translate_condition(text.as_str(), &names);
    translated.map(Some).map_err(|problem| untranslated(problem, "condition").at_text(text))
}

/// Whether a type is a list of tensors, which may be optional.
pub(super) fn is_tensor_list(ty: &Type) -> bool {
    ty.is_tensor_like() && matches!(ty, Type::List(..))
}
