//! The two texts of a deprecated signature: its schema, and a call such as
//! `add_out(out, self, other, alpha)`.
//!
//! Invariant: every argument of the call exists. Rule: torchgen/utils.py, `split_name_params`;
//! tools/autograd/gen_python_functions.py.

use super::schema;
use crate::codes;
use crate::model::deprecated::{DeprecatedSignature, constant_type};
use crate::records::DeprecatedRecord;
use torchgen_base::diag::{Diagnostic, Diagnostics, TextError, did_you_mean};
use torchgen_base::lang::is_ascii_word;
use torchgen_base::yaml::Text;
use torchgen_kit::driver::data::Tables;

/// Parses a record. Errors are reported; `None` if there is one.
pub fn deprecated(
    record: &DeprecatedRecord,
    tables: &Tables,
    diagnostics: &mut Diagnostics,
) -> Option<DeprecatedSignature> {
    let parsed = schema::whole_schema(&record.name, tables);
    let called = split_call(&record.aten);
    if let Err(error) = &called {
        diagnostics.push(error.clone());
    }
    let located = match parsed {
        Ok(located) => located,
        Err(error) => {
            diagnostics.push(error.at_text(&record.name));
            return None;
        }
    };
    let spans = located.spans(&record.name);
    let schema = located.schema;
    let (name, call) = called.ok()?;
    let known: Vec<&str> = schema.arguments.flat_all().map(|a| a.name.as_str()).collect();
    let mut sound = true;
    for value in &call {
        if known.contains(&value.as_str()) || constant_type(value).is_some() {
            continue;
        }
        sound = false;
        let message = format!("`{value}` is neither an argument of the deprecated signature nor a known constant");
        diagnostics.push(
            Diagnostic::new(&codes::DEPRECATED_VALUE, message)
                .at(value.span())
                .maybe_help(did_you_mean(value, known.iter().copied())),
        );
    }
    // The reference removes every `_out` from a name that ends in it.
    let calls_out = name.ends_with("_out");
    let operator = if calls_out { name.replace("_out", "") } else { name.into_string() };
    let call_span = record.aten.span();
    let call = call.into_iter().map(Text::into_string).collect();
    sound.then_some(DeprecatedSignature { schema, operator, calls_out, call, spans, call_span })
}

/// The name before the parentheses, without its overload, and the text between them.
fn split_call(text: &Text) -> Result<(Text, Vec<Text>), Diagnostic> {
    let malformed = |range| {
        let message = "expected the call of an operator, as in `add(self, other, alpha)`";
        TextError::new(&codes::DEPRECATED_CALL, range, message).at_text(text)
    };
    let word = |from: usize| from + text[from..].find(|c| !is_ascii_word(c)).unwrap_or(text.len() - from);
    let name_end = word(0);
    let overload_end = if text[name_end..].starts_with('.') { word(name_end + 1) } else { name_end };
    let bare_dot = overload_end == name_end + 1;
    if name_end == 0 || bare_dot || !text[overload_end..].starts_with('(') {
        return Err(malformed(0..text.len()));
    }
    match text.strip_suffix(')') {
        Some(inside) if inside.len() > overload_end => {
            Ok((text.slice(0..name_end), text.slice(overload_end + 1..inside.len()).split(", ")))
        }
        _ => Err(malformed(overload_end..text.len())),
    }
}
