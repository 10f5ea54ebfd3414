// Attributes as they are read.
#pragma once

#include "IRSupport.h"

namespace torchgen_support {
namespace {

/// A value or the reason why there is none.
template <typename T> struct Expected {
  T value{};
  std::string error;
};

#define ASSIGN_VALUE_OR_RETURN_ERR(PLACE, EXPRESSION)                                              \
  do {                                                                                             \
    auto expected__ = (EXPRESSION);                                                                \
    if (!expected__.error.empty()) {                                                               \
      diagnostics_.report("node '" + opName + "'", expected__.error);                              \
      return nullptr;                                                                              \
    }                                                                                              \
    (PLACE) = expected__.value;                                                                    \
  } while (false)
#define RETURN_IF_ERR(EXPRESSION)                                                                  \
  do {                                                                                             \
    if (!(EXPRESSION)) {                                                                           \
      return nullptr;                                                                              \
    }                                                                                              \
  } while (false)

/// Attributes by name. One that is missing is a text that nothing can be read from.
class Dictionary {
  const std::map<std::string, std::string> &entries_;

public:
  explicit Dictionary(const std::map<std::string, std::string> &entries) : entries_(entries) {}
  std::size_t count(const std::string &name) const { return entries_.count(name); }
  std::string at(const std::string &name) const {
    auto found = entries_.find(name);
    return found == entries_.end() ? std::string("(missing)") : found->second;
  }
};

} // namespace
} // namespace torchgen_support
