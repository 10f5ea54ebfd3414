// Graphs as text and as bytes: what a program calls.
#pragma once

#include "IRGraph.h"

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace torchgen_support {

/// A node as it is written: everything in it is text.
struct SavedNode {
  std::string type;
  std::string name;
  std::vector<std::string> inputs;
  std::map<std::string, std::string> attributes;
};

/// Makes a node of an older version one of this version, before it is read; false if it cannot.
using GraphUpgrade = std::function<bool(SavedNode &node, unsigned version)>;

/// Writes a function with its placeholders and constants as text.
std::string saveGraph(const Function &function);
/// The same as bytes: each word once, and the elements of constants as they are.
std::string saveGraphAsBytes(const Function &function);

/// Reads what `saveGraph` or `saveGraphAsBytes` wrote into a new function of a module.
///
/// Adds to `diagnostics` and returns null if the text is not such a graph. Placeholders and
/// constants that the module has under the same name and type are shared. `upgrade` is called for
/// each node if an older version wrote them; what a newer version wrote is not read.
Function *loadGraph(Module &module, const std::string &text, StringRef name, Diagnostics &diagnostics,
                    const GraphUpgrade &upgrade = nullptr);

} // namespace torchgen_support
