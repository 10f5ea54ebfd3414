//! Converts c10's schemas to the model, which has kinds of operators and C++ names.
//!
//! Invariant: the model's schema prints as [`Declared::text`]. c10 assigns no meaning to the name
//! `self`, to a trailing underscore or to `*` before mutable arguments; they have their meaning in
//! `native_functions.yaml` if the schema follows its rules, and no meaning otherwise.

use std::ops::Range;

use super::cpp_form::{can_be_returned, can_be_taken};
use super::default_slips::optional;
use super::schema::{Declared, DeclaredValue, Item, Parser};
use super::types::not_generated;
use crate::codes;
use crate::model::scalar_types::ScalarType;
use crate::model::{
    Argument, Arguments, BaseOperatorName, BaseTy, FunctionSchema, OperatorName, ReservedNames, Return, Type, cpp_names,
};
use crate::parse::arguments::gather_options;
use crate::parse::checks::{Part, Violation, check_schema};
use crate::parse::name::base_name;
use crate::parse::schema::Located;
use torchgen_base::diag::{Help, TextError};
use torchgen_base::lang::cpp::is_keyword;
use torchgen_kit::driver::data::Tables;

impl Declared {
    /// The schema in the model.
    ///
    /// # Errors
    /// No C++ is generated for such a schema.
    pub fn generated(&self, tables: &Tables) -> Result<Located, TextError> {
        let mut lints = Vec::new();
        let reserved: &ReservedNames = tables.get();
        let arguments = self.model_arguments(reserved, &mut lints)?;
        let places = self.argument_places(&arguments);
        let mut returns = self.model_returns()?;
        let (arguments, is_inplace) = self.by_role(arguments, &returns);
        if !is_inplace && arguments.out.is_empty() {
            returns.iter_mut().for_each(|ret| ret.given_back = is_given_back(ret, &arguments));
        }
        let name = match base_name(&self.base_name) {
            Ok(name) if name.inplace == is_inplace => name,
            _ => BaseOperatorName::plain(self.base_name.clone()),
        };
        let name = OperatorName { name, overload_name: self.overload_name.clone() };
        let schema = FunctionSchema { name, arguments, returns };
        check_schema(&schema).map_err(|violation| self.error(violation))?;
        Ok(Located { schema, arguments: places, lints })
    }

    /// Where the arguments are, each with its type and without its default.
    fn argument_places(&self, arguments: &[(Argument, bool)]) -> Vec<(String, Range<usize>)> {
        let range = |one: &DeclaredValue| {
            let end = one.name.as_ref().map_or(one.written.range.end, |(_, range)| range.end);
            one.written.range.start..end
        };
        let names = arguments.iter().map(|(argument, _)| argument.name.clone());
        names.zip(self.ones(&self.arguments).map(range)).collect()
    }

    fn model_arguments(
        &self,
        reserved: &ReservedNames,
        lints: &mut Vec<TextError>,
    ) -> Result<Vec<(Argument, bool)>, TextError> {
        let mut arguments: Vec<(Argument, bool)> = Vec::with_capacity(self.arguments.len());
        let mut seen = cpp_names::Seen::default();
        for item in &self.arguments {
            let one = match item {
                Item::Star => continue,
                Item::Dots(range) => return Err(not_generated(range.clone(), "`...`")),
                Item::Value(one) => one,
            };
            let (ty, annotation) = one.written.model.clone()?;
            if !can_be_taken(&ty) {
                return Err(not_generated(one.written.range.clone(), &format!("type `{ty}`")));
            }
            let (written, range) = one.name.clone().unwrap_or_default();
            if annotation.as_ref().is_some_and(|annotation| annotation.is_write) && !ty.is_tensor_like() {
                let message = format!("`{written}` is annotated as mutable, but only tensors can be");
                lints.push(
                    TextError::new(&codes::WRITTEN_VALUE, one.written.range.clone(), message)
                        .help(Help::new("remove the annotation").instead(ty.to_string())),
                );
            }
            if let Some((default, at)) = one.default.as_ref().filter(|(default, _)| !has_cpp_form(default, &ty)) {
                let number = hexadecimal(default);
                let message = match number {
                    Some(_) => format!("torch reads the default `{default}` as 0"),
                    None => format!("a default of type `{ty}` cannot be `{default}`"),
                };
                let error = TextError::new(&codes::BAD_DEFAULT, at.clone(), message);
                if let Some(number) = number.map(|number| number.to_string()).filter(|number| has_cpp_form(number, &ty))
                {
                    return Err(error.help(Help::write(number)));
                }
                let tensor_or_generator = matches!(ty, Type::Base(BaseTy::Tensor | BaseTy::Generator));
                let whole = default.strip_suffix(".0").or(default.strip_suffix('.'));
                return Err(match whole.filter(|whole| has_cpp_form(whole, &ty)) {
                    _ if tensor_or_generator || default == "None" => {
                        error.help(optional(&ty.to_string(), &written, "None"))
                    }
                    Some(whole) => error.help(Help::write(whole).certainly()),
                    None if matches!(ty, Type::Base(BaseTy::Int | BaseTy::SymInt))
                        && default.parse::<f64>().is_ok() =>
                    {
                        error.help(format!("write a whole number, or `float {written}={default}`"))
                    }
                    None => error,
                });
            }
            let nth = seen.next(&written);
            let name = Self::cpp_name(&written, nth, &range, reserved, lints);
            let schema_name = (name != written).then_some(written);
            let default = one.default.as_ref().map(|(default, _)| default.clone());
            let argument = Argument { name, ty, default, annotation, schema_name, by_c10: true };
            arguments.push((argument, one.keyword_only));
        }
        Ok(arguments)
    }

    /// The name of the parameter: that of the argument, unless C++ has another meaning for it, or
    /// it is not the first argument of that name.
    fn cpp_name(
        written: &str,
        nth: usize,
        range: &Range<usize>,
        reserved: &ReservedNames,
        lints: &mut Vec<TextError>,
    ) -> String {
        if nth == 1 && !reserved.has(written) {
            return written.to_owned();
        }
        let name = cpp_names::argument(written, nth);
        if nth > 1 {
            let message = format!("duplicate argument `{written}`; in C++ it is called `{name}`");
            let lint = TextError::new(&codes::REPEATED_ARGUMENT, range.clone(), message);
            lints.push(lint.help("it cannot be passed by name; choose another name"));
        } else if is_keyword(written) {
            let message = format!("`{written}` is a keyword of C++, where the argument is called `{name}`");
            lints.push(TextError::new(&codes::KEYWORD_ARGUMENT, range.clone(), message));
        }
        name
    }

    fn ones<'a>(&self, items: &'a [Item]) -> impl Iterator<Item = &'a DeclaredValue> {
        items.iter().filter_map(|item| if let Item::Value(one) = item { Some(&**one) } else { None })
    }

    fn model_returns(&self) -> Result<Vec<Return>, TextError> {
        let mut seen = cpp_names::Seen::default();
        let one = |item: &Item| match item {
            Item::Star => Err(not_generated(self.returns_at.clone(), "`*`")),
            Item::Dots(range) => Err(not_generated(range.clone(), "`...`")),
            Item::Value(one) => {
                let nothing = self.text.ends_with("-> None");
                let (ty, annotation) = one.written.model.clone().map_err(|error| match nothing {
                    true => error.help("an operator that returns nothing has `-> ()`"),
                    false => error,
                })?;
                if !can_be_returned(&ty) {
                    return Err(not_generated(one.written.range.clone(), &format!("a returned `{ty}`")));
                }
                let name = one.name.as_ref().map(|(name, _)| name.as_str());
                let owns_strings = ty.is_base_ty_like(BaseTy::Str);
                // Formulas name it.
                let is_renamed = |(name, nth): &(&str, usize)| *nth > 1 || is_keyword(name) || cpp_names::is_made(name);
                let numbered = name.map(|name| (name, seen.next(name)));
                let cpp_name = numbered.filter(is_renamed).map(|(name, nth)| cpp_names::output(name, nth));
                let name = name.map(str::to_owned);
                Ok(Return { name, cpp_name, ty, annotation, owns_strings, given_back: false })
            }
        };
        self.returns.iter().map(one).collect()
    }

    /// Sorts arguments by role, and returns whether the operator is inplace.
    fn by_role(&self, arguments: Vec<(Argument, bool)>, returns: &[Return]) -> (Arguments, bool) {
        let (positional, keywords): (Vec<_>, Vec<_>) =
            arguments.into_iter().partition(|(_, keyword_only)| !keyword_only);
        let mut positional: Vec<Argument> = positional.into_iter().map(|(argument, _)| argument).collect();
        let mut keywords: Vec<Argument> = keywords.into_iter().map(|(argument, _)| argument).collect();
        let out = keywords.split_off(out_arguments_from(&keywords, returns));
        let mut sorted = Arguments { out, ..Arguments::default() };
        let is_inplace = self.split_at_self(&mut positional, returns, &mut sorted);
        sorted.post_self_positional = positional;
        let writes = sorted.flat_all().chain(&keywords).any(Argument::is_write);
        if writes || gather_options(&keywords, &mut sorted).is_err() {
            sorted.tensor_options = None;
            sorted.post_tensor_options_kwarg_only = Vec::new();
            sorted.pre_tensor_options_kwarg_only = keywords;
        }
        (sorted, is_inplace)
    }

    /// Takes `self` and the arguments before it out of the positional arguments, if they have a
    /// meaning, and returns whether the operator is inplace.
    fn split_at_self(&self, positional: &mut Vec<Argument>, returns: &[Return], sorted: &mut Arguments) -> bool {
        let Some(at) = positional.iter().position(|argument| argument.name == "self") else { return false };
        let own = &positional[at];
        let returned = if own.ty == Type::TENSOR {
            matches!(returns, [only] if only.annotation == own.annotation)
        } else {
            returns.is_empty()
        };
        let named_inplace = base_name(&self.base_name).is_ok_and(|name| name.inplace);
        let is_inplace = own.is_write() && named_inplace && returned && sorted.out.is_empty();
        let is_ordinary = own.is_write() && !is_inplace;
        if is_ordinary || positional[..at].iter().any(Argument::is_write) {
            return false;
        }
        let after = positional.split_off(at + 1);
        sorted.self_arg = positional.pop();
        sorted.pre_self_positional = std::mem::replace(positional, after);
        is_inplace
    }

    fn error(&self, violation: Violation) -> TextError {
        let place = |items, i| -> Option<&DeclaredValue> { self.ones(items).nth(i) };
        let range = match violation.part {
            Part::Name => Some(self.name_at.clone()),
            Part::ArgumentType(i) => place(&self.arguments, i).map(|one| one.written.range.clone()),
            Part::ArgumentName(i) => place(&self.arguments, i).and_then(|one| one.name.clone()).map(|(_, range)| range),
            Part::Return(i) => place(&self.returns, i).map(|one| one.written.range.clone()),
            Part::Returns => None,
        };
        TextError {
            range: range.unwrap_or(self.returns_at.clone()),
            message: violation.message,
            help: violation.help,
            code: violation.code,
        }
    }
}

/// Whether the return is one of the mutable arguments.
fn is_given_back(ret: &Return, arguments: &Arguments) -> bool {
    let is_source = |argument: &Argument| argument.is_write() && argument.annotation == ret.annotation;
    ret.annotation.as_ref().is_some_and(|annotation| annotation.is_write) && arguments.flat_all().any(is_source)
}

/// The index of the first out argument: the mutable ones at the end, provided that they are
/// returned as out arguments are.
fn out_arguments_from(keywords: &[Argument], returns: &[Return]) -> usize {
    let Some(first) = keywords.iter().position(Argument::is_write) else { return keywords.len() };
    let out = &keywords[first..];
    let wanted: Vec<&Argument> = out.iter().filter(|argument| !argument.is_scratch()).collect();
    let is_out = out.iter().all(Argument::is_write)
        && if out.iter().all(|argument| argument.ty == Type::TENSOR) {
            wanted.len() == returns.len()
                && !wanted.is_empty()
                && wanted.iter().zip(returns).all(|(argument, ret)| argument.annotation == ret.annotation)
        } else {
            returns.is_empty() && out.iter().all(|argument| !matches!(argument.ty, Type::Optional(_)))
        };
    if is_out { first } else { keywords.len() }
}

/// The number that is written with the digits of hexadecimals.
fn hexadecimal(default: &str) -> Option<i64> {
    let digits = default.strip_prefix("0x").or_else(|| default.strip_prefix("0X"))?;
    i64::from_str_radix(digits, 16).ok()
}

/// Whether the default is also valid in C++.
pub(in crate::parse) fn has_cpp_form(default: &str, ty: &Type) -> bool {
    let is_string = default.starts_with(['"', '\'']) && !default.starts_with("\"\"\"") && !default.starts_with("'''");
    let digits = default.trim_start_matches(['-', ' ']);
    let is_number = digits.starts_with(|c: char| c.is_ascii_digit() || c == '.')
        && !digits.contains(['j', 'x', 'X'])
        && digits.parse::<f64>().is_ok();
    let is_whole =
        is_number && digits.bytes().all(|b| b.is_ascii_digit()) && (digits == "0" || !digits.starts_with('0'));
    let is_bool = matches!(default, "True" | "False");
    match ty {
        Type::Optional(elem) => default == "None" || has_cpp_form(default, elem),
        Type::List(elem, size) => match default.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            Some(inside) => inside.is_empty() || inside.split(',').all(|one| has_cpp_form(one.trim(), elem)),
            None => size.is_some() && !elem.is(BaseTy::Bool) && has_cpp_form(default, elem),
        },
        Type::Base(base) => match base {
            BaseTy::Str => is_string && !default.contains('\n'),
            BaseTy::Device => is_string,
            BaseTy::Int | BaseTy::SymInt | BaseTy::DeviceIndex => is_whole || is_bool || default == "Mean",
            BaseTy::Float => is_number && (is_whole || default.contains(['.', 'e', 'E'])),
            BaseTy::Bool => is_whole || is_bool,
            BaseTy::Scalar => is_bool || (is_number && (is_whole || default.contains(['.', 'e']))),
            BaseTy::ScalarType => ScalarType::of_word(default).is_some(),
            BaseTy::Layout => default == "strided",
            BaseTy::MemoryFormat => default == "contiguous_format",
            _ => false,
        },
        Type::Dict(..) | Type::CustomClass(_) => false,
    }
}

/// Reads a single argument.
///
/// # Errors
/// c10 would refuse it, or the model does not know it.
pub(crate) fn argument(text: &str) -> Result<Argument, TextError> {
    let mut parser = Parser::new(text);
    let one = parser.argument()?;
    if parser.range().start != text.len() && !text[parser.range().start..].trim().is_empty() {
        return Err(parser.unexpected(if one.default.is_none() { "`=` or the end" } else { "the end" }));
    }
    let (ty, annotation) = one.written.model?;
    let name = one.name.map(|(name, _)| name).unwrap_or_default();
    let default = one.default.map(|(default, _)| default);
    Ok(Argument { name, ty, default, annotation, schema_name: None, by_c10: true })
}
