// Lists of nodes, and names.
#pragma once

#include "node.h"

namespace torchgen_support {

using NodesList = ObjectList<Node>;

/// Gives out names that are legal in C and were not given out before.
class NameTable {
  /// The hashes of the names, each at the first free place from the one that it points to; 0 is a
  /// free place. Names are not kept: one whose hash another has is taken to be given out.
  std::vector<std::uint64_t> hashes_;
  std::size_t size_ = 0;
  /// The number to try next for a name that is wished again.
  std::unordered_map<std::string, unsigned> next_;

  /// Whether the name is new.
  bool add(const std::string &name);
  bool place(std::uint64_t hash);

public:
  std::string unique(StringRef wish);
  void clear() { *this = NameTable(); }
};

/// A name made of letters, digits and underscores.
std::string legalizeName(StringRef name);

} // namespace torchgen_support
