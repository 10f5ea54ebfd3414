// Fields of objects of any class: what they hold, and their values as one of a few types.
#pragma once

#include "print.h"

#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

namespace torchgen_support {

/// The value of a field of any class. Enumerators are numbers; a value of another type, such as one
/// of yours, is `std::monostate`.
using FieldValue = std::variant<std::monostate, bool, std::int64_t, std::uint64_t, double, std::string,
                                std::vector<std::int64_t>, std::vector<std::uint64_t>, std::vector<double>,
                                std::vector<std::string>>;

/// What a field holds, in the order of the alternatives of `FieldValue`.
enum class FieldKind { Other, Bool, Int, Unsigned, Float, String, Ints, Unsigneds, Floats, Strings };

/// The C++ type of fields, of which there is one object each.
struct FieldType {
  FieldKind kind;
  /// The text, and the value, of what is at an address.
  std::string (*text)(const void *place);
  FieldValue (*get)(const void *place);
  /// Puts a value there; false if it is of another kind, or too large.
  bool (*set)(void *place, const FieldValue &value);
};

/// The alternative of `FieldValue` for a type that is no list.
template <typename T>
using FieldItem = std::conditional_t<
    std::is_same_v<T, bool>, bool,
    std::conditional_t<
        std::is_enum_v<T>, std::int64_t,
        std::conditional_t<
            std::is_same_v<T, float> || std::is_same_v<T, double>, double,
            std::conditional_t<std::is_same_v<T, std::string>, std::string,
                               std::conditional_t<!std::is_integral_v<T>, std::monostate,
                                                  std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>>>>>>;

/// The alternative of `FieldValue` for any type.
template <typename T> struct FieldOf { using Value = FieldItem<T>; };
template <typename T> struct FieldOf<std::vector<T>> {
  using Item = std::conditional_t<std::is_same_v<T, bool>, std::uint64_t, FieldItem<T>>;
  using Value = std::conditional_t<std::is_same_v<Item, std::monostate>, std::monostate, std::vector<Item>>;
};

template <typename Value, std::size_t at = 0> constexpr FieldKind fieldKind() {
  if constexpr (std::is_same_v<Value, std::variant_alternative_t<at, FieldValue>>) {
    return static_cast<FieldKind>(at);
  } else {
    return fieldKind<Value, at + 1>();
  }
}

/// Puts a number, or a text, into one of another type; false if it does not fit.
template <typename T, typename Value> bool setItem(T &place, const Value &value) {
  if constexpr (std::is_same_v<Value, std::string>) {
    place = value;
  } else if constexpr (std::is_enum_v<T>) {
    std::underlying_type_t<T> number{};
    if (!setItem(number, value)) {
      return false;
    }
    place = static_cast<T>(number);
  } else if constexpr (std::is_integral_v<T>) {
    const T narrow = static_cast<T>(value);
    if (static_cast<Value>(narrow) != value) {
      return false;
    }
    place = narrow;
  } else {
    place = static_cast<T>(value);
  }
  return true;
}

template <typename T> std::string fieldText(const void *place) { return textOf(*static_cast<const T *>(place)); }

template <typename T> FieldValue fieldGet(const void *place) {
  using Value = typename FieldOf<T>::Value;
  const T &value = *static_cast<const T *>(place);
  if constexpr (std::is_same_v<Value, std::monostate>) {
    return {};
  } else if constexpr (std::is_same_v<FieldItem<T>, std::monostate>) {
    Value list;
    list.reserve(value.size());
    for (const auto &item : value) {
      list.push_back(static_cast<typename Value::value_type>(item));
    }
    return list;
  } else {
    return static_cast<Value>(value);
  }
}

template <typename T> bool fieldSet(void *place, const FieldValue &value) {
  using Value = typename FieldOf<T>::Value;
  const Value *given = std::get_if<Value>(&value);
  T &field = *static_cast<T *>(place);
  if constexpr (std::is_same_v<Value, std::monostate>) {
    return false;
  } else if constexpr (std::is_same_v<FieldItem<T>, std::monostate>) {
    T list;
    for (std::size_t i = 0; given && i < given->size(); ++i) {
      typename T::value_type item{};
      if (!setItem(item, (*given)[i])) {
        return false;
      }
      list.push_back(std::move(item));
    }
    if (given) {
      field = std::move(list);
    }
    return given;
  } else {
    return given && setItem(field, *given);
  }
}

template <typename T>
inline constexpr FieldType typeOf = {fieldKind<typename FieldOf<T>::Value>(), &fieldText<T>, &fieldGet<T>, &fieldSet<T>};

} // namespace torchgen_support
