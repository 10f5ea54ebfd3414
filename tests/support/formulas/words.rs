//! Formulas of each word of the vocabulary: constants, helpers, functions of `std`, methods.
//!
//! The words are the literals of the sources that have the vocabulary, so that one which is added
//! there is drawn here. Each word is tried at each place. Only what the stable ABI accepts is run:
//! at the place of another kind, a word may be any name of a header for the C++ API.

use std::collections::BTreeSet;

use regex::Regex;

use super::expr::{Expr, leaf};
use crate::support::torch::root;

/// The files that have the words.
const SOURCES: [&str; 2] = ["crates/formula/src/vocabulary.rs", "crates/library/src/formula/python/builtins.rs"];

/// Where a word can be in a formula.
const PLACES: [&str; 32] = [
    "grad * WORD",
    "WORD(grad)",
    "WORD(tensors) ? grad : other",
    "WORD(grad, self)",
    "WORD(grad, self, result)",
    "WORD(grad, k)",
    "WORD(grad, x)",
    "WORD(grad, b)",
    "WORD(grad, self, x)",
    "WORD(grad, 2)",
    "WORD(self.scalar_type(), grad)",
    "WORD(\"name\")",
    "WORD(\"name\", \"reason\")",
    "WORD(\"name\")[0]",
    "WORD(self.scalar_type()) ? grad : other",
    "grad.to(at::WORD)",
    "grad.to(at::kWORD)",
    "grad.to(at::ScalarType::WORD)",
    "grad.contiguous(at::MemoryFormat::WORD)",
    "grad * at::Reduction::WORD",
    "at::WORD(self.scalar_type()) ? grad : other",
    "at::WORD(self.scalar_type(), b) ? grad : other",
    "grad * std::WORD(x)",
    "grad * std::WORD(x, y)",
    "grad * std::WORD(k, n)",
    "grad * self.WORD()",
    "grad * self.WORD(0)",
    "at::zeros_symint(self.sym_sizes(), self.options().WORD(at::kFloat))",
    "grad * at::Scalar(x).WORD()",
    "grad * ks.WORD()",
    "grad * m.WORD()",
    "self.WORD()",
];

/// All formulas.
pub(super) fn formulas() -> Vec<Expr> {
    let literal = Regex::new(r#""([A-Za-z_]\w*)""#).expect("a pattern");
    let mut words = BTreeSet::new();
    for source in SOURCES {
        let text = std::fs::read_to_string(root().join(source)).expect("a source");
        words.extend(literal.captures_iter(&text).map(|found| found[1].to_owned()));
    }
    let at = |word: &String| PLACES.map(|place| leaf(place.replace("WORD", word)));
    words.iter().flat_map(at).collect()
}
