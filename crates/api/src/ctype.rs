//! C++ types as a structure, in which conversions between calling conventions are found.
//!
//! Invariant: a [`CType`] is interned, so equal types are the same handle, comparing is a pointer
//! comparison and the spelling is made once. Interned types are never freed: a run has few distinct
//! ones. [`binding`](super::binding) adds the meaning of values. Rule:
//! torchgen/api/types/types_base.py and types.py.

use std::cell::RefCell;
use std::collections::hash_map::Entry;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::{Mutex, PoisonError};

use rustc_hash::FxHashMap;

use super::base_type::BaseCppType;

/// The structure of a [`CType`].
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum CTypeKind {
    /// A type without structure.
    Base(BaseCppType),
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

/// A C++ type. Cheap to copy and to compare.
#[derive(Clone, Copy)]
pub struct CType(&'static Interned);

struct Interned {
    kind: CTypeKind,
    text: &'static str,
    without_ref: &'static str,
    /// The type without any reference inside; `None` when that is the type itself.
    bare: Option<CType>,
}

static INTERNED: Mutex<Option<FxHashMap<CTypeKind, CType>>> = Mutex::new(None);
static NAMES: Mutex<Option<FxHashMap<&'static str, BaseCppType>>> = Mutex::new(None);

thread_local! {
    /// A cache per thread, to avoid the lock for known types.
    static SEEN: RefCell<FxHashMap<CTypeKind, CType>> = RefCell::default();
}

impl CType {
    /// The type with that structure.
    pub(crate) fn of(kind: CTypeKind) -> CType {
        if let Some(known) = SEEN.with_borrow(|seen| seen.get(&kind).copied()) {
            return known;
        }
        let known = CType::intern(&kind);
        SEEN.with_borrow_mut(|seen| seen.insert(kind, known));
        known
    }

    fn intern(kind: &CTypeKind) -> CType {
        let lock = || INTERNED.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = lock().as_ref().and_then(|table| table.get(kind).copied()) {
            return known;
        }
        let fresh = Interned::of(kind.clone());
        match lock().get_or_insert_default().entry(kind.clone()) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(place) => *place.insert(CType(Box::leak(Box::new(fresh)))),
        }
    }

    /// A type without structure.
    pub fn base(base: BaseCppType) -> CType {
        CType::of(CTypeKind::Base(base))
    }

    /// A type by its qualified name, for names known only at run time.
    pub fn named(name: &str) -> CType {
        let mut names = NAMES.lock().unwrap_or_else(PoisonError::into_inner);
        let names = names.get_or_insert_default();
        let base = match names.get(name) {
            Some(base) => *base,
            None => {
                let text: &'static str = String::from(name).leak();
                *names.entry(text).or_insert(BaseCppType::Named(text))
            }
        };
        CType::base(base)
    }

    /// `const T &`
    pub fn const_ref(self) -> CType {
        CType::of(CTypeKind::ConstRef(self))
    }

    /// `T &`
    pub fn mut_ref(self) -> CType {
        CType::of(CTypeKind::MutRef(self))
    }

    /// `::std::vector<T>`
    pub fn vector(self) -> CType {
        CType::of(CTypeKind::Vector(self))
    }

    /// `::std::array<T,n>`
    pub(crate) fn array(self, size: u32) -> CType {
        CType::of(CTypeKind::Array(self, size))
    }

    /// `::std::tuple<A,B>`
    pub fn tuple(elems: impl Into<Box<[CType]>>) -> CType {
        CType::of(CTypeKind::Tuple(elems.into()))
    }

    /// `::std::optional<T>`
    pub fn optional(self) -> CType {
        CType::of(CTypeKind::Optional(self))
    }

    /// `c10::List<T>`
    pub fn list(self) -> CType {
        CType::of(CTypeKind::List(self))
    }

    /// `at::ArrayRef<T>`
    pub fn array_ref(self) -> CType {
        CType::of(CTypeKind::ArrayRef(self))
    }

    /// `at::vec::Vectorized<T>`
    pub fn vectorized(self) -> CType {
        CType::of(CTypeKind::Vectorized(self))
    }

    /// `c10::Dict<K, V>`
    pub(crate) fn dict(key: CType, value: CType) -> CType {
        CType::of(CTypeKind::Dict(key, value))
    }

    /// The type with owning strings, also in optionals and vectors.
    pub(crate) fn owning_strings(self) -> CType {
        match self.kind() {
            CTypeKind::Base(BaseCppType::String) => CType::base(BaseCppType::StdString),
            CTypeKind::Optional(elem) => elem.owning_strings().optional(),
            CTypeKind::Vector(elem) => elem.owning_strings().vector(),
            _ => self,
        }
    }

    /// How the type is built.
    pub fn kind(self) -> &'static CTypeKind {
        &self.0.kind
    }

    /// The structureless type that this is, if it is one.
    pub fn as_base(self) -> Option<BaseCppType> {
        match self.0.kind {
            CTypeKind::Base(base) => Some(base),
            _ => None,
        }
    }

    /// Whether it is this type without structure.
    pub fn is(self, base: BaseCppType) -> bool {
        self.as_base() == Some(base)
    }

    /// The type as C++ spells it.
    pub fn cpp_type(self) -> &'static str {
        self.0.text
    }

    /// The type as C++ spells it, without the outermost reference. References further inside stay.
    pub fn cpp_type_strip_ref(self) -> &'static str {
        self.0.without_ref
    }

    /// The type without references at any depth.
    pub fn remove_const_ref(self) -> CType {
        self.0.bare.unwrap_or(self)
    }
}

impl Interned {
    fn of(kind: CTypeKind) -> Interned {
        use CTypeKind::*;
        let text = match &kind {
            Base(base) => base.as_str(),
            ConstRef(elem) => leak(format!("const {elem} &")),
            MutRef(elem) => leak(format!("{elem} &")),
            Vector(elem) => leak(format!("::std::vector<{elem}>")),
            Array(elem, size) => leak(format!("::std::array<{elem},{size}>")),
            Tuple(elems) => {
                let elems: Vec<&str> = elems.iter().map(|elem| elem.cpp_type()).collect();
                leak(format!("::std::tuple<{}>", elems.join(",")))
            }
            Optional(elem) => leak(format!("::std::optional<{elem}>")),
            List(elem) => leak(format!("c10::List<{elem}>")),
            ArrayRef(elem) => leak(format!("at::ArrayRef<{elem}>")),
            Vectorized(elem) => leak(format!("at::vec::Vectorized<{elem}>")),
            Dict(key, value) => leak(format!("c10::Dict<{key}, {value}>")),
        };
        let without_ref = match &kind {
            ConstRef(elem) | MutRef(elem) => elem.cpp_type_strip_ref(),
            _ => text,
        };
        let bare = match &kind {
            Base(_) | Vectorized(_) => None,
            ConstRef(elem) | MutRef(elem) => Some(elem.remove_const_ref()),
            Vector(elem) => elem.0.bare.map(CType::vector),
            Array(elem, size) => elem.0.bare.map(|elem| elem.array(*size)),
            Tuple(elems) if elems.iter().all(|elem| elem.0.bare.is_none()) => None,
            Tuple(elems) => Some(CType::tuple(elems.iter().map(|elem| elem.remove_const_ref()).collect::<Vec<_>>())),
            Optional(elem) => elem.0.bare.map(CType::optional),
            List(elem) => elem.0.bare.map(CType::list),
            ArrayRef(elem) => elem.0.bare.map(CType::array_ref),
            Dict(key, value) if key.0.bare.is_none() && value.0.bare.is_none() => None,
            Dict(key, value) => Some(CType::dict(key.remove_const_ref(), value.remove_const_ref())),
        };
        Interned { kind, text, without_ref, bare }
    }
}

fn leak(text: String) -> &'static str {
    text.leak()
}

impl From<BaseCppType> for CType {
    fn from(base: BaseCppType) -> CType {
        CType::base(base)
    }
}

impl PartialEq for CType {
    fn eq(&self, other: &CType) -> bool {
        std::ptr::eq(self.0, other.0)
    }
}

impl Eq for CType {}

impl Hash for CType {
    fn hash<H: Hasher>(&self, state: &mut H) {
        std::ptr::from_ref(self.0).hash(state);
    }
}

impl fmt::Display for CType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.text)
    }
}

impl fmt::Debug for CType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "CType({})", self.0.text)
    }
}

impl serde::Serialize for CType {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.0.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(ty: CType, text: &str, without_ref: &str, bare: &str) {
        assert_eq!(ty.cpp_type(), text);
        assert_eq!(ty.cpp_type_strip_ref(), without_ref);
        assert_eq!(ty.remove_const_ref().cpp_type(), bare);
        assert_eq!(CType::of(ty.kind().clone()), ty);
    }

    #[test]
    fn spelling() {
        let tensor = CType::base(BaseCppType::Tensor);
        check(tensor, "at::Tensor", "at::Tensor", "at::Tensor");
        check(tensor.const_ref(), "const at::Tensor &", "at::Tensor", "at::Tensor");
        check(tensor.mut_ref(), "at::Tensor &", "at::Tensor", "at::Tensor");
        check(
            tensor.optional().list().const_ref(),
            "const c10::List<::std::optional<at::Tensor>> &",
            "c10::List<::std::optional<at::Tensor>>",
            "c10::List<::std::optional<at::Tensor>>",
        );
        check(
            CType::tuple([tensor.mut_ref(), tensor.mut_ref()]),
            "::std::tuple<at::Tensor &,at::Tensor &>",
            "::std::tuple<at::Tensor &,at::Tensor &>",
            "::std::tuple<at::Tensor,at::Tensor>",
        );
        check(
            tensor.const_ref().vector().const_ref(),
            "const ::std::vector<const at::Tensor &> &",
            "::std::vector<const at::Tensor &>",
            "::std::vector<at::Tensor>",
        );
        check(
            CType::base(BaseCppType::Bool).array(3),
            "::std::array<bool,3>",
            "::std::array<bool,3>",
            "::std::array<bool,3>",
        );
        check(
            CType::named("my::Type").array_ref(),
            "at::ArrayRef<my::Type>",
            "at::ArrayRef<my::Type>",
            "at::ArrayRef<my::Type>",
        );
        assert_eq!(CType::named("my::Type"), CType::base(BaseCppType::Named("my::Type")));
    }

    #[test]
    fn interning_is_shared_between_threads() {
        let here = CType::base(BaseCppType::Layout).optional().vector();
        let there = std::thread::spawn(|| CType::base(BaseCppType::Layout).optional().vector()).join().unwrap();
        assert_eq!(here, there);
    }
}
