// Position-sensitive RoI pooling, of R-FCN: each cell has the mean of a plane of its own.
#include <visionkit/ops/_ps_roi_pool_backward_native.h>
#include <visionkit/ops/ps_roi_pool_native.h>

#include "regions.h"

#include <ATen/Dispatch.h>

namespace visionkit::native {
namespace {

template <typename T, typename F>
void for_each_pair(const Grid & grid, const at::Tensor & rois, F && f) {
  const auto make = [&](const T * roi) { return RoundedRegion(roi, grid, 0); };
  grid.for_each_cell<T>(rois, make, [&](const auto & region, int64_t i, int64_t j, int64_t plane, int64_t cell) {
    const T share = T(1) / std::max<int64_t>(region.count(i, j, grid), 1);
    region.for_each_in_cell(i, j, grid, [&](int64_t element) { f(plane + element, cell, share); });
  });
}

} // namespace

std::tuple<at::Tensor, at::Tensor> ps_roi_pool_cpu(
    const at::Tensor & input, const at::Tensor & rois, double spatial_scale, int64_t pooled_height,
    int64_t pooled_width) {
  check_regions(input, rois);
  const auto planes = input.contiguous();
  Grid grid(input.sizes(), spatial_scale, pooled_height, pooled_width);
  grid.position_sensitive = true;
  auto output = at::zeros({rois.size(0), grid.output_channels(), pooled_height, pooled_width}, input.options());
  AT_DISPATCH_FLOATING_TYPES(input.scalar_type(), "ps_roi_pool", [&] {
    add_to_cells<scalar_t>(planes, output, [&](auto && f) { for_each_pair<scalar_t>(grid, rois, f); });
  });
  return {output, channel_mapping(output)};
}

at::Tensor ps_roi_pool_backward_cpu(
    const at::Tensor & grad, const at::Tensor & rois, const at::Tensor &, double spatial_scale, int64_t pooled_height,
    int64_t pooled_width, int64_t batch_size, int64_t channels, int64_t height, int64_t width) {
  check_regions(grad, rois);
  const auto cells = grad.contiguous();
  Grid grid({batch_size, channels, height, width}, spatial_scale, pooled_height, pooled_width);
  grid.position_sensitive = true;
  auto input = at::zeros({batch_size, channels, height, width}, grad.options());
  AT_DISPATCH_FLOATING_TYPES(grad.scalar_type(), "ps_roi_pool_backward", [&] {
    add_to_elements<scalar_t>(cells, input, [&](auto && f) { for_each_pair<scalar_t>(grid, rois, f); });
  });
  return input;
}

std::tuple<at::Tensor, at::Tensor> ps_roi_pool_meta_symint(
    const at::Tensor & input, const at::Tensor & rois, double, c10::SymInt pooled_height, c10::SymInt pooled_width) {
  return position_sensitive_meta(input, rois, pooled_height, pooled_width);
}

at::Tensor ps_roi_pool_backward_meta_symint(
    const at::Tensor & grad, const at::Tensor &, const at::Tensor &, double, c10::SymInt, c10::SymInt,
    c10::SymInt batch_size, c10::SymInt channels, c10::SymInt height, c10::SymInt width) {
  return grad.new_empty_symint({batch_size, channels, height, width});
}

} // namespace visionkit::native
