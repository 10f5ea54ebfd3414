// A list of errors, and an exception that carries it.
#pragma once

#include <ostream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace torchgen_support {

/// An error.
struct Diagnostic {
  /// The object: its kind and name.
  std::string where;
  /// The message.
  std::string message;
};

inline std::ostream &operator<<(std::ostream &os, const Diagnostic &diagnostic) {
  return os << diagnostic.where << ": " << diagnostic.message;
}

/// The errors that verification found, in every build.
class Diagnostics {
  std::vector<Diagnostic> list_;

public:
  using const_iterator = std::vector<Diagnostic>::const_iterator;

  /// Adds an error.
  void report(std::string where, std::string message) { list_.push_back({std::move(where), std::move(message)}); }

  /// Adds an error unless the condition holds; returns the condition.
  bool require(bool holds, const std::string &where, const char *message) {
    if (!holds) {
      report(where, message);
    }
    return holds;
  }

  bool empty() const { return list_.empty(); }
  std::size_t size() const { return list_.size(); }
  const Diagnostic &operator[](std::size_t index) const { return list_[index]; }
  const_iterator begin() const { return list_.begin(); }
  const_iterator end() const { return list_.end(); }

  /// All errors, one on each line.
  std::string str() const {
    std::string text;
    for (const Diagnostic &diagnostic : list_) {
      text += diagnostic.where + ": " + diagnostic.message + "\n";
    }
    return text;
  }
};

inline std::ostream &operator<<(std::ostream &os, const Diagnostics &diagnostics) { return os << diagnostics.str(); }

/// Thrown by the verification functions that throw.
struct InvalidIR : std::runtime_error {
  Diagnostics diagnostics;

  explicit InvalidIR(Diagnostics found) : std::runtime_error(found.str()), diagnostics(std::move(found)) {}
};

} // namespace torchgen_support
