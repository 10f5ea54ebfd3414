//! Checks what the formulas and conditions of a library call: functions of PyTorch's operators and
//! of the library's own, and methods of tensors, by name, number and kind of arguments.
//!
//! Invariant: a reported call would not compile. What is not certain, such as a function that some
//! other header declares, is left to the compiler. Without a PyTorch only own operators are known.

mod callables;
mod expression;
mod foreign;

use std::collections::{BTreeSet, HashMap};
use std::ops::Range;

pub use self::callables::operator_of;
use self::callables::{Callables, kind_of};
use self::expression::{Call, Callee, Kind, Scope, calls};
use torchgen_api::autograd::{formula_uses, is_formula_word};
use torchgen_base::diag::{Diagnostic, Diagnostics, did_you_mean, nearest, plural};
use torchgen_base::lang::cpp::{Kind as TokenKind, tokens};
use torchgen_base::yaml::Text;
use torchgen_generators::inputs::stock::Stock;
use torchgen_kit::driver::{JobError, Session};
use torchgen_model::codes;
use torchgen_model::model::{Language, NativeFunction};
use torchgen_model::parse::schema::located;
use torchgen_model::records::{DerivativeRecord, OutputDifferentiability};

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
pub(crate) fn check(formulas: LibraryFormulas, session: &mut Session) -> Result<(), JobError> {
    let LibraryFormulas { records, functions, manual, stock } = formulas;
    let formulas: Vec<(&DerivativeRecord, &Text)> =
        records.iter().flat_map(|record| expressions(record).map(move |expression| (record, expression))).collect();
    let names: BTreeSet<String> = formulas.iter().flat_map(|(_, formula)| called(formula.as_str())).collect();
    let tables = session.tables.clone();
    let callables = Callables::new(functions, &names, stock.operators(&names, session)?, &tables);
    let mut found = Diagnostics::new();
    for (record, formula) in formulas {
        let Ok((_, schema)) = located(record.name.as_str(), Language::C10, &tables) else { continue };
        let scope = Names::of(&schema.schema, &callables);
        if let Some(error) = foreign::check(formula, &schema.schema, &callables, manual, session) {
            found.push(error);
            continue;
        }
        for call in calls(formula.as_str(), &scope) {
            if let Some(error) = wrong(&call, formula, &callables, manual, session) {
                found.push(error);
            }
        }
    }
    session.diagnostics.extend(found);
    Ok(())
}

/// The C++ in an entry: its formulas and the conditions of `output_differentiability`.
pub fn expressions(record: &DerivativeRecord) -> impl Iterator<Item = &Text> {
    let formulas = record.formulas.iter().flat_map(|keyed| &keyed.formulas).map(|formula| &formula.formula);
    let outputs = record.output_differentiability.iter().flat_map(|list| &list.value);
    let conditions = outputs.filter_map(|output| match output {
        OutputDifferentiability::Condition(condition) => Some(condition),
        OutputDifferentiability::Fixed(_) => None,
    });
    formulas.chain(conditions)
}

/// The base names of operators that a formula may call.
fn called(formula: &str) -> Vec<String> {
    let tokens = tokens(formula);
    let text = |i: Option<usize>| i.and_then(|i| tokens.get(i)).map_or("", |token| &formula[token.range.clone()]);
    let is_call = |i: usize| tokens[i].kind == TokenKind::Word && text(Some(i + 1)) == "(";
    (0..tokens.len()).filter(|i| is_call(*i)).filter_map(|i| operator_of(text(Some(i)))).collect()
}

/// The names in the formulas of an operator.
struct Names<'c> {
    kinds: HashMap<String, Kind>,
    callables: &'c Callables<'c>,
}

impl<'c> Names<'c> {
    fn of(schema: &torchgen_model::model::FunctionSchema, callables: &'c Callables<'c>) -> Names<'c> {
        let mut kinds = HashMap::from([("grad".to_owned(), Kind::Tensor), ("grads".to_owned(), Kind::Tensors)]);
        for argument in schema.arguments.flat_all() {
            let kind = kind_of(&argument.ty);
            if kind == Kind::Tensor {
                for suffix in ["_p", "_t"] {
                    kinds.insert(format!("{}{suffix}", argument.name), kind);
                }
            }
            kinds.insert(argument.name.clone(), kind);
        }
        for (i, ret) in schema.returns.iter().enumerate() {
            let one = schema.returns.len() == 1;
            let result = if one { "result".to_owned() } else { format!("result{i}") };
            kinds.entry(ret.name.clone().unwrap_or(result)).or_insert(kind_of(&ret.ty));
        }
        Names { kinds, callables }
    }
}

impl Scope for Names<'_> {
    fn name(&self, name: &str) -> Kind {
        self.kinds.get(name).copied().unwrap_or(Kind::Unknown)
    }

    fn returned(&self, callee: &Callee, name: &str) -> Kind {
        self.callables.returned(callee, name)
    }
}

/// What is wrong with a call, if that is certain.
fn wrong(call: &Call, formula: &Text, all: &Callables, manual: &str, session: &mut Session) -> Option<Diagnostic> {
    let Call { callee, place, name, arguments } = call;
    if *callee == Callee::Open {
        return unknown_open(name, &call.place, formula, all, manual, session);
    }
    let called = match callee {
        Callee::Open => name.clone(),
        Callee::Function(namespace) => format!("{namespace}::{name}"),
        Callee::Method => format!("Tensor::{name}"),
    };
    let candidates = all.find(callee, name);
    if candidates.is_empty() {
        let unknown = match callee {
            Callee::Function(namespace) if namespace == "at" => {
                all.knows_stock() && !declared_by_pytorch(name, all, session)
            }
            Callee::Function(namespace) => all.is_own(namespace) && !formula_uses(manual, name),
            Callee::Open => false,
            Callee::Method => all.knows_stock() && all.members().find(name).is_none(),
        };
        if !unknown {
            return None;
        }
        let error = Diagnostic::new(&codes::UNKNOWN_CALL, format!("there is no `{called}`"));
        return Some(error.at(formula.sub_span(place.clone())).maybe_help(near(call, all)));
    }
    // Methods that are also written by hand have more signatures.
    if *callee == Callee::Method && all.members().find(name).is_some() {
        return None;
    }
    let kinds: Vec<Kind> = arguments.iter().map(|(_, kind)| *kind).collect();
    if candidates.iter().any(|candidate| candidate.accepts(&kinds)) {
        return None;
    }
    let declarations: Vec<&str> = candidates.iter().map(|candidate| candidate.declaration.as_str()).collect();
    let noted =
        |error: Diagnostic| declarations.iter().fold(error, |error, one| error.note(format!("declared: {one}")));
    if !candidates.iter().any(|candidate| candidate.takes(kinds.len())) {
        let message = format!("`{called}` does not take {}", plural(kinds.len(), "argument"));
        let error = Diagnostic::new(&codes::CALL_ARGUMENTS, message);
        return Some(noted(error.at(formula.sub_span(place.clone()))));
    }
    // The first argument without which the others fit, or else the first of a known kind.
    let fits_without = |i: &usize| {
        let mut others = kinds.clone();
        others[*i] = Kind::Unknown;
        candidates.iter().any(|candidate| candidate.accepts(&others))
    };
    let known = |i: &usize| kinds[*i] != Kind::Unknown;
    let at = (0..kinds.len()).filter(known).find(fits_without).or_else(|| (0..kinds.len()).find(known))?;
    let span = formula.sub_span(arguments[at].0.clone());
    let symbolic = format!("{name}_symint");
    if matches!(kinds[at], Kind::SymInt | Kind::SymInts) {
        let what = &formula.as_str()[arguments[at].0.clone()];
        let message = format!("`{what}` is symbolic, but `{called}` takes plain integers");
        let error = Diagnostic::new(&codes::NOT_SYMBOLIC_CALL, message).at(span);
        let help = if all.find(callee, &symbolic).iter().any(|candidate| candidate.accepts(&kinds)) {
            format!("call `{symbolic}`")
        } else if matches!(callee, Callee::Function(namespace) if all.is_own(namespace)) {
            "write `SymInt` for `int` in the operator's schema, and then call its function with `_symint`".to_owned()
        } else {
            "use a function that takes symbolic integers: it ends in `_symint`".to_owned()
        };
        return Some(error.help(help));
    }
    let what = kind_name(kinds[at]);
    let message = format!("argument {} of `{called}` cannot be {what}", at + 1);
    let error = Diagnostic::new(&codes::CALL_ARGUMENTS, message).at(span);
    Some(noted(error))
}

/// A function that is called without a namespace, and that is nowhere.
fn unknown_open(
    name: &str,
    place: &Range<usize>,
    formula: &Text,
    all: &Callables,
    manual: &str,
    session: &mut Session,
) -> Option<Diagnostic> {
    let is_operator = || operator_of(name).is_some_and(|base| all.is_stock(&base));
    let known = is_formula_word(name, all.tables)
        || all.has(name)
        || is_operator()
        || formula_uses(manual, name)
        || all.stock().is_none_or(|stock| stock.headers_mention(name, session));
    if known {
        return None;
    }
    let mut own: Vec<&str> = all.own_names().collect();
    own.sort_unstable();
    let near = match nearest(name, own) {
        Some(near) => Some(format!("did you mean `{near}`?")),
        None => nearest(name, all.stock_names()).map(|near| format!("did you mean `at::{near}`?")),
    };
    let error = Diagnostic::new(&codes::UNKNOWN_CALL, format!("there is no `{name}`"));
    let manual = "a function of your own belongs in derivatives_manual.h beside derivatives.yaml";
    Some(error.at(formula.sub_span(place.clone())).maybe_help(near).help(manual))
}

fn kind_name(kind: Kind) -> &'static str {
    match kind {
        Kind::Tensor => "a tensor",
        Kind::Tensors => "a list of tensors",
        Kind::SymInt => "a symbolic integer",
        Kind::SymInts => "a list of symbolic integers",
        Kind::Int => "an integer",
        Kind::Ints => "a list of integers",
        Kind::Double => "a number",
        Kind::Bool => "a bool",
        Kind::Scalar => "a Scalar",
        Kind::Unknown => "this",
    }
}

/// Whether `at::name` is in some header of PyTorch, without being an operator. If PyTorch's headers
/// are not at hand, it might be.
fn declared_by_pytorch(name: &str, all: &Callables, session: &mut Session) -> bool {
    // An operator's functions are all known.
    if operator_of(name).is_some_and(|base| all.is_stock(&base)) {
        return false;
    }
    all.stock().is_none_or(|stock| stock.headers_declare(name, session))
}

fn near(call: &Call, all: &Callables) -> Option<String> {
    let Call { callee, name, .. } = call;
    let plain = name.strip_suffix("_symint").filter(|plain| !all.find(callee, plain).is_empty());
    match callee {
        Callee::Function(_) if !all.find(&Callee::Method, name).is_empty() => {
            Some(format!("it is only a method: `x.{name}(…)`"))
        }
        Callee::Method if !all.find(&Callee::Function("at".to_owned()), name).is_empty() => {
            Some(format!("it is only a function: `at::{name}(x, …)`"))
        }
        _ if plain.is_some() => plain.map(|plain| format!("`{plain}` takes no symbolic integers: write `{plain}`")),
        Callee::Function(namespace) if namespace == "at" => {
            nearest(name, all.stock_names()).map(|near| format!("did you mean `at::{near}`?"))
        }
        Callee::Function(namespace) => {
            let names = all.names(callee);
            nearest(name, names.iter().copied()).map(|near| format!("did you mean `{namespace}::{near}`?"))
        }
        Callee::Open => None,
        Callee::Method => did_you_mean(name, all.stock_names().chain(all.members().names())),
    }
}
