// Printing of member values.
#pragma once

#include "array_view.h"

#include <ostream>
#include <sstream>
#include <string>
#include <type_traits>
#include <vector>

namespace torchgen_support {

/// Whether a type has an output operator.
template <typename T, typename = void> struct CanPrint : std::false_type {};
template <typename T>
struct CanPrint<T, std::void_t<decltype(std::declval<std::ostream &>() << std::declval<const T &>())>> : std::true_type {};

/// Whether what a pointer to constant data leads to can write itself as text.
template <typename T, typename = void> struct HasText : std::false_type {};
template <typename T>
struct HasText<const T *, std::void_t<decltype(std::string(std::declval<const T &>().toString()))>> : std::true_type {};

/// Prints a value: lists in brackets, booleans as words, and `...` for values without an output
/// operator.
template <typename T> void printValue(std::ostream &os, const T &value) {
  if constexpr (std::is_same_v<T, bool>) {
    os << (value ? "true" : "false");
  } else if constexpr (std::is_same_v<T, std::string>) {
    os << value;
  } else if constexpr (HasText<T>::value) {
    os << (value ? std::string(value->toString()) : "(null)");
  } else if constexpr (std::is_pointer_v<T>) {
    os << (value ? "(pointer)" : "(null)");
  } else if constexpr (CanPrint<T>::value) {
    os << value;
  } else {
    os << "...";
  }
}

/// Prints the elements of an array.
template <typename T> void printValue(std::ostream &os, const ArrayRef<T> &values) {
  os << "[";
  for (std::size_t i = 0; i < values.size(); ++i) {
    os << (i ? ", " : "");
    printValue<T>(os, values[i]);
  }
  os << "]";
}

/// Prints the elements of a list.
template <typename T> void printValue(std::ostream &os, const std::vector<T> &values) {
  os << "[";
  for (std::size_t i = 0; i < values.size(); ++i) {
    os << (i ? ", " : "");
    printValue<T>(os, values[i]);
  }
  os << "]";
}

/// Converts a value to text.
template <typename T> std::string textOf(const T &value) {
  std::ostringstream os;
  printValue(os, value);
  return os.str();
}

} // namespace torchgen_support
