//! Reads the effects of a schema: the alias sets of parameters and results, and `overwrites:`.
//!
//! Invariant: each alias set means something in the generated classes, or is reported. `Tensor(a)`
//! of a parameter and of one result lets the result reuse the parameter's memory; `Tensor(a!)` of a
//! parameter means that it is read and written. A node has no memory to reuse.

use std::collections::{HashMap, HashSet};

use crate::codes;
use crate::effects::{Operand, OperandKind, Reuse};
use crate::model::Name;
use torchgen_base::diag::{Diagnostic, Span};
use torchgen_kit::schema::{Schema, Spanned, Type};

use super::{Reader, SchemaTypeKind};

/// The operands of a schema, in its order, with their effects.
#[derive(Debug, Default)]
pub(super) struct Effects {
    pub(super) results: Vec<Operand>,
    pub(super) result_lists: Vec<Operand>,
    pub(super) parameters: Vec<Operand>,
    pub(super) parameter_lists: Vec<Operand>,
    pub(super) reuses: Vec<Reuse>,
}

/// The alias set of a type.
struct Mark {
    set: Name,
    write: bool,
    /// The set with its parentheses.
    span: Span,
}

/// The sets of a schema, by name: who is in them.
#[derive(Default)]
struct Sets {
    results: HashMap<String, (Mark, Name)>,
    written: HashMap<String, Name>,
    /// In the order of the schema.
    read: Vec<(Mark, Name)>,
    /// Those of marks that were reported; what else is wrong with them is not.
    reported: HashSet<String>,
}

impl Reader<'_> {
    /// The operands and effects of a node or an instruction.
    pub(super) fn effects(&mut self, schema: &Schema<SchemaTypeKind>) -> Effects {
        let mut effects = Effects::default();
        let mut sets = Sets::default();
        for result in schema.results() {
            if !self.is_tensor(&result.ty) {
                continue;
            }
            let Some(name) = result.name.as_ref().map(|name| self.name(name)) else { continue };
            if let Some(mark) = self.mark(&result.ty, self.record.is_node, &mut sets) {
                self.marked_result(mark, &name, result.ty.is_list(), &mut sets);
            }
            let operand = Operand { setter: self.has_setter(&name), name, kind: OperandKind::Out };
            if result.ty.is_list() { effects.result_lists.push(operand) } else { effects.results.push(operand) }
        }
        for parameter in schema.positional() {
            if !self.is_in_place(parameter) {
                continue;
            }
            let name = self.name(&parameter.name);
            let mut kind = OperandKind::In;
            let unmarked = self.record.is_node && !parameter.ty.is_write();
            if let Some(mark) = self.mark(&parameter.ty, unmarked, &mut sets) {
                if mark.write {
                    kind = OperandKind::InOut;
                }
                self.marked_parameter(mark, &name, &mut sets);
            }
            let list = parameter.ty.is_list();
            let operand = Operand { setter: self.has_setter(&name), name, kind };
            if list { effects.parameter_lists.push(operand) } else { effects.parameters.push(operand) }
        }
        effects.reuses = self.reuses(sets);
        self.overwrites(&mut effects);
        effects
    }

    fn has_setter(&self, name: &Name) -> bool {
        self.record.setters.iter().any(|setter| setter.as_str() == name.text)
    }

    /// The alias set of a type; one that means nothing here is reported. `unmarked` is where a node
    /// cannot have one.
    fn mark(&mut self, ty: &Spanned<Type<SchemaTypeKind>>, unmarked: bool, sets: &mut Sets) -> Option<Mark> {
        let alias = ty.alias.as_ref()?;
        let span = alias.span(self.text);
        let (message, help) = match &alias.before[..] {
            _ if unmarked => (
                "a node has no memory that a result could reuse".to_owned(),
                "remove the alias set; an instruction can have it",
            ),
            [set] if alias.after.is_empty() => {
                return Some(Mark { set: self.name(set), write: alias.write, span });
            }
            _ => (format!("`{}` is not one alias set", alias.value), "write one set, such as `(a)` or `(a!)`"),
        };
        self.error(Diagnostic::new(&codes::IR_INPLACE, message).at(span).help(help));
        sets.reported.extend(alias.before.iter().map(|set| set.value.clone()));
        None
    }

    fn marked_result(&mut self, mark: Mark, name: &Name, list: bool, sets: &mut Sets) {
        let why = if mark.write {
            Some((
                "a result is written in any case",
                "write `(a)` if it may reuse the memory of a parameter in the set",
            ))
        } else if list {
            Some(("the results of a list cannot share the memory of one parameter", "remove the alias set"))
        } else {
            None
        };
        if let Some((message, help)) = why {
            self.error(Diagnostic::new(&codes::IR_INPLACE, message).at(mark.span).help(help));
            sets.reported.insert(mark.set.text);
            return;
        }
        let (set, span) = (mark.set.text.clone(), mark.set.span);
        if let Some((other, _)) = sets.results.insert(set.clone(), (mark, name.clone())) {
            let message = format!("the alias set `{set}` belongs to two results");
            let error = Diagnostic::new(&codes::IR_INPLACE, message).at(span);
            self.error(error.also(other.set.span, "first here").help("give each result its own set"));
        }
    }

    fn marked_parameter(&mut self, mark: Mark, name: &Name, sets: &mut Sets) {
        if !mark.write {
            sets.read.push((mark, name.clone()));
            return;
        }
        let set = &mark.set;
        if let Some((result, _)) = sets.results.remove(&set.text) {
            let message = format!("`{}` is written in place, so no result can be in its alias set", name.text);
            let error = Diagnostic::new(&codes::IR_INPLACE, message).at(result.set.span).also(set.span, "written here");
            self.error(error.help("delete the result, or write `(a)` if the parameter is not written"));
        }
        if let Some(other) = sets.written.insert(set.text.clone(), set.clone()) {
            let message = format!("the alias set `{}` belongs to two parameters that are written", set.text);
            let error = Diagnostic::new(&codes::IR_INPLACE, message).at(set.span).also(other.span, "first here");
            self.error(error.help("give each parameter that is written its own set"));
        }
    }

    /// Which result may be written to the memory of which parameter.
    fn reuses(&mut self, sets: Sets) -> Vec<Reuse> {
        let mut reuses = Vec::new();
        let reported = |set: &Name| sets.reported.contains(&set.text);
        for (mark, operand) in sets.read.iter().filter(|(mark, _)| !reported(&mark.set)) {
            let set = &mark.set;
            if let Some((_, result)) = sets.results.get(&set.text) {
                reuses.push(Reuse { result: result.text.clone(), operand: operand.text.clone() });
                continue;
            }
            let error = match sets.written.get(&set.text) {
                Some(written) => {
                    let message =
                        format!("`{}` is only read, and its alias set is that of a written one", operand.text);
                    let error = Diagnostic::new(&codes::IR_INPLACE, message).at(set.span);
                    error.also(written.span, "written here").help("remove the alias set, or write a set of its own")
                }
                None => {
                    let message = format!("no result is in the alias set `{}`", set.text);
                    let error = Diagnostic::new(&codes::IR_INPLACE, message).at(set.span);
                    error.help("a result in the same set says which one reuses the memory")
                }
            };
            self.error(error);
        }
        let is_read = |text: &str| sets.read.iter().any(|(mark, _)| mark.set.text == text);
        let results = sets.results.values().map(|(mark, _)| &mark.set);
        let mut unread: Vec<&Name> = results.filter(|set| !is_read(&set.text) && !reported(set)).collect();
        unread.sort_by_key(|set| set.span.start);
        for set in unread {
            let message = format!("no parameter is in the alias set `{}`", set.text);
            let error = Diagnostic::new(&codes::IR_INPLACE, message).at(set.span);
            self.error(error.help("put the parameters whose memory may be reused into the set"));
        }
        reuses
    }

    /// Applies `overwrites:`, which only nodes have.
    fn overwrites(&mut self, effects: &mut Effects) {
        let record = self.record;
        if !record.is_node {
            return;
        }
        let operands = || effects.parameters.iter().chain(&effects.parameter_lists);
        let names: Vec<String> = operands().map(|operand| operand.name.text.clone()).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        self.require("overwrites", &record.overwrites, &names);
        for name in &record.overwrites {
            let mut operands = effects.parameters.iter_mut().chain(&mut effects.parameter_lists);
            let Some(operand) = operands.find(|operand| operand.name.text == name.as_str()) else { continue };
            if operand.kind == OperandKind::InOut {
                let message = format!("`{name}` is already marked as mutable in the schema");
                let warning = Diagnostic::new(&codes::IR_IDLE, message).at(name.span());
                let help = "take it out of `overwrites`, or remove its alias set if it is not read";
                self.diagnostics.push(warning.also(operand.name.span, "marked here").help(help));
            } else {
                operand.kind = OperandKind::Out;
            }
        }
    }
}
