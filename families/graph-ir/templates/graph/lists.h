// Lists of nodes, and names.
#pragma once

#include "node.h"

namespace torchgen_support {

/// A list of owned objects that is walked as references.
template <typename T> class ObjectList {
  std::list<T *> items_;

public:
  template <typename Base, typename Ref> class Walk {
    Base at_;

  public:
    using iterator_category = std::bidirectional_iterator_tag;
    using value_type = T;
    using difference_type = std::ptrdiff_t;
    using pointer = T *;
    using reference = Ref;
    explicit Walk(Base at) : at_(at) {}
    Ref operator*() const { return **at_; }
    T *operator->() const { return *at_; }
    Walk &operator++() {
      ++at_;
      return *this;
    }
    Walk &operator--() {
      --at_;
      return *this;
    }
    bool operator==(const Walk &other) const { return at_ == other.at_; }
    bool operator!=(const Walk &other) const { return at_ != other.at_; }
    Base base() const { return at_; }
  };
  using iterator = Walk<typename std::list<T *>::iterator, T &>;
  using const_iterator = Walk<typename std::list<T *>::const_iterator, const T &>;

  iterator begin() { return iterator(items_.begin()); }
  iterator end() { return iterator(items_.end()); }
  const_iterator begin() const { return const_iterator(items_.begin()); }
  const_iterator end() const { return const_iterator(items_.end()); }
  std::size_t size() const { return items_.size(); }
  bool empty() const { return items_.empty(); }
  T &front() const { return *items_.front(); }
  T &back() const { return *items_.back(); }
  void push_back(T *item) { items_.push_back(item); }
  /// Puts an item before another.
  void insert(iterator before, T *item) { items_.insert(before.base(), item); }
  /// Takes an item out without deleting it; returns whether it was there.
  bool remove(const T *item) {
    auto found = std::find(items_.begin(), items_.end(), item);
    if (found == items_.end()) {
      return false;
    }
    items_.erase(found);
    return true;
  }
  iterator find(const T *item) { return iterator(std::find(items_.begin(), items_.end(), item)); }
};

using NodesList = ObjectList<Node>;

/// Gives out names that are legal in C and were not given out before.
class NameTable {
  std::unordered_set<std::string> used_;

public:
  std::string unique(StringRef wish);
  bool contains(const std::string &name) const { return used_.count(name) != 0; }
  void clear() { used_.clear(); }
};

/// A name made of letters, digits and underscores.
std::string legalizeName(StringRef name);

} // namespace torchgen_support
