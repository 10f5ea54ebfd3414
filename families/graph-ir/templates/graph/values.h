// Results of nodes, and the places that refer to them.
#pragma once

#include "forward.h"

namespace torchgen_support {

/// A result of a node: the node and the number of the result.
struct NodeValue {
protected:
  Node *node_ = nullptr;
  unsigned resNo_ = 0;

public:
  NodeValue() = default;
  /// The only result of a node; null for no node.
  ///
  /// Throws `std::logic_error` if the node has several.
  NodeValue(Node *node);
  NodeValue(Node *node, unsigned resNo);
  NodeValue(std::nullptr_t) {}

  unsigned getResNo() const { return resNo_; }
  Node *getNode() const { return node_; }
  operator Node *() const { return node_; }

  TypeRef getType() const;
  /// Changes the type; the shape must stay the same.
  void setType(TypeRef type);
  /// Changes the type and maybe the shape.
  void setTypeUnsafe(TypeRef type);
  ElemKind getElementType() const;
  ArrayRef<dim_t> dims() const;
  float getScale() const;
  std::int32_t getOffset() const;

  bool operator==(const NodeValue &other) const { return node_ == other.node_ && resNo_ == other.resNo_; }
  bool operator!=(const NodeValue &other) const { return !(*this == other); }
  bool operator<(const NodeValue &other) const {
    return node_ == other.node_ ? resNo_ < other.resNo_ : std::less<Node *>{}(node_, other.node_);
  }

  unsigned getNumUsers() const;
  bool hasOneUse() const;
  /// The uses of this result alone.
  std::vector<NodeUse> getUsers() const;

  /// Puts `value`, which has the same type, in the place of this one: in all functions, or in
  /// `function` alone; not in `skip`.
  void replaceAllUsesOfWith(NodeValue value, const Function *function = nullptr, Node *skip = nullptr) const;
  /// The same for a value of any type.
  void typeUnsafeReplaceAllUsesOfWith(NodeValue value, const Function *function = nullptr, Node *skip = nullptr) const;

  static std::string generateNodeOutputName(const std::string &nodeName, unsigned resNo = 0,
                                            bool stripResNoFor0thInput = false) {
    return stripResNoFor0thInput && resNo == 0 ? nodeName : nodeName + ":" + std::to_string(resNo);
  }
  std::string generateNodeOutputName(bool stripResNoFor0thInput = false) const;
};

hash_code hash_value(const NodeValue &value);
struct HashOfValue {
  std::size_t operator()(const NodeValue &value) const { return hash_value(value); }
};
std::ostream &operator<<(std::ostream &os, const NodeValue &value);

/// A value that a node refers to, registered as a use of it. Lives in nodes only.
struct NodeHandle : NodeValue {
private:
  friend struct NodeUse;
  friend class NodeUses;
  Node *parent_ = nullptr;
  // The uses of the node before and after this one. Before the first is the last, after the last
  // none; a handle that is not listed has none before it.
  NodeHandle *before_ = nullptr;
  NodeHandle *after_ = nullptr;
  void setOperand(Node *node, unsigned resNo);

public:
  NodeHandle() = default;
  NodeHandle(Node *parent, const NodeValue &value) : parent_(parent) { setOperand(value.getNode(), value.getResNo()); }
  NodeHandle(const NodeHandle &that) : NodeValue(), parent_(that.parent_) {
    setOperand(that.getNode(), that.getResNo());
  }
  ~NodeHandle() { setOperand(nullptr, 0); }
  NodeHandle &operator=(const NodeHandle &that) {
    setOperand(that.getNode(), that.getResNo());
    return *this;
  }
  NodeHandle &operator=(const NodeValue &that) {
    setOperand(that.getNode(), that.getResNo());
    return *this;
  }
  /// Says which node the handle lives in; once.
  void setParent(Node *parent);
};

/// A list of handles, seen from outside as a list of values.
class NodeValueArrayRef {
  ArrayRef<NodeHandle> handles_;

public:
  using const_iterator = const NodeHandle *;
  NodeValueArrayRef(ArrayRef<NodeHandle> handles) : handles_(handles) {}
  NodeValueArrayRef(const std::vector<NodeHandle> &handles) : handles_(handles) {}
  const NodeValue &operator[](std::size_t index) const { return handles_.at(index); }
  operator std::vector<NodeValue>() const { return std::vector<NodeValue>(begin(), end()); }
  std::size_t size() const { return handles_.size(); }
  bool empty() const { return handles_.empty(); }
  const_iterator begin() const { return handles_.begin(); }
  const_iterator end() const { return handles_.end(); }
  NodeValue front() const { return handles_.front(); }
};

/// A place that refers to a node.
struct NodeUse {
  NodeHandle *site_;

  explicit NodeUse(NodeHandle *site) : site_(site) {}
  bool operator==(const NodeUse &other) const { return site_ == other.site_; }
  NodeHandle *get() const { return site_; }
  /// The node that refers.
  Node *getUser() const { return site_->parent_; }
  /// Makes the place refer to another value.
  void setOperand(const NodeValue &value) { *site_ = value; }
};

/// The uses of a node in the order in which they were made. The list runs through the handles, so
/// that a use enters and leaves in constant time; before the first is the last.
class NodeUses {
  NodeHandle *first_ = nullptr;
  unsigned size_ = 0;

public:
  /// A walk over uses. It holds the one that it gives.
  class iterator {
    mutable NodeUse use_;

  public:
    using iterator_category = std::forward_iterator_tag;
    using value_type = NodeUse;
    using difference_type = std::ptrdiff_t;
    using pointer = NodeUse *;
    using reference = NodeUse &;
    explicit iterator(NodeHandle *site) : use_(site) {}
    NodeUse &operator*() const { return use_; }
    NodeUse *operator->() const { return &use_; }
    iterator &operator++() {
      use_ = NodeUse(use_.site_->after_);
      return *this;
    }
    bool operator==(const iterator &other) const { return use_ == other.use_; }
    bool operator!=(const iterator &other) const { return !(use_ == other.use_); }
  };
  using const_iterator = iterator;

  iterator begin() const { return iterator(first_); }
  iterator end() const { return iterator(nullptr); }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  NodeUse front() const { return NodeUse(first_); }
  NodeUse back() const { return NodeUse(first_ ? first_->before_ : nullptr); }
  void push_back(NodeUse use);
  /// Takes a use out; returns whether it was there.
  bool remove(NodeUse use);
  /// Whether a handle that refers to the node is listed.
  bool contains(const NodeHandle &handle) const {
    return handle.before_ && (first_ == &handle || handle.before_->after_ == &handle);
  }
};

} // namespace torchgen_support
