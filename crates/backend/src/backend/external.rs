//! A backend as the generators need it: its keys, and its kernels among those of all keys.
//!
//! Invariant: it is made from a record without errors in [`super::check::check_backend`]. Rule:
//! torchgen/gen_backend_stubs.py, `parse_backend_yaml`.

use std::collections::{HashMap, HashSet};

use rustc_hash::FxHashMap;

use torchgen_api::cpp;
use torchgen_base::yaml::Text;
use torchgen_model::group::{self, Grouped, NativeFunctionsGroup};
use torchgen_model::model::native_function::DeviceCheckType;
use torchgen_model::model::{BackendIndex, BackendIndices, BackendMetadata, DispatchKey, NativeFunction, OperatorName};
use torchgen_model::records::{BackendRecord, KernelRecord};

/// A backend outside PyTorch.
pub(crate) struct External {
    /// The dispatch key of its kernels below autograd.
    pub key: DispatchKey,
    /// What files and classes are called after.
    pub name: String,
    /// The key of those at autograd, if it has any.
    pub(crate) autograd_key: Option<DispatchKey>,
    /// The class that its kernels are members of.
    pub class_name: String,
    /// The namespace of the class.
    pub cpp_namespace: String,
}

impl External {
    /// The backend of a record, with its kernels added to those of PyTorch; `None` if there is no
    /// kernel below autograd, since then nothing is generated.
    pub(crate) fn new(
        record: &BackendRecord,
        functions: &[NativeFunction],
        grouped: &[Grouped<'_>],
        indices: &mut BackendIndices,
    ) -> Option<External> {
        let key = DispatchKey::parse(&record.backend)?;
        let kernels = Kernels::new(record, functions);
        let below: Vec<&Text> = record.supported.iter().chain(&record.full_codegen).collect();
        if below.is_empty() {
            return None;
        }
        let class =
            record.class_name.as_ref().map_or_else(|| format!("{}NativeFunctions", name_of(record)), Text::to_string);
        let mut index = kernels.index(key, below);
        let cpu = indices.get(DispatchKey::CPU);
        structured(record, &class, grouped, cpu, &mut index);
        indices.insert(index);
        let autograd_key = DispatchKey::parse(&format!("Autograd{key}")).filter(|_| !record.autograd.is_empty());
        if let Some(autograd) = autograd_key {
            indices.insert(kernels.index(autograd, record.autograd.iter().collect()));
        }
        let class_name = class;
        let name = name_of(record).to_owned();
        Some(External { key, name, autograd_key, class_name, cpp_namespace: record.cpp_namespace.to_string() })
    }

    /// Its keys, in the order of their files.
    pub(crate) fn keys(&self) -> impl Iterator<Item = DispatchKey> {
        std::iter::once(self.key).chain(self.autograd_key)
    }
}

/// What files and classes of a backend are called after.
pub(crate) fn name_of(record: &BackendRecord) -> &str {
    record.name.as_ref().unwrap_or(&record.backend)
}

/// Adds the structured kernels to a backend's index: all variants of an operator have the same one.
fn structured(
    record: &BackendRecord,
    class: &str,
    grouped: &[Grouped<'_>],
    cpu: &BackendIndex,
    index: &mut BackendIndex,
) {
    for kernel in record.kernels.iter().filter(|kernel| kernel.structured) {
        let is_it = |g: &&NativeFunctionsGroup<'_>| g.out.func.name.to_string() == kernel.name.as_str();
        let groups = group::groups(grouped);
        let Some(g) = groups.iter().find(is_it) else { continue };
        let own = BackendMetadata {
            kernel: g.out.func.name.unambiguous_name(),
            structured: true,
            cpp_namespace: format!("{}::{class}", record.cpp_namespace),
        };
        let metadata = if kernel.reuse_impl { cpu.get_kernel(g.out).cloned().unwrap_or(own) } else { own };
        for f in g.functions() {
            index.index.insert(f.func.name.clone(), metadata.clone());
        }
    }
}

/// Whether any wrapper guards or checks the device: for all operators, or for those that the file
/// names. Operators whose wrappers do not are marked.
pub(crate) fn guards(record: &BackendRecord, functions: &mut [NativeFunction]) -> bool {
    let said: HashMap<&str, &KernelRecord> = record
        .kernels
        .iter()
        .filter(|kernel| kernel.device_guard.is_some() || kernel.device_check.is_some())
        .map(|kernel| (kernel.name.as_str(), kernel))
        .collect();
    if said.is_empty() {
        return record.device_guard;
    }
    for f in functions {
        let of = |name: &OperatorName| said.get(name.to_string().as_str()).copied();
        // A structured kernel also applies to the variants that are made from it.
        let said = of(&f.func.name).or_else(|| f.structured_delegate.as_ref().and_then(of));
        if !said.and_then(|kernel| kernel.device_guard).unwrap_or(record.device_guard) {
            f.device_guard = false;
            f.device_check = DeviceCheckType::NoCheck;
        }
        match said.and_then(|kernel| kernel.device_check) {
            Some(true) => f.device_check = DeviceCheckType::ExactSame,
            Some(false) => f.device_check = DeviceCheckType::NoCheck,
            None => {}
        }
    }
    let either = |kernel: &&KernelRecord| kernel.device_guard == Some(true) || kernel.device_check == Some(true);
    record.device_guard || said.values().any(either)
}

/// Makes kernels from names.
struct Kernels<'a> {
    record: &'a BackendRecord,
    functions: HashMap<String, &'a NativeFunction>,
    symint: HashSet<&'a str>,
}

impl<'a> Kernels<'a> {
    fn new(record: &'a BackendRecord, functions: &'a [NativeFunction]) -> Self {
        Kernels {
            record,
            functions: functions.iter().map(|f| (f.func.name.to_string(), f)).collect(),
            symint: record.symint.iter().map(Text::as_str).collect(),
        }
    }

    fn index(&self, dispatch_key: DispatchKey, names: Vec<&Text>) -> BackendIndex {
        let mut index = FxHashMap::default();
        for name in names {
            let Some(f) = self.functions.get(name.as_str()) else { continue };
            let symint = if self.symint.contains(name.as_str()) { "_symint" } else { "" };
            let kernel = BackendMetadata {
                kernel: format!("{}{symint}", cpp::name(&f.func)),
                structured: false,
                cpp_namespace: self.record.cpp_namespace.to_string(),
            };
            index.insert(f.func.name.clone(), kernel);
        }
        BackendIndex {
            dispatch_key,
            use_out_as_primary: self.record.use_out_as_primary,
            device_guard: self.record.device_guard,
            external: true,
            index,
        }
    }
}
