//! One table of formulas for all who read them: the type, what a node saves, what is wrong as C++,
//! and the translation to Python.
//!
//! Rows are in `tests/*.txt`: a formula, and below it the results. A line `# for NAMES` says what
//! the formulas after it are for. With `UPDATE_EXPECT=1` in the environment the tests rewrite the
//! results; review them before you commit.
//!
//! Invariant: what formulas can call is in `tests/`, not that of an installed torch, but for the
//! translation, which takes the operators of `data/torch/versions`.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use super::check::check_all;
use super::names::{Declared, Direction, Names, Torch};
use super::python;
use super::python::operators::Operators;
use torchgen_api::autograd::{self, load, match_differentiability_info};
use torchgen_api::testing;
use torchgen_base::diag::{Diagnostics, Severity, Sources};
use torchgen_base::yaml;
use torchgen_formula::{Rules, ValueKind, parse, typed};
use torchgen_kit::driver::Session;
use torchgen_kit::driver::data::Tables;
use torchgen_model::model::version::Version;
use torchgen_model::model::{FunctionSchema, NativeFunction, Target, Type};
use torchgen_model::records;

/// The folder of the tables.
const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src/formula/tests");

/// The operator of the formulas, without what it returns.
const SCHEMA: &str = "my::f(Tensor self, Tensor other, Tensor? weight, Tensor[] tensors, float by, int n, SymInt m, \
    Scalar alpha, SymInt[] sizes, int[] dims, float[] scales, bool[2] mask, bool flag, str text, ScalarType kind, \
    ScalarType? dtype, str? mode, int? k, SymInt? size, float? eps, Scalar? limit, int[]? axes, Layout? layout, \
    Device? device, MemoryFormat? format, Generator? generator, \
    Tensor?[] indices)";

/// The other operators of the library.
const OWN: &str = "
- func: my::scale(Tensor self, SymInt size, float by=1) -> Tensor
- func: my::fixed(Tensor self, int size) -> Tensor
- func: my::note(Tensor(a!) self) -> ()
- func: my::pair(Tensor self) -> (Tensor, Tensor)
- func: my::join(Tensor[] tensors, ScalarType? dtype=None) -> Tensor
";

/// The author's own header.
const HEADER: &str = "namespace my {
inline at::Tensor helper(const at::Tensor& x, const at::Tensor& y, c10::SymIntArrayRef sizes) { return x; }
inline at::Tensor twice(const at::Tensor& x, double by = 2.0) { return x * by; }
inline at::Tensor plain(const at::Tensor& x, at::IntArrayRef sizes) { return x; }
inline at::Tensor maybe(const at::Tensor& x, std::optional<at::Tensor> y) { return x; }
inline int64_t count(at::TensorList xs) { return xs.size(); }
inline std::tuple<at::Tensor, at::Tensor> both(const at::Tensor& x) { return {x, x}; }
at::Tensor declared(const at::Tensor& x);
template <class T> at::Tensor any(T x) { return x; }
}
";

/// What conditions are for.
const CONDITION: &str = "output_differentiability";

/// The operators of a YAML text.
fn operators(text: &str, target: Target) -> Vec<NativeFunction> {
    let (mut sources, mut diagnostics) = (Sources::new(), Diagnostics::new());
    let (functions, _) = testing::operators(text, target, &mut sources, &mut diagnostics);
    // There is no file of tags here.
    let found: Vec<String> = diagnostics.iter().map(|one| one.message.clone()).collect();
    let found: Vec<&String> = found.iter().filter(|one| !one.contains("nondeterministic_seeded")).collect();
    assert!(found.is_empty(), "{found:?}");
    functions
}

/// What all formulas of a table can name.
struct Library<'l> {
    /// The schema of the operator, as written.
    written: String,
    functions: &'l [NativeFunction],
    declared: Declared<'l>,
    operators: Operators,
    /// The author's functions in Python.
    python: HashMap<String, String>,
    target: Target<'l>,
}

impl Library<'_> {
    fn schema(&self) -> &FunctionSchema {
        &self.functions[0].func
    }

    /// Everything that is said of a formula for these names.
    fn says(&self, names: &str, formula: &str) -> String {
        let mut said = String::new();
        let mut line = |title: &str, text: &str| writeln!(said, "  {title:<7} {text}").expect("a string");
        let tangent = ["_t", "_p"].iter().any(|end| {
            let arguments = self.schema().schema_order_arguments();
            arguments
                .filter(|a| a.ty.is_tensor_like())
                .any(|a| autograd::formula_uses(formula, &format!("{}{end}", a.name)))
        });
        line("type", &self.ty(formula));
        let key = if tangent { "result" } else { names };
        let (shown, problems) = self.node(key, formula);
        shown.iter().for_each(|(title, text)| line(title, text));
        match problems.as_slice() {
            [] => line("cpp", "ok"),
            all => all.iter().for_each(|problem| line("cpp", problem)),
        }
        line("python", &self.python(key, formula));
        said
    }

    fn ty(&self, formula: &str) -> String {
        let Ok(expr) = parse(formula) else { return "none".to_owned() };
        let names = Names::of_formulas(self.schema(), &self.declared, Rules::Cpp, Direction::Backward);
        let ty = typed(&expr, &names).0.ty;
        match ty.kind {
            ValueKind::Unknown => "unknown".to_owned(),
            ValueKind::Never => "an exception".to_owned(),
            _ => ty.name(),
        }
    }

    /// What a node saves, its formula, and what is wrong.
    fn node(&self, key: &str, formula: &str) -> (Vec<(&'static str, String)>, Vec<String>) {
        let mut session = Session::default();
        let mut text = format!("- name: {}\n", self.written);
        if key == CONDITION {
            text += "  self: grad\n";
        }
        let quoted = |formula: &str| format!("'{}'", formula.replace('\'', "''"));
        if key == "result" {
            text += "  self: grad\n  other: grad\n";
        }
        let value = if key == CONDITION { format!("[{}]", quoted(formula)) } else { quoted(formula) };
        let _ = writeln!(text, "  {key}: {value}");
        let file = session.sources.add("derivatives.yaml", text);
        let root = yaml::parse(&session.sources, file, yaml::Options::OPERATORS, &mut session.diagnostics);
        let records = records::read_derivatives(root.expect("YAML"), &mut session.diagnostics);
        let all: Vec<&NativeFunction> = self.functions.iter().collect();
        let known = autograd::Operators { functions: &all, view_groups: &[], target: self.target, manual: HEADER };
        let infos = load(&records, known, &mut session.diagnostics);
        let matched = match_differentiability_info(self.functions, &infos, self.target, &mut session.diagnostics);
        let mut shown = Vec::new();
        for f in matched.functions.iter().filter(|f| f.info.is_some()) {
            if key == CONDITION {
                let conditions = f.info.iter().flat_map(|by_key| by_key.values());
                let conditions = conditions.filter_map(|info| info.output_differentiability_conditions.as_ref());
                shown.extend(conditions.flatten().map(|condition| ("node", condition.clone())));
                continue;
            }
            if key == "result" {
                for one in f.fw_derivatives.values().flat_map(|all| all.iter()) {
                    let tangents = one.required_inputs_fw_grad.iter().map(|name| format!("{name}_t"));
                    let primals = one.required_inputs_primal.iter().map(|name| format!("{name}_p"));
                    shown.push(("saves", tangents.chain(primals).collect::<Vec<_>>().join(", ")));
                    shown.push(("node", one.formula.clone()));
                }
                continue;
            }
            for one in f.info.iter().flat_map(|by_key| by_key.values()).flat_map(|info| &info.derivatives) {
                let mut saved: Vec<String> = Vec::new();
                for attribute in one.saved_inputs.iter().chain(&one.saved_outputs) {
                    let text = match attribute.name == attribute.expr {
                        true => attribute.name.clone(),
                        false => format!("{} = {}", attribute.name, attribute.expr),
                    };
                    if !saved.contains(&text) {
                        saved.push(text);
                    }
                }
                shown.push(("saves", if saved.is_empty() { "nothing".to_owned() } else { saved.join(", ") }));
                shown.push(("node", one.formula.clone()));
            }
        }
        check_all(&records, &self.declared, Rules::Cpp, &mut session);
        let sources = &session.sources;
        let problems = session.diagnostics.iter().map(|one| {
            let severity = if one.severity == Severity::Error { "error" } else { "lint" };
            let place = one.primary.as_ref().map_or("", |label| sources.snippet(label.span));
            let place = place.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\'')).unwrap_or(place);
            format!("{severity}[{}] at `{place}`: {}", one.code.id, one.message)
        });
        let mut problems: Vec<String> = problems.collect();
        problems.dedup();
        (shown, problems)
    }

    fn python(&self, key: &str, formula: &str) -> String {
        let wanted: Vec<&str> = key.split(", ").collect();
        let translated = if key == CONDITION {
            let mut names = python::names::Names::new(&self.operators, &self.python, 0);
            names.add_arguments(self.schema());
            python::translate_condition(formula, &names)
        } else {
            let names = python_names(self.schema(), &self.operators, &self.python);
            python::translate(formula, &names, &wanted, self.schema()).map(|(text, _)| text)
        };
        match translated {
            Ok(text) => text,
            Err(problem) => format!("error at `{}`: {}", &formula[problem.range], problem.message),
        }
    }
}

/// The names of an operator's formulas in Python, for gradients and tangents at once.
fn python_names<'o>(
    schema: &FunctionSchema,
    operators: &'o Operators,
    functions: &'o HashMap<String, String>,
) -> python::names::Names<'o> {
    let mut names = python::names::Names::new(operators, functions, schema.returns.len());
    for a in schema.schema_order_arguments() {
        let kind = ValueKind::from_schema_type(&a.ty);
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
        names.saved(&result, ValueKind::from_schema_type(&ret.ty));
        names.rename(&result, &format!("_{result}"));
    }
    names.add("grad_input_mask", "_mask", ValueKind::Bools);
    names
}

/// Checks a table for an operator that returns this. Returns how many rows it has.
#[track_caller]
fn check(table: &str, returns: &str) -> usize {
    let tables = Tables::embedded();
    let target = Target::library(tables);
    let written = format!("{SCHEMA} -> {returns}");
    let own = format!("- func: {written}\n{}", OWN.trim_start());
    let functions = operators(&own, target);
    let stock = operators(
        &fs::read_to_string(Path::new(FOLDER).join("operators.yaml")).expect("a file"),
        Target::pytorch(tables),
    );
    let path = Path::new(FOLDER).join(table);
    let text = fs::read_to_string(&path).expect("a table");
    let blocks: Vec<&str> = text.trim().split("\n\n").collect();
    let formulas: Vec<&str> = blocks.iter().filter_map(|block| block.lines().next()).collect();
    let include = Path::new(FOLDER).join("include");
    let torch = Torch { names: stock.iter().map(|f| f.func.name.name.base.clone()).collect(), include: Some(&include) };
    let all: Vec<&NativeFunction> = functions.iter().collect();
    let library = Library {
        written,
        functions: &functions,
        declared: Declared::new(&all, Some(HEADER), tables).with_torch(torch, stock.iter()),
        operators: Operators::new(functions.iter(), Version::OLDEST, &formulas, tables),
        python: HashMap::from([("helper".to_owned(), "_function_helper".to_owned())]),
        target,
    };
    let mut names = "self";
    let (mut updated, mut wrong, mut rows) = (Vec::new(), Vec::new(), 0);
    for block in blocks {
        let (formula, expected) = block.split_once('\n').unwrap_or((block, ""));
        if let Some(heading) = formula.strip_prefix("# ") {
            names = heading.strip_prefix("for ").unwrap_or(names);
            updated.push(block.to_owned());
            continue;
        }
        rows += 1;
        let said = library.says(names, formula);
        if said.trim_end() != expected.trim_end() {
            wrong.push(format!("{formula}\n{said}"));
        }
        updated.push(format!("{formula}\n{}", said.trim_end()));
    }
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        fs::write(path, updated.join("\n\n") + "\n").expect("a table");
    } else {
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }
    rows
}

#[test]
fn formulas() {
    let rows = check("formulas.txt", "Tensor") + check("outputs.txt", "(Tensor, Tensor)");
    assert!(rows >= 300, "{rows} rows");
}

/// A namespace that no header declares is an error, unless the author's header includes what is
/// not at hand.
#[test]
fn namespaces() {
    let tables = Tables::embedded();
    let stock = operators("- func: exp(Tensor self) -> Tensor\n", Target::pytorch(tables));
    let include = Path::new(FOLDER).join("include");
    let nowhere = "there is no `att::is_on`: no header declares `att`; did you mean `at::`?";
    let inner = "there is no `at::natve::is_on`: no header declares `natve`";
    for (header, formula, expected) in [
        ("#pragma once\n#include <vector>\n#include <ATen/ATen.h>\n", "att::is_on(self)", nowhere),
        ("#include <torch/torch.h>\n", "att::is_on(self)", nowhere),
        ("#include <my/Functions.h>\n", "att::is_on(self)", nowhere),
        ("#include <my/helpers.h>\n", "att::is_on(self)", ""),
        ("#include \"helpers.h\"\n", "att::is_on(self)", ""),
        ("namespace att {}\n", "att::is_on(self)", ""),
        ("", "att::exp(self)", "there is no `att::exp`: no header declares `att`; formulas are C++: write `at::exp`"),
        (
            "",
            "other::f(self)",
            "there is no `other::f`: no header declares `other`; declare it in derivatives_manual.h \
            beside derivatives.yaml",
        ),
        ("", "at::natve::is_on(self)", inner),
        ("", "at::native::is_on(self)", ""),
        ("#include <torch/torch.h>\n", "at::natve::is_on(self)", ""),
    ] {
        let mut session = Session::default();
        let text = format!("- name: my::f(Tensor self) -> Tensor\n  self: {formula}\n");
        let file = session.sources.add("derivatives.yaml", text);
        let root = yaml::parse(&session.sources, file, yaml::Options::OPERATORS, &mut session.diagnostics);
        let records = records::read_derivatives(root.expect("YAML"), &mut session.diagnostics);
        let own = operators("- func: my::f(Tensor self) -> Tensor\n", Target::library(tables));
        let torch = Torch { names: ["exp".to_owned()].into(), include: Some(&include) };
        let own: Vec<&NativeFunction> = own.iter().collect();
        let declared = Declared::new(&own, Some(header), tables).with_torch(torch, stock.iter());
        check_all(&records, &declared, Rules::Cpp, &mut session);
        let found = session.diagnostics.iter().map(|one| {
            let help = one.help.iter().map(|help| help.as_str());
            std::iter::once(one.message.as_str()).chain(help).collect::<Vec<_>>().join("; ")
        });
        assert_eq!(found.collect::<Vec<_>>().join("\n"), expected, "{formula} beside {header}");
    }
}

/// Whatever the text, there is a translation or an error.
#[test]
fn any_text_has_an_end() {
    let operators = Operators::default();
    let functions = HashMap::new();
    let f = &self::operators(&format!("- func: {SCHEMA} -> Tensor\n"), Target::library(Tables::embedded()))[0];
    let deep = "(".repeat(100_000);
    let minus = "-".repeat(100_000);
    for text in
        ["", "(", "a.", "x ?", "at::", "{", "std::get<", "grad +", "\"", "1'", "grads[", "*", deep.as_str(), &minus]
    {
        let names = python_names(&f.func, &operators, &functions);
        assert!(python::translate(text, &names, &[], &f.func).is_err(), "{}", &text[..text.len().min(20)]);
    }
}
