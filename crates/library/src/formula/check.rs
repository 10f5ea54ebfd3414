//! Checks formulas and conditions of a library by the rules of C++: functions of PyTorch's
//! operators and of the library's own, methods of tensors, by name, number and types of arguments,
//! and the operands of operators.
//!
//! Invariant: what is reported would not compile. What is not certain, such as a function that some
//! other header declares, is left to the compiler. Without a PyTorch only own operators are known.

use std::collections::BTreeSet;
use std::path;

use super::callables::{AT, operator_of};
use super::foreign;
use super::names::{Declared, Direction, Names, Torch};
use super::unknown;
use torchgen_api::autograd::is_formula_word;
use torchgen_base::diag::{Diagnostic, Diagnostics, Help, did_you_mean, did_you_mean_as, plural};
use torchgen_base::yaml::Text;
use torchgen_formula::vocabulary::is_only_a_method;
use torchgen_formula::{
    Call, Callee, Expr, Node, Outcome, Path, Problem, Rules, Selected, Signature, Ty, Typed, ValueKind, parse, typed,
};
use torchgen_generators::inputs::stock::{Stock, headers_below_declare, headers_below_mention};
use torchgen_kit::driver::{JobError, Session};
use torchgen_model::codes;
use torchgen_model::model::{Argument, FunctionSchema, Language, NativeFunction};
use torchgen_model::parse::schema::located;
use torchgen_model::records::DerivativeRecord;

/// The formulas of a library, and what they can call.
pub(crate) struct LibraryFormulas<'a> {
    /// The entries of derivatives.yaml.
    pub(crate) records: &'a [DerivativeRecord],
    /// The library's operators.
    pub(crate) functions: &'a [&'a NativeFunction],
    /// The author's own header.
    pub(crate) manual: &'a str,
    /// PyTorch's operators.
    pub(crate) stock: &'a mut Stock,
}

/// Checks all formulas.
///
/// # Errors
/// PyTorch's files cannot be read.
pub(crate) fn check_library_formulas(formulas: LibraryFormulas, session: &mut Session) -> Result<(), JobError> {
    let LibraryFormulas { records, functions, manual, stock } = formulas;
    let tables = session.tables.clone();
    let names = called(records);
    let mut declared = Declared::new(functions, Some(manual), &tables);
    if let Some(stock) = stock.operators(&names, session)? {
        if stock.include().is_none() && !names.is_empty() {
            session.leaves_out("calls of functions that only headers declare, without the headers of a torch");
        }
        let torch =
            Torch { names: stock.base_names().into_iter().map(str::to_owned).collect(), include: stock.include() };
        let called = names.iter().filter_map(|name| stock.family(name)).flat_map(|family| &family.functions);
        declared = declared.with_torch(torch, called);
    } else if !names.is_empty() {
        session.leaves_out("calls of PyTorch's functions in formulas, without a torch (`--torch-path` names one)");
    }
    check_all(records, &declared, Rules::Cpp, session);
    Ok(())
}

/// The formulas of a backend for PyTorch's operators, and what they can call.
pub struct BackendFormulas<'a> {
    /// The entries of derivatives.yaml.
    pub records: &'a [DerivativeRecord],
    /// PyTorch's operators.
    pub functions: &'a [&'a NativeFunction],
    /// The author's own headers with all that they include; `None` if one is not at hand.
    pub manual: Option<&'a str>,
    /// PyTorch's headers, if they are at hand.
    pub include: Option<&'a path::Path>,
}

/// Checks all formulas of a backend.
pub fn check_backend(formulas: &BackendFormulas, session: &mut Session) {
    let BackendFormulas { records, functions, manual, include } = formulas;
    let tables = session.tables.clone();
    let names = called(records);
    let base = |f: &NativeFunction| f.func.name.name.base.clone();
    let torch = Torch { names: functions.iter().map(|f| base(f)).collect(), include: *include };
    let called = functions.iter().copied().filter(|f| names.contains(&base(f)));
    let mut declared = Declared::new(&[], *manual, &tables).with_torch(torch, called);
    declared.is_whole = true;
    check_all(records, &declared, Rules::Cpp, session);
}

/// Checks the formulas of a library that are translated to Python, as far as their own values show
/// what is wrong. The translation looks at the operators that they call.
pub(crate) fn check_translated(formulas: &LibraryFormulas, session: &mut Session) {
    let tables = session.tables.clone();
    let declared = Declared::new(&[], Some(formulas.manual), &tables);
    check_all(formulas.records, &declared, Rules::Python, session);
}

/// Checks the formulas of entries by these rules.
pub(super) fn check_all(records: &[DerivativeRecord], declared: &Declared, rules: Rules, session: &mut Session) {
    let mut found = Diagnostics::new();
    for record in records {
        let Ok((_, schema)) = located(record.name.as_str(), Language::C10, declared.tables) else { continue };
        let backward = Names::of_formulas(&schema.schema, declared, rules, Direction::Backward);
        let forward = Names::of_formulas(&schema.schema, declared, rules, Direction::Forward);
        let is_input = |name: &Text| schema.schema.schema_order_arguments().any(|a| a.schema_name() == name.as_str());
        for formula in expressions(record) {
            let keyed = record.formulas.iter().flat_map(|keyed| &keyed.formulas);
            let of = keyed.into_iter().find(|one| one.formula.span() == formula.span());
            let names = match of.is_some_and(|of| of.names.first().is_some_and(is_input)) {
                true => &backward,
                false => &forward,
            };
            // Errors of syntax are reported where derivatives are read.
            let Ok(expr) = parse(formula.as_str()) else { continue };
            if let Some(error) = foreign::no_namespace(&expr, formula, declared, session) {
                found.push(error);
                continue;
            }
            found.extend(unknown::names(&expr, formula, names, session));
            let (tree, problems) = typed(&expr, names);
            // What a translation reports has the rest of the formula beside it.
            for problem in problems.into_iter().filter(|problem| rules == Rules::Cpp || problem.not_cpp) {
                found.push(wrong_operand(problem, formula));
            }
            let mut calls: Vec<&Typed> = Vec::new();
            tree.walk(&mut |part| calls.extend(part.call.as_ref().map(|_| part)));
            for part in calls.into_iter().filter(|_| rules == Rules::Cpp) {
                found.extend(wrong(part, formula, declared, session));
            }
            let names = of.map(|of| of.names.iter().map(Text::as_str).collect::<Vec<_>>());
            let problem = match names {
                _ if rules == Rules::Python => None,
                Some(names) => wrong_result(tree.ty, &expr, &names, &schema.schema),
                None => wrong_condition(tree.ty, &expr),
            };
            found.extend(problem.map(|problem| wrong_operand(problem, formula)));
        }
    }
    session.diagnostics.extend(found);
}

/// The problem of a formula whose value is not what the inputs or outputs need that it is for.
pub(super) fn wrong_result(ty: Ty, expr: &Expr, names: &[&str], schema: &FunctionSchema) -> Option<Problem> {
    let kind = ty.certain();
    if names.is_empty() || matches!(kind, ValueKind::Unknown | ValueKind::Never) && !ty.is_optional() {
        return None;
    }
    let list = |name: &str| {
        let input = schema.schema_order_arguments().find(|a| a.schema_name() == name);
        input.is_some_and(|a| ValueKind::from_schema_type(&a.ty) == ValueKind::Tensors)
            || schema.returns.iter().any(|ret| ValueKind::from_schema_type(&ret.ty) == ValueKind::Tensors)
    };
    let wanted = match names {
        [one] if kind.is_tensor() || kind == ValueKind::Tensors && list(one) => return None,
        [one] if list(one) => "a list of tensors",
        [_] => "a tensor",
        _ if kind == ValueKind::Tuple => return None,
        _ => "a tuple with a tensor for each",
    };
    let shown: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    let message = format!("the formula for {} is {}, but must be {wanted}", shown.join(", "), ty.name());
    let problem = Problem { wrong_type: true, ..Problem::new(expr.range.clone(), message) };
    Some(match names {
        [_] => problem,
        _ => problem.help("write `std::make_tuple(x, y)`, or a formula for each"),
    })
}

/// The problem of a condition of `output_differentiability:` that is not a bool.
pub(super) fn wrong_condition(ty: Ty, expr: &Expr) -> Option<Problem> {
    if !ty.is_optional() && matches!(ty.kind, ValueKind::Bool | ValueKind::Int | ValueKind::Unknown | ValueKind::Never)
    {
        return None;
    }
    let message = format!("the condition is {}, but must be a bool", ty.name());
    let problem = Problem { wrong_type: true, ..Problem::new(expr.range.clone(), message) };
    Some(match ty.is_optional() {
        true => problem.help("write `x.has_value()`"),
        false => problem,
    })
}

/// The C++ in an entry: its formulas and the conditions of `output_differentiability`.
pub fn expressions(record: &DerivativeRecord) -> impl Iterator<Item = &Text> {
    let formulas = record.formulas.iter().flat_map(|keyed| &keyed.formulas).map(|formula| &formula.formula);
    formulas.chain(record.condition())
}

/// The base names of operators that formulas may call.
fn called(records: &[DerivativeRecord]) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for expr in records.iter().flat_map(expressions).filter_map(|formula| parse(formula.as_str()).ok()) {
        expr.walk(&mut |part| {
            let name = match &part.node {
                Node::Method(method) => method.name.as_str(),
                _ => part.path().map_or("", Path::name),
            };
            names.extend(operator_of(name));
        });
    }
    names
}

/// An operator whose operands have wrong types.
fn wrong_operand(problem: Problem, formula: &Text) -> Diagnostic {
    let code = if problem.not_cpp { &codes::FORMULA_SYNTAX } else { &codes::FORMULA_TYPE };
    let error = Diagnostic::new(code, problem.message);
    error.at(formula.sub_span(problem.range)).maybe_help(problem.help.map(|help| formula.helped(help)))
}

/// A function or method as messages name it.
fn shown(call: &Call<'_, '_>) -> String {
    match &call.callee {
        Callee::Open => call.name.to_owned(),
        Callee::Function(namespace) => format!("{namespace}::{}", call.name),
        Callee::Method => format!("Tensor::{}", call.name),
    }
}

/// What is wrong with a call, if that is certain.
fn wrong(part: &Typed, formula: &Text, all: &Declared, session: &mut Session) -> Option<Diagnostic> {
    let call = part.call.as_ref()?;
    match &call.outcome {
        Outcome::Selected(signatures, Selected::Best(_)) if call.callee == Callee::Open => {
            unqualified(part, signatures, formula, all)
        }
        Outcome::Returns(_) | Outcome::Selected(_, Selected::Best(_)) => None,
        Outcome::Missing(_) if call.callee == Callee::Open => unknown_open(call, formula, all, session),
        Outcome::Missing(_) => unknown(call, formula, all, session),
        Outcome::Selected(_, Selected::Ambiguous(best, at)) => {
            let message = ambiguous(&shown(call), *at);
            let place = at.map_or(call.place.clone(), |at| part.arguments()[at].expr.range.clone());
            let error = Diagnostic::new(&codes::CALL_ARGUMENTS, message).at(formula.sub_span(place));
            Some(best.iter().fold(error, |error, one| error.note(format!("declared: {}", one.declaration))))
        }
        Outcome::Selected(signatures, Selected::Count) => {
            let message = format!("`{}` does not take {}", shown(call), plural(part.arguments().len(), "argument"));
            let error = Diagnostic::new(&codes::CALL_ARGUMENTS, message).at(formula.sub_span(call.place.clone()));
            Some(declared(error, signatures))
        }
        Outcome::Selected(signatures, Selected::Types(at)) => {
            Some(wrong_type(part, call, signatures, *at, formula, all))
        }
    }
}

/// The message for a call of which C++ selects no overload. They differ in that argument, if in
/// any.
pub(super) fn ambiguous(called: &str, at: Option<usize>) -> String {
    match at {
        Some(at) => format!("argument {} of `{called}` can be of several types", at + 1),
        None => format!("several overloads of `{called}` take these arguments"),
    }
}

/// Whether the signatures are those of the author's functions.
fn is_author(signatures: &[Signature], call: &Call, all: &Declared) -> bool {
    all.callables.find(&call.callee, call.name).is_empty() && !signatures.is_empty()
}

/// A function of PyTorch without its namespace: C++ finds it by an argument that is a tensor.
fn unqualified(part: &Typed, signatures: &[Signature], formula: &Text, all: &Declared) -> Option<Diagnostic> {
    let call = part.call.as_ref()?;
    let finds = |argument: &Typed| {
        let braces = matches!(argument.expr.node, Node::Braces(None, _));
        let kind = argument.ty.kind;
        let of_at = kind.is_tensor()
            || matches!(kind, ValueKind::Tensors | ValueKind::Generator | ValueKind::Unknown | ValueKind::Tuple);
        of_at && !braces
    };
    if is_author(signatures, call, all) || part.arguments().iter().any(finds) {
        return None;
    }
    let error = Diagnostic::new(&codes::UNKNOWN_CALL, format!("there is no `{}` without a namespace", call.name));
    Some(error.at(formula.sub_span(call.place.clone())).help(Help::write(format!("at::{}", call.name)).certainly()))
}

/// Adds the declarations of the functions that could be called.
fn declared(error: Diagnostic, signatures: &[Signature]) -> Diagnostic {
    signatures.iter().fold(error, |error, one| error.note(format!("declared: {}", one.declaration)))
}

/// A function or method that is nowhere.
fn unknown(call: &Call, formula: &Text, all: &Declared, session: &mut Session) -> Option<Diagnostic> {
    let known = match &call.callee {
        Callee::Function(namespace) if namespace == AT => {
            !is_only_a_method(call.name)
                && all.members().find(call.name).is_none()
                && declared_by_pytorch(call.name, all, session)
        }
        Callee::Function(_) => all.author_mentions(call.name),
        Callee::Open | Callee::Method => false,
    };
    if known {
        return None;
    }
    let error = Diagnostic::new(&codes::UNKNOWN_CALL, format!("there is no `{}`", shown(call)));
    Some(error.at(formula.sub_span(call.place.clone())).maybe_help(near(call, all)))
}

/// An argument that no function of that name takes.
fn wrong_type(
    part: &Typed,
    call: &Call,
    signatures: &[Signature],
    at: usize,
    formula: &Text,
    all: &Declared,
) -> Diagnostic {
    let types: Vec<Ty> = part.arguments().iter().map(|argument| argument.ty).collect();
    let argument = &part.arguments()[at];
    let span = formula.sub_span(argument.expr.range.clone());
    let called = shown(call);
    let symbolic = format!("{}_symint", call.name);
    if matches!(types[at].certain(), ValueKind::SymInt | ValueKind::SymInts) {
        let what = &formula.as_str()[argument.expr.range.clone()];
        let message = format!("`{what}` is symbolic, but `{called}` takes plain integers");
        let error = Diagnostic::new(&codes::NOT_SYMBOLIC_CALL, message).at(span);
        let fitting = all.signatures(&call.callee, &symbolic);
        let help = if fitting.iter().any(|one| one.accepts(&types, Rules::Cpp)) {
            format!("call `{symbolic}`")
        } else if matches!(&call.callee, Callee::Function(namespace) if all.is_own(namespace)) {
            "write `SymInt` for `int` in the operator's schema, and then call its function with `_symint`".to_owned()
        } else {
            "use a function that takes symbolic integers: it ends in `_symint`".to_owned()
        };
        let one = types[at].certain() == ValueKind::SymInt;
        let binds = matches!(
            argument.expr.node,
            Node::Path(_) | Node::Call(..) | Node::Apply(..) | Node::Method(_) | Node::Member { .. } | Node::Index(..)
        );
        let fixed = one.then(|| {
            let what = if binds { what.to_owned() } else { format!("({what})") };
            format!("or write `{what}.guard_int(__FILE__, __LINE__)`: a compiled program is then valid for one value")
        });
        return error.help(help).maybe_help(fixed);
    }
    let optional = types[at].optional;
    let what = types[at].kind.name();
    let is_changed = |one: &Signature| {
        let argument = one.parameters.get(at).and_then(|parameter| parameter.argument.as_ref());
        argument.is_some_and(Argument::is_write)
    };
    let message = match optional {
        _ if types[at].kind.is_tensor() && signatures.iter().any(is_changed) => {
            format!("`{called}` changes argument {}, which is not a variable here", at + 1)
        }
        true => format!("argument {} of `{called}` cannot be an optional of {what}", at + 1),
        false => format!("argument {} of `{called}` cannot be {what}", at + 1),
    };
    let error = Diagnostic::new(&codes::CALL_ARGUMENTS, message).at(span);
    let error =
        if optional { error.help("`*x` is the value of an optional, `x.value_or(y)` that or another") } else { error };
    declared(error, signatures)
}

/// Functions of Python, whose names are also words of C++ headers.
const PYTHON: &[&str] = &["enumerate", "isinstance", "len", "print", "range", "zip"];

/// A function that is called without a namespace, and that is nowhere.
fn unknown_open(call: &Call, formula: &Text, all: &Declared, session: &mut Session) -> Option<Diagnostic> {
    let name = call.name;
    let is_operator = || operator_of(name).is_some_and(|base| all.is_stock(&base));
    let python = PYTHON.contains(&name) && !all.author_mentions(name);
    let known = is_formula_word(name, all.tables)
        || all.callables.has(name)
        || (is_operator() && !name.ends_with("_symint"))
        || all.author_mentions(name)
        || all.headers(session, |session, include| headers_below_mention(session, include, name));
    if known && !python {
        return None;
    }
    let mut own: Vec<&str> = all.callables.own_names().collect();
    own.sort_unstable();
    let of_at = |near: &str| format!("at::{near}");
    let near = did_you_mean(name, own).or_else(|| did_you_mean_as(name, all.stock_names(), of_at, of_at));
    let error = Diagnostic::new(&codes::UNKNOWN_CALL, format!("there is no `{name}`"));
    let manual = "a function of your own belongs in derivatives_manual.h beside derivatives.yaml";
    Some(error.at(formula.sub_span(call.place.clone())).maybe_help(near).help(manual))
}

/// Whether `at::name` is in some header of PyTorch, without being an operator. If PyTorch's headers
/// are not at hand, it might be.
fn declared_by_pytorch(name: &str, all: &Declared, session: &mut Session) -> bool {
    // An operator's functions are all known.
    if operator_of(name).is_some_and(|base| all.is_stock(&base)) {
        return false;
    }
    all.headers(session, |session, include| headers_below_declare(session, include, name))
}

fn near(call: &Call, all: &Declared) -> Option<Help> {
    let Call { callee, name, .. } = call;
    let find = |callee: &Callee, name: &str| all.signatures(callee, name);
    let plain = name.strip_suffix("_symint").filter(|plain| !find(callee, plain).is_empty());
    match callee {
        Callee::Function(_) if !find(&Callee::Method, name).is_empty() => {
            Some(format!("it is only a method: `x.{name}(…)`").into())
        }
        Callee::Method if !find(&Callee::Function(AT.to_owned()), name).is_empty() => {
            Some(format!("it is only a function: `at::{name}(x, …)`").into())
        }
        _ if plain.is_some() => plain.map(|plain| {
            Help::new(format!("`{plain}` takes no symbolic integers: write `{plain}`")).word(*name, plain).certainly()
        }),
        Callee::Function(namespace) if namespace == AT => {
            did_you_mean_as(name, all.stock_names(), |near| format!("at::{near}"), str::to_owned)
        }
        Callee::Function(namespace) => {
            let names = all.callables.names(callee);
            did_you_mean_as(name, names.iter().copied(), |near| format!("{namespace}::{near}"), str::to_owned)
        }
        Callee::Open => None,
        Callee::Method if matches!(*name, "value" | "has_value" | "value_or") => {
            Some("formulas for gradients have a tensor in place of an optional one: write `x`, `x.defined()`".into())
        }
        Callee::Method => did_you_mean(name, all.stock_names().chain(all.members().names())),
    }
}
