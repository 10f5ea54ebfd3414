// Views of text and arrays with another owner.
#pragma once

#include <cctype>
#include <cstddef>
#include <initializer_list>
#include <ostream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace torchgen_support {

/// A view of a text with another owner.
class StringRef : public std::string_view {
public:
  StringRef() = default;
  StringRef(const char *text) : std::string_view(text ? text : "") {}
  StringRef(const char *text, std::size_t size) : std::string_view(text, size) {}
  StringRef(const std::string &text) : std::string_view(text) {}
  StringRef(std::string_view text) : std::string_view(text) {}

  /// Copies it to a string.
  std::string str() const { return std::string(data(), size()); }
  operator std::string() const { return str(); }

  /// Copies it in lower case.
  std::string lower() const {
    std::string text = str();
    for (char &c : text) {
      c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
    return text;
  }

  bool equals(StringRef other) const { return *this == std::string_view(other); }
};

/// A view of an array with another owner.
template <typename T> class ArrayRef {
  const T *data_ = nullptr;
  std::size_t size_ = 0;

public:
  using value_type = T;
  using iterator = const T *;
  using const_iterator = const T *;

  ArrayRef() = default;
  constexpr ArrayRef(const T *data, std::size_t size) : data_(data), size_(size) {}
  ArrayRef(const std::vector<T> &values) : data_(values.data()), size_(values.size()) {}
  template <std::size_t N> constexpr ArrayRef(const T (&values)[N]) : data_(values), size_(N) {}
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Winit-list-lifetime"
#endif
  /// For arguments only: the list lives until the call returns.
  ArrayRef(std::initializer_list<T> values) : data_(values.begin()), size_(values.size()) {}
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif

  iterator begin() const { return data_; }
  iterator end() const { return data_ + size_; }
  const T *data() const { return data_; }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  const T &operator[](std::size_t index) const { return data_[index]; }
  const T &front() const { return at(0); }
  const T &back() const { return at(size_ - 1); }

  /// The element; the index is checked in every build.
  const T &at(std::size_t index) const {
    if (index >= size_) {
      throw std::out_of_range("index out of range");
    }
    return data_[index];
  }

  /// `count` elements, starting at `from`.
  ArrayRef slice(std::size_t from, std::size_t count) const {
    if (from > size_ || count > size_ - from) {
      throw std::out_of_range("slice out of range");
    }
    return ArrayRef(data_ + from, count);
  }
  ArrayRef slice(std::size_t from) const { return slice(from, from > size_ ? 0 : size_ - from); }
  ArrayRef drop_front(std::size_t count = 1) const { return slice(count); }
  ArrayRef drop_back(std::size_t count = 1) const { return slice(0, count > size_ ? size_ + 1 : size_ - count); }

  /// Copies it to a vector.
  std::vector<T> vec() const { return std::vector<T>(begin(), end()); }
  operator std::vector<T>() const { return vec(); }

  bool equals(ArrayRef other) const {
    if (size_ != other.size_) {
      return false;
    }
    for (std::size_t i = 0; i < size_; ++i) {
      if (!(data_[i] == other.data_[i])) {
        return false;
      }
    }
    return true;
  }
};

template <typename T> bool operator==(ArrayRef<T> a, ArrayRef<T> b) { return a.equals(b); }
template <typename T> bool operator!=(ArrayRef<T> a, ArrayRef<T> b) { return !a.equals(b); }
template <typename T> bool operator==(ArrayRef<T> a, const std::vector<T> &b) { return a.equals(b); }
template <typename T> bool operator==(const std::vector<T> &a, ArrayRef<T> b) { return b.equals(a); }

} // namespace torchgen_support
