// The order in which nodes are lowered.
#include "IRSupport.h"

namespace torchgen_support {

namespace {

/// An order of nodes: each comes after what it depends on, and what writes a storage comes after
/// all that read it.
class Schedule {
  const Function &graph_;
  std::unordered_set<const Node *> seen_;
  std::vector<Node *> order_;

public:
  explicit Schedule(const Function &graph) : graph_(graph) {
    for (const Node &node : graph.getNodes()) {
      add(const_cast<Node *>(&node));
    }
  }
  const std::vector<Node *> &order() const { return order_; }

private:
  static bool writes(const Node *node, const Node *storage) {
    for (unsigned i = 0; i < node->getNumInputs(); ++i) {
      if (node->isOverwrittenNthInput(i) && node->getNthInput(i).getNode() == storage) {
        return true;
      }
    }
    return false;
  }

  void add(Node *node) {
    if (!node || !seen_.insert(node).second) {
      return;
    }
    add(node->getPredicate().getNode());
    for (unsigned i = 0; i < node->getNumInputs(); ++i) {
      add(node->getNthInput(i).getNode());
    }
    for (unsigned i = 0; i < node->getNumInputs(); ++i) {
      Node *input = node->getNthInput(i).getNode();
      if (input && node->isOverwrittenNthInput(i)) {
        addReaders(input);
      }
    }
    order_.push_back(node);
  }

  void addReaders(const Node *storage) {
    for (const NodeUse &use : storage->getUsers()) {
      Node *user = use.getUser();
      if (user && user->getParent() == &graph_ && !writes(user, storage)) {
        add(user);
      }
    }
  }
};

} // namespace

void IRGenerator::run(const Function &graph) {
  const Schedule schedule(graph);
  for (Node *node : schedule.order()) {
    lower(node);
  }
  builder_.deallocateActiveInstrs();
}

void IRFunction::generateIR() {
  IRGenerator generator(this);
  generator.run(*graph_);
}

} // namespace torchgen_support
