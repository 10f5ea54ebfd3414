#pragma once

#include <ATen/ATen.h>

namespace counter {

at::Tensor sell(const at::Tensor& x, double price);
void ramp(at::Tensor out, int start);
void scale_into(const at::Tensor& x, at::Tensor& out, float by);
at::Tensor& clip_(at::Tensor& x, double low, double high);
std::vector<at::Tensor> thirds(const at::Tensor& x);
std::vector<at::Tensor> pieces(const at::Tensor& x, int64_t size);
std::pair<at::Tensor, int> extremes(at::Tensor x);
at::Tensor weighted(const at::Tensor& x, const std::optional<at::Tensor>& weight, const std::string& mode, bool twice);
at::Tensor window(const at::Tensor& x, std::vector<int> sizes, std::optional<float> fill);
void gather(std::vector<at::Tensor> rows, at::Tensor out);
int count(const at::Tensor& x, int64_t above);
at::Tensor scaled(const at::Tensor& x, const at::Tensor& by, double rate);
at::Tensor mixed(const at::Tensor& x, const at::Tensor& w);
std::tuple<at::Tensor, at::Tensor> mixed_backward(const at::Tensor& grad, const at::Tensor& x, const at::Tensor& w);

// For both devices: the check is for what comes by the branch.
inline at::Tensor rounded(const at::Tensor& x, double step) {
  if (x.is_cuda()) {
    return (x / step).round() * step;
  }
  TORCH_CHECK(x.is_cpu(), "rounded is for CPU and CUDA");
  return (x / step).round().mul(step);
}

} // namespace counter
