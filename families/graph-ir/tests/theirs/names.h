// Names that somebody else has in another namespace, as Glow has LLVM's: no more of them than
// generated code uses.
#pragma once

#ifndef IRKIT_HAS_NAMES

#include <cstddef>
#include <string>
#include <type_traits>
#include <vector>

namespace elsewhere {

using hash_code = std::size_t;

struct StringRef {
  std::string text;
  StringRef(const char *of) : text(of) {}
  StringRef(const std::string &of) : text(of) {}
  std::string str() const { return text; }
  explicit operator std::string() const { return text; }
  bool operator==(const StringRef &other) const { return text == other.text; }
};

template <typename T> class ArrayRef {
  const T *data_ = nullptr;
  std::size_t size_ = 0;

public:
  ArrayRef() = default;
  ArrayRef(const std::vector<T> &values) : data_(values.data()), size_(values.size()) {}
  template <std::size_t N> ArrayRef(const T (&values)[N]) : data_(values), size_(N) {}
  const T *begin() const { return data_; }
  const T *end() const { return data_ + size_; }
  std::size_t size() const { return size_; }
  const T &operator[](std::size_t index) const { return data_[index]; }
  operator std::vector<T>() const { return std::vector<T>(begin(), end()); }
};

/// A stream that is none of the standard library's.
class raw_ostream {
public:
  std::string text;
  raw_ostream &operator<<(const std::string &more) {
    text += more;
    return *this;
  }
  raw_ostream &operator<<(const void *) {
    text += "an address";
    return *this;
  }
  raw_ostream &operator<<(const char *more) {
    text += more;
    return *this;
  }
};

template <typename To, typename From> bool isa(const From *object) { return To::classof(object); }
template <typename To, typename From> To *cast(From *object) { return static_cast<To *>(object); }
template <typename To, typename From> To *dyn_cast(From *object) {
  return isa<To>(object) ? static_cast<To *>(object) : nullptr;
}

} // namespace elsewhere

#endif
