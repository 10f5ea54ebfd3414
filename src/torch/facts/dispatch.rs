//! The kernels of an operator, and why each exists.
//!
//! Invariant: each key once, in the order in which the sources name the keys first.

use super::types::{Kernel, Origin};
use super::{Known, id};
use torchgen_kit::facts::Place;
use torchgen_model::model::{BackendIndex, DispatchKey, NativeFunction};

impl Known<'_> {
    /// The kernels of an operator. Those that generated code registers without an entry are known
    /// from a traced run only.
    pub(super) fn dispatch(&self, f: &NativeFunction) -> Vec<Kernel> {
        let delegate = f.structured_delegate.as_ref();
        let out = delegate.and_then(|name| self.by_name.get(&name.to_string())).filter(|g| g.namespace == f.namespace);
        let mut kernels = Vec::new();
        for index in self.indices.iter() {
            let key = index.dispatch_key;
            let own = index.get_kernel(f).map(|kernel| (kernel, f));
            let through = || Some((index.get_kernel(out?).filter(|kernel| kernel.structured)?, *out?));
            let Some((kernel, named_by)) = own.or_else(through) else { continue };
            let (origin, at) = self.origin(f, named_by, index);
            let own = f.conditions.kernels.iter().find(|(of, _)| *of == key);
            kernels.push(Kernel {
                key: key.to_string(),
                function: format!("{}::{}", kernel.cpp_namespace, kernel.kernel),
                structured: kernel.structured,
                symint: kernel.supports_symint(),
                origin,
                at,
                through: (id(named_by) != id(f)).then(|| named_by.full_name()),
                when: own.map(|(_, condition)| condition.text().to_owned()),
            });
        }
        kernels
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
