// What conditions of rules call.
#pragma once

#include "IRSupport.h"

#include <type_traits>

namespace torchgen_support {

/// Nothing here is for other code than that of rules.
namespace rewriting {

// Parts of nodes.

/// The node as an object of its class; null if it is of another class.
template <typename Class> Class *asA(Node *node, Kinded::Kind kind) {
  return node && node->getKind() == kind ? static_cast<Class *>(node) : nullptr;
}

/// An item of a list of inputs; no value if there are fewer.
inline NodeValue itemOf(NodeValueArrayRef list, std::size_t index) {
  return index < list.size() ? list[index] : NodeValue();
}

/// The items of a list of inputs from one on.
inline std::vector<NodeValue> restOf(NodeValueArrayRef list, std::size_t from) {
  return std::vector<NodeValue>(list.begin() + static_cast<std::ptrdiff_t>(from), list.end());
}

inline void append(std::vector<NodeValue> &all, NodeValue value) { all.push_back(value); }
inline void append(std::vector<NodeValue> &all, const std::vector<NodeValue> &values) {
  all.insert(all.end(), values.begin(), values.end());
}

/// A list of values and of lists of values.
template <typename... Parts> std::vector<NodeValue> values(const Parts &...parts) {
  std::vector<NodeValue> all;
  (append(all, parts), ...);
  return all;
}

/// A member as another type: numbers are cast, lists are copied.
template <typename To, typename From> To as(const From &from) {
  if constexpr (std::is_same_v<To, From>) {
    return from;
  } else if constexpr (std::is_arithmetic_v<To> || std::is_enum_v<To>) {
    return static_cast<To>(from);
  } else if constexpr (std::is_convertible_v<From, To>) {
    return from;
  } else {
    return To(from.begin(), from.end());
  }
}

/// Whether a member has the value of a literal.
template <typename Value, typename Literal> bool is(const Value &value, const Literal &literal) {
  return sameValue(value, as<Value>(literal));
}

/// Whether two members, or two values of a graph, are equal.
template <typename A, typename B> bool equal(const A &a, const B &b) {
  if constexpr (std::is_same_v<A, B>) {
    if constexpr (std::is_same_v<A, NodeValue> || std::is_same_v<A, std::vector<NodeValue>>) {
      return a == b;
    } else {
      return sameValue(a, b);
    }
  } else if constexpr (std::is_arithmetic_v<A> || std::is_enum_v<A>) {
    return sameValue(a, as<A>(b));
  } else {
    return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), [](const auto &x, const auto &y) {
             return equal(x, y);
           });
  }
}

// Functions of rules.

inline std::int64_t users(NodeValue x) { return x.getNumUsers(); }
inline std::int64_t rank(NodeValue x) { return static_cast<std::int64_t>(x.dims().size()); }
inline std::vector<std::int64_t> dims(NodeValue x) { return as<std::vector<std::int64_t>>(x.dims()); }
inline std::int64_t size(NodeValue x) { return static_cast<std::int64_t>(x.getType()->size()); }
inline ElemKind element(NodeValue x) { return x.getElementType(); }
inline TypeRef type(NodeValue x) { return x.getType(); }
inline double scale(NodeValue x) { return x.getType()->getScale(); }
inline std::int64_t offset(NodeValue x) { return x.getType()->getOffset(); }
inline bool is_quantized(NodeValue x) { return x.getType()->isQuantizedType(); }
inline bool is_float(NodeValue x) { return x.getType()->isFPType(); }
inline bool is_constant(NodeValue x) { return isa<Constant>(x.getNode()); }
inline bool same_type(NodeValue x, NodeValue y) { return x.getType()->isEqual(*y.getType()); }
inline bool same_shape(NodeValue x, NodeValue y) { return x.dims() == y.dims(); }
inline bool same_element(NodeValue x, NodeValue y) { return x.getElementType() == y.getElementType(); }

/// The elements of a payload, which has a list of them, or a handle as tensors of Glow's.
template <typename Element, typename Payload>
auto elementsIn(const Payload &payload, int) -> decltype(as<std::vector<double>>(payload.template elements<Element>())) {
  return as<std::vector<double>>(payload.template elements<Element>());
}
template <typename Element, typename Payload> std::vector<double> elementsIn(const Payload &payload, long) {
  const auto handle = payload.template getHandle<Element>();
  std::vector<double> numbers;
  for (std::size_t index = 0; index < handle.size(); ++index) {
    numbers.push_back(static_cast<double>(handle.raw(index)));
  }
  return numbers;
}

/// The numbers that a constant has; none for other types than these.
inline std::vector<double> elementsOf(const Constant &constant) {
  const auto &payload = constant.getPayload();
  switch (constant.getElementType()) {
  case ElemKind::FloatTy:
    return elementsIn<float>(payload, 0);
  case ElemKind::Int64ITy:
    return elementsIn<std::int64_t>(payload, 0);
  case ElemKind::Int32ITy:
    return elementsIn<std::int32_t>(payload, 0);
  case ElemKind::BoolTy:
    return elementsIn<bool>(payload, 0);
  case ElemKind::Int8QTy: {
    std::vector<double> numbers = elementsIn<std::int8_t>(payload, 0);
    for (double &number : numbers) {
      number = static_cast<double>(constant.getType()->getScale()) * (number - constant.getType()->getOffset());
    }
    return numbers;
  }
  default:
    return {};
  }
}

inline bool is_uniform(NodeValue x) {
  const auto *constant = dyn_cast<Constant>(x.getNode());
  if (!constant) {
    return false;
  }
  const std::vector<double> elements = elementsOf(*constant);
  return !elements.empty() && std::equal(elements.begin() + 1, elements.end(), elements.begin());
}

inline double uniform(NodeValue x) { return is_uniform(x) ? elementsOf(*cast<Constant>(x.getNode()))[0] : 0; }

/// The least and the greatest integer of a quantized kind; zeros for others.
inline std::pair<double, double> integersOf(ElemKind kind) {
  switch (kind) {
  case ElemKind::Int8QTy:
    return {-128, 127};
  case ElemKind::UInt8QTy:
    return {0, 255};
  case ElemKind::Int16QTy:
    return {-32768, 32767};
  case ElemKind::Int32QTy:
    return {-2147483648.0, 2147483647};
  default:
    return {0, 0};
  }
}
inline double numberOf(TypeRef type, double integer) {
  return static_cast<double>(type->getScale()) * (integer - type->getOffset());
}
inline double least(TypeRef type) { return numberOf(type, integersOf(type->getElementType()).first); }
inline double greatest(TypeRef type) { return numberOf(type, integersOf(type->getElementType()).second); }
inline TypeRef quantized(Module &module, TypeRef type, ElemKind kind, double scale, std::int64_t offset) {
  return module.uniqueType(kind, type->dims(), static_cast<float>(scale), static_cast<std::int32_t>(offset));
}

using Permutation = std::vector<std::int64_t>;

/// The permutation that does what `p` and then `q` do; throws `std::out_of_range` if they do not fit
/// together.
inline Permutation compose(const Permutation &p, const Permutation &q) {
  Permutation both;
  for (std::int64_t axis : q) {
    both.push_back(p.at(static_cast<std::size_t>(axis)));
  }
  return both;
}

inline Permutation inverse(const Permutation &p) {
  Permutation back(p.size());
  for (std::size_t axis = 0; axis < p.size(); ++axis) {
    back.at(static_cast<std::size_t>(p[axis])) = static_cast<std::int64_t>(axis);
  }
  return back;
}

inline bool is_identity(const Permutation &p) {
  for (std::size_t axis = 0; axis < p.size(); ++axis) {
    if (p[axis] != static_cast<std::int64_t>(axis)) {
      return false;
    }
  }
  return true;
}

inline TypeRef with_dims(Module &module, TypeRef type, const std::vector<std::int64_t> &dims) {
  return module.uniqueTypeWithNewShape(type, as<std::vector<dim_t>>(dims));
}

inline TypeRef with_element(Module &module, TypeRef type, ElemKind kind) {
  return module.uniqueType(kind, type->dims());
}

} // namespace rewriting

} // namespace torchgen_support
