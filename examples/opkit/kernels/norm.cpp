// rms_norm, fused_add_rms_norm, l2_normalize.
#include "norm.h"

#include <ATen/MemoryOverlap.h>

namespace opkit {
namespace {

void check_weight(const at::Tensor& input, const at::Tensor& weight) {
  TORCH_CHECK(input.dim() >= 1, "rms_norm: input needs at least one dimension");
  TORCH_CHECK(at::isFloatingType(input.scalar_type()), "rms_norm: input must be floating point, is ", input.scalar_type());
  TORCH_CHECK(weight.dim() == 1, "rms_norm: weight must have one dimension, has ", weight.dim());
  TORCH_CHECK(
      weight.scalar_type() == input.scalar_type(), "rms_norm: weight is ", weight.scalar_type(), ", input is ", input.scalar_type());
  TORCH_SYM_CHECK(
      weight.sym_size(0).sym_eq(input.sym_size(-1)), "rms_norm: weight has ", weight.sym_size(0), " elements, rows of input have ",
      input.sym_size(-1));
}

} // namespace

namespace meta {

structured_rms_norm::meta_return_ty structured_rms_norm::meta(const at::Tensor& input, const at::Tensor& weight, double eps) {
  check_weight(input, weight);
  set_output_contiguous(0, input.sym_sizes(), input.options());
  return precompute_out<>().set_hidden_size(input.sym_size(-1)).set_weight(weight.contiguous());
}

} // namespace meta

namespace native {

void rms_norm_rows(const Tensor& input, int64_t width, const Tensor& weight, double eps, const Tensor& out) {
  const auto rows = input.contiguous();
  OPKIT_DISPATCH(input.scalar_type(), "rms_norm", [&] {
    const auto* from = rows.const_data_ptr<scalar_t>();
    const auto* scale = weight.const_data_ptr<scalar_t>();
    auto* to = out.mutable_data_ptr<scalar_t>();
    at::parallel_for(0, row_count(rows), row_grain(width), [&](int64_t begin, int64_t end) {
      for (auto row = begin; row < end; ++row) {
        rms_norm_row(from + row * width, scale, to + row * width, width, eps);
      }
    });
  });
}

void structured_rms_norm_out_cpu::impl(
    const Tensor& input, int64_t hidden_size, const Tensor& weight, double eps, const Tensor& out) {
  rms_norm_rows(input, hidden_size, weight, eps, out);
}

void structured_rms_norm_out_privateuse1::impl(
    const Tensor& input, int64_t hidden_size, const Tensor& weight, double eps, const Tensor& out) {
  rms_norm_rows(as_cpu(input), hidden_size, as_cpu(weight), eps, as_cpu(out));
}

void fused_add_rms_norm_meta(Tensor& input, Tensor& residual, const Tensor& weight, double /*eps*/) {
  check_weight(input, weight);
  TORCH_CHECK(
      residual.scalar_type() == input.scalar_type(), "fused_add_rms_norm: residual is ", residual.scalar_type(), ", input is ",
      input.scalar_type());
  TORCH_CHECK(residual.dim() == input.dim(), "fused_add_rms_norm: residual and input must have the same shape");
  for (int64_t i = 0; i < input.dim(); ++i) {
    TORCH_SYM_CHECK(
        residual.sym_size(i).sym_eq(input.sym_size(i)), "fused_add_rms_norm: residual and input must have the same shape");
  }
}

void fused_add_rms_norm_cpu(Tensor& input, Tensor& residual, const Tensor& weight, double eps) {
  fused_add_rms_norm_meta(input, residual, weight, eps);
  at::assert_no_internal_overlap(input);
  at::assert_no_internal_overlap(residual);
  at::assert_no_overlap(input, residual);
  const auto width = input.size(-1);
  const auto scale = weight.contiguous();
  const auto normed = input.contiguous();
  const auto sum = residual.contiguous();
  OPKIT_DISPATCH(input.scalar_type(), "fused_add_rms_norm", [&] {
    const auto* weights = scale.const_data_ptr<scalar_t>();
    auto* x = normed.mutable_data_ptr<scalar_t>();
    auto* total = sum.mutable_data_ptr<scalar_t>();
    at::parallel_for(0, row_count(normed), row_grain(width), [&](int64_t begin, int64_t end) {
      for (auto i = begin * width; i < end * width; ++i) {
        total[i] += x[i];
      }
      for (auto row = begin; row < end; ++row) {
        rms_norm_row(total + row * width, weights, x + row * width, width, eps);
      }
    });
  });
  // For tensors with gaps, the loop above worked on copies.
  if (!normed.is_same(input)) {
    input.copy_(normed);
  }
  if (!sum.is_same(residual)) {
    residual.copy_(sum);
  }
}

Tensor l2_normalize(const Tensor& self, int64_t dim, double eps) {
  return self / at::linalg_vector_norm(self, 2, dim, /*keepdim=*/true).clamp_min(eps);
}

} // namespace native
} // namespace opkit
