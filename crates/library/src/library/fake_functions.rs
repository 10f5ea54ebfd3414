//! Reads the Python functions that are fakes: whether they take what their operator passes, and
//! whether they turn symbolic sizes into numbers.
//!
//! Invariant: a function that is decorated, defined twice, or not at the first level of its module
//! may be anything, and is not looked at.

use std::collections::HashSet;
use std::ops::Range;

use super::int_sizes::{IntArgument, takes_size};
use torchgen_base::diag::{Diagnostic, FileId, Help, Span, nearest};
use torchgen_base::lang::python::token::{Token, TokenKind, tokens};
use torchgen_model::codes;
use torchgen_model::model::{Argument, NativeFunction, Type};
use torchgen_model::versions::{Shares, shares_memory};

/// The members of a tensor that have its sizes.
const SIZES: [&str; 6] = ["numel", "shape", "size", "sizes", "storage_offset", "stride"];

/// What gives a function a size that depends on data.
const DYNAMIC: [&str; 4] = ["create_unbacked_symint", "get_ctx", "new_dynamic_size", "nonzero"];

/// Whether a method always returns a view.
fn is_view(method: &str) -> bool {
    matches!(shares_memory(method), Some((_, Shares::Always)))
}

/// How a parameter is passed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Passed {
    ByPlace,
    ByName,
    /// `*args`
    Places,
    /// `**named`
    Names,
}

struct Parameter<'t> {
    name: &'t str,
    passed: Passed,
    has_default: bool,
    range: Range<usize>,
}

/// A function of a module.
struct Function<'t> {
    text: &'t str,
    tokens: Vec<Token>,
    parameters: Vec<Parameter<'t>>,
    /// The bytes of its name and parameters.
    head: Range<usize>,
    /// The tokens of its body.
    body: Range<usize>,
}

/// What is wrong with a fake of an operator, in the text of its module.
pub(super) fn compared(f: &NativeFunction, name: &str, module: (FileId, &str), fake: Span) -> Vec<Diagnostic> {
    let (file, text) = module;
    let Some(function) = Function::find(text, name) else { return Vec::new() };
    let place = |range: &Range<usize>| Span::new(file, range.start, range.end);
    let mut found = Vec::new();
    let problems = function.problems(f);
    if let Some((range, message, help)) = problems.first() {
        let mut error = Diagnostic::new(&codes::BAD_FAKE, format!("fake `{name}` {message}"));
        error = error.at(fake).also(place(range), "here").help(help.clone());
        for (_, message, help) in problems.iter().skip(1) {
            error = error.note(format!("it {message}")).help(help.clone());
        }
        found.push(error);
    }
    found.extend(function.number(f).map(|(range, message, help)| {
        Diagnostic::new(&codes::FAKE_READS_NUMBER, format!("fake `{name}` {message}"))
            .at_with(place(&range), "compilers call it with symbols for sizes")
            .also(fake, "the fake")
            .help(help)
    }));
    found.extend(function.returned(f).map(|(argument, range)| {
        let message = format!("fake `{name}` returns its argument `{}`", argument.schema_name());
        Diagnostic::new(&codes::KERNEL_RETURNS_ARGUMENT, message)
            .at_with(place(&range), "the result shares the memory of an argument")
            .also(f.spans.schema.argument(&argument.name), format!("`{argument}`"))
            .help("return a new tensor, as the kernel does: `torch.empty_like(…)`")
            .help("or declare a view: `Tensor(a)` for the argument and the result")
    }));
    let operator = f.full_name();
    found.extend(function.int_sizes(f).into_iter().map(|(own, range)| own.lint(&operator, place(&range))));
    found
}

impl<'t> Function<'t> {
    /// The function of that name at the first level of a module.
    fn find(text: &'t str, name: &str) -> Option<Function<'t>> {
        let tokens = tokens(text).ok()?;
        let word = |at: usize| tokens.get(at).map_or("", |token: &Token| &text[token.range.clone()]);
        let (mut depth, mut is_start, mut is_decorated) = (0usize, true, false);
        let mut found: Option<usize> = None;
        for (at, token) in tokens.iter().enumerate() {
            match token.kind {
                TokenKind::Indent => depth += 1,
                TokenKind::Dedent => depth = depth.saturating_sub(1),
                TokenKind::Newline => is_start = true,
                _ if !is_start => {}
                _ => {
                    is_start = false;
                    let defines = matches!(word(at), "def" | "class") && word(at + 1) == name;
                    let assigns = word(at) == name && matches!(word(at + 1), "=" | ":");
                    if assigns || defines && (found.is_some() || depth > 0 || is_decorated || word(at) == "class") {
                        return None;
                    }
                    if defines {
                        found = Some(at);
                    }
                    is_decorated = word(at) == "@";
                }
            }
        }
        let at = found?;
        let open = at + 2;
        if word(open) != "(" {
            return None;
        }
        let close = tokens[open].close;
        let mut parameters = Vec::new();
        let (mut i, mut by_name) = (open + 1, false);
        while i < close {
            let passed = match word(i) {
                "*" if word(i + 1) == "," => {
                    by_name = true;
                    i += 2;
                    continue;
                }
                "/" | "," => {
                    i += 1;
                    continue;
                }
                "*" => Passed::Places,
                "**" => Passed::Names,
                _ if by_name => Passed::ByName,
                _ => Passed::ByPlace,
            };
            by_name |= passed == Passed::Places;
            let named = if matches!(passed, Passed::Places | Passed::Names) { i + 1 } else { i };
            let (mut end, mut has_default) = (named + 1, false);
            while end < close && word(end) != "," {
                has_default |= word(end) == "=";
                end = if tokens[end].close > end { tokens[end].close + 1 } else { end + 1 };
            }
            parameters.push(Parameter {
                name: word(named),
                passed,
                has_default,
                range: tokens.get(named)?.range.clone(),
            });
            i = end + 1;
        }
        let mut start = close + 1;
        while start < tokens.len() && tokens[start].kind != TokenKind::Newline && word(start) != ":" {
            start += 1;
        }
        let (mut end, mut depth) = (start, 0usize);
        while end < tokens.len() {
            match tokens[end].kind {
                TokenKind::Indent => depth += 1,
                TokenKind::Dedent => depth = depth.saturating_sub(1),
                TokenKind::Newline
                    if depth == 0 && tokens.get(end + 1).is_none_or(|next| next.kind != TokenKind::Indent) =>
                {
                    break;
                }
                _ => {}
            }
            end += 1;
            if depth == 0 && tokens.get(end - 1).is_some_and(|token| token.kind == TokenKind::Dedent) {
                break;
            }
        }
        let head = tokens.get(at + 1)?.range.start..tokens.get(close)?.range.end;
        Some(Function { text, tokens, parameters, head, body: start..end })
    }

    /// What the operator passes and the function does not take: the place, what is wrong after the
    /// function's name, and what to write.
    fn problems(&self, f: &NativeFunction) -> Vec<(Range<usize>, String, Help)> {
        let by_place = f.func.arguments.flat_positional().count();
        let has = |passed: Passed| self.parameters.iter().any(|own| own.passed == passed);
        let own: Vec<&Parameter<'_>> = self.parameters.iter().filter(|own| own.passed == Passed::ByPlace).collect();
        let arguments: Vec<&Argument> = f.func.schema_order_arguments().collect();
        let mut found = Vec::new();
        let mut taken: HashSet<&str> = HashSet::new();
        let mut missing: Vec<&str> = Vec::new();
        for (i, argument) in arguments.iter().enumerate() {
            let name = argument.schema_name();
            let parameter = match i < by_place {
                true => own.get(i).copied(),
                false => self
                    .parameters
                    .iter()
                    .find(|own| own.name == name && matches!(own.passed, Passed::ByName | Passed::ByPlace)),
            };
            let Some(parameter) = parameter else {
                if !has(if i < by_place { Passed::Places } else { Passed::Names }) {
                    missing.push(name);
                }
                continue;
            };
            taken.insert(parameter.name);
            if argument.default.is_some() && !parameter.has_default {
                let message = format!(
                    "has no default for `{}`: the call leaves out an argument that equals its default",
                    parameter.name
                );
                let help = format!("write the default of the schema, `{argument}`, in Python");
                found.push((parameter.range.clone(), message, help.into()));
            }
        }
        if !missing.is_empty() {
            let listed: Vec<String> = missing.iter().map(|name| format!("`{name}`")).collect();
            let message = format!("does not take {}, which `{}` passes", listed.join(", "), f.full_name());
            let others = self.parameters.iter().map(|own| own.name).filter(|name| !taken.contains(name));
            let help = match nearest(missing[0], others) {
                Some(near) => format!("rename `{near}` to `{}`", missing[0]),
                None => format!("add the parameter {}", listed.join(", ")),
            };
            found.insert(0, (self.head.clone(), message, help.into()));
        }
        for parameter in &self.parameters {
            let is_required = matches!(parameter.passed, Passed::ByPlace | Passed::ByName) && !parameter.has_default;
            if is_required && !taken.contains(parameter.name) {
                let message = format!("requires `{}`, which `{}` does not pass", parameter.name, f.full_name());
                found.push((parameter.range.clone(), message, "delete the parameter, or give it a default".into()));
            }
        }
        found
    }

    fn word(&self, at: usize) -> &'t str {
        self.tokens.get(at).map_or("", |token| &self.text[token.range.clone()])
    }

    /// The parameters for the operator's arguments of a kind.
    fn parameters_for(&self, f: &NativeFunction, is_it: impl Fn(&Argument) -> bool) -> HashSet<&'t str> {
        let by_place = f.func.arguments.flat_positional().count();
        let arguments = f.func.schema_order_arguments().enumerate().filter(|(_, argument)| is_it(argument));
        let own: Vec<&Parameter<'t>> = self.parameters.iter().filter(|own| own.passed == Passed::ByPlace).collect();
        let named = |(i, argument): (usize, &Argument)| match i < by_place {
            true => own.get(i).map(|own| own.name),
            false => self.parameters.iter().map(|own| own.name).find(|name| *name == argument.schema_name()),
        };
        arguments.filter_map(named).collect()
    }

    /// Where the body makes a number of a symbolic size, or of an element.
    fn number(&self, f: &NativeFunction) -> Option<(Range<usize>, String, Help)> {
        let mut tensors = self.parameters_for(f, |argument| argument.ty.is_tensor_like());
        let mut sizes = self.parameters_for(f, |argument| argument.ty.is_symint_like());
        let is_dynamic = self.body.clone().any(|at| DYNAMIC.contains(&self.word(at)));
        let mut is_start = true;
        for at in self.body.clone() {
            let token = &self.tokens[at];
            let word = self.word(at);
            if matches!(token.kind, TokenKind::Newline | TokenKind::Indent | TokenKind::Dedent) || word == ":" {
                is_start = true;
                continue;
            }
            if is_start && token.kind == TokenKind::Name {
                self.assigned(at, &mut tensors, &mut sizes);
            }
            is_start = false;
            let is_member = self.word(at.saturating_sub(1)) == ".";
            if token.kind == TokenKind::Name && word == "item" && is_member && self.word(at + 1) == "(" && !is_dynamic {
                let of = at.checked_sub(2).map_or("", |of| self.word(of));
                if tensors.contains(of) {
                    let message = format!("reads an element of `{of}`, and a fake tensor has no elements");
                    let help = "for a size that depends on data, write `torch.library.get_ctx().new_dynamic_size()`";
                    return Some((token.range.clone(), message, help.into()));
                }
            }
            let calls_int = token.kind == TokenKind::Name && word == "int" && !is_member && self.word(at + 1) == "(";
            if calls_int && self.is_size(at + 2, &tensors, &sizes) {
                let close = self.tokens[at + 1].close;
                let range = token.range.start..self.tokens.get(close).map_or(token.range.end, |close| close.range.end);
                let inside =
                    self.text.get(self.tokens[at + 1].range.end..range.end.saturating_sub(1)).unwrap_or_default();
                let message = format!("makes a number of the size `{inside}`: each further size compiles again");
                return Some((range, message, format!("write `{inside}` without `int`").into()));
            }
        }
        None
    }

    /// An argument that the body returns, or a view of it, and that no result aliases.
    fn returned<'f>(&self, f: &'f NativeFunction) -> Option<(&'f Argument, Range<usize>)> {
        let is_given = |argument: &&Argument| argument.ty == Type::TENSOR && argument.annotation.is_none();
        let assigned = |name: &str| {
            self.body.clone().any(|at| self.word(at) == name && matches!(self.word(at + 1), "=" | "," | ":="))
        };
        for argument in f.func.schema_order_arguments().filter(is_given) {
            let names = self.parameters_for(f, |other| other.schema_name() == argument.schema_name());
            let returns =
                self.body.clone().filter(|at| self.word(*at) == "return" && names.contains(self.word(at + 1)));
            for at in returns {
                let mut end = at + 2;
                while self.word(end) == "." && self.word(end + 2) == "(" && is_view(self.word(end + 1)) {
                    end = self.tokens[end + 2].close + 1;
                }
                let ends = self.tokens.get(end).is_none_or(|token| token.kind == TokenKind::Newline);
                if ends && !assigned(self.word(at + 1)) {
                    return Some((argument, self.tokens[at + 1].range.start..self.tokens[end - 1].range.end));
                }
            }
        }
        None
    }

    /// The arguments that are integers and of which the body makes sizes of new tensors.
    fn int_sizes(&self, f: &NativeFunction) -> Vec<(IntArgument, Range<usize>)> {
        let mut found = Vec::new();
        for own in IntArgument::all(f) {
            let names = self.parameters_for(f, |argument| argument.schema_name() == own.name);
            let is_it = |at: &usize| names.contains(self.word(*at)) && self.word(at.saturating_sub(1)) != ".";
            // Another value.
            if self.body.clone().any(|at| is_it(&at) && self.word(at + 1) == "=" && !self.is_keyword_of_call(at)) {
                continue;
            }
            let place = self.body.clone().find(|at| is_it(at) && self.is_size_of_new(*at));
            found.extend(place.map(|at| (own, self.tokens[at].range.clone())));
        }
        found
    }

    /// Whether a name before `=` is a keyword of a call.
    fn is_keyword_of_call(&self, at: usize) -> bool {
        matches!(self.word(at.saturating_sub(1)), "(" | ",")
    }

    /// Whether a name is a size of a new tensor, or a list of sizes.
    fn is_size_of_new(&self, at: usize) -> bool {
        let is_whole = |first: usize, last: usize| {
            let before = self.word(first.saturating_sub(1));
            let named = before == "=" && self.word(first.saturating_sub(2)) == "size";
            (matches!(before, "(" | "[" | ",") || named) && matches!(self.word(last + 1), ")" | "]" | ",")
        };
        let (mut first, mut last) = (at, at);
        if self.word(at.saturating_sub(1)) == "*" {
            first = at - 1;
        }
        for _ in 0..2 {
            if !is_whole(first, last) {
                return false;
            }
            let around = |open: &usize| self.tokens[*open].close > at && matches!(self.word(*open), "(" | "[");
            let Some(open) = (self.body.start..first).rev().find(around) else { return false };
            let called = self.word(open.saturating_sub(1));
            let is_first = open + 1 == first || self.word(first - 1) == "=";
            if self.word(open) == "("
                && let Some(takes_several) = takes_size(called)
            {
                return is_first || takes_several;
            }
            (first, last) = (open, self.tokens[open].close);
        }
        false
    }

    /// Whether an expression begins with a size: `x.shape[0]`, `n`.
    fn is_size(&self, at: usize, tensors: &HashSet<&str>, sizes: &HashSet<&str>) -> bool {
        let word = self.word(at);
        let has_sizes = tensors.contains(word) && self.word(at + 1) == "." && SIZES.contains(&self.word(at + 2));
        has_sizes || sizes.contains(word) && self.word(at + 1) != "."
    }

    /// Names that a statement gives sizes, or takes from them: `b, n = x.shape`.
    fn assigned(&self, start: usize, tensors: &mut HashSet<&'t str>, sizes: &mut HashSet<&'t str>) {
        let (mut at, mut names) = (start, Vec::new());
        while self.tokens.get(at).is_some_and(|token| token.kind == TokenKind::Name) {
            names.push(self.word(at));
            match self.word(at + 1) {
                "," => at += 2,
                "=" => {
                    let is_size = self.is_size(at + 2, tensors, sizes);
                    // Attributes of a shape, such as `len(x.shape)`, begin with another word.
                    for name in names {
                        tensors.remove(name);
                        let _ = if is_size { sizes.insert(name) } else { sizes.remove(name) };
                    }
                    return;
                }
                _ => return,
            }
        }
    }
}
