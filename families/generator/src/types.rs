//! The types of options and of keys of entries.
//!
//! Invariant: what a type promises is checked before a template sees the value.

use minijinja::Value;
use torchgen_base::diag::{Diagnostic, Diagnostics, did_you_mean};
use torchgen_base::lang::cpp::tokens;
use torchgen_base::lang::is_qualified_identifier;
use torchgen_base::yaml::{Node, NodeKind, Resolved, Text, resolve};

use super::values::{self, wrong};

/// A type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum KeyType {
    Text,
    Identifier,
    Bool,
    Int,
    Number,
    Words(Vec<String>),
    Map,
    Any,
    /// An operator; a template gets the thing.
    Operator,
    /// A schema, which declares an operator.
    Schema,
    /// The schema of an operator that exists or is declared.
    OperatorOrSchema,
    /// A part of the entry's operator.
    Argument,
    Return,
    DispatchKey,
    /// C++ whose brackets are balanced.
    Cpp,
}

/// The types that are one word, with the word.
const NAMED: [(&str, KeyType); 16] = [
    ("text", KeyType::Text),
    ("identifier", KeyType::Identifier),
    ("bool", KeyType::Bool),
    ("int", KeyType::Int),
    ("number", KeyType::Number),
    ("map", KeyType::Map),
    ("any", KeyType::Any),
    ("operator", KeyType::Operator),
    ("schema", KeyType::Schema),
    ("operator_or_schema", KeyType::OperatorOrSchema),
    ("argument", KeyType::Argument),
    ("arguments", KeyType::Argument),
    ("return", KeyType::Return),
    ("dispatch_key", KeyType::DispatchKey),
    ("tag", KeyType::Text),
    ("cpp", KeyType::Cpp),
];

impl KeyType {
    /// Reads a type; the flag says that its values are lists.
    pub(crate) fn read(node: &Node, diagnostics: &mut Diagnostics) -> Option<(KeyType, bool)> {
        match &node.kind {
            NodeKind::Scalar(text) => {
                let found = NAMED.iter().find(|(name, _)| *name == text.as_str());
                if found.is_none() {
                    let near = did_you_mean(text, NAMED.iter().map(|(name, _)| *name));
                    let error = wrong(node.span, format!("there is no type `{}`", text.as_str()));
                    let all = NAMED.iter().map(|(name, _)| format!("`{name}`")).collect::<Vec<_>>().join(", ");
                    diagnostics.push(error.help(near.unwrap_or_else(|| format!("write one of {all}").into())));
                }
                found.map(|(name, ty)| (ty.clone(), *name == "arguments"))
            }
            NodeKind::Sequence(items) => {
                let words: Option<Vec<String>> =
                    items.iter().map(|item| item.as_text().map(|text| text.as_str().to_owned())).collect();
                let words = words.filter(|words| !words.is_empty());
                if words.is_none() {
                    diagnostics.push(wrong(node.span, "a list as a type has words".to_owned()));
                }
                words.map(|words| (KeyType::Words(words), false))
            }
            NodeKind::Mapping(_) => {
                diagnostics.push(wrong(node.span, "a type is a word, or a list of words".to_owned()));
                None
            }
        }
    }

    /// What values are, for messages.
    pub(crate) fn what(&self) -> String {
        match self {
            KeyType::Text | KeyType::Operator | KeyType::Schema | KeyType::OperatorOrSchema => "a string".to_owned(),
            KeyType::Identifier => "a name".to_owned(),
            KeyType::Bool => "`true` or `false`".to_owned(),
            KeyType::Int => "a whole number".to_owned(),
            KeyType::Number => "a number".to_owned(),
            KeyType::Words(words) => format!("`{}`", words.join("` or `")),
            KeyType::Map => "a mapping".to_owned(),
            KeyType::Any => "anything".to_owned(),
            KeyType::Argument => "an argument of the operator".to_owned(),
            KeyType::Return => "a result of the operator".to_owned(),
            KeyType::DispatchKey => "a dispatch key".to_owned(),
            KeyType::Cpp => "C++ whose brackets are balanced".to_owned(),
        }
    }

    /// The words that values are, if these are all.
    pub(crate) fn words(&self) -> Option<&[String]> {
        match self {
            KeyType::Words(words) => Some(words),
            _ => None,
        }
    }

    /// The value of one node, as far as it does not depend on operators.
    ///
    /// # Errors
    /// It is not of the type; with the words that are near.
    pub(crate) fn value(&self, node: &Node) -> Result<Value, Diagnostic> {
        let value = values::of(node);
        let text = node.as_text().map(Text::as_str);
        let is_string = |text: Option<&str>| text.is_some() && resolve(node) != Resolved::Null;
        let fits = match self {
            KeyType::Any => true,
            KeyType::Map => matches!(node.kind, NodeKind::Mapping(_)),
            KeyType::Bool => matches!(resolve(node), Resolved::Bool(_)),
            KeyType::Int => matches!(resolve(node), Resolved::Int(Some(_))),
            KeyType::Number => matches!(resolve(node), Resolved::Int(Some(_)) | Resolved::Float(_)),
            KeyType::Identifier => text.is_some_and(is_qualified_identifier),
            KeyType::Words(words) => text.is_some_and(|text| words.iter().any(|word| word == text)),
            KeyType::Cpp => text.is_some_and(is_balanced),
            _ => is_string(text),
        };
        if fits {
            return Ok(if self.is_text() { Value::from(text.unwrap_or_default()) } else { value });
        }
        let near = self.words().and_then(|words| did_you_mean(text?, words.iter().map(String::as_str)));
        let error = Diagnostic::new(&super::codes::ENTRY, format!("this must be {}", self.what()));
        Err(error.at(node.span).maybe_help(near))
    }

    fn is_text(&self) -> bool {
        !matches!(self, KeyType::Any | KeyType::Map | KeyType::Bool | KeyType::Int | KeyType::Number)
    }

    /// The value of a text of the command line.
    ///
    /// # Errors
    /// It is not of the type.
    pub(crate) fn parse(&self, text: &str, keys: &[&str]) -> Result<Value, String> {
        let wrong = || format!("it must be {}", self.what());
        Ok(match self {
            KeyType::Bool => Value::from(match text {
                "true" | "True" | "1" => true,
                "false" | "False" | "0" => false,
                _ => return Err(wrong()),
            }),
            KeyType::Int => Value::from(text.parse::<i64>().map_err(|_| wrong())?),
            KeyType::Number => Value::from(text.parse::<f64>().map_err(|_| wrong())?),
            KeyType::Identifier if !is_qualified_identifier(text) => return Err(wrong()),
            KeyType::Words(words) if !words.iter().any(|word| word == text) => return Err(wrong()),
            KeyType::DispatchKey if !keys.is_empty() && !keys.contains(&text) => return Err(wrong()),
            KeyType::Map => return Err("a mapping has no form on the command line".to_owned()),
            _ => Value::from(text),
        })
    }

    /// Checks the default of a key, and reports what is wrong with it.
    pub(crate) fn check_default(&self, node: &Node, list: bool, diagnostics: &mut Diagnostics) {
        let nodes = match &node.kind {
            NodeKind::Sequence(items) if list => items.as_slice(),
            _ => std::slice::from_ref(node),
        };
        for node in nodes {
            if let Err(error) = self.value(node) {
                let message = format!("the default does not have the type: {}", error.message);
                diagnostics.push(Diagnostic { message, code: &super::codes::MANIFEST, ..error });
            }
        }
    }
}

/// Whether all brackets of a C++ text are closed, outside strings.
fn is_balanced(text: &str) -> bool {
    let mut open = Vec::new();
    let closes = |open: &mut Vec<&str>, bracket| open.pop() == Some(bracket);
    for token in tokens(text) {
        let correct = match &text[token.range] {
            bracket @ ("(" | "[" | "{") => {
                open.push(bracket);
                true
            }
            ")" => closes(&mut open, "("),
            "]" => closes(&mut open, "["),
            "}" => closes(&mut open, "{"),
            _ => true,
        };
        if !correct {
            return false;
        }
    }
    open.is_empty()
}
