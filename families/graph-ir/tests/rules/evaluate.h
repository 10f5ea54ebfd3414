// What the nodes of ir.yaml compute.
#pragma once

#include "AutoGenNodes.h"

#include <cmath>

namespace rewritten {

template <typename Compute> void each(Evaluation &values, NodeValue input, NodeValue result, Compute compute) {
  EvaluatedTensor tensor = values.of(input);
  for (double &element : tensor.elements) {
    element = compute(element);
  }
  values.set(result, std::move(tensor));
}

template <typename Node, typename Compute> void both(const Node &node, Evaluation &values, Compute compute) {
  EvaluatedTensor tensor = values.of(node.getLHS());
  const EvaluatedTensor &other = values.of(node.getRHS());
  for (std::size_t i = 0; i < tensor.elements.size(); ++i) {
    tensor.elements[i] = compute(tensor.elements[i], other.elements[i]);
  }
  values.set(node.getResult(), std::move(tensor));
}

inline void evaluate(const SplatNode &node, Evaluation &values) {
  const NodeValue result = node.getResult();
  values.set(result, {result.dims().vec(), std::vector<double>(result.getType()->size(), node.getValue())});
}

inline void evaluate(const AddNode &node, Evaluation &values) {
  both(node, values, [](double a, double b) { return a + b; });
}
inline void evaluate(const SubNode &node, Evaluation &values) {
  both(node, values, [](double a, double b) { return a - b; });
}
inline void evaluate(const MulNode &node, Evaluation &values) {
  both(node, values, [](double a, double b) { return a * b; });
}
inline void evaluate(const ReluNode &node, Evaluation &values) {
  each(values, node.getInput(), node.getResult(), [](double x) { return x > 0 ? x : 0; });
}
inline void evaluate(const NegNode &node, Evaluation &values) {
  each(values, node.getInput(), node.getResult(), [](double x) { return -x; });
}
inline void evaluate(const RoundNode &node, Evaluation &values) {
  const bool down = node.getTo() == Side::Left;
  each(values, node.getInput(), node.getResult(), [&](double x) { return down ? std::floor(x) : std::ceil(x); });
}
inline void evaluate(const CutNode &node, Evaluation &values) {
  const bool above = node.getMode() == CutNode::Mode::Above;
  each(values, node.getInput(), node.getResult(), [&](double x) { return above == (x > 0) ? x : 0; });
}

inline void evaluate(const TransposeNode &node, Evaluation &values) {
  const EvaluatedTensor &input = values.of(node.getInput());
  const ArrayRef<unsigned_t> shuffle = node.getShuffle();
  EvaluatedTensor result{node.getResult().dims().vec(), std::vector<double>(input.elements.size())};
  std::vector<std::size_t> at(shuffle.size());
  for (std::size_t i = 0; i < result.elements.size(); ++i) {
    std::size_t rest = i, from = 0;
    for (std::size_t axis = shuffle.size(); axis-- > 0; rest /= result.dims[axis]) {
      at[shuffle[axis]] = rest % result.dims[axis];
    }
    for (std::size_t axis = 0; axis < shuffle.size(); ++axis) {
      from = from * input.dims[axis] + at[axis];
    }
    result.elements[i] = input.elements[from];
  }
  values.set(node.getResult(), std::move(result));
}

inline void evaluate(const JoinNode &node, Evaluation &values) {
  EvaluatedTensor result;
  for (const NodeValue &input : node.getInputs()) {
    const EvaluatedTensor &part = values.of(input);
    result.elements.insert(result.elements.end(), part.elements.begin(), part.elements.end());
  }
  result.dims = {result.elements.size()};
  if (node.getResult().getType()->size() != result.elements.size()) {
    throw std::runtime_error("another number of elements");
  }
  result.dims = node.getResult().dims().vec();
  values.set(node.getResult(), std::move(result));
}

inline void evaluate(const SplitNode &node, Evaluation &values) {
  EvaluatedTensor even = values.of(node.getInput()), odd = even;
  for (std::size_t i = 0; i < even.elements.size(); ++i) {
    (i % 2 == 0 ? odd : even).elements[i] = 0;
  }
  values.set(node.getEven(), std::move(even));
  values.set(node.getOdd(), std::move(odd));
}

} // namespace rewritten
