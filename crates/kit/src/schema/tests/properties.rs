//! Properties of all texts and of all schemas.

use proptest::prelude::*;

use super::super::{Rules, parse};
use super::types;

/// Pieces of schemas in any order: far more often almost valid than arbitrary characters.
fn pieces() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "f",
        "f(",
        ".",
        "out",
        "(",
        ")",
        " ",
        ", ",
        ",",
        "*",
        "*, ",
        "Tensor",
        "Tensor(a!) x",
        "int x",
        "const int",
        "for_type",
        "Module[]",
        "[",
        "]",
        "2",
        "0",
        "?",
        "!",
        "a",
        "|",
        "->",
        " -> ",
        "=",
        "None",
        "True",
        "NORMAL",
        "'",
        "\"",
        "\\",
        "\\n",
        "é",
        "\u{2028}",
        "\n",
        "...",
        "() -> (",
        "-1",
        "1e5",
        "inf",
        "99999999999",
        "A::B",
        "-",
    ]);
    prop::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

/// A type and a default that fits it.
fn typed() -> impl Strategy<Value = (String, Option<String>)> {
    let any = prop::sample::select(vec![
        ("Tensor", None),
        ("Tensor(q!)", None),
        ("Tensor(a -> *)[]", None),
        ("Tensor?", Some("None")),
        ("Module[]", None),
        ("int", Some("-3")),
        ("int[2]", Some("[1,  2]")),
        ("const int", Some("7")),
        ("uint[]?", Some("[]")),
        ("float", Some("1.5e-3")),
        ("float", Some("inf")),
        ("bool", Some("False")),
        ("str", Some("\"a, b) -> \\\"\"")),
        ("str[]", Some("['x', \"=\"]")),
        ("for_type", Some("PARALLEL")),
        ("kind[]", Some("[A::B, c.d]")),
        ("expr[]", Some("dense")),
    ]);
    any.prop_map(|(ty, default)| (ty.to_owned(), default.map(str::to_owned)))
}

/// Well-formed schemas with the usual white space.
fn schema() -> impl Strategy<Value = String> {
    let parameters = || prop::collection::vec((typed(), any::<bool>()), 0..5);
    let returns = prop::option::of(prop::collection::vec((typed(), any::<bool>()), 0..4));
    ("[a-zA-Z_][a-z0-9_]{0,6}", prop::option::of("[a-z0-9_]{1,5}"), parameters(), parameters(), returns).prop_map(
        |(name, overload, positional, keywords, returns)| {
            let overload = overload.map_or(String::new(), |overload| format!(".{overload}"));
            let written = |prefix: &str, list: &[((String, Option<String>), bool)]| -> Vec<String> {
                let one = |(n, ((ty, default), with)): (usize, &((String, Option<String>), bool))| match default {
                    Some(default) if *with => format!("{ty} {prefix}{n}={default}"),
                    _ => format!("{ty} {prefix}{n}"),
                };
                list.iter().enumerate().map(one).collect()
            };
            let mut parameters = written("p", &positional);
            if !keywords.is_empty() {
                parameters.push("*".to_owned());
                parameters.extend(written("k", &keywords));
            }
            let returns = returns.map_or(String::new(), |returns| {
                let one = |(n, ((ty, _), named)): (usize, &((String, Option<String>), bool))| match named {
                    true => format!("{ty} r{n}"),
                    false => ty.clone(),
                };
                let returns: Vec<String> = returns.iter().enumerate().map(one).collect();
                if returns.len() == 1 { format!(" -> {}", returns[0]) } else { format!(" -> ({})", returns.join(", ")) }
            });
            format!("{name}{overload}({}){returns}", parameters.join(", "))
        },
    )
}

proptest! {
    #[test]
    fn no_text_panics(text in prop_oneof![pieces(), ".*", "[a-z]{1,5}\\(.*\\) -> .*"]) {
        let types = types();
        if let Err(errors) = parse(&text, &types, &Rules::ANY) {
            prop_assert!(!errors.is_empty());
            for error in errors {
                prop_assert!(text.get(error.range.clone()).is_some(), "{:?} outside {:?}", error.range, text);
                prop_assert!(!error.message.is_empty() && !error.message.ends_with('.'), "{}", error.message);
            }
        }
    }

    #[test]
    fn accepted_text_prints_a_schema_that_parses_to_the_same(text in pieces()) {
        if let Ok(schema) = parse(&text, &types(), &Rules::ANY) {
            prop_assert_eq!(parse(&schema.to_string(), &types(), &Rules::ANY), Ok(schema));
        }
    }

    #[test]
    fn generated_schemas_print_back(text in schema()) {
        match parse(&text, &types(), &Rules::ANY) {
            Ok(schema) => prop_assert_eq!(schema.to_string(), text),
            Err(errors) => prop_assert!(false, "{}", super::shown(&text, &errors)),
        }
    }

    #[test]
    fn white_space_changes_nothing(text in schema()) {
        // In the strategy's defaults, at most one comma before a space is outside quotes, and it
        // keeps its meaning.
        let spread = text.replace(" -> ", "->").replacen('(', " ( ", 1);
        let ours = parse(&text, &types(), &Rules::ANY);
        prop_assert!(ours.is_ok());
        if !text.contains("\\\"") && !text.contains("(a") && !text.contains("(q") {
            prop_assert_eq!(parse(&spread, &types(), &Rules::ANY), ours);
        }
    }

    /// Truncating a text gives an error at its end or before, never a panic.
    #[test]
    fn cut_schemas_are_errors_inside_the_text(text in schema(), at in any::<prop::sample::Index>()) {
        let cut = &text[..at.index(text.len())];
        if let Err(errors) = parse(cut, &types(), &Rules::ANY) {
            prop_assert!(errors.iter().all(|error| cut.get(error.range.clone()).is_some()));
        }
    }
}
