// RoI align, of Mask R-CNN: no coordinate is rounded.
#include <visionkit/ops/_roi_align_backward_native.h>
#include <visionkit/ops/roi_align_native.h>

#include "regions.h"

#include <ATen/Dispatch.h>

namespace visionkit::native {
namespace {

// Calls `f(plane, element, cell, weight)` for each element that contributes to a cell of the output.
template <typename T, typename F>
void for_each_pair(
    const at::Tensor & rois, double scale, int64_t rows, int64_t columns, int64_t samples, bool aligned,
    int64_t images, int64_t channels, int64_t height, int64_t width, F && f) {
  const auto regions = rois.contiguous();
  for (int64_t k = 0; k < regions.size(0); k++) {
    const T * roi = regions.const_data_ptr<T>() + 5 * k;
    // Without alignment, regions are at least one element large.
    const Region<T> region(roi, scale, aligned ? T(0.5) : T(0), aligned ? -INFINITY : T(1), rows, columns, samples, images);
    for (int64_t c = 0; c < channels; c++) {
      for (int64_t cell = 0; cell < rows * columns; cell++) {
        region.for_each_in_cell(cell / columns, cell % columns, height, width, [&](int64_t element, T weight) {
          f((region.image * channels + c) * height * width + element, (k * channels + c) * rows * columns + cell, weight);
        });
      }
    }
  }
}

} // namespace

at::Tensor roi_align_cpu(
    const at::Tensor & input, const at::Tensor & rois, double spatial_scale, int64_t pooled_height,
    int64_t pooled_width, int64_t sampling_ratio, bool aligned) {
  check_regions(input, rois);
  const auto planes = input.contiguous();
  auto output = at::zeros({rois.size(0), input.size(1), pooled_height, pooled_width}, input.options());
  AT_DISPATCH_FLOATING_TYPES(input.scalar_type(), "roi_align", [&] {
    const scalar_t * from = planes.const_data_ptr<scalar_t>();
    scalar_t * to = output.mutable_data_ptr<scalar_t>();
    for_each_pair<scalar_t>(
        rois, spatial_scale, pooled_height, pooled_width, sampling_ratio, aligned, input.size(0), input.size(1),
        input.size(2), input.size(3),
        [&](int64_t element, int64_t cell, scalar_t weight) { to[cell] += weight * from[element]; });
  });
  return output;
}

at::Tensor roi_align_backward_cpu(
    const at::Tensor & grad, const at::Tensor & rois, double spatial_scale, int64_t pooled_height,
    int64_t pooled_width, int64_t batch_size, int64_t channels, int64_t height, int64_t width, int64_t sampling_ratio,
    bool aligned) {
  check_regions(grad, rois);
  const auto cells = grad.contiguous();
  auto input = at::zeros({batch_size, channels, height, width}, grad.options());
  AT_DISPATCH_FLOATING_TYPES(grad.scalar_type(), "roi_align_backward", [&] {
    const scalar_t * from = cells.const_data_ptr<scalar_t>();
    scalar_t * to = input.mutable_data_ptr<scalar_t>();
    for_each_pair<scalar_t>(
        rois, spatial_scale, pooled_height, pooled_width, sampling_ratio, aligned, batch_size, channels, height, width,
        [&](int64_t element, int64_t cell, scalar_t weight) { to[element] += weight * from[cell]; });
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
