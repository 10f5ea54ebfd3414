// Root mean square normalisation of rows, for the operators that need it.
#pragma once

#include <cmath>

#include "common.h"

namespace opkit::native {

void check_weight(const Tensor& input, const Tensor& weight);

// Writes the product of one row, its scale and the weight. `row` and `out` may be the same.
template <typename scalar_t>
void rms_norm_row(const scalar_t* row, const scalar_t* weight, scalar_t* out, int64_t width, double eps) {
  using acc_t = opmath_t<scalar_t>;
  acc_t squares = 0;
  for (int64_t i = 0; i < width; ++i) {
    const auto x = static_cast<acc_t>(row[i]);
    squares += x * x;
  }
  const auto scale = acc_t(1) / std::sqrt(squares / static_cast<acc_t>(width) + static_cast<acc_t>(eps));
  for (int64_t i = 0; i < width; ++i) {
    out[i] = static_cast<scalar_t>(static_cast<acc_t>(row[i]) * scale * static_cast<acc_t>(weight[i]));
  }
}

// Normalises all rows; `weight` and `out` are contiguous.
void rms_norm_rows(const Tensor& input, int64_t width, const Tensor& weight, double eps, const Tensor& out);

} // namespace opkit::native
