// What somebody else writes by hand, and graphs that rules rewrite.
#include "graph.h"

#include "IRRules.h"

#include <iostream>

namespace others {

const char *Kinded::getKindName() const {
  static const char *const names[] = {
#define DEF_NODE(CLASS, NAME) #NAME,
#include "AutoGenNodes.def"
  };
  return names[static_cast<unsigned>(kind_)];
}

/// Calls a function with the node as an object of its class.
template <typename Call> static auto withClass(const Node *node, const Call &call) {
  switch (node->getKind()) {
#define DEF_NODE(CLASS, NAME) \
  case Kinded::Kind::CLASS##Kind: \
    return call(static_cast<CLASS *>(const_cast<Node *>(node)));
#include "AutoGenNodes.def"
  }
  throw std::logic_error("no kind");
}

unsigned Node::getNumInputs() const {
  return withClass(this, [](auto *node) { return node->getNumInputs(); });
}
NodeValue Node::getNthInput(unsigned index) const {
  return withClass(this, [&](auto *node) { return node->getNthInput(index); });
}
std::string Node::getInputName(unsigned index) const {
  return withClass(this, [&](auto *node) { return node->getInputName(index); });
}
std::string Node::getOutputName(unsigned index) const {
  return withClass(this, [&](auto *node) { return node->getOutputName(index); });
}
static_assert(std::is_same_v<AnyNode<Node, Constant>, Node>, "functions of any node are compiled once");
void Node::setNthInput(unsigned index, NodeValue value) {
  withClass(this, [&](auto *node) { node->setNthInput(index, value); });
}
bool Node::hasSideEffects() const {
  return withClass(this, [](auto *node) { return node->hasSideEffects(); });
}
bool Node::verify() const {
  return withClass(this, [](auto *node) { return node->verify(); });
}
void Node::destroyNode(Node *node) {
  withClass(node, [](auto *object) { delete object; });
}

void NodeHandle::set(NodeValue value) {
  if (node) {
    node->getUsers().remove_if([this](const NodeUse &use) { return use.site == this; });
  }
  NodeValue::operator=(value);
  if (node) {
    node->getUsers().push_back({this});
  }
}

void NodeValue::replaceAllUsesOfWith(NodeValue value, const Function *) const {
  const std::list<NodeUse> uses = node->getUsers();
  for (const NodeUse &use : uses) {
    *use.site = value;
  }
}

Function::~Function() {
  for (Node &node : nodes_) {
    for (unsigned index = 0; index < node.getNumInputs(); ++index) {
      node.setNthInput(index, NodeValue());
    }
  }
  while (!nodes_.empty()) {
    eraseNode(&nodes_.back());
  }
}

static bool isValid = true;
bool Function::verify() const { return isValid; }

} // namespace others

using namespace others;

static void print(Function &function) {
  for (Node &node : function.getNodes()) {
    std::cout << " " << node.getName().str();
  }
  std::cout << "\n";
}

int main() {
  for (const auto order : {RewriteOptions::Order::Worklist, RewriteOptions::Order::BottomUpOnce}) {
    Module module;
    const TypeRef type = module.uniqueType(ElemKind::FloatTy, std::vector<dim_t>{2});
    Constant zeros("zeros", type, {0, 0}), input("input", type, {1, 2});
    Function function(module);
    auto *first = function.addNode(new ReluNode("first", type, &input));
    auto *second = function.addNode(new ReluNode("second", type, first));
    auto *sum = function.addNode(new AddNode("sum", type, &zeros, second));
    auto *neg = function.addNode(new NegNode("neg", type, sum));
    auto *truth = module.uniqueType(ElemKind::BoolTy, type->dims());
    function.addNode(new KeepNode("save", function.addNode(new IsZeroNode("zero", truth, neg))));
    RewriteOptions options;
    options.order = order;
    options.trace = &std::cout;
    options.verify = true;
    const RewriteReport report = rewrite(function, options);
    std::cout << report.steps << " steps, " << report.refused << " refused:";
    print(function);
    isValid = false;
    auto *twice = function.addNode(new NegNode("twice", type, function.addNode(new NegNode("once", type, &input))));
    function.addNode(new KeepNode("result", twice));
    try {
      rewrite(function, options);
    } catch (const InvalidIR &error) {
      std::cout << error.what() << "\n";
    }
    isValid = true;
  }
}
