//! The lines of `precomputed:`.
//!
//! Invariant: every replaced argument has at least one replacement. `entry::rules` checks that the
//! operator has the argument. Rule: torchgen/model.py, `Precompute.parse`.

use std::ops::Range;

use super::error::trimmed;
use super::schema;
use crate::codes;
use crate::model::Argument;
use crate::model::Language;
use crate::model::native_function::Precompute;
use torchgen_base::diag::{Help, TextError};

/// Reads `dim -> int dim, int valid` and so on; the last line can be just a list of arguments to
/// add.
///
/// # Errors
/// The index of the line with the error, and the error in it. For an empty list the index is 0.
pub fn precompute<S: AsRef<str>>(lines: &[S]) -> Result<Precompute, (usize, TextError)> {
    let mut result = Precompute::default();
    let Some(last) = lines.len().checked_sub(1) else {
        return Err((0, TextError::new(&codes::BAD_PRECOMPUTED, 0..0, "`precomputed` is empty")));
    };
    for (i, line) in lines.iter().enumerate() {
        read_line(line.as_ref(), i == last, &mut result).map_err(|error| (i, error))?;
    }
    Ok(result)
}

fn read_line(line: &str, is_last: bool, result: &mut Precompute) -> Result<(), TextError> {
    let Some((replaced, list)) = line.split_once(" -> ") else {
        if !is_last {
            let message = "only the last line can lack ` -> `";
            return Err(TextError::new(&codes::BAD_PRECOMPUTED, 0..line.len(), message)
                .help("a line is `kernel_argument -> type name, type name`"));
        }
        result.add = arguments(line, 0)?;
        return Ok(());
    };
    if replaced.contains(' ') {
        return Err(TextError::new(&codes::BAD_PRECOMPUTED, 0..replaced.len(), "not the name of an argument")
            .help("name the replaced argument without its type, as in `dim -> int dim`"));
    }
    let list_at = line.len() - list.len();
    if let Some(again) = list.find(" -> ") {
        let at = list_at + again;
        return Err(TextError::new(&codes::BAD_PRECOMPUTED, at..at + 4, "a second ` -> `"));
    }
    let replacements = arguments(list, list_at)?;
    let printed = replacements.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    if printed != list {
        return Err(TextError::new(&codes::BAD_PRECOMPUTED, list_at..line.len(), "unexpected white space")
            .help(Help::write(printed).certainly()));
    }
    if result.replace.insert(replaced.to_owned(), replacements).is_some() {
        let message = format!("`{replaced}` is replaced twice");
        return Err(TextError::new(&codes::BAD_PRECOMPUTED, 0..replaced.len(), message));
    }
    Ok(())
}

fn arguments(list: &str, offset: usize) -> Result<Vec<Argument>, TextError> {
    let mut start = 0;
    let mut all = Vec::new();
    for piece in list.split(',') {
        let range = trimmed(list, start..start + piece.len());
        start += piece.len() + 1;
        let shifted = |error: TextError| TextError { range: shift(error.range, range.start + offset), ..error };
        let argument = schema::argument(&list[range.clone()], Language::Torchgen).map_err(shifted)?;
        if argument.name.to_uppercase() == argument.name {
            let message = format!("`{}` is all uppercase, which is reserved for template parameters", argument.name);
            let name_at = range.end + offset - argument.name.len();
            let place = if argument.default.is_none() { name_at..range.end + offset } else { shift(range, offset) };
            return Err(
                TextError::new(&codes::BAD_PRECOMPUTED, place, message).help("write it with a lowercase letter")
            );
        }
        all.push(argument);
    }
    Ok(all)
}

fn shift(range: Range<usize>, by: usize) -> Range<usize> {
    range.start + by..range.end + by
}
