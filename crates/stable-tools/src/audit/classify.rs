//! Where an imported symbol comes from.

use super::symbols::Import;
use torchgen_library::stable::shim::{Shim, ShimFunction};

/// The origin of a symbol.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Class<'a> {
    /// A function of the C shim, in some version.
    Shim(&'a ShimFunction),
    /// Another symbol of libtorch, which may change in any version.
    Torch,
    /// The interpreter of Python.
    Python,
    /// The C and C++ run time, or a library that is not PyTorch's.
    Other,
}

/// The outermost namespaces of libtorch.
const NAMESPACES: &[&str] = &["at", "c10", "torch", "caffe2"];

/// Files of libtorch, without directory, `lib` and ending.
const LIBRARIES: &[&str] = &["torch", "torch_cpu", "torch_cuda", "torch_python", "torch_xpu", "c10", "c10_cuda"];

/// The class of a symbol.
pub(super) fn classify<'a>(import: &Import, shim: &'a Shim) -> Class<'a> {
    let name = import.name.as_str();
    if let Some(function) = shim.get(name) {
        return Class::Shim(function);
    }
    let torch = name.starts_with("aoti_torch_")
        || name.starts_with("torch_")
        || outermost(name).is_some_and(|space| NAMESPACES.contains(&space) || space.starts_with("THP"))
        || import.library.as_deref().is_some_and(|library| LIBRARIES.contains(&stem(library)));
    if torch {
        return Class::Torch;
    }
    let python = name.strip_prefix('_').unwrap_or(name).strip_prefix("Py");
    match python.is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_uppercase() || c == '_')) {
        true => Class::Python,
        false => Class::Other,
    }
}

/// `torch_cpu` of `@rpath/libtorch_cpu.dylib`.
fn stem(library: &str) -> &str {
    let file = library.rsplit(['/', '\\']).next().unwrap_or(library);
    let file = file.strip_prefix("lib").unwrap_or(file);
    file.split('.').next().unwrap_or(file)
}

/// The outermost scope of a C++ name: a namespace, or the name itself.
fn outermost(name: &str) -> Option<&str> {
    match (name.strip_prefix("_Z"), name.strip_prefix('?')) {
        (Some(rest), _) => itanium(rest),
        (None, Some(rest)) => microsoft(rest),
        (None, None) => None,
    }
}

/// The first identifier of a name as GCC and Clang write it: `N2at5emptyE` has `at`.
fn itanium(rest: &str) -> Option<&str> {
    // Virtual tables, type information, guards.
    let rest = ["TV", "TI", "TS", "TT", "GV"].iter().find_map(|kind| rest.strip_prefix(kind)).unwrap_or(rest);
    let rest = match rest.strip_prefix('N') {
        Some(rest) => rest.trim_start_matches(['r', 'V', 'K', 'R', 'O']),
        None => rest,
    };
    let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let (length, rest) = rest.split_at(digits);
    rest.get(..length.parse().ok()?)
}

/// The last scope of a name as Microsoft's compiler writes it: `?empty@at@@YA…` has `at`.
fn microsoft(rest: &str) -> Option<&str> {
    let (scopes, _) = rest.split_once("@@")?;
    scopes.rsplit('@').next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scopes() {
        for (name, scope) in [
            ("_ZN2at5emptyEv", Some("at")),
            ("_ZNK3c1010TensorImpl5sizesEv", Some("c10")),
            ("_ZTIN3c105ErrorE", Some("c10")),
            ("_ZTV5Other", Some("Other")),
            ("_Z16THPVariable_WrapRKN2at10TensorBaseE", Some("THPVariable_Wrap")),
            ("_ZNSt9exceptionD2Ev", None),
            ("_Z", None),
            ("_ZN99999999999999999999at", None),
            ("?empty@at@@YAXXZ", Some("at")),
            ("??0Error@c10@@QEAA@XZ", Some("c10")),
            ("?", None),
            ("puts", None),
        ] {
            assert_eq!(outermost(name), scope, "{name}");
        }
    }

    #[test]
    fn classes() {
        let shim = Shim::read_table();
        let class = |name: &str, library: &str| {
            let library = (!library.is_empty()).then(|| library.to_owned());
            classify(&Import { name: name.to_owned(), library }, &shim)
        };
        assert!(matches!(class("torch_call_dispatcher", "torch_cpu.dll"), Class::Shim(_)));
        assert_eq!(class("torch_new_thing", ""), Class::Torch);
        assert_eq!(class("anything", "@rpath/libtorch_cpu.dylib"), Class::Torch);
        assert_eq!(class("anything", "/usr/lib/libSystem.B.dylib"), Class::Other);
        assert_eq!(class("PyObject_Call", ""), Class::Python);
        assert_eq!(class("_Py_Dealloc", ""), Class::Python);
        assert_eq!(class("Pyramid", ""), Class::Other);
    }
}
