// Random choices of random rules rewrite random graphs: each run ends, each graph is valid.
#include "IRRules.h"
#include "IRSupport.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <sstream>

using namespace drawn;

static unsigned state = 63;

static unsigned below(unsigned end) {
  state = state * 1664525u + 1013904223u;
  return (state >> 8) % end;
}

/// A graph whose nodes use those before them.
static Function *make(Module &module, unsigned nodes) {
  Function *function = module.createFunction("f");
  TypeRef type = module.uniqueType(ElemKind::FloatTy, {2});
  std::vector<NodeValue> values;
  values.push_back(NodeValue(module.createPlaceholder(type, "x", false), 0));
  values.push_back(function->createSplat("zero", type, 0.0f)->getResult());
  auto any = [&] { return values[values.size() - 1 - below(values.size() < 4 ? unsigned(values.size()) : 4)]; };
  while (values.size() < nodes) {
    switch (below(6)) {
    case 0:
      values.push_back(function->createOne("one", any())->getResult());
      break;
    case 1:
      values.push_back(function->createOther("other", any())->getResult());
      break;
    case 2:
      values.push_back(function->createCount("count", any(), int(below(3)))->getResult());
      break;
    case 3:
      values.push_back(function->createAdd("add", any(), any())->getResult());
      break;
    case 4:
      values.push_back(function->createSub("sub", any(), any())->getResult());
      break;
    default:
      auto *split = function->createSplit("split", any());
      values.push_back(split->getEven());
      values.push_back(split->getOdd());
    }
  }
  function->createSave("save", values.back());
  function->createSave("save", any());
  return function;
}

static std::vector<std::string> sorted(const std::string &text) {
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) {
    lines.push_back(line);
  }
  std::sort(lines.begin(), lines.end());
  return lines;
}

/// Whether a graph that is written, as text or as bytes, and read is the same.
static bool comesBack(const Function &function) {
  const std::string text = saveGraph(function);
  for (const std::string &written : {text, saveGraphAsBytes(function)}) {
    Module module;
    Diagnostics diagnostics;
    const Function *read = loadGraph(module, written, function.getName(), diagnostics);
    // Placeholders may be written elsewhere among the nodes.
    if (!read || !read->verify() || sorted(saveGraph(*read)) != sorted(text)) {
      return false;
    }
  }
  return true;
}

int main() {
  constexpr unsigned sets = 10000, limit = 30;
  std::size_t steps = 0, changed = 0, stopped = 0;
  std::vector<bool> applied(rewriteRules().size());
  for (unsigned set = 0; set < sets; ++set) {
    RewriteOptions options;
    const unsigned kept = 1 + below(10);
    for (const RuleInfo &rule : rewriteRules()) {
      if (below(10) >= kept) {
        options.off.push_back(rule.name);
      }
    }
    options.limit = limit;
    options.verify = true;
    options.order = set % 4 == 0 ? RewriteOptions::Order::BottomUpOnce : RewriteOptions::Order::Worklist;
    Module module;
    Function *function = make(module, 3 + below(20));
    // Throws if a step makes a graph that is not valid.
    const RewriteReport report = rewrite(*function, options);
    if (set % 10 == 0 && !comesBack(*function)) {
      std::printf("a graph is another after it was written and read\n");
      return 1;
    }
    if (report.steps > limit) {
      std::printf("%zu steps, where %u are the most\n", report.steps, limit);
      return 1;
    }
    for (std::size_t rule = 0; rule < applied.size(); ++rule) {
      applied[rule] = applied[rule] || report.counts[rule] > 0;
      bool off = false;
      for (const std::string &name : options.off) {
        off = off || name == rewriteRules()[rule].name;
      }
      if (off && report.counts[rule] > 0) {
        std::printf("%s is off\n", rewriteRules()[rule].name);
        return 1;
      }
    }
    steps += report.steps;
    changed += report.steps > 0;
    stopped += !report.finished;
  }
  std::size_t used = 0;
  for (bool rule : applied) {
    used += rule;
  }
  std::printf("%u sets of %zu rules, %zu rules applied, %zu steps, %zu graphs changed, %zu runs stopped by the limit\n",
              sets, applied.size(), used, steps, changed, stopped);
  // Random rules grow graphs without end, too: the limit must be met by some, and not by all.
  return changed > sets / 2 && stopped > 0 && stopped < sets / 2 && used > applied.size() / 3 ? 0 : 1;
}
