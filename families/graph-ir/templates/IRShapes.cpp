// torchgen_comment

#include "IRShapes.h"

#include <cmath>

namespace torchgen_support {

std::string shapeText(ArrayRef<dim_t> dims) {
  std::string text = "<";
  for (std::size_t i = 0; i < dims.size(); ++i) {
    text += (i ? " x " : "") + std::to_string(dims[i]);
  }
  return text + ">";
}

static void requireShape(bool holds, const std::string &message) {
  if (!holds) {
    throw BadShape(message);
  }
}

static void requireRank(const char *what, ArrayRef<dim_t> dims, std::size_t rank) {
  requireShape(dims.size() == rank, std::string(what) + " has the shape " + shapeText(dims) + ", not " +
                                        std::to_string(rank) + " dimensions");
}

static void requireDims(const char *what, ArrayRef<dim_t> dims, const std::vector<dim_t> &expected) {
  requireShape(dims.equals(expected), std::string(what) + " has the shape " + shapeText(dims) + ", not " +
                                          shapeText(expected));
}

static void requireCount(const char *what, std::size_t count, std::size_t expected) {
  requireShape(count == expected, "there are " + std::to_string(count) + " " + what + ", not " +
                                      std::to_string(expected));
}

dim_t dimAt(ArrayRef<dim_t> dims, std::size_t axis) {
  requireShape(axis < dims.size(), "the shape " + shapeText(dims) + " has no axis " + std::to_string(axis));
  return dims[axis];
}

std::vector<dim_t> withDim(ArrayRef<dim_t> dims, std::size_t axis, dim_t dim) {
  dimAt(dims, axis);
  std::vector<dim_t> result = dims.vec();
  result[axis] = dim;
  return result;
}

std::vector<dim_t> joinedDims(ArrayRef<dim_t> first, ArrayRef<dim_t> second) {
  std::vector<dim_t> result = first.vec();
  result.insert(result.end(), second.begin(), second.end());
  return result;
}

static dim_t countOf(ArrayRef<dim_t> dims) {
  dim_t count = 1;
  for (dim_t dim : dims) {
    count *= dim;
  }
  return count;
}

std::vector<dim_t> reshapedDims(ArrayRef<dim_t> input, ArrayRef<dim_t> dims) {
  requireShape(countOf(input) == countOf(dims),
               "the shapes " + shapeText(input) + " and " + shapeText(dims) + " differ in their number of elements");
  return dims.vec();
}

// Windows.

namespace {
struct Padding {
  dim_t start;
  dim_t end;
};
} // namespace

static Padding paddingOf(ArrayRef<unsigned_t> pads, std::size_t axis, PadOrder order) {
  const std::size_t axes = pads.size() / 2;
  return order == PadOrder::Pairs ? Padding{pads[2 * axis], pads[2 * axis + 1]}
                                  : Padding{pads[axis], pads[axes + axis]};
}

static void requireWindows(ArrayRef<dim_t> input, ArrayRef<unsigned_t> kernels, ArrayRef<unsigned_t> strides,
                           ArrayRef<unsigned_t> pads, ArrayRef<unsigned_t> dilation) {
  requireRank("the input", input, kernels.size() + 2);
  requireCount("strides", strides.size(), kernels.size());
  requireCount("pads", pads.size(), 2 * kernels.size());
  requireCount("dilations", dilation.empty() ? kernels.size() : dilation.size(), kernels.size());
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    requireShape(kernels[i] > 0, "a kernel is 0");
    requireShape(strides[i] > 0, "a stride is 0");
    requireShape(dilation.empty() || dilation[i] > 0, "a dilation is 0");
  }
}

/// How many elements a window reaches over.
static dim_t extentOf(ArrayRef<unsigned_t> kernels, ArrayRef<unsigned_t> dilation, std::size_t i) {
  return (dim_t{kernels[i]} - 1) * (dilation.empty() ? 1 : dilation[i]) + 1;
}

std::vector<dim_t> pooledDims(ArrayRef<dim_t> input, std::size_t firstAxis, ArrayRef<unsigned_t> kernels,
                              ArrayRef<unsigned_t> strides, ArrayRef<unsigned_t> pads, PadOrder order,
                              ArrayRef<unsigned_t> dilation) {
  requireWindows(input, kernels, strides, pads, dilation);
  std::vector<dim_t> result = input.vec();
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    const std::size_t axis = firstAxis + i;
    const Padding padding = paddingOf(pads, i, order);
    const dim_t room = dimAt(input, axis) + padding.start + padding.end;
    const dim_t extent = extentOf(kernels, dilation, i);
    requireShape(extent <= room, "a window of " + std::to_string(extent) + " elements is larger than the axis " +
                                     std::to_string(axis) + " of " + std::to_string(room) + " with padding");
    result[axis] = (room - extent) / strides[i] + 1;
  }
  return result;
}

static dim_t groupOf(dim_t channels, unsigned_t group, const char *what) {
  requireShape(group > 0, "there are 0 groups");
  requireShape(channels % group == 0,
               std::to_string(channels) + " " + what + " cannot be divided into " + std::to_string(group) + " groups");
  return channels / group;
}

std::vector<dim_t> convolvedDims(ArrayRef<dim_t> input, ArrayRef<dim_t> filter, ArrayRef<dim_t> bias,
                                 bool channelsFirst, ArrayRef<unsigned_t> kernels, ArrayRef<unsigned_t> strides,
                                 ArrayRef<unsigned_t> pads, unsigned_t group, PadOrder order,
                                 ArrayRef<unsigned_t> dilation) {
  requireWindows(input, kernels, strides, pads, dilation);
  const std::size_t channelAxis = channelsFirst ? 1 : input.size() - 1;
  const dim_t channels = groupOf(dimAt(input, channelAxis), group, "channels");
  requireRank("the filter", filter, input.size());
  const dim_t filters = filter[0];
  groupOf(filters, group, "filters");
  std::vector<dim_t> expected(kernels.begin(), kernels.end());
  expected.insert(channelsFirst ? expected.begin() : expected.end(), channels);
  expected.insert(expected.begin(), filters);
  requireDims("the filter", filter, expected);
  requireDims("the bias", bias, {filters});
  std::vector<dim_t> result = pooledDims(input, channelsFirst ? 2 : 1, kernels, strides, pads, order, dilation);
  result[channelAxis] = filters;
  return result;
}

std::vector<dim_t> transposeConvolvedDims(ArrayRef<dim_t> input, ArrayRef<dim_t> filter, ArrayRef<dim_t> bias,
                                          ArrayRef<unsigned_t> kernels, ArrayRef<unsigned_t> strides,
                                          ArrayRef<unsigned_t> pads, unsigned_t group,
                                          ArrayRef<unsigned_t> dilation) {
  requireWindows(input, kernels, strides, pads, dilation);
  const dim_t channels = input[input.size() - 1];
  groupOf(channels, group, "channels");
  requireRank("the filter", filter, input.size());
  std::vector<dim_t> expected(kernels.begin(), kernels.end());
  expected.insert(expected.begin(), filter[0]);
  expected.push_back(channels);
  requireDims("the filter", filter, expected);
  requireDims("the bias", bias, {filter[0] * group});
  std::vector<dim_t> result = input.vec();
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    requireShape(strides[i] <= kernels[i], "a stride of " + std::to_string(strides[i]) +
                                               " is larger than its kernel of " + std::to_string(kernels[i]));
    requireShape(input[i + 1] > 0, "the axis " + std::to_string(i + 1) + " is empty");
    const Padding padding = paddingOf(pads, i, PadOrder::StartsThenEnds);
    const dim_t room = (input[i + 1] - 1) * strides[i] + extentOf(kernels, dilation, i);
    requireShape(room > padding.start + padding.end,
                 "padding leaves nothing of the axis " + std::to_string(i + 1) + " of the result");
    result[i + 1] = room - padding.start - padding.end;
  }
  result.back() = filter[0] * group;
  return result;
}

// Products.

std::vector<dim_t> matMulDims(ArrayRef<dim_t> lhs, ArrayRef<dim_t> rhs, bool transposeLHS, bool transposeRHS) {
  requireRank("the left matrix", lhs, 2);
  requireRank("the right matrix", rhs, 2);
  requireShape(lhs[transposeLHS ? 0 : 1] == rhs[transposeRHS ? 1 : 0],
               "matrices of the shapes " + shapeText(lhs) + " and " + shapeText(rhs) + " have no product");
  return {lhs[transposeLHS ? 1 : 0], rhs[transposeRHS ? 0 : 1]};
}

std::vector<dim_t> batchMatMulDims(ArrayRef<dim_t> lhs, ArrayRef<dim_t> rhs) {
  requireRank("the left list of matrices", lhs, 3);
  requireRank("the right list of matrices", rhs, 3);
  requireShape(lhs[0] == rhs[0] && lhs[2] == rhs[1],
               "lists of matrices of the shapes " + shapeText(lhs) + " and " + shapeText(rhs) + " have no products");
  return {lhs[0], lhs[1], rhs[2]};
}

std::vector<dim_t> fullyConnectedDims(ArrayRef<dim_t> input, ArrayRef<dim_t> weights, ArrayRef<dim_t> bias,
                                      bool transposed) {
  std::vector<dim_t> result = matMulDims(input, weights, false, transposed);
  requireDims("the bias", bias, {result[1]});
  return result;
}

// Axes.

std::vector<dim_t> reducedDims(ArrayRef<dim_t> input, ArrayRef<unsigned_t> axes, bool keep) {
  std::vector<bool> reduced(input.size());
  for (unsigned_t axis : axes) {
    dimAt(input, axis);
    requireShape(!reduced[axis], "the axis " + std::to_string(axis) + " is reduced twice");
    reduced[axis] = true;
  }
  std::vector<dim_t> result;
  for (std::size_t axis = 0; axis < input.size(); ++axis) {
    if (!reduced[axis] || keep) {
      result.push_back(reduced[axis] ? 1 : input[axis]);
    }
  }
  return result;
}

std::vector<dim_t> transposedDims(ArrayRef<dim_t> input, ArrayRef<unsigned_t> shuffle) {
  requireCount("axes in the shuffle", shuffle.size(), input.size());
  requireShape(reducedDims(input, shuffle).empty(), "the shuffle leaves out an axis");
  std::vector<dim_t> result;
  for (unsigned_t axis : shuffle) {
    result.push_back(input[axis]);
  }
  return result;
}

std::vector<dim_t> concatenatedDims(ArrayRef<std::vector<dim_t>> inputs, std::size_t axis) {
  requireShape(!inputs.empty(), "there are no inputs");
  std::vector<dim_t> result = inputs[0];
  dim_t sum = 0;
  for (const std::vector<dim_t> &input : inputs) {
    sum += dimAt(input, axis);
    result[axis] = input[axis];
    requireShape(input == result, "the shapes " + shapeText(inputs[0]) + " and " + shapeText(input) +
                                      " differ in more than the axis " + std::to_string(axis));
  }
  result[axis] = sum;
  return result;
}

std::vector<dim_t> paddedDims(ArrayRef<dim_t> input, ArrayRef<int> pads) {
  requireCount("pads", pads.size(), 2 * input.size());
  std::vector<dim_t> result;
  for (std::size_t i = 0; i < input.size(); ++i) {
    const std::int64_t dim = static_cast<std::int64_t>(input[i]) + pads[i] + pads[input.size() + i];
    requireShape(dim > 0, "padding leaves nothing of the axis " + std::to_string(i));
    result.push_back(static_cast<dim_t>(dim));
  }
  return result;
}

std::vector<dim_t> tiledDims(ArrayRef<dim_t> input, unsigned_t count, std::size_t axis) {
  requireShape(count > 0, "there are 0 copies");
  return withDim(input, axis, dimAt(input, axis) * count);
}

std::vector<dim_t> broadcastDims(ArrayRef<dim_t> input, ArrayRef<dim_t> target, std::size_t axis) {
  requireShape(axis <= target.size() && input.size() <= target.size() - axis,
               "the shape " + shapeText(input) + " has too many axes for " + shapeText(target) + " from axis " +
                   std::to_string(axis) + " on");
  for (std::size_t i = 0; i < input.size(); ++i) {
    requireShape(input[i] == 1 || input[i] == target[axis + i],
                 "the shape " + shapeText(input) + " cannot be repeated to " + shapeText(target));
  }
  return target.vec();
}

bool sliceFits(ArrayRef<dim_t> start, ArrayRef<dim_t> dims, ArrayRef<dim_t> whole) {
  bool fits = start.size() == whole.size() && dims.size() == whole.size();
  for (std::size_t i = 0; fits && i < whole.size(); ++i) {
    fits = start[i] <= whole[i] && dims[i] <= whole[i] - start[i];
  }
  return fits;
}

std::vector<dim_t> topKDims(ArrayRef<dim_t> input, unsigned_t k) {
  requireShape(!input.empty(), "a single number has no last axis");
  requireShape(k <= input.back(),
               std::to_string(k) + " elements are asked for, and there are " + std::to_string(input.back()));
  return withDim(input, input.size() - 1, k);
}

std::vector<dim_t> gatheredDims(ArrayRef<dim_t> data, ArrayRef<dim_t> indices, std::size_t axis) {
  dimAt(data, axis);
  std::vector<dim_t> result = joinedDims(data.slice(0, axis), indices);
  return joinedDims(result, data.slice(axis + 1));
}

std::vector<dim_t> gatheredNDDims(ArrayRef<dim_t> data, ArrayRef<dim_t> indices, std::size_t batchDims) {
  requireShape(batchDims < data.size() && batchDims < indices.size(), "there are too many batch dimensions");
  for (std::size_t i = 0; i < batchDims; ++i) {
    requireShape(data[i] == indices[i], "data and indices differ in the batch dimension " + std::to_string(i));
  }
  const dim_t length = indices.back();
  requireShape(length >= 1 && length <= data.size() - batchDims,
               "indices of length " + std::to_string(length) + " do not fit data of the shape " + shapeText(data));
  return joinedDims(indices.drop_back(), data.slice(batchDims + static_cast<std::size_t>(length)));
}

std::vector<dim_t> resizedDims(ArrayRef<dim_t> input, ArrayRef<float> scale) {
  requireCount("scales", scale.size(), input.size());
  std::vector<dim_t> result;
  for (std::size_t i = 0; i < input.size(); ++i) {
    const float dim = std::floor(static_cast<float>(input[i]) * scale[i]);
    requireShape(dim >= 1 && dim < 9e18f, "the scale " + std::to_string(scale[i]) + " leaves nothing of the axis " +
                                              std::to_string(i) + ", or too much");
    result.push_back(static_cast<dim_t>(dim));
  }
  return result;
}

std::vector<dim_t> spaceToDepthDims(ArrayRef<dim_t> input, unsigned_t block) {
  requireRank("the input", input, 4);
  requireShape(block > 0, "the size of a block is 0");
  requireShape(input[1] % block == 0 && input[2] % block == 0,
               "the shape " + shapeText(input) + " cannot be divided into blocks of " + std::to_string(block));
  return {input[0], input[1] / block, input[2] / block, input[3] * block * block};
}

} // namespace torchgen_support
