// Values, uses and nodes, the parts with a body.
#include "IRSupport.h"

#include <cctype>
#include <sstream>

namespace torchgen_support {

// Values and uses.

NodeValue::NodeValue(Node *node) : node_(node) {
  if (node && node->getNumResults() != 1) {
    throw std::logic_error("the node " + node->getName().str() + " has " + std::to_string(node->getNumResults()) +
                           " results; say which one is meant");
  }
}

NodeValue::NodeValue(Node *node, unsigned resNo) : node_(node), resNo_(resNo) {
  if (node && resNo >= node->getNumResults()) {
    throw std::logic_error("the node " + node->getName().str() + " has no result " + std::to_string(resNo));
  }
}

static Node &nodeOf(const NodeValue &value) {
  if (!value.getNode()) {
    throw std::logic_error("there is no node");
  }
  return *value.getNode();
}

TypeRef NodeValue::getType() const { return nodeOf(*this).getType(resNo_); }
void NodeValue::setType(TypeRef type) { nodeOf(*this).setType(resNo_, type); }
void NodeValue::setTypeUnsafe(TypeRef type) { nodeOf(*this).setTypeUnsafe(resNo_, type); }
ElemKind NodeValue::getElementType() const { return getType()->getElementType(); }
ArrayRef<dim_t> NodeValue::dims() const { return getType()->dims(); }
float NodeValue::getScale() const { return getType()->getScale(); }
std::int32_t NodeValue::getOffset() const { return getType()->getOffset(); }

std::vector<NodeUse> NodeValue::getUsers() const {
  std::vector<NodeUse> uses;
  for (const NodeUse &use : nodeOf(*this).getUsers()) {
    if (use.get()->getResNo() == resNo_) {
      uses.push_back(use);
    }
  }
  return uses;
}

unsigned NodeValue::getNumUsers() const { return static_cast<unsigned>(getUsers().size()); }

std::string NodeValue::generateNodeOutputName(bool stripResNoFor0thInput) const {
  return generateNodeOutputName(nodeOf(*this).getName().str(), resNo_, stripResNoFor0thInput);
}

void NodeValue::replaceAllUsesOfWith(NodeValue value, const Function *function, Node *skip) const {
  if (value.getNode() && !sameType(getType(), value.getType())) {
    throw std::logic_error("a value is replaced by one of another type");
  }
  typeUnsafeReplaceAllUsesOfWith(value, function, skip);
}

void NodeValue::typeUnsafeReplaceAllUsesOfWith(NodeValue value, const Function *function, Node *skip) const {
  for (NodeUse &use : getUsers()) {
    Node *user = use.getUser();
    if ((skip && user == skip) || (function && user && user->getParent() != function)) {
      continue;
    }
    use.setOperand(value);
  }
}

hash_code hash_value(const NodeValue &value) {
  return Hasher().add(static_cast<const void *>(value.getNode())).add(value.getResNo()).get();
}

std::ostream &operator<<(std::ostream &os, const NodeValue &value) {
  return value.getNode() ? os << value.generateNodeOutputName() : os << "<none>";
}

void NodeHandle::setOperand(Node *node, unsigned resNo) {
  if (node_ == node) {
    resNo_ = resNo;
    return;
  }
  if (node_) {
    node_->removeUse(NodeUse(this));
    node_ = nullptr;
    resNo_ = 0;
  }
  if (node) {
    node_ = node;
    resNo_ = resNo;
    node->addUse(NodeUse(this));
  }
}

void NodeHandle::setParent(Node *parent) {
  if (parent_ && parent_ != parent) {
    throw std::logic_error("a handle is moved to another node");
  }
  parent_ = parent;
}

// Nodes.

void Node::setType(unsigned index, TypeRef type) {
  TypeRef old = types_.at(index);
  if (old && type && old->dims() != type->dims()) {
    throw std::logic_error("the new type of " + whereIs(*this) + " has another shape");
  }
  types_.at(index) = type;
}

void Node::verifyOrThrow() const {
  Diagnostics diagnostics;
  verify(diagnostics);
  if (!diagnostics.empty()) {
    throw InvalidIR(diagnostics);
  }
}

void Node::releaseUsers() {
  while (hasUsers()) {
    NodeUse use = getUsers().front();
    use.setOperand(NodeValue());
  }
}

void Node::dump(std::ostream &os) const { os << getDebugDesc(); }

std::string Node::toString() const { return getDebugDesc(); }

std::size_t Node::getTotMemSize() const {
  std::size_t bytes = 0;
  for (unsigned i = 0; i < getNumInputs(); ++i) {
    bytes += getNthInput(i).getType()->getSizeInBytes();
  }
  for (unsigned i = 0; i < getNumResults(); ++i) {
    bytes += getType(i)->getSizeInBytes();
  }
  return bytes;
}

std::ostream &operator<<(std::ostream &os, const Node &node) {
  node.dump(os);
  return os;
}

hash_code hash_value(const Node &node) { return node.getHash(); }

} // namespace torchgen_support
