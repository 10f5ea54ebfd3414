//! Random edits of a formula: mistakes that people make in formulas, and odd text.

use super::originals::{Named, Original};
use super::tokens::Tokens;
use crate::support::random::Random;

/// What edits take from all of PyTorch's formulas.
pub(crate) struct Pool {
    methods: Vec<String>,
    functions: Vec<String>,
}

impl Pool {
    pub(crate) fn new(all: &[Original]) -> Pool {
        let mut pool = Pool { methods: Vec::new(), functions: Vec::new() };
        for original in all {
            let tokens = Tokens::new(&original.formula);
            for call in tokens.calls() {
                let list = match tokens.before(call.name) {
                    "." | "->" => &mut pool.methods,
                    "::" if call.name > 1 && tokens.at(call.name - 2) == "at" => &mut pool.functions,
                    _ => continue,
                };
                list.push(tokens.at(call.name).to_owned());
            }
        }
        for list in [&mut pool.methods, &mut pool.functions] {
            list.sort();
            list.dedup();
        }
        let further = ["item", "dim", "numel", "is_complex", "dtype", "size", "stride", "t", "mT", "data_ptr", "grad"];
        pool.methods.extend(further.map(str::to_owned));
        pool.functions.extend(["zeros_like", "cat", "isFloatingType", "toString", "tensor"].map(str::to_owned));
        pool
    }
}

/// An edit of a formula, if the formula has a place for it.
type Edit = fn(&Tokens, &mut Around) -> Option<String>;

/// What an edit draws from.
struct Around<'a> {
    random: &'a mut Random,
    names: &'a [Named],
    pool: &'a Pool,
}

impl Around<'_> {
    fn name(&mut self) -> Option<String> {
        self.random.pick(self.names).map(|name| name.name.clone())
    }

    /// One of these words.
    fn word(&mut self, words: &[&'static str]) -> &'static str {
        self.random.pick(words).copied().unwrap_or_default()
    }

    /// A value that can be anywhere.
    fn value(&mut self) -> Option<String> {
        match self.random.below(4) {
            0 | 1 => self.name(),
            2 => Some(self.word(&LITERALS).to_owned()),
            _ => {
                let name = self.name()?;
                let method = self.random.pick(&self.pool.methods)?;
                Some(format!("{name}.{method}()"))
            }
        }
    }
}

/// Values of several types.
const LITERALS: [&str; 22] = [
    "2.0",
    "-1",
    "0",
    "1e-3",
    "9223372036854775808",
    "{0}",
    "{0, 1}",
    "{}",
    "true",
    "\"mean\"",
    "'a'",
    "1.5f",
    "-2.5",
    "std::nullopt",
    "nullptr",
    "Tensor()",
    "at::kLong",
    "Scalar(2)",
    "c10::SymInt(2)",
    "std::vector<int64_t>{0}",
    "at::Reduction::Mean",
    "{0.5}",
];

/// All edits, with names for the report.
const EDITS: [(&str, Edit); 38] = [
    ("a name of the same type", |t, a| renamed(t, a, Some(true))),
    ("a name of another type", |t, a| renamed(t, a, Some(false))),
    ("another name", |t, a| renamed(t, a, None)),
    ("argument deleted", argument_deleted),
    ("argument duplicated", argument_duplicated),
    ("arguments swapped", arguments_swapped),
    ("argument replaced", argument_replaced),
    ("argument added", argument_added),
    ("another method", |t, a| other_call(t, a, true)),
    ("another function", |t, a| other_call(t, a, false)),
    ("function as method", function_as_method),
    ("method as function", method_as_function),
    ("misspelled", misspelled),
    ("another operator", |t, a| other_operator(t, a)),
    ("operator before", |t, a| around(t, a, &[("-", ""), ("!", ""), ("~", ""), ("*", ""), ("&", ""), ("+", "")])),
    ("number replaced", number_replaced),
    ("operand replaced", operand_replaced),
    ("_symint", symint),
    ("sizes", sizes),
    ("a bracket dropped", bracket_dropped),
    ("parentheses dropped", pair_dropped),
    ("brackets changed", brackets_changed),
    ("std::get", |t, a| around(t, a, &[("std::get<0>(", ")"), ("std::get<1>(", ")")])),
    ("lambda", |t, a| around(t, a, &[("[&]() { return ", "; }()"), ("[](const Tensor& x) { return x * 2; }(", ")")])),
    ("cast", |t, a| around(t, a, &CASTS)),
    ("ternary", ternary),
    ("Python", |t, a| around(t, a, &PYTHON)),
    ("Python between", python_between),
    ("keyword argument", keyword_argument),
    ("indexed", |t, a| around(t, a, &[("", "[0]"), ("", "[-1]"), ("", "[{0}]"), ("", ".index({0})"), ("", ".at(0)")])),
    (". and ->", member),
    ("method added", method_added),
    ("argument in braces", argument_in_braces),
    ("operation added", operation_added),
    ("optional", |t, a| around(t, a, &[("*", ""), ("", ".value()"), ("", ".has_value()"), ("", ".value_or(1)")])),
    ("property", |t, a| around(t, a, &PROPERTIES)),
    ("list", |t, a| around(t, a, &[("{", "}"), ("", ".vec()"), ("", ".size()"), ("", ".begin()"), ("at::cat(", ")")])),
    ("comparison", |t, a| around(t, a, &[("", " == 0"), ("", " != nullptr"), ("", " && true"), ("", " < 1.5")])),
];

const CASTS: [(&str, &str); 11] = [
    ("static_cast<double>(", ")"),
    ("static_cast<int64_t>(", ")"),
    ("(int64_t)", ""),
    ("(double)(", ")"),
    ("double(", ")"),
    ("int64_t(", ")"),
    ("Scalar(", ")"),
    ("Tensor(", ")"),
    ("c10::SymInt(", ")"),
    ("std::vector<Tensor>(", ")"),
    ("bool(", ")"),
];

const PYTHON: [(&str, &str); 9] = [
    ("", " ** 2"),
    ("", "[1:2]"),
    ("", "[:, None]"),
    ("", ".shape"),
    ("not ", ""),
    ("len(", ")"),
    ("", " is None"),
    ("", " // 2"),
    ("(lambda x: x)(", ")"),
];

const PROPERTIES: [(&str, &str); 8] = [
    ("", ".scalar_type()"),
    ("", ".options()"),
    ("", ".dim()"),
    ("", ".sym_size(0)"),
    ("", ".sizes()"),
    ("", ".item()"),
    ("", ".item<double>()"),
    ("", ".defined()"),
];

/// A formula with one or a few random edits, and their names.
pub(crate) fn edited(original: &Original, pool: &Pool, random: &mut Random) -> Option<(String, Vec<&'static str>)> {
    let names = original.names(&original.formula);
    let mut formula = original.formula.clone();
    let mut made = Vec::new();
    let count = if random.once_in(4) { 2 } else { 1 };
    for _ in 0..count {
        let (name, edit) = *random.pick(&EDITS)?;
        let mut around = Around { random, names: &names, pool };
        formula = edit(&Tokens::new(&formula), &mut around)?;
        made.push(name);
    }
    (formula != original.formula && !formula.trim().is_empty()).then_some((formula, made))
}

/// A name replaced: by one of the same type, by one of another, or by any.
fn renamed(tokens: &Tokens, around: &mut Around, same: Option<bool>) -> Option<String> {
    let place = *around.random.pick(&tokens.names())?;
    let old = tokens.at(place);
    let ty = around.names.iter().find(|name| name.name == old).map(|name| &name.ty);
    let fits = |name: &&Named| name.name != old && same.is_none_or(|same| (Some(&name.ty) == ty) == same);
    let others: Vec<&Named> = around.names.iter().filter(fits).collect();
    let new = around.random.pick(&others)?;
    Some(tokens.with(place..place + 1, &new.name))
}

fn argument_deleted(tokens: &Tokens, around: &mut Around) -> Option<String> {
    let calls: Vec<_> = tokens.calls().into_iter().filter(|call| !call.arguments.is_empty()).collect();
    let call = around.random.pick(&calls)?;
    let i = usize::try_from(around.random.below(call.arguments.len() as u64)).ok()?;
    let kept = call.arguments.iter().enumerate().filter(|(at, _)| *at != i);
    let kept: Vec<String> = kept.map(|(_, range)| tokens.0[range.clone()].concat()).collect();
    Some(tokens.with(call.open + 1..call.close, &kept.join(", ")))
}

fn argument_duplicated(tokens: &Tokens, around: &mut Around) -> Option<String> {
    let arguments: Vec<_> = tokens.calls().into_iter().flat_map(|call| call.arguments).collect();
    let argument = around.random.pick(&arguments)?.clone();
    let text = tokens.0[argument.clone()].concat();
    Some(tokens.with(argument, &format!("{text}, {text}")))
}

fn arguments_swapped(tokens: &Tokens, around: &mut Around) -> Option<String> {
    let calls: Vec<_> = tokens.calls().into_iter().filter(|call| call.arguments.len() > 1).collect();
    let call = around.random.pick(&calls)?;
    let i = usize::try_from(around.random.below(call.arguments.len() as u64 - 1)).ok()?;
    let text = |i: usize| tokens.0[call.arguments[i].clone()].concat();
    let whole = call.arguments[i].start..call.arguments[i + 1].end;
    Some(tokens.with(whole, &format!("{}, {}", text(i + 1), text(i))))
}

fn argument_replaced(tokens: &Tokens, around: &mut Around) -> Option<String> {
    let arguments: Vec<_> = tokens.calls().into_iter().flat_map(|call| call.arguments).collect();
    let argument = around.random.pick(&arguments)?.clone();
    Some(tokens.with(argument, &around.value()?))
}

fn argument_added(tokens: &Tokens, around: &mut Around) -> Option<String> {
    let call = around.random.pick(&tokens.calls())?.close;
    let value = around.value()?;
    let comma = if tokens.at(call - 1) == "(" { "" } else { ", " };
    Some(tokens.with(call..call, &format!("{comma}{value}")))
}

fn argument_in_braces(tokens: &Tokens, around: &mut Around) -> Option<String> {
    let arguments: Vec<_> = tokens.calls().into_iter().flat_map(|call| call.arguments).collect();
    let argument = around.random.pick(&arguments)?.clone();
    let text = tokens.0[argument.clone()].concat();
    Some(tokens.with(argument, &format!("{{{text}}}")))
}

fn other_call(tokens: &Tokens, around: &mut Around, method: bool) -> Option<String> {
    let before: &[&str] = if method { &[".", "->"] } else { &["::"] };
    let calls: Vec<_> = tokens.calls().into_iter().filter(|call| before.contains(&tokens.before(call.name))).collect();
    let call = around.random.pick(&calls)?.name;
    let pool = if method { &around.pool.methods } else { &around.pool.functions };
    Some(tokens.with(call..call + 1, around.random.pick(pool)?))
}

/// `at::f(x, y)` as `x.f(y)`.
fn function_as_method(tokens: &Tokens, around: &mut Around) -> Option<String> {
    let is = |i: &usize| tokens.at(*i) == "::" && *i > 0 && tokens.at(*i - 1) == "at";
    let calls: Vec<_> = tokens.calls().into_iter().filter(|call| call.name > 1 && is(&(call.name - 1))).collect();
    let call = around.random.pick(&calls)?;
    let texts: Vec<String> = call.arguments.iter().map(|range| tokens.0[range.clone()].concat()).collect();
    let (first, rest) = texts.split_first()?;
    let new = format!("{first}.{}({})", tokens.at(call.name), rest.join(", "));
    Some(tokens.with(call.name - 2..call.close + 1, &new))
}

/// `x.f(y)` as `at::f(x, y)`.
fn method_as_function(tokens: &Tokens, around: &mut Around) -> Option<String> {
    let is = |name: usize| name > 1 && tokens.at(name - 1) == "." && tokens.is_word(name - 2);
    let calls: Vec<_> = tokens.calls().into_iter().filter(|call| is(call.name)).collect();
    let call = around.random.pick(&calls)?;
    let object = std::iter::once(tokens.at(call.name - 2).to_owned());
    let texts: Vec<String> =
        object.chain(call.arguments.iter().map(|range| tokens.0[range.clone()].concat())).collect();
    let new = format!("at::{}({})", tokens.at(call.name), texts.join(", "));
    Some(tokens.with(call.name - 2..call.close + 1, &new))
}

fn misspelled(tokens: &Tokens, around: &mut Around) -> Option<String> {
    let place = *around.random.pick(&tokens.places(|i| tokens.is_word(i)))?;
    let mut word: Vec<char> = tokens.at(place).chars().collect();
    let i = usize::try_from(around.random.below(word.len() as u64)).ok()?;
    match around.random.below(3) {
        0 if word.len() > 1 => drop(word.remove(i)),
        1 => word.insert(i, word[i]),
        _ if i > 0 => word.swap(i, i - 1),
        _ => word[i] = word[i].to_ascii_uppercase(),
    }
    Some(tokens.with(place..place + 1, &word.into_iter().collect::<String>()))
}

fn other_operator(tokens: &Tokens, around: &mut Around) -> Option<String> {
    let all = ["+", "-", "*", "/", "%", "<", ">", "==", "!=", "<=", "&&", "||", "&", "|", "^", "<<", "=", "+=", ","];
    let place = *around.random.pick(&tokens.places(|i| all.contains(&tokens.at(i)) && tokens.at(i) != ","))?;
    Some(tokens.with(place..place + 1, around.word(&all)))
}

fn operation_added(tokens: &Tokens, around: &mut Around) -> Option<String> {
    let place = around.random.pick(&tokens.operands())?.end;
    let operator = around.word(&["+", "-", "*", "/", "%", "<", "&", "&&", "=="]);
    let value = around.value()?;
    Some(tokens.with(place..place, &format!(" {operator} {value}")))
}

fn number_replaced(tokens: &Tokens, around: &mut Around) -> Option<String> {
    let place = *around.random.pick(&tokens.places(|i| tokens.at(i).starts_with(|c: char| c.is_ascii_digit())))?;
    Some(tokens.with(place..place + 1, around.word(&LITERALS)))
}

fn operand_replaced(tokens: &Tokens, around: &mut Around) -> Option<String> {
    let place = around.random.pick(&tokens.operands())?.clone();
    Some(tokens.with(place, &around.value()?))
}

fn symint(tokens: &Tokens, around: &mut Around) -> Option<String> {
    let place = around.random.pick(&tokens.calls())?.name;
    let name = tokens.at(place);
    let new = name.strip_suffix("_symint").map_or_else(|| format!("{name}_symint"), str::to_owned);
    Some(tokens.with(place..place + 1, &new))
}

/// `.sizes()` as `.sym_sizes()` and so on, and back.
fn sizes(tokens: &Tokens, around: &mut Around) -> Option<String> {
    let plain = ["sizes", "size", "numel", "strides", "stride"];
    let is = |i: usize| plain.contains(&tokens.at(i).trim_start_matches("sym_"));
    let place = *around.random.pick(&tokens.places(is))?;
    let name = tokens.at(place);
    let new = name.strip_prefix("sym_").map_or_else(|| format!("sym_{name}"), str::to_owned);
    Some(tokens.with(place..place + 1, &new))
}

fn bracket_dropped(tokens: &Tokens, around: &mut Around) -> Option<String> {
    let place = *around.random.pick(&tokens.places(|i| matches!(tokens.at(i), "(" | ")" | "[" | "]" | "{" | "}")))?;
    Some(tokens.with(place..place + 1, ""))
}

fn pair_dropped(tokens: &Tokens, around: &mut Around) -> Option<String> {
    let (open, close) = *around.random.pick(&tokens.pairs())?;
    Some(Tokens::new(&tokens.with(close..close + 1, "")).with(open..open + 1, ""))
}

fn brackets_changed(tokens: &Tokens, around: &mut Around) -> Option<String> {
    let (open, close) = *around.random.pick(&tokens.pairs())?;
    let (before, after) = *around.random.pick(&[("(", ")"), ("{", "}"), ("[", "]"), ("<", ">")])?;
    Some(Tokens::new(&tokens.with(close..close + 1, after)).with(open..open + 1, before))
}

/// An operand with text around it.
fn around(tokens: &Tokens, around: &mut Around, texts: &[(&str, &str)]) -> Option<String> {
    let place = around.random.pick(&tokens.operands())?.clone();
    let (before, after) = around.random.pick(texts)?;
    let text = tokens.0[place.clone()].concat();
    Some(tokens.with(place, &format!("{before}{text}{after}")))
}

fn ternary(tokens: &Tokens, around: &mut Around) -> Option<String> {
    let place = around.random.pick(&tokens.operands())?.clone();
    let text = tokens.0[place.clone()].concat();
    let condition = match around.random.below(3) {
        0 => format!("{}.defined()", around.name()?),
        1 => around.name()?,
        _ => format!("{} > 0", around.name()?),
    };
    let other = around.value()?;
    Some(tokens.with(place, &format!("({condition} ? {text} : {other})")))
}

/// An operand within Python's text around two operands.
fn python_between(tokens: &Tokens, around: &mut Around) -> Option<String> {
    let place = around.random.pick(&tokens.operands())?.clone();
    let text = tokens.0[place.clone()].concat();
    let (name, other) = (around.name()?, around.value()?);
    let new = match around.random.below(5) {
        0 => format!("{text} if {name} else {other}"),
        1 => format!("{text} and {other}"),
        2 => format!("{text} @ {other}"),
        3 => format!("({text}, {other})"),
        _ => format!("[{text} for x in {other}]"),
    };
    Some(tokens.with(place, &new))
}

fn keyword_argument(tokens: &Tokens, around: &mut Around) -> Option<String> {
    let arguments: Vec<_> = tokens.calls().into_iter().flat_map(|call| call.arguments).collect();
    let argument = around.random.pick(&arguments)?.clone();
    let name = match around.random.once_in(2) {
        true => around.name()?,
        false => around.word(&["dim", "keepdim", "other", "alpha"]).to_owned(),
    };
    Some(tokens.with(argument.start..argument.start, &format!("{name}=")))
}

fn member(tokens: &Tokens, around: &mut Around) -> Option<String> {
    let place = *around.random.pick(&tokens.places(|i| matches!(tokens.at(i), "." | "->" | "::")))?;
    Some(tokens.with(place..place + 1, around.word(&[".", "->", "::"])))
}

fn method_added(tokens: &Tokens, around: &mut Around) -> Option<String> {
    let place = around.random.pick(&tokens.operands())?.end;
    let method = around.random.pick(&around.pool.methods)?.clone();
    let argument = if around.random.once_in(2) { around.value()? } else { String::new() };
    Some(tokens.with(place..place, &format!(".{method}({argument})")))
}

/// A formula with these values in place of names. The sizes of an optional tensor are the only
/// member of it that nodes save.
pub(super) fn renamed_words(formula: &str, names: &[Named], values: &[String]) -> String {
    let mut tokens = Tokens::new(formula);
    for place in tokens.names() {
        let Some(i) = names.iter().position(|name| name.name == tokens.at(place)) else { continue };
        let is_optional = names[i].ty == "Tensor?";
        if is_optional && tokens.0[place + 1..].iter().take(4).eq(["->", "sym_sizes", "(", ")"].iter()) {
            tokens.0[place + 1] = ".".to_owned();
        }
        tokens.0[place].clone_from(&values[i]);
    }
    tokens.text()
}
