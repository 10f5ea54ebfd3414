//! Methods of tensors that PyTorch writes by hand, and what nodes save of lists.
//!
//! Invariant: what is reported has no such method, or the method takes no such arguments.

use std::ops::Range;

use super::convert::Rules;
use super::typed::{Checker, Typed};
use super::{Binary, Expr, Method, Node, Problem, Ty, Unary, ValueKind};
use torchgen_base::diag::{Help, plural};

impl Checker<'_> {
    /// A method with the arguments of a template.
    pub(super) fn template_method(&mut self, method: &Method, template: &str, object: ValueKind) -> Ty {
        if self.rules() == Rules::Python {
            return Ty::UNKNOWN;
        }
        let Method { name, place, .. } = method;
        let known = ["item", "data_ptr", "const_data_ptr", "mutable_data_ptr", "accessor", "packed_accessor64", "to"];
        let has = object.is_tensor()
            || object == ValueKind::Unknown
            || object == ValueKind::Other && method.arrow
            || object == ValueKind::Scalar && name == "to";
        if !has || object.is_tensor() && !known.contains(&name.as_str()) {
            let message = format!("{} has no method `{name}<{template}>`", object.name());
            self.problems.push(Problem::new(place.clone(), message));
            return Ty::UNKNOWN;
        }
        if self.scope.name(template.trim()).is_some() {
            let message = format!("`{template}` is a value: templates take types and constants");
            self.problems.push(Problem::new(place.clone(), message));
        }
        match (name.as_str(), template.trim()) {
            ("item", "double" | "float") => ValueKind::Float.into(),
            ("item", "int64_t" | "int" | "long") => ValueKind::Int.into(),
            ("item", "bool") => ValueKind::Bool.into(),
            ("data_ptr" | "const_data_ptr" | "mutable_data_ptr", _) => ValueKind::Other.into(),
            _ => Ty::UNKNOWN,
        }
    }

    /// Whether a list is what a node saved, not a view of what it got.
    pub(super) fn is_vector(&self, value: &Expr) -> bool {
        let of_tensor = match &value.node {
            Node::Method(sizes) if matches!(sizes.name.as_str(), "sym_sizes" | "sym_strides") => sizes.object.single(),
            _ => None,
        };
        let name = value.single().or(of_tensor);
        name.is_some_and(|name| !self.is_local(name) && self.scope.is_saved(name))
    }

    /// Whether a value is a variable, which a function can change: a saved value is, a gradient is
    /// constant, and what is computed has no place. `None` if that is not known.
    pub(super) fn is_variable(&self, value: &Typed<'_, '_>) -> Option<bool> {
        let changes = |name: &str| name.ends_with('_') || name.ends_with("_out") || name.ends_with("_outf");
        if self.rules() == Rules::Python {
            return None;
        }
        match &value.expr.node {
            Node::Path(path) => {
                let name = path.single().filter(|name| !self.is_local(name))?;
                self.scope.name(name).map(|_| self.scope.is_saved(name))
            }
            Node::Index(list, _) => list.single().filter(|name| self.scope.is_saved(name)).map(|_| true),
            Node::Method(method) => value.call.as_ref().map(|_| changes(&method.name)),
            Node::Call(path, _) if path.parts.len() == 2 && path.parts[0] == "at" => Some(changes(path.name())),
            Node::Binary { operator, .. } => Some(*operator == Binary::Assign),
            Node::Unary(Unary::Minus | Unary::Invert, _) => Some(false),
            _ => None,
        }
    }

    /// Whether a value is what nodes save of a list that may be missing, or of the sizes of a
    /// tensor that may be: an array with conversions of its own.
    pub(super) fn is_saved_array(&self, value: &Expr) -> bool {
        let saved = |name: &str| !self.is_local(name) && self.scope.is_saved(name) && self.rules() == Rules::Cpp;
        let list = |ty: Ty| ty.is_optional() && ty.kind.is_list();
        match &value.node {
            Node::Method(sizes) => {
                let of_optional = |name: &str| saved(name) && self.scope.is_optional(name);
                let is_sizes = sizes.arrow && sizes.name == "sym_sizes" && sizes.arguments.is_empty();
                is_sizes && sizes.object.single().is_some_and(of_optional)
            }
            _ => value.single().is_some_and(|name| saved(name) && self.scope.name(name).is_some_and(list)),
        }
    }

    /// Reports what the methods of tensors that are written by hand do not take.
    pub(super) fn by_hand(&mut self, name: &str, place: &Range<usize>, arguments: &[Typed<'_, '_>]) {
        let [first, ..] = arguments else {
            if matches!(name, "index" | "index_put" | "index_put_") {
                let message = format!("`Tensor::{name}` does not take 0 arguments");
                self.problems.push(Problem::new(place.clone(), message));
            }
            return;
        };
        let (kind, python) = (first.ty.certain(), self.rules() == Rules::Python);
        let number =
            |part: &&Typed| matches!(part.ty.certain(), ValueKind::Float | ValueKind::SymFloat | ValueKind::Scalar);
        let (wrong, help) = match name {
            "index" if arguments.len() > 1 && !python => {
                let message = format!("`Tensor::index` does not take {}", plural(arguments.len(), "argument"));
                return self.problems.push(Problem::new(place.clone(), message));
            }
            "index" | "index_put" | "index_put_" => match first.expr.node {
                // Either a list of indices or one of tensors.
                Node::Braces(None, _) if name == "index" && !python && is_empty_twice(first) => {
                    let message = "`Tensor::index` has several overloads for `{{}}`";
                    let help = "write `{}` for no index, or `{at::indexing::None}`";
                    return self.problems.push(Problem::new(first.expr.range.clone(), message).help(help));
                }
                Node::Braces(..) => {
                    // With a flag, indices are tensors.
                    let of_tensors = arguments.len() == 3 && !python;
                    let other = |part: &&Typed| {
                        let kind = part.ty.certain();
                        number(part) || kind.is_list() || of_tensors && kind.is_number()
                    };
                    let none = of_tensors && first.parts.is_empty();
                    (first.parts.iter().find(other).or(Some(first).filter(|_| none)), None)
                }
                _ if python => (None, None),
                _ => (Some(first).filter(|_| !INDICES.contains(&kind)), Some("write indices in braces: `{x}`")),
            },
            "to" if !python => {
                let in_braces = matches!(first.expr.node, Node::Braces(None, _))
                    && first.parts.iter().any(|part| part.ty.certain().is_number());
                let lists = kind.is_list()
                    || kind.is_number()
                    || in_braces
                    || matches!(kind, ValueKind::Scalar | ValueKind::Tuple | ValueKind::Other);
                // Only the overload for all options has them further on.
                let of_all = arguments.len() == 7;
                let further = |part: &&Typed| {
                    let kind = part.ty.kind;
                    let no_flag = kind.is_list()
                        || kind.is_tensor()
                        || matches!(kind, ValueKind::Layout | ValueKind::Device) && !of_all;
                    no_flag
                        || matches!(kind, ValueKind::TypeMeta | ValueKind::Text | ValueKind::Options | ValueKind::Tuple)
                };
                match arguments[1..].iter().find(further).filter(|_| !lists) {
                    Some(wrong) => (Some(wrong), None),
                    None => (Some(first).filter(|_| lists), None),
                }
            }
            "contiguous" | "is_contiguous" if !python => {
                (Some(first).filter(|_| !matches!(kind, ValueKind::MemoryFormat | ValueKind::Unknown)), None)
            }
            _ => return,
        };
        if let Some(wrong) = wrong {
            let at = arguments.iter().position(|part| std::ptr::eq(part, wrong)).unwrap_or_default() + 1;
            let message = format!("argument {at} of `Tensor::{name}` cannot be {}", wrong.ty.name());
            self.problems.push(Problem {
                help: help.map(str::to_owned).map(Help::from),
                ..Problem::new(wrong.expr.range.clone(), message)
            });
        }
    }
}

/// What `index` and its like take besides braces.
const INDICES: &[ValueKind] = &[ValueKind::Empty, ValueKind::Never, ValueKind::Optionals, ValueKind::Unknown];

/// Braces without values in braces.
fn is_empty_twice(value: &Typed<'_, '_>) -> bool {
    matches!(value.parts.as_slice(), [one] if matches!(&one.expr.node, Node::Braces(None, items) if items.is_empty()))
}
