//! PyTorch's compatibility of schemas, case by case.
//!
//! `tests/slow/breaking` asks PyTorch for these and for random pairs. Rule:
//! test/test_function_schema.py, test/forward_backward_compatibility.

use super::{RULES, operator};
use crate::model::{BackendIndices, Language, NativeFunction};
use crate::parse::schema;
use torchgen_base::diag::Sources;
use torchgen_kit::changes::{Category, Level, compare};
use torchgen_kit::driver::data::Tables;

/// What a change of a schema does to saved programs: what the worst effect is.
fn saved(old: &str, new: &str) -> Level {
    let things = [old, new].map(|text| {
        let func =
            schema::parse(text, Language::C10, Tables::embedded()).unwrap_or_else(|e| panic!("{text}: {}", e.message));
        let f = NativeFunction::of_schema("lib".to_owned(), func);
        vec![operator(&f, None, &BackendIndices::default(), &Sources::new())]
    });
    let changes = compare(&things[0], &things[1], RULES);
    let effects = changes.iter().flat_map(|change| &change.effects);
    let levels = effects.filter(|effect| effect.category == Category::Saved).map(|effect| effect.level);
    levels.max().unwrap_or(Level::Compatible)
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table of cases")]
fn the_cases_of_pytorch() {
    use Level::{Breaking, Compatible, Risky};
    let groups: [(&str, &[(&str, Level)]); 12] = [
        (
            "f.x(Tensor self, *, Tensor b) -> Tensor",
            &[
                ("f.x(Tensor self, *, Tensor b) -> Tensor", Compatible),
                ("g.x(Tensor self, *, Tensor b) -> Tensor", Breaking),
                ("f.y(Tensor self, *, Tensor b) -> Tensor", Breaking),
                ("f.x(Tensor self, *, Tensor b) -> (Tensor, Tensor)", Breaking),
                ("f.x(Tensor self, *, Tensor b) -> Tensor?", Breaking),
                ("f.x(Tensor self, *, Tensor b) -> int", Breaking),
                ("f.x(Tensor self, *, Tensor b) -> Tensor out", Breaking),
            ],
        ),
        ("f(Tensor self) -> Tensor?", &[("f(Tensor self) -> Tensor", Compatible)]),
        (
            "f(Tensor self, *, Tensor b, int c) -> Tensor",
            &[
                ("f(Tensor self, *, Tensor b) -> Tensor", Breaking),
                ("f(Tensor self, *, Tensor b, int c, int d) -> Tensor", Breaking),
                ("f(Tensor self, *, Tensor b, int c, int d=1) -> Tensor", Compatible),
                ("f(Tensor self, int d=1, *, Tensor b, int c) -> Tensor", Breaking),
                ("f(Tensor self, Tensor b, *, int c) -> Tensor", Compatible),
                ("f(Tensor self, Tensor b, int c) -> Tensor", Compatible),
                ("f(Tensor self, *, int c, Tensor b) -> Tensor", Breaking),
                ("f(Tensor self, *, Tensor b, int? c) -> Tensor", Risky),
                ("f(Tensor self, *, Tensor b, int c=1) -> Tensor", Risky),
                ("f(Tensor self, *, Tensor b, int renamed) -> Tensor", Breaking),
                ("f(Tensor self, *, Tensor b, int[] c) -> Tensor", Breaking),
            ],
        ),
        ("f(Tensor self, Tensor b, *, int c) -> Tensor", &[("f(Tensor self, *, Tensor b, int c) -> Tensor", Breaking)]),
        (
            "f(Tensor self, *, int a, Tensor(a!) out) -> Tensor(a!)",
            &[
                ("f(Tensor self, *, int a, int b=1, Tensor(a!) out) -> Tensor(a!)", Compatible),
                ("f(Tensor self, *, int b=1, int a, Tensor(a!) out) -> Tensor(a!)", Breaking),
            ],
        ),
        (
            "f(Tensor self, *, Tensor(a!) out) -> Tensor(a!)",
            &[("f(Tensor self, *, Tensor(a!) out, Tensor(b!) more) -> (Tensor(a!), Tensor(b!))", Breaking)],
        ),
        (
            "f(Tensor self, int a, int b=1) -> int",
            &[
                ("f(Tensor self, int a, int b=1, int c=2) -> int", Compatible),
                ("f(Tensor self, int a, int b=1, int c=2, int d=3) -> int", Compatible),
                ("f(Tensor self, int a, int c=2, int b=1) -> int", Breaking),
                ("f(Tensor self, int a) -> int", Breaking),
                ("f(Tensor self, int a, int b=1, int[2] c=1) -> int", Risky),
                ("f(Tensor self, int a, int b=4) -> int", Breaking),
                ("f(Tensor self, int a, int c=1) -> int", Breaking),
                ("f(Tensor self, int a, int b) -> int", Breaking),
                ("f(Tensor self, int a=1, int b=1) -> int", Risky),
            ],
        ),
        (
            "f(Tensor(a) self, int dim=0, int start=0, int end=0, int step=1) -> Tensor(a)",
            &[("f(Tensor(a) self, int dim=0, int? start=None, int? end=None, int step=1) -> Tensor(a)", Breaking)],
        ),
        (
            "f(Tensor self, Tensor other) -> Tensor",
            &[
                ("f(Tensor(a) self, Tensor other) -> Tensor(a)", Breaking),
                ("f(Tensor(a!) self, Tensor other) -> Tensor", Breaking),
                ("f(Tensor self, Tensor? other) -> Tensor", Risky),
            ],
        ),
        (
            "f(Tensor self, int n, float x=1.0) -> Tensor",
            &[
                ("f(Tensor self, SymInt n, float x=1.0) -> Tensor", Compatible),
                ("f(Tensor self, ScalarType n, float x=1.0) -> Tensor", Compatible),
                ("f(Tensor self, Scalar n, float x=1.0) -> Tensor", Risky),
                ("f(Tensor self, float n, float x=1.0) -> Tensor", Breaking),
                ("f(Tensor self, int n, float x=1) -> Tensor", Compatible),
                ("f(Tensor self, int n, float x=1.5) -> Tensor", Breaking),
            ],
        ),
        (
            "f(Tensor self, int[2] n) -> Tensor",
            &[
                ("f(Tensor self, int[3] n) -> Tensor", Breaking),
                ("f(Tensor self, int[] n) -> Tensor", Breaking),
                ("f(Tensor self, SymInt[2] n) -> Tensor", Compatible),
            ],
        ),
        (
            "f(Tensor[] self) -> Tensor",
            &[("f(Tensor?[] self) -> Tensor", Breaking), ("f(Tensor[]? self) -> Tensor", Risky)],
        ),
    ];
    let mut wrong = Vec::new();
    for (old, cases) in groups {
        for (new, expected) in cases {
            let found = saved(old, new);
            if found != *expected {
                wrong.push(format!("{old}\n  {new}: {found:?}, not {expected:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
