// Kernels of tests/names. Parameters are called as the author likes.
#include <names/NativeFunctions.h>

#include <ATen/ATen.h>

namespace names::native {

at::Tensor reduce(const at::Tensor& self, c10::string_view how, int64_t factor, double, bool, int64_t by, int64_t) {
  return how == "sum" ? self.sum() * factor * by : self.clone();
}

std::tuple<at::Tensor, at::Tensor> scale(const at::Tensor& self, const at::Tensor& other, double, double by) {
  return {self * other * by, other.clone()};
}

at::Tensor put(const at::Tensor& self, const at::Tensor& to, std::array<bool, 2> which) {
  return which[0] && !which[1] ? self + to : self - to;
}

at::Tensor blend(const at::Tensor& self, const at::Tensor& b, const at::Tensor& c, const at::Tensor& weight, const at::Tensor& e) {
  return self * weight + b + c + e;
}

at::Tensor power(const at::Tensor& self) {
  return self.exp();
}

at::Tensor power_by(const at::Tensor& self, int64_t by) {
  return (self * by).exp();
}

std::vector<c10::SymInt> pool_symint(
    const at::Tensor&, c10::SymIntArrayRef stride, at::OptionalSymIntArrayRef padding, c10::SymIntArrayRef dilation) {
  auto all = stride.vec();
  all.insert(all.end(), padding->begin(), padding->end());
  all.insert(all.end(), dilation.begin(), dilation.end());
  return all;
}

std::vector<c10::SymInt> window_symint(const at::Tensor&, c10::SymIntArrayRef stride) {
  return stride.vec();
}

std::vector<c10::SymInt> window_scaled_symint(const at::Tensor&, double, c10::SymIntArrayRef stride) {
  return stride.vec();
}

at::Tensor to_str(const at::Tensor& self, int64_t list) {
  return self + list;
}

at::Tensor tensor_(const at::Tensor& self, at::TensorList others) {
  return self + static_cast<int64_t>(others.size());
}

bool is_instance(const at::Tensor&, bool a, bool b, bool c, bool d, bool e) {
  return !a && b && !c && d && e;
}

at::Tensor from_plain(const at::Tensor& self) {
  return self + 1;
}

at::Tensor& from_inplace(at::Tensor& self) {
  return self.add_(2);
}

at::Tensor torch_(const at::Tensor& self) {
  return self + 3;
}

at::Tensor twice(const at::Tensor& self) {
  return self * 2;
}

at::Tensor twice(const at::Tensor& self, const at::Scalar& by) {
  return self * 2 * by;
}

} // namespace names::native
