#include <torch/csrc/stable/ops.h>
#include <torch/csrc/stable/tensor.h>
#include <torch/extension.h>

namespace shop::native {

torch::stable::Tensor sell(const torch::stable::Tensor& x, const torch::stable::Tensor& stock) {
  float* left = stock.mutable_data_ptr<float>();
  left[0] = 0;
  return torch::stable::clone(x);
}

at::Tensor buy(const at::Tensor& x, at::IntArrayRef sizes) {
  return x.clone();
}

torch::stable::Tensor weigh(const torch::stable::Tensor& x) {
  return torch::stable::clone(x);
}

torch::stable::Tensor weigh_meta(const torch::stable::Tensor& x) {
  return torch::stable::new_empty(x, {x.size(0)});
}

} // namespace shop::native
