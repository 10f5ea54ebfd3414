// Gradients of values.
#pragma once

#include "values.h"

namespace torchgen_support {

/// Finds the gradient of each value while a graph is differentiated.
class GraphGradMapper {
  Function *function_;
  std::unordered_map<NodeValue, NodeValue, HashOfValue> gradients_;

public:
  explicit GraphGradMapper(Function *function) : function_(function) {}
  Function *getFunction() const { return function_; }
  /// Adds a gradient of a value; several are summed.
  void addGradient(NodeValue activation, NodeValue gradient);
  bool hasGradient(NodeValue activation) const { return gradients_.count(activation) != 0; }
  /// The gradient of a value; zeros where none flows back.
  NodeValue getGradient(NodeValue activation);
};

} // namespace torchgen_support
