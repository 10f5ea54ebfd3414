//! Properties of every text, and of every schema.

use proptest::prelude::*;

use super::super::c10::token::RESERVED;
use super::super::schema::{argument, namespaced, parse};
use super::super::{operator_name, precompute, ufunc_inner_loop};
use crate::model::Language;
use crate::model::native_function::UfuncKey;
use torchgen_base::diag::TextError;
use torchgen_kit::driver::data::Tables;

fn lies_inside(text: &str, error: &TextError) {
    assert!(text.get(error.range.clone()).is_some(), "{:?} outside {text:?}", error.range);
    assert!(!error.message.is_empty() && !error.message.ends_with('.'), "{}", error.message);
}

fn language() -> impl Strategy<Value = Language> {
    prop_oneof![Just(Language::Torchgen), Just(Language::C10)]
}

/// Pieces of schemas in any order: far more often nearly right than arbitrary characters.
fn pieces() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "mix",
        "mix_",
        "__iadd__",
        ".",
        "out",
        "(",
        ")",
        " ",
        ", ",
        ",",
        "*",
        "Tensor",
        "Tensor(a!)",
        "int",
        "Dict(",
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
        "'",
        "\"",
        "\\",
        "self",
        "ns::",
        "::",
        "__torch__.torch.classes.",
        "é",
        "\n",
        "...",
        "(Tensor self, ",
        "() -> ()",
        "-1",
        "99999999999",
    ]);
    prop::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

fn ty(language: Language) -> impl Strategy<Value = String> {
    let base = match language {
        Language::Torchgen => vec![
            "Tensor",
            "Tensor(a)",
            "Tensor(b -> *)",
            "int",
            "SymInt",
            "str",
            "Scalar",
            "__torch__.torch.classes.x.Y",
        ],
        Language::C10 => vec!["Tensor", "Tensor(q)", "int", "complex", "Dict(str, Tensor[])", "SymInt"],
    };
    let suffix = prop::sample::select(vec!["", "?", "[]"]);
    (prop::sample::select(base), suffix).prop_map(|(base, suffix)| format!("{base}{suffix}"))
}

/// Names of any letters, except the words that c10 reserves.
fn name() -> impl Strategy<Value = String> {
    let is_word = |name: &str| RESERVED.contains(&name) || name == "default";
    "[a-zA-Z][a-zA-Z0-9]{0,6}(_[a-z0-9]{1,3})?".prop_filter("is a word of the language", move |name| !is_word(name))
}

/// Well-formed schemas: arguments without defaults, then with defaults, then keyword-only ones,
/// then out arguments.
fn schema(language: Language) -> impl Strategy<Value = String> {
    let any_default = prop::sample::select(vec!["None", "1", "-2.5", "[1,2]", "'a b'", "\"\\\"\"", "True"]);
    let fitting = prop::sample::select(vec![
        ("int", "1"),
        ("float", "-2.5"),
        ("int[]", "[1,2]"),
        ("SymInt[2]", "[1, 2]"),
        ("str", "'a, b'"),
        ("str", "\"\\\"\""),
        ("bool", "True"),
        ("Tensor?", "None"),
        ("Device", "\"cpu\""),
        ("int[]?", "None"),
    ]);
    let of_reference = (ty(Language::Torchgen), any_default).prop_map(|(ty, default)| (ty, default.to_owned()));
    let of_c10 = fitting.prop_map(|(ty, default)| (ty.to_owned(), default.to_owned()));
    let with_default = if language == Language::Torchgen { of_reference.boxed() } else { of_c10.boxed() };
    let plain = prop::collection::vec(ty(language), 0..4);
    let defaulted = prop::collection::vec(with_default, 0..4);
    let keywords = prop::collection::vec(ty(language), 0..3);
    let returns = prop::collection::vec(ty(language).prop_filter("needs a name", |ty| !ty.contains("->")), 0..4);
    (name(), prop::option::of(name()), plain, defaulted, keywords, returns, 0..3usize).prop_map(
        move |(name, overload, plain, defaulted, keywords, returns, outs)| {
            let overload = overload.map_or(String::new(), |overload| format!(".{overload}"));
            let mut arguments: Vec<String> = plain.iter().enumerate().map(|(i, ty)| format!("{ty} p{i}")).collect();
            arguments.extend(defaulted.iter().enumerate().map(|(i, (ty, default))| format!("{ty} d{i}={default}")));
            if outs > 0 || !keywords.is_empty() {
                arguments.push("*".to_owned());
            }
            arguments.extend(keywords.iter().enumerate().map(|(i, ty)| format!("{ty} k{i}")));
            let letters = ["y", "z"];
            arguments.extend((0..outs).map(|i| format!("Tensor({}!) out{i}", letters[i])));
            let returns =
                if outs > 0 { (0..outs).map(|i| format!("Tensor({}!)", letters[i])).collect() } else { returns };
            let returns = if returns.len() == 1 { returns.concat() } else { format!("({})", returns.join(", ")) };
            format!("{name}{overload}({}) -> {returns}", arguments.join(", "))
        },
    )
}

proptest! {
    #[test]
    fn no_text_panics(text in prop_oneof![pieces(), ".*", "[a-z]{1,5}\\(.*\\) -> .*"], language in language()) {
        for error in [
            namespaced(&text, language, Tables::embedded()).err(),
            parse(&text, language, Tables::embedded()).err(),
            argument(&text, language).err(),
            operator_name(&text).err(),
            ufunc_inner_loop(&text, UfuncKey::Generic).err(),
            precompute(&[&text]).err().map(|(_, error)| error),
        ].into_iter().flatten() {
            lies_inside(&text, &error);
        }
    }

    #[test]
    fn accepted_text_prints_back(text in pieces()) {
        if let Ok(schema) = parse(&text, Language::Torchgen, Tables::embedded()) {
            prop_assert_eq!(schema.to_string(), &*text);
        }
        if let Ok(schema) = parse(&text, Language::C10, Tables::embedded()) {
            prop_assert_eq!(parse(&schema.to_string(), Language::C10, Tables::embedded()), Ok(schema));
        }
    }

    #[test]
    fn generated_schemas_print_back((language, text) in language().prop_flat_map(|language| (Just(language), schema(language)))) {
        match parse(&text, language, Tables::embedded()) {
            Ok(schema) => prop_assert_eq!(schema.to_string(), text),
            Err(error) => prop_assert!(false, "{}", super::shown(&text, &error)),
        }
    }
}
