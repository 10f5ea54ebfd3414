// Types of tensors.
#pragma once

#include "IRKit.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <list>
#include <memory>
#include <utility>

namespace torchgen_support {

using raw_ostream = std::ostream;
using hash_code = std::size_t;
using dim_t = std::uint64_t;
using unsigned_t = std::uint32_t;

/// The types of elements.
enum class ElemKind : unsigned char {
  FloatTy,
  Float16Ty,
  BFloat16Ty,
  Float64Ty,
  Int8QTy,
  UInt8QTy,
  Int16QTy,
  Int32QTy,
  UInt8ITy,
  Int32ITy,
  Int64ITy,
  UInt8FusedQTy,
  UInt8FusedFP16QTy,
  UInt4FusedFP16QTy,
  UInt4FusedQTy,
  BoolTy,
  Int64QTy,
};

/// The name that an element kind is printed with.
const char *getElementName(ElemKind kind);
/// The size of an element in bytes.
unsigned getElementSize(ElemKind kind);
/// Whether elements represent real numbers by a scale and an offset.
bool isQuantizedElemKind(ElemKind kind);

/// The type of a tensor: element kind, shape, and for quantized ones scale and offset.
struct Type final {
private:
  ElemKind elementType_ = ElemKind::FloatTy;
  std::vector<dim_t> dims_;
  float scale_ = 0;
  std::int32_t offset_ = 0;

public:
  Type() = default;
  Type(ElemKind kind, ArrayRef<dim_t> dims);
  Type(ElemKind kind, ArrayRef<dim_t> dims, float scale, std::int32_t offset);

  ElemKind getElementType() const { return elementType_; }
  ArrayRef<dim_t> dims() const { return dims_; }
  /// Throws `InvalidIR` for a type that is not quantized.
  float getScale() const;
  /// Throws `InvalidIR` for a type that is not quantized.
  std::int32_t getOffset() const;
  /// The number of elements.
  std::size_t size() const;
  unsigned getElementSize() const { return torchgen_support::getElementSize(elementType_); }
  std::size_t getSizeInBytes() const { return size() * getElementSize(); }
  bool isQuantizedType() const { return isQuantizedElemKind(elementType_); }
  bool isFPType() const {
    return elementType_ == ElemKind::FloatTy || elementType_ == ElemKind::Float16Ty ||
           elementType_ == ElemKind::BFloat16Ty || elementType_ == ElemKind::Float64Ty;
  }
  /// The smallest and the largest number that a quantized element can represent.
  std::pair<float, float> getQuantizedValueRange() const;

  bool isEqual(const Type &other) const;
  bool operator==(const Type &other) const { return isEqual(other); }
  bool operator!=(const Type &other) const { return !isEqual(other); }

  /// Whether the elements are stored as `T`.
  template <typename T> bool isType() const;

  std::string toString() const;
};

using TypeRef = const Type *;

hash_code hash_value(const Type &type);
std::ostream &operator<<(std::ostream &os, const Type &type);
std::ostream &operator<<(std::ostream &os, TypeRef type);

inline void printValue(std::ostream &os, const TypeRef &type) { os << type; }

/// Whether two types are equal; null only equals null.
inline bool sameType(TypeRef a, TypeRef b) { return a == b || (a && b && a->isEqual(*b)); }

template <typename T> bool Type::isType() const {
  switch (elementType_) {
  case ElemKind::FloatTy:
    return std::is_same_v<T, float>;
  case ElemKind::Float64Ty:
    return std::is_same_v<T, double>;
  case ElemKind::Float16Ty:
  case ElemKind::BFloat16Ty:
    return std::is_same_v<T, std::uint16_t>;
  case ElemKind::Int8QTy:
    return std::is_same_v<T, std::int8_t>;
  case ElemKind::UInt8QTy:
  case ElemKind::UInt8ITy:
  case ElemKind::UInt8FusedQTy:
  case ElemKind::UInt8FusedFP16QTy:
  case ElemKind::UInt4FusedFP16QTy:
  case ElemKind::UInt4FusedQTy:
    return std::is_same_v<T, std::uint8_t>;
  case ElemKind::Int16QTy:
    return std::is_same_v<T, std::int16_t>;
  case ElemKind::Int32QTy:
  case ElemKind::Int32ITy:
    return std::is_same_v<T, std::int32_t>;
  case ElemKind::Int64ITy:
  case ElemKind::Int64QTy:
    return std::is_same_v<T, std::int64_t>;
  case ElemKind::BoolTy:
    return std::is_same_v<T, bool>;
  }
  return false;
}

} // namespace torchgen_support
