// Evaluators of nodes that combine elements: sums, products and windows.
#pragma once

#include "elements.h"

#include <functional>

namespace glow {

namespace evaluating {

/// Combines the elements along axes, which disappear.
template <typename Combine>
std::vector<double> combined(const EvaluatedTensor &x, const std::vector<unsigned_t> &axes, double first,
                             const Combine &combine) {
  Dims kept;
  const auto isKept = [&](std::size_t axis) { return std::find(axes.begin(), axes.end(), axis) == axes.end(); };
  for (std::size_t axis = 0; axis < x.dims.size(); ++axis) {
    if (isKept(axis)) {
      kept.push_back(x.dims[axis]);
    }
  }
  std::size_t count = 1;
  for (dim_t dim : kept) {
    count *= dim;
  }
  std::vector<double> all(count, first);
  walk(x.dims, [&](const Dims &index) {
    Dims place;
    for (std::size_t axis = 0; axis < index.size(); ++axis) {
      if (isKept(axis)) {
        place.push_back(index[axis]);
      }
    }
    double &own = all[placeOf(kept, place)];
    own = combine(own, elementAt(x, index));
  });
  return all;
}

/// The axes of height and width in images, and that of channels.
struct Images {
  std::size_t height, channels;

  explicit Images(unsigned layout) : height(layout == NCHW ? 2 : 1), channels(layout == NCHW ? 1 : 3) {
    require(layout == NHWC || layout == NCHW);
  }
};

/// The windows that slide over height and width.
template <typename NodeTy> class Windows {
  const NodeTy &node_;
  Images images_;
  Dims dims_;
  std::vector<unsigned_t> dilation_;

public:
  Windows(const NodeTy &node, const Images &images, const Dims &dims, const std::vector<unsigned_t> &dilation = {1, 1})
      : node_(node), images_(images), dims_(dims), dilation_(dilation) {
    require(dims.size() == 4 && dilation.size() == 2 && node.getKernels().size() == 2 &&
            node.getStrides().size() == 2 && node.getPads().size() == 4);
  }

  /// Calls `body` with each place of the window of an element: its index in the image, whether it is
  /// inside of it, and its row and column in the window.
  template <typename Body> void walk(const Dims &index, const Body &body) const {
    for (unsigned_t row = 0; row < node_.getKernels()[0]; ++row) {
      for (unsigned_t column = 0; column < node_.getKernels()[1]; ++column) {
        Dims place = index;
        dim_t &y = place[images_.height], &x = place[images_.height + 1];
        // Places before the first one wrap around, and are outside too.
        y = y * node_.getStrides()[0] + row * dilation_[0] - node_.getPads()[0];
        x = x * node_.getStrides()[1] + column * dilation_[1] - node_.getPads()[1];
        body(place, y < dims_[images_.height] && x < dims_[images_.height + 1], row, column);
      }
    }
  }
};

/// The product of a row and a column of two matrices; both are in the stacks at `batch`.
inline double product(const EvaluatedTensor &left, const Dims &batch, dim_t row, const EvaluatedTensor &right, dim_t column) {
  double sum = 0;
  for (dim_t i = 0; i < left.dims.back(); ++i) {
    Dims first = batch, second = batch;
    first.insert(first.end(), {row, i});
    second.insert(second.end(), {i, column});
    sum += elementAt(left, first) * elementAt(right, second);
  }
  return sum;
}

} // namespace evaluating

inline void evaluate(const BatchedReduceAddNode &node, Evaluation &values) {
  const auto sums = evaluating::combined(values.of(node.getBatch()), {node.getAxis()}, 0, std::plus<double>());
  std::size_t next = 0;
  evaluating::put(values, node.getResult(), [&](const evaluating::Dims &) { return sums.at(next++); });
}

inline void evaluate(const BatchedReduceMeanNode &node, Evaluation &values) {
  const EvaluatedTensor &batch = values.of(node.getBatch());
  const auto axes = node.getAxes();
  const auto sums = evaluating::combined(batch, {axes.begin(), axes.end()}, 0, std::plus<double>());
  const double count = static_cast<double>(batch.elements.size()) / static_cast<double>(sums.size());
  std::size_t next = 0;
  evaluating::put(values, node.getResult(), [&](const evaluating::Dims &) { return sums.at(next++) / count; });
}

inline void evaluate(const BatchedAddNode &node, Evaluation &values) {
  const EvaluatedTensor &batch = values.of(node.getBatch()), &slice = values.of(node.getSlice());
  evaluating::require(!batch.dims.empty());
  evaluating::put(values, node.getResult(), [&](const evaluating::Dims &index) {
    const evaluating::Dims inner(index.begin() + 1, index.end());
    return evaluating::elementAt(batch, index) + evaluating::elementAt(slice, inner);
  });
}

inline void evaluate(const SoftMaxNode &node, Evaluation &values) {
  const EvaluatedTensor &input = values.of(node.getInput());
  evaluating::require(input.dims.size() == 2);
  evaluating::put(values, node.getResult(), [&](const evaluating::Dims &index) {
    double sum = 0;
    for (dim_t i = 0; i < input.dims[1]; ++i) {
      sum += std::exp(evaluating::elementAt(input, {index[0], i}));
    }
    return std::exp(evaluating::elementAt(input, index)) / sum;
  });
}

inline void evaluate(const MatMulNode &node, Evaluation &values) {
  const EvaluatedTensor &lhs = values.of(node.getLHS()), &rhs = values.of(node.getRHS());
  evaluating::put(values, node.getResult(), [&](const evaluating::Dims &index) {
    return evaluating::product(lhs, {}, index[0], rhs, index[1]);
  });
}

inline void evaluate(const BatchMatMulNode &node, Evaluation &values) {
  const EvaluatedTensor &lhs = values.of(node.getLHS()), &rhs = values.of(node.getRHS());
  evaluating::put(values, node.getResult(), [&](const evaluating::Dims &index) {
    return evaluating::product(lhs, {index[0]}, index[1], rhs, index[2]);
  });
}

inline void evaluate(const FullyConnectedNode &node, Evaluation &values) {
  const EvaluatedTensor &input = values.of(node.getInput()), &weights = values.of(node.getWeights());
  const EvaluatedTensor &bias = values.of(node.getBias());
  evaluating::put(values, node.getResult(), [&](const evaluating::Dims &index) {
    return evaluating::product(input, {}, index[0], weights, index[1]) + evaluating::elementAt(bias, {index[1]});
  });
}

inline void evaluate(const BatchNormalizationNode &node, Evaluation &values) {
  const EvaluatedTensor &input = values.of(node.getInput()), &scale = values.of(node.getScale());
  const EvaluatedTensor &bias = values.of(node.getBias()), &mean = values.of(node.getMean());
  const EvaluatedTensor &variance = values.of(node.getVar());
  evaluating::require(node.getChannelIdx() < input.dims.size());
  evaluating::put(values, node.getResult(), [&](const evaluating::Dims &index) {
    const evaluating::Dims channel{index[node.getChannelIdx()]};
    const double deviation = std::sqrt(evaluating::elementAt(variance, channel) + node.getEpsilon());
    const double normal = (evaluating::elementAt(input, index) - evaluating::elementAt(mean, channel)) / deviation;
    return normal * evaluating::elementAt(scale, channel) + evaluating::elementAt(bias, channel);
  });
}

inline void evaluate(const AvgPoolNode &node, Evaluation &values) {
  const EvaluatedTensor &input = values.of(node.getInput());
  const evaluating::Images images(node.getLayout());
  const evaluating::Windows windows(node, images, input.dims);
  evaluating::put(values, node.getResult(), [&](const evaluating::Dims &index) {
    double sum = 0, count = 0;
    windows.walk(index, [&](const evaluating::Dims &place, bool isInside, dim_t, dim_t) {
      sum += isInside ? evaluating::elementAt(input, place) : 0;
      count += isInside || node.getCountIncludePads();
    });
    return sum / count;
  });
}

inline void evaluate(const MaxPoolNode &node, Evaluation &values) {
  const EvaluatedTensor &input = values.of(node.getInput());
  const evaluating::Images images(node.getLayout());
  const evaluating::Windows windows(node, images, input.dims);
  const auto largest = [&](const evaluating::Dims &index) {
    std::pair<double, std::size_t> found{-std::numeric_limits<double>::infinity(), 0};
    windows.walk(index, [&](const evaluating::Dims &place, bool isInside, dim_t, dim_t) {
      if (isInside && !(evaluating::elementAt(input, place) <= found.first)) {
        found = {evaluating::elementAt(input, place), evaluating::placeOf(input.dims, place)};
      }
    });
    return found;
  };
  evaluating::put(values, node.getResult(), [&](const evaluating::Dims &index) { return largest(index).first; });
  evaluating::put(values, node.getArgmax(),
                  [&](const evaluating::Dims &index) { return static_cast<double>(largest(index).second); });
}

inline void evaluate(const ConvolutionNode &node, Evaluation &values) {
  const EvaluatedTensor &input = values.of(node.getInput()), &filter = values.of(node.getFilter());
  const EvaluatedTensor &bias = values.of(node.getBias());
  const evaluating::Images images(node.getLayout());
  const evaluating::Windows windows(node, images, input.dims, node.getDilation());
  const dim_t channels = input.dims[images.channels] / node.getGroup();
  const dim_t filters = filter.dims[0] / node.getGroup();
  evaluating::put(values, node.getResult(), [&](const evaluating::Dims &index) {
    const dim_t own = index[images.channels];
    double sum = evaluating::elementAt(bias, {own});
    windows.walk(index, [&](evaluating::Dims place, bool isInside, dim_t row, dim_t column) {
      for (dim_t channel = 0; isInside && channel < channels; ++channel) {
        place[images.channels] = own / filters * channels + channel;
        evaluating::Dims weight{own, row, column};
        weight.insert(images.channels == 1 ? weight.begin() + 1 : weight.end(), channel);
        sum += evaluating::elementAt(input, place) * evaluating::elementAt(filter, weight);
      }
    });
    return evaluating::activated(node, sum);
  });
}

} // namespace glow
