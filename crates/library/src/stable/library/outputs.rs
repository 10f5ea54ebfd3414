//! The expressions of `fake:` in C++, for outputs that generated code makes.
//!
//! Invariant: they have the meaning that they have in Python: quotients are rounded down, and
//! negative dimensions count from the end.

use serde::Serialize;

use torchgen_kit::expr::{Binary, Typed, TypedKind, Unary};
use torchgen_model::model::NativeFunction;
use torchgen_model::model::outputs::{DtypeOf, OutputLike, member};

/// What an output is like, as expressions.
#[derive(Debug, Serialize)]
pub(super) struct Outline {
    like: String,
    size: Option<String>,
    dtype: Option<String>,
}

impl Outline {
    /// That of an output of an operator.
    pub(super) fn new(f: &NativeFunction, output: &OutputLike) -> Outline {
        let dtype = |dtype: &DtypeOf| match dtype {
            DtypeOf::Named(named) => format!("ScalarType::{}", named.cpp),
            DtypeOf::Value(Typed { kind: TypedKind::Call(_, x), .. }) => {
                format!("{}.scalar_type()", x.iter().map(|x| tensor(f, x)).collect::<String>())
            }
            DtypeOf::Value(argument) => tensor(f, argument),
        };
        Outline {
            like: tensor(f, &output.tensor),
            size: output.size.as_ref().map(|size| format!("detail::Sizes(){}", parts(f, size))),
            dtype: output.dtype.as_ref().map(dtype),
        }
    }
}

fn parts(f: &NativeFunction, size: &Typed) -> String {
    let TypedKind::List(items) = &size.kind else { return String::new() };
    let part = |item: &Typed| match &item.kind {
        TypedKind::Starred(list) => several(f, list),
        _ => format!(".one({})", integer(f, item)),
    };
    items.iter().map(part).collect()
}

/// Consecutive items of a list.
fn several(f: &NativeFunction, list: &Typed) -> String {
    let (list, from, to) = match &list.kind {
        TypedKind::Slice(list, from, to) => (list.as_ref(), from.as_deref(), to.as_deref()),
        _ => (list, None, None),
    };
    let of = match &list.kind {
        TypedKind::Call(name, x) if *name == member::SIZES => x.iter().map(|x| tensor(f, x)).collect(),
        _ => tensor(f, list),
    };
    let from = from.map_or_else(|| "0".to_owned(), |from| place(f, from));
    let to = to.map_or_else(|| length(f, list), |to| place(f, to));
    format!(".several({of}, {from}, {to})")
}

/// An integer that is a place in a list.
fn place(f: &NativeFunction, typed: &Typed) -> String {
    match typed.kind {
        TypedKind::Int(value) => value.to_string(),
        _ => integer(f, typed),
    }
}

fn integer(f: &NativeFunction, typed: &Typed) -> String {
    match &typed.kind {
        TypedKind::Int(number) => format!("int64_t({number})"),
        TypedKind::Unary(Unary::Negate, inner) => format!("(-{})", integer(f, inner)),
        TypedKind::Index(list, index) => match &list.kind {
            TypedKind::Call(name, x) if *name == member::SIZES => {
                let x: String = x.iter().map(|x| tensor(f, x)).collect();
                format!("detail::size_of({x}, {})", place(f, index))
            }
            _ => format!("detail::item({}, {})", tensor(f, list), place(f, index)),
        },
        TypedKind::Call(name, x) if *name == member::DIM => {
            format!("{}.dim()", x.iter().map(|x| tensor(f, x)).collect::<String>())
        }
        TypedKind::Call(name, list) if *name == member::LEN => list.iter().map(|list| length(f, list)).collect(),
        TypedKind::Call(_, arguments) => match arguments.as_slice() {
            [x, dimension] => format!("detail::size_of({}, {})", tensor(f, x), place(f, dimension)),
            x => format!("{}.numel()", x.iter().map(|x| tensor(f, x)).collect::<String>()),
        },
        TypedKind::Binary(operator, left, right) => {
            let (left, right) = (integer(f, left), integer(f, right));
            match operator {
                Binary::FloorDivide => format!("detail::quotient({left}, {right})"),
                Binary::Modulo => format!("({left} - {right} * detail::quotient({left}, {right}))"),
                _ => format!("({left} {} {right})", operator.symbol()),
            }
        }
        _ => tensor(f, typed),
    }
}

/// The number of items of a list, or of sizes.
fn length(f: &NativeFunction, list: &Typed) -> String {
    match &list.kind {
        TypedKind::Call(name, x) if *name == member::SIZES => {
            format!("{}.dim()", x.iter().map(|x| tensor(f, x)).collect::<String>())
        }
        _ => format!("static_cast<int64_t>({}.size())", tensor(f, list)),
    }
}

/// An argument, or an element of one.
fn tensor(f: &NativeFunction, typed: &Typed) -> String {
    match &typed.kind {
        TypedKind::Variable { name: argument, .. } => name(f, argument),
        TypedKind::Index(list, index) => format!("detail::element({}, {})", tensor(f, list), place(f, index)),
        _ => String::new(),
    }
}

/// The parameter of an argument.
fn name(f: &NativeFunction, argument: &str) -> String {
    let found = f.func.schema_order_arguments().find(|a| a.schema_name() == argument);
    found.map_or_else(|| argument.to_owned(), |found| found.name.clone())
}
