// Kernels that every build has.
#include <cond/NativeFunctions.h>

#include <ATen/ATen.h>

namespace cond::native {

at::Tensor always(const at::Tensor& self) {
  return self + 1;
}

at::Tensor shifted_meta(const at::Tensor& self) {
  return at::empty_like(self);
}

at::Tensor recent(const at::Tensor& self) {
  return self + 3;
}

} // namespace cond::native
