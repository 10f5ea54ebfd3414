// Kernels of namespaces.yaml, written in as many ways as C++ has.
#include <ATen/ATen.h>
#include "out/PrivateUse1NativeFunctions.h"

namespace a::b {

using at::Tensor;

at::Tensor Kernels::abs(const at::Tensor& self) { return self; }
at::Tensor& Kernels::abs_(at::Tensor& self) {
  return self;
}
Tensor& Kernels::abs_out(const Tensor& self, Tensor& out) { return out; }

at::Tensor Kernels::add(
    const at::Tensor& self, /* the other */ const at::Tensor& other,
    const at::Scalar& alpha) {
  // Calls do not count: Kernels is behind a colon here.
  return a::b::Kernels::abs(self);
}
at::Tensor Kernels::mm(const at::Tensor& self, const at::Tensor& mat2) { return self; }
at::Tensor& Kernels::mm_out(const at::Tensor& self, const at::Tensor& mat2, at::Tensor& out) { return out; }
at::Tensor& Kernels::cumsum_(at::Tensor& self, int64_t dim, std::optional<at::ScalarType> dtype) { return self; }

at::Tensor Kernels::matmul(const at::Tensor& self, const at::Tensor& other) { return self; }
at::Tensor Kernels::linear(const at::Tensor& input, const at::Tensor& weight, const std::optional<at::Tensor>& bias) {
  return input;
}

} // namespace a::b
