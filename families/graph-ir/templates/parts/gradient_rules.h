// The numbers of training, and gradients of nodes that have no generated one.
#pragma once

#include "IRGraph.h"

#include <functional>
#include <unordered_map>
#include <utility>
#include <vector>

namespace torchgen_support {

/// The numbers of stochastic gradient descent.
struct TrainingConfig {
  float learningRate = 0.01f;
  float momentum = 0.0f;
  float L1Decay = 0.0f;
  float L2Decay = 0.0f;
  unsigned_t batchSize = 1;
};

/// Gradients of nodes that have no generated one: a function for each kind.
class GradientRules {
  std::unordered_map<int, std::function<void(Node *, GraphGradMapper &)>> rules_;

public:
  void add(Kinded::Kind kind, std::function<void(Node *, GraphGradMapper &)> rule) {
    rules_[static_cast<int>(kind)] = std::move(rule);
  }
  /// The rule of a kind, or null.
  const std::function<void(Node *, GraphGradMapper &)> *find(Kinded::Kind kind) const {
    auto found = rules_.find(static_cast<int>(kind));
    return found == rules_.end() ? nullptr : &found->second;
  }
};

/// Placeholders, and the placeholders that receive their gradients.
using VariableGradientsList = std::vector<std::pair<Placeholder *, Placeholder *>>;

} // namespace torchgen_support
