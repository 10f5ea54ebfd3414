//! Named dimensions: the values of `dims:` and `flops:`.
//!
//! Invariant: a line prints in one form, and what it prints reads as the same line. Every name is
//! one of an argument, or of a size that the tensors of the line give; `parse::dims` checks that.

use std::fmt;
use std::ops::Range;

use torchgen_kit::expr::Binary;
use torchgen_kit::schema::Spanned;

/// The value of `dims:`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dims {
    /// The lines; the first that fits the ranks of a call's tensors counts.
    pub lines: Vec<DimsLine>,
    /// Where they come from.
    pub source: DimsSource,
}

/// Where the lines of an operator come from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DimsSource {
    /// The entry has them.
    Written,
    /// The entry names the operator whose gradients it computes, from whose lines these follow.
    BackwardOf(String),
    /// They follow from another variant, or from a tag.
    Implied,
}

/// What the dimensions of an operator's tensors are called, and along which its parts are
/// independent.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DimsLine {
    /// The tensors among the arguments, with their dimensions.
    pub tensors: Vec<(Spanned<String>, Vec<Spanned<Dim>>)>,
    /// The tensors among the results.
    pub results: Vec<DimsResult>,
    /// Parts along these are independent, and all results have them.
    pub map: Vec<Spanned<String>>,
    /// Parts along these are independent, and results without them are combined.
    pub reduce: Vec<Reduction>,
    /// The operator is linear in each of these, for fixed others.
    pub linear: Vec<Spanned<String>>,
    /// Mutated arguments whose contents mean nothing afterwards.
    pub scratch: Vec<Spanned<String>>,
    /// No part along these may be empty.
    pub nonempty: Vec<Spanned<String>>,
    /// Arguments whose elements are indices along a dimension.
    pub index: Vec<(Spanned<String>, Spanned<String>)>,
}

/// A result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DimsResult {
    /// It has these dimensions.
    Dims(Spanned<Vec<Spanned<Dim>>>),
    /// It is this argument, or a view of all of it.
    Argument(Spanned<String>),
}

/// `reduce(k=sum + bias)`
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reduction {
    /// The dimension.
    pub name: Spanned<String>,
    /// How parts are combined.
    pub combined: Combined,
    /// Arguments that are added once, not in each part.
    pub added: Vec<Spanned<String>>,
}

/// How the results of parts become one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Combined {
    /// Their sum.
    Sum,
    /// The maximum of each element.
    Max,
    /// The minimum of each element.
    Min,
    /// Each part gives the whole result.
    Same,
}

impl Combined {
    /// All of them.
    pub const ALL: [Combined; 4] = [Combined::Sum, Combined::Max, Combined::Min, Combined::Same];

    /// Its word.
    pub fn word(self) -> &'static str {
        match self {
            Combined::Sum => "sum",
            Combined::Max => "max",
            Combined::Min => "min",
            Combined::Same => "same",
        }
    }
}

/// A dimension, or several.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dim {
    /// What its size is.
    pub base: DimBase,
    /// The argument that says where it is, if it is not in order.
    pub at: Option<Spanned<String>>,
    /// It can also be 1, which is broadcast.
    pub or_one: bool,
}

impl Dim {
    /// A dimension in order that is not broadcast.
    pub fn plain(base: DimBase) -> Dim {
        Dim { base, at: None, or_one: false }
    }
}

/// The size of a dimension.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DimBase {
    /// `n`
    Name(String),
    /// `*b`, any number of dimensions.
    Group(String),
    /// `3`
    Number(i64),
    /// `_`, unchecked.
    Unchecked,
    /// `?`, which depends on data.
    Data,
    /// `(h g)`, the product of sizes; the first is the outer one.
    Product(Vec<SizeExpr>),
    /// `n//8`: eight of `n` are one here.
    Packed(String, i64),
    /// `n + 1`
    Computed(SizeExpr),
    /// `~n`, which differs between the elements of a list.
    Varying(String),
    /// `sum(~n)`, the sum over the elements of a list.
    SumOf(String),
}

/// A size that is computed from others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SizeExpr {
    /// A number.
    Number(i64),
    /// A size, or an argument that is a number.
    Name(String),
    /// `a + b`, `a - b`, `a * b`, `a // b`
    Binary(Binary, Box<SizeExpr>, Box<SizeExpr>),
}

impl SizeExpr {
    /// Its names, in order.
    pub fn names(&self) -> Vec<&str> {
        match self {
            SizeExpr::Number(_) => Vec::new(),
            SizeExpr::Name(name) => vec![name],
            SizeExpr::Binary(_, left, right) => [left.names(), right.names()].concat(),
        }
    }

    /// The first name that is added in a sum, so that a check can solve for it.
    pub fn added_once(&self) -> Option<&str> {
        let name = self.added()?;
        (self.names().iter().filter(|own| **own == name).count() == 1).then_some(name)
    }

    fn added(&self) -> Option<&str> {
        match self {
            SizeExpr::Name(name) => Some(name),
            SizeExpr::Number(_) => None,
            SizeExpr::Binary(Binary::Add, left, right) => left.added().or_else(|| right.added()),
            SizeExpr::Binary(Binary::Subtract, left, _) => left.added(),
            SizeExpr::Binary(..) => None,
        }
    }

    /// How strongly its operator binds.
    fn power(&self) -> u8 {
        match self {
            SizeExpr::Binary(Binary::Add | Binary::Subtract, ..) => 0,
            SizeExpr::Binary(..) => 1,
            _ => 2,
        }
    }
}

impl DimBase {
    /// The names in it.
    pub fn names(&self) -> Vec<&str> {
        match self {
            DimBase::Name(n) | DimBase::Group(n) | DimBase::Packed(n, _) | DimBase::Varying(n) | DimBase::SumOf(n) => {
                vec![n]
            }
            DimBase::Product(factors) => factors.iter().flat_map(SizeExpr::names).collect(),
            DimBase::Computed(size) => size.names(),
            DimBase::Number(_) | DimBase::Unchecked | DimBase::Data => Vec::new(),
        }
    }

    /// Whether the line says what the size is.
    pub fn is_given(&self) -> bool {
        !matches!(self, DimBase::Data | DimBase::Unchecked)
    }

    /// Whether a part along the name is a part along this dimension: it is that size, its outer
    /// factor, or packed from it.
    pub fn splits_along(&self, name: &str) -> bool {
        match self {
            DimBase::Name(n) | DimBase::Group(n) | DimBase::Packed(n, _) => n == name,
            DimBase::Product(factors) => matches!(factors.first(), Some(SizeExpr::Name(n)) if n == name),
            _ => false,
        }
    }
}

/// Whether a number is a size of one of the dimensions, or where it is.
fn are_about<'d>(mut dims: impl Iterator<Item = &'d Spanned<Dim>>, argument: &str) -> bool {
    dims.any(|dim| {
        dim.value.base.names().contains(&argument) || dim.value.at.as_ref().is_some_and(|at| at.value == argument)
    })
}

impl DimsLine {
    /// The dimensions of a tensor among the arguments.
    pub fn tensor(&self, name: &str) -> Option<&[Spanned<Dim>]> {
        self.tensors.iter().find(|(own, _)| own.value == name).map(|(_, dims)| dims.as_slice())
    }

    /// The dimensions of all tensors among the arguments.
    pub fn argument_dims(&self) -> impl Iterator<Item = &Spanned<Dim>> {
        self.tensors.iter().flat_map(|(_, dims)| dims)
    }

    /// The dimensions of a result, with those of the argument that it is.
    pub fn result<'a>(&'a self, result: &'a DimsResult) -> Option<&'a [Spanned<Dim>]> {
        match result {
            DimsResult::Dims(dims) => Some(&dims.value),
            DimsResult::Argument(argument) => self.tensor(argument),
        }
    }

    /// Whether an argument is a tensor of the line, or a number in its tensors' dimensions.
    pub fn is_about(&self, argument: &str) -> bool {
        self.tensor(argument).is_some() || are_about(self.argument_dims(), argument)
    }

    /// Whether an argument is a number in the dimensions of a result.
    pub fn gives_result(&self, argument: &str) -> bool {
        self.results.iter().any(|result| match result {
            DimsResult::Dims(dims) => are_about(dims.value.iter(), argument),
            DimsResult::Argument(_) => false,
        })
    }

    /// The names of `map` and `reduce`.
    pub fn split(&self) -> impl Iterator<Item = &Spanned<String>> {
        self.map.iter().chain(self.reduce.iter().map(|reduction| &reduction.name))
    }

    /// The part before the clauses, as docstrings show it.
    pub fn shapes(&self) -> String {
        let listed =
            |dims: &[Spanned<Dim>]| dims.iter().map(|dim| dim.value.to_string()).collect::<Vec<_>>().join(", ");
        let tensors: Vec<String> =
            self.tensors.iter().map(|(name, dims)| format!("{}[{}]", name.value, listed(dims))).collect();
        let results: Vec<String> = self
            .results
            .iter()
            .map(|result| match result {
                DimsResult::Dims(dims) => format!("[{}]", listed(dims)),
                DimsResult::Argument(argument) => argument.value.clone(),
            })
            .collect();
        match results.as_slice() {
            [one] => format!("({}) -> {one}", tensors.join(", ")),
            several => format!("({}) -> ({})", tensors.join(", "), several.join(", ")),
        }
    }
}

impl fmt::Display for DimsLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.shapes())?;
        let names = |list: &[Spanned<String>]| list.iter().map(|name| name.value.clone()).collect::<Vec<_>>();
        let reduced = |reduction: &Reduction| {
            let added: String = reduction.added.iter().map(|name| format!(" + {}", name.value)).collect();
            format!("{}={}{added}", reduction.name.value, reduction.combined.word())
        };
        let indexed = |(tensor, dim): &(Spanned<String>, Spanned<String>)| format!("{}={}", tensor.value, dim.value);
        let clauses = [
            ("map", names(&self.map)),
            ("reduce", self.reduce.iter().map(reduced).collect()),
            ("linear", names(&self.linear)),
            ("scratch", names(&self.scratch)),
            ("nonempty", names(&self.nonempty)),
            ("index", self.index.iter().map(indexed).collect()),
        ];
        for (word, items) in clauses.into_iter().filter(|(_, items)| !items.is_empty()) {
            write!(f, " {word}({})", items.join(", "))?;
        }
        Ok(())
    }
}

impl fmt::Display for Dim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.base {
            DimBase::Name(name) => f.write_str(name),
            DimBase::Group(name) => write!(f, "*{name}"),
            DimBase::Number(number) => write!(f, "{number}"),
            DimBase::Unchecked => f.write_str("_"),
            DimBase::Data => f.write_str("?"),
            DimBase::Product(factors) => {
                let factors: Vec<String> = factors.iter().map(SizeExpr::to_string).collect();
                write!(f, "({})", factors.join(" "))
            }
            DimBase::Packed(name, count) => write!(f, "{name}{}{count}", Binary::FloorDivide.symbol()),
            DimBase::Computed(size) => write!(f, "{size}"),
            DimBase::Varying(name) => write!(f, "~{name}"),
            DimBase::SumOf(name) => write!(f, "sum(~{name})"),
        }?;
        if let Some(at) = &self.at {
            write!(f, "@{}", at.value)?;
        }
        if self.or_one { f.write_str("|1") } else { Ok(()) }
    }
}

impl fmt::Display for SizeExpr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let inner = |inner: &SizeExpr, least: u8| match inner.power() < least {
            true => format!("({inner})"),
            false => inner.to_string(),
        };
        match self {
            SizeExpr::Number(number) => write!(f, "{number}"),
            SizeExpr::Name(name) => f.write_str(name),
            SizeExpr::Binary(operator, left, right) => {
                let (left, right) = (inner(left, self.power()), inner(right, self.power() + 1));
                let blank = if self.power() == 0 { " " } else { "" };
                write!(f, "{left}{blank}{}{blank}{right}", operator.symbol())
            }
        }
    }
}

/// The value of `flops:`, and where it is in the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Flops {
    /// The number of floating-point operations of a call.
    pub count: SizeExpr,
    /// Its bytes in the text.
    pub range: Range<usize>,
}
