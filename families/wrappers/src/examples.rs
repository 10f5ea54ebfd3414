//! The examples of entries: C++ that calls a wrapper and PyTorch's function.
//!
//! Invariant: an example is called on the first functional operator of its entry, with each of its
//! arguments, since a wrapper has no defaults.

use super::codes;
use super::model::operators::Operator;
use super::plan::{Code, Decision, Row};
use super::records::{EntryRecord, ExampleRecord};
use torchgen_base::diag::{Diagnostic, plural};
use torchgen_base::lang::cpp::{Token, TokenKind, tokens};
use torchgen_model::model::SchemaKind;

/// The examples, each with the row that it calls.
pub(super) fn called<'r, 'a>(rows: &'r [Row<'a>]) -> Vec<(&'r Row<'a>, &'a ExampleRecord)> {
    let mut seen: Vec<*const EntryRecord> = Vec::new();
    let mut found = Vec::new();
    for row in rows {
        let (Some(entry), Decision::Made(Code::Call(_))) = (row.entry, &row.decision) else { continue };
        if row.operator.kind() == SchemaKind::Functional && !seen.contains(&std::ptr::from_ref(entry)) {
            seen.push(std::ptr::from_ref(entry));
            found.extend(entry.examples.iter().map(|example| (row, example)));
        }
    }
    found
}

/// The errors of examples with more or fewer arguments than the operator has.
pub(super) fn check_examples(rows: &[Row]) -> Vec<Diagnostic> {
    called(rows).into_iter().filter_map(|(row, example)| arity(row.operator, example)).collect()
}

fn arity(operator: &Operator, example: &ExampleRecord) -> Option<Diagnostic> {
    let names: Vec<&str> = operator.schema.schema_order_arguments().map(|argument| argument.name.as_str()).collect();
    let text = example.arguments.as_str();
    let counts = [arguments(text, false), arguments(text, true)];
    if counts.contains(&names.len()) {
        return None;
    }
    let name = operator.full_name();
    let message = format!("the example has {}, and `{name}` takes {}", plural(counts[1], "argument"), names.len());
    let found = Diagnostic::new(&codes::WRAPPER_EXAMPLE, message).at(example.arguments.span());
    let found = found.note("a wrapper has no defaults: write all arguments, `std::nullopt` for None");
    Some(found.help(format!("its arguments are {}", names.join(", "))))
}

/// The number of expressions between commas. The mark `<` may open the arguments of a template, or
/// be a comparison.
fn arguments(text: &str, opens: bool) -> usize {
    let all = tokens(text);
    let mark = |token: &Token| (token.kind == TokenKind::Punct).then(|| &text[token.range.clone()]);
    let mut depth = 0_usize;
    let mut count = usize::from(!all.is_empty());
    for token in &all {
        match mark(token) {
            Some("(" | "{" | "[") => depth += 1,
            Some(")" | "}" | "]") => depth = depth.saturating_sub(1),
            Some("<") if opens => depth += 1,
            Some(">") if opens => depth = depth.saturating_sub(1),
            Some(",") if depth == 0 => count += 1,
            _ => {}
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use super::arguments;

    #[test]
    fn arguments_of_examples() {
        for (text, count) in [("", 0), ("x", 1), ("x, {1, 2}, f(a, b)", 3), ("\"a, b\", [&] { return 1, 2; }()", 2)] {
            assert_eq!(arguments(text, true), count, "{text}");
        }
        assert_eq!(arguments("x, std::array<bool, 2>{true, false}", true), 2);
        assert_eq!(arguments("x < 0, y", false), 2);
    }
}
