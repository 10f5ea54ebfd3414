// The same operators as written by hand, for the mistakes that generated code does not have.
#include <torch/csrc/stable/library.h>
#include <torch/csrc/stable/ops.h>
#include <torch/csrc/stable/tensor.h>

using torch::stable::Tensor;

namespace {

void each(const Tensor& tensor, double factor, double summand) {
  double* values = tensor.mutable_data_ptr<double>();
  for (int64_t i = 0; i < tensor.numel(); ++i) {
    values[i] = values[i] * factor + summand;
  }
}

Tensor scale(const Tensor& self, double by) {
  Tensor result = torch::stable::clone(self);
  each(result, by, 0);
  return result;
}

void bump_(Tensor self) {
  each(self, 1, 1);
}

Tensor crop(const Tensor& self, int64_t n) {
  Tensor whole = self;
  return torch::stable::clone(torch::stable::narrow(whole, 0, 0, n));
}

Tensor crop_meta(const Tensor& self, int64_t n) {
  return torch::stable::new_empty(self, {n});
}

} // namespace

STABLE_TORCH_LIBRARY(hand, m) {
  m.def("scale(Tensor self, float by) -> Tensor");
  m.def("bump_(Tensor(a!) self) -> ()");
  m.def("crop(Tensor self, SymInt n) -> Tensor");
}

STABLE_TORCH_LIBRARY_IMPL(hand, CPU, m) {
  m.impl("scale", TORCH_BOX(&scale));
  m.impl("bump_", TORCH_BOX(&bump_));
  m.impl("crop", TORCH_BOX(&crop));
}

STABLE_TORCH_LIBRARY_IMPL(hand, Meta, m) {
  m.impl("crop", TORCH_BOX(&crop_meta));
}
