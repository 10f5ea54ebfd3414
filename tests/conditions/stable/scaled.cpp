// Kernels that only builds with WITH_SCALED have.
#include <cond_stable/NativeFunctions.h>

#include <torch/csrc/stable/ops.h>

namespace cond_stable::native {

Tensor& twice_(Tensor& self) {
  float* values = self.mutable_data_ptr<float>();
  for (int64_t i = 0; i < self.numel(); ++i) {
    values[i] *= 2;
  }
  return self;
}

Tensor twice(const Tensor& self) {
  Tensor result = torch::stable::clone(self);
  return twice_(result);
}

Tensor once(const Tensor& self) {
  return torch::stable::clone(self);
}

} // namespace cond_stable::native
