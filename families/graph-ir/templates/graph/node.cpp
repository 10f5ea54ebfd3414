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

unsigned NodeValue::getNumUsers() const {
  const Node &node = nodeOf(*this);
  if (node.getNumResults() == 1) {
    return node.getNumUsers();
  }
  unsigned count = 0;
  for (const NodeUse &use : node.getUsers()) {
    count += use.get()->getResNo() == resNo_;
  }
  return count;
}

bool NodeValue::hasOneUse() const {
  const Node &node = nodeOf(*this);
  bool found = node.getNumResults() == 1 && node.hasOneUse();
  if (node.getNumResults() > 1) {
    for (const NodeUse &use : node.getUsers()) {
      if (use.get()->getResNo() != resNo_) {
        continue;
      }
      if (found) {
        return false;
      }
      found = true;
    }
  }
  return found;
}

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
    if (node_->hasUse(*this)) {
      node_->removeUse(NodeUse(this));
    }
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

void NodeUses::push_back(NodeUse use) {
  NodeHandle *handle = use.site_;
  handle->before_ = first_ ? first_->before_ : handle;
  handle->after_ = nullptr;
  (first_ ? first_->before_->after_ : first_) = handle;
  first_->before_ = handle;
  ++size_;
}

bool NodeUses::remove(NodeUse use) {
  NodeHandle *handle = use.site_;
  if (!contains(*handle)) {
    return false;
  }
  NodeHandle *after = handle->after_;
  if (handle == first_) {
    first_ = after;
  } else {
    handle->before_->after_ = after;
  }
  if (after || first_) {
    (after ? after : first_)->before_ = handle->before_;
  }
  handle->before_ = handle->after_ = nullptr;
  --size_;
  return true;
}

// Nodes.

void Node::addResult(TypeRef type) {
  if (numResults_ == 0) {
    type_ = type;
  } else {
    std::vector<TypeRef> &types = rare().types;
    if (numResults_ == 1) {
      types.push_back(type_);
    }
    types.push_back(type);
  }
  ++numResults_;
}

TypeRef &Node::typeAt(unsigned index) {
  if (index >= numResults_) {
    throw std::out_of_range("there is no result " + std::to_string(index));
  }
  return numResults_ == 1 ? type_ : rare_->types[index];
}

void Node::removeUse(NodeUse use) {
  if (use.get()->getNode() != this || !users_.remove(use)) {
    throw std::logic_error("the use is not in the list of uses");
  }
}

bool Node::hasUser(const Node *user) const {
  return std::any_of(users_.begin(), users_.end(), [user](const NodeUse &use) { return use.getUser() == user; });
}

void Node::setPredicate(const NodeValue &predicate) {
  if (rare_ || predicate.getNode()) {
    rare().predicate = predicate;
  }
}

RareParts &Node::rare() {
  if (!rare_) {
    rare_ = std::make_unique<RareParts>();
    rare_->predicate.setParent(this);
  }
  return *rare_;
}

void Node::setParentFusionGroup(const Node *group) {
  if (rare_ || group) {
    rare().fusionGroup = group;
  }
}

void Node::setLocation(SourceLocation location) {
  if (rare_ || location.line) {
    rare().location = std::move(location);
  }
}

std::ostream &operator<<(std::ostream &os, const SourceLocation &location) {
  return os << location.file << ":" << location.line << ":" << location.column;
}

void Node::setType(unsigned index, TypeRef type) {
  TypeRef &result = typeAt(index);
  if (result && type && result->dims() != type->dims()) {
    throw std::logic_error("the new type of " + whereIs(*this) + " has another shape");
  }
  result = type;
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
