//! A family's table of types, and its rules for the parts of a schema.

use indexmap::IndexMap;

/// The types of a family. `K` is the family's description of a type.
#[derive(Debug, Clone)]
pub struct TypeTable<K> {
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
    pub fn new() -> TypeTable<K> {
        TypeTable::default()
    }

    /// Adds a type. The name is one or more identifiers, separated by one space, as `const int`.
    /// Returns the row that had this name before.
    pub fn add(&mut self, name: impl Into<String>, row: TypeRow<K>) -> Option<TypeRow<K>> {
        self.rows.insert(name.into(), row)
    }

    /// Sets what to write instead of a name that is not in the table, such as `double`.
    pub fn hint(&mut self, name: impl Into<String>, help: impl Into<String>) {
        self.hints.insert(name.into(), help.into());
    }

    /// The row of a type.
    pub fn get(&self, name: &str) -> Option<&TypeRow<K>> {
        self.rows.get(name)
    }

    /// Every name, in order of insertion.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.rows.keys().map(String::as_str)
    }

    /// The number of words in the longest name.
    pub(super) fn longest_name(&self) -> usize {
        self.names().map(|name| name.split(' ').count()).max().unwrap_or(1)
    }

    pub(super) fn hint_for(&self, name: &str) -> Option<&str> {
        self.hints.get(name).map(String::as_str)
    }
}

/// What the grammar needs to know about a type.
#[derive(Debug, Clone)]
pub struct TypeRow<K> {
    pub(super) kind: K,
    pub(super) alias: bool,
    pub(super) suffixes: Option<&'static [&'static str]>,
    pub(super) defaults: Vec<DefaultForm>,
    pub(super) list_defaults: Vec<DefaultForm>,
}

impl<K> TypeRow<K> {
    /// A type without alias sets, whose only default is `None`, with any suffix.
    pub fn new(kind: K) -> TypeRow<K> {
        TypeRow { kind, alias: false, suffixes: None, defaults: Vec::new(), list_defaults: Vec::new() }
    }

    /// Allows an alias set: `Tensor(a!)`.
    pub fn alias(mut self) -> TypeRow<K> {
        self.alias = true;
        self
    }

    /// Allows these suffixes only, or none. `[N]` is a list of any size.
    pub fn suffixes(mut self, allowed: &'static [&'static str]) -> TypeRow<K> {
        self.suffixes = Some(allowed);
        self
    }

    /// Allows defaults of this form. Lists of the type have lists of them.
    pub fn default(mut self, form: DefaultForm) -> TypeRow<K> {
        self.defaults.push(form);
        self
    }

    /// Allows defaults of this form, such as a word, for lists of the type.
    pub fn list_default(mut self, form: DefaultForm) -> TypeRow<K> {
        self.list_defaults.push(form);
        self
    }

    /// The family's description of the type.
    pub fn kind(&self) -> &K {
        &self.kind
    }
}

/// The form of a default.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DefaultForm {
    /// An integer in this range, both ends included.
    Integer {
        /// The minimum.
        min: i128,
        /// The maximum.
        max: i128,
    },
    /// A number, `inf`, `-inf` or `nan`.
    Float,
    /// `True` or `False`
    Bool,
    /// A quoted string.
    Str,
    /// One of these words.
    OneOf(Vec<String>),
}

impl DefaultForm {
    /// The range of a C++ `int64_t`.
    pub const INT64: DefaultForm = DefaultForm::Integer { min: i64::MIN as i128, max: i64::MAX as i128 };
    /// The range of a C++ `uint64_t`.
    pub(crate) const UINT64: DefaultForm = DefaultForm::Integer { min: 0, max: u64::MAX as i128 };
    /// The range of a C++ `int32_t`.
    pub const INT32: DefaultForm = DefaultForm::Integer { min: i32::MIN as i128, max: i32::MAX as i128 };
    /// The range of a C++ `uint32_t`.
    pub(crate) const UINT32: DefaultForm = DefaultForm::Integer { min: 0, max: u32::MAX as i128 };
}

/// Whether a part of a schema is required or allowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Presence {
    /// It is required.
    Required,
    /// It is allowed.
    Optional,
    /// It is forbidden.
    Forbidden,
}

/// The parts that a family's schemas may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rules {
    /// `.overload` after the name.
    pub overload: Presence,
    /// `*` and what follows it.
    pub keyword_only: Presence,
    /// The arrow and what follows it.
    pub returns: Presence,
    /// Names of results.
    pub return_names: Presence,
}

impl Rules {
    /// Everything is allowed.
    pub const ANY: Rules = Rules {
        overload: Presence::Optional,
        keyword_only: Presence::Optional,
        returns: Presence::Optional,
        return_names: Presence::Optional,
    };
}
