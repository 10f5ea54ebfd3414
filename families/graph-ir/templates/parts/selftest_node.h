// The self-test of a node.
#pragma once

#include "selftest.h"

namespace torchgen_support::self_test {

void testNode(const NodeCase &test) {
  const std::string where = test.name;
  Node *node = test.make(0);
  expect(!node->verify() || node->verify(), "verification does not end the program", where);

  std::set<std::string> names;
  for (unsigned i = 0; i < node->getNumInputs(); ++i) {
    expect(names.insert(node->getInputName(i)).second, "names of inputs are distinct", where);
    expect(node->getNthInput(i).getNode() != nullptr, "each input is there", where);
  }
  for (unsigned i = 0; i < node->getNumResults(); ++i) {
    expect(!node->getOutputName(i).empty() && node->getType(i), "each result has a name and a type", where);
  }
  expect(std::string(node->getClassInfo().className) == test.name, "reflection finds the class", where);
  expect(getKindFromNodeName(node->getClassInfo().name) == node->getKind(), "the kind is found by name", where);
  expect(!node->getDebugDesc().empty(), "there is a description", where);

  NodeValue predicate = world.in(spare);
  node->setPredicate(predicate);
  Node *copy = node->clone();
  expect(copy->getPredicate() == predicate, "a copy keeps the predicate", where);
  expect(copy->isEqual(*node) && node->isEqual(*copy), "a copy is equal", where);
  expect(copy->getHash() == node->getHash(), "equal nodes have equal hashes", where);
  copy->setPredicate(NodeValue());
  expect(!copy->isEqual(*node), "a predicate makes a difference", where);
  node->setPredicate(NodeValue());
  expect(copy->isEqual(*node) && copy->getHash() == node->getHash(), "without it they are equal", where);

  for (unsigned member : test.members) {
    Node *other = test.make(member);
    expect(!other->isEqual(*node), "a changed member makes a difference", where + " member " + std::to_string(member));
    Node::destroyNode(other);
  }
  for (unsigned i = 0; i < copy->getNumInputs(); ++i) {
    const NodeValue old = copy->getNthInput(i);
    const unsigned users = old.getNumUsers();
    copy->setNthInput(i, world.in(fresh));
    expect(copy->getNthInput(i) == world.in(fresh), "an input can be set", where);
    expect(old.getNumUsers() + 1 == users, "the old input forgets the use", where);
    expect(!copy->isEqual(*node), "an input makes a difference", where);
    copy->setNthInput(i, old);
  }
  for (unsigned i = 0; i < copy->getNumResults(); ++i) {
    copy->setTypeUnsafe(i, node->getType(i) == world.type(1) ? world.type(0) : world.type(1));
    expect(!copy->isEqual(*node), "the type of a result makes a difference", where);
    Node *changed = copy->clone();
    expect(changed->isEqual(*copy), "a copy keeps changed types", where);
    Node::destroyNode(changed);
    copy->setTypeUnsafe(i, node->getType(i));
  }
  PostOrderVisitor order;
  node->visit(nullptr, &order);
  expect(!order.getPostOrder().empty() && order.getPostOrder().back() == node, "a visitor ends with the node", where);

  if (test.serialized) {
    Module module;
    Diagnostics diagnostics;
    world.function->addNode(copy);
    Function *loaded = loadGraph(module, saveGraph(*world.function), "again", diagnostics);
    expect(loaded && loaded->getNodes().size() == 1, "a graph that was written can be read", where + " " + diagnostics.str());
    expect(loaded && saveGraph(*loaded).find("node") != std::string::npos, "and be written", where);
    if (loaded) {
      const std::string first = saveGraph(*world.function);
      const std::string second = saveGraph(*loaded);
      expect(first.substr(first.find('\n')) == second.substr(second.find('\n')), "with the same text", where);
    }
    world.function->eraseNode(copy);
  } else {
    Node::destroyNode(copy);
  }
  Node::destroyNode(node);
}

} // namespace torchgen_support::self_test
