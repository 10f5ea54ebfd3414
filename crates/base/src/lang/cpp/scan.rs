//! Scans declarations at namespace level and finds those that define functions.
//!
//! Invariant: every step advances.

use std::ops::Range;

use rustc_hash::FxHashMap;

use super::definition::{Definition, DefinitionForm, Source};
use super::directives::without_directives;
use super::token::{Token, TokenKind};
use super::types::BUILTIN;

/// The functions that a source defines and declares.
pub fn scan_source(text: &str) -> Source {
    let mut found = Source::default();
    let mut scan = Scan {
        text,
        tokens: without_directives(text, &mut found),
        at: 0,
        scopes: Vec::new(),
        aliases: Vec::new(),
        found,
    };
    while scan.at < scan.tokens.len() {
        let before = scan.at;
        scan.declaration();
        if scan.at == before {
            scan.at += 1;
        }
    }
    scan.found
}

struct Scan<'a> {
    text: &'a str,
    tokens: Vec<Token>,
    at: usize,
    /// Open braces: the name of a namespace, or `None` for others.
    scopes: Vec<Option<String>>,
    /// Namespace aliases.
    aliases: Vec<(String, String)>,
    found: Source,
}

/// The name for anonymous namespaces, which no source can use.
const ANONYMOUS: &str = "{}";

impl<'a> Scan<'a> {
    fn word(&self, at: usize) -> &'a str {
        self.tokens.get(at).map_or("", |token| &self.text[token.range.clone()])
    }

    fn is_word(&self, at: usize) -> bool {
        self.tokens.get(at).is_some_and(|token| token.kind == TokenKind::Word)
    }

    /// The index after the bracket that closes the one at `at`.
    fn matching(&self, at: usize) -> usize {
        let mut depth = 0usize;
        for i in at..self.tokens.len() {
            match self.word(i) {
                "(" | "[" | "{" if self.tokens[i].kind == TokenKind::Punct => depth += 1,
                ")" | "]" | "}" if self.tokens[i].kind == TokenKind::Punct => {
                    depth = depth.saturating_sub(1);
                    if depth == 0 {
                        return i + 1;
                    }
                }
                _ => {}
            }
        }
        self.tokens.len()
    }

    /// The index after the angle bracket that closes the one at `at`; a group in parentheses counts
    /// as one token.
    fn closing_angle(&self, at: usize) -> usize {
        let (mut depth, mut i) = (0usize, at);
        while i < self.tokens.len() {
            match self.word(i) {
                "<" => depth += 1,
                ">" => {
                    depth = depth.saturating_sub(1);
                    if depth == 0 {
                        return i + 1;
                    }
                }
                "(" | "[" | "{" => {
                    i = self.matching(i);
                    continue;
                }
                ";" => return i,
                _ => {}
            }
            i += 1;
        }
        i
    }

    fn declaration(&mut self) {
        match self.word(self.at) {
            "}" => {
                self.scopes.pop();
                self.at += 1;
            }
            ";" => self.at += 1,
            "inline" if self.word(self.at + 1) == "namespace" => {
                self.at += 1;
                let outer = self.scopes.len();
                self.namespace();
                // Names in it belong to the enclosing namespace.
                if let Some(scope) = self.scopes.get_mut(outer) {
                    *scope = None;
                }
            }
            "namespace" => self.namespace(),
            "extern" if self.tokens.get(self.at + 1).is_some_and(|t| t.kind == TokenKind::Literal) => {
                self.at += 2;
                if self.word(self.at) == "{" {
                    self.scopes.push(None);
                    self.at += 1;
                }
            }
            "using" | "typedef" => self.alias(),
            "static_assert" | "friend" => self.past_semicolon(),
            _ => self.other(),
        }
    }

    /// A type's alias, or another declaration that begins like one.
    fn alias(&mut self) {
        let start = self.at;
        self.past_semicolon();
        // Without the semicolon.
        let end = self.at.saturating_sub(1).max(start);
        if self.word(start) == "using" && self.word(start + 2) != "=" {
            let name = self.joined(start + 1..end);
            self.found.usings.push(name);
        }
        let alias = match self.word(start) {
            "using" if self.is_word(start + 1) && self.word(start + 2) == "=" => {
                Some((self.word(start + 1), start + 3..end))
            }
            "typedef" if end > start + 2 && self.is_word(end - 1) => Some((self.word(end - 1), start + 1..end - 1)),
            _ => None,
        };
        if let Some((name, meaning)) = alias {
            self.found.aliases.push((name.to_owned(), self.joined(meaning)));
        }
    }

    fn past_semicolon(&mut self) {
        while self.at < self.tokens.len() {
            match self.word(self.at) {
                ";" => {
                    self.at += 1;
                    return;
                }
                "(" | "{" | "[" => self.at = self.matching(self.at),
                "}" => return,
                _ => self.at += 1,
            }
        }
    }

    fn namespace(&mut self) {
        self.at += 1;
        let mut names = Vec::new();
        while self.at < self.tokens.len() {
            match self.word(self.at) {
                "{" => {
                    let name = if names.is_empty() { ANONYMOUS.to_owned() } else { names.join("::") };
                    self.scopes.push(Some(name));
                    self.at += 1;
                    return;
                }
                "=" => {
                    let start = self.at + 1;
                    self.past_semicolon();
                    let target: String = (start..self.at).map(|i| self.word(i)).filter(|word| *word != ";").collect();
                    self.aliases.push((names.join("::"), target.trim_start_matches("::").to_owned()));
                    return;
                }
                "[" => self.at = self.matching(self.at),
                ";" | "}" => return,
                "::" | "inline" => self.at += 1,
                word => {
                    names.push(word);
                    self.at += 1;
                }
            }
        }
    }

    /// Any other declaration or definition.
    fn other(&mut self) {
        let mut is_template = false;
        while self.word(self.at) == "template" {
            is_template = true;
            self.at = if self.word(self.at + 1) == "<" { self.closing_angle(self.at + 1) } else { self.at + 1 };
        }
        let start = self.at;
        let mut groups: Vec<Range<usize>> = Vec::new();
        let mut initialises = false;
        while self.at < self.tokens.len() {
            match self.word(self.at) {
                ";" => {
                    let declared = self.function(start..self.at, &groups, is_template);
                    self.mention(&groups, declared.as_ref());
                    self.found.declared.extend(declared);
                    self.at += 1;
                    return;
                }
                "}" => return,
                "(" => {
                    let end = self.matching(self.at);
                    groups.push(self.at..end);
                    self.at = end;
                }
                "[" => self.at = self.matching(self.at),
                "=" if !(start..self.at).any(|i| self.word(i) == "operator") => return self.past_semicolon(),
                // `: member{value} {`
                "{" if initialises && self.at > start && self.is_word(self.at - 1) => self.at = self.matching(self.at),
                "{" => break,
                ":" => {
                    initialises = !groups.is_empty();
                    self.at += 1;
                }
                _ => self.at += 1,
            }
        }
        let (head, body_start, body_end) = (start..self.at, self.at, self.matching(self.at));
        let is_block = head.is_empty();
        let defined = self.function(head, &groups, is_template);
        self.mention(&groups, defined.as_ref());
        self.at = body_end;
        match defined {
            Some(definition) => {
                let body = self.bytes(body_start..body_end);
                self.found.definitions.push(Definition { body, ..definition });
            }
            // A class, or an initialized variable.
            None if groups.is_empty() && !is_block => self.past_semicolon(),
            None => {}
        }
    }

    /// Records the words in parentheses that are not the parameters of a function.
    fn mention(&mut self, groups: &[Range<usize>], function: Option<&Definition>) {
        if function.is_some_and(|one| one.form != DefinitionForm::Function) {
            return;
        }
        // Without a return type it is a macro, or a constructor.
        let parameters = function.filter(|one| !one.returns.is_empty());
        let ends_at = parameters.map(|one| one.range.end);
        for group in groups {
            let last = group.end.checked_sub(1).and_then(|last| self.tokens.get(last));
            if last.map(|token| token.range.end) == ends_at {
                continue;
            }
            let words = group.clone().filter(|at| self.is_word(*at)).map(|at| self.word(at).to_owned());
            self.found.mentioned.extend(words.collect::<Vec<_>>());
        }
    }

    /// The function declared by the tokens before a `{`.
    fn function(&self, head: Range<usize>, groups: &[Range<usize>], is_template: bool) -> Option<Definition> {
        let first = self.word(head.start);
        if let (
            "TORCH_IMPL_FUNC"
            | "TORCH_META_FUNC"
            | "TORCH_META_FUNC2"
            | "TORCH_PRECOMPUTE_META_FUNC"
            | "TORCH_PRECOMPUTE_META_FUNC2",
            [name, parameters],
        ) = (first, groups)
        {
            let form = if first == "TORCH_IMPL_FUNC" { DefinitionForm::Impl } else { DefinitionForm::Meta };
            let own = self.split(name).iter().map(|part| self.joined(part.clone())).collect::<Vec<_>>().join("_");
            return Some(self.definition(form, &own, head.start, head.start..head.start, parameters, is_template));
        }
        let group = groups.iter().find(|group| self.is_parameter_list(group, &head))?;
        let mut name_start = group.start.checked_sub(1).filter(|at| *at >= head.start && self.is_word(*at))?;
        let is_scope = |at: usize| self.is_word(at) && !BUILTIN.contains(&self.word(at));
        while name_start >= head.start + 2 && self.word(name_start - 1) == "::" && is_scope(name_start - 2) {
            name_start -= 2;
        }
        if name_start > head.start && self.word(name_start - 1) == "::" {
            name_start -= 1;
        }
        let name = self.joined(name_start..group.start);
        let returns = if self.word(group.end) == "->" { group.end + 1..head.end } else { head.start..name_start };
        Some(self.definition(
            DefinitionForm::Function,
            name.trim_start_matches("::"),
            name_start,
            returns,
            group,
            is_template,
        ))
    }

    /// Whether the tokens after the group can follow a function's parameters.
    fn is_parameter_list(&self, group: &Range<usize>, head: &Range<usize>) -> bool {
        let named = group.start > head.start && self.is_word(group.start - 1);
        let not_functions =
            ["decltype", "noexcept", "alignas", "__attribute__", "__declspec", "explicit", "requires", "operator"];
        let follows = self.word(group.end);
        named
            && !not_functions.contains(&self.word(group.start - 1))
            && (group.end >= head.end
                || [
                    "const",
                    "noexcept",
                    "override",
                    "final",
                    "volatile",
                    "&",
                    "->",
                    "try",
                    "requires",
                    "[",
                    "__attribute__",
                ]
                .contains(&follows))
    }

    fn definition(
        &self,
        form: DefinitionForm,
        name: &str,
        start: usize,
        returns: Range<usize>,
        parameters: &Range<usize>,
        is_template: bool,
    ) -> Definition {
        let specifiers: Vec<&str> = (returns.start..start).map(|i| self.word(i)).collect();
        let is_unnamed = self.scopes.iter().flatten().any(|scope| scope == ANONYMOUS);
        let is_private = is_template || specifiers.contains(&"static") || specifiers.contains(&"inline") || is_unnamed;
        let scopes = self.scopes.iter().flatten().filter(|scope| *scope != ANONYMOUS);
        let mut full: Vec<&str> = scopes.map(|scope| self.unaliased(scope)).collect();
        let own = match name.split_once("::") {
            Some((space, rest)) => format!("{}::{rest}", self.unaliased(space)),
            None => name.to_owned(),
        };
        // The expansion of the macros: a member of the kernel's struct.
        let member = |suffix| own.strip_suffix(suffix).and_then(|class| class.rsplit_once("structured_"));
        let is_struct = |(scope, _): &(&str, &str)| scope.is_empty() || scope.ends_with("::");
        let (form, own) = match (form, member("::impl").filter(is_struct), member("::meta").filter(is_struct)) {
            (DefinitionForm::Function, Some((scope, kernel)), _) => (DefinitionForm::Impl, format!("{scope}{kernel}")),
            (DefinitionForm::Function, _, Some((scope, kernel))) => (DefinitionForm::Meta, format!("{scope}{kernel}")),
            (form, ..) => (form, own),
        };
        let returns = if form == DefinitionForm::Function { returns } else { start..start };
        full.push(&own);
        let parts = self.split(parameters);
        Definition {
            name: full.join("::"),
            form,
            returns: self.joined(returns),
            parameters: parts.iter().map(|part| self.joined(part.clone())).collect(),
            parameter_ranges: parts.into_iter().map(|part| self.bytes(part)).collect(),
            range: self.bytes(start..parameters.end),
            body: 0..0,
            is_private,
            is_unnamed,
            is_template,
        }
    }

    /// The bytes of tokens.
    fn bytes(&self, tokens: Range<usize>) -> Range<usize> {
        let start = self.tokens.get(tokens.start).map_or(self.text.len(), |token| token.range.start);
        let end =
            tokens.end.checked_sub(1).and_then(|last| self.tokens.get(last)).map_or(start, |token| token.range.end);
        start..end.max(start)
    }

    fn unaliased<'b>(&'b self, name: &'b str) -> &'b str {
        self.aliases.iter().rev().find(|(alias, _)| alias == name).map_or(name, |(_, target)| target)
    }

    /// The parts of a group, separated by commas, without its parentheses. Commas between matching
    /// angle brackets do not separate.
    fn split(&self, group: &Range<usize>) -> Vec<Range<usize>> {
        let end = group.end.saturating_sub(1);
        let (mut parts, mut start, mut i) = (Vec::new(), group.start + 1, group.start + 1);
        let angles = self.angles(start..end);
        while i < end {
            match self.word(i) {
                "(" | "[" | "{" => i = self.matching(i).min(end),
                "<" => i = angles.get(&i).map_or(i + 1, |close| (*close).max(i + 1)),
                "," => {
                    parts.push(start..i);
                    start = i + 1;
                    i += 1;
                }
                _ => i += 1,
            }
        }
        if start < end {
            parts.push(start..end);
        }
        parts
    }

    /// For each opening angle bracket in a range, the index after its closing one, if there is one.
    /// One pass, since a text can consist of opening brackets.
    fn angles(&self, within: Range<usize>) -> FxHashMap<usize, usize> {
        let (mut open, mut closed) = (Vec::new(), FxHashMap::default());
        let mut i = within.start;
        while i < within.end {
            match self.word(i) {
                "<" => open.push(i),
                ">" => closed.extend(open.pop().map(|at| (at, i + 1))),
                ";" => closed.extend(open.drain(..).map(|at| (at, i))),
                "(" | "[" | "{" => {
                    i = self.matching(i);
                    continue;
                }
                _ => {}
            }
            i += 1;
        }
        closed
    }

    /// The tokens with one space between words and none elsewhere.
    fn joined(&self, range: Range<usize>) -> String {
        let mut text = String::new();
        let mut word_before = false;
        for i in range {
            let Some(token) = self.tokens.get(i) else { break };
            let is_word = !matches!(token.kind, TokenKind::Punct);
            if is_word && word_before {
                text.push(' ');
            }
            text.push_str(self.word(i));
            word_before = is_word;
        }
        text
    }
}
