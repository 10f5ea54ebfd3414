// fused_add_rms_norm, l2_normalize, and what rms_norm consists of.
#include "norm.h"

namespace opkit::native {

void check_weight(const Tensor& input, const Tensor& weight) {
  OPKIT_CHECK(input.dim() >= 1, "rms_norm: input needs at least one dimension");
  OPKIT_CHECK(portable::is_floating_point(input.scalar_type()), "rms_norm: input must be floating point, is ", input.scalar_type());
  OPKIT_CHECK(weight.dim() == 1, "rms_norm: weight must have one dimension, has ", weight.dim());
  OPKIT_CHECK(
      weight.scalar_type() == input.scalar_type(), "rms_norm: weight is ", weight.scalar_type(), ", input is ", input.scalar_type());
  OPKIT_SYM_CHECK(
      equal(dim_size(weight, 0), dim_size(input, -1)), "rms_norm: weight has ", dim_size(weight, 0), " elements, rows of input have ",
      dim_size(input, -1));
}

void rms_norm_rows(const Tensor& input, int64_t width, const Tensor& weight, double eps, const Tensor& out) {
  const auto rows = portable::contiguous(input);
  OPKIT_DISPATCH_FLOATING_AND_HALF(input.scalar_type(), "rms_norm", [&] {
    const auto* from = rows.const_data_ptr<scalar_t>();
    const auto* scale = weight.const_data_ptr<scalar_t>();
    auto* to = out.mutable_data_ptr<scalar_t>();
    portable::parallel_for(0, row_count(rows), row_grain(width), [&](int64_t begin, int64_t end) {
      for (auto row = begin; row < end; ++row) {
        rms_norm_row(from + row * width, scale, to + row * width, width, eps);
      }
    });
  });
}

void fused_add_rms_norm_meta(Tensor& input, Tensor& residual, const Tensor& weight, double /*eps*/) {
  check_weight(input, weight);
  OPKIT_CHECK(
      residual.scalar_type() == input.scalar_type(), "fused_add_rms_norm: residual is ", residual.scalar_type(), ", input is ",
      input.scalar_type());
  OPKIT_CHECK(residual.dim() == input.dim(), "fused_add_rms_norm: residual and input must have the same shape");
  for (int64_t i = 0; i < input.dim(); ++i) {
    OPKIT_SYM_CHECK(
        equal(dim_size(residual, i), dim_size(input, i)), "fused_add_rms_norm: residual and input must have the same shape");
  }
}

void fused_add_rms_norm_cpu(Tensor& input, Tensor& residual, const Tensor& weight, double eps) {
  fused_add_rms_norm_meta(input, residual, weight, eps);
  check_memory(input, residual);
  const auto width = input.size(input.dim() - 1);
  const auto scale = portable::contiguous(weight);
  const auto normed = portable::contiguous(input);
  const auto sum = portable::contiguous(residual);
  OPKIT_DISPATCH_FLOATING_AND_HALF(input.scalar_type(), "fused_add_rms_norm", [&] {
    const auto* weights = scale.const_data_ptr<scalar_t>();
    auto* x = normed.mutable_data_ptr<scalar_t>();
    auto* total = sum.mutable_data_ptr<scalar_t>();
    portable::parallel_for(0, row_count(normed), row_grain(width), [&](int64_t begin, int64_t end) {
      for (auto i = begin * width; i < end * width; ++i) {
        total[i] += x[i];
      }
      for (auto row = begin; row < end; ++row) {
        rms_norm_row(total + row * width, weights, x + row * width, width, eps);
      }
    });
  });
  // For tensors with gaps, the loop above worked on copies.
  if (normed.data_ptr() != input.data_ptr()) {
    portable::copy_(input, normed);
  }
  if (sum.data_ptr() != residual.data_ptr()) {
    portable::copy_(residual, sum);
  }
}

Tensor l2_normalize(const Tensor& self, int64_t dim, double eps) {
  const auto norm = norm_along(self, dim);
  return aten::div(self, aten::clamp_min(norm, number(eps, norm)));
}

} // namespace opkit::native
