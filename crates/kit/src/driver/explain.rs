//! `torchgen-rs explain TG0123`: explains a diagnostic. `explain_operator` explains operators.
//!
//! Invariant: the explanation goes to standard output, and an unknown name to standard error.

use super::report::{Summary, print_data as print};
use super::{JobError, Session};
use torchgen_base::diag::{CodeInfo, Diagnostic, Help, codes, did_you_mean, explain};

/// Whether `wanted` is a code or the name of one, or meant as one. Names of operators have no
/// dashes, and do not begin with a digit.
pub fn is_code(wanted: &str, known: &[&CodeInfo]) -> bool {
    let digits = wanted.get(..2).filter(|start| start.eq_ignore_ascii_case("TG")).map(|_| &wanted[2..]);
    wanted.contains('-')
        || wanted.starts_with(|c: char| c.is_ascii_digit())
        || codes::find(wanted, known).is_some()
        || digits.is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
}

/// Prints the explanation of a code, or a list of all codes; as JSON, one object for each.
///
/// # Errors
/// There is no such code, or it cannot be printed.
pub fn explain(
    wanted: Option<&str>,
    known: &[&'static CodeInfo],
    page: fn(&CodeInfo) -> Option<&'static str>,
    json: bool,
    session: &mut Session,
) -> Result<Summary, JobError> {
    let Some(wanted) = wanted else {
        if json {
            return print(&known.iter().map(|code| explain::json(code, None)).collect::<String>(), session);
        }
        let line = |code: &&codes::CodeInfo| format!("{}  {:<28}  {}\n", code.id, code.name, code.summary);
        return print(&known.iter().map(line).collect::<String>(), session);
    };
    if let Some(code) = codes::find(wanted, known) {
        let text = if json { explain::json(code, Some(page(code))) } else { explain::text(code, page(code)) };
        return print(&text, session);
    }
    let names = known.iter().flat_map(|code| [code.id, code.name]);
    let error = Diagnostic::new(&codes::USAGE, format!("there is no diagnostic `{wanted}`"))
        .maybe_help(with_letters(wanted, known).or_else(|| did_you_mean(wanted, names)))
        .help("`torchgen-rs explain` lists them all");
    Err(error.into())
}

/// The help if `wanted` is the number of a code.
fn with_letters(wanted: &str, known: &[&CodeInfo]) -> Option<Help> {
    let number: u32 = wanted.parse().ok()?;
    codes::find(&format!("TG{number:04}"), known).map(|code| format!("did you mean `{}`?", code.id).into())
}
