//! Reads the expressions of `fake:`, one for each output, separated by commas:
//! `like(x, size=[*x.sizes[:-1], n + 1], dtype=int64)`.
//!
//! Invariant: whatever the text is, the result is expressions or the place of the first token that
//! they cannot have. Depth is limited, so that no text exhausts the stack.

use std::ops::Range;

use crate::codes;
use crate::model::outputs::{DTYPES, DtypeOf, OutputLike, SizeExpr, SizeOp, SizePart, TensorPlace};
use crate::model::{Argument, BaseTy, FunctionSchema, Return, Type};
use torchgen_base::diag::{TextError, did_you_mean, plural};
use torchgen_base::lang::is_word;

/// How deep parentheses may be nested.
const DEPTH: usize = 50;
/// How many operators the sizes may have.
const OPERATORS: usize = 300;

/// Whether a text is of expressions, not the name of a Python function.
pub(super) fn is_expression(text: &str) -> bool {
    let name = text.trim_start().split(|c: char| !is_word(c)).next().unwrap_or_default();
    name == "like" && text.trim_start()[name.len()..].trim_start().starts_with('(')
}

/// The outputs of an operator. Those of a structured one are made before its kernel writes them.
///
/// # Errors
/// The text is not an expression for each output.
pub(super) fn outputs(text: &str, func: &FunctionSchema, structured: bool) -> Result<Vec<OutputLike>, TextError> {
    let mut parser = Parser { text, tokens: tokens(text), at: 0, depth: 0, operators: 0, func };
    let mut outputs = Vec::new();
    let mut places = Vec::new();
    loop {
        let start = parser.range().start;
        outputs.push(parser.output()?);
        let end = parser.at.checked_sub(1).and_then(|at| parser.tokens.get(at)).map_or(text.len(), |token| token.end);
        places.push(start..end);
        if !parser.accept(",") {
            break;
        }
    }
    if parser.at < parser.tokens.len() {
        return Err(parser.unexpected("`,` or the end"));
    }
    if let Some(error) = follows(func, &places).filter(|_| !structured) {
        return Err(error);
    }
    let (found, wanted) = (outputs.len(), func.returns.len());
    let is_tensor = |ret: &Return| ret.ty == Type::TENSOR || ret.ty == Type::optional_tensor();
    if found != wanted || !func.returns.iter().all(is_tensor) {
        let message = match found == wanted {
            true => format!("`{}` has results other than tensors", func.name),
            false => {
                let found = plural(found, "expression");
                format!("`fake:` has {found}, but the results of `{}` are {wanted}", func.name)
            }
        };
        let error = TextError::new(&codes::BAD_FAKE, 0..text.len(), message);
        return Err(error.help("name a Python function instead: `fake: .fakes:function`"));
    }
    Ok(outputs)
}

/// The error for an output that the schema already says: nothing, or one of the arguments.
fn follows(func: &FunctionSchema, places: &[Range<usize>]) -> Option<TextError> {
    let error = |place: &Range<usize>, message: String| TextError::new(&codes::BAD_FAKE, place.clone(), message);
    let alias = |ret| func.aliased_arguments(ret).chain(func.viewed_arguments(ret)).next();
    if let ([], Some(first)) = (func.returns.as_slice(), places.first()) {
        let message = format!("the schema says that `{}` returns nothing", func.name);
        return Some(error(first, message).help("delete `fake:`, because it follows from the schema"));
    }
    let (place, argument) = places.iter().zip(&func.returns).find_map(|(place, ret)| Some((place, alias(ret)?)))?;
    let writes = func.returns.iter().all(|ret| ret.is_write() && alias(ret).is_some());
    let help = match writes {
        true => "delete `fake:`, because it follows from the schema",
        false => "name a Python function instead, which returns the argument or a view of it: `fake: .fakes:function`",
    };
    let name = argument.schema_name();
    Some(error(place, format!("the schema says that this is `{name}`")).help(help))
}

/// Words, numbers and single characters.
fn tokens(text: &str) -> Vec<Range<usize>> {
    let mut tokens: Vec<Range<usize>> = Vec::new();
    let mut in_word = false;
    for (at, c) in text.char_indices() {
        let end = at + c.len_utf8();
        match tokens.last_mut() {
            Some(last) if in_word && is_word(c) => last.end = end,
            _ if c.is_whitespace() => {}
            _ => tokens.push(at..end),
        }
        in_word = is_word(c);
    }
    tokens
}

struct Parser<'t> {
    text: &'t str,
    tokens: Vec<Range<usize>>,
    at: usize,
    depth: usize,
    operators: usize,
    func: &'t FunctionSchema,
}

impl<'t> Parser<'t> {
    fn token(&self) -> &'t str {
        self.tokens.get(self.at).map_or("", |range| &self.text[range.clone()])
    }

    fn range(&self) -> Range<usize> {
        self.tokens.get(self.at).cloned().unwrap_or(self.text.len()..self.text.len())
    }

    fn unexpected(&self, wanted: &str) -> TextError {
        let message = match self.token() {
            "" => format!("expected {wanted} at the end"),
            token => format!("expected {wanted}, not `{token}`"),
        };
        let help = "an output is written as `like(x)`, `like(x, dtype=int64)` or `like(x, size=[*x.sizes[:-1], n])`";
        TextError::new(&codes::BAD_FAKE, self.range(), message).help(help)
    }

    fn accept(&mut self, token: &str) -> bool {
        let found = self.token() == token;
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, token: &str) -> Result<(), TextError> {
        if self.accept(token) { Ok(()) } else { Err(self.unexpected(&format!("`{token}`"))) }
    }

    fn output(&mut self) -> Result<OutputLike, TextError> {
        self.expect("like")?;
        self.expect("(")?;
        let mut output = OutputLike { tensor: self.tensor()?, size: None, dtype: None };
        while self.accept(",") {
            match self.token() {
                "size" if output.size.is_none() => {
                    self.at += 1;
                    self.expect("=")?;
                    output.size = Some(self.size()?);
                }
                "dtype" if output.dtype.is_none() => {
                    self.at += 1;
                    self.expect("=")?;
                    output.dtype = Some(self.dtype()?);
                }
                _ => return Err(self.unexpected("`size=` or `dtype=`")),
            }
        }
        self.expect(")")?;
        Ok(output)
    }

    fn size(&mut self) -> Result<Vec<SizePart>, TextError> {
        self.expect("[")?;
        let mut parts = Vec::new();
        while !self.accept("]") {
            if !parts.is_empty() {
                self.expect(",")?;
            }
            parts.push(if self.accept("*") { self.several()? } else { SizePart::One(self.sum()?) });
        }
        Ok(parts)
    }

    /// `x.sizes[1:]` after the star.
    fn several(&mut self) -> Result<SizePart, TextError> {
        let tensor = self.tensor()?;
        self.expect(".")?;
        self.expect("sizes")?;
        let (mut from, mut to) = (None, None);
        if self.accept("[") {
            if self.token() != ":" {
                from = Some(self.number()?);
            }
            self.expect(":")?;
            if self.token() != "]" {
                to = Some(self.number()?);
            }
            self.expect("]")?;
        }
        Ok(SizePart::Several { tensor, from, to })
    }

    fn sum(&mut self) -> Result<SizeExpr, TextError> {
        let mut left = self.product()?;
        while let Some(op) = self.operator(&[("+", SizeOp::Add), ("-", SizeOp::Subtract)])? {
            left = SizeExpr::Binary(Box::new(left), op, Box::new(self.product()?));
        }
        Ok(left)
    }

    fn product(&mut self) -> Result<SizeExpr, TextError> {
        let mut left = self.factor()?;
        let known = [("*", SizeOp::Multiply), ("/", SizeOp::Divide), ("%", SizeOp::Remainder)];
        while let Some(op) = self.operator(&known)? {
            left = SizeExpr::Binary(Box::new(left), op, Box::new(self.factor()?));
        }
        Ok(left)
    }

    fn operator(&mut self, known: &[(&str, SizeOp)]) -> Result<Option<SizeOp>, TextError> {
        let Some((_, op)) = known.iter().find(|(token, _)| *token == self.token()) else { return Ok(None) };
        self.operators += 1;
        if self.operators > OPERATORS {
            let message = format!("`fake:` has more than {OPERATORS} operators");
            let error = TextError::new(&codes::BAD_FAKE, self.range(), message);
            return Err(error.help("name a Python function instead: `fake: .fakes:function`"));
        }
        self.at += 1;
        Ok(Some(*op))
    }

    fn factor(&mut self) -> Result<SizeExpr, TextError> {
        if self.token() == "(" {
            if self.depth == DEPTH {
                let message = format!("parentheses are nested more than {DEPTH} levels deep");
                let error = TextError::new(&codes::BAD_FAKE, self.range(), message);
                return Err(error.help("name a Python function instead: `fake: .fakes:function`"));
            }
            self.at += 1;
            self.depth += 1;
            let inner = self.sum()?;
            self.depth -= 1;
            self.expect(")")?;
            return Ok(inner);
        }
        if self.token() == "-" || self.token().starts_with(|c: char| c.is_ascii_digit()) {
            return Ok(SizeExpr::Number(self.number()?));
        }
        let is_number = |a: &&Argument| matches!(a.ty, Type::Base(BaseTy::Int | BaseTy::SymInt));
        let word = self.token();
        if let Some(argument) = self.func.schema_order_arguments().filter(is_number).find(|a| a.schema_name() == word) {
            self.at += 1;
            return Ok(SizeExpr::Argument(argument.schema_name().to_owned()));
        }
        let tensor = self.tensor()?;
        self.expect(".")?;
        match self.token() {
            "size" => {
                self.at += 1;
                self.expect("(")?;
                let dimension = self.number()?;
                self.expect(")")?;
                Ok(SizeExpr::Size(tensor, dimension))
            }
            "numel" => {
                self.at += 1;
                self.expect("(")?;
                self.expect(")")?;
                Ok(SizeExpr::Elements(tensor))
            }
            _ => Err(self.unexpected("`size(…)` or `numel()`")),
        }
    }

    fn number(&mut self) -> Result<i64, TextError> {
        let negative = self.accept("-");
        let value: i64 = self.token().parse().map_err(|_| self.unexpected("a number"))?;
        self.at += 1;
        Ok(if negative { -value } else { value })
    }

    /// A tensor among the arguments.
    fn tensor(&mut self) -> Result<TensorPlace, TextError> {
        let word = self.token();
        let is_tensor = |a: &&Argument| match &a.ty {
            Type::Base(BaseTy::Tensor) => true,
            Type::List(elem, _) => **elem == Type::Base(BaseTy::Tensor),
            _ => false,
        };
        let is_input = |a: &&Argument| !self.func.arguments.out.iter().any(|out| out.name == a.name);
        let tensors = || self.func.schema_order_arguments().filter(is_tensor).filter(is_input);
        let Some(argument) = tensors().find(|a| a.schema_name() == word) else {
            let mut error = self.unexpected("a tensor among the arguments");
            error.help = did_you_mean(word, tensors().map(Argument::schema_name)).or(error.help);
            return Err(error);
        };
        let mut place = TensorPlace { argument: argument.schema_name().to_owned(), element: None };
        let is_list = matches!(argument.ty, Type::List(..));
        self.at += 1;
        if is_list {
            self.expect("[")?;
            place.element = Some(self.number()?);
            self.expect("]")?;
        }
        Ok(place)
    }

    fn dtype(&mut self) -> Result<DtypeOf, TextError> {
        let word = self.token();
        if let Some(named) = DTYPES.iter().find(|known| known.python == word) {
            self.at += 1;
            return Ok(DtypeOf::Named(named));
        }
        let is_dtype = |a: &&Argument| a.ty == Type::Base(BaseTy::ScalarType) && a.schema_name() == word;
        if let Some(argument) = self.func.schema_order_arguments().find(is_dtype) {
            self.at += 1;
            return Ok(DtypeOf::Argument(argument.schema_name().to_owned()));
        }
        if self.func.schema_order_arguments().all(|a| a.schema_name() != word) {
            let mut error = self.unexpected("a dtype");
            error.help = did_you_mean(word, DTYPES.iter().map(|known| known.python)).or(error.help);
            return Err(error);
        }
        let tensor = self.tensor()?;
        self.expect(".")?;
        self.expect("dtype")?;
        Ok(DtypeOf::Tensor(tensor))
    }
}
