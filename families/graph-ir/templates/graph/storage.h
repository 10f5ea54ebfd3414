// Tensors, placeholders and constants.
#pragma once

#include "node.h"

namespace torchgen_support {

/// The elements of a tensor as raw bytes.
class Tensor {
  Type type_;
  std::vector<unsigned char> bytes_;

public:
  Tensor() = default;
  /// A tensor of zeros.
  explicit Tensor(const Type &type) : type_(type), bytes_(type.getSizeInBytes()) {}
  Tensor(ElemKind kind, ArrayRef<dim_t> dims) : Tensor(Type(kind, dims)) {}

  const Type &getType() const { return type_; }
  const std::vector<unsigned char> &bytes() const { return bytes_; }
  std::vector<unsigned char> &bytes() { return bytes_; }
  std::size_t size() const { return type_.size(); }

  /// The elements; throws `std::logic_error` if they are not stored as `T`.
  template <typename T> ArrayRef<T> elements() const {
    require<T>();
    return ArrayRef<T>(reinterpret_cast<const T *>(bytes_.data()), type_.size());
  }
  /// Replaces all elements; throws `std::logic_error` if their number or type is another.
  template <typename T> void assign(ArrayRef<T> values) {
    require<T>();
    if (values.size() != type_.size()) {
      throw std::logic_error("a tensor of " + std::to_string(type_.size()) + " elements is given " +
                             std::to_string(values.size()));
    }
    if (!values.empty()) {
      std::memcpy(bytes_.data(), values.data(), bytes_.size());
    }
  }
  bool isEqual(const Tensor &other) const { return type_ == other.type_ && bytes_ == other.bytes_; }

private:
  template <typename T> void require() const {
    if (!type_.isType<T>()) {
      throw std::logic_error("a tensor is read as another element type than it has");
    }
  }
};

/// A leaf of the graph: a tensor that it holds, or that is given later.
class Storage : public Node {
  std::string layout_;

public:
  enum ResultIndices { OutputIdx = 0 };

  Storage(Kinded::Kind kind, StringRef name, StringRef layout) : Node(kind, name), layout_(layout.str()) {}
  NodeValue getOutput() const { return getNthResult(0); }
  using Node::getType;
  TypeRef getType() const { return Node::getType(0); }
  ElemKind getElementType() const { return getType()->getElementType(); }
  ArrayRef<dim_t> dims() const { return getType()->dims(); }
  const std::string &getLayout() const { return layout_; }

  static bool classof(const Kinded *kinded) {
    return kinded->getKind() == Kinded::Kind::ConstantKind || kinded->getKind() == Kinded::Kind::PlaceholderKind;
  }

  unsigned getNumInputs() const { return 0; }
  std::string getInputName(unsigned) const;
  NodeValue getNthInput(unsigned) const;
  void setNthInput(unsigned, NodeValue);
  NodeHandle *inputHandle(unsigned);
  std::string getOutputName(unsigned) const { return "Output"; }
  bool hasSideEffects() const { return false; }
  bool isCanonical() const { return true; }
  bool isDataParallel() const { return false; }
  bool isOverwrittenNthInput(unsigned) const { return false; }
  std::string getDebugDesc() const;
  /// Storage belongs to a module and is not copied; throws `std::logic_error`.
  Node *clone() const;
  /// Storage is equal to itself only.
  bool isEqual(const Storage &other) const { return this == &other; }
  hash_code getHash() const;
  void visit(Node *parent, NodeWalker *visitor);
  void visit(const Node *parent, NodeWalker *visitor) const;
  using Node::verify;
  void verify(Diagnostics &diagnostics) const { verifyNode(*this, diagnostics); }
  static const ClassInfo &classInfo();
};

/// A tensor that is known when the graph is compiled.
class Constant : public Storage {
  Tensor payload_;

public:
  Constant(StringRef name, TypeRef type, StringRef layout)
      : Storage(Kinded::Kind::ConstantKind, name, layout), payload_(*type) {
    addResult(type);
  }
  const Tensor &getPayload() const { return payload_; }
  Tensor &getPayloadMutable() { return payload_; }
  /// Throws `std::logic_error` if the type of the tensor is another.
  void assign(const Tensor &tensor);
  using Storage::verify;
  void verify(Diagnostics &diagnostics) const;
  static bool classof(const Kinded *kinded) { return kinded->getKind() == Kinded::Kind::ConstantKind; }
};

/// A tensor that is given when the graph runs.
class Placeholder : public Storage {
  bool trainable_;
  bool allocZero_ = false;
  bool static_ = false;

public:
  Placeholder(StringRef name, TypeRef type, bool trainable, StringRef layout)
      : Storage(Kinded::Kind::PlaceholderKind, name, layout), trainable_(trainable) {
    addResult(type);
  }
  bool isTraining() const { return trainable_; }
  bool allocZero() const { return allocZero_; }
  void setAllocZero(bool on = true) { allocZero_ = on; }
  bool isStatic() const { return static_; }
  void setStatic(bool on) { static_ = on; }
  static bool classof(const Kinded *kinded) { return kinded->getKind() == Kinded::Kind::PlaceholderKind; }
};

} // namespace torchgen_support
