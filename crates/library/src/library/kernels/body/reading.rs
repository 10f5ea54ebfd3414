//! Follows the parameters of a function through its body.
//!
//! Invariant: a name leads to a parameter only between its declaration and what may give it another
//! meaning, in the order of the text. Whatever is not understood leaves the parameter open.

use std::collections::HashMap;
use std::ops::Range;

use super::code::{Assigns, Code};
use super::value::{Step, Value, ValueKind, method, mutated_argument, of_parameter, reads_arguments};
use super::{Does, Effect, Effects, KEEPING, Pass, name, words};
use torchgen_base::lang::cpp::Definition;

/// The macros and functions that check values, and change nothing.
const CHECKS: &[&str] = &["CHECK", "ASSERT", "assert", "sizeof", "decltype"];
/// The methods of an iterator's configuration that name what is written.
const OUTPUTS: &[&str] = &["add_output", "add_owned_output", "add_borrowed_output"];

/// What a body shows.
pub(super) fn read_body(text: &str, definition: &Definition) -> Effects {
    let code = Code::new(text, &definition.body);
    let parameters = definition.parameters.iter().enumerate().filter_map(|(parameter, declared)| {
        let kind = of_parameter(&words(declared))?;
        Some((name(declared), Value { parameter, kind, is_variable: true, unless: None }))
            .filter(|(name, _)| !name.is_empty())
    });
    let names: HashMap<&str, Option<Value>> = definition
        .parameters
        .iter()
        .map(|declared| (name(declared), None))
        .chain(parameters.map(|(name, value)| (name, Some(value))))
        .collect();
    let found = Effects { open: vec![false; definition.parameters.len()], ..Effects::default() };
    let mut reading = Reading { code: &code, names, scopes: Vec::new(), later: Vec::new(), claim: None, found };
    reading.all();
    reading.found
}

/// The names that a pair of braces declares, with what each meant outside; `None` if nothing.
type Outside<'n> = Vec<(&'n str, Option<Option<Value>>)>;

struct Reading<'c, 'n> {
    code: &'c Code<'n>,
    /// What each declared name leads to.
    names: HashMap<&'n str, Option<Value>>,
    /// For each open brace, what its names meant outside.
    scopes: Vec<Outside<'n>>,
    /// Names that lose their meaning at a token.
    later: Vec<(usize, &'n str)>,
    /// The `mutable_data_ptr` in the expression that is followed.
    claim: Option<usize>,
    found: Effects,
}

impl<'n> Reading<'_, 'n> {
    fn all(&mut self) {
        for at in 0..self.code.len() {
            let word = self.code.word(at);
            if !self.later.is_empty() {
                let (now, later): (Vec<_>, Vec<_>) = self.later.drain(..).partition(|(end, _)| *end <= at);
                self.later = later;
                self.names.extend(now.into_iter().map(|(_, name)| (name, None)));
            }
            match word {
                "{" => self.scopes.push(Vec::new()),
                "}" => {
                    for (name, outside) in self.scopes.pop().into_iter().flatten().rev() {
                        match outside {
                            Some(value) => self.names.insert(name, value),
                            None => self.names.remove(name),
                        };
                    }
                }
                _ => {}
            }
            let is_member = matches!(self.code.back(at, 1), "." | "->" | "::");
            if self.code.is_name(at) && (!is_member || matches!(word, "swap" | "tie")) {
                self.name(at, word);
            }
        }
    }

    fn name(&mut self, at: usize, word: &'n str) {
        let code = self.code;
        if word == "auto" {
            let mut open = at + 1;
            while code.word(open) == "&" {
                open += 1;
            }
            if code.word(open) == "[" {
                let close = code.partner(open).unwrap_or(open);
                let names = (open..close).filter(|at| code.is_name(*at)).map(|at| code.word(at));
                names.collect::<Vec<_>>().into_iter().for_each(|name| self.declare(name, None));
            }
        }
        if self.is_declared(at) {
            self.declare(word, None);
        } else if matches!(word, "tie" | "swap") && code.word(at + 1) == "(" {
            let close = code.partner(at + 1).unwrap_or(at);
            if word == "swap" || code.assigns(close + 1) == Some(Assigns::Plain) {
                let end = code.statement_end(at);
                let names = (at + 2..close).map(|at| code.word(at)).filter(|name| self.names.contains_key(name));
                self.later.extend(names.map(|name| (end, name)).collect::<Vec<_>>());
            }
        } else if let Some(value) = self.names.get(word).copied()
            && code.word(at + 1) != "::"
        {
            if code.assigns(at + 1) == Some(Assigns::Plain) {
                self.later.push((code.statement_end(at), word));
            }
            if let Some(value) = value {
                self.follow(at, value);
            }
        }
    }

    /// Whether the name is declared at that place.
    fn is_declared(&self, at: usize) -> bool {
        let code = self.code;
        let behind = code.word(at + 1);
        let is_end =
            matches!(behind, ";" | "," | ")" | "(" | "{" | ":" | "[") || code.assigns(at + 1) == Some(Assigns::Plain);
        let before = at.checked_sub(1);
        match code.back(at, 1) {
            _ if !is_end => false,
            ">" => true,
            // A capture, an operand, or a reference.
            "&" => {
                let in_capture = code.around(at).is_some_and(|open| code.word(open) == "[");
                let of_type = at >= 2 && (code.is_name(at - 2) || matches!(code.back(at, 2), ">" | "&"));
                !in_capture && of_type && behind != "("
            }
            "*" => at >= 2 && code.is_name(at - 2) && code.assigns(at + 1) == Some(Assigns::Plain),
            _ => before.is_some_and(|before| code.is_name(before)),
        }
    }

    fn declare(&mut self, name: &'n str, value: Option<Value>) {
        let before = self.names.insert(name, value);
        if let Some(scope) = self.scopes.last_mut() {
            scope.push((name, before));
        }
    }

    fn add(&mut self, does: Does, value: Value, by: &str, tokens: Range<usize>) {
        self.found.all.push(Effect {
            does,
            parameter: value.parameter,
            by: by.to_owned(),
            range: self.code.range(tokens),
            unless: value.unless,
            is_claim: false,
            inside: None,
        });
    }

    fn leave_open(&mut self, value: Value) {
        if let Some(open) = self.found.open.get_mut(value.parameter).filter(|_| value.kind != ValueKind::Constant) {
            *open = true;
        }
    }

    /// Follows an expression that begins with a name.
    fn follow(&mut self, at: usize, start: Value) {
        let passed = self.found.passes.len();
        self.expression(at, start);
        let Some(method) = self.claim.take() else { return };
        let claim = self.code.range(method..method + 1);
        let is_new = self.found.passes.len() > passed;
        match self.found.passes.last_mut().filter(|pass| pass.parameter == start.parameter) {
            // The function may only read it.
            Some(pass) if is_new => pass.claim = Some(claim),
            _ => {
                self.add(Does::Writes, start, self.code.word(method), method..method + 1);
                self.found.all.last_mut().into_iter().for_each(|effect| effect.is_claim = true);
            }
        }
    }

    fn expression(&mut self, at: usize, start: Value) {
        let code = self.code;
        let (mut first, mut end, mut value) = (at, at + 1, start);
        loop {
            match self.behind(value, end) {
                (Some(next), behind) => (value, end) = (next, behind),
                (None, _) => return,
            }
            // `p + i`
            let is_sum = matches!(code.word(end), "+" | "-") && code.assigns(end).is_none() && !code.steps(end);
            if value.kind == ValueKind::Pointer && is_sum {
                let mut behind = end;
                while behind < code.len() && !matches!(code.word(behind), "," | ";" | ")" | "]" | "}") {
                    behind = match code.word(behind) {
                        "(" | "[" | "{" => code.partner(behind).map_or(code.len(), |close| close + 1),
                        _ => behind + 1,
                    };
                }
                end = behind;
            }
            match self.around(value, first, end) {
                Some((next, outer, behind)) => (value, first, end) = (next, outer, behind),
                None => break,
            }
        }
        self.used(value, first, end);
    }

    /// What methods and indices behind an expression give; nothing if that leads elsewhere.
    fn behind(&mut self, mut value: Value, mut end: usize) -> (Option<Value>, usize) {
        let code = self.code;
        loop {
            match code.word(end) {
                "." | "->" => {
                    let name = if code.word(end + 1) == "template" { end + 2 } else { end + 1 };
                    let mut open = name + 1;
                    let arguments = (code.word(open) == "<").then(|| code.behind_template(open)).flatten();
                    let is_constant = arguments.is_some() && code.word(open + 1) == "const";
                    open = arguments.unwrap_or(open);
                    let Some(close) = code.partner(open).filter(|_| code.word(open) == "(") else {
                        self.leave_open(value);
                        return (None, end);
                    };
                    if code.word(end) == "->" && value.kind == ValueKind::Optional {
                        value.kind = ValueKind::Tensor;
                    }
                    let called = code.word(name);
                    let kind = match method(value.kind, called, is_constant, arguments.is_some()) {
                        Step::To(kind) => kind,
                        Step::Perhaps(method) => {
                            if method == "contiguous" {
                                self.add(Does::MakesContiguous, value, called, name..name + 1);
                            }
                            value.unless = value.unless.or(Some(method));
                            ValueKind::Tensor
                        }
                        Step::Mutates(kind) => {
                            self.add(Does::Writes, value, called, name..name + 1);
                            kind
                        }
                        Step::Claims => {
                            self.claim = Some(name);
                            ValueKind::Pointer
                        }
                        Step::Number => {
                            self.add(Does::ReadsAsNumber, value, called, name..name + 1);
                            return (None, close + 1);
                        }
                        Step::Reads => return (None, close + 1),
                        Step::Unknown => {
                            self.leave_open(value);
                            return (None, close + 1);
                        }
                    };
                    value.is_variable = matches!(value.kind, ValueKind::Tensors | ValueKind::Optional);
                    (value.kind, end) = (kind, close + 1);
                }
                "[" => {
                    let kind = match value.kind {
                        ValueKind::Tensor | ValueKind::Tensors => ValueKind::Tensor,
                        ValueKind::Pointer | ValueKind::Element => ValueKind::Element,
                        ValueKind::Accessor | ValueKind::Row => ValueKind::Row,
                        _ => {
                            self.leave_open(value);
                            return (None, end);
                        }
                    };
                    let Some(close) = code.partner(end) else { return (None, end) };
                    value.is_variable = value.kind == ValueKind::Tensors;
                    (value.kind, end) = (kind, close + 1);
                }
                _ if code.steps(end) => match value.kind {
                    ValueKind::Pointer => end += 2,
                    ValueKind::Element | ValueKind::Row | ValueKind::Reference => {
                        self.add(Does::Writes, value, &code.joined(end..end + 2), end..end + 2);
                        return (None, end + 2);
                    }
                    _ => return (Some(value), end),
                },
                _ => return (Some(value), end),
            }
        }
    }

    /// The expression around one that changes nothing of it: parentheses, a cast, `*`.
    fn around(&self, value: Value, first: usize, end: usize) -> Option<(Value, usize, usize)> {
        let code = self.code;
        match code.back(first, 1) {
            "(" if code.word(end) == ")" => {
                let open = first - 1;
                let Some((called, start)) = code.called(open) else {
                    let is_group = !matches!(code.back(open, 1), ")" | "]" | ">");
                    return is_group.then_some((value, open, end + 1));
                };
                let name = code.word(called);
                if name == "const_cast" && value.kind == ValueKind::Constant && code.word(called + 2) != "const" {
                    return Some((Value { kind: ValueKind::Pointer, ..value }, start, end + 1));
                }
                if name.ends_with("_cast") && code.word(called + 1) == "<" {
                    let gives_constants = value.kind == ValueKind::Pointer && code.word(called + 2) == "const";
                    return (!gives_constants).then_some((value, start, end + 1));
                }
                matches!(name, "move" | "forward").then_some((value, start, end + 1))
            }
            // `(float*)p`
            ")" if matches!(value.kind, ValueKind::Pointer | ValueKind::Constant) && code.back(first, 2) == "*" => {
                let open = code.partner(first - 1)?;
                (code.word(open + 1) != "const").then_some((Value { kind: ValueKind::Pointer, ..value }, open, end))
            }
            "*" if code.is_unary(first - 1) => {
                let kind = match value.kind {
                    ValueKind::Optional => ValueKind::Tensor,
                    ValueKind::Pointer => ValueKind::Element,
                    // What `expect_contiguous` gives.
                    ValueKind::Tensor => ValueKind::Tensor,
                    _ => return None,
                };
                Some((Value { kind, ..value }, first - 1, end))
            }
            "&" if code.is_unary(first - 1) && matches!(value.kind, ValueKind::Element | ValueKind::Row) => {
                Some((Value { kind: ValueKind::Pointer, ..value }, first - 1, end))
            }
            _ => None,
        }
    }

    /// What the place of a whole expression does.
    fn used(&mut self, value: Value, first: usize, end: usize) {
        let code = self.code;
        let assigns = code.assigns(end);
        let writes = match (value.kind, assigns) {
            (_, None) => false,
            (ValueKind::Tensor, Some(Assigns::Compound)) => true,
            (ValueKind::Tensor, Some(Assigns::Plain)) => !value.is_variable,
            (ValueKind::Element | ValueKind::Row | ValueKind::Reference | ValueKind::Indexed, _) => true,
            (ValueKind::Optional | ValueKind::Tensors | ValueKind::Pointer, _) => false,
            (ValueKind::Constant | ValueKind::Accessor, _) => false,
        };
        if writes {
            let length = if assigns == Some(Assigns::Plain) { 1 } else { 2 };
            return self.add(Does::Writes, value, &code.joined(end..end + length), end..end + length);
        }
        if assigns.is_some() {
            return;
        }
        let is_element = matches!(value.kind, ValueKind::Element | ValueKind::Row | ValueKind::Reference);
        if is_element && first >= 2 && code.steps(first - 2) && code.is_unary(first - 2) {
            return self.add(Does::Writes, value, &code.joined(first - 2..first), first - 2..first);
        }
        if self.binds(value, first, end) {
            return;
        }
        let is_result = matches!(value.kind, ValueKind::Tensor | ValueKind::Optional | ValueKind::Tensors);
        if is_result && code.returns(first, end) {
            return self.add(Does::Returns, value, "return", first..end);
        }
        if value.kind == ValueKind::Constant || self.passes(value, first, end) {
            return;
        }
        if value.kind == ValueKind::Pointer && code.back(first, 1) == "=" && code.assigns(first - 1).is_some() {
            self.found.stored.push((value.parameter, code.range(first..end)));
        }
        let operators = ["+", "-", "*", "/", "%"];
        let is_operand = operators.contains(&code.word(end)) || operators.contains(&code.back(first, 1));
        if is_operand && value.kind == ValueKind::Tensor {
            return;
        }
        // A number, or a condition.
        if !matches!(value.kind, ValueKind::Element | ValueKind::Optional | ValueKind::Reference) {
            self.leave_open(value);
        }
    }

    /// Whether the expression gives a name its meaning.
    fn binds(&mut self, value: Value, first: usize, end: usize) -> bool {
        let code = self.code;
        let ends = matches!(code.word(end), ";" | "," | ")" | "}");
        let name = match code.back(first, 1) {
            "=" if ends && code.assigns(first - 1) == Some(Assigns::Plain) => first.checked_sub(2),
            // `for (auto& t : tensors)`
            ":" if code.word(end) == ")" && value.kind == ValueKind::Tensors => {
                let is_loop = code.around(first).is_some_and(|open| code.back(open, 1) == "for");
                first.checked_sub(2).filter(|_| is_loop)
            }
            // `Tensor y(x);`
            "(" | "{" if first >= 3 && code.partner(first - 1) == Some(end) => {
                Some(first - 2).filter(|name| self.is_declared(*name))
            }
            _ => None,
        };
        let Some(name) = name.filter(|name| code.is_name(*name)) else { return false };
        let (word, start) = (code.word(name), code.statement_start(name).unwrap_or(name));
        if !self.is_declared(name) {
            let known = self.names.get(word).copied();
            match known {
                // `x = x.contiguous();`
                Some(Some(before)) if before.parameter == value.parameter && before.kind == value.kind => {
                    self.later.retain(|(_, later)| *later != word);
                    let unless = value.unless.or(before.unless);
                    self.names.insert(word, Some(Value { unless, is_variable: true, ..value }));
                }
                None if !matches!(code.back(name, 1), "." | "->" | "::")
                    && matches!(value.kind, ValueKind::Tensor | ValueKind::Optional) =>
                {
                    self.add(Does::Keeps, value, word, name..name + 1);
                }
                _ => self.leave_open(value),
            }
            return true;
        }
        if matches!(code.word(start), "static" | "thread_local")
            && matches!(value.kind, ValueKind::Tensor | ValueKind::Optional)
        {
            self.add(Does::Keeps, value, word, name..name + 1);
        }
        let is_constant = (start..name).any(|at| code.word(at) == "const");
        let is_reference = code.back(name, 1) == "&";
        let kind = match value.kind {
            ValueKind::Tensors if code.back(first, 1) == ":" => Some(ValueKind::Tensor),
            ValueKind::Pointer | ValueKind::Accessor if is_constant && value.kind == ValueKind::Pointer => None,
            ValueKind::Row => Some(if is_reference { ValueKind::Reference } else { ValueKind::Accessor }),
            ValueKind::Element | ValueKind::Reference => (is_reference && !is_constant).then_some(ValueKind::Reference),
            ValueKind::Indexed => None,
            kind => Some(kind),
        };
        self.names.insert(word, kind.map(|kind| Value { kind, is_variable: true, ..value }));
        true
    }

    /// Whether the expression is an argument of a call.
    fn passes(&mut self, value: Value, first: usize, end: usize) -> bool {
        let code = self.code;
        let Some(open) = code.around(first).filter(|open| code.word(*open) == "(") else { return false };
        let is_whole = (open + 1 == first || code.back(first, 1) == ",")
            && (code.word(end) == "," || code.partner(open) == Some(end));
        let Some((name, start)) = code.called(open) else { return false };
        let called = code.word(name);
        if CHECKS.iter().any(|check| called.contains(check)) {
            return true;
        }
        if !is_whole {
            return false;
        }
        if matches!(code.back(start, 1), "." | "->") {
            if OUTPUTS.contains(&called)
                && value.kind == ValueKind::Tensor
                && code.argument(open, first).is_some_and(|(at, _)| at == 0)
            {
                self.add(Does::Writes, value, called, name..name + 1);
                return true;
            }
            if matches!(value.kind, ValueKind::Tensor | ValueKind::Tensors) && reads_arguments(called) {
                return true;
            }
            let object = start.checked_sub(2).filter(|object| code.is_name(*object)).map(|object| code.word(object));
            let is_own = |object: &str| !self.names.contains_key(object);
            if value.kind == ValueKind::Tensor && KEEPING.contains(&called) && object.is_some_and(is_own) {
                self.add(Does::Keeps, value, called, name..name + 1);
            }
            self.leave_open(value);
            return true;
        }
        let Some(argument) = code.argument(open, first) else { return false };
        let path = code.joined(start..name + 1);
        if mutated_argument(&path, value.kind, argument.1) == Some(argument.0) {
            self.add(Does::Writes, value, called, name..name + 1);
            return true;
        }
        let key = (argument.0 > 0 && code.word(open + 2) == ",").then(|| code.word(open + 1).to_owned());
        self.found.passes.push(Pass {
            parameter: value.parameter,
            is_memory: matches!(value.kind, ValueKind::Pointer | ValueKind::Accessor),
            unless: value.unless,
            function: path,
            key,
            argument,
            range: code.range(name..name + 1),
            claim: None,
        });
        true
    }
}
