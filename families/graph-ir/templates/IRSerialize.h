#pragma once
// torchgen_comment

#include "AutoGenNodes.h"

namespace torchgen_support {

/// Writes a function with its placeholders and constants as text.
std::string saveGraph(const Function &function);

/// Reads what `saveGraph` wrote into a new function of a module.
///
/// Adds to `diagnostics` and returns null if the text is not such a graph. Placeholders and
/// constants that the module has under the same name and type are shared.
Function *loadGraph(Module &module, const std::string &text, StringRef name, Diagnostics &diagnostics);

} // namespace torchgen_support
