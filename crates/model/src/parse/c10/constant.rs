//! Defaults as c10 reads them.
//!
//! Invariant: a default is accepted if c10 can turn it into a value of its range. Whether the value
//! otherwise matches the type is not checked (c10 accepts a string for an int). Rule:
//! torch/csrc/jit/frontend/function_schema_parser.cpp.

use super::base_types::{DefaultForm, Element};
use super::schema::{Parser, Result};
use super::token::{Token, TokenKind};
use crate::codes;
use crate::model::scalar_types::ScalarType;
use torchgen_base::diag::{Help, TextError, did_you_mean};

/// The words for numbers.
const WORDS: [&str; 6] = ["float", "complex", "long", "strided", "Mean", "contiguous_format"];

/// The words that c10 accepts, for help.
const ALL_WORDS: &str = "None, True, False, float, complex, long, strided, Mean and contiguous_format";

/// The value of a constant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Value {
    Int,
    Float,
    Complex,
    Bool,
    Other,
}

impl Parser<'_> {
    /// The default of an argument. Returns the text as written.
    pub(super) fn default(&mut self, takes: DefaultForm) -> Result<String> {
        let start = self.range().start;
        match takes {
            DefaultForm::Nothing => {
                let message = "c10 does not support a default for this type";
                return Err(TextError::new(&codes::BAD_DEFAULT, self.range(), message));
            }
            DefaultForm::NoneOnly => {
                if self.word(&self.token()) != "None" {
                    return Err(self.bad_default("the only default that c10 supports for this type is `None`"));
                }
                self.advance();
            }
            DefaultForm::Device => {
                let token = self.token();
                if token.kind != TokenKind::Str {
                    return Err(self.bad_default("the default of a device is its name in quotes, as in `\"cpu\"`"));
                }
                self.advance();
                let device = self.unescaped(&token)?;
                device_is_known(&device)
                    .map_err(|message| TextError::new(&codes::BAD_DEFAULT, token.range, message))?;
            }
            DefaultForm::Constant(element) => {
                self.constant(element)?;
            }
            DefaultForm::List(element, size) => self.list_default(element, size)?,
        }
        Ok(self.verbatim(start..self.before()))
    }

    fn list_default(&mut self, element: Element, size: Option<u32>) -> Result<()> {
        let token = self.token();
        let one = size.is_some() && !self.is("[") && token.kind != TokenKind::Ident;
        if !one && !self.is("[") {
            let help = if size.is_none() && token.kind == TokenKind::Number {
                "a single value is accepted for a list only if the list has a size, as in `int[2] x=1`"
            } else {
                "a list is written `[1, 2]`; `None` is for optionals"
            };
            return Err(self.bad_default("the default of a list must be a list").help(help));
        }
        if element == Element::Other {
            return Err(self.bad_default("c10 does not support a default for a list of this type"));
        }
        if one {
            let value = self.constant(element)?;
            return if size == Some(0) { Ok(()) } else { self.fits(element, value, &token) };
        }
        self.list("[", "]", |parser| {
            let token = parser.token();
            let value = parser.constant(element)?;
            parser.fits(element, value, &token)
        })
    }

    /// The elements of a list have one type.
    fn fits(&self, element: Element, value: Value, token: &Token) -> Result<()> {
        let wanted = match element {
            Element::Int | Element::Dtype | Element::OptionalDtype => Value::Int,
            Element::Float => Value::Float,
            Element::Complex => Value::Complex,
            Element::Bool => Value::Bool,
            Element::Other => Value::Other,
        };
        if value == wanted {
            return Ok(());
        }
        let range = token.range.start..self.before();
        let message = format!("{} does not match the list's element type", self.shown(&range));
        Err(TextError::new(&codes::BAD_DEFAULT, range, message))
    }

    fn constant(&mut self, element: Element) -> Result<Value> {
        let token = self.token();
        let is_dtype = matches!(element, Element::Dtype | Element::OptionalDtype);
        match (token.kind, self.word(&token)) {
            (TokenKind::Reserved, "True" | "False") => {
                self.advance();
                Ok(Value::Bool)
            }
            (TokenKind::Reserved, "None") => {
                self.advance();
                Ok(Value::Other)
            }
            (TokenKind::Str, _) => {
                self.advance();
                self.unescaped(&token)?;
                Ok(Value::Other)
            }
            (TokenKind::Ident, word) if WORDS.contains(&word) || (is_dtype && ScalarType::of_word(word).is_some()) => {
                self.advance();
                Ok(Value::Int)
            }
            (TokenKind::Ident | TokenKind::Reserved, word) => {
                let message = format!("c10 cannot read the default `{word}`");
                let known = WORDS.iter().copied().chain(["None", "True", "False"]);
                let nothing = matches!(word, "nullopt" | "nullptr" | "null" | "NULL" | "nil" | "none");
                let help = nothing.then(|| Help::write("None").certainly()).or_else(|| did_you_mean(word, known));
                let help = help.unwrap_or_else(|| format!("c10 knows the words {ALL_WORDS}").into());
                Err(TextError::new(&codes::BAD_DEFAULT, token.range, message).help(help))
            }
            _ => self.number(element),
        }
    }

    fn number(&mut self, element: Element) -> Result<Value> {
        let start = self.range().start;
        let sign = if self.take("-") { "-" } else { "" };
        let token = self.token();
        if self.is("[") {
            return Err(self
                .bad_default("c10 does not support a list as the default of an optional")
                .help("write `None`"));
        }
        if token.kind != TokenKind::Number {
            return Err(self.unexpected("a default"));
        }
        self.advance();
        let digits = self.word(&token);
        let out_of_range = |what: &str| {
            let message = format!("`{sign}{digits}` does not fit {what}");
            Err(TextError::new(&codes::BAD_DEFAULT, start..token.range.end, message))
        };
        if element == Element::Complex || digits.ends_with('j') {
            // c10 takes the last character as the imaginary unit, whatever it is.
            let imaginary = &digits[..digits.len() - 1];
            return if fits_double(imaginary) { Ok(Value::Complex) } else { out_of_range("a complex number") };
        }
        if element == Element::Float || digits.contains(['.', 'e']) {
            return if fits_double(digits) { Ok(Value::Float) } else { out_of_range("a float") };
        }
        // c10 reads only the leading decimal digits.
        let len = digits.len() - digits.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        match format!("{sign}{}", &digits[..len]).parse::<i64>() {
            Ok(_) => Ok(Value::Int),
            Err(_) => out_of_range("an int"),
        }
    }

    fn bad_default(&self, message: &str) -> TextError {
        TextError::new(&codes::BAD_DEFAULT, self.range(), message)
    }

    /// The value of a string literal.
    fn unescaped(&self, token: &Token) -> Result<String> {
        let literal = self.word(token);
        let quotes =
            if literal.len() >= 6 && (literal.starts_with("\"\"\"") || literal.starts_with("'''")) { 3 } else { 1 };
        let inner = &literal[quotes..literal.len() - quotes];
        let mut said = String::with_capacity(inner.len());
        let mut rest = inner;
        while let Some(at) = rest.find('\\') {
            said.push_str(&rest[..at]);
            let escaped = &rest[at + 1..];
            let Some(c) = escaped.chars().next() else { break };
            let octal = escaped.get(..3).and_then(|digits| u8::from_str_radix(digits, 8).ok());
            let (value, len) = match c {
                '\\' | '\'' | '"' | '\n' => (c, 1),
                'a' => ('\x07', 1),
                'b' => ('\x08', 1),
                'f' => ('\x0c', 1),
                'n' => ('\n', 1),
                't' => ('\t', 1),
                'v' => ('\x0b', 1),
                _ => match octal.filter(|_| !escaped.starts_with('+')) {
                    Some(value) => (char::from(value), 3),
                    None => {
                        let start = token.range.end - quotes - escaped.len() - 1;
                        let range = start..start + 1 + c.len_utf8();
                        let message = format!("c10 does not know the escape `\\{c}`");
                        return Err(TextError::new(&codes::BAD_DEFAULT, range, message).help(
                            "the known escapes are \\\\ \\' \\\" \\a \\b \\f \\n \\t \\v and three octal digits",
                        ));
                    }
                },
            };
            said.push(value);
            rest = &escaped[len..];
        }
        said.push_str(rest);
        Ok(said)
    }
}

/// Whether C's `strtod` reads it without a range error. Hexadecimal digits can have a fraction and
/// an exponent.
fn fits_double(digits: &str) -> bool {
    let value = match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        Some(_) => return true,
        None => match digits.parse::<f64>() {
            Ok(value) => value,
            Err(_) => return false,
        },
    };
    let is_zero = !digits.split(['e', 'E']).next().unwrap_or_default().contains(|c: char| ('1'..='9').contains(&c));
    is_zero || value.is_normal()
}

/// The names of devices, in no particular order.
const DEVICES: [&str; 20] = [
    "cpu",
    "cuda",
    "ipu",
    "xpu",
    "mkldnn",
    "opengl",
    "opencl",
    "ideep",
    "hip",
    "ve",
    "fpga",
    "maia",
    "xla",
    "lazy",
    "vulkan",
    "mps",
    "meta",
    "hpu",
    "mtia",
    "privateuseone",
];

/// A known name, optionally with an index without leading zeros.
fn device_is_known(device: &str) -> std::result::Result<(), String> {
    let (name, index) = device.split_once(':').map_or((device, None), |(name, index)| (name, Some(index)));
    if !DEVICES.contains(&name) {
        return Err(format!("c10 does not know the device `{name}`"));
    }
    let is_index = |index: &str| index.parse::<i8>().is_ok_and(|number| number >= 0 && number.to_string() == index);
    match index {
        Some(index) if !is_index(index) => Err(format!("`{index}` is not a device index")),
        _ => Ok(()),
    }
}
