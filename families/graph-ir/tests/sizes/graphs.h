// Graphs of any size, and what is done with them: the benchmark times it, the tests count its steps.
#pragma once

#include "IRSupport.h"

#include <cstdio>
#include <memory>
#include <ostream>
#include <stdexcept>
#include <string>
#include <vector>

namespace sizes {

using namespace sized;

/// What a graph looks like.
enum class Shape { Chain, Fan, SharedWeight, OneName, Mixed };

/// A graph in a module, and what was made of it.
struct Graph {
  Shape shape;
  std::size_t nodes;
  std::unique_ptr<Module> module = std::make_unique<Module>();
  Function *function = module->createFunction("main");
  std::unique_ptr<Module> copied = std::make_unique<Module>();
  Function *clone = nullptr;
  Function *gradient = nullptr;
  /// A graph with a quarter of the nodes, which become about as many instructions.
  Function *part = module->createFunction("part");
  std::unique_ptr<IRFunction> ir;
  std::unique_ptr<IRFunction> irClone;
  std::string text;

  explicit Graph(std::size_t count, Shape looks = Shape::Mixed) : shape(looks), nodes(count) {}
};

/// Something that is done with a graph. The operations follow each other.
struct Operation {
  const char *name;
  void (*run)(Graph &graph);
};

inline void require(bool holds, const char *what) {
  if (!holds) {
    throw std::logic_error(what);
  }
}

/// A name of seven digits, whatever the number.
inline std::string nameOf(Shape shape, std::size_t number) {
  if (shape == Shape::OneName || shape == Shape::Mixed) {
    return "the_name_of_all_nodes";
  }
  char text[32];
  std::snprintf(text, sizeof text, "node_%07zu", number);
  return text;
}

inline void build(Graph &graph, Function &F, std::size_t nodes) {
  Module &module = *graph.module;
  auto *input = module.createPlaceholder(ElemKind::FloatTy, {4}, "input", false);
  auto *weight = module.createPlaceholder(ElemKind::FloatTy, {4}, "weight", true);
  NodeValue last = input->getOutput();
  std::vector<NodeValue> fan;
  for (std::size_t i = 0; i < nodes; ++i) {
    const std::string name = nameOf(graph.shape, i);
    if (graph.shape == Shape::Fan || (graph.shape == Shape::Mixed && i % 2 == 0)) {
      fan.push_back(F.createScale(name, input->getOutput())->getResult());
    } else if (graph.shape == Shape::Chain && i % 2 == 0) {
      last = F.createScale(name, last)->getResult();
    } else {
      last = F.createAdd(name, last, weight->getOutput())->getResult();
    }
  }
  F.createSave("save", last);
  if (!fan.empty()) {
    // A node that reads all of them, and some that write placeholders.
    TypeRef type = module.uniqueType(ElemKind::FloatTy, {static_cast<dim_t>(4 * fan.size())});
    F.createConcat("all", type, fan);
    for (std::size_t i = 0; i < fan.size(); i += 8) {
      F.createSave("save", fan[i]);
    }
  }
}

inline void lower(Graph &graph) {
  build(graph, *graph.part, graph.nodes / 4);
  graph.ir = std::make_unique<IRFunction>(graph.part);
  IRGenerator generator(graph.ir.get());
  generator.addRule<ConcatNode>([](ConcatNode *node, IRGenerator &into) {
    std::vector<Value *> inputs;
    for (const NodeValue &input : node->getInputs()) {
      inputs.push_back(into.valueForNode(input));
    }
    auto *made = into.getBuilder().createAllocActivationInst("all.res", node->getResult().getType());
    into.getBuilder().createConcatInst("all", made, inputs, node->getDim());
    into.registerIR(node->getResult(), made);
  });
  generator.run(*graph.part);
}

inline void moveInstructions(Graph &graph) {
  // Each is taken out and put back, from the first to the last.
  std::vector<Instruction *> all;
  for (Instruction &instruction : graph.irClone->getInstrs()) {
    all.push_back(&instruction);
  }
  for (std::size_t i = 0; i + 1 < all.size(); ++i) {
    graph.irClone->removeInstruction(all[i]);
    graph.irClone->insertInstruction(all[i + 1], all[i]);
  }
}

inline void viewsOfViews(Graph &graph) {
  // A chain of views of one activation, which is deallocated after the last of them.
  IRFunction ir(graph.function);
  {
    IRBuilder builder(&ir);
    auto *into = builder.createWeightVar(ElemKind::FloatTy, {4}, "into");
    Value *last = builder.createAllocActivationInst("room", ElemKind::FloatTy, {4});
    builder.createCopyInst("copy", last, builder.createWeightVar(ElemKind::FloatTy, {4}, "from"));
    for (std::size_t i = 0; i < graph.nodes / 4; ++i) {
      last = builder.createViewInst("view", last, into->getType());
    }
    builder.createCopyInst("copy", into, last);
  }
  require(isa<DeallocActivationInst>(&ir.getInstrs().back()) && ir.verify(), "views keep an activation alive");
}

inline void replaceWeight(Graph &graph) {
  auto *weight = graph.module->getPlaceholderByNameSlow("weight");
  auto *other = graph.module->createPlaceholder(weight->getType(), "other", true);
  weight->getOutput().replaceAllUsesOfWith(other->getOutput());
  require(!weight->hasUsers(), "a weight is replaced everywhere");
}

inline void eraseNodes(Graph &graph) {
  // From the last to the first, and of each two the first one before.
  std::vector<Node *> all;
  for (Node &node : graph.clone->getNodes()) {
    all.push_back(&node);
  }
  while (all.size() > 1) {
    std::swap(all.back(), all[all.size() - 2]);
    graph.clone->eraseNode(all.back());
    all.pop_back();
  }
}

inline void hashAndCompare(Graph &graph) {
  std::size_t hash = 0;
  const Node *last = nullptr;
  for (const Node &node : graph.function->getNodes()) {
    hash ^= node.getHash();
    require(!last || !node.isEqual(*last) || node.getKind() == Kinded::Kind::ScaleNodeKind, "nodes differ");
    last = &node;
  }
  require(hash != 1, "nodes have hashes");
}

inline void erasePlaceholders(Graph &graph) {
  std::vector<Placeholder *> unused;
  for (Placeholder *placeholder : graph.copied->getPlaceholders()) {
    unused.push_back(placeholder);
  }
  for (Placeholder *placeholder : unused) {
    graph.copied->erasePlaceholder(placeholder);
  }
  require(graph.copied->getPlaceholders().empty(), "placeholders are erased");
}

/// A text of which only the length counts.
class Length : public std::streambuf {
  std::size_t length_ = 0;
  int overflow(int c) override {
    ++length_;
    return c == EOF ? 0 : c;
  }
  std::streamsize xsputn(const char *, std::streamsize count) override {
    length_ += static_cast<std::size_t>(count);
    return count;
  }

public:
  std::size_t length() const { return length_; }
};

template <typename Printed> void print(const Printed &printed) {
  Length length;
  std::ostream os(&length);
  printed(os);
  require(length.length() > 100, "something is printed");
}

/// Everything that is done with a graph, from building it to freeing it.
inline const std::vector<Operation> &operations() {
  static const std::vector<Operation> all = {
      {"build", [](Graph &graph) { build(graph, *graph.function, graph.nodes); }},
      {"verify", [](Graph &graph) { graph.module->verify() ? void() : throw InvalidIR(Diagnostics()); }},
      {"post-order",
       [](Graph &graph) { require(graph.function->getPostOrder().size() > graph.nodes, "an order"); }},
      {"pre-order",
       [](Graph &graph) {
         require(GraphPreOrderVisitor(*graph.function).getPreOrder().size() > graph.nodes, "an order");
       }},
      {"hash, compare", hashAndCompare},
      {"print", [](Graph &graph) { print([&](std::ostream &os) { graph.function->dump(os); }); }},
      {"write", [](Graph &graph) { graph.text = saveGraph(*graph.function); }},
      {"read",
       [](Graph &graph) {
         Diagnostics diagnostics;
         require(loadGraph(*graph.module, graph.text, "read", diagnostics), "what was written is read");
       }},
      {"write as bytes", [](Graph &graph) { graph.text = saveGraphAsBytes(*graph.function); }},
      {"read bytes",
       [](Graph &graph) {
         Diagnostics diagnostics;
         require(loadGraph(*graph.module, graph.text, "bytes", diagnostics), "what was written is read");
       }},
      {"clone", [](Graph &graph) { graph.clone = graph.function->clone("clone"); }},
      {"clone a module", [](Graph &graph) { graph.module->clone(*graph.copied); }},
      {"differentiate", [](Graph &graph) { graph.gradient = differentiate(graph.function); }},
      {"build and lower", lower},
      {"draw", [](Graph &graph) { print([&](std::ostream &os) { graph.part->dumpDAG(os); }); }},
      {"verify instructions", [](Graph &graph) { graph.ir->verifyOrThrow(); }},
      {"print instructions", [](Graph &graph) { print([&](std::ostream &os) { graph.ir->dump(os); }); }},
      {"draw instructions", [](Graph &graph) { print([&](std::ostream &os) { graph.ir->dumpDAG(os); }); }},
      {"clone instructions", [](Graph &graph) { graph.irClone = graph.ir->clone(); }},
      {"move instructions", moveInstructions},
      {"erase instructions",
       [](Graph &graph) {
         while (!graph.irClone->getInstrs().empty()) {
           graph.irClone->getInstrs().front().eraseFromParent();
         }
       }},
      {"views of views", viewsOfViews},
      {"free instructions",
       [](Graph &graph) {
         graph.irClone.reset();
         graph.ir.reset();
       }},
      {"replace a value", replaceWeight},
      {"erase nodes", eraseNodes},
      {"free",
       [](Graph &graph) {
         graph.module->eraseFunctions();
         graph.copied->eraseFunctions();
       }},
      {"erase placeholders", erasePlaceholders},
      {"free the module", [](Graph &graph) { graph.module.reset(); }},
  };
  return all;
}

} // namespace sizes
