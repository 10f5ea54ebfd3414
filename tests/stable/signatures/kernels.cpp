// Kernels as their authors wrote them. They know nothing of what is generated.
#include <torch/csrc/stable/ops.h>
#include <torch/csrc/stable/tensor.h>

#include <optional>
#include <string>
#include <vector>

template <class Change>
static torch::stable::Tensor changed(const torch::stable::Tensor& x, Change change) {
  torch::stable::Tensor result = torch::stable::clone(x);
  float* values = static_cast<float*>(result.data_ptr());
  for (int64_t i = 0; i < result.numel(); i++) {
    values[i] = change(values[i]);
  }
  return result;
}

torch::stable::Tensor twice(torch::stable::Tensor x) {
  x = changed(x, [](float value) { return value * 2; });
  return x;
}

torch::stable::Tensor shift(torch::stable::Tensor const& x, int32_t by) {
  return changed(x, [by](float value) { return value + by; });
}

namespace vendor {

torch::stable::Tensor scaled(
    const torch::stable::Tensor& x, float by, const std::optional<torch::headeronly::ScalarType>& dtype) {
  return changed(x, [&](float value) { return dtype.has_value() ? value : value * by; });
}

std::string greet(const std::string& name, std::optional<std::string> title) {
  return title ? *title + " " + name : name;
}

double total(std::vector<int64_t> sizes, const std::optional<std::vector<int64_t>>& more) {
  sizes.insert(sizes.end(), more ? more->begin() : sizes.end(), more ? more->end() : sizes.end());
  double sum = 0;
  for (int64_t size : sizes) {
    sum += size;
  }
  return sum;
}

} // namespace vendor
