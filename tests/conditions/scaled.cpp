// Kernels that only builds with WITH_SCALED have: others do not compile this file.
#include <cond/NativeFunctions.h>
#include <cond/NativeMetaFunctions.h>

#include <ATen/ATen.h>
#include <torch/library.h>

namespace cond::meta {

TORCH_META_FUNC(clamped)(const at::Tensor& self, double limit) {
  (void)limit;
  set_output_raw_strided(0, self.sym_sizes(), {}, self.options());
}

} // namespace cond::meta

namespace cond::native {

at::Tensor scaled(const at::Tensor& self, double factor) {
  return self * factor;
}

at::Tensor& scaled_(at::Tensor& self, double factor) {
  return self.mul_(factor);
}

at::Tensor shifted_cpu(const at::Tensor& self) {
  return self + 2;
}

TORCH_IMPL_FUNC(clamped_out)(const at::Tensor& self, double limit, const at::Tensor& out) {
  at::clamp_max_out(const_cast<at::Tensor&>(out), self, limit);
}

at::Tensor head(const at::Tensor& self) {
  return self.select(0, 0);
}

at::Tensor made(
    at::IntArrayRef size,
    std::optional<at::ScalarType> dtype,
    std::optional<at::Layout> layout,
    std::optional<at::Device> device,
    std::optional<bool> pin_memory) {
  return at::ones(size, dtype, layout, device, pin_memory);
}

at::Tensor faked(const at::Tensor& self) {
  return self.sum();
}

} // namespace cond::native

TORCH_LIBRARY_IMPL(cond, CompositeExplicitAutograd, m) {
  m.impl("boxed", [](const c10::Dict<std::string, at::Tensor>& table) { return table.at("x"); });
}
