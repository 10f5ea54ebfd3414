// Functions that the formulas of derivatives.yaml call.
#pragma once

#include <array>
#include <tuple>

#include <ATen/ATen.h>
#include <ATen/ExpandUtils.h>

namespace own {

inline at::Tensor relu_backward(const at::Tensor& grad, const at::Tensor& result) {
  return at::threshold_backward(grad, result, 0);
}

inline at::Tensor summed(const at::Tensor& grad, c10::SymIntArrayRef sizes) {
  return at::sum_to(grad, sizes);
}

// For matrices.
inline std::tuple<at::Tensor, at::Tensor> matmul_backward(
    const at::Tensor& grad, const at::Tensor& self, const at::Tensor& other, std::array<bool, 2> wanted) {
  at::Tensor of_self, of_other;
  if (grad.defined() && wanted[0]) {
    of_self = at::mm(grad, at::conj_physical(other).t());
  }
  if (grad.defined() && wanted[1]) {
    of_other = at::mm(at::conj_physical(self).t(), grad);
  }
  return {of_self, of_other};
}

} // namespace own
