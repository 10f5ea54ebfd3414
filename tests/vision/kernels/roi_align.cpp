// RoI align, of Mask R-CNN: no coordinate is rounded.
#include <visionkit/ops/_roi_align_backward_native.h>
#include <visionkit/ops/roi_align_native.h>

#include "regions.h"

#include <ATen/Dispatch.h>

namespace visionkit::native {
namespace {

// Calls `f(element, cell, weight)` for each element of the input that contributes to a cell.
template <typename T, typename F>
void for_each_pair(const Grid & grid, const at::Tensor & rois, int64_t samples, bool aligned, F && f) {
  // Without alignment, regions are at least one element large.
  const auto make = [&](const T * roi) {
    return SampledRegion<T>(roi, grid, aligned ? T(0.5) : T(0), aligned ? -INFINITY : T(1), samples);
  };
  grid.for_each_cell<T>(rois, make, [&](const auto & region, int64_t i, int64_t j, int64_t plane, int64_t cell) {
    region.for_each_in_cell(i, j, grid, [&](int64_t element, T weight) { f(plane + element, cell, weight); });
  });
}

} // namespace

at::Tensor roi_align_cpu(
    const at::Tensor & input, const at::Tensor & rois, double spatial_scale, int64_t pooled_height,
    int64_t pooled_width, int64_t sampling_ratio, bool aligned) {
  check_regions(input, rois);
  const auto planes = input.contiguous();
  const Grid grid(input.sizes(), spatial_scale, pooled_height, pooled_width);
  auto output = at::zeros({rois.size(0), input.size(1), pooled_height, pooled_width}, input.options());
  AT_DISPATCH_FLOATING_TYPES(input.scalar_type(), "roi_align", [&] {
    add_to_cells<scalar_t>(planes, output, [&](auto && f) { for_each_pair<scalar_t>(grid, rois, sampling_ratio, aligned, f); });
  });
  return output;
}

at::Tensor roi_align_backward_cpu(
    const at::Tensor & grad, const at::Tensor & rois, double spatial_scale, int64_t pooled_height,
    int64_t pooled_width, int64_t batch_size, int64_t channels, int64_t height, int64_t width, int64_t sampling_ratio,
    bool aligned) {
  check_regions(grad, rois);
  const auto cells = grad.contiguous();
  const Grid grid({batch_size, channels, height, width}, spatial_scale, pooled_height, pooled_width);
  auto input = at::zeros({batch_size, channels, height, width}, grad.options());
  AT_DISPATCH_FLOATING_TYPES(grad.scalar_type(), "roi_align_backward", [&] {
    add_to_elements<scalar_t>(cells, input, [&](auto && f) { for_each_pair<scalar_t>(grid, rois, sampling_ratio, aligned, f); });
  });
  return input;
}

at::Tensor roi_align_meta_symint(
    const at::Tensor & input, const at::Tensor & rois, double, c10::SymInt pooled_height, c10::SymInt pooled_width,
    int64_t, bool) {
  return input.new_empty_symint({rois.sym_size(0), input.sym_size(1), pooled_height, pooled_width});
}

at::Tensor roi_align_backward_meta_symint(
    const at::Tensor & grad, const at::Tensor &, double, c10::SymInt, c10::SymInt, c10::SymInt batch_size,
    c10::SymInt channels, c10::SymInt height, c10::SymInt width, int64_t, bool) {
  return grad.new_empty_symint({batch_size, channels, height, width});
}

} // namespace visionkit::native
