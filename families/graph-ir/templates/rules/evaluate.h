// Computes what graphs compute, to compare them.
#pragma once

#include "IRSupport.h"

#include <list>

namespace torchgen_support {

/// A tensor: its dimensions, and its elements in row order. All numbers are `double`.
struct EvaluatedTensor {
  std::vector<dim_t> dims;
  std::vector<double> elements;
};

/// Thrown if there is no function `evaluate` for a node, or if it sets no result.
struct NoEvaluator : std::logic_error {
  using std::logic_error::logic_error;
};

/// The tensors of a graph. An evaluator is a function `void evaluate(const AddNode &, Evaluation &)`
/// in the family's namespace: it asks for its inputs and sets its results, and throws
/// `std::runtime_error` if it cannot compute them.
class Evaluation {
  // References to tensors stay valid.
  std::list<std::pair<NodeValue, EvaluatedTensor>> tensors_;

public:
  /// The tensor of a value. Throws `NoEvaluator`.
  const EvaluatedTensor &of(NodeValue value);
  void set(NodeValue result, EvaluatedTensor tensor) { tensors_.emplace_back(result, std::move(tensor)); }

private:
  const EvaluatedTensor *find(NodeValue value) const {
    for (const auto &[own, tensor] : tensors_) {
      if (own == value) {
        return &tensor;
      }
    }
    return nullptr;
  }
};

} // namespace torchgen_support
