// Lists of nodes, and names.
#pragma once

#include "node.h"

namespace torchgen_support {

using NodesList = ObjectList<Node>;

/// Gives out names that are legal in C and were not given out before.
class NameTable {
  /// The names, and the number to try next for a name that is wished again.
  std::unordered_map<std::string, unsigned> used_;

public:
  std::string unique(StringRef wish);
  bool contains(const std::string &name) const { return used_.count(name) != 0; }
  void clear() { used_.clear(); }
};

/// A name made of letters, digits and underscores.
std::string legalizeName(StringRef name);

} // namespace torchgen_support
