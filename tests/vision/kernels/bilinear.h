// Bilinear interpolation at one point of a plane: up to four elements with their weights.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace visionkit::native {

template <typename T>
struct Bilinear {
  int64_t index[4];
  T weight[4];

  template <typename F>
  void for_each(F && f) const {
    for (int corner = 0; corner < 4; corner++) {
      if (index[corner] >= 0) {
        f(index[corner], weight[corner]);
      }
    }
  }
};

// Between the centers of pixels, values are interpolated. A point beyond the centers at the border
// has the value at the border if it is less than a pixel away, and is empty otherwise.
template <typename T>
Bilinear<T> bilinear_clamped(T y, T x, int64_t height, int64_t width) {
  if (!(y >= -1 && y <= height && x >= -1 && x <= width)) {
    return {{-1, -1, -1, -1}, {0, 0, 0, 0}};
  }
  y = std::min(std::max<T>(y, 0), T(height - 1));
  x = std::min(std::max<T>(x, 0), T(width - 1));
  const auto top = int64_t(y), left = int64_t(x);
  const int64_t bottom = std::min(top + 1, height - 1), right = std::min(left + 1, width - 1);
  const T down = y - top, across = x - left;
  return {
      {top * width + left, top * width + right, bottom * width + left, bottom * width + right},
      {(1 - down) * (1 - across), (1 - down) * across, down * (1 - across), down * across}};
}

} // namespace visionkit::native
