//! The types of calls of methods.
//!
//! Invariant: a method of a tensor is one of the tables' or of the schemas; what is known of other
//! values is in [`vocabulary`].

use super::calls::{is_flag, returned};
use super::convert::{Rules, fits};
use super::typed::{Call, Callee, Checker, SAVED_ARRAY, Typed};
use super::vocabulary;
use super::{Method, Node, Problem, Ty, ValueKind};
use torchgen_base::diag::{Help, plural};

impl<'s> Checker<'s> {
    /// The type of a call of a method, and the call if its signatures are known. The first part is
    /// the object.
    pub(super) fn method<'f>(&mut self, method: &'f Method, parts: &[Typed<'f, 's>]) -> (Ty, Option<Call<'f, 's>>) {
        let (object, arguments) = (&parts[0], &parts[1..]);
        let Method { name, place, .. } = method;
        let python = self.rules() == Rules::Python;
        self.of_function(object.expr);
        if self.is_saved_array(object.expr) {
            let message = format!("a saved list that may be missing has no method `{name}`");
            self.problems.push(Problem::new(place.clone(), message).help(SAVED_ARRAY));
            return (Ty::UNKNOWN, None);
        }
        if self.may_lack_a_value(object.ty)
            && let Some(ty) = self.method_of_an_optional(name, object.ty, arguments)
        {
            return (ty, None);
        }
        self.saved_with(object.expr, name, arguments);
        if object.ty.kind == ValueKind::Tensor && self.may_be_missing(object.expr, name, place, method.arrow) {
            return (Ty::UNKNOWN, None);
        }
        if let Some(ty) = self.sizes_of_an_optional(method, object, arguments) {
            return (ty, None);
        }
        if let Some(ty) = self.method_of_another_access(method, object) {
            return (ty, None);
        }
        let value = if method.arrow { Ty { optional: false, ..object.ty } } else { object.ty };
        let kind = value.certain();
        let tensor = kind.is_tensor() || python && value.kind == ValueKind::Unknown;
        if let Some(template) = &method.template {
            return (self.template_method(method, template, kind), None);
        }
        if method.arrow && !python && (tensor || matches!(kind, ValueKind::Unknown | ValueKind::Other)) {
            return (Ty::UNKNOWN, None);
        }
        if !tensor {
            return (self.method_of_a_value(method, if python { value.kind } else { kind }, kind, arguments), None);
        }
        if !python && let Some(ty) = self.property_of_a_tensor(method, object, arguments) {
            return (ty, None);
        }
        self.by_hand(name, place, arguments);
        let call = self.resolved(Callee::Method, name, place.clone(), arguments);
        (returned(&call.outcome), Some(call))
    }

    /// Whether a value may be an optional one, which has the methods of that.
    fn may_lack_a_value(&self, object: Ty) -> bool {
        object.optional || object.kind == ValueKind::Unknown || self.rules() == Rules::Python
    }

    /// The type of a method of optionals; `None` for other methods.
    fn method_of_an_optional(&mut self, name: &str, object: Ty, arguments: &[Typed<'_, 's>]) -> Option<Ty> {
        match (name, arguments) {
            ("value", []) => Some(Ty { optional: false, ..object }),
            ("has_value", []) => Some(ValueKind::Bool.into()),
            ("value_or", [other]) => {
                let braces = matches!(other.expr.node, Node::Braces(None, _));
                if object.is_optional() && !braces && !fits(other.ty, object.kind, self.rules()) {
                    self.wrong_argument(name, other);
                }
                Some(if object.kind == ValueKind::Unknown { other.ty.kind } else { object.kind }.into())
            }
            _ => None,
        }
    }

    /// The sizes of a tensor that may be missing, which nodes save.
    fn sizes_of_an_optional(&self, method: &Method, object: &Typed<'_, 's>, arguments: &[Typed<'_, 's>]) -> Option<Ty> {
        let python = self.rules() == Rules::Python;
        let single = object.expr.single();
        let may_be_saved = python || single.is_some_and(|name| self.scope.is_optional(name));
        let asks_sizes = method.arrow && method.name == "sym_sizes" && arguments.is_empty();
        (asks_sizes && object.ty.kind == ValueKind::Tensor && may_be_saved).then(|| {
            let saved = single.is_some_and(|name| self.scope.is_saved(name));
            Ty { kind: ValueKind::SymInts, optional: saved && !python }
        })
    }

    /// Reports `.` where `->` is needed and the reverse, and methods of what has none.
    fn method_of_another_access(&mut self, method: &Method, part: &Typed<'_, 's>) -> Option<Ty> {
        let object = part.ty;
        let Method { name, place, .. } = method;
        if method.arrow && !self.may_lack_a_value(object) && object.kind != ValueKind::Other {
            let help = Help::new(format!("write `.{name}`")).with_before("->", format!(".{name}"));
            self.problems.push(Problem::new(place.clone(), format!("{} has no `->`", object.name())).help(help));
            return Some(Ty::UNKNOWN);
        }
        if self.rules() != Rules::Cpp {
            return None;
        }
        if object.is_optional() && !method.arrow {
            if !matches!(name.as_str(), "emplace" | "reset" | "swap") {
                let message = format!("{} has no method `{name}`", object.name());
                let help = Help::new(format!("write `->{name}`")).with_before(".", format!("->{name}"));
                self.problems.push(Problem::new(place.clone(), message).help(help));
            }
            return Some(Ty::UNKNOWN);
        }
        if object.kind == ValueKind::Device && part.expr.path().is_some_and(super::is_constant) {
            self.problems.push(Problem::new(place.clone(), "a type of devices has no methods"));
            return Some(Ty::UNKNOWN);
        }
        let made = part.expr.path().is_some_and(|path| path.text() == "std::vector");
        if name == "vec" && (made || self.is_vector(part.expr)) {
            let message = format!("{} is a `std::vector` here, which has no method `vec`", object.name());
            self.problems.push(Problem::new(place.clone(), message).help("leave out `.vec()`"));
            return Some(object);
        }
        None
    }

    /// The type of what C++ alone has of tensors; `None` for operators.
    fn property_of_a_tensor(
        &mut self,
        method: &Method,
        object: &Typed<'_, 's>,
        arguments: &[Typed<'_, 's>],
    ) -> Option<Ty> {
        let Method { name, place, .. } = method;
        if name == "suggest_memory_format" && arguments.len() <= 1 {
            let open = |ty: Ty| matches!(ty.kind, ValueKind::Unknown | ValueKind::Other);
            let fits = |ty: Ty| !ty.is_optional() && (open(ty) || is_flag(ty.kind));
            if let Some(wrong) = arguments.iter().find(|part| !fits(part.ty)) {
                self.wrong_argument(&format!("Tensor::{name}"), wrong);
            }
            return Some(ValueKind::MemoryFormat.into());
        }
        // Formulas may have it of what they save.
        if name == "sym_blocksize" {
            let saved = object.expr.single().is_some_and(|name| self.scope.is_saved(name)) && arguments.is_empty();
            if !saved {
                self.problems.push(Problem::new(place.clone(), "there is no `Tensor::sym_blocksize`"));
            }
            return Some(ValueKind::SymInts.into());
        }
        let (count, kind) = vocabulary::property(name)?;
        if count == arguments.len() {
            self.dimension(name, arguments);
        } else {
            let message = format!("`Tensor::{name}` does not take {}", plural(arguments.len(), "argument"));
            self.problems.push(Problem::new(place.clone(), message));
        }
        Some(kind.into())
    }

    /// The type of a method of what is no tensor. `asked` is the kind whose methods are looked up.
    fn method_of_a_value(
        &mut self,
        method: &Method,
        asked: ValueKind,
        kind: ValueKind,
        arguments: &[Typed<'_, 's>],
    ) -> Ty {
        let Method { name, place, .. } = method;
        let python = self.rules() == Rules::Python;
        let Some(returned) = vocabulary::method(asked, name, arguments.len()) else {
            self.problems.push(Problem::new(place.clone(), format!("{} has no method `{name}`", kind.name())));
            return Ty::UNKNOWN;
        };
        let open =
            |ty: Ty| matches!(ty.kind, ValueKind::Unknown | ValueKind::Never | ValueKind::Other | ValueKind::Braces);
        let is_no_option = |part: &&Typed| !open(part.ty) && !vocabulary::option_takes(name, part.ty.kind);
        let is_no_operand = |part: &&Typed| !python && !open(part.ty) && !fits(part.ty, kind, Rules::Cpp);
        let wrong = match kind {
            ValueKind::Options => arguments.iter().find(is_no_option),
            ValueKind::SymInt | ValueKind::SymFloat => arguments.iter().find(is_no_operand),
            _ => None,
        };
        wrong.into_iter().for_each(|wrong| self.wrong_argument(name, wrong));
        returned.into()
    }

    fn wrong_argument(&mut self, function: &str, argument: &Typed<'_, 's>) {
        let message = format!("argument 1 of `{function}` cannot be {}", argument.ty.name());
        self.problems.push(Problem::new(argument.expr.range.clone(), message));
    }
}
