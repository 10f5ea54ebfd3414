//! Prints schemas: the inverse of parsing.
//!
//! Invariant: a printed schema parses to the same schema, and a schema with the usual white space
//! (one space after each comma, before each name and around the arrow) prints unchanged.

use std::fmt::{Display, Formatter, Result};

use super::{Alias, Default, Parameter, Return, Returns, Schema, Spanned, Suffix, Type};

impl<T: Display> Display for Spanned<T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        self.value.fmt(f)
    }
}

impl<K> Display for Schema<K> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        write!(f, "{}", self.name)?;
        if let Some(overload) = &self.overload {
            write!(f, ".{overload}")?;
        }
        f.write_str("(")?;
        let mut keyword_only = false;
        for (at, parameter) in self.parameters.iter().enumerate() {
            if at > 0 {
                f.write_str(", ")?;
            }
            if parameter.keyword_only && !keyword_only {
                f.write_str("*, ")?;
                keyword_only = true;
            }
            write!(f, "{parameter}")?;
        }
        f.write_str(")")?;
        match &self.returns {
            Returns::Absent => Ok(()),
            Returns::One(one) => write!(f, " -> {one}"),
            Returns::Tuple(several) => {
                f.write_str(" -> (")?;
                separated(f, several, ", ")?;
                f.write_str(")")
            }
        }
    }
}

impl<K> Display for Parameter<K> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        write!(f, "{} {}", self.ty, self.name)?;
        match &self.default {
            Some(default) => write!(f, "={default}"),
            None => Ok(()),
        }
    }
}

impl<K> Display for Return<K> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match &self.name {
            Some(name) => write!(f, "{} {name}", self.ty),
            None => write!(f, "{}", self.ty),
        }
    }
}

impl<K> Display for Type<K> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        write!(f, "{}", self.name)?;
        if let Some(alias) = &self.alias {
            write!(f, "{alias}")?;
        }
        separated(f, &self.suffixes, "")
    }
}

impl Display for Suffix {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Suffix::Optional => f.write_str("?"),
            Suffix::List(None) => f.write_str("[]"),
            Suffix::List(Some(size)) => write!(f, "[{size}]"),
        }
    }
}

impl Display for Alias {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        f.write_str("(")?;
        separated(f, &self.before, "|")?;
        if self.write {
            f.write_str("!")?;
        }
        if !self.after.is_empty() {
            f.write_str(" -> ")?;
            separated(f, &self.after, "|")?;
        }
        f.write_str(")")
    }
}

impl Display for Default {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        f.write_str(&self.text)
    }
}

fn separated<T: Display>(f: &mut Formatter<'_>, parts: &[T], separator: &str) -> Result {
    for (at, part) in parts.iter().enumerate() {
        if at > 0 {
            f.write_str(separator)?;
        }
        write!(f, "{part}")?;
    }
    Ok(())
}
