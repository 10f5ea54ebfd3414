//! Whole operator schemas: `name.overload(arguments) -> returns`.
//!
//! Invariant: in the ATen layout an accepted schema prints back as exactly the parsed text. Rule:
//! torchgen/model.py, `FunctionSchema.parse`; for the library layout c10's function schema parser.

use std::ops::Range;

use super::arguments::{Place, by_role};
use super::c10;
use super::checks::{Part, Violation, check_names, check_schema};
use super::error::{PResult, into_error, token_len};
use super::types::Grammar;
use crate::codes;
use crate::model::rules::Rules;
use crate::model::{Annotation, Argument, Arguments, FunctionSchema, Language, Return, SchemaSpans, Type};
use torchgen_base::diag::{Help, TextError};
use torchgen_base::lang::is_ascii_word;
use torchgen_base::yaml::Text;
use torchgen_kit::driver::data::Tables;

/// Reads a schema without a namespace. The tables have the names that C++ cannot use.
///
/// # Errors
/// If the text is not a schema of the language, or the schema breaks a rule of
/// `check`.
pub fn parse(text: &str, language: Language, tables: &Tables) -> Result<FunctionSchema, TextError> {
    match language {
        Language::Torchgen => whole_schema(text, tables).map(|located| located.schema),
        Language::C10 => c10::declared(text)?.generated(tables).map(|located| located.schema),
    }
}

/// Reads a schema of the reference's language without a namespace, and returns the places of its
/// arguments.
pub fn whole_schema(text: &str, tables: &Tables) -> Result<Located, TextError> {
    whole(&of_version(text, tables), text)
}

/// The grammar of the run's version of torch.
fn of_version(text: &str, tables: &Tables) -> Grammar {
    Grammar::of_torch(text, Rules::of_tables(tables).named_tensors)
}

/// A schema and the places of its arguments in the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Located {
    /// The schema.
    pub schema: FunctionSchema,
    /// Each argument by its C++ name, with its type and without its default.
    pub arguments: Vec<(String, Range<usize>)>,
    /// Lints on the schema.
    pub(crate) lints: Vec<TextError>,
}

impl Located {
    /// The places of schema and arguments in the file, given the scalar that contains them.
    pub fn spans(&self, text: &Text) -> SchemaSpans {
        let span = |(name, range): &(String, Range<usize>)| (name.clone(), text.sub_span(range.clone()));
        SchemaSpans::new(text.span(), self.arguments.iter().map(span))
    }
}

/// Reads a schema with or without a namespace: `ns::op(...) -> ...`. The library layout also takes
/// nested ones, `a::b::op`.
///
/// # Errors
/// As [`parse`], and if the namespace is not an identifier.
pub fn namespaced(
    text: &str,
    language: Language,
    tables: &Tables,
) -> Result<(Option<String>, FunctionSchema), TextError> {
    located(text, language, tables).map(|(namespace, located)| (namespace, located.schema))
}

/// Reads a schema as [`namespaced`] does, and returns the places of its arguments.
pub fn located(text: &str, language: Language, tables: &Tables) -> Result<(Option<String>, Located), TextError> {
    if language == Language::C10 {
        let declared = c10::declared(text)?;
        let located = declared.generated(tables)?;
        return Ok((declared.namespace, located));
    }
    of_grammar(&of_version(text, tables), text)
}

/// Reads a schema of PyTorch, whatever its version is.
pub fn of_any_torch(text: &str) -> Result<(Option<String>, Located), TextError> {
    of_grammar(&Grammar::of_torch(text, true), text)
}

fn of_grammar(grammar: &Grammar, text: &str) -> Result<(Option<String>, Located), TextError> {
    let (rest, namespace) = grammar.namespace(text).map_err(|error| into_error(error, text.len()))?;
    let located = whole(grammar, rest)?;
    // The reference searches the whole text for the last `::`.
    match rest.find("::") {
        Some(at) => {
            let at = text.len() - rest.len() + at;
            let message = "`::` is allowed only after the namespace";
            Err(TextError::new(&codes::BAD_DEFAULT, at..at + 2, message))
        }
        None => Ok((namespace, located)),
    }
}

/// Reads a single argument: `int[2] dims=[0,1]`.
pub fn argument(text: &str, language: Language) -> Result<Argument, TextError> {
    if language == Language::C10 {
        return c10::argument(text);
    }
    let grammar = Grammar::new(text);
    let (rest, (argument, _)) = grammar.argument(text).map_err(|error| into_error(error, text.len()))?;
    nothing_after(rest, text.len(), if argument.default.is_none() { "`=` or the end" } else { "the end" })?;
    Ok(argument)
}

/// Reads a single return: `Tensor(a!) values`.
pub fn one_return(text: &str) -> Result<Return, TextError> {
    let grammar = Grammar::new(text);
    let (rest, (ret, _)) = grammar.one_return(text).map_err(|error| into_error(error, text.len()))?;
    nothing_after(rest, text.len(), "the end")?;
    Ok(ret)
}

/// Reads a type without an annotation: `int[2]?`.
pub fn ty(text: &str) -> Result<Type, TextError> {
    let grammar = Grammar::new(text);
    let (rest, (ty, annotation)) = grammar.ty(text).map_err(|error| into_error(error, text.len()))?;
    nothing_after(rest, text.len(), "the end")?;
    match annotation {
        None => Ok(ty),
        Some(_) => {
            let message = "a type by itself has no annotation";
            Err(TextError::new(&codes::BAD_ANNOTATION, 0..text.len(), message))
        }
    }
}

/// Reads what is between the parentheses of an annotation: `a! -> a|b`.
pub fn annotation(text: &str) -> Result<Annotation, TextError> {
    between("Tensor(", text, ")", |whole| {
        let grammar = Grammar::new(whole);
        let (rest, (_, annotation)) = grammar.ty(whole).map_err(|error| into_error(error, whole.len()))?;
        nothing_after(rest, whole.len(), "the end")?;
        annotation.ok_or_else(|| TextError::new(&codes::BAD_ANNOTATION, 0..whole.len(), "not an annotation"))
    })
}

/// Reads the arguments of a schema without parentheses: `Tensor self, *, int dim=0`.
pub fn arguments(text: &str) -> Result<Arguments, TextError> {
    between("(", text, ")", |whole| {
        let grammar = Grammar::new(whole);
        let (rest, items) = grammar.arguments(whole).map_err(|error| into_error(error, whole.len()))?;
        nothing_after(rest, whole.len(), "the end")?;
        by_role(items).map(|(arguments, _)| arguments)
    })
}

/// Reads a text as part of a longer one. The range of an error is in the text.
fn between<T>(
    before: &str,
    text: &str,
    after: &str,
    read: impl FnOnce(&str) -> Result<T, TextError>,
) -> Result<T, TextError> {
    let inside = |at: usize| at.saturating_sub(before.len()).min(text.len());
    read(&format!("{before}{text}{after}"))
        .map_err(|error| TextError { range: inside(error.range.start)..inside(error.range.end), ..error })
}

/// Checks a schema that was not parsed.
///
/// # Errors
/// The first rule that it breaks, as a sentence without a full stop.
pub fn check_made(schema: &FunctionSchema) -> Result<(), String> {
    check_schema(schema).map_err(|violation| violation.message)
}

fn nothing_after(rest: &str, len: usize, expected: &str) -> Result<(), TextError> {
    if rest.is_empty() {
        return Ok(());
    }
    let start = len - rest.len();
    let found = &rest[..token_len(rest)];
    let (message, help) = if found.trim().is_empty() {
        ("white space after the end".to_owned(), Some(Help::new("remove it").instead("").certainly()))
    } else if found == "!" || found == "(" {
        let help = "the alias annotation must directly follow the innermost type";
        (format!("expected {expected}, found `{found}`"), Some(help.into()))
    } else {
        (format!("expected {expected}, found `{found}`"), None)
    };
    let error = TextError::new(&codes::SCHEMA_SYNTAX, start..start + found.len(), message);
    Err(match help {
        Some(help) => error.help(help),
        None => error,
    })
}

/// The places of everything that a check can report.
struct Places {
    name: Range<usize>,
    arguments: Vec<Place>,
    returns: Vec<Place>,
    all_returns: Range<usize>,
}

fn whole(grammar: &Grammar, body: &str) -> Result<Located, TextError> {
    let len = grammar.at("");
    let (rest, (name, items, (returns, return_places, all_returns))) =
        declaration(grammar, body).map_err(|error| into_error(error, len))?;
    nothing_after(rest, len, "the end")?;
    let name_at = grammar.at(body);
    let name_len = body.find(|c| !is_ascii_word(c) && c != '.').unwrap_or(0);
    let name_place = name_at..name_at + name_len;
    let (arguments, argument_places) = by_role(items)?;
    let schema = FunctionSchema { name, arguments, returns };
    let places = Places { name: name_place, arguments: argument_places, returns: return_places, all_returns };
    check_schema(&schema).and_then(|()| check_names(&schema)).map_err(|violation| places.error(violation))?;
    let names = schema.schema_order_arguments().map(|argument| argument.name.clone());
    let arguments = names.zip(places.arguments.iter().map(|place| place.ty.start..place.name.end)).collect();
    Ok(Located { schema, arguments, lints: Vec::new() })
}

type Declaration = (crate::model::OperatorName, Vec<super::arguments::Item>, super::arguments::Returns);

fn declaration<'a>(grammar: &Grammar, i: &'a str) -> PResult<'a, Declaration> {
    let (i, name) = grammar.operator_name(i)?;
    let (i, items) = grammar.arguments(i)?;
    let (i, ()) = grammar.arrow(i)?;
    let (i, returns) = grammar.returns(i)?;
    Ok((i, (name, items, returns)))
}

impl Places {
    fn error(&self, violation: Violation) -> TextError {
        let range = match violation.part {
            Part::Name => Some(self.name.clone()),
            Part::ArgumentType(i) => self.arguments.get(i).map(|place| place.ty.clone()),
            Part::ArgumentName(i) => self.arguments.get(i).map(|place| place.name.clone()),
            Part::Return(i) => self.returns.get(i).map(|place| place.ty.clone()),
            Part::Returns => None,
        };
        TextError {
            range: range.unwrap_or(self.all_returns.clone()),
            message: violation.message,
            help: violation.help,
            code: violation.code,
        }
    }
}
