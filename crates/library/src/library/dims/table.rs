//! The lines of `dims:` as tables in C++.
//!
//! Invariant: names, tensors and arguments are their places in the line's or the operator's lists.
//! The tables have what checks need: words such as `map` are for Python.

use serde::Serialize;

use torchgen_api::cpp_string;
use torchgen_generators::Context;
use torchgen_generators::size_check::table_name;
use torchgen_kit::expr::Binary;
use torchgen_model::model::dims::{Dim, DimBase, DimsLine, SizeExpr};
use torchgen_model::model::{Argument, NativeFunction};

/// The place of a name that is not there.
const NONE: i64 = -1;

/// The table of an operator.
#[derive(Serialize)]
pub(super) struct OperatorTable {
    /// `my_ops::linear.out`
    name: String,
    /// The same, as a literal.
    shown: String,
    /// The namespace of the table, if it has one of its own.
    namespace: Option<String>,
    /// Its name in it.
    table: String,
    /// What the names of its parts end with. It is the operator's own, so that an operator more
    /// changes no other table.
    parts: String,
    arguments: Vec<NamedArgument>,
    lines: Vec<LineTable>,
}

#[derive(Serialize)]
struct NamedArgument {
    /// Its name, as a literal.
    shown: String,
    /// It can be None, and not all lines name it.
    decides: bool,
}

/// The table of a line.
#[derive(Serialize)]
struct LineTable {
    /// The line, as a literal.
    text: String,
    /// What the names of its parts end with.
    parts: String,
    /// All names, as literals.
    names: Vec<String>,
    tensors: Vec<TensorTable>,
    numbers: Vec<NumberName>,
    /// The dimensions with steps.
    with_steps: Vec<DimTable>,
}

#[derive(Serialize)]
struct TensorTable {
    shown: String,
    argument: usize,
    dims_name: String,
    dims: Vec<DimTable>,
}

#[derive(Serialize)]
struct NumberName {
    argument: usize,
    name: usize,
}

#[derive(Clone, Serialize)]
struct DimTable {
    kind: &'static str,
    or_one: bool,
    name: i64,
    at: i64,
    number: i64,
    steps_name: String,
    steps: Vec<Step>,
    solved: i64,
    text: String,
}

#[derive(Clone, Serialize)]
struct Step {
    operation: &'static str,
    name: i64,
    number: i64,
}

impl OperatorTable {
    /// The table of an operator with lines.
    pub(super) fn new(ctx: &Context, f: &NativeFunction) -> Option<OperatorTable> {
        let lines = Some(f.dims_lines()).filter(|_| f.compares_sizes())?;
        let arguments = f.arguments_of_dims();
        let (namespace, name) = table_name(f);
        // At the end, so that no part of an operator is named as one of another.
        let parts = format!("of_{}", f.func.name.name);
        let table = |(at, line): (usize, &DimsLine)| LineTable::new(line, &arguments, format!("{at}_{parts}"));
        let decides = |argument: &Argument| {
            let name = argument.schema_name();
            argument.ty.is_tensor_like()
                && argument.ty.is_nullable()
                && lines.iter().any(|line| line.tensor(name).is_some())
                && lines.iter().any(|line| line.tensor(name).is_none())
        };
        let named = |a: &&Argument| NamedArgument { shown: cpp_string(a.schema_name()), decides: decides(a) };
        Some(OperatorTable {
            name: ctx.renderer.about([f]).marked(f.full_name()),
            shown: cpp_string(&f.full_name()),
            namespace,
            table: name,
            arguments: arguments.iter().map(named).collect(),
            lines: lines.iter().enumerate().map(table).collect(),
            parts,
        })
    }
}

/// The names of a line, in the order in which its tensors have them.
fn names(line: &DimsLine) -> Vec<&str> {
    let mut names = Vec::new();
    for dim in line.argument_dims() {
        let at = dim.value.at.as_ref().map(|at| at.value.as_str());
        for name in dim.value.base.names().into_iter().chain(at) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
    }
    names
}

impl LineTable {
    fn new(line: &DimsLine, arguments: &[&Argument], parts: String) -> LineTable {
        let names = names(line);
        let place = |name: &str| arguments.iter().position(|a| a.schema_name() == name);
        let mut dims = Dims { names: &names, parts: &parts, count: 0 };
        let tensors: Vec<TensorTable> = line
            .tensors
            .iter()
            .enumerate()
            .filter_map(|(at, (name, own))| {
                Some(TensorTable {
                    shown: cpp_string(name),
                    argument: place(name)?,
                    dims_name: format!("dims_{at}_{parts}"),
                    dims: own.iter().map(|dim| dims.table(&dim.value)).collect(),
                })
            })
            .collect();
        let number = |(name, own): (usize, &&str)| {
            place(own).filter(|at| arguments[*at].gives_size()).map(|argument| NumberName { argument, name })
        };
        LineTable {
            text: cpp_string(&line.to_string()),
            names: names.iter().map(|name| cpp_string(name)).collect(),
            with_steps: tensors.iter().flat_map(|t| &t.dims).filter(|dim| !dim.steps.is_empty()).cloned().collect(),
            tensors,
            numbers: names.iter().enumerate().filter_map(number).collect(),
            parts,
        }
    }
}

/// Makes the tables of dimensions.
struct Dims<'d> {
    names: &'d [&'d str],
    parts: &'d str,
    /// How many have steps.
    count: usize,
}

impl Dims<'_> {
    fn place(&self, name: &str) -> i64 {
        self.names.iter().position(|own| *own == name).and_then(|at| i64::try_from(at).ok()).unwrap_or(NONE)
    }

    fn table(&mut self, dim: &Dim) -> DimTable {
        let none = DimTable {
            kind: "unchecked",
            or_one: dim.or_one,
            name: NONE,
            at: dim.at.as_ref().map_or(NONE, |at| self.place(at)),
            number: 0,
            steps_name: String::new(),
            steps: Vec::new(),
            solved: NONE,
            text: "nullptr".to_owned(),
        };
        match &dim.base {
            DimBase::Name(name) => DimTable { kind: "name", name: self.place(name), ..none },
            DimBase::Group(name) => DimTable { kind: "group", name: self.place(name), ..none },
            DimBase::Varying(name) => DimTable { kind: "varying", name: self.place(name), ..none },
            DimBase::Number(number) => DimTable { kind: "number", number: *number, ..none },
            DimBase::Packed(name, count) => DimTable { kind: "packed", name: self.place(name), number: *count, ..none },
            DimBase::Product(factors) => {
                let steps = factors.iter().flat_map(|factor| self.steps(factor)).collect();
                DimTable { kind: "product", steps, steps_name: self.next(), ..none }
            }
            DimBase::Computed(size) => {
                let text = cpp_string(&size.to_string());
                let solved = size.added_once().map_or(NONE, |name| self.place(name));
                DimTable { kind: "computed", steps: self.steps(size), steps_name: self.next(), solved, text, ..none }
            }
            DimBase::Unchecked | DimBase::Data | DimBase::SumOf(_) => none,
        }
    }

    fn next(&mut self) -> String {
        self.count += 1;
        format!("steps_{}_{}", self.count, self.parts)
    }

    /// The parts of an expression, operands before their operation.
    fn steps(&self, size: &SizeExpr) -> Vec<Step> {
        match size {
            SizeExpr::Number(number) => vec![Step { operation: "number", name: NONE, number: *number }],
            SizeExpr::Name(name) => vec![Step { operation: "name", name: self.place(name), number: 0 }],
            SizeExpr::Binary(operator, left, right) => {
                let operation = match operator {
                    Binary::Add => "add",
                    Binary::Subtract => "subtract",
                    _ => "multiply",
                };
                let own = vec![Step { operation, name: NONE, number: 0 }];
                [self.steps(left), self.steps(right), own].concat()
            }
        }
    }
}
