// Modules, and the tensors of one run.
#pragma once

#include "lists.h"
#include "storage.h"

namespace torchgen_support {

/// All that functions share: types, placeholders and constants.
class Module final {
  struct HashType {
    std::size_t operator()(TypeRef type) const { return hash_value(*type); }
  };
  struct EqualTypes {
    bool operator()(TypeRef a, TypeRef b) const { return a->isEqual(*b); }
  };

  // In the order in which they were made; they stay where they are.
  std::list<Type> types_;
  std::unordered_set<TypeRef, HashType, EqualTypes> uniqueTypes_;
  PointerList<Function> functions_;
  PointerList<Placeholder> placeholders_;
  PointerList<Constant> constants_;
  NameTable names_;
  NameTable functionNames_;

public:
  Module() = default;
  ~Module();
  Module(const Module &) = delete;
  Module &operator=(const Module &) = delete;

  /// The one object of that type.
  TypeRef uniqueType(const Type &type);
  TypeRef uniqueType(ElemKind kind, ArrayRef<dim_t> dims) { return uniqueType(Type(kind, dims)); }
  TypeRef uniqueType(ElemKind kind, ArrayRef<dim_t> dims, float scale, std::int32_t offset) {
    return uniqueType(Type(kind, dims, scale, offset));
  }
  TypeRef uniqueTypeWithNewShape(TypeRef type, ArrayRef<dim_t> dims);
  /// The same shape with another element kind.
  TypeRef uniqueTypeWithElement(TypeRef type, ElemKind kind);

  Function *createFunction(StringRef name);
  Function *getFunction(StringRef name) const;
  bool hasFunction(StringRef name) const { return getFunction(name) != nullptr; }
  PointerList<Function> &getFunctions() { return functions_; }
  const PointerList<Function> &getFunctions() const { return functions_; }
  void eraseFunction(Function *function);
  void eraseFunctions();
  /// Empties all functions, which stay.
  void clearFunctions();

  Placeholder *createPlaceholder(TypeRef type, StringRef name, bool isTrainable, StringRef layout = "*");
  Placeholder *createPlaceholder(ElemKind kind, ArrayRef<dim_t> dims, StringRef name, bool isTrainable,
                                 StringRef layout = "*") {
    return createPlaceholder(uniqueType(kind, dims), name, isTrainable, layout);
  }
  Placeholder *createPlaceholder(ElemKind kind, ArrayRef<dim_t> dims, float scale, std::int32_t offset, StringRef name,
                                 bool isTrainable, StringRef layout = "*") {
    return createPlaceholder(uniqueType(kind, dims, scale, offset), name, isTrainable, layout);
  }
  Constant *createConstant(TypeRef type, StringRef name, StringRef layout = "*");
  Constant *createConstant(ElemKind kind, ArrayRef<dim_t> dims, StringRef name, StringRef layout = "*") {
    return createConstant(uniqueType(kind, dims), name, layout);
  }
  Constant *createConstant(StringRef name, const Tensor &tensor, StringRef layout = "*");

  PointerList<Placeholder> &getPlaceholders() { return placeholders_; }
  const PointerList<Placeholder> &getPlaceholders() const { return placeholders_; }
  PointerList<Constant> &getConstants() { return constants_; }
  const PointerList<Constant> &getConstants() const { return constants_; }
  Placeholder *getPlaceholderByNameSlow(StringRef name) const;
  Constant *getConstantByName(StringRef name) const;
  void erasePlaceholder(Placeholder *placeholder);
  void eraseConstant(Constant *constant);
  /// A name that nothing in the module has.
  std::string uniqueName(StringRef wish) { return names_.unique(wish); }
  /// A copy with copies of everything.
  void clone(Module &into) const;
  void verify(Diagnostics &diagnostics) const;
  bool verify() const {
    Diagnostics diagnostics;
    verify(diagnostics);
    return diagnostics.empty();
  }
  void clear();
  const std::list<Type> &getTypes() const { return types_; }
  /// Whether a placeholder or constant belongs to the module.
  bool owns(const Storage *storage) const;
  std::string toString() const;
  /// The bytes of all constants.
  std::size_t getConstantsSize() const;
};

/// The tensors of placeholders for one run.
class PlaceholderBindings {
  std::map<const Placeholder *, std::unique_ptr<Tensor>> tensors_;
  std::vector<Placeholder *> order_;

public:
  /// A tensor of zeros for a placeholder.
  ///
  /// Throws `std::logic_error` if it has one.
  Tensor *allocate(Placeholder *placeholder);
  /// Gives a placeholder a tensor; throws `std::logic_error` if its type is another.
  void insert(Placeholder *placeholder, Tensor tensor);
  /// The tensor, or null.
  Tensor *get(const Placeholder *placeholder) const;
  std::size_t count(const Placeholder *placeholder) const { return tensors_.count(placeholder); }
  void erase(const Placeholder *placeholder);
  void clear();
  Placeholder *getPlaceholderByNameSlow(StringRef name) const;
  /// The placeholders in the order in which they were bound.
  const std::vector<Placeholder *> &placeholders() const { return order_; }
  std::size_t getDataSize() const;
  PlaceholderBindings clone() const;
};

} // namespace torchgen_support
