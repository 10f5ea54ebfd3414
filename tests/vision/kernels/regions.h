// What the kernels for regions of interest share: checks, and which elements of the input belong to
// which cell of the output.
#pragma once

#include "bilinear.h"

#include <ATen/ATen.h>

namespace visionkit::native {

inline void check_regions(const at::Tensor & input, const at::Tensor & rois) {
  TORCH_CHECK(input.dim() == 4, "input should be [N, C, H, W], got ", input.sizes());
  TORCH_CHECK(rois.dim() == 2 && rois.size(1) == 5, "rois should be [K, 5], got ", rois.sizes());
  TORCH_CHECK(input.scalar_type() == rois.scalar_type(), "input and rois should have the same type");
}

// The planes of the output of position-sensitive pooling, in which each cell has an input plane of
// its own.
inline int64_t position_sensitive_planes(int64_t channels, int64_t rows, int64_t columns) {
  TORCH_CHECK(channels % (rows * columns) == 0, channels, " channels cannot be divided among ", rows, " x ", columns, " cells");
  return channels / (rows * columns);
}

// The input plane of each cell of the output, as position-sensitive operators return it.
inline at::Tensor channel_mapping(const at::Tensor & output) {
  const auto planes = at::arange(output.size(1) * output.size(2) * output.size(3), output.options().dtype(at::kInt));
  return planes.view({1, output.size(1), output.size(2), output.size(3)}).repeat({output.size(0), 1, 1, 1});
}

// The sizes of an input, and the grid that is laid over each region.
struct Grid {
  int64_t images, channels, height, width;
  double scale;
  int64_t rows, columns;
  bool position_sensitive = false;

  Grid(at::IntArrayRef input, double scale, int64_t rows, int64_t columns)
      : images(input[0]), channels(input[1]), height(input[2]), width(input[3]), scale(scale), rows(rows), columns(columns) {}

  int64_t output_channels() const {
    return position_sensitive ? position_sensitive_planes(channels, rows, columns) : channels;
  }

  // Calls `f(region, row, column, plane, cell)` for each cell of the output, where `plane` is the
  // offset of its input plane, and `make(roi, image)` makes the region.
  template <typename T, typename Make, typename F>
  void for_each_cell(const at::Tensor & rois, Make && make, F && f) const {
    const auto rows_of_rois = rois.contiguous();
    int64_t cell = 0;
    for (int64_t k = 0; k < rows_of_rois.size(0); k++) {
      const T * roi = rows_of_rois.const_data_ptr<T>() + 5 * k;
      const auto image = int64_t(roi[0]);
      TORCH_CHECK_INDEX(image >= 0 && image < images, "a region is in image ", image, " of ", images);
      const auto region = make(roi);
      for (int64_t c = 0; c < output_channels(); c++) {
        for (int64_t i = 0; i < rows; i++) {
          for (int64_t j = 0; j < columns; j++) {
            const int64_t channel = position_sensitive ? (c * rows + i) * columns + j : c;
            f(region, i, j, (image * channels + channel) * height * width, cell++);
          }
        }
      }
    }
  }
};

// Adds elements of the input to cells of the output, for `pairs(f)`, which calls
// `f(element, cell, weight)` for each pair that belongs together.
template <typename T, typename Pairs>
void add_to_cells(const at::Tensor & input, const at::Tensor & output, Pairs && pairs) {
  const T * from = input.const_data_ptr<T>();
  T * to = output.mutable_data_ptr<T>();
  pairs([&](int64_t element, int64_t cell, T weight) { to[cell] += weight * from[element]; });
}

// The same for gradients: adds those of cells to those of elements.
template <typename T, typename Pairs>
void add_to_elements(const at::Tensor & output, const at::Tensor & input, Pairs && pairs) {
  const T * from = output.const_data_ptr<T>();
  T * to = input.mutable_data_ptr<T>();
  pairs([&](int64_t element, int64_t cell, T weight) { to[element] += weight * from[cell]; });
}

// Two outputs of position-sensitive pooling, without data: the cells, and the plane of each.
inline std::tuple<at::Tensor, at::Tensor> position_sensitive_meta(
    const at::Tensor & input, const at::Tensor & rois, const c10::SymInt & rows, const c10::SymInt & columns) {
  const c10::SymDimVector shape{rois.sym_size(0), input.sym_size(1) / (rows * columns), rows, columns};
  return {input.new_empty_symint(shape), input.new_empty_symint(shape, input.options().dtype(at::kInt))};
}

// A region whose coordinates are not rounded. Cells are sampled between elements.
template <typename T>
struct SampledRegion {
  T y, x, cell_height, cell_width;
  int64_t samples_y, samples_x;

  // `shift` is what a pixel's center is moved by, `least` the smallest side, and `samples` their
  // number in a cell, along each side; if it is not positive, one for each element.
  SampledRegion(const T * roi, const Grid & grid, T shift, T least, int64_t samples)
      : y(roi[2] * T(grid.scale) - shift), x(roi[1] * T(grid.scale) - shift) {
    cell_height = std::max(roi[4] * T(grid.scale) - shift - y, least) / grid.rows;
    cell_width = std::max(roi[3] * T(grid.scale) - shift - x, least) / grid.columns;
    samples_y = samples > 0 ? samples : std::max<int64_t>(0, std::ceil(cell_height));
    samples_x = samples > 0 ? samples : std::max<int64_t>(0, std::ceil(cell_width));
  }

  // Calls `f(element, weight)` for the elements of a plane whose weighted sum is the mean of the
  // samples in a cell.
  template <typename F>
  void for_each_in_cell(int64_t row, int64_t column, const Grid & grid, F && f) const {
    const T share = T(1) / std::max<int64_t>(samples_y * samples_x, 1);
    for (int64_t i = 0; i < samples_y; i++) {
      const T at_y = y + (row + (i + T(0.5)) / samples_y) * cell_height;
      for (int64_t j = 0; j < samples_x; j++) {
        const T at_x = x + (column + (j + T(0.5)) / samples_x) * cell_width;
        bilinear_clamped(at_y, at_x, grid.height, grid.width).for_each([&](int64_t element, T weight) {
          f(element, weight * share);
        });
      }
    }
  }
};

// A region whose coordinates are rounded, so that cells are rectangles of whole elements.
struct RoundedRegion {
  int64_t y, x, height, width;

  // `beyond` is 1 if the end of a region is its last element.
  template <typename T>
  RoundedRegion(const T * roi, const Grid & grid, int64_t beyond)
      : y(rounded(roi[2] * T(grid.scale))), x(rounded(roi[1] * T(grid.scale))) {
    height = std::max<int64_t>(rounded(roi[4] * T(grid.scale)) - y + beyond, 1);
    width = std::max<int64_t>(rounded(roi[3] * T(grid.scale)) - x + beyond, 1);
  }

  // Calls `f(element)` for the elements of a plane that are in a cell.
  template <typename F>
  void for_each_in_cell(int64_t row, int64_t column, const Grid & grid, F && f) const {
    const auto [top, bottom] = part(y, height, row, grid.rows, grid.height);
    const auto [left, right] = part(x, width, column, grid.columns, grid.width);
    for (int64_t i = top; i < bottom; i++) {
      for (int64_t j = left; j < right; j++) {
        f(i * grid.width + j);
      }
    }
  }

  // The number of elements in a cell.
  int64_t count(int64_t row, int64_t column, const Grid & grid) const {
    const auto [top, bottom] = part(y, height, row, grid.rows, grid.height);
    const auto [left, right] = part(x, width, column, grid.columns, grid.width);
    return std::max<int64_t>(bottom - top, 0) * std::max<int64_t>(right - left, 0);
  }

 private:
  template <typename T>
  static int64_t rounded(T x) {
    return int64_t(std::round(x));
  }

  // One of `cells` equal parts of a side, rounded outwards and cut off at the border.
  static std::pair<int64_t, int64_t> part(int64_t start, int64_t length, int64_t cell, int64_t cells, int64_t limit) {
    const int64_t begin = start + cell * length / cells;
    const int64_t end = start + ((cell + 1) * length + cells - 1) / cells;
    return {std::clamp<int64_t>(begin, 0, limit), std::clamp<int64_t>(end, 0, limit)};
  }
};

} // namespace visionkit::native
