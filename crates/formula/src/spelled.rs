//! Names of `std` and of types that are misspelt, functions in place of values, and functions whose
//! arguments are known without a signature.
//!
//! Invariant: what is reported does not compile. A name that resembles none is left to the
//! compiler.

use std::ops::Range;

use super::calls::elements;
use super::convert::Rules;
use super::typed::{Checker, Typed};
use super::types::TYPES;
use super::vocabulary::{self, MATH};
use super::{Expr, Node, Path, Problem, ValueKind};
use torchgen_base::diag::{Help, meant, nearest, plural};
use torchgen_base::lang::is_word;

/// Types that formulas name without a namespace.
const NAMED: &[&str] = &["Tensor", "Scalar", "ScalarType", "TensorList", "IntArrayRef", "SymInt", "int64_t", "const"];

/// Words of C++ that are operators, and those of Python.
const OPERATORS: &[&str] = &["and", "or", "not", "xor", "in", "is", "if", "else", "for"];

impl Checker<'_> {
    /// Reports misspelt templates of `std`, types, and what is no type among their arguments.
    pub(super) fn spelled(&mut self, path: &Path) {
        if self.rules() == Rules::Python {
            return;
        }
        if let [namespace, name] = path.parts.as_slice()
            && namespace == "std"
            && path.template.is_some()
            && !vocabulary::STD_TEMPLATES.contains(&name.as_str())
            && let Some(near) = nearest(name, vocabulary::STD_TEMPLATES.iter().copied())
        {
            let message = format!("there is no `std::{name}`");
            self.problems.push(
                Problem::new(path.range.clone(), message)
                    .help(Help::new(format!("did you mean `std::{near}`?")).word(name, near)),
            );
        }
        let of_types = matches!(path.name(), "ArrayRef" | "optional" | "tuple" | "vector");
        let parts = path.template.iter().flat_map(|text| text.split(','));
        if let Some(value) = parts.map(str::trim).find(|part| is_constant(part)).filter(|_| of_types) {
            let message = format!("`{value}` is a value, not a type");
            self.problems.push(Problem::new(path.range.clone(), message));
        }
        if let Some(template) = &path.template
            && let Some(problem) = self.no_type(template, path.range.clone())
        {
            self.problems.push(problem);
        }
    }

    /// What is wrong with the arguments of a template.
    fn no_type(&self, template: &str, range: Range<usize>) -> Option<Problem> {
        let words = template.split(|c: char| !is_word(c)).filter(|word| !word.is_empty());
        if let Some(operator) = words.clone().find(|word| OPERATORS.contains(word)) {
            return Some(Problem::not_cpp(range, format!("`{operator}` is not part of a type")));
        }
        // What follows a reference is the next argument.
        let behind = template.rsplit_once("&&").map_or("", |(_, rest)| rest.trim());
        let prefixed = template.split([',', '<']).any(|part| part.trim_start().starts_with(['&', '*']));
        if prefixed || behind.starts_with(is_word) {
            return Some(Problem::not_cpp(range, "a type cannot have an operator there".to_owned()));
        }
        let number = |part: &str| part.trim_start().starts_with(|c: char| c.is_ascii_digit());
        let of_types = template.split(',').any(|part| number(part) && part.contains('.'));
        if of_types || template.split(['*', '&']).skip(1).any(number) {
            return Some(Problem::not_cpp(range, "a number is not a type"));
        }
        words.clone().find_map(|word| self.misspelt(word, &range))
    }

    /// A word that is almost a type.
    pub(super) fn misspelt(&self, word: &str, range: &Range<usize>) -> Option<Problem> {
        let known = NAMED.contains(&word)
            || TYPES.contains(&word)
            || self.scope.name(word).is_some()
            || self.scope.declares(word)
            || self.is_local(word);
        // Other types have other first letters or lengths.
        let near = nearest(word, NAMED.iter().copied()).filter(|near| !known && word.len() + 1 >= near.len())?;
        let swapped = word.len() <= near.len() + 1 && !word.chars().any(char::is_numeric);
        let message = format!("there is no type `{word}`");
        swapped.then(|| Problem::new(range.clone(), message).help(meant(word, near)))
    }

    /// Reports the index of `std::get` that is not a number, or too large.
    pub(super) fn element(&mut self, path: &Path, parts: &[Typed<'_, '_>]) {
        let index = path.template.as_deref().unwrap_or_default().trim();
        let is_index = index.bytes().all(|b| b.is_ascii_digit()) && !index.is_empty() || index.starts_with(is_letter);
        if !is_index {
            let message = format!("`{index}` is not the number of an element");
            self.problems.push(Problem::new(path.range.clone(), message));
        }
        if let [one] = parts
            && !matches!(one.ty.kind, ValueKind::Unknown | ValueKind::Tuple | ValueKind::Never)
        {
            let message = format!("{} is not a tuple", one.ty.name());
            self.problems.push(Problem::new(one.expr.range.clone(), message).help("write `x[0]` for an element"));
        }
        let elements = parts.first().and_then(elements);
        if let (Some(elements), Ok(at)) = (elements, index.parse::<usize>())
            && at >= elements.len()
        {
            let message = format!("the tuple has only {}", plural(elements.len(), "element"));
            self.problems.push(Problem::new(path.range.clone(), message).help("the first is `std::get<0>`"));
        }
    }

    /// Reports a function of mathematics that takes other arguments.
    pub(super) fn math(&mut self, path: &Path, parts: &[Typed<'_, '_>]) {
        if path.text() == "at::sum_to" && !(2..=3).contains(&parts.len()) && self.rules() == Rules::Cpp {
            let message = format!("`at::sum_to` does not take {}", plural(parts.len(), "argument"));
            self.problems.push(Problem::new(path.range.clone(), message));
        }
        if path.text() == "at::tensor"
            && self.rules() == Rules::Cpp
            && let Some(wrong) = parts.first().filter(|part| part.ty.kind.is_tensor())
        {
            let message = "argument 1 of `at::tensor` cannot be a tensor";
            self.problems.push(Problem::new(wrong.expr.range.clone(), message).help("write `x.clone()`"));
        }
        let (of_std, name) = match path.parts.as_slice() {
            [name] => (false, name.as_str()),
            [namespace, name] if namespace == "std" => (true, name.as_str()),
            _ => return,
        };
        let named = |name: &str| self.scope.name(name).is_some() || self.scope.declares(name) || self.is_local(name);
        if !MATH.contains(&name) || !of_std && (named(name) || self.rules() == Rules::Python) {
            return;
        }
        let wanted = if name == "pow" { 2 } else { 1 };
        if parts.len() != wanted {
            let message = format!("`{}` does not take {}", path.text(), plural(parts.len(), "argument"));
            self.problems.push(Problem::new(path.range.clone(), message));
            return;
        }
        let braces = |part: &&Typed| matches!(part.expr.node, Node::Braces(None, _));
        let tensors = parts.iter().any(|part| part.ty.kind.is_tensor());
        let takes = |part: &&Typed| {
            let kind = if part.ty.is_optional() { ValueKind::Other } else { part.ty.kind };
            match kind {
                ValueKind::Unknown | ValueKind::Never | ValueKind::Complex => true,
                ValueKind::Int | ValueKind::Float | ValueKind::Bool => true,
                ValueKind::Tensor | ValueKind::Undefined => !of_std,
                ValueKind::Scalar | ValueKind::SymInt | ValueKind::SymFloat => wanted == 2 && tensors && !of_std,
                _ => false,
            }
        };
        if self.rules() == Rules::Python {
            return;
        }
        if let Some(wrong) = parts.iter().find(braces).filter(|_| !tensors) {
            let message = format!("there is no `{}` of values in braces", path.text());
            self.problems.push(Problem::new(wrong.expr.range.clone(), message).help("leave out the braces"));
        } else if let Some((at, wrong)) = parts.iter().enumerate().find(|(_, part)| !braces(part) && !takes(part)) {
            let message = format!("argument {} of `{}` cannot be {}", at + 1, path.text(), wrong.ty.name());
            self.problems.push(Problem::new(wrong.expr.range.clone(), message));
        }
    }

    /// Reports a value that is called as if it were a function.
    pub(super) fn called_value(&mut self, path: &Path) -> bool {
        let value = path.single().filter(|name| !self.is_local(name));
        let certain = |kind: ValueKind| !matches!(kind, ValueKind::Unknown | ValueKind::Other);
        let Some(name) = value.filter(|name| self.scope.name(name).is_some_and(|ty| certain(ty.kind))) else {
            return false;
        };
        if self.rules() == Rules::Python || self.is_function(path) {
            return false;
        }
        let wanted = if path.template.is_some() { "template" } else { "function" };
        let message = format!("`{name}` is a value, not a {wanted}");
        self.problems.push(Problem::new(path.range.clone(), message));
        true
    }

    /// Reports an argument of a property that is not a number of a dimension.
    pub(super) fn dimension(&mut self, name: &str, arguments: &[Typed<'_, '_>]) {
        let fits = |ty: &Typed| {
            !ty.ty.is_optional()
                && matches!(
                    ty.ty.kind,
                    ValueKind::Int
                        | ValueKind::Bool
                        | ValueKind::Float
                        | ValueKind::Unknown
                        | ValueKind::Never
                        | ValueKind::Braces
                )
        };
        if let Some(wrong) = arguments.iter().find(|argument| !fits(argument)) {
            let message = format!("argument 1 of `Tensor::{name}` cannot be {}", wrong.ty.name());
            self.problems.push(Problem::new(wrong.expr.range.clone(), message));
        }
    }

    /// Reports what nodes save of a tensor for functions that take no optional one.
    pub(super) fn of_missing(&mut self, path: &Path, parts: &[Typed<'_, '_>]) {
        let [one] = parts else { return };
        let name = one.expr.single().filter(|name| !self.is_local(name));
        let Some(name) = name.filter(|name| self.scope.is_saved(name) && self.scope.is_optional(name)) else { return };
        if path.single() != Some("zeros_like") || self.rules() == Rules::Python || self.scope.declares("zeros_like") {
            return;
        }
        let message = format!("`zeros_like({name})` saves the sizes of a tensor that may be missing");
        let problem = Problem::new(one.expr.range.clone(), message);
        self.problems.push(problem.help(format!("write `at::zeros_like({name})`")));
    }

    /// Reports a method of tensors as a function of `std`.
    pub(super) fn of_std(&mut self, path: &Path) {
        let [namespace, name] = path.parts.as_slice() else { return };
        let of_both = ["begin", "data", "empty", "end", "size", "value_or"].contains(&name.as_str());
        let is_method = vocabulary::is_only_a_method(name) || vocabulary::property(name).is_some();
        if namespace == "std" && is_method && !of_both && self.rules() == Rules::Cpp {
            let message = format!("there is no `{}`", path.text());
            let help = format!("it is a method: `x.{name}()`");
            self.problems.push(Problem::new(path.range.clone(), message).help(help));
        }
    }

    /// Reports an assignment to a gradient.
    pub(super) fn assigned(&mut self, left: &Expr) {
        let gradient = |name: &&str| {
            let is_tensor = self.scope.name(name).is_some_and(|ty| ty.kind == ValueKind::Tensor);
            is_tensor && !self.is_local(name) && !self.scope.is_saved(name) && self.scope.is_saved("grads")
        };
        if let Some(name) = left.single().filter(gradient).filter(|_| self.rules() == Rules::Cpp) {
            self.problems.push(Problem::new(left.range.clone(), format!("`{name}` is constant")));
        }
    }

    /// Reports a method of a function.
    pub(super) fn of_function(&mut self, object: &Expr) {
        let Node::Path(path) = &object.node else { return };
        let known = path.single().is_some_and(|name| self.is_local(name) || self.scope.name(name).is_some());
        if self.rules() == Rules::Python || known || !vocabulary::is_std_function(path) && !self.is_function(path) {
            return;
        }
        let message = format!("`{}` is a function: call it with parentheses", path.text());
        self.problems.push(Problem::new(path.range.clone(), message));
    }

    /// Reports a name in the argument of `x.sym_size(…)`, which a node computes when it saves `x`,
    /// that there is only when gradients are computed.
    pub(super) fn saved_with(&mut self, object: &Expr, name: &str, arguments: &[Typed<'_, '_>]) {
        let saved = |name: &str| !self.is_local(name) && self.scope.is_saved(name);
        let [index] = arguments else { return };
        let object = object.single().filter(|object| name == "sym_size" && saved(object));
        let named = match &index.expr.node {
            Node::Unary(_, operand) => operand.single(),
            _ => index.expr.single(),
        };
        let (Some(object), Some(wrong)) = (object, named.filter(|name| !saved(name))) else { return };
        if self.scope.name(wrong).is_none() && !self.is_local(wrong) || self.rules() == Rules::Python {
            return;
        }
        let message = format!("`{wrong}` does not exist where `{object}.sym_size({wrong})` is saved");
        let problem = Problem::new(index.expr.range.clone(), message);
        self.problems.push(problem.help(format!("write `{object}.sym_sizes()[{wrong}]`")));
    }

    /// Reports a property of a tensor that may be missing, which is saved before the tensor is.
    pub(super) fn may_be_missing(&mut self, object: &Expr, name: &str, place: &Range<usize>, arrow: bool) -> bool {
        const SAVED: &[&str] =
            &["sym_sizes", "sym_size", "sym_strides", "numel", "sym_numel", "options", "scalar_type", "dim", "layout"];
        let Some(input) = object.single().filter(|input| !self.is_local(input) && SAVED.contains(&name)) else {
            return false;
        };
        if self.rules() == Rules::Python || !self.scope.is_saved(input) {
            return false;
        }
        let optional = self.scope.is_optional(input);
        let (wrong, right) = match (optional, arrow) {
            (true, false) => (".", "->"),
            (false, true) => ("->", "."),
            _ => return false,
        };
        let message =
            format!("{} has no `{wrong}{name}`", if optional { "an optional of a tensor" } else { "a tensor" });
        self.problems.push(Problem::new(place.clone(), message).help(
            Help::new(format!("write `{input}{right}{name}`")).with_before(wrong, format!("{right}{name}")).certainly(),
        ));
        true
    }
}

/// Whether the argument of a template is a number or a constant.
fn is_constant(argument: &str) -> bool {
    let parts = argument.split("::").map(str::to_owned).collect();
    let path = Path { parts, template: None, is_global: false, range: 0..0 };
    argument.starts_with(|c: char| c.is_ascii_digit()) || super::constants::is_constant(&path)
}

fn is_letter(c: char) -> bool {
    c.is_ascii_alphabetic() || c == '_'
}
