// causal_mask, whose size is a symbolic integer on libtorch's C++ API only.
#pragma once

#include <limits>

#include "common.h"

namespace opkit::native {

// Query i may attend to key j if j <= i and j is within the window. The mask is true and false for
// bool; for other types it is 0 and -inf, to be added.
inline Tensor mask_of_size(
    const Int& length, std::optional<Int> window, std::optional<ScalarType> dtype, std::optional<Layout> layout,
    std::optional<Device> device, std::optional<bool> pin_memory) {
  OPKIT_SYM_CHECK(at_most(0, length), "causal_mask: size must not be negative, is ", length);
  const auto mask = make_zeros({length, length}, dtype, layout, device, pin_memory);
  const auto type = mask.scalar_type();
  OPKIT_CHECK(
      type == ScalarType::Bool || portable::is_floating_point(type), "causal_mask: dtype must be bool or floating point, is ", type);
  const auto nothing = type == ScalarType::Bool ? mask : make_zeros({length, length}, ScalarType::Bool, layout, device, pin_memory);
  auto allowed = lower_triangle(aten::logical_not(nothing));
  if (window.has_value()) {
    OPKIT_SYM_CHECK(positive(*window), "causal_mask: window must be positive, is ", *window);
    allowed = upper_triangle(allowed, 1 - *window);
  }
  if (type == ScalarType::Bool) {
    return allowed;
  }
  return aten::masked_fill(mask, aten::logical_not(allowed), number(-std::numeric_limits<double>::infinity(), mask));
}

} // namespace opkit::native
