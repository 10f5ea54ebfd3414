// Deformable convolution: the elements that a convolution reads are moved by learned offsets, and in
// its second version weighed by a learned mask. The moved elements are gathered into columns, which a
// matrix product multiplies with the weight.
#include <visionkit/ops/_deform_conv2d_backward_native.h>
#include <visionkit/ops/deform_conv2d_native.h>

#include <ATen/ATen.h>
#include <ATen/Dispatch.h>

#include <cmath>

namespace visionkit::native {
namespace {

// A bilinear sample, where elements outside of the plane are zero: its elements, their weights, and
// the derivatives of these by the position.
template <typename T>
struct Sample {
  int64_t index[4];
  T weight[4], by_y[4], by_x[4];

  Sample(T y, T x, int64_t height, int64_t width) {
    const auto top = int64_t(std::floor(y)), left = int64_t(std::floor(x));
    const T down = y - top, across = x - left;
    for (int corner = 0; corner < 4; corner++) {
      const bool lower = corner / 2, right = corner % 2;
      const int64_t row = top + lower, column = left + right;
      index[corner] = row >= 0 && row < height && column >= 0 && column < width ? row * width + column : -1;
      const T along_y = lower ? down : 1 - down, along_x = right ? across : 1 - across;
      weight[corner] = along_y * along_x;
      by_y[corner] = (lower ? 1 : -1) * along_x;
      by_x[corner] = (right ? 1 : -1) * along_y;
    }
  }

  T sum(const T * plane, const T (&factors)[4]) const {
    T total = 0;
    for (int corner = 0; corner < 4; corner++) {
      total += index[corner] >= 0 ? factors[corner] * plane[index[corner]] : 0;
    }
    return total;
  }
};

struct Convolution {
  int64_t images, channels, height, width;
  int64_t kernel_height, kernel_width, stride_h, stride_w, pad_h, pad_w, dilation_h, dilation_w;
  int64_t groups, offset_groups, rows, columns;
  bool use_mask;

  int64_t taps() const { return kernel_height * kernel_width; }

  void check(const at::Tensor & weight, const at::Tensor & offset, const at::Tensor & mask, const at::Tensor & bias) const {
    TORCH_CHECK(channels % offset_groups == 0, channels, " channels cannot be divided among ", offset_groups, " offset groups");
    TORCH_CHECK(weight.size(1) * groups == channels, "weight has ", weight.size(1), " channels in each of ", groups, " groups, and input has ", channels);
    TORCH_CHECK(rows > 0 && columns > 0, "the output would be ", rows, " x ", columns);
    const int64_t moved = offset_groups * taps();
    TORCH_CHECK(offset.sizes().equals({images, 2 * moved, rows, columns}), "offset has the wrong shape ", offset.sizes());
    TORCH_CHECK(!use_mask || mask.sizes().equals({images, moved, rows, columns}), "mask has the wrong shape ", mask.sizes());
    TORCH_CHECK(bias.sizes().equals({weight.size(0)}), "bias has the wrong shape ", bias.sizes());
  }

  // Calls `f(sample, plane, column, y, mask)` for each element of the columns: the offsets of its
  // input plane, of itself, of its vertical offset, and of its mask.
  template <typename T, typename F>
  void for_each_sample(const T * offset, F && f) const {
    const int64_t positions = rows * columns;
    for (int64_t n = 0; n < images; n++) {
      for (int64_t c = 0; c < channels; c++) {
        const int64_t moved = (n * offset_groups + c / (channels / offset_groups)) * taps();
        for (int64_t tap = 0; tap < taps(); tap++) {
          for (int64_t position = 0; position < positions; position++) {
            const int64_t y = 2 * (moved + tap) * positions + position;
            const int64_t row = position / columns * stride_h - pad_h + tap / kernel_width * dilation_h;
            const int64_t column = position % columns * stride_w - pad_w + tap % kernel_width * dilation_w;
            f(Sample<T>(row + offset[y], column + offset[y + positions], height, width),
              (n * channels + c) * height * width, ((n * channels + c) * taps() + tap) * positions + position, y,
              (moved + tap) * positions + position);
          }
        }
      }
    }
  }

  // [images, groups, channels of a group and taps, positions]
  at::Tensor grouped_columns(const at::Tensor & columns) const {
    return columns.view({images, groups, channels / groups * taps(), -1});
  }

  at::Tensor grouped_weight(const at::Tensor & weight) const {
    return weight.reshape({groups, weight.size(0) / groups, -1});
  }

  at::Tensor gather(const at::Tensor & input, const at::Tensor & offset, const at::Tensor & mask) const {
    auto gathered = at::empty({images, channels * taps(), rows * columns}, input.options());
    AT_DISPATCH_FLOATING_TYPES(input.scalar_type(), "deform_conv2d", [&] {
      const scalar_t * from = input.const_data_ptr<scalar_t>();
      const scalar_t * share = mask.const_data_ptr<scalar_t>();
      scalar_t * to = gathered.mutable_data_ptr<scalar_t>();
      for_each_sample(offset.const_data_ptr<scalar_t>(), [&](const auto & sample, int64_t plane, int64_t column, int64_t, int64_t at) {
        to[column] = sample.sum(from + plane, sample.weight) * (use_mask ? share[at] : 1);
      });
    });
    return grouped_columns(gathered);
  }
};

template <typename T>
T output_size(T input, T kernel, T stride, T pad, T dilation) {
  return (input + 2 * pad - dilation * (kernel - 1) - 1) / stride + 1;
}

Convolution convolution(
    const at::Tensor & input, const at::Tensor & weight, int64_t stride_h, int64_t stride_w, int64_t pad_h,
    int64_t pad_w, int64_t dilation_h, int64_t dilation_w, int64_t groups, int64_t offset_groups, bool use_mask) {
  TORCH_CHECK(input.dim() == 4 && weight.dim() == 4, "input and weight should have four dimensions");
  TORCH_CHECK(stride_h > 0 && stride_w > 0 && dilation_h > 0 && dilation_w > 0, "strides and dilations should be positive");
  TORCH_CHECK(groups > 0 && offset_groups > 0 && weight.size(0) % groups == 0, "the numbers of groups should divide the channels");
  return {
      input.size(0), input.size(1), input.size(2), input.size(3), weight.size(2), weight.size(3), stride_h, stride_w,
      pad_h, pad_w, dilation_h, dilation_w, groups, offset_groups,
      output_size(input.size(2), weight.size(2), stride_h, pad_h, dilation_h),
      output_size(input.size(3), weight.size(3), stride_w, pad_w, dilation_w), use_mask};
}

} // namespace

at::Tensor deform_conv2d_cpu(
    const at::Tensor & input, const at::Tensor & weight, const at::Tensor & offset, const at::Tensor & mask,
    const at::Tensor & bias, int64_t stride_h, int64_t stride_w, int64_t pad_h, int64_t pad_w, int64_t dilation_h,
    int64_t dilation_w, int64_t groups, int64_t offset_groups, bool use_mask) {
  const auto shape = convolution(
      input, weight, stride_h, stride_w, pad_h, pad_w, dilation_h, dilation_w, groups, offset_groups, use_mask);
  shape.check(weight, offset, mask, bias);
  const auto columns = shape.gather(input.contiguous(), offset.contiguous(), mask.contiguous());
  const auto output = at::matmul(shape.grouped_weight(weight), columns);
  return output.view({shape.images, weight.size(0), shape.rows, shape.columns}) + bias.view({-1, 1, 1});
}

std::tuple<at::Tensor, at::Tensor, at::Tensor, at::Tensor, at::Tensor> deform_conv2d_backward_cpu(
    const at::Tensor & grad, const at::Tensor & input, const at::Tensor & weight, const at::Tensor & offset,
    const at::Tensor & mask, const at::Tensor & bias, int64_t stride_h, int64_t stride_w, int64_t pad_h, int64_t pad_w,
    int64_t dilation_h, int64_t dilation_w, int64_t groups, int64_t offset_groups, bool use_mask) {
  const auto shape = convolution(
      input, weight, stride_h, stride_w, pad_h, pad_w, dilation_h, dilation_w, groups, offset_groups, use_mask);
  shape.check(weight, offset, mask, bias);
  const auto planes = input.contiguous(), moves = offset.contiguous(), shares = mask.contiguous();
  const auto grouped = grad.reshape({shape.images, groups, weight.size(0) / groups, -1});
  const auto by_column = at::matmul(shape.grouped_weight(weight).transpose(1, 2), grouped).contiguous();
  const auto by_weight = at::matmul(grouped, shape.gather(planes, moves, shares).transpose(2, 3)).sum(0).view(weight.sizes());
  // Each is contiguous, whatever its tensor is.
  auto by_input = at::zeros(input.sizes(), input.options());
  auto by_offset = at::zeros(offset.sizes(), offset.options());
  auto by_mask = at::zeros(mask.sizes(), mask.options());
  AT_DISPATCH_FLOATING_TYPES(input.scalar_type(), "deform_conv2d_backward", [&] {
    const scalar_t * of_input = planes.const_data_ptr<scalar_t>();
    const scalar_t * share = shares.const_data_ptr<scalar_t>();
    const scalar_t * from = by_column.const_data_ptr<scalar_t>();
    scalar_t * to_input = by_input.mutable_data_ptr<scalar_t>();
    scalar_t * to_offset = by_offset.mutable_data_ptr<scalar_t>();
    scalar_t * to_mask = by_mask.mutable_data_ptr<scalar_t>();
    const int64_t positions = shape.rows * shape.columns;
    shape.for_each_sample(moves.const_data_ptr<scalar_t>(), [&](const auto & sample, int64_t plane, int64_t column, int64_t y, int64_t at) {
      const scalar_t through = from[column] * (use_mask ? share[at] : 1);
      for (int corner = 0; corner < 4; corner++) {
        if (sample.index[corner] >= 0) {
          to_input[plane + sample.index[corner]] += through * sample.weight[corner];
        }
      }
      to_offset[y] += through * sample.sum(of_input + plane, sample.by_y);
      to_offset[y + positions] += through * sample.sum(of_input + plane, sample.by_x);
      if (use_mask) {
        to_mask[at] += from[column] * sample.sum(of_input + plane, sample.weight);
      }
    });
  });
  return {by_input, by_weight, by_offset, by_mask, grad.sum({0, 2, 3})};
}

at::Tensor deform_conv2d_meta_symint(
    const at::Tensor & input, const at::Tensor & weight, const at::Tensor &, const at::Tensor &, const at::Tensor &,
    c10::SymInt stride_h, c10::SymInt stride_w, c10::SymInt pad_h, c10::SymInt pad_w, c10::SymInt dilation_h,
    c10::SymInt dilation_w, c10::SymInt, c10::SymInt, bool) {
  return input.new_empty_symint(
      {input.sym_size(0), weight.sym_size(0),
       output_size(input.sym_size(2), weight.sym_size(2), stride_h, pad_h, dilation_h),
       output_size(input.sym_size(3), weight.sym_size(3), stride_w, pad_w, dilation_w)});
}

} // namespace visionkit::native
