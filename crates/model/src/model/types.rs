//! The types of a schema: base types, optionals, lists, custom classes, and alias annotations.
//!
//! Invariant: `Display` prints the parsed text. C++ types are in `api`.

use std::fmt;

/// A type without further structure. Rule: torchgen/model.py, `BaseTy`.
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
    /// Only in c10's grammar, for the library layout.
    Complex,
    /// Only in PyTorch's schemas before 2.15, for which no code of PyTorch is generated.
    Dimname,
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
    /// `__torch__.torch.classes.X`: contains `X`
    CustomClass(String),
    /// `Dict(K, V)`: only in c10's grammar, for the library layout
    Dict(Box<Type>, Box<Type>),
}

/// The alias sets of a tensor and whether it is mutable: `(a)`, `(a!)`, `(a! -> a|b)`, `(a -> *)`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Annotation {
    /// Alias sets before the operator runs.
    pub alias_set: Vec<String>,
    /// The tensor is mutable.
    pub is_write: bool,
    /// Alias sets afterwards (`*` is the wildcard); empty if there is no arrow.
    pub alias_set_after: Vec<String>,
    /// Written as c10's short form `Tensor!` (library layout); the alias set then has a generated
    /// unique name that is not printed.
    pub bare: bool,
}

impl BaseTy {
    /// Every base type of the ATen layout, in the reference's order.
    pub(crate) const ATEN: &'static [BaseTy] = &[
        BaseTy::Generator,
        BaseTy::ScalarType,
        BaseTy::Tensor,
        BaseTy::Int,
        BaseTy::DimVector,
        BaseTy::Float,
        BaseTy::Str,
        BaseTy::Bool,
        BaseTy::Layout,
        BaseTy::Device,
        BaseTy::DeviceIndex,
        BaseTy::Scalar,
        BaseTy::MemoryFormat,
        BaseTy::QScheme,
        BaseTy::Storage,
        BaseTy::Stream,
        BaseTy::SymInt,
        BaseTy::SymBool,
        BaseTy::GraphModule,
    ];

    /// Its spelling in schemas.
    pub fn as_str(self) -> &'static str {
        match self {
            BaseTy::Generator => "Generator",
            BaseTy::ScalarType => "ScalarType",
            BaseTy::Tensor => "Tensor",
            BaseTy::Int => "int",
            BaseTy::DimVector => "DimVector",
            BaseTy::Float => "float",
            BaseTy::Str => "str",
            BaseTy::Bool => "bool",
            BaseTy::Layout => "Layout",
            BaseTy::Device => "Device",
            BaseTy::DeviceIndex => "DeviceIndex",
            BaseTy::Scalar => "Scalar",
            BaseTy::MemoryFormat => "MemoryFormat",
            BaseTy::QScheme => "QScheme",
            BaseTy::Storage => "Storage",
            BaseTy::Stream => "Stream",
            BaseTy::SymInt => "SymInt",
            BaseTy::SymBool => "SymBool",
            BaseTy::GraphModule => "GraphModule",
            BaseTy::Complex => "complex",
            BaseTy::Dimname => "Dimname",
        }
    }

    /// The type with that spelling; `complex` and `Dimname` included.
    pub fn parse(text: &str) -> Option<BaseTy> {
        Some(match text {
            "Generator" => BaseTy::Generator,
            "ScalarType" => BaseTy::ScalarType,
            "Tensor" => BaseTy::Tensor,
            "int" => BaseTy::Int,
            "DimVector" => BaseTy::DimVector,
            "float" => BaseTy::Float,
            "str" => BaseTy::Str,
            "bool" => BaseTy::Bool,
            "Layout" => BaseTy::Layout,
            "Device" => BaseTy::Device,
            "DeviceIndex" => BaseTy::DeviceIndex,
            "Scalar" => BaseTy::Scalar,
            "MemoryFormat" => BaseTy::MemoryFormat,
            "QScheme" => BaseTy::QScheme,
            "Storage" => BaseTy::Storage,
            "Stream" => BaseTy::Stream,
            "SymInt" => BaseTy::SymInt,
            "SymBool" => BaseTy::SymBool,
            "GraphModule" => BaseTy::GraphModule,
            "complex" => BaseTy::Complex,
            "Dimname" => BaseTy::Dimname,
            _ => return None,
        })
    }
}

impl Type {
    /// `Tensor`
    pub const TENSOR: Type = Type::Base(BaseTy::Tensor);
    /// `int`
    pub const INT: Type = Type::Base(BaseTy::Int);
    /// `bool`
    pub const BOOL: Type = Type::Base(BaseTy::Bool);
    /// `str`
    pub const STR: Type = Type::Base(BaseTy::Str);
    /// `Scalar`
    pub(crate) const SCALAR: Type = Type::Base(BaseTy::Scalar);
    /// `ScalarType`
    pub const SCALAR_TYPE: Type = Type::Base(BaseTy::ScalarType);
    /// `Layout`
    pub const LAYOUT: Type = Type::Base(BaseTy::Layout);
    /// `Device`
    pub const DEVICE: Type = Type::Base(BaseTy::Device);

    /// `T?`
    #[must_use]
    pub fn optional(self) -> Type {
        Type::Optional(Box::new(self))
    }

    /// `T[]` or `T[n]`
    #[must_use]
    pub fn list(self, size: Option<u32>) -> Type {
        Type::List(Box::new(self), size)
    }

    /// `Tensor?`
    pub fn optional_tensor() -> Type {
        Type::TENSOR.optional()
    }

    /// Whether it is this base type, without optionals or lists.
    pub fn is(&self, base: BaseTy) -> bool {
        matches!(self, Type::Base(own) if *own == base)
    }

    /// The base type inside all optionals and lists; `None` for custom classes and dictionaries.
    pub fn base(&self) -> Option<BaseTy> {
        match self {
            Type::Base(base) => Some(*base),
            Type::Optional(elem) | Type::List(elem, _) => elem.base(),
            Type::CustomClass(_) | Type::Dict(..) => None,
        }
    }

    /// Whether it is this base type, possibly in optionals and lists. Rule: torchgen/model.py,
    /// `Type.is_base_ty_like`.
    pub(crate) fn is_base_ty_like(&self, base: BaseTy) -> bool {
        self.base() == Some(base)
    }

    /// Whether it contains tensors, optional or in lists.
    pub fn is_tensor_like(&self) -> bool {
        self.is_base_ty_like(BaseTy::Tensor)
    }

    /// Whether it contains generators, optional or in lists.
    pub(crate) fn is_generator_like(&self) -> bool {
        self.is_base_ty_like(BaseTy::Generator)
    }

    /// Whether it contains symbolic integers, optional or in lists.
    pub fn is_symint_like(&self) -> bool {
        self.is_base_ty_like(BaseTy::SymInt)
    }

    /// Whether it, or its elements, may be `None`. Rule: torchgen/model.py, `Type.is_nullable`.
    pub fn is_nullable(&self) -> bool {
        match self {
            Type::Optional(_) => true,
            Type::List(elem, _) => elem.is_nullable(),
            Type::Base(_) | Type::CustomClass(_) | Type::Dict(..) => false,
        }
    }

    /// The list in it, if it is a list or an optional one. Rule: torchgen/model.py,
    /// `Type.is_list_like`.
    pub fn is_list_like(&self) -> Option<&Type> {
        match self {
            Type::List(..) => Some(self),
            Type::Optional(elem) => elem.is_list_like(),
            Type::Base(_) | Type::CustomClass(_) | Type::Dict(..) => None,
        }
    }

    /// Whether it is a list that may be `None`.
    pub fn is_optional_list(&self) -> bool {
        matches!(self, Type::Optional(elem) if elem.is_list_like().is_some())
    }

    /// Element type and size of the list in it, if it is a list or an optional one.
    pub fn list_parts(&self) -> Option<(&Type, Option<u32>)> {
        match self.is_list_like() {
            Some(Type::List(elem, size)) => Some((elem, *size)),
            _ => None,
        }
    }

    /// The type of an argument or return with its annotation, which follows the innermost type.
    pub(crate) fn annotated<'a>(&'a self, annotation: Option<&'a Annotation>) -> impl fmt::Display + 'a {
        Annotated { ty: self, annotation }
    }
}

impl Annotation {
    /// `(a!)` for the set `a`.
    pub(crate) fn write(alias: impl Into<String>) -> Annotation {
        Annotation { alias_set: vec![alias.into()], is_write: true, alias_set_after: Vec::new(), bare: false }
    }
}

struct Annotated<'a> {
    ty: &'a Type,
    annotation: Option<&'a Annotation>,
}

impl fmt::Display for Annotated<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let inner = |ty| Annotated { ty, annotation: self.annotation };
        match self.ty {
            Type::Optional(elem) => {
                inner(elem).fmt(f)?;
                return f.write_str("?");
            }
            Type::List(elem, None) => {
                inner(elem).fmt(f)?;
                return f.write_str("[]");
            }
            Type::List(elem, Some(size)) => return write!(f, "{}[{size}]", inner(elem)),
            Type::Base(base) => f.write_str(base.as_str())?,
            Type::CustomClass(class) => write!(f, "__torch__.torch.classes.{class}")?,
            Type::Dict(key, value) => write!(f, "Dict({key}, {value})")?,
        }
        match self.annotation {
            None => Ok(()),
            Some(annotation) if annotation.bare => annotation.fmt(f),
            Some(annotation) => {
                f.write_str("(")?;
                annotation.fmt(f)?;
                f.write_str(")")
            }
        }
    }
}

impl fmt::Display for BaseTy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.annotated(None).fmt(f)
    }
}

/// The text between the parentheses; for the short form only the exclamation mark.
impl fmt::Display for Annotation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.bare {
            write_joined(f, &self.alias_set, "|")?;
        }
        if self.is_write {
            f.write_str("!")?;
        }
        if !self.alias_set_after.is_empty() {
            f.write_str(" -> ")?;
            write_joined(f, &self.alias_set_after, "|")?;
        }
        Ok(())
    }
}

/// Writes texts one after the other, as `write!` would at four times the cost: schemas are printed
/// often.
pub(super) fn write_all<const N: usize>(f: &mut fmt::Formatter<'_>, texts: [&str; N]) -> fmt::Result {
    texts.into_iter().try_for_each(|text| f.write_str(text))
}

/// Writes the items with a separator between them.
pub(super) fn write_joined<T: fmt::Display>(
    f: &mut fmt::Formatter<'_>,
    items: impl IntoIterator<Item = T>,
    separator: &str,
) -> fmt::Result {
    for (i, item) in items.into_iter().enumerate() {
        if i > 0 {
            f.write_str(separator)?;
        }
        item.fmt(f)?;
    }
    Ok(())
}
