// Meta functions and kernels of the operators in native_functions.yaml.
#include <ATen/ATen.h>
#include <shaped/NativeFunctions.h>

namespace shaped::meta {

TORCH_PRECOMPUTE_META_FUNC(scaled)(const at::Tensor& self, const at::Tensor& weight, double) {
  TORCH_CHECK(self.dim() > 0 && weight.dim() == 1, "scaled: wrong dimensions");
  TORCH_SYM_CHECK(self.sym_size(-1).sym_eq(weight.sym_size(0)), "scaled: weight has the wrong size");
  set_output_contiguous(0, self.sym_sizes(), self.options());
  return TORCH_PRECOMPUTE_STRUCT(scaled)().set_width(weight.sym_size(0)).set_weight(weight);
}

TORCH_META_FUNC(filled)
(const at::Tensor& self, c10::SymIntArrayRef size, std::optional<c10::SymInt> columns, at::OptionalSymIntArrayRef more) {
  set_output_contiguous(0, size, self.options());
  const auto options = self.options().dtype(at::kLong);
  if (more.has_value()) {
    set_output_raw_strided(1, *more, {}, options);
  } else if (self.dim() == 0) {
    // For known sizes, integers work too: in a list, in a vector, or from a tensor.
    set_output_raw_strided(1, {2, 3}, {3, 1}, options);
    set_output_raw_strided(1, std::vector<int64_t>{2, 3}, {}, options);
    set_output_strided(1, self.sizes(), self.strides(), options);
  } else {
    set_output_raw_strided(1, {self.sym_size(0), columns.value_or(3)}, {}, options);
  }
}

TORCH_META_FUNC(bent)(const at::Tensor& self, const at::Scalar&, at::OptionalTensorRef other) {
  if (other.has_value()) {
    build_borrowing_binary_op(maybe_get_output(), self, *other);
  } else {
    build_borrowing_unary_float_op(maybe_get_output(), self);
  }
}

} // namespace shaped::meta

namespace shaped::native {

TORCH_IMPL_FUNC(scaled_out_cpu)(const at::Tensor& self, int64_t width, const at::Tensor& weight, double eps, const at::Tensor& out) {
  TORCH_CHECK(width == weight.size(0));
  TORCH_CHECK(out.is_contiguous(), "the meta function asked for a contiguous output");
  out.copy_(self * (self.pow(2).mean(-1, true) + eps).rsqrt() * weight);
}

TORCH_IMPL_FUNC(filled_out)
(const at::Tensor&, at::ArrayRef<int64_t>, std::optional<int64_t> columns, at::OptionalIntArrayRef, const at::Tensor& ones,
 const at::Tensor& columns_like) {
  ones.fill_(1);
  columns_like.fill_(columns.value_or(3));
}

TORCH_IMPL_FUNC(bent_out_cpu)(const at::Tensor& self, const at::Scalar& cap, at::OptionalTensorRef other, const at::Tensor& out) {
  const auto sum = other.has_value() ? self + *other : self;
  out.copy_(at::tanh(sum / cap) * cap);
}

} // namespace shaped::native
