// Types of tensors, the parts with a body.
#include "types.h"

#include <cmath>

namespace torchgen_support {

const char *getElementName(ElemKind kind) {
  switch (kind) {
  case ElemKind::FloatTy:
    return "float";
  case ElemKind::Float16Ty:
    return "float16";
  case ElemKind::BFloat16Ty:
    return "bfloat16";
  case ElemKind::Float64Ty:
    return "float64";
  case ElemKind::Int8QTy:
    return "i8";
  case ElemKind::UInt8QTy:
    return "ui8";
  case ElemKind::Int16QTy:
    return "i16";
  case ElemKind::Int32QTy:
    return "i32";
  case ElemKind::UInt8ITy:
    return "index8";
  case ElemKind::Int32ITy:
    return "index32";
  case ElemKind::Int64ITy:
    return "index64";
  case ElemKind::UInt8FusedQTy:
    return "ui8fused";
  case ElemKind::UInt8FusedFP16QTy:
    return "ui8fusedfp16";
  case ElemKind::UInt4FusedFP16QTy:
    return "ui4fusedfp16";
  case ElemKind::UInt4FusedQTy:
    return "ui4fused";
  case ElemKind::BoolTy:
    return "bool";
  case ElemKind::Int64QTy:
    return "i64";
  }
  return "";
}

unsigned getElementSize(ElemKind kind) {
  switch (kind) {
  case ElemKind::Float64Ty:
  case ElemKind::Int64ITy:
  case ElemKind::Int64QTy:
    return 8;
  case ElemKind::FloatTy:
  case ElemKind::Int32QTy:
  case ElemKind::Int32ITy:
    return 4;
  case ElemKind::Float16Ty:
  case ElemKind::BFloat16Ty:
  case ElemKind::Int16QTy:
    return 2;
  default:
    return 1;
  }
}

bool isQuantizedElemKind(ElemKind kind) {
  switch (kind) {
  case ElemKind::Int8QTy:
  case ElemKind::UInt8QTy:
  case ElemKind::Int16QTy:
  case ElemKind::Int32QTy:
  case ElemKind::Int64QTy:
  case ElemKind::UInt8FusedQTy:
  case ElemKind::UInt8FusedFP16QTy:
  case ElemKind::UInt4FusedFP16QTy:
  case ElemKind::UInt4FusedQTy:
    return true;
  default:
    return false;
  }
}

Type::Type(ElemKind kind, ArrayRef<dim_t> dims) : elementType_(kind), dims_(dims.begin(), dims.end()) {}

Type::Type(ElemKind kind, ArrayRef<dim_t> dims, float scale, std::int32_t offset)
    : elementType_(kind), dims_(dims.begin(), dims.end()), scale_(scale), offset_(offset) {}

static void requireQuantized(const Type &type) {
  if (!type.isQuantizedType()) {
    Diagnostics diagnostics;
    diagnostics.report(type.toString(), "scale and offset belong to quantized types");
    throw InvalidIR(diagnostics);
  }
}

float Type::getScale() const {
  requireQuantized(*this);
  return scale_;
}

std::int32_t Type::getOffset() const {
  requireQuantized(*this);
  return offset_;
}

std::size_t Type::size() const {
  std::size_t count = 1;
  for (dim_t dim : dims_) {
    count *= static_cast<std::size_t>(dim);
  }
  return count;
}

template <typename T> static std::pair<float, float> rangeOf(float scale, std::int32_t offset) {
  auto real = [&](T value) {
    return static_cast<float>((static_cast<std::int64_t>(value) - static_cast<std::int64_t>(offset)) * scale);
  };
  return {real(std::numeric_limits<T>::min()), real(std::numeric_limits<T>::max())};
}

std::pair<float, float> Type::getQuantizedValueRange() const {
  requireQuantized(*this);
  switch (elementType_) {
  case ElemKind::Int8QTy:
    return rangeOf<std::int8_t>(scale_, offset_);
  case ElemKind::Int16QTy:
    return rangeOf<std::int16_t>(scale_, offset_);
  case ElemKind::Int32QTy:
    return rangeOf<std::int32_t>(scale_, offset_);
  case ElemKind::Int64QTy: {
    const double low = static_cast<double>(std::numeric_limits<std::int64_t>::min()) - offset_;
    const double high = static_cast<double>(std::numeric_limits<std::int64_t>::max()) - offset_;
    return {static_cast<float>(low * scale_), static_cast<float>(high * scale_)};
  }
  default:
    return rangeOf<std::uint8_t>(scale_, offset_);
  }
}

bool Type::isEqual(const Type &other) const {
  if (elementType_ != other.elementType_ || dims_ != other.dims_) {
    return false;
  }
  return !isQuantizedType() || (sameValue(scale_, other.scale_) && offset_ == other.offset_);
}

std::string Type::toString() const {
  std::ostringstream os;
  os << *this;
  return os.str();
}

hash_code hash_value(const Type &type) {
  Hasher hasher;
  hasher.add(type.getElementType());
  hasher.add(type.dims().vec());
  if (type.isQuantizedType()) {
    hasher.add(type.getScale());
    hasher.add(type.getOffset());
  }
  return hasher.get();
}

std::ostream &operator<<(std::ostream &os, const Type &type) {
  os << getElementName(type.getElementType());
  if (type.isQuantizedType()) {
    os << "[S:" << type.getScale() << " O:" << type.getOffset() << "]";
  }
  os << "<";
  for (std::size_t i = 0; i < type.dims().size(); ++i) {
    os << (i ? " x " : "") << type.dims()[i];
  }
  return os << ">";
}

std::ostream &operator<<(std::ostream &os, TypeRef type) { return type ? os << *type : os << "<none>"; }

} // namespace torchgen_support
