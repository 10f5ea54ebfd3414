//! Defaults of schemas as C++ expressions.
//!
//! Invariant: a default without a special form is valid C++ and is used unchanged. Rule:
//! torchgen/api/cpp.py, `default_expr`.

use std::borrow::Cow;

use super::error::{ApiError, NO_CPP_DEFAULT, Result};
use super::literal::braced;
use crate::SymInts;
use torchgen_base::lang::cpp::escaped;
use torchgen_model::model::scalar_types::ScalarType;
use torchgen_model::model::{Argument, BaseTy, Type};

/// The C++ expression for the default of an argument, if it has one.
///
/// # Errors
/// A list without a size needs a list.
pub(crate) fn argument_default(a: &Argument, sym_ints: SymInts) -> Result<Option<Cow<'_, str>>> {
    let Some(default) = a.default.as_deref() else { return Ok(None) };
    let ty = match &a.ty {
        Type::Optional(elem) => elem,
        ty => ty,
    };
    match ty {
        // The reference keeps these, and the C++ does not compile.
        Type::Base(BaseTy::Device) if a.by_c10 && default.starts_with(['"', '\'']) => {
            Ok(Some(Cow::Owned(device(&default_expr(default, &Type::STR, sym_ints)?))))
        }
        Type::Base(BaseTy::Str) if a.by_c10 => {
            let literal = default_expr(default, &a.ty, sym_ints)?;
            Ok(Some(Cow::Owned(in_one_line(&literal))))
        }
        Type::Base(BaseTy::ScalarType) if a.by_c10 && default != "None" => Ok(Some(scalar_type(default))),
        Type::Base(BaseTy::Layout) if a.by_c10 && default == "strided" => Ok(Some(Cow::Borrowed("at::kStrided"))),
        // Only a list's own type has a default that is not ambiguous.
        Type::List(elem, None) if a.by_c10 && **elem == Type::BOOL && default.starts_with('[') => {
            let items = bools(default).join(", ");
            let items = if items.is_empty() { items } else { braced(&items) };
            Ok(Some(Cow::Owned(format!("c10::List<bool>({items})"))))
        }
        // The reference keeps these, too.
        Type::List(elem, _) if a.by_c10 && **elem == Type::BOOL && default.starts_with('[') => {
            Ok(Some(Cow::Owned(braced(&bools(default).join(", ")))))
        }
        _ => default_expr(default, &a.ty, sym_ints).map(Some),
    }
}

/// A literal in which characters that end a line, or that readers do not see, are escapes. Its own
/// escapes and quotes stay.
fn in_one_line(literal: &str) -> String {
    let mut out = String::with_capacity(literal.len());
    for part in literal.split_inclusive(['\\', '"']) {
        let text = part.trim_end_matches(['\\', '"']);
        out.push_str(&escaped(text));
        out.push_str(&part[text.len()..]);
    }
    out
}

/// The elements of a list of booleans.
fn bools(default: &str) -> Vec<Cow<'_, str>> {
    let inside = default.trim_start_matches('[').trim_end_matches(']');
    inside.split(',').map(str::trim).filter(|item| !item.is_empty()).map(as_written).collect()
}

/// The C++ expression for a default.
///
/// # Errors
/// A list without a size needs a list.
pub fn default_expr<'a>(default: &'a str, ty: &Type, sym_ints: SymInts) -> Result<Cow<'a, str>> {
    let mut ty = ty;
    loop {
        match ty {
            Type::Optional(elem) => {
                if default == "None" {
                    // An absent tensor, in a form that also converts to an undefined one.
                    let is_tensor = **elem == Type::Base(BaseTy::Tensor);
                    return Ok(Cow::Borrowed(if is_tensor { "{}" } else { "::std::nullopt" }));
                }
                ty = elem;
            }
            Type::Base(BaseTy::Str) => {
                let quoted = default.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\''));
                return Ok(quoted.map_or_else(|| as_written(default), |inside| Cow::Owned(requote(inside))));
            }
            Type::List(elem, size) => {
                if let Some(inside) = default.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
                    return Ok(if inside.is_empty() { Cow::Borrowed("{}") } else { Cow::Owned(braced(inside)) });
                }
                let is_number = !default.is_empty() && default.bytes().all(|c| c.is_ascii_digit());
                if sym_ints.are_kept() && is_number && **elem == Type::Base(BaseTy::SymInt) {
                    return Ok(Cow::Owned(format!("c10::SymInt({default})")));
                }
                if size.is_none() {
                    return Err(ApiError::new(
                        &NO_CPP_DEFAULT,
                        format!("default `{default}` of a list must be a list, as in `[1, 2]`"),
                    ));
                }
                return Ok(as_written(default));
            }
            _ => return Ok(as_written(default)),
        }
    }
}

/// A scalar type by its name in Python.
fn scalar_type(default: &str) -> Cow<'_, str> {
    match ScalarType::of_word(default) {
        Some(ty) => Cow::Owned(format!("at::k{}", ty.cpp)),
        None => as_written(default),
    }
}

/// A device by its name, which needs two conversions.
fn device(name: &str) -> String {
    format!("at::Device({name})")
}

fn as_written(default: &str) -> Cow<'_, str> {
    Cow::Borrowed(match default {
        "False" => "false",
        "True" => "true",
        "None" => "::std::nullopt",
        "Mean" => "at::Reduction::Mean",
        "[]" => "{}",
        "contiguous_format" => "c10::MemoryFormat::Contiguous",
        "long" => "at::kLong",
        other => other,
    })
}

/// Turns the inside of a single-quoted string into a double-quoted one. Escapes stay, except that
/// of the single quote.
fn requote(inside: &str) -> String {
    let mut out = String::from('"');
    let mut chars = inside.chars();
    while let Some(c) = chars.next() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => match chars.next() {
                // The last backslash escapes the closing quote, which is not part of `inside`.
                Some('\'') | None => out.push('\''),
                Some(escaped) => out.extend(['\\', escaped]),
            },
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use torchgen_model::model::Language;
    use torchgen_model::parse;

    fn check(default: &str, ty: &str, symint: bool, expected: Option<&str>) {
        let argument = parse::schema::argument(&format!("{ty} x"), Language::Torchgen).unwrap();
        assert_eq!(
            default_expr(default, &argument.ty, SymInts::kept_if(symint)).ok().as_deref(),
            expected,
            "{default} {ty}"
        );
    }

    #[test]
    fn expressions() {
        check("3", "int", false, Some("3"));
        check("None", "Tensor?", false, Some("{}"));
        check("None", "Scalar?", false, Some("::std::nullopt"));
        check("None", "int[]?", false, Some("::std::nullopt"));
        check("True", "bool", false, Some("true"));
        check("Mean", "int", false, Some("at::Reduction::Mean"));
        check("long", "ScalarType", false, Some("at::kLong"));
        check("contiguous_format", "MemoryFormat", false, Some("c10::MemoryFormat::Contiguous"));
        check("1e-05", "float", false, Some("1e-05"));
        check("[]", "int[]", false, Some("{}"));
        check("[1,2]", "int[2]", false, Some("{1,2}"));
        check("1", "int[2]", false, Some("1"));
        check("0", "SymInt[2]", false, Some("0"));
        check("0", "SymInt[2]", true, Some("c10::SymInt(0)"));
        check("'mean'", "str", false, Some("\"mean\""));
        check("'a\"b'", "str", false, Some("\"a\\\"b\""));
        check("'it\\'s'", "str", false, Some("\"it's\""));
        check("'x\\n'", "str?", false, Some("\"x\\n\""));
        check("\"dq\"", "str", false, Some("\"dq\""));
        check("3", "int[]", false, None);
        check("2", "SymInt[1]?", false, Some("2"));
        check("2", "SymInt[1]?", true, Some("c10::SymInt(2)"));
    }
}
