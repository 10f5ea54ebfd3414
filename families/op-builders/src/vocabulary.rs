//! What bodies can use beyond the language: tensors, their shapes, operators, builders and helpers.
//!
//! Invariant: an accepted call matches the callee's signature.

use std::collections::HashSet;

use indexmap::IndexMap;

use super::signature::{DTYPES, Parameter, Signature, dtype, module, tensor};
use super::{codes, literals};
use torchgen_base::diag::{Help, TextError, codes as shared, did_you_mean};
use torchgen_kit::expr::{
    Call, Constant, CustomCall, Function, Sigil, Type, Typed, Vocabulary, coerce, core_functions,
};

/// The kinds of calls in a body.
pub(super) mod role {
    /// An operator on its inputs as they are.
    pub(in super::super) const EXACT: &str = "exact";
    /// An operator on inputs that are converted to a common shape and type.
    pub(in super::super) const COMMON: &str = "common";
    /// Another builder.
    pub(in super::super) const BUILDER: &str = "builder";
    /// A helper.
    pub(in super::super) const HELPER: &str = "helper";
    /// A constant.
    pub(in super::super) const LITERAL: &str = "literal";
}

/// All names that a body can call.
pub(super) struct Names {
    /// Builders by their registered names.
    pub(super) builders: IndexMap<String, Signature>,
    /// Helpers.
    pub(super) helpers: IndexMap<String, Signature>,
    /// Primitive operators. If none is declared, any name is accepted as one.
    pub(super) operators: IndexMap<String, Signature>,
    /// Entries with errors, which bodies may call.
    pub(super) rejected: HashSet<String>,
    functions: Vec<Function>,
}

impl Names {
    /// No names.
    pub(super) fn new() -> Names {
        Names {
            builders: IndexMap::new(),
            helpers: IndexMap::new(),
            operators: IndexMap::new(),
            rejected: HashSet::new(),
            functions: functions(),
        }
    }
}

/// The functions on tensors, in addition to those of the language.
pub(super) fn functions() -> Vec<Function> {
    let x = || [("x", tensor())];
    let ints = || Type::Int.list();
    let mut all = vec![
        Function::new("ndim", &x(), Type::Int, "The rank."),
        Function::new("lens", &x(), ints(), "The lengths; an error for a dynamic shape."),
        Function::new("max_lens", &x(), ints(), "The greatest lengths."),
        Function::new("strides", &x(), ints(), "The strides."),
        Function::new("type", &x(), dtype(), "The type of elements."),
        Function::new("elements", &x(), Type::Int, "The number of elements."),
        Function::new("dynamic", &x(), Type::Bool, "Whether a length is not known yet."),
        Function::new(
            "open_axes",
            &[("x", tensor()), ("start", Type::Int)],
            Type::Bool,
            "Whether a length is not known from axis `start` on.",
        ),
        Function::new(
            "same_batch",
            &[("a", tensor()), ("b", tensor()), ("count", Type::Int)],
            Type::Bool,
            "Whether two shapes are equal except for the last `count` axes.",
        ),
        Function::new("broadcast_lens", &[("a", ints()), ("b", ints())], ints(), "The lengths that both broadcast to."),
        Function::new("common_type", &[("a", tensor()), ("b", tensor())], dtype(), "The type that can hold both."),
        Function::new(
            "is_constant",
            &[("x", tensor()), ("number", Type::Float)],
            Type::Bool,
            "Whether it is constant and all elements equal a number.",
        ),
    ];
    all.extend(core_functions());
    all
}

impl Vocabulary for Names {
    fn constant(&self, name: &str) -> Option<Constant> {
        DTYPES.contains(&name).then(|| Constant { ty: dtype(), cpp: format!("shape::{name}") })
    }

    fn constants(&self) -> Vec<&str> {
        DTYPES.to_vec()
    }

    fn functions(&self) -> &[Function] {
        &self.functions
    }

    fn call(
        &self,
        call: &Call,
        positional: &[Typed],
        keywords: &[(String, Typed)],
        variable: Option<&Type>,
    ) -> Option<Result<CustomCall, TextError>> {
        let name = call.callee.name.as_str();
        let asked = CheckedCall { call, positional, keywords };
        if call.sigil == Sigil::At {
            return Some(self.builder(&asked));
        }
        let role = if call.sigil == Sigil::Exact { role::EXACT } else { role::COMMON };
        if variable == Some(&Type::Str) {
            return Some(asked.any_operator(role, true));
        }
        if name == "literal" && call.sigil == Sigil::Plain {
            return Some(asked.literal());
        }
        if let Some(helper) = self.helpers.get(name).filter(|_| call.sigil == Sigil::Plain) {
            return Some(asked.helper(helper));
        }
        let is_function = self.functions.iter().any(|function| function.name == name);
        let tensors = positional.iter().any(|argument| mentions_tensor(&argument.ty));
        if call.sigil == Sigil::Plain && is_function && !(tensors && self.operators.contains_key(name)) {
            return None;
        }
        match self.operators.get(name) {
            Some(operator) => Some(asked.operator(operator, role)),
            None if self.operators.is_empty() => Some(asked.any_operator(role, false)),
            None if call.sigil == Sigil::Plain => None,
            None => Some(Err(unknown(
                &codes::UNKNOWN_OPERATOR,
                call,
                format!("there is no primitive operator `{name}`"),
                self.operators.keys(),
            ))),
        }
    }

    fn instead_of_comparing(&self, ty: &str) -> Option<&'static str> {
        match ty {
            "Tensor" => Some("compare `lens(x)`, `type(x)` or `ndim(x)`; only operators see the elements"),
            "Module" => Some("modules have no value to compare"),
            _ => None,
        }
    }

    fn callees(&self) -> Vec<&str> {
        let all = self.operators.keys().chain(self.helpers.keys()).map(String::as_str);
        all.chain(["literal"]).collect()
    }
}

impl Names {
    fn builder(&self, asked: &CheckedCall<'_>) -> Result<CustomCall, TextError> {
        let name = &asked.call.callee.name;
        let Some(signature) = self.builders.get(name) else {
            let message = format!("there is no builder `{name}`");
            return Err(unknown(&codes::UNKNOWN_BUILDER, asked.call, message, self.builders.keys()));
        };
        let positional = asked.inputs(signature)?;
        let keywords = asked.options(signature, "option", false)?;
        let result = match signature.results.as_slice() {
            [(ty, _)] => ty.clone(),
            _ => tensor().list(),
        };
        Ok(asked.answer(role::BUILDER, false, positional, keywords, result))
    }
}

fn mentions_tensor(ty: &Type) -> bool {
    match ty {
        Type::List(inner) | Type::Optional(inner) => mentions_tensor(inner),
        _ => *ty == tensor() || *ty == Type::Never,
    }
}

fn unknown<'n>(
    code: &'static torchgen_base::diag::CodeInfo,
    call: &Call,
    message: String,
    names: impl Iterator<Item = &'n String>,
) -> TextError {
    let error = TextError::new(code, call.callee.range.clone(), message);
    match did_you_mean(&call.callee.name, names.map(String::as_str)) {
        Some(help) => error.help(help),
        None => error,
    }
}

/// A call with its checked arguments.
struct CheckedCall<'a> {
    call: &'a Call,
    positional: &'a [Typed],
    keywords: &'a [(String, Typed)],
}

impl CheckedCall<'_> {
    fn answer(
        &self,
        role: &'static str,
        by_variable: bool,
        positional: Vec<Typed>,
        keywords: Vec<(String, Typed)>,
        result: Type,
    ) -> CustomCall {
        let name = self.call.callee.name.clone();
        CustomCall { name, sigil: self.call.sigil, by_variable, role, positional, keywords, result }
    }

    fn error(&self, range: std::ops::Range<usize>, message: String) -> TextError {
        TextError::new(&codes::BUILDER_CALL, range, message)
    }

    fn callee(&self) -> std::ops::Range<usize> {
        self.call.callee.range.clone()
    }

    fn keyword_range(&self, name: &str) -> std::ops::Range<usize> {
        let keyword = self.call.keywords.iter().find(|(key, _)| key.name == name);
        keyword.map_or_else(|| self.callee(), |(key, _)| key.range.clone())
    }

    fn operator(&self, signature: &Signature, role: &'static str) -> Result<CustomCall, TextError> {
        let positional = self.inputs(signature)?;
        let keywords = self.options(signature, "attribute", true)?;
        Ok(self.answer(role, false, positional, keywords, tensor()))
    }

    /// An operator, if none is declared.
    fn any_operator(&self, role: &'static str, by_variable: bool) -> Result<CustomCall, TextError> {
        for argument in self.positional {
            if !mentions_tensor(&argument.ty) && argument.ty != module() && argument.ty != module().list() {
                let message = format!("an input must be a tensor, not a `{}`", argument.ty);
                return Err(self.error(argument.range.clone(), message).help("pass attributes by name"));
            }
        }
        Ok(self.answer(role, by_variable, self.positional.to_vec(), self.keywords.to_vec(), tensor()))
    }

    /// Checks positional arguments against inputs and modules.
    fn inputs(&self, signature: &Signature) -> Result<Vec<Typed>, TextError> {
        let name = &self.call.callee.name;
        let parameters: Vec<&Parameter> = signature.inputs.iter().chain(&signature.modules).collect();
        let mut result = Vec::with_capacity(self.positional.len());
        let mut next = 0;
        for argument in self.positional {
            let is_module = argument.ty == module() || argument.ty == module().list();
            while parameters.get(next).is_some_and(|p| is_module && p.base != super::signature::Base::Module) {
                next += 1;
            }
            let Some(parameter) = parameters.get(next) else {
                let message = match signature.inputs.len() {
                    0 => format!("`{name}` takes no inputs"),
                    1 => format!("`{name}` takes one input"),
                    count => format!("`{name}` takes {count} inputs"),
                };
                let error = self.error(argument.range.clone(), message);
                let scalar = !mentions_tensor(&argument.ty) && !is_module;
                return Err(if scalar { error.help("pass attributes and options by name") } else { error });
            };
            let what = format!("the input `{}` of `{name}`", parameter.name);
            if parameter.is_variadic() {
                let Type::List(item) = &parameter.ty else { continue };
                let wanted = if matches!(argument.ty, Type::List(_)) { &parameter.ty } else { &**item };
                result.push(coerced(argument, wanted, &what)?);
            } else {
                result.push(coerced(argument, &parameter.ty, &what)?);
                next += 1;
            }
        }
        let missing: Vec<String> = parameters
            .iter()
            .skip(next)
            .filter(|parameter| !parameter.is_optional() && !parameter.is_variadic())
            .map(|parameter| format!("`{}`", parameter.name))
            .collect();
        if !missing.is_empty() {
            let message = format!("`{name}` needs the input {}", missing.join(" and "));
            let all: Vec<String> = parameters.iter().map(|parameter| format!("`{}`", parameter.name)).collect();
            return Err(self.error(self.callee(), message).help(format!("its inputs are {}", all.join(", "))));
        }
        Ok(result)
    }

    /// Checks keyword arguments against options or attributes; the keys are those of options.
    fn options(&self, signature: &Signature, what: &str, required: bool) -> Result<Vec<(String, Typed)>, TextError> {
        let name = &self.call.callee.name;
        let mut result = Vec::with_capacity(self.keywords.len());
        for (key, value) in self.keywords {
            let Some(option) = signature.options.iter().find(|option| option.name == *key) else {
                let message = format!("`{name}` has no {what} `{key}`");
                let error = self.error(self.keyword_range(key), message);
                let known = signature.options.iter().map(|option| option.name.as_str());
                return Err(match did_you_mean(key, known) {
                    Some(help) => error.help(help),
                    None => error,
                });
            };
            let value = coerced(value, &option.ty, &format!("the {what} `{key}` of `{name}`"))?;
            result.push((option.key.clone(), value));
        }
        let given = |option: &Parameter| self.keywords.iter().any(|(key, _)| *key == option.name);
        let missing = signature.options.iter().find(|option| option.default.is_none() && !given(option));
        match missing {
            Some(option) if required || option.default.is_none() => {
                let message = format!("`{name}` needs the {what} `{}`", option.name);
                let help = format!("write `{}=...`, a `{}`", option.name, option.type_text);
                Err(self.error(self.callee(), message).help(help))
            }
            _ => Ok(result),
        }
    }

    /// Checks a call of a helper, with positional or keyword arguments.
    fn helper(&self, signature: &Signature) -> Result<CustomCall, TextError> {
        let name = &self.call.callee.name;
        let parameters = &signature.parameters;
        if let Some(extra) = self.positional.get(parameters.len()) {
            let message = format!("`{name}` takes {} arguments", parameters.len());
            return Err(self.error(extra.range.clone(), message));
        }
        for (key, _) in self.keywords {
            let known = parameters.iter().map(|parameter| parameter.name.as_str());
            if !parameters.iter().skip(self.positional.len()).any(|parameter| parameter.name == *key) {
                let message = format!("`{name}` has no parameter `{key}`");
                let error = self.error(self.keyword_range(key), message);
                return Err(match did_you_mean(key, known) {
                    Some(help) => error.help(help),
                    None => error,
                });
            }
        }
        let mut arguments = Vec::with_capacity(parameters.len());
        for (at, parameter) in parameters.iter().enumerate() {
            let by_name = self.keywords.iter().find(|(key, _)| *key == parameter.name).map(|(_, value)| value);
            let Some(value) = self.positional.get(at).or(by_name) else {
                let message = format!("`{name}` needs `{}`, a `{}`", parameter.name, parameter.type_text);
                return Err(self.error(self.callee(), message));
            };
            arguments.push(coerced(value, &parameter.ty, &format!("`{}` of `{name}`", parameter.name))?);
        }
        let result = signature.results.first().map_or(Type::None, |(ty, _)| ty.clone());
        Ok(self.answer(role::HELPER, false, arguments, Vec::new(), result))
    }

    /// `literal(value, like=x)`, `literal(value, type=t, lens=[…])`.
    fn literal(&self) -> Result<CustomCall, TextError> {
        let [value] = self.positional else {
            let error = self.error(self.callee(), "`literal` takes one value".to_owned());
            return Err(error.help("`literal(1.0, like=x)`, or `literal([1, 2], type=int64_type, lens=[2])`"));
        };
        let mut keywords = Vec::new();
        for (key, given) in self.keywords {
            let wanted = match key.as_str() {
                "like" => tensor(),
                "type" => dtype(),
                "lens" => Type::Int.list(),
                _ => {
                    let message = format!("`literal` has no argument `{key}`");
                    let error = self.error(self.keyword_range(key), message);
                    return Err(error.help("its arguments are `like`, `type` and `lens`"));
                }
            };
            keywords.push((key.clone(), coerced(given, &wanted, &format!("`{key}`"))?));
        }
        let has = |name: &str| keywords.iter().any(|(key, _)| key == name);
        let is_list = matches!(value.ty, Type::List(_));
        let problem = match &value.ty {
            _ if has("like") && has("type") => Some("give `like` or `type`, not both"),
            Type::Int | Type::Float | Type::Never => has("lens").then_some("a single number has no `lens`"),
            Type::List(item) if item.is_number() => (!has("lens")).then_some("a list needs `lens`"),
            _ => Some("a literal must be a number or a list of numbers"),
        };
        if let Some(problem) = problem {
            return Err(self.error(value.range.clone(), problem.to_owned()));
        }
        if is_list && !has("like") && !has("type") {
            return Err(self.error(value.range.clone(), "a list needs `type` or `like`".to_owned()));
        }
        if let Some((_, ty)) = keywords.iter().find(|(key, _)| key == "type") {
            literals::check_constant(value, ty)?;
        }
        Ok(self.answer(role::LITERAL, false, vec![value.clone()], keywords, tensor()))
    }
}

/// Converts an argument, with this family's code for errors.
fn coerced(argument: &Typed, wanted: &Type, what: &str) -> Result<Typed, TextError> {
    coerce(argument.clone(), wanted, what).map_err(|error| {
        let code = if error.code.id == shared::EXPRESSION_TYPE.id { &codes::BUILDER_CALL } else { error.code };
        let scalar = *wanted == tensor() && matches!(argument.ty, Type::Int | Type::Float | Type::Bool);
        let help = scalar.then(|| Help::new("make a tensor of it: `literal(…, like=x)`"));
        TextError { code, help: error.help.clone().or(help), ..error }
    })
}
