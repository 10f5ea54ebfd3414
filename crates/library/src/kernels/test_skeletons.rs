//! `torchgen-rs kernels --tests`: tests for operators that have none, one file for each name.
//!
//! Arguments follow from the types of the schema, and what is differentiated from derivatives.yaml.
//!
//! Each test of an operator is for the inputs that its kernels, fakes and formulas are often wrong
//! for; `hard_inputs.py` beside the tests makes them.
//!
//! Invariant: a file that exists is not changed. Every argument has a value of its type, so that a
//! test fails at what the operator requires, not at what was written here.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use indexmap::IndexMap;
use serde::Serialize;

use super::dims_tests;
use super::packages::{package_of_namespace, packages};
use crate::library::python::overload_expr;
use crate::run::{LibraryPaths, LibrarySource, renderer};
use torchgen_base::diag::plural;
use torchgen_base::lang::whole_words;
use torchgen_base::render::Renderer;
use torchgen_base::write::OutputFile;
use torchgen_generators::args::KernelsArgs;
use torchgen_generators::inputs;
use torchgen_generators::inputs::Operators;
use torchgen_kit::driver::args::CommonArgs;
use torchgen_kit::driver::report::Summary;
use torchgen_kit::driver::run_section::{RunSection, Value};
use torchgen_kit::driver::scaffold::MANAGER;
use torchgen_kit::driver::templates::files_below;
use torchgen_kit::driver::{JobError, Session, output};
use torchgen_model::model::{Argument, BackendIndices, BaseTy, DispatchKey, NativeFunction, Type};
use torchgen_model::records::{DerivativeRecord, RUN_KEYS};

/// The file of one operator's name.
#[derive(Serialize)]
struct File<'a> {
    package: &'a str,
    /// The operator's name with its namespace.
    shown: String,
    /// Some overload has a derivative.
    differentiable: bool,
    /// Some test compiles calls of two sizes.
    counts: bool,
    /// The package with formulas that are only compared, if there are any.
    compares: Option<String>,
    /// The functions of `hard_inputs.py` that the tests call.
    helpers: BTreeSet<&'static str>,
    operators: Vec<Operator>,
}

/// The module with the inputs, which is the same for all libraries.
#[derive(Serialize)]
struct HardInputs {}

/// The test that compares what a library registers with its entries.
#[derive(Serialize)]
struct Registrations {
    /// The packages of its namespaces.
    packages: Vec<String>,
}

impl Registrations {
    /// That of a library with kernels that it registers by itself.
    fn new(source: &LibrarySource, package: Option<&str>) -> Option<Registrations> {
        let by_hand = |operators: &Operators| operators.functions.iter().any(|f| f.manual_kernel_registration);
        let packages = packages(source, package, by_hand);
        (!packages.is_empty()).then_some(Registrations { packages })
    }
}

#[derive(Serialize)]
struct Operator {
    /// Its name, with the overload if there are several.
    name: String,
    schema: String,
    /// An expression for it.
    overload: String,
    arguments: Vec<Sample>,
    /// It takes tensors, whose first size tests choose.
    has_tensors: bool,
    /// Arguments and other values for them: None, and `True`.
    others: Vec<Sample>,
    /// It has kernels for devices other than the CPU.
    on_devices: bool,
    /// It has a derivative, and one for forward mode.
    differentiable: bool,
    forward: bool,
    /// The derivative takes the place of what the library's own kernel records.
    replaces: bool,
    /// The derivative is not registered, and is compared with what the library records.
    compares: bool,
    full_name: String,
    /// The derivative holds for complex tensors.
    complex: bool,
    mutates: bool,
    /// The size of its results depends on data.
    dynamic: bool,
    /// The values of its results depend on data that no graph has.
    untraceable: bool,
}

/// An argument of a call.
#[derive(Serialize)]
struct Sample {
    name: String,
    value: String,
    keyword_only: bool,
}

/// Writes the tests of `kernels --tests`.
pub(super) fn write(args: &KernelsArgs, directory: Option<&Path>, session: &mut Session) -> Result<Summary, JobError> {
    let paths = LibraryPaths::new(&args.source_paths, session);
    let (source, _) = LibrarySource::with_yaml(paths, args.torch_path.as_deref(), session)?;
    let directory = directory.map_or_else(|| source.paths.root.join(FOLDER), Path::to_owned);
    let renderer = renderer(&source.paths.root, &args.common, None, session)?;
    let package = args.python_package.as_deref();
    let tests = tests(&source, &directory, package, &renderer, &args.common, args.sharding, session)?;
    let summary = output::write_below(&args.common, MANAGER, &directory, tests.files, renderer, session)?;
    Ok(Summary { said: Some(tests.said), ..summary })
}

/// The folder of the tests, beside the YAML.
pub const FOLDER: &str = "tests";

/// Tests, not yet written.
pub struct NewTests {
    /// Their files, below the folder of the tests.
    pub files: Vec<OutputFile>,
    /// What they are, as prose.
    pub said: String,
}

/// The tests of a library's YAML, for a package. The YAML may be shown and not yet written.
///
/// # Errors
/// The YAML or a test cannot be read.
pub fn tests_for(
    root: &Path,
    package: Option<&str>,
    renderer: &Renderer,
    common: &CommonArgs,
    session: &mut Session,
) -> Result<NewTests, JobError> {
    let paths = LibraryPaths::new(&[root.to_owned()], session);
    let (source, _) = LibrarySource::with_yaml(paths, None, session)?;
    tests(&source, &root.join(FOLDER), package, renderer, common, false, session)
}

/// The package that a file of settings names for generated Python.
pub fn package_of(settings: &Path) -> Option<String> {
    let section = RunSection::of_file(settings, &RUN_KEYS)?;
    section.values.into_iter().find_map(|(key, value)| match value {
        Value::Texts(texts) if key == "python_package" => texts.into_iter().next(),
        _ => None,
    })
}

/// The tests of a package that a directory lacks.
fn tests(
    source: &LibrarySource,
    directory: &Path,
    package: Option<&str>,
    renderer: &Renderer,
    common: &CommonArgs,
    sharding: bool,
    session: &mut Session,
) -> Result<NewTests, JobError> {
    let mut derivatives: Vec<DerivativeRecord> = Vec::new();
    for path in source.paths.derivatives(session)? {
        derivatives.extend(inputs::derivative_records(session, &path)?);
    }
    session.fail_on_errors(common.strict)?;
    let existing = existing(directory, session)?;
    let mut files = Vec::new();
    for (namespace, operators) in &source.libraries {
        let mut by_name: IndexMap<String, Vec<&NativeFunction>> = IndexMap::new();
        let tested = |f: &&NativeFunction| !f.is_generated() && !f.is_helper && f.func.arguments.out.is_empty();
        for f in operators.functions.iter().filter(tested) {
            by_name.entry(f.func.name.name.to_string()).or_default().push(f);
        }
        for (name, overloads) in by_name {
            let mut file = format!("test_{name}.py");
            if files.iter().any(|other: &OutputFile| other.path == file) {
                // Another namespace has an operator of this name.
                file = format!("test_{}_{name}.py", namespace.replace("::", "_"));
            }
            let mut written_by_hand = existing.iter().filter(|(path, _)| !is_shared(path));
            if existing.contains_key(&directory.join(&file)) || written_by_hand.any(|(_, text)| mentions(text, &name)) {
                continue;
            }
            let alone = overloads.len() == 1;
            let on_devices = |f: &NativeFunction| f.has_composite_kernel() || has_device_kernel(&operators.indices, f);
            let operators: Vec<Operator> =
                overloads.iter().map(|f| operator(f, alone, on_devices(f), &derivatives)).collect();
            let last = namespace.rsplit("::").next().unwrap_or(namespace);
            let view = File {
                package: package.unwrap_or(last),
                shown: format!("{namespace}::{name}"),
                differentiable: operators.iter().any(|operator| operator.differentiable),
                compares: operators
                    .iter()
                    .any(|operator| operator.compares)
                    .then(|| package_of_namespace(source, package, namespace)),
                counts: operators.iter().any(|operator| operator.has_tensors && !operator.untraceable),
                helpers: operators.iter().flat_map(helpers).collect(),
                operators,
            };
            files.push(OutputFile::new(MANAGER, file, renderer.fragment("torch/kernels/tests.py.j2", &view)?));
        }
    }
    let written = plural(files.len(), "operator");
    let registrations = Registrations::new(source, package);
    if let Some(view) = registrations.filter(|_| !existing.contains_key(&directory.join(REGISTRATIONS))) {
        let text = renderer.fragment("torch/kernels/registrations.py.j2", &view)?;
        files.push(OutputFile::new(MANAGER, REGISTRATIONS, text));
    }
    let of_dims = (directory, &existing);
    let dims = dims_tests::files(source, package, of_dims, sharding, renderer)?;
    let needs_inputs = files.iter().any(|file| file.path != REGISTRATIONS);
    if needs_inputs && !existing.contains_key(&directory.join(HARD_INPUTS)) {
        files.push(OutputFile::new(
            MANAGER,
            HARD_INPUTS,
            renderer.fragment("torch/kernels/hard_inputs.py.j2", &HardInputs {})?,
        ));
    }
    files.extend(dims);
    let place = directory.display();
    let said = match (needs_inputs, files.is_empty()) {
        (_, true) => format!("every operator has tests in `{place}`"),
        (true, _) => format!("wrote tests of {written} to `{place}`: choose the arguments, and compare values"),
        (false, _) => format!("wrote {} to `{place}`", plural(files.len(), "file")),
    };
    Ok(NewTests { files, said })
}

/// The test of what a library registers by itself.
const REGISTRATIONS: &str = "test_registrations.py";

/// The module with the inputs of all tests.
const HARD_INPUTS: &str = "hard_inputs.py";

/// Whether a file is the same for all operators, so that what it names is no test of one.
fn is_shared(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name == HARD_INPUTS || dims_tests::is_one(name))
}

/// The functions of that module that the tests of an operator call.
fn helpers(operator: &Operator) -> Vec<&'static str> {
    let mut called = vec!["check", "contiguous"];
    if operator.has_tensors {
        called.extend(["transposed", "expanded", "offset", "empty"]);
    }
    if operator.complex && operator.has_tensors {
        called.push("complex_values");
    }
    if !operator.others.is_empty() {
        called.push("argument");
    }
    if operator.has_tensors && operator.on_devices {
        called.push("second_device");
    }
    if operator.differentiable {
        called.push("options");
    }
    if operator.replaces || operator.compares {
        called.push("gradients");
    }
    called
}

/// Whether an operator has a kernel for a device other than the CPU.
fn has_device_kernel(indices: &BackendIndices, f: &NativeFunction) -> bool {
    let is_device = |key: &DispatchKey| {
        key.is_of_backend()
            && !matches!(key, DispatchKey::CPU | DispatchKey::Meta)
            && !key.as_str().starts_with("Autograd")
    };
    DispatchKey::ALL.iter().copied().filter(is_device).any(|key| indices.has_kernel(key, f))
}

/// The Python files of a directory and their texts.
fn existing(directory: &Path, session: &mut Session) -> Result<BTreeMap<PathBuf, String>, JobError> {
    let mut texts = BTreeMap::new();
    if !session.seen.is_dir(directory) {
        return Ok(texts);
    }
    for (_, path) in files_below(directory, &mut session.seen)? {
        if path.extension().is_some_and(|ending| ending == "py") {
            let file = session.read_source(&path)?;
            texts.insert(path, session.sources.text(file).to_owned());
        }
    }
    Ok(texts)
}

/// The files with tests that name each operator of a library, by its full name.
///
/// # Errors
/// A test cannot be read.
pub fn tests_that_name(
    source: &LibrarySource,
    session: &mut Session,
) -> Result<IndexMap<String, Vec<String>>, JobError> {
    let root = &source.paths.root;
    let existing = existing(&root.join(FOLDER), session)?;
    let tests: Vec<(&Path, &String)> = existing
        .iter()
        .filter(|(path, _)| !is_shared(path))
        .map(|(path, text)| (path.strip_prefix(root).unwrap_or(path), text))
        .collect();
    let of = |f: &NativeFunction| {
        let name = f.func.name.name.to_string();
        let own = tests.iter().filter(|(_, text)| mentions(text, &name));
        (f.full_name(), own.map(|(path, _)| path.display().to_string()).collect())
    };
    Ok(source.libraries.iter().flat_map(|(_, operators)| &operators.functions).map(of).collect())
}

/// Whether a test names an operator: as an attribute, in quotes, or in an import.
fn mentions(text: &str, name: &str) -> bool {
    let is_named = |at: usize| {
        let before = &text[..at];
        let line = before.rsplit('\n').next().unwrap_or_default().trim_start();
        before.ends_with(['.', '"', '\'']) || line.starts_with("from ") || line.starts_with("import ")
    };
    whole_words(text, name).any(|range| is_named(range.start))
}

fn operator(f: &NativeFunction, alone: bool, on_devices: bool, derivatives: &[DerivativeRecord]) -> Operator {
    let overload = &f.func.name.overload_name;
    let name = f.func.name.name.to_string();
    let formulas: Vec<&str> = formulas_of(f, derivatives).collect();
    let is_differentiable = |a: &Argument| formulas.contains(&a.schema_name());
    let positional = f.func.arguments.flat_positional().count();
    let all = f.func.schema_order_arguments().enumerate();
    let given = all.filter(|(i, a)| {
        // A positional argument is needed before one without a default.
        let later = f.func.arguments.flat_positional().skip(i + 1).any(|other| other.default.is_none());
        a.default.is_none() || (*i < positional && later) || is_differentiable(a) || other(&a.ty).is_some()
    });
    let mut by_name = false;
    let samples: Vec<Sample> = given
        .map(|(i, a)| Sample {
            name: a.schema_name().to_owned(),
            value: sample(&a.ty, is_differentiable(a)),
            keyword_only: {
                // After one that is left out or has other values, the next ones are given by name.
                by_name |= i >= positional || is_after_default(f, i) || other(&a.ty).is_some();
                by_name
            },
        })
        .collect();
    let differentiable = f.func.arguments.flat_all().any(is_differentiable) && !f.func.returns.is_empty();
    let results: Vec<String> = f
        .func
        .returns
        .iter()
        .enumerate()
        .map(|(i, ret)| match &ret.name {
            Some(name) => name.clone(),
            None if f.func.returns.len() == 1 => "result".to_owned(),
            None => format!("result{i}"),
        })
        .collect();
    let others = f.func.schema_order_arguments().filter_map(|a| {
        let value = other(&a.ty)?.to_owned();
        Some(Sample { name: a.schema_name().to_owned(), value, keyword_only: true })
    });
    Operator {
        has_tensors: f.func.arguments.flat_all().any(|a| a.ty.is_tensor_like()),
        others: others.collect(),
        on_devices,
        name: if alone || overload.is_empty() { name } else { format!("{name}_{overload}") },
        schema: f.qualified_schema(),
        overload: overload_expr(f).replace("_torch.", "torch.").replace("_builtins.", ""),
        arguments: samples,
        differentiable,
        replaces: differentiable && f.manual_kernel_registration && !f.func.is_mutable() && !f.compares_gradients,
        compares: differentiable && f.compares_gradients && !f.func.is_mutable(),
        full_name: f.full_name(),
        forward: results.iter().any(|result| formulas.contains(&result.as_str())),
        complex: entries_of(f, derivatives).any(|record| record.complex_gradients == Some(true)),
        mutates: f.func.is_mutable(),
        dynamic: f.has_tag("dynamic_output_shape"),
        untraceable: f.has_tag("data_dependent_output"),
    }
}

/// Whether a positional argument before this one is left out.
fn is_after_default(f: &NativeFunction, at: usize) -> bool {
    let before = f.func.arguments.flat_positional().take(at);
    let needed = f.func.arguments.flat_positional().skip(at).any(|a| a.default.is_none());
    !needed && before.into_iter().any(|a| a.default.is_some())
}

/// The entries of an operator; usually one.
fn entries_of<'d>(
    f: &NativeFunction,
    derivatives: &'d [DerivativeRecord],
) -> impl Iterator<Item = &'d DerivativeRecord> {
    let name = f.full_name();
    let is_own = move |record: &&DerivativeRecord| {
        let schema = record.name.as_str();
        schema.split('(').next().is_some_and(|written| written.trim() == name)
    };
    derivatives.iter().filter(is_own)
}

/// What the entry of an operator has formulas for: inputs with a gradient, and outputs with a
/// tangent.
fn formulas_of<'d>(f: &NativeFunction, derivatives: &'d [DerivativeRecord]) -> impl Iterator<Item = &'d str> {
    let formulas = entries_of(f, derivatives).flat_map(|record| &record.formulas);
    let formulas = formulas.flat_map(|keyed| &keyed.formulas);
    let has_value = |formula: &str| !matches!(formula, "non_differentiable" | "output_differentiability");
    formulas
        .filter(move |formula| has_value(formula.formula.as_str()))
        .flat_map(|formula| &formula.names)
        .map(|name| name.as_str())
}

/// Another value of a type than its sample: None, or `True`.
fn other(ty: &Type) -> Option<&'static str> {
    match ty {
        Type::Base(BaseTy::Bool) => Some("True"),
        Type::Optional(elem) if sample(elem, false) != "None" => Some("None"),
        _ => None,
    }
}

/// A value of a type.
fn sample(ty: &Type, grad: bool) -> String {
    let requires = if grad { ", requires_grad=grad" } else { "" };
    match ty {
        Type::Base(base) => match base {
            BaseTy::Tensor => format!("torch.randn(batch, 4, dtype=dtype{requires})"),
            BaseTy::Generator => "torch.Generator().manual_seed(0)".to_owned(),
            BaseTy::Int | BaseTy::SymInt | BaseTy::DeviceIndex | BaseTy::Scalar => "1".to_owned(),
            BaseTy::Float => "0.5".to_owned(),
            BaseTy::Bool | BaseTy::SymBool => "False".to_owned(),
            BaseTy::Complex => "1j".to_owned(),
            BaseTy::Str => "\"\"".to_owned(),
            BaseTy::ScalarType => "torch.float32".to_owned(),
            BaseTy::Layout => "torch.strided".to_owned(),
            BaseTy::Device => "torch.device(\"cpu\")".to_owned(),
            BaseTy::MemoryFormat => "torch.contiguous_format".to_owned(),
            BaseTy::QScheme => "torch.per_tensor_affine".to_owned(),
            BaseTy::DimVector => "[3, 4]".to_owned(),
            BaseTy::Stream | BaseTy::Storage | BaseTy::GraphModule | BaseTy::Dimname => "None".to_owned(),
        },
        // None is another case.
        Type::Optional(elem) => sample(elem, grad),
        Type::List(elem, size) => {
            let elem = sample(elem, grad);
            format!("[{}]", vec![elem; size.unwrap_or(2) as usize].join(", "))
        }
        Type::Dict(key, value) => format!("dict([({}, {})])", sample(key, false), sample(value, grad)),
        Type::CustomClass(_) => "None".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_tests() {
        for text in ["torch.ops.my.scale(x)", "from my import scale", "import my.scale as s", "CASES = {\"scale\": 1}"]
        {
            assert!(mentions(text, "scale"), "{text}");
        }
        for text in ["x.rescale(2)", "scale = 2", "def f(scale):", "x.scaled"] {
            assert!(!mentions(text, "scale"), "{text}");
        }
    }
}
