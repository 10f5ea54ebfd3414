//! Finds the blocks of `TORCH_LIBRARY` and its relatives in a source, and the calls in them.
//!
//! Invariant: every step advances, and any text can be read.

use std::ops::Range;

use super::literal::Literal;
use torchgen_base::lang::cpp::{Kind, Token, directive, tokens};

/// A call of `def` or `impl` on a library.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Call {
    /// Whether it is a `def`.
    pub(super) is_def: bool,
    /// Its place.
    pub(super) range: Range<usize>,
    /// The library's namespace as written.
    pub(super) namespace: Argument,
    /// The dispatch key of the block, as written.
    pub(super) key: Option<String>,
    /// The arguments.
    pub(super) arguments: Vec<Argument>,
    /// The C++ namespace around the block.
    pub(super) scope: Vec<String>,
    /// The conditions of the preprocessor around it.
    pub(super) conditions: Vec<String>,
    /// Whether the block is on the stable ABI.
    pub(super) stable: bool,
}

/// An argument of a macro or call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Argument {
    /// Its tokens, with single spaces where the source has any.
    pub(super) text: String,
    /// Its place.
    pub(super) range: Range<usize>,
    /// The string that it is, possibly inside a macro such as `TORCH_SELECTIVE_SCHEMA`.
    pub(super) literal: Option<Literal>,
}

/// The macros that open a block, and whether it is for one dispatch key.
const MACROS: &[(&str, bool)] = &[
    ("TORCH_LIBRARY", false),
    ("TORCH_LIBRARY_FRAGMENT", false),
    ("TORCH_LIBRARY_EXPAND", false),
    ("TORCH_LIBRARY_FRAGMENT_EXPAND", false),
    ("STABLE_TORCH_LIBRARY", false),
    ("STABLE_TORCH_LIBRARY_FRAGMENT", false),
    ("STABLE_TORCH_LIBRARY_EXPAND", false),
    ("STABLE_TORCH_LIBRARY_FRAGMENT_EXPAND", false),
    ("TORCH_LIBRARY_IMPL", true),
    ("TORCH_LIBRARY_IMPL_EXPAND", true),
    ("STABLE_TORCH_LIBRARY_IMPL", true),
    ("STABLE_TORCH_LIBRARY_IMPL_EXPAND", true),
];

/// Macros and functions around a schema or a name.
const AROUND: &[&str] = &["TORCH_SELECTIVE_SCHEMA", "TORCH_SELECTIVE_NAME", "torch::schema", "schema"];

/// The calls of a source, in order, and how many blocks it has.
pub(super) fn calls(text: &str) -> (Vec<Call>, usize) {
    let mut scan = Scan { text, tokens: tokens(text), at: 0, ..Scan::default() };
    while scan.at < scan.tokens.len() {
        scan.step();
    }
    (scan.found, scan.blocks)
}

#[derive(Default)]
struct Scan<'a> {
    text: &'a str,
    tokens: Vec<Token>,
    at: usize,
    /// Open braces: the namespaces that each opens.
    scopes: Vec<Vec<String>>,
    conditions: Vec<String>,
    found: Vec<Call>,
    blocks: usize,
    /// Whether the last block is on the stable ABI.
    stable: bool,
}

impl<'a> Scan<'a> {
    fn word(&self, at: usize) -> &'a str {
        self.tokens.get(at).map_or("", |token| self.text.get(token.range.clone()).unwrap_or_default())
    }

    /// Reads one token or block at namespace level.
    fn step(&mut self) {
        let at = self.at;
        self.at += 1;
        match self.word(at) {
            "{" => self.scopes.push(Vec::new()),
            "}" => drop(self.scopes.pop()),
            "namespace" => self.namespace(),
            word if self.tokens[at].kind == Kind::Directive => self.directive(word),
            "RegisterOperators" => self.operators(at),
            word => {
                self.stable = word.starts_with("STABLE_");
                let found = MACROS.iter().find(|(name, _)| *name == word);
                if let Some((_, keyed)) = found.filter(|_| self.word(at + 1) == "(") {
                    self.block(at + 1, *keyed);
                }
            }
        }
    }

    /// `namespace a::b {`; the word was read.
    fn namespace(&mut self) {
        let mut names = Vec::new();
        while self.tokens.get(self.at).is_some_and(|token| token.kind == Kind::Word) || self.word(self.at) == "::" {
            if self.word(self.at) != "::" {
                names.push(self.word(self.at).to_owned());
            }
            self.at += 1;
        }
        if self.word(self.at) == "{" {
            if names.is_empty() {
                names.push(String::new());
            }
            self.scopes.push(names);
            self.at += 1;
        }
    }

    fn directive(&mut self, line: &str) {
        let line = directive(line);
        let condition = || line.rest().trim().to_owned();
        match line.name {
            "if" => self.conditions.push(condition()),
            "ifdef" => self.conditions.push(format!("defined({})", condition())),
            "ifndef" => self.conditions.push(format!("!defined({})", condition())),
            "elif" => {
                self.conditions.pop();
                self.conditions.push(condition());
            }
            "else" => {
                let before = self.conditions.pop().unwrap_or_default();
                self.conditions.push(match before.strip_prefix("!defined(") {
                    Some(name) if !name.contains(' ') => format!("defined({name}"),
                    _ => format!("!({before})"),
                });
            }
            "endif" => drop(self.conditions.pop()),
            _ => {}
        }
    }

    /// The arguments in the parentheses at `open`, and the index after them.
    fn arguments(&self, open: usize) -> (Vec<Argument>, usize) {
        let (mut found, mut depth, mut start, mut at) = (Vec::new(), 0usize, open + 1, open);
        while at < self.tokens.len() {
            match self.word(at) {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => {
                    depth = depth.saturating_sub(1);
                    if depth == 0 {
                        found.extend(self.argument(start, at));
                        return (found, at + 1);
                    }
                }
                "," if depth == 1 => {
                    found.extend(self.argument(start, at));
                    start = at + 1;
                }
                _ => {}
            }
            at += 1;
        }
        (found, at)
    }

    fn argument(&self, start: usize, end: usize) -> Option<Argument> {
        let tokens = self.tokens.get(start..end).filter(|tokens| !tokens.is_empty())?;
        let range = tokens.first()?.range.start..tokens.last()?.range.end;
        let mut text = String::new();
        for (at, token) in tokens.iter().enumerate() {
            if at > 0 && tokens[at - 1].range.end < token.range.start {
                text.push(' ');
            }
            text.push_str(self.text.get(token.range.clone()).unwrap_or_default());
        }
        Some(Argument { literal: self.literal(start, end), text, range })
    }

    /// The string that tokens make, possibly inside a macro, which may be inside another one.
    fn literal(&self, start: usize, end: usize) -> Option<Literal> {
        let mut first = start;
        while !self.is_literal(first) {
            let open = (first..end).find(|&at| self.word(at) == "(")?;
            let name: String = (first..open).map(|at| self.word(at)).collect();
            if !AROUND.contains(&name.strip_prefix("::").unwrap_or(&name)) {
                return None;
            }
            first = open + 1;
        }
        let last = (first..end).find(|&at| !self.is_literal(at)).unwrap_or(end);
        let complete = if first == start { last == end } else { matches!(self.word(last), "," | ")") };
        let mut literal = Literal::default();
        (first..last).for_each(|at| literal.add(self.text, self.tokens[at].range.clone()));
        complete.then_some(literal)
    }

    fn is_literal(&self, at: usize) -> bool {
        self.tokens.get(at).is_some_and(|token| token.kind == Kind::Literal)
    }

    /// `torch::RegisterOperators("ns::f() -> ()", &f).op(...)`, from its last word on. A name of a
    /// variable may follow the word. Names of operators have their namespaces.
    fn operators(&mut self, word: usize) {
        let open = match self.tokens.get(word + 1).is_some_and(|token| token.kind == Kind::Word) {
            true => word + 2,
            false => word + 1,
        };
        if self.word(open) != "(" {
            return;
        }
        self.blocks += 1;
        self.stable = false;
        let namespace = Argument { text: String::new(), range: self.tokens[word].range.clone(), literal: None };
        let (arguments, next) = self.arguments(open);
        if !arguments.is_empty() {
            self.add(true, word, (arguments, next), &namespace, None);
        }
        self.at = next;
        self.chain(next - 1, &namespace, None);
    }

    /// Adds a call that begins at a token, and whose arguments end before another one.
    fn add(
        &mut self,
        is_def: bool,
        first: usize,
        (arguments, next): (Vec<Argument>, usize),
        namespace: &Argument,
        key: Option<&Argument>,
    ) {
        let start = self.tokens[first].range.start;
        self.found.push(Call {
            is_def,
            range: start..self.tokens.get(next - 1).map_or(start, |token| token.range.end),
            namespace: namespace.clone(),
            key: key.map(|key| key.text.clone()),
            arguments,
            scope: self.scopes.iter().flatten().cloned().collect(),
            conditions: self.conditions.clone(),
            stable: self.stable,
        });
    }

    /// A block whose macro has its parentheses at `open`.
    fn block(&mut self, open: usize, keyed: bool) {
        let (head, next) = self.arguments(open);
        let mut head = head.into_iter();
        let (Some(namespace), key) = (head.next(), head.next().filter(|_| keyed)) else { return };
        // Without a key, the second one is the variable.
        let (head, _) = self.arguments(open);
        let variable = head.last().map(|last| last.text.clone()).unwrap_or_default();
        if self.word(next) != "{" {
            return;
        }
        self.blocks += 1;
        let mut depth = 0usize;
        self.at = next;
        while self.at < self.tokens.len() {
            let at = self.at;
            self.at += 1;
            match self.word(at) {
                "{" => depth += 1,
                "}" => {
                    depth -= 1;
                    if depth == 0 {
                        return;
                    }
                }
                word if self.tokens[at].kind == Kind::Directive => self.directive(word),
                word if word == variable && self.word(at + 1) == "." => {
                    self.chain(at, &namespace, key.as_ref());
                }
                _ => {}
            }
        }
    }

    /// `m.def(...).impl(...)`, from the variable on; or `.op(...)`, from what is before it on.
    fn chain(&mut self, variable: usize, namespace: &Argument, key: Option<&Argument>) {
        let mut at = variable;
        while self.word(at + 1) == "." && self.word(at + 3) == "(" {
            let (arguments, next) = self.arguments(at + 3);
            let first = match self.word(at + 2) {
                "def" | "impl" => Some(variable),
                "op" => Some(at + 2),
                _ => None,
            };
            if let Some(first) = first {
                self.add(self.word(at + 2) != "impl", first, (arguments, next), namespace, key);
            }
            at = next - 1;
            self.at = next;
        }
    }
}
