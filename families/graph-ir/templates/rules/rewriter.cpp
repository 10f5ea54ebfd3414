// Rewrites graphs, the parts that know no rule.
#include "rewriter.h"

#include <stdexcept>
#include <unordered_set>

namespace torchgen_support {

namespace rewriting {

/// The number of a rule; throws `std::invalid_argument` if there is none of that name.
static std::size_t ruleNumber(StringRef name) {
  const std::vector<RuleInfo> &rules = rewriteRules();
  for (std::size_t rule = 0; rule < rules.size(); ++rule) {
    if (name == StringRef(rules[rule].name)) {
      return rule;
    }
  }
  throw std::invalid_argument("there is no rule " + name.str());
}

/// Whether a function is valid; base classes of the user's may verify without diagnostics.
template <typename Graph>
static auto isValid(const Graph &function, Diagnostics &diagnostics, int) -> decltype(function.verify(diagnostics), true) {
  function.verify(diagnostics);
  return true;
}
template <typename Graph> static bool isValid(const Graph &function, Diagnostics &, long) { return function.verify(); }

} // namespace rewriting

RewriteReport::RewriteReport() : counts(rewriteRules().size()) {}

std::size_t RewriteReport::count(StringRef name) const { return counts[rewriting::ruleNumber(name)]; }

namespace rewriting {

Rewriter::Rewriter(Function &function, const RewriteOptions &options, RewriteReport &report)
    : function_(function), options_(options), report_(report), isOn_(rewriteRules().size(), 1), limit_(options.limit),
      next_(function.getNodes().end()) {
  for (const std::string &name : options.off) {
    isOn_[ruleNumber(name)] = 0;
  }
  if (limit_ == 0) {
    limit_ = 1000 + 10 * function.getNodes().size();
  }
}

Node *Rewriter::lastNode() { return function_.getNodes().empty() ? nullptr : &function_.getNodes().back(); }

void Rewriter::undo() {
  while (lastNode() != lastBefore_) {
    function_.eraseNode(lastNode());
  }
}

Rewriter::~Rewriter() {
  for (Node *node : dead_) {
    Node::destroyNode(node);
  }
}

void Rewriter::again(Node *node, unsigned levels) {
  if (levels == 0) {
    return;
  }
  for (auto &&use : node->getUsers()) {
    work_.push_back(use.getUser());
    again(use.getUser(), levels - 1);
  }
}

void Rewriter::takeOut(Node *node) {
  std::vector<Node *> left{node};
  while (!left.empty()) {
    Node *dead = left.back();
    left.pop_back();
    if (!isHere(dead) || dead->hasUsers() || dead->hasSideEffects()) {
      continue;
    }
    if (next_ != function_.getNodes().end() && dead == &*next_) {
      ++next_;
    }
    function_.getNodes().remove(dead);
    dead->setParent(nullptr);
    dead_.push_back(dead);
    for (unsigned i = 0; i < dead->getNumInputs(); ++i) {
      Node *input = dead->getNthInput(i).getNode();
      if (!input) {
        continue;
      }
      dead->setNthInput(i, NodeValue());
      if (!input->hasUsers()) {
        left.push_back(input);
      } else if (input->hasOneUse()) {
        // Conditions may ask for the only user.
        work_.push_back(input);
        again(input, deepestPattern - 1);
      }
    }
  }
}

bool Rewriter::replace(std::size_t rule, std::initializer_list<std::pair<unsigned, NodeValue>> values) {
  if (report_.steps >= limit_) {
    undo();
    report_.finished = false;
    return false;
  }
  for (const auto &[result, value] : values) {
    const NodeValue old = root_->getNthResult(result);
    if (value == old || !old.getType()->isEqual(*value.getType())) {
      undo();
      ++report_.refused;
      return false;
    }
  }
  ++report_.counts[rule];
  ++report_.steps;
  if (options_.trace) {
    *options_.trace << rewriteRules()[rule].name << ": " << root_->getKindName() << " " << root_->getName().str() << "\n";
  }
  Node *root = root_;
  if (next_ == function_.getNodes().end()) {
    // The walk over the function does not meet what was made.
    auto &nodes = function_.getNodes();
    for (auto made = nodes.end(); made != nodes.begin() && &*--made != lastBefore_;) {
      work_.push_back(&*made);
    }
  }
  again(root, deepestPattern - 1);
  for (const auto &[result, value] : values) {
    root->getNthResult(result).replaceAllUsesOfWith(value, &function_);
  }
  replaced_.assign(values.begin(), values.end());
  if (takesOut_) {
    takeOut(root);
  }
  if (options_.verify) {
    verifyAfter(rule);
  }
  return true;
}

void Rewriter::verifyAfter(std::size_t rule) const {
  Diagnostics diagnostics;
  const bool valid = isValid(function_, diagnostics, 0);
  if (!valid || !diagnostics.empty()) {
    diagnostics.report("the rule " + std::string(rewriteRules()[rule].name), "it made a graph that is not valid");
    throw InvalidIR(diagnostics);
  }
}

/// The nodes of the function, each after its inputs.
std::vector<Node *> Rewriter::inputsFirst() {
  std::vector<Node *> order;
  std::unordered_set<const Node *> seen;
  std::vector<std::pair<Node *, unsigned>> open;
  for (Node &start : function_.getNodes()) {
    if (seen.insert(&start).second) {
      open.emplace_back(&start, 0);
    }
    while (!open.empty()) {
      Node *node = open.back().first;
      const unsigned index = open.back().second++;
      if (index == node->getNumInputs()) {
        order.push_back(node);
        open.pop_back();
        continue;
      }
      Node *input = node->getNthInput(index).getNode();
      if (input && isHere(input) && seen.insert(input).second) {
        open.emplace_back(input, 0);
      }
    }
  }
  return order;
}

bool Rewriter::visit(Node *root, bool (*match)(Rewriter &, Node *)) {
  root_ = root;
  return !root->hasPredicate() && match(*this, root);
}

void Rewriter::walk(bool (*match)(Rewriter &, Node *)) {
  auto &nodes = function_.getNodes();
  for (next_ = nodes.begin(); next_ != nodes.end() && report_.finished;) {
    Node *node = &*next_;
    ++next_;
    visit(node, match);
  }
  next_ = nodes.end();
}

void Rewriter::run(bool (*match)(Rewriter &, Node *)) {
  if (options_.order == RewriteOptions::Order::BottomUpOnce) {
    for (Node *node : inputsFirst()) {
      if (isHere(node) && report_.finished) {
        visit(node, match);
      }
    }
    return;
  }
  walk(match);
  while (!work_.empty() && report_.finished) {
    Node *node = work_.back();
    work_.pop_back();
    if (isHere(node)) {
      visit(node, match);
    }
  }
}

} // namespace rewriting

} // namespace torchgen_support
