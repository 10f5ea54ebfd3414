//! The grammar of `dims:`, and of the expressions of `flops:`.
//!
//! Invariant: names are not looked up here. Whatever the text is, the result is a line or the first
//! place where the text is none. Sizes that are computed are expressions of `kit::expr`.

use std::ops::Range;

use crate::codes;
use crate::model::dims::{Combined, Dim, DimBase, DimsLine, DimsResult, Flops, Reduction, SizeExpr};
use torchgen_base::diag::{Help, TextError, did_you_mean};
use torchgen_base::lang::is_ascii_word;
use torchgen_kit::expr::{Binary, Expr, ExprKind, parse_names};
use torchgen_kit::schema::Spanned;

/// What a line is, for helps.
const FORM: &str = "a line is such as `(x[*b, k], w[n, k]) -> [*b, n] map(b, n) reduce(k=sum)`";
/// What a computed size is, for helps.
const SIZES: &str = "sizes are computed with `+`, `-` and `*` from names and whole numbers";

/// How many elements are packed into one at most.
const MOST_PACKED: i64 = 1 << 16;

/// The words of clauses.
const CLAUSES: [&str; 6] = ["map", "reduce", "linear", "scratch", "nonempty", "index"];

type Read<T> = Result<T, TextError>;

/// Reads a line.
///
/// # Errors
/// The first place where the text is not a line.
pub(super) fn line(text: &str) -> Read<DimsLine> {
    let mut cursor = Cursor { text, at: 0 };
    let mut line = DimsLine::default();
    cursor.expect("(", "`(` before the tensors")?;
    line.tensors = cursor.list(")", Cursor::tensor)?;
    if !cursor.eat("->") {
        return Err(cursor.unexpected("`->` before the results").help(FORM));
    }
    line.results = match cursor.eat("(") {
        true => cursor.list(")", Cursor::result)?,
        false => vec![cursor.result()?],
    };
    while !cursor.ends() {
        cursor.clause(&mut line)?;
    }
    Ok(line)
}

/// The operator in `backward(f)`.
pub(super) fn backward(text: &str) -> Option<Read<Spanned<String>>> {
    let mut cursor = Cursor { text, at: 0 };
    if !(cursor.eat_word("backward") && cursor.eat("(")) {
        return None;
    }
    let start = cursor.at + blanks(&text[cursor.at..]);
    let length = text[start..].find(|c: char| !is_ascii_word(c) && c != '.').unwrap_or(text.len() - start);
    cursor.at = start + length;
    if length == 0 {
        return Some(Err(cursor.unexpected("the name of the operator whose gradients this computes")));
    }
    let name = Spanned::new(text[start..cursor.at].to_owned(), start..cursor.at);
    let closed = cursor.expect(")", "`)`").and_then(|_| match cursor.ends() {
        true => Ok(name),
        false => Err(cursor.unexpected("the end of the line")),
    });
    Some(closed)
}

/// Reads the value of `flops:`.
///
/// # Errors
/// The text is no expression of names and whole numbers.
pub(super) fn flops(text: &str) -> Read<Flops> {
    let help = "write an expression such as `2*m*n*k`, of the names in `dims:`, with `+`, `-`, `*` and `//`";
    let count = size(text, 0..text.len(), true).map_err(|error| TextError {
        code: &codes::BAD_FLOPS,
        help: error.help.filter(|help| **help != *SIZES).or_else(|| Some(help.into())),
        ..error
    })?;
    Ok(Flops { count, range: 0..text.len() })
}

fn blanks(text: &str) -> usize {
    text.len() - text.trim_start().len()
}

fn error(range: Range<usize>, message: impl Into<String>) -> TextError {
    TextError::new(&codes::BAD_DIMS, range, message)
}

/// What is left of a text.
struct Cursor<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Cursor<'t> {
    fn skip(&mut self) -> &'t str {
        self.at += blanks(&self.text[self.at..]);
        &self.text[self.at..]
    }

    fn ends(&mut self) -> bool {
        self.skip().is_empty()
    }

    fn eat(&mut self, token: &str) -> bool {
        let found = self.skip().starts_with(token);
        self.at += if found { token.len() } else { 0 };
        found
    }

    /// Reads a word that ends here.
    fn eat_word(&mut self, word: &str) -> bool {
        let found = self.skip().strip_prefix(word).is_some_and(|rest| !rest.starts_with(is_ascii_word));
        self.at += if found { word.len() } else { 0 };
        found
    }

    fn expect(&mut self, token: &str, what: &str) -> Read<()> {
        if self.eat(token) { Ok(()) } else { Err(self.unexpected(what).help(FORM)) }
    }

    /// The error that something else was expected here.
    fn unexpected(&mut self, wanted: &str) -> TextError {
        let rest = self.skip();
        let Some(first) = rest.chars().next() else {
            return error(self.at..self.at, format!("expected {wanted}, but the line ends"));
        };
        let length = match rest.find(|c: char| !is_ascii_word(c)).unwrap_or(rest.len()) {
            0 => first.len_utf8(),
            word => word,
        };
        let range = self.at..self.at + length;
        let message = format!("expected {wanted}, but found `{}`", &self.text[range.clone()]);
        error(range, message)
    }

    /// A name: a letter or an underscore, then letters, digits and underscores.
    fn name(&mut self, what: &str) -> Read<Spanned<String>> {
        let rest = self.skip();
        let length = rest.find(|c: char| !is_ascii_word(c)).unwrap_or(rest.len());
        let word = &rest[..length];
        if word.is_empty() || word == "_" || word.starts_with(|c: char| c.is_ascii_digit()) {
            return Err(self.unexpected(what));
        }
        let range = self.at..self.at + length;
        self.at += length;
        Ok(Spanned::new(word.to_owned(), range))
    }

    /// Items between commas, up to and with what closes the list.
    fn list<T>(&mut self, close: &str, mut item: impl FnMut(&mut Self) -> Read<T>) -> Read<Vec<T>> {
        let mut items = Vec::new();
        while !self.eat(close) {
            items.push(item(self)?);
            if !self.eat(",") && !self.skip().starts_with(close) {
                return Err(self.unexpected(&format!("`,` or `{close}`")));
            }
        }
        Ok(items)
    }

    /// `x[*b, k]`
    fn tensor(&mut self) -> Read<(Spanned<String>, Vec<Spanned<Dim>>)> {
        let name = self.name("the name of a tensor argument")?;
        if let Some(mark) = ["?", "!"].into_iter().find(|mark| self.skip().starts_with(mark)) {
            let what = if mark == "?" { "can be None" } else { "is mutated" };
            let message = format!("the schema says that `{}` {what}, so the line does not", name.value);
            return Err(error(self.at..self.at + 1, message).help(Help::new("delete it").instead("").certainly()));
        }
        if !self.eat("[") {
            let wanted = format!("`[` and the dimensions of `{}`", name.value);
            return Err(self.unexpected(&wanted).help(format!("write `{}[_]` if nothing is known", name.value)));
        }
        Ok((name, self.list("]", Cursor::dim)?))
    }

    /// `[*b, n]`, or an argument.
    fn result(&mut self) -> Read<DimsResult> {
        let start = self.at + blanks(&self.text[self.at..]);
        if self.eat("[") {
            let dims = self.list("]", Cursor::dim)?;
            return Ok(DimsResult::Dims(Spanned::new(dims, start..self.at)));
        }
        Ok(DimsResult::Argument(self.name("`[` and the dimensions of a result, or the argument that it is")?))
    }

    fn dim(&mut self) -> Read<Spanned<Dim>> {
        let start = self.at + blanks(&self.text[self.at..]);
        let base = self.base()?;
        if self.skip().starts_with('@') && matches!(base, DimBase::Group(_)) {
            let help = "name the dimension that is there, as in `x[*b, n@dim]`";
            return Err(error(start..self.at + 1, "a group is not at one place").help(help));
        }
        let at = if self.eat("@") { Some(self.name("the argument that says where this is")?) } else { None };
        let mut or_one = false;
        if self.eat("|") {
            if !self.eat_word("1") {
                return Err(self.unexpected("`1`: a dimension can only be broadcast from 1"));
            }
            or_one = true;
            if !matches!(base, DimBase::Name(_) | DimBase::Group(_)) {
                let help = "write `n|1` with a name of its own, or `1`";
                return Err(error(start..self.at, "only a name or a group can also be 1").help(help));
            }
        }
        Ok(Spanned::new(Dim { base, at, or_one }, start..self.at))
    }

    fn base(&mut self) -> Read<DimBase> {
        let rest = self.skip();
        if self.eat("*") {
            return Ok(DimBase::Group(self.name("the name of a group of dimensions")?.value));
        }
        if self.eat("~") {
            return Ok(DimBase::Varying(self.name("the name of a size")?.value));
        }
        if self.eat("?") {
            return Ok(DimBase::Data);
        }
        if self.eat_word("_") {
            return Ok(DimBase::Unchecked);
        }
        if rest.starts_with("...") {
            let help = Help::new("write `*b`, a group with a name").instead("*b");
            return Err(error(self.at..self.at + 3, "a group of dimensions has a name").help(help));
        }
        if rest.strip_prefix("sum").is_some_and(|rest| rest.trim_start().starts_with('(')) {
            self.eat_word("sum");
            self.eat("(");
            self.expect("~", "`~` and the size that differs between elements")?;
            let name = self.name("the name of a size")?;
            self.expect(")", "`)`")?;
            return Ok(DimBase::SumOf(name.value));
        }
        if self.eat("(") {
            return self.product();
        }
        let end = self.at + end_of_size(rest);
        let range = self.at..self.at + self.text[self.at..end].trim_end().len();
        if range.is_empty() {
            return Err(self.unexpected("a dimension"));
        }
        let size = size(self.text, range.clone(), true)?;
        self.at = range.end;
        Ok(match size {
            SizeExpr::Name(name) => DimBase::Name(name),
            SizeExpr::Number(number) => DimBase::Number(number),
            SizeExpr::Binary(Binary::FloorDivide, name, count) => match (*name, *count) {
                (SizeExpr::Name(name), SizeExpr::Number(count)) if (2..=MOST_PACKED).contains(&count) => {
                    DimBase::Packed(name, count)
                }
                _ => {
                    let help = "write `n//8` for a dimension that packs 8 of `n`";
                    return Err(error(range, "only a name can be packed, by a number from 2 to 65536").help(help));
                }
            },
            computed if divides(&computed) => {
                return Err(error(range, "`//` packs a size, and is no part of one that is computed").help(SIZES));
            }
            computed => DimBase::Computed(computed),
        })
    }

    /// `h g)`
    fn product(&mut self) -> Read<DimBase> {
        let start = self.at;
        let mut factors = Vec::new();
        while !self.eat(")") {
            let rest = self.skip();
            if rest.starts_with(['*', '+', '-', ',']) {
                let help = "write `(h g)`: the factors follow each other, the outer one first";
                return Err(self.unexpected("a factor or `)`").help(help));
            }
            let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
            factors.push(match digits {
                0 => SizeExpr::Name(self.name("a factor or `)`")?.value),
                _ => {
                    let range = self.at..self.at + digits;
                    self.at = range.end;
                    size(self.text, range, false)?
                }
            });
        }
        if factors.len() < 2 {
            return Err(error(start - 1..self.at, "a product has two factors or more").help("write `(h g)`"));
        }
        Ok(DimBase::Product(factors))
    }

    fn clause(&mut self, line: &mut DimsLine) -> Read<()> {
        let word = self.name("a clause such as `map(…)`")?;
        if !CLAUSES.contains(&word.value.as_str()) {
            let unknown = error(word.range, format!("there is no clause `{}`", word.value));
            let help = match word.value.as_str() {
                "broadcast" => "write `n|1` where a dimension can also be 1".into(),
                other => did_you_mean(other, CLAUSES)
                    .unwrap_or_else(|| format!("the clauses are `{}`", CLAUSES.join("`, `")).into()),
            };
            return Err(unknown.help(help));
        }
        self.expect("(", &format!("`(` after `{}`", word.value))?;
        match word.value.as_str() {
            "reduce" => line.reduce.extend(self.list(")", Cursor::reduction)?),
            "index" => line.index.extend(self.list(")", Cursor::indexed)?),
            "linear" => line.linear.extend(self.list(")", |cursor| cursor.name("a tensor argument"))?),
            "scratch" => line.scratch.extend(self.list(")", |cursor| cursor.name("a mutated argument"))?),
            "nonempty" => line.nonempty.extend(self.list(")", Cursor::dimension)?),
            _ => line.map.extend(self.list(")", Cursor::dimension)?),
        }
        Ok(())
    }

    /// The name of a dimension in a clause.
    fn dimension(&mut self) -> Read<Spanned<String>> {
        let start = self.at + blanks(&self.text[self.at..]);
        if self.eat("*") {
            let name = self.name("the name of a group")?;
            let help = Help::new(format!("write `{}`", name.value)).instead(name.value.clone()).certainly();
            return Err(error(start..self.at, "a group is named without `*` in a clause").help(help));
        }
        self.name("the name of a dimension")
    }

    /// `k=sum + bias`
    fn reduction(&mut self) -> Read<Reduction> {
        let name = self.dimension()?;
        if self.skip().starts_with(':') {
            let help = Help::new("write `=`").instead("=").certainly();
            return Err(error(self.at..self.at + 1, "a colon is no part of a line").help(help));
        }
        let words: Vec<&str> = Combined::ALL.into_iter().map(Combined::word).collect();
        if !self.eat("=") {
            let help = format!("write how parts become one result, as in `{}=sum`", name.value);
            return Err(self.unexpected(&format!("`=` after `{}`", name.value)).help(help));
        }
        let word = self.name("`sum`, `max`, `min` or `same`")?;
        let Some(combined) = Combined::ALL.into_iter().find(|combined| combined.word() == word.value) else {
            let wrong = error(word.range, format!("results cannot be combined by `{}`", word.value));
            return Err(match word.value.as_str() {
                "mean" | "avg" => wrong.help("the mean of uneven parts is not the mean; return a sum and divide it"),
                other => wrong
                    .help(did_you_mean(other, words).unwrap_or_else(|| "write `sum`, `max`, `min` or `same`".into())),
            });
        };
        let mut added = Vec::new();
        while self.eat("+") {
            added.push(self.name("the argument that is added once")?);
        }
        if let Some(first) = added.first().filter(|_| combined != Combined::Sum) {
            let message = format!("nothing can be added to the `{}` of parts", combined.word());
            return Err(error(first.range.clone(), message));
        }
        Ok(Reduction { name, combined, added })
    }

    /// `idx=v`
    fn indexed(&mut self) -> Read<(Spanned<String>, Spanned<String>)> {
        let tensor = self.name("the argument with the indices")?;
        if !self.eat("=") {
            let wanted = format!("`=` and the dimension that `{}` has indices of", tensor.value);
            return Err(self.unexpected(&wanted));
        }
        Ok((tensor, self.dimension()?))
    }
}

/// The length of what is before the end of a dimension, parentheses included.
fn end_of_size(text: &str) -> usize {
    let mut depth = 0usize;
    for (at, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' if depth > 0 => depth -= 1,
            ')' | ',' | ']' | '@' | '|' => return at,
            _ => {}
        }
    }
    text.len()
}

fn divides(size: &SizeExpr) -> bool {
    match size {
        SizeExpr::Binary(operator, left, right) => *operator == Binary::FloorDivide || divides(left) || divides(right),
        _ => false,
    }
}

/// Reads a size: names and whole numbers, with `+`, `-`, `*`, and `//` if it may divide.
fn size(text: &str, range: Range<usize>, may_divide: bool) -> Read<SizeExpr> {
    let moved = |at: &Range<usize>| range.start + at.start..range.start + at.end;
    let tree = parse_names(&text[range.clone()]).map_err(|found| TextError {
        code: &codes::BAD_DIMS,
        range: moved(&found.range),
        help: found.help.or_else(|| Some(SIZES.into())),
        ..found
    })?;
    converted(&tree, may_divide).map_err(|at| error(moved(&at), "this is no part of a size").help(SIZES))
}

/// The size of a tree, or the range of what it cannot have.
fn converted(tree: &Expr, may_divide: bool) -> Result<SizeExpr, Range<usize>> {
    let allowed = |operator: Binary| match operator {
        Binary::Add | Binary::Subtract | Binary::Multiply => true,
        Binary::FloorDivide => may_divide,
        _ => false,
    };
    match &tree.kind {
        ExprKind::Int(number) => Ok(SizeExpr::Number(*number)),
        ExprKind::Name(name) => Ok(SizeExpr::Name(name.clone())),
        ExprKind::Binary(operator, left, right) if allowed(*operator) => {
            let (left, right) = (converted(left, may_divide)?, converted(right, may_divide)?);
            Ok(SizeExpr::Binary(*operator, Box::new(left), Box::new(right)))
        }
        _ => Err(tree.range.clone()),
    }
}
