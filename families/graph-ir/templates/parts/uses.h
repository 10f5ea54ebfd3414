// Values with users, and descriptions for people.
#pragma once

#include "types.h"

#include <list>
#include <sstream>
#include <string>

namespace torchgen_support {

/// Keeps the uses of something, so that it can be replaced everywhere.
template <typename UserTy, typename Use> class UseDef {
  std::list<Use> users_;

public:
  using Place = typename std::list<Use>::iterator;
  /// Adds a use; its place in the list is what takes it out again.
  Place addUse(Use use) { return users_.insert(users_.end(), use); }
  void removeUse(Place place) { users_.erase(place); }
  bool hasUsers() const { return !users_.empty(); }
  bool hasOneUse() const { return users_.size() == 1; }
  unsigned getNumUsers() const { return static_cast<unsigned>(users_.size()); }
  bool hasUser(const UserTy *user) const {
    return std::any_of(users_.begin(), users_.end(), [user](const Use &use) { return use.getUser() == user; });
  }
  std::list<Use> &getUsers() { return users_; }
  const std::list<Use> &getUsers() const { return users_; }
};

/// Lists the parts of a node for people: a kind, and lines of names and values.
class DescriptionBuilder {
  std::string text_;

public:
  explicit DescriptionBuilder(StringRef kind) : text_(kind.str()) { text_ += '\n'; }
  template <typename T> DescriptionBuilder &addParam(const std::string &name, const T &value) {
    text_ += name + " : " + textOf(value) + "\n";
    return *this;
  }
  operator std::string() const { return text_; }
};

} // namespace torchgen_support
