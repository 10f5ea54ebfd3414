//! C++ types as a structure, in which conversions between calling conventions are found.
//!
//! Invariant: the process makes each type and its spelling once and keeps it, so equal types are
//! the same object. A process that lives long keeps those of each name that it reads.
//! [`binding`](super::binding) adds the meaning of values. Rule:
//! torchgen/api/types/types_base.py and types.py.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::ptr;
use std::sync::{Mutex, OnceLock, PoisonError};

use rustc_hash::{FxBuildHasher, FxHashMap};

use super::base_type::BaseCppType;

/// The structure of a [`CType`].
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum CTypeKind {
    /// A type without structure.
    Base(BaseCppType),
    /// Another type without structure, by its qualified name.
    Named(Box<str>),
    /// `const T &`
    ConstRef(CType),
    /// `T &`
    MutRef(CType),
    /// `::std::vector<T>`
    Vector(CType),
    /// `::std::array<T,n>`
    Array(CType, u32),
    /// `::std::tuple<A,B>`
    Tuple(Box<[CType]>),
    /// `::std::optional<T>`
    Optional(CType),
    /// `c10::List<T>`
    List(CType),
    /// `at::ArrayRef<T>`
    ArrayRef(CType),
    /// `at::vec::Vectorized<T>`
    Vectorized(CType),
    /// `c10::Dict<K, V>`; not in the reference, whose grammar has no dictionaries
    Dict(CType, CType),
}

/// A C++ type.
#[derive(Clone, Copy)]
pub struct CType(&'static Made);

struct Made {
    kind: CTypeKind,
    text: Box<str>,
    /// The type without any reference inside; `None` when that is the type itself.
    bare: Option<CType>,
    /// The types that are made of this one alone, by [`Around`].
    around: [OnceLock<CType>; 7],
}

/// What makes one type of another.
#[derive(Clone, Copy)]
enum Around {
    ConstRef,
    MutRef,
    Vector,
    Optional,
    List,
    ArrayRef,
    Vectorized,
}

/// The types that have no place in another type, and those without structure no place of their own.
static OTHERS: Mutex<FxHashMap<CTypeKind, CType>> = Mutex::new(FxHashMap::with_hasher(FxBuildHasher));
static BASES: [OnceLock<CType>; BaseCppType::COUNT] = [const { OnceLock::new() }; BaseCppType::COUNT];

impl CType {
    /// The type with that structure.
    fn from_kind(kind: CTypeKind) -> CType {
        let known = |others: &FxHashMap<CTypeKind, CType>| others.get(&kind).copied();
        if let Some(known) = known(&OTHERS.lock().unwrap_or_else(PoisonError::into_inner)) {
            return known;
        }
        // Without the lock: the type without references may be another of these.
        let made = CType::made(kind.clone());
        *OTHERS.lock().unwrap_or_else(PoisonError::into_inner).entry(kind).or_insert(made)
    }

    fn made(kind: CTypeKind) -> CType {
        CType(Box::leak(Box::new(Made::of(kind))))
    }

    fn around(self, around: Around) -> CType {
        *self.0.around[around as usize].get_or_init(|| {
            CType::made(match around {
                Around::ConstRef => CTypeKind::ConstRef(self),
                Around::MutRef => CTypeKind::MutRef(self),
                Around::Vector => CTypeKind::Vector(self),
                Around::Optional => CTypeKind::Optional(self),
                Around::List => CTypeKind::List(self),
                Around::ArrayRef => CTypeKind::ArrayRef(self),
                Around::Vectorized => CTypeKind::Vectorized(self),
            })
        })
    }

    /// A type without structure.
    pub fn base(base: BaseCppType) -> CType {
        *BASES[base as usize].get_or_init(|| CType::made(CTypeKind::Base(base)))
    }

    /// A type by its qualified name, for names known only at run time.
    pub fn from_qualified_name(name: &str) -> CType {
        CType::from_kind(CTypeKind::Named(name.into()))
    }

    /// `const T &`
    pub fn const_ref(&self) -> CType {
        self.around(Around::ConstRef)
    }

    /// `T &`
    pub fn mut_ref(&self) -> CType {
        self.around(Around::MutRef)
    }

    /// `::std::vector<T>`
    pub fn vector(&self) -> CType {
        self.around(Around::Vector)
    }

    /// `::std::array<T,n>`
    pub fn array(&self, size: u32) -> CType {
        CType::from_kind(CTypeKind::Array(*self, size))
    }

    /// `::std::tuple<A,B>`
    pub fn tuple(elems: impl Into<Box<[CType]>>) -> CType {
        CType::from_kind(CTypeKind::Tuple(elems.into()))
    }

    /// `::std::optional<T>`
    pub fn optional(&self) -> CType {
        self.around(Around::Optional)
    }

    /// `c10::List<T>`
    pub fn list(&self) -> CType {
        self.around(Around::List)
    }

    /// `at::ArrayRef<T>`
    pub fn array_ref(&self) -> CType {
        self.around(Around::ArrayRef)
    }

    /// `at::vec::Vectorized<T>`
    pub fn vectorized(&self) -> CType {
        self.around(Around::Vectorized)
    }

    /// `c10::Dict<K, V>`
    pub(crate) fn dict(key: CType, value: CType) -> CType {
        CType::from_kind(CTypeKind::Dict(key, value))
    }

    /// The type with owning strings, also in optionals and vectors.
    pub(crate) fn owning_strings(&self) -> CType {
        match self.kind() {
            CTypeKind::Base(BaseCppType::String) => CType::base(BaseCppType::StdString),
            CTypeKind::Optional(elem) => elem.owning_strings().optional(),
            CTypeKind::Vector(elem) => elem.owning_strings().vector(),
            _ => *self,
        }
    }

    /// How the type is built.
    pub fn kind(&self) -> &CTypeKind {
        &self.0.kind
    }

    /// The type without structure that this is; `None` for those made by
    /// [`CType::from_qualified_name`].
    pub fn as_base(&self) -> Option<BaseCppType> {
        match self.0.kind {
            CTypeKind::Base(base) => Some(base),
            _ => None,
        }
    }

    /// Whether it has no structure.
    pub fn is_plain(&self) -> bool {
        matches!(self.kind(), CTypeKind::Base(_) | CTypeKind::Named(_))
    }

    /// Whether it is this type without structure.
    pub fn is(&self, base: BaseCppType) -> bool {
        self.as_base() == Some(base)
    }

    /// The type as C++ spells it.
    pub fn cpp_type(&self) -> &str {
        &self.0.text
    }

    /// The type as C++ spells it, without the outermost reference. References further inside stay.
    pub fn cpp_type_strip_ref(&self) -> &str {
        match self.kind() {
            CTypeKind::ConstRef(elem) | CTypeKind::MutRef(elem) => elem.cpp_type_strip_ref(),
            _ => self.cpp_type(),
        }
    }

    /// The type without references at any depth.
    pub fn remove_const_ref(&self) -> CType {
        self.0.bare.unwrap_or(*self)
    }

    /// The same, or `None` if it has no references.
    fn bare(&self) -> Option<CType> {
        self.0.bare
    }
}

impl Made {
    fn of(kind: CTypeKind) -> Made {
        use CTypeKind::*;
        let text = match &kind {
            Base(base) => base.as_str().to_owned(),
            Named(name) => name.to_string(),
            ConstRef(elem) => format!("const {elem} &"),
            MutRef(elem) => format!("{elem} &"),
            Vector(elem) => format!("::std::vector<{elem}>"),
            Array(elem, size) => format!("::std::array<{elem},{size}>"),
            Tuple(elems) => {
                let elems: Vec<&str> = elems.iter().map(CType::cpp_type).collect();
                format!("::std::tuple<{}>", elems.join(","))
            }
            Optional(elem) => format!("::std::optional<{elem}>"),
            List(elem) => format!("c10::List<{elem}>"),
            ArrayRef(elem) => format!("at::ArrayRef<{elem}>"),
            Vectorized(elem) => format!("at::vec::Vectorized<{elem}>"),
            Dict(key, value) => format!("c10::Dict<{key}, {value}>"),
        };
        let bare = match &kind {
            Base(_) | Named(_) | Vectorized(_) => None,
            ConstRef(elem) | MutRef(elem) => Some(elem.remove_const_ref()),
            Vector(elem) => elem.bare().map(|elem| elem.vector()),
            Array(elem, size) => elem.bare().map(|elem| elem.array(*size)),
            Tuple(elems) if elems.iter().all(|elem| elem.bare().is_none()) => None,
            Tuple(elems) => Some(CType::tuple(elems.iter().map(CType::remove_const_ref).collect::<Vec<_>>())),
            Optional(elem) => elem.bare().map(|elem| elem.optional()),
            List(elem) => elem.bare().map(|elem| elem.list()),
            ArrayRef(elem) => elem.bare().map(|elem| elem.array_ref()),
            Dict(key, value) if key.bare().is_none() && value.bare().is_none() => None,
            Dict(key, value) => Some(CType::dict(key.remove_const_ref(), value.remove_const_ref())),
        };
        Made { kind, text: text.into(), bare, around: Default::default() }
    }
}

impl From<BaseCppType> for CType {
    fn from(base: BaseCppType) -> CType {
        CType::base(base)
    }
}

impl PartialEq for CType {
    fn eq(&self, other: &CType) -> bool {
        ptr::eq(self.0, other.0)
    }
}

impl Eq for CType {}

impl Hash for CType {
    fn hash<H: Hasher>(&self, state: &mut H) {
        ptr::hash(self.0, state);
    }
}

impl fmt::Display for CType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.text)
    }
}

impl fmt::Debug for CType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "CType({})", self.0.text)
    }
}

impl serde::Serialize for CType {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(ty: &CType, text: &str, without_ref: &str, bare: &str) {
        assert_eq!(ty.cpp_type(), text);
        assert_eq!(ty.cpp_type_strip_ref(), without_ref);
        assert_eq!(ty.remove_const_ref().cpp_type(), bare);
    }

    #[test]
    fn spelling() {
        let tensor = CType::base(BaseCppType::Tensor);
        check(&tensor, "at::Tensor", "at::Tensor", "at::Tensor");
        check(&tensor.const_ref(), "const at::Tensor &", "at::Tensor", "at::Tensor");
        check(&tensor.mut_ref(), "at::Tensor &", "at::Tensor", "at::Tensor");
        check(
            &tensor.optional().list().const_ref(),
            "const c10::List<::std::optional<at::Tensor>> &",
            "c10::List<::std::optional<at::Tensor>>",
            "c10::List<::std::optional<at::Tensor>>",
        );
        check(
            &CType::tuple([tensor.mut_ref(), tensor.mut_ref()]),
            "::std::tuple<at::Tensor &,at::Tensor &>",
            "::std::tuple<at::Tensor &,at::Tensor &>",
            "::std::tuple<at::Tensor,at::Tensor>",
        );
        check(
            &tensor.const_ref().vector().const_ref(),
            "const ::std::vector<const at::Tensor &> &",
            "::std::vector<const at::Tensor &>",
            "::std::vector<at::Tensor>",
        );
        check(
            &CType::base(BaseCppType::Bool).array(3),
            "::std::array<bool,3>",
            "::std::array<bool,3>",
            "::std::array<bool,3>",
        );
        check(
            &CType::from_qualified_name("my::Type").array_ref(),
            "at::ArrayRef<my::Type>",
            "at::ArrayRef<my::Type>",
            "at::ArrayRef<my::Type>",
        );
        assert!(
            CType::from_qualified_name("my::Type").is_plain() && CType::from_qualified_name("at::Tensor") != tensor
        );
    }

    #[test]
    fn types_of_several_threads() {
        fn made() -> CType {
            CType::tuple([CType::base(BaseCppType::Layout).optional().mut_ref()])
        }
        let there = std::thread::spawn(made).join().unwrap();
        assert_eq!(made(), there);
        assert_eq!(made().remove_const_ref(), there.remove_const_ref());
    }
}
