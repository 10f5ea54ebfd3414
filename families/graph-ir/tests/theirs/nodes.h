// Base classes of nodes. As in Glow, the classes of nodes are a part of this header, and what is
// after them needs them.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "names.h"

namespace small {

using dim_t = std::uint64_t;
using unsigned_t = std::uint32_t;

enum class ElemKind { FloatTy, Int8QTy };

struct Type {
  std::vector<dim_t> sizes;
  ElemKind getElementType() const { return ElemKind::FloatTy; }
  const std::vector<dim_t> &dims() const { return sizes; }
  bool isEqual(const Type &other) const { return sizes == other.sizes; }
};
using TypeRef = const Type *;
inline elsewhere::raw_ostream &operator<<(elsewhere::raw_ostream &os, TypeRef type) {
  return os << "<" << std::to_string(type->sizes.size()) << " dims>";
}

class Kinded {
public:
  enum class Kind {
#define DEF_INSTR(CLASS, NAME) CLASS##Kind,
#define DEF_BACKEND_SPECIFIC_INSTR(CLASS, NAME) DEF_INSTR(CLASS, NAME)
#define DEF_VALUE(CLASS, NAME) DEF_INSTR(CLASS, NAME)
#include "AutoGenInstr.def"
#define DEF_NODE(CLASS, NAME) CLASS##Kind,
#include "AutoGenNodes.def"
  };
  explicit Kinded(Kind kind) : kind_(kind) {}
  Kind getKind() const { return kind_; }
  const char *getKindName() const { return "kind"; }

private:
  Kind kind_;
};

class Node;
class NodeWalker;
class Placeholder;
class GraphGradMapper;

struct NodeValue {
  Node *node = nullptr;
  unsigned number = 0;
  NodeValue() = default;
  NodeValue(Node *of, unsigned result) : node(of), number(result) {}
  Node *getNode() const { return node; }
  unsigned getResNo() const { return number; }
  TypeRef getType() const;
  ElemKind getElementType() const { return getType()->getElementType(); }
  const std::vector<dim_t> &dims() const { return getType()->dims(); }
  bool operator==(const NodeValue &other) const { return node == other.node && number == other.number; }
};
inline elsewhere::hash_code hash_value(const NodeValue &value) { return std::hash<Node *>()(value.node) + value.number; }

struct NodeHandle : NodeValue {
  NodeHandle() = default;
  NodeHandle(Node *, NodeValue value) : NodeValue(value) {}
  NodeHandle &operator=(const NodeValue &value) {
    NodeValue::operator=(value);
    return *this;
  }
  void setParent(Node *) {}
};

/// Takes lists as views only.
class DescriptionBuilder {
public:
  explicit DescriptionBuilder(const char *) {}
  template <typename T> DescriptionBuilder &addParam(const std::string &, const T &) { return *this; }
  template <typename T> DescriptionBuilder &addParam(const std::string &, const std::vector<T> &) = delete;
  operator std::string() const { return std::string(); }
};

class Named {
  std::string name_;

public:
  explicit Named(elsewhere::StringRef name) : name_(name.str()) {}
  elsewhere::StringRef getName() const { return name_; }
};

class Node : public Named, public Kinded {
protected:
  std::vector<TypeRef> types_;
  void addResult(TypeRef type) { types_.push_back(type); }

public:
  Node(Kind kind, elsewhere::StringRef name) : Named(name), Kinded(kind) {}
  unsigned getNumResults() const { return static_cast<unsigned>(types_.size()); }
  NodeValue getNthResult(unsigned index) const { return NodeValue(const_cast<Node *>(this), index); }
  TypeRef getType(unsigned index) const { return types_[index]; }
  void setTypeUnsafe(unsigned index, TypeRef type) { types_[index] = type; }
  bool hasPredicate() const { return false; }
  NodeValue getPredicate() const { return NodeValue(); }
  void setPredicate(const NodeValue &) {}
  bool isFused() const { return false; }
  const Node *getParentFusionGroup() const { return nullptr; }
  void setParentFusionGroup(const Node *) {}
  unsigned getNumUsers() const { return 0; }
  unsigned getNumInputs() const { return 0; }
  NodeValue getNthInput(unsigned) const { return NodeValue(); }
  void visit(Node *, NodeWalker *) {}
#ifdef IRKIT_HAS_NAMES
  void visit(const Node *, NodeWalker *) const {}
#else
  // Declared, and defined nowhere.
  void visit(const Node *, NodeWalker *) const;
#endif
};
inline TypeRef NodeValue::getType() const { return node->getType(number); }

class NodeWalker {
public:
  bool shouldVisit(const Node *, const Node *) { return true; }
  void pre(const Node *, const Node *) {}
  void post(const Node *, const Node *) {}
};

class Placeholder : public Node {
public:
  static bool classof(const Kinded *) { return true; }
};

class GraphGradMapper {
public:
  void addGradient(NodeValue, NodeValue) {}
  NodeValue getGradient(NodeValue value) { return value; }
};

} // namespace small

#include "AutoGenNodes.h"

namespace small {

/// Needs complete classes.
inline unsigned countInputs(const ReluNode &node) { return node.getNumInputs(); }

} // namespace small
