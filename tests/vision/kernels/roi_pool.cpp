// RoI pooling, of Fast R-CNN: each cell has the largest of its elements, or zero if it has none.
#include <visionkit/ops/_roi_pool_backward_native.h>
#include <visionkit/ops/roi_pool_native.h>

#include "regions.h"

#include <ATen/Dispatch.h>

namespace visionkit::native {

std::tuple<at::Tensor, at::Tensor> roi_pool_cpu(
    const at::Tensor & input, const at::Tensor & rois, double spatial_scale, int64_t pooled_height,
    int64_t pooled_width) {
  check_regions(input, rois);
  const auto planes = input.contiguous();
  const Grid grid(input.sizes(), spatial_scale, pooled_height, pooled_width);
  auto output = at::zeros({rois.size(0), input.size(1), pooled_height, pooled_width}, input.options());
  auto argmax = at::full(output.sizes(), -1, output.options().dtype(at::kInt));
  AT_DISPATCH_FLOATING_TYPES(input.scalar_type(), "roi_pool", [&] {
    const scalar_t * from = planes.const_data_ptr<scalar_t>();
    scalar_t * to = output.mutable_data_ptr<scalar_t>();
    int * index = argmax.mutable_data_ptr<int>();
    const auto make = [&](const scalar_t * roi) { return RoundedRegion(roi, grid, 1); };
    grid.for_each_cell<scalar_t>(rois, make, [&](const auto & region, int64_t i, int64_t j, int64_t plane, int64_t cell) {
      region.for_each_in_cell(i, j, grid, [&](int64_t element) {
        if (index[cell] < 0 || from[plane + element] > to[cell]) {
          to[cell] = from[plane + element];
          index[cell] = int(element);
        }
      });
    });
  });
  return {output, argmax};
}

at::Tensor roi_pool_backward_cpu(
    const at::Tensor & grad, const at::Tensor & rois, const at::Tensor & argmax, double spatial_scale,
    int64_t pooled_height, int64_t pooled_width, int64_t batch_size, int64_t channels, int64_t height, int64_t width) {
  check_regions(grad, rois);
  const auto cells = grad.contiguous();
  const auto indices = argmax.contiguous();
  const Grid grid({batch_size, channels, height, width}, spatial_scale, pooled_height, pooled_width);
  auto input = at::zeros({batch_size, channels, height, width}, grad.options());
  AT_DISPATCH_FLOATING_TYPES(grad.scalar_type(), "roi_pool_backward", [&] {
    const scalar_t * from = cells.const_data_ptr<scalar_t>();
    const int * index = indices.const_data_ptr<int>();
    scalar_t * to = input.mutable_data_ptr<scalar_t>();
    const auto make = [&](const scalar_t * roi) { return RoundedRegion(roi, grid, 1); };
    grid.for_each_cell<scalar_t>(rois, make, [&](const auto &, int64_t, int64_t, int64_t plane, int64_t cell) {
      if (index[cell] >= 0) {
        to[plane + index[cell]] += from[cell];
      }
    });
  });
  return input;
}

std::tuple<at::Tensor, at::Tensor> roi_pool_meta_symint(
    const at::Tensor & input, const at::Tensor & rois, double, c10::SymInt pooled_height, c10::SymInt pooled_width) {
  const c10::SymDimVector shape{rois.sym_size(0), input.sym_size(1), pooled_height, pooled_width};
  return {input.new_empty_symint(shape), input.new_empty_symint(shape, input.options().dtype(at::kInt))};
}

at::Tensor roi_pool_backward_meta_symint(
    const at::Tensor & grad, const at::Tensor &, const at::Tensor &, double, c10::SymInt, c10::SymInt,
    c10::SymInt batch_size, c10::SymInt channels, c10::SymInt height, c10::SymInt width) {
  return grad.new_empty_symint({batch_size, channels, height, width});
}

} // namespace visionkit::native
