// Lists that run through their items.
#pragma once

#include "types.h"

#include <cstddef>
#include <iterator>
#include <stdexcept>

namespace torchgen_support {

class Links;

/// A place in a list, which is part of an item: the item enters and leaves in constant time.
class Linked {
  friend class Links;
  Linked *before_ = nullptr;
  Linked *after_ = nullptr;
  Links *list_ = nullptr;

public:
  Linked() = default;
  Linked(const Linked &) = delete;
  Linked &operator=(const Linked &) = delete;
  ~Linked();
};

/// A circle of items, with a place that ends it.
class Links {
  Linked end_;
  std::size_t size_ = 0;

public:
  Links() { end_.before_ = end_.after_ = &end_; }
  Links(const Links &) = delete;
  Links &operator=(const Links &) = delete;
  ~Links() {
    while (size_ != 0) {
      unlink(end_.after_);
    }
  }
  static Linked *after(const Linked *place) { return place->after_; }
  static Linked *before(const Linked *place) { return place->before_; }
  Linked *end() { return &end_; }
  const Linked *end() const { return &end_; }
  std::size_t size() const { return size_; }
  bool contains(const Linked *item) const { return item && item->list_ == this; }
  /// Throws `std::logic_error` if the item is in a list.
  void link(Linked *before, Linked *item) {
    if (item->list_) {
      throw std::logic_error("an item of a list is put into another");
    }
    item->list_ = this;
    item->after_ = before;
    item->before_ = before->before_;
    before->before_->after_ = item;
    before->before_ = item;
    ++size_;
  }
  bool unlink(Linked *item) {
    if (!contains(item)) {
      return false;
    }
    item->before_->after_ = item->after_;
    item->after_->before_ = item->before_;
    item->before_ = item->after_ = nullptr;
    item->list_ = nullptr;
    --size_;
    return true;
  }
};

inline Linked::~Linked() {
  if (list_) {
    list_->unlink(this);
  }
}

/// A walk over the items of a list, which it gives as references.
template <typename T> class ObjectWalk {
  Linked *at_;

public:
  using iterator_category = std::bidirectional_iterator_tag;
  using value_type = T;
  using difference_type = std::ptrdiff_t;
  using pointer = T *;
  using reference = T &;
  using item = T &;
  explicit ObjectWalk(const Linked *at) : at_(const_cast<Linked *>(at)) {}
  T &operator*() const { return *static_cast<T *>(at_); }
  T *operator->() const { return static_cast<T *>(at_); }
  ObjectWalk &operator++() {
    at_ = Links::after(at_);
    return *this;
  }
  ObjectWalk &operator--() {
    at_ = Links::before(at_);
    return *this;
  }
  bool operator==(const ObjectWalk &other) const { return at_ == other.at_; }
  bool operator!=(const ObjectWalk &other) const { return at_ != other.at_; }
  Linked *place() const { return at_; }
};

/// The same, but it gives pointers.
template <typename T> class PointerWalk {
  ObjectWalk<T> at_;
  mutable T *item_ = nullptr;

public:
  using iterator_category = std::bidirectional_iterator_tag;
  using value_type = T *;
  using difference_type = std::ptrdiff_t;
  using pointer = T *const *;
  using reference = T *const &;
  using item = T *;
  explicit PointerWalk(const Linked *at) : at_(at) {}
  T *const &operator*() const {
    item_ = at_.operator->();
    return item_;
  }
  T *const *operator->() const { return &**this; }
  PointerWalk &operator++() {
    ++at_;
    return *this;
  }
  PointerWalk &operator--() {
    --at_;
    return *this;
  }
  bool operator==(const PointerWalk &other) const { return at_ == other.at_; }
  bool operator!=(const PointerWalk &other) const { return at_ != other.at_; }
  Linked *place() const { return at_.place(); }
};

/// A list of objects, each with its place in it, so that no operation walks the list. It deletes
/// none of them; what is deleted leaves it.
template <typename T, typename Walk, typename ConstWalk> class LinkedList {
  Links links_;

public:
  using iterator = Walk;
  using const_iterator = ConstWalk;
  using value_type = typename Walk::value_type;

  iterator begin() { return iterator(Links::after(links_.end())); }
  iterator end() { return iterator(links_.end()); }
  const_iterator begin() const { return const_iterator(Links::after(links_.end())); }
  const_iterator end() const { return const_iterator(links_.end()); }
  std::size_t size() const { return links_.size(); }
  bool empty() const { return size() == 0; }
  typename Walk::item front() const { return *Walk(Links::after(links_.end())); }
  typename Walk::item back() const { return *Walk(Links::before(links_.end())); }
  bool contains(const T *item) const { return links_.contains(item); }
  void push_back(T *item) { links_.link(links_.end(), item); }
  /// Puts an item before another.
  void insert(iterator before, T *item) { links_.link(before.place(), item); }
  /// Takes an item out without deleting it; returns whether it was there.
  bool remove(T *item) { return links_.unlink(item); }
  /// The place of an item, or the end.
  iterator find(const T *item) { return contains(item) ? iterator(static_cast<const Linked *>(item)) : end(); }
};

/// A list that is walked as references.
template <typename T> using ObjectList = LinkedList<T, ObjectWalk<T>, ObjectWalk<const T>>;
/// A list that is walked as pointers.
template <typename T> using PointerList = LinkedList<T, PointerWalk<T>, PointerWalk<T>>;

} // namespace torchgen_support
