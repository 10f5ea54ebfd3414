//! Random libraries as data: operators whose outputs are sums of products.
//!
//! An output is a sum of terms. A term is a number times factors, and a factor is a function of one
//! argument. So each derivative is known: `formula.rs` writes it for derivatives.yaml, `kernel.rs`
//! writes the operator in C++, and `composite.rs` writes it in Python, where autograd derives it.
//!
//! Invariant: a term has no argument twice, each output depends on [`Operator::first`], and ids of
//! arguments are unique in an operator.

use super::Abi;

/// A library. Several are built as one, so names of operators begin with the library's name.
#[derive(Clone, Debug)]
pub(crate) struct Library {
    pub(crate) name: String,
    pub(crate) operators: Vec<Operator>,
}

impl Library {
    /// What an ABI can have of the library.
    pub(crate) fn on(&self, abi: Abi) -> Library {
        let mut library = self.clone();
        library.operators.retain(|o| abi == Abi::Cpp || o.form != Form::View);
        library
    }
}

/// An operator with its derivative.
#[derive(Clone, Debug)]
pub(crate) struct Operator {
    pub(crate) name: String,
    /// In the order of the schema: those by position first.
    pub(crate) arguments: Vec<Argument>,
    pub(crate) outputs: Vec<Output>,
    pub(crate) form: Form,
    pub(crate) inplace: bool,
    pub(crate) out: Out,
    pub(crate) tangent: Tangent,
    pub(crate) derivative: Derivative,
    /// Formulas test whether a gradient is defined, instead of computing with zeros.
    pub(crate) tests_gradients: bool,
    /// Formulas use the output where it is the derivative.
    pub(crate) saves_results: bool,
    /// Formulas call functions (`at::cos(x)`) rather than methods (`x.cos()`).
    pub(crate) calls_functions: bool,
    /// Kernels and formulas are for complex tensors too.
    pub(crate) complex: bool,
}

/// What an operator returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    Tensors,
    /// A list: the output, and twice the output.
    List,
    /// The second output is `None` if this argument, a `Tensor?` or a `bool`, is `None` or false.
    Maybe(usize),
    /// A view: `self` transposed. Kernels on the stable ABI cannot return one.
    View,
}

/// How an operator has out arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Out {
    None,
    Generated,
    Written,
}

/// What derivatives.yaml has for forward mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tangent {
    None,
    Formula,
    Linear,
    ElementWise,
}

/// What an operator has instead of formulas, or how they are grouped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Derivative {
    /// No entry in derivatives.yaml.
    Missing,
    /// `differentiable: False`.
    Never,
    /// A formula for each input.
    Each,
    /// One formula for both tensors of a product, which saves what the mask needs.
    Joint,
}

#[derive(Clone, Debug)]
pub(crate) struct Argument {
    pub(crate) id: usize,
    pub(crate) name: String,
    pub(crate) kind: Kind,
    pub(crate) keyword: bool,
    pub(crate) default: bool,
}

/// The type of an argument, and what its factor means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Tensor,
    /// A tensor of the last dimension, which is broadcast.
    Row,
    /// A factor if it is given.
    MaybeTensor,
    /// The sum of the tensors.
    Tensors,
    /// The sum of those that are given.
    MaybeTensors,
    /// A tensor that the operator mutates and does not return.
    State,
    Float,
    Int,
    SymInt,
    /// A factor of 2 or 3.
    Bool,
    /// A factor of 2 or 3.
    Str,
    MaybeFloat,
    /// `Scalar`; `float` on the stable ABI, which has no scalars.
    Number,
    MaybeNumber,
    /// No factor, but added to the first output: autograd cannot follow it, and nodes cannot save
    /// it.
    MaybeList,
    /// The first number is the factor.
    Ints,
    /// The first number is the factor.
    SymInts,
    /// No factor: gradients are converted to it.
    Dtype,
    /// No factor.
    Device,
}

impl Kind {
    /// Whether the argument has gradients.
    pub(crate) fn is_differentiable(self) -> bool {
        matches!(self, Kind::Tensor | Kind::Row | Kind::MaybeTensor | Kind::Tensors | Kind::MaybeTensors)
    }

    /// Whether it is one tensor or several of the size of the first one.
    pub(crate) fn is_whole(self) -> bool {
        self.is_differentiable() && self != Kind::Row && self != Kind::MaybeTensor
    }

    pub(crate) fn is_list(self) -> bool {
        matches!(self, Kind::Tensors | Kind::MaybeTensors)
    }

    /// Whether it can be a factor.
    pub(crate) fn is_factor(self) -> bool {
        !matches!(self, Kind::State | Kind::Dtype | Kind::Device | Kind::MaybeList)
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Output {
    pub(crate) name: Option<String>,
    /// The sum of all elements, rather than one value for each.
    pub(crate) total: bool,
    pub(crate) differentiable: bool,
    pub(crate) terms: Vec<Term>,
}

#[derive(Clone, Debug)]
pub(crate) struct Term {
    pub(crate) number: u64,
    pub(crate) factors: Vec<Factor>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Factor {
    pub(crate) argument: usize,
    pub(crate) function: Function,
}

/// A function of a tensor's elements. A list is the sum of the function of its tensors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Function {
    Itself,
    Square,
    Sine,
    Exponential,
}

impl Operator {
    /// The argument with this id.
    pub(crate) fn argument(&self, id: usize) -> &Argument {
        self.arguments.iter().find(|a| a.id == id).expect("factors have arguments")
    }

    /// The tensor whose size the outputs have.
    pub(crate) fn first(&self) -> &Argument {
        self.arguments.iter().find(|a| a.kind == Kind::Tensor).expect("each operator has a tensor")
    }

    pub(crate) fn differentiable(&self) -> impl Iterator<Item = &Argument> {
        self.arguments.iter().filter(|a| a.kind.is_differentiable())
    }

    /// The arguments that are added to an output without being in its formulas.
    pub(crate) fn constants<'a>(&'a self, output: &Output) -> impl Iterator<Item = &'a Argument> {
        let is_first = std::ptr::eq(output, &self.outputs[0]);
        self.arguments.iter().filter(move |a| is_first && a.kind == Kind::MaybeList)
    }

    pub(crate) fn mutates(&self) -> bool {
        self.arguments.iter().any(|a| a.kind == Kind::State)
    }

    /// Whether the operator has formulas.
    pub(crate) fn is_derived(&self) -> bool {
        matches!(self.derivative, Derivative::Each | Derivative::Joint)
    }

    /// Whether each term has one tensor, as it is.
    pub(crate) fn is_linear(&self) -> bool {
        let tensors = |term: &Term| -> Vec<Factor> {
            term.factors.iter().copied().filter(|f| self.argument(f.argument).kind.is_differentiable()).collect()
        };
        let is_linear = |term: &Term| match tensors(term)[..] {
            [factor] => factor.function == Function::Itself && self.argument(factor.argument).kind != Kind::MaybeTensor,
            _ => false,
        };
        self.outputs.len() == 1
            && self.outputs.iter().flat_map(|output| &output.terms).all(is_linear)
            // Lists have no tangents in such formulas on libtorch's C++ API.
            && self.differentiable().all(|a| a.kind == Kind::Tensor)
            && !self.mutates()
            && self.constants(&self.outputs[0]).next().is_none()
    }

    /// Whether the operator has one tensor and computes each element from one of it.
    pub(crate) fn is_element_wise(&self) -> bool {
        self.outputs.len() == 1 && !self.outputs[0].total && self.differentiable().count() == 1 && !self.mutates()
    }

    /// The two tensors whose product is the output.
    pub(crate) fn product(&self) -> Option<[&Argument; 2]> {
        let [output] = &self.outputs[..] else { return None };
        let [term] = &output.terms[..] else { return None };
        let all: Vec<&Argument> = self.differentiable().collect();
        let [one, other] = all[..] else { return None };
        let plain = |a: &Argument| {
            a.kind == Kind::Tensor && term.factors.contains(&Factor { argument: a.id, function: Function::Itself })
        };
        (!output.total && plain(one) && plain(other)).then_some([one, other])
    }

    /// The functional variant's name of the inplace operator, or the name itself.
    pub(crate) fn can_be_inplace(&self) -> bool {
        self.outputs.len() == 1
            && self.form == Form::Tensors
            && !self.outputs[0].total
            && self.outputs[0].name.is_none()
            && self.outputs[0].differentiable
            && !self.mutates()
            && self.arguments.first().is_some_and(|a| a.kind == Kind::Tensor && a.name == "self")
    }

    /// Makes what the arguments and outputs do not allow impossible: after a draw, and after a step
    /// of the shrinking.
    pub(crate) fn settle(&mut self) {
        self.settle_form();
        self.inplace &= self.can_be_inplace();
        if self.outputs.len() > 1 || self.mutates() || self.form != Form::Tensors {
            self.out = Out::None;
        }
        // A generated one is called `out_1` then.
        if self.out == Out::Written && self.arguments.iter().any(|a| a.name == "out") {
            self.out = Out::Generated;
        }
        let allowed = match self.tangent {
            Tangent::Linear => self.is_linear(),
            Tangent::ElementWise => self.is_element_wise(),
            _ => true,
        };
        if !allowed {
            self.tangent = Tangent::Formula;
        }
        // Lists of optional tensors have no tangents on libtorch's C++ API.
        // Nor have results that are lists or may be `None`.
        let maybe = matches!(self.form, Form::Maybe(_)) && self.outputs[1].differentiable;
        if self.arguments.iter().any(|a| a.kind == Kind::MaybeTensors) || self.form == Form::List || maybe {
            self.tangent = Tangent::None;
        }
        // libtorch looks into no list of optional tensors of what has no derivative.
        if self.derivative == Derivative::Missing && self.arguments.iter().any(|a| a.kind == Kind::MaybeTensors) {
            self.derivative = Derivative::Each;
        }
        if self.derivative == Derivative::Joint && (self.product().is_none() || self.form != Form::Tensors) {
            self.derivative = Derivative::Each;
        }
        if self.outputs.iter().all(|output| !output.differentiable) {
            self.outputs[0].differentiable = true;
        }
        if self.derivative != Derivative::Each && self.derivative != Derivative::Joint {
            self.inplace = false;
            self.outputs.iter_mut().for_each(|output| output.differentiable = true);
        }
        self.complex &= self.can_be_complex();
    }

    /// Whether the kernel of the operator has a form for complex tensors.
    fn can_be_complex(&self) -> bool {
        let is_real = |kind: Kind| {
            kind.is_list() || matches!(kind, Kind::MaybeTensor | Kind::State | Kind::MaybeList | Kind::Dtype)
        };
        self.derivative == Derivative::Each
            && matches!(self.form, Form::Tensors | Form::View)
            && !self.arguments.iter().any(|a| is_real(a.kind))
    }

    /// Makes the form possible.
    fn settle_form(&mut self) {
        let has = |id: usize| self.arguments.iter().any(|a| a.id == id);
        let fits = match self.form {
            Form::Tensors => true,
            Form::List => self.outputs.len() == 1 && !self.outputs[0].total && !self.mutates(),
            Form::Maybe(id) => self.outputs.len() > 1 && has(id) && !self.mutates(),
            Form::View => self.arguments.len() == 1 && self.outputs.len() == 1,
        };
        if !fits {
            self.form = Form::Tensors;
        }
        match self.form {
            Form::Tensors => {}
            Form::List => self.outputs[0].name = None,
            // Without it, gradients of the other outputs would have to be undefined too.
            Form::Maybe(_) => self.tests_gradients = true,
            Form::View => {
                let factor = Factor { argument: self.arguments[0].id, function: Function::Itself };
                self.outputs = vec![Output {
                    name: None,
                    total: false,
                    differentiable: true,
                    terms: vec![Term { number: 1, factors: vec![factor] }],
                }];
                self.derivative = Derivative::Each;
                if self.tangent == Tangent::ElementWise {
                    self.tangent = Tangent::Linear;
                }
            }
        }
    }
}
