// What has a name, and what has the type of a tensor.
#pragma once

#include "types.h"

namespace torchgen_support {

/// Something with a name.
class Named {
  std::string name_;

public:
  explicit Named(StringRef name) : name_(name.str()) {}
  StringRef getName() const { return name_; }
  bool hasName() const { return !name_.empty(); }
  void setName(StringRef name) { name_ = name.str(); }
};

/// Something with the type of a tensor.
class Typed {
  TypeRef type_ = nullptr;

public:
  explicit Typed(TypeRef type) : type_(type) {}
  TypeRef getType() const { return type_; }
  void setType(TypeRef type) { type_ = type; }
  ArrayRef<dim_t> dims() const { return type_->dims(); }
  std::size_t size() const { return type_->size(); }
  std::size_t getSizeInBytes() const { return type_->getSizeInBytes(); }
  ElemKind getElementType() const { return type_->getElementType(); }
  bool isType(TypeRef type) const { return sameType(type_, type); }
};

} // namespace torchgen_support
