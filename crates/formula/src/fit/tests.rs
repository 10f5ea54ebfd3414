//! Ranks of conversions, beside those that g++ has: `conversions.txt`, which `tests/slow` compares
//! with the compiler. With `UPDATE_EXPECT=1` in the environment the test writes the table again:
//! run the slow test then.
//!
//! A line has a value, and the parameters that it fits, better ones first. A call with a parameter
//! behind `refused:` is an error if nothing is better.

use super::{Fit, Target, fit};
use crate::form::passed;
use crate::{Callee, Expr, FoundName, Rules, Scope, Ty, ValueKind, parse, typed};

/// The names in the values.
struct Names;

/// The lists that a node saves as a `std::vector`.
const VECTORS: &[&str] = &["tensors", "dims", "sizes", "scales"];

impl Scope for Names {
    fn rules(&self) -> Rules {
        Rules::Cpp
    }

    fn name(&self, name: &str) -> Option<Ty> {
        let optional = |kind: ValueKind| Some(Ty { kind, optional: true });
        Some(Ty::from(match name {
            "self" => ValueKind::Tensor,
            "tensors" => ValueKind::Tensors,
            "indices" => ValueKind::Optionals,
            "n" => ValueKind::Int,
            "m" => ValueKind::SymInt,
            "by" => ValueKind::Float,
            "flag" => ValueKind::Bool,
            "alpha" => ValueKind::Scalar,
            "dims" => ValueKind::Ints,
            "sizes" => ValueKind::SymInts,
            "scales" => ValueKind::Floats,
            "mask" => ValueKind::Bools,
            "text" => ValueKind::Text,
            "kind" => ValueKind::Dtype,
            "dtype" => return optional(ValueKind::Dtype),
            "mode" => return optional(ValueKind::Text),
            "k" => return optional(ValueKind::Int),
            "size" => return optional(ValueKind::SymInt),
            "eps" => return optional(ValueKind::Float),
            "limit" => return optional(ValueKind::Scalar),
            "axes" => return optional(ValueKind::Ints),
            "layout" => return optional(ValueKind::Layout),
            "device" => return optional(ValueKind::Device),
            "format" => return optional(ValueKind::MemoryFormat),
            // A generator that may be missing is saved as one.
            "generator" => return optional(ValueKind::Generator),
            _ => return None,
        }))
    }

    fn is_optional(&self, _: &str) -> bool {
        false
    }

    fn is_saved(&self, name: &str) -> bool {
        name == "indices" || VECTORS.contains(&name)
    }

    fn declares(&self, _: &str) -> bool {
        false
    }

    fn find(&self, _: &Callee, _: &str) -> FoundName<'_> {
        FoundName::Missing(None)
    }
}

/// A parameter by the name of its type in schemas.
fn target(name: &str) -> Target {
    if let Some(of) = name.strip_suffix('?') {
        return match target(of) {
            Target::View(element) if *element == Target::Long || *element == Target::Class(ValueKind::SymInt) => {
                Target::OptionalView(element)
            }
            inner => Target::Optional(Box::new(inner)),
        };
    }
    if let Some(of) = name.strip_suffix("[]") {
        return match of {
            "Tensor?" => Target::Class(ValueKind::Optionals),
            of => Target::View(Box::new(target(of))),
        };
    }
    match name {
        "C int" => Target::Word,
        "int" => Target::Long,
        "float" => Target::Double,
        "bool" => Target::Bool,
        "bool[2]" => Target::Array(2),
        "Tensor" => Target::Class(ValueKind::Tensor),
        "SymInt" => Target::Class(ValueKind::SymInt),
        "Scalar" => Target::Class(ValueKind::Scalar),
        "options" => Target::Class(ValueKind::Options),
        "Generator" => Target::Class(ValueKind::Generator),
        "ScalarType" => Target::Enumeration(ValueKind::Dtype),
        "Layout" => Target::Enumeration(ValueKind::Layout),
        "MemoryFormat" => Target::Enumeration(ValueKind::MemoryFormat),
        "Device" => Target::Device,
        "str" => Target::Text,
        other => panic!("no parameter {other}"),
    }
}

const PARAMETERS: &[&str] = &[
    "Tensor",
    "Tensor[]",
    "Tensor?[]",
    "int",
    "C int",
    "SymInt",
    "float",
    "bool",
    "Scalar",
    "Tensor?",
    "int?",
    "SymInt?",
    "float?",
    "bool?",
    "Scalar?",
    "int[]",
    "SymInt[]",
    "int[]?",
    "SymInt[]?",
    "float[]",
    "float[]?",
    "Scalar[]",
    "bool[2]",
    "str",
    "str?",
    "ScalarType",
    "ScalarType?",
    "Layout",
    "Layout?",
    "Device",
    "Device?",
    "MemoryFormat",
    "MemoryFormat?",
    "options",
    "Generator?",
    "Generator",
    "bool[]",
];

/// The line of the table for a value.
fn said(text: &str) -> String {
    let call = format!("f({text})");
    let expr = parse(&call).expect("an expression");
    let (tree, _) = typed(&expr, &Names);
    let is_vector = |value: &Expr| value.single().is_some_and(|name| VECTORS.contains(&name));
    let value = passed(&tree.parts[0], &is_vector, &|_| None);
    let mut ranks: Vec<Vec<&str>> = vec![Vec::new(); 4];
    let (mut refused, mut unknown) = (Vec::new(), Vec::new());
    for name in PARAMETERS {
        match fit(&value, &target(name)) {
            Some(Fit::Rank { rank, allowed: true }) => ranks[usize::from(rank)].push(name),
            Some(Fit::Rank { allowed: false, .. }) => refused.push(*name),
            Some(Fit::Unknown) => unknown.push(*name),
            None => {}
        }
    }
    if !unknown.is_empty() {
        eprintln!("whether {text} fits into {unknown:?} is not known");
    }
    let ranks: Vec<String> = ranks.into_iter().filter(|of| !of.is_empty()).map(|of| of.join(", ")).collect();
    let refused = if refused.is_empty() { String::new() } else { format!(" ; refused: {}", refused.join(", ")) };
    format!("{text} => {}{refused}", ranks.join(" < "))
}

#[test]
fn conversions() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/fit/conversions.txt");
    let table = std::fs::read_to_string(path).expect("a table");
    let lines = table.lines().map(|line| match line.split_once(" => ").filter(|_| !line.starts_with('#')) {
        Some((value, _)) => said(value) + "\n",
        None => line.to_owned() + "\n",
    });
    let said: String = lines.collect();
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(path, said).expect("the table");
        return;
    }
    let pairs = table.lines().zip(said.lines());
    let wrong: Vec<_> =
        pairs.filter(|(line, said)| line != said).map(|(line, said)| format!("table: {line}\nhere: {said}")).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
