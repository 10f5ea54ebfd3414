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
  void addUse(Use use) { users_.push_back(use); }
  void removeUse(Use use) {
    auto found = std::find(users_.begin(), users_.end(), use);
    if (found == users_.end()) {
      throw std::logic_error("the use is not in the list of uses");
    }
    users_.erase(found);
  }
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
