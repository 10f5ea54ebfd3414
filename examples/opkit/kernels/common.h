// Helpers that several kernels use.
//
// Kernels in this directory compile with both ABIs: they use the generated Portable.h, what
// vocabulary.h adds to it, and the operators of torch in `aten`, which take and return tensors.
#pragma once

#include <algorithm>
#include <optional>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <vector>

#ifdef OPKIT_STABLE
#include "stable/vocabulary.h"
#else
#include "libtorch/vocabulary.h"
#endif

namespace opkit::native {


// The type to compute in: float for half precision.
template <typename scalar_t>
using opmath_t = std::conditional_t<(sizeof(scalar_t) < sizeof(float)), float, scalar_t>;

inline Tensor make_empty(const std::vector<Int>& sizes, const Tensor& like) {
  return make_empty(sizes, like, like.scalar_type());
}

// The product of the sizes of some dimensions.
inline int64_t count(const Tensor& t, int64_t from, int64_t to) {
  int64_t product = 1;
  for (auto dim = from; dim < to; ++dim) {
    product *= t.sizes()[dim];
  }
  return product;
}

// The number of rows: the product of all dimensions but the last.
inline int64_t row_count(const Tensor& t) {
  return count(t, 0, t.dim() - 1);
}

// The least number of rows for one thread.
inline int64_t row_grain(int64_t width) {
  constexpr int64_t elements = 32768;
  return std::max<int64_t>(1, elements / std::max<int64_t>(1, width));
}

} // namespace opkit::native
