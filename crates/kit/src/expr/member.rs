//! Checks the parts of values and lists: properties, methods, and items with a star.
//!
//! Invariant: a property or method is a function of the value, so printers treat it like a call.

use std::ops::Range;

use super::check::{Checker, applied, bind, helped, item_type, mismatch, no_overload};
use super::syntax::{Expr, ExprKind, Ident};
use super::typed::{Typed, TypedKind};
use super::types::{Function, Type};
use super::vocabulary::Vocabulary;
use torchgen_base::diag::{Help, TextError, codes, did_you_mean};

impl<V: Vocabulary> Checker<'_, V> {
    /// A list, whose items are converted to one type.
    pub(super) fn list(&mut self, items: &[Expr], range: Range<usize>) -> Result<Typed, TextError> {
        let items: Vec<Typed> = items.iter().map(|item| self.item(item)).collect::<Result<_, _>>()?;
        let mut ty = Type::Never;
        for item in &items {
            let own = match &item.kind {
                TypedKind::Starred(list) => item_type(list)?,
                _ => item.ty.clone(),
            };
            let message = || format!("items of a list must have one type, and `{own}` is not `{ty}`");
            ty = ty.join(&own).ok_or_else(|| mismatch(item.range.clone(), message()))?;
        }
        let items = items.into_iter().map(|item| item.convert_item(&ty)).collect();
        Ok(Typed { kind: TypedKind::List(items), ty: ty.list(), range })
    }

    fn item(&mut self, item: &Expr) -> Result<Typed, TextError> {
        let ExprKind::Starred(list) = &item.kind else { return self.expression(item) };
        let list = self.expression(list)?;
        item_type(&list)?;
        Ok(Typed { ty: list.ty.clone(), kind: TypedKind::Starred(Box::new(list)), range: item.range.clone() })
    }

    /// A property, or a method with its arguments.
    pub(super) fn member(
        &mut self,
        of: &Expr,
        name: &Ident,
        arguments: Option<&[Expr]>,
        range: Range<usize>,
    ) -> Result<Typed, TextError> {
        let mut values = vec![self.expression(of)?];
        let vocabulary = self.vocabulary;
        let (own, other) = match arguments {
            Some(_) => (vocabulary.methods(), vocabulary.properties()),
            None => (vocabulary.properties(), vocabulary.methods()),
        };
        let ty = values[0].ty.clone();
        let takes = |function: &&Function| function.parameter(0).is_some_and(|first| ty.fits(first));
        let functions: Vec<&Function> =
            own.iter().filter(takes).filter(|function| function.name == name.name).collect();
        if functions.is_empty() {
            let what = if arguments.is_some() { "method" } else { "property" };
            let message = format!("a `{ty}` has no {what} `{}`", name.name);
            let help = if other.iter().filter(takes).any(|function| function.name == name.name) {
                Some(match arguments {
                    Some(_) => Help::new(format!("write `.{}` without parentheses", name.name)),
                    None => format!("it is a method: write `.{}(…)`", name.name).into(),
                })
            } else if matches!(ty, Type::Optional(_)) {
                Some("it may be None: check `is not None` first".into())
            } else if vocabulary.callees().contains(&name.name.as_str())
                || vocabulary.functions().iter().any(|function| function.name == name.name)
            {
                Some(format!("it is a function: write `{}(…)`", name.name).into())
            } else {
                did_you_mean(&name.name, own.iter().chain(other).filter(takes).map(|function| &*function.name))
            };
            return Err(helped(TextError::new(&codes::EXPRESSION_NAME, name.range.clone(), message), help));
        }
        for argument in arguments.unwrap_or_default() {
            values.push(self.expression(argument)?);
        }
        match functions.iter().find_map(|function| Some((*function, bind(function, &values)?))) {
            Some((function, any)) => Ok(applied(function, &any, values, range)),
            None => Err(no_overload(&functions, name, &values)),
        }
    }
}
