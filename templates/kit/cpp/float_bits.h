// Equality of floating-point numbers by their bits.
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>
#include <vector>

namespace torchgen_support {

/// The bits of a floating-point number, so that equality and hash are consistent: +0 and -0 differ,
/// and a NaN equals itself.
inline std::uint32_t bitsOf(float value) {
  std::uint32_t bits;
  static_assert(sizeof(bits) == sizeof(value), "float has 32 bits");
  std::memcpy(&bits, &value, sizeof(bits));
  return bits;
}

/// The bits of a double.
inline std::uint64_t bitsOf(double value) {
  std::uint64_t bits;
  static_assert(sizeof(bits) == sizeof(value), "double has 64 bits");
  std::memcpy(&bits, &value, sizeof(bits));
  return bits;
}

/// Whether two values are equal, floating-point numbers by their bits.
template <typename T> bool sameValue(const T &a, const T &b) {
  if constexpr (std::is_floating_point_v<T>) {
    return bitsOf(a) == bitsOf(b);
  } else {
    return a == b;
  }
}

/// Whether two lists hold equal values in the same order.
template <typename T> bool sameValue(const std::vector<T> &a, const std::vector<T> &b) {
  if (a.size() != b.size()) {
    return false;
  }
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!sameValue<T>(a[i], b[i])) {
      return false;
    }
  }
  return true;
}

} // namespace torchgen_support
