// What base classes look up by the kind of a node.
#include "IRSupport.h"

namespace torchgen_support {

bool Node::isEqual(const Node &other) const {
  if (this == &other) {
    return true;
  }
  if (getKind() != other.getKind()) {
    return false;
  }
  switch (getKind()) {
#define DEF_NODE(CLASS, NAME)                                                                      \
  case Kinded::Kind::CLASS##Kind:                                                                  \
    return static_cast<const class CLASS *>(this)->isEqual(static_cast<const class CLASS &>(other));
#include "AutoGenNodes.def"
  default:
    throw std::logic_error("not a node");
  }
}

NodeHandle *Node::inputHandle(unsigned index) {
  switch (getKind()) {
#define DEF_NODE(CLASS, NAME)                                                                      \
  case Kinded::Kind::CLASS##Kind:                                                                  \
    return static_cast<class CLASS *>(this)->inputHandle(index);
#include "AutoGenNodes.def"
  default:
    throw std::logic_error("not a node");
  }
}

const ClassInfo &Node::getClassInfo() const { return getNodeInfo(getKind()); }

void Node::destroyNode(Node *node) {
  switch (node->getKind()) {
#define DEF_NODE(CLASS, NAME)                                                                      \
  case Kinded::Kind::CLASS##Kind:                                                                  \
    delete static_cast<class CLASS *>(node);                                                             \
    return;
#include "AutoGenNodes.def"
  default:
    throw std::logic_error("not a node");
  }
}

const ClassInfo &getNodeInfo(Kinded::Kind kind) {
  switch (kind) {
#define DEF_NODE(CLASS, NAME)                                                                      \
  case Kinded::Kind::CLASS##Kind:                                                                  \
    return CLASS::classInfo();
#include "AutoGenNodes.def"
  default:
    throw std::out_of_range("not the kind of a node");
  }
}

ArrayRef<Kinded::Kind> allNodeKinds() {
  static const Kinded::Kind kinds[] = {
#define DEF_NODE(CLASS, NAME) Kinded::Kind::CLASS##Kind,
#include "AutoGenNodes.def"
  };
  return kinds;
}

Kinded::Kind getKindFromNodeName(StringRef name) {
#define DEF_NODE(CLASS, NAME)                                                                      \
  if (name == StringRef(#NAME)) {                                                                  \
    return Kinded::Kind::CLASS##Kind;                                                              \
  }
#include "AutoGenNodes.def"
  throw std::out_of_range("there is no node of the name " + name.str());
}

} // namespace torchgen_support
