// How shapes of results follow from inputs and members.
#pragma once

#include "IRGraph.h"
#include "IRKit.h"

#include <algorithm>
#include <cstdint>

namespace torchgen_support {

/// Thrown where dimensions do not fit together: `what()` says why.
struct BadShape : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The order of padding: all starts before all ends, or the start and the end of each axis in turn.
enum class PadOrder { StartsThenEnds, Pairs };

// Each function returns the dimensions of a result, and throws `BadShape` if there are none.

/// The dimension of an axis.
dim_t dimAt(ArrayRef<dim_t> dims, std::size_t axis);
/// The dimensions with another one in the place of that of an axis.
std::vector<dim_t> withDim(ArrayRef<dim_t> dims, std::size_t axis, dim_t dim);
/// The dimensions of one shape, then those of another.
std::vector<dim_t> joinedDims(ArrayRef<dim_t> first, ArrayRef<dim_t> second);
/// The same number of elements in another shape.
std::vector<dim_t> reshapedDims(ArrayRef<dim_t> input, ArrayRef<dim_t> dims);

/// Windows that slide over as many axes as there are kernels, from `firstAxis` on, each with its
/// kernel, stride and dilation; without `dilation`, all are 1.
std::vector<dim_t> pooledDims(ArrayRef<dim_t> input, std::size_t firstAxis, ArrayRef<unsigned_t> kernels,
                              ArrayRef<unsigned_t> strides, ArrayRef<unsigned_t> pads,
                              PadOrder order = PadOrder::StartsThenEnds, ArrayRef<unsigned_t> dilation = {});
/// A convolution with one kernel for each axis between batch and channels. The filter has the
/// number of results first, and its channels where the input has them; the bias has one number for
/// each result.
std::vector<dim_t> convolvedDims(ArrayRef<dim_t> input, ArrayRef<dim_t> filter, ArrayRef<dim_t> bias,
                                 bool channelsFirst, ArrayRef<unsigned_t> kernels, ArrayRef<unsigned_t> strides,
                                 ArrayRef<unsigned_t> pads, unsigned_t group,
                                 PadOrder order = PadOrder::StartsThenEnds, ArrayRef<unsigned_t> dilation = {});
/// The smallest result of a transposed convolution; channels are last.
std::vector<dim_t> transposeConvolvedDims(ArrayRef<dim_t> input, ArrayRef<dim_t> filter, ArrayRef<dim_t> bias,
                                          ArrayRef<unsigned_t> kernels, ArrayRef<unsigned_t> strides,
                                          ArrayRef<unsigned_t> pads, unsigned_t group,
                                          ArrayRef<unsigned_t> dilation);

/// The product of two matrices, either of them transposed on request.
std::vector<dim_t> matMulDims(ArrayRef<dim_t> lhs, ArrayRef<dim_t> rhs, bool transposeLHS = false,
                              bool transposeRHS = false);
/// The products of as many pairs of matrices.
std::vector<dim_t> batchMatMulDims(ArrayRef<dim_t> lhs, ArrayRef<dim_t> rhs);
/// A matrix times weights plus a bias; `transposed` weights have a row for each result.
std::vector<dim_t> fullyConnectedDims(ArrayRef<dim_t> input, ArrayRef<dim_t> weights, ArrayRef<dim_t> bias,
                                      bool transposed = false);

/// All dimensions but those of some axes, or 1 for these.
std::vector<dim_t> reducedDims(ArrayRef<dim_t> input, ArrayRef<unsigned_t> axes, bool keep = false);
/// The axis `i` is the axis `shuffle[i]` of the input.
std::vector<dim_t> transposedDims(ArrayRef<dim_t> input, ArrayRef<unsigned_t> shuffle);
/// Shapes that differ in one axis at most, one behind the other along it.
std::vector<dim_t> concatenatedDims(ArrayRef<std::vector<dim_t>> inputs, std::size_t axis);
/// Elements before or behind, or fewer where a number is negative: all starts, then all ends.
std::vector<dim_t> paddedDims(ArrayRef<dim_t> input, ArrayRef<int> pads);
/// As many copies along an axis.
std::vector<dim_t> tiledDims(ArrayRef<dim_t> input, unsigned_t count, std::size_t axis);
/// The target, if the input fits: from `axis` on, its dimensions are those of the target, or 1.
std::vector<dim_t> broadcastDims(ArrayRef<dim_t> input, ArrayRef<dim_t> target, std::size_t axis);
/// The `k` first of the last axis.
std::vector<dim_t> topKDims(ArrayRef<dim_t> input, unsigned_t k);
/// Slices of an axis, chosen by indices.
std::vector<dim_t> gatheredDims(ArrayRef<dim_t> data, ArrayRef<dim_t> indices, std::size_t axis);
/// Slices, chosen by the vectors along the last axis of the indices.
std::vector<dim_t> gatheredNDDims(ArrayRef<dim_t> data, ArrayRef<dim_t> indices, std::size_t batchDims);
/// Each dimension times a scale, rounded down.
std::vector<dim_t> resizedDims(ArrayRef<dim_t> input, ArrayRef<float> scale);
/// Blocks of height and width become channels, which are last.
std::vector<dim_t> spaceToDepthDims(ArrayRef<dim_t> input, unsigned_t block);

/// The dimensions of each value of a list.
template <typename Values> std::vector<std::vector<dim_t>> dimsOfAll(const Values &values) {
  std::vector<std::vector<dim_t>> all;
  for (const auto &value : values) {
    all.push_back(value.dims().vec());
  }
  return all;
}

/// The first value of a list.
template <typename Value> const Value &firstOf(const std::vector<Value> &values, const char *what) {
  if (values.empty()) {
    throw BadShape(std::string(what) + " is empty");
  }
  return values.front();
}

/// Whether a part that begins at `start` and has the dimensions `dims` is inside of `whole`.
bool sliceFits(ArrayRef<dim_t> start, ArrayRef<dim_t> dims, ArrayRef<dim_t> whole);

/// The dimensions as people read them.
std::string shapeText(ArrayRef<dim_t> dims);

/// What `infer` finds; what it throws becomes an `InvalidIR` that names the node which is made.
template <typename Infer> auto inferFor(const char *kind, StringRef name, Infer infer) {
  try {
    return infer();
  } catch (const BadShape &error) {
    Diagnostics diagnostics;
    diagnostics.report(std::string(kind) + " '" + std::string(name) + "'", error.what());
    throw InvalidIR(diagnostics);
  }
}

/// Reports a result that has other dimensions than its inputs and members give it.
template <typename NodeTy, typename Infer>
void requireInferred(const NodeTy &node, const char *result, ArrayRef<dim_t> dims, Infer infer,
                     Diagnostics &diagnostics) {
  try {
    const std::vector<dim_t> expected = infer();
    if (!dims.equals(expected)) {
      diagnostics.report(whereIs(node), std::string(result) + " has the shape " + shapeText(dims) +
                                            ", its inputs and members give " + shapeText(expected));
    }
  } catch (const BadShape &error) {
    diagnostics.report(whereIs(node), error.what());
  }
}

/// Whether the dimensions are those that `infer` finds, or larger on some axes.
template <typename Infer> bool coversInferred(ArrayRef<dim_t> dims, ArrayRef<std::size_t> larger, Infer infer) {
  try {
    const std::vector<dim_t> least = infer();
    if (dims.size() != least.size()) {
      return false;
    }
    for (std::size_t axis = 0; axis < least.size(); ++axis) {
      const bool may = std::find(larger.begin(), larger.end(), axis) != larger.end();
      if (may ? dims[axis] < least[axis] : dims[axis] != least[axis]) {
        return false;
      }
    }
    return true;
  } catch (const BadShape &) {
    return false;
  }
}

} // namespace torchgen_support
