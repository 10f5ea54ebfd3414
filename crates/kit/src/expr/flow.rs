//! Checks statements: scopes, values on every path, and what conditions imply.
//!
//! Invariant: a variable is read only where every path has assigned it.

use super::check::{Checker, Variable, coerce};
use super::syntax::{Statement, StatementKind};
use super::typed::{Step, Typed};
use super::types::Type;
use super::vocabulary::Vocabulary;
use torchgen_base::diag::{TextError, codes};

/// The result of checking a body.
#[derive(Debug)]
pub struct CheckedBody {
    /// The statements.
    pub steps: Vec<Step>,
    /// Whether every path ends with `return` or `fail`.
    pub returns: bool,
    /// Variables that are never used.
    pub unused: Vec<Variable>,
    /// All errors.
    pub errors: Vec<TextError>,
}

/// Checks a body that returns values of these types. `checker` records which of its variables were
/// used.
pub fn check_body<V: Vocabulary>(checker: &mut Checker<'_, V>, body: &[Statement], results: &[Type]) -> CheckedBody {
    let mark = checker.mark();
    let mut flow = Flow { checker, results, errors: Vec::new() };
    let block = flow.block(body);
    let errors = flow.errors;
    checker.reset(mark);
    let unused = std::mem::take(&mut checker.idle);
    CheckedBody { steps: block.steps, returns: block.ends, unused, errors }
}

struct Flow<'c, 'v, V> {
    checker: &'c mut Checker<'v, V>,
    results: &'c [Type],
    errors: Vec<TextError>,
}

struct Block {
    steps: Vec<Step>,
    /// Whether the end of the block cannot be reached.
    ends: bool,
}

impl<V: Vocabulary> Flow<'_, '_, V> {
    fn block(&mut self, statements: &[Statement]) -> Block {
        let mut steps = Vec::with_capacity(statements.len());
        let mut ends = false;
        for statement in statements {
            if ends {
                let range = statement.range.clone();
                self.errors.push(TextError::new(
                    &codes::EXPRESSION_FLOW,
                    range,
                    "unreachable: every path has ended above",
                ));
                break;
            }
            match self.statement(statement) {
                Ok(step) => {
                    ends = step_ends(&step);
                    steps.push(step);
                }
                Err(error) => {
                    self.errors.push(error);
                    self.recover(statement);
                    ends = matches!(statement.kind, StatementKind::Return { .. } | StatementKind::Fail { .. });
                }
            }
        }
        Block { steps, ends }
    }

    /// After a wrong statement: treats the variable that it assigns as assigned.
    fn recover(&mut self, statement: &Statement) {
        if let StatementKind::Assign { target, .. } = &statement.kind {
            self.checker.partial.retain(|name| *name != target.name);
            if !self.checker.variables.iter().any(|variable| variable.name == target.name) {
                self.checker.begin(&target.name, Type::Never, target.range.clone());
                if let Some(variable) = self.checker.variables.last_mut() {
                    variable.used = true;
                }
            }
        }
    }

    fn statement(&mut self, statement: &Statement) -> Result<Step, TextError> {
        match &statement.kind {
            StatementKind::Assign { target, value } => {
                let value = self.checker.expression(value)?;
                self.assign(&target.name, value, target.range.clone())
            }
            StatementKind::If { condition, then, otherwise } => {
                let checked = self.checker.expression_of(condition, &Type::Bool, "a condition")?;
                let mut then = self.branch(condition, true, then);
                let mut otherwise = self.branch(condition, false, otherwise);
                let hoisted = self.merge(&mut then, &mut otherwise);
                if then.block.ends != otherwise.block.ends {
                    self.checker.assume(condition, otherwise.block.ends);
                }
                let (then, otherwise) = (then.block.steps, otherwise.block.steps);
                Ok(Step::If { condition: checked, then, otherwise, hoisted })
            }
            StatementKind::For { variable, list, body } => {
                let list = self.checker.expression(list)?;
                let Type::List(item) = list.ty.clone() else {
                    let message = format!("`for` iterates over a list, not a `{}`", list.ty);
                    return Err(TextError::new(&codes::EXPRESSION_TYPE, list.range, message));
                };
                let assigned = assigned(body);
                self.checker.narrowed.retain(|name| !assigned.contains(&name.as_str()));
                let narrowed = self.checker.narrowed.len();
                let mark = self.checker.mark();
                self.checker.begin(&variable.name, (*item).clone(), variable.range.clone());
                let block = self.block(body);
                self.checker.reset(mark);
                self.checker.narrowed.truncate(narrowed);
                Ok(Step::For { variable: variable.name.clone(), item: *item, list, body: block.steps })
            }
            StatementKind::Require { condition, message } => {
                let checked = self.checker.expression_of(condition, &Type::Bool, "the condition")?;
                let message = self.checker.assuming(condition, false, |checker| checker.expression(message))?;
                self.checker.assume(condition, true);
                Ok(Step::Require { condition: checked, message })
            }
            StatementKind::Fail { message } => Ok(Step::Fail { message: self.checker.expression(message)? }),
            StatementKind::Return { values } => {
                let mut found = Vec::with_capacity(values.len());
                for value in values {
                    found.push(self.checker.expression(value)?);
                }
                self.results(found, statement)
            }
        }
    }

    fn results(&mut self, values: Vec<Typed>, statement: &Statement) -> Result<Step, TextError> {
        if values.len() != self.results.len() {
            let (given, wanted) = (values.len(), self.results.len());
            let message = format!("this returns {given} values, but the signature has {wanted}");
            return Err(TextError::new(&codes::EXPRESSION_FLOW, statement.range.clone(), message));
        }
        let pairs = values.into_iter().zip(self.results);
        let values = pairs.map(|(value, wanted)| coerce(value, wanted, "the result")).collect::<Result<_, _>>()?;
        Ok(Step::Return { values })
    }

    fn assign(&mut self, name: &str, value: Typed, range: std::ops::Range<usize>) -> Result<Step, TextError> {
        let known = self.checker.variables.iter().rev().find(|variable| variable.name == name);
        let Some(wanted) = known.map(|variable| variable.ty.clone()) else {
            if matches!(value.ty, Type::None) {
                let message = format!("`{name}` would always be None");
                return Err(TextError::new(&codes::EXPRESSION_TYPE, value.range, message));
            }
            if value.ty == Type::Never.list() {
                let message = format!("the type of the items of `{name}` is not known");
                let error = TextError::new(&codes::EXPRESSION_TYPE, value.range, message);
                return Err(error.help("`[0] * 0` is an empty list of integers"));
            }
            if self.checker.vocabulary.constant(name).is_some() {
                let message = format!("`{name}` is a constant and cannot be assigned");
                return Err(TextError::new(&codes::EXPRESSION_NAME, range, message));
            }
            let ty = value.ty.clone();
            self.checker.partial.retain(|partial| partial != name);
            self.checker.begin(name, ty.clone(), range);
            return Ok(Step::Let { name: name.to_owned(), ty, value, fresh: true });
        };
        let some = !matches!(value.ty, Type::Optional(_) | Type::None);
        let value = coerce(value, &wanted, &format!("the value of `{name}`"))?;
        self.checker.narrowed.retain(|known| known != name);
        if some && matches!(wanted, Type::Optional(_)) {
            self.checker.narrowed.push(name.to_owned());
        }
        Ok(Step::Let { name: name.to_owned(), ty: wanted, value, fresh: false })
    }

    /// One branch of an `if`: its statements, and the variables first assigned in it.
    fn branch(&mut self, condition: &super::syntax::Expr, holds: bool, statements: &[Statement]) -> Branch {
        let narrowed = self.checker.narrowed.clone();
        let mark = self.checker.mark();
        self.checker.assume(condition, holds);
        let block = self.block(statements);
        let begun = self.checker.variables.split_off(mark);
        let assigned = assigned(statements);
        self.checker.narrowed = narrowed;
        self.checker.narrowed.retain(|name| block.ends || !assigned.contains(&name.as_str()));
        Branch { block, begun }
    }

    /// After an `if`: declares variables that are assigned on every path before the `if`.
    fn merge(&mut self, then: &mut Branch, otherwise: &mut Branch) -> Vec<(String, Type)> {
        let mut hoisted = Vec::new();
        let sides = [then.block.ends, otherwise.block.ends];
        let (first, second) = (std::mem::take(&mut then.begun), std::mem::take(&mut otherwise.begun));
        let mut rest = Vec::new();
        let mut others = second;
        for variable in first {
            let same = others.iter().position(|other| other.name == variable.name && other.ty == variable.ty);
            match same {
                Some(at) => {
                    let other = others.remove(at);
                    let merged = Variable { used: variable.used || other.used, ..variable };
                    hoisted.push((merged.name.clone(), merged.ty.clone()));
                    self.checker.variables.push(merged);
                }
                None if sides[1] && !sides[0] => {
                    hoisted.push((variable.name.clone(), variable.ty.clone()));
                    self.checker.variables.push(variable);
                }
                None => rest.push(variable),
            }
        }
        for variable in others {
            if sides[0] && !sides[1] {
                hoisted.push((variable.name.clone(), variable.ty.clone()));
                self.checker.variables.push(variable);
            } else {
                rest.push(variable);
            }
        }
        for variable in rest {
            self.checker.partial.push(variable.name.clone());
            if !variable.used {
                self.checker.idle.push(variable);
            }
        }
        for step in then.block.steps.iter_mut().chain(&mut otherwise.block.steps) {
            settle(step, &hoisted);
        }
        hoisted
    }
}

struct Branch {
    block: Block,
    begun: Vec<Variable>,
}

/// Marks variables that are declared before the block as not declared in it.
fn settle(step: &mut Step, hoisted: &[(String, Type)]) {
    match step {
        Step::Let { name, fresh, .. } if hoisted.iter().any(|(other, _)| other == name) => *fresh = false,
        Step::If { hoisted: own, .. } => own.retain(|variable| !hoisted.contains(variable)),
        _ => {}
    }
}

fn step_ends(step: &Step) -> bool {
    match step {
        Step::Return { .. } | Step::Fail { .. } => true,
        Step::If { then, otherwise, .. } => {
            then.last().is_some_and(step_ends) && otherwise.last().is_some_and(step_ends)
        }
        _ => false,
    }
}

/// The variables that statements assign.
fn assigned(statements: &[Statement]) -> Vec<&str> {
    let mut names = Vec::new();
    for statement in statements {
        match &statement.kind {
            StatementKind::Assign { target, .. } => names.push(target.name.as_str()),
            StatementKind::If { then, otherwise, .. } => {
                names.extend(assigned(then));
                names.extend(assigned(otherwise));
            }
            StatementKind::For { body, .. } => names.extend(assigned(body)),
            _ => {}
        }
    }
    names
}
