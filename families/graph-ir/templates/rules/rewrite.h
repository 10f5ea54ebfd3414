// Rewrites graphs by rules.
#pragma once

#include "IRSupport.h"

#include <string>
#include <vector>

namespace torchgen_support {

/// A rule of the family's files.
struct RuleInfo {
  const char *name;
  const char *group;
  const char *doc;
  int priority;
};

/// All rules. Those of a group are in the order in which they are tried.
const std::vector<RuleInfo> &rewriteRules();

/// How a graph is rewritten.
struct RewriteOptions {
  enum class Order {
    /// Until no rule matches: what a step may have changed is looked at again.
    Worklist,
    /// Each node once, after its inputs.
    BottomUpOnce,
  };
  Order order = Order::Worklist;
  /// The group whose rules are applied; without a name, those of each group, one after the other.
  std::string group;
  /// The names of rules that are not applied.
  std::vector<std::string> off;
  /// The most steps; zero for 1,000 and ten for each node of the graph.
  std::size_t limit = 0;
  /// Verifies the function after each step, and throws `InvalidIR` that names the rule.
  bool verify = false;
  /// Gets a line for each step.
  std::ostream *trace = nullptr;
};

/// What was done.
struct RewriteReport {
  /// How often each rule of `rewriteRules()` was applied.
  std::vector<std::size_t> counts;
  std::size_t steps = 0;
  /// Matches that were left alone: what would take their place has another type, or no shape.
  std::size_t refused = 0;
  /// Whether no rule matches any more; false if there were too many steps.
  bool finished = true;

  RewriteReport();
  /// How often a rule was applied; throws `std::invalid_argument` if there is none of that name.
  std::size_t count(StringRef name) const;
};

/// Rewrites a function. Nodes that are used no more and have no side effects are erased.
///
/// Throws `std::invalid_argument` if there is no such group or rule.
RewriteReport rewrite(Function &function, const RewriteOptions &options = RewriteOptions());

/// Applies the first rule that matches one node, and returns what took the place of its results,
/// by their numbers; nothing if no rule matches. The node stays until it is erased.
std::vector<std::pair<unsigned, NodeValue>> rewriteNode(Node *node, const RewriteOptions &options = RewriteOptions());

} // namespace torchgen_support
