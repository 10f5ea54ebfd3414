// Products of the halves of rows, of which the first goes through an activation.
#pragma once

#include <cmath>

#include "common.h"

namespace opkit::native {

// The shape of the product of the two halves of each row.
inline std::vector<Int> gated_sizes(const Tensor& input, const char* name) {
  OPKIT_CHECK(input.dim() >= 1, name, ": input needs at least one dimension");
  OPKIT_CHECK(portable::is_floating_point(input.scalar_type()), name, ": input must be floating point, is ", input.scalar_type());
  const auto width = dim_size(input, -1);
  OPKIT_SYM_CHECK(equal(width % 2, 0), name, ": the last dimension must be even, is ", width);
  auto result = dim_sizes(input);
  result.back() = width / 2;
  return result;
}

template <typename acc_t>
acc_t silu(acc_t x) {
  return x / (acc_t(1) + std::exp(-x));
}

template <typename acc_t>
acc_t gelu_tanh(acc_t x) {
  const auto inner = acc_t(M_SQRT2 * M_2_SQRTPI * 0.5) * (x + acc_t(0.044715) * x * x * x);
  return acc_t(0.5) * x * (acc_t(1) + std::tanh(inner));
}

// out = activation(first half of each row) * second half
template <typename Activation>
void gate(const Tensor& input, const Tensor& out, Activation activation) {
  const auto rows = portable::contiguous(input);
  const auto products = out.is_contiguous() ? out : make_empty(dim_sizes(out), out);
  const auto width = out.size(out.dim() - 1);
  OPKIT_DISPATCH_FLOATING_AND_HALF(input.scalar_type(), "gate", [&] {
    using acc_t = opmath_t<scalar_t>;
    const auto* from = rows.const_data_ptr<scalar_t>();
    auto* to = products.mutable_data_ptr<scalar_t>();
    portable::parallel_for(0, row_count(out), row_grain(width), [&](int64_t begin, int64_t end) {
      for (auto row = begin; row < end; ++row) {
        const auto* gates = from + row * 2 * width;
        for (int64_t i = 0; i < width; ++i) {
          const auto gated = activation(static_cast<acc_t>(gates[i])) * static_cast<acc_t>(gates[width + i]);
          to[row * width + i] = static_cast<scalar_t>(gated);
        }
      }
    });
  });
  if (products.data_ptr() != out.data_ptr()) {
    portable::copy_(out, products);
  }
}

} // namespace opkit::native
