// The classes of graphs.
#pragma once

#include "IRTypes.h"

#include <functional>
#include <map>
#include <unordered_map>
#include <unordered_set>

namespace torchgen_support {

class Function;
class Module;
class Node;
class NodeWalker;
class Placeholder;
class Constant;
class Storage;
class GraphGradMapper;
struct NodeHandle;
struct NodeUse;

#define DEF_NODE(CLASS, NAME) class CLASS;
#include "AutoGenNodes.def"

} // namespace torchgen_support
