#include <calls/NativeFunctions.h>

#include <ATen/ATen.h>

namespace calls::native {

at::Tensor nop(const at::Tensor& self) {
  return self;
}

at::Tensor five(const at::Tensor& self, int64_t, double, bool, const std::optional<at::Tensor>&) {
  return self;
}

at::Tensor product(const at::Tensor& self, const at::Tensor&) {
  return at::empty_like(self);
}

} // namespace calls::native
