//! Lambdas and statement expressions.
//!
//! Invariant: a statement whose form is not known is passed over up to its end, so that no valid
//! one is an error.

use super::ast::Parameter;
use super::parse::Parser;
use super::{Node, Path, Problem, Statement};
use torchgen_base::lang::cpp::{TokenKind, is_keyword};

/// Words that a declaration can start with.
const DECLARE: &[&str] = &["auto", "const", "constexpr", "static", "thread_local", "volatile"];

/// Statements that are passed over up to a semicolon.
const PLAIN: &[&str] =
    &["asm", "break", "continue", "enum", "goto", "static_assert", "struct", "typedef", "using", "class", "union"];

impl Parser<'_> {
    /// A lambda.
    pub(super) fn lambda(&mut self) -> Result<Node, Problem> {
        let behind = self.behind_brackets(self.at);
        self.captures(behind)?;
        if self.text() == "<" && self.text_at(self.at + 1) == ">" {
            self.at += 1;
            return Err(self.unexpected());
        }
        if let Some(behind) = self.behind_template().filter(|_| self.text() == "<") {
            self.at = behind;
        }
        let mut parameters = Vec::new();
        if self.text() == "(" {
            let behind = self.behind_brackets(self.at);
            let end = behind.saturating_sub(1);
            if let Some(wrong) = self.no_parameter(self.at + 1, end) {
                self.at = wrong;
                return Err(self.unexpected());
            }
            parameters = self.parameters(self.at + 1, end);
            self.at = behind;
        }
        // `mutable`, `noexcept` and the type that it returns.
        while self.at < self.tokens.len() && !matches!(self.text(), "{" | "," | ";" | ")" | "]" | "}") {
            self.at += 1;
        }
        Ok(Node::Lambda(parameters, self.block()?))
    }

    /// What a lambda takes from outside.
    fn captures(&mut self, behind: usize) -> Result<(), Problem> {
        self.at += 1;
        while self.at + 1 < behind {
            if matches!(self.text(), "&" | "=" | "*") {
                self.at += 1;
            }
            if self.kind_at(self.at) == Some(TokenKind::Word) {
                self.at += 1;
                if self.take("=") {
                    self.expression()?;
                }
            }
            if self.at + 1 < behind && (!self.take(",") || self.at + 1 == behind) {
                return Err(self.unexpected());
            }
        }
        self.expect("]")?;
        match self.text() {
            "(" | "{" | "<" | "mutable" | "noexcept" | "->" => Ok(()),
            _ => Err(self.unexpected()),
        }
    }

    /// The first token between these that is in no declaration of parameters. Their defaults are
    /// expressions.
    fn no_parameter(&self, start: usize, end: usize) -> Option<usize> {
        let mut default = false;
        (start..end).find(|i| {
            let text = self.text_at(*i);
            if text == "=" && !default && self.text_at(*i + 1) == "=" {
                return true;
            }
            default = (default || text == "=") && text != ",";
            let dots = text == "." && [*i - 1, *i + 1].into_iter().any(|beside| self.text_at(beside) == ".");
            let operator = matches!(text, "/" | "+" | "-" | "%" | "^" | "?");
            !default && (operator || matches!(text, "." | "->") && !dots)
        })
    }

    /// Parameters: the last word of each is its name.
    fn parameters(&self, start: usize, end: usize) -> Vec<Parameter> {
        let (mut found, mut depth, mut is_default) = (Vec::new(), 0_usize, false);
        let (mut words, mut default) = (Vec::new(), Vec::new());
        let mut take = |words: &mut Vec<String>, default: &mut Vec<String>| {
            let (ty, default) = (std::mem::take(words), std::mem::take(default));
            if let [ty @ .., name] = ty.as_slice() {
                found.push(Parameter { name: name.clone(), ty: ty.to_vec(), default });
            }
        };
        for i in start..end {
            match self.text_at(i) {
                "(" | "[" | "{" | "<" => depth += 1,
                ")" | "]" | "}" | ">" => depth = depth.saturating_sub(1),
                "," if depth == 0 => {
                    is_default = false;
                    take(&mut words, &mut default);
                }
                "=" if depth == 0 => is_default = true,
                _ if self.kind_at(i) != Some(TokenKind::Word) => {}
                word if is_default => default.push(word.to_owned()),
                word if depth == 0 => words.push(word.to_owned()),
                _ => {}
            }
        }
        take(&mut words, &mut default);
        found
    }

    /// Statements in braces.
    pub(super) fn block(&mut self) -> Result<Vec<Statement>, Problem> {
        self.expect("{")?;
        let mut body = Vec::new();
        while !self.take("}") {
            if self.at >= self.tokens.len() {
                return Err(self.unexpected());
            }
            body.push(self.statement()?);
        }
        Ok(body)
    }

    fn statement(&mut self) -> Result<Statement, Problem> {
        self.enter()?;
        let statement = self.any_statement()?;
        self.leave();
        Ok(statement)
    }

    fn any_statement(&mut self) -> Result<Statement, Problem> {
        match self.text() {
            ";" => {
                self.at += 1;
                Ok(Statement::Block(Vec::new()))
            }
            "{" => Ok(Statement::Block(self.block()?)),
            "return" => {
                self.at += 1;
                if self.take(";") {
                    return Ok(Statement::Block(Vec::new()));
                }
                let value = self.item()?;
                self.expect(";")?;
                Ok(Statement::Return(value))
            }
            first @ ("if" | "while") => {
                self.at += 1;
                let _ = self.take("constexpr");
                self.expect("(")?;
                let mut body = vec![self.simple(")")?];
                body.push(self.statement()?);
                if self.take("else") {
                    body.push(self.statement()?);
                }
                Ok(if first == "if" { Statement::If(body) } else { Statement::Loop(body) })
            }
            "for" => self.for_loop(),
            word if PLAIN.contains(&word) => Ok(self.passed_over()),
            word if is_keyword(word) && matches!(word, "do" | "switch" | "try" | "case" | "default") => {
                Ok(self.passed_over())
            }
            _ => {
                let simple = self.simple(";")?;
                Ok(simple)
            }
        }
    }

    fn for_loop(&mut self) -> Result<Statement, Problem> {
        self.at += 1;
        let open = self.at;
        let behind = self.behind_brackets(open);
        self.expect("(")?;
        let mut body = Vec::new();
        let (start, mut depth) = (self.at, 0_usize);
        // `for (declaration : range)`
        let colon = (start..behind).find(|i| {
            match self.text_at(*i) {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => depth = depth.saturating_sub(1),
                _ => {}
            }
            depth == 0 && matches!(self.text_at(*i), ":" | ";" | "?")
        });
        match colon.filter(|i| self.text_at(*i) == ":") {
            Some(colon) => {
                let names = self.parameters(start, colon).into_iter().map(|parameter| parameter.name).collect();
                self.at = colon + 1;
                body.push(Statement::Declare(Vec::new(), names, vec![self.expression()?]));
                self.expect(")")?;
            }
            None => {
                body.push(self.simple(";")?);
                if !self.take(";") {
                    body.push(self.evaluated()?);
                }
                body.push(if self.take(")") { Statement::Block(Vec::new()) } else { self.simple(")")? });
            }
        }
        body.push(self.statement()?);
        Ok(Statement::Loop(body))
    }

    /// A declaration or an expression, and what ends it.
    fn simple(&mut self, end: &str) -> Result<Statement, Problem> {
        if self.take(end) {
            return Ok(Statement::Block(Vec::new()));
        }
        let start = self.at;
        let Some((types, names)) = self.declared() else {
            let value = self.expression()?;
            // A comma operator.
            if self.text() == "," {
                return Ok(self.passed_over());
            }
            // The last statement of a statement expression may lack its semicolon in macros only.
            self.expect(end)?;
            return Ok(Statement::Evaluate(value));
        };
        let unpacks = self.at > start && self.text_at(self.at - 1) == "]";
        let mut values = Vec::new();
        let mut names = names;
        loop {
            match self.text() {
                "=" => {
                    self.at += 1;
                    values.push(self.item()?);
                }
                "(" | "{" => {
                    self.at += 1;
                    while !matches!(self.text(), ")" | "}") {
                        values.push(self.item()?);
                        if !self.take(",") {
                            break;
                        }
                    }
                    if !self.take(")") {
                        self.expect("}")?;
                    }
                }
                _ => {}
            }
            if self.take(",") && self.kind_at(self.at) == Some(TokenKind::Word) {
                names.push(self.text().to_owned());
                self.at += 1;
                continue;
            }
            break;
        }
        self.expect(end)?;
        if let (true, [_]) = (unpacks, values.as_slice()) {
            return Ok(Statement::Unpack(names, values.remove(0)));
        }
        Ok(Statement::Declare(types, names, values))
    }

    fn evaluated(&mut self) -> Result<Statement, Problem> {
        let value = self.expression()?;
        self.expect(";")?;
        Ok(Statement::Evaluate(value))
    }

    /// The words that nothing qualifies before the names of a declaration that starts here, and
    /// these names, up to its first value; `None` if there is none.
    fn declared(&mut self) -> Option<(Vec<Path>, Vec<String>)> {
        let start = self.at;
        let certain = DECLARE.contains(&self.text());
        let mut last = None;
        let mut words = 0_usize;
        while self.at < self.tokens.len() {
            match self.text() {
                "<" => match self.behind_template() {
                    Some(behind) => self.at = behind,
                    None => break,
                },
                "[" if certain && matches!(self.text_at(self.at - 1), "auto" | "&") => {
                    let behind = self.behind_brackets(self.at);
                    let names = (self.at..behind).filter(|i| self.kind_at(*i) == Some(TokenKind::Word));
                    let names = names.map(|i| self.text_at(i).to_owned()).collect();
                    self.at = behind;
                    return Some((Vec::new(), names));
                }
                "::" | "*" | "&" => self.at += 1,
                word if self.kind_at(self.at) == Some(TokenKind::Word) => {
                    let qualified = self.at > start && self.text_at(self.at - 1) == "::";
                    words += usize::from(!qualified);
                    last = Some(word.to_owned());
                    self.at += 1;
                }
                _ => break,
            }
        }
        let starred = (start..self.at).any(|i| matches!(self.text_at(i), "*" | "&"));
        let ends = matches!(self.text(), "=" | ";" | "," | "{") || (self.text() == "(" && !starred);
        if ends && words >= 2 && self.kind_at(self.at.saturating_sub(1)) == Some(TokenKind::Word) {
            let operator = (start..self.at - 1).any(|i| super::parse::is_operator(self.text_at(i)));
            if !operator && (certain || self.kind_at(start) == Some(TokenKind::Word)) {
                let beside = |i: usize| self.text_at(i) == "::";
                let alone = |i: &usize| {
                    let qualified = *i > start && beside(*i - 1);
                    !qualified && !beside(*i + 1) && self.kind_at(*i) == Some(TokenKind::Word)
                };
                let word = |i: usize| Path {
                    parts: vec![self.text_at(i).to_owned()],
                    template: None,
                    is_global: false,
                    range: self.tokens[i].range.clone(),
                };
                let types = (start..self.at - 1).filter(alone).map(word).collect();
                return last.map(|name| (types, vec![name]));
            }
        }
        self.at = start;
        None
    }

    /// A statement whose form is not known: all up to its semicolon, or to the end of its braces.
    fn passed_over(&mut self) -> Statement {
        let start = self.range().start;
        while self.at < self.tokens.len() {
            match self.text() {
                ";" => {
                    self.at += 1;
                    break;
                }
                "}" => break,
                "{" => {
                    self.at = self.behind_brackets(self.at);
                    if !matches!(self.text(), "while" | "catch" | ";" | "else") {
                        break;
                    }
                }
                "(" | "[" => self.at = self.behind_brackets(self.at),
                _ => self.at += 1,
            }
        }
        Statement::Other(self.since(start))
    }
}
