// What runs of rules do: order, groups, rules that are off, limits, traces.
#include "IRRules.h"
#include "IRSupport.h"

#include <cstdio>
#include <cstdlib>
#include <sstream>

using namespace rewritten;

int runRulesTest(unsigned tries);

static void expect(bool holds, const char *what) {
  if (!holds) {
    std::printf("failed: %s\n", what);
    std::exit(1);
  }
}

struct World {
  Module module;
  Function *function = module.createFunction("f");
  TypeRef type = module.uniqueType(ElemKind::FloatTy, {2, 2});
  NodeValue x{module.createPlaceholder(type, "x", false), 0};

  NodeValue zero() { return function->createSplat("zero", type, 0.0f)->getResult(); }
  std::size_t size() const { return function->getNodes().size(); }
};

static void aChainDisappears() {
  World w;
  NodeValue value = w.x;
  for (unsigned i = 0; i < 1000; ++i) {
    value = w.function->createNeg("n", value)->getResult();
    value = w.function->createAdd("a", value, w.zero())->getResult();
  }
  SaveNode *save = w.function->createSave("s", value);
  RewriteOptions options;
  options.group = "default";
  options.verify = true;
  const RewriteReport report = rewrite(*w.function, options);
  expect(report.finished && report.count("add zero") == 1000 && report.count("neg of neg") == 500, "all rules ran");
  expect(save->getInput() == w.x && w.size() == 1, "nothing is left but what saves");
}

static void rulesAreSwitchedOff() {
  World w;
  w.function->createSave("s", w.function->createAdd("a", w.x, w.zero()));
  RewriteOptions options;
  options.group = "default";
  options.off = {"add zero"};
  expect(rewrite(*w.function, options).steps == 0 && w.size() == 3, "a rule that is off does nothing");
  std::ostringstream trace;
  options.off.clear();
  options.trace = &trace;
  expect(rewrite(*w.function, options).steps == 1 && trace.str() == "add zero: Add a\n", "a step is traced");
  RewriteOptions noRule, noGroup;
  noRule.off = {"no such rule"};
  noGroup.group = "no such group";
  for (const RewriteOptions &wrong : {noRule, noGroup}) {
    bool isRefused = false;
    try {
      rewrite(*w.function, wrong);
    } catch (const std::invalid_argument &) {
      isRefused = true;
    }
    expect(isRefused, "an unknown name is an error");
  }
}

static void runsEnd() {
  World w;
  NodeValue value = w.x;
  for (unsigned i = 0; i < 10; ++i) {
    value = w.function->createAdd("a", value, w.zero())->getResult();
  }
  w.function->createSave("s", value);
  RewriteOptions options;
  options.limit = 3;
  const RewriteReport report = rewrite(*w.function, options);
  expect(!report.finished && report.steps == 3 && w.function->verify(), "a run ends at its limit");
}

static void constantsFold() {
  World w;
  Constant *constant = w.module.createConstant(w.type, "c");
  constant->getPayloadMutable().assign<float>({1, -2, 3, -4});
  SaveNode *save = w.function->createSave("s", w.function->createRelu("r", constant->getOutput()));
  RewriteOptions options;
  options.group = "fold";
  expect(rewrite(*w.function, options).count("fold Relu") == 1, "a constant folds");
  const auto *folded = cast<Constant>(save->getInput());
  expect(folded->getPayload().elements<float>() == ArrayRef<float>({1, 0, 3, 0}), "to what the node computes");
}

static void sharedNodesStay() {
  World w;
  NodeValue inner = w.function->createTranspose("t", w.x, {1, 0})->getResult();
  w.function->createSave("s", w.function->createTranspose("u", inner, {1, 0}));
  w.function->createSave("s", inner);
  RewriteOptions options;
  options.group = "default";
  expect(rewrite(*w.function, options).count("transpose of transpose") == 0, "a condition on users");
}

static void onceIsOnce() {
  World w;
  NodeValue value = w.x;
  for (unsigned i = 0; i < 4; ++i) {
    value = w.function->createTranspose("t", value, {1, 0})->getResult();
  }
  w.function->createSave("s", value);
  RewriteOptions options;
  options.order = RewriteOptions::Order::BottomUpOnce;
  options.group = "default";
  const std::size_t once = rewrite(*w.function, options).steps;
  options.order = RewriteOptions::Order::Worklist;
  const std::size_t more = rewrite(*w.function, options).steps;
  expect(once >= 1 && more >= 1 && w.size() == 1, "the rest is left for a worklist");
}

int main() {
  aChainDisappears();
  rulesAreSwitchedOff();
  runsEnd();
  constantsFold();
  sharedNodesStay();
  onceIsOnce();
  const int failed = runRulesTest(4000);
  std::printf("rules: %s\n", failed ? "some are wrong" : "none is wrong");
  return 0;
}
