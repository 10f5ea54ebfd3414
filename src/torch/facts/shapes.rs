//! The shape functions that a lazy backend must declare.
//!
//! Invariant: an operator has one only if PyTorch has no meta function for it. Rule:
//! torchgen/dest/lazy_ir.py, `ComputeShapeSignature`.

use std::collections::HashSet;

use torchgen_api::cpp;
use torchgen_backend::backend::kernels::Added;
use torchgen_backend::lazy::shape;
use torchgen_kit::facts::Signature;
use torchgen_model::model::{BackendIndices, BackendMetadata, DispatchKey, NativeFunction};

/// Which shape functions are asked for.
#[derive(Debug, Default)]
pub(crate) struct Shapes {
    wanted: Wanted,
    key: Option<DispatchKey>,
}

#[derive(Debug, Default)]
enum Wanted {
    #[default]
    None,
    All,
    Some(HashSet<String>),
}

impl Shapes {
    /// Those of the operators that the backend has lazy kernels of; without a backend, of all.
    pub(crate) fn new(lazy: bool, backend: Option<&Added>) -> Shapes {
        let wanted = match backend {
            _ if !lazy => Wanted::None,
            None => Wanted::All,
            Some(added) => Wanted::Some(added.full_codegen.clone()),
        };
        Shapes { wanted, key: backend.and_then(|added| added.key) }
    }

    /// The shape function of an operator.
    pub(super) fn shape_function_of(&self, f: &NativeFunction, indices: &BackendIndices) -> Option<Signature> {
        let wanted = match &self.wanted {
            Wanted::None => false,
            Wanted::All => true,
            Wanted::Some(names) => names.contains(&f.func.name.to_string()),
        };
        let own = || indices.find(self.key?)?.get_kernel(f).cloned();
        let plain = || BackendMetadata { kernel: cpp::name(&f.func), structured: false, cpp_namespace: String::new() };
        let kernel = wanted.then(|| own().unwrap_or_else(plain))?;
        let text = shape::required(f, &kernel).ok()??;
        Some(Signature {
            convention: "lazy".into(),
            form: "shape".into(),
            scope: "torch::lazy".to_owned(),
            faithful: true,
            symint: kernel.supports_symint(),
            name: format!("compute_shape_{}", kernel.kernel),
            returns: "std::vector<torch::lazy::Shape>".to_owned(),
            text,
            ..Signature::default()
        })
    }
}
