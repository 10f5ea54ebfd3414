// What the kernels for regions of interest share: checks, the rows of `rois`, and the points at
// which a cell of a region's grid is sampled.
#pragma once

#include "bilinear.h"

#include <ATen/ATen.h>

namespace visionkit::native {

inline void check_regions(const at::Tensor & input, const at::Tensor & rois) {
  TORCH_CHECK(input.dim() == 4, "input should be [N, C, H, W], got ", input.sizes());
  TORCH_CHECK(rois.dim() == 2 && rois.size(1) == 5, "rois should be [K, 5], got ", rois.sizes());
  TORCH_CHECK(input.scalar_type() == rois.scalar_type(), "input and rois should have the same type");
}

// A region on the feature map, and its grid.
template <typename T>
struct Region {
  int64_t image;
  T y, x, cell_height, cell_width;
  int64_t samples_y, samples_x;

  // `shift` is what a pixel's center is moved by, and `least` the smallest side.
  Region(const T * roi, double scale, T shift, T least, int64_t rows, int64_t columns, int64_t samples, int64_t images)
      : image(int64_t(roi[0])), y(roi[2] * T(scale) - shift), x(roi[1] * T(scale) - shift) {
    TORCH_CHECK_INDEX(image >= 0 && image < images, "a region is in image ", image, " of ", images);
    const T height = std::max(roi[4] * T(scale) - shift - y, least);
    const T width = std::max(roi[3] * T(scale) - shift - x, least);
    cell_height = height / rows;
    cell_width = width / columns;
    samples_y = samples > 0 ? samples : std::max<int64_t>(0, std::ceil(cell_height));
    samples_x = samples > 0 ? samples : std::max<int64_t>(0, std::ceil(cell_width));
  }

  // Calls `f(element, weight)` for the elements of a plane whose weighted sum is the mean of the
  // samples in a cell.
  template <typename F>
  void for_each_in_cell(int64_t row, int64_t column, int64_t height, int64_t width, F && f) const {
    const T share = T(1) / std::max<int64_t>(samples_y * samples_x, 1);
    for (int64_t i = 0; i < samples_y; i++) {
      const T at_y = y + (row + (i + T(0.5)) / samples_y) * cell_height;
      for (int64_t j = 0; j < samples_x; j++) {
        const T at_x = x + (column + (j + T(0.5)) / samples_x) * cell_width;
        bilinear_clamped(at_y, at_x, height, width).for_each([&](int64_t element, T weight) {
          f(element, weight * share);
        });
      }
    }
  }
};

} // namespace visionkit::native
