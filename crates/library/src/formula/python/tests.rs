//! Formulas and their translations, as whole texts.

use std::collections::HashMap;

use super::names::Names;
use super::operators::Operators;
use super::translate;
use torchgen_formula::Kind;
use torchgen_kit::driver::data::Tables;
use torchgen_model::model::version::Version;
use torchgen_model::model::{FunctionSchema, Language, Type};
use torchgen_model::parse::schema::parse;

/// The names of an operator's formulas, for gradients and tangents at once.
fn names<'o>(schema: &FunctionSchema, operators: &'o Operators, functions: &'o HashMap<String, String>) -> Names<'o> {
    let mut names = Names::new(operators, functions, schema.returns.len());
    for a in schema.schema_order_arguments() {
        let kind = Kind::of(&a.ty);
        names.saved(a.schema_name(), kind);
        if matches!(a.ty, Type::Optional(_)) {
            names.optional(a.schema_name());
        }
        for end in ["_p", "_t"] {
            let name = format!("{}{end}", a.schema_name());
            names.add(&name, &name, kind);
        }
    }
    for (i, ret) in schema.returns.iter().enumerate() {
        let result = if schema.returns.len() == 1 { "result".to_owned() } else { format!("result{i}") };
        names.saved(&result, Kind::of(&ret.ty));
        names.rename(&result, &format!("_{result}"));
    }
    names.add("grad_input_mask", "_mask", Kind::Bools);
    names
}

const SCHEMA: &str = "f(Tensor self, Tensor other, Tensor? weight, Tensor[] tensors, float by, int n, SymInt[] sizes, \
    bool flag, ScalarType? dtype, str? mode) -> Tensor";

/// The cases of a file: a formula, then its translation, or an error and the token that it is at.
fn cases(table: &str, returns: &str) {
    let table: Vec<(&str, &str)> = table.trim().split("\n\n").filter_map(|case| case.split_once('\n')).collect();
    let schema = parse(&SCHEMA.replace("-> Tensor", returns), Language::C10, Tables::embedded()).expect("a schema");
    let formulas: Vec<&str> = table.iter().map(|(formula, _)| *formula).collect();
    let operators = Operators::new(std::iter::empty(), Version::OLDEST, &formulas, Tables::embedded());
    let functions = HashMap::from([("helper".to_owned(), "_function_helper".to_owned())]);
    let mut wrong = Vec::new();
    for (formula, expected) in table {
        let found = match translate(formula, &names(&schema, &operators, &functions), (&[], &schema)) {
            Ok((text, _)) => text,
            Err(problem) => format!("error at `{}`: {}", &formula[problem.range], problem.message),
        };
        if found != expected {
            wrong.push(format!("{formula}\n  expected {expected}\n  found    {found}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn formulas_of_one_output() {
    cases(include_str!("tests/formulas.txt"), "-> Tensor");
}

#[test]
fn formulas_of_several_outputs() {
    cases(include_str!("tests/outputs.txt"), "-> (Tensor, Tensor)");
}

#[test]
fn errors() {
    cases(include_str!("tests/errors.txt"), "-> Tensor");
}

/// Whatever the text, there is a translation or an error.
#[test]
fn any_text_has_an_end() {
    let operators = Operators::default();
    let functions = HashMap::new();
    let schema = parse(SCHEMA, Language::C10, Tables::embedded()).expect("a schema");
    let deep = "(".repeat(100_000);
    let minus = "-".repeat(100_000);
    for text in
        ["", "(", "a.", "x ?", "at::", "{", "std::get<", "grad +", "\"", "1'", "grads[", "*", deep.as_str(), &minus]
    {
        assert!(
            translate(text, &names(&schema, &operators, &functions), (&[], &schema)).is_err(),
            "{}",
            &text[..text.len().min(20)]
        );
    }
}
