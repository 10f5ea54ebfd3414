//! Random expressions of numbers, conditions and tensors: operators, casts, sizes, methods.
//!
//! Most are of types that C++ computes with. One of so many parts has another type.

use super::expr::{Expr, braces, call, cast, index, infix, leaf, method, prefix, ternary};
use super::values::OF_TWO;
use super::values::names::{BOOLS, FLOATS, INTS, SYMBOLIC, TENSORS};
use crate::support::random::Random;

/// The type that an expression is drawn for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ty {
    Int,
    Unsigned,
    Symbolic,
    Float,
    Bool,
    Scalar,
    MaybeInt,
    MaybeFloat,
    MaybeBool,
    Tensor,
}

const ALL: [Ty; 10] = [
    Ty::Int,
    Ty::Unsigned,
    Ty::Symbolic,
    Ty::Float,
    Ty::Bool,
    Ty::Scalar,
    Ty::MaybeInt,
    Ty::MaybeFloat,
    Ty::MaybeBool,
    Ty::Tensor,
];
const NUMBERS: [Ty; 4] = [Ty::Int, Ty::Float, Ty::Symbolic, Ty::Bool];
/// What converts to a bool.
const CONDITIONS: [Ty; 7] = [Ty::Bool, Ty::Bool, Ty::Int, Ty::Float, Ty::Symbolic, Ty::Unsigned, Ty::MaybeInt];

const ARITHMETIC: [&str; 4] = ["+", "-", "*", "+"];
const COMPARISONS: [&str; 6] = ["==", "!=", "<", ">", "<=", ">="];
const BITS: [&str; 3] = ["&", "|", "^"];
const INT_LITERALS: [&str; 7] = ["0", "1", "2", "3", "7", "0x10", "1'000"];
const FLOAT_LITERALS: [&str; 6] = ["0.5", "2.0", "2.", "1e-1", ".25", "0.5f"];
const OF_ONE: [&str; 8] = ["sin", "cos", "exp", "floor", "ceil", "tanh", "erf", "atan"];

/// A formula whose value is a tensor.
pub(super) fn formula(random: &mut Random) -> Expr {
    let depth = 2 + random.below(3);
    let number = Draw { random, tensors: true }.number(depth);
    let draw = &mut Draw { random, tensors: true };
    match draw.random.below(6) {
        0 | 1 => infix("*", leaf("grad"), number),
        2 => infix(draw.pick(&ARITHMETIC), leaf("grad"), number),
        3 => call("at::full_like", vec![leaf("self"), number]),
        4 => ternary(draw.of(Ty::Bool, depth), leaf("grad"), infix("*", leaf("other"), number)),
        _ => draw.of(Ty::Tensor, depth),
    }
}

/// The same with the gradients of two results, of which one may be undefined.
pub(super) fn of_two(random: &mut Random) -> Expr {
    let drawn = formula(random);
    let mut other = |text: &str| {
        let all = match text {
            "grad" => &OF_TWO[..4],
            "result" => &OF_TWO[4..],
            "maybe" => &OF_TWO[1..4],
            _ => return None,
        };
        random.pick(all).map(|name| (*name).to_owned())
    };
    drawn.with_leaves(&mut other)
}

/// A number in a call of an operator.
pub(super) fn argument(random: &mut Random, ty: Ty) -> Expr {
    Draw { random, tensors: false }.of(ty, 1)
}

struct Draw<'r> {
    random: &'r mut Random,
    /// Whether numbers may be computed from tensors.
    tensors: bool,
}

impl Draw<'_> {
    fn pick<T: Copy>(&mut self, all: &[T]) -> T {
        *self.random.pick(all).expect("a choice")
    }

    fn number(&mut self, depth: u64) -> Expr {
        let ty = self.pick(&[Ty::Int, Ty::Int, Ty::Float, Ty::Float, Ty::Bool, Ty::Bool, Ty::Symbolic, Ty::Scalar]);
        self.of(ty, depth)
    }

    /// An expression of a type, or of another one.
    fn of(&mut self, ty: Ty, depth: u64) -> Expr {
        let ty = if self.random.once_in(25) { self.pick(&ALL) } else { ty };
        if depth == 0 || self.random.once_in(5) {
            return self.plain(ty);
        }
        let depth = depth - 1;
        match ty {
            Ty::Int => self.int(depth),
            Ty::Unsigned => self.unsigned(depth),
            Ty::Symbolic => self.symbolic(depth),
            Ty::Float => self.float(depth),
            Ty::Bool => self.bool(depth),
            Ty::Scalar => self.scalar(depth),
            Ty::Tensor => self.tensor(depth),
            Ty::MaybeInt | Ty::MaybeFloat | Ty::MaybeBool => self.plain(ty),
        }
    }

    fn plain(&mut self, ty: Ty) -> Expr {
        match ty {
            Ty::Int if self.random.once_in(2) => leaf(self.pick(INTS)),
            Ty::Int => leaf(self.pick(&INT_LITERALS)),
            Ty::Unsigned => {
                let list = self.pick(&["tensors", "ks", "ms"]);
                method(leaf(list), "size", Vec::new())
            }
            Ty::Symbolic => leaf(self.pick(SYMBOLIC)),
            Ty::Float if self.random.once_in(2) => leaf(self.pick(FLOATS)),
            Ty::Float if self.random.once_in(12) => leaf(self.pick(&["M_PI", "M_E", "INFINITY", "NAN", "M_SQRT1_2"])),
            Ty::Float => leaf(self.pick(&FLOAT_LITERALS)),
            Ty::Bool if self.random.once_in(5) => leaf(self.pick(&["true", "false"])),
            Ty::Bool => leaf(self.pick(BOOLS)),
            Ty::Scalar => call("at::Scalar", vec![leaf(self.pick(&["3", "0.5", "k", "x", "b", "true"]))]),
            Ty::MaybeInt => leaf("ki"),
            Ty::MaybeFloat => leaf("xf"),
            Ty::MaybeBool => leaf("bf"),
            Ty::Tensor => leaf(self.pick(TENSORS)),
        }
    }

    fn choice(&mut self, depth: u64, ty: Ty) -> Expr {
        let condition = self.condition(depth);
        ternary(condition, self.of(ty, depth), self.of(ty, depth))
    }

    fn condition(&mut self, depth: u64) -> Expr {
        let ty = self.pick(&CONDITIONS);
        self.of(ty, depth)
    }

    fn binary(&mut self, operators: &[&'static str], types: &[Ty], depth: u64) -> Expr {
        let (operator, left, right) = (self.pick(operators), self.pick(types), self.pick(types));
        infix(operator, self.of(left, depth), self.of(right, depth))
    }

    fn converted(&mut self, names: [&'static str; 2], depth: u64) -> Expr {
        let ty = self.pick(&[Ty::Int, Ty::Float, Ty::Bool, Ty::Unsigned, Ty::Symbolic, Ty::Scalar]);
        let part = self.of(ty, depth);
        let name = self.pick(&names);
        match self.random.below(4) {
            0 => cast(name, part),
            1 => call(name, vec![part]),
            _ => call(format!("static_cast<{name}>"), vec![part]),
        }
    }

    fn int(&mut self, depth: u64) -> Expr {
        match self.random.below(12) {
            0..=3 => self.binary(&ARITHMETIC, &[Ty::Int, Ty::Int, Ty::Bool, Ty::Unsigned], depth),
            4 => self.binary(&["/", "%"], &[Ty::Int], depth),
            5 => self.binary(&BITS, &[Ty::Int, Ty::Int, Ty::Bool], depth),
            6 => infix(self.pick(&["<<", ">>"]), self.of(Ty::Int, depth), leaf(self.pick(&["1", "2", "3"]))),
            7 => prefix(self.pick(&["-", "~", "+"]), self.of(Ty::Int, depth)),
            8 => self.converted(["int64_t", "int"], depth),
            9 => self.choice(depth, Ty::Int),
            10 => match self.random.below(6) {
                0 => call(
                    self.pick(&["std::min<int64_t>", "std::max<int64_t>"]),
                    vec![self.plain_number(depth), self.plain_number(depth)],
                ),
                4 => method(call("std::optional<int64_t>", vec![self.plain_number(depth)]), "value", Vec::new()),
                5 => cast("int64_t", self.of(Ty::Unsigned, depth)),
                1 => call("std::max", vec![self.of(Ty::Int, depth), self.of(Ty::Int, depth)]),
                2 => call("std::abs", vec![self.of(Ty::Int, depth)]),
                _ => method(self.of(Ty::Scalar, depth), self.pick(&["toLong", "toInt"]), Vec::new()),
            },
            _ => match self.random.below(6) {
                0 => method(leaf("ki"), "value", Vec::new()),
                1 => method(leaf("ki"), "value_or", vec![self.plain_number(depth)]),
                // Without a value, it is any value.
                2 => ternary(leaf("ki"), leaf("*ki"), self.of(Ty::Int, depth)),
                3 if self.tensors => method(self.of(Ty::Tensor, depth), "dim", Vec::new()),
                4 if self.tensors => call("at::sum", vec![self.of(Ty::Tensor, depth)]),
                _ => index(leaf("ks"), leaf(self.pick(&["0", "1"]))),
            },
        }
    }

    /// A number of a type of C++ itself.
    fn plain_number(&mut self, depth: u64) -> Expr {
        let ty = self.pick(&[Ty::Int, Ty::Int, Ty::Float, Ty::Unsigned]);
        self.of(ty, depth)
    }

    fn unsigned(&mut self, depth: u64) -> Expr {
        match self.random.below(7) {
            0 | 1 => self.plain(Ty::Unsigned),
            2 => self.binary(&BITS, &[Ty::Unsigned, Ty::Int, Ty::Bool], depth),
            3 => infix(self.pick(&["<<", ">>"]), self.of(Ty::Unsigned, depth), leaf(self.pick(&["1", "2", "3"]))),
            4 => self.choice(depth, Ty::Unsigned),
            5 => self.binary(&["+", "-", "*"], &[Ty::Unsigned, Ty::Int], depth),
            _ => self.binary(&["+", "-"], &[Ty::Unsigned], depth),
        }
    }

    fn symbolic(&mut self, depth: u64) -> Expr {
        match self.random.below(8) {
            0..=2 => self.binary(&ARITHMETIC, &[Ty::Symbolic, Ty::Symbolic, Ty::Int, Ty::Unsigned], depth),
            3 => self.binary(&["/", "%"], &[Ty::Symbolic, Ty::Int], depth),
            4 => self.choice(depth, Ty::Symbolic),
            5 => call("c10::SymInt", vec![self.of(Ty::Int, depth)]),
            6 if self.tensors => method(leaf(self.pick(TENSORS)), "sym_size", vec![leaf(self.pick(&["0", "1", "-1"]))]),
            _ if self.tensors => method(leaf(self.pick(TENSORS)), "sym_numel", Vec::new()),
            _ => self.plain(Ty::Symbolic),
        }
    }

    fn float(&mut self, depth: u64) -> Expr {
        match self.random.below(12) {
            0..=2 => self.binary(&ARITHMETIC, &[Ty::Float, Ty::Float, Ty::Int, Ty::Bool, Ty::Symbolic], depth),
            3 | 4 => self.binary(&["/"], &[Ty::Float, Ty::Float, Ty::Int, Ty::Symbolic], depth),
            5 => prefix(self.pick(&["-", "+"]), self.of(Ty::Float, depth)),
            6 => self.converted(["double", "float"], depth),
            7 => self.choice(depth, Ty::Float),
            8 => {
                let (name, ty) = (self.pick(&OF_ONE), self.pick(&[Ty::Float, Ty::Int]));
                call(format!("std::{name}"), vec![self.of(ty, depth)])
            }
            9 => match self.random.below(4) {
                0 => {
                    let ty = self.pick(&[Ty::Float, Ty::Int]);
                    call("std::pow", vec![self.of(Ty::Float, depth), self.of(ty, depth)])
                }
                1 => call("std::abs", vec![self.of(Ty::Float, depth)]),
                2 => call("std::max", vec![self.of(Ty::Float, depth), self.of(Ty::Float, depth)]),
                _ => call("std::sqrt", vec![self.of(Ty::Int, depth)]),
            },
            10 => method(self.of(Ty::Scalar, depth), self.pick(&["toDouble", "toFloat"]), Vec::new()),
            _ => match self.random.below(4) {
                0 => method(leaf("xf"), "value_or", vec![self.of(Ty::Float, depth)]),
                1 => method(leaf("xf"), "value", Vec::new()),
                2 if self.tensors => method(method(leaf("self"), "sum", Vec::new()), "item<double>", Vec::new()),
                _ => ternary(leaf("xf"), leaf("*xf"), self.of(Ty::Float, depth)),
            },
        }
    }

    fn bool(&mut self, depth: u64) -> Expr {
        match self.random.below(12) {
            0..=2 => infix(self.pick(&["&&", "||"]), self.condition(depth), self.condition(depth)),
            3 | 4 => prefix("!", self.condition(depth)),
            5..=7 => self.binary(&COMPARISONS, &NUMBERS, depth),
            8 => self.converted(["bool", "bool"], depth),
            9 => self.binary(&["&", "|", "^"], &[Ty::Bool], depth),
            10 => match self.random.below(6) {
                0 => method(leaf(self.pick(&["maybe", "self", "other"])), "defined", Vec::new()),
                1 => method(leaf(self.pick(&["ki", "xf", "bf", "dtype"])), "has_value", Vec::new()),
                2 => infix("==", leaf("text"), leaf(self.pick(&["\"two\"", "\"\""]))),
                3 => method(leaf(self.pick(TENSORS)), self.pick(&["is_complex", "is_floating_point"]), Vec::new()),
                4 => infix(
                    "==",
                    method(leaf("self"), "scalar_type", Vec::new()),
                    leaf(self.pick(&["at::kDouble", "at::kFloat"])),
                ),
                _ => method(leaf(self.pick(&["ks", "tensors"])), "empty", Vec::new()),
            },
            _ => match self.random.below(4) {
                0 => leaf("bf"),
                1 => method(leaf("bf"), "value_or", vec![self.of(Ty::Bool, depth)]),
                2 => self.binary(&COMPARISONS, &[Ty::Unsigned, Ty::Int], depth),
                _ => self.choice(depth, Ty::Bool),
            },
        }
    }

    fn scalar(&mut self, depth: u64) -> Expr {
        match self.random.below(5) {
            0 => self.plain(Ty::Scalar),
            1 if self.tensors => method(method(leaf("self"), "sum", Vec::new()), "item", Vec::new()),
            _ => {
                let ty = self.pick(&NUMBERS);
                call(self.pick(&["at::Scalar", "Scalar"]), vec![self.of(ty, depth)])
            }
        }
    }

    fn tensor(&mut self, depth: u64) -> Expr {
        let numbers = [Ty::Tensor, Ty::Tensor, Ty::Int, Ty::Float, Ty::Bool, Ty::Symbolic, Ty::Scalar];
        match self.random.below(14) {
            0..=3 => {
                let (operator, ty) = (self.pick(&["+", "-", "*", "/"]), self.pick(&numbers));
                infix(operator, self.of(Ty::Tensor, depth), self.of(ty, depth))
            }
            4 | 5 => {
                let (operator, ty) = (self.pick(&["+", "-", "*", "/"]), self.pick(&numbers));
                infix(operator, self.of(ty, depth), self.of(Ty::Tensor, depth))
            }
            6 => {
                let (operator, ty) = (self.pick(&COMPARISONS), self.pick(&numbers));
                infix(operator, self.of(Ty::Tensor, depth), self.of(ty, depth))
            }
            7 => prefix(self.pick(&["-", "-", "~", "!"]), self.of(Ty::Tensor, depth)),
            8 => self.choice(depth, Ty::Tensor),
            9 => {
                let (name, ty) = (self.pick(&["mul", "add", "sub", "div", "pow", "fmod", "eq"]), self.pick(&numbers));
                method(self.of(Ty::Tensor, depth), name, vec![self.of(ty, depth)])
            }
            10 => ternary(method(leaf("maybe"), "defined", Vec::new()), leaf("maybe"), self.of(Ty::Tensor, depth)),
            11 => match self.random.below(4) {
                0 => index(leaf("tensors"), leaf(self.pick(&["0", "1"]))),
                1 => call("wrap_opt_if", vec![self.of(Ty::Tensor, depth), self.condition(depth)]),
                2 => method(
                    leaf("grad"),
                    "new_full",
                    vec![braces(vec![leaf("2"), self.of(Ty::Int, depth)]), self.number(depth)],
                ),
                _ => method(leaf("grad"), "expand_symint", vec![braces(vec![leaf("2"), self.of(Ty::Symbolic, depth)])]),
            },
            12 => infix(self.pick(&BITS), self.of(Ty::Tensor, depth), self.of(Ty::Tensor, depth)),
            _ => method(self.of(Ty::Tensor, depth), self.pick(&["sum", "abs", "neg", "conj", "t"]), Vec::new()),
        }
    }
}
