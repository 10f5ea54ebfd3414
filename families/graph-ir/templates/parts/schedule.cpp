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
  /// What is still to do, with a stack of its own, so that graphs may have any depth: nodes to look
  /// at, and nodes of which all that comes before them is in the order.
  std::vector<std::pair<Node *, bool>> open_;

public:
  explicit Schedule(const Function &graph) : graph_(graph) {
    for (const Node &node : graph.getNodes()) {
      open_.push_back({const_cast<Node *>(&node), false});
      while (!open_.empty()) {
        const auto [next, isDone] = open_.back();
        open_.pop_back();
        if (isDone) {
          order_.push_back(next);
        } else if (next && seen_.insert(next).second) {
          open(next);
        }
      }
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

  /// Puts a node on the stack, and on top of it what comes before it: what it depends on, then what
  /// reads the storage that it writes.
  void open(Node *node) {
    open_.push_back({node, true});
    const std::size_t first = open_.size();
    open_.push_back({node->getPredicate().getNode(), false});
    for (unsigned i = 0; i < node->getNumInputs(); ++i) {
      open_.push_back({node->getNthInput(i).getNode(), false});
    }
    for (unsigned i = 0; i < node->getNumInputs(); ++i) {
      const Node *input = node->getNthInput(i).getNode();
      if (input && node->isOverwrittenNthInput(i)) {
        openReaders(input);
      }
    }
    std::reverse(open_.begin() + static_cast<std::ptrdiff_t>(first), open_.end());
  }

  void openReaders(const Node *storage) {
    const Node *last = nullptr;
    for (const NodeUse &use : storage->getUsers()) {
      Node *user = use.getUser();
      const bool isNew = user != last && user && user->getParent() == &graph_ && !seen_.count(user);
      last = user;
      if (isNew && !writes(user, storage)) {
        open_.push_back({user, false});
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
