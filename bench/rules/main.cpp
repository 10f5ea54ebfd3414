// Rewrites a graph by matchers that are written by hand, and by the same as rules.
#include "IRRules.h"
#include "IRSupport.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>

using namespace bench;

/// A chain in which a part of the nodes can be dropped.
static Function *make(Module &module, unsigned nodes) {
  Function *function = module.createFunction("f");
  TypeRef type = module.uniqueType(ElemKind::FloatTy, {4, 4});
  NodeValue value(module.createPlaceholder(type, "x", false), 0);
  const NodeValue zero = function->createSplat("zero", type, 0.0f)->getResult();
  const NodeValue one = function->createSplat("one", type, 1.0f)->getResult();
  unsigned random = 1;
  for (unsigned i = 0; i < nodes; ++i) {
    random = random * 1664525u + 1013904223u;
    switch (random >> 29) {
    case 0:
      value = function->createAdd("add", value, zero)->getResult();
      break;
    case 1:
      value = function->createMul("mul", value, one)->getResult();
      break;
    case 2:
      value = function->createRelu("relu", value)->getResult();
      break;
    case 3:
      value = function->createNeg("neg", value)->getResult();
      break;
    case 4:
      value = function->createTranspose("transpose", type, value, {1, 0})->getResult();
      break;
    default:
      value = function->createAdd("sum", value, value)->getResult();
    }
  }
  function->createSave("save", value);
  return function;
}

static std::size_t byHand(Function &function) {
  std::size_t steps = 0;
  std::vector<Node *> nodes;
  for (Node &node : function.getNodes()) {
    nodes.push_back(&node);
  }
  const unsigned_t swapped[] = {1, 0};
  auto replace = [&](Node *node, NodeValue value) {
    node->getNthResult(0).replaceAllUsesOfWith(value);
    ++steps;
  };
  for (Node *node : nodes) {
    if (auto *add = dyn_cast<AddNode>(node)) {
      auto *splat = dyn_cast<SplatNode>(add->getRHS());
      if (splat && splat->getValue() == 0.0f) {
        replace(node, add->getLHS());
      }
    } else if (auto *mul = dyn_cast<MulNode>(node)) {
      auto *splat = dyn_cast<SplatNode>(mul->getRHS());
      if (splat && splat->getValue() == 1.0f) {
        replace(node, mul->getLHS());
      }
    } else if (auto *relu = dyn_cast<ReluNode>(node)) {
      if (isa<ReluNode>(relu->getInput())) {
        replace(node, relu->getInput());
      }
    } else if (auto *neg = dyn_cast<NegNode>(node)) {
      if (auto *inner = dyn_cast<NegNode>(neg->getInput())) {
        replace(node, inner->getInput());
      }
    } else if (auto *outer = dyn_cast<TransposeNode>(node)) {
      auto *inner = dyn_cast<TransposeNode>(outer->getInput());
      if (inner && outer->getShuffle() == ArrayRef<unsigned_t>(swapped) &&
          inner->getShuffle() == ArrayRef<unsigned_t>(swapped)) {
        replace(node, inner->getInput());
      }
    }
  }
  for (auto node = nodes.rbegin(); node != nodes.rend(); ++node) {
    if (!(*node)->hasUsers() && !(*node)->hasSideEffects()) {
      function.eraseNode(*node);
    }
  }
  return steps;
}

int main() {
  constexpr unsigned nodes = 100000, runs = 9;
  std::vector<double> hand, rules;
  std::size_t handSteps = 0, ruleSteps = 0;
  auto measure = [&](std::vector<double> &times, auto run) {
    Module module;
    Function *function = make(module, nodes);
    const auto start = std::chrono::steady_clock::now();
    const std::size_t steps = run(*function);
    times.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    return steps;
  };
  for (unsigned i = 0; i < runs; ++i) {
    handSteps = measure(hand, byHand);
    ruleSteps = measure(rules, [](Function &function) { return rewrite(function).steps; });
  }
  std::sort(hand.begin(), hand.end());
  std::sort(rules.begin(), rules.end());
  std::printf("%u nodes, median of %u runs\n", nodes, runs);
  std::printf("by hand %.2f ms (%zu steps), by rules %.2f ms (%zu steps): %.2f times\n", hand[runs / 2] * 1e3,
              handSteps, rules[runs / 2] * 1e3, ruleSteps, rules[runs / 2] / hand[runs / 2]);
}
