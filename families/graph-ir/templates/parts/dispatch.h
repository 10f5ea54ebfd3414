// From kinds to classes of nodes: dispatchers, lookups by name, reflection.
#pragma once

#include "AutoGenNodes.h"

namespace torchgen_support {

/// Calls the method for the class of a node: override `visitAddNode` and so on for the classes that
/// matter.
///
/// What is not overridden ends in `visitDefault`.
template <typename R, typename... Args> class NodeDispatcher {
public:
  virtual ~NodeDispatcher() = default;

  R dispatch(Node *node, Args... args) {
    switch (node->getKind()) {
#define DEF_NODE(CLASS, NAME)                                                                      \
  case Kinded::Kind::CLASS##Kind:                                                                  \
    return visit##CLASS(static_cast<class CLASS *>(node), args...);
#include "AutoGenNodes.def"
    default:
      throw std::logic_error("not a node");
    }
  }

  virtual R visitDefault(Node *node, Args... args) = 0;

#define DEF_NODE(CLASS, NAME)                                                                      \
  virtual R visit##CLASS(class CLASS *node, Args... args) { return visitDefault(node, args...); }
#include "AutoGenNodes.def"
};

/// The same without virtual methods: `Impl` has `visitDefault`, and what it overrides by name.
template <typename Impl, typename R = void, typename... Args> class NodeVisitor {
  Impl &impl() { return static_cast<Impl &>(*this); }

public:
  R visit(Node *node, Args... args) {
    switch (node->getKind()) {
#define DEF_NODE(CLASS, NAME)                                                                      \
  case Kinded::Kind::CLASS##Kind:                                                                  \
    return impl().visit##CLASS(static_cast<class CLASS *>(node), args...);
#include "AutoGenNodes.def"
    default:
      throw std::logic_error("not a node");
    }
  }

#define DEF_NODE(CLASS, NAME)                                                                      \
  R visit##CLASS(class CLASS *node, Args... args) { return impl().visitDefault(node, args...); }
#include "AutoGenNodes.def"
};

/// The kind of a node by the name in the family file.
///
/// Throws `std::out_of_range` for a name that is not in it.
Kinded::Kind getKindFromNodeName(StringRef name);
/// What is known about the nodes of a kind.
const ClassInfo &getNodeInfo(Kinded::Kind kind);
/// The kinds of all nodes, in the order of the family files.
ArrayRef<Kinded::Kind> allNodeKinds();

} // namespace torchgen_support
