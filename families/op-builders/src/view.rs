//! The data of the templates: names, types and single expressions.
//!
//! Invariant: templates write all statements. Documentation is in `docs`, and examples are in
//! `examples`.

use std::collections::HashSet;

use serde::Serialize;

use super::lower::{Line, LineKind, cpp, lower, owns_memory};
use super::model::{Callable, Model, assigned};
use super::names::{class_name, cpp_name};
use super::records::EntryKind;
use super::signature::{Parameter, Signature, tensor};
use torchgen_base::lang::cpp::{TokenKind, mentions, tokens};
use torchgen_kit::comment::Comment;
use torchgen_kit::expr::{Type, string_literal};
use torchgen_kit::schema::Value;

/// An option as a class member.
#[derive(Debug, Serialize)]
pub(super) struct OptionView {
    pub(super) member: String,
    pub(super) ty: String,
    /// The key as a string literal.
    pub(super) key: String,
    /// The default, if it is a single expression.
    pub(super) default: String,
    /// The items of the default, if it is a list.
    pub(super) items: Option<Vec<String>>,
    /// The parameter of a typed function for it, as an argument.
    pub(super) passed: String,
}

/// An input or a module as a parameter.
#[derive(Debug, Serialize)]
pub(super) struct InputView {
    /// The parameter, as declared.
    pub(super) declared: String,
    /// The same in the definition: without a name if the body does not use it.
    pub(super) defined: String,
    pub(super) name: String,
    /// The argument in the call from the string interface.
    pub(super) argument: String,
}

/// A parameter of a typed function.
#[derive(Debug, Serialize)]
pub(super) struct TypedView {
    pub(super) name: String,
    pub(super) ty: String,
    pub(super) default: Option<String>,
    pub(super) items: Option<Vec<String>>,
    /// The parameter as an argument: moved if it has memory of its own and is not used again.
    pub(super) passed: String,
}

/// A registered name of a builder.
#[derive(Debug, Serialize)]
pub(super) struct RegisteredView {
    pub(super) function: String,
    pub(super) literal: String,
}

/// A builder.
#[derive(Debug, Serialize)]
pub(super) struct BuilderView {
    pub(super) name: String,
    pub(super) doc: Comment,
    /// The class templates of its traits.
    pub(super) mix_ins: Vec<String>,
    pub(super) options: Vec<OptionView>,
    pub(super) required: Vec<String>,
    pub(super) names: Vec<String>,
    /// What errors begin with in MIGraphX, as a string literal.
    pub(super) error_prefix: Option<String>,
    pub(super) takes_name: bool,
    /// The parameters of the body that all builders have, as defined.
    pub(super) at: String,
    pub(super) op_name: String,
    pub(super) inputs: Vec<InputView>,
    pub(super) modules: Vec<InputView>,
    pub(super) least: usize,
    pub(super) most: String,
    pub(super) input_names: Vec<String>,
    pub(super) least_modules: usize,
    pub(super) most_modules: String,
    pub(super) lines: Vec<Line>,
    /// Options that the body assigns; members are constant, so they are copied.
    pub(super) copies: Vec<OptionView>,
    pub(super) code: Option<String>,
    pub(super) registered: Vec<RegisteredView>,
    pub(super) typed: Vec<TypedView>,
    pub(super) result: String,
    pub(super) single: bool,
}

/// A helper.
#[derive(Debug, Serialize)]
pub(super) struct HelperView {
    pub(super) name: String,
    /// The inserter, as defined.
    pub(super) at: String,
    /// Whether no body calls it.
    pub(super) unused: bool,
    pub(super) doc: Comment,
    pub(super) result: String,
    pub(super) inputs: Vec<InputView>,
    pub(super) lines: Vec<Line>,
}

/// The common data of all templates.
#[derive(Debug, Serialize)]
pub(super) struct FileView {
    pub(super) banner: String,
    pub(super) namespace: String,
    /// The first part of the namespace, which is that of the support library.
    pub(super) support: String,
    pub(super) open_support: String,
    pub(super) close_support: String,
    pub(super) open_namespace: String,
    pub(super) close_namespace: String,
    /// The namespace of the builders inside that of the support library.
    pub(super) builder_namespace: String,
    /// The prefix of the support library's file names.
    pub(super) prefix: String,
    pub(super) support_header: String,
    pub(super) migraphx: bool,
    /// The headers of mix-ins, as `#include` takes them.
    pub(super) includes: Vec<String>,
    /// The version of modules that are written.
    pub(super) version: u32,
    pub(super) builders: Vec<BuilderView>,
    pub(super) helpers: Vec<HelperView>,
}

/// Any number.
pub(super) const ANY: &str = "SIZE_MAX";

/// A default as an expression, or as the items of a list.
pub(super) fn default_of(parameter: &Parameter) -> (Option<String>, Option<Vec<String>>) {
    let is_float = matches!(inner(&parameter.ty), Type::Float);
    match &parameter.default {
        None => (None, None),
        Some(Value::List(items)) => (None, Some(items.iter().map(|item| scalar(&item.value, is_float)).collect())),
        Some(value) => (Some(scalar(value, is_float)), None),
    }
}

fn inner(ty: &Type) -> &Type {
    match ty {
        Type::List(ty) | Type::Optional(ty) => inner(ty),
        _ => ty,
    }
}

/// A default that is not a list.
fn scalar(value: &Value, is_float: bool) -> String {
    match value {
        Value::None => "std::nullopt".to_owned(),
        Value::Bool(value) => value.to_string(),
        Value::Int(value) if is_float => format!("{value}.0"),
        Value::Int(value) => value.to_string(),
        Value::Float(value) if value.is_nan() => "std::numeric_limits<double>::quiet_NaN()".to_owned(),
        Value::Float(value) if value.is_infinite() => {
            let sign = if *value < 0.0 { "-" } else { "" };
            format!("{sign}std::numeric_limits<double>::infinity()")
        }
        Value::Float(value) => format!("{value:?}"),
        Value::Str(text) => string_literal(text),
        Value::Word(word) => format!("shape::{word}"),
        Value::List(_) => String::new(),
    }
}

/// The initial value of a member without a default in the signature.
fn zero(ty: &Type) -> String {
    match ty {
        Type::Bool => "false".to_owned(),
        Type::Int => "0".to_owned(),
        Type::Float => "0.0".to_owned(),
        Type::Str => string_literal(""),
        Type::Optional(_) => "std::nullopt".to_owned(),
        _ => "shape::float_type".to_owned(),
    }
}

fn option(parameter: &Parameter) -> OptionView {
    let (default, items) = default_of(parameter);
    let items = items.or_else(|| (default.is_none() && matches!(parameter.ty, Type::List(_))).then(Vec::new));
    OptionView {
        member: cpp_name(&parameter.name),
        passed: passed(parameter),
        ty: cpp().ty(&parameter.ty),
        key: string_literal(&parameter.key),
        default: default.unwrap_or_else(|| zero(&parameter.ty)),
        items,
    }
}

/// Inputs, each with its argument in the call from the string interface.
fn inputs(signature: &Signature, body: &Body<'_>) -> Vec<InputView> {
    let argument = |(at, parameter): (usize, &Parameter)| {
        let argument = match &parameter.ty {
            Type::List(_) if at == 0 => "args".to_owned(),
            Type::List(_) => format!("std::vector<instruction_ref>(args.begin() + {at}, args.end())"),
            Type::Optional(_) => format!("optional_input(args, {at})"),
            _ => format!("args[{at}]"),
        };
        body.input(parameter, argument)
    };
    signature.inputs.iter().enumerate().map(argument).collect()
}

fn modules(signature: &Signature, body: &Body<'_>) -> Vec<InputView> {
    let argument = |(at, parameter): (usize, &Parameter)| {
        let argument = match &parameter.ty {
            Type::List(_) if at == 0 => "module_args".to_owned(),
            Type::List(_) => format!("std::vector<module_ref>(module_args.begin() + {at}, module_args.end())"),
            _ => format!("module_args[{at}]"),
        };
        body.input(parameter, argument)
    };
    signature.modules.iter().enumerate().map(argument).collect()
}

/// An option as an argument, after which it is not used.
fn passed(parameter: &Parameter) -> String {
    let name = cpp_name(&parameter.name);
    if owns_memory(&parameter.ty) { format!("std::move({name})") } else { name }
}

/// The type of a parameter that is only read.
fn read_only(ty: &Type) -> String {
    let spelled = cpp().ty(ty);
    if owns_memory(ty) { format!("const {spelled}&") } else { spelled }
}

/// A body, and what its parameters need for it.
struct Body<'b> {
    lines: &'b [Line],
    /// In place of lines: C++ of the author's.
    code: Option<&'b str>,
    /// The variables that it assigns to.
    changed: &'b HashSet<&'b str>,
}

impl Body<'_> {
    /// A parameter: by value if the body may assign to it.
    fn input(&self, parameter: &Parameter, argument: String) -> InputView {
        let name = cpp_name(&parameter.name);
        let is_read_only = self.code.is_none() && !self.changed.contains(parameter.name.as_str());
        let ty = if is_read_only { read_only(&parameter.ty) } else { cpp().ty(&parameter.ty) };
        let begin = ty + " ";
        InputView { declared: format!("{begin}{name}"), defined: self.defined(&begin, &name), name, argument }
    }

    /// A parameter in the definition. A body in C++ may use what it does not mention, by a macro.
    fn defined(&self, ty: &str, name: &str) -> String {
        let mut texts = self.lines.iter().flat_map(|line| [&line.value, &line.name]);
        let fails = || self.lines.iter().any(|line| matches!(line.kind, LineKind::Require | LineKind::Fail));
        let is_used = match self.code {
            Some(code) => mentions_free(code, name),
            // What reports an error is the inserter.
            None => texts.any(|text| mentions_free(text, name)) || (name == "at" && fails()),
        };
        let declares = |line: &Line| !line.ty.is_empty() && line.name == name;
        match is_used {
            _ if self.lines.iter().any(declares) => format!("[[maybe_unused]] {ty}{name}"),
            true => format!("{ty}{name}"),
            false if self.code.is_some() => format!("[[maybe_unused]] {ty}{name}"),
            false => ty.trim_end().to_owned(),
        }
    }
}

/// Whether C++ has a name that is neither a member nor in a scope.
fn mentions_free(text: &str, name: &str) -> bool {
    let tokens = tokens(text);
    let word = |at: usize| &text[tokens[at].range.clone()];
    let is_free = |at: usize| at == 0 || !matches!(word(at - 1), "." | "->" | "::");
    (0..tokens.len()).any(|at| tokens[at].kind == TokenKind::Word && word(at) == name && is_free(at))
}

fn most(parameters: &[Parameter]) -> String {
    if parameters.iter().any(Parameter::is_variadic) { ANY.to_owned() } else { parameters.len().to_string() }
}

fn least(parameters: &[Parameter]) -> usize {
    parameters.iter().filter(|parameter| !parameter.is_optional() && !parameter.is_variadic()).count()
}

/// The parameters of the typed functions, required ones first, since C++ allows defaults only at
/// the end.
fn typed(signature: &Signature) -> Vec<TypedView> {
    let inputs = signature.inputs.iter().chain(&signature.modules).map(|parameter| (parameter, false));
    let all = inputs.chain(signature.options.iter().map(|parameter| (parameter, true)));
    let view = |(parameter, is_option): (&Parameter, bool)| {
        let (default, items) = default_of(parameter);
        let name = cpp_name(&parameter.name);
        let ty = if is_option { cpp().ty(&parameter.ty) } else { read_only(&parameter.ty) };
        let passed = if is_option { passed(parameter) } else { name.clone() };
        TypedView { name, ty, default, items, passed }
    };
    let (required, optional): (Vec<_>, Vec<_>) = all.map(view).partition(|p| p.default.is_none() && p.items.is_none());
    required.into_iter().chain(optional).collect()
}

fn builder(callable: &Callable) -> BuilderView {
    let signature = &callable.signature;
    let single = matches!(signature.results.as_slice(), [(ty, _)] if *ty == tensor());
    let keys = signature.options.iter().filter(|option| option.default.is_none());
    let changed = assigned(&callable.steps);
    let lines = lower(&callable.steps, &callable.unused, false);
    let body = Body { lines: &lines, code: callable.code.as_deref(), changed: &changed };
    BuilderView {
        at: body.defined("inserter& ", "at"),
        op_name: body.defined("const std::string& ", "op_name"),
        name: class_name(&signature.name),
        doc: Comment::from_optional_text(callable.record.doc.as_ref().map(|doc| doc.as_str())),
        mix_ins: callable.mix_ins.clone(),
        options: signature.options.iter().map(option).collect(),
        required: keys.map(|option| string_literal(&option.key)).collect(),
        names: callable.names.iter().map(|name| string_literal(name)).collect(),
        error_prefix: callable.record.error_prefix.as_ref().map(|prefix| string_literal(prefix.as_str())),
        takes_name: callable.names.len() > 1 || callable.asks_name,
        inputs: inputs(signature, &body),
        modules: modules(signature, &body),
        least: least(&signature.inputs),
        most: most(&signature.inputs),
        input_names: signature.inputs.iter().map(|input| string_literal(&input.name)).collect(),
        least_modules: least(&signature.modules),
        most_modules: most(&signature.modules),
        copies: signature.options.iter().filter(|option| changed.contains(option.name.as_str())).map(option).collect(),
        code: callable.code.clone().map(|code| if code.ends_with('\n') { code } else { code + "\n" }),
        registered: callable
            .names
            .iter()
            .map(|name| RegisteredView { function: name.clone(), literal: string_literal(name) })
            .collect(),
        typed: typed(signature),
        result: if single { "instruction_ref" } else { "std::vector<instruction_ref>" }.to_owned(),
        single,
        lines,
    }
}

fn helper(callable: &Callable) -> HelperView {
    let signature = &callable.signature;
    let changed = assigned(&callable.steps);
    let lines = lower(&callable.steps, &callable.unused, true);
    let body = Body { lines: &lines, code: None, changed: &changed };
    HelperView {
        at: body.defined("inserter& ", "at"),
        name: cpp_name(&signature.name),
        unused: false,
        doc: Comment::from_optional_text(callable.record.doc.as_ref().map(|doc| doc.as_str())),
        result: signature.results.first().map(|(ty, _)| cpp().ty(ty)).unwrap_or_default(),
        inputs: signature.parameters.iter().map(|parameter| body.input(parameter, String::new())).collect(),
        lines,
    }
}

/// The views of all builders and helpers.
pub(super) fn views(model: &Model) -> (Vec<BuilderView>, Vec<HelperView>) {
    let builders: Vec<BuilderView> = model.builders.iter().map(builder).collect();
    let mut helpers: Vec<HelperView> = model.helpers.iter().map(helper).collect();
    let codes = || builders.iter().filter_map(|builder| builder.code.as_deref());
    let is_called = |name: &str| {
        let edges = model.edges.iter().any(|edge| edge.to.0 == EntryKind::Helper && cpp_name(&edge.to.1) == name);
        edges || codes().any(|code| mentions(code, name))
    };
    helpers.iter_mut().for_each(|helper| helper.unused = !is_called(&helper.name));
    (builders, helpers)
}
