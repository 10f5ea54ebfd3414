// An example of a rule: a graph, and what it becomes.
#pragma once

#include "rewrite.h"

#include <cstdio>

namespace torchgen_support::rules_test {

/// Whether two values are the same graph over the same given values.
inline bool sameGraph(NodeValue a, NodeValue b) {
  if (a == b) {
    return true;
  }
  Node *left = a.getNode(), *right = b.getNode();
  if (!left || !right || a.getResNo() != b.getResNo() || left->getKind() != right->getKind() || isa<Storage>(left) ||
      left->getNumInputs() != right->getNumInputs()) {
    return false;
  }
  for (unsigned i = 0; i < left->getNumInputs(); ++i) {
    if (!sameGraph(left->getNthInput(i), right->getNthInput(i))) {
      return false;
    }
    right->setNthInput(i, left->getNthInput(i));
  }
  return left->isEqual(*right);
}

/// Options for one rule alone.
inline RewriteOptions onlyRule(const std::string &name) {
  RewriteOptions options;
  for (const RuleInfo &rule : rewriteRules()) {
    if (rule.name != name) {
      options.off.push_back(rule.name);
    }
  }
  return options;
}

class Example {
  Module module_;
  Function *function_;
  std::string rule_, text_;

public:
  static unsigned count, failed;

  Example(const char *rule, const char *text)
      : function_(module_.createFunction("example")), rule_(rule), text_(text) {
    ++count;
  }
  Module &module() { return module_; }
  Function &function() { return *function_; }
  std::string name() const { return "example"; }

  /// A value that is given.
  NodeValue given(const char *name, bool isConstant, const Type &type) {
    TypeRef unique = module_.uniqueType(type);
    if (isConstant) {
      return NodeValue(module_.createConstant(unique, name), 0);
    }
    return NodeValue(module_.createPlaceholder(unique, name, false), 0);
  }

  /// Applies the rule, which must make this graph.
  void becomes(NodeValue before, NodeValue after) {
    const std::vector<std::pair<unsigned, NodeValue>> made = apply(before);
    for (const auto &[result, value] : made) {
      if (result == before.getResNo()) {
        check(sameGraph(value, after), "makes another graph");
        return;
      }
    }
    check(false, "does not match");
  }

  /// Applies the rule, which must not match.
  void stays(NodeValue before) { check(apply(before).empty(), "matches"); }

private:
  std::vector<std::pair<unsigned, NodeValue>> apply(NodeValue before) {
    RewriteOptions options = onlyRule(rule_);
    options.verify = true;
    try {
      return isa<Storage>(before.getNode()) ? std::vector<std::pair<unsigned, NodeValue>>()
                                            : rewriteNode(before.getNode(), options);
    } catch (const InvalidIR &error) {
      check(false, error.what());
      return {};
    }
  }

  void check(bool holds, const char *what) {
    if (!holds) {
      ++failed;
      std::printf("the rule `%s` %s: %s\n", rule_.c_str(), what, text_.c_str());
    }
  }
};

unsigned Example::count = 0, Example::failed = 0;

} // namespace torchgen_support::rules_test
