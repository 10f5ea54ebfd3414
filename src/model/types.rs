//! The types of a schema: base types, optionals, lists, custom classes, and alias annotations.
//!
//! Invariant: `Display` gives back the parsed text. Deliberately absent: what a type is called in C++ (see `api`).

/// A type that has no further structure. Rule: torchgen/model.py, `BaseTy`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum BaseTy {
    Generator,
    ScalarType,
    Tensor,
    Int,
    DimVector,
    Float,
    Str,
    Bool,
    Layout,
    Device,
    DeviceIndex,
    Scalar,
    MemoryFormat,
    QScheme,
    Storage,
    Stream,
    SymInt,
    SymBool,
    GraphModule,
}

/// The type of an argument or return.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Type {
    /// `Tensor`, `int`, …
    Base(BaseTy),
    /// `T?`
    Optional(Box<Type>),
    /// `T[]` or `T[n]`
    List(Box<Type>, Option<u32>),
    /// `__torch__.torch.classes.X`: holds `X`
    CustomClass(String),
    /// `Dict(K, V)`: c10's grammar only, accepted in the library layout
    Dict(Box<Type>, Box<Type>),
}

/// What a tensor may alias and whether it is written: `(a)`, `(a!)`, `(a! -> a|b)`, `(a -> *)`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Annotation {
    /// Alias sets before the operator runs.
    pub alias_set: Vec<String>,
    /// The tensor is written.
    pub is_write: bool,
    /// Alias sets afterwards (`*` is the wildcard); empty when there is no arrow.
    pub alias_set_after: Vec<String>,
    /// Written as c10's short form `Tensor!` (library layout); the alias set is then a made-up unique one that is not printed.
    pub bare: bool,
}
