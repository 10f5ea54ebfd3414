#include <calls/NativeFunctions.h>

#include <torch/csrc/stable/ops.h>

namespace calls {

Tensor native::nop(const Tensor& self) {
  return self;
}

Tensor native::five(const Tensor& self, int64_t, double, bool, const std::optional<Tensor>&) {
  return self;
}

Tensor native::product(const Tensor& self, const Tensor&) {
  return torch::stable::empty_like(self);
}

} // namespace calls
