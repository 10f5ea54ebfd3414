//! What sources say about devices: the tables that name a function for each device, and the checks
//! of functions that tensors are on one.
//!
//! Rule: a table is filled by macros such as `REGISTER_DEVICE_IMPL(key, CUDA, function)`, and asked
//! by `DISPATCH_DEVICE_IMPL(key, arguments)`. Invariant: what checks for several devices is for
//! none.

use std::collections::HashMap;
use std::ops::Range;

use super::code::Code;
use torchgen_base::lang::cpp::{TokenKind, directive, tokens};

/// How deep checks that call checks are followed.
const DEEP: usize = 4;

/// The functions for the keys of the tables of a project.
#[derive(Debug, Default)]
pub(in super::super) struct DeviceTable(HashMap<String, Vec<String>>);

impl DeviceTable {
    /// Adds what a source registers.
    pub(in super::super) fn add(&mut self, text: &str) {
        if !text.contains("REGISTER") {
            return;
        }
        let tokens = tokens(text);
        let word = |at: usize| tokens.get(at).map_or("", |token| &text[token.range.clone()]);
        let is_name = |at: usize| tokens.get(at).is_some_and(|token| token.kind == TokenKind::Word);
        for at in (0..tokens.len()).filter(|at| word(*at).starts_with("REGISTER")) {
            let form = [(1, "("), (3, ","), (5, ","), (7, ")")];
            if form.iter().all(|(offset, wanted)| word(at + offset) == *wanted) && is_name(at + 2) && is_name(at + 6) {
                self.0.entry(word(at + 2).to_owned()).or_default().push(word(at + 6).to_owned());
            }
        }
    }

    /// The functions of a key.
    pub(super) fn get(&self, key: &str) -> Option<&Vec<String>> {
        self.0.get(key)
    }
}

/// The macros of a project that check their arguments.
#[derive(Debug, Default)]
pub(in super::super) struct Checks(HashMap<String, String>);

impl Checks {
    /// Adds those of a source.
    pub(in super::super) fn add(&mut self, text: &str) {
        if !text.contains("CHECK") && !text.contains("ASSERT") {
            return;
        }
        for token in tokens(text).into_iter().filter(|token| token.kind == TokenKind::Directive) {
            let line = directive(&text[token.range]);
            let rest = line.rest();
            let named = rest.find('(').map(|open| (rest[..open].trim(), rest.find(')').unwrap_or(open) + 1));
            if let Some((name, behind)) = named.filter(|(name, _)| line.name == "define" && is_check(name)) {
                self.0.insert(name.to_owned(), rest[behind..].to_owned());
            }
        }
    }

    /// The device that a text checks for: `CPU` or `CUDA`.
    pub(in super::super) fn device(&self, text: &str) -> Option<&'static str> {
        let mut found = Vec::new();
        self.devices(text, DEEP, &mut found);
        let first = *found.first()?;
        // A check below a branch is for the tensors of that branch.
        let is_one = found.iter().all(|one| *one == first) && !branches_by_device(text);
        is_one.then_some(first)
    }

    fn devices(&self, text: &str, depth: usize, found: &mut Vec<&'static str>) {
        let code = Code::new(text, &(0..text.len()));
        for at in (0..code.len()).filter(|at| is_check(code.word(*at)) && code.word(at + 1) == "(") {
            let name = code.word(at);
            let own = [("CPU", "CPU"), ("CUDA", "CUDA"), ("GPU", "CUDA")];
            if let Some((_, device)) = own.iter().find(|(part, _)| name.contains(part)) {
                found.push(*device);
            } else if let Some(body) = self.0.get(name).filter(|_| depth > 0) {
                self.devices(body, depth - 1, found);
            } else {
                let inside = inside(&code, at + 1);
                // `!x.is_cuda()` and `a || b` do not say which one it is.
                let is_plain = inside.clone().all(|inside| !matches!(code.word(inside), "!" | "|" | "?"));
                let named = |at: usize| match code.word(at) {
                    "is_cuda" | "kCUDA" => Some("CUDA"),
                    "is_cpu" | "kCPU" => Some("CPU"),
                    _ => None,
                };
                found.extend(inside.filter(|_| is_plain).filter_map(named));
            }
        }
    }
}

/// The tokens of parentheses that open at a place.
fn inside(code: &Code<'_>, open: usize) -> Range<usize> {
    open..code.partner(open).unwrap_or(code.len())
}

/// Whether an `if` of a text asks for a device.
fn branches_by_device(text: &str) -> bool {
    let code = Code::new(text, &(0..text.len()));
    let is_device = |at: usize| matches!(code.word(at), "is_cuda" | "is_cpu" | "kCUDA" | "kCPU");
    let mut branches = (0..code.len()).filter(|at| code.word(*at) == "if" && code.word(at + 1) == "(");
    branches.any(|at| inside(&code, at + 1).any(is_device))
}

/// Whether a macro has the name of one that checks.
fn is_check(name: &str) -> bool {
    let is_macro = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
    (name.contains("CHECK") || name.contains("ASSERT")) && name.chars().all(is_macro)
}
