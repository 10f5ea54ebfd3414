// Evaluators of nodes that move elements.
#pragma once

#include "kit.h"

namespace glow {

inline void evaluate(const ReshapeNode &node, Evaluation &values) {
  values.set(node.getResult(), {node.getResult().dims().vec(), values.of(node.getInput()).elements});
}

inline void evaluate(const TransposeNode &node, Evaluation &values) {
  evaluating::moved(values, node.getResult(), node.getInput(), [&](const evaluating::Dims &index) {
    evaluating::Dims from(index.size());
    for (std::size_t axis = 0; axis < index.size(); ++axis) {
      from.at(node.getShuffle()[axis]) = index[axis];
    }
    return from;
  });
}

inline void evaluate(const SliceNode &node, Evaluation &values) {
  evaluating::moved(values, node.getResult(), node.getInput(), [&](evaluating::Dims index) {
    for (std::size_t axis = 0; axis < index.size(); ++axis) {
      index[axis] += node.getStart()[axis];
    }
    return index;
  });
}

inline void evaluate(const TileNode &node, Evaluation &values) {
  const auto dims = node.getInput().dims();
  evaluating::moved(values, node.getResult(), node.getInput(), [&](evaluating::Dims index) {
    index.at(node.getAxis()) %= dims[node.getAxis()];
    return index;
  });
}

inline void evaluate(const BroadcastNode &node, Evaluation &values) {
  const auto dims = node.getInput().dims();
  evaluating::moved(values, node.getResult(), node.getInput(), [&](const evaluating::Dims &index) {
    evaluating::Dims from(dims.size());
    for (std::size_t axis = 0; axis < dims.size(); ++axis) {
      from[axis] = dims[axis] == 1 ? 0 : index.at(axis + node.getAxis());
    }
    return from;
  });
}

inline void evaluate(const ChannelShuffleNode &node, Evaluation &values) {
  evaluating::require(node.getKernel() < node.getInput().dims().size() && node.getGroup() > 0);
  const dim_t channels = node.getInput().dims()[node.getKernel()], group = node.getGroup();
  evaluating::require(channels % group == 0);
  evaluating::moved(values, node.getResult(), node.getInput(), [&](evaluating::Dims index) {
    dim_t &channel = index[node.getKernel()];
    channel = channel % group * (channels / group) + channel / group;
    return index;
  });
}

inline void evaluate(const ResizeNearestNode &node, Evaluation &values) {
  const auto dims = node.getInput().dims();
  evaluating::moved(values, node.getResult(), node.getInput(), [&](evaluating::Dims index) {
    for (std::size_t axis = 0; axis < index.size(); ++axis) {
      const double from = static_cast<double>(index[axis]) / static_cast<double>(node.getScale()[axis]);
      index[axis] = std::min(static_cast<dim_t>(from), dims[axis] - 1);
    }
    return index;
  });
}

inline void evaluate(const ResizeBilinearNode &node, Evaluation &values) {
  const EvaluatedTensor &input = values.of(node.getInput());
  evaluating::put(values, node.getResult(), [&](const evaluating::Dims &index) {
    // The corners around the place, each with its weight.
    std::vector<std::pair<evaluating::Dims, double>> corners{{{}, 1.0}};
    for (std::size_t axis = 0; axis < index.size(); ++axis) {
      const double place = static_cast<double>(index[axis]) / static_cast<double>(node.getScale()[axis]);
      const dim_t last = input.dims[axis] - 1, low = std::min(static_cast<dim_t>(place), last);
      const double weight = low == last ? 0 : place - std::floor(place);
      std::vector<std::pair<evaluating::Dims, double>> next;
      for (auto &[corner, own] : corners) {
        evaluating::Dims high = corner;
        corner.push_back(low);
        next.emplace_back(std::move(corner), own * (1 - weight));
        if (weight != 0) {
          high.push_back(low + 1);
          next.emplace_back(std::move(high), own * weight);
        }
      }
      corners = std::move(next);
    }
    double sum = 0;
    for (const auto &[corner, weight] : corners) {
      sum += weight * evaluating::elementAt(input, corner);
    }
    return sum;
  });
}

inline void evaluate(const PadNode &node, Evaluation &values) {
  evaluating::require(node.getMode() == PaddingMode::CONSTANT);
  const EvaluatedTensor &input = values.of(node.getInput());
  evaluating::put(values, node.getResult(), [&](evaluating::Dims index) -> double {
    for (std::size_t axis = 0; axis < index.size(); ++axis) {
      const std::int64_t from = static_cast<std::int64_t>(index[axis]) - node.getPads()[axis];
      if (from < 0 || from >= static_cast<std::int64_t>(input.dims[axis])) {
        return node.getValue();
      }
      index[axis] = static_cast<dim_t>(from);
    }
    return evaluating::elementAt(input, index);
  });
}

inline void evaluate(const ConcatNode &node, Evaluation &values) {
  evaluating::put(values, node.getResult(), [&](evaluating::Dims index) {
    dim_t &place = index.at(node.getDim());
    for (const NodeValue &input : node.getInputs()) {
      if (place < input.dims()[node.getDim()]) {
        return evaluating::elementAt(values.of(input), index);
      }
      place -= input.dims()[node.getDim()];
    }
    throw std::runtime_error("the inputs do not fit");
  });
}

inline void evaluate(const InsertTensorNode &node, Evaluation &values) {
  EvaluatedTensor all = values.of(node.getBig());
  const EvaluatedTensor &small = values.of(node.getSmall());
  evaluating::require(node.getStart().size() == small.dims.size() && node.getAxis() < small.dims.size());
  for (dim_t copy = 0; copy < node.getCount(); ++copy) {
    evaluating::walk(small.dims, [&](const evaluating::Dims &index) {
      evaluating::Dims to = index;
      for (std::size_t axis = 0; axis < to.size(); ++axis) {
        to[axis] += node.getStart()[axis] + (axis == node.getAxis() ? copy * small.dims[axis] : 0);
      }
      all.elements[evaluating::placeOf(all.dims, to)] = evaluating::elementAt(small, index);
    });
  }
  values.set(node.getResult(), std::move(all));
}

inline void evaluate(const GatherNode &node, Evaluation &values) {
  const EvaluatedTensor &data = values.of(node.getData()), &indices = values.of(node.getIndices());
  const auto axis = static_cast<std::ptrdiff_t>(node.getBatchDims());
  const auto rank = static_cast<std::ptrdiff_t>(indices.dims.size());
  evaluating::put(values, node.getResult(), [&](const evaluating::Dims &index) {
    const auto begin = index.begin() + axis;
    const double chosen = evaluating::elementAt(indices, evaluating::Dims(begin, begin + rank));
    evaluating::require(chosen >= 0);
    evaluating::Dims from(index.begin(), begin);
    from.push_back(static_cast<dim_t>(chosen));
    from.insert(from.end(), begin + rank, index.end());
    return evaluating::elementAt(data, from);
  });
}

} // namespace glow
