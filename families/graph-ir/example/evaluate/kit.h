// What evaluators share: indices, and what tensors of a type can hold.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <utility>
#include <vector>

namespace glow {

namespace evaluating {

using Dims = std::vector<dim_t>;

inline void require(bool holds) {
  if (!holds) {
    throw std::runtime_error("the inputs do not fit");
  }
}

/// The place of an index in row order.
inline std::size_t placeOf(const Dims &dims, const Dims &index) {
  require(index.size() == dims.size());
  std::size_t place = 0;
  for (std::size_t axis = 0; axis < dims.size(); ++axis) {
    require(index[axis] < dims[axis]);
    place = place * dims[axis] + index[axis];
  }
  return place;
}

inline double elementAt(const EvaluatedTensor &tensor, const Dims &index) {
  return tensor.elements[placeOf(tensor.dims, index)];
}

/// Calls `body` with each index, in row order.
template <typename Body> void walk(const Dims &dims, const Body &body) {
  Dims index(dims.size());
  std::size_t left = 1;
  for (dim_t dim : dims) {
    left *= dim;
  }
  for (; left > 0; --left) {
    body(index);
    for (std::size_t axis = dims.size(); axis-- > 0;) {
      if (++index[axis] < dims[axis]) {
        break;
      }
      index[axis] = 0;
    }
  }
}

/// A number with so many bits, as a floating-point type has them.
inline double withBits(double number, int bits, int leastExponent, double greatest) {
  if (number == 0 || !std::isfinite(number)) {
    return number;
  }
  const int exponent = std::max(std::ilogb(number), leastExponent) - (bits - 1);
  const double near = std::scalbn(std::nearbyint(std::scalbn(number, -exponent)), exponent);
  return std::fabs(near) > greatest ? std::copysign(std::numeric_limits<double>::infinity(), number) : near;
}

inline double integer(double number, double least, double greatest) {
  require(std::isfinite(number));
  const double whole = std::trunc(number);
  require(whole >= least && whole <= greatest);
  return whole;
}

inline double quantized(const Type &type, double number, double least, double greatest) {
  require(!std::isnan(number));
  const double whole = std::nearbyint(number / static_cast<double>(type.getScale())) + type.getOffset();
  return static_cast<double>(type.getScale()) * (std::min(std::max(whole, least), greatest) - type.getOffset());
}

/// What a tensor of the type holds if it is given a number.
inline double held(const Type &type, double number) {
  switch (type.getElementType()) {
  case ElemKind::FloatTy:
  case ElemKind::Float64Ty:
    return number;
  case ElemKind::Float16Ty:
    return withBits(number, 11, -14, 65504);
  case ElemKind::BFloat16Ty:
    return withBits(number, 8, -126, std::numeric_limits<float>::max());
  case ElemKind::Int8QTy:
    return quantized(type, number, -128, 127);
  case ElemKind::UInt8QTy:
    return quantized(type, number, 0, 255);
  case ElemKind::Int16QTy:
    return quantized(type, number, -32768, 32767);
  case ElemKind::Int32QTy:
    return quantized(type, number, -2147483648.0, 2147483647);
  case ElemKind::UInt8ITy:
    return integer(number, 0, 255);
  case ElemKind::Int32ITy:
    return integer(number, -2147483648.0, 2147483647);
  case ElemKind::Int64ITy:
    return integer(number, -9007199254740992.0, 9007199254740992.0);
  case ElemKind::BoolTy:
    return number != 0;
  default:
    throw std::runtime_error("elements of this type are not computed");
  }
}

/// Sets a result to what `element` returns for each index.
template <typename Element> void put(Evaluation &values, NodeValue result, const Element &element) {
  EvaluatedTensor tensor{result.dims().vec(), {}};
  walk(tensor.dims, [&](const Dims &index) { tensor.elements.push_back(held(*result.getType(), element(index))); });
  values.set(result, std::move(tensor));
}

/// Applies a function of one or two numbers to each element.
template <typename Apply> void each(Evaluation &values, NodeValue result, NodeValue input, const Apply &apply) {
  const EvaluatedTensor &x = values.of(input);
  put(values, result, [&](const Dims &index) { return apply(elementAt(x, index)); });
}
template <typename Apply>
void each(Evaluation &values, NodeValue result, NodeValue lhs, NodeValue rhs, const Apply &apply) {
  const EvaluatedTensor &x = values.of(lhs), &y = values.of(rhs);
  put(values, result, [&](const Dims &index) { return apply(elementAt(x, index), elementAt(y, index)); });
}

/// Sets a result to elements of its input, from the index that `from` returns.
template <typename From> void moved(Evaluation &values, NodeValue result, NodeValue input, const From &from) {
  const EvaluatedTensor &x = values.of(input);
  put(values, result, [&](const Dims &index) { return elementAt(x, from(index)); });
}

} // namespace evaluating

} // namespace glow
