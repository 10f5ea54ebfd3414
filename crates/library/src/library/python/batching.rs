//! `_vmap.py`: how `torch.vmap` runs operators for a batch, on both ABIs.
//!
//! Invariant: an operator has a rule if its author gave one, if it is pointwise, if its `dims:` map
//! a dimension, or if torch's loop for operators without a rule cannot run it or would not be
//! right. A composite operator has none, since `torch.vmap` sees the operators that its kernel
//! calls.

use std::collections::HashMap;

use serde::Serialize;

use super::{directory, overload_expr};
use crate::library::MANAGER;
use crate::library::view::is_selected;
use torchgen_base::diag::{Diagnostic, Diagnostics, did_you_mean};
use torchgen_base::write::OutputFile;
use torchgen_generators::{Context, Outcome};
use torchgen_model::codes;
use torchgen_model::model::batching::BatchingRule;
use torchgen_model::model::{NativeFunction, SchemaKind, Type};

/// The name of the module with the rules.
pub(crate) const MODULE: &str = "_vmap";

#[derive(Serialize)]
struct Module<'a> {
    namespace: &'a str,
    rules: Vec<Rule>,
}

/// The rule of an operator.
#[derive(Serialize)]
struct Rule {
    /// The name with the namespace.
    shown: String,
    /// The name with the overload, for registrations.
    name: String,
    /// The overload, an expression.
    overload: String,
    kind: BatchingKind,
    at_once: Option<AtOnce>,
    /// It makes random numbers.
    random: bool,
    /// The library registers its kernels by itself.
    is_own: bool,
    /// It is that of `vmap:`.
    is_written: bool,
    /// Some builds lack it.
    conditional: bool,
}

/// How a rule runs an operator for a batch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum BatchingKind {
    /// Once for each element of the batch.
    Loop,
    /// Once, since it works on each number by itself.
    Pointwise,
    /// Once, by an operator that takes the batch.
    AtOnce,
    /// Once, with the batch folded into a dimension that `dims:` maps.
    Folded,
}

/// A kernel that takes the batch.
#[derive(Serialize)]
struct AtOnce {
    /// The operator that is called, an expression, if it is another one.
    callee: Option<String>,
    arguments: Vec<Place>,
    /// The dimension of the batch in each result.
    places: Vec<i64>,
}

#[derive(Serialize)]
struct Place {
    name: String,
    dim: i64,
}

/// The file with the rules; none if no operator needs one.
pub(crate) fn files(ctx: &Context<'_>, package: &str) -> Outcome {
    let own = ctx.functions.iter().filter(|f| ctx.target.defines_operators && is_selected(ctx, f));
    let by_name = by_name(ctx.functions);
    let rules: Vec<Rule> = own.filter_map(|f| rule(ctx, &by_name, f)).collect();
    if rules.is_empty() {
        return Ok(Vec::new());
    }
    let module = Module { namespace: &ctx.namespaces.api, rules };
    let text = ctx.renderer.fragment("torch/library/python/_vmap.py.j2", &module)?;
    Ok(vec![OutputFile::new(MANAGER, format!("{}/{MODULE}.py", directory(package)), text)])
}

fn rule(ctx: &Context<'_>, by_name: &HashMap<String, &NativeFunction>, f: &NativeFunction) -> Option<Rule> {
    let kind = batching_kind(f)?;
    let at_once = match &f.vmap {
        Some(BatchingRule::AtOnce(rule)) => Some(AtOnce {
            callee: rule.callee.as_ref().and_then(|(name, _)| by_name.get(name)).map(|f| overload_expr(f)),
            arguments: rule.arguments.iter().map(|(name, dim)| Place { name: name.clone(), dim: *dim }).collect(),
            places: rule.results.clone(),
        }),
        _ => None,
    };
    let about = ctx.renderer.about([f]);
    Some(Rule {
        shown: f.full_name(),
        name: about.marked(f.func.name.to_string()),
        overload: overload_expr(f),
        kind,
        at_once,
        random: is_random(f),
        is_own: f.manual_kernel_registration,
        is_written: f.vmap.is_some(),
        conditional: f.conditions.operator.is_some(),
    })
}

fn is_random(f: &NativeFunction) -> bool {
    f.has_tag("nondeterministic_seeded")
}

/// How the rule of an operator runs it; none if it has no rule.
pub fn batching_kind(f: &NativeFunction) -> Option<BatchingKind> {
    let has_tensors = f.func.tensor_arguments().next().is_some();
    let returns_tensors = f.func.returns.iter().all(|ret| ret.ty == Type::TENSOR);
    match &f.vmap {
        _ if f.has_composite_implicit_autograd_kernel => None,
        Some(BatchingRule::AtOnce(_)) => Some(BatchingKind::AtOnce),
        Some(BatchingRule::Loop) => Some(BatchingKind::Loop),
        None if is_random(f) => Some(BatchingKind::Loop),
        None if !has_tensors || f.returns_alias() => None,
        None if f.has_tag("pointwise") && returns_tensors => Some(BatchingKind::Pointwise),
        None if returns_tensors && f.dims_lines().iter().any(|line| !line.map.is_empty()) => Some(BatchingKind::Folded),
        None => (!has_loop_of_torch(f)).then_some(BatchingKind::Loop),
    }
}

/// Whether torch has a loop for an operator without a rule: for single tensors, of which it mutates
/// none or `self`.
fn has_loop_of_torch(f: &NativeFunction) -> bool {
    let has_lists = f.func.tensor_arguments().any(|a| matches!(a.ty, Type::List(..)));
    let mutates = f.func.schema_order_arguments().filter(|a| a.is_write()).count();
    let is_usual = match f.func.kind() {
        SchemaKind::Functional => mutates == 0,
        SchemaKind::Inplace => mutates == 1,
        _ => false,
    };
    let is_tensor = !f.func.returns.is_empty() && f.func.returns.iter().all(|ret| ret.ty == Type::TENSOR);
    is_usual && is_tensor && !has_lists
}

/// The operators by their names, with their overloads and without their namespace.
fn by_name(functions: &[NativeFunction]) -> HashMap<String, &NativeFunction> {
    functions.iter().map(|f| (f.func.name.to_string(), f)).collect()
}

/// Reports operators that rules name and that cannot take the batch.
pub(crate) fn check_batching_rules(functions: &[NativeFunction], diagnostics: &mut Diagnostics) {
    let by_name = by_name(functions);
    for f in functions {
        let Some(BatchingRule::AtOnce(rule)) = &f.vmap else { continue };
        let Some((name, span)) = &rule.callee else { continue };
        let types = |f: &NativeFunction| f.func.schema_order_arguments().map(|a| a.ty.clone()).collect::<Vec<Type>>();
        let error = match by_name.get(name) {
            None => {
                let known: Vec<String> = functions.iter().map(|f| f.func.name.to_string()).collect();
                Diagnostic::new(&codes::BAD_BATCHING_RULE, format!("there is no operator `{name}` to take a batch"))
                    .maybe_help(did_you_mean(name, known.iter().map(String::as_str)))
            }
            Some(callee) if types(callee) != types(f) || callee.func.returns.len() != f.func.returns.len() => {
                let message = format!("`{name}` cannot take a batch for `{}`: its arguments differ", f.func.name);
                Diagnostic::new(&codes::BAD_BATCHING_RULE, message)
                    .also(callee.spans.name, "it is declared here")
                    .help("give it arguments and results of the same types, in the same order")
            }
            Some(_) => continue,
        };
        diagnostics.push(error.at(*span));
    }
}
