//! Names in formulas that no header of PyTorch declares, besides functions that are called.
//!
//! A name in `at` or `c10` is known if it is an operator, in a table of names that formulas use, or
//! a word in the code of a header that all formulas see: comments and strings declare nothing. A
//! word of that code may be declared elsewhere, say in a class, and is then left to the compiler:
//! headers also declare names by macros, and a list of one torch version lacks those of the next.
//! If the author's header includes others, names in `c10` are left to the compiler too.
//!
//! Invariant: a reported formula would not compile.

use super::callables::{AT, C10, operator_of};
use super::foreign;
use super::names::{Declared, Names};
use torchgen_api::autograd::is_formula_word;
use torchgen_base::diag::{Diagnostic, Help, did_you_mean_as};
use torchgen_base::yaml::Text;
use torchgen_formula::is_constant;
use torchgen_formula::vocabulary::type_of;
use torchgen_formula::{Callee, Expr, Node, Path, Scope};
use torchgen_generators::inputs::stock::{c10_headers_below_mention, headers_below_mention};
use torchgen_kit::driver::Session;
use torchgen_model::codes;

/// Names in `at` that are not called, and names in `c10`, that no header of PyTorch has.
pub(super) fn names(expr: &Expr, formula: &Text, names: &Names, session: &mut Session) -> Vec<Diagnostic> {
    let all = names.declared();
    let (mut paths, mut found) = (Vec::new(), Vec::new());
    expr.walk(&mut |part| {
        let path = part.path().filter(|path| path.template.is_none());
        let is_made = matches!(part.node, Node::Braces(..));
        paths.extend(path.map(|path| (path, matches!(part.node, Node::Path(_)), is_made)));
    });
    for (path, is_value, is_made) in paths {
        let name = path.name();
        match path.parts.as_slice() {
            [namespace, _] if namespace == AT && (is_value || is_made && type_of(path).is_none()) => {}
            [namespace, _] if namespace == C10 => {
                found.extend(in_c10(path, formula, all, session));
                continue;
            }
            [name] if is_made && names.name(name).is_none() => {
                found.extend(of_type(name, path, formula, all, session));
                continue;
            }
            _ => continue,
        }
        let known = is_constant(path)
            || !all.signatures(&Callee::Function(AT.to_owned()), name).is_empty()
            || !operator_of(name).is_some_and(|base| all.is_stock(&base))
                && all.headers(session, |session, include| headers_below_mention(session, include, name));
        if !known {
            let shown = |near: &str| format!("at::{near}(…)");
            let near = did_you_mean_as(name, all.stock_names(), shown, str::to_owned);
            let error = Diagnostic::new(&codes::UNKNOWN_CALL, format!("there is no `{}`", path.text()));
            found.push(error.at(formula.sub_span(path.range.clone())).maybe_help(near));
        }
    }
    found
}

/// A name before braces that no header has.
fn of_type(name: &str, path: &Path, formula: &Text, all: &Declared, session: &mut Session) -> Option<Diagnostic> {
    let known = type_of(path).is_some()
        || is_formula_word(name, all.tables)
        || all.callables.has(name)
        || !all.knows_torch()
        || !foreign::sees_usual_headers(all)
        || all.author_mentions(name)
        || all.headers(session, |session, include| headers_below_mention(session, include, name));
    if known {
        return None;
    }
    let error = Diagnostic::new(&codes::UNKNOWN_CALL, format!("there is no type `{name}`"));
    Some(error.at(formula.sub_span(path.range.clone())))
}

/// A name that no header with declarations of `c10` has.
fn in_c10(path: &Path, formula: &Text, all: &Declared, session: &mut Session) -> Option<Diagnostic> {
    let name = path.name();
    let is_operator = operator_of(name).is_some_and(|base| all.is_stock(&base));
    let known = is_constant(path)
        || type_of(path).is_some()
        || is_formula_word(name, all.tables)
        || !all.knows_torch()
        || !foreign::sees_usual_headers(all)
        || all.author_mentions(name)
        || all.headers(session, |session, include| match is_operator {
            // Headers of `at` have its name.
            true => c10_headers_below_mention(session, include, name),
            false => headers_below_mention(session, include, name),
        });
    if known {
        return None;
    }
    let error = Diagnostic::new(&codes::UNKNOWN_CALL, format!("there is no `{}`", path.text()));
    if is_operator {
        return Some(error.at(formula.sub_span(path.range.clone())).help(Help::write(format!("at::{name}"))));
    }
    let plain = name.strip_suffix("_symint").map(|plain| Help::new(format!("write `c10::{plain}`")).word(name, plain));
    Some(error.at(formula.sub_span(path.range.clone())).maybe_help(plain))
}
