// Base classes of somebody else: no more of Glow's names than generated rules use. Lists of nodes
// have no `find`, tensors have handles, and functions verify without diagnostics.
#pragma once

#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <ostream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "IRKit.h"

namespace others {

using hash_code = std::size_t;
using raw_ostream = std::ostream;
using dim_t = std::uint64_t;
using unsigned_t = std::uint32_t;

enum class ElemKind { FloatTy, Int8QTy, UInt8QTy, Int16QTy, Int32QTy, Int32ITy, Int64ITy, BoolTy };

struct Type {
  ElemKind kind;
  std::vector<dim_t> sizes;
  ElemKind getElementType() const { return kind; }
  ArrayRef<dim_t> dims() const { return sizes; }
  bool isEqual(const Type &other) const { return kind == other.kind && sizes == other.sizes; }
  std::size_t size() const { return sizes.empty() ? 1 : sizes[0]; }
  float getScale() const { return 1; }
  std::int32_t getOffset() const { return 0; }
  bool isQuantizedType() const { return false; }
  bool isFPType() const { return kind == ElemKind::FloatTy; }
};
using TypeRef = const Type *;
inline std::ostream &operator<<(std::ostream &os, TypeRef type) { return os << type->sizes.size() << " dims"; }

class Kinded {
public:
  enum class Kind {
#define DEF_NODE(CLASS, NAME) CLASS##Kind,
#include "AutoGenNodes.def"
  };
  explicit Kinded(Kind kind) : kind_(kind) {}
  Kind getKind() const { return kind_; }
  const char *getKindName() const;

private:
  Kind kind_;
};

class Node;
class Function;
class GraphGradMapper;

struct NodeUse;

struct NodeValue {
  Node *node = nullptr;
  unsigned number = 0;
  NodeValue() = default;
  NodeValue(Node *of, unsigned result = 0) : node(of), number(result) {}
  Node *getNode() const { return node; }
  unsigned getResNo() const { return number; }
  TypeRef getType() const;
  ElemKind getElementType() const { return getType()->getElementType(); }
  ArrayRef<dim_t> dims() const { return getType()->dims(); }
  unsigned getNumUsers() const;
  void replaceAllUsesOfWith(NodeValue value, const Function *function) const;
  bool operator==(const NodeValue &other) const { return node == other.node && number == other.number; }
};
inline hash_code hash_value(const NodeValue &value) { return std::hash<Node *>()(value.node) + value.number; }
using NodeValueArrayRef = ArrayRef<NodeValue>;

/// An input, which its value knows as a use.
class NodeHandle : public NodeValue {
  Node *parent_ = nullptr;
  void set(NodeValue value);

public:
  NodeHandle() = default;
  NodeHandle(Node *parent, NodeValue value) : parent_(parent) { set(value); }
  NodeHandle(const NodeHandle &) = delete;
  NodeHandle &operator=(const NodeHandle &) = delete;
  NodeHandle &operator=(const NodeValue &value) {
    set(value);
    return *this;
  }
  ~NodeHandle() { set(NodeValue()); }
  void setParent(Node *parent) { parent_ = parent; }
  Node *parent() const { return parent_; }
};

struct NodeUse {
  NodeHandle *site;
  Node *getUser() { return site->parent(); }
  const Node *getUser() const { return site->parent(); }
};

class DescriptionBuilder {
public:
  explicit DescriptionBuilder(const char *) {}
  template <typename T> DescriptionBuilder &addParam(const std::string &, const T &) { return *this; }
  operator std::string() const { return std::string(); }
};

class NodeWalker {
public:
  bool shouldVisit(const Node *, const Node *) { return true; }
  void pre(const Node *, const Node *) {}
  void post(const Node *, const Node *) {}
};

class Node : public Kinded {
  std::string name_;
  Function *parent_ = nullptr;
  std::list<NodeUse> users_;

protected:
  std::vector<TypeRef> types_;
  void addResult(TypeRef type) { types_.push_back(type); }

public:
  Node(Kind kind, StringRef name) : Kinded(kind), name_(name.str()) {}
  StringRef getName() const { return name_; }
  Function *getParent() const { return parent_; }
  void setParent(Function *parent) { parent_ = parent; }
  std::list<NodeUse> &getUsers() { return users_; }
  const std::list<NodeUse> &getUsers() const { return users_; }
  bool hasUsers() const { return !users_.empty(); }
  bool hasOneUse() const { return users_.size() == 1; }
  unsigned getNumUsers() const { return static_cast<unsigned>(users_.size()); }
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
  void visit(Node *, NodeWalker *) {}
  void visit(const Node *, NodeWalker *) const {}
  // By the kind, in main.cpp.
  unsigned getNumInputs() const;
  NodeValue getNthInput(unsigned index) const;
  std::string getInputName(unsigned index) const;
  std::string getOutputName(unsigned index) const;
  void setNthInput(unsigned index, NodeValue value);
  bool hasSideEffects() const;
  bool verify() const;
  static void destroyNode(Node *node);
};
inline TypeRef NodeValue::getType() const { return node->getType(number); }
inline unsigned NodeValue::getNumUsers() const { return node->getNumUsers(); }

/// Elements, which only a handle gives.
class Tensor {
  std::vector<float> elements_;

public:
  explicit Tensor(std::vector<float> elements) : elements_(std::move(elements)) {}
  template <typename Element> struct Handle {
    const std::vector<float> &elements;
    std::size_t size() const { return elements.size(); }
    Element raw(std::size_t index) const { return static_cast<Element>(elements[index]); }
  };
  template <typename Element> Handle<Element> getHandle() const { return {elements_}; }
};

class Constant : public Node {
  Tensor payload_;

public:
  Constant(StringRef name, TypeRef type, std::vector<float> elements)
      : Node(Kind::ConstantKind, name), payload_(std::move(elements)) {
    addResult(type);
  }
  static bool classof(const Kinded *object) { return object->getKind() == Kind::ConstantKind; }
  const Tensor &getPayload() const { return payload_; }
  ElemKind getElementType() const { return Node::getType(0)->getElementType(); }
  TypeRef getType() const { return Node::getType(0); }
  unsigned getNumInputs() const { return 0; }
  NodeValue getNthInput(unsigned) const { return NodeValue(); }
  std::string getInputName(unsigned) const { return ""; }
  std::string getOutputName(unsigned) const { return "Output"; }
  void setNthInput(unsigned, NodeValue) {}
  bool hasSideEffects() const { return false; }
  bool verify() const { return true; }
};

class NodesList {
  std::list<Node *> nodes_;

public:
  struct iterator {
    std::list<Node *>::iterator at;
    Node &operator*() const { return **at; }
    iterator &operator++() { return ++at, *this; }
    iterator &operator--() { return --at, *this; }
    bool operator==(const iterator &other) const { return at == other.at; }
    bool operator!=(const iterator &other) const { return at != other.at; }
  };
  iterator begin() { return {nodes_.begin()}; }
  iterator end() { return {nodes_.end()}; }
  bool empty() const { return nodes_.empty(); }
  std::size_t size() const { return nodes_.size(); }
  Node &back() { return *nodes_.back(); }
  void push_back(Node *node) { nodes_.push_back(node); }
  void remove(Node *node) { nodes_.remove(node); }
};

class Module {
  std::list<Type> types_;

public:
  TypeRef uniqueType(ElemKind kind, ArrayRef<dim_t> dims, float = 1, std::int32_t = 0) {
    for (const Type &type : types_) {
      if (type.isEqual({kind, {dims.begin(), dims.end()}})) {
        return &type;
      }
    }
    types_.push_back({kind, {dims.begin(), dims.end()}});
    return &types_.back();
  }
  TypeRef uniqueTypeWithNewShape(TypeRef type, ArrayRef<dim_t> dims) { return uniqueType(type->kind, dims); }
};

class Function {
  Module &module_;
  NodesList nodes_;

public:
  explicit Function(Module &module) : module_(module) {}
  Function(const Function &) = delete;
  Function &operator=(const Function &) = delete;
  ~Function();
  Module *getParent() { return &module_; }
  NodesList &getNodes() { return nodes_; }
  template <typename Class> Class *addNode(Class *node) {
    node->setParent(this);
    nodes_.push_back(node);
    return node;
  }
  void eraseNode(Node *node) {
    nodes_.remove(node);
    Node::destroyNode(node);
  }
  bool verify() const;
};

} // namespace others

#include "AutoGenNodes.h"
