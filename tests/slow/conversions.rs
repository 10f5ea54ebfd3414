//! The table of conversions that overloads are selected by, beside the compiler that it is of:
//! `cargo test --test slow conversions`.

use std::fmt::Write as _;

use libtest_mimic::{Failed, Trial};

use crate::support::torch::{root, run, torch};

/// Types in schemas, and the parameters of C++ functions for them.
const PARAMETERS: &[(&str, &str)] = &[
    ("Tensor", "const at::Tensor&"),
    ("Tensor[]", "at::TensorList"),
    ("Tensor?[]", "const c10::List<std::optional<at::Tensor>>&"),
    ("int", "int64_t"),
    ("C int", "int"),
    ("SymInt", "c10::SymInt"),
    ("float", "double"),
    ("bool", "bool"),
    ("Scalar", "const at::Scalar&"),
    ("Tensor?", "const std::optional<at::Tensor>&"),
    ("int?", "std::optional<int64_t>"),
    ("SymInt?", "std::optional<c10::SymInt>"),
    ("float?", "std::optional<double>"),
    ("bool?", "std::optional<bool>"),
    ("Scalar?", "const std::optional<at::Scalar>&"),
    ("int[]", "at::IntArrayRef"),
    ("SymInt[]", "c10::SymIntArrayRef"),
    ("int[]?", "at::OptionalIntArrayRef"),
    ("SymInt[]?", "at::OptionalSymIntArrayRef"),
    ("float[]", "at::ArrayRef<double>"),
    ("float[]?", "std::optional<at::ArrayRef<double>>"),
    ("Scalar[]", "at::ArrayRef<at::Scalar>"),
    ("bool[2]", "std::array<bool, 2>"),
    ("str", "c10::string_view"),
    ("str?", "std::optional<c10::string_view>"),
    ("ScalarType", "at::ScalarType"),
    ("ScalarType?", "std::optional<at::ScalarType>"),
    ("Layout", "at::Layout"),
    ("Layout?", "std::optional<at::Layout>"),
    ("Device", "at::Device"),
    ("Device?", "std::optional<at::Device>"),
    ("MemoryFormat", "at::MemoryFormat"),
    ("MemoryFormat?", "std::optional<at::MemoryFormat>"),
    ("options", "at::TensorOptions"),
    ("Generator?", "std::optional<at::Generator>"),
    ("Generator", "at::Generator"),
    ("bool[]", "at::ArrayRef<bool>"),
];

/// The values that nodes have in the names of the table.
const NAMES: &str = "const at::Tensor& self, const std::vector<at::Tensor>& tensors, \
    c10::List<std::optional<at::Tensor>> indices, int64_t n, c10::SymInt m, double by, bool flag, at::Scalar alpha, \
    std::vector<int64_t> dims, std::vector<c10::SymInt> sizes, std::vector<double> scales, std::array<bool, 2> mask, \
    std::string text, at::ScalarType kind, std::optional<at::ScalarType> dtype, std::optional<std::string> mode, \
    std::optional<int64_t> k, std::optional<c10::SymInt> size, std::optional<double> eps, \
    std::optional<at::Scalar> limit, c10::OptionalArray<int64_t> axes, std::optional<at::Layout> layout, \
    std::optional<at::Device> device, std::optional<at::MemoryFormat> format, std::optional<at::Generator> generator";

/// The only test of this module.
pub(crate) fn trials() -> Vec<Trial> {
    vec![Trial::test("conversions", || {
        conversions();
        Ok::<(), Failed>(())
    })]
}

/// Asserts in C++ what each line of the table says: which parameters take the value, and which of
/// two overloads a call selects.
fn conversions() {
    let table = root().join("crates/formula/src/fit/conversions.txt");
    let table = std::fs::read_to_string(table).expect("a table");
    let place = |name: &str| PARAMETERS.iter().position(|(known, _)| *known == name).expect("a parameter");
    let mut source = String::from("#include <ATen/ATen.h>\n#include <torch/csrc/autograd/saved_variable.h>\n");
    let mut line = |text: String| writeln!(source, "{text}").expect("a string");
    for (i, (_, one)) in PARAMETERS.iter().enumerate() {
        line(format!("struct F{i} {{ char operator()({one}); }};"));
        for (j, (_, other)) in PARAMETERS.iter().enumerate().skip(i + 1) {
            line(format!("struct F{i}_{j} {{ char operator()({one}); int operator()({other}); }};"));
        }
    }
    let rows = table.lines().filter(|row| !row.starts_with('#') && !row.is_empty());
    for (number, row) in rows.enumerate() {
        let (value, fits) = row.split_once(" => ").expect("a value");
        let (fits, refused) = fits.split_once(" ; refused: ").unwrap_or((fits, ""));
        let list = |text: &str| text.split(", ").filter(|name| !name.is_empty()).map(place).collect::<Vec<_>>();
        let ranks: Vec<Vec<usize>> = fits.split(" < ").map(list).collect();
        let refused = list(refused);
        let rank = |one: usize| ranks.iter().position(|of| of.contains(&one));
        line(format!("template <class F> concept Takes{number} = requires(F f, {NAMES}) {{ f({value}); }};"));
        line(format!(
            "template <class F> concept First{number} = requires(F f, {NAMES}) {{ requires sizeof(f({value})) == 1; }};"
        ));
        let claim = |text: String| format!("static_assert({text}, R\"({row})\");");
        for i in 0..PARAMETERS.len() {
            let takes = if rank(i).is_some() { "" } else { "!" };
            line(claim(format!("{takes}Takes{number}<F{i}>")));
            for j in i + 1..PARAMETERS.len() {
                let call = format!("<F{i}_{j}>");
                let selects = match (rank(i), rank(j)) {
                    (Some(one), Some(other)) if one == other => format!("!Takes{number}{call}"),
                    (Some(one), Some(other)) if one < other => format!("First{number}{call}"),
                    (Some(_), Some(_)) => format!("Takes{number}{call} && !First{number}{call}"),
                    (Some(_), None) if !refused.contains(&j) => format!("First{number}{call}"),
                    (None, Some(_)) if !refused.contains(&i) => format!("Takes{number}{call} && !First{number}{call}"),
                    _ => continue,
                };
                line(claim(selects));
            }
        }
        // Another overload is not selected in place of one that is refused.
        for one in &refused {
            let calls: Vec<String> = (0..PARAMETERS.len())
                .filter(|other| rank(*other).is_some())
                .map(|other| format!("!Takes{number}<F{}_{}>", (*one).min(other), (*one).max(other)))
                .collect();
            line(claim(calls.join(" || ")));
        }
    }
    let directory = tempfile::tempdir().expect("a temporary directory");
    let file = directory.path().join("conversions.cpp");
    std::fs::write(&file, source).expect("a new file");
    let mut compiler = std::process::Command::new("g++");
    compiler.args(["-std=c++20", "-fsyntax-only", "-w", "-isystem"]).arg(torch().headers());
    run(compiler.arg(&file));
}
