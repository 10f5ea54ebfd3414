// quantize_per_token_int8, dequantize_per_token_int8: one scale for each row.
#include <cmath>

#include "common.h"

namespace opkit::native {
namespace {

constexpr float LEVELS = 127;

} // namespace

std::tuple<Tensor, Tensor> quantize_per_token_int8_meta(const Tensor& input) {
  OPKIT_CHECK(input.dim() >= 1, "quantize_per_token_int8: input needs at least one dimension");
  OPKIT_CHECK(
      portable::is_floating_point(input.scalar_type()), "quantize_per_token_int8: input must be floating point, is ", input.scalar_type());
  auto rows = dim_sizes(input);
  rows.back() = 1;
  return {make_empty(dim_sizes(input), input, ScalarType::Char), make_empty(rows, input, ScalarType::Float)};
}

std::tuple<Tensor, Tensor> quantize_per_token_int8_cpu(const Tensor& input) {
  auto outputs = quantize_per_token_int8_meta(input);
  const auto rows = portable::contiguous(input);
  const auto width = input.size(-1);
  OPKIT_DISPATCH_FLOATING_AND_HALF(input.scalar_type(), "quantize_per_token_int8", [&] {
    const auto* from = rows.const_data_ptr<scalar_t>();
    auto* quantized = std::get<0>(outputs).mutable_data_ptr<int8_t>();
    auto* scales = std::get<1>(outputs).mutable_data_ptr<float>();
    portable::parallel_for(0, row_count(rows), row_grain(width), [&](int64_t begin, int64_t end) {
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

Tensor dequantize_per_token_int8_meta(const Tensor& quantized, const Tensor& scales, std::optional<ScalarType> dtype) {
  OPKIT_CHECK(
      quantized.scalar_type() == ScalarType::Char, "dequantize_per_token_int8: quantized must be int8, is ", quantized.scalar_type());
  OPKIT_CHECK(
      scales.scalar_type() == ScalarType::Float || scales.scalar_type() == ScalarType::Double, "dequantize_per_token_int8: scales must be float or double, are ",
      scales.scalar_type());
  OPKIT_CHECK(
      quantized.dim() >= 1 && scales.dim() == quantized.dim(), "dequantize_per_token_int8: quantized and scales need the same dimensions");
  for (int64_t i = 0; i < quantized.dim() - 1; ++i) {
    OPKIT_SYM_CHECK(
        equal(dim_size(scales, i), dim_size(quantized, i)), "dequantize_per_token_int8: there must be one scale for each row");
  }
  OPKIT_SYM_CHECK(equal(dim_size(scales, -1), 1), "dequantize_per_token_int8: there must be one scale for each row");
  const auto type = dtype.value_or(scales.scalar_type());
  OPKIT_CHECK(portable::is_floating_point(type), "dequantize_per_token_int8: dtype must be floating point, is ", type);
  return make_empty(dim_sizes(quantized), quantized, type);
}

Tensor dequantize_per_token_int8_cpu(const Tensor& quantized, const Tensor& scales, std::optional<ScalarType> dtype) {
  auto out = dequantize_per_token_int8_meta(quantized, scales, dtype);
  const auto levels = portable::contiguous(quantized);
  const auto width = quantized.size(-1);
  OPKIT_DISPATCH_FLOATING_AND_HALF(out.scalar_type(), "dequantize_per_token_int8", [&] {
    using acc_t = opmath_t<scalar_t>;
    const auto* level = levels.const_data_ptr<int8_t>();
    const auto steps = portable::contiguous(portable::cast(scales, torch::headeronly::CppTypeToScalarType<acc_t>::value));
    const auto* step = steps.const_data_ptr<acc_t>();
    auto* to = out.mutable_data_ptr<scalar_t>();
    portable::parallel_for(0, row_count(levels), row_grain(width), [&](int64_t begin, int64_t end) {
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
