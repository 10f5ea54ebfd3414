//! The kernels of an operator, and why each exists.
//!
//! Invariant: each key once, in the order in which the sources name the keys first; kernels in
//! Python come last.

use super::types::{Kernel, Origin};
use super::{Known, id};
use torchgen_kit::facts::Place;
use torchgen_model::model::python_function::PythonKernel;
use torchgen_model::model::{BackendIndex, BackendMetadata, DispatchKey, NativeFunction};

/// The kernel that an operator has for a key.
pub(super) type Own<'a> = (&'a BackendIndex, &'a BackendMetadata);

impl<'a> Known<'a> {
    /// An operator's own kernels.
    pub(super) fn kernels_of(&self, f: &NativeFunction) -> Vec<Own<'a>> {
        self.indices.iter().filter_map(|index| Some((index, index.get_kernel(f)?))).collect()
    }

    /// The kernels of an operator. Those that generated code registers without an entry are known
    /// from a traced run only.
    pub(super) fn dispatch(&self, f: &NativeFunction, own: &[Own<'_>]) -> Vec<Kernel> {
        let delegate = f.structured_delegate.as_ref();
        let out = delegate.and_then(|name| self.by_name.get(&name.to_string())).filter(|g| g.namespace == f.namespace);
        let of_out = out.map(|g| self.kernels_of(g)).unwrap_or_default();
        let mut kernels = Vec::new();
        let (mut own, mut of_out) = (own.iter().peekable(), of_out.iter().peekable());
        for index in self.indices.iter() {
            let key = index.dispatch_key;
            let is_here = |(other, _): &&Own<'_>| other.dispatch_key == key;
            let through = of_out.next_if(is_here).filter(|(_, kernel)| kernel.structured);
            let (kernel, named_by) = match (own.next_if(is_here), through, out) {
                (Some((_, kernel)), ..) => (*kernel, f),
                (None, Some((_, kernel)), Some(out)) => (*kernel, *out),
                _ => continue,
            };
            let (origin, at) = self.origin(f, named_by, index);
            let own = f.conditions.kernels.iter().find(|(of, _)| *of == key);
            kernels.push(Kernel {
                key: key.to_string(),
                function: format!("{}::{}", kernel.cpp_namespace, kernel.kernel),
                structured: kernel.structured,
                symint: kernel.supports_symint(),
                origin,
                at,
                registered: None,
                through: (id(named_by) != id(f)).then(|| named_by.full_name()),
                when: own.map(|(_, condition)| condition.text().to_owned()),
            });
        }
        kernels.extend(f.python_kernels.iter().map(|kernel| self.in_python(f, kernel)));
        kernels
    }

    /// A kernel that is a Python function.
    fn in_python(&self, f: &NativeFunction, kernel: &PythonKernel) -> Kernel {
        Kernel {
            key: kernel.key.to_string(),
            function: kernel.function.to_string(),
            structured: false,
            symint: true,
            origin: Origin::Dispatch,
            at: self.place(f, self.key_span(f, kernel.key).unwrap_or(kernel.span)),
            registered: None,
            through: None,
            when: None,
        }
    }

    /// Why the kernel that an entry names exists, and where, for the facts of an operator.
    fn origin(&self, of: &NativeFunction, f: &NativeFunction, index: &BackendIndex) -> (Origin, Option<Place>) {
        let key = index.dispatch_key;
        let written = f.spans.kernels.iter().find(|(own, _)| *own == key).map(|(_, span)| *span);
        match written {
            _ if index.external => (Origin::Backend, None),
            _ if f.is_generated() => (Origin::Generated, None),
            Some(span) => (Origin::Dispatch, self.place(of, self.key_span(f, key).unwrap_or(span))),
            None if !f.ufunc_inner_loop.is_empty() => (Origin::UfuncInnerLoop, None),
            None => (Origin::Default, None),
        }
    }

    /// The word in `dispatch:` that is the key.
    fn key_span(&self, f: &NativeFunction, key: DispatchKey) -> Option<torchgen_base::diag::Span> {
        let table = f.spans.dispatch?;
        let text = self.sources.snippet(table);
        let is_word = |c: char| c.is_alphanumeric();
        let (start, _) = text.match_indices(key.as_str()).find(|(start, name)| {
            !text[..*start].ends_with(is_word) && !text[start + name.len()..].starts_with(is_word)
        })?;
        Some(torchgen_base::diag::Span { start: table.start + start as u32, ..table })
    }
}
