//! Types of formulas in which inputs have the names of namespaces and types.

use super::{Callee, FoundName, Rules, Scope, Ty, ValueKind, parse, typed};

/// An operator whose inputs are called as namespaces and types are.
struct Names;

impl Scope for Names {
    fn rules(&self) -> Rules {
        Rules::Cpp
    }

    fn name(&self, name: &str) -> Option<Ty> {
        matches!(name, "grad" | "std" | "torch" | "Tensor").then_some(ValueKind::Tensor.into())
    }

    fn is_optional(&self, _: &str) -> bool {
        false
    }

    fn is_saved(&self, _: &str) -> bool {
        false
    }

    fn declares(&self, _: &str) -> bool {
        false
    }

    fn find(&self, _: &Callee, _: &str) -> FoundName<'_> {
        FoundName::Returns(Ty::UNKNOWN)
    }
}

fn problems(formula: &str) -> Vec<String> {
    let expr = parse(formula).expect("an expression");
    typed(&expr, &Names).1.into_iter().map(|problem| problem.message).collect()
}

#[test]
fn inputs_hide_namespaces_and_types() {
    for formula in ["grad * std", "grad * std::max(1.0, 2.0) * std", "at::exp(torch)", "grad * Tensor"] {
        assert!(problems(formula).is_empty(), "{formula}: {:?}", problems(formula));
    }
    assert_eq!(problems("grad * at"), ["`at` is a namespace, not a value"]);
    assert_eq!(problems("grad * c10::Scalar"), ["`c10::Scalar` is a type, not a value"]);
    assert_eq!(problems("grad::exp(std)"), ["`grad` is a value, not a namespace"]);
}

#[test]
fn a_tangent_in_parentheses_is_no_cast() {
    let product = parse("(self_t) * other_p").expect("an expression");
    assert!(matches!(product.node, super::Node::Binary { .. }), "{product:?}");
    assert!(matches!(parse("(self_t).sum()").expect("an expression").node, super::Node::Method(_)));
    assert!(!matches!(parse("(int64_t) * other_p").expect("an expression").node, super::Node::Binary { .. }));
}
