// Kernels for doubles.
#include <trained/Functions.h>
#include <trained/NativeFunctions.h>

#include <torch/csrc/stable/ops.h>

#include <cmath>

namespace trained::native {

namespace {

template <class Function>
void change(const Tensor& tensor, Function function) {
  Tensor dense = torch::stable::contiguous(tensor);
  double* values = static_cast<double*>(const_cast<void*>(static_cast<const void*>(dense.const_data_ptr<double>())));
  for (int64_t i = 0; i < dense.numel(); ++i) {
    values[i] = function(values[i]);
  }
  if (!tensor.is_contiguous()) {
    Tensor whole = tensor;
    torch::stable::copy_(whole, dense);
  }
}

template <class Function>
Tensor changed(const Tensor& tensor, Function function) {
  Tensor result = torch::stable::clone(torch::stable::contiguous(tensor));
  change(result, function);
  return result;
}

template <class Function>
Tensor combined(const Tensor& one, const Tensor& other, Function function) {
  Tensor result = torch::stable::clone(torch::stable::contiguous(one));
  Tensor second = torch::stable::contiguous(other);
  const double* values = second.const_data_ptr<double>();
  int64_t i = 0;
  change(result, [&](double x) { return function(x, values[i++]); });
  return result;
}

} // namespace

Tensor scale(const Tensor& self, double by) {
  return changed(self, [by](double x) { return x * by; });
}

Tensor& scale_(Tensor& self, double by) {
  change(self, [by](double x) { return x * by; });
  return self;
}

Tensor& scale_out(const Tensor& self, double by, Tensor& out) {
  torch::stable::copy_(out, self);
  return scale_(out, by);
}

Tensor square(const Tensor& self) {
  return changed(self, [](double x) { return x * x; });
}

Tensor& square_(Tensor& self) {
  change(self, [](double x) { return x * x; });
  return self;
}

Tensor power(const Tensor& self) {
  return changed(self, [](double x) { return std::exp(x); });
}

Tensor noise(const Tensor& self) {
  static double next = 0;
  next += 1;
  return changed(self, [](double x) { return x + next; });
}

Tensor signs(const Tensor& self) {
  return changed(self, [](double x) { return x < 0 ? -1.0 : 1.0; });
}

Tensor blend(const Tensor& self, const Tensor& other, const std::optional<Tensor>& weight, double alpha) {
  Tensor second = weight.has_value() ? gated(other, *weight) : other;
  return combined(self, second, [alpha](double x, double y) { return x * alpha + y; });
}

std::tuple<Tensor, Tensor, Tensor> moments(const Tensor& self) {
  Tensor values = torch::stable::contiguous(self);
  double sum = 0;
  double squares = 0;
  for (int64_t i = 0; i < values.numel(); ++i) {
    const double x = values.const_data_ptr<double>()[i];
    sum += x;
    squares += x * x;
  }
  const double count = static_cast<double>(values.numel());
  Tensor mean = torch::stable::new_empty(values, {});
  Tensor square = torch::stable::new_empty(values, {});
  change(mean, [&](double) { return sum / count; });
  change(square, [&](double) { return squares / count; });
  return {mean, square, signs(self)};
}

Tensor total(ArrayRef<Tensor> tensors, double by) {
  Tensor sum = scale(tensors[0], by);
  for (size_t i = 1; i < tensors.size(); ++i) {
    sum = combined(sum, tensors[i], [by](double x, double y) { return x + y * by; });
  }
  return sum;
}

std::vector<Tensor> rows(const Tensor& self) {
  std::vector<Tensor> rows;
  for (int64_t i = 0; i < self.size(0); ++i) {
    Tensor whole = self;
    rows.push_back(torch::stable::clone(torch::stable::select(whole, 0, i)));
  }
  return rows;
}

Tensor gated(const Tensor& self, const Tensor& gate) {
  return combined(self, gate, [](double x, double y) { return x * y; });
}

std::tuple<Tensor, Tensor> gated_backward(
    const Tensor& grad,
    const Tensor& self,
    const Tensor& gate,
    ArrayRef<bool> mask) {
  // Through operators with derivatives, so that this can be differentiated again.
  Tensor for_self = mask[0] ? trained::gated(grad, gate) : torch::stable::empty_like(self);
  Tensor for_gate = mask[1] ? trained::gated(grad, self) : torch::stable::empty_like(gate);
  return {for_self, for_gate};
}

Tensor crop(const Tensor& self, int64_t n) {
  Tensor whole = self;
  return torch::stable::clone(torch::stable::narrow(whole, 0, 0, n));
}

void bump_(Tensor& self) {
  change(self, [](double x) { return x + 1; });
}

Tensor update(Tensor& state, const Tensor& x) {
  bump_(state);
  return scale(x, 3);
}

std::optional<Tensor> masked(
    const Tensor& self, const std::optional<Tensor>& mask, OptionalArrayRef<Tensor>, std::optional<int64_t>, std::optional<int64_t>) {
  return mask.has_value() ? std::optional<Tensor>(gated(self, *mask)) : std::nullopt;
}

std::tuple<Tensor, std::optional<Tensor>> parts(const Tensor& self, const Tensor& other, bool both) {
  return {gated(self, other), both ? std::optional<Tensor>(square(other)) : std::nullopt};
}

Tensor helped(const Tensor& self, const Tensor& x) {
  return combined(self, x, [](double one, double other) { return std::copysign(one, other); });
}

Tensor widened(const Tensor& self) {
  return scale(self, static_cast<double>(self.size(0)));
}

Tensor widened_gradient(const Tensor& grad, int64_t n) {
  return trained::scale(grad, static_cast<double>(n));
}

Tensor unhelped(const Tensor& self, ArrayRef<Tensor>) {
  return changed(self, [](double x) { return x; });
}

Tensor computed(const Tensor& self, ArrayRef<int64_t>, int64_t, int64_t, double, bool) {
  return changed(self, [](double x) { return x; });
}

} // namespace trained::native
