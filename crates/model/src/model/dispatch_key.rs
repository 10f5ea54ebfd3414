//! Dispatch keys and the sets of them that the generators treat the same.
//!
//! Invariant: the variants and their order are those of c10's enum limited to those that code
//! generation uses. Rule: torchgen/model.py, `DispatchKey`.

/// Declares the enum once, with its spelling and parser.
macro_rules! dispatch_keys {
    ($($name:ident),* $(,)?) => {
        /// A dispatch key, spelled as PyTorch spells it.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
        #[allow(missing_docs, non_camel_case_types, clippy::upper_case_acronyms)]
        pub enum DispatchKey { $($name),* }

        /// Whether kernels for the key of that name record gradients.
pub fn records_gradients(key: &str) -> bool {
    key.starts_with("Autograd") || key == DispatchKey::CompositeImplicitAutograd.as_str()
}

impl DispatchKey {
            /// Every key, in order of declaration.
            pub const ALL: &'static [DispatchKey] = &[$(DispatchKey::$name),*];

            /// The key's name.
            pub fn as_str(self) -> &'static str {
                match self { $(DispatchKey::$name => stringify!($name)),* }
            }

            /// The key of that name, or `None`. `CatchAll` is another name of `Undefined`.
            pub fn parse(text: &str) -> Option<DispatchKey> {
                match text {
                    $(stringify!($name) => Some(DispatchKey::$name),)*
                    "CatchAll" => Some(DispatchKey::Undefined),
                    _ => None,
                }
            }
        }
    };
}

dispatch_keys! {
    Undefined, FPGA, MAIA, Vulkan, Metal, MKLDNN, OpenGL, OpenCL, IDEEP, CustomRNGKeyId, MkldnnCPU, Sparse,
    SparseCsr, NestedTensor, Dense, PythonTLSSnapshot, PreDispatch, PythonDispatcher, Python,
    FuncTorchDynamicLayerBackMode, ZeroTensor, Conjugate, Negative, BackendSelect, Named, AutogradOther,
    AutogradFunctionality, AutogradNestedTensor, Tracer, Autocast, AutocastCPU, AutocastCUDA, AutocastXPU,
    Batched, VmapMode, FuncTorchGradWrapper, FuncTorchBatched, BatchedNestedTensor, FuncTorchVmapMode,
    FuncTorchDynamicLayerFrontMode, Functionalize, TESTING_ONLY_GenericWrapper, TESTING_ONLY_GenericMode,
    ADInplaceOrView, Autograd, CompositeImplicitAutograd, CompositeImplicitAutogradNestedTensor,
    CompositeExplicitAutograd, CompositeExplicitAutogradNonFunctional, FuncTorchBatchedDecomposition, CPU,
    CUDA, HIP, XLA, MTIA, MPS, IPU, XPU, HPU, VE, Lazy, Meta, PrivateUse1, PrivateUse2, PrivateUse3,
    QuantizedCPU, QuantizedCUDA, QuantizedHIP, QuantizedXLA, QuantizedMTIA, QuantizedMPS, QuantizedIPU,
    QuantizedXPU, QuantizedHPU, QuantizedVE, QuantizedLazy, QuantizedMeta, QuantizedPrivateUse1,
    QuantizedPrivateUse2, QuantizedPrivateUse3, SparseCPU, SparseCUDA, SparseHIP, SparseXLA, SparseMTIA,
    SparseMPS, SparseIPU, SparseXPU, SparseHPU, SparseVE, SparseLazy, SparseMeta, SparsePrivateUse1,
    SparsePrivateUse2, SparsePrivateUse3, SparseCsrCPU, SparseCsrCUDA, SparseCsrHIP, SparseCsrXLA,
    SparseCsrMTIA, SparseCsrMPS, SparseCsrIPU, SparseCsrXPU, SparseCsrHPU, SparseCsrVE, SparseCsrLazy,
    SparseCsrMeta, SparseCsrPrivateUse1, SparseCsrPrivateUse2, SparseCsrPrivateUse3, NestedTensorCPU,
    NestedTensorCUDA, NestedTensorHIP, NestedTensorXLA, NestedTensorMTIA, NestedTensorMPS, NestedTensorIPU,
    NestedTensorXPU, NestedTensorHPU, NestedTensorVE, NestedTensorLazy, NestedTensorMeta,
    NestedTensorPrivateUse1, NestedTensorPrivateUse2, NestedTensorPrivateUse3, AutogradCPU, AutogradCUDA,
    AutogradHIP, AutogradXLA, AutogradMTIA, AutogradMPS, AutogradIPU, AutogradXPU, AutogradHPU, AutogradVE,
    AutogradLazy, AutogradMeta, AutogradPrivateUse1, AutogradPrivateUse2, AutogradPrivateUse3,
}

impl std::fmt::Display for DispatchKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

impl DispatchKey {
    /// The keys by which derivatives can differ. Rule: torchgen/model.py, `AUTOGRAD_KEYS`.
    pub const AUTOGRAD: &'static [DispatchKey] = {
        use DispatchKey::*;
        &[
            AutogradNestedTensor,
            AutogradCPU,
            AutogradCUDA,
            AutogradHIP,
            AutogradXLA,
            AutogradMTIA,
            AutogradMPS,
            AutogradIPU,
            AutogradXPU,
            AutogradHPU,
            AutogradVE,
            AutogradLazy,
            AutogradMeta,
            AutogradPrivateUse1,
            AutogradPrivateUse2,
            AutogradPrivateUse3,
        ]
    };

    /// The name in lower case, as in file names.
    pub fn lower(self) -> String {
        self.as_str().to_ascii_lowercase()
    }

    /// A key for all backends. Rule: torchgen/model.py, `is_generic_dispatch_key`.
    pub fn is_generic(self) -> bool {
        use DispatchKey::*;
        matches!(
            self,
            CompositeExplicitAutograd
                | CompositeExplicitAutogradNonFunctional
                | CompositeImplicitAutograd
                | CompositeImplicitAutogradNestedTensor
        )
    }

    /// A key of CUDA devices. Rule: torchgen/model.py, `is_cuda_dispatch_key`.
    pub fn is_cuda(self) -> bool {
        use DispatchKey::*;
        matches!(self, CUDA | QuantizedCUDA | SparseCUDA | SparseCsrCUDA | NestedTensorCUDA | AutogradCUDA)
    }

    /// A key of XPU devices. Rule: torchgen/model.py, `is_xpu_dispatch_key`.
    pub fn is_xpu(self) -> bool {
        use DispatchKey::*;
        matches!(self, XPU | QuantizedXPU | SparseXPU | SparseCsrXPU | NestedTensorXPU | AutogradXPU)
    }

    /// A key of devices that can be several, each with memory of its own.
    pub(crate) fn is_device(self) -> bool {
        const BACKENDS: [&str; 13] = [
            "CUDA",
            "HIP",
            "XLA",
            "MTIA",
            "MPS",
            "IPU",
            "XPU",
            "HPU",
            "VE",
            "MAIA",
            "PrivateUse1",
            "PrivateUse2",
            "PrivateUse3",
        ];
        let name = self.as_str();
        !name.starts_with("Autograd") && BACKENDS.iter().any(|backend| name.ends_with(backend))
    }

    /// A key of one backend, or of autograd above it: the dispatcher derives it from arguments.
    pub fn is_of_backend(self) -> bool {
        use DispatchKey::*;
        let first = CPU as usize;
        self as usize >= first
            || matches!(
                self,
                FPGA | MAIA | Vulkan | Metal | MkldnnCPU | Autograd | AutogradOther | AutogradNestedTensor
            )
    }

    /// A key for which libraries can have structured kernels: outputs are made as strided tensors.
    /// As in PyTorch, kernels for other layouts are plain functions.
    pub(crate) fn is_strided(self) -> bool {
        let other = ["Sparse", "Quantized", "NestedTensor", "Mkldnn"];
        !self.is_generic() && self != DispatchKey::Meta && !other.iter().any(|other| self.as_str().starts_with(other))
    }
}
