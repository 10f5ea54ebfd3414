#pragma once
// torchgen_comment

#include "AutoGenInstr.h"
#include "AutoGenNodes.h"

namespace torchgen_support {

/// Lowers nodes one after another, each after what it depends on. What writes a storage comes after
/// all that read it.
class IRGenerator {
  IRBuilder builder_;
  std::unordered_map<NodeValue, Value *, HashOfValue> values_;
  std::unordered_map<const Node *, Instruction *> nodeToInstr_;
  std::unordered_map<int, std::function<void(Node *, IRGenerator &)>> rules_;

public:
  explicit IRGenerator(IRFunction *function) : builder_(function) {}

  /// Lowers nodes of a class by hand. The rule registers a value for each result.
  template <typename NodeTy> void addRule(std::function<void(NodeTy *, IRGenerator &)> rule) {
    NodeTy *none = nullptr;
    addRule(kindOf(none), [rule](Node *node, IRGenerator &generator) { rule(cast<NodeTy>(node), generator); });
  }
  void addRule(Kinded::Kind kind, std::function<void(Node *, IRGenerator &)> rule) {
    rules_[static_cast<int>(kind)] = std::move(rule);
  }

  IRBuilder &getBuilder() { return builder_; }
  /// The value of a result that was lowered.
  ///
  /// Throws `InvalidIR` if it was not.
  Value *valueForNode(NodeValue value) const;
  /// Says which value holds a result.
  void registerIR(NodeValue value, Value *ir);
  /// The instruction that a node became, or null.
  Instruction *getInstruction(const Node *node) const {
    auto found = nodeToInstr_.find(node);
    return found == nodeToInstr_.end() ? nullptr : found->second;
  }
  /// Lowers all nodes of a graph.
  void run(const Function &graph);

private:
#define DEF_NODE(CLASS, NAME)                                                                      \
  static Kinded::Kind kindOf(class CLASS *) { return Kinded::Kind::CLASS##Kind; }
#include "AutoGenNodes.def"
  void lowerStorage(Storage *storage);
  void lower(Node *N);
};

} // namespace torchgen_support
