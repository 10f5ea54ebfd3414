// Kernels that do the minimum for their operators.
#include <ATen/ATen.h>
#include <odd/NativeFunctions.h>

namespace odd::native {

at::Tensor keep_symint(
    const at::Tensor& self, const std::optional<at::Tensor>&, at::TensorList, const c10::List<std::optional<at::Tensor>>&, const at::Scalar&,
    const std::optional<at::Scalar>&, at::ArrayRef<at::Scalar>, int64_t, std::optional<int64_t>, at::IntArrayRef, at::OptionalIntArrayRef,
    c10::SymInt, std::optional<c10::SymInt>, c10::SymIntArrayRef, at::OptionalSymIntArrayRef, double, std::optional<double>,
    std::optional<at::ArrayRef<double>>, bool, std::array<bool, 2>, c10::string_view, std::optional<c10::string_view>, at::ScalarType,
    std::optional<at::ScalarType>, std::optional<at::Layout>, at::Device, std::optional<at::Device>, std::optional<at::MemoryFormat>) {
  return self * self / 2;
}

at::Tensor properties(const at::Tensor& self, const at::Tensor& other, const std::optional<at::Tensor>&, at::TensorList) {
  return self.sum() + other.sum() * 0;
}

at::Tensor window_symint(
    const at::Tensor& self, c10::string_view mode, at::ArrayRef<at::Scalar> marks, at::OptionalIntArrayRef axes,
    at::OptionalSymIntArrayRef sizes, std::optional<at::ArrayRef<double>> w, std::optional<c10::string_view> u,
    const std::optional<at::Tensor>& like, at::TensorList likes, const c10::List<std::optional<at::Tensor>>& some) {
  TORCH_CHECK(mode == "flat" && marks.size() == 2 && axes.has_value() && axes->size() == 1 && w.has_value() && w->size() == 1);
  TORCH_CHECK(u.has_value() && *u == "u" && like.has_value() && likes.size() == 2 && some.size() == 2);
  return self.view_symint(sizes.has_value() ? *sizes : c10::SymIntArrayRef{self.sym_numel()});
}

std::vector<at::Tensor> pieces(const at::Tensor& self, int64_t n) {
  return self.chunk(n);
}

std::tuple<at::Tensor, at::Tensor, at::Tensor> crossed_symint(const at::Tensor& x, const at::Tensor& y, c10::SymInt n) {
  return {y.narrow_symint(0, 0, n), x.narrow_symint(0, 0, n), at::ones({}, x.options())};
}

std::tuple<at::Tensor, std::vector<at::Tensor>> both(const at::Tensor& self) {
  return {self.t(), self.chunk(2)};
}

at::Tensor shape_only(const at::Tensor& self) {
  return self.flatten();
}

std::vector<at::Tensor> shapes_only(const at::Tensor& self) {
  return self.chunk(2);
}

std::vector<at::Tensor> slices_symint(const at::Tensor& self, c10::SymInt n) {
  std::vector<at::Tensor> result;
  const auto length = self.sym_size(0) / n;
  for (int64_t i = 0; i < n.guard_int(__FILE__, __LINE__); ++i) {
    result.push_back(self.narrow_symint(0, length * i, length));
  }
  return result;
}

at::Tensor heads_symint(const at::Tensor& self, c10::SymInt n) {
  return self.unflatten_symint(-1, {n, self.sym_size(-1) / n});
}

at::Tensor merged(const at::Tensor&, const at::Tensor& mutated_view, c10::SymInt) {
  return mutated_view.flatten(-2, -1);
}

at::Tensor flipped(const at::Tensor& self) {
  return self.transpose(0, 1);
}

at::Tensor& flipped_(at::Tensor& self) {
  return self.transpose_(0, 1);
}

at::Tensor& absorb_(at::Tensor& self, at::TensorList states, const std::optional<at::Tensor>& weight) {
  for (const auto& state : states) {
    self.add_(state);
    state.mul_(2);
  }
  return weight.has_value() ? self.mul_(*weight) : self;
}

std::tuple<at::Tensor, at::Tensor> ranges(const at::Tensor& self, int64_t dim) {
  return {self.amin(dim), self.amax(dim)};
}

std::tuple<at::Tensor&, at::Tensor&> ranges_out(const at::Tensor& self, int64_t dim, at::Tensor& least, at::Tensor& most) {
  at::amin_out(least, self, dim);
  at::amax_out(most, self, dim);
  return {least, most};
}

at::Tensor triangle_symint(
    c10::SymInt n, std::optional<at::ScalarType> dtype, std::optional<at::Layout> layout, std::optional<at::Device> device,
    std::optional<bool> pin_memory) {
  return at::ones_symint({n, n}, dtype, layout, device, pin_memory).tril();
}

at::Tensor row_symint(
    const at::Tensor& self, c10::SymInt n, std::optional<at::ScalarType> dtype, std::optional<at::Layout> layout,
    std::optional<at::Device> device, std::optional<bool> pin_memory) {
  return self.new_zeros_symint({n}, dtype, layout, device, pin_memory);
}

at::Tensor update(at::Tensor& state, const at::Tensor& x) {
  state.add_(x);
  return x * 2;
}

void bump(at::Tensor& x, const std::optional<at::Tensor>& y, at::TensorList z, const at::Tensor& by) {
  x.add_(by);
  if (y.has_value()) {
    y->add_(by);
  }
  for (const auto& t : z) {
    t.add_(by);
  }
}

at::Tensor& advance_(at::Tensor& self, at::Tensor& other) {
  other.add_(1);
  return self.add_(other);
}

at::Tensor& count_(at::Tensor& self) {
  return self.add_(1);
}

at::Tensor& square_(at::Tensor& self) {
  return self.mul_(self.clone());
}

at::Tensor affine(const at::Tensor& self, const at::Tensor& by) {
  return self * by;
}

at::Tensor& affine_(at::Tensor& self, const at::Tensor& by) {
  return self.mul_(by);
}

at::Tensor& affine_out(const at::Tensor& self, const at::Tensor& by, at::Tensor& out) {
  return at::mul_out(out, self, by);
}

std::tuple<at::Tensor, at::Tensor, at::Tensor> minmax(const at::Tensor& self) {
  return {self.min(), self.max(), self.argmin()};
}

std::tuple<at::Tensor, std::optional<at::Tensor>> parts(
    const at::Tensor& self, const at::Tensor& other, const std::optional<at::Tensor>& mask) {
  return {self * other, mask.has_value() ? std::optional<at::Tensor>(*mask * other) : std::nullopt};
}

at::Tensor shifted(const at::Tensor& self, const std::optional<at::Tensor>& by) {
  return by.has_value() ? self + *by : self.clone();
}

std::tuple<at::Tensor, std::optional<at::Tensor>> shifted_backward(
    const at::Tensor& grad, const at::Tensor&, const std::optional<at::Tensor>& by) {
  return {grad * 1, by.has_value() ? std::optional<at::Tensor>(grad * 1) : std::nullopt};
}

at::Tensor& mix_(at::Tensor& self, const at::Tensor& x) {
  return self.mul_(x);
}

at::Tensor mix_list(at::Tensor& state, at::TensorList xs) {
  state.add_(1);
  auto sum = at::zeros_like(xs[0]);
  for (const auto& x : xs) {
    sum = sum + x * x;
  }
  return sum;
}

at::Tensor picked(const at::Tensor& self, const at::Tensor& index, const at::Tensor& other) {
  return self * index + other;
}

at::Tensor gate(const at::Tensor& self, const std::optional<at::Tensor>& bias) {
  return self * (bias.has_value() ? self + *bias : self).sigmoid();
}

std::tuple<at::Tensor, at::Tensor> gate_backward(
    const at::Tensor& grad, const at::Tensor& self, const std::optional<at::Tensor>& bias) {
  const auto sigmoid = (bias.has_value() ? self + *bias : self).sigmoid();
  const auto slope = self * sigmoid * (1 - sigmoid);
  return {grad * (sigmoid + slope), grad * slope};
}

at::Tensor weighed(const at::Tensor& self, const std::optional<at::Tensor>& by) {
  return by.has_value() ? self * *by : self * 3;
}

at::Tensor weighed_backward(const at::Tensor& grad, const std::optional<at::Tensor>& by) {
  return by.has_value() ? grad * *by : grad * 3;
}

std::tuple<at::Tensor, at::Tensor> both_ways(const at::Tensor& self) {
  return {self * 2, self * -1};
}

at::Tensor both_ways_backward(
    const std::optional<at::Tensor>& up, const std::optional<at::Tensor>& down, const at::Tensor& self) {
  const auto result = up.has_value() ? *up * 2 : at::zeros_like(self);
  return down.has_value() ? result - *down : result;
}

at::Tensor turned(const at::Tensor& self, const at::Tensor& by) {
  return self * by;
}

at::Tensor doubled(const at::Tensor& self) {
  return self * 2;
}

std::vector<at::Tensor> scaled(at::TensorList xs, const at::Tensor& by) {
  std::vector<at::Tensor> result;
  for (const auto& x : xs) {
    result.push_back(x * by);
  }
  return result;
}

at::Tensor cast(const at::Tensor& self, at::ScalarType dtype) {
  return self.to(dtype, /*non_blocking=*/false, /*copy=*/true);
}

at::Tensor per_backend(const at::Tensor& self) {
  return self.clone();
}

at::Tensor tanh(const at::Tensor& self) {
  return at::tanh(self);
}

at::Tensor widened(const at::Tensor& self) {
  return self * self.size(0);
}

at::Tensor widened_gradient(const at::Tensor& grad, int64_t n) {
  return grad * n;
}

std::tuple<at::Tensor, int64_t> unknown(const at::Tensor& self, at::TensorList) {
  return {self.clone(), 7};
}

} // namespace odd::native

namespace mine {

at::Tensor unsliced(const at::Tensor& base, const at::Tensor& mutated_view, int64_t out_index, c10::SymInt n) {
  const auto length = base.sym_size(0) / n;
  return base.slice_scatter_symint(mutated_view, 0, length * out_index, length * (out_index + 1));
}

} // namespace mine
