// What kernels need of torch beyond the generated Portable.h, on the stable ABI. Sizes are numbers.
#pragma once

#include <limits>

#include <opkit/NativeFunctions.h>
#include <opkit/Portable.h>

#define OPKIT_CHECK_INDEX STD_TORCH_CHECK
#define OPKIT_CHECK_VALUE STD_TORCH_CHECK
#define OPKIT_SYM_CHECK STD_TORCH_CHECK

namespace opkit::native {

using TensorList = ArrayRef<Tensor>;
using Int = int64_t;

inline Int dim_size(const Tensor& t, int64_t dim) {
  const auto at = dim < 0 ? dim + t.dim() : dim;
  OPKIT_CHECK(at >= 0 && at < t.dim(), "there is no dimension ", dim, " in a tensor of ", t.dim());
  return t.sizes()[at];
}

inline std::vector<Int> dim_sizes(const Tensor& t) {
  return {t.sizes().begin(), t.sizes().end()};
}

inline Int elements(const Tensor& t) {
  return t.numel();
}

// Comparisons of sizes.
inline bool equal(Int a, Int b) {
  return a == b;
}

inline bool at_most(Int a, Int b) {
  return a <= b;
}

inline bool positive(Int a) {
  return a > 0;
}

// A tensor without dimensions.
inline Tensor number(double value, const Tensor& like) {
  return torch::stable::full({}, value, like.scalar_type(), std::nullopt, like.device());
}

// t += (to - t) * weight
inline void move_towards(Tensor t, const Tensor& to, double weight) {
  aten::lerp_out(t, t, to, number(weight, t));
}

inline Tensor expanded(const Tensor& t, const std::vector<Int>& sizes) {
  return aten::broadcast_to(t, sizes);
}

// A contiguous tensor of a size, with the device of another.
inline Tensor make_empty(const std::vector<Int>& sizes, const Tensor& like, ScalarType type) {
  return torch::stable::empty(sizes, type, std::nullopt, like.device());
}

inline Tensor make_zeros(
    const std::vector<Int>& sizes, std::optional<ScalarType> type, std::optional<Layout> layout, std::optional<Device> device,
    std::optional<bool> pin_memory) {
  return aten::zeros(sizes, type, layout, device, pin_memory);
}

inline Tensor lower_triangle(const Tensor& t) {
  return aten::tril(t);
}

inline Tensor upper_triangle(const Tensor& t, Int diagonal) {
  return aten::triu(t, diagonal);
}

// torch's own takes 2 as a Scalar. Sums of squares of half precision are in single precision.
inline Tensor norm_along(const Tensor& t, int64_t dim) {
  const auto type = t.scalar_type() == ScalarType::Double ? ScalarType::Double : ScalarType::Float;
  const Tensor wide = portable::cast(t, type);
  return portable::cast(aten::sqrt(aten::sum(aten::mul(wide, wide), dim, /*keepdim=*/true)), t.scalar_type());
}

// torch's own takes p as a Scalar.
inline Tensor vector_norm(const Tensor& t, double p) {
  const Tensor magnitudes = aten::abs(torch::stable::flatten(t));
  if (p == 2) {
    return torch::stable::select(norm_along(magnitudes, 0), 0, 0);
  }
  if (p == std::numeric_limits<double>::infinity()) {
    return torch::stable::amax(magnitudes, {0});
  }
  return aten::pow(torch::stable::sum(aten::pow(magnitudes, number(p, t))), number(1 / p, t));
}

// Whether different elements have different places.
inline bool has_internal_overlap(const Tensor& t) {
  for (int64_t i = 0; i < t.dim(); ++i) {
    if (t.sizes()[i] > 1 && t.strides()[i] == 0) {
      return true;
    }
  }
  return false;
}

// The bytes from the first element of a tensor to its last.
inline int64_t extent(const Tensor& t) {
  int64_t last = 0;
  for (int64_t i = 0; i < t.dim(); ++i) {
    last += (t.sizes()[i] - 1) * t.strides()[i];
  }
  return (last + 1) * static_cast<int64_t>(t.element_size());
}

// Refuses to write tensors whose elements share memory. Of two tensors with gaps, it refuses those that interleave.
inline void check_memory(const Tensor& a, const Tensor& b) {
  const char* message = "some elements of the written tensors refer to a single memory location";
  OPKIT_CHECK(!has_internal_overlap(a) && !has_internal_overlap(b), message);
  if (a.numel() > 0 && b.numel() > 0) {
    const auto* from = static_cast<const char*>(a.const_data_ptr());
    const auto* other = static_cast<const char*>(b.const_data_ptr());
    OPKIT_CHECK(from + extent(a) <= other || other + extent(b) <= from, message);
  }
}

// A CPU tensor over the memory of a PrivateUse1 tensor. The CPU must be able to read it, as with
// simulators and the backend of the tests.
inline Tensor as_cpu(const Tensor& t) {
  const Device cpu(torch::headeronly::DeviceType::CPU);
  return torch::stable::from_blob(t.data_ptr(), t.sizes(), t.strides(), cpu, t.scalar_type());
}

} // namespace opkit::native
