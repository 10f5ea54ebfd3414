// Combining hashes.
#pragma once

#include "float_bits.h"

#include <cstddef>
#include <functional>
#include <string>

namespace torchgen_support {

/// Combines the hashes of several values. Values that are equal (see `sameValue`) have equal
/// hashes.
class Hasher {
  std::size_t state_ = static_cast<std::size_t>(0x9e3779b97f4a7c15ull);

public:
  /// Adds a hash.
  Hasher &mix(std::size_t hash) {
    state_ ^= hash + static_cast<std::size_t>(0x9e3779b97f4a7c15ull) + (state_ << 6) + (state_ >> 2);
    return *this;
  }

  /// Adds a value: a number, an enumerator, a string, a pointer, a list of such, or any type with a
  /// function `hash_value`.
  template <typename T> Hasher &add(const T &value) {
    if constexpr (std::is_floating_point_v<T>) {
      return mix(std::hash<decltype(bitsOf(value))>{}(bitsOf(value)));
    } else if constexpr (std::is_enum_v<T>) {
      return add(static_cast<std::underlying_type_t<T>>(value));
    } else if constexpr (std::is_arithmetic_v<T> || std::is_pointer_v<T> || std::is_same_v<T, std::string>) {
      return mix(std::hash<T>{}(value));
    } else {
      return mix(static_cast<std::size_t>(hash_value(value)));
    }
  }

  /// Adds a list: its length and its values.
  template <typename T> Hasher &add(const std::vector<T> &values) {
    mix(values.size());
    for (const auto &value : values) {
      add<T>(value);
    }
    return *this;
  }

  /// The combined hash.
  std::size_t get() const { return state_; }
};

} // namespace torchgen_support
