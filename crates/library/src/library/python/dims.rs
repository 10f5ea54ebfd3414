//! `_dims.py`: what the dimensions of operators are called, for fakes, `torch.vmap`, DTensor and
//! FLOPs, on both ABIs.
//!
//! Invariant: the package has the lines of all operators that have some, as they are checked. What
//! follows from them is in Python, which is the same for all libraries.

use serde::Serialize;

use super::directory;
use crate::library::MANAGER;
use crate::library::view::is_selected;
use torchgen_base::lang::python::string_literal;
use torchgen_base::write::OutputFile;
use torchgen_generators::{Context, Outcome};
use torchgen_kit::schema::Spanned;
use torchgen_model::model::NativeFunction;
use torchgen_model::model::dims::{Dim, DimBase, DimsLine, DimsResult, SizeExpr};

/// The name of the module with the lines, which registers what follows from them.
pub(crate) const MODULE: &str = "_dims";

/// What it imports; nothing in these depends on the operators.
const OTHERS: [&str; 3] = ["_binding", "_rules", "_sharding"];

#[derive(Serialize)]
struct Module<'a> {
    namespace: &'a str,
    operators: Vec<Operator>,
    /// The numbers of floating-point operations.
    flops: Vec<Flops>,
}

/// The lines of an operator.
#[derive(Serialize)]
struct Operator {
    /// Its name with the namespace and the overload.
    name: String,
    lines: Vec<Line>,
    /// Some builds lack it.
    conditional: bool,
}

#[derive(Serialize)]
struct Flops {
    name: String,
    /// A tuple of an operator and its operands, a name or a number.
    count: String,
    /// Some builds lack the operator.
    conditional: bool,
}

/// A line. Names are literals.
#[derive(Serialize)]
struct Line {
    text: String,
    tensors: Vec<(String, Vec<PythonDim>)>,
    results: Vec<PythonResult>,
    map: Vec<String>,
    reduce: Vec<PythonReduction>,
    linear: Vec<String>,
    scratch: Vec<String>,
    nonempty: Vec<String>,
    index: Vec<(String, String)>,
}

#[derive(Serialize)]
struct PythonResult {
    /// The argument that it is; empty if it has dimensions of its own.
    argument: String,
    dims: Vec<PythonDim>,
}

#[derive(Serialize)]
struct PythonReduction {
    name: String,
    combined: &'static str,
    added: Vec<String>,
}

#[derive(Serialize)]
struct PythonDim {
    kind: &'static str,
    /// Its name, number or expression.
    value: String,
    /// The argument that says where it is; empty if it is in order.
    at: String,
    one: bool,
}

/// The files; none if no operator has a line.
pub(crate) fn files(ctx: &Context<'_>, package: &str) -> Outcome {
    let own = || ctx.functions.iter().filter(|f| ctx.target.defines_operators && is_selected(ctx, f));
    let operators: Vec<Operator> = own().filter_map(|f| operator(ctx, f)).collect();
    let count = |f: &NativeFunction| {
        let (count, conditional) = (expression(&f.flops.as_ref()?.count), f.conditions.operator.is_some());
        Some(Flops { name: f.full_name(), count, conditional })
    };
    let flops: Vec<Flops> = own().filter_map(count).collect();
    if operators.is_empty() && flops.is_empty() {
        return Ok(Vec::new());
    }
    let module = Module { namespace: &ctx.namespaces.api, operators, flops };
    let mut files = Vec::new();
    for name in [MODULE].into_iter().chain(OTHERS) {
        let text = ctx.renderer.fragment(&format!("torch/library/python/{name}.py.j2"), &module)?;
        files.push(OutputFile::new(MANAGER, format!("{}/{name}.py", directory(package)), text));
    }
    Ok(files)
}

fn operator(ctx: &Context, f: &NativeFunction) -> Option<Operator> {
    let lines = Some(f.dims_lines()).filter(|lines| !lines.is_empty())?;
    let name = ctx.renderer.about([f]).marked(f.full_name());
    let conditional = f.conditions.operator.is_some();
    Some(Operator { name, lines: lines.iter().map(line).collect(), conditional })
}

fn line(line: &DimsLine) -> Line {
    let names = |list: &[Spanned<String>]| list.iter().map(|name| string_literal(name)).collect();
    let dims = |dims: &[Spanned<Dim>]| dims.iter().map(|dim| python_dim(&dim.value)).collect();
    let result = |result: &DimsResult| match result {
        DimsResult::Argument(name) => PythonResult { argument: string_literal(name), dims: Vec::new() },
        DimsResult::Dims(own) => PythonResult { argument: String::new(), dims: dims(&own.value) },
    };
    Line {
        text: string_literal(&line.to_string()),
        tensors: line.tensors.iter().map(|(name, own)| (string_literal(name), dims(own))).collect(),
        results: line.results.iter().map(result).collect(),
        map: names(&line.map),
        reduce: line
            .reduce
            .iter()
            .map(|reduction| PythonReduction {
                name: string_literal(&reduction.name),
                combined: reduction.combined.word(),
                added: names(&reduction.added),
            })
            .collect(),
        linear: names(&line.linear),
        scratch: names(&line.scratch),
        nonempty: names(&line.nonempty),
        index: line.index.iter().map(|(tensor, dim)| (string_literal(tensor), string_literal(dim))).collect(),
    }
}

fn python_dim(dim: &Dim) -> PythonDim {
    let (kind, value) = match &dim.base {
        DimBase::Name(name) => ("name", string_literal(name)),
        DimBase::Group(name) => ("group", string_literal(name)),
        DimBase::Number(number) => ("int", number.to_string()),
        DimBase::Unchecked => ("any", String::new()),
        DimBase::Data => ("data", String::new()),
        DimBase::Product(factors) => {
            let factors: Vec<String> = factors.iter().map(expression).collect();
            ("product", format!("({})", factors.join(", ")))
        }
        DimBase::Packed(name, count) => ("packed", format!("({}, {count})", string_literal(name))),
        DimBase::Computed(size) => ("expr", expression(size)),
        DimBase::Varying(name) => ("varying", string_literal(name)),
        DimBase::SumOf(name) => ("sum_of", string_literal(name)),
    };
    let at = dim.at.as_ref().map(|at| string_literal(at)).unwrap_or_default();
    PythonDim { kind, value, at, one: dim.or_one }
}

/// A size as nested tuples.
fn expression(size: &SizeExpr) -> String {
    match size {
        SizeExpr::Number(number) => number.to_string(),
        SizeExpr::Name(name) => string_literal(name),
        SizeExpr::Binary(operator, left, right) => {
            format!("(\"{}\", {}, {})", operator.symbol(), expression(left), expression(right))
        }
    }
}
