// quantize_per_token_int8, dequantize_per_token_int8: one scale for each row.
#include <cmath>

#include "common.h"

namespace opkit::native {
namespace {

constexpr float LEVELS = 127;

} // namespace

std::tuple<Tensor, Tensor> quantize_per_token_int8_meta(const Tensor& input) {
  TORCH_CHECK(input.dim() >= 1, "quantize_per_token_int8: input needs at least one dimension");
  TORCH_CHECK(
      at::isFloatingType(input.scalar_type()), "quantize_per_token_int8: input must be floating point, is ", input.scalar_type());
  auto sizes = input.sym_sizes().vec();
  sizes.back() = 1;
  return {
      at::empty_symint(input.sym_sizes(), input.options().dtype(at::kChar)),
      at::empty_symint(sizes, input.options().dtype(at::kFloat))};
}

std::tuple<Tensor, Tensor> quantize_per_token_int8_cpu(const Tensor& input) {
  auto outputs = quantize_per_token_int8_meta(input);
  const auto rows = input.contiguous();
  const auto width = input.size(-1);
  OPKIT_DISPATCH(input.scalar_type(), "quantize_per_token_int8", [&] {
    const auto* from = rows.const_data_ptr<scalar_t>();
    auto* quantized = std::get<0>(outputs).mutable_data_ptr<int8_t>();
    auto* scales = std::get<1>(outputs).mutable_data_ptr<float>();
    at::parallel_for(0, row_count(rows), row_grain(width), [&](int64_t begin, int64_t end) {
      for (auto row = begin; row < end; ++row) {
        const auto* x = from + row * width;
        float largest = 0;
        for (int64_t i = 0; i < width; ++i) {
          largest = std::max(largest, std::abs(static_cast<float>(x[i])));
        }
        scales[row] = largest / LEVELS;
        const auto step = scales[row] == 0 ? 1.0f : scales[row];
        for (int64_t i = 0; i < width; ++i) {
          const auto level = std::nearbyint(static_cast<float>(x[i]) / step);
          quantized[row * width + i] = static_cast<int8_t>(std::clamp(level, -LEVELS, LEVELS));
        }
      }
    });
  });
  return outputs;
}

Tensor dequantize_per_token_int8_meta(const Tensor& quantized, const Tensor& scales, std::optional<at::ScalarType> dtype) {
  TORCH_CHECK(
      quantized.scalar_type() == at::kChar, "dequantize_per_token_int8: quantized must be int8, is ", quantized.scalar_type());
  TORCH_CHECK(
      scales.scalar_type() == at::kFloat || scales.scalar_type() == at::kDouble, "dequantize_per_token_int8: scales must be float or double, are ",
      scales.scalar_type());
  TORCH_CHECK(
      quantized.dim() >= 1 && scales.dim() == quantized.dim(), "dequantize_per_token_int8: quantized and scales need the same dimensions");
  for (int64_t i = 0; i < quantized.dim() - 1; ++i) {
    TORCH_SYM_CHECK(
        scales.sym_size(i).sym_eq(quantized.sym_size(i)), "dequantize_per_token_int8: there must be one scale for each row");
  }
  TORCH_SYM_CHECK(scales.sym_size(-1).sym_eq(1), "dequantize_per_token_int8: there must be one scale for each row");
  const auto type = dtype.value_or(scales.scalar_type());
  TORCH_CHECK(at::isFloatingType(type), "dequantize_per_token_int8: dtype must be floating point, is ", type);
  return at::empty_symint(quantized.sym_sizes(), quantized.options().dtype(type));
}

Tensor dequantize_per_token_int8_cpu(const Tensor& quantized, const Tensor& scales, std::optional<at::ScalarType> dtype) {
  auto out = dequantize_per_token_int8_meta(quantized, scales, dtype);
  const auto levels = quantized.contiguous();
  const auto width = quantized.size(-1);
  OPKIT_DISPATCH(out.scalar_type(), "dequantize_per_token_int8", [&] {
    using acc_t = at::opmath_type<scalar_t>;
    const auto* level = levels.const_data_ptr<int8_t>();
    const auto steps = scales.to(c10::CppTypeToScalarType<acc_t>::value).contiguous();
    const auto* step = steps.const_data_ptr<acc_t>();
    auto* to = out.mutable_data_ptr<scalar_t>();
    at::parallel_for(0, row_count(levels), row_grain(width), [&](int64_t begin, int64_t end) {
      for (auto row = begin; row < end; ++row) {
        for (auto i = row * width; i < (row + 1) * width; ++i) {
          to[i] = static_cast<scalar_t>(static_cast<acc_t>(level[i]) * step[row]);
        }
      }
    });
  });
  return out;
}

} // namespace opkit::native
