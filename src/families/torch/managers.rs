//! The managers of ATen's outputs. Rule: torchgen/gen.py, `main`.

use crate::write::Manager;

/// ATen's sources and headers.
pub(crate) const CPU: Manager = Manager::new("cpu", Some(""));
/// Vectorised CPU kernels, which are compiled once per instruction set.
pub(crate) const CPU_VEC: Manager = Manager::new("cpu_vec", Some("cpu_vec_"));
/// ATen's core.
pub(crate) const CORE: Manager = Manager::new("core", Some("core_"));
/// Headers per operator.
pub(crate) const OPS: Manager = Manager::new("ops", Some("ops_"));
/// CUDA sources and headers.
pub(crate) const CUDA: Manager = Manager::new("cuda", Some("cuda_"));
/// XPU sources and headers.
pub(crate) const XPU: Manager = Manager::new("xpu", Some("xpu_"));
/// AOTInductor's C shims. Not in any list.
pub(crate) const AOTI: Manager = Manager::new("aoti", None);
/// Headers usable without libtorch. Not in any list.
pub(crate) const HEADER_ONLY: Manager = Manager::new("headeronly", None);
