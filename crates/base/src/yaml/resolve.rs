//! What a scalar means in YAML 1.1 as PyYAML reads it: `yes` is a boolean, `010` is eight, `1:30`
//! is ninety.
//!
//! Invariant: unless a tag says otherwise, only unquoted scalars are anything but strings. Rule:
//! PyYAML's resolver.py and constructor.py, the safe loader.

use super::Style;
use super::tree::{Node, NodeKind};

/// What a scalar is.
#[derive(Debug, Clone, PartialEq)]
pub enum Resolved {
    /// `null`, `~`, or empty.
    Null,
    /// `true`, `no`, `ON`
    Bool(bool),
    /// `12`, `0x1f`, `0b1`, `010`, `1_000`, `1:30`; `None` if it needs more than 128 bits.
    Int(Option<i128>),
    /// `1.5`, `.inf`, `1:30.5`
    Float(f64),
    /// `2001-12-14`
    Timestamp,
    /// `<<`
    Merge,
    /// `=`
    Value,
    /// Anything else.
    Str,
    /// Not a scalar, or a scalar with an unsupported tag (`!!binary`).
    Other,
}
impl Node {
    /// Whether it is null: empty, `~`, `null`.
    pub fn is_null(&self) -> bool {
        resolve(self) == Resolved::Null
    }
}

/// The type and value of a node, from its tag, style and text.
pub fn resolve(node: &Node) -> Resolved {
    let NodeKind::Scalar(text) = &node.kind else { return Resolved::Other };
    match node.tag.as_deref() {
        None if text.style() == Style::Plain => plain(text),
        None => Resolved::Str,
        Some(tag) => tagged(tag, text).unwrap_or(Resolved::Other),
    }
}

/// The type and value of an unquoted scalar.
pub fn plain(text: &str) -> Resolved {
    // Most scalars start with a letter that only strings start with.
    match text.as_bytes().first() {
        None => Resolved::Null,
        Some(b'y' | b'Y' | b'n' | b'N' | b't' | b'T' | b'f' | b'F' | b'o' | b'O') => match boolean(text) {
            Some(value) => Resolved::Bool(value),
            None if matches!(text, "null" | "Null" | "NULL") => Resolved::Null,
            None => Resolved::Str,
        },
        Some(b'~') if text == "~" => Resolved::Null,
        Some(b'<') if text == "<<" => Resolved::Merge,
        Some(b'=') if text == "=" => Resolved::Value,
        Some(b'0'..=b'9' | b'-' | b'+' | b'.') => number(text),
        _ => Resolved::Str,
    }
}

/// The value of a scalar with an explicit tag; `None` if the tag is not a standard one or does not
/// fit the text.
pub(super) fn tagged(tag: &str, text: &str) -> Option<Resolved> {
    Some(match tag.strip_prefix("tag:yaml.org,2002:")? {
        "str" => Resolved::Str,
        "null" => Resolved::Null,
        "bool" => Resolved::Bool(boolean_of_tag(text)?),
        "int" => match number(text) {
            int @ Resolved::Int(_) => int,
            _ => return None,
        },
        "float" => match number(text) {
            float @ Resolved::Float(_) => float,
            Resolved::Int(Some(value)) => Resolved::Float(value as f64),
            _ => Resolved::Float(text.parse().ok()?),
        },
        "timestamp" if timestamp(text) => Resolved::Timestamp,
        "binary" => Resolved::Other,
        _ => return None,
    })
}

/// The tag for the type of a scalar.
pub(super) fn tag_of(resolved: &Resolved) -> Option<&'static str> {
    Some(match resolved {
        Resolved::Null => "tag:yaml.org,2002:null",
        Resolved::Bool(_) => "tag:yaml.org,2002:bool",
        Resolved::Int(_) => "tag:yaml.org,2002:int",
        Resolved::Float(_) => "tag:yaml.org,2002:float",
        Resolved::Timestamp => "tag:yaml.org,2002:timestamp",
        Resolved::Str => "tag:yaml.org,2002:str",
        _ => return None,
    })
}

fn boolean(text: &str) -> Option<bool> {
    match text {
        "yes" | "Yes" | "YES" | "true" | "True" | "TRUE" | "on" | "On" | "ON" => Some(true),
        "no" | "No" | "NO" | "false" | "False" | "FALSE" | "off" | "Off" | "OFF" => Some(false),
        _ => None,
    }
}

/// With a tag, any mix of cases is accepted.
fn boolean_of_tag(text: &str) -> Option<bool> {
    boolean(&text.to_ascii_lowercase())
}

fn number(text: &str) -> Resolved {
    if timestamp(text) {
        return Resolved::Timestamp;
    }
    let (sign, body) = match text.as_bytes().first() {
        Some(b'-') => ("-", &text[1..]),
        Some(b'+') => ("", &text[1..]),
        _ => ("", text),
    };
    if let Some(value) = float(sign, body, text.len() > body.len()) {
        return Resolved::Float(value);
    }
    match int(sign, body) {
        Some(value) => Resolved::Int(value),
        None => Resolved::Str,
    }
}

fn only(text: &str, allowed: impl Fn(u8) -> bool) -> bool {
    !text.is_empty() && text.bytes().all(allowed)
}

fn digits(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_digit()) && only(text, |b| b.is_ascii_digit() || b == b'_')
}

/// The groups after a colon: one or two digits, at most 59.
fn sixtieths<'a>(mut groups: impl Iterator<Item = &'a str>) -> bool {
    groups.all(|group| matches!(group.as_bytes(), [b'0'..=b'9'] | [b'0'..=b'5', b'0'..=b'9']))
}

fn int(sign: &str, body: &str) -> Option<Option<i128>> {
    let radix = |digits: &str, radix| {
        let digits = digits.replace('_', "");
        i128::from_str_radix(&format!("{sign}{digits}"), radix).ok()
    };
    if let Some(rest) = body.strip_prefix("0b") {
        return only(rest, |b| matches!(b, b'0' | b'1' | b'_')).then(|| radix(rest, 2));
    }
    if let Some(rest) = body.strip_prefix("0x") {
        return only(rest, |b| b.is_ascii_hexdigit() || b == b'_').then(|| radix(rest, 16));
    }
    if body == "0" {
        return Some(Some(0));
    }
    if let Some(rest) = body.strip_prefix('0') {
        return only(rest, |b| matches!(b, b'0'..=b'7' | b'_')).then(|| radix(body, 8));
    }
    let mut groups = body.split(':');
    let first = groups.next().filter(|first| digits(first))?;
    if !body.contains(':') {
        return Some(radix(body, 10));
    }
    sixtieths(groups.clone()).then(|| {
        let mut total = radix(first, 10)?;
        for group in groups {
            total = total.checked_mul(60)?.checked_add(radix(group, 10)?)?;
        }
        Some(total)
    })
}

fn float(sign: &str, body: &str, signed: bool) -> Option<f64> {
    if matches!(body, ".inf" | ".Inf" | ".INF") {
        return Some(if sign == "-" { f64::NEG_INFINITY } else { f64::INFINITY });
    }
    if !signed && matches!(body, ".nan" | ".NaN" | ".NAN") {
        return Some(f64::NAN);
    }
    let (whole, fraction) = body.split_once('.')?;
    let fits = |text: &str| text.bytes().all(|b| b.is_ascii_digit() || b == b'_');
    if whole.contains(':') {
        let mut groups = whole.split(':');
        let first = groups.next().filter(|first| digits(first))?;
        if !sixtieths(groups.clone()) || !fits(fraction) {
            return None;
        }
        let mut total: f64 = first.replace('_', "").parse().ok()?;
        let count = groups.clone().count();
        for (i, group) in groups.enumerate() {
            let part = if i + 1 == count { format!("{group}.{}", fraction.replace('_', "")) } else { group.to_owned() };
            total = total * 60.0 + part.parse::<f64>().ok()?;
        }
        return Some(if sign == "-" { -total } else { total });
    }
    let (mantissa, exponent) = match fraction.find(['e', 'E']) {
        Some(at) => (&fraction[..at], Some(&fraction[at + 1..])),
        None => (fraction, None),
    };
    // An exponent needs a sign; a number that starts with the point needs a digit next and takes no
    // sign.
    let exponent_fits = exponent
        .is_none_or(|exponent| exponent.starts_with(['+', '-']) && only(&exponent[1..], |b| b.is_ascii_digit()));
    let whole_fits = if whole.is_empty() { !signed && digits(mantissa) } else { digits(whole) };
    if !exponent_fits || !whole_fits || !fits(mantissa) {
        return None;
    }
    format!("{sign}{body}").replace('_', "").parse().ok()
}

/// A date, or a date and a time.
fn timestamp(text: &str) -> bool {
    let mut rest = Rest(text.as_bytes());
    if !(rest.digits(4..=4) && rest.eat(b'-')) {
        return false;
    }
    let short = text.len() == 10;
    let month = rest.count();
    if !(rest.digits(1..=2) && rest.eat(b'-')) {
        return false;
    }
    let day = rest.count();
    if !rest.digits(1..=2) {
        return false;
    }
    if rest.0.is_empty() {
        return short && month == 2 && day == 2;
    }
    if !(rest.eat(b'T') || rest.eat(b't') || rest.blanks()) {
        return false;
    }
    if !(rest.digits(1..=2) && rest.eat(b':') && rest.digits(2..=2) && rest.eat(b':') && rest.digits(2..=2)) {
        return false;
    }
    if rest.eat(b'.') {
        let _ = rest.digits(0..=usize::MAX);
    }
    if rest.0.is_empty() {
        return true;
    }
    let _ = rest.blanks();
    if rest.eat(b'Z') {
        return rest.0.is_empty();
    }
    if !(rest.eat(b'+') || rest.eat(b'-')) {
        // Only blanks may follow a timestamp, and a plain scalar never ends in blanks.
        return rest.0.is_empty();
    }
    rest.digits(1..=2) && (rest.0.is_empty() || (rest.eat(b':') && rest.digits(2..=2) && rest.0.is_empty()))
}

struct Rest<'a>(&'a [u8]);

impl Rest<'_> {
    fn count(&self) -> usize {
        self.0.iter().take_while(|b| b.is_ascii_digit()).count()
    }

    fn digits(&mut self, range: std::ops::RangeInclusive<usize>) -> bool {
        let count = self.count();
        let fits = range.contains(&count);
        if fits {
            self.0 = &self.0[count..];
        }
        fits
    }

    fn eat(&mut self, byte: u8) -> bool {
        let found = self.0.first() == Some(&byte);
        if found {
            self.0 = &self.0[1..];
        }
        found
    }

    fn blanks(&mut self) -> bool {
        let count = self.0.iter().take_while(|b| matches!(b, b' ' | b'\t')).count();
        self.0 = &self.0[count..];
        count > 0
    }
}
