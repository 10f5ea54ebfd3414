//! What Python functions need of a schema that has no model.
//!
//! Invariant: every schema that c10 accepts has it; a type without a model is `None`.

use super::schema::{Declared, DeclaredValue, Item};
use crate::model::Type;

/// An argument, as Python functions need it.
#[derive(Debug, Clone)]
pub struct DeclaredArgument {
    /// Its name.
    pub name: String,
    /// Its type; `None` if the model has none.
    pub ty: Option<Type>,
    /// Its default.
    pub default: Option<String>,
    /// It is keyword-only.
    pub keyword_only: bool,
}

/// A result, as Python functions need it.
#[derive(Debug, Clone)]
pub struct DeclaredReturn {
    /// Its name, if it has one.
    pub name: Option<String>,
    /// Its type; `None` if the model has none.
    pub ty: Option<Type>,
}

impl Declared {
    /// The name without the overload.
    pub(crate) fn base_name(&self) -> &str {
        &self.base_name
    }

    /// The overload; empty for none.
    pub(crate) fn overload_name(&self) -> &str {
        &self.overload_name
    }

    /// The arguments in order.
    pub(crate) fn python_arguments(&self) -> Vec<DeclaredArgument> {
        let argument = |one: &DeclaredValue| DeclaredArgument {
            name: one.name.as_ref().map(|(name, _)| name.clone()).unwrap_or_default(),
            ty: one.ty(),
            default: one.default.as_ref().map(|(text, _)| text.clone()),
            keyword_only: one.keyword_only,
        };
        values(&self.arguments).map(argument).collect()
    }

    /// The results in order.
    pub(crate) fn python_returns(&self) -> Vec<DeclaredReturn> {
        let result = |one: &DeclaredValue| DeclaredReturn {
            name: one.name.as_ref().map(|(name, _)| name.clone()),
            ty: one.ty(),
        };
        values(&self.returns).map(result).collect()
    }
}

impl DeclaredValue {
    fn ty(&self) -> Option<Type> {
        self.written.model.as_ref().ok().map(|(ty, _)| ty.clone())
    }
}

fn values(items: &[Item]) -> impl Iterator<Item = &DeclaredValue> {
    items.iter().filter_map(|item| if let Item::Value(one) = item { Some(&**one) } else { None })
}
