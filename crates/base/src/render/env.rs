//! The values for a CodeTemplate: named scalars and lists.
//!
//! Invariant: a clone costs one reference count, so that the shards of a file share their common
//! values.

use std::sync::Arc;

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

use super::fragment::Fragment;

/// A value of an [`Env`]. At a placeholder inside a line a list is joined by commas; a scalar is
/// inserted verbatim.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    /// A scalar.
    Text(Fragment),
    /// A list; each element has its own lines.
    List(Arc<Vec<Fragment>>),
}

/// Named values, in the order in which they were first set.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Env {
    values: Arc<IndexMap<String, Value, FxBuildHasher>>,
}

impl Env {
    /// An environment without values.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets a value, and replaces an earlier one with that name.
    pub fn set(&mut self, key: impl Into<String>, value: impl Into<Value>) -> &mut Self {
        Arc::make_mut(&mut self.values).insert(key.into(), value.into());
        self
    }

    /// The value with that name.
    pub fn get(&self, key: &str) -> Option<&Value> {
        self.values.get(key)
    }

    /// All names and values, in the order in which the names were first set.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.values.iter().map(|(key, value)| (key.as_str(), value))
    }
}

impl<K: Into<String>, V: Into<Value>> FromIterator<(K, V)> for Env {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(pairs: I) -> Self {
        let values = pairs.into_iter().map(|(key, value)| (key.into(), value.into())).collect();
        Self { values: Arc::new(values) }
    }
}

impl<K: Into<String>, const N: usize> From<[(K, Value); N]> for Env {
    fn from(pairs: [(K, Value); N]) -> Self {
        pairs.into_iter().collect()
    }
}

impl From<Fragment> for Value {
    fn from(text: Fragment) -> Self {
        Value::Text(text)
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Value::Text(text.into())
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Value::Text(text.into())
    }
}

impl<T: Into<Fragment>> From<Vec<T>> for Value {
    fn from(list: Vec<T>) -> Self {
        list.into_iter().collect()
    }
}

impl<T: Into<Fragment>> FromIterator<T> for Value {
    fn from_iter<I: IntoIterator<Item = T>>(list: I) -> Self {
        Value::List(Arc::new(list.into_iter().map(Into::into).collect()))
    }
}
