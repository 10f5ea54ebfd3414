//! Random calls of ATen's overloads, as functions and methods, with values of right and wrong
//! kinds.

use std::sync::OnceLock;

use super::expr::{Expr, braces, call, index, infix, leaf, method};
use super::scalars::{self, Ty};
use crate::support::random::Random;
use crate::support::torch::root;

/// The operators of all versions of torch, with their keys.
const OPERATORS: &str = "data/torch/versions/operators.txt";

/// What has overloads in C++ that no schema has, or overloads that take each other's values.
const OFTEN: [&str; 18] = [
    "std",
    "var",
    "std_mean",
    "var_mean",
    "sort",
    "argsort",
    "count_nonzero",
    "sum",
    "mean",
    "max",
    "min",
    "norm",
    "squeeze",
    "range",
    "arange",
    "split",
    "where",
    "pow",
];

/// What ends the process, takes other machines or files, needs more than these values, reads memory
/// that nobody has written, or is about the history of values, which the harness has none of.
const LEFT_OUT: [&str; 31] = [
    "cuda",
    "cudnn",
    "miopen",
    "mkldnn",
    "mps",
    "xpu",
    "nccl",
    "cufft",
    "cslt",
    "from_file",
    "pin_memory",
    "record_stream",
    "set_",
    "_resize_output",
    "nested",
    "sobol",
    "backward",
    "_fw_primal",
    "fbgemm",
    "mkl",
    "_rnn",
    "_assert",
    "_batch_dim",
    "_dep_token",
    "_reshape_alias",
    "multilabel_margin_loss",
    "_weight_norm_interface",
    "_stack",
    "_convert_indices",
    "is_leaf",
    "requires_grad_",
];

struct Overload {
    name: String,
    /// Types and names, without defaults.
    parameters: Vec<(String, String)>,
    /// How many have no default.
    required: usize,
    /// The types of what it returns.
    returns: Vec<String>,
    variants: [bool; 2],
}

/// A formula that calls an operator.
pub(super) fn formula(random: &mut Random) -> Expr {
    let all = overloads();
    let often = random.once_in(6).then(|| random.pick(&OFTEN).copied()).flatten();
    let name = often.unwrap_or_else(|| random.pick(names()).expect("an operator"));
    let named: Vec<&Overload> = all.iter().filter(|overload| overload.name == name).collect();
    let overload = random.pick(&named).expect("an overload");
    let count = u64::try_from(overload.parameters.len() - overload.required + 1).expect("a number fits");
    let count = overload.required + usize::try_from(random.below(count)).expect("a number fits");
    let wrong = random.once_in(2);
    let mut arguments: Vec<Expr> = overload.parameters[..count]
        .iter()
        .map(|(ty, name)| if wrong && random.once_in(2) { other(random) } else { value(random, ty, name) })
        .collect();
    let [function, is_method] = overload.variants;
    let as_method = if function && is_method { random.once_in(2) } else { is_method };
    let as_method = as_method != random.once_in(40) && !arguments.is_empty();
    let symbolic = overload.parameters.iter().any(|(ty, _)| ty.starts_with("SymInt")) && !random.once_in(4);
    let name = format!("{}{}", overload.name, if symbolic { "_symint" } else { "" });
    let value = match as_method {
        true => {
            let tensor = |(ty, name): &(String, String)| ty == "Tensor" && name == "self";
            let place = overload.parameters[..count].iter().position(tensor).unwrap_or_default();
            let object = arguments.remove(place);
            method(object, name, arguments)
        }
        false => call(format!("at::{name}"), arguments),
    };
    match overload.returns.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["Tensor"] | [] if !random.once_in(8) => value,
        ["Tensor[]"] => index(value, leaf("0")),
        [_] | [] => infix("*", leaf("grad"), value),
        all => {
            let place = random.below(u64::try_from(all.len()).expect("a length fits"));
            call(format!("std::get<{place}>"), vec![value])
        }
    }
}

/// A value of a parameter's type.
fn value(random: &mut Random, ty: &str, name: &str) -> Expr {
    let ty = match ty.strip_suffix('?') {
        Some(_) if random.once_in(5) => {
            return leaf(*random.pick(&["c10::nullopt", "std::nullopt", "{}"]).expect("one"));
        }
        Some(inner) => inner,
        None => ty,
    };
    let dimension = name.contains("dim") || name == "axis";
    let computed = match ty {
        "int" => Some(Ty::Int),
        "SymInt" => Some(Ty::Symbolic),
        "float" | "Scalar" => Some(Ty::Float),
        "bool" => Some(Ty::Bool),
        _ => None,
    };
    if let Some(ty) = computed.filter(|_| !dimension && random.once_in(4)) {
        return scalars::argument(random, ty);
    }
    let mut one = |all: &[&'static str]| leaf(*random.pick(all).expect("a choice"));
    match ty {
        "Tensor" if name.contains("mask") || name == "condition" => one(&["self > 0", "self == other", "self"]),
        "Tensor" if name.contains("ind") => one(&["self.argsort(0)", "other.argsort()", "self"]),
        "Tensor" => one(&["self", "other", "grad", "result", "self", "other", "maybe", "tensors[0]", "self.t()"]),
        "Tensor[]" => one(&["tensors", "{self, other}", "{self}", "tensors"]),
        "Tensor?[]" => one(&["{self.argsort(0)}", "{other}", "tensors", "{}"]),
        "int" | "SymInt" if dimension => one(&["0", "1", "-1", "0", "k - 7"]),
        "int" => one(&["0", "1", "2", "-1", "k", "n", "3"]),
        "SymInt" => one(&["0", "1", "2", "k", "m", "ms[0]", "self.sym_size(0)"]),
        "float" => one(&["0.5", "1.0", "x", "y", "2.5", "-0.5", "1e-3"]),
        "Scalar" => one(&["2", "0.5", "k", "x", "at::Scalar(3)", "m", "true", "n"]),
        "bool" => one(&["true", "false", "b", "c", "!b"]),
        "str" => one(&["\"mean\"", "\"ij\"", "\"floor\"", "\"trunc\"", "text", "\"right\"", "\"constant\""]),
        "ScalarType" => one(&["at::kDouble", "at::kFloat", "at::kLong", "self.scalar_type()", "dtype"]),
        "MemoryFormat" => one(&["at::MemoryFormat::Contiguous", "c10::MemoryFormat::Preserve"]),
        "Layout" => one(&["at::kStrided", "self.layout()"]),
        "Device" => one(&["at::kCPU", "self.device()"]),
        "Scalar[]" => one(&["{1, 2}", "{0.5}", "{x, y}"]),
        "float[]" => one(&["{0.5, 2.0}", "{x}", "{1.0, 1.0}"]),
        _ if ty.starts_with("int[") && dimension => one(&["{0}", "{1}", "{0, 1}", "{-1}", "1", "{}"]),
        _ if ty.starts_with("int[") => one(&["ks", "{1}", "{2, 3}", "{1, 1}", "2", "{k, n}"]),
        _ if ty.starts_with("SymInt[") => one(&["ms", "self.sym_sizes()", "{2, 3}", "{1}", "{m, 2}", "{1, 1}", "2"]),
        _ if ty.starts_with("bool[") => one(&["{true, true}", "{true, false, true}", "{b, c, b}", "grad_input_mask"]),
        _ => one(&["{}", "c10::nullopt"]),
    }
}

/// A value of any kind.
fn other(random: &mut Random) -> Expr {
    let plain = [
        "0",
        "1",
        "-1",
        "true",
        "false",
        "0.5",
        "{}",
        "{0}",
        "{1}",
        "{0, 1}",
        "{1, 2}",
        "{0.5}",
        "{true}",
        "at::Scalar(3)",
        "at::Scalar(x)",
        "c10::nullopt",
        "std::nullopt",
        "self",
        "other",
        "maybe",
        "Tensor()",
        "tensors",
        "{self}",
        "{self, other}",
        "k",
        "n",
        "k == 1",
        "x",
        "b",
        "m",
        "ks",
        "ms",
        "ki",
        "xf",
        "bf",
        "dtype",
        "text",
        "\"mean\"",
        "at::kDouble",
        "self.sym_sizes()",
        "self.sym_size(0)",
        "self.options()",
        "self.scalar_type()",
        "self.dtype()",
        "ks.size()",
        "tensors.size()",
        "self.dim()",
        "{k}",
        "{m}",
        "{x}",
        "{ks}",
        "{{0}}",
        "{{0, 1}}",
        "{self.argsort(0)}",
        "self > 0",
        "at::kStrided",
        "at::kCPU",
        "c10::SymInt(2)",
        "self.sum().item()",
        "2u",
        "'a'",
        "nullptr",
        "IntArrayRef{0}",
        "at::IntArrayRef({0, 1})",
        "std::vector<int64_t>{0, 1}",
        "M_PI",
        "at::Reduction::Mean",
    ];
    match random.below(12) {
        0 => scalars::argument(random, Ty::Int),
        1 => scalars::argument(random, Ty::Float),
        2 => scalars::argument(random, Ty::Bool),
        3 => braces(vec![other(random)]),
        _ => leaf(*random.pick(&plain).expect("a value")),
    }
}

/// The names of all operators, each once.
fn names() -> &'static [&'static str] {
    static NAMES: OnceLock<Vec<&str>> = OnceLock::new();
    NAMES.get_or_init(|| {
        let mut names: Vec<&str> = overloads().iter().map(|overload| overload.name.as_str()).collect();
        names.dedup();
        names
    })
}

/// The overloads of the newest torch, without those with out arguments.
fn overloads() -> &'static [Overload] {
    static OVERLOADS: OnceLock<Vec<Overload>> = OnceLock::new();
    OVERLOADS.get_or_init(|| {
        let text = std::fs::read_to_string(root().join(OPERATORS)).expect("the table of operators");
        let mut all: Vec<Overload> = Vec::new();
        // Lines that begin with versions are of those only.
        let mut is_of_all = true;
        for line in text.lines() {
            if let Some(schema) = line.strip_prefix("- func: ") {
                is_of_all = true;
                all.extend(overload(schema));
            } else if line.contains("|- func: ") {
                is_of_all = false;
            } else if let (true, Some(variants), Some(last)) =
                (is_of_all, line.strip_prefix("  variants: "), all.last_mut())
            {
                last.variants = ["function", "method"].map(|variant| variants.contains(variant));
            }
        }
        let is_drawn = |overload: &Overload| !LEFT_OUT.iter().any(|part| overload.name.contains(part));
        all.retain(is_drawn);
        all.sort_by(|one, other| one.name.cmp(&other.name));
        assert!(all.len() > 1000, "the table has more operators");
        all
    })
}

/// An overload, unless it mutates an out argument or takes what formulas have no values of.
fn overload(schema: &str) -> Option<Overload> {
    let (name, rest) = schema.split_once('(')?;
    let (parameters, returns) = rest.rsplit_once(") -> ")?;
    let name = name.split('.').next()?.to_owned();
    let (mut all, mut required) = (Vec::new(), 0);
    for parameter in parameters.split(", ").filter(|parameter| !matches!(*parameter, "*" | "")) {
        let (parameter, default) =
            parameter.split_once('=').map_or((parameter, None), |(before, after)| (before, Some(after)));
        let (ty, own) = parameter.rsplit_once(' ')?;
        if own == "out"
            || own.starts_with("out") && ty.contains('!')
            || ["Dimname", "Generator", "Stream", "Storage"].iter().any(|no| ty.contains(no))
        {
            return None;
        }
        if default.is_none() {
            required = all.len() + 1;
        }
        all.push((without_alias(ty), own.to_owned()));
    }
    let returns = returns.trim_start_matches('(').trim_end_matches(')');
    let returns = returns.split(", ").filter(|ty| !ty.is_empty());
    let returns = returns.map(|ty| without_alias(ty.split(' ').next().unwrap_or_default())).collect();
    Some(Overload { name, parameters: all, required, returns, variants: [true, false] })
}

/// A type without `(a!)`.
fn without_alias(ty: &str) -> String {
    match (ty.find('('), ty.find(')')) {
        (Some(start), Some(end)) if start < end => format!("{}{}", &ty[..start], &ty[end + 1..]),
        _ => ty.to_owned(),
    }
}
