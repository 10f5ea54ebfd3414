// Values of arguments, and dimensions.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include <ATen/ATen.h>
#include <ATen/ExpandUtils.h>
#include <ATen/ScalarOps.h>
#include <ATen/core/IListRef.h>
#include <ATen/native/TypeProperties.h>
#include <c10/core/DefaultDtype.h>

#include "torchgen_expr.h"

namespace torchgen_support::shape {

using Sizes = std::vector<int64_t>;

// ---- values

inline double number(const at::Scalar& value, const char* name) {
  TORCH_CHECK(!value.isComplex(), name, " is complex, which the backend does not support");
  const double number = value.toDouble();
  if (value.isIntegral(/*includeBool=*/false)) {
    TORCH_CHECK(
        std::abs(number) <= 9007199254740992.0, name, " is too large for the floating-point number that the backend takes");
  }
  return number;
}

inline int64_t integer(const at::Scalar& value, const char* name) {
  TORCH_CHECK(value.isIntegral(/*includeBool=*/true), name, " must be an integer");
  return value.toLong();
}

inline double plain(const at::Scalar& value) {
  // A complex number equals no number.
  return value.isComplex() ? std::numeric_limits<double>::quiet_NaN() : value.toDouble();
}
inline std::optional<double> plain(const std::optional<at::Scalar>& value) {
  return value.has_value() ? std::optional<double>(plain(*value)) : std::nullopt;
}
inline double plain(double value) { return value; }
inline std::string plain(c10::string_view value) { return std::string(value); }
inline std::optional<std::string> plain(const std::optional<c10::string_view>& value) {
  return value.has_value() ? std::optional<std::string>(std::string(*value)) : std::nullopt;
}
inline Sizes plain(int64_t value) { return {value}; }
inline Sizes plain(at::IntArrayRef values) { return values.vec(); }
inline Sizes plain(Sizes values) { return values; }
inline std::optional<Sizes> plain(at::OptionalIntArrayRef values) {
  return values.has_value() ? std::optional<Sizes>(values->vec()) : std::nullopt;
}
inline std::vector<double> plain(at::ArrayRef<double> values) { return values.vec(); }
inline std::optional<std::vector<double>> plain(const std::optional<at::ArrayRef<double>>& values) {
  return values.has_value() ? std::optional<std::vector<double>>(values->vec()) : std::nullopt;
}
template <std::size_t N>
std::vector<bool> plain(const std::array<bool, N>& values) { return {values.begin(), values.end()}; }
inline std::vector<at::Tensor> plain(const at::ITensorListRef& tensors) {
  TORCH_CHECK(tensors.size() != 0, "expected a non-empty list of tensors");
  return {tensors.begin(), tensors.end()};
}
inline std::vector<at::Tensor> plain(at::TensorList tensors) { return plain(at::ITensorListRef(tensors)); }

inline bool all_are(at::IntArrayRef values, int64_t value) {
  return std::all_of(values.begin(), values.end(), [&](int64_t item) { return item == value; });
}

inline int64_t ceil(double value) { return static_cast<int64_t>(std::ceil(value)); }
inline int64_t floor(double value) { return static_cast<int64_t>(std::floor(value)); }

// ---- dimensions

inline int64_t rank(const at::ITensorListRef& tensors) {
  int64_t rank = 0;
  for (const at::Tensor& tensor : plain(tensors)) {
    rank = std::max(rank, tensor.dim());
  }
  return rank;
}

/// A dimension counted from the front. A number without dimensions has one to name.
inline int64_t wrap(int64_t dim, int64_t rank, const char* name) {
  const int64_t count = std::max<int64_t>(rank, 1);
  TORCH_CHECK_INDEX(
      dim >= -count && dim < count, name, " is out of range (expected to be in range of [", -count, ", ", count - 1,
      "], but got ", dim, ")");
  return dim < 0 ? dim + count : dim;
}

} // namespace torchgen_support::shape
