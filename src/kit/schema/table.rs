//! What a family says of its schema strings: its types, and which parts a schema may have.

use indexmap::IndexMap;

/// The types that exist. `K` is the family's own description of one.
#[derive(Debug, Clone)]
pub(crate) struct TypeTable<K> {
    rows: IndexMap<String, TypeRow<K>>,
    hints: IndexMap<String, String>,
}

impl<K> std::default::Default for TypeTable<K> {
    fn default() -> Self {
        TypeTable { rows: IndexMap::new(), hints: IndexMap::new() }
    }
}

impl<K> TypeTable<K> {
    /// A table without types.
    pub(crate) fn new() -> TypeTable<K> {
        TypeTable::default()
    }

    /// Adds a type. The name is one identifier or several with one space between, as `const int`.
    /// Gives the row that had this name before.
    pub(crate) fn add(&mut self, name: impl Into<String>, row: TypeRow<K>) -> Option<TypeRow<K>> {
        self.rows.insert(name.into(), row)
    }

    /// Says what to write instead of a name that is not in the table, such as `double`.
    pub(crate) fn hint(&mut self, name: impl Into<String>, help: impl Into<String>) {
        self.hints.insert(name.into(), help.into());
    }

    /// The row of a type.
    pub(crate) fn get(&self, name: &str) -> Option<&TypeRow<K>> {
        self.rows.get(name)
    }

    /// Every name, in the order of arrival.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.rows.keys().map(String::as_str)
    }

    /// The most words that a name consists of.
    pub(super) fn longest_name(&self) -> usize {
        self.names().map(|name| name.split(' ').count()).max().unwrap_or(1)
    }

    pub(super) fn hint_for(&self, name: &str) -> Option<&str> {
        self.hints.get(name).map(String::as_str)
    }
}

/// What the grammar has to know of a type.
#[derive(Debug, Clone)]
pub(crate) struct TypeRow<K> {
    pub(super) kind: K,
    pub(super) alias: bool,
    pub(super) suffixes: Option<&'static [&'static str]>,
    pub(super) defaults: Vec<DefaultForm>,
    pub(super) list_defaults: Vec<DefaultForm>,
}

impl<K> TypeRow<K> {
    /// A type that has no alias set and no defaults other than `None`, and may have any suffix.
    pub(crate) fn new(kind: K) -> TypeRow<K> {
        TypeRow { kind, alias: false, suffixes: None, defaults: Vec::new(), list_defaults: Vec::new() }
    }

    /// It may have an alias set: `Tensor(a!)`.
    pub(crate) fn alias(mut self) -> TypeRow<K> {
        self.alias = true;
        self
    }

    /// It may have these suffixes only, and none. `[N]` stands for a list of any size.
    pub(crate) fn suffixes(mut self, allowed: &'static [&'static str]) -> TypeRow<K> {
        self.suffixes = Some(allowed);
        self
    }

    /// Its defaults may have this form too. Lists of the type have lists of such.
    pub(crate) fn default(mut self, form: DefaultForm) -> TypeRow<K> {
        self.defaults.push(form);
        self
    }

    /// A list of the type may have a default of this form beside `[…]`, such as a word.
    pub(crate) fn list_default(mut self, form: DefaultForm) -> TypeRow<K> {
        self.list_defaults.push(form);
        self
    }

    /// The family's description of the type.
    pub(crate) fn kind(&self) -> &K {
        &self.kind
    }
}

/// A form that a default may have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum DefaultForm {
    /// A whole number in this range, both ends included.
    Integer {
        /// The least.
        min: i128,
        /// The greatest.
        max: i128,
    },
    /// A number, `inf`, `-inf` or `nan`.
    Float,
    /// `True` or `False`
    Bool,
    /// A string in quotes.
    Str,
    /// One of these words.
    OneOf(Vec<String>),
}

impl DefaultForm {
    /// What a C++ `int64_t` holds.
    pub(crate) const INT64: DefaultForm = DefaultForm::Integer { min: i64::MIN as i128, max: i64::MAX as i128 };
    /// What a C++ `uint64_t` holds.
    pub(crate) const UINT64: DefaultForm = DefaultForm::Integer { min: 0, max: u64::MAX as i128 };
    /// What a C++ `int32_t` holds.
    pub(crate) const INT32: DefaultForm = DefaultForm::Integer { min: i32::MIN as i128, max: i32::MAX as i128 };
    /// What a C++ `uint32_t` holds.
    pub(crate) const UINT32: DefaultForm = DefaultForm::Integer { min: 0, max: u32::MAX as i128 };
}

/// Whether a part of a schema may or must be there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Presence {
    /// It must be there.
    Required,
    /// It may be there.
    Optional,
    /// It cannot be there.
    Forbidden,
}

/// Which parts the schemas of a family may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Rules {
    /// `.overload` behind the name.
    pub overload: Presence,
    /// `*` and what follows it.
    pub keyword_only: Presence,
    /// The arrow and what follows it.
    pub returns: Presence,
    /// Names of results.
    pub return_names: Presence,
}

impl Rules {
    /// Everything may be there.
    pub(crate) const ANY: Rules = Rules {
        overload: Presence::Optional,
        keyword_only: Presence::Optional,
        returns: Presence::Optional,
        return_names: Presence::Optional,
    };
}
