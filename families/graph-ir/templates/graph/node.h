// Nodes and how they are walked.
#pragma once

#include "values.h"

namespace torchgen_support {

/// Where the text is that a node was made of; lines and columns count from 1.
struct SourceLocation {
  std::string file;
  unsigned line = 0;
  unsigned column = 0;

  bool operator==(const SourceLocation &other) const {
    return line == other.line && column == other.column && file == other.file;
  }
  bool operator!=(const SourceLocation &other) const { return !(*this == other); }
};
std::ostream &operator<<(std::ostream &os, const SourceLocation &location);

/// What few nodes have, so that the others have no room for it.
struct RareParts {
  /// The types of several results.
  std::vector<TypeRef> types;
  NodeHandle predicate;
  const Node *fusionGroup = nullptr;
  SourceLocation location;
};

/// A node of a graph. What depends on its class is found by its kind.
class Node : public Named, public Linked, public Kinded {
  unsigned numResults_ = 0;
  /// The type of the only result; nearly all nodes have one.
  TypeRef type_ = nullptr;
  std::unique_ptr<RareParts> rare_;
  NodeUses users_;
  Function *parent_ = nullptr;

  RareParts &rare();
  TypeRef &typeAt(unsigned index);

protected:
  void addResult(TypeRef type);

public:
  Node(Kinded::Kind kind, StringRef name) : Named(name), Kinded(kind) {}
  Node(const Node &) = delete;
  Node &operator=(const Node &) = delete;
  ~Node() { releaseUsers(); }

  // The places that refer to the node.
  void addUse(NodeUse use) { users_.push_back(use); }
  /// Throws `std::logic_error` if the use is none of the node's.
  void removeUse(NodeUse use);
  bool hasUsers() const { return !users_.empty(); }
  bool hasOneUse() const { return users_.size() == 1; }
  unsigned getNumUsers() const { return static_cast<unsigned>(users_.size()); }
  /// Looks through all uses.
  bool hasUser(const Node *user) const;
  /// Whether a handle refers to the node, and the node knows of it.
  bool hasUse(const NodeHandle &handle) const { return handle.getNode() == this && users_.contains(handle); }
  const NodeUses &getUsers() const { return users_; }

  const NodeValue getPredicate() const { return rare_ ? NodeValue(rare_->predicate) : NodeValue(); }
  void setPredicate(const NodeValue &predicate);
  bool hasPredicate() const { return rare_ && rare_->predicate.getNode(); }

  unsigned getNumResults() const { return numResults_; }
  NodeValue getNthResult(unsigned index) const { return NodeValue(const_cast<Node *>(this), index); }

  Function *getParent() const { return parent_; }
  void setParent(Function *parent) { parent_ = parent; }
  const Node *getParentFusionGroup() const { return rare_ ? rare_->fusionGroup : nullptr; }
  void setParentFusionGroup(const Node *group);
  bool isFused() const { return getParentFusionGroup() != nullptr; }

  /// Where the node comes from; null if nobody said so. Copies have the same place.
  const SourceLocation *getLocation() const { return rare_ && rare_->location.line ? &rare_->location : nullptr; }
  /// A line of 0 is none.
  void setLocation(SourceLocation location);

  /// The type of a result; throws `std::out_of_range` if there is none of that number.
  TypeRef getType(unsigned index) const { return const_cast<Node *>(this)->typeAt(index); }
  void setType(unsigned index, TypeRef type);
  void setTypeUnsafe(unsigned index, TypeRef type) { typeAt(index) = type; }
  ElemKind getElementType(unsigned resNo) const { return getType(resNo)->getElementType(); }
  ArrayRef<dim_t> dims(unsigned resNo) const { return getType(resNo)->dims(); }

  // What each class has of its own.
  unsigned getNumInputs() const;
  std::string getInputName(unsigned index) const;
  NodeValue getNthInput(unsigned index) const;
  void setNthInput(unsigned index, NodeValue value);
  /// The place of an input.
  NodeHandle *inputHandle(unsigned index);
  std::string getOutputName(unsigned index) const;
  bool hasSideEffects() const;
  bool isCanonical() const;
  bool isDataParallel() const;
  bool isOverwrittenNthInput(unsigned index) const;
  std::string getDebugDesc() const;
  /// A copy with the same inputs, predicate and results that belongs to no function.
  Node *clone() const;
  /// Whether the nodes have the same kind, inputs, members, results and predicate. Names do not
  /// matter.
  bool isEqual(const Node &other) const;
  bool operator==(const Node &other) const { return isEqual(other); }
  /// Equal nodes have equal hashes.
  hash_code getHash() const;
  void visit(Node *parent, NodeWalker *visitor);
  void visit(const Node *parent, NodeWalker *visitor) const;
  /// Adds all that is wrong with the node.
  void verify(Diagnostics &diagnostics) const;
  /// Whether nothing is wrong with the node.
  bool verify() const {
    Diagnostics diagnostics;
    verify(diagnostics);
    return diagnostics.empty();
  }
  /// Throws `InvalidIR` if something is wrong with the node.
  void verifyOrThrow() const;
  const ClassInfo &getClassInfo() const;
  /// The value of a member as text; empty if the class has no such member.
  std::string getMemberText(StringRef member) const { return memberText<Node>(*this, getClassInfo(), member); }

  void dump(std::ostream &os) const;
  std::string toString() const;
  /// The sizes of all inputs and results in bytes.
  std::size_t getTotMemSize() const;
  /// Forgets all users, so that a graph can be deleted in any order.
  void releaseUsers();
  /// Deletes a node that belongs to no function.
  static void destroyNode(Node *node);
};

/// The value of a member by its number, of a node of any class. Throws `std::logic_error` if it has
/// another type than `T`.
template <typename T> const T &memberOf(const Node &node, unsigned index) {
  return memberAt<T, Node>(node, node.getClassInfo(), index);
}
/// Sets a member that has a setter. Throws `std::logic_error` if it has none, or another type.
template <typename T> void setMemberOf(Node &node, unsigned index, T value) {
  setMemberAt<T, Node>(node, node.getClassInfo(), index, std::move(value));
}
/// The value of a member of any type, by its number or its name.
inline FieldValue fieldOf(const Node &node, unsigned index) { return fieldAt<Node>(node, node.getClassInfo(), index); }
inline FieldValue fieldOf(const Node &node, StringRef member) {
  return fieldOf(node, node.getClassInfo().memberNumber(member));
}
/// Sets a member; false if it has no setter, or the value does not fit its type.
inline bool setFieldOf(Node &node, unsigned index, const FieldValue &value) {
  return setFieldAt<Node>(node, node.getClassInfo(), index, value);
}
inline bool setFieldOf(Node &node, StringRef member, const FieldValue &value) {
  return setFieldOf(node, node.getClassInfo().memberNumber(member), value);
}

std::ostream &operator<<(std::ostream &os, const Node &node);
hash_code hash_value(const Node &node);

template <typename To> bool isa(const NodeValue &value) { return isa<To>(value.getNode()); }
template <typename To> To *cast(const NodeValue &value) { return cast<To>(value.getNode()); }
template <typename To> To *dyn_cast(const NodeValue &value) { return dyn_cast<To>(value.getNode()); }

/// Walks a graph from its results to its inputs. The walk has a stack of its own: graphs may have any
/// depth.
class NodeWalker {
public:
  virtual ~NodeWalker() = default;
  /// Before the inputs of `node`.
  virtual void pre(Node *, Node *) {}
  virtual void pre(const Node *, const Node *) {}
  /// After the inputs of `node`.
  virtual void post(Node *, Node *) {}
  virtual void post(const Node *, const Node *) {}
  /// False leaves the node and what it depends on out.
  virtual bool shouldVisit(Node *, Node *) { return true; }
  virtual bool shouldVisit(const Node *, const Node *) { return true; }
};

/// Lists nodes so that each comes after what it depends on.
class PostOrderVisitor : public NodeWalker {
  std::vector<Node *> order_;
  std::unordered_set<const Node *> seen_;

public:
  using NodeWalker::post;
  using NodeWalker::pre;
  using NodeWalker::shouldVisit;
  bool shouldVisit(Node *, Node *node) override { return seen_.insert(node).second; }
  void post(Node *, Node *node) override { order_.push_back(node); }
  const std::vector<Node *> &getPostOrder() const { return order_; }
};

/// Lists nodes so that each comes before what it depends on, as far as it was not reached already.
class PreOrderVisitor : public NodeWalker {
  std::vector<Node *> order_;
  std::unordered_set<const Node *> seen_;

public:
  using NodeWalker::post;
  using NodeWalker::pre;
  using NodeWalker::shouldVisit;
  bool shouldVisit(Node *, Node *node) override { return seen_.insert(node).second; }
  void pre(Node *, Node *node) override { order_.push_back(node); }
  const std::vector<Node *> &getPreOrder() const { return order_; }
};

} // namespace torchgen_support
