// Casting by `classof`, without run-time type information.
#pragma once

#include <stdexcept>
#include <type_traits>

namespace torchgen_support {

/// Thrown by `cast` if the object is of another class, in every build.
struct BadCast : std::logic_error {
  using std::logic_error::logic_error;
};

/// Whether an object is of a class; false for null.
template <typename To, typename From, typename = std::enable_if_t<!std::is_pointer_v<From>>>
bool isa(const From *object) {
  return object != nullptr && To::classof(object);
}

/// Whether an object is of a class.
template <typename To, typename From, typename = std::enable_if_t<std::is_class_v<From>>,
          typename = decltype(To::classof(static_cast<const From *>(nullptr)))>
bool isa(const From &object) {
  return To::classof(&object);
}

/// The object as that class, or null if it is of another class.
template <typename To, typename From> To *dyn_cast(From *object) {
  return isa<To>(object) ? static_cast<To *>(object) : nullptr;
}
template <typename To, typename From> const To *dyn_cast(const From *object) {
  return isa<To>(object) ? static_cast<const To *>(object) : nullptr;
}

/// The same, but accepts null.
template <typename To, typename From> To *dyn_cast_or_null(From *object) { return dyn_cast<To>(object); }

/// The object as that class.
///
/// Throws `BadCast` if it is of another class.
template <typename To, typename From> To *cast(From *object) {
  if (!isa<To>(object)) {
    throw BadCast("the object is not of the class it is cast to");
  }
  return static_cast<To *>(object);
}
template <typename To, typename From> const To *cast(const From *object) {
  if (!isa<To>(object)) {
    throw BadCast("the object is not of the class it is cast to");
  }
  return static_cast<const To *>(object);
}

} // namespace torchgen_support
