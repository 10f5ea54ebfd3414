// One run of rules over a function.
#pragma once

#include "rewrite.h"

namespace torchgen_support {

namespace rewriting {

/// How many nodes the longest way through a pattern has.
extern const unsigned deepestPattern;

class Rewriter;

/// A group of rules, and what tries them on a node.
struct RuleGroup {
  const char *name;
  bool (*match)(Rewriter &, Node *);
};
const std::vector<RuleGroup> &ruleGroups();

/// A run. Patterns ask it which rules are applied, make nodes in its function, and hand it what takes
/// the place of results.
class Rewriter {
  Function &function_;
  const RewriteOptions &options_;
  RewriteReport &report_;
  std::vector<char> isOn_;
  std::size_t limit_;
  /// The last node of the function before a pattern made nodes.
  Node *lastBefore_ = nullptr;
  Node *root_ = nullptr;
  /// The next node of the walk over the function; the end if there is none.
  NodesList::iterator next_;
  /// Nodes to look at again, the next one last. One that was taken out of the function is skipped.
  std::vector<Node *> work_;
  /// Nodes that were taken out. They are deleted at the end, so that no pointer dangles.
  std::vector<Node *> dead_;
  std::vector<std::pair<unsigned, NodeValue>> replaced_;
  bool takesOut_ = true;

public:
  Rewriter(Function &function, const RewriteOptions &options, RewriteReport &report);
  Rewriter(const Rewriter &) = delete;
  Rewriter &operator=(const Rewriter &) = delete;
  ~Rewriter();

  Module &module() { return *function_.getParent(); }
  Function &function() { return function_; }
  /// A name for nodes in the place of the root.
  std::string name() const { return root_->getName().str(); }

  /// Tries a pattern of a rule. What it made is erased if it does not apply.
  template <typename Pattern> bool apply(std::size_t rule, const Pattern &pattern) {
    if (!isOn_[rule]) {
      return false;
    }
    lastBefore_ = lastNode();
    try {
      return pattern();
    } catch (const InvalidIR &) {
      throw;
    } catch (const std::runtime_error &) {
      // What would be made has no shape.
    } catch (const std::out_of_range &) {
      // An index of a condition has no item.
    } catch (const std::domain_error &) {
      // A condition divides by zero.
    }
    undo();
    ++report_.refused;
    return false;
  }

  /// Puts values in the place of results of the root; false if their types are others.
  bool replace(std::size_t rule, std::initializer_list<std::pair<unsigned, NodeValue>> values);

  /// Tries all rules of a group on a node.
  bool visit(Node *root, bool (*match)(Rewriter &, Node *));
  void run(bool (*match)(Rewriter &, Node *));
  /// Leaves nodes that are used no more.
  void keepsDeadNodes() { takesOut_ = false; }
  const std::vector<std::pair<unsigned, NodeValue>> &replaced() const { return replaced_; }

private:
  Node *lastNode();
  void undo();
  bool isHere(const Node *node) const { return node->getParent() == &function_; }
  /// Looks again at what uses a node, as far as patterns reach.
  void again(Node *node, unsigned levels);
  /// Verifies the function; throws `InvalidIR` that names the rule.
  void verifyAfter(std::size_t rule) const;
  std::vector<Node *> inputsFirst();
  void walk(bool (*match)(Rewriter &, Node *));
  /// Takes a node out that nothing uses, and its inputs if nothing uses them any more.
  void takeOut(Node *node);
};

} // namespace rewriting

} // namespace torchgen_support
