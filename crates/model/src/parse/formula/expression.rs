//! Reads a formula as an expression of C++.
//!
//! Invariant: whatever the text is, the result is an expression or the place of the first token
//! that formulas in Python cannot have. Depth and length are limited, so that no text exhausts the
//! stack, neither here nor in readers of the expression.

use std::ops::Range;

use super::{Binary, Expr, Node, Path, Problem, Unary, foreign};
use torchgen_base::lang::cpp::{Kind, Token, tokens};
use torchgen_kit::expr::Comparison;

/// How deep expressions may be nested.
const DEPTH: usize = 100;
/// How many operators, calls of methods and indices a formula may have: each makes the expression
/// higher, because `a + b + c` is `(a + b) + c`.
const LINKS: usize = 300;

/// Names before an angle bracket that opens the arguments of a template.
const TEMPLATES: &[&str] = &[
    "get",
    "tuple",
    "vector",
    "array",
    "optional",
    "ArrayRef",
    "OptionalArrayRef",
    "List",
    "make_tuple",
    "static_cast",
    "const_cast",
    "reinterpret_cast",
    "dynamic_cast",
];

/// Types that can be cast to in parentheses.
const TYPES: &[&str] = &["int64_t", "int", "long", "double", "float", "bool"];

/// Reads a formula.
///
/// # Errors
/// The first token that cannot be read.
pub fn parse(formula: &str) -> Result<Expr, Problem> {
    let tokens = tokens(formula);
    let mut parser = Parser { formula, tokens: &tokens, at: 0, depth: 0, links: 0 };
    let expr = parser.expression()?;
    if parser.at < tokens.len() {
        return Err(parser.unexpected());
    }
    Ok(expr)
}

struct Parser<'f> {
    formula: &'f str,
    tokens: &'f [Token],
    at: usize,
    depth: usize,
    links: usize,
}

impl<'f> Parser<'f> {
    fn text_at(&self, i: usize) -> &'f str {
        self.tokens.get(i).map_or("", |token| &self.formula[token.range.clone()])
    }

    fn text(&self) -> &'f str {
        self.text_at(self.at)
    }

    /// Whether the tokens from here on are these characters, without space between them.
    fn is_joined(&self, characters: &str) -> bool {
        let Some(first) = self.tokens.get(self.at) else { return false };
        let parts: Vec<Range<usize>> =
            self.tokens[self.at..].iter().take(characters.len()).map(|token| token.range.clone()).collect();
        parts.len() == characters.len()
            && parts.windows(2).all(|pair| pair[0].end == pair[1].start)
            && self.formula[first.range.start..].starts_with(characters)
            && parts.iter().all(|range| range.len() == 1)
    }

    fn kind(&self) -> Option<Kind> {
        self.tokens.get(self.at).map(|token| token.kind)
    }

    fn range(&self) -> Range<usize> {
        self.tokens.get(self.at).map_or(self.formula.len()..self.formula.len(), |token| token.range.clone())
    }

    fn unexpected(&self) -> Problem {
        if let Some(problem) = foreign::unexpected(self.formula, self.tokens, self.at) {
            return problem;
        }
        let message = match self.text() {
            "" => "an expression is missing at the end of the formula".to_owned(),
            text => format!("Python has no expression for `{text}` here"),
        };
        Problem::new(self.range(), message)
    }

    fn take(&mut self, text: &str) -> bool {
        let found = self.text() == text;
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, text: &str) -> Result<(), Problem> {
        if self.take(text) { Ok(()) } else { Err(self.unexpected()) }
    }

    /// The text from there to the last token that was read.
    fn since(&self, start: usize) -> Range<usize> {
        let end = self.at.checked_sub(1).and_then(|i| self.tokens.get(i)).map_or(start, |token| token.range.end);
        start..end.max(start)
    }

    /// Enters a level.
    fn enter(&mut self) -> Result<(), Problem> {
        self.depth += 1;
        if self.depth <= DEPTH {
            return Ok(());
        }
        Err(Problem::new(self.range(), format!("the formula is nested more than {DEPTH} levels deep")))
    }

    /// Counts an operator, a call of a method or an index.
    fn link(&mut self) -> Result<(), Problem> {
        self.links += 1;
        if self.links <= LINKS {
            return Ok(());
        }
        let message = format!("the formula has more than {LINKS} operators, calls of methods and indices");
        Err(Problem::new(self.range(), message))
    }

    fn expression(&mut self) -> Result<Expr, Problem> {
        self.enter()?;
        let start = self.range().start;
        let condition = self.binary(0)?;
        let expr = if self.take("?") {
            let yes = self.expression()?;
            self.expect(":")?;
            let no = self.expression()?;
            let node = Node::Ternary { condition: Box::new(condition), yes: Box::new(yes), no: Box::new(no) };
            Expr { node, range: self.since(start) }
        } else {
            condition
        };
        self.depth -= 1;
        Ok(expr)
    }

    /// The operator here, and how many tokens it has.
    fn operator(&self) -> Option<(Binary, usize)> {
        use Binary::*;
        let pairs = [("||", Or), ("&&", And), ("<<", ShiftLeft), (">>", ShiftRight)];
        let comparisons = Comparison::ALL.map(|comparison| (comparison.symbol(), Compare(comparison)));
        let mut long = pairs.into_iter().chain(comparisons).filter(|(text, _)| text.len() == 2);
        if let Some((_, operator)) = long.find(|(text, _)| self.is_joined(text)) {
            return Some((operator, 2));
        }
        let operator = match self.text() {
            "or" => Or,
            "and" => And,
            "bitor" | "|" => BitOr,
            "xor" | "^" => BitXor,
            "bitand" | "&" => BitAnd,
            "not_eq" => Compare(Comparison::NotEqual),
            "+" => Add,
            "-" => Subtract,
            "*" => Multiply,
            "/" => Divide,
            "%" => Remainder,
            other => Compare(Comparison::of_symbol(other)?),
        };
        // An assignment, such as `+=`.
        let assigns = self.text_at(self.at + 1) == "="
            && self.tokens.get(self.at + 1).is_some_and(|next| next.range.start == self.range().end);
        (!assigns).then_some((operator, 1))
    }

    fn binary(&mut self, weakest: u8) -> Result<Expr, Problem> {
        let start = self.range().start;
        let mut left = self.unary()?;
        while let Some((operator, length)) = self.operator().filter(|(operator, _)| operator.strength() > weakest) {
            self.link()?;
            let place = self.range().start..self.range().start + length;
            let place = if length == 1 { self.range() } else { place };
            self.at += length;
            let right = self.binary(operator.strength())?;
            let node = Node::Binary { operator, place, left: Box::new(left), right: Box::new(right) };
            left = Expr { node, range: self.since(start) };
        }
        Ok(left)
    }

    fn unary(&mut self) -> Result<Expr, Problem> {
        let start = self.range().start;
        self.enter()?;
        let operator = match self.text() {
            "-" => Some(Unary::Minus),
            "+" => Some(Unary::Plus),
            "!" | "not" => Some(Unary::Not),
            "~" | "compl" => Some(Unary::Invert),
            _ => None,
        };
        let expr = if let Some(operator) = operator {
            self.at += 1;
            let operand = self.unary()?;
            Expr { node: Node::Unary(operator, Box::new(operand)), range: self.since(start) }
        } else if self.take("*") {
            let doubled = self.formula[..start].ends_with('*');
            let place = start - usize::from(doubled)..start + 1;
            let operand = self.unary()?;
            if let Some(problem) = foreign::not_a_pointer(&operand, &place, |_| false) {
                return Err(problem);
            }
            Expr { node: Node::Dereferenced { value: Box::new(operand), place }, range: self.since(start) }
        } else if self.text() == "(" && TYPES.contains(&self.text_at(self.at + 1)) && self.text_at(self.at + 2) == ")" {
            let place = self.tokens[self.at + 1].range.clone();
            let ty = Path { parts: vec![self.text_at(self.at + 1).to_owned()], template: None, range: place };
            self.at += 3;
            let operand = self.unary()?;
            Expr { node: Node::Call(ty, vec![operand]), range: self.since(start) }
        } else {
            self.postfix()?
        };
        self.depth -= 1;
        Ok(expr)
    }

    fn postfix(&mut self) -> Result<Expr, Problem> {
        let start = self.range().start;
        let mut value = self.primary()?;
        loop {
            let node = match self.text() {
                "." | "->" => {
                    self.link()?;
                    self.at += 1;
                    if self.kind() != Some(Kind::Word) {
                        return Err(self.unexpected());
                    }
                    let (name, place) = (self.text().to_owned(), self.range());
                    self.at += 1;
                    if self.text() == "<" {
                        return Err(self.unexpected());
                    }
                    if self.text() != "(" {
                        return Err(Problem::new(place, format!("Python has no expression for the member `{name}`")));
                    }
                    let arguments = self.list("(", ")")?;
                    Node::Method { object: Box::new(value), name, place, arguments }
                }
                "[" => {
                    self.link()?;
                    self.at += 1;
                    let index = self.expression()?;
                    self.expect("]")?;
                    Node::Index(Box::new(value), Box::new(index))
                }
                _ => return Ok(value),
            };
            value = Expr { node, range: self.since(start) };
        }
    }

    /// Expressions between brackets.
    fn list(&mut self, open: &str, close: &str) -> Result<Vec<Expr>, Problem> {
        self.expect(open)?;
        let mut items = Vec::new();
        while !self.take(close) {
            if !items.is_empty() {
                self.expect(",")?;
                // Braces may end with a comma.
                if close == "}" && self.take(close) {
                    break;
                }
            }
            items.push(self.expression()?);
        }
        Ok(items)
    }

    fn primary(&mut self) -> Result<Expr, Problem> {
        let start = self.range().start;
        let node = match self.kind() {
            Some(Kind::Number) => {
                let number = self.text().to_owned();
                self.at += 1;
                Node::Number(number)
            }
            Some(Kind::Literal) => self.literal()?,
            Some(Kind::Word) => self.path()?,
            _ => match self.text() {
                "(" if self.text_at(self.at + 1) == "{" => return Err(self.unexpected()),
                "(" => {
                    self.at += 1;
                    let inner = self.expression()?;
                    self.expect(")")?;
                    return Ok(Expr { range: self.since(start), ..inner });
                }
                "{" => Node::Braces(None, self.list("{", "}")?),
                "[" => return Err(Problem::new(self.range(), "Python has no expression for a lambda".to_owned())),
                "::" => self.path()?,
                _ => return Err(self.unexpected()),
            },
        };
        Ok(Expr { node, range: self.since(start) })
    }

    /// String literals, which follow each other if there are several.
    fn literal(&mut self) -> Result<Node, Problem> {
        let mut text = String::new();
        while self.kind() == Some(Kind::Literal) {
            let plain = self.text().strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
            let Some(inside) = plain.filter(|inside| !inside.contains(['\\', '"'])) else {
                return Err(Problem::new(self.range(), "only strings without escapes can be translated".to_owned()));
            };
            text.push_str(inside);
            self.at += 1;
        }
        Ok(Node::Text(text))
    }

    fn path(&mut self) -> Result<Node, Problem> {
        let start = self.range().start;
        let _ = self.take("::");
        let mut parts = Vec::new();
        loop {
            if self.kind() != Some(Kind::Word) {
                return Err(self.unexpected());
            }
            parts.push(self.text().to_owned());
            self.at += 1;
            if !self.take("::") {
                break;
            }
        }
        let mut path = Path { parts, template: None, range: self.since(start) };
        if self.text() == "<" && TEMPLATES.contains(&path.name()) {
            path.template = Some(self.template()?);
        }
        Ok(match self.text() {
            "(" => Node::Call(path, self.list("(", ")")?),
            "{" => Node::Braces(Some(path), self.list("{", "}")?),
            _ => Node::Path(path),
        })
    }

    /// The text between angle brackets.
    fn template(&mut self) -> Result<String, Problem> {
        let start = self.range().end;
        let mut depth = 0_usize;
        loop {
            match self.text() {
                "<" => depth += 1,
                ">" => depth -= 1,
                "" => return Err(self.unexpected()),
                _ => {}
            }
            let end = self.range().start;
            self.at += 1;
            if depth == 0 {
                return Ok(self.formula[start..end].to_owned());
            }
        }
    }
}
