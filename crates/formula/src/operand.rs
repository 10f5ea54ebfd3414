//! Operands: values with their members, calls and indices.
//!
//! Invariant: values in braces are read only where C++ has them.

use super::parse::Parser;
use super::{Binary, Expr, Method, Node, Path, Problem, Unary};
use torchgen_base::lang::cpp::{TokenKind, is_keyword};

/// Keywords that no expression can start with, and no input can be called: those of Python too.
const STATEMENTS: &[&str] = &["break", "class", "continue", "else", "for", "if", "return", "while"];

/// Operators whose operand may be a type.
const ON_TYPES: &[&str] = &["alignof", "decltype", "noexcept", "sizeof", "typeid"];

/// Casts to the type between angle brackets.
const CASTS: &[&str] = &["const_cast", "dynamic_cast", "reinterpret_cast", "static_cast"];

impl Parser<'_> {
    pub(super) fn postfix(&mut self) -> Result<Expr, Problem> {
        let start = self.range().start;
        let mut value = self.primary()?;
        loop {
            let object = Box::new(value);
            let node = match self.text() {
                "." | "->" => {
                    self.link()?;
                    self.member(object)?
                }
                "[" if self.text_at(self.at + 1) == "[" => {
                    let place = self.range().start..self.tokens[self.at + 1].range.end;
                    return Err(
                        Problem::not_cpp(place, "C++ has no `[[` here").help("write parentheses around a lambda")
                    );
                }
                "[" => {
                    self.link()?;
                    self.at += 1;
                    let index = self.item()?;
                    self.expect("]")?;
                    Node::Index(object, Box::new(index))
                }
                "(" => {
                    self.link()?;
                    Node::Apply(object, self.list("(", ")")?)
                }
                "+" | "-" if self.steps() => {
                    self.link()?;
                    self.at += 2;
                    Node::Unary(Unary::Step, object)
                }
                _ => return Ok(*object),
            };
            value = Expr { node, range: self.since(start) };
        }
    }

    /// Whether `++` or `--` here belongs to the value before it: no operand follows.
    fn steps(&self) -> bool {
        (self.is_joined("++") || self.is_joined("--"))
            && (self.at + 2 >= self.tokens.len() || matches!(self.text_at(self.at + 2), ")" | "]" | "}" | "," | ";"))
    }

    fn member(&mut self, object: Box<Expr>) -> Result<Node, Problem> {
        let arrow = self.text() == "->";
        self.at += 1;
        let named = self.take("template");
        if self.kind_at(self.at) != Some(TokenKind::Word) || is_keyword(self.text()) {
            return Err(self.unexpected());
        }
        let (name, place) = (self.text().to_owned(), self.range());
        self.at += 1;
        let behind = if self.text() == "<" { self.behind_template() } else { None };
        let template = match behind {
            Some(behind) if named || self.text_at(behind) == "(" => {
                let text = self.formula[self.range().end..self.tokens[behind - 1].range.start].to_owned();
                self.at = behind;
                Some(text)
            }
            _ => None,
        };
        if self.text() != "(" {
            return Ok(Node::Member { object, name, place });
        }
        let arguments = self.list("(", ")")?;
        Ok(Node::Method(Method { object, arrow, name, place, template, arguments }))
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
            let item = self.item()?;
            if let (")", Node::Binary { operator: Binary::Assign, place, left, .. }) = (close, &item.node)
                && self.formula[place.clone()] == *"="
                && left.single().is_some()
            {
                let name = &self.formula[left.range.clone()];
                return Err(Problem::not_cpp(item.range.clone(), format!("C++ has no arguments by name, as `{name}`"))
                    .help("write the arguments in the order of the function's declaration"));
            }
            items.push(item);
        }
        Ok(items)
    }

    /// An expression, or values in braces: C++ has those only where a value is passed or made.
    pub(super) fn item(&mut self) -> Result<Expr, Problem> {
        if self.text() != "{" {
            return self.expression();
        }
        self.enter()?;
        let start = self.range().start;
        let items = self.list("{", "}")?;
        self.leave();
        Ok(Expr { node: Node::Braces(None, items), range: self.since(start) })
    }

    fn primary(&mut self) -> Result<Expr, Problem> {
        let start = self.range().start;
        let node = match self.kind_at(self.at) {
            Some(TokenKind::Number) => {
                let number = self.text().to_owned();
                if !is_number(&number) {
                    return Err(Problem::not_cpp(self.range(), format!("`{number}` is not a number")));
                }
                self.at += 1;
                Node::Number(number)
            }
            Some(TokenKind::Literal) => self.literal(),
            Some(TokenKind::Word) if self.is_on_type() => self.on_type()?,
            Some(TokenKind::Word) => self.path()?,
            _ => match self.text() {
                "(" if self.text_at(self.at + 1) == "{" => {
                    self.at += 1;
                    let body = self.block()?;
                    self.expect(")")?;
                    Node::Statements(body)
                }
                "(" => return self.parenthesized(),
                "{" => {
                    let problem = Problem::not_cpp(self.range(), "C++ has no values in braces here");
                    return Err(problem.help("name their type: `at::IntArrayRef({1, 2})`"));
                }
                "[" => self.lambda()?,
                "::" => self.path()?,
                _ => return Err(self.unexpected()),
            },
        };
        Ok(Expr { node, range: self.since(start) })
    }

    fn parenthesized(&mut self) -> Result<Expr, Problem> {
        let start = self.range().start;
        self.at += 1;
        let mut inner = self.expression()?;
        while self.text() == "," {
            self.link()?;
            let place = self.range();
            self.at += 1;
            let right = Box::new(self.expression()?);
            let node = Node::Binary { operator: Binary::Comma, place, left: Box::new(inner), right };
            inner = Expr { node, range: self.since(start) };
        }
        self.expect(")")?;
        Ok(Expr { range: self.since(start), ..inner })
    }

    /// Literals, which are one if they follow each other.
    fn literal(&mut self) -> Node {
        let mut parts = Vec::new();
        while self.kind_at(self.at) == Some(TokenKind::Literal) {
            parts.push(self.text().to_owned());
            self.at += 1;
        }
        Node::Literal(parts)
    }

    /// Whether an operator on a type is here, not an input of that name.
    fn is_on_type(&self) -> bool {
        let operand = matches!(self.kind_at(self.at + 1), Some(TokenKind::Word | TokenKind::Number));
        ON_TYPES.contains(&self.text()) && (operand || self.text_at(self.at + 1) == "(")
    }

    /// An operator on a type, whose operand is not read.
    fn on_type(&mut self) -> Result<Node, Problem> {
        self.at += 1;
        if self.text() == "(" {
            self.at = self.behind_brackets(self.at);
        } else {
            self.unary()?;
        }
        Ok(Node::OnType)
    }

    /// The token behind the bracket that closes the one at `open`.
    pub(super) fn behind_brackets(&self, open: usize) -> usize {
        let mut depth = 0_usize;
        for i in open..self.tokens.len() {
            match self.text_at(i) {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => depth = depth.saturating_sub(1),
                _ => {}
            }
            if depth == 0 {
                return i + 1;
            }
        }
        self.tokens.len()
    }

    fn path(&mut self) -> Result<Node, Problem> {
        let start = self.range().start;
        let is_global = self.take("::");
        let mut path = Path { parts: Vec::new(), template: None, is_global, range: start..start };
        loop {
            let word = self.text();
            let reserved = STATEMENTS.contains(&word);
            if self.kind_at(self.at) != Some(TokenKind::Word) || reserved {
                return Err(self.unexpected());
            }
            path.parts.push(word.to_owned());
            self.at += 1;
            path.range = self.since(start);
            if let Some(behind) = self.template_of(word) {
                let text = self.formula[self.range().end..self.tokens[behind - 1].range.start].to_owned();
                self.at = behind;
                if self.text() == "::" {
                    if let Some(last) = path.parts.last_mut() {
                        *last = format!("{last}<{text}>");
                    }
                } else {
                    path.template = Some(text);
                }
            }
            if path.template.is_some() || !self.take("::") {
                break;
            }
            let _ = self.take("template");
        }
        if self.text() == "{" && path.single().is_some_and(|name| CASTS.contains(&name)) {
            let message = format!("`{}` takes its value in parentheses", path.text());
            return Err(Problem::not_cpp(self.range(), message).help("write `static_cast<T>(x)`, or `T{x}`"));
        }
        Ok(match self.text() {
            "(" => Node::Call(path, self.list("(", ")")?),
            "{" => Node::Braces(Some(path), self.list("{", "}")?),
            _ => Node::Path(path),
        })
    }
}

/// Whether C++ has the number: digits, and a suffix of its type.
fn is_number(text: &str) -> bool {
    let plain = text.replace('\'', "").to_ascii_lowercase();
    let radix = |prefix: &str, digit: fn(u8) -> bool| {
        let rest = plain.strip_prefix(prefix)?;
        let rest = rest.trim_end_matches(['u', 'l', 'z']);
        Some(!rest.is_empty() && rest.bytes().all(digit))
    };
    let hexadecimal = radix("0x", |b| b.is_ascii_hexdigit());
    if let Some(valid) = hexadecimal.or_else(|| radix("0b", |b| matches!(b, b'0' | b'1'))) {
        return valid || plain.contains('p');
    }
    let integer = plain.trim_end_matches(['u', 'l', 'z']);
    if integer.bytes().all(|b| b.is_ascii_digit()) {
        return !(integer.starts_with('0') && integer.contains(['8', '9']));
    }
    let float = plain.trim_end_matches(['f', 'l']);
    float.parse::<f64>().is_ok() && float.contains(['.', 'e'])
}
