//! The managers of ATen's outputs. Rule: torchgen/gen.py, `main`.

use torchgen_base::write::Manager;

/// ATen's sources and headers.
pub const CPU: Manager = Manager::new("cpu", Some(""));
/// Vectorised CPU kernels, which are compiled once per instruction set.
pub const CPU_VEC: Manager = Manager::new("cpu_vec", Some("cpu_vec_"));
/// ATen's core.
pub const CORE: Manager = Manager::new("core", Some("core_"));
/// Headers per operator.
pub const OPS: Manager = Manager::new("ops", Some("ops_"));
/// CUDA sources and headers.
pub const CUDA: Manager = Manager::new("cuda", Some("cuda_"));
/// XPU sources and headers.
pub const XPU: Manager = Manager::new("xpu", Some("xpu_"));
/// AOTInductor's C shims. Not in any list.
pub const AOTI: Manager = Manager::new("aoti", None);
/// Headers usable without libtorch. Not in any list.
pub const HEADER_ONLY: Manager = Manager::new("headeronly", None);
