// Runs of rules over functions and nodes.
#include "rewriter.h"

namespace torchgen_support {

namespace rewriting {

/// The groups that are asked for; throws `std::invalid_argument` if there is none of that name.
static std::vector<RuleGroup> chosen(const std::string &name) {
  std::vector<RuleGroup> found;
  for (const RuleGroup &group : ruleGroups()) {
    if (name.empty() || name == group.name) {
      found.push_back(group);
    }
  }
  if (found.empty()) {
    throw std::invalid_argument("there is no group of rules " + name);
  }
  return found;
}

} // namespace rewriting

RewriteReport rewrite(Function &function, const RewriteOptions &options) {
  RewriteReport report;
  for (const rewriting::RuleGroup &group : rewriting::chosen(options.group)) {
    rewriting::Rewriter(function, options, report).run(group.match);
  }
  return report;
}

std::vector<std::pair<unsigned, NodeValue>> rewriteNode(Node *node, const RewriteOptions &options) {
  RewriteReport report;
  rewriting::Rewriter rewriter(*node->getParent(), options, report);
  rewriter.keepsDeadNodes();
  for (const rewriting::RuleGroup &group : rewriting::chosen(options.group)) {
    if (rewriter.visit(node, group.match)) {
      return rewriter.replaced();
    }
  }
  return {};
}

} // namespace torchgen_support
