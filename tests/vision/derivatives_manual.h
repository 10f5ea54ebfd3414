// Functions that derivatives.yaml calls.
#pragma once

#include <ATen/ATen.h>

namespace visionkit {

// The elements of [N, C, H, W] that a maximum pooling took for each cell, and zero in empty cells.
inline at::Tensor at_argmax(const at::Tensor & x, const at::Tensor & rois, const at::Tensor & argmax) {
  const auto planes = x.index_select(0, rois.select(1, 0).to(at::kLong)).flatten(2);
  const auto index = argmax.flatten(2).to(at::kLong);
  const auto taken = planes.gather(2, index.clamp_min(0)).masked_fill(index < 0, 0);
  return taken.view_symint(argmax.sym_sizes());
}

} // namespace visionkit
