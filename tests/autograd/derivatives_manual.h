#pragma once

#include <ATen/ATen.h>
#include <ATen/TensorGeometry.h>

namespace odd {

template <typename... Args>
at::Tensor keep_backward(const at::Tensor& grad, const at::Tensor& self, Args&&...) {
  return grad * self;
}

template <typename... Args>
at::Tensor properties_backward(const at::Tensor& grad, c10::SymIntArrayRef sizes, Args&&...) {
  return grad.expand_symint(sizes);
}

inline std::vector<at::Tensor> zeros_of_sizes(
    const at::Tensor& grad,
    const std::vector<std::vector<int64_t>>& plain,
    const std::vector<std::vector<c10::SymInt>>& sizes,
    const std::vector<at::ScalarType>& types) {
  TORCH_CHECK(plain.size() == sizes.size() && sizes.size() == types.size());
  std::vector<at::Tensor> zeros;
  for (size_t i = 0; i < sizes.size(); ++i) {
    zeros.push_back(grad.new_zeros_symint(sizes[i], types[i]));
  }
  return zeros;
}

inline at::Tensor zeros_if(const at::Tensor& grad, at::OptionalSymIntArrayRef sizes) {
  return sizes.has_value() ? grad.new_zeros_symint(*sizes) : at::Tensor();
}

inline at::Tensor pieces_backward(const std::vector<at::Tensor>& grads, c10::SymIntArrayRef sizes, const at::TensorOptions& options) {
  auto result = at::zeros_symint(sizes, options);
  const auto parts = result.chunk(static_cast<int64_t>(grads.size()));
  std::vector<at::Tensor> sums;
  for (size_t i = 0; i < grads.size(); ++i) {
    sums.push_back(grads[i].defined() ? parts[i] + grads[i] : parts[i]);
  }
  return at::cat(sums);
}

inline at::Tensor minmax_backward(
    const at::Tensor& grad_least,
    const at::Tensor& grad_most,
    const at::Tensor& self,
    const at::Tensor& least,
    const at::Tensor& most) {
  auto result = at::zeros_like(self);
  if (grad_least.defined()) {
    result = result + grad_least * (self == least);
  }
  if (grad_most.defined()) {
    result = result + grad_most * (self == most);
  }
  return result;
}

inline std::vector<at::Tensor> scaled_backward(const std::vector<at::Tensor>& grads, const at::Tensor& by) {
  std::vector<at::Tensor> result;
  for (const auto& grad : grads) {
    result.push_back(grad.defined() ? grad * by : at::Tensor());
  }
  return result;
}

inline at::Tensor scaled_by_backward(const std::vector<at::Tensor>& grads, at::TensorList xs) {
  auto sum = at::zeros({}, xs[0].options());
  for (size_t i = 0; i < xs.size(); ++i) {
    if (grads[i].defined()) {
      sum = sum + (grads[i] * xs[i]).sum();
    }
  }
  return sum;
}

inline std::vector<at::Tensor> products(const at::Tensor& grad, at::TensorList xs) {
  std::vector<at::Tensor> result;
  for (const auto& x : xs) {
    result.push_back(2 * grad * x);
  }
  return result;
}

} // namespace odd
